//! The game's way through its jump tables, and the interrupts that come into the middle of it.

use core::ops::RangeInclusive;

use nes::cpu::disassemble;
use nes::{Console, Cpu, Mainboard};
use tetris::{Profile, hooks};

use crate::{Debugger, Symbols};

/// An NMI that came while the main program was on its way through a jump table. The NMI's own way
/// through one uses the same two bytes of RAM: what the interrupted one has put there is gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Landing {
    /// Address of the instruction before which it came.
    pub at: u16,
    /// Where the main program was to go.
    pub meant: u16,
    /// Where it went; `None` if it has not yet.
    pub went: Option<u16>,
}

impl Landing {
    /// Has the interrupt sent the program astray? That is how the game crashes.
    pub fn is_astray(self) -> bool {
        self.went.is_some_and(|went| went != self.meant)
    }

    /// What came of it, to be said behind where the NMI came.
    pub(super) fn text(self, symbols: &Symbols) -> String {
        let name = |address| symbols.text(address);
        let outcome = match self.went {
            Some(went) if went != self.meant => {
                format!(": it went to {} instead of {}", name(went), name(self.meant))
            }
            Some(_) => ", which found its goal".to_owned(),
            None => ", which is not over".to_owned(),
        };
        format!(", on the way through a jump table{outcome}")
    }
}

/// Follows the ways through the subroutine of the jump tables.
pub(super) struct Jumps {
    /// From its first instruction to its indirect jump.
    range: RangeInclusive<u16>,
    /// Where those that are under way are to go, the innermost last.
    meant: Vec<u16>,
    /// The jump is being taken.
    leaving: bool,
    /// Cycle in which the last one was over.
    pub(super) last: Option<u64>,
}

/// As many ways are under way at most: the main program's and an interrupt's, and some for a
/// program gone astray.
const DEPTH: usize = 8;

impl Jumps {
    /// Those of the game, if the cartridge is one and its subroutine ends in an indirect jump, as
    /// it does.
    pub(super) fn of(debugger: &Debugger) -> Option<Self> {
        let range = range(debugger.profile()?, debugger.console())?;
        Some(Self { range, meant: Vec::new(), leaving: false, last: None })
    }

    /// An NMI has come before the instruction at `pc`.
    pub(super) fn landing(&self, pc: u16) -> Option<Landing> {
        let inside = pc > *self.range.start() && pc <= *self.range.end();
        let meant = *self.meant.last().filter(|_| inside)?;
        Some(Landing { at: pc, meant, went: None })
    }

    /// How many ways are under way.
    pub(super) fn depth(&self) -> usize {
        self.meant.len()
    }

    /// Before each instruction. Gives where a way has led that is over.
    pub(super) fn step(&mut self, cpu: &Cpu, board: &Mainboard) -> Option<u16> {
        let over = core::mem::take(&mut self.leaving);
        if over {
            self.meant.pop();
            self.last = Some(board.cycle());
        }
        if !cpu.interrupt_pending() {
            if cpu.pc == *self.range.start() && self.depth() < DEPTH {
                self.meant.push(target(cpu, board));
            }
            self.leaving = cpu.pc == *self.range.end() && !self.meant.is_empty();
        }
        over.then_some(cpu.pc)
    }
}

/// The subroutine of the jump tables, from its first instruction to its indirect jump.
///
/// `None` if what stands there is none: it pulls both bytes of its return address, goes straight
/// on, and jumps by way of the first two bytes of RAM. A cartridge whose profile does not say where
/// it has its own is not judged by another's.
pub(crate) fn range(profile: &Profile, console: &Console) -> Option<RangeInclusive<u16>> {
    const LONGEST: usize = 24;
    const PLA: u8 = 0x68;
    const JMP_INDIRECT: u8 = 0x6C;
    if !profile.knows_hook(hooks::DISPATCH) {
        return None;
    }
    let start = profile.address(hooks::DISPATCH);
    let (mut at, mut pulled) = (start, 0);
    for _ in 0..LONGEST {
        let instruction = disassemble(at, |address| console.peek(address));
        match *instruction.bytes() {
            [JMP_INDIRECT, 0, 0] => return (pulled == 2).then_some(start..=at),
            [PLA] => pulled += 1,
            // Branches, calls, returns and other jumps: BPL, BMI … BEQ, BRK, JSR, RTI, RTS, JMP.
            [opcode, ..]
                if opcode & 0x1F == 0x10 || matches!(opcode, 0x00 | 0x20 | 0x40 | 0x60 | 0x4C | 0x6C) =>
            {
                return None;
            }
            _ => {}
        }
        at = instruction.next();
    }
    None
}

/// The entry of the table behind the JSR that A selects: words, from the address of the JSR's last
/// byte and one on.
pub(crate) fn target(cpu: &Cpu, board: &Mainboard) -> u16 {
    let stack = |up: u8| u16::from(board.ram()[0x100 + usize::from(cpu.sp.wrapping_add(up))]);
    let table = stack(1) | stack(2) << 8;
    let index = cpu.a.wrapping_mul(2).wrapping_add(1);
    let byte = |index: u8| match table.wrapping_add(u16::from(index)) {
        0x2000..=0x401F => 0,
        address => u16::from(board.peek(address)),
    };
    byte(index) | byte(index.wrapping_add(1)) << 8
}
