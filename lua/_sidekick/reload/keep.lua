---Keeps the person's place through a second reload. claudecode.nvim runs :edit a
---tenth of a second after an edit was accepted, and then puts the cursor where it
---was when its diff was opened. Whoever of us was first, the place should be ours.
local hunks_ = require('_sidekick.reload.hunks')
local view = require('_sidekick.reload.view')

local M = {}

---How long another plugin may take to reload after us, in milliseconds.
local PATIENCE = 2000

---@type table<integer, integer> buffer -> how often it was guarded
local guarded = {}

---@param buf integer just reloaded by us, or about to be reloaded by the other
function M.guard(buf)
  local group = vim.api.nvim_create_augroup('_sidekick_keep_' .. buf, {})
  ---@type { views: sidekick.Views, lines: string[] }?
  local before
  local function on(event, callback)
    vim.api.nvim_create_autocmd(event, { group = group, buffer = buf, callback = callback })
  end
  on('BufUnload', function()
    local ok, saved = pcall(function()
      return { views = view.save(buf), lines = vim.api.nvim_buf_get_lines(buf, 0, -1, false) }
    end)
    before = ok and saved or nil
  end)
  on('BufReadPost', function()
    local place = before
    if place then
      vim.schedule(function()
        pcall(function()
          local lines = vim.api.nvim_buf_get_lines(buf, 0, -1, false)
          view.restore(buf, place.views, hunks_.between(place.lines, lines))
        end)
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
