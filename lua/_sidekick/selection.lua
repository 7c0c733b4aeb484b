---What the person has selected, or had selected since an agent was last told.
---
---The marks '< and '> say nothing about when: they live as long as the buffer,
---and in shada longer. So a selection is taken down at the moment when Visual
---mode ends, from which on it waits to be given, once.
local buffers = require('_sidekick.buffers')
local region = require('_sidekick.region')

local M = { rpc = {} }

---More than an agent is told (see Go), so that it can say what was left out.
local LIMIT = { lines = 400, bytes = 20000 }
local END_OF_LINE = 2147483647 -- v:maxcol, which 0.7 has not

local namespace = vim.api.nvim_create_namespace('_sidekick_selection')

---@class sidekick.Selection: sidekick.Excerpt
---@field name string of the buffer
---@field live boolean still selected
---@field modified boolean the buffer has unsaved changes
---@field changed boolean the text was changed after the selection ended

---@class sidekick.EndedSelection
---@field buf integer
---@field name string
---@field region sidekick.Region
---@field excerpt sidekick.Excerpt
---@field marks integer[] extmarks in the region's first and last line

---@type sidekick.EndedSelection?
local ended

---The selection that was given while it was live: it is not given again when it
---is still there at the next prompt, nor when it ends.
---@type string?
local given

---The buffer's changedtick when Visual mode began, by buffer.
---@type { buf: integer, tick: integer }?
local began

---@param mode string as in |mode()|
---@return 'v'|'V'|'b'|nil
local function visual(mode)
  local first = mode:sub(1, 1)
  if first == '\22' then
    return 'b'
  end
  return (first == 'v' or first == 'V') and first or nil
end

---@param expr string as in |getpos()|
---@return sidekick.Position
local function position(expr)
  local pos = vim.fn.getpos(expr)
  return { row = pos[2], col = pos[3], off = pos[4] }
end

---@param mode 'v'|'V'|'b'
---@param from sidekick.Position
---@param to sidekick.Position
---@return sidekick.Region
local function make_region(mode, from, to)
  if from.row > to.row or (from.row == to.row and from.col > to.col) then
    from, to = to, from
  end
  return {
    mode = mode,
    from = from,
    to = to,
    to_end = mode == 'b' and vim.fn.winsaveview().curswant == END_OF_LINE,
    exclusive = vim.o.selection == 'exclusive',
  }
end

---@param buf integer
---@param reg sidekick.Region
---@return string
local function key(buf, reg)
  local from, to = reg.from, reg.to
  local first, last = from.col, to.col
  if reg.mode == 'V' then
    first, last = 0, 0
  end
  return table.concat({ buf, reg.mode, from.row, first, to.row, last, tostring(reg.to_end) }, ' ')
end

---@param buf integer
---@return boolean
local function wanted(buf)
  return buffers.is_file(buf) and not vim.api.nvim_buf_get_name(buf):match('^%a[%w+.-]+://')
end

local function forget_ended()
  if ended and vim.api.nvim_buf_is_valid(ended.buf) then
    for _, mark in ipairs(ended.marks) do
      vim.api.nvim_buf_del_extmark(ended.buf, namespace, mark)
    end
  end
  ended = nil
end

---Takes down the selection that has just ended in the current buffer.
---@param mode 'v'|'V'|'b'
---@param new_mode string
local function remember(mode, new_mode)
  local buf = vim.api.nvim_get_current_buf()
  local start = began
  began = nil
  if not wanted(buf) then
    return
  end
  -- An operator changed or is about to change the text: that was an edit, not a
  -- pointing at something.
  local edited = start and start.buf == buf and start.tick ~= vim.api.nvim_buf_get_changedtick(buf)
  if edited or new_mode:match('^[iR]') then
    return
  end
  local reg = make_region(mode, position("'<"), position("'>"))
  if reg.from.row == 0 or key(buf, reg) == given then
    return
  end
  forget_ended()
  local function mark(row)
    return vim.api.nvim_buf_set_extmark(buf, namespace, row - 1, 0, {})
  end
  ended = {
    buf = buf,
    name = vim.api.nvim_buf_get_name(buf),
    region = reg,
    excerpt = region.read(buf, reg, LIMIT),
    marks = { mark(reg.from.row), mark(reg.to.row) },
  }
end

---Called at every change into, within or out of Visual mode.
---@param old_mode string
---@param new_mode string
function M.mode_changed(old_mode, new_mode)
  local old, new = visual(old_mode), visual(new_mode)
  if new and not old then
    local buf = vim.api.nvim_get_current_buf()
    began = { buf = buf, tick = vim.api.nvim_buf_get_changedtick(buf) }
    given = nil
  elseif old and not new then
    remember(old, new_mode)
  end
end

---@param buf integer
---@param name string
---@param excerpt sidekick.Excerpt
---@return sidekick.Selection
local function selection(buf, name, excerpt)
  local loaded = vim.api.nvim_buf_is_loaded(buf)
  return vim.tbl_extend('error', excerpt, {
    name = name,
    live = false,
    modified = loaded and vim.bo[buf].modified,
    changed = false,
  })
end

---The selection that ended, with its lines where they are now.
---@return sidekick.Selection?
local function take_ended()
  local was = ended
  if not was then
    return nil
  end
  local sel = selection(was.buf, was.name, was.excerpt)
  if vim.api.nvim_buf_is_loaded(was.buf) then
    local rows = {}
    for i, mark in ipairs(was.marks) do
      rows[i] = vim.api.nvim_buf_get_extmark_by_id(was.buf, namespace, mark, {})[1]
    end
    local now = vim.deepcopy(was.region)
    if rows[1] and rows[2] then
      now.from.row, now.to.row = rows[1] + 1, rows[2] + 1
    end
    local ok, excerpt = pcall(region.read, was.buf, now, LIMIT)
    if ok and vim.deep_equal(excerpt.lines, was.excerpt.lines) then
      sel.first, sel.last = excerpt.first, excerpt.last
    else
      sel.changed = true
    end
  end
  forget_ended()
  return sel
end

---The selection of this instance, if any, which is then as good as told.
---@return { selections: sidekick.Selection[] } none or one
function M.rpc.take()
  local mode = visual(vim.api.nvim_get_mode().mode)
  local buf = vim.api.nvim_get_current_buf()
  if not mode or not wanted(buf) then
    return { selections = { take_ended() } }
  end
  local reg = make_region(mode, position('v'), position('.'))
  if key(buf, reg) == given then
    return { selections = {} }
  end
  given = key(buf, reg)
  forget_ended()
  local sel = selection(buf, vim.api.nvim_buf_get_name(buf), region.read(buf, reg, LIMIT))
  sel.live = true
  return { selections = { sel } }
end

return M
