//! `memory`, `rom` and `bit`.

use crate::rig::{IMAGE, Rig, message, printed};

#[test]
fn bytes_and_words_are_read_with_and_without_sign_and_as_a_string() {
    let script = r"
        memory.writebyte(0x10, 0xFE)
        memory.writebyte(0x11, 0x80)
        memory.writebyte(0x20, 257)
        memory.writebyte(0x21, -1)
        print(memory.readbyte(0x10), memory.readbyteunsigned(0x10), memory.readbytesigned(0x10))
        print(memory.readword(0x10), memory.readwordunsigned(0x10), memory.readwordsigned(0x10))
        print(memory.readword(0x10, 0x20), memory.readbyte(0x20), memory.readbyte(0x21), memory.readbyte(16.9))
        local bytes = memory.readbyterange(0x10, 2)
        print(#bytes, bytes:byte(1), bytes:byte(2), memory.readbyte(0x810), memory.readbyte(0x12345), memory.readbyte(-1))
    ";
    assert_eq!(printed(script), ["254 254 -2", "33022 33022 -32514", "510 1 255 254", "2 254 128 254 0 0"]);
}

#[test]
fn a_write_reaches_registers_and_the_board_as_the_programs_own_do() {
    // PPUADDR and PPUDATA write into the nametable; the board's serial register takes a bit a
    // write.
    let script = r"
        for i = 1, 60 do emu.frameadvance() end
        memory.writebyte(0x2006, 0x20) memory.writebyte(0x2006, 0x05) memory.writebyte(0x2007, 0x5A)
    ";
    let mut rig = Rig::new(script);
    rig.frames(61);
    let mut plain = Rig::new("");
    plain.frames(60);
    assert_ne!(plain.console.ciram()[5], 0x5A);
    assert!(rig.console.ciram().contains(&0x5A));
}

#[test]
fn registers_are_read_and_set_by_their_names() {
    let script = r#"
        emu.frameadvance()
        for _, name in ipairs{"a", "x", "y", "s", "p", "pc", "A", "PC"} do
            assert(type(memory.getregister(name)) == "number", name)
        end
        memory.setregister("a", 0x123) memory.setregister("X", 2) memory.setregister("y", -1)
        memory.setregister("s", 0xF0) memory.setregister("p", 0xFF) memory.setregister("pc", 0x18000)
        memory.setregister("q", 1)
        print(memory.getregister("a"), memory.getregister("x"), memory.getregister("y"), memory.getregister("s"),
            memory.getregister("p"), memory.getregister("pc"), memory.getregister("q"))
        emu.exit()
    "#;
    // P has no storage for B.
    assert_eq!(printed(script), ["35 2 255 240 239 32768 nil"]);
}

#[test]
fn a_function_for_writes_gets_address_size_and_value_after_the_write() {
    // The NMI counts frames in $B1; the reset has cleared it.
    let script = r#"
        local seen = {}
        memory.registerwrite(0xB1, function(address, size, value)
            assert(memory.readbyte(address) == value)
            seen[#seen + 1] = address .. "/" .. size .. "/" .. value
        end)
        for i = 1, 30 do emu.frameadvance() end
        seen = {}
        emu.frameadvance() emu.frameadvance()
        memory.register(0xB1, nil)
        emu.frameadvance()
        print(#seen, seen[1] ~= seen[2], seen[2] == "177/1/" .. memory.readbyte(0xB1) - 1)
    "#;
    assert_eq!(printed(script), ["2 true true"]);
}

#[test]
fn a_function_for_reads_sees_data_and_code_and_a_range_is_each_of_its_addresses() {
    let script = r"
        local at, code = {}, 0
        memory.registerread(0xB1, 2, function(address) at[address] = (at[address] or 0) + 1 end)
        memory.registerread(0x8005, function() code = code + 1 end)
        for i = 1, 60 do emu.frameadvance() end
        print(at[0xB1] > 20, code > 20, at[0xB3])
        local low
        memory.registerwrite(0xB3, -2, function(address) low = low or address end)
        for i = 1, 3 do emu.frameadvance() end
        print(low)
        emu.exit()
    ";
    assert_eq!(printed(script), ["true true nil", "177"]);
}

#[test]
fn a_program_counter_that_is_set_before_an_instruction_leaves_its_opcode() {
    // As in FCEUX: NOP is over, and goes on behind the new place; LDA # takes its byte from there,
    // though another opcode has been written over it meanwhile.
    let script = r#"
        local function put(address, ...)
            for i, byte in ipairs{...} do memory.writebyte(address + i - 1, byte) end
        end
        put(0x300, 0xA9, 0x01, 0xEA, 0x4C, 0x00, 0x03)
        put(0x306, 0x02, 0xA9, 0x5A, 0x85, 0x10, 0xA9, 0x03, 0x85, 0x11, 0x4C, 0x0F, 0x03)
        put(0x320, 0x02, 0x77, 0x85, 0x12, 0x4C, 0x0B, 0x03)
        memory.writebyte(0x2000, 0)
        memory.setregister("pc", 0x300)
        memory.registerexec(0x302, function() memory.setregister("pc", 0x306) end)
        memory.registerexecute(0x309, function() memory.registerrun(0x309, nil) end)
        memory.registerexec(0x30B, function()
            memory.registerexec(0x30B, nil)
            memory.writebyte(0x30B, 0xA2)
            memory.setregister("pc", 0x320)
        end)
        emu.frameadvance()
        print(memory.readbyte(0x10), memory.readbyte(0x11), memory.readbyte(0x12))
        emu.exit()
    "#;
    assert_eq!(printed(script), ["90 119 119"]);
}

#[test]
fn cycles_and_instructions_are_counted() {
    // INX; JMP back: two instructions in five cycles.
    let script = r#"
        for i, byte in ipairs{0xE8, 0x4C, 0x00, 0x03} do memory.writebyte(0x2FF + i, byte) end
        memory.writebyte(0x2000, 0)
        memory.setregister("pc", 0x300)
        emu.frameadvance()
        debugger.resetcyclescount()
        debugger.resetinstructionscount()
        print(debugger.getcyclescount(), debugger.getinstructionscount())
        emu.frameadvance()
        local cycles, instructions = debugger.getcyclescount(), debugger.getinstructionscount()
        print(cycles > 29700 and cycles < 29850, math.abs(instructions - cycles * 2 / 5) < 2)
        debugger.resetcyclescount()
        emu.poweron()
        print(debugger.getcyclescount() < 100)
    "#;
    assert_eq!(printed(script), ["0 0", "true true", "true"]);
}

#[test]
fn channels_are_shown_with_volume_frequency_and_key() {
    let script = r#"
        local function show(name)
            local channel = sound.get().rp2a03[name]
            print(name, channel.volume, math.floor(channel.frequency + 0.5), math.floor(channel.midikey + 0.5),
                channel.regs.frequency)
        end
        memory.writebyte(0x2000, 0)
        for i, byte in ipairs{0x4C, 0x00, 0x03} do memory.writebyte(0x2FF + i, byte) end
        memory.setregister("pc", 0x300)
        memory.writebyte(0x4015, 0x0F)
        memory.writebyte(0x4000, 0xBF) memory.writebyte(0x4002, 0xFD) memory.writebyte(0x4003, 0)
        memory.writebyte(0x400C, 0x33) memory.writebyte(0x400E, 0x84) memory.writebyte(0x400F, 0x08)
        emu.frameadvance()
        show("square1") show("square2") show("triangle") show("noise")
        local sounds = sound.get().rp2a03
        print(sounds.square1.duty, sounds.noise.short, sounds.dpcm.volume, sounds.dpcm.dmcloop)
        emu.exit()
    "#;
    let lines = printed(script);
    assert_eq!(lines[0], "square1 1 440 69 253");
    assert!(lines[1].starts_with("square2 0 "), "{lines:?}");
    assert!(lines[2].starts_with("triangle 0 "), "{lines:?}");
    assert!(lines[3].starts_with("noise 0.2 ") && lines[3].ends_with(" 4"), "{lines:?}");
    assert_eq!(lines[4], "2 true 0 false");
}

#[test]
fn registers_set_after_a_write_are_what_the_program_goes_on_with() {
    // INX; STX $10; JMP back, from RAM: without the script X counts on.
    let script = r#"
        for i, byte in ipairs{0xE8, 0x86, 0x10, 0x4C, 0x00, 0x03} do memory.writebyte(0x2FF + i, byte) end
        local highest = 0
        memory.registerwrite(0x10, function(_, _, value)
            highest = math.max(highest, value)
            if value >= 5 then memory.setregister("x", 0) end
        end)
        memory.writebyte(0x2000, 0)
        memory.setregister("pc", 0x300)
        for i = 1, 3 do emu.frameadvance() end
        print(highest)
        emu.exit()
    "#;
    assert_eq!(printed(script), ["5"]);
}

#[test]
fn what_is_wrong_with_a_hook_is_said_with_its_line() {
    assert_eq!(
        message("\nmemory.registerwrite(0x10, 'x')"),
        "test.lua:2: expected a function or nil, found string"
    );
    assert_eq!(
        message("memory.registerexec(0x12345, print)"),
        "test.lua:1: expected an address of 0 to 0xFFFF, found 74565"
    );
    assert_eq!(message("\n\nmemory.readbyte()"), "test.lua:3: bad argument #1: expected number, found nil");
    assert_eq!(
        message(
            "memory.registerwrite(1, function() local a = nil + 1 end) memory.setregister('pc', 0x300)\n\
                 for i, b in ipairs{0x85, 1} do memory.writebyte(0x2FF + i, b) end"
        ),
        "test.lua:1: attempt to perform arithmetic on a nil value"
    );
}

#[test]
fn the_image_is_read_as_the_file_has_it_and_a_change_is_executed_and_survives_power() {
    let script = r"
        local bytes = rom.readbyterange(0, 17)
        print(bytes:sub(1, 3), #bytes, bytes:byte(17) == rom.readbyte(16), rom.readbyteunsigned(4), rom.readbyte(10000000))
        for at = 16, 4000 do assert(rom.readbytesigned(at) == (rom.readbyte(at) + 128) % 256 - 128) end
        -- $DF00 holds the demo's pieces.
        local at = 16 + 0xDF00 - 0x8000
        rom.writebyte(at, 0x177)
        print(rom.readbyte(at), memory.readbyte(0xDF00))
        emu.poweron()
        print(memory.readbyte(0xDF00))
        rom.writebyte(16 + 0x8000, 0xA5)
        print(rom.readbyte(16 + 0x8000))
    ";
    let header = IMAGE[4];
    assert_eq!(printed(script), [&format!("NES 17 true {header} 0"), "119 119", "119", "165"]);
    let error = message("rom.writebyte(3, 1)");
    assert_eq!(error, "test.lua:1: expected a place in PRG-ROM or CHR-ROM, found 3");
}

#[test]
fn bits_are_those_of_signed_32_bit_numbers() {
    let script = r"
        print(bit.tobit(0xFFFFFFFF), bit.tobit(2^32 + 5), bit.bnot(0), bit.bswap(0x12345678) == 0x78563412)
        print(bit.band(0xFF, 0x3C, 0x0F), bit.bor(1, 2, 4), bit.bxor(0xFF, 0x0F), bit.band(-1, 0x80000000))
        print(bit.lshift(1, 31), bit.rshift(-1, 28), bit.arshift(-256, 4), bit.lshift(1, 33))
        print(bit.rol(0x80000001, 1), bit.ror(1, 1), bit.tohex(255), bit.tohex(-1, 4), bit.tohex(0xABC, -3))
        print(AND(6, 3), OR(6, 3), XOR(6, 3), BIT(4), SHIFT(256, 4), SHIFT(1, -4))
    ";
    assert_eq!(
        printed(script),
        [
            "-1 5 -1 true",
            "12 7 240 -2147483648",
            "-2147483648 15 -16 2",
            "3 -2147483648 000000ff ffff ABC",
            "2 7 5 16 16 16",
        ]
    );
}

#[test]
fn a_function_for_writes_finds_the_machine_as_the_instruction_leaves_it() {
    // LDA #$12; STA $10; INC $10; INC $0210; PHA; JSR $0320, where it waits.
    let script = r#"
        local program = {0xA9, 0x12, 0x85, 0x10, 0xE6, 0x10, 0xEE, 0x10, 0x02, 0x48, 0x20, 0x20, 0x03}
        for i, byte in ipairs(program) do memory.writebyte(0x2FF + i, byte) end
        for i, byte in ipairs{0x4C, 0x20, 0x03} do memory.writebyte(0x31F + i, byte) end
        memory.writebyte(0x210, 0)
        memory.writebyte(0x2000, 0)
        memory.setregister("s", 0xFF)
        memory.setregister("pc", 0x300)
        local function written(address, size, value)
            local pc, s, a = memory.getregister("pc"), memory.getregister("s"), memory.getregister("a")
            print(string.format("%04X=%02X pc %03X s %02X a %02X", address, value, pc, s, a))
            assert(memory.readbyte(address) == value or address == 0x210)
        end
        memory.registerwrite(0x10, written)
        memory.registerwrite(0x1F0, 0x10, written)
        memory.registerwrite(0x210, written)
        emu.frameadvance()
        emu.exit()
    "#;
    let expected = [
        "0010=12 pc 304 s FF a 12",
        "0010=13 pc 306 s FF a 12",
        "0210=00 pc 309 s FF a 12",
        "0210=01 pc 309 s FF a 12",
        "01FF=12 pc 30A s FE a 12",
        "01FE=03 pc 320 s FC a 12",
        "01FD=0C pc 320 s FC a 12",
    ];
    assert_eq!(printed(script), expected);
}

#[test]
fn a_function_for_reads_finds_what_the_instruction_made_of_it() {
    // LDA $10; CMP $10; JMP to itself.
    let script = r#"
        for i, byte in ipairs{0xA5, 0x10, 0xC5, 0x10, 0x4C, 0x04, 0x03} do memory.writebyte(0x2FF + i, byte) end
        memory.writebyte(0x10, 0x5A)
        memory.writebyte(0x2000, 0)
        memory.setregister("a", 0)
        memory.setregister("pc", 0x300)
        memory.registerread(0x10, function(address, size, value)
            print(address, size, value, memory.getregister("a"), memory.getregister("pc"))
        end)
        local executed = {}
        memory.registerexec(0x302, function(...) executed = {...} end)
        emu.frameadvance()
        print(executed)
        emu.exit()
    "#;
    assert_eq!(printed(script), ["16 1 90 90 770", "16 1 90 90 772", "{770, 1, 0}"]);
}

#[test]
fn a_script_knows_which_cartridge_it_runs_beside() {
    let mut rig = Rig::new(
        "print(rom.gethash('md5'), rom.gethash('base64'), rom.gethash('x') == '', rom.getfilename())",
    );
    rig.script.set_surroundings(None, "maxout");
    let md5 = nes::Cartridge::from_bytes(IMAGE).unwrap().info().md5;
    let checksum = nes::fm2::Movie::checksum_of(md5.0);
    assert_eq!(rig.frames(1).lines(), [format!("{md5} {checksum} true maxout")]);
}
