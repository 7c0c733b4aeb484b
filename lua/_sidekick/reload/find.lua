---Which buffers hold a file, and which of them are not what they look like.
local buffers = require('_sidekick.buffers')

local M = {}

---Loaded file buffers.
---@return integer[]
function M.all()
  return vim.tbl_filter(buffers.is_file, vim.api.nvim_list_bufs())
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
  local wanted, stats = {}, {}
  for _, name in ipairs(names) do
    wanted[name], wanted[real(name)] = true, true
    local stat = vim.loop.fs_stat(name)
    if stat and stat.type == 'file' then
      stats[stat.dev .. ':' .. stat.ino] = true
    end
  end
  return vim.tbl_filter(function(buf)
    local name = vim.api.nvim_buf_get_name(buf)
    if wanted[name] or wanted[real(name)] then
      return true
    end
    local stat = next(stats) and vim.loop.fs_stat(name)
    return stat and stats[stat.dev .. ':' .. stat.ino] or false
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

---@param commands table[] of nvim_get_autocmds()
---@param buf integer
---@return boolean
local function any_matches(commands, buf)
  local name = vim.api.nvim_buf_get_name(buf)
  local tail = name:match('[^/]*$')
  for _, command in ipairs(commands) do
    if command.buflocal then
      if command.buffer == buf then
        return true
      end
    else
      local pattern = command.pattern
      matchers[pattern] = matchers[pattern] or matcher(pattern)
      if matchers[pattern](name, tail) then
        return true
      end
    end
  end
  return false
end

---Whether somebody's autocommand stands between a buffer and its file, such as
---that of a plugin which shows archives or encrypted files: the buffer's text is
---then not the file's bytes.
---@param buf integer
---@return boolean
function M.is_foreign(buf)
  local commands = vim.api.nvim_get_autocmds({ event = { 'BufReadCmd', 'BufWriteCmd' } })
  if any_matches(commands, buf) then
    return true
  end
  local ok, gzip = pcall(vim.api.nvim_get_autocmds, { group = 'gzip', event = 'BufReadPost' })
  return ok and any_matches(gzip, buf)
end

return M
