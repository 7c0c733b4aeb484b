---Entry point of the part of sidekick that runs inside Neovim.
---@class sidekick.Runtime
local M = {}

---Content hash of the tree; set by boot.lua.
---@type string?
M.version = nil

---@class sidekick.Reply
---@field status 'ok'|'late'|'error'
---@field error string
---@field result? table

---Milliseconds since 1970, the clock of the deadlines.
---@return number
function M.now()
  local sec, usec = vim.loop.gettimeofday()
  return sec * 1000 + math.floor(usec / 1000)
end

---The one way in from outside: runs `require('_sidekick.' .. module).rpc[name](args)`.
---A call that comes too late does nothing: its caller has gone, and may have
---told the agent something that the call would now contradict.
---@param method string "module.function"
---@param args table
---@param deadline number Unix milliseconds; 0 = none
---@return sidekick.Reply
function M.call(method, args, deadline)
  if deadline > 0 and M.now() > deadline then
    return { status = 'late', error = '' }
  end
  local module, name = method:match('^([%w_.]+)%.([%w_]+)$')
  local ok, rpc = pcall(function()
    return require('_sidekick.' .. module).rpc[name]
  end)
  if not ok and not M.version then -- its file has gone: the caller sends the sources
    return { status = 'missing', error = '' }
  end
  if not ok or not rpc then
    return { status = 'error', error = 'no such method: ' .. tostring(method) }
  end
  local fine, result = pcall(rpc, args)
  if not fine then
    return { status = 'error', error = tostring(result) }
  end
  return { status = 'ok', error = '', result = result }
end

---Runs once per Neovim, before the user's configuration where sidekick started
---it: nothing on the screen, and of mappings only <Plug> ones.
---@param before? sidekick.Handover of the version that was here
function M.setup(before)
  before = before or {}
  local group = vim.api.nvim_create_augroup('_sidekick', { clear = false })
  require('_sidekick.reload.record').setup(group)
  vim.api.nvim_create_autocmd('ModeChanged', {
    group = group,
    pattern = { '[vV\22]*:*', '*:[vV\22]*' },
    callback = function()
      local event = vim.v.event
      pcall(function()
        require('_sidekick.selection').mode_changed(event.old_mode, event.new_mode)
      end)
    end,
  })
  vim.api.nvim_create_autocmd('FileChangedShell', {
    group = group,
    callback = function(event)
      local ok = pcall(function()
        require('_sidekick.conflict').decide(event.buf, group)
      end)
      if not ok then
        vim.v.fcs_choice = 'ask'
      end
    end,
  })
  vim.api.nvim_create_user_command('SidekickBridgeDiff', function()
    require('_sidekick.compare').open()
  end, { desc = 'Show the unsaved text beside the file on disk' })
  require('_sidekick.person').setup(group, before.person)
  require('_sidekick.review_command').setup(group)
  if before.review then
    require('_sidekick.review').take_over(before.review)
  end
end

---Moves the cursor to the next (1) or previous (-1) place of the current buffer
---that was changed from outside since it was last written. For a mapping:
---`vim.keymap.set('n', ']k', function() require('_sidekick').jump(1) end)`
---@param direction 1|-1
---@return boolean moved
function M.jump(direction)
  return require('_sidekick.reload.notice').jump(direction)
end

---What one version leaves to the next; any part may be missing.
---@class sidekick.Handover
---@field person? integer
---@field review? sidekick.ReviewHandover

---Undoes setup(), when another version takes over.
---@return sidekick.Handover
function M.teardown()
  local later = package.loaded['_sidekick.reload.later']
  if later then
    later.stop()
  end
  local handover = {}
  for _, name in ipairs({ 'person', 'review_command', 'claudecode', 'review' }) do
    local module = package.loaded['_sidekick.' .. name]
    if module then
      local ok, left = pcall(module.teardown)
      handover[name] = ok and left or nil
    end
  end
  pcall(vim.api.nvim_del_augroup_by_name, '_sidekick')
  return handover
end

return M
