//! A line of text for an instruction, in the formats of published logs and other debuggers.

use nes::cpu::{Mode, disassemble};
use nes::ppu::Ppu;
use nes::{Cpu, Mainboard};

use crate::beam::{Beam, LINE};

/// Whose log a listing is to be compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// Nintendulator's, as in the log published with nestest. Its PPU column counts from a PPU that
    /// leaves its reset at dot 0 of line 0; this machine's is [`Ppu::RESET_DOT`] dots further on,
    /// as measured.
    Nestest,
    /// The default format of Mesen 2's trace logger.
    Mesen,
    /// FCEUX's, registers on the left.
    Fceux,
}

impl Format {
    /// The one of that name: `nestest`, `mesen`, `fceux`.
    pub fn from_name(name: &str) -> Option<Self> {
        Some(match name {
            "nestest" => Self::Nestest,
            "mesen" => Self::Mesen,
            "fceux" => Self::Fceux,
            _ => return None,
        })
    }
}

/// Where the PPU is: the number of its scanline, and of the dot that comes next.
type Position = (u16, u16);

/// Writes the lines of one run, in order.
#[derive(Clone, Debug)]
pub struct Listing {
    format: Format,
    beam: Beam,
}

impl Listing {
    /// A listing in this format.
    pub fn new(format: Format) -> Self {
        Self { format, beam: Beam::default() }
    }

    /// The line for the instruction that `cpu` is about to execute, without a line end.
    ///
    /// Memory is shown as it is before the instruction. Registers at `$2000`–`$401F` are shown as
    /// `FF`, as in the published log: what a read of them gives depends on the moment.
    pub fn line(&mut self, cpu: &Cpu, board: &Mainboard) -> String {
        let dot = self.beam.dot(board);
        let peek = |address| match address {
            0x2000..=0x401F => 0xFF,
            _ => board.peek(address),
        };
        match self.format {
            Format::Nestest => {
                let frame = board.region().frame_dots();
                let dot = (dot + frame - u64::from(Ppu::RESET_DOT)) % frame;
                nestest(cpu, position(dot), board.cycle(), peek)
            }
            Format::Mesen => mesen(cpu, position(dot), peek),
            Format::Fceux => fceux(cpu, peek),
        }
    }
}

fn position(dot: u64) -> Position {
    ((dot / LINE) as u16, (dot % LINE) as u16)
}

fn nestest(cpu: &Cpu, (scanline, dot): Position, cycle: u64, peek: impl Fn(u16) -> u8) -> String {
    let Cpu { pc, a, x, y, sp, p, .. } = *cpu;
    let instruction = disassemble(pc, &peek);
    let bytes: Vec<_> = instruction.bytes().iter().map(|byte| format!("{byte:02X}")).collect();
    let (bytes, text) = (bytes.join(" "), instruction.nestest(x, y, &peek));
    let star = if instruction.opcode.official { ' ' } else { '*' };
    let p = p.bits();
    format!(
        "{pc:04X}  {bytes:<8} {star}{text:<32}\
         A:{a:02X} X:{x:02X} Y:{y:02X} P:{p:02X} SP:{sp:02X} PPU:{scanline:3},{dot:3} CYC:{cycle}"
    )
}

fn mesen(cpu: &Cpu, (scanline, dot): Position, peek: impl Fn(u16) -> u8) -> String {
    let Cpu { pc, a, x, y, sp, p, .. } = *cpu;
    let instruction = disassemble(pc, &peek);
    let mut memory = String::new();
    let jump = matches!(instruction.opcode.mnemonic, "JMP" | "JSR");
    let mode = instruction.opcode.mode;
    if let Some(effective) = instruction.effective(x, y, &peek)
        && mode != Mode::Relative
        && !(jump && mode == Mode::Absolute)
    {
        let address = effective.address;
        let content = peek(address);
        memory = match mode {
            Mode::ZeroPage | Mode::Absolute => format!(" = ${content:02X}"),
            _ => format!(" [${address:04X}] = ${content:02X}"),
        };
    }
    let text = format!("{instruction}{memory}");
    let flags: String = "NV--DIZC"
        .chars()
        .enumerate()
        .map(|(bit, flag)| if p.bits() << bit & 0x80 == 0 { flag.to_ascii_lowercase() } else { flag })
        .collect();
    format!(
        "{pc:04X}  {text:<38} A:{a:02X} X:{x:02X} Y:{y:02X} S:{sp:02X} P:{flags} V:{scanline:<3} H:{dot:<3}"
    )
}

