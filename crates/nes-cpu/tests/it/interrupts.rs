//! When the lines are looked at, and what an interrupt does (NESdev: CPU interrupts).

use crate::bus::{TestBus, cpu};
use nes_cpu::{Cpu, Status, Step};

const SEI: u8 = 0x78;
const CLI: u8 = 0x58;
const PLP: u8 = 0x28;
const RTI: u8 = 0x40;
const NOP: u8 = 0xEA;
const BRK: u8 = 0x00;
const BPL: u8 = 0x10;
const FOREVER: std::ops::Range<usize> = 0..usize::MAX;

/// Steps until an interrupt comes; how many instructions ran before it. At most ten.
fn instructions_before_interrupt(cpu: &mut Cpu, bus: &mut TestBus) -> Option<usize> {
    (0..10).find(|_| matches!(cpu.step(bus), Step::Irq | Step::Nmi))
}

#[test]
fn an_irq_pushes_pc_and_p_with_b_clear() {
    let mut bus = TestBus::new(&[NOP, NOP]);
    bus.irq = FOREVER;
    let mut cpu = cpu();
    assert_eq!(cpu.step(&mut bus), Step::Instruction);
    assert!(cpu.interrupt_pending());
    bus.trace.clear();
    assert_eq!(cpu.step(&mut bus), Step::Irq);
    assert_eq!(
        bus.trace,
        [
            "dummy 8001",
            "dummy 8001",
            "stack 01fd:=80",
            "stack 01fc:=01",
            "stack 01fb:=20",
            "vector fffe",
            "vector ffff",
        ]
    );
    assert_eq!((cpu.pc, cpu.sp), (0xA000, 0xFA));
    assert_eq!(cpu.p, Status::I | Status::U);
}

#[test]
fn an_nmi_takes_its_own_vector_whatever_i_says() {
    let mut bus = TestBus::new(&[NOP, NOP]);
    bus.nmi = Some(0);
    let mut cpu = cpu();
    cpu.p.insert(Status::I);
    cpu.step(&mut bus);
    assert_eq!(cpu.step(&mut bus), Step::Nmi);
    assert_eq!(cpu.pc, 0x9000);
    assert_eq!(bus.nmi, None, "acknowledged");
}

#[test]
fn a_line_counts_from_the_second_to_last_cycle() {
    for (asserted, expected) in [(0, 1), (1, 2), (2, 2), (3, 3)] {
        let mut bus = TestBus::new(&[NOP; 8]);
        bus.irq = asserted..usize::MAX;
        assert_eq!(instructions_before_interrupt(&mut cpu(), &mut bus), Some(expected), "IRQ at {asserted}");
        let mut bus = TestBus::new(&[NOP; 8]);
        bus.nmi = Some(asserted);
        assert_eq!(instructions_before_interrupt(&mut cpu(), &mut bus), Some(expected), "NMI at {asserted}");
    }
}

#[test]
fn an_irq_that_ends_before_the_poll_is_forgotten() {
    let mut bus = TestBus::new(&[NOP; 8]);
    bus.irq = 1..2;
    assert_eq!(instructions_before_interrupt(&mut cpu(), &mut bus), None);
}

#[test]
fn cli_lets_one_more_instruction_run() {
    let mut bus = TestBus::new(&[CLI, NOP, NOP]);
    bus.irq = FOREVER;
    let mut cpu = cpu();
    cpu.p.insert(Status::I);
    assert_eq!(instructions_before_interrupt(&mut cpu, &mut bus), Some(2));
}

#[test]
fn sei_after_cli_does_not_stop_the_irq_but_is_in_the_pushed_p() {
    let mut bus = TestBus::new(&[CLI, SEI, NOP]);
    bus.irq = FOREVER;
    let mut cpu = cpu();
    cpu.p.insert(Status::I);
    assert_eq!(instructions_before_interrupt(&mut cpu, &mut bus), Some(2));
    assert_eq!(bus.memory[0x01FB], 0x24);
}

