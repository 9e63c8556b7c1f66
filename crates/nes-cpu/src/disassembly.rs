//! From bytes to the text of an instruction, by the listing that executes it.

use alloc::format;
use alloc::string::String;
use core::fmt;

use crate::{Mode, OPCODES, Opcode};

/// One instruction in memory. Its [`Display`](fmt::Display) is plain assembler: `LDA ($80),Y`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Instruction {
    /// Address of its opcode.
    pub pc: u16,
    /// Its opcode.
    pub opcode: &'static Opcode,
    /// Its bytes from the opcode on; those past its length are zero.
    raw: [u8; 3],
}

/// Where an operand lies, worked out without touching the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Effective {
    /// Address in the zero page of the pointer that was followed, the index of `($10,X)` included.
    pub pointer: Option<u8>,
    /// The address before Y or X was added to it.
    pub base: u16,
    /// The address that the instruction works on, or jumps to.
    pub address: u16,
}

/// The instruction at `pc`. `peek` reads memory without side effects.
pub fn disassemble(pc: u16, peek: impl Fn(u16) -> u8) -> Instruction {
    let opcode = &OPCODES[usize::from(peek(pc))];
    let mut raw = [opcode.code, 0, 0];
    for (address, byte) in (1..).map(|offset| pc.wrapping_add(offset)).zip(&mut raw[1..opcode.mode.len()]) {
        *byte = peek(address);
    }
    Instruction { pc, opcode, raw }
}

impl Instruction {
    /// Its bytes, 1 to 3 of them.
    pub fn bytes(&self) -> &[u8] {
        &self.raw[..self.opcode.mode.len()]
    }

    /// Its operand as written in its bytes: 0, 8 or 16 bits.
    pub const fn operand(&self) -> u16 {
        u16::from_le_bytes([self.raw[1], self.raw[2]])
    }

    /// Address of the instruction behind it.
    pub fn next(&self) -> u16 {
        self.pc.wrapping_add(self.bytes().len() as u16)
    }

    /// Where its operand lies with these index registers; none for an instruction without an
    /// address. `peek` reads memory without side effects.
    pub fn effective(&self, x: u8, y: u8, peek: impl Fn(u16) -> u8) -> Option<Effective> {
        let operand = self.operand();
        let [low, _] = operand.to_le_bytes();
        let indexed = |pointer, base: u16, index: u8| Effective {
            pointer,
            base,
            address: base.wrapping_add(u16::from(index)),
        };
        let zero_page = |index: u8| Effective {
            pointer: None,
            base: operand,
            address: u16::from(low.wrapping_add(index)),
        };
        let behind = |pointer: u8| {
            u16::from_le_bytes([peek(u16::from(pointer)), peek(u16::from(pointer.wrapping_add(1)))])
        };
        Some(match self.opcode.mode {
            Mode::Implied | Mode::Accumulator | Mode::Immediate => return None,
            Mode::ZeroPage | Mode::Absolute => indexed(None, operand, 0),
            Mode::ZeroPageX => zero_page(x),
            Mode::ZeroPageY => zero_page(y),
            Mode::AbsoluteX => indexed(None, operand, x),
            Mode::AbsoluteY => indexed(None, operand, y),
            Mode::Indirect => {
                let high = operand & 0xFF00 | u16::from(low.wrapping_add(1));
                indexed(None, u16::from_le_bytes([peek(operand), peek(high)]), 0)
            }
            Mode::IndirectX => {
                let pointer = low.wrapping_add(x);
                indexed(Some(pointer), behind(pointer), 0)
            }
            Mode::IndirectY => indexed(Some(low), behind(low), y),
            Mode::Relative => {
                let target = self.next().wrapping_add_signed(i16::from(low as i8));
                indexed(None, target, 0)
            }
        })
    }

    /// The instruction with what lies at its address, in the style of nestest's log:
    /// `LDA ($80),Y = 0200 @ 0210 = 5A`. Index registers and memory are those before it runs.
    pub fn nestest(&self, x: u8, y: u8, peek: impl Fn(u16) -> u8) -> String {
        // The log calls ISC by its other name.
        let mnemonic = if self.opcode.mnemonic == "ISC" { "ISB" } else { self.opcode.mnemonic };
        let text = format!("{mnemonic}{}", self.operand_text());
        let Some(Effective { pointer, base, address }) = self.effective(x, y, &peek) else {
            return text;
        };
        let pointer = pointer.unwrap_or_default();
        let value = peek(address);
        match self.opcode.mode {
            Mode::Relative => text,
            Mode::Absolute if matches!(mnemonic, "JMP" | "JSR") => text,
            Mode::Indirect => format!("{text} = {address:04X}"),
            Mode::ZeroPageX | Mode::ZeroPageY => format!("{text} @ {address:02X} = {value:02X}"),
            Mode::AbsoluteX | Mode::AbsoluteY => format!("{text} @ {address:04X} = {value:02X}"),
            Mode::IndirectX => format!("{text} @ {pointer:02X} = {address:04X} = {value:02X}"),
            Mode::IndirectY => format!("{text} = {base:04X} @ {address:04X} = {value:02X}"),
            _ => format!("{text} = {value:02X}"),
        }
    }

    /// The operand with the space before it, or nothing.
    fn operand_text(&self) -> String {
        let operand = self.operand();
        match self.opcode.mode {
            Mode::Implied => String::new(),
            Mode::Accumulator => " A".into(),
            Mode::Immediate => format!(" #${operand:02X}"),
            Mode::ZeroPage => format!(" ${operand:02X}"),
            Mode::ZeroPageX => format!(" ${operand:02X},X"),
            Mode::ZeroPageY => format!(" ${operand:02X},Y"),
            Mode::Absolute => format!(" ${operand:04X}"),
            Mode::AbsoluteX => format!(" ${operand:04X},X"),
            Mode::AbsoluteY => format!(" ${operand:04X},Y"),
            Mode::Indirect => format!(" (${operand:04X})"),
            Mode::IndirectX => format!(" (${operand:02X},X)"),
            Mode::IndirectY => format!(" (${operand:02X}),Y"),
            Mode::Relative => {
                let target = self.next().wrapping_add_signed(i16::from(self.raw[1] as i8));
                format!(" ${target:04X}")
            }
        }
    }
}

impl fmt::Display for Instruction {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(&format!("{}{}", self.opcode.mnemonic, self.operand_text()))
    }
}
