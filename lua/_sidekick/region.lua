---The text between two positions of a buffer, as |y| in Visual mode would take
---it (0.7 has no getregion()), and where it is in words that a reader can check.
local M = {}

---Cells are worked out for this many bytes of a line; one call per character is
---too slow for a minified file.
local MEASURED = 20000

---@class sidekick.Position
---@field row integer line, from 1
---@field col integer byte, from 1; one past the last is the line's end
---@field off integer cells beyond the line's end ('virtualedit')

---@class sidekick.Region
---@field mode 'v'|'V'|'b' characters, lines or a block
---@field from sidekick.Position the upper end
---@field to sidekick.Position the lower end
---@field to_end boolean a block that reaches to the end of each line ("$")
---@field exclusive boolean 'selection' is "exclusive"

---@class sidekick.Excerpt
---@field mode 'v'|'V'|'b' 'V' also where a region of characters is whole lines
---@field first integer line
---@field last integer line
---@field first_col integer character of line `first`; a cell in a block; 0 = whole lines
---@field last_col integer character of line `last`; 0 = to the end of each line
---@field lines string[] the text; a NUL is "\n", as in Vimscript
---@field cut boolean the last of `lines` is not whole

---Lines of a buffer, from and to counted from 1. A NUL becomes "\n": Vimscript
---functions take no string with a NUL.
---@param buf integer
---@param from integer
---@param to integer
---@return string[]
local function get_lines(buf, from, to)
  local lines = vim.api.nvim_buf_get_lines(buf, from - 1, to, false)
  for i, line in ipairs(lines) do
    if line:find('%z') then
      lines[i] = line:gsub('%z', '\n')
    end
  end
  return lines
end

---Splits off the first bytes of a line, never within a character.
---@param line string
---@param bytes integer
---@return string
function M.head(line, bytes)
  if #line <= bytes then
    return line
  end
  -- At most three continuation bytes: other text is no UTF-8 and can be cut anywhere.
  for stop = bytes, math.max(bytes - 3, 0), -1 do
    local byte = line:byte(stop + 1)
    if byte < 0x80 or byte >= 0xc0 then
      return line:sub(1, stop)
    end
  end
  return line:sub(1, bytes)
end

---Bytes of the character (with its combining ones) that begins at byte col.
---@param line string
---@param col integer
---@return integer
local function char_length(line, col)
  local byte = line:byte(col)
  local following = line:byte(col + 1)
  if not byte then
    return 0
  elseif byte < 0x80 and (not following or following < 0x80) then
    return 1
  end
  return #vim.fn.matchstr(line:sub(col, col + 200), [[\_.]])
end

