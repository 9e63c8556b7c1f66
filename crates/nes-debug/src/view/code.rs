//! Disassembly and hex dumps.

use std::fmt::Write;

use nes::cpu::{Instruction, Mode, disassemble};

use crate::{Debugger, Space};

/// A line of a disassembly.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Address of the instruction.
    pub address: u16,
    /// The label that stands there.
    pub label: Option<String>,
    /// The line of the source that begins here or goes on here, as `main.c:12  i = 0;`.
    pub source: Option<String>,
    /// The bytes.
    pub bytes: Vec<u8>,
    /// Mnemonic, and the operand with its symbol.
    pub instruction: String,
    /// Bytes, mnemonic, operand with its symbol, cycles.
    pub text: String,
    /// Does it come next?
    pub is_next: bool,
}

impl Line {
    /// The line as a terminal shows it, the label on a line of its own before it.
    pub fn text(&self) -> String {
        let label = self.label.as_ref().map_or_else(String::new, |label| format!("{label}:\n"));
        let source = self.source.as_ref().map_or_else(String::new, |source| format!("; {source}\n"));
        let mark = if self.is_next { '>' } else { ' ' };
        format!("{label}{source}{mark} {}", self.text)
    }

    /// Lines that it takes: one more for the label, and one for the source, if it has them.
    pub fn rows(&self) -> usize {
        1 + usize::from(self.label.is_some()) + usize::from(self.source.is_some())
    }
}

/// `count` instructions from `address` on.
pub fn disassembly(debugger: &Debugger, address: u16, count: usize) -> Vec<Line> {
    let console = debugger.console();
    let peek = |address: u16| match address {
        0x2000..=0x401F => 0xFF,
        _ => console.peek(address),
    };
    let mut at = address;
    let mut lines = Vec::new();
    let (sources, banks) = (&debugger.sources, console.board.cartridge().prg_banks());
    let mut before = None;
    for _ in 0..count {
        let instruction = disassemble(at, peek);
        let bytes = instruction.bytes().to_vec();
        let digits: Vec<String> = bytes.iter().map(|byte| format!("{byte:02X}")).collect();
        let label = debugger.symbols.at(at).map(|label| label.name.clone());
        let operand = operand(debugger, &instruction);
        let is_next = at == console.cpu.pc;
        let effect = if is_next { effect(debugger, &instruction, peek) } else { String::new() };
        let shown = format!("{}{operand}", instruction.opcode.mnemonic);
        let text =
            format!("{at:04X}  {:<8}  {shown:<28} {:>3}{effect}", digits.join(" "), cycles(&instruction));
        let line = sources.line_at(at, banks);
        let source = line.filter(|_| line != before).map(|line| {
            let text = sources.line_text(line).unwrap_or_default().trim();
            format!("{}  {text}", sources.text(line)).trim_end().to_owned()
        });
        before = line;
        lines.push(Line { address: at, label, source, bytes, instruction: shown, text, is_next });
        at = instruction.next();
    }
    lines
}

/// The instructions around the one that comes next, in at most `rows` lines with their labels, at
/// least one instruction; the next one stands in the upper third. Code before it is shown where a
/// label is not far: from any other address it might be taken for other instructions.
pub fn code(debugger: &Debugger, rows: usize) -> Vec<Line> {
    /// Bytes behind a label that are taken for its code.
    const NEAR: u16 = 0x40;
    let pc = debugger.console().cpu.pc;
    let near = debugger.symbols.near(pc).filter(|(_, distance)| *distance < NEAR);
    let begin = near.map_or(pc, |(label, _)| label.address);
    let mut lines = disassembly(debugger, begin, usize::from(NEAR) + rows);
    let next = lines.iter().position(|line| line.is_next).unwrap_or_else(|| {
        lines = disassembly(debugger, pc, rows.max(1));
        0
    });
    let mut above = 0;
    let first = lines[..next].iter().rev().take_while(|line| {
        above += line.rows();
        above <= rows / 3
    });
    let first = next - first.count();
    let mut height = 0;
    let shown = lines[first..].iter().take_while(|line| {
        height += line.rows();
        height <= rows || line.is_next
    });
    shown.cloned().collect()
}

/// The operand with the name of its address in place of the number.
fn operand(debugger: &Debugger, instruction: &Instruction) -> String {
    let plain = instruction.to_string();
    let plain = plain.get(3..).unwrap_or_default().to_owned();
    let address = match instruction.opcode.mode {
        Mode::Implied | Mode::Accumulator | Mode::Immediate => return plain,
        Mode::Relative => instruction.effective(0, 0, |_| 0).map_or(0, |effective| effective.address),
        _ => instruction.operand(),
    };
    let digits = match instruction.bytes().len() {
        2 if instruction.opcode.mode != Mode::Relative => format!("${address:02X}"),
        _ => format!("${address:04X}"),
    };
    let name = debugger.symbols.text(address);
    if name.starts_with('$') { plain } else { plain.replacen(&digits, &name, 1) }
}

