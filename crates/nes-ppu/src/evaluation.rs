//! Sprite evaluation: which eight sprites the next line shows, found in 192 dots.
//!
//! OAM is read on odd dots and secondary OAM written on even ones. Every byte passes through a
//! buffer that `$2004` shows while rendering (NESdev: PPU sprite evaluation).

use nes_state::{Fields, State, StateError};

use crate::VideoBus;
use crate::dot::PRE_RENDER;
use crate::ppu::Ppu;

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
    byte: u8,
    /// Secondary OAM has wrapped: eight sprites were found.
    full: bool,
    /// `OAMADDR` has wrapped: every sprite was seen.
    exhausted: bool,
    /// A ninth sprite was found: the search goes on without effect.
    ninth_found: bool,
    /// The sprite evaluated first is in range of the next line: it can hit.
    pub(crate) zero_next: bool,
    /// The sprite in the first unit can hit in this line.
    pub(crate) zero_here: bool,
    /// Rendering was cut in the odd dot of the present pair: the even one increments nothing.
    cut_on_odd_dot: bool,
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
    fn next_secondary(&mut self) {
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
    fn next_sprite(&mut self) {
        self.address = self.address.wrapping_add(4) & 0xFC;
    }
}

impl Ppu {
    /// The first half of a dot, as sprite evaluation and loading see it.
    #[inline]
    pub(crate) fn evaluate_sprites<B: VideoBus>(&mut self, bus: &mut B) {
        // The write that cuts rendering opens the row at once, but only one that brings rendering
        // back overwrites it.
        if self.corruption.pending() && self.mask.rendering() && self.late.pipeline_delay == 0 {
            self.corrupt_oam();
        }
        match self.dot {
            0..=64 => self.clear_secondary_oam(),
            65..=256 => self.search_sprites(),
            257..=320 => {
                self.oam.zero_here = self.oam.zero_next;
                if self.fetching {
                    self.oam.address = 0;
                    if self.dot == 257 {
                        self.oam.begin_loading();
                    }
                }
                if self.corruption.cut {
                    self.corruption.arm(self.oam.secondary_address);
                }
                self.load_sprites(bus);
            }
            _ => {
                if self.corruption.cut || self.corruption.cut_now {
                    self.corruption.arm(self.oam.secondary_address);
                }
                if self.mask.rendering() {
                    self.oam.incoming = self.oam.secondary[0];
                } else if self.dot == 339 {
                    self.sprites.counters = [0; 8];
                }
            }
        }
    }

    /// Dots 0–64: secondary OAM is filled with $FF (only read in the pre-render line).
    #[inline]
    pub(crate) fn clear_secondary_oam(&mut self) {
        let read_only = self.scanline == PRE_RENDER;
        let oam = &mut self.oam;
        match (self.dot, self.fetching) {
            (0, true) => oam.secondary_address = (oam.secondary_address + 1) & 0x1F,
            (dot, true) if dot & 1 == 1 => {
                oam.incoming = if read_only { oam.secondary[oam.secondary_index()] } else { 0xFF };
                if dot == 1 {
                    oam.begin_line();
                }
                if self.corruption.cut || self.corruption.cut_now {
                    self.corruption.arm(oam.secondary_address);
                }
            }
            (dot, true) => {
                if !read_only {
                    oam.secondary[oam.secondary_index()] = oam.buffer;
                }
                if self.corruption.cut {
                    self.corruption.arm(oam.secondary_address);
                }
                oam.secondary_address = (oam.secondary_address + 1) & 0x1F;
                if self.corruption.cut_now && dot == 64 {
                    self.corruption.arm_where_it_was();
                }
            }
            (2.., false) if self.dot & 1 == 0 && (self.corruption.cut || self.corruption.cut_now) => {
                self.corruption.arm(oam.secondary_address);
            }
            _ => {}
        }
    }

