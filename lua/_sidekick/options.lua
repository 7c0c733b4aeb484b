---The person's options: the table vim.g.sidekick_bridge.
local M = {}

---One section of the options, what is missing filled in. It is read anew each
---time: our code may be loaded before the person's configuration.
---@generic T: table
---@param section string
---@param defaults T
---@return T
function M.read(section, defaults)
  local all = vim.g.sidekick_bridge
  local own = type(all) == 'table' and all[section]
  if type(own) ~= 'table' then
    own = {}
  end
  return vim.tbl_deep_extend('force', defaults, own)
end

return M
