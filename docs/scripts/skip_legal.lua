-- No legal screen: the counters that keep it there are set to their last step. With a cartridge whose first wait counts
-- in $C3 and with one whose waits both count in $A8.
--
--   maxout lua docs/scripts/skip_legal.lua --frames 60 --screenshot title.png

local MODE, SLEEP, COUNTER = 0xC0, 0xC3, 0xA8

while memory.readbyte(MODE) == 0 do
  if memory.readbyte(SLEEP) > 1 then memory.writebyte(SLEEP, 1) end
  if memory.readbyte(COUNTER) > 1 then memory.writebyte(COUNTER, 1) end
  emu.frameadvance()
end
emu.message("title screen after " .. emu.framecount() .. " frames")
