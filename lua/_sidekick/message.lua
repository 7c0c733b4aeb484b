---One short line for the person, at a moment when they can read it.
local M = { rpc = {} }

local default_notify = vim.notify

---Lines that wait for the person to finish what they type.
---@type { text: string, level: integer, holds: fun(): boolean }[]
local waiting = {}

---Cuts text to one screen line: a longer one would raise a hit-enter prompt. It
---loses its beginning, as Neovim's own messages do: a long file name comes first,
---and what is said of the file after it.
---@param text string
---@param width integer columns
---@return string
function M.fit(text, width)
  text = text:gsub('[%c]', ' ')
  if vim.fn.strdisplaywidth(text) <= width then
    return text
  end
  local length = vim.fn.strchars(text)
  local from = 1
  while from < length and vim.fn.strdisplaywidth(vim.fn.strcharpart(text, from)) > width - 1 do
    from = from + 1
  end
  return '<' .. vim.fn.strcharpart(text, from)
end

---The default vim.notify writes into the command line, where a mode line
---("-- INSERT --") or a command being typed hides it. A replacement (nvim-notify,
---noice) has a place of its own.
---@return boolean
local function hidden_now()
  local mode = vim.api.nvim_get_mode().mode
  return vim.notify == default_notify and mode ~= 'n' and mode:sub(1, 1) ~= 't'
end

local function show(text, level)
  local width = math.max(vim.v.echospace or 0, 20) - 1
  vim.notify(M.fit(text, width), level, { title = 'sidekick' })
end

local function flush()
  if #waiting == 0 or hidden_now() then
    return
  end
  local lines = waiting
  waiting = {}
  for _, line in ipairs(lines) do
    if line.holds() then
      show(line.text, line.level)
    end
  end
end

---Shows text now, or once the person is back in normal mode.
---@param text string one sentence
---@param level? integer vim.log.levels; default INFO
---@param holds? fun(): boolean whether there is still something to say, when they are
function M.show(text, level, holds)
  level = level or vim.log.levels.INFO
  holds = holds or function()
    return true
  end
  if not hidden_now() then
    show(text, level)
    return
  end
  for _, line in ipairs(waiting) do
    if line.text == text then
      return
    end
  end
  table.insert(waiting, { text = text, level = level, holds = holds })
  local group = vim.api.nvim_create_augroup('_sidekick_message', {})
  vim.api.nvim_create_autocmd({ 'ModeChanged', 'CmdlineLeave', 'InsertLeave' }, {
    group = group,
    callback = function()
      vim.schedule(function()
        flush()
        if #waiting == 0 then
          pcall(vim.api.nvim_del_augroup_by_name, '_sidekick_message')
        end
      end)
    end,
  })
end

return M
