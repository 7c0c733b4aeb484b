---The text that a person has not saved.
local M = { rpc = {} }

---The text of a modified buffer, up to args.limit bytes.
---@param args { buffer: integer, limit: integer }
---@return { lines: string[], eol: boolean, format: string, bom: boolean, encoding: string, large: boolean }
function M.rpc.text(args)
  local buf = args.buffer
  local size = vim.api.nvim_buf_get_offset(buf, vim.api.nvim_buf_line_count(buf))
  local bo = vim.bo[buf]
  local large = size > args.limit
  return {
    lines = large and {} or vim.api.nvim_buf_get_lines(buf, 0, -1, false),
    eol = bo.endofline or (bo.fixendofline and not bo.binary),
    format = bo.fileformat,
    bom = bo.bomb,
    encoding = bo.fileencoding,
    large = large,
  }
end

return M
