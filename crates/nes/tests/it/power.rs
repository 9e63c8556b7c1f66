//! What power-on and the reset button leave behind (NESdev: CPU power up state, PPU power up
//! state): docs/hardware/power.md has the table.

use crate::program::{START, console, console_with, run};
use nes::fm2::RamInit;
use nes::ppu::Quirks;
use nes::{Buttons, Cartridge, Config, Console, IgnoredWrites, RamFill, Reference, Region};
use nes_testing::Image;

/// LDX #0; STX $10; LDA #$80; STA $2000; JMP to itself; in the NMI: INC $10; RTI. It enables the
/// interrupt at once, as the start of cc65's library for the NES does.
fn impatient() -> Cartridge {
    let code = [0xA2, 0x00, 0x86, 0x10, 0xA9, 0x80, 0x8D, 0x00, 0x20, 0x4C, 0x09, 0x80];
    Image::nrom(&code).put(0x1000, &[0xE6, 0x10, 0x40]).cartridge()
}

fn frames(console: &mut Console, count: usize) {
    for _ in 0..count {
        assert!(console.run_frame(&mut [Buttons::empty(); 2], &mut ()).is_continue());
    }
}

#[test]
fn a_program_that_enables_nmi_at_once_counts_frames_unless_the_start_is_strict() {
    for region in [Region::Ntsc, Region::Pal] {
        for phase in 0..4 {
            for (strict_start, counted) in [(false, 99), (true, 0)] {
                let quirks = Quirks { strict_start, ..Quirks::default() };
                let config = Config { phase, region: Some(region), quirks, ..Config::default() };
                let mut console = Console::new(impatient(), config);
                frames(&mut console, 100);
                assert_eq!(console.ram()[0x10], counted, "{region}, phase {phase}, strict: {strict_start}");
            }
        }
    }
}

#[test]
fn the_definition_of_the_console_ignores_the_same_writes() {
    for strict_start in [false, true] {
        let config = Config { quirks: Quirks { strict_start, ..Quirks::default() }, ..Config::default() };
        let (mut fast, mut slow) = (Console::new(impatient(), config), Reference::new(impatient(), config));
        for _ in 0..5 {
            frames(&mut fast, 1);
            assert!(slow.run_frame(&mut [Buttons::empty(); 2], &mut ()).is_continue());
            assert!(fast == *slow.console());
            assert_eq!(fast.board.ignored_writes(), slow.console().board.ignored_writes());
        }
    }
}

#[test]
fn what_was_ignored_is_told_with_register_and_cycle_after_a_reset_too() {
    let mut console = Console::new(impatient(), Config::default());
    frames(&mut console, 3);
    assert_eq!(console.board.ignored_writes(), None);
    console.reset();
    let begin = console.cycle();
    frames(&mut console, 3);
    let expected = IgnoredWrites { register: 0x2000, value: 0x80, cycle: begin + 10, count: 1 };
    assert_eq!(console.board.ignored_writes(), Some(expected));
    let text = expected.to_string();
    assert!(text.contains("1 write before") && text.contains("$80 to $2000 in cycle"), "{text}");
    // On a Famicom the button does not reach the PPU.
    let quirks = Quirks { no_reset: true, ..Quirks::default() };
    let mut console = Console::new(impatient(), Config { quirks, ..Config::default() });
    console.reset();
    frames(&mut console, 3);
    assert_eq!(console.board.ignored_writes(), None);
}

#[test]
fn a_state_goes_to_a_console_that_woke_up_in_the_other_way() {
    let quirks = Quirks { strict_start: true, ..Quirks::default() };
    let mut strict = Console::new(impatient(), Config { quirks, ..Config::default() });
    let mut other = Console::new(impatient(), Config::default());
    run(&mut strict, 5);
    other.load(&strict.save()).expect("a state of the same console");
    assert!(other == strict);
    frames(&mut other, 10);
    assert_eq!(other.ram()[0x10], 0, "its PPU warms up as it did");
}

/// The CPU's registers A, X, Y, S and P.
fn registers(console: &Console) -> [u8; 5] {
    let cpu = &console.cpu;
    [cpu.a, cpu.x, cpu.y, cpu.sp, cpu.p.bits()]
}

#[test]
fn the_cpu_begins_with_zeros_and_a_reset_keeps_what_it_has_but_for_s_and_i() {
    // LDA #1; LDX #2; LDY #3; CLI; SEC; STA $07FF
    let mut console = console(&[0xA9, 1, 0xA2, 2, 0xA0, 3, 0x58, 0x38, 0x8D, 0xFF, 0x07]);
    assert_eq!(registers(&console), [0, 0, 0, 0xFD, 0x24]);
    assert_eq!((console.cpu.pc, console.cycle()), (START, 7));
    run(&mut console, 6);
    assert_eq!(registers(&console), [1, 2, 3, 0xFD, 0x21]);
    console.reset();
    assert_eq!(registers(&console), [1, 2, 3, 0xFA, 0x25]);
    assert_eq!((console.cpu.pc, console.ram()[0x7FF]), (START, 1));
}

