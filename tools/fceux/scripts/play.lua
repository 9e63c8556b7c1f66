-- Runs in FCEUX: plays a movie, and writes RAM after each frame.
--
-- From the environment: MAXOUT_MOVIE, the movie; MAXOUT_RAM, 2,048 bytes a frame; MAXOUT_FRAMES, how many; MAXOUT_DONE,
-- which appears at the end.

local ram = io.open(os.getenv("MAXOUT_RAM"), "wb")
local frames = tonumber(os.getenv("MAXOUT_FRAMES"))

emu.speedmode("maximum")
emu.frameadvance()
-- As from FCEUX's menu. With --playmov, a power switch in the movie would fill RAM as FCEUX's settings say, which are read
-- after that movie is loaded, and no longer as the movie does.
movie.play(os.getenv("MAXOUT_MOVIE"), true)
while emu.framecount() < frames do
  local before = emu.framecount()
  repeat emu.frameadvance() until emu.framecount() ~= before
  ram:write(memory.readbyterange(0, 0x800))
end
ram:close()
local done = io.open(os.getenv("MAXOUT_DONE"), "w")
done:write("done\n")
done:close()
os.exit()
