---What `sidekick status` shows of one Neovim.
local buffers = require('_sidekick.buffers')

local M = { rpc = {} }

---@return { pid: integer, cwd: string, version: string, files: string[], unsaved: string[], noswap: boolean }
function M.rpc.report()
  local files, unsaved = {}, {}
  for _, buf in ipairs(vim.api.nvim_list_bufs()) do
    if buffers.is_file(buf) then
      local name = vim.api.nvim_buf_get_name(buf)
      table.insert(files, name)
      if vim.bo[buf].modified then
        table.insert(unsaved, name)
      end
    end
  end
  local v = vim.version()
  return {
    pid = vim.fn.getpid(),
    cwd = vim.fn.getcwd(-1, -1),
    version = ('%d.%d.%d'):format(v.major, v.minor, v.patch),
    files = files,
    unsaved = unsaved,
    noswap = not vim.go.swapfile,
  }
end

return M
