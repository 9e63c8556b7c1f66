//! Where the PPU is, by the cycle.

use nes::{Mainboard, Region};

/// Dots of a line (NESdev: PPU rendering).
pub(crate) const LINE: u64 = 341;
/// The dot of the pre-render line behind which one dot of an odd frame is left out.
const SKIP: u64 = 261 * LINE + 339;

/// Computes the dot that comes next from the cycle.
///
/// The PPU lags behind the CPU, and to run a copy of it up to now takes long. Three dots a cycle
/// are as good, up to where a dot may be left out. On PAL a cycle is no whole number of dots, and
/// the copy is run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Beam {
    /// A cycle, and the dot of the frame that came next when it began.
    known: Option<(u64, u64)>,
}

impl Beam {
    /// The dot of the frame that comes next, line 0 dot 0 being 0.
    pub(crate) fn dot(&mut self, board: &Mainboard) -> u64 {
        self.dot_at(board.cycle(), board)
    }

    /// The same in `cycle`, which is this one or one since the last look.
    pub(crate) fn dot_at(&mut self, cycle: u64, board: &Mainboard) -> u64 {
        if board.region() == Region::Ntsc
            && let Some((then, dot)) = self.known
            && let Some(cycles) = cycle.checked_sub(then)
            && dot + 3 * cycles < SKIP
        {
            return dot + 3 * cycles;
        }
        let chips = board.caught_up();
        let dot = u64::from(chips.ppu().scanline()) * LINE + u64::from(chips.ppu().dot());
        self.known = Some((board.cycle(), dot));
        dot
    }
}
