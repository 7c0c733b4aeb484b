---What lies on the person's desk: the reviews, decided or not.
local M = {
  ---Undecided reviews, oldest first.
  ---@type sidekick.Review[]
  queue = {},
  ---Decided ones, newest last.
  ---@type sidekick.Review[]
  past = {},
  ---The one in view.
  ---@type sidekick.Review?
  shown = nil,
}

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
---@field stop_watching? fun() the file on disk
---@field unmap? fun()[] take our keys out of the view
---@field close_when_idle? boolean

local past_limit = 10

---What one version of the runtime hands over to the next. The reviews are the
---same tables for both: what the old one still has to run sees what became of them.
---@class sidekick.ReviewHandover
---@field format integer of the tables: another one is not taken
---@field taken boolean
---@field queue sidekick.Review[]
---@field past sidekick.Review[]
---@field shown? sidekick.Review

---To be raised whenever sidekick.Review, or what it holds, changes.
local format = 1

---Empties the desk.
---@return sidekick.ReviewHandover
function M.hand_over()
  local all = { format = format, taken = false, queue = M.queue, past = M.past, shown = M.shown }
  M.queue, M.past, M.shown = {}, {}, nil
  return all
end

---@param all sidekick.ReviewHandover
---@return boolean
function M.take_over(all)
  if all.format ~= format or all.taken then
    return false
  end
  all.taken = true
  M.queue, M.past, M.shown = all.queue, all.past, all.shown
  return true
end

---@param name string
---@param review sidekick.Review
function M.fire(name, review)
  local data = { path = review.request.path, outcome = review.outcome }
  vim.g.sidekick_bridge_review = data -- 0.7 has no data in an event
  local event = { pattern = 'SidekickBridgeReview' .. name, modeline = false }
  if vim.fn.has('nvim-0.8') == 1 then
    event.data = data
  end
  pcall(vim.api.nvim_exec_autocmds, 'User', event)
end

---@param review sidekick.Review
---@return boolean
function M.connected(review)
  local info = vim.api.nvim_get_chan_info(review.request.channel)
  return info.id ~= nil
end

---@param review sidekick.Review
---@return boolean
function M.edited(review)
  return not vim.deep_equal(review.text, review.request.after)
end

---@param channel integer
---@return sidekick.Review?
function M.by_channel(channel)
  for _, review in ipairs(M.queue) do
    if review.request.channel == channel then
      return review
    end
  end
end

---Takes a review out of the queue.
---@param review sidekick.Review
---@param outcome string
function M.finish(review, outcome)
  review.outcome = outcome
  review.state = 'over'
  M.queue = vim.tbl_filter(function(other)
    return other ~= review
  end, M.queue)
  table.insert(M.past, review)
  if #M.past > past_limit then
    table.remove(M.past, 1)
  end
  M.fire('Closed', review)
end

return M
