-- Loads the runtime from the folder that this file lies in. `sidekick nvim` has
-- it run before the person's configuration; its argument is the version.
local version = ...
local uv = vim.uv or vim.loop
local root = debug.getinfo(1, 'S').source:match('^@(.*)/[^/]*$')

-- A file that does not load is broken, and the next start writes a missing one
-- anew. Where it fails later, when its module is first needed, this version no
-- longer counts, and the next call over RPC brings the sources.
---@param path string
---@return function? chunk
---@return string? err
local function load(path)
  local chunk, err = loadfile(path)
  if not chunk then
    os.remove(path)
    local runtime = package.loaded['_sidekick']
    if type(runtime) == 'table' then
      runtime.version = nil
    end
  end
  return chunk, err
end

---@type table<string, fun(): function?, string?>
local modules = {}

---@param folder string
---@param prefix string of the modules in it
local function scan(folder, prefix)
  local entries = uv.fs_scandir(folder)
  while entries do
    local name, kind = uv.fs_scandir_next(entries)
    if not name then
      return
    end
    local path, module = folder .. '/' .. name, name:match('^(.*)%.lua$')
    if module then
      modules[module == 'init' and prefix or prefix .. '.' .. module] = function()
        return load(path)
      end
    elseif kind == 'directory' then
      scan(path, prefix .. '.' .. name)
    end
  end
end

scan(root, '_sidekick')
local boot = load(root .. '/boot.lua')
if not (boot and pcall(boot, version, modules)) then
  package.loaded['_sidekick'] = nil -- require() leaves a mark of what it began
end
