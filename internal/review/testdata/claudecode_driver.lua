-- Plays the part of Claude for a claudecode.nvim, ours or a real one:
-- driver(folder of the plugin, diff_opts) sets it up.
local folder, diff_opts = ...
vim.opt.runtimepath:prepend(folder)
require('claudecode').setup({
  auto_start = false,
  terminal = { provider = 'none' },
  track_selection = false,
  diff_opts = diff_opts,
})
local diff = require('claudecode.diff')
local answers = {}
_G.claude_deferred_responses = {}

_G.driver = {
  open = function(path, contents, tab)
    local co = coroutine.create(diff.open_diff_blocking)
    _G.claude_deferred_responses[tostring(co)] = function(response)
      answers[tab] = { response.content[1].text, (response.content[2] or {}).text or '' }
    end
    local ok, result = coroutine.resume(co, path, path, contents, tab)
    assert(ok, vim.inspect(result))
    -- A version may answer through the coroutine's end.
    if coroutine.status(co) == 'dead' and type(result) == 'table' and result.content then
      answers[tab] = { result.content[1].text, (result.content[2] or {}).text or '' }
    end
  end,
  answer = function(tab)
    return answers[tab] or {}
  end,
  close = function(tab)
    diff.close_diff_by_tab_name(tab)
  end,
  -- The proposal's buffer.
  buffer = function(tab)
    for _, buf in ipairs(vim.api.nvim_list_bufs()) do
      local ok, name = pcall(vim.api.nvim_buf_get_var, buf, 'claudecode_diff_tab_name')
      if ok and name == tab then
        return buf
      end
    end
    return 0
  end,
}
