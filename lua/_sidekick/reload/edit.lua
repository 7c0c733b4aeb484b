---Turns a buffer's text into the file's by its hunks, as one undo step.
local blocks = require('_sidekick.reload.blocks')
local hunks_ = require('_sidekick.reload.hunks')
local settle = require('_sidekick.reload.settle')
local view = require('_sidekick.reload.view')

local M = {}

---Hunks above this size are replaced as a block: line by line would be slow.
local BLOCK = 2000
---More hunks than this are changed line by line: a byte range each is slower.
local MANY = 200

---What a buffer is to become.
---@class sidekick.Target
---@field hunks sidekick.Hunk[]
---@field lines string[] text of the hunks' new lines
---@field empty? boolean the file is empty
---@field was_empty? boolean the buffer is empty
---@field from_disk? {path: string, total: integer} the one hunk's lines are to be read from the file, which has total lines
---@field eol boolean
---@field ff string
---@field bomb boolean
---@field fenc string
---@field plain boolean no line holds a NUL byte

---Changes count lines in place, so that their marks stay.
---@param buf integer
---@param at integer
---@param count integer
---@param target sidekick.Target
---@param from integer
local function change(buf, at, count, target, from)
  local lines = target.lines
  if not target.plain then
    vim.api.nvim_buf_set_lines(
      buf,
      at - 1,
      at - 1 + count,
      true,
      { unpack(lines, from, from + count - 1) }
    )
    return
  end
  if #target.hunks > MANY or count > 64 or vim.fn.has('nvim-0.8') == 0 then
    -- 0.7's nvim_buf_set_text drops the line's marks.
    if count == 1 then
      vim.fn.setline(at, lines[from])
    else
      vim.fn.setline(at, vim.list_slice(lines, from, from + count - 1))
    end
    return
  end
  local before = vim.api.nvim_buf_get_lines(buf, at - 1, at - 1 + count, true)
  for i = count, 1, -1 do
    local a, b, row = before[i], lines[from + i - 1], at + i - 2
    local head, tail = hunks_.ends(a, b)
    vim.api.nvim_buf_set_text(buf, row, head, row, #a - tail, { b:sub(head + 1, #b - tail) })
  end
end

---Reads the whole file below the hunk and deletes what is too much: a hundred
---thousand lines come ten times as fast through Neovim's own reader.
---@param h sidekick.Hunk
---@param target sidekick.Target
local function read(h, target)
  local last = h.at + h.old - 1
  local total = target.from_disk.total
  local name = vim.fn.fnameescape(target.from_disk.path)
  vim.cmd(('silent noautocmd keepalt %dread ++enc=utf-8 ++ff=%s %s'):format(last, target.ff, name))
  local skipped = h.from - 1
  local surplus = total - skipped - h.new
  if surplus > 0 then
    local first = last + skipped + h.new + 1
    vim.cmd(('silent noautocmd %d,%ddelete _'):format(first, first + surplus - 1))
  end
  if h.old + skipped > 0 then
    vim.cmd(('silent noautocmd %d,%ddelete _'):format(h.at, last + skipped))
  end
end

---@param buf integer
---@param target sidekick.Target
local function change_text(buf, target)
  if target.was_empty or target.empty then
    vim.api.nvim_buf_set_lines(buf, 0, -1, false, target.empty and {} or target.lines)
    return
  end
  if target.from_disk then
    read(target.hunks[1], target)
    return
  end
  local plan = blocks.plan(buf, target.hunks)
  if plan then
    blocks.change(buf, plan, target)
    return
  end
  for i = #target.hunks, 1, -1 do
    local h = target.hunks[i]
    local same = math.min(h.old, h.new)
    if same > BLOCK and h.old ~= h.new then
      same = 0
    end
    if h.old ~= h.new then
      vim.api.nvim_buf_set_lines(
        buf,
        h.at - 1 + same,
        h.at - 1 + h.old,
        true,
        vim.list_slice(target.lines, h.from + same, h.from + h.new - 1)
      )
    end
    if same > BLOCK then
      vim.api.nvim_buf_set_lines(
        buf,
        h.at - 1,
        h.at - 1 + same,
        true,
        vim.list_slice(target.lines, h.from, h.from + same - 1)
      )
    elseif same > 0 then
      change(buf, h.at, same, target, h.from)
    end
  end
end

---Sets a buffer-local option where it differs: setting some of them costs.
local function set(name, value)
  if vim.bo[name] ~= value then
    vim.bo[name] = value
  end
end

---@param target sidekick.Target
local function change_options(target)
  set('endofline', target.eol)
  set('fileformat', target.ff)
  set('bomb', target.bomb)
  set('fileencoding', target.fenc)
end

---@param target sidekick.Target
local function differs(target)
  return #target.hunks > 0
    or vim.bo.endofline ~= target.eol
    or vim.bo.fileformat ~= target.ff
    or vim.bo.bomb ~= target.bomb
    or vim.bo.fileencoding ~= target.fenc
end

---Ends the undo step. What a person types next is one of its own.
local function break_undo()
  vim.cmd('let &g:undolevels = &g:undolevels')
end

---Reloads as |:edit| would, for what hunks cannot do; windows follow the text.
---@param buf integer in its context
---@param command string
local function stock(buf, command)
  local before = vim.api.nvim_buf_get_lines(buf, 0, -1, false)
  local views = view.save(buf)
  vim.cmd(command)
  local between = hunks_.between(before, vim.api.nvim_buf_get_lines(buf, 0, -1, false))
  view.restore(buf, views, between)
  return between
end

---@param buf integer in its context
---@param target sidekick.Target
---@return boolean ok
local function transform(buf, target)
  return pcall(function()
    if #target.hunks > 0 then
      break_undo()
      vim.bo.modified = true -- or 'readonly' would warn (W10), and pause
      change_text(buf, target)
    end
    change_options(target)
  end)
end

---@class sidekick.Edited
---@field changed boolean
---@field hunks sidekick.Hunk[]
---@field stock? boolean Neovim itself told other plugins

---@param buf integer in its context
---@param target sidekick.Target
---@return sidekick.Edited
local function apply(buf, target)
  if not differs(target) then
    if not settle.settle(buf) then
      stock(buf, 'silent keepalt edit!')
      settle.clear(buf)
    end
    return { changed = false, hunks = {} }
  end
  local views = view.save(buf)
  local modifiable = vim.bo.modifiable
  set('modifiable', true)
  if not (transform(buf, target) and settle.settle(buf)) then
    -- Half a change must not stay. The buffer had nothing unsaved in it.
    local done = stock(buf, 'silent keepalt edit!')
    settle.clear(buf)
    set('modifiable', modifiable)
    return { changed = true, hunks = done }
  end
  if #target.hunks > 0 then
    break_undo()
    vim.cmd('let &l:fileformat = &l:fileformat') -- writes "unmodified" into the swap file
    view.restore(buf, views, target.hunks)
    M.break_typing(buf)
  end
  set('modifiable', modifiable)
  return { changed = true, hunks = target.hunks }
end

---What a person types after this in the same insert is an undo step of its own.
---Neovim saves a line for undo once per insert; only keys can make it do it again.
---@param buf integer
function M.break_typing(buf)
  local mode = vim.api.nvim_get_mode().mode
  if buf == vim.api.nvim_get_current_buf() and (mode == 'i' or mode == 'R') then
    vim.api.nvim_feedkeys(vim.api.nvim_replace_termcodes('<C-g>u', true, false, true), 'in', false)
  end
end

---Runs fn in the context of buf, without a trace in jumplist and changelist. A
---command needs a name to call: not this module's, which another version of the
---runtime may have taken over.
---@generic T
---@param buf integer
---@param fn fun(): T
---@return T
local function inside(buf, fn)
  local ok, result
  package.loaded['_sidekick.now'] = function()
    ok, result = pcall(fn)
  end
  vim.api.nvim_buf_call(buf, function()
    vim.cmd('keepjumps lua package.loaded["_sidekick.now"]()')
  end)
  package.loaded['_sidekick.now'] = nil
  return assert(ok and result, result)
end

---@param buf integer unmodified
---@param target sidekick.Target
---@return sidekick.Edited
function M.apply(buf, target)
  local selection = view.save_selection(buf)
  local edited = inside(buf, function()
    local ignored = vim.o.eventignore
    vim.o.eventignore = 'OptionSet,BufModifiedSet' -- and nothing that settle needs
    local ok, result = pcall(apply, buf, target)
    vim.o.eventignore = ignored
    return assert(ok and result, result)
  end)
  view.restore_selection(buf, selection, edited.hunks)
  return edited
end

---Lets Neovim itself reload: for files that an autocommand of somebody reads or
---writes (archives, encrypted files), whose text is not the file's bytes.
---@param buf integer unmodified
---@return sidekick.Edited
function M.reload_by_neovim(buf)
  return inside(buf, function()
    local autoread = vim.api.nvim_exec('setlocal autoread?', true)
    local hunks = stock(buf, 'setlocal autoread | silent checktime ' .. buf)
    vim.cmd(autoread:find('^%s*no') and 'setlocal noautoread' or 'setlocal autoread<')
    return { changed = #hunks > 0, hunks = hunks, stock = true }
  end)
end

---Whether a buffer holds no line at all. It then looks as if it had an empty one.
---@param buf integer
---@return boolean
function M.is_empty(buf)
  if vim.api.nvim_buf_line_count(buf) > 1 then
    return false
  end
  return vim.api.nvim_buf_get_lines(buf, 0, 1, false)[1] == ''
    and vim.api.nvim_buf_call(buf, function()
      return vim.fn.wordcount().bytes == 0
    end)
end

return M
