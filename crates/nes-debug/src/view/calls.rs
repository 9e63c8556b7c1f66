//! The call stack.

use core::ops::ControlFlow;

use nes::{Break, BusEvent, Console, Cpu, Mainboard, Observer};

use crate::chain::CallChain;
use crate::{Debugger, Sources, Symbols};

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
    chain(debugger).calls
}

/// The same with the functions of C that have begun in each of them.
pub(super) fn chain(debugger: &Debugger) -> CallChain {
    let frame = debugger.console().frame_number().saturating_sub(1);
    let Some(mut replay) = debugger.replay_frame(frame) else {
        return CallChain::new(debugger.console());
    };
    let now = debugger.console().cycle();
    let mut watch = Watch { chain: CallChain::new(&replay.moment.console), sources: &debugger.sources };
    replay.run_to(now, &mut watch, |_, _| {});
    watch.chain.settle(&debugger.console().cpu);
    let Console { cpu, board, .. } = debugger.console();
    watch.chain.note_entry(cpu, board, &debugger.sources);
    watch.chain
}

/// Follows the call stack.
pub(super) struct Watch<'a> {
    pub(super) chain: CallChain,
    pub(super) sources: &'a Sources,
}

impl Observer for Watch<'_> {
    fn step(&mut self, cpu: &Cpu, board: &Mainboard) -> ControlFlow<Break> {
        self.chain.step(cpu, board);
        self.chain.note_entry(cpu, board, self.sources);
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn bus(&mut self, event: BusEvent) {
        self.chain.bus(event);
    }
}
