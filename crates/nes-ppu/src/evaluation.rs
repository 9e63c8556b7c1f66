//! Sprite evaluation: which eight sprites the next line shows, found in 192 dots.
//!
//! OAM is read on odd dots and secondary OAM written on even ones. Every byte passes through a
//! buffer that `$2004` shows while rendering (NESdev: PPU sprite evaluation).

use crate::VideoBus;
use crate::ppu::Ppu;

impl Ppu {
    /// The first half of a dot, as sprite evaluation and loading see it.
    #[inline]
    pub(crate) fn evaluate_sprites<B: VideoBus>(&mut self, bus: &mut B) {
        // The write that cuts rendering opens the row at once, but only one that brings rendering
        // back overwrites it.
        if self.corruption.pending() && self.mask.rendering() && self.delayed.pipeline_delay == 0 {
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
        let read_only = self.is_pre_render();
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
            self.begin_search();
        }
        if !self.mask.rendering() && !self.corruption.cut_now {
            return;
        }
        let read_only = self.is_pre_render();
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
    /// the search goes next (NESdev: PPU sprite evaluation, *Details*). `n` is the sprite, `m` the
    /// byte in it: `OAMADDR` is `4n + m`.
    ///
    /// | found | byte | in range | next | effect |
    /// |---|---|---|---|---|
    /// | < 8 | Y | no | `n + 1`, `m = 0` | Y stays in secondary OAM, to be overwritten |
    /// | < 8 | Y | yes | `m + 1` | three more bytes are copied |
    /// | < 8 | tile, attributes | | `m + 1` | copied |
    /// | < 8 | X | yes | next byte | copied |
    /// | < 8 | X | no | next byte, `m = 0` | copied; the same unless `OAMADDR` began misaligned |
    /// | 8 | Y | no | `n + 1`, `m + 1` without carry | the overflow bug: the search goes on diagonally |
    /// | 8 | Y | yes | `m + 1` | the overflow flag is set |
    /// | 8 | tile, attributes of the ninth | | `m + 1` | read only |
    /// | 8 | X of the ninth | yes | `n + 1` | read only |
    /// | 8 | X of the ninth | no | next byte, `m = 0` | read only |
    /// | 8 | Y after the ninth | | `n + 1`, `m = 0` | read only |
    /// | any | `n` wraps | | | nothing more is found: see `exhausted` |
    ///
    /// With eight found, writes become reads of secondary OAM. The comparison of X with the line
    /// matters where `OAMADDR` began misaligned: see AccuracyCoin's *Misaligned OAM behavior*.
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
