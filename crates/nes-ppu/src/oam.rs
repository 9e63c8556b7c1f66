//! Sprite memory: what the machine keeps of sprites, and the counters that walk it.

use alloc::boxed::Box;

use nes_state::{Fields, State, StateError};

use crate::decay::Decay;

/// Object attribute memory, secondary OAM and the counters that walk them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Oam {
    /// 64 sprites of Y, tile, attributes, X.
    pub(crate) primary: [u8; 256],
    /// Up to eight sprites of the next line.
    pub(crate) secondary: [u8; 32],
    /// `OAMADDR`.
    pub(crate) address: u8,
    /// 0–31, and 32 for a moment where OAM corruption looks at it.
    pub(crate) secondary_address: u8,
    /// What was read last, on its way to the buffer.
    pub(crate) incoming: u8,
    /// The OAM buffer; it takes over in the second half of a dot.
    pub(crate) buffer: u8,
    /// What `$2004` shows while rendering; it follows the buffer in the first half of a dot.
    pub(crate) latch: u8,
    /// Line minus the Y last compared: the row of the sprite, if below its height.
    pub(crate) row: u16,
    /// Which of the four bytes of a sprite comes next.
    pub(crate) byte: u8,
    /// Secondary OAM has wrapped: eight sprites were found.
    pub(crate) full: bool,
    /// `OAMADDR` has wrapped: every sprite was seen.
    pub(crate) exhausted: bool,
    /// A ninth sprite was found: the search goes on without effect.
    pub(crate) ninth_found: bool,
    /// The sprite evaluated first is in range of the next line: it can hit.
    pub(crate) zero_next: bool,
    /// The sprite in the first unit can hit in this line.
    pub(crate) zero_here: bool,
    /// Rendering was cut in the odd dot of the present pair: the even one increments nothing.
    pub(crate) cut_on_odd_dot: bool,
    /// When its rows were refreshed, where they are lost otherwise.
    pub(crate) decay: Option<Box<Decay>>,
}

impl Default for Oam {
    fn default() -> Self {
        Self {
            primary: [0; 256],
            secondary: [0xFF; 32],
            address: 0,
            secondary_address: 0,
            incoming: 0,
            buffer: 0,
            latch: 0,
            row: 0,
            byte: 0,
            full: false,
            exhausted: false,
            ninth_found: false,
            zero_next: false,
            zero_here: false,
            cut_on_odd_dot: false,
            decay: None,
        }
    }
}

impl Oam {
    /// The secondary OAM's address as an index.
    #[inline]
    pub(crate) fn secondary_index(&self) -> usize {
        usize::from(self.secondary_address & 0x1F)
    }

    /// The four bytes of the sprite that the secondary OAM's address is in.
    #[inline]
    pub(crate) fn secondary_entry(&self) -> [u8; 4] {
        let start = self.secondary_index() & 0x1C;
        [0, 1, 2, 3].map(|byte| self.secondary[start + byte])
    }

    /// Dot 1: the counters start anew.
    pub(crate) fn begin_line(&mut self) {
        self.secondary_address = 0;
        self.full = false;
        self.byte = 0;
        self.exhausted = false;
    }

    /// Dot 65: secondary OAM is filled from its start.
    pub(crate) fn begin_search(&mut self) {
        self.secondary_address = 0;
        self.ninth_found = false;
    }

    /// Does the next search begin with the first sprite, with nothing left over from a cut?
    pub(crate) fn will_search_from_start(&self) -> bool {
        self.address == 0 && !self.cut_on_odd_dot
    }

    /// Dot 257: secondary OAM is read from its start.
    pub(crate) fn begin_loading(&mut self) {
        self.secondary_address = 0;
        self.byte = 0;
    }

    /// The secondary OAM's address moves on; eight sprites fill it.
    #[inline]
    pub(crate) fn next_secondary(&mut self) {
        self.secondary_address = (self.secondary_address + 1) & 0x1F;
        self.full |= self.secondary_address == 0;
    }