---Calls visit(char, first cell, last cell) for each character until it returns
---false. Cells count from 0. Returns the cell after the last character.
---@param line string
---@param visit fun(char: string, first: integer, last: integer): boolean?
---@return integer
local function each_cell(line, visit)
  local cell = 0
  for _, char in ipairs(vim.fn.split(line, [[\zs]])) do
    local width = (#char == 1 and char:byte() >= 0x20 and char:byte() < 0x7f) and 1
      or vim.fn.strdisplaywidth(char, cell)
    if visit(char, cell, cell + width - 1) == false then
      return cell
    end
    cell = cell + width
  end
  return cell
end

---First and last cell of the character at a position; nil where that is too far right.
---@param buf integer
---@param pos sidekick.Position
---@return integer? first
---@return integer? last
local function cells(buf, pos)
  if pos.col > MEASURED then
    return nil, nil
  end
  local line = get_lines(buf, pos.row, pos.row)[1]
  line = line:sub(1, MEASURED)
  local byte, first, last = 1, nil, nil
  local width = each_cell(line, function(char, left, right)
    if pos.col < byte + #char then
      first, last = left, right
      return false
    end
    byte = byte + #char
  end)
  if first and pos.off == 0 then
    return first, last
  end
  return (first or width) + pos.off, (first or width) + pos.off
end

---The part of a line between two cells; what a border cuts (a tab, a wide
---character) becomes blanks, as in a yank.
---@param line string
---@param left integer
---@param right integer? nil = to the end of the line
---@return string
function M.slice(line, left, right)
  local parts = {}
  local head = line:sub(1, MEASURED)
  each_cell(head, function(char, first, last)
    if right and first > right then
      return false
    end
    if last < left then
      return true
    end
    local inner_first, inner_last = math.max(first, left), math.min(last, right or last)
    local whole = inner_first == first and inner_last == last
    parts[#parts + 1] = whole and char or (' '):rep(inner_last - inner_first + 1)
    return true
  end)
  if not right then
    parts[#parts + 1] = line:sub(MEASURED + 1)
  end
  return table.concat(parts)
end

---@param buf integer
---@param region sidekick.Region
---@return integer? left cell
---@return integer? right cell
local function borders(buf, region)
  local from_left, from_right = cells(buf, region.from)
  local to_left, to_right = cells(buf, region.to)
  if not from_left or not to_left then
    return nil, nil
  end
  local right = math.max(from_right, to_right)
  -- As Vim does it: only the lower corner's character is left out, and only
  -- where it is the right one.
  if region.exclusive and to_left - 1 >= from_right then
    right = to_left - 1
  end
  return math.min(from_left, to_left), right
end

---@param buf integer
---@param region sidekick.Region
---@param lines string[]
---@param excerpt sidekick.Excerpt
local function take_block(buf, region, lines, excerpt)
  local left, right = borders(buf, region)
  if not left then
    return -- too far right to be measured: whole lines say enough
  end
  excerpt.mode, excerpt.first_col, excerpt.last_col = 'b', left + 1, right + 1
  if region.to_end then
    right, excerpt.last_col = nil, 0
  end
  for i, line in ipairs(lines) do
    lines[i] = M.slice(line, left, right)
  end
end

---@param buf integer
---@param region sidekick.Region
---@param lines string[] from the first on, perhaps not all
---@param excerpt sidekick.Excerpt
local function take_chars(buf, region, lines, excerpt)
  local from, to = region.from, region.to
  local last = get_lines(buf, to.row, to.row)[1] or ''
  local stop = to.col - 1
  if not region.exclusive or (from.row == to.row and from.col == to.col) then
    stop = stop + char_length(last, to.col)
  end
  if from.col == 1 and stop >= #last then
    return -- whole lines
  end
  excerpt.mode = 'v'
  excerpt.first_col = vim.fn.strchars(lines[1]:sub(1, from.col - 1), 1) + 1
  excerpt.last_col = math.max(vim.fn.strchars(last:sub(1, stop), 1), 1)
  if #lines == to.row - from.row + 1 then
    lines[#lines] = last:sub(1, stop)
  end
  lines[1] = lines[1]:sub(from.col)
end

---Keeps as many lines as fit.
---@param excerpt sidekick.Excerpt
---@param bytes integer
local function cap(excerpt, bytes)
  for i, line in ipairs(excerpt.lines) do
    if #line + 1 > bytes then
      excerpt.lines = vim.list_slice(excerpt.lines, 1, i)
      excerpt.lines[i] = M.head(line, bytes)
      excerpt.cut = true
      return
    end
    bytes = bytes - #line - 1
  end
end

---Reads a region.
---@param buf integer
---@param region sidekick.Region
---@param limit { lines: integer, bytes: integer }
---@return sidekick.Excerpt
function M.read(buf, region, limit)
  local from, to = region.from, region.to
  if region.mode == 'v' and region.exclusive and to.col == 1 and to.row > from.row then
    -- Up to the end of the line before, its line break included.
    local before = get_lines(buf, to.row - 1, to.row - 1)[1]
    to = { row = to.row - 1, col = #before + 1, off = 0 }
    region = vim.tbl_extend('force', region, { to = to })
  end
  local stop = math.min(to.row, from.row + limit.lines - 1)
  local lines = get_lines(buf, from.row, stop)
  ---@type sidekick.Excerpt
  local excerpt = {
    mode = 'V',
    first = from.row,
    last = to.row,
    first_col = 0,
    last_col = 0,
    lines = lines,
    cut = false,
  }
  if region.mode == 'b' then
    take_block(buf, region, lines, excerpt)
  elseif region.mode == 'v' and #lines > 0 then
    take_chars(buf, region, lines, excerpt)
  end
  cap(excerpt, limit.bytes)
  return excerpt
end

return M
