//! Stretches of the fast path: each leaves what single steps leave.

use nes::{Buttons, Cartridge, Config, Console, Reference, Region};
use nes_testing::Image;

/// Runs frames with events that are announced too early: they cost time and change nothing. Here
/// they make a stretch end anywhere. Returns the stretches that took thousands of cycles.
fn beside_single_steps(cartridge: &Cartridge, frames: u64, what: &str) -> u32 {
    let mut fast = Console::new(cartridge.clone(), Config::default());
    let mut slow = Reference::new(cartridge.clone(), Config::default());
    let mut pads = [Buttons::empty(); 2];
    let (mut forwarded, mut number) = (0, 0_u64);
    while fast.frame_number() < frames {
        number += 1;
        let spans = [0, 8, 15, 50, 400, 4000, 20_000];
        fast.run_stretch(pads, spans[(number % 7) as usize] + number % 16);
        forwarded += u32::from(fast.cycle() - slow.console().cycle() > 2000);
        let end = fast.cycle();
        let is_behind = |slow: &Reference| slow.console().cycle() < end;
        while is_behind(&slow) {
            assert!(slow.step(&mut pads, &mut ()).is_continue());
        }
        assert!(fast == *slow.console(), "{what}, cycle {}", fast.cycle());
    }
    forwarded
}

/// Loops, the X and Y that they begin with, and whether they are known.
const LOOPS: [(&[u8], u8, u8, bool); 22] = [
    (&[0x9D, 0x00, 0x02, 0xE8, 0xD0, 0xFA], 0, 0, true), // STA $0200,X; INX; BNE
    (&[0x99, 0x80, 0x07, 0x88, 0xD0, 0xFA], 0, 0, true), // STA $0780,Y; DEY; BNE
    (&[0x95, 0x40, 0xCA, 0x10, 0xFB], 0x1F, 0, true),    // STA $40,X; DEX; BPL
    (&[0x95, 0x40, 0xCA, 0x10, 0xFB], 0x85, 0, true),    // of which the first lap is the last
    (&[0x95, 0xF0, 0xE8, 0xD0, 0xFB], 0x80, 0, true),    // STA $F0,X; INX; BNE
    (&[0xB5, 0x60, 0x95, 0x40, 0xCA, 0x10, 0xF9], 0x1F, 0, true), // LDA $60,X; STA $40,X; DEX; BPL
    (&[0xB5, 0x00, 0x9D, 0x00, 0x06, 0xE8, 0xD0, 0xF8], 0, 0, true), // LDA $00,X; STA $0600,X; INX; BNE
    (&[0xBD, 0x00, 0x03, 0x9D, 0x05, 0x03, 0xE8, 0xD0, 0xF7], 0, 0, true), // over each other
    (&[0xB9, 0xF0, 0x02, 0x99, 0x00, 0x05, 0xC8, 0xD0, 0xF7], 0, 0, true), // over the end of a page
    (&[0x9D, 0x80, 0x1F, 0xE8, 0xD0, 0xFA], 0, 0, true), // out of RAM
    (&[0xBD, 0x00, 0x80, 0x9D, 0x00, 0x04, 0xE8, 0xD0, 0xF7], 0, 0, true), // LDA $8000,X
    (&[0xBD, 0x00, 0x03, 0x99, 0x00, 0x04, 0xE8, 0xD0, 0xF7], 0, 0, false), // X and Y
    (&[0x9D, 0x00, 0x02, 0xC8, 0xD0, 0xFA], 0, 0, false), // X, and Y counts
    (&[0xEA, 0x9D, 0x00, 0x02, 0xE8, 0xD0, 0xFA], 0, 0, false), // branches into its middle
    (&[0x91, 0x22, 0xC8, 0xD0, 0xFB], 0, 0, true),       // STA ($22),Y; INY; BNE
    (&[0xB1, 0x20, 0x91, 0x22, 0x88, 0xD0, 0xF9], 0, 0, true), // LDA ($20),Y; STA ($22),Y; DEY; BNE
    (&[0xB9, 0x00, 0x03, 0x91, 0x22, 0xC8, 0xC0, 0xC8, 0xD0, 0xF6], 0, 0, true), // … CPY #200; BNE
    (&[0x9D, 0x00, 0x02, 0xE8, 0xE0, 0x40, 0xD0, 0xF8], 0xF0, 0, true), // STA $0200,X; INX; CPX #64; BNE
    (&[0xBD, 0x00, 0x03, 0x9D, 0x00, 0x04, 0xCA, 0xE0, 0xFF, 0xD0, 0xF5], 0x30, 0, true), // … CPX #$FF; BNE
    (&[0x91, 0x24, 0xC8, 0xC0, 0x60, 0xD0, 0xF9], 0, 0, true), // over its own pointer
    (&[0x9D, 0x00, 0x02, 0xE8, 0xC0, 0x40, 0xD0, 0xF8], 0, 0, false), // INX; CPY #64
    (&[0x9D, 0x00, 0x02, 0xE8, 0xE0, 0x40, 0x10, 0xF8], 0, 0, false), // CPX #64; BPL
];

/// Pointers at $20, $22 and $24.
const POINTERS: [u16; 3] = [0x03F0, 0x0500, 0x0018];

