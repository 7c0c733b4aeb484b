---What Neovim would make of a file's bytes. Touches no buffer.
local M = {}

---A file's content as |:edit| would show it.
---@class sidekick.Content
---@field lines string[] none for an empty file
---@field eol boolean
---@field ff 'unix'|'dos'|'mac'
---@field bomb boolean
---@field fenc string
---@field plain boolean no line holds a NUL byte

---Whether s is valid UTF-8 in the strictest sense. What this rejects is left to
---Neovim's own reader.
---@param s string
---@return boolean
function M.is_utf8(s)
  local at = s:find('[\128-\255]')
  while at do
    local byte = s:byte(at)
    local size
    if byte >= 0xC2 and byte <= 0xDF then
      size = s:find('^[\128-\191]', at + 1) and 2
    elseif byte >= 0xE0 and byte <= 0xEF then
      local second = s:byte(at + 1) or 0
      local fine = (byte ~= 0xE0 or second >= 0xA0) and (byte ~= 0xED or second < 0xA0)
      size = fine and s:find('^[\128-\191][\128-\191]', at + 1) and 3
    elseif byte >= 0xF0 and byte <= 0xF4 then
      local second = s:byte(at + 1) or 0
      local fine = (byte ~= 0xF0 or second >= 0x90) and (byte ~= 0xF4 or second < 0x90)
      size = fine and s:find('^[\128-\191][\128-\191][\128-\191]', at + 1) and 4
    end
    if not size then
      return false
    end
    at = s:find('[\128-\255]', at + size)
  end
  return true
end

---'dos' where every line ends in CR LF, 'unix' otherwise: what Neovim does with
---'fileformats' at "unix,dos".
---@param bytes string
---@return 'unix'|'dos'
local function fileformat(bytes)
  local first = bytes:find('\n', 1, true)
  if not first or first == 1 or bytes:byte(first - 1) ~= 13 then
    return 'unix'
  end
  if bytes:find('[^\r]\n') or bytes:find('\n\n', 1, true) then
    return 'unix'
  end
  return 'dos'
end

---Splits text into lines.
---@param text string
---@param ff 'unix'|'dos'
---@return string[] lines
---@return boolean eol whether the last line has its end
local function split(text, ff)
  local lines, n, from, size = {}, 0, 1, #text
  local cr = ff == 'dos' and 1 or 0
  while from <= size do
    local nl = text:find('\n', from, true)
    n = n + 1
    if not nl then
      lines[n] = text:sub(from)
      return lines, false
    end
    lines[n] = text:sub(from, nl - 1 - cr)
    from = nl + 1
  end
  return lines, true
end

---Decodes the usual case: UTF-8, no NUL, line ends that need no guessing. nil
---means that Neovim itself must read the file.
---@param bytes string
---@param fileformats string the option
---@param fileencodings string the option
---@return sidekick.Content?
function M.decode(bytes, fileformats, fileencodings)
  local bom = fileencodings:find('^ucs%-bom,utf%-8') ~= nil
  if not bom and not fileencodings:find('^utf%-8') then
    return nil
  end
  local cr = bytes:find('\r', 1, true)
  if fileformats ~= 'unix,dos' and (cr or not fileformats:find('^unix')) then
    return nil
  end
  if bytes:find('%z') or bytes:find('^\254\255') or bytes:find('^\255\254') then
    return nil
  end
  local bomb = bytes:find('^\239\187\191') ~= nil
  if bomb then
    if not bom then
      return nil
    end
    bytes = bytes:sub(4)
  end
  if not M.is_utf8(bytes) then
    return nil
  end
  local ff = cr and fileformat(bytes) or 'unix'
  if ff == 'dos' and bytes:find('[\r\26]$') then
    return nil
  end
  local lines, eol = split(bytes, ff)
  return { lines = lines, eol = eol, ff = ff, bomb = bomb, fenc = 'utf-8', plain = true }
end

return M