/// What the coming instruction works on.
fn effect(debugger: &Debugger, instruction: &Instruction, peek: impl Fn(u16) -> u8 + Copy) -> String {
    let cpu = &debugger.console().cpu;
    match instruction.effective(cpu.x, cpu.y, peek) {
        Some(effective) if instruction.opcode.mode == Mode::Relative => {
            let taken = match instruction.opcode.mnemonic {
                "BPL" => cpu.p.bits() & 0x80 == 0,
                "BMI" => cpu.p.bits() & 0x80 != 0,
                "BVC" => cpu.p.bits() & 0x40 == 0,
                "BVS" => cpu.p.bits() & 0x40 != 0,
                "BCC" => cpu.p.bits() & 1 == 0,
                "BCS" => cpu.p.bits() & 1 != 0,
                "BNE" => cpu.p.bits() & 2 == 0,
                _ => cpu.p.bits() & 2 != 0,
            };
            format!(
                "  {}",
                if taken { format!("to ${:04X}", effective.address) } else { "not taken".to_owned() }
            )
        }
        Some(effective) if !matches!(instruction.opcode.mnemonic, "JMP" | "JSR") => {
            format!("  [${:04X}] = ${:02X}", effective.address, peek(effective.address))
        }
        _ => String::new(),
    }
}

/// Cycles of an instruction: a `+` for one more where an index leaves the page or a branch is taken
/// (NESdev: 6502 cycle times).
fn cycles(instruction: &Instruction) -> String {
    let mnemonic = instruction.opcode.mnemonic;
    let modifies = matches!(
        mnemonic,
        "ASL" | "LSR" | "ROL" | "ROR" | "INC" | "DEC" | "SLO" | "RLA" | "SRE" | "RRA" | "DCP" | "ISC"
    );
    let stores = matches!(mnemonic, "STA" | "STX" | "STY" | "SAX" | "SHA" | "SHX" | "SHY" | "SHS");
    let own = match mnemonic {
        "BRK" => Some("7"),
        "RTI" | "RTS" | "JSR" => Some("6"),
        "PHA" | "PHP" => Some("3"),
        "PLA" | "PLP" => Some("4"),
        "JAM" => Some("-"),
        "JMP" => Some(if instruction.opcode.mode == Mode::Indirect { "5" } else { "3" }),
        _ => None,
    };
    if let Some(own) = own {
        return own.to_owned();
    }
    let (read, crosses, modify) = match instruction.opcode.mode {
        Mode::Implied | Mode::Accumulator | Mode::Immediate => (2, false, 2),
        Mode::ZeroPage => (3, false, 5),
        Mode::ZeroPageX | Mode::ZeroPageY | Mode::Absolute => (4, false, 6),
        Mode::AbsoluteX | Mode::AbsoluteY => (4, true, 7),
        Mode::Indirect => (5, false, 5),
        Mode::IndirectX => (6, false, 8),
        Mode::IndirectY => (5, true, 8),
        Mode::Relative => (2, true, 2),
    };
    match (modifies, stores, crosses) {
        (true, ..) => modify.to_string(),
        (_, true, true) => (read + 1).to_string(),
        (_, _, true) => format!("{read}+"),
        _ => read.to_string(),
    }
}

/// `count` bytes of a memory from `at` on, 16 a line, with letters behind. Bytes that differ from
/// `before`, the same memory at another time, have a `*`.
pub fn hex(debugger: &Debugger, space: Space, at: usize, count: usize, before: Option<&[u8]>) -> String {
    let bytes = space.bytes(debugger.console());
    let mut lines = Vec::new();
    let end = at.saturating_add(count).min(bytes.len());
    for start in (at.min(end)..end).step_by(16) {
        let row = &bytes[start..end.min(start + 16)];
        let mut text = format!("{start:04X} ");
        for (offset, byte) in row.iter().enumerate() {
            let changed = before.and_then(|before| before.get(start + offset)).is_some_and(|old| old != byte);
            // Writing to a String cannot fail.
            let _ = write!(text, "{}{byte:02X}", if changed { '*' } else { ' ' });
        }
        text += &" ".repeat(3 * (16 - row.len()) + 2);
        text.extend(row.iter().map(|&byte| match byte {
            b' '..=b'~' => byte as char,
            _ => '.',
        }));
        lines.push(text);
    }
    lines.join("\n")
}
