-- Loads the runtime, from files (sidekick nvim) or from sources sent over RPC.
-- Called as boot(version, modules): modules maps a module's name to its source,
-- or to a function that returns its chunk.
--
-- Modules go into package.preload, not onto 'runtimepath': plugin managers such
-- as lazy.nvim reset 'runtimepath', and --clean and -u NONE never look there.
local version, modules = ...

local old = package.loaded['_sidekick']
if old and old.version == version then
  return old
end
local handover
if old and old.teardown then
  local ok, left = pcall(old.teardown)
  handover = ok and left or nil
end
for name in pairs(package.loaded) do
  if name == '_sidekick' or name:find('^_sidekick%.') then
    package.loaded[name] = nil
    package.preload[name] = nil
  end
end

for name, source in pairs(modules) do
  package.preload[name] = function(...)
    local chunk, err
    if type(source) == 'function' then
      chunk, err = source()
    else
      chunk, err = loadstring(source, '@' .. name)
    end
    return assert(chunk, err)(...)
  end
end

local runtime = require('_sidekick')
runtime.version = version
runtime.setup(handover)
return runtime
