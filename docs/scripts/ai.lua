-- Plays by itself, without gravity: each piece is put at the best place that it can get to, and locks there. The search
-- and the weights are those of "Applying Artificial Intelligence to Nintendo Tetris": every lock of the piece in play by
-- breadth-first search, every lock of the next one after it, and the lowest weighted sum of six factors.
--
-- What a cartridge knows is read from it: shapes, rotations, kinds of pieces.
--
--   maxout lua docs/scripts/ai.lua --frames 3600 --screenshot ai.png

local WIDTH, HEIGHT, CELLS = 10, 20, 200
local SHAPES, ROTATIONS, PIECE_TYPES = 0x8A9C, 0x88EE, 0x993B -- tables in ROM
local LEVEL_COLOURS, POINTS_LOOP = 0x980A, 0x9C37             -- in routines
local FIELD, EMPTY = 0x0400, 0xEF

local LINES, LOCK_HEIGHT, WELLS = 1.0, 12.885008263218383, 15.842707182438396
local HOLES, COLUMN_CHANGES, ROW_CHANGES = 26.89449650779595, 27.616914062397015, 30.18511071927904

-- The shapes: of each orientation four columns and four rows around its centre, and the lowest row of the centre.
local columns, rows, floor, others = {}, {}, {}, {}
for orientation = 0, 0x12 do
  local xs, ys, lowest = {}, {}, -9
  for cell = 0, 3 do
    local at = SHAPES + 12 * orientation + 3 * cell
    ys[cell + 1], xs[cell + 1] = memory.readbytesigned(at), memory.readbytesigned(at + 2)
    lowest = math.max(lowest, ys[cell + 1])
  end
  columns[orientation], rows[orientation], floor[orientation] = xs, ys, HEIGHT - 1 - lowest
  -- What B and A make of it: once, if it is the same, and not at all if it does not turn.
  local b, a = memory.readbyte(ROTATIONS + 2 * orientation), memory.readbyte(ROTATIONS + 2 * orientation + 1)
  local turns = {}
  if b ~= orientation then turns[1] = b end
  if a ~= b and a ~= orientation then turns[#turns + 1] = a end
  others[orientation] = turns
end

-- Does it fit? The board is a list of 200 cells, true where solid; above it is room.
local function fits(board, orientation, x, y)
  local xs, ys = columns[orientation], rows[orientation]
  for cell = 1, 4 do
    local cx, cy = x + xs[cell], y + ys[cell]
    if cx < 0 or cx >= WIDTH or cy >= HEIGHT then return false end
    if cy >= 0 and board[cy * WIDTH + cx] then return false end
  end
  return true
end

-- Every place where a piece can lock, in the order in which the search comes to it: lists of x, y and orientation.
local function locks(board, orientation)
  local found_x, found_y, found_o = {}, {}, {}
  if not fits(board, orientation, 5, 0) then return found_x, found_y, found_o end
  local queue_x, queue_y, queue_o, visited = { 5 }, { 0 }, { orientation }, {}
  visited[orientation * CELLS + 5] = true
  local head, tail = 1, 1
  local function child(o, x, y)
    if y < 0 or not fits(board, o, x, y) then return false end
    local key = o * CELLS + y * WIDTH + x
    if not visited[key] then
      visited[key] = true
      tail = tail + 1
      queue_x[tail], queue_y[tail], queue_o[tail] = x, y, o
    end
    return true
  end
  while head <= tail do
    local x, y, o = queue_x[head], queue_y[head], queue_o[head]
    head = head + 1
    for _, turned in ipairs(others[o]) do child(turned, x, y) end
    child(o, x - 1, y)
    child(o, x + 1, y)
    if not child(o, x, y + 1) then
      local n = #found_x + 1
      found_x[n], found_y[n], found_o[n] = x, y, o
    end
  end
  return found_x, found_y, found_o
end

-- The board with a piece in it, full rows removed, and how many they were.
local function lock(board, orientation, x, y)
  local locked = {}
  for cell = 0, CELLS - 1 do locked[cell] = board[cell] end
  local xs, ys = columns[orientation], rows[orientation]
  for cell = 1, 4 do
    local cy = y + ys[cell]
    if cy >= 0 then locked[cy * WIDTH + x + xs[cell]] = true end
  end
  local lines = 0
  for row = math.max(1, y - 2), math.min(HEIGHT - 1, y + 1) do
    local full = true
    for cell = row * WIDTH, row * WIDTH + WIDTH - 1 do
      if not locked[cell] then full = false break end
    end
    if full then
      lines = lines + 1
      for cell = row * WIDTH + WIDTH - 1, WIDTH, -1 do locked[cell] = locked[cell - WIDTH] end
      for cell = 0, WIDTH - 1 do locked[cell] = false end
    end
  end
  return locked, lines
end

-- Wells, holes, and changes between solid and empty along columns and rows.
local function factors(board)
  local top = {}
  for x = 0, WIDTH - 1 do
    local y = 0
    while y < HEIGHT - 1 and not board[y * WIDTH + x] do y = y + 1 end
    top[x] = y
  end
  local wells, holes, column_changes, row_changes = 0, 0, 0, 0
  for x = 0, WIDTH - 1 do
    -- The solid top of a column counts as a cell of its well.
    for y = top[x], 0, -1 do
      local left = x == 0 or board[y * WIDTH + x - 1]
      local right = x == WIDTH - 1 or board[y * WIDTH + x + 1]
      if left and right then wells = wells + 1 end
    end
    local above = board[top[x] * WIDTH + x]
    for y = top[x] + 1, HEIGHT - 1 do
      local here = board[y * WIDTH + x]
      if (above and not here) or (here and not above) then
        column_changes = column_changes + 1
        if above then holes = holes + 1 end
      end
      above = here
    end
  end
  for y = 0, HEIGHT - 1 do
    local changes, solid, before = 0, false, true
    for cell = y * WIDTH, y * WIDTH + WIDTH - 1 do
      local here = board[cell] or false
      solid = solid or here
      if here ~= before then changes = changes + 1 end
      before = here
    end
    if not before then changes = changes + 1 end
    if solid then row_changes = row_changes + changes end
  end
  return wells, holes, column_changes, row_changes
end

-- The place of the lowest sum after both pieces; of equal ones the first that was found. nil if there is none.
local function decide(board, current, next)
  local best, best_x, best_y, best_o
  local xs, ys, os = locks(board, current)
  for first = 1, #xs do
    local x, y, o = xs[first], ys[first], os[first]
    local board1, lines1 = lock(board, o, x, y)
    local height1 = floor[o] - y
    local xs2, ys2, os2 = locks(board1, next)
    for second = 1, #xs2 do
      local o2, y2 = os2[second], ys2[second]
      local board2, lines2 = lock(board1, o2, xs2[second], y2)
      local wells, holes, column_changes, row_changes = factors(board2)
      local sum = LINES * (lines1 + lines2) + LOCK_HEIGHT * (height1 + floor[o2] - y2) + WELLS * wells + HOLES * holes
        + COLUMN_CHANGES * column_changes + ROW_CHANGES * row_changes
      if not best or sum < best then best, best_x, best_y, best_o = sum, x, y, o end
    end
  end
  return best_x, best_y, best_o
end

local function field()
  local bytes, board = memory.readbyterange(FIELD, CELLS), {}
  for cell = 0, CELLS - 1 do board[cell] = bytes:byte(cell + 1) < EMPTY end
  return board
end

-- The player's block at $60 holds between frames, the one at $40 within a frame: both, as the game is copying them.
local function put(offset, value)
  memory.writebyte(0x40 + offset, value)
  memory.writebyte(0x60 + offset, value)
end

local spawned, pieces = true, 0

-- A piece comes in: the spawn writes its row. From here on it is there at the end of the frame.
memory.registerwrite(0x0041, function()
  local pc = memory.getregister("pc")
  if pc >= 0x98BA and pc < 0x9907 then spawned = true end
end)

-- The end of the game's frame: what holds is written back.
memory.registerwrite(0x0061, function()
  if memory.readbyte(0xC0) ~= 4 then spawned = true return end
  local in_play = memory.readbyte(0xA7) == 4 and memory.readbyte(0x48) == 1
  if not (spawned and in_play) then return end
  spawned = false
  local x, y, orientation = decide(field(), memory.readbyte(0x42), memory.readbyte(0xBF))
  if not x then return end
  pieces = pieces + 1
  put(0, x)
  put(1, y)
  put(2, orientation)
  put(5, 0x60)  -- the fall timer has run out
  put(0x0E, 0)  -- and the first piece does not hang
end)

-- From level 138 on the search for the last digit ends at once, and any bytes become colours: the digit is given
-- instead of the level, which has just been loaded.
memory.registerexec(LEVEL_COLOURS, function()
  memory.setregister("a", memory.readbyte(0x64) % 10)
end)

-- The points are added level + 1 times; from level 155 on that takes longer than a frame, and the game may crash.
memory.registerexec(POINTS_LOOP, function()
  if memory.readbyte(0xA8) > 30 then memory.writebyte(0xA8, 30) end
end)

gui.register(function()
  gui.text(4, 10, pieces .. " pieces", "white", "#000000C0")
end)

while true do
  -- Start, until a game is on.
  joypad.set(1, { start = memory.readbyte(0xC0) ~= 4 and emu.framecount() % 20 == 0 or nil })
  emu.frameadvance()
end
