---Reviews: proposals of an agent that wait for the person's decision. The hook
---process at the other end of the channel computes, checks and answers; this
---side shows and asks.
local buffers = require('_sidekick.buffers')
local keys = require('_sidekick.review_keys')
local message = require('_sidekick.message')
local person = require('_sidekick.person')
local view = require('_sidekick.review_view')

local M = { rpc = {} }

---@class sidekick.ReviewRequest what the hook hands over
---@field channel integer of the hook; also the review's identity
---@field pid integer of the hook
---@field path string
---@field file sidekick.FileNames
---@field before sidekick.ReviewText
---@field after sidekick.ReviewText
---@field dos boolean
---@field syntax string
---@field text { label: string, old: string, new: string, waiting: string }

---@class sidekick.Review
---@field request sidekick.ReviewRequest
---@field state 'waiting'|'shown'|'sent'|'over'
---@field text sidekick.ReviewText the proposal as the person left it
---@field note? string instead of the heading: why it is as it is
---@field outcome? string
---@field view? sidekick.ReviewView
---@field unmap? fun()

---Undecided reviews, oldest first.
---@type sidekick.Review[]
local queue = {}

---The one in view.
---@type sidekick.Review?
local shown

---Decided ones, newest last.
---@type sidekick.Review[]
local past = {}
local past_limit = 10

local timer = nil
local show, close, advance

---@param name string
---@param review sidekick.Review
local function fire(name, review)
  local data = { path = review.request.path, outcome = review.outcome }
  local options = { pattern = 'SidekickBridgeReview' .. name, modeline = false, data = data }
  if not pcall(vim.api.nvim_exec_autocmds, 'User', options) then
    options.data = nil -- 0.7 has no data
    pcall(vim.api.nvim_exec_autocmds, 'User', options)
  end
end

---@param review sidekick.Review
---@return boolean
local function connected(review)
  local info = vim.api.nvim_get_chan_info(review.request.channel)
  return info.id ~= nil
end

---@param review sidekick.Review
---@return boolean
local function edited(review)
  return not vim.deep_equal(review.text, review.request.after)
end

---Keeps what is in the view, whatever becomes of its windows.
---@param review sidekick.Review
local function keep_text(review)
  if review.view and review.state ~= 'over' and vim.api.nvim_buf_is_loaded(review.view.new) then
    review.text = view.text(review.view)
  end
end

---@param review sidekick.Review
---@param verdict 'accept'|'reject'|'look'
---@param reason? string
local function send(review, verdict, reason)
  local decision = {
    verdict = verdict,
    reason = reason or '',
    lines = verdict == 'accept' and review.text.lines or {},
    eol = review.text.eol,
  }
  pcall(vim.rpcnotify, review.request.channel, 'sidekick_review', decision)
end

---@param review sidekick.Review
---@param verdict 'accept'|'reject'
---@param reason? string
local function decide(review, verdict, reason)
  if review.state == 'over' then
    close(review)
    advance()
  elseif review.state == 'shown' then
    keep_text(review)
    review.state = 'sent'
    send(review, verdict, reason)
  end
end

---@param review sidekick.Review
local function reject_with_reason(review)
  if review.state ~= 'shown' then
    decide(review, 'reject')
    return
  end
  -- CTRL-C at 0.7's prompt is an error, not an answer.
  pcall(vim.ui.input, { prompt = 'Reject, because: ' }, function(reason)
    if reason then
      decide(review, 'reject', reason)
    end
  end)
end

---@param review sidekick.Review
local function label(review)
  local text = review.request.text
  local help =
    keys.help({ { 'accept', 'accept' }, { 'reject', 'reject' }, { 'reason', 'with a reason' } })
  if review.state == 'over' then
    help = keys.help({ { 'reject', 'close' } })
  end
  if #queue > 1 then
    for i, other in ipairs(queue) do
      if other == review then
        help = ('%s  %d of %d  %s'):format(
          help,
          i,
          #queue,
          keys.help({ { 'next', 'next' }, { 'previous', 'previous' } })
        )
      end
    end
  end
  view.label(review.view, text.old, review.note or text.new, help)
end

---@param review sidekick.Review
local function watch(review)
  local group = review.view.group
  local new = review.view.new
  vim.api.nvim_create_autocmd('BufWriteCmd', {
    group = group,
    buffer = new,
    callback = function()
      if keys.wrote_on_purpose() then
        decide(review, 'accept')
      else
        local help = keys.help({ { 'accept', 'accepts' } })
        message.show(
          review.request.text.label
            .. ': saving from elsewhere is no consent; '
            .. help
            .. ', so does :w'
        )
      end
    end,
  })
  vim.api.nvim_create_autocmd('BufReadCmd', { -- :e! starts again from the proposal
    group = group,
    buffer = new,
    callback = function()
      vim.api.nvim_buf_set_lines(new, 0, -1, false, review.request.after.lines)
      vim.bo[new].endofline = review.request.after.eol
      view.never_modified(new)
    end,
  })
  vim.api.nvim_create_autocmd({ 'TextChanged', 'InsertLeave', 'BufLeave', 'BufUnload' }, {
    group = group,
    buffer = new,
    callback = function()
      keep_text(review)
    end,
  })
  keys.watch_commands(group, function(command)
    if vim.api.nvim_get_current_buf() == new and keys.write_kind(command) == 'update' then
      vim.bo[new].modified = true -- or :x would write nothing
    end
  end)
