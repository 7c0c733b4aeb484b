---The two windows of a review, in a tab page of their own: the text as it is
---(a copy, never the person's own buffer) and the proposal, in diff mode.
local M = {}

---@class sidekick.ReviewText
---@field lines string[]
---@field eol boolean

---@class sidekick.ReviewSpec
---@field name string unique, for the buffers' names
---@field path string of the file, for its filetype
---@field before sidekick.ReviewText
---@field after sidekick.ReviewText
---@field dos boolean
---@field syntax string filetype; '' = by path
---@field editable boolean
---@field layout 'vertical'|'horizontal'

---@class sidekick.ReviewView
---@field tab integer
---@field old integer buffer
---@field new integer buffer
---@field old_win integer
---@field new_win integer
---@field name string
---@field group? integer augroup, gone with the view
---@field origin sidekick.ReviewOrigin

---@class sidekick.ReviewOrigin where the person was
---@field tab integer
---@field win integer
---@field screen string
---@field layout string? nil once the person went back there by themselves
---@field cmdheight integer
---@field views { win: integer, buf: integer, tick: integer, view: table }[]

local function screen_size()
  return vim.o.lines .. 'x' .. vim.o.columns
end

---@return sidekick.ReviewOrigin
local function remember()
  local views = {}
  for _, win in ipairs(vim.api.nvim_tabpage_list_wins(0)) do
    local buf = vim.api.nvim_win_get_buf(win)
    -- Never a window in diff mode: 0.10 hangs when its topline is set after a reload.
    if not vim.wo[win].diff then
      table.insert(views, {
        win = win,
        buf = buf,
        tick = vim.api.nvim_buf_get_changedtick(buf),
        view = vim.api.nvim_win_call(win, vim.fn.winsaveview),
      })
    end
  end
  return {
    tab = vim.api.nvim_get_current_tabpage(),
    win = vim.api.nvim_get_current_win(),
    screen = screen_size(),
    layout = vim.fn.winrestcmd(),
    cmdheight = vim.o.cmdheight,
    views = views,
  }
end

---Puts windows and views back as they were: the tab line that comes with a
---second tab page takes a line from them and does not give it back fairly.
---@param origin sidekick.ReviewOrigin
local function restore(origin)
  if not origin.layout or origin.screen ~= screen_size() then
    return
  end
  for _ = 1, 3 do
    if vim.fn.winrestcmd() == origin.layout and vim.o.cmdheight == origin.cmdheight then
      break
    end
    -- Shrinking the lowest window gives its lines to the command line.
    pcall(vim.cmd, origin.layout)
    vim.o.cmdheight = origin.cmdheight
  end
  for _, saved in ipairs(origin.views) do
    local win = saved.win
    if
      vim.api.nvim_win_is_valid(win)
      and vim.api.nvim_win_get_buf(win) == saved.buf
      and vim.api.nvim_buf_get_changedtick(saved.buf) == saved.tick
      and vim.bo[saved.buf].buftype ~= 'terminal'
      and not vim.wo[win].diff
    then
      vim.api.nvim_win_call(win, function()
        vim.fn.winrestview(saved.view)
      end)
    end
  end
end

---The filetype that a file of that name and text has.
---@param buf integer
---@param spec sidekick.ReviewSpec
local function set_filetype(buf, spec)
  if spec.syntax ~= '' then
    vim.bo[buf].filetype = spec.syntax
    return
  end
  local open = vim.fn.bufnr('^' .. vim.fn.escape(spec.path, '\\*?[]{},') .. '$')
  if open > 0 and vim.api.nvim_buf_is_loaded(open) then
    vim.bo[buf].filetype = vim.bo[open].filetype
    return
  end
  vim.api.nvim_buf_call(buf, function()
    pcall(
      vim.cmd,
      'silent! doautocmd <nomodeline> filetypedetect BufRead ' .. vim.fn.fnameescape(spec.path)
    )
  end)
end

---Keeps 'modified' off for good, so that nothing that saves modified buffers
---(:wa, 'autowriteall', a plugin) ever writes this one. The person's :w does.
---@param buf integer
function M.never_modified(buf)
  vim.bo[buf].modified = false
  vim.api.nvim_buf_attach(buf, false, {
    on_lines = function()
      vim.bo[buf].modified = false
    end,
  })
end

---@param spec sidekick.ReviewSpec
---@param side 'present'|'proposed'
---@param text sidekick.ReviewText
---@return integer buffer
local function new_buffer(spec, side, text)
  local buf = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_buf_set_name(
    buf,
    ('sidekick-review://%s/%s (%s)'):format(spec.name, vim.fn.fnamemodify(spec.path, ':t'), side)
  )
  local options = vim.bo[buf]
  options.swapfile = false
  options.undolevels = -1
  vim.api.nvim_buf_set_lines(buf, 0, -1, false, text.lines)
  options.undolevels = -123456 -- the global value again
  options.endofline = text.eol
  options.fileformat = spec.dos and 'dos' or 'unix'
  options.bufhidden = 'wipe'
  if side == 'proposed' and spec.editable then
    options.buftype = 'acwrite'
    M.never_modified(buf)
  else
    options.modified = false
    options.modifiable = false
    options.readonly = true
  end
  return buf
end

---@param before string[]
---@param after string[]
---@return integer line of after, from 1
local function first_change(before, after)
  local line = 1
  while line < #after and before[line] == after[line] do
    line = line + 1
  end
  return line
end

---Opens the view and enters its proposal.
---@param spec sidekick.ReviewSpec
---@return sidekick.ReviewView
function M.open(spec)
  local origin = remember()
  local old = new_buffer(spec, 'present', spec.before)
  local new = new_buffer(spec, 'proposed', spec.after)
  -- Without autocommands: leaving the person's buffer this way is none of their
  -- doing, and must not make an autosave plugin write it.
  vim.cmd('noautocmd tab sbuffer ' .. old)
  local old_win = vim.api.nvim_get_current_win()
  local split = spec.layout == 'horizontal' and 'rightbelow' or 'rightbelow vertical'
  vim.cmd(('noautocmd %s sbuffer %d'):format(split, new))
  local view = {
    tab = vim.api.nvim_get_current_tabpage(),
    old = old,
    new = new,
    old_win = old_win,
    new_win = vim.api.nvim_get_current_win(),
    origin = origin,
    name = spec.name,
  }
  for _, win in ipairs({ view.old_win, view.new_win }) do
    vim.api.nvim_win_call(win, function()
      set_filetype(vim.api.nvim_get_current_buf(), spec)
      vim.opt_local.winfixwidth = false
      vim.opt_local.winfixheight = false
      vim.cmd('diffthis')
    end)
  end
  vim.cmd('noautocmd wincmd =')
  if #spec.after.lines > 0 then
    local line = first_change(spec.before.lines, spec.after.lines)
    vim.api.nvim_win_set_cursor(view.new_win, { line, 0 })
  end
  vim.cmd('normal! zz')
  return view
end

---@param view sidekick.ReviewView
function M.watch(view)
  view.group = vim.api.nvim_create_augroup('_sidekick_review_' .. view.name, {})
  vim.api.nvim_create_autocmd('TabLeave', {
    group = view.group,
    callback = function()
      if vim.api.nvim_get_current_tabpage() == view.tab then
        view.origin.layout = nil
      end
    end,
  })
end

---@param view sidekick.ReviewView
function M.unwatch(view)
  pcall(vim.api.nvim_del_augroup_by_id, view.group)
end

---@param view sidekick.ReviewView
---@return boolean
function M.is_current(view)
  return vim.api.nvim_get_current_tabpage() == view.tab
end

---@param view sidekick.ReviewView
---@return boolean
function M.is_open(view)
  return vim.api.nvim_buf_is_valid(view.new) and #vim.fn.win_findbuf(view.new) > 0
end

---@param view sidekick.ReviewView
function M.enter(view)
  if vim.api.nvim_win_is_valid(view.new_win) then
    vim.api.nvim_set_current_win(view.new_win)
  end
end

---The proposal as it stands.
---@param view sidekick.ReviewView
---@return sidekick.ReviewText
function M.text(view)
  return {
    lines = vim.api.nvim_buf_get_lines(view.new, 0, -1, false),
    eol = vim.bo[view.new].endofline,
  }
end

---Closes the view and puts the person back where they were. Windows of their
---own in the view's tab page stay.
---@param view sidekick.ReviewView
function M.close(view)
  M.unwatch(view)
  local here = vim.api.nvim_get_current_tabpage() == view.tab
  if here and vim.api.nvim_win_is_valid(view.origin.win) then
    vim.api.nvim_set_current_win(view.origin.win)
  elseif here and vim.api.nvim_tabpage_is_valid(view.origin.tab) then
    vim.api.nvim_set_current_tabpage(view.origin.tab)
  end
  for _, buf in ipairs({ view.new, view.old }) do
    if vim.api.nvim_buf_is_valid(buf) then
      for _, win in ipairs(vim.fn.win_findbuf(buf)) do
        pcall(vim.api.nvim_win_close, win, true) -- fails for Neovim's last window
      end
    end
    pcall(vim.api.nvim_buf_delete, buf, { force = true })
  end
  if here and vim.api.nvim_get_current_tabpage() == view.origin.tab then
    restore(view.origin)
  end
end

---@param win integer
---@param name string window-local option
---@param value string
local function set_local(win, name, value)
  vim.api.nvim_win_call(win, function()
    vim.opt_local[name] = value
  end)
end

local function escaped(text)
  return (text:gsub('%%', '%%%%'))
end

---Says above (0.8 and later) or below the windows what they are, and the keys.
---@param view sidekick.ReviewView
---@param old string
---@param new string
---@param keys string
---@return boolean # false where there is no place to say it
function M.label(view, old, new, keys)
  if vim.fn.exists('+winbar') == 0 and vim.o.laststatus == 0 then
    return false
  elseif not M.is_open(view) then
    return true
  end
  old = '%#SidekickBridgeReviewOld# ' .. escaped(old) .. ' %*'
  new = '%#SidekickBridgeReviewNew# ' .. escaped(new) .. ' %*'
  keys = '%#SidekickBridgeReviewKeys# ' .. escaped(keys) .. ' %*'
  local both = { { view.old_win, old }, { view.new_win, new } }
  for _, pair in ipairs(both) do
    local win, title = pair[1], pair[2]
    if vim.api.nvim_win_is_valid(win) then
      if vim.fn.exists('+winbar') == 0 then
        set_local(win, 'statusline', title .. (win == view.old_win and keys .. '%<' or ''))
      elseif vim.o.laststatus == 0 then
        set_local(win, 'winbar', title .. (win == view.old_win and keys .. '%<' or ''))
      else
        set_local(win, 'winbar', title)
        set_local(win, 'statusline', keys .. '%=%<%l,%c ')
      end
    end
  end
  return true
end

for name, link in pairs({ Old = 'Comment', New = 'Title', Keys = 'StatusLine' }) do
  vim.cmd(('highlight default link SidekickBridgeReview%s %s'):format(name, link))
end

return M
