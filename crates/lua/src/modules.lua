-- `require` and `dofile` for files beside the script, and sentences in the place of what scripts do not have.

local read, bytes = ...
local error, setmetatable, tostring, type, gsub = error, setmetatable, tostring, type, string.gsub

local function absent(name, has, words)
  local function refuse(_, field)
    error(name .. "." .. tostring(field) .. ": " .. words, 2)
  end
  local function index(_, field)
    if has[field] then return has[field] end
    error(name .. "." .. tostring(field) .. ": " .. words, 2)
  end
  return setmetatable({}, { __index = index, __newindex = refuse, __metatable = false })
end

local find, sub, match = string.find, string.sub, string.match
local tonumber, floor, unpack, select, exit, register_exit = tonumber, math.floor, unpack, select, emu.exit, emu.registerexit

-- A file beside the script that is open for reading: its text, and how far it has been read.
local texts, places = setmetatable({}, { __mode = "k" }), setmetatable({}, { __mode = "k" })
local file = {}

local function text_of(handle)
  local text = texts[handle]
  if not text then error("attempt to use a closed file", 3) end
  return text, places[handle]
end

local function line_of(handle)
  local text, place = text_of(handle)
  if place > #text then return nil end
  local last = find(text, "\n", place, true) or #text + 1
  places[handle] = last + 1
  return sub(text, place, last - 1)
end

local function piece_of(handle, format)
  local text, place = text_of(handle)
  if type(format) == "number" then
    if place > #text then return nil end
    places[handle] = place + floor(format)
    return sub(text, place, place + floor(format) - 1)
  end
  local kind = match(tostring(format), "^%*?(%a)")
  if kind == "l" then return line_of(handle) end
  if kind == "a" then
    places[handle] = #text + 1
    return sub(text, place)
  end
  if kind == "n" then
    local first, last = find(text, "^%s*[+-]?%w*%.?%w*", place)
    local number = first and tonumber(match(sub(text, first, last), "%S+"))
    if number then places[handle] = last + 1 end
    return number
  end
  error("bad argument #1 to 'read' (invalid format)", 3)
end

function file.read(handle, ...)
  local count = select("#", ...)
  if count == 0 then return line_of(handle) end
  local pieces = {}
  for i = 1, count do
    pieces[i] = piece_of(handle, (select(i, ...)))
    if pieces[i] == nil then count = i break end
  end
  return unpack(pieces, 1, count)
end

function file.lines(handle)
  text_of(handle)
  return function() return line_of(handle) end
end

function file.seek(handle, whence, offset)
  local text, place = text_of(handle)
  local base = whence == "set" and 1 or whence == "end" and #text + 1 or place
  place = base + (tonumber(offset) or 0)
  if place < 1 then return nil, "Invalid argument" end
  places[handle] = place
  return place - 1
end

function file.close(handle)
  text_of(handle)
  texts[handle] = nil
  return true
end

function file.write() return nil, "scripts read files and do not write them (docs/lua.md)" end

local meta = { __index = file, __metatable = false }
function meta.__tostring(handle) return texts[handle] and "file (beside the script)" or "file (closed)" end

local function open(name)
  local text, reason = bytes(name)
  if not text then return nil, reason, 2 end
  local handle = setmetatable({}, meta)
  texts[handle], places[handle] = text, 1
  return handle
end

local function name_of(name, call)
  if type(name) ~= "string" then
    error("bad argument #1 to '" .. call .. "' (string expected, got " .. (name == nil and "no value" or type(name)) .. ")", 3)
  end
  return name
end

local files = {}

function files.open(name, mode)
  name_of(name, "open")
  if mode ~= nil and not find(tostring(mode), "^rb?$") then
    return nil, name .. ": scripts read files and do not write them (docs/lua.md)", 13
  end
  return open(name)
end

function files.lines(name)
  local handle, reason = open(name_of(name, "lines"))
  if not handle then error(reason, 2) end
  return file.lines(handle)
end

function files.type(value)
  return getmetatable(value) == false and (texts[value] and "file" or places[value] and "closed file") or nil
end

function files.close(handle) return file.close(handle) end

io = absent("io", files, "scripts have no files but those beside them, to read, and the movies, states and screenshots of "
  .. "--files FOLDER (docs/lua.md)")
os = absent("os", {
  -- At once: what is registered for the end is not called.
  exit = function(status)
    register_exit(nil)
    exit(status == true and 0 or status == false and 1 or status)
  end,
}, "scripts have no clock and start no programs, so that they do the same every time; "
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
