//! One line of text for each instruction, in the formats of published logs.

use nes::cpu::{Mode, disassemble};
use nes::ppu::Ppu;
use nes::{Cpu, Mainboard};

/// Whose log a listing is to be compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// Nintendulator's, as in the log published with nestest. Its PPU column counts from a PPU that leaves its reset at
    /// dot 0 of line 0; this machine's is [`Ppu::RESET_DOT`] dots further on, as measured.
    Nestest,
    /// The default format of Mesen 2's trace logger.
    Mesen,
}

/// Where the PPU is: the number of its scanline, and of the dot that comes next.
type Beam = (u16, u16);

/// Dots of a scanline (NESdev: PPU rendering).
const LINE: u64 = 341;
const FRAME: u64 = 262 * LINE;
/// The dot of the pre-render line behind which one dot of an odd frame is left out.
const SKIP: u64 = 261 * LINE + 339;

/// Writes the lines of one run, in order.
#[derive(Clone, Debug)]
pub struct Listing {
    format: Format,
    /// A cycle, and the dot of the frame that came next when it began.
    known: Option<(u64, u64)>,
}

impl Listing {
    /// A listing in this format.
    pub fn new(format: Format) -> Self {
        Self { format, known: None }
    }

    /// The line for the instruction that `cpu` is about to execute, without a line end.
    ///
    /// Memory is shown as it is before the instruction. Registers at `$2000`–`$401F` are shown as `FF`, as in
    /// the published log: what a read of them gives depends on the moment.
    pub fn line(&mut self, cpu: &Cpu, board: &Mainboard) -> String {
        let dot = self.dot(board);
        let peek = |address| match address {
            0x2000..=0x401F => 0xFF,
            _ => board.peek(address),
        };
        match self.format {
            Format::Nestest => {
                let dot = (dot + FRAME - u64::from(Ppu::RESET_DOT)) % FRAME;
                nestest(cpu, beam(dot), board.cycle(), peek)
            }
            Format::Mesen => mesen(cpu, beam(dot), peek),
        }
    }

    // The PPU lags behind the CPU, and to run a copy of it up to now takes long. Three dots a cycle are as good, up to
    // where a dot may be left out.
    fn dot(&mut self, board: &Mainboard) -> u64 {
        let cycle = board.cycle();
        let reckoned = self
            .known
            .and_then(|(then, dot)| Some(dot + 3 * cycle.checked_sub(then)?))
            .filter(|dot| *dot < SKIP);
        reckoned.unwrap_or_else(|| {
            let chips = board.caught_up();
            let dot = u64::from(chips.ppu().scanline()) * LINE + u64::from(chips.ppu().dot());
            self.known = Some((cycle, dot));
            dot
        })
    }
}

fn beam(dot: u64) -> Beam {
    ((dot / LINE) as u16, (dot % LINE) as u16)
}

fn nestest(cpu: &Cpu, (scanline, dot): Beam, cycle: u64, peek: impl Fn(u16) -> u8) -> String {
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

fn mesen(cpu: &Cpu, (scanline, dot): Beam, peek: impl Fn(u16) -> u8) -> String {
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
    fn mesen_shows_the_address_that_was_worked_out_and_what_lies_there() {
        let (cpu, peek) = at(&[0xA1, 0x80]);
        assert_eq!(
            mesen(&cpu, (0, 27), peek),
            "C000  LDA ($80,X) [$0200] = $5A              A:00 X:00 Y:00 S:FD P:nv--dIzc V:0   H:27 "
        );
    }
}
