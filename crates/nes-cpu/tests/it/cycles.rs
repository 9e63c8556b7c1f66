//! How long each opcode takes, and what holds for all of them.

use crate::bus::{TestBus, cpu};
use nes_cpu::{Cpu, Mode, OPCODES, Status, Unstable, disassemble};
use proptest::prelude::*;

/// Cycles without a crossed page and with no branch taken; 0 marks the opcodes that jam
/// (NESdev: 6502 cycle times; CPU unofficial opcodes).
#[rustfmt::skip]
const CYCLES: [usize; 256] = [
    7, 6, 0, 8, 3, 3, 5, 5, 3, 2, 2, 2, 4, 4, 6, 6,
    2, 5, 0, 8, 4, 4, 6, 6, 2, 4, 2, 7, 4, 4, 7, 7,
    6, 6, 0, 8, 3, 3, 5, 5, 4, 2, 2, 2, 4, 4, 6, 6,
    2, 5, 0, 8, 4, 4, 6, 6, 2, 4, 2, 7, 4, 4, 7, 7,
    6, 6, 0, 8, 3, 3, 5, 5, 3, 2, 2, 2, 3, 4, 6, 6,
    2, 5, 0, 8, 4, 4, 6, 6, 2, 4, 2, 7, 4, 4, 7, 7,
    6, 6, 0, 8, 3, 3, 5, 5, 4, 2, 2, 2, 5, 4, 6, 6,
    2, 5, 0, 8, 4, 4, 6, 6, 2, 4, 2, 7, 4, 4, 7, 7,
    2, 6, 2, 6, 3, 3, 3, 3, 2, 2, 2, 2, 4, 4, 4, 4,
    2, 6, 0, 6, 4, 4, 4, 4, 2, 5, 2, 5, 5, 5, 5, 5,
    2, 6, 2, 6, 3, 3, 3, 3, 2, 2, 2, 2, 4, 4, 4, 4,
    2, 5, 0, 5, 4, 4, 4, 4, 2, 4, 2, 4, 4, 4, 4, 4,
    2, 6, 2, 8, 3, 3, 5, 5, 2, 2, 2, 2, 4, 4, 6, 6,
    2, 5, 0, 8, 4, 4, 6, 6, 2, 4, 2, 7, 4, 4, 7, 7,
    2, 6, 2, 8, 3, 3, 5, 5, 2, 2, 2, 2, 4, 4, 6, 6,
    2, 5, 0, 8, 4, 4, 6, 6, 2, 4, 2, 7, 4, 4, 7, 7,
];

/// Flags with which the branch of each condition is not taken.
fn not_taken(code: u8) -> Status {
    match code {
        0x10 => Status::N,
        0x50 => Status::V,
        0x90 => Status::C,
        0xD0 => Status::Z,
        _ => Status::empty(),
    }
}

fn run(code: u8, low: u8, prepare: impl FnOnce(&mut Cpu, &mut TestBus)) -> usize {
    let mut bus = TestBus::new(&[code, low, 0x12]);
    let mut cpu = cpu();
    cpu.p |= not_taken(code);
    prepare(&mut cpu, &mut bus);
    cpu.step(&mut bus);
    bus.cycles()
}

#[test]
fn every_opcode_takes_its_cycles() {
    for (code, &expected) in (0..=255).zip(&CYCLES).filter(|(_, expected)| **expected != 0) {
        assert_eq!(run(code, 0x10, |_, _| {}), expected, "opcode ${code:02X}");
    }
}

#[test]
fn a_crossed_page_costs_a_cycle_only_where_nothing_is_written() {
    let writes = ["STA", "SHA", "SHS", "SHX", "SHY", "ASL", "ROL", "LSR", "ROR", "INC", "DEC"];
    let unofficial_writes = ["SLO", "RLA", "SRE", "RRA", "DCP", "ISC"];
    for opcode in &OPCODES {
        if !matches!(opcode.mode, Mode::AbsoluteX | Mode::AbsoluteY | Mode::IndirectY) {
            continue;
        }
        let writes = writes.contains(&opcode.mnemonic) || unofficial_writes.contains(&opcode.mnemonic);
        let cycles = run(opcode.code, 0xF8, |cpu, bus| {
            (cpu.x, cpu.y) = (0x10, 0x10);
            bus.memory[0xF8] = 0xF8;
        });
        let expected = CYCLES[usize::from(opcode.code)] + usize::from(!writes);
        assert_eq!(cycles, expected, "{} ${:02X}", opcode.mnemonic, opcode.code);
    }
}

