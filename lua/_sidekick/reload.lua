---Brings buffers in line with their files on disk, and lets the person notice
---nothing but the text. A buffer with unsaved text is never touched.
local disk = require('_sidekick.reload.disk')
local edit = require('_sidekick.reload.edit')
local find = require('_sidekick.reload.find')
local hunks_ = require('_sidekick.reload.hunks')
local keep = require('_sidekick.reload.keep')
local later = require('_sidekick.reload.later')
local notice = require('_sidekick.reload.notice')
local record = require('_sidekick.reload.record')

local M = {}

---What became of one buffer.
---@class sidekick.Reloaded
---@field buf integer
---@field name string
---@field state 'unchanged'|'reloaded'|'modified'|'deferred'|'deleted'|'unreadable'|'large'|'again'|'failed'
---@field lines integer how many changed
---@field tick integer changedtick
---@field hash string of the buffer's text, where known
---@field stamp string of the file (state "large")
---@field dos boolean line ends (state "large")
---@field error string

---@param buf integer
---@param state string
---@param more? table
---@return sidekick.Reloaded
local function result(buf, state, more)
  local r = {
    buf = buf,
    name = vim.api.nvim_buf_get_name(buf),
    state = state,
    lines = 0,
    tick = vim.api.nvim_buf_get_changedtick(buf),
    hash = '',
    stamp = '',
    dos = false,
    error = '',
  }
  for key, value in pairs(more or {}) do
    r[key] = value
  end
  return r
end

---What keeps a buffer from being reloaded now.
---@param buf integer
---@param why? 'deleted'|'unreadable' the file's state
---@return sidekick.Reloaded?
local function obstacle(buf, why)
  if why then
    if why == 'deleted' then
      notice.deleted(buf)
    end
    return result(buf, why)
  end
  if vim.api.nvim_buf_get_option(buf, 'modified') then
    return result(buf, 'modified')
  end
  if later.is_busy() then
    later.add(buf)
    return result(buf, 'deferred')
  end
end

---Whether a buffer's text is not its file's bytes: only Neovim can reload it.
---@param buf integer
---@return boolean
local function is_foreign(buf)
  local r = record.get(buf)
  return r ~= nil and r.altered == true or find.is_foreign(buf)
end

---Whether the Go side can do the work for a large file: UTF-8 that needs no guessing.
---@param buf integer
---@return boolean
local function is_usual(buf)
  local bo = vim.bo[buf]
  return (bo.fileencoding == 'utf-8' or bo.fileencoding == '')
    and not (bo.bomb or bo.binary)
    and (bo.fileformat == 'unix' or bo.fileformat == 'dos')
    and vim.o.fileformats == 'unix,dos'
    and (vim.o.fileencodings:find('^ucs%-bom,utf%-8') or vim.o.fileencodings:find('^utf%-8')) ~= nil
    and not is_foreign(buf)
    and not edit.is_empty(buf)
end

---Reads the file and makes the buffer its text.
---@param buf integer
---@return sidekick.Edited? # nil where the file cannot be read
local function edit_from_disk(buf, path)
  if is_foreign(buf) then
    return edit.reload_by_neovim(buf)
  end
  local content = disk.content(buf, path)
  if not content then
    return nil
  end
  local empty = edit.is_empty(buf)
  local lines = empty and {} or vim.api.nvim_buf_get_lines(buf, 0, -1, false)
  return edit.apply(buf, {
    hunks = hunks_.between(lines, content.lines),
    lines = content.lines,
    empty = #content.lines == 0,
    was_empty = empty,
    eol = content.eol,
    ff = content.ff,
    bomb = content.bomb,
    fenc = content.fenc,
    plain = content.plain,
  })
end

---@param buf integer
---@param edited sidekick.Edited
---@return sidekick.Reloaded
local function done(buf, edited)
  later.arrived(buf)
  if not edited.changed then
    return result(buf, 'unchanged')
  end
  local lines = hunks_.changed(edited.hunks)
  notice.reloaded(buf, lines, edited.hunks, edited.stock)
  keep.guard(buf)
  return result(buf, 'reloaded', { lines = lines })
end

