//! What instructions leave in the registers.

use crate::bus::{TestBus, cpu};
use nes_cpu::{Cpu, Status, Unstable};
use nes_state::{Reader, StateError, Writer};

/// Runs one instruction at $8000.
fn run(program: &[u8], prepare: impl FnOnce(&mut Cpu)) -> (Cpu, TestBus) {
    let mut bus = TestBus::new(program);
    let mut cpu = cpu();
    prepare(&mut cpu);
    cpu.step(&mut bus);
    (cpu, bus)
}

fn flags(cpu: &Cpu) -> Status {
    cpu.p - Status::U
}

#[test]
fn adc_and_sbc_agree_with_wide_arithmetic_and_ignore_decimal() {
    for a in 0..=255_u8 {
        for value in 0..=255_u8 {
            for carry in [false, true] {
                for (code, operand) in [(0x69, value), (0xE9, !value), (0xEB, !value)] {
                    let (cpu, _) = run(&[code, operand], |cpu| {
                        cpu.a = a;
                        cpu.p.insert(Status::D);
                        cpu.p.set(Status::C, carry);
                    });
                    let unsigned = u16::from(a) + u16::from(value) + u16::from(carry);
                    let signed = i16::from(a as i8) + i16::from(value as i8) + i16::from(carry);
                    let mut expected = Status::D;
                    expected.set(Status::C, unsigned > 0xFF);
                    expected.set(Status::V, !(-128..=127).contains(&signed));
                    expected.set(Status::Z, unsigned as u8 == 0);
                    expected.set(Status::N, unsigned as u8 >= 0x80);
                    assert_eq!((cpu.a, flags(&cpu)), (unsigned as u8, expected));
                }
            }
        }
    }
}

#[test]
fn a_comparison_is_a_subtraction_without_result() {
    for (code, value, expected) in [
        (0xC9, 0x3F, Status::C),
        (0xC9, 0x40, Status::C | Status::Z),
        (0xC9, 0x41, Status::N),
        (0xE0, 0x90, Status::N),
        (0xC0, 0xF0, Status::empty()),
    ] {
        let (cpu, _) = run(&[code, value], |cpu| (cpu.a, cpu.x, cpu.y) = (0x40, 0x10, 0x20));
        assert_eq!(flags(&cpu), expected, "${code:02X} #${value:02X}");
        assert_eq!((cpu.a, cpu.x, cpu.y), (0x40, 0x10, 0x20));
    }
}

#[test]
fn bit_copies_the_top_bits_of_memory() {
    let mut bus = TestBus::new(&[0x24, 0x10]);
    bus.memory[0x10] = 0xC0;
    let mut cpu = cpu();
    cpu.a = 0x3F;
    cpu.step(&mut bus);
    assert_eq!(flags(&cpu), Status::N | Status::V | Status::Z);
}

#[test]
fn shifts_move_through_carry() {
    for (code, a, carry, result, carried) in [
        (0x0A, 0x81, true, 0x02, true),
        (0x2A, 0x81, true, 0x03, true),
        (0x2A, 0x40, false, 0x80, false),
        (0x4A, 0x81, true, 0x40, true),
        (0x6A, 0x80, true, 0xC0, false),
    ] {
        let (cpu, _) = run(&[code], |cpu| {
            cpu.a = a;
            cpu.p.set(Status::C, carry);
        });
        assert_eq!((cpu.a, cpu.p.contains(Status::C)), (result, carried), "${code:02X} ${a:02X}");
    }
}

#[test]
fn plp_leaves_b_clear_and_bit_5_set() {
    for byte in [0x00, 0xFF] {
        let mut bus = TestBus::new(&[0x28]);
        bus.memory[0x01FE] = byte;
        let mut cpu = cpu();
        cpu.step(&mut bus);
        assert_eq!(cpu.p.bits(), byte & 0xCF | 0x20);
    }
}

#[test]
fn txs_leaves_the_flags_and_tsx_does_not() {
    let (cpu, _) = run(&[0x9A], |cpu| cpu.x = 0x80);
    assert_eq!((cpu.sp, flags(&cpu)), (0x80, Status::empty()));
    let (cpu, _) = run(&[0xBA], |_| {});
    assert_eq!((cpu.x, flags(&cpu)), (0xFD, Status::N));
}

