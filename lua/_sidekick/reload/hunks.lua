---Arithmetic on hunks and line numbers. Touches no buffer.
local M = {}

---One changed place: `old` lines from `at` (1-based; with old == 0 the lines go
---in before line `at`) become `new` lines, whose first is `lines[from]`.
---@class sidekick.Hunk
---@field at integer
---@field old integer
---@field new integer
---@field from integer

---Index of the first line that differs, and how many lines at the end are equal.
---@param a string[]
---@param b string[]
---@return integer first
---@return integer tail
local function trim(a, b)
  local na, nb = #a, #b
  local first, shorter = 1, math.min(na, nb)
  while first <= shorter and a[first] == b[first] do
    first = first + 1
  end
  local tail = 0
  while tail <= shorter - first and a[na - tail] == b[nb - tail] do
    tail = tail + 1
  end
  return first, tail
end

---@param a string[]
---@param b string[]
---@return sidekick.Hunk[] # top down
function M.between(a, b)
  local first, tail = trim(a, b)
  local old, new = #a - tail - first + 1, #b - tail - first + 1
  if old <= 0 and new <= 0 then
    return {}
  end
  if old == 0 or new == 0 or (old == 1 and new == 1) then
    return { { at = first, old = old, new = new, from = first } }
  end
  local indices = vim.diff(
    table.concat(a, '\n', first, #a - tail) .. '\n',
    table.concat(b, '\n', first, #b - tail) .. '\n',
    { result_type = 'indices' } -- myers: histogram can take a minute
  )
  local hunks = {}
  for i, h in ipairs(indices) do
    local at, from = h[1] + first - 1, h[3] + first - 1
    hunks[i] = {
      at = h[2] == 0 and at + 1 or at, -- xdiff names the line before an insertion
      old = h[2],
      new = h[4],
      from = h[4] == 0 and from + 1 or from,
    }
  end
  return hunks
end

---The hunks of flat lists, as they travel.
---@param starts integer[]
---@param olds integer[]
---@param news integer[]
---@return sidekick.Hunk[]
function M.unpack(starts, olds, news)
  local hunks, from = {}, 1
  for i, at in ipairs(starts) do
    hunks[i] = { at = at, old = olds[i], new = news[i], from = from }
    from = from + news[i]
  end
  return hunks
end

---The line that holds the text of line `lnum` after the hunks. Of a changed
---line: the line at the same place in the new text.
---@param hunks sidekick.Hunk[]
---@param lnum integer
---@return integer lnum
---@return sidekick.Hunk? changed the hunk that the line was in
function M.map(hunks, lnum)
  local lo, hi = 1, #hunks -- the last hunk that begins at or above lnum
  while lo <= hi do
    local mid = math.floor((lo + hi) / 2)
    if hunks[mid].at <= lnum then
      lo = mid + 1
    else
      hi = mid - 1
    end
  end
  if hi == 0 then
    return lnum
  end
  local h = hunks[hi]
  local at = h.at + M.shift(hunks, hi - 1)
  if lnum < h.at + h.old then
    return at + math.max(0, math.min(lnum - h.at, h.new - 1)), h
  end
  return lnum + M.shift(hunks, hi)
end

---How far the first n hunks move the text below them. Sums are kept in the list.
---@param hunks sidekick.Hunk[]
---@param n integer
---@return integer
function M.shift(hunks, n)
  local sums = hunks.sums
  if not sums then
    sums = { [0] = 0 }
    for i, h in ipairs(hunks) do
      sums[i] = sums[i - 1] + h.new - h.old
    end
    hunks.sums = sums
  end
  return sums[n]
end

---Ranges of neighbouring hunks, at most `most` of them: those are put together
---first between which the fewest lines lie.
---@param hunks sidekick.Hunk[]
---@param most integer 1 or more
---@return { first: integer, last: integer }[] # indices of hunks, top down
function M.blocks(hunks, most)
  local gaps = {}
  for i = 1, #hunks - 1 do
    gaps[i] = { after = i, lines = hunks[i + 1].at - hunks[i].at - hunks[i].old }
  end
  table.sort(gaps, function(a, b)
    if a.lines ~= b.lines then
      return a.lines > b.lines
    end
    return a.after < b.after
  end)
  local ends = {}
  for i = 1, math.min(most - 1, #gaps) do
    ends[gaps[i].after] = true
  end
  local blocks, first = {}, 1
  for i = 1, #hunks do
    if ends[i] or i == #hunks then
      table.insert(blocks, { first = first, last = i })
      first = i + 1
    end
  end
  return blocks
end

---How many lines the person would call changed.
---@param hunks sidekick.Hunk[]
---@return integer
function M.changed(hunks)
  local count = 0
  for _, h in ipairs(hunks) do
    count = count + math.max(h.old, h.new)
  end
  return count
end

---Bytes that two lines share at their beginning and at their end; neither cuts
---a UTF-8 character.
---@param a string
---@param b string
---@return integer head
---@return integer tail
function M.ends(a, b)
  local na, nb = #a, #b
  local shorter = math.min(na, nb)
  local head = 0
  while head < shorter and a:byte(head + 1) == b:byte(head + 1) do
    head = head + 1
  end
  local function continues(s, i)
    local byte = s:byte(i)
    return byte and byte >= 0x80 and byte < 0xC0
  end
  while head > 0 and (continues(a, head + 1) or continues(b, head + 1)) do
    head = head - 1
  end
  local tail = 0
  while tail < shorter - head and a:byte(na - tail) == b:byte(nb - tail) do
    tail = tail + 1
  end
  while tail > 0 and continues(a, na - tail + 1) do
    tail = tail - 1
  end
  return head, tail
end

---Where the cursor's byte column of a changed line is afterwards: on the same
---text where that is still there.
---@param a string the line before
---@param b string the line after
---@param col integer 0-based
---@return integer
function M.column(a, b, col)
  local head, tail = M.ends(a, b)
  if col < head then
    return col
  end
  if col >= #a - tail then
    return col + #b - #a
  end
  return math.min(col, math.max(head, #b - tail))
end

return M
