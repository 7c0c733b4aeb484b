---Keys of a review and of claudecode.nvim's diffs, and what keeps a key that was
---meant for something else from deciding.
local options = require('_sidekick.options')

local M = {}

---@class sidekick.ReviewOptions
M.defaults = {
  keys = {
    accept = '<CR>',
    reject = '<Esc>',
    reason = 'gr', -- reject, and say why
    next = ']r',
    previous = '[r',
  },
  grace = 300, -- ms after a view opens in which no key decides
  open = 'pause', -- or 'command': only :SidekickBridgeReview opens it
  pause = 500, -- ms without a key that count as a pause
  from_terminal = false, -- leave a terminal in which the agent runs
  layout = 'vertical', -- or 'horizontal'
}

---@return sidekick.ReviewOptions
function M.options()
  return options.read('review', M.defaults)
end

---@return string for a person: "<CR> accept  <Esc> reject  ..."
function M.help(names)
  local keys = M.options().keys
  local parts = {}
  for _, pair in ipairs(names) do
    local name, label = pair[1], pair[2]
    if keys[name] and keys[name] ~= '' then
      table.insert(parts, keys[name] .. ' ' .. label)
    end
  end
  return table.concat(parts, '  ')
end

---@param since integer hrtime
---@param ms integer
local function within(since, ms)
  return (vim.loop.hrtime() - since) / 1e6 < ms
end

---Whether a key pressed now was meant for the view that opened then. With a
---count it was meant for a motion, or cancels the count.
---@param name string
---@param opened integer hrtime
---@param left_insert integer hrtime; many people press <Esc> twice
---@return boolean
local function meant(name, opened, left_insert)
  local grace = M.options().grace
  if vim.v.count > 0 or within(opened, grace) then
    return false
  end
  return not (name == 'reject' and within(left_insert, math.max(grace, 500)))
end

---@param buf integer
---@param lhs string
---@return boolean whether the buffer has a normal-mode mapping of its own
local function taken(buf, lhs)
  local wanted = vim.api.nvim_replace_termcodes(lhs, true, true, true)
  for _, map in ipairs(vim.api.nvim_buf_get_keymap(buf, 'n')) do
    if vim.api.nvim_replace_termcodes(map.lhs, true, true, true) == wanted then
      return true
    end
  end
  return false
end

---Maps keys in a buffer, normal mode only. Mappings that the buffer has already
---are kept.
---@param buf integer
---@param actions table<string, fun()> by option name ('accept', ...)
---@return fun() unmap
function M.attach(buf, actions)
  local opened = vim.loop.hrtime()
  local left_insert = 0
  local mapped = {}
  local keys = M.options().keys
  for name, action in pairs(actions) do
    local lhs = keys[name]
    if type(lhs) == 'string' and lhs ~= '' and not taken(buf, lhs) then
      vim.keymap.set('n', lhs, function()
        if meant(name, opened, left_insert) then
          action()
        end
      end, { buffer = buf, nowait = true, silent = true, desc = 'SidekickBridge: ' .. name })
      table.insert(mapped, lhs)
    end
  end
  local autocmd = vim.api.nvim_create_autocmd('InsertLeave', {
    buffer = buf,
    callback = function()
      left_insert = vim.loop.hrtime()
    end,
  })
  return function()
    pcall(vim.api.nvim_del_autocmd, autocmd)
    for _, lhs in ipairs(mapped) do
      pcall(vim.keymap.del, 'n', lhs, { buffer = buf })
    end
    mapped = {}
  end
end

---The command line that was entered just now, while it runs.
---@type string?
local typed

---Watches for command lines that the person enters. Cheap, and only while a
---review is open.
---@param group integer augroup
---@param entered fun(command: string) called before the command runs
function M.watch_commands(group, entered)
  vim.api.nvim_create_autocmd('CmdlineLeave', {
    group = group,
    pattern = ':',
    callback = function()
      if vim.v.event.abort then
        return
      end
      typed = vim.fn.getcmdline()
      entered(typed)
      vim.schedule(function()
        typed = nil
      end)
    end,
  })
end

---@param command string
---@return 'write'|'update'|nil 'update': writes only what is modified
function M.write_kind(command)
  local name, bang, rest = command:match('^[%s:]*(%a+)(!?)%s*(.*)$')
  if not name or rest ~= '' or #bang > 1 then
    return nil
  end
  local function abbreviates(full, least)
    return #name >= least and full:sub(1, #name) == name
  end
  if abbreviates('write', 1) or name == 'wq' then
    return 'write'
  elseif abbreviates('xit', 1) or abbreviates('exit', 3) or abbreviates('update', 2) then
    return 'update'
  end
end

---Whether the person themselves just entered :w (or :wq, :x, :up) for this one
---buffer: the only write that is consent. A bulk save is not, nor is a plugin's.
---@return boolean
function M.wrote_on_purpose()
  return typed ~= nil and M.write_kind(typed) ~= nil
end

return M
