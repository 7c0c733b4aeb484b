---What the person at this Neovim does, and when they last did anything.
local M = {}

local namespace = vim.api.nvim_create_namespace('_sidekick_person')

---When this Neovim was last used, in ns of the system's monotonic clock, which
---all processes share; 0 = not since we can tell.
local used = 0

---Takes note of keys and focus. Costs one clock reading per key.
---@param group integer augroup
---@param before? integer what teardown() of the version before said
function M.setup(group, before)
  used = before or 0
  local function note()
    used = vim.loop.hrtime()
  end
  if vim.v.vim_did_enter == 0 then
    note() -- somebody started it just now
  end
  vim.on_key(note, namespace)
  vim.api.nvim_create_autocmd('FocusGained', { group = group, callback = note })
end

---@return integer when this Neovim was last used, for the version that follows
function M.teardown()
  vim.on_key(nil, namespace)
  return used
end

---@return integer ms of the monotonic clock; 0 = never
function M.used()
  return math.floor(used / 1e6)
end

---@return number ms without a key
function M.quiet()
  return (vim.loop.hrtime() - used) / 1e6
end

---Whether something that takes the focus would get in the person's way: they
---type, are asked something, or are in the middle of a command.
---@return boolean
function M.busy()
  local mode = vim.api.nvim_get_mode()
  return mode.blocking
    or (mode.mode ~= 'n' and mode.mode ~= 'nt')
    or vim.fn.getcmdwintype() ~= ''
    or vim.fn.reg_recording() ~= ''
    or vim.fn.reg_executing() ~= ''
    or vim.bo.buftype == 'prompt'
    or vim.api.nvim_win_get_config(0).relative ~= ''
end

---Whether process pid was started, at whatever remove, in the current window's
---terminal.
---@param pid integer
---@return boolean
function M.in_terminal_of(pid)
  local shell = vim.bo.buftype == 'terminal' and vim.b.terminal_job_pid
  for _ = 1, 30 do
    if not shell or pid <= 1 then
      return false
    elseif pid == shell then
      return true
    end
    local info = vim.api.nvim_get_proc(pid)
    pid = type(info) == 'table' and info.ppid or 0
  end
  return false
end

return M
