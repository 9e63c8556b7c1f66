//! What was called and has not returned, as it is seen while a program runs.

use nes::{BusEvent, Console, Cpu, Mainboard};

use crate::Sources;
use crate::view::{Call, CallKind};

/// A function of C that has begun, and where its stack stood then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entered {
    /// Which of [`Sources::functions`].
    pub(crate) function: usize,
    /// The stack of C at its first instruction, an address.
    pub(crate) base: u16,
}

/// The call stack, followed instruction by instruction.
#[derive(Clone, Debug)]
pub(crate) struct CallChain {
    /// The outermost first.
    pub(crate) calls: Vec<Call>,
    /// The function of C that has begun in each of them, below them the one that nobody called.
    pub(crate) entered: Vec<Option<Entered>>,
    /// PC and SP before the last step.
    last: (u16, u8),
    opcode: u8,
    vector: Option<u16>,
    /// As many of `calls` were there before the last step.
    pub(crate) kept: usize,
}

impl CallChain {
    /// The chain of a console that is about to run.
    pub(crate) fn new(console: &Console) -> Self {
        let calls = concluded(console);
        let entered = vec![None; calls.len() + 1];
        let last = (console.cpu.pc, console.cpu.sp);
        Self { calls, entered, last, opcode: 0xEA, vector: None, kept: 0 }
    }

    /// The step that is over.
    pub(crate) fn settle(&mut self, cpu: &Cpu) {
        let (from, _) = self.last;
        let vector = self.vector.take();
        self.calls.retain(|call| cpu.sp <= call.sp);
        self.kept = self.calls.len();
        self.entered.truncate(self.kept + 1);
        let kind = match (vector, self.opcode) {
            (Some(0xFFFA), _) => Some(CallKind::Nmi),
            (Some(0xFFFE), _) => Some(CallKind::Irq),
            (None, 0x20) => Some(CallKind::Subroutine),
            _ => None,
        };
        if let Some(kind) = kind {
            self.calls.push(Call { from, to: cpu.pc, sp: cpu.sp, kind, seen: true });
            self.entered.push(None);
        }
    }

    /// The instruction that comes next.
    pub(crate) fn step(&mut self, cpu: &Cpu, board: &Mainboard) {
        self.settle(cpu);
        self.last = (cpu.pc, cpu.sp);
        let code = !matches!(cpu.pc, 0x2000..=0x401F);
        self.opcode = if code && !cpu.interrupt_pending() { board.peek(cpu.pc) } else { 0xEA };
    }

    /// Notes the beginning of a function of C.
    pub(crate) fn note_entry(&mut self, cpu: &Cpu, board: &Mainboard, sources: &Sources) {
        if let Some(pointer) = sources.stack_pointer()
            && let Some(function) = sources.entered(cpu.pc, board.cartridge().prg_banks())
            && let Some(entered) = self.entered.last_mut()
        {
            let byte = |at: u16| board.ram()[usize::from(at & 0x7FF)];
            let base = u16::from_le_bytes([byte(pointer), byte(pointer + 1)]);
            *entered = Some(Entered { function, base });
        }
    }

    pub(crate) fn bus(&mut self, event: BusEvent) {
        if event.access == nes::Access::Cpu(nes::cpu::Access::Vector) {
            self.vector = Some(event.address & 0xFFFE);
        }
    }
}

/// What the stack says by itself.
pub(crate) fn concluded(console: &Console) -> Vec<Call> {
    let mut calls = Vec::new();
    let mut at = usize::from(console.cpu.sp) + 1;
    while at < 0xFF {
        let stack = |at: usize| console.peek(0x100 + at as u16);
        let back = u16::from_le_bytes([stack(at), stack(at + 1)]);
        let from = back.wrapping_sub(2);
        let code = matches!(from, 0x0000..=0x07FF | 0x6000..=0xFFFF);
        if code && console.peek(from) == 0x20 {
            let to =
                u16::from_le_bytes([console.peek(from.wrapping_add(1)), console.peek(from.wrapping_add(2))]);
            calls.push(Call { from, to, sp: (at - 1) as u8, kind: CallKind::Subroutine, seen: false });
            at += 2;
        } else {
            at += 1;
        }
    }
    calls.reverse();
    calls
}
