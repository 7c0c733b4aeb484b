---One review in view: showing it, the person's verdict, closing it.
local desk = require('_sidekick.review_desk')
local keys = require('_sidekick.review_keys')
local message = require('_sidekick.message')
local person = require('_sidekick.person')
local view = require('_sidekick.review_view')

local M = {}

---Keeps what is in the view, whatever becomes of its windows.
---@param review sidekick.Review
function M.keep_text(review)
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
function M.decide(review, verdict, reason)
  if review.state == 'over' then
    M.close(review)
    M.advance()
  elseif review.state == 'shown' then
    M.keep_text(review)
    review.state = 'sent'
    send(review, verdict, reason)
  end
end

---@param review sidekick.Review
local function reject_with_reason(review)
  if review.state ~= 'shown' then
    M.decide(review, 'reject')
    return
  end
  -- CTRL-C at 0.7's prompt is an error, not an answer.
  pcall(vim.ui.input, { prompt = 'Reject, because: ' }, function(reason)
    if reason then
      M.decide(review, 'reject', reason)
    end
  end)
end

---@param review sidekick.Review
function M.label(review)
  local text = review.request.text
  local help =
    keys.help({ { 'accept', 'accept' }, { 'reject', 'reject' }, { 'reason', 'with a reason' } })
  if review.state == 'over' then
    help = keys.help({ { 'reject', 'close' } })
  end
  if #desk.queue > 1 then
    for i, other in ipairs(desk.queue) do
      if other == review then
        -- First: a narrow window cuts the end.
        local moves = keys.help({ { 'next', 'next' }, { 'previous', 'previous' } })
        help = ('%d of %d  %s  %s'):format(i, #desk.queue, help, moves)
      end
    end
  end
  local title = review.note or text.new
  if not view.label(review.view, text.old, title, help) then
    -- One line: as much as fits.
    message.show(title .. ': ' .. keys.help({ { 'accept', 'accept' }, { 'reject', 'reject' } }))
  end
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
        M.decide(review, 'accept')
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
      M.keep_text(review)
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
            M.decide(review, 'reject')
            M.close(review)
            M.advance()
          end
        end)
      end,
    })
  end
end

---Tells the hook when the file may have changed on disk.
---@param review sidekick.Review
local function watch_file(review)
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

---@param review sidekick.Review
function M.actions(review)
  return {
    accept = function()
      M.decide(review, 'accept')
    end,
    reject = function()
      M.decide(review, 'reject')
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

---Puts what makes the view answer, keys and autocommands, into it.
---@param review sidekick.Review
function M.attach(review)
  view.watch(review.view)
  watch_windows(review)
  if review.state ~= 'over' then
    watch(review)
    watch_file(review)
  end
  -- The copy is ours as well; the keys go with the buffers.
  review.unmap = {
    keys.attach(review.view.new, M.actions(review)),
    keys.attach(review.view.old, M.actions(review)),
  }
  M.label(review)
end

---Undoes attach(). Windows and text stay.
---@param review sidekick.Review
function M.detach(review)
  M.keep_text(review)
  view.unwatch(review.view)
  if review.stop_watching then
    review.stop_watching()
  end
  for _, unmap in ipairs(review.unmap or {}) do
    unmap()
  end
end

---@param review sidekick.Review
function M.show(review)
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
  if review.state ~= 'over' then
    review.state = 'shown'
  end
  desk.shown = review
  M.attach(review)
  desk.fire('Opened', review)
end

---Closes the view, not the review.
---@param review sidekick.Review
function M.close(review)
  local open = review.view
  if not open then
    return
  end
  M.keep_text(review)
  review.view = nil
  if review.state == 'shown' then
    review.state = 'waiting'
  end
  if review.stop_watching then
    review.stop_watching()
  end
  if desk.shown == review then
    desk.shown = nil
  end
  view.close(open)
end

---Shows the next one at once: the person is reviewing.
function M.advance()
  if not desk.shown and desk.queue[1] and not person.busy() then
    M.show(desk.queue[1])
  end
end

---Shows the next or previous undecided review.
---@param step integer
function M.step(step)
  local index = 0
  for i, review in ipairs(desk.queue) do
    if review == desk.shown then
      index = i
    end
  end
  if #desk.queue == 0 or (index ~= 0 and #desk.queue == 1) then
    message.show('no other proposal is waiting')
    return
  end
  local target = desk.queue[(index - 1 + step) % #desk.queue + 1]
  if desk.shown then
    M.close(desk.shown)
  end
  M.show(target)
end

return M
