-- The part of the interface that is Lua: waiting for a frame, print, and old names.

local yield, running, write_line = coroutine.yield, coroutine.running, emu.write_line
local concat, select, tostring, type, pairs = table.concat, select, tostring, type, pairs
emu.write_line = nil

function emu.frameadvance()
  if not running() then
    error("emu.frameadvance: a function that the emulator calls cannot wait for a frame", 2)
  end
  yield()
end

local function show(value, depth)
  if type(value) ~= "table" or depth > 3 then return tostring(value) end
  local list, seen = {}, 0
  for i, item in ipairs(value) do
    list[i] = show(item, depth + 1)
    seen = i
  end
  local named = {}
  for key, item in pairs(value) do
    if type(key) ~= "number" or key < 1 or key > seen or key % 1 ~= 0 then
      named[#named + 1] = tostring(key) .. "=" .. show(item, depth + 1)
    end
  end
  table.sort(named)
  for _, item in ipairs(named) do list[#list + 1] = item end
  return "{" .. concat(list, ", ") .. "}"
end

function print(...)
  local parts = {}
  for i = 1, select("#", ...) do
    local value = select(i, ...)
    local plain = type(value) ~= "table" or getmetatable(value)
    parts[i] = plain and tostring(value) or show(value, 1)
  end
  write_line(concat(parts, " "))
end

emu.print = print
emu.readonly, emu.getreadonly, emu.setreadonly = movie.readonly, movie.readonly, movie.setreadonly
FCEU = emu
AND, OR, XOR = bit.band, bit.bor, bit.bxor
function SHIFT(value, by) return by < 0 and bit.lshift(value, -by) or bit.rshift(value, by) end
function BIT(place) return bit.lshift(1, place) end

-- Scripts for Mesen have a table of the same name: whoever runs one is told so.
local mesen = "addEventCallback removeEventCallback addMemoryCallback removeMemoryCallback read read16 read32 write write16 "
  .. "write32 memType eventType callbackType cpuType getState setState drawString drawRectangle drawLine drawPixel log "
  .. "displayMessage getInput setInput getMouseState isKeyPressed takeScreenshot loadSavestate createSavestate "
  .. "getRomInfo getScreenBuffer setScreenBuffer getLogWindowLog resume breakExecution execute reset stop rewind"
local of_mesen = {}
for name in mesen:gmatch("%a+%d*") do of_mesen[name] = true end
setmetatable(emu, {
  __index = function(_, name)
    if of_mesen[name] then
      error("emu." .. name .. ": this is a script for Mesen, and scripts here have the functions of FCEUX (docs/lua.md)", 2)
    end
  end,
  __metatable = false,
})
