//! Register writes that act some dots after the CPU has made them.

use nes_state::{Fields, State, StateError};

use crate::ppu::Ppu;
use crate::registers::Mask;
use crate::scroll::VramAddr;
use crate::state::walk_mask;

/// Register writes on their way to where they act, in dots still to go (0: none).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct DelayedWrites {
    pub(crate) scroll_delay: u8,
    pub(crate) scroll: u8,
    pub(crate) v_delay: u8,
    pub(crate) v_before: VramAddr,
    pub(crate) mask: Mask,
    pub(crate) pipeline_delay: u8,
    pub(crate) colour_delay: u8,
    pub(crate) corruption_delay: u8,
    pub(crate) cuts_rendering: bool,
}

impl DelayedWrites {
    /// Is any but the second `$2006` write on its way?
    #[inline]
    pub(crate) fn any_but_v(&self) -> bool {
        (self.scroll_delay | self.pipeline_delay | self.colour_delay | self.corruption_delay) != 0
    }
}

impl Ppu {
    /// A `$2005` write arrives.
    #[inline]
    pub(crate) fn take_scroll_write(&mut self) {
        if self.delayed.scroll_delay == 0 {
            return;
        }
        self.delayed.scroll_delay -= 1;
        if self.delayed.scroll_delay == 0 {
            let value = self.delayed.scroll;
            if self.second_write {
                self.t.set_y(value);
            } else {
                self.fine_x = value & 7;
                self.t.set_coarse_x(value);
            }
            self.second_write = !self.second_write;
        }
    }

    /// The second `$2006` write reaches `v`.
    #[inline]
    pub(crate) fn take_v_write(&mut self) {
        self.v_loaded = false;
        if self.delayed.v_delay == 0 {
            return;
        }
        self.delayed.v_delay -= 1;
        if self.delayed.v_delay == 0 {
            self.v_loaded = true;
            let before = core::mem::replace(&mut self.v, self.t);
            if self.corruption.reaches_palette {
                self.v_leaves_palette(before);
            }
            self.video.address = self.v.bits() & 0x3FFF;
        }
    }

    /// A `$2001` write reaches the pipelines, the OAM and the colours, each at its own time.
    #[inline]
    pub(crate) fn take_mask_write(&mut self) {
        if self.delayed.pipeline_delay | self.delayed.colour_delay | self.delayed.corruption_delay == 0 {
            return;
        }
        if self.corruption.reaches_palette
            && self.delayed.cuts_rendering
            && self.delayed.colour_delay == self.colour_delay()
        {
            self.cut_reaches_palette();
        }
        let arrives = |delay: &mut u8| {
            let last = *delay == 1;
            *delay = delay.saturating_sub(1);
            last
        };
        let mask = self.delayed.mask;
        if arrives(&mut self.delayed.pipeline_delay) {
            self.mask.take(!Mask::COLOUR, mask);
        }
        if arrives(&mut self.delayed.corruption_delay)
            && self.delayed.cuts_rendering
            && self.on_rendering_line()
        {
            self.corruption.rendering_was_cut();
        }
        if arrives(&mut self.delayed.colour_delay) {
            self.mask.take(Mask::COLOUR, mask);
        }
    }
}

impl State for DelayedWrites {
    fn walk<F: Fields>(&mut self, fields: &mut F) -> Result<(), StateError> {
        let Self {
            scroll_delay,
            scroll,
            v_delay,
            v_before,
            mask,
            pipeline_delay,
            colour_delay,
            corruption_delay,
            cuts_rendering,
        } = self;
        for delay in [scroll_delay, v_delay, pipeline_delay, colour_delay, corruption_delay] {
            fields.u8(delay)?;
            fields.check("register delay", u64::from(*delay), *delay <= 5)?;
        }
        fields.u8(scroll)?;
        v_before.walk(fields)?;
        walk_mask(mask, fields)?;
        fields.bool(cuts_rendering)
    }
}
