//! What is read where nobody answers (NESdev: Open bus behavior).

use crate::program::{console, console_with, run};
use nes::{Buttons, Config};

#[test]
fn ram_is_mirrored_four_times() {
    // LDA #$5A; STA $0123; LDA #$A5; STA $1923
    let mut console = console(&[0xA9, 0x5A, 0x8D, 0x23, 0x01, 0xA9, 0xA5, 0x8D, 0x23, 0x19]);
    run(&mut console, 2);
    for mirror in [0x0123, 0x0923, 0x1123, 0x1923] {
        assert_eq!(console.peek(mirror), 0x5A);
    }
    run(&mut console, 2);
    assert_eq!(console.ram()[0x123], 0xA5);
}

#[test]
fn an_unconnected_read_returns_the_last_byte_on_the_bus() {
    // LDA $4018; LDA $5000; LDX #$10; LDA $50F8,X (dummy read at $5008 first)
    let mut console = console(&[0xAD, 0x18, 0x40, 0xAD, 0x00, 0x50, 0xA2, 0x10, 0xBD, 0xF8, 0x50]);
    run(&mut console, 1);
    assert_eq!(console.cpu.a, 0x40, "the high byte of the operand");
    run(&mut console, 1);
    assert_eq!(console.cpu.a, 0x50);
    run(&mut console, 2);
    assert_eq!(console.cpu.a, 0x50);
}

#[test]
fn a_write_drives_the_bus() {
    // STA $4018 with A = $77, then execution runs into the fetch: LDA ($10),Y style is not needed;
    // INC $4018 reads $40, writes $40, writes $41, and the next opcode replaces it.
    let mut console = console(&[0xEE, 0x18, 0x40]);
    let cycles = crate::program::trace(&mut console);
    let values: Vec<_> = cycles.iter().map(|cycle| cycle.value).collect();
    assert_eq!(values, [0xEE, 0x18, 0x40, 0x40, 0x40, 0x41]);
}

#[test]
fn the_pads_drive_one_bit_and_leave_three_to_the_bus() {
    // LDA #1; STA $4016; LSR; STA $4016; LDA $4016; LDA $4017
    let code = [0xA9, 0x01, 0x8D, 0x16, 0x40, 0x4A, 0x8D, 0x16, 0x40, 0xAD, 0x16, 0x40, 0xAD, 0x17, 0x40];
    let mut console = console(&code);
    let mut pads = [Buttons::A, Buttons::B];
    for _ in 0..5 {
        let _ = console.step(&mut pads, &mut ());
    }
    assert_eq!(console.cpu.a, 0x41, "A is held");
    let _ = console.step(&mut pads, &mut ());
    assert_eq!(console.cpu.a, 0x40, "A is not");
}

#[test]
fn reading_4015_does_not_drive_the_outer_bus() {
    // LDX #$16; LDA $40FF,X: the dummy read at $4015, then the open bus at $4115.
    let mut console =
        console(&[0xA9, 0x01, 0x8D, 0x15, 0x40, 0xA9, 0xF8, 0x8D, 0x03, 0x40, 0xA2, 0x16, 0xBD, 0xFF, 0x40]);
    run(&mut console, 5);
    let cycles = crate::program::trace(&mut console);
    assert_eq!((cycles[3].address, cycles[3].value), (0x4015, 0x01), "pulse 1 is running");
    assert_eq!((cycles[4].address, cycles[4].value), (0x4115, 0x40));
}

#[test]
fn bit_5_of_4015_is_the_last_byte_inside_the_2a03() {
    // LDA $4015: the operand $40 is the last byte.
    let mut console = console(&[0xAD, 0x15, 0x40]);
    run(&mut console, 1);
    assert_eq!(console.cpu.a & 0x20, 0);
}

#[test]
fn the_fill_is_what_ram_holds_at_power_on() {
    let console = console_with(&[0xEA], Config { ram_fill: 0xA5.into(), ..Config::default() });
    assert!(console.ram().iter().all(|byte| *byte == 0xA5));
    assert!(console.ciram().iter().all(|byte| *byte == 0xA5));
    assert_eq!(console.ciram().len(), 0x800);
}
