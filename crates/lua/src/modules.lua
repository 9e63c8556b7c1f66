-- `require` and `dofile` for files beside the script, and sentences in the place of what scripts do not have.

local read = ...
local error, setmetatable, tostring, type, gsub = error, setmetatable, tostring, type, string.gsub

local function absent(name, words)
  local function refuse(_, field)
    error(name .. "." .. tostring(field) .. ": " .. words, 2)
  end
  return setmetatable({}, { __index = refuse, __newindex = refuse, __metatable = false })
end

io = absent("io", "scripts have no files but the movies, states and screenshots of --files FOLDER (docs/lua.md)")
os = absent("os", "scripts have no clock and start no programs, so that they do the same every time; "
  .. "emu.framecount() counts frames (docs/lua.md)")

local loading, loaded = {}, {
  bit = bit, coroutine = coroutine, io = io, math = math, os = os, string = string, table = table, _G = _G,
}
package = { loaded = loaded, path = "./?.lua", cpath = "" }

local native = {}
for name in ("socket socket.core ssl mime mime.core ltn12 lfs gd iuplua iupluacontrols auxlib winapi"):gmatch("%S+") do
  native[name] = true
end

local function check(name, call)
  if type(name) ~= "string" then
    error("bad argument #1 to '" .. call .. "' (string expected, got " .. (name == nil and "no value" or type(name)) .. ")", 3)
  end
end

function dofile(name)
  check(name, "dofile")
  return read(name)()
end

function require(name)
  check(name, "require")
  local module = loaded[name]
  if module == loading then
    error("require '" .. name .. "': it failed before, or requires itself", 2)
  end
  if module == nil and native[name] then
    error("require '" .. name .. "': a library outside Lua; scripts have no network, no windows and no programs "
      .. "(docs/lua.md)", 2)
  end
  if module == nil then
    local chunk = read(gsub(name, "%.", "/") .. ".lua")
    loaded[name] = loading
    module = chunk(name)
    if module == nil and loaded[name] ~= loading then module = loaded[name] end
    if module == nil then module = true end
    loaded[name] = module
  end
  return module
end