end

---Closing either window, by whatever command, rejects.
---@param review sidekick.Review
local function watch_windows(review)
  local open = review.view
  for _, buf in ipairs({ open.new, open.old }) do
    vim.api.nvim_create_autocmd('BufWipeout', {
      group = open.group,
      buffer = buf,
      callback = function()
        vim.schedule(function() -- not from within the closing of a window
          if review.view == open then
            decide(review, 'reject')
            close(review)
            advance()
          end
        end)
      end,
    })
  end
end

---@param review sidekick.Review
local function actions(review)
  return {
    accept = function()
      decide(review, 'accept')
    end,
    reject = function()
      decide(review, 'reject')
    end,
    reason = function()
      reject_with_reason(review)
    end,
    next = function()
      M.step(1)
    end,
    previous = function()
      M.step(-1)
    end,
  }
end

---@param review sidekick.Review
function show(review)
  local request = review.request
  review.view = view.open({
    name = tostring(request.channel),
    path = request.path,
    before = request.before,
    after = review.text,
    dos = request.dos,
    syntax = request.syntax,
    editable = review.state ~= 'over',
    layout = keys.options().layout,
  })
  watch_windows(review)
  if review.state ~= 'over' then
    review.state = 'shown'
    watch(review)
  end
  shown = review
  local unmap_new = keys.attach(review.view.new, actions(review))
  local unmap_old = keys.attach(review.view.old, actions(review))
  review.unmap = function()
    unmap_new()
    unmap_old()
  end
  label(review)
  M.watch_file(review)
  fire('Opened', review)
end

---Closes the view, not the review.
---@param review sidekick.Review
function close(review)
  local open = review.view
  if not open then
    return
  end
  keep_text(review)
  review.view = nil
  if review.state == 'shown' then
    review.state = 'waiting'
  end
  if review.stop_watching then
    review.stop_watching()
  end
  if shown == review then
    shown = nil
  end
  view.close(open)
end

---Takes a review out of the queue.
---@param review sidekick.Review
---@param outcome string
local function finish(review, outcome)
  keep_text(review)
  review.outcome = outcome
  review.state = 'over'
  queue = vim.tbl_filter(function(other)
    return other ~= review
  end, queue)
  table.insert(past, review)
  if #past > past_limit then
    table.remove(past, 1)
  end
  fire('Closed', review)
end

---Shows the next one at once: the person is reviewing.
function advance()
  if not shown and queue[1] and not person.busy() then
    show(queue[1])
  end
end

---@param review sidekick.Review
---@return boolean whether the person may be looking at it, and typing
local function in_use(review)
  return review.view ~= nil
    and view.is_current(review.view)
    and (person.busy() or person.quiet() < keys.options().pause)
end

---Ends a review that the person did not decide here.
---@param review sidekick.Review
---@param outcome string
---@param text string what happened; '' = say nothing
local function withdraw(review, outcome, text)
  local was_edited = review.view ~= nil and edited(review)
  finish(review, outcome)
  if review.view and (was_edited or in_use(review)) then
    -- Closing now would take their text away, or send their keys elsewhere.
    review.note = text ~= '' and text or outcome
    review.close_when_idle = not was_edited
    label(review)
    return
  end
  close(review)
  if text ~= '' then
    message.show(text)
  end
end

---@return boolean
local function may_open()
  local options = keys.options()
  local review = queue[1]
  if shown or not review or options.open ~= 'pause' then
    return false
  end
  if person.busy() or person.quiet() < options.pause then
    return false
  end
  return options.from_terminal or not person.in_terminal_of(review.request.pid)
end

local function tick()
  for _, review in ipairs({ unpack(queue) }) do
    if not connected(review) then
      withdraw(
        review,
        'withdrawn',
        'the agent withdrew its change to ' .. review.request.text.label
      )
    end
  end
  if shown and shown.state == 'over' and shown.close_when_idle and not in_use(shown) then
    shown.close_when_idle = false
    close(shown)
  end
  if may_open() then
    show(queue[1])
  end
  if #queue == 0 and not (shown and shown.close_when_idle) and timer then
    timer:stop()
    timer:close()
    timer = nil
  end
end

---Looks, while anything waits, for the person's pause and for hooks that died:
---Neovim raises no event for either.
local function start_timer()
  if timer then
    return
  end
  timer = vim.loop.new_timer()
  local due = false
  timer:start(0, 100, function()
    if due then
      return
    end
    due = true
    vim.schedule(function()
      due = false
      tick()
    end)
  end)
end