    /// Dots 65–256: the search itself. It stops at once where rendering is cut, but for the dot in
    /// which that happens.
    #[inline]
    pub(crate) fn search_sprites(&mut self) {
        if self.dot == 65 && self.fetching {
            self.oam.begin_search();
        }
        if !self.mask.rendering() && !self.corruption.cut_now {
            return;
        }
        let read_only = self.scanline == PRE_RENDER;
        if self.dot & 1 == 1 {
            self.oam.incoming = self.oam.primary[usize::from(self.oam.address)];
            if self.corruption.cut_now {
                self.corruption.cut = false;
                if !read_only {
                    self.oam.address = self.oam.address.wrapping_add(1);
                }
                self.oam.cut_on_odd_dot = true;
            }
            return;
        }
        if self.oam.exhausted {
            if !self.oam.cut_on_odd_dot && !read_only {
                self.oam.next_sprite();
            }
            self.oam.incoming = self.oam.secondary[self.oam.secondary_index()];
        } else {
            self.evaluate_byte(read_only);
        }
        if self.corruption.cut_now {
            let oam = &mut self.oam;
            if oam.secondary_address & 3 != 0 && !oam.exhausted && !read_only {
                oam.secondary_address = (oam.secondary_address & 0xFC) + 4;
            }
            let row = match self.dot {
                // Seen at the search's last dot, *unverified* why (TriCNES).
                256 => u8::from(!oam.cut_on_odd_dot),
                _ => oam.secondary_address,
            };
            self.corruption.arm(row);
        }
    }

    /// An even dot of the search: the byte in the buffer goes to secondary OAM and decides where
    /// the search goes next.
    #[inline]
    fn evaluate_byte(&mut self, read_only: bool) {
        let height = self.sprite_height();
        let oam = &mut self.oam;
        let before = oam.address;
        let slot = oam.secondary_index();
        if !oam.full && !read_only {
            oam.secondary[slot] = oam.buffer;
        }
        // Once nothing is written any more, the dot reads secondary OAM instead.
        let shown = oam.secondary[slot];
        let held = oam.cut_on_odd_dot || read_only;
        match oam.byte {
            0 => {
                oam.row = (self.scanline & 0xFF).wrapping_sub(u16::from(oam.buffer));
                let in_range = oam.row < height && !oam.ninth_found && !read_only;
                if self.dot == 66 && !(in_range && oam.full) {
                    oam.zero_next = in_range;
                }
                if !in_range {
                    if !held {
                        if oam.full && !oam.ninth_found {
                            // The overflow bug: past the eighth sprite the search also moves on
                            // to the next byte, so it compares tiles and columns with the line.
                            let step = if oam.address & 3 == 3 { 1 } else { 5 };
                            oam.address = oam.address.wrapping_add(step);
                        } else {
                            oam.next_sprite();
                        }
                    }
                } else if oam.full {
                    oam.ninth_found = true;
                    oam.address = oam.address.wrapping_add(1);
                    self.overflow = true;
                    oam.byte = 1;
                } else {
                    if !oam.cut_on_odd_dot {
                        oam.address = oam.address.wrapping_add(1);
                        oam.secondary_address += 1;
                    }
                    oam.secondary_address &= 0x1F;
                    oam.full = oam.secondary_address == 0;
                    oam.byte = 1;
                }
            }
            byte => {
                let in_range = byte != 3 || {
                    // The column, too, is compared with the line.
                    i32::from(self.scanline) - i32::from(oam.buffer) >= 0
                        && self.scanline - u16::from(oam.buffer) < height
                };
                let step = if byte == 3 && in_range && oam.full { 4 } else { 1 };
                if !held || (!in_range && oam.full) {
                    oam.address = oam.address.wrapping_add(step);
                    if !in_range {
                        oam.address &= 0xFC;
                    }
                }
                oam.byte = (byte + 1) & 3;
                if !oam.full && !read_only {
                    oam.next_secondary();
                }
            }
        }
        oam.cut_on_odd_dot = false;
        oam.exhausted |= oam.address < before && oam.address < 4;
        oam.incoming = shown;
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
        Ok(())
    }
}
