-- Deals pieces of your own choice, again and again, in place of the game's. The cartridge stays as it is: its picker does
-- all that it always does, and only then register A, in which the spawn gets the piece, holds another one.
--
--   maxout lua docs/scripts/pieces.lua --frames 3600 --screenshot pieces.png

PIECES = PIECES or "TIIJLOSZ"

local SPAWN_TABLE = 0x994E  -- in ROM: the orientation in which each piece appears
local PICKED = 0x993A       -- the picker's RTS, behind the instruction that remembers its choice
local STATISTICS = 0x03F0   -- seven counts, low digits as BCD, then hundreds
local ORDER = { T = 0, J = 1, Z = 2, O = 3, S = 4, L = 5, I = 6 }

-- How many pieces this game has counted: a new game begins the sequence anew, and so does a loaded state.
local function counted()
  local sum = 0
  for piece = 0, 6 do
    local low, hundreds = memory.readbyte(STATISTICS + 2 * piece), memory.readbyte(STATISTICS + 2 * piece + 1)
    sum = sum + hundreds * 100 + bit.rshift(low, 4) * 10 + bit.band(low, 15)
  end
  return sum
end

memory.registerexec(PICKED, function()
  local place = counted() % #PIECES + 1
  local piece = ORDER[PIECES:sub(place, place)]
  memory.setregister("a", memory.readbyte(SPAWN_TABLE + piece))
end)