fn fceux(cpu: &Cpu, peek: impl Fn(u16) -> u8) -> String {
    let Cpu { pc, a, x, y, sp, p, .. } = *cpu;
    let instruction = disassemble(pc, &peek);
    let bytes: Vec<_> = instruction.bytes().iter().map(|byte| format!("{byte:02X}")).collect();
    let mut place = String::new();
    let mode = instruction.opcode.mode;
    if let Some(effective) = instruction.effective(x, y, &peek)
        && mode != Mode::Relative
        && !matches!((instruction.opcode.mnemonic, mode), ("JMP" | "JSR", Mode::Absolute))
    {
        let address = effective.address;
        let content = peek(address);
        place = match mode {
            Mode::ZeroPage | Mode::Absolute => format!(" = #${content:02X}"),
            _ => format!(" @ ${address:04X} = #${content:02X}"),
        };
    }
    let flags: String = "NVUBDIZC"
        .chars()
        .enumerate()
        .map(|(bit, flag)| if p.bits() << bit & 0x80 == 0 { flag.to_ascii_lowercase() } else { flag })
        .collect();
    format!(
        "A:{a:02X} X:{x:02X} Y:{y:02X} S:{sp:02X} P:{flags}  ${pc:04X}: {:<9}{instruction}{place}",
        bytes.join(" ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use nes::Unstable;

    fn at(bytes: &[u8]) -> (Cpu, impl Fn(u16) -> u8) {
        let mut memory = vec![0u8; 0x10000];
        memory[0xC000..][..bytes.len()].copy_from_slice(bytes);
        memory[0x80..0x82].copy_from_slice(&[0x00, 0x02]);
        memory[0x200] = 0x5A;
        let mut cpu = Cpu::new(Unstable::default());
        (cpu.pc, cpu.sp) = (0xC000, 0xFD);
        (cpu, move |address| memory[usize::from(address)])
    }

    #[test]
    fn every_column_lies_where_the_published_log_has_it() {
        let line = |bytes: &[u8]| {
            let (cpu, peek) = at(bytes);
            nestest(&cpu, (4, 121), 495, peek)
        };
        assert_eq!(
            line(&[0x4C, 0xF5, 0xC5]),
            "C000  4C F5 C5  JMP $C5F5                       A:00 X:00 Y:00 P:24 SP:FD PPU:  4,121 CYC:495"
        );
        assert!(line(&[0xA1, 0x80]).starts_with("C000  A1 80     LDA ($80,X) @ 80 = 0200 = 5A    A:"));
        assert!(line(&[0xE7, 0x80]).starts_with("C000  E7 80    *ISB $80 = 00                    A:"));
    }

    #[test]
    fn fceux_has_registers_on_the_left_and_what_lies_at_the_address() {
        let (cpu, peek) = at(&[0xA1, 0x80]);
        assert_eq!(
            fceux(&cpu, peek),
            "A:00 X:00 Y:00 S:FD P:nvUbdIzc  $C000: A1 80    LDA ($80,X) @ $0200 = #$5A"
        );
        let (cpu, peek) = at(&[0x78]);
        assert_eq!(fceux(&cpu, peek), "A:00 X:00 Y:00 S:FD P:nvUbdIzc  $C000: 78       SEI");
    }

    #[test]
    fn mesen_shows_the_address_that_was_worked_out_and_what_lies_there() {
        let (cpu, peek) = at(&[0xA1, 0x80]);
        assert_eq!(
            mesen(&cpu, (0, 27), peek),
            "C000  LDA ($80,X) [$0200] = $5A              A:00 X:00 Y:00 S:FD P:nv--dIzc V:0   H:27 "
        );
    }
}
