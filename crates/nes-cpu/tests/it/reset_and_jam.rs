//! The two ends of a CPU's life.

use crate::bus::{TestBus, cpu};
use nes_cpu::{Cpu, OPCODES, Status, Step, Unstable};

#[test]
fn the_reset_sequence_reads_the_stack_three_times() {
    let mut bus = TestBus::new(&[]);
    let mut cpu = Cpu::new(Unstable::default());
    cpu.reset(&mut bus);
    assert_eq!(
        bus.trace,
        ["dummy 0000", "dummy 0000", "stack 0100", "stack 01ff", "stack 01fe", "vector fffc", "vector fffd",]
    );
    assert_eq!((cpu.pc, cpu.sp), (0x8000, 0xFD));
    assert_eq!(cpu.p, Status::I | Status::U);
}

#[test]
fn reset_keeps_the_registers_and_lowers_sp_by_three() {
    let mut bus = TestBus::new(&[]);
    let mut cpu = cpu();
    (cpu.a, cpu.x, cpu.y, cpu.sp) = (1, 2, 3, 0x42);
    cpu.p = Status::U | Status::N | Status::C | Status::D;
    cpu.reset(&mut bus);
    assert_eq!((cpu.a, cpu.x, cpu.y, cpu.sp), (1, 2, 3, 0x3F));
    assert_eq!(cpu.p, Status::U | Status::N | Status::C | Status::D | Status::I);
}

#[test]
fn a_jam_reads_the_vectors_and_stays() {
    let jams: Vec<u8> = OPCODES.iter().filter(|opcode| opcode.mnemonic == "JAM").map(|o| o.code).collect();
    assert_eq!(jams, [0x02, 0x12, 0x22, 0x32, 0x42, 0x52, 0x62, 0x72, 0x92, 0xB2, 0xD2, 0xF2]);
    for code in jams {
        let mut bus = TestBus::new(&[code]);
        let mut cpu = cpu();
        assert_eq!(cpu.step(&mut bus), Step::Instruction);
        assert!(cpu.jammed);
        assert_eq!(cpu.step(&mut bus), Step::Jam);
        assert_eq!(cpu.step(&mut bus), Step::Jam);
        let expected = [
            "opcode 8000",
            "dummy 8001",
            "dummy ffff",
            "dummy fffe",
            "dummy fffe",
            "dummy ffff",
            "dummy ffff",
        ];
        assert_eq!(bus.trace, expected);
    }
}

#[test]
fn no_interrupt_ends_a_jam_but_a_reset_does() {
    let mut bus = TestBus::new(&[0x02]);
    bus.nmi = Some(0);
    bus.irq = 0..usize::MAX;
    let mut cpu = cpu();
    cpu.step(&mut bus);
    for _ in 0..20 {
        assert_eq!(cpu.step(&mut bus), Step::Jam);
    }
    bus.memory[0x8000] = 0xEA;
    cpu.reset(&mut bus);
    assert!(!cpu.jammed);
    assert_eq!(cpu.step(&mut bus), Step::Instruction);
    assert_eq!(cpu.pc, 0x8001);
}
