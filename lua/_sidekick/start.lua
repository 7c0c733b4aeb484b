-- Loads the runtime from the folder that this file lies in. `sidekick nvim` has
-- it run before the person's configuration; its argument is the version.
local version = ...
local uv = vim.uv or vim.loop
local root = debug.getinfo(1, 'S').source:match('^@(.*)/[^/]*$')

---@type table<string, fun(): function?, string?>
local modules = {}

-- A cache may be emptied while Neovim runs. Then the version no longer counts,
-- and the next call over RPC brings the sources again.
local function chunk(path)
  return function()
    local loaded, err = loadfile(path)
    if not loaded and package.loaded['_sidekick'] then
      package.loaded['_sidekick'].version = nil
    end
    return loaded, err
  end
end

local function scan(folder, prefix)
  local entries = uv.fs_scandir(folder)
  while entries do
    local name, kind = uv.fs_scandir_next(entries)
    if not name then
      return
    end
    local path, module = folder .. '/' .. name, name:match('^(.*)%.lua$')
    if module == 'init' then
      modules[prefix] = chunk(path)
    elseif module then
      modules[prefix .. '.' .. module] = chunk(path)
    elseif kind == 'directory' then
      scan(path, prefix .. '.' .. name)
    end
  end
end

scan(root, '_sidekick')
assert(loadfile(root .. '/boot.lua'))(version, modules)
