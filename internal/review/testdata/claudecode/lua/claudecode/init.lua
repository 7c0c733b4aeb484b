-- A stand-in for coder/claudecode.nvim, written by us: it plays the part of its
-- contract that sidekick relies on. See diff.lua.
local M = { state = { initialized = false } }

function M.setup(options)
  M.state.initialized = true
  require('claudecode.diff').options = options.diff_opts or {}
end

return M
