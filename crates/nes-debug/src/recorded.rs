//! What attachments change, kept for the way back.

use core::ops::ControlFlow;

use nes::{Attachment, Break, BusEvent, Console, FetchEvent};

use crate::history::History;

/// Where a console stands before somebody may change it.
#[derive(Clone, Debug)]
pub struct Mark {
    pub(crate) cycle: u64,
    pub(crate) frame: u64,
    pub(crate) state: Vec<u8>,
}

impl Mark {
    /// Of `console` as it is now.
    pub fn new(console: &Console) -> Self {
        Self { cycle: console.cycle(), frame: console.frame_number(), state: console.save() }
    }
}

/// An attachment whose changes become part of the history: on the way back nobody needs to be
/// attached.
pub(crate) struct Recorded<'a, A> {
    pub(crate) attachment: &'a mut A,
    pub(crate) history: &'a mut History,
}

impl<A: Attachment> Attachment for Recorded<'_, A> {
    const WATCHES: bool = A::WATCHES;
    const SELECTS: bool = A::SELECTS;
    const FETCHES: bool = A::FETCHES;
    const ACTS: bool = A::ACTS;
    const COMPILED: bool = false;

    #[inline(always)]
    fn due(&self) -> bool {
        self.attachment.due()
    }

    #[inline(always)]
    fn selects_step(&self, pc: u16) -> bool {
        self.attachment.selects_step(pc)
    }

    #[inline(always)]
    fn selects_bus(&self, address: u16, write: bool) -> bool {
        self.attachment.selects_bus(address, write)
    }

    #[inline]
    fn step(&mut self, console: &mut Console) -> ControlFlow<Break> {
        if !self.attachment.may_act(console.cpu.pc) {
            return self.attachment.step(console);
        }
        let before = Mark::new(console);
        let flow = self.attachment.step(console);
        self.history.note_change(&before, false, console);
        flow
    }

    #[inline(always)]
    fn bus(&mut self, event: BusEvent) {
        self.attachment.bus(event);
    }

    #[inline(always)]
    fn fetch(&mut self, event: FetchEvent) {
        self.attachment.fetch(event);
    }
}
