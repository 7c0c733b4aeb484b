---What each buffer holds, without looking at its text: the state of the file
---that it was read from, and the changedtick from then on.
local M = {}

---@class sidekick.Record
---@field stamp string the file's state, see disk.stamp
---@field tick integer
---@field sure boolean the text was that of this state
---@field altered? boolean somebody's autocommand changed the text when it was read
---@field settled boolean the file's time was past: a later state has another stamp
---@field hash? string of that text, from the Go side

---@type table<integer, sidekick.Record>
local records = {}
---@type table<integer, {stamp: string?, tick: integer}> before a read that is going on
local reading = {}

---A file changed twice within one tick of the kernel's clock has one stamp.
local CLOCK_TICK = 0.02

---What tells one state of a file from the next, as one string. The Go side
---makes the same from the same facts.
---@param stat table of luv's fs_stat
---@return string
function M.stamp(stat)
  local m = stat.mtime
  return string.format('%d:%d.%09d:%d', stat.size, m.sec, m.nsec, stat.ino)
end

---@param path string
---@return string? stamp
---@return boolean settled
local function look(path)
  local stat = vim.loop.fs_stat(path)
  if not stat or stat.type ~= 'file' then
    return nil, false
  end
  local sec, usec = vim.loop.gettimeofday()
  local age = (sec - stat.mtime.sec) + (usec / 1e6 - stat.mtime.nsec / 1e9)
  return M.stamp(stat), age > CLOCK_TICK
end

---@param buf integer
---@return integer
local function tick(buf)
  return vim.api.nvim_buf_get_changedtick(buf)
end

---@param buf integer
---@return sidekick.Record?
function M.get(buf)
  return records[buf]
end

---The record, where the buffer still holds the text that it speaks of.
---@param buf integer
---@return sidekick.Record?
function M.current(buf)
  local r = records[buf]
  if r and r.sure and r.tick == tick(buf) and not vim.api.nvim_buf_get_option(buf, 'modified') then
    return r
  end
end

---@param buf integer
---@param stamp string
---@param hash? string
function M.set(buf, stamp, hash)
  local _, settled = look(vim.api.nvim_buf_get_name(buf))
  records[buf] = { stamp = stamp, tick = tick(buf), sure = true, settled = settled, hash = hash }
end

---Nothing is known of a buffer any more: the next sync does all of it.
---@param buf integer
function M.forget(buf)
  records[buf] = nil
end

---Takes note of the hash of a file in a certain state.
---@param buf integer
---@param stamp string
---@param hash string
---@return boolean taken
function M.note(buf, stamp, hash)
  local r = M.current(buf)
  if not r or r.stamp ~= stamp or not (r.settled or r.hash) then
    return false
  end
  if not r.hash then
    r.hash = hash
  end
  return r.hash == hash
end

---Whether Neovim itself takes a buffer for the file, where we were not there when
---it was read: its swap file holds the time of the file that it knows, in seconds.
---They tell enough where the file's second was past when the buffer was read, which
---is when the swap file was made. Where it was not, the file may have changed again
---in it; whoever wants to know has to read the file.
---@param buf integer
---@return boolean
function M.is_in_step(buf)
  local swap = vim.fn.swapname(buf)
  local stat = vim.loop.fs_stat(vim.api.nvim_buf_get_name(buf))
  local made = swap ~= '' and vim.loop.fs_stat(swap)
  if not stat or not made then
    return false
  end
  return stat.mtime.sec < made.birthtime.sec and vim.fn.swapinfo(swap).mtime == stat.mtime.sec
end

---@param event {buf: integer, file: string}
local function is_file(event)
  return event.buf > 0 and vim.bo[event.buf].buftype == ''
end

---Called around reads and writes of a buffer.
local function before_read(event)
  if is_file(event) then
    reading[event.buf] =
      { stamp = look(vim.api.nvim_buf_get_name(event.buf)), tick = tick(event.buf) }
  end
end

---A read leaves the changedtick alone and then, after all autocommands, adds one:
---any other tick means that an autocommand changed the text. The buffer does not
---look modified then.
local function after_read(event)
  local buf = event.buf
  if not is_file(event) then
    return
  end
  local stamp, settled = look(vim.api.nvim_buf_get_name(buf))
  local before, now = reading[buf], tick(buf)
  reading[buf], records[buf] = nil, nil
  if not stamp then
    return
  end
  local r = { stamp = stamp, tick = now + 1, settled = settled }
  r.altered = before and before.tick ~= now or nil
  r.sure = before ~= nil and before.stamp == stamp and not r.altered
  records[buf] = r
  vim.schedule(function()
    if records[buf] == r and vim.api.nvim_buf_is_loaded(buf) and tick(buf) ~= r.tick then
      r.altered = r.altered or not vim.api.nvim_buf_get_option(buf, 'modified')
    end
  end)
end

local function after_write(event)
  if not is_file(event) then
    return
  end
  local stamp = look(vim.api.nvim_buf_get_name(event.buf))
  if stamp and vim.api.nvim_buf_get_name(event.buf) == vim.fn.fnamemodify(event.match, ':p') then
    records[event.buf] = { stamp = stamp, tick = tick(event.buf), sure = true, settled = false }
  end
end

---@param group integer augroup
function M.setup(group)
  local function on(event, callback)
    vim.api.nvim_create_autocmd(event, { group = group, callback = callback })
  end
  on('BufReadPre', before_read)
  on('BufReadPost', after_read)
  on('BufWritePost', after_write)
  on('BufUnload', function(event)
    records[event.buf], reading[event.buf] = nil, nil
  end)
  for _, buf in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(buf) and vim.api.nvim_buf_get_option(buf, 'buftype') == '' then
      local stamp = look(vim.api.nvim_buf_get_name(buf))
      if stamp then
        records[buf] = { stamp = stamp, tick = tick(buf), sure = false, settled = false }
      end
    end
  end
end

return M