---Brings one buffer in line with its file.
---@param buf integer
---@param limit number bytes; a larger file is left to the Go side
---@return sidekick.Reloaded
function M.sync(buf, limit)
  local path = vim.api.nvim_buf_get_name(buf)
  local stamp, why, size = disk.look(path)
  local blocked = obstacle(buf, why)
  if blocked then
    return blocked
  end
  local known = record.current(buf)
  if known and known.stamp == stamp and known.settled then
    return result(buf, 'unchanged')
  end
  if size > limit and is_usual(buf) then
    later.expect(buf)
    return result(buf, 'large', {
      hash = known and known.hash or '',
      stamp = stamp,
      dos = vim.bo[buf].fileformat == 'dos',
    })
  end
  local all = { changed = false, hunks = {} }
  for _ = 1, 4 do -- the file may change while we read it
    local ok, edited = pcall(edit_from_disk, buf, path)
    if not ok then
      later.add(buf)
      return result(buf, 'failed', { error = tostring(edited) })
    end
    if not edited then
      return result(buf, 'unreadable')
    end
    all = edited.changed and edited or all
    record.set(buf, stamp)
    local now = disk.look(path)
    if now == stamp then
      return done(buf, all)
    end
    if not now then
      break
    end
    stamp = now
  end
  record.forget(buf) -- the file went away, or does not stand still
  later.add(buf)
  return done(buf, all)
end

---Applies hunks that the Go side found.
---@param args table
---@return sidekick.Reloaded
local function apply(args)
  local buf, path = args.buf, vim.api.nvim_buf_get_name(args.buf)
  local stamp, why, size = disk.look(path)
  local blocked = obstacle(buf, why)
  if blocked then
    return blocked
  end
  if stamp ~= args.stamp or vim.api.nvim_buf_get_changedtick(buf) ~= args.tick then
    return result(buf, 'again')
  end
  local bo = vim.bo[buf]
  local hunks = hunks_.unpack(args.starts, args.olds, args.news)
  if args.total > 0 then
    hunks[1].from = args.from
  end
  local edited = edit.apply(buf, {
    hunks = hunks,
    lines = args.lines,
    from_disk = args.total > 0 and { path = path, total = args.total } or nil,
    eol = args.eol,
    ff = bo.fileformat,
    bomb = false,
    fenc = 'utf-8',
    plain = true,
  })
  local offset = vim.api.nvim_buf_get_offset(buf, vim.api.nvim_buf_line_count(buf))
  if disk.look(path) ~= stamp or offset ~= size then
    local again = M.sync(buf, math.huge)
    if again.state ~= 'unchanged' then
      return again
    end
    return done(buf, edited)
  end
  record.set(buf, stamp, args.hash)
  return done(buf, edited)
end

---Functions that the Go side calls.
M.rpc = {}

---@param args {names: string[], bufs: integer[], limit: integer, say: sidekick.Say}
---@return {buffers: sidekick.Reloaded[]}
function M.rpc.sync(args)
  notice.learn(args.say)
  local bufs = #args.bufs > 0 and vim.tbl_filter(vim.api.nvim_buf_is_loaded, args.bufs)
    or find.buffers(args.names)
  local buffers = {}
  for i, buf in ipairs(bufs) do
    buffers[i] = M.sync(buf, args.limit)
  end
  return { buffers = buffers }
end

---@param buf integer
---@param r? sidekick.Record
---@param stamp? string of the file now
---@return boolean
local function is_stale(buf, r, stamp)
  if not r or r.stamp ~= stamp then
    return true
  end
  if r.altered then
    return false
  end
  if not r.sure then
    return not record.is_in_step(buf)
  end
  return not (r.settled and record.current(buf))
end

---The buffers whose file is, or may be, in another state than the one they hold.
---@return {buffers: sidekick.Reloaded[]}
function M.rpc.stale()
  local buffers = {}
  for _, buf in ipairs(find.all()) do
    local stamp = disk.look(vim.api.nvim_buf_get_name(buf))
    local r = record.get(buf)
    local modified = vim.api.nvim_buf_get_option(buf, 'modified')
    if modified then
      if r and stamp and r.stamp ~= stamp then
        table.insert(buffers, result(buf, 'modified'))
      end
    elseif r or stamp then -- not a buffer for a file that was never there
      if is_stale(buf, r, stamp) then
        table.insert(buffers, result(buf, 'large'))
      end
    end
  end
  return { buffers = buffers }
end

---@param args {names: string[], stamp: string, hash: string}
---@return {taken: boolean}
function M.rpc.note(args)
  local taken = false
  for _, buf in ipairs(find.buffers(args.names)) do
    taken = record.note(buf, args.stamp, args.hash) or taken
  end
  return { taken = taken }
end

---Some lines of a buffer, while it stays as it was.
---@param args {buf: integer, tick: integer, first: integer, count: integer}
---@return {same: boolean, lines: string[]}
function M.rpc.lines(args)
  if
    not vim.api.nvim_buf_is_loaded(args.buf)
    or vim.api.nvim_buf_get_changedtick(args.buf) ~= args.tick
  then
    return { same = false, lines = {} }
  end
  return {
    same = true,
    lines = vim.api.nvim_buf_get_lines(args.buf, args.first, args.first + args.count, false),
  }
end

M.rpc.apply = apply

---Catches up with everything, as soon as the editor is free. Safe to call from
---anywhere: it only leaves a note.
function M.catch_up()
  later.add()
end

return M
