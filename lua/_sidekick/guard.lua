---What the guard asks before the agent writes.
local buffers = require('_sidekick.buffers')
local message = require('_sidekick.message')

local M = { rpc = {} }

---@class sidekick.OpenFile
---@field buffer integer
---@field name string as Neovim has it: absolute, symlinks in folders not resolved
---@field modified boolean
---@field visible boolean shown in a window of any tab page
---@field current boolean in the current window

---File buffers that are modified, and with args.visible those that are shown.
---Only these are looked at: a thousand open buffers cost nothing.
---@param args { visible: boolean }
---@return { pid: integer, files: sidekick.OpenFile[] }
function M.rpc.files(args)
  local files = {}
  local current = vim.api.nvim_get_current_buf()
  local seen = {}
  local function add(info)
    local buf = info.bufnr
    if seen[buf] or not vim.api.nvim_buf_is_loaded(buf) or vim.bo[buf].buftype ~= '' then
      return
    end
    seen[buf] = true
    table.insert(files, {
      buffer = buf,
      name = vim.api.nvim_buf_get_name(buf),
      modified = vim.bo[buf].modified,
      visible = buffers.is_visible(buf),
      current = buf == current,
    })
  end
  for _, info in ipairs(vim.fn.getbufinfo({ bufmodified = 1 })) do
    add(info)
  end
  if args.visible then
    for _, win in ipairs(vim.api.nvim_list_wins()) do
      add({ bufnr = vim.api.nvim_win_get_buf(win) })
    end
  end
  return { pid = vim.fn.getpid(), files = files }
end

---@param file sidekick.FileNames
---@return boolean
local function is_unsaved(file)
  for _, buf in ipairs(buffers.of_file(file)) do
    if vim.bo[buf].modified then
      return true
    end
  end
  return false
end

---Shows a line in an instance that has the file, and nowhere else. Where it has
---to wait for the person, it is dropped if they have saved meanwhile.
---@param args { file: sidekick.FileNames, text: string }
---@return { shown: boolean }
function M.rpc.tell(args)
  if #buffers.of_file(args.file) == 0 then
    return { shown = false }
  end
  local unsaved = is_unsaved(args.file)
  message.show(args.text, vim.log.levels.WARN, function()
    return not unsaved or is_unsaved(args.file)
  end)
  return { shown = true }
end

return M
