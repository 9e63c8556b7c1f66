-- Takes over from power-on: skips the legal screen, starts a game, and puts each piece where it lies lowest, as fast as
-- the machine goes. Written as scripts for FCEUX are: globals, functions that are called at accesses and instructions,
-- and one loop at the end.
--
--   maxout lua docs/scripts/takeover.lua --frames 3000 --screenshot takeover.png

EMPTY_SQUARE = 0xEF
PLAYFIELD = 0x0400
ORIENTATION_TABLE = 0x8A9C
ROTATION_TABLE = 0x88EE

spawned = true
pieces = 0
colours = 0

-- Squares of an orientation, from the table in ROM: row, tile, column, four times over.
function readOrientations()
  orientations = {}
  for id = 0, 18 do
    local squares = {}
    for i = 1, 4 do
      local address = ORIENTATION_TABLE + 12 * id + 3 * (i - 1)
      squares[i] = { y = memory.readbytesigned(address), x = memory.readbytesigned(address + 2) }
    end
    orientations[id] = squares
  end
end

-- All orientations of a piece, by turning it until it is as it was.
function turns(id)
  local all, turned = {}, id
  repeat
    all[#all + 1] = turned
    turned = memory.readbyteunsigned(ROTATION_TABLE + 2 * turned + 1)
  until turned == id
  return all
end

function fits(id, x, y)
  for _, square in ipairs(orientations[id]) do
    local column, row = x + square.x, y + square.y
    if column < 0 or column > 9 or row > 19 then
      return false
    end
    if row >= 0 and memory.readbyte(PLAYFIELD + 10 * row + column) ~= EMPTY_SQUARE then
      return false
    end
  end
  return true
end

-- How bad a place is: squares that lie high, and holes below them.
function cost(id, x, y)
  local sum = 0
  for _, square in ipairs(orientations[id]) do
    sum = sum + 20 - (y + square.y)
    if fits(id, x, y) and y + square.y < 19 then
      local below = PLAYFIELD + 10 * (y + square.y + 1) + x + square.x
      local own = false
      for _, other in ipairs(orientations[id]) do
        own = own or (other.x == square.x and other.y == square.y + 1)
      end
      if not own and memory.readbyte(below) == EMPTY_SQUARE then
        sum = sum + 15
      end
    end
  end
  return sum
end

function bestPlace(piece)
  local best, bestId, bestX, bestY
  for _, id in ipairs(turns(piece)) do
    for x = 0, 9 do
      local y = 0
      if fits(id, x, y) then
        while fits(id, x, y + 1) do
          y = y + 1
        end
        local c = cost(id, x, y)
        if best == nil or c < best then
          best, bestId, bestX, bestY = c, id, x, y
        end
      end
    end
  end
  return bestId, bestX, bestY
end

-- The row is written when a piece comes in: the program is in its spawn then.
function rowWritten(address, size, value)
  local pc = memory.getregister("pc")
  if value == 0 and pc >= 0x98BA and pc < 0x9907 then
    spawned = true
  end
end

-- At the end of the game's frame the piece goes back to where the player's data are: the place is changed there.
function frameOver()
  if AND(memory.readbyte(0x00C0), 0xFF) ~= 4 then
    spawned = true
    return
  end
  if not spawned or memory.readbyte(0x0048) ~= 1 or memory.readbyte(0x00A7) ~= 4 then
    return
  end
  spawned = false
  local id, x, y = bestPlace(memory.readbyte(0x0042))
  if id == nil then
    return
  end
  pieces = pieces + 1
  for _, player in ipairs({ 0x0040, 0x0060 }) do
    memory.writebyte(player, x)
    memory.writebyte(player + 1, y)
    memory.writebyte(player + 2, id)
    memory.writebyte(player + 5, 0x60) -- it is due to fall
    memory.writebyte(player + 0x0E, 0) -- and does not hang above its first row
  end
end

-- Level 138 and beyond would take their colours from behind the table: the digit is enough.
function coloursWanted()
  colours = colours + 1
end

function levelLoaded()
  memory.setregister("a", memory.readbyte(0x0064) % 10)
end

-- The counters of the legal screen.
function skipLegalScreen()
  while memory.readbyteunsigned(0x00C0) == 0 do
    if memory.readbyteunsigned(0x00C3) > 1 then
      memory.writebyte(0x00C3, 0)
    elseif memory.readbyteunsigned(0x00A8) > 2 then
      memory.writebyte(0x00A8, 1)
    end
    emu.frameadvance()
  end
end

-- Start, pressed for a frame and let go for a while, until a game is on.
function startGame()
  while memory.readbyteunsigned(0x00C0) ~= 4 do
    joypad.set(1, { start = true })
    emu.frameadvance()
    for i = 1, 10 do
      joypad.set(1, { start = false })
      emu.frameadvance()
    end
  end
end

function draw()
  gui.drawtext(4, 10, pieces .. " pieces", "white", "black")
end

emu.speedmode("maximum")
readOrientations()
memory.register(0x0041, rowWritten)
memory.registerwrite(0x0061, frameOver)
memory.registerexecute(0x9808, coloursWanted)
memory.registerexec(0x980A, levelLoaded)
gui.register(draw)
FCEU.message("taking over")
skipLegalScreen()

while true do
  startGame()
  emu.frameadvance()
end
