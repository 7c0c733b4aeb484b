---Files on disk: what they are, and what they hold.
local record = require('_sidekick.reload.record')
local text = require('_sidekick.reload.text')

local M = {}

---@param path string
---@return string? stamp nil where no readable regular file is
---@return 'deleted'|'unreadable'? why
---@return integer? size
function M.look(path)
  local stat = vim.loop.fs_stat(path)
  if not stat then
    -- A folder without permission hides the file; that does not delete it.
    local _, _, code = vim.loop.fs_lstat(path)
    return nil, (code == 'EACCES' and 'unreadable' or 'deleted')
  end
  if stat.type ~= 'file' then
    return nil, 'unreadable'
  end
  return record.stamp(stat), nil, stat.size
end

---@param path string
---@return string?
function M.bytes(path)
  local file = io.open(path, 'rb')
  if not file then
    return nil
  end
  local bytes = file:read('*a')
  file:close()
  return bytes
end

---Lets Neovim's own reader decode a file, in a buffer that nobody sees:
---`:read ++edit` detects encoding, byte order mark, line ends and the missing
---last line end as |:edit| does.
---@param path string
---@param binary boolean
---@return sidekick.Content?
local function read_in_scratch(path, binary)
  local ignored = vim.o.eventignore
  vim.o.eventignore = 'all'
  local scratch = vim.api.nvim_create_buf(false, true)
  local content
  local ok = pcall(vim.api.nvim_buf_call, scratch, function()
    vim.bo.swapfile = false
    vim.bo.undolevels = -1
    vim.cmd(
      ('silent keepalt keepjumps read ++edit%s %s'):format(
        binary and ' ++bin' or '',
        vim.fn.fnameescape(path)
      )
    )
    local lines = vim.api.nvim_buf_get_lines(0, 1, -1, false)
    content = {
      lines = lines,
      eol = vim.bo.endofline,
      ff = vim.bo.fileformat,
      bomb = vim.bo.bomb,
      fenc = vim.bo.fileencoding,
      plain = false,
    }
  end)
  pcall(vim.api.nvim_buf_delete, scratch, { force = true })
  vim.o.eventignore = ignored
  return ok and content or nil
end

---@param buf integer
---@param path string
---@return sidekick.Content? # nil where the file cannot be read
function M.content(buf, path)
  local binary = vim.api.nvim_buf_get_option(buf, 'binary')
  if not binary then
    local bytes = M.bytes(path)
    if not bytes then
      return nil
    end
    local content = text.decode(bytes, vim.o.fileformats, vim.o.fileencodings)
    if content then
      return content
    end
  end
  return read_in_scratch(path, binary)
end

return M
