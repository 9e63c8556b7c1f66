//! The moment right after an instruction at a hook.

use nes::{Console, Cpu};

/// The longest instruction, in bytes.
const LONGEST: u16 = 3;

/// Tells when the instruction at an address has just been executed, as an attachment that selects
/// sees it.
///
/// An interrupt may come before that instruction, or after it: then the hook, or the place behind
/// it, is passed once more when the interrupt returns. A stack pointer as it was at the hook tells
/// the first from the real thing, and forgetting the hook the second.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passage {
    hook: u16,
    /// The stack pointer at the hook, if that was the last instruction.
    passed: Option<u8>,
}

impl Passage {
    /// The passage of the instruction at `hook`.
    pub fn new(hook: u16) -> Self {
        Self { hook, passed: None }
    }

    /// Goes on with a console that was not run with it so far.
    pub fn resync(&mut self, console: &Console) {
        self.passed = self.is_behind(console.cpu.pc).then_some(console.cpu.sp);
    }

    /// Must the next instruction be seen, wherever it is?
    #[inline(always)]
    pub fn is_due(&self) -> bool {
        self.passed.is_some()
    }

    /// Is it the instruction at the hook?
    #[inline(always)]
    pub fn is_at(&self, pc: u16) -> bool {
        pc == self.hook
    }

    /// Whether the instruction at the hook has just been executed. Called before each instruction
    /// that was selected.
    pub fn passes(&mut self, cpu: &Cpu) -> bool {
        if self.passed.take() == Some(cpu.sp) && self.is_behind(cpu.pc) {
            return true;
        }
        self.passed = (cpu.pc == self.hook).then_some(cpu.sp);
        false
    }

    /// Whether `pc` is where the instruction at the hook may lead.
    fn is_behind(&self, pc: u16) -> bool {
        (1..=LONGEST).contains(&pc.wrapping_sub(self.hook))
    }
}
