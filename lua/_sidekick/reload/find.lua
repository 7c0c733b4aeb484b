---Which buffers hold a file, and which of them are not what they look like.
local M = {}

---@param buf integer
---@return boolean
function M.is_file(buf)
  return vim.api.nvim_buf_is_loaded(buf)
    and vim.api.nvim_buf_get_option(buf, 'buftype') == ''
    and vim.api.nvim_buf_get_name(buf) ~= ''
end

---Loaded file buffers.
---@return integer[]
function M.all()
  return vim.tbl_filter(M.is_file, vim.api.nvim_list_bufs())
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

---@type table<string, vim.regex>
local regexes = {}

---@param pattern string of an autocommand
---@param name string
---@return boolean
local function matches(pattern, name)
  local regex = regexes[pattern]
  if not regex then
    local ok, made = pcall(function()
      return vim.regex(vim.fn.glob2regpat(pattern))
    end)
    regex = ok and made or vim.regex('.*')
    regexes[pattern] = regex
  end
  local text = pattern:find('/', 1, true) and name or vim.fn.fnamemodify(name, ':t')
  return regex:match_str(text) ~= nil
end

---Whether somebody's autocommand stands between a buffer and its file, such as
---that of a plugin which shows archives or encrypted files: the buffer's text is
---then not the file's bytes.
---@param buf integer
---@return boolean
function M.is_foreign(buf)
  local name = vim.api.nvim_buf_get_name(buf)
  for _, cmd in ipairs(vim.api.nvim_get_autocmds({ event = { 'BufReadCmd', 'BufWriteCmd' } })) do
    if cmd.buflocal then
      if cmd.buffer == buf then
        return true
      end
    elseif matches(cmd.pattern, name) then
      return true
    end
  end
  local ok, gzip = pcall(vim.api.nvim_get_autocmds, { group = 'gzip', event = 'BufReadPost' })
  for _, cmd in ipairs(ok and gzip or {}) do
    if matches(cmd.pattern, name) then
      return true
    end
  end
  return false
end

return M
