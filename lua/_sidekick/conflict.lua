---A file that changes under unsaved text. Neovim asks what to do (W12) by itself,
---when it is idle or gets the focus, also in the middle of typing: one key is then
---enough to load the file over the text. In its place the person gets a line, and
---`:w` still asks before it overwrites the file.
local message = require('_sidekick.message')

local M = {}

---Whether an autocommand is called for a buffer.
---@param autocmd table of nvim_get_autocmds
---@param buf integer
---@return boolean
local function concerns(autocmd, buf)
  if autocmd.buflocal then
    return autocmd.buffer == buf
  end
  local name = vim.api.nvim_buf_get_name(buf)
  local subject = autocmd.pattern:find('/') and name or vim.fn.fnamemodify(name, ':t')
  return vim.fn.match(subject, vim.fn.glob2regpat(autocmd.pattern)) >= 0
end

---Whether somebody else, a person or a plugin, decides for this buffer.
---@param buf integer
---@param group integer ours
---@return boolean
local function is_decided_elsewhere(buf, group)
  for _, autocmd in ipairs(vim.api.nvim_get_autocmds({ event = 'FileChangedShell' })) do
    if autocmd.group ~= group and concerns(autocmd, buf) then
      return true
    end
  end
  return false
end

---@param buf integer
local function tell(buf)
  local name = vim.fn.fnamemodify(vim.api.nvim_buf_get_name(buf), ':t')
  local text = name .. ' changed on disk, your text is kept (:SidekickBridgeDiff shows both)'
  vim.schedule(function()
    message.show(text, vim.log.levels.WARN, function()
      return vim.api.nvim_buf_is_loaded(buf) and vim.bo[buf].modified
    end)
  end)
end

---Answers the event FileChangedShell.
---@param buf integer
---@param group integer ours
function M.decide(buf, group)
  if is_decided_elsewhere(buf, group) then
    return
  end
  if vim.v.fcs_reason == 'conflict' then
    tell(buf) -- and v:fcs_choice stays empty: nothing is done
  else
    vim.v.fcs_choice = 'ask' -- as if there were no autocommand
  end
end

return M
