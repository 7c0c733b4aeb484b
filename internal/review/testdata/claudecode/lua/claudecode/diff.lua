-- The diffs of the stand-in. vim.g.standin_events: whether it fires User events
-- and rejects when the window closes, as versions after 0.3.0 do.
local M = { options = {} }

local diffs = {}

local function fire(name, data)
  if vim.g.standin_events then
    pcall(vim.api.nvim_exec_autocmds, 'User', { pattern = name, data = data })
  end
end

local function resolve(tab, status, answer)
  local diff = diffs[tab]
  if diff and diff.status == 'pending' then
    diff.status = status
    diff.answer(answer)
  end
end

local function tear_down(tab, reason)
  local diff = diffs[tab]
  diffs[tab] = nil
  for _, id in ipairs(diff.autocmds) do
    pcall(vim.api.nvim_del_autocmd, id)
  end
  pcall(vim.api.nvim_win_close, diff.new_window, true)
  pcall(vim.api.nvim_buf_delete, diff.new_buffer, { force = true })
  fire('ClaudeCodeDiffClosed', { tab_name = tab, file_path = diff.old_file_path, reason = reason })
end

local function autocmds(tab, buf, unified)
  local function on(event, callback)
    return vim.api.nvim_create_autocmd(event, { buffer = buf, callback = callback })
  end
  local ids = {
    on('BufWriteCmd', function()
      M._resolve_diff_as_saved(tab, buf)
      return true -- which deletes the autocommand
    end),
    on({ 'BufDelete', 'BufUnload', 'BufWipeout' }, function()
      M._resolve_diff_as_rejected(tab)
    end),
  }
  if vim.g.standin_events and not unified then
    table.insert(
      ids,
      vim.api.nvim_create_autocmd('WinClosed', {
        callback = function()
          vim.schedule(function()
            if #vim.fn.win_findbuf(buf) == 0 then
              M._resolve_diff_as_rejected(tab)
            end
          end)
        end,
      })
    )
  end
  return ids
end

function M._resolve_diff_as_saved(tab, buf)
  local diff = diffs[tab]
  local text = diff.contents
  if not diff.unified then
    text = table.concat(vim.api.nvim_buf_get_lines(buf, 0, -1, false), '\n') .. '\n'
  end
  resolve(tab, 'saved', { 'FILE_SAVED', text })
end

function M._resolve_diff_as_rejected(tab)
  resolve(tab, 'rejected', { 'DIFF_REJECTED', tab })
end

-- Runs in a coroutine, which it suspends until the person has decided.
function M.open_diff_blocking(old_path, new_path, contents, tab)
  local co = coroutine.running()
  local known = vim.fn.bufnr(old_path)
  if known > 0 and vim.bo[known].modified then
    error({ code = -32000, message = 'Diff setup failed' })
  end
  local unified = M.options.layout == 'unified'
  local new_file = vim.fn.filereadable(old_path) == 0
  if M.options.open_in_new_tab then
    vim.cmd('tabnew')
  end
  vim.cmd('edit ' .. vim.fn.fnameescape(old_path))
  local target = vim.api.nvim_get_current_win()
  local buf = vim.api.nvim_create_buf(false, true)
  local suffix = unified and ' (unified diff)'
    or new_file and ' (NEW FILE - proposed)'
    or ' (proposed)'
  vim.api.nvim_buf_set_name(buf, tab .. suffix)
  vim.api.nvim_buf_set_lines(buf, 0, -1, false, vim.split((contents:gsub('\n$', '')), '\n'))
  vim.bo[buf].buftype = 'acwrite'
  if unified then
    vim.bo[buf].bufhidden = 'wipe'
    vim.bo[buf].modifiable = false
    vim.b[buf].claudecode_diff_tab_name = tab
    vim.b[buf].claudecode_inline_diff = true
  else
    vim.bo[buf].bufhidden = 'hide'
  end
  vim.cmd((M.options.layout == 'horizontal' and 'split' or 'vsplit'))
  vim.api.nvim_win_set_buf(0, buf)
  local win = vim.api.nvim_get_current_win()
  if not unified then
    vim.cmd('diffthis')
    vim.api.nvim_win_call(target, function()
      vim.cmd('diffthis')
    end)
    -- Only now: not yet there when BufWinEnter fired.
    vim.b[buf].claudecode_diff_tab_name = tab
    vim.b[buf].claudecode_diff_new_win = win
    vim.b[buf].claudecode_diff_target_win = target
  end
  diffs[tab] = {
    status = 'pending',
    old_file_path = old_path,
    new_file_path = new_path,
    new_buffer = buf,
    new_window = win,
    contents = contents,
    unified = unified,
    cursor = vim.api.nvim_win_get_cursor(target),
    autocmds = autocmds(tab, buf, unified),
    answer = function(answer)
      coroutine.resume(co, answer)
    end,
  }
  fire('ClaudeCodeDiffOpened', {
    tab_name = tab,
    file_path = old_path,
    new_file_path = new_path,
    is_new_file = new_file,
    diff_window = win,
    target_window = target,
  })
  local answer = coroutine.yield()
  local respond = _G.claude_deferred_responses[tostring(co)]
  respond({ content = { { text = answer[1] }, { text = answer[2] } } })
end

local function current()
  local tab = vim.b.claudecode_diff_tab_name
  if not tab then
    vim.notify('No active diff found in current buffer', vim.log.levels.WARN)
  end
  return tab
end

function M.accept_current_diff()
  local tab = current()
  if tab then
    M._resolve_diff_as_saved(tab, vim.api.nvim_get_current_buf())
  end
end

function M.deny_current_diff()
  local tab = current()
  if tab then
    M._resolve_diff_as_rejected(tab)
  end
end

-- A moment after a diff that was accepted is closed, by :edit, whoever else has
-- reloaded the file by then; the cursor goes where it was when the diff opened.
local function reload(path, cursor)
  for _, buf in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_get_name(buf) == path and not vim.bo[buf].modified then
      local win = vim.fn.bufwinid(buf)
      if win > 0 then
        vim.api.nvim_win_call(win, function()
          vim.cmd('edit')
          pcall(vim.api.nvim_win_set_cursor, win, cursor)
        end)
      else
        vim.api.nvim_buf_call(buf, function()
          vim.cmd('edit')
        end)
      end
    end
  end
end

function M.close_diff_by_tab_name(tab)
  local diff = diffs[tab]
  if not diff then
    return false
  end
  if diff.status == 'saved' then
    vim.defer_fn(function()
      reload(diff.old_file_path, diff.cursor)
    end, 100)
  end
  M._resolve_diff_as_rejected(tab)
  tear_down(tab, 'close_tab')
  return true
end

function M._get_active_diffs()
  return diffs
end

return M
