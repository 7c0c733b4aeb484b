---Few large changes in place of many small ones, for the language servers' sake.
---Neovim's client looks at the whole buffer after each change: thousands of hunks
---in a large file would keep the person waiting for a minute.
local buffers = require('_sidekick.buffers')
local hunks_ = require('_sidekick.reload.hunks')

local M = {}

---How many lines all changes together may make a language client look at: some 50
---milliseconds.
local BUDGET = 10000000

---Puts neighbouring hunks into blocks where changing line by line would make too
---many changes.
---@param buf integer before the change
---@param hunks sidekick.Hunk[]
---@return { first: integer, last: integer }[]? blocks top down, by the hunks' indices; nil: no need
function M.plan(buf, hunks)
  local most = math.max(1, math.floor(BUDGET / vim.api.nvim_buf_line_count(buf)))
  if hunks_.changed(hunks) <= most or not buffers.is_served(buf) then
    return nil
  end
  return hunks_.blocks(hunks, most)
end

---@param buf integer
---@param block { first: integer, last: integer }
---@param target sidekick.Target
local function replace(buf, block, target)
  local text = {}
  local hunks = target.hunks
  for i = block.first, block.last do
    local h = hunks[i]
    vim.list_extend(text, target.lines, h.from, h.from + h.new - 1)
    if i < block.last then
      local below = h.at + h.old
      local between = vim.api.nvim_buf_get_lines(buf, below - 1, hunks[i + 1].at - 1, true)
      vim.list_extend(text, between)
    end
  end
  local top, bottom = hunks[block.first], hunks[block.last]
  vim.api.nvim_buf_set_lines(buf, top.at - 1, bottom.at + bottom.old - 1, true, text)
end

---Changes the text block by block. The person's marks stay at their text; extmarks
---in the lines between the hunks of a block do not.
---@param buf integer in its context
---@param blocks { first: integer, last: integer }[]
---@param target sidekick.Target
function M.change(buf, blocks, target)
  local marks = vim.fn.getmarklist(buf)
  for i = #blocks, 1, -1 do
    replace(buf, blocks[i], target)
  end
  for _, mark in ipairs(marks) do
    local line, column = mark.pos[2], mark.pos[3]
    if mark.mark:match("^'%l$") and line > 0 then
      local lnum, h = hunks_.map(target.hunks, line)
      if not h or h.new > 0 then
        vim.fn.setpos(mark.mark, { buf, lnum, column, 0 })
      end
    end
  end
end

return M
