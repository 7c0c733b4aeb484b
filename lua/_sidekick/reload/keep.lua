---Keeps the person's place through a second reload. claudecode.nvim runs :edit a
---tenth of a second after an edit was accepted, and then puts the cursor where it
---was when its diff was opened. The text is ours already; the place should be, too.
local view = require('_sidekick.reload.view')

local M = {}

---How long another plugin may take to reload after us, in milliseconds.
local PATIENCE = 2000

---@type table<integer, integer> buffer -> how often it was guarded
local guarded = {}

---@param buf integer just reloaded by us
function M.guard(buf)
  local group = vim.api.nvim_create_augroup('_sidekick_keep_' .. buf, {})
  local views
  local function on(event, callback)
    vim.api.nvim_create_autocmd(event, { group = group, buffer = buf, callback = callback })
  end
  on('BufUnload', function()
    local ok, saved = pcall(view.save, buf)
    views = ok and saved or nil
  end)
  on('BufReadPost', function()
    local place = views
    if place then
      vim.schedule(function()
        pcall(view.restore, buf, place, {})
      end)
    end
  end)
  local turn = (guarded[buf] or 0) + 1
  guarded[buf] = turn
  vim.defer_fn(function()
    if guarded[buf] == turn then
      guarded[buf] = nil
      pcall(vim.api.nvim_del_augroup_by_id, group)
    end
  end, PATIENCE)
end

return M