#[test]
fn plp_changes_i_after_its_poll() {
    let mut bus = TestBus::new(&[PLP, NOP, NOP]);
    bus.irq = FOREVER;
    let mut cpu = cpu();
    cpu.p.insert(Status::I);
    assert_eq!(instructions_before_interrupt(&mut cpu, &mut bus), Some(2));

    let mut bus = TestBus::new(&[PLP, NOP, NOP]);
    bus.irq = FOREVER;
    bus.memory[0x01FE] = 0x04;
    let mut cpu = self::cpu();
    assert_eq!(instructions_before_interrupt(&mut cpu, &mut bus), Some(1));
}

#[test]
fn rti_changes_i_before_its_poll() {
    let mut bus = TestBus::new(&[RTI]);
    bus.irq = FOREVER;
    let mut cpu = cpu();
    cpu.sp = 0xFA;
    cpu.p.insert(Status::I);
    assert_eq!(instructions_before_interrupt(&mut cpu, &mut bus), Some(1));
}

#[test]
fn one_instruction_of_the_handler_runs_before_an_nmi() {
    let mut bus = TestBus::new(&[NOP]);
    bus.irq = FOREVER;
    bus.memory[0xA000] = NOP;
    let mut cpu = cpu();
    cpu.step(&mut bus);
    // Too late to hijack: the vector is chosen in cycle 2 + 5.
    bus.nmi = Some(2 + 4);
    assert_eq!(cpu.step(&mut bus), Step::Irq);
    assert_eq!(cpu.step(&mut bus), Step::Instruction);
    assert_eq!(cpu.step(&mut bus), Step::Nmi);
}

#[test]
fn an_nmi_hijacks_an_irq_until_the_push_of_p() {
    for (edge, expected) in [(2, Step::Nmi), (2 + 3, Step::Nmi), (2 + 4, Step::Irq)] {
        let mut bus = TestBus::new(&[NOP]);
        bus.irq = FOREVER;
        let mut cpu = cpu();
        cpu.step(&mut bus);
        bus.nmi = Some(edge);
        assert_eq!(cpu.step(&mut bus), expected, "edge in cycle {edge}");
    }
}

#[test]
fn an_nmi_hijacks_brk_which_keeps_b_in_the_pushed_p() {
    for (edge, vector) in [(3, 0x9000), (4, 0xA000)] {
        let mut bus = TestBus::new(&[BRK]);
        bus.nmi = Some(edge);
        let mut cpu = cpu();
        assert_eq!(cpu.step(&mut bus), Step::Instruction);
        assert_eq!(cpu.pc, vector, "edge in cycle {edge}");
        assert_eq!(bus.memory[0x01FB], 0x30);
    }
}

#[test]
fn a_branch_not_taken_polls_as_any_instruction() {
    for (asserted, expected) in [(0, 1), (1, 2)] {
        let mut bus = TestBus::new(&[BPL, 0x10, NOP, NOP]);
        bus.irq = asserted..usize::MAX;
        let mut cpu = cpu();
        cpu.p.insert(Status::N);
        assert_eq!(instructions_before_interrupt(&mut cpu, &mut bus), Some(expected), "{asserted}");
    }
}

#[test]
fn a_taken_branch_does_not_poll_in_its_third_cycle() {
    for (asserted, expected) in [(0, 1), (1, 2), (2, 2)] {
        let mut bus = TestBus::new(&[BPL, 0x00, NOP, NOP]);
        bus.irq = asserted..usize::MAX;
        assert_eq!(instructions_before_interrupt(&mut cpu(), &mut bus), Some(expected), "{asserted}");
    }
}

#[test]
fn a_branch_over_a_page_polls_again_in_its_fourth_cycle() {
    for (asserted, expected) in [(0, 1), (1, 1), (2, 1), (3, 2)] {
        let mut bus = TestBus::new(&[BPL, 0x80]);
        bus.memory[0x7F82..0x7F86].fill(NOP);
        bus.irq = asserted..usize::MAX;
        assert_eq!(instructions_before_interrupt(&mut cpu(), &mut bus), Some(expected), "{asserted}");
    }
}

#[test]
fn an_irq_found_by_a_branchs_first_poll_stays_found() {
    let mut bus = TestBus::new(&[BPL, 0x80]);
    bus.irq = 0..1;
    assert_eq!(instructions_before_interrupt(&mut cpu(), &mut bus), Some(1));
}