    /// Four pairs of the search's dots at once, if none of them finds a sprite in range of line
    /// `line`, `height` lines tall. Otherwise nothing is done.
    #[inline]
    pub(crate) fn skip_group(&mut self, line: u8, height: u8) -> bool {
        if self.cut_on_odd_dot {
            return false;
        }
        let slot = self.secondary_index();
        let last = if self.exhausted {
            // The search reads on, one sprite a pair.
            self.address &= 0xFC;
            self.latch = self.primary[usize::from(self.address.wrapping_add(12))];
            self.address = self.address.wrapping_add(16);
            self.secondary[slot]
        } else {
            let aligned = self.address & 3 == 0 && self.address <= 0xF0;
            if self.byte != 0 || self.full || !aligned {
                return false;
            }
            let rows = [0, 4, 8, 12].map(|byte| self.primary[usize::from(self.address.wrapping_add(byte))]);
            if rows.iter().any(|&y| line.wrapping_sub(y) < height && y <= line) {
                return false;
            }
            self.row = u16::from(line).wrapping_sub(u16::from(rows[3]));
            self.address = self.address.wrapping_add(16);
            self.exhausted = self.address == 0;
            self.secondary[slot] = rows[3];
            self.latch = rows[3];
            rows[3]
        };
        self.incoming = last;
        self.buffer = last;
        true
    }

    /// As [`Oam::skip_group`], of `groups` in a row.
    pub(crate) fn skip_groups(&mut self, groups: u16, line: u8, height: u8) -> bool {
        let aligned = self.address & 0x0F == 0;
        if self.cut_on_odd_dot || self.exhausted || self.byte != 0 || self.full || !aligned {
            return false;
        }
        let ahead = self.primary[usize::from(self.address)..].as_chunks::<16>().0;
        let ahead = &ahead[..usize::from(groups).min(ahead.len())];
        let in_range = |y: u8| line.wrapping_sub(y) < height && y <= line;
        if ahead.iter().any(|four| [0, 4, 8, 12].iter().any(|&first| in_range(four[first]))) {
            return false;
        }
        let Some(&[.., y, _, _, _]) = ahead.last() else { return false };
        let searched = ahead.len() as u16;
        self.row = u16::from(line).wrapping_sub(u16::from(y));
        self.address = (u16::from(self.address) + 16 * searched) as u8;
        self.exhausted = self.address == 0;
        let slot = self.secondary_index();
        self.secondary[slot] = y;
        (self.incoming, self.buffer, self.latch) = (y, y, y);
        (searched..groups).all(|_| self.skip_group(line, height))
    }

    /// The search goes to the next sprite's first byte.
    #[inline]
    pub(crate) fn next_sprite(&mut self) {
        self.address = self.address.wrapping_add(4) & 0xFC;
    }
}

impl State for Oam {
    fn walk<F: Fields>(&mut self, fields: &mut F) -> Result<(), StateError> {
        let Self {
            primary,
            secondary,
            address,
            secondary_address,
            incoming,
            buffer,
            latch,
            row,
            byte,
            full,
            exhausted,
            ninth_found,
            zero_next,
            zero_here,
            cut_on_odd_dot,
            decay,
        } = self;
        fields.bytes(primary)?;
        fields.bytes(secondary)?;
        fields.u8(address)?;
        fields.u8(secondary_address)?;
        fields.check("secondary OAM address", u64::from(*secondary_address), *secondary_address <= 0x20)?;
        for latch in [incoming, buffer, latch] {
            fields.u8(latch)?;
        }
        fields.u16(row)?;
        fields.u8(byte)?;
        fields.check("sprite byte", u64::from(*byte), *byte < 4)?;
        for flag in [full, exhausted, ninth_found, zero_next, zero_here, cut_on_odd_dot] {
            fields.bool(flag)?;
        }
        decay.as_mut().map_or(Ok(()), |decay| decay.walk(fields))
    }
}