#[test]
fn unofficial_immediates_combine_two_operations() {
    let run = |code, operand, a, x, carry| {
        let (cpu, _) = run(&[code, operand], |cpu| {
            (cpu.a, cpu.x) = (a, x);
            cpu.p.set(Status::C, carry);
        });
        (cpu.a, cpu.x, flags(&cpu))
    };
    assert_eq!(run(0x0B, 0xF0, 0x8F, 0, false), (0x80, 0, Status::N | Status::C), "ANC");
    assert_eq!(run(0x2B, 0x0F, 0xF0, 0, true), (0x00, 0, Status::Z), "ANC");
    assert_eq!(run(0x4B, 0x0F, 0xF3, 0, false), (0x01, 0, Status::C), "ALR");
    assert_eq!(run(0x6B, 0xFF, 0xFF, 0, true), (0xFF, 0, Status::N | Status::C), "ARR");
    assert_eq!(run(0x6B, 0xFF, 0x80, 0, false), (0x40, 0, Status::C | Status::V), "ARR");
    assert_eq!(run(0x6B, 0xFF, 0x40, 0, true), (0xA0, 0, Status::N | Status::V), "ARR");
    assert_eq!(run(0xCB, 0x10, 0xF0, 0xB0, true), (0xF0, 0xA0, Status::C | Status::N), "AXS");
    assert_eq!(run(0xCB, 0xE5, 0x00, 0x66, false), (0x00, 0x1B, Status::empty()), "AXS");
}

#[test]
fn unofficial_read_modify_writes_combine_two_operations() {
    for (code, memory, result, a, expected) in [
        (0x07, 0x81, 0x02, 0x42, Status::C),
        (0x27, 0x81, 0x03, 0x00, Status::C | Status::Z),
        (0x47, 0x81, 0x40, 0x00, Status::C | Status::Z),
        (0x67, 0x82, 0xC1, 0x01, Status::C),
        (0xC7, 0x41, 0x40, 0x40, Status::C | Status::Z),
        (0xE7, 0x3F, 0x40, 0x00, Status::C | Status::Z),
    ] {
        let mut bus = TestBus::new(&[code, 0x10]);
        bus.memory[0x10] = memory;
        let mut cpu = cpu();
        cpu.a = 0x40;
        cpu.p.insert(Status::C);
        cpu.step(&mut bus);
        assert_eq!((bus.memory[0x10], cpu.a, flags(&cpu)), (result, a, expected), "${code:02X}");
    }
}

#[test]
fn lax_sax_and_lae_use_several_registers() {
    let mut bus = TestBus::new(&[0xA7, 0x10]);
    bus.memory[0x10] = 0x95;
    let mut cpu = cpu();
    cpu.step(&mut bus);
    assert_eq!((cpu.a, cpu.x, flags(&cpu)), (0x95, 0x95, Status::N));

    let (cpu, bus) = run(&[0x87, 0x10], |cpu| (cpu.a, cpu.x) = (0xF3, 0x3F));
    assert_eq!((bus.memory[0x10], flags(&cpu)), (0x33, Status::empty()));

    let mut bus = TestBus::new(&[0xBB, 0x00, 0x12]);
    bus.memory[0x1200] = 0x8F;
    let mut cpu = self::cpu();
    cpu.step(&mut bus);
    assert_eq!((cpu.a, cpu.x, cpu.sp, flags(&cpu)), (0x8D, 0x8D, 0x8D, Status::N));
}

#[test]
fn the_magic_of_ane_and_lxa_is_a_parameter() {
    for magic in [0x00, 0xEE, 0xFF] {
        let unstable = Unstable { ane_magic: magic, lxa_magic: magic, ..Unstable::default() };
        let run = |code| {
            let mut cpu = Cpu::new(unstable);
            (cpu.pc, cpu.a, cpu.x) = (0x8000, 0x11, 0x7F);
            cpu.step(&mut TestBus::new(&[code, 0xF7]));
            (cpu.a, cpu.x)
        };
        assert_eq!(run(0x8B), ((0x11 | magic) & 0x7F & 0xF7, 0x7F));
        assert_eq!(run(0xAB), ((0x11 | magic) & 0xF7, (0x11 | magic) & 0xF7));
    }
}

