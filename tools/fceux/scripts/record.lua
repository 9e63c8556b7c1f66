-- Runs in FCEUX: plays the cartridge by buttons alone while FCEUX records a movie, and writes RAM after each frame.
-- A whole A-type game with name entry, a B-type game that the reset button ends, one that the power switch ends, and
-- one more with a pause.
--
-- From the environment: MAXOUT_MOVIE, the movie; MAXOUT_RAM, 2,048 bytes a frame; MAXOUT_DONE, which appears at the end.

local SHAPES, ROTATIONS = 0x8A9C, 0x88EE
local FIELD, EMPTY, WIDTH, HEIGHT = 0x0400, 0xEF, 10, 20
local LEGAL, TITLE, TYPE_MENU, LEVEL_MENU, PLAY = 0, 1, 2, 3, 4
local ACTIVE = 1

local ram = io.open(os.getenv("MAXOUT_RAM"), "wb")
local at = memory.readbyte

-- One frame with these buttons.
local function frame(buttons)
  joypad.set(1, buttons or {})
  local before = emu.framecount()
  repeat emu.frameadvance() until emu.framecount() ~= before
  ram:write(memory.readbyterange(0, 0x800))
end

local function wait(frames)
  for _ = 1, frames do frame() end
end

local function press(button)
  frame({ [button] = true })
  wait(3)
end

-- What is drawn from here on is the same in every recording.
local state = 12345
local function random(n)
  state = (state * 1103515245 + 12345) % 2147483648
  return math.floor(state / 65536) % n
end

local function squares(orientation)
  local all = {}
  for i = 0, 3 do
    local y, x = at(SHAPES + 12 * orientation + 3 * i), at(SHAPES + 12 * orientation + 3 * i + 2)
    all[i + 1] = { y = y < 128 and y or y - 256, x = x < 128 and x or x - 256 }
  end
  return all
end

local function fits(solid, shape, x, y)
  for _, square in ipairs(shape) do
    local column, row = x + square.x, y + square.y
    if column < 0 or column >= WIDTH or row >= HEIGHT then return false end
    if row >= 0 and solid[row * WIDTH + column] then return false end
  end
  return true
end

-- How bad the field is with the piece in it: high columns, holes, steps between neighbours; rows cleared are good.
local function cost(solid, shape, x, y)
  local field = {}
  for cell = 0, WIDTH * HEIGHT - 1 do field[cell] = solid[cell] end
  for _, square in ipairs(shape) do
    if y + square.y < 0 then return math.huge end
    field[(y + square.y) * WIDTH + x + square.x] = true
  end
  local rows, target = 0, HEIGHT - 1
  local left = {}
  for row = HEIGHT - 1, 0, -1 do
    local full = true
    for column = 0, WIDTH - 1 do full = full and field[row * WIDTH + column] end
    if full then
      rows = rows + 1
    else
      for column = 0, WIDTH - 1 do left[target * WIDTH + column] = field[row * WIDTH + column] end
      target = target - 1
    end
  end
  local heights, sum, holes, steps = {}, 0, 0, 0
  for column = 0, WIDTH - 1 do
    local top = 0
    while top < HEIGHT and not left[top * WIDTH + column] do top = top + 1 end
    heights[column] = HEIGHT - top
    sum = sum + HEIGHT - top
    for row = top + 1, HEIGHT - 1 do
      if not left[row * WIDTH + column] then holes = holes + 1 end
    end
    if column > 0 then steps = steps + math.abs(heights[column] - heights[column - 1]) end
  end
  return 0.51 * sum + 0.9 * holes + 0.18 * steps - 0.76 * rows
end

-- Where the piece goes: orientation and column.
local function decide(orientation)
  local solid = {}
  for cell = 0, WIDTH * HEIGHT - 1 do solid[cell] = at(FIELD + cell) < EMPTY end
  local best, best_orientation, best_x
  local turned = orientation
  repeat
    local shape = squares(turned)
    for x = 0, WIDTH - 1 do
      if fits(solid, shape, x, 0) then
        local y = 0
        while fits(solid, shape, x, y + 1) do y = y + 1 end
        local bad = cost(solid, shape, x, y)
        if not best or bad < best then best, best_orientation, best_x = bad, turned, x end
      end
    end
    turned = at(ROTATIONS + 2 * turned + 1)
  until turned == orientation
  return best_orientation, best_x
end

-- Plays until `enough()` or until the game is over. Careless, it lets pieces fall in the middle.
local function play(enough, careless)
  local spawns, orientation, x = -1, nil, nil
  while at(0xC0) == PLAY and at(0x68) ~= 10 and at(0x68) ~= 0 and not enough() do
    local now = at(0x62)
    if at(0x68) ~= ACTIVE or now > 0x12 then
      frame()
    else
      if at(0x1A) ~= spawns then
        spawns = at(0x1A)
        orientation, x = now, 5
        if not careless then orientation, x = decide(now) end
      end
      if not orientation then
        frame()
      elseif now ~= orientation then
        frame({ A = true })
        frame()
      elseif at(0x60) < x then
        frame({ right = true })
        frame()
      elseif at(0x60) > x then
        frame({ left = true })
        frame()
      else
        frame({ down = true })
      end
    end
  end
end

local function pieces(n)
  local last, seen = at(0x1A), 0
  return function()
    if at(0x1A) ~= last then last, seen = at(0x1A), seen + 1 end
    return seen >= n
  end
end

-- From power-on or reset to the type menu.
local function to_type_menu()
  while at(0xC0) ~= TYPE_MENU do
    wait(random(5))
    press("start")
    wait(6)
  end
  wait(10)
end

-- From the type menu into a game. `b_type` chooses the type, `level` the cursor in the level menu.
local function start(b_type, level)
  if b_type then press("right") end
  press("down")
  press("start")
  while at(0xC0) ~= LEVEL_MENU do frame() end
  wait(20 + random(8))
  while at(0x67) % 10 < level and at(0x67) % 10 ~= level do press("right") end
  press("start")
  while at(0xC0) ~= PLAY or at(0x68) ~= ACTIVE do frame() end
end

-- From the closed curtain past the name entry to a menu.
local function leave()
  for _ = 1, 3000 do
    if at(0xC0) ~= PLAY then break end
    if at(0xBD) == 2 then
      press(({ "up", "down", "right", "A" })[random(4) + 1])
      if random(40) == 0 then press("start") end
    else
      wait(20)
      press("start")
    end
  end
  wait(30)
end

emu.speedmode("maximum")
emu.frameadvance()
movie.record(os.getenv("MAXOUT_MOVIE"), 0, "a Lua script in FCEUX")

to_type_menu()
start(false, 5)
play(pieces(tonumber(os.getenv("MAXOUT_PIECES") or "100")))
play(function() return false end, true)
leave()
while at(0xC0) ~= TYPE_MENU do press("B") end
wait(10)
start(true, 4)
play(pieces(30))
emu.softreset()
to_type_menu()
start(false, 9)
play(pieces(30))
emu.poweron()
to_type_menu()
start(false, 8)
play(pieces(20))
press("start")
wait(90)
press("start")
play(pieces(20))
wait(200)

movie.stop()
ram:close()
local done = io.open(os.getenv("MAXOUT_DONE"), "w")
done:write("done\n")
done:close()
os.exit()