#[test]
fn the_apu_is_silent_at_power_on_and_a_reset_clears_4015_and_keeps_the_mode_of_4017() {
    // A pulse is started and the frame counter put into its mode without an interrupt; then the
    // reset is waited for at $8020, and after it (a byte of RAM is set) at $8040.
    let code = [
        0xA5, 0x20, 0xD0, 0x3C, // LDA $20; BNE $8040
        0xE6, 0x20, // INC $20
        0xA9, 0x0F, 0x8D, 0x15, 0x40, // LDA #$0F; STA $4015
        0xA9, 0xC0, 0x8D, 0x17, 0x40, // LDA #$C0; STA $4017
        0xA9, 0x08, 0x8D, 0x03, 0x40, // LDA #$08; STA $4003
        0x4C, 0x15, 0x80, // JMP to itself
    ];
    let image = Image::nrom(&code).put(0x40, &[0x4C, 0x40, 0x80]).bytes();
    let mut console = Console::new(Cartridge::from_bytes(&image).expect("a cartridge"), Config::default());
    assert_eq!(console.peek(0x4015) & 0xDF, 0, "no length runs, no flag is set");
    assert_eq!(console.board.apu().outputs(), [0, 0, 15, 0, 0], "the triangle stands on its first step");
    run(&mut console, 9);
    assert_eq!(console.peek(0x4015) & 0x0F, 1);
    console.reset();
    assert_eq!(console.peek(0x4015) & 0xDF, 0);
    frames(&mut console, 5);
    assert_eq!(console.peek(0x4015) & 0x40, 0, "five steps, without the interrupt that power-on has");
    let mut console = crate::program::console(&[0x4C, 0x00, 0x80]);
    frames(&mut console, 5);
    assert_eq!(console.peek(0x4015) & 0x40, 0x40, "after power-on it is on");
}

#[test]
fn the_button_does_not_reach_the_boards() {
    // Each cartridge: its mapper, a write that moves the bank at $8000, and what is then read
    // there.
    for (mapper, address, value) in [(2, 0xC000, 3), (7, 0x8000, 1), (4, 0x8001, 5)] {
        let idle = [0x4C, 0x00, 0xE0]; // E000 JMP to itself, in each bank that may be there
        let mut image = Image::ines(mapper, 8, 0);
        for bank in 0..16 {
            let at = bank * 0x2000;
            image = image.put(at, &idle).put(at + 0x10, &[bank as u8]).put(at + 0x1FFC, &[0x00, 0xE0]);
        }
        let mut console = Console::new(image.cartridge(), Config::default());
        let before = console.peek(0x8010);
        if mapper == 4 {
            console.write(0x8000, 6);
        }
        console.write(address, value);
        let moved = console.peek(0x8010);
        assert_ne!(moved, before, "mapper {mapper}");
        console.reset();
        assert_eq!(console.peek(0x8010), moved, "mapper {mapper}");
    }
}

#[test]
fn memory_holds_the_fill_at_power_on_and_everything_after_a_reset() {
    let config = Config { ram_fill: 0xA5.into(), ..Config::default() };
    let mut console = console_with(&[0x4C, 0x00, 0x80], config);
    assert!(console.ram().iter().chain(console.ciram()).all(|byte| *byte == 0xA5));
    assert!(console.board.ppu().oam().iter().chain(console.board.ppu().palette_ram()).all(|byte| *byte == 0));
    console.ram_mut()[0x123] = 7;
    console.reset();
    assert_eq!((console.ram()[0x123], console.ram()[0x124]), (7, 0xA5));
}

#[test]
fn what_a_movie_can_say_of_ram_it_says_alike() {
    let filled = |fill| {
        let config = Config { ram_fill: fill, ..Config::default() };
        Console::new(impatient(), config).ram().to_vec()
    };
    for init in [RamInit::Stripes, RamInit::Ones, RamInit::Zeros, RamInit::Random(7)] {
        let said = RamFill::from(init).in_movie().unwrap();
        assert_eq!(filled(RamFill::from(said)), init.bytes());
    }
    for byte in [0x00, 0xFF] {
        let said = RamFill::from(byte).in_movie().unwrap();
        assert_eq!(filled(RamFill::from(said)), [byte; 0x800]);
    }
    assert_eq!(RamFill::Byte(0x55).in_movie(), None);
}
