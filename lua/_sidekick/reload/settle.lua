---Makes Neovim believe that a buffer is the file: no "file has changed since
---reading it" at the next write, nothing for |:checktime| to do, and undo states
---that know which of them is the one on disk.
local M = {}

---@param buf integer
---@return boolean ok
local function write_swallowed(buf)
  local id = vim.api.nvim_create_autocmd('BufWriteCmd', {
    buffer = buf,
    callback = function()
      vim.api.nvim_buf_set_option(buf, 'modified', false)
    end,
  })
  local buftype = vim.bo.buftype
  local ok = pcall(function()
    -- The second lock: a write that no BufWriteCmd takes is an error (E676).
    vim.bo.buftype = 'acwrite'
    vim.cmd('silent keepalt write!')
  end)
  vim.bo.buftype = buftype
  pcall(vim.api.nvim_del_autocmd, id)
  return ok
end

---Takes back what naming the buffer left: to 0.7 it stays "[Not edited]" even
---after |:edit|, and the next |:write| is refused (E13).
---@param buf integer
function M.clear(buf)
  write_swallowed(buf)
end

---Naming the buffer reads the file's time into both of Neovim's timestamps, and
---makes Neovim refuse to write over a file (E13).
---@param buf integer
---@return boolean ok
local function name(buf)
  local shown = vim.fn.fnameescape(vim.fn.bufname(buf))
  return pcall(vim.cmd, 'silent noautocmd keepalt file ' .. shown)
end

---What tells whether the file was touched, or away, in between.
---@param buf integer
---@return string? nil where there is no file
local function state(buf)
  local stat = vim.loop.fs_stat(vim.api.nvim_buf_get_name(buf))
  return stat
    and ('%d:%d.%d:%d.%d:%d'):format(
      stat.ino,
      stat.mtime.sec,
      stat.mtime.nsec,
      stat.ctime.sec,
      stat.ctime.nsec,
      stat.size
    )
end

---Call it in the buffer (|nvim_buf_call()|), whose text is the file's, and with
---BufWriteCmd not in 'eventignore': the write would be a real one.
---A write that an autocommand takes over clears 'modified' the way a real one
---does, and nothing is written.
---
---Of a file that is away just then (another Neovim writes it under a new name)
---Neovim keeps no time, and would write over whatever comes in its place without a
---question. Where that may be, the buffer is named once more: |:write| is refused
---then until the buffer is brought in line again.
---@param buf integer
---@return boolean ok false where the user's settings forbid it ('nowrite', 'eventignorewin')
function M.settle(buf)
  local before = state(buf)
  local ok = name(buf) and write_swallowed(buf) and not vim.bo.modified
  if ok and (before == nil or state(buf) ~= before) then
    name(buf)
  end
  return ok
end

return M