---@param channel integer
---@return sidekick.Review?
local function by_channel(channel)
  for _, review in ipairs(queue) do
    if review.request.channel == channel then
      return review
    end
  end
end

---Tells the hook when the file may have changed on disk.
---@param review sidekick.Review
function M.watch_file(review)
  local event = vim.loop.new_fs_event()
  local folder = vim.fn.fnamemodify(review.request.path, ':h')
  local name = vim.fn.fnamemodify(review.request.path, ':t')
  local pending = false
  review.stop_watching = function()
    review.stop_watching = nil
    if not event:is_closing() then
      event:close()
    end
  end
  -- The folder, not the file: most programs replace a file by another.
  local ok = event:start(folder, {}, function(err, changed)
    if err or pending or (changed and changed ~= name) then
      return
    end
    pending = true
    vim.defer_fn(function()
      pending = false
      if review.state == 'shown' then
        send(review, 'look')
      end
    end, 100)
  end)
  if not ok then
    review.stop_watching()
  end
end

---@param args { file: sidekick.FileNames }
---@return sidekick.ReviewPlace
function M.rpc.where(args)
  local inside = false
  local cwd = vim.loop.fs_realpath(vim.fn.getcwd(-1, -1))
  for _, name in ipairs(args.file.names) do
    if cwd and (cwd == '/' or name:sub(1, #cwd + 1) == cwd .. '/') then
      inside = true
    end
  end
  return {
    has = #buffers.of_file(args.file) > 0,
    inside = inside,
    screen = #vim.api.nvim_list_uis() > 0,
    used = person.used(),
  }
end

---@param request sidekick.ReviewRequest
function M.rpc.open(request)
  for _, text in ipairs({ request.before, request.after }) do
    if #text.lines == 0 then
      text.lines = { '' } -- as an empty buffer has it
    end
  end
  local review = { request = request, state = 'waiting', text = request.after }
  table.insert(queue, review)
  if shown then
    label(shown)
  end
  if not may_open() or shown then
    message.show(request.text.waiting)
  end
  start_timer()
  return vim.empty_dict()
end

---The hook cannot take a verdict: the person must know why.
---@param args { channel: integer, text: string, stale: boolean }
function M.rpc.refuse(args)
  local review = by_channel(args.channel)
  if review then
    if args.stale then
      review.note = args.text
    end
    if review.state == 'sent' then
      review.state = 'shown'
    end
    if not review.view or not view.is_open(review.view) then
      close(review) -- :wq took its windows away
      review.state = 'waiting'
      advance()
    end
    if review.view then
      label(review)
    end
    message.show(args.text, vim.log.levels.WARN)
  end
  return vim.empty_dict()
end

---The hook has its answer, or needs none any more.
---@param args { channel: integer, outcome: string, text: string }
function M.rpc.settle(args)
  local review = by_channel(args.channel)
  if review and review.state == 'sent' then
    local here = review.view and view.is_current(review.view)
    finish(review, args.outcome)
    close(review)
    if args.text ~= '' then
      message.show(args.text)
    end
    if here then
      advance()
    end
  elseif review then
    withdraw(review, args.outcome, args.text)
  end
  return vim.empty_dict()
end

---Shows the next or previous undecided review.
---@param step integer
function M.step(step)
  local index = 0
  for i, review in ipairs(queue) do
    if review == shown then
      index = i
    end
  end
  if #queue == 0 or (index ~= 0 and #queue == 1) then
    message.show('no other proposal is waiting')
    return
  end
  local target = queue[(index - 1 + step) % #queue + 1]
  if shown then
    close(shown)
  end
  show(target)
end

---Shows the last decided proposal again.
function M.last()
  local review = past[#past]
  if not review then
    message.show('no proposal has been decided yet')
    return
  end
  if shown then
    view.enter(shown.view)
    return
  end
  review.note = ('%s: %s'):format(review.request.text.label, review.outcome)
  show(review)
end

---Goes to the review that is shown, or shows the one that waits.
function M.go()
  if shown then
    view.enter(shown.view)
  elseif queue[1] then
    show(queue[1])
  else
    M.last()
  end
end

---@return sidekick.Review? the one in the current tab page
local function current()
  return shown and shown.view and view.is_current(shown.view) and shown or nil
end

---Runs one of the keys' actions on the review in the current tab page.
---@param name 'accept'|'reject'|'reason'|'next'|'previous'
---@param reason? string
---@return boolean whether there was one
function M.act(name, reason)
  local review = current()
  if not review then
    return false
  end
  if name == 'reject' and reason and reason ~= '' then
    decide(review, 'reject', reason)
  else
    actions(review)[name]()
  end
  return true
end

---Closes every view: another version of the runtime takes over. The hooks wait
---on; the question in the terminal stands.
function M.teardown()
  for _, review in ipairs({ unpack(queue) }) do
    finish(review, 'withdrawn')
    close(review)
  end
  if shown then
    close(shown)
  end
  if timer then
    timer:close()
    timer = nil
  end
end

return M