/// The last access of an unstable store with A = $55, X = $AA and the index Y (or X) = $10.
fn stored(unstable: Unstable, program: [u8; 3], dma: bool) -> String {
    let mut bus = TestBus::new(&program);
    (bus.memory[0xF0], bus.memory[0xF1]) = (0xF0, 0x1E);
    let cycles = if program[0] == 0x93 { 5 } else { 4 };
    bus.dma = dma.then_some(cycles - 1);
    let mut cpu = Cpu::new(unstable);
    (cpu.pc, cpu.a, cpu.x, cpu.y) = (0x8000, 0x75, 0xAE, 0x10);
    if program[0] == 0x9C {
        (cpu.x, cpu.y) = (0x10, 0xAE);
    }
    cpu.step(&mut bus);
    assert_eq!(bus.cycles(), cycles + 1);
    bus.trace.pop().unwrap()
}

#[test]
fn an_unstable_store_meets_the_high_byte_of_its_base_plus_one() {
    let stable = |code| stored(Unstable::default(), [code, 0x00, 0x1E], false);
    assert_eq!(stable(0x9C), "data 1e10:=0e", "SHY");
    assert_eq!(stable(0x9E), "data 1e10:=0e", "SHX");
    assert_eq!(stable(0x9F), "data 1e10:=04", "SHA");
    assert_eq!(stable(0x9B), "data 1e10:=04", "SHS");
}

#[test]
fn an_unstable_store_over_a_page_corrupts_its_address() {
    let crossed = |code| stored(Unstable::default(), [code, 0xF0, 0x1E], false);
    assert_eq!(crossed(0x9C), "data 0e00:=0e", "SHY");
    assert_eq!(crossed(0x9E), "data 0e00:=0e", "SHX");
    assert_eq!(crossed(0x9F), "data 0400:=04", "SHA");
    assert_eq!(crossed(0x9B), "data 0400:=04", "SHS");
    assert_eq!(crossed(0x93), "data 0400:=04", "SHA (zp),Y");
}

#[test]
fn a_dma_before_the_dummy_read_spares_the_value_of_an_unstable_store() {
    let held = |code| stored(Unstable::default(), [code, 0x00, 0x1E], true);
    assert_eq!(held(0x9C), "data 1e10:=ae", "SHY");
    assert_eq!(held(0x9E), "data 1e10:=ae", "SHX");
    assert_eq!(held(0x9F), "data 1e10:=24", "SHA");
    assert_eq!(held(0x9B), "data 1e10:=24", "SHS");
    assert_eq!(stored(Unstable::default(), [0x93, 0xF0, 0], true), "data 0400:=24", "SHA (zp),Y");
}

#[test]
fn the_other_behaviour_of_sha_is_a_parameter() {
    let other = Unstable { sha_magic: 0xF5, sha_high_without_a: true, ..Unstable::default() };
    assert_eq!(stored(other, [0x9F, 0xF0, 0x1E], false), "data 0e00:=15", "SHA");
    assert_eq!(stored(other, [0x9B, 0xF0, 0x1E], false), "data 0e00:=15", "SHS");
}

#[test]
fn shs_loads_sp_with_a_and_x() {
    let (cpu, _) = run(&[0x9B, 0x00, 0x12], |cpu| (cpu.a, cpu.x) = (0xF3, 0x3F));
    assert_eq!(cpu.sp, 0x33);
}

#[test]
fn a_saved_cpu_is_loaded_as_it_was() {
    let mut bus = TestBus::new(&[0xA9, 0x80, 0x38]);
    bus.irq = 0..usize::MAX;
    let mut saved = cpu();
    saved.step(&mut bus);
    let bytes = Writer::save(&mut saved);
    let mut loaded = Cpu::new(Unstable { lxa_magic: 0, ..Unstable::default() });
    assert_eq!(Reader::load(&bytes, &mut loaded), Ok(()));
    assert_eq!(loaded, saved);
    assert!(loaded.interrupt_pending());
}

#[test]
fn a_status_register_with_b_is_no_state() {
    let mut bytes = Writer::save(&mut cpu());
    bytes[6] = 0x30;
    let error = Reader::load(&bytes, &mut cpu()).unwrap_err();
    assert!(matches!(error, StateError::Invalid { field: "status register", value: 0x30, .. }), "{error}");
}
