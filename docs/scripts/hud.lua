-- What the game keeps to itself, over the picture: the piece in play and the next one, the shift counter (DAS), the
-- random number register and how many pieces have been picked. It only reads: the game goes on as without it.
--
--   maxout lua docs/scripts/hud.lua --frames 900 --screenshot hud.png

local PIECE_TYPES = 0x993B -- in ROM: the piece of each orientation
local LETTERS = "TJZOSLI"

-- A game that is played, or the demo.
local function playing()
  return memory.readbyte(0xC0) == 4 or memory.readbyte(0xC0) == 5
end

local function letter(orientation)
  if orientation > 0x12 or not playing() then return "-" end
  local place = memory.readbyte(PIECE_TYPES + orientation) + 1
  return LETTERS:sub(place, place)
end

local function text()
  return string.format("%s NEXT %s  DAS %2d  LFSR %02X%02X  PICK %3d",
    letter(memory.readbyte(0x62)), letter(memory.readbyte(0xBF)), memory.readbyte(0x66),
    memory.readbyte(0x17), memory.readbyte(0x18), memory.readbyte(0x1A))
end

gui.register(function()
  gui.text(4, 10, text(), "white", "#000000C0")
  if playing() then
    -- The shift counter as a bar of sixteen steps, red where the next frame shifts.
    local das = math.min(memory.readbyte(0x66), 16)
    gui.box(4, 20, 4 + 3 * 16 + 1, 24, "#000000C0", "gray")
    if das > 0 then gui.box(5, 21, 4 + 3 * das, 23, das >= 15 and "red" or "green", "clear") end
  end
end)
