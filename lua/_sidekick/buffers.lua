---Which buffers hold a file.
local M = {}

---@class sidekick.FileNames
---@field names string[] every absolute name under which the file is known
---@field dev integer 0 where the file does not exist
---@field inode integer

---Whether a buffer shows a file that is edited as text: not a terminal, a help
---page, a directory, or another plugin's acwrite buffer.
---@param buf integer
---@return boolean
function M.is_file(buf)
  return vim.api.nvim_buf_is_loaded(buf)
    and vim.api.nvim_buf_get_option(buf, 'buftype') == ''
    and vim.api.nvim_buf_get_name(buf) ~= ''
end

---@param buf integer
---@return boolean
function M.is_visible(buf)
  return #vim.fn.win_findbuf(buf) > 0
end

---Whether a language server follows a buffer.
---@param buf integer
---@return boolean
function M.is_served(buf)
  if not package.loaded['vim.lsp'] or not vim.api.nvim_buf_is_loaded(buf) then
    return false
  end
  if vim.lsp.get_clients then
    return #vim.lsp.get_clients({ bufnr = buf }) > 0
  end
  return next(vim.lsp.buf_get_clients(buf)) ~= nil
end

---@param name string a buffer's name
---@param file sidekick.FileNames
---@return boolean
local function holds(name, file)
  for _, candidate in ipairs(file.names) do
    if name == candidate then
      return true
    end
  end
  local stat = vim.loop.fs_stat(name)
  if stat then
    return file.inode ~= 0 and stat.ino == file.inode and stat.dev == file.dev
  end
  -- Not on disk yet: the folder may still be known by another name.
  local folder = vim.loop.fs_realpath(vim.fn.fnamemodify(name, ':h'))
  local real = folder and (folder .. '/' .. vim.fn.fnamemodify(name, ':t'))
  return real ~= nil and vim.tbl_contains(file.names, real)
end

---Loaded buffers that hold the file, under whatever name.
---@param file sidekick.FileNames
---@return integer[]
function M.of_file(file)
  return vim.tbl_filter(function(buf)
    return M.is_file(buf) and holds(vim.api.nvim_buf_get_name(buf), file)
  end, vim.api.nvim_list_bufs())
end

return M