/// Runs a loop again and again, its first byte at address $8021 plus `shift`. Each NMI counts
/// in $10, and A is another in each round.
fn copying(shift: usize, bytes: &[u8], x: u8, y: u8) -> Cartridge {
    // LDA #$80; STA $2000; again: the pointers; LDX #x; LDY #y
    let mut code = vec![0xA9, 0x80, 0x8D, 0x00, 0x20];
    for (place, byte) in (0x20..).zip(POINTERS.iter().flat_map(|pointer| pointer.to_le_bytes())) {
        code.extend([0xA2, byte, 0x86, place]); // LDX #byte; STX place
    }
    code.extend([0xA2, x, 0xA0, y]);
    code.extend(vec![0xEA; shift]);
    code.extend(bytes);
    // INC $12; ADC $12; JMP again
    code.extend([0xE6, 0x12, 0x65, 0x12, 0x4C, 0x05, 0x80]);
    let image = Image::nrom(&code).put(0x1000, &[0xE6, 0x10, 0x40]); // INC $10; RTI
    Cartridge::from_bytes(&image.bytes()).expect("a valid image")
}

#[test]
fn laps_leave_what_single_steps_do_wherever_a_stretch_ends() {
    for (bytes, x, y, known) in LOOPS {
        assert_eq!(nes::takes_in_laps(bytes), known, "{bytes:02X?}");
        // At the second, the branch crosses a page.
        for shift in [0, 0xDD - bytes.len() + 3] {
            beside_single_steps(&copying(shift, bytes, x, y), 5, &format!("{bytes:02X?} at {shift}"));
        }
    }
}

/// What loops wait by, each with the Z flag as `LDA $10` leaves it.
const WAITS: [&[u8]; 6] = [
    &[0xA5, 0x10],                                                             // LDA $10
    &[0xAD, 0x10, 0x08],                                                       // LDA $0810, its mirror
    &[0xA6, 0x20, 0xAC, 0x00, 0xF0, 0xEA, 0x24, 0x21, 0xA5, 0x10, 0xC9, 0x00], // reads in turn
    &[0x86, 0x22, 0xA5, 0x10],                                                 // STX $22; LDA $10
    &[0xE6, 0x23, 0xA5, 0x10],                                                 // INC $23; LDA $10
    &[0x48, 0x68, 0xA5, 0x10],                                                 // PHA; PLA; LDA $10
];

/// Waits for the NMI, which counts in $10, and between two of them counts in $11.
fn waiting(wait: &[u8]) -> Cartridge {
    let back = |bytes: usize| (bytes as u8).wrapping_neg();
    // LDA #$80; STA $2000; again: LDA #0; STA $10; wait: …
    let mut code = vec![0xA9, 0x80, 0x8D, 0x00, 0x20, 0xA9, 0, 0x85, 0x10];
    code.extend(wait);
    // BEQ wait; INC $11; BNE wait; JMP again
    code.extend([0xF0, back(wait.len() + 2), 0xE6, 0x11, 0xD0, back(wait.len() + 6), 0x4C, 0x05, 0x80]);
    let image = Image::nrom(&code).put(0x1000, &[0xE6, 0x10, 0x40]); // INC $10; RTI
    Cartridge::from_bytes(&image.bytes()).expect("a valid image")
}

#[test]
fn every_stretch_ends_where_single_steps_do() {
    let forwarded: u32 =
        WAITS.iter().map(|wait| beside_single_steps(&waiting(wait), 20, &format!("{wait:02X?}"))).sum();
    assert!(forwarded > 40, "{forwarded} long stretches: the programs do not wait");
}

/// Switches NMI, sprites and a looping sample with its interrupt on, waits for a while and
/// jams.
fn jamming(opcode: u8, waits: u8) -> Cartridge {
    let mut code = vec![];
    for (value, address) in
        [(0x80, 0x2000_u16), (0x1E, 0x2001), (0xCF, 0x4010), (0x01, 0x4013), (0x1F, 0x4015), (0x02, 0x4014)]
    {
        let [low, high] = address.to_le_bytes();
        code.extend([0xA9, value, 0x8D, low, high]); // LDA #value; STA address
    }
    code.extend([0xA2, waits, 0xCA, 0xD0, 0xFD, opcode]); // LDX #waits; DEX; BNE to it
    Cartridge::from_bytes(&Image::nrom(&code).put(0x1000, &[0x40]).bytes()).expect("a valid image")
}

/// Runs both for some frames and compares them after each.
fn compare(opcode: u8, waits: u8, region: Region, frames: u32) -> Console {
    let config = Config { region: Some(region), ..Config::default() };
    let mut fast = Console::new(jamming(opcode, waits), config);
    let mut slow = Reference::new(jamming(opcode, waits), config);
    let mut pads = [Buttons::empty(); 2];
    for frame in 0..frames {
        assert!(fast.run_frame(&mut pads, &mut ()).is_continue());
        assert!(slow.run_frame(&mut pads, &mut ()).is_continue());
        assert!(fast == *slow.console(), "{opcode:02X}, {region}, frame {frame}, cycle {}", fast.cycle());
    }
    assert!(fast.cpu.jammed, "{opcode:02X} does not jam");
    fast
}

#[test]
fn a_jammed_console_is_the_definitions_and_takes_few_steps() {
    for (opcode, waits, region) in [
        (0x02, 1, Region::Ntsc),
        (0x12, 77, Region::Ntsc),
        (0xF2, 200, Region::Ntsc),
        (0x02, 3, Region::Pal),
        (0x92, 120, Region::Pal),
    ] {
        let mut fast = compare(opcode, waits, region, 12);
        let (begin, mut steps) = (fast.cycle(), 0);
        while fast.cycle() < begin + 100_000 {
            fast.run_stretch([Buttons::empty(); 2], u64::MAX);
            steps += 1;
        }
        assert!(steps < 2000, "{opcode:02X}, {region}: {steps} steps for 100,000 cycles");
    }
}

#[test]
fn frames_of_a_jammed_console_are_the_definitions() {
    compare(0x02, 50, Region::Ntsc, 150);
    compare(0x02, 50, Region::Pal, 150);
}
