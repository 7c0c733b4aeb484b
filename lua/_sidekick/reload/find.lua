---Which buffers hold a file, and which of them are not what they look like.
local buffers = require('_sidekick.buffers')

local M = {}

---As |vim.tbl_filter()|, which spends more on its arguments than on the list.
---@param wanted fun(buf: integer): boolean?
---@param bufs integer[]
---@return integer[]
local function only(wanted, bufs)
  local found = {}
  for _, buf in ipairs(bufs) do
    if wanted(buf) then
      table.insert(found, buf)
    end
  end
  return found
end

---Loaded file buffers.
---@return integer[]
function M.all()
  return only(buffers.is_file, vim.api.nvim_list_bufs())
end

---Real path of a file that may not exist (any more): that of its folder, and its name.
---@param path string
---@return string
local function real(path)
  local folder, name = path:match('^(.*)/([^/]*)$')
  local resolved = folder and vim.loop.fs_realpath(folder == '' and '/' or folder)
  return resolved and (resolved .. '/' .. name) or path
end

---Every loaded buffer of the file that has these names: by name, by a name that
---leads there through symlinks, or by another hard link.
---@param names string[] absolute
---@return integer[]
function M.buffers(names)
  local wanted, inodes, gone = {}, {}, true
  for _, name in ipairs(names) do
    wanted[name] = true
    local stat = vim.loop.fs_stat(name)
    if stat then
      inodes[stat.dev .. ':' .. stat.ino] = true
      gone = false
    end
  end
  if gone then -- the folder may be known by another name
    for _, name in ipairs(names) do
      wanted[real(name)] = true
    end
  end
  return only(function(buf)
    local name = vim.api.nvim_buf_get_name(buf)
    if wanted[name] then
      return true
    end
    if gone then
      return wanted[real(name)] or false
    end
    local stat = vim.loop.fs_stat(name)
    return stat and inodes[stat.dev .. ':' .. stat.ino] or false
  end, M.all())
end

---@type table<string, fun(name: string, tail: string): boolean>
local matchers = {}

---@param pattern string of an autocommand
---@return fun(name: string, tail: string): boolean
local function matcher(pattern)
  local suffix = pattern:match('^%*(%.[%w_.]+)$')
  if suffix then -- nearly all of them, and a regex costs
    return function(_, tail)
      return tail:sub(-#suffix) == suffix
    end
  end
  local ok, regex = pcall(function()
    return vim.regex(vim.fn.glob2regpat(pattern))
  end)
  local whole = pattern:find('/', 1, true) ~= nil
  return function(name, tail)
    return not ok or regex:match_str(whole and name or tail) ~= nil
  end
end

---@param name string a file's
---@return boolean
local function has_foreign_pattern(name)
  local tail = name:match('[^/]*$')
  local function any(filter)
    local ok, commands = pcall(vim.api.nvim_get_autocmds, filter)
    for _, command in ipairs(ok and commands or {}) do
      local pattern = command.pattern
      if not command.buflocal then
        matchers[pattern] = matchers[pattern] or matcher(pattern)
        if matchers[pattern](name, tail) then
          return true
        end
      end
    end
    return false
  end
  return any({ event = { 'BufReadCmd', 'BufWriteCmd' } })
    or any({ group = 'gzip', event = 'BufReadPost' })
end

---@type table<string, {foreign: boolean, at: integer}> name -> what was found, when (ms)
local seen = {}

---How long patterns are taken to stay as they are: plugins add theirs at startup.
local MINUTE = 60000

---Whether somebody's autocommand stands between a buffer and its file, such as
---that of a plugin which shows archives or encrypted files: the buffer's text is
---then not the file's bytes.
---@param buf integer
---@return boolean
function M.is_foreign(buf)
  for _, event in ipairs({ 'BufWriteCmd', 'BufReadCmd' }) do
    local ok, own = pcall(vim.api.nvim_get_autocmds, { event = event, buffer = buf })
    if not ok or #own > 0 then
      return true
    end
  end
  local name = vim.api.nvim_buf_get_name(buf)
  local known, now = seen[name], vim.loop.now()
  if not known or now - known.at > MINUTE then
    known = { foreign = has_foreign_pattern(name), at = now }
    seen[name] = known
  end
  return known.foreign
end

return M