#[test]
fn a_taken_branch_costs_one_cycle_and_a_crossed_page_another() {
    let branches = OPCODES.iter().filter(|opcode| opcode.mode == Mode::Relative);
    assert_eq!(branches.clone().count(), 8);
    for opcode in branches {
        let taken = |cpu: &mut Cpu, _: &mut TestBus| {
            cpu.p = (!not_taken(opcode.code)).difference(Status::B | Status::I);
        };
        assert_eq!(run(opcode.code, 0x10, taken), 3, "{}", opcode.mnemonic);
        assert_eq!(run(opcode.code, 0x80, taken), 4, "{}", opcode.mnemonic);
    }
}

prop_compose! {
    fn any_cpu()(
        pc: u16, a: u8, x: u8, y: u8, sp: u8, p: u8,
        ane_magic: u8, lxa_magic: u8, sha_magic: u8, sha_high_without_a: bool,
    ) -> Cpu {
        let mut cpu = Cpu::new(Unstable { ane_magic, lxa_magic, sha_magic, sha_high_without_a });
        (cpu.pc, cpu.a, cpu.x, cpu.y, cpu.sp) = (pc, a, x, y, sp);
        cpu.p = Status::pulled(p);
        cpu
    }
}

proptest! {
    #[test]
    fn any_bytes_run_and_keep_p_as_the_register_has_it(
        mut cpu in any_cpu(),
        program: [u8; 3],
        nmi in proptest::option::of(0_usize..12),
        irq in 0_usize..12,
    ) {
        let mut bus = TestBus::new(&[]);
        for (offset, byte) in (0..).zip(program) {
            bus.memory[usize::from(cpu.pc.wrapping_add(offset))] = byte;
        }
        (bus.nmi, bus.irq) = (nmi, irq..usize::MAX);
        for _ in 0..4 {
            let before = bus.cycles();
            let jammed = cpu.jammed;
            cpu.step(&mut bus);
            let cycles = bus.cycles() - before;
            let expected = if jammed { 1..=1 } else { 2..=8 };
            prop_assert!(expected.contains(&cycles));
            prop_assert_eq!(cpu.p & (Status::B | Status::U), Status::U);
        }
    }

    #[test]
    fn an_instruction_that_does_not_jump_ends_where_its_text_does(mut cpu in any_cpu(), program: [u8; 3]) {
        // Out of reach of what the instruction itself may write.
        cpu.pc = 0x8000;
        let mut bus = TestBus::new(&program);
        let instruction = disassemble(cpu.pc, |address| bus.memory[usize::from(address)]);
        let jumps = ["BRK", "JSR", "RTI", "RTS", "JMP", "JAM"].contains(&instruction.opcode.mnemonic);
        prop_assume!(!jumps && instruction.opcode.mode != Mode::Relative);
        cpu.step(&mut bus);
        prop_assert_eq!(cpu.pc, instruction.next());
        prop_assert_eq!(instruction.bytes(), &program[..instruction.opcode.mode.len()]);
    }

    #[test]
    fn the_effective_address_is_the_one_accessed_last(mut cpu in any_cpu(), program: [u8; 3]) {
        cpu.pc = 0x8000;
        let mut bus = TestBus::new(&program);
        let instruction = disassemble(cpu.pc, |address| bus.memory[usize::from(address)]);
        let mode = instruction.opcode.mode;
        let corrupted = ["SHA", "SHS", "SHX", "SHY"].contains(&instruction.opcode.mnemonic);
        let effective = instruction.effective(cpu.x, cpu.y, |address| bus.memory[usize::from(address)]);
        prop_assume!(!corrupted && !matches!(mode, Mode::Relative | Mode::Indirect));
        prop_assume!(!["JMP", "JSR"].contains(&instruction.opcode.mnemonic));
        cpu.step(&mut bus);
        if let Some(effective) = effective {
            let last = bus.trace.last().unwrap();
            prop_assert!(last.starts_with(&format!("data {:04x}", effective.address)), "{last}");
        }
    }
}
