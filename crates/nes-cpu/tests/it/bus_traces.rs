//! What is on the bus in each cycle of an instruction (NESdev: CPU; 6502 cycle times).

use crate::bus::{TestBus, cpu};
use nes_cpu::Cpu;

/// Runs one instruction at $8000 with A = $40, X = 5 and Y = 6, and compares its accesses.
#[track_caller]
fn assert_trace(program: &[u8], prepare: impl FnOnce(&mut Cpu, &mut [u8]), expected: &[&str]) {
    let mut bus = TestBus::new(program);
    let mut cpu = cpu();
    (cpu.a, cpu.x, cpu.y) = (0x40, 5, 6);
    prepare(&mut cpu, &mut bus.memory);
    cpu.step(&mut bus);
    assert_eq!(bus.trace, expected);
}

fn as_is(_: &mut Cpu, _: &mut [u8]) {}

#[test]
fn an_implied_instruction_reads_the_byte_after_it() {
    assert_trace(&[0xE8], as_is, &["opcode 8000", "dummy 8001"]);
    assert_trace(&[0xEA], as_is, &["opcode 8000", "dummy 8001"]);
    assert_trace(&[0x0A], as_is, &["opcode 8000", "dummy 8001"]);
    assert_trace(&[0x58], as_is, &["opcode 8000", "dummy 8001"]);
}

#[test]
fn an_immediate_operand_is_read_once() {
    assert_trace(&[0xA9, 0x12], as_is, &["opcode 8000", "operand 8001"]);
}

#[test]
fn a_zero_page_access_has_no_dummy() {
    assert_trace(&[0xA5, 0x12], as_is, &["opcode 8000", "operand 8001", "data 0012"]);
    assert_trace(&[0x85, 0x12], as_is, &["opcode 8000", "operand 8001", "data 0012:=40"]);
}

#[test]
fn a_zero_page_index_is_added_during_a_read_and_stays_in_the_page() {
    assert_trace(&[0xB5, 0xFE], as_is, &["opcode 8000", "operand 8001", "dummy 00fe", "data 0003"]);
    assert_trace(&[0x96, 0xFE], as_is, &["opcode 8000", "operand 8001", "dummy 00fe", "data 0004:=05"]);
}

#[test]
fn an_absolute_access_has_no_dummy() {
    assert_trace(&[0xAD, 0x34, 0x12], as_is, &["opcode 8000", "operand 8001", "operand 8002", "data 1234"]);
}

#[test]
fn an_indexed_read_has_a_dummy_only_when_it_crosses_a_page() {
    assert_trace(&[0xBD, 0xFA, 0x12], as_is, &["opcode 8000", "operand 8001", "operand 8002", "data 12ff"]);
    assert_trace(
        &[0xBD, 0xFB, 0x12],
        as_is,
        &["opcode 8000", "operand 8001", "operand 8002", "dummy 1200", "data 1300"],
    );
    assert_trace(
        &[0xB9, 0xFB, 0xFF],
        as_is,
        &["opcode 8000", "operand 8001", "operand 8002", "dummy ff01", "data 0001"],
    );
}

#[test]
fn an_indexed_write_always_has_a_dummy() {
    assert_trace(
        &[0x9D, 0x00, 0x12],
        as_is,
        &["opcode 8000", "operand 8001", "operand 8002", "dummy 1205", "data 1205:=40"],
    );
    assert_trace(
        &[0x99, 0xFF, 0x12],
        as_is,
        &["opcode 8000", "operand 8001", "operand 8002", "dummy 1205", "data 1305:=40"],
    );
}

#[test]
fn a_pointer_wraps_in_the_zero_page() {
    assert_trace(
        &[0xA1, 0xFA],
        |_, memory| (memory[0xFF], memory[0x00]) = (0x34, 0x12),
        &["opcode 8000", "operand 8001", "dummy 00fa", "data 00ff", "data 0000", "data 1234"],
    );
    assert_trace(
        &[0xB1, 0xFF],
        |_, memory| (memory[0xFF], memory[0x00]) = (0x34, 0x12),
        &["opcode 8000", "operand 8001", "data 00ff", "data 0000", "data 123a"],
    );
}

#[test]
fn an_indirect_indexed_access_has_the_dummy_of_an_indexed_one() {
    let pointer = |_: &mut Cpu, memory: &mut [u8]| (memory[0x20], memory[0x21]) = (0xFF, 0x12);
    assert_trace(
        &[0xB1, 0x20],
        pointer,
        &["opcode 8000", "operand 8001", "data 0020", "data 0021", "dummy 1205", "data 1305"],
    );
    assert_trace(
        &[0x91, 0x20],
        pointer,
        &["opcode 8000", "operand 8001", "data 0020", "data 0021", "dummy 1205", "data 1305:=40"],
    );
    assert_trace(
        &[0x91, 0x20],
        |_, memory| (memory[0x20], memory[0x21]) = (0x00, 0x12),
        &["opcode 8000", "operand 8001", "data 0020", "data 0021", "dummy 1206", "data 1206:=40"],
    );
}

