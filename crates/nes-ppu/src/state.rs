//! The snapshot walk over the whole chip.

use nes_state::{Fields, State, StateError};

use crate::dot::DOTS;
use crate::ppu::{DOT, Ppu, VideoPins};
use crate::registers::{Control, Mask};
use crate::warm_up::Ignored;

impl State for VideoPins {
    fn walk<F: Fields>(&mut self, fields: &mut F) -> Result<(), StateError> {
        let Self { address, latch, latching, reading } = self;
        fields.u16(address)?;
        fields.check("video address", u64::from(*address), *address < 0x4000)?;
        fields.u8(latch)?;
        fields.bool(latching)?;
        fields.bool(reading)
    }
}

pub(crate) fn walk_mask<F: Fields>(mask: &mut Mask, fields: &mut F) -> Result<(), StateError> {
    let mut bits = mask.bits();
    fields.u8(&mut bits)?;
    *mask = Mask::from_bits_retain(bits);
    Ok(())
}

impl State for Ppu {
    fn walk<F: Fields>(&mut self, fields: &mut F) -> Result<(), StateError> {
        let Self {
            // The region is the console's, like the cartridge, and so is what the reset button
            // reaches.
            region: _,
            no_reset: _,
            pre_render,
            phase,
            next,
            half,
            scanline,
            dot,
            odd_frame,
            skipped,
            frames,
            warming_up,
            ignored,
            control,
            mask,
            fetching,
            delayed,
            v,
            t,
            v_loaded,
            fine_x,
            second_write,
            io,
            vblank,
            status_read,
            overflow,
            overflow_seen,
            hit_pipe,
            hit,
            hit_seen,
            hit_possible,
            nmi,
            video,
            port,
            background,
            sprites,
            oam,
            corruption,
            palette,
            colours,
        } = self;
        // It is told of the run at hand.
        *ignored = Ignored::default();
        fields.u8(phase)?;
        fields.check("phase", u64::from(*phase), *phase < 4)?;
        fields.u64(next)?;
        fields.bool(half)?;
        let step = u64::from(*half) * (DOT / 2);
        let aligned = *next < u64::MAX / 4 && next.wrapping_add(u64::from(*phase) + step) % DOT == 0;
        fields.check("tick of the next dot", *next, aligned)?;
        fields.u16(scanline)?;
        fields.check("line", u64::from(*scanline), *scanline <= *pre_render)?;
        fields.u16(dot)?;
        fields.check("dot", u64::from(*dot), *dot < DOTS)?;
        fields.u64(frames)?;
        fields.check("frames", *frames, *frames < u64::MAX / 2)?;
        let mut bits = control.bits();
        fields.u8(&mut bits)?;
        *control = Control::from_bits_retain(bits);
        walk_mask(mask, fields)?;
        delayed.walk(fields)?;
        v.walk(fields)?;
        t.walk(fields)?;
        fields.u8(fine_x)?;
        fields.check("fine X", u64::from(*fine_x), *fine_x < 8)?;
        io.walk(fields)?;
        fields.u8(hit_pipe)?;
        fields.check("sprite zero hit", u64::from(*hit_pipe), *hit_pipe < 4)?;
        for flag in [
            odd_frame,
            skipped,
            warming_up,
            fetching,
            v_loaded,
            second_write,
            vblank,
            status_read,
            overflow,
            overflow_seen,
            hit,
            hit_seen,
            hit_possible,
        ] {
            fields.bool(flag)?;
        }
        nmi.walk(fields)?;
        video.walk(fields)?;
        port.walk(fields)?;
        background.walk(fields)?;
        sprites.walk(fields)?;
        oam.walk(fields)?;
        corruption.walk(fields)?;
        for entry in palette.iter_mut().chain(colours) {
            fields.u8(entry)?;
            fields.check("palette entry", u64::from(*entry), *entry < 0x40)?;
        }
        Ok(())
    }
}
