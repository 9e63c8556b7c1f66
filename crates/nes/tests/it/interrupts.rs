//! When the CPU sees the lines, counted in cycles (NESdev: CPU interrupts; APU frame counter).

use crate::program::{IRQ, NMI, console, console_with, run};
use nes::{Access, BusEvent, Buttons, Config, Console, cpu};

/// Runs until a vector has been read; returns the cycle of its first byte.
fn cycle_of_vector(console: &mut Console, vector: u16) -> u64 {
    for _ in 0..200_000 {
        let cycles = crate::program::trace(console);
        let is_vector = |c: &&BusEvent| c.access == Access::Cpu(cpu::Access::Vector) && c.address == vector;
        if let Some(event) = cycles.iter().find(is_vector) {
            return event.cycle;
        }
    }
    panic!("no interrupt through ${vector:04X}");
}

/// JMP to itself, 3 cycles.
const SPIN: [u8; 3] = [0x4C, 0x05, 0x80];

/// Cycles from the write to $4017 to the read of the IRQ vector. `before` delays the write, `after`
/// the loop of 3 cycles that waits.
fn cycles_to_frame_irq(before: &[u8], after: &[u8]) -> u64 {
    let mut code = vec![0xA9, 0x00]; // LDA #0
    code.extend(before);
    code.extend([0x8D, 0x17, 0x40, 0x58]); // STA $4017; CLI
    code.extend(after);
    code.push(0x4C); // JMP to itself
    code.extend((crate::program::START + code.len() as u16 - 1).to_le_bytes());
    let mut console = console(&code);
    let mut write = 0;
    while write == 0 {
        let cycles = crate::program::trace(&mut console);
        write = cycles.iter().find(|c| c.write && c.address == 0x4017).map_or(0, |c| c.cycle);
    }
    let vector = cycle_of_vector(&mut console, 0xFFFE);
    assert_eq!(console.cpu.pc, IRQ);
    vector - write
}

#[test]
fn the_frame_irq_comes_to_the_cycle() {
    // A loop of 3 cycles finds the line in the cycle after the one in which it rose, or one or two
    // later, by where the loop began: NOP, LDA $00, NOP NOP shift it.
    let spread = |before: &[u8]| {
        let mut waits =
            [&[0xEA][..], &[0xA5, 0x00], &[0xEA, 0xEA]].map(|after| cycles_to_frame_irq(before, after));
        waits.sort_unstable();
        waits
    };
    let mut parities = [spread(&[]), spread(&[0xA5, 0x00])];
    parities.sort_unstable();
    // The line rises 29,831 or 29,832 cycles after the write, by get and put. A poll finds it one
    // cycle later, and the vector is read in the sixth cycle after the poll.
    assert_eq!(parities, [[29_838, 29_839, 29_840], [29_839, 29_840, 29_841]]);
}

#[test]
fn an_irq_waits_for_the_i_flag() {
    // LDA #0; STA $4017; JMP self with I set, as after reset.
    let code = [0xA9, 0x00, 0x8D, 0x17, 0x40, 0x4C, 0x05, 0x80];
    let mut console = console(&code);
    for _ in 0..4 {
        let _ = console.run_frame(&mut [Buttons::empty(); 2], &mut ());
    }
    assert_eq!(console.cpu.pc, 0x8005);
}

#[test]
fn nmi_comes_once_a_frame_while_it_is_enabled() {
    // wait for warm-up: BIT $2002; BPL -5 (twice); LDA #$80; STA $2000; JMP self
    let code = [
        0x2C, 0x02, 0x20, 0x10, 0xFB, 0x2C, 0x02, 0x20, 0x10, 0xFB, 0xA9, 0x80, 0x8D, 0x00, 0x20, 0x4C, 0x0F,
        0x80,
    ];
    let mut console = console(&code);
    cycle_of_vector(&mut console, 0xFFFA);
    let mut last = cycle_of_vector(&mut console, 0xFFFA);
    let mut between = Vec::new();
    for _ in 0..6 {
        let next = cycle_of_vector(&mut console, 0xFFFA);
        between.push(next - last);
        last = next;
    }
    assert_eq!(console.cpu.pc, NMI);
    // 29,780 2/3 cycles a frame, seen through a loop of 3 cycles.
    assert!(between.iter().all(|cycles| (29_778..=29_784).contains(cycles)), "{between:?}");
}

#[test]
fn every_phase_has_a_frame_of_29780_and_two_thirds_cycles() {
    for phase in 0..4 {
        let mut console = console_with(&SPIN_AT_START, Config { phase, ..Config::default() });
        let mut pads = [Buttons::empty(); 2];
        let _ = console.run_frame(&mut pads, &mut ());
        let start = console.cycle();
        for _ in 0..30 {
            let _ = console.run_frame(&mut pads, &mut ());
        }
        let cycles = console.cycle() - start;
        // Rendering is off: no dot is skipped. 30 frames are 893,420 cycles.
        assert!(cycles.abs_diff(893_420) <= 3, "phase {phase}: {cycles}");
    }
}

const SPIN_AT_START: [u8; 3] = [0x4C, 0x00, 0x80];