#[test]
fn a_read_modify_write_writes_the_old_value_first() {
    assert_trace(
        &[0xE6, 0x12],
        |_, memory| memory[0x12] = 0x7F,
        &["opcode 8000", "operand 8001", "data 0012", "dummy 0012:=7f", "data 0012:=80"],
    );
    assert_trace(
        &[0xFE, 0x00, 0x12],
        |_, memory| memory[0x1205] = 0xFF,
        &[
            "opcode 8000",
            "operand 8001",
            "operand 8002",
            "dummy 1205",
            "data 1205",
            "dummy 1205:=ff",
            "data 1205:=00",
        ],
    );
    assert_trace(
        &[0x13, 0x20],
        |_, memory| (memory[0x20], memory[0x21], memory[0x1305]) = (0xFF, 0x12, 0x81),
        &[
            "opcode 8000",
            "operand 8001",
            "data 0020",
            "data 0021",
            "dummy 1205",
            "data 1305",
            "dummy 1305:=81",
            "data 1305:=02",
        ],
    );
}

#[test]
fn an_indirect_jump_reads_its_pointer_from_one_page() {
    assert_trace(
        &[0x6C, 0xFF, 0x12],
        as_is,
        &["opcode 8000", "operand 8001", "operand 8002", "data 12ff", "data 1200"],
    );
}

#[test]
fn jsr_reads_the_stack_and_pushes_before_it_fetches_the_high_byte() {
    assert_trace(
        &[0x20, 0x34, 0x12],
        as_is,
        &["opcode 8000", "operand 8001", "dummy 01fd", "stack 01fd:=80", "stack 01fc:=02", "operand 8002"],
    );
}

#[test]
fn jsr_on_the_stack_jumps_by_the_byte_that_it_has_pushed() {
    let mut bus = TestBus::new(&[]);
    bus.memory[0x01FB..0x01FE].copy_from_slice(&[0x20, 0x34, 0x12]);
    let mut cpu = cpu();
    cpu.pc = 0x01FB;
    cpu.step(&mut bus);
    assert_eq!(cpu.pc, 0x0134);
}

#[test]
fn rts_reads_the_byte_before_the_one_it_returns_to() {
    assert_trace(
        &[0x60],
        |cpu, memory| {
            cpu.sp = 0xFB;
            (memory[0x01FC], memory[0x01FD]) = (0x34, 0x12);
        },
        &["opcode 8000", "dummy 8001", "dummy 01fb", "stack 01fc", "stack 01fd", "dummy 1234"],
    );
}

#[test]
fn rti_pulls_three_bytes() {
    assert_trace(
        &[0x40],
        |cpu, _| cpu.sp = 0xFE,
        &["opcode 8000", "dummy 8001", "dummy 01fe", "stack 01ff", "stack 0100", "stack 0101"],
    );
}

#[test]
fn a_pull_reads_the_stack_once_more_than_a_push_writes_it() {
    assert_trace(&[0x48], as_is, &["opcode 8000", "dummy 8001", "stack 01fd:=40"]);
    assert_trace(&[0x68], as_is, &["opcode 8000", "dummy 8001", "dummy 01fd", "stack 01fe"]);
    assert_trace(&[0x08], as_is, &["opcode 8000", "dummy 8001", "stack 01fd:=30"]);
    assert_trace(&[0x28], as_is, &["opcode 8000", "dummy 8001", "dummy 01fd", "stack 01fe"]);
}

#[test]
fn brk_skips_a_byte_and_pushes_p_with_b_set() {
    assert_trace(
        &[0x00],
        as_is,
        &[
            "opcode 8000",
            "dummy 8001",
            "stack 01fd:=80",
            "stack 01fc:=02",
            "stack 01fb:=30",
            "vector fffe",
            "vector ffff",
        ],
    );
}

#[test]
fn a_taken_branch_reads_the_instruction_that_it_leaves_and_the_wrong_page() {
    assert_trace(&[0x10, 0x10], as_is, &["opcode 8000", "operand 8001", "dummy 8002"]);
    assert_trace(&[0x30, 0x10], as_is, &["opcode 8000", "operand 8001"]);
    assert_trace(&[0x10, 0x80], as_is, &["opcode 8000", "operand 8001", "dummy 8002", "dummy 8082"]);
}

#[test]
fn pc_wraps_around_from_ffff_to_0000() {
    let mut bus = TestBus::new(&[]);
    bus.memory[0xFFFF] = 0xA9;
    let mut cpu = cpu();
    cpu.pc = 0xFFFF;
    cpu.step(&mut bus);
    assert_eq!(bus.trace, ["opcode ffff", "operand 0000"]);
    assert_eq!(cpu.pc, 1);
}
