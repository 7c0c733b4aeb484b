---Reviews: proposals of an agent that wait for the person's decision. The hook
---process at the other end of the channel computes, checks and answers; this
---side shows and asks.
local buffers = require('_sidekick.buffers')
local desk = require('_sidekick.review_desk')
local keys = require('_sidekick.review_keys')
local message = require('_sidekick.message')
local person = require('_sidekick.person')
local review_show = require('_sidekick.review_show')
local view = require('_sidekick.review_view')

local M = { rpc = {} }

local timer = nil

---@param review sidekick.Review
---@return boolean whether the person may be looking at it, and typing
local function in_use(review)
  return review.view ~= nil
    and view.is_current(review.view)
    and (person.busy() or person.quiet() < keys.options().pause)
end

---Says how a review ended. The redraw that closing a tab page brings would wipe
---the line out.
---@param text string '' = nothing to say
local function tell(text)
  if text ~= '' then
    vim.cmd('redraw')
    message.show(text)
  end
end

---Ends a review that the person did not decide here.
---@param review sidekick.Review
---@param outcome string
---@param text string what happened; '' = say nothing
local function withdraw(review, outcome, text)
  review_show.keep_text(review)
  local was_edited = review.view ~= nil and desk.edited(review)
  desk.finish(review, outcome)
  if review.view and (was_edited or in_use(review)) then
    -- Closing now would take their text away, or send their keys elsewhere.
    review.note = text ~= '' and text or outcome
    review.close_when_idle = not was_edited
    review_show.label(review)
    return
  end
  review_show.close(review)
  tell(text)
end

---@return boolean
local function may_open()
  local options = keys.options()
  local review = desk.queue[1]
  if desk.shown or not review or options.open ~= 'pause' then
    return false
  end
  if person.busy() or person.quiet() < options.pause then
    return false
  end
  return options.from_terminal or not person.in_terminal_of(review.request.pid)
end

local function tick()
  for _, review in ipairs({ unpack(desk.queue) }) do
    if not desk.connected(review) then
      withdraw(
        review,
        'withdrawn',
        'the agent withdrew its change to ' .. review.request.text.label
      )
    end
  end
  local over = desk.shown
  if over and over.close_when_idle and not in_use(over) then
    over.close_when_idle = false
    review_show.close(over)
    tell(over.note)
  end
  if may_open() then
    review_show.show(desk.queue[1])
  end
  if #desk.queue == 0 and not (desk.shown and desk.shown.close_when_idle) and timer then
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
  table.insert(desk.queue, review)
  if desk.shown then
    review_show.label(desk.shown)
  end
  if not may_open() or desk.shown then
    message.show(request.text.waiting)
  end
  start_timer()
  return vim.empty_dict()
end

---The hook cannot take a verdict: the person must know why.
---@param args { channel: integer, text: string, stale: boolean }
function M.rpc.refuse(args)
  local review = desk.by_channel(args.channel)
  if review then
    if args.stale then
      review.note = args.text
    end
    if review.state == 'sent' then
      review.state = 'shown'
    end
    if not review.view or not view.is_open(review.view) then
      review_show.close(review) -- :wq took its windows away
      review.state = 'waiting'
      review_show.advance()
    end
    if review.view then
      review_show.label(review)
    end
    message.show(args.text, vim.log.levels.WARN)
  end
  return vim.empty_dict()
end

---The hook has its answer, or needs none any more.
---@param args { channel: integer, outcome: string, text: string }
function M.rpc.settle(args)
  local review = desk.by_channel(args.channel)
  if review and review.state == 'sent' then
    local here = review.view and view.is_current(review.view)
    desk.finish(review, args.outcome)
    review_show.close(review)
    tell(args.text)
    if here then
      review_show.advance()
    end
  elseif review then
    withdraw(review, args.outcome, args.text)
  end
  return vim.empty_dict()
end

---Shows the last decided proposal again.
function M.last()
  local review = desk.past[#desk.past]
  if not review then
    message.show('no proposal has been decided yet')
    return
  end
  if desk.shown then
    view.enter(desk.shown.view)
    return
  end
  review.note = ('%s: %s'):format(review.request.text.label, review.outcome)
  review_show.show(review)
end

---Goes to the review that is shown, or shows the one that waits.
function M.go()
  if desk.shown then
    view.enter(desk.shown.view)
  elseif desk.queue[1] then
    review_show.show(desk.queue[1])
  else
    M.last()
  end
end

---@return sidekick.Review? the one in the current tab page
local function current()
  return desk.shown and desk.shown.view and view.is_current(desk.shown.view) and desk.shown or nil
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
    review_show.decide(review, 'reject', reason)
  else
    review_show.actions(review)[name]()
  end
  return true
end

---Takes the reviews of the version of the runtime that was here before. The
---person at an open one notices nothing.
---@param all sidekick.ReviewHandover
function M.take_over(all)
  if not desk.take_over(all) then
    return
  end
  if desk.shown and not view.is_open(desk.shown.view) then
    desk.shown = nil -- closed just now: the old version is about to say so
  end
  if desk.shown then
    review_show.attach(desk.shown)
  end
  start_timer()
end

---Another version of the runtime takes over. Where that one cannot go on with
---what is open, it ends as if the agent had withdrawn: text of the person stays
---in view, and the question in the terminal stands.
---@return sidekick.ReviewHandover
function M.teardown()
  if timer then
    timer:stop()
    timer:close()
    timer = nil
  end
  if desk.shown then
    review_show.detach(desk.shown)
  end
  local all = desk.hand_over()
  vim.schedule(function()
    if all.taken then
      return
    end
    M.take_over(all)
    for _, review in ipairs({ unpack(desk.queue) }) do
      withdraw(review, 'withdrawn', 'sidekick was updated: answer in the terminal')
    end
  end)
  return all
end

return M