#[test]
fn the_reset_button_restarts_through_the_vector_and_keeps_ram() {
    // LDA #$77; STA $10; LDX #$05; JMP self
    let mut console = console(&[0xA9, 0x77, 0x85, 0x10, 0xA2, 0x05, 0x4C, 0x06, 0x80]);
    run(&mut console, 5);
    let sp = console.cpu.sp;
    let cycle = console.cycle();
    console.reset();
    assert_eq!(console.cycle(), cycle + 7);
    assert_eq!(console.cpu.pc, crate::program::START);
    assert_eq!(console.cpu.sp, sp.wrapping_sub(3));
    assert_eq!(console.ram()[0x10], 0x77);
    assert_eq!(console.cpu.x, 0x05);
}

/// A console in the first cycles of a vertical blank whose interrupt is still to come, and how many
/// interrupts there were. After a reset it notes at $11 what $2002 says.
fn at_vblank() -> (Console, u8) {
    // INC $10; LDA $2002; STA $11; LDA #$80; STA $2000; INC $12; JMP the last
    let mut console = console(&[
        0xE6, 0x10, 0xAD, 0x02, 0x20, 0x85, 0x11, 0xA9, 0x80, 0x8D, 0x00, 0x20, 0xE6, 0x12, 0x4C, 0x0C, 0x80,
    ]);
    let mut pads = [Buttons::empty(); 2];
    for _ in 0..4 {
        let _ = console.run_frame(&mut pads, &mut ());
    }
    assert_eq!(console.peek(0x2002) & 0x80, 0x80, "the vertical blank has just begun");
    let interrupts = console.ram()[0x20];
    (console, interrupts)
}

#[test]
fn the_reset_button_leaves_the_vblank_flag_and_takes_the_place_of_its_interrupt() {
    let (mut console, interrupts) = at_vblank();
    console.reset();
    run(&mut console, 6);
    assert_eq!((console.ram()[0x10], console.ram()[0x11] & 0x80), (2, 0x80));
    assert_eq!((console.board.ppu().nmi_edge(), console.ram()[0x20]), (None, interrupts));
}

#[test]
fn the_reset_button_between_two_frames_is_pressed_before_the_vblank_that_has_just_begun() {
    let (mut console, interrupts) = at_vblank();
    console.reset_between_frames();
    run(&mut console, 6);
    assert_eq!((console.ram()[0x10], console.ram()[0x11] & 0x80), (2, 0));
    assert_eq!((console.board.ppu().nmi_edge(), console.ram()[0x20]), (None, interrupts));
}

#[test]
fn power_on_is_a_reset_sequence() {
    let console = console(&SPIN);
    assert_eq!((console.cpu.pc, console.cpu.sp), (crate::program::START, 0xFD));
    assert_eq!(console.cycle(), 7);
}

/// An MMC3 whose counter is started with `latch`, in vblank, with `control` in `PPUCTRL`.
fn mmc3(control: u8, latch: u8) -> Console {
    // No interrupt of the frame counter's; twice BIT $2002; BPL. Then the counter, PPUCTRL,
    // PPUMASK; CLI; JMP to itself.
    let mut code = vec![0xA9, 0x40, 0x8D, 0x17, 0x40];
    code.extend([0x2C, 0x02, 0x20, 0x10, 0xFB].repeat(2));
    code.extend([0xA9, latch, 0x8D, 0x00, 0xC0, 0x8D, 0x01, 0xC0, 0x8D, 0x01, 0xE0]);
    code.extend([0xA9, control, 0x8D, 0x00, 0x20, 0xA9, 0x18, 0x8D, 0x01, 0x20, 0x58]);
    let here = crate::program::START + code.len() as u16;
    code.push(0x4C);
    code.extend(here.to_le_bytes());
    let image = nes_testing::Image::nrom(&code).with(6, 0x40);
    Console::new(nes::Cartridge::from_bytes(&image.bytes()).expect("a valid image"), Config::default())
}

/// The line and dot at which the first interrupt sequence ends, in dots.
fn end_of_irq(mut console: Console) -> u64 {
    cycle_of_vector(&mut console, 0xFFFE);
    let board = console.board.caught_up();
    u64::from(board.ppu().scanline()) * 341 + u64::from(board.ppu().dot())
}

#[test]
fn an_mmc3_asks_where_the_patterns_move_to_the_upper_table() {
    // The sequence takes 7 cycles of 3 dots, and begins after a poll that may be 4 cycles late.
    let soon_after = |line: u64, dot: u64| line * 341 + dot + 18..line * 341 + dot + 45;
    for latch in [2, 20, 239] {
        // The first clock, in the pre-render line, reloads the counter.
        let line = u64::from(latch) - 1;
        let end = end_of_irq(mmc3(0x08, latch));
        assert!(soon_after(line, 261).contains(&end), "sprites at $1000, latch {latch}: {end}");
        // Here the pre-render line has two, because A12 was low in vblank.
        let end = end_of_irq(mmc3(0x10, latch));
        assert!(soon_after(line - 1, 325).contains(&end), "background at $1000, latch {latch}: {end}");
    }
}

#[test]
fn an_mmc3_does_not_count_lines_while_all_patterns_come_from_one_table() {
    for control in [0x00, 0x18] {
        let mut console = mmc3(control, 20);
        for _ in 0..8 {
            let _ = console.run_frame(&mut [Buttons::empty(); 2], &mut ());
            assert!(!console.board.cartridge().irq_at(console.cycle()), "PPUCTRL ${control:02X}");
        }
    }
}
