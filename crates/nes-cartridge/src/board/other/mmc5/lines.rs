//! How the chip finds the lines of the picture, and its interrupt.

use nes_state::{Fields, State, StateError};

/// CPU cycles without a read of the PPU after which the picture is over.
const IDLE: u64 = 3;
/// CPU cycles of a line, at least, on either console.
const LINE: u64 = 106;

/// The line counter. Each time is a CPU cycle.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Lines {
    pub(super) compared: u8,
    pub(super) enabled: bool,
    pub(super) pending: bool,
    /// The first cycle in which the CPU sees that the interrupt is pending.
    pending_since: u64,
    pub(super) in_frame: bool,
    line: u8,
    /// The nametable byte that was read last, and how often it was in a row.
    last: u16,
    matches: u8,
    read_in: u64,
}

impl Lines {
    /// The PPU reads `address`; `again` within the same read of the CPU's, which counts once.
    pub(super) fn read(&mut self, address: u16, again: bool, cycle: u64, sampled: u64) {
        self.advance(cycle);
        let before = core::mem::replace(&mut self.read_in, cycle);
        if again && address == self.last && cycle.saturating_sub(before) <= IDLE {
            return;
        }
        if address & 0x3000 != 0x2000 {
            // A pattern: there is no nametable byte to compare with.
            (self.last, self.matches) = (0, 0);
            return;
        }
        if address != self.last {
            (self.last, self.matches) = (address, 0);
            return;
        }
        self.matches = self.matches.saturating_add(1);
        if self.matches != 2 {
            return;
        }
        if !self.in_frame {
            (self.in_frame, self.line) = (true, 0);
            self.pending = false;
            return;
        }
        self.line = self.line.saturating_add(1);
        if self.line == self.compared && self.compared != 0 {
            if !self.pending {
                self.pending_since = sampled;
            }
            self.pending = true;
        }
    }

    /// Ends the picture if nothing has been read for a while.
    pub(super) fn advance(&mut self, cycle: u64) {
        if self.in_frame && cycle.saturating_sub(self.read_in) > IDLE {
            self.in_frame = false;
            (self.last, self.matches, self.line) = (0, 0, 0);
        }
    }

    pub(super) fn irq_at(&self, cycle: u64) -> bool {
        self.pending && self.enabled && cycle >= self.pending_since
    }

    /// The first cycle by which an interrupt may come that is not pending yet.
    pub(super) fn next_irq(&self, now: u64) -> u64 {
        if self.pending || !self.enabled || self.compared == 0 {
            return u64::MAX;
        }
        // A line that is over comes again with the next picture.
        let is_ahead = self.in_frame && self.line < self.compared;
        let lines = if is_ahead { self.compared - self.line } else { self.compared };
        now + u64::from(lines - 1) * LINE
    }
}

impl State for Lines {
    fn walk<F: Fields>(&mut self, fields: &mut F) -> Result<(), StateError> {
        let Self { compared, enabled, pending, pending_since, in_frame, line, last, matches, read_in } = self;
        for byte in [compared, line, matches] {
            fields.u8(byte)?;
        }
        for flag in [enabled, pending, in_frame] {
            fields.bool(flag)?;
        }
        fields.u16(last)?;
        fields.u64(pending_since)?;
        fields.u64(read_in)
    }
}
