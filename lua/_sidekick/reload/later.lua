---Catches up when the editor is free again.
local M = {}

---@type table<integer, boolean>|'all'|nil what waits: buffers, or all of them
local waiting
local timer
local pause

---Whether a change would disturb what the person is in the middle of: a dialog,
---or the command-line window, where Neovim itself refuses (E11).
---@return boolean
function M.is_busy()
  local mode = vim.api.nvim_get_mode()
  return mode.blocking
    or mode.mode == '!'
    or mode.mode:find('^r') ~= nil
    or mode.mode:find('^[iR][cx]') ~= nil -- a menu of completions is open
    or vim.fn.getcmdwintype() ~= ''
end

local function run()
  if M.is_busy() then
    return M.again()
  end
  local work = waiting
  waiting, pause = nil, nil
  local reload = require('_sidekick.reload')
  for _, buf in ipairs(require('_sidekick.reload.find').all()) do
    if work == 'all' or (work and work[buf]) then
      pcall(reload.sync, buf, math.huge)
    end
  end
end

---Tries again after a while, more and more seldom.
function M.again()
  timer = timer or vim.loop.new_timer()
  pause = math.min((pause or 25) * 2, 1000)
  timer:start(pause, 0, vim.schedule_wrap(run))
end

---@param buf? integer all file buffers where nil
function M.add(buf)
  if not buf then
    waiting = 'all'
  elseif waiting ~= 'all' then
    waiting = waiting or {}
    waiting[buf] = true
  end
  M.again()
end

---@type table<integer, integer> buffer -> what the Go side was last asked for
local expected = {}

---How long the Go side may take with a large file, in milliseconds: longer than
---its own bound.
local PATIENCE = 3000

---Leaves a buffer to the Go side, which may be killed on the way.
---@param buf integer
function M.expect(buf)
  local turn = (expected[buf] or 0) + 1
  expected[buf] = turn
  vim.defer_fn(function()
    if expected[buf] == turn then
      expected[buf] = nil
      M.add(buf)
    end
  end, PATIENCE)
end

---@param buf integer brought in line
function M.arrived(buf)
  expected[buf] = nil
end

function M.stop()
  if timer then
    timer:stop()
    timer:close()
    timer = nil
  end
end

return M
