//! The text of instructions.

use nes_cpu::{Effective, OPCODES, disassemble};

/// Memory whose bytes are the low bytes of their addresses, with `program` at $C000.
fn memory(program: &'static [u8]) -> impl Fn(u16) -> u8 + Copy {
    move |address| {
        let offset = usize::from(address.wrapping_sub(0xC000));
        program.get(offset).copied().unwrap_or(address as u8)
    }
}

#[test]
fn every_mode_has_its_text_in_both_styles() {
    let table: [(&'static [u8], &str, &str); 16] = [
        (&[0xEA], "NOP", "NOP"),
        (&[0x4A], "LSR A", "LSR A"),
        (&[0xA9, 0x80], "LDA #$80", "LDA #$80"),
        (&[0xA5, 0x80], "LDA $80", "LDA $80 = 80"),
        (&[0xB5, 0xFF], "LDA $FF,X", "LDA $FF,X @ 04 = 04"),
        (&[0xB6, 0xFF], "LDX $FF,Y", "LDX $FF,Y @ 05 = 05"),
        (&[0x8D, 0x34, 0x12], "STA $1234", "STA $1234 = 34"),
        (&[0xBD, 0xFF, 0x12], "LDA $12FF,X", "LDA $12FF,X @ 1304 = 04"),
        (&[0xB9, 0xFF, 0x12], "LDA $12FF,Y", "LDA $12FF,Y @ 1305 = 05"),
        (&[0xA1, 0x80], "LDA ($80,X)", "LDA ($80,X) @ 85 = 8685 = 85"),
        (&[0xB1, 0xFF], "LDA ($FF),Y", "LDA ($FF),Y = 00FF @ 0105 = 05"),
        (&[0x6C, 0xFF, 0x12], "JMP ($12FF)", "JMP ($12FF) = 00FF"),
        (&[0x4C, 0x34, 0x12], "JMP $1234", "JMP $1234"),
        (&[0x20, 0x34, 0x12], "JSR $1234", "JSR $1234"),
        (&[0xD0, 0xFE], "BNE $C000", "BNE $C000"),
        (&[0xE7, 0x80], "ISC $80", "ISB $80 = 80"),
    ];
    for (program, plain, nestest) in table {
        let instruction = disassemble(0xC000, memory(program));
        assert_eq!(instruction.to_string(), plain);
        assert_eq!(instruction.nestest(5, 6, memory(program)), nestest);
        assert_eq!(instruction.bytes(), program);
        assert_eq!(usize::from(instruction.next()), 0xC000 + program.len());
    }
}

#[test]
fn a_plain_text_fills_the_width_it_is_given() {
    let instruction = disassemble(0xC000, memory(&[0xEA]));
    assert_eq!(format!("[{instruction:<8}]"), "[NOP     ]");
}

#[test]
fn an_effective_address_names_the_pointer_behind_it() {
    let memory = memory(&[0xB1, 0x80]);
    let effective = disassemble(0xC000, memory).effective(5, 6, memory);
    assert_eq!(effective, Some(Effective { pointer: Some(0x80), base: 0x8180, address: 0x8186 }));
}

#[test]
fn an_instruction_at_the_end_of_memory_wraps_around() {
    let instruction = disassemble(0xFFFF, |address| if address == 0xFFFF { 0xAD } else { address as u8 });
    assert_eq!(instruction.to_string(), "LDA $0100");
    assert_eq!(instruction.next(), 2);
}

#[test]
fn the_table_is_in_the_order_of_its_codes() {
    for (code, opcode) in (0..=255).zip(&OPCODES) {
        assert_eq!(opcode.code, code);
        assert!(
            opcode.mnemonic.len() == 3 && opcode.mnemonic.bytes().all(|letter| letter.is_ascii_uppercase())
        );
    }
    assert_eq!(OPCODES.iter().filter(|opcode| opcode.official).count(), 151);
}
