---Tells the person and other plugins that a buffer was reloaded: events, one
---line, a moment of colour, and marks to jump to.
local message = require('_sidekick.message')

local M = {}

---More hunks than this are neither coloured nor remembered.
local LIMIT = 200

---Sentences, from the Go side: formats for the file's name (and a count).
---@class sidekick.Say
---@field one string
---@field many string
---@field deleted string

---@type sidekick.Say?
local say
---@type table<integer, boolean> buffers whose file's end was told
local told = {}

local flash = vim.api.nvim_create_namespace('SidekickBridgeFlash')
local changes = vim.api.nvim_create_namespace('SidekickBridgeChanges')

---@return {highlight: boolean, highlight_ms: integer, message: boolean}
local function options()
  local given = vim.g.sidekick_bridge
  given = type(given) == 'table' and given or {}
  return {
    highlight = given.highlight ~= false,
    highlight_ms = tonumber(given.highlight_ms) or 1000,
    message = given.message ~= false,
  }
end

---@param sentences? sidekick.Say
function M.learn(sentences)
  if type(sentences) == 'table' and sentences.many ~= '' then
    say = sentences
  end
end

---@param text string
local function echo(text)
  if not vim.o.shortmess:find('W', 1, true) then
    message.show(text)
  end
end

---@param buf integer
---@return string
local function shown(buf)
  return vim.fn.fnamemodify(vim.api.nvim_buf_get_name(buf), ':t')
end

local prepared = false

---Makes what marking needs, once: setting a highlight group draws the whole screen
---anew. A default link comes back after `:highlight clear`.
local function prepare()
  if prepared then
    return
  end
  prepared = true
  vim.api.nvim_set_hl(0, 'SidekickBridgeChanged', { link = 'DiffAdd', default = true })
  vim.api.nvim_create_autocmd('BufWritePost', {
    group = vim.api.nvim_create_augroup('_sidekick_changes', {}),
    callback = function(event)
      vim.api.nvim_buf_clear_namespace(event.buf, changes, 0, -1)
    end,
  })
end

---@param buf integer
---@param hunks sidekick.Hunk[]
local function mark(buf, hunks)
  prepare()
  if #hunks > LIMIT then
    return
  end
  local count = vim.api.nvim_buf_line_count(buf)
  local wants = options()
  local colour = wants.highlight and #vim.fn.win_findbuf(buf) > 0
  local shift = 0
  for _, h in ipairs(hunks) do
    local row = math.min(h.at - 1 + shift, count - 1)
    vim.api.nvim_buf_set_extmark(buf, changes, row, 0, {})
    if colour and h.new > 0 then
      vim.api.nvim_buf_set_extmark(buf, flash, row, 0, {
        end_row = math.min(row + h.new, count),
        end_col = 0,
        hl_group = 'SidekickBridgeChanged',
        hl_eol = true,
        priority = 250,
        strict = false,
      })
    end
    shift = shift + h.new - h.old
  end
  if colour then
    vim.defer_fn(function()
      if vim.api.nvim_buf_is_valid(buf) then
        vim.api.nvim_buf_clear_namespace(buf, flash, 0, -1)
      end
    end, wants.highlight_ms)
  end
end

---@param buf integer
---@param lines integer
---@param hunks sidekick.Hunk[]
---@param stock? boolean Neovim has fired FileChangedShellPost itself
local function fire(buf, lines, hunks, stock)
  local ranges, shift = {}, 0
  for i, h in ipairs(hunks) do
    if i > LIMIT then
      break
    end
    ranges[i] = { first = h.at + shift, count = h.new }
    shift = shift + h.new - h.old
  end
  local data = { buf = buf, file = vim.api.nvim_buf_get_name(buf), lines = lines, hunks = ranges }
  vim.g.sidekick_bridge_reload = data -- 0.7 has no data in an event
  if not stock then
    pcall(vim.api.nvim_exec_autocmds, 'FileChangedShellPost', { buffer = buf, modeline = false })
  end
  local event = { pattern = 'SidekickBridgeReload', modeline = false }
  if vim.fn.has('nvim-0.8') == 1 then
    event.data = data
  end
  pcall(vim.api.nvim_exec_autocmds, 'User', event)
end

---After a reload. What other plugins do then does not keep our caller waiting.
---@param buf integer
---@param lines integer how many changed
---@param hunks sidekick.Hunk[]
---@param stock? boolean
function M.reloaded(buf, lines, hunks, stock)
  told[buf] = nil
  vim.schedule(function()
    if not vim.api.nvim_buf_is_loaded(buf) then
      return
    end
    pcall(mark, buf, hunks)
    if say and options().message and lines > 0 then
      pcall(echo, (lines == 1 and say.one or say.many):format(shown(buf), lines))
    end
    fire(buf, lines, hunks, stock)
  end)
end

---After the file went away: said once.
---@param buf integer
function M.deleted(buf)
  if told[buf] or not say or not options().message then
    return
  end
  told[buf] = true
  vim.schedule(function()
    if vim.api.nvim_buf_is_loaded(buf) then
      pcall(echo, say.deleted:format(shown(buf)))
    end
  end)
end

---Moves the cursor to the next (1) or previous (-1) place that was changed from
---outside since the buffer was last written.
---@param direction 1|-1
---@return boolean moved
function M.jump(direction)
  local row = vim.api.nvim_win_get_cursor(0)[1] - 1
  local from, to = row + 1, -1
  if direction < 0 then
    if row == 0 then
      return false
    end
    from, to = row - 1, 0
  elseif from >= vim.api.nvim_buf_line_count(0) then
    return false
  end
  local found = vim.api.nvim_buf_get_extmarks(
    0,
    changes,
    { from, 0 },
    to == 0 and 0 or -1,
    { limit = 1 }
  )
  if not found[1] then
    return false
  end
  vim.cmd("normal! m'")
  vim.api.nvim_win_set_cursor(0, { found[1][2] + 1, 0 })
  return true
end

return M
