---Keys for the diffs of coder/claudecode.nvim, 0.3.0 and later: accept and reject
---in its proposal, through its own two functions. Claude writes the file, neither
---of us does.
local keys = require('_sidekick.review_keys')
local message = require('_sidekick.message')
local options = require('_sidekick.options')

local M = {}

---@class sidekick.ClaudecodeDiff
---@field tab string the plugin's name of the diff
---@field path? string the target, where an event named it
---@field unmap fun()

---@type table<integer, sidekick.ClaudecodeDiff> by buffer
local adopted = {}

---The variable by which the plugin itself knows its proposals. The target's
---buffer, which is the person's own, has none: nothing is ever mapped there.
---@param buf integer
---@return string?
local function tab_name(buf)
  local ok, name = pcall(vim.api.nvim_buf_get_var, buf, 'claudecode_diff_tab_name')
  return ok and name or nil
end

---The plugin's module, where the plugin runs. Requiring it would start it.
local function plugin()
  return package.loaded['claudecode.diff']
end

---What the plugin knows of a diff; nil where it does not say.
---@param tab string
---@return { status: string, old_file_path: string }?, boolean readable
local function state(tab)
  local diff = plugin()
  local ok, all = pcall(function()
    return diff._get_active_diffs()
  end)
  if not ok or type(all) ~= 'table' then
    return nil, false
  end
  return all[tab], true
end

---@param tab string
---@return boolean false also where the diff is gone
local function pending(tab)
  local found, readable = state(tab)
  return not readable or (found ~= nil and found.status == 'pending')
end

---@param path string
---@return boolean
local function unsaved(path)
  local real = vim.loop.fs_realpath(path) or path
  for _, buf in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(buf) and vim.bo[buf].modified and vim.bo[buf].buftype == '' then
      local name = vim.api.nvim_buf_get_name(buf)
      if name == path or (vim.loop.fs_realpath(name) or name) == real then
        return true
      end
    end
  end
  return false
end

---@param buf integer
local function release(buf)
  local diff = adopted[buf]
  adopted[buf] = nil
  if diff then
    diff.unmap()
  end
end

---The plugin reloads a file soon after its diff was accepted, maybe before our hook
---does, and puts the cursor where it was when the diff opened.
---@param path? string
local function keep_place(path)
  for _, buf in ipairs(path and vim.api.nvim_list_bufs() or {}) do
    if vim.api.nvim_buf_is_loaded(buf) and vim.api.nvim_buf_get_name(buf) == path then
      require('_sidekick.reload.keep').guard(buf)
    end
  end
end

---@param diff sidekick.ClaudecodeDiff
---@return string? # path of the target, where it is known
local function target(diff)
  local known = state(diff.tab)
  return known and known.old_file_path or diff.path
end

---Releases the buffer once its diff is decided, by whatever way.
---@param buf integer
local function check(buf)
  vim.schedule(function()
    local diff = adopted[buf]
    if diff and not pending(diff.tab) then
      keep_place(target(diff))
      release(buf)
    end
  end)
end

---Whether the diff may be accepted: the plugin looks at the target only when it
---opens the diff, and the person may have typed there since.
---@param buf integer
---@return boolean
local function may_accept(buf)
  local path = target(adopted[buf])
  if path and unsaved(path) then
    local name = vim.fn.fnamemodify(path, ':t')
    message.show(name .. ' has unsaved changes: :w or :e! it, then accept', vim.log.levels.WARN)
    return false
  end
  return true
end

---@param name string
---@return boolean whether the current buffer is such a diff
function M.act(name)
  if name ~= 'accept' and name ~= 'reject' then
    return false -- the plugin has no other answer
  end
  local buf = vim.api.nvim_get_current_buf()
  local diff = adopted[buf]
  if not diff or not plugin() or tab_name(buf) ~= diff.tab then
    return false
  end
  if not pending(diff.tab) then
    release(buf)
  elseif name == 'reject' then
    plugin().deny_current_diff()
  elseif may_accept(buf) then
    plugin().accept_current_diff()
  end
  check(buf)
  return true
end

---The plugin takes every write of the proposal for consent, a bulk save and a
---plugin's too. As 'nofile' the buffer is written by none of them; the person's
---own :w makes it writable while it runs.
---@param buf integer
---@param command string that the person entered
local function entered(buf, command)
  local kind = keys.write_kind(command)
  if not kind or vim.api.nvim_get_current_buf() ~= buf or not adopted[buf] then
    return
  end
  if not may_accept(buf) then
    return
  end
  vim.bo[buf].buftype = 'acwrite'
  vim.bo[buf].modified = kind == 'update' -- or :x would write nothing
  vim.schedule(function()
    if vim.api.nvim_buf_is_valid(buf) then
      vim.bo[buf].modified = false
      vim.bo[buf].buftype = 'nofile'
    end
    check(buf)
  end)
end

---Puts the keys into a proposal, once.
---@param buf integer
---@param path? string
local function adopt(buf, path)
  local tab = vim.api.nvim_buf_is_valid(buf) and tab_name(buf)
  if not tab or not plugin() or not options.read('claudecode', { enabled = true }).enabled then
    return
  end
  if adopted[buf] and adopted[buf].tab == tab then
    adopted[buf].path = adopted[buf].path or path
    return
  end
  release(buf)
  if not pending(tab) then
    return
  end
  vim.bo[buf].modified = false
  vim.bo[buf].buftype = 'nofile'
  local group = vim.api.nvim_create_augroup('_sidekick_claudecode_' .. buf, {})
  keys.watch_commands(group, function(command)
    entered(buf, command)
  end)
  vim.api.nvim_create_autocmd('BufWipeout', {
    group = group,
    buffer = buf,
    callback = function()
      vim.schedule(function()
        release(buf)
      end)
    end,
  })
  local unmap = keys.attach(buf, {
    accept = function()
      M.act('accept')
    end,
    reject = function()
      M.act('reject')
    end,
  })
  adopted[buf] = {
    tab = tab,
    path = path,
    unmap = function()
      pcall(vim.api.nvim_del_augroup_by_id, group)
      unmap()
    end,
  }
end

---@param data { diff_window: integer, file_path: string }?
function M.opened(data)
  local win = data and data.diff_window
  if win and vim.api.nvim_win_is_valid(win) then
    adopt(vim.api.nvim_win_get_buf(win), data.file_path)
  end
end

---@param data { tab_name: string, file_path: string }?
function M.closed(data)
  keep_place(data and data.file_path)
  for buf, diff in pairs(adopted) do
    if data and diff.tab == data.tab_name then
      release(buf)
    end
  end
end

---Another version of the runtime takes over, and adopts what is open anew.
function M.teardown()
  for buf, diff in pairs(adopted) do
    if vim.api.nvim_buf_is_valid(buf) and pending(diff.tab) then
      vim.bo[buf].buftype = 'acwrite'
    end
    release(buf)
  end
end

---For versions without events: a window shows a buffer with one of the plugin's
---names. Its variables come a moment later.
---@param buf integer
function M.shown(buf)
  vim.schedule(function()
    adopt(buf)
  end)
end

return M
