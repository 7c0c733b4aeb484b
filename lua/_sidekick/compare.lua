---Both versions of a file side by side: the unsaved text, and what is on disk.
local message = require('_sidekick.message')

local M = {}

---Reads the file as Neovim itself would (line ends, encoding), into a buffer
---that cannot be written and goes away with its window.
---@param path string
---@param like integer the buffer with the unsaved text
local function open_disk(path, like)
  vim.cmd('silent keepalt vertical new')
  local buf = vim.api.nvim_get_current_buf()
  vim.bo[buf].buftype = 'nofile'
  vim.bo[buf].bufhidden = 'wipe'
  vim.bo[buf].swapfile = false
  vim.bo[buf].undolevels = -1
  vim.cmd('silent keepalt 0read ++edit ' .. vim.fn.fnameescape(path))
  vim.cmd('silent $delete _')
  vim.bo[buf].filetype = vim.bo[like].filetype
  vim.bo[buf].modifiable = false
  pcall(vim.api.nvim_buf_set_name, buf, path .. ' (on disk)')
end

---Shows the current buffer beside its file, in diff mode, in a tab page of its
---own. `do` takes a change from the disk; closing the tab page ends it.
function M.open()
  local buf = vim.api.nvim_get_current_buf()
  local path = vim.api.nvim_buf_get_name(buf)
  if vim.bo[buf].buftype ~= '' or path == '' or vim.fn.filereadable(path) == 0 then
    message.show('There is no file on disk to compare this buffer with', vim.log.levels.WARN)
    return
  end
  vim.cmd('silent tab split')
  open_disk(path, buf)
  vim.cmd('diffthis')
  vim.cmd('wincmd p')
  vim.cmd('diffthis')
end

return M
