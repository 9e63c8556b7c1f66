//! The call stack.

use core::ops::ControlFlow;

use nes::{Access, Break, BusEvent, Console, Cpu, Mainboard, Observer};

use crate::{Debugger, Symbols};

/// Why something is on the call stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CallKind {
    /// JSR.
    Subroutine,
    /// NMI.
    Nmi,
    /// IRQ or BRK.
    Irq,
}

/// A subroutine or a handler that has not returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Call {
    /// Address of the JSR, or of the instruction that the interrupt came before.
    pub from: u16,
    /// Where it went.
    pub to: u16,
    /// The stack pointer in it, before it pushed anything of its own.
    pub sp: u8,
    /// By what.
    pub kind: CallKind,
    /// Seen as it happened; otherwise concluded from a return address on the stack behind a JSR.
    pub seen: bool,
}

impl Call {
    /// Where it went and from where, in words: `lock < play`, `NMI nmi < wait+2`.
    pub fn text(&self, symbols: &Symbols) -> String {
        let kind = match self.kind {
            CallKind::Subroutine => "",
            CallKind::Nmi => "NMI ",
            CallKind::Irq => "IRQ ",
        };
        format!("{kind}{} < {}", symbols.text(self.to), symbols.text(self.from))
    }
}

/// Where the program is, then the calls that led there, the innermost first, a line each.
pub fn call_lines(debugger: &Debugger) -> Vec<String> {
    let calls = calls(debugger);
    let here = debugger.symbols.text(debugger.console().cpu.pc);
    core::iter::once(here).chain(calls.iter().rev().map(|call| call.text(&debugger.symbols))).collect()
}

/// What has been called and has not returned, the innermost last. What was called in the present
/// and the previous frame is known; what is older is concluded from the stack.
pub fn calls(debugger: &Debugger) -> Vec<Call> {
    let frame = debugger.console().frame_number().saturating_sub(1);
    let now = debugger.console().cycle();
    let Some(mut replay) = debugger.replay_frame(frame) else {
        return concluded(debugger.console());
    };
    let calls = concluded(&replay.moment.console);
    let cpu = &replay.moment.console.cpu;
    let mut watch = Watch { calls, last: (cpu.pc, cpu.sp), opcode: 0, vector: None };
    replay.run_to(now, &mut watch, |_, _| {});
    watch.settle(&debugger.console().cpu);
    watch.calls
}

/// What the stack says by itself.
fn concluded(console: &Console) -> Vec<Call> {
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

struct Watch {
    calls: Vec<Call>,
    /// PC and SP before the last step.
    last: (u16, u8),
    opcode: u8,
    vector: Option<u16>,
}

impl Watch {
    /// The step that is over.
    fn settle(&mut self, cpu: &Cpu) {
        let (from, _) = self.last;
        let vector = self.vector.take();
        self.calls.retain(|call| cpu.sp <= call.sp);
        let kind = match (vector, self.opcode) {
            (Some(0xFFFA), _) => Some(CallKind::Nmi),
            (Some(0xFFFE), _) => Some(CallKind::Irq),
            (None, 0x20) => Some(CallKind::Subroutine),
            _ => None,
        };
        if let Some(kind) = kind {
            self.calls.push(Call { from, to: cpu.pc, sp: cpu.sp, kind, seen: true });
        }
    }
}

impl Observer for Watch {
    fn step(&mut self, cpu: &Cpu, board: &Mainboard) -> ControlFlow<Break> {
        self.settle(cpu);
        self.last = (cpu.pc, cpu.sp);
        let code = !matches!(cpu.pc, 0x2000..=0x401F);
        self.opcode = if code && !cpu.interrupt_pending() { board.peek(cpu.pc) } else { 0xEA };
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn bus(&mut self, event: BusEvent) {
        if event.access == Access::Cpu(nes::cpu::Access::Vector) {
            self.vector = Some(event.address & 0xFFFE);
        }
    }
}
