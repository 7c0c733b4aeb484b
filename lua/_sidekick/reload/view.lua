---Where the person is in a buffer, in every window that shows it.
local hunks_ = require('_sidekick.reload.hunks')

local M = {}

---@alias sidekick.Views table<integer, table> window -> winsaveview(), with height and the cursor line's text

---@param buf integer
---@param lnum integer
---@return string
local function line(buf, lnum)
  return vim.api.nvim_buf_get_lines(buf, lnum - 1, lnum, false)[1] or ''
end

---@param buf integer
---@return sidekick.Views
function M.save(buf)
  local views = {}
  for _, win in ipairs(vim.fn.win_findbuf(buf)) do
    local view = vim.api.nvim_win_call(win, vim.fn.winsaveview)
    view.height = vim.api.nvim_win_get_height(win)
    view.text = line(buf, view.lnum)
    views[win] = view
  end
  return views
end

---@return boolean
local function is_selecting()
  return vim.api.nvim_get_mode().mode:find('^[vVsS\22\19]') ~= nil
end

---Where the person's selection began, if there is one in buf.
---@param buf integer
---@return {lnum: integer, col: integer, text: string}?
function M.save_selection(buf)
  if buf == vim.api.nvim_get_current_buf() and is_selecting() then
    local pos = vim.fn.getpos('v')
    return { lnum = pos[2], col = pos[3] - 1, text = line(buf, pos[2]) }
  end
end

---Moves lnum and col to where their text is after the hunks.
---@param buf integer already changed
---@param hunks sidekick.Hunk[]
---@param place {lnum: integer, col: integer, text: string}
---@return integer lnum
---@return integer col
local function follow(buf, hunks, place)
  local lnum, changed = hunks_.map(hunks, place.lnum)
  lnum = math.max(1, math.min(lnum, vim.api.nvim_buf_line_count(buf)))
  if not changed then
    return lnum, place.col
  end
  return lnum, hunks_.column(place.text, line(buf, lnum), place.col)
end

---@param win integer
---@param view table
local function restore(win, view)
  vim.api.nvim_win_call(win, function()
    local now = vim.fn.winsaveview()
    for key, value in pairs(view) do
      if now[key] ~= value then
        vim.fn.winrestview(view)
        return
      end
    end
  end)
end

---Puts every window back on its text.
---@param buf integer already changed
---@param views sidekick.Views
---@param hunks sidekick.Hunk[]
function M.restore(buf, views, hunks)
  for win, old in pairs(views) do
    if vim.api.nvim_win_is_valid(win) and vim.api.nvim_win_get_buf(win) == buf then
      local view = {}
      view.lnum, view.col = follow(buf, hunks, old)
      view.coladd, view.leftcol, view.skipcol = old.coladd, old.leftcol, old.skipcol
      view.curswant = view.col == old.col and old.curswant or view.col
      -- 0.10.4 hangs for good when a topline is set in a window in diff mode.
      if not vim.api.nvim_win_get_option(win, 'diff') then
        local top = hunks_.map(hunks, old.topline)
        if view.lnum - top >= old.height and old.lnum - old.topline < old.height then
          top = view.lnum - (old.lnum - old.topline) -- keep the cursor's row on the screen
        end
        view.topline = math.max(1, math.min(top, view.lnum))
        view.topfill = old.topfill
      end
      restore(win, view)
    end
  end
end

---Call it outside of nvim_buf_call(), in which there is no selection: the key
---that swaps its ends would put in a line.
---@param buf integer already changed
---@param start? {lnum: integer, col: integer, text: string}
---@param hunks sidekick.Hunk[]
function M.restore_selection(buf, start, hunks)
  if not start or buf ~= vim.api.nvim_get_current_buf() or not is_selecting() then
    return
  end
  local lnum, col = follow(buf, hunks, start)
  local pos = vim.fn.getpos('v')
  if pos[2] ~= lnum or pos[3] ~= col + 1 then -- 0.12 moves it itself
    local view = vim.fn.winsaveview()
    vim.api.nvim_win_set_cursor(0, { lnum, col })
    vim.cmd('normal! o')
    vim.fn.winrestview(view)
  end
end

return M
