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
---@type table<integer, { views: sidekick.Views, lines: string[] }> buffer -> before the other's reload
local before = {}

local function before_reload(event)
  local buf = event.buf
  if guarded[buf] then
    local ok, saved = pcall(function()
      return { views = view.save(buf), lines = vim.api.nvim_buf_get_lines(buf, 0, -1, false) }
    end)
    before[buf] = ok and saved or nil
  end
end

local function after_reload(event)
  local buf = event.buf
  local place = before[buf]
  if not place then
    return
  end
  vim.schedule(function()
    pcall(function()
      local lines = vim.api.nvim_buf_get_lines(buf, 0, -1, false)
      view.restore(buf, place.views, hunks_.between(place.lines, lines))
    end)
  end)
end

---@type integer? augroup
local group

---Once and for all buffers: an autocommand costs more to make than to run.
local function watch()
  group = vim.api.nvim_create_augroup('_sidekick_keep', {})
  vim.api.nvim_create_autocmd('BufUnload', { group = group, callback = before_reload })
  vim.api.nvim_create_autocmd('BufReadPost', { group = group, callback = after_reload })
end

---@param buf integer just reloaded by us, or about to be reloaded by the other
function M.guard(buf)
  if not group then
    watch()
  end
  local turn = (guarded[buf] or 0) + 1
  guarded[buf] = turn
  vim.defer_fn(function()
    if guarded[buf] == turn then
      guarded[buf], before[buf] = nil, nil
    end
  end, PATIENCE)
end

return M
