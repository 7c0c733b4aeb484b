---:SidekickBridgeReview and the <Plug> maps. Loaded at start, so it is small and
---loads the rest when it is used.
local M = {}

---@param name string
---@param reason? string
local function act(name, reason)
  local review = require('_sidekick.review')
  if name == 'go' or name == 'last' then
    review[name]()
  elseif review.act(name, reason) or require('_sidekick.claudecode').act(name) then
    return
  elseif name == 'next' or name == 'previous' then
    review.step(name == 'next' and 1 or -1)
  else
    require('_sidekick.message').show('no review here: :SidekickBridgeReview goes to it')
  end
end

local actions = { 'accept', 'reject', 'reason', 'next', 'previous', 'last' }

---Names of the proposals of claudecode.nvim, whatever its version and layout.
local proposals = { '*(proposed)', '*(NEW FILE - proposed)', '*(unified diff)', '*(inline diff)' }

---Looks out for the diffs of claudecode.nvim, which may never come.
---@param group integer augroup
local function watch_claudecode(group)
  local function on(event, pattern, handle)
    vim.api.nvim_create_autocmd(event, {
      group = group,
      pattern = pattern,
      callback = function(args)
        if package.loaded['claudecode.diff'] then
          handle(require('_sidekick.claudecode'), args)
        end
      end,
    })
  end
  on('User', 'ClaudeCodeDiffOpened', function(claudecode, args)
    claudecode.opened(args.data)
  end)
  on('User', 'ClaudeCodeDiffClosed', function(claudecode, args)
    claudecode.closed(args.data)
  end)
  on('BufWinEnter', proposals, function(claudecode, args)
    claudecode.shown(args.buf)
  end)
  if package.loaded['claudecode.diff'] then -- a hook brought us while a diff is open
    for _, win in ipairs(vim.api.nvim_list_wins()) do
      require('_sidekick.claudecode').shown(vim.api.nvim_win_get_buf(win))
    end
  end
end

---@param group integer augroup
function M.setup(group)
  watch_claudecode(group)
  vim.api.nvim_create_user_command('SidekickBridgeReview', function(command)
    local name, reason = command.args:match('^(%S*)%s*(.*)$')
    if name == '' then
      name = 'go'
    elseif not vim.tbl_contains(actions, name) then
      require('_sidekick.message').show('no such action: ' .. name, vim.log.levels.ERROR)
      return
    end
    act(name, reason)
  end, {
    nargs = '*',
    complete = function(lead)
      return vim.tbl_filter(function(name)
        return name:sub(1, #lead) == lead
      end, actions)
    end,
    desc = "The agent's proposals: go to the one that waits, or one of: "
      .. table.concat(actions, ', '),
  })
  for _, name in ipairs({ 'go', unpack(actions) }) do
    local suffix = name == 'go' and '' or name:sub(1, 1):upper() .. name:sub(2)
    vim.keymap.set('n', ('<Plug>(SidekickBridgeReview%s)'):format(suffix), function()
      act(name)
    end)
  end
end

function M.teardown()
  pcall(vim.api.nvim_del_user_command, 'SidekickBridgeReview')
  for _, name in ipairs({ '', 'Accept', 'Reject', 'Reason', 'Next', 'Previous', 'Last' }) do
    pcall(vim.keymap.del, 'n', ('<Plug>(SidekickBridgeReview%s)'):format(name))
  end
end

return M
