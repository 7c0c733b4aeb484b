---Which errors language servers report for a file, before and after the agent
---changed it.
local buffers = require('_sidekick.buffers')

local M = { rpc = {} }

---@class sidekick.Error
---@field buf integer
---@field line integer from 1
---@field column integer byte, from 1
---@field message string
---@field source string who reports it, with the error's code
---@field text string the line

---Names of the namespaces of language servers: "vim.lsp.NAME.ID" ("nvim.lsp" from
---0.11 on, "vim.lsp.client-ID" on 0.7).
---@return table<integer, boolean>
local function server_namespaces()
  local found = {}
  for name, id in pairs(vim.api.nvim_get_namespaces()) do
    found[id] = name:match('^n?vim%.lsp%.') ~= nil
  end
  return found
end

---@param diagnostic table
---@return string
local function source(diagnostic)
  local lsp = (diagnostic.user_data or {}).lsp or {}
  local code = diagnostic.code or lsp.code
  local from = diagnostic.source or ''
  if type(code) == 'string' or type(code) == 'number' then
    from = from .. (from == '' and '' or ' ') .. code
  end
  return from
end

---@param bufs integer[]
---@return sidekick.Error[]
local function errors_in(bufs)
  local ours = server_namespaces()
  local found = {}
  for _, buf in ipairs(bufs) do
    local all = vim.diagnostic.get(buf, { severity = vim.diagnostic.severity.ERROR })
    for _, d in ipairs(all) do
      if ours[d.namespace] then
        table.insert(found, {
          buf = buf,
          line = d.lnum + 1,
          column = d.col + 1,
          message = tostring(d.message),
          source = source(d),
          text = vim.api.nvim_buf_get_lines(buf, d.lnum, d.lnum + 1, false)[1] or '',
        })
      end
    end
  end
  return found
end

---Errors of all buffers with a language server. served is false where there is
---none: then there is nothing to wait for either.
---@return { served: boolean, errors: sidekick.Error[] }
function M.rpc.now()
  if not package.loaded['vim.lsp'] then
    return { served = false, errors = {} } -- and no buffer need be looked at
  end
  local bufs = vim.tbl_filter(buffers.is_served, vim.api.nvim_list_bufs())
  return { served = #bufs > 0, errors = errors_in(bufs) }
end

---Waits, without holding up the editor, until the language servers have spoken
---about the buffers and are quiet, or the time is over; then notifies the caller
---of the errors, once.
---@param args { bufs: integer[], quiet: integer, limit: integer, channel: integer, event: string }
---times are in milliseconds
---@return { waiting: boolean }
function M.rpc.await(args)
  local bufs = vim.tbl_filter(buffers.is_served, args.bufs)
  if #bufs == 0 then
    return { waiting = false }
  end
  local group = vim.api.nvim_create_augroup('_sidekick_errors' .. args.channel, {})
  local quiet, limit = vim.loop.new_timer(), vim.loop.new_timer()
  local finished = false
  local finish = vim.schedule_wrap(function()
    if finished then
      return
    end
    finished = true
    quiet:close()
    limit:close()
    pcall(vim.api.nvim_del_augroup_by_id, group)
    local ok, found = pcall(errors_in, vim.tbl_filter(vim.api.nvim_buf_is_loaded, bufs))
    -- The caller may have gone.
    pcall(vim.rpcnotify, args.channel, args.event, { errors = ok and found or {} })
  end)
  vim.api.nvim_create_autocmd('DiagnosticChanged', {
    group = group,
    callback = function(event)
      if not finished and vim.tbl_contains(bufs, event.buf) then
        quiet:stop()
        quiet:start(args.quiet, 0, finish)
      end
    end,
  })
  limit:start(args.limit, 0, finish)
  return { waiting = true }
end

return M
