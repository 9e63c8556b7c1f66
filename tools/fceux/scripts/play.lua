-- Runs in FCEUX, which plays a movie: writes RAM after each frame.
--
-- From the environment: MAXOUT_RAM, 2,048 bytes a frame; MAXOUT_FRAMES, how many; MAXOUT_DONE, which appears at the end.

local ram = io.open(os.getenv("MAXOUT_RAM"), "wb")
local frames = tonumber(os.getenv("MAXOUT_FRAMES"))

emu.speedmode("maximum")
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
