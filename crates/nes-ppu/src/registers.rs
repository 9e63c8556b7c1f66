//! The eight registers at $2000–$2007, as the CPU's accesses reach them.

use bitflags::bitflags;

use nes_clock::Region;

use crate::delayed::DelayedWrites;
use crate::dot::{POST_RENDER, REFRESH};
use crate::ppu::Ppu;
use crate::{Frame, VideoBus};

bitflags! {
    /// `PPUCTRL`, $2000 (NESdev: PPU registers).
    ///
    /// ```text
    /// VPHB SINN
    /// |||| ||++-- nametable (goes to t)
    /// |||| |+---- $2007 moves v by 32, not 1
    /// |||| +----- sprite patterns at $1000 (8 × 8 only)
    /// |||+------- background patterns at $1000
    /// ||+-------- sprites of 8 × 16
    /// |+--------- EXT pins are outputs (not connected)
    /// +---------- NMI in vblank
    /// ```
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct Control: u8 {
        /// Nametable of the scroll position.
        const NAMETABLE = 0x03;
        /// `$2007` moves `v` by 32.
        const DOWN = 0x04;
        /// Sprite patterns at $1000.
        const SPRITE_TABLE = 0x08;
        /// Background patterns at $1000.
        const BACKGROUND_TABLE = 0x10;
        /// Sprites of 8 × 16.
        const TALL_SPRITES = 0x20;
        /// EXT pins are outputs.
        const EXT_OUTPUT = 0x40;
        /// NMI in vblank.
        const NMI = 0x80;
    }

    /// `PPUMASK`, $2001 (NESdev: PPU registers).
    ///
    /// ```text
    /// BGRs bMmG
    /// |||| |||+-- greyscale
    /// |||| ||+--- background in the leftmost 8 pixels
    /// |||| |+---- sprites in the leftmost 8 pixels
    /// |||| +----- background
    /// |||+------- sprites
    /// +++-------- emphasis of blue, green, red
    /// ```
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct Mask: u8 {
        /// Greyscale: only column 0 of the palette.
        const GREYSCALE = 0x01;
        /// Background in the leftmost 8 pixels.
        const BACKGROUND_LEFT = 0x02;
        /// Sprites in the leftmost 8 pixels.
        const SPRITES_LEFT = 0x04;
        /// Background.
        const BACKGROUND = 0x08;
        /// Sprites.
        const SPRITES = 0x10;
        /// Emphasis of red.
        const RED = 0x20;
        /// Emphasis of green.
        const GREEN = 0x40;
        /// Emphasis of blue.
        const BLUE = 0x80;
    }
}

impl Mask {
    /// The bits that reach the picture's last stage, not the pipelines.
    pub(crate) const COLOUR: Self = Self::GREYSCALE.union(Self::RED).union(Self::GREEN).union(Self::BLUE);

    /// Is the PPU rendering, on the lines where it can?
    #[inline]
    pub(crate) fn rendering(self) -> bool {
        self.intersects(Self::BACKGROUND.union(Self::SPRITES))
    }

    /// Replaces the bits in `which` by those of `value`.
    pub(crate) fn take(&mut self, which: Self, value: Self) {
        *self = (*self - which) | (value & which);
    }
}

/// Ticks from the start of a CPU read to its end, when the PPU stops driving the bus.
const READ_END: u64 = 7;
/// Ticks from the start of a CPU write until the data bus carries the CPU's value.
const DATA_VALID: u64 = 2;
/// Ticks from the start of a CPU write until the PPU is deselected.
const WRITE_END: u64 = 7;

impl Ppu {
    /// The CPU reads `register` (0–7) in the cycle that begins at `tick`. Catches up to the moment
    /// and past it, as far as the read reaches into its cycle.
    pub fn read<B: VideoBus>(&mut self, register: u16, tick: u64, bus: &mut B, frame: &mut Frame) -> u8 {
        self.run_until(tick, bus, frame);
        match register & 7 {
            2 => {
                // The vblank flag is sampled where the read begins and cleared by it; the sprite
                // flags where it ends (AccuracyCoin: $2002 flag timing).
                let vblank = u8::from(self.vblank) << 7;
                self.status_read = true;
                self.run_until(tick + READ_END, bus, frame);
                self.second_write = false;
                let flags = vblank | (u8::from(self.hit_seen) << 6) | (u8::from(self.overflow_seen) << 5);
                self.io.drive(flags, 0xE0, tick);
                self.io.value(tick)
            }
            4 => {
                self.run_until(tick + READ_END, bus, frame);
                if !self.shows_search() {
                    self.reach_oam();
                }
                let value = self.oam_data();
                self.io.drive(value, 0xFF, tick);
                value
            }
            7 => {
                if self.video.address & 0x3F00 == 0x3F00 {
                    // Palette entries have six bits; the other two are the latch's.
                    let mut value = self.palette[palette_index(self.v.bits())];
                    if self.mask.contains(Mask::GREYSCALE) {
                        value &= 0x30;
                    }
                    let open = self.io.value(tick) & 0xC0;
                    self.io.drive(value | open, 0x3F, tick);
                } else {
                    self.io.drive(self.port.buffer, 0xFF, tick);
                }
                let value = self.io.value(tick);
                self.run_until(tick + READ_END, bus, frame);
                self.port.request_read();
                value
            }
            _ => self.io.value(tick),
        }
    }

    /// The CPU writes `value` to `register` (0–7) in the cycle that begins at `tick`.
    /// `previous_bus` is what the data bus held before: the first half dot of the write still
    /// sees it, which is the cause of the scroll glitches that NESdev lists (PPU glitches).
    pub fn write<B: VideoBus>(
        &mut self,
        register: u16,
        value: u8,
        previous_bus: u8,
        tick: u64,
        bus: &mut B,
        frame: &mut Frame,
    ) {
        // In vblank nothing of the chip's own looks at OAM: its writes need not be kept waiting for
        // it.
        if register & 7 != 4 || !self.idles_until(tick) {
            self.run_until(tick, bus, frame);
        }
        self.io.drive(value, 0xFF, tick);
        if self.warming_up && matches!(register & 7, 0 | 1 | 5 | 6) {
            self.ignored.note(register & 7, value, tick);
            return;
        }
        match register & 7 {
            0 => {
                self.t.set_nametable(previous_bus);
                self.run_until(tick + DATA_VALID, bus, frame);
                self.t.set_nametable(value);
                self.control = Control::from_bits_retain(value);
                self.update_nmi(tick + DATA_VALID - 1);
            }
            1 => self.write_mask(value, previous_bus),
            3 => self.oam.address = value,
            4 => self.write_oam(value),
            5 => {
                self.delayed.scroll_delay = 1 + u8::from(self.phase == 2);
                self.delayed.scroll = value;
                if self.second_write {
                    self.t.set_y(previous_bus);
                } else {
                    self.fine_x = previous_bus & 7;
                    self.t.set_coarse_x(previous_bus);
                }
            }
            6 => {
                if self.second_write {
                    self.t.set_low(value);
                    self.delayed.v_delay = 4 + u8::from(self.phase == 2);
                    self.delayed.v_before = self.v;
                } else {
                    self.t.set_high(value);
                }
                self.second_write = !self.second_write;
            }
            7 => {
                self.port.data = value;
                self.run_until(tick + WRITE_END, bus, frame);
                self.port.request_write();
            }
            _ => {}
        }
    }

    /// As many writes of `$2004`, the last of them at `tick`, as there are in a page, if nothing of
    /// the chip's own could meet them: it is idle until then. Otherwise nothing is done.
    pub fn write_oam_page(&mut self, bytes: &[u8; 256], tick: u64) -> bool {
        if !self.idles_until(tick) {
            return false;
        }
        if let Some(&last) = bytes.last() {
            self.io.drive(last, 0xFF, tick);
        }
        for &byte in bytes {
            self.store_oam(byte);
        }
        true
    }

    /// What [`Ppu::read`] of `register` would return, without its effects, at the moment that the
    /// PPU has been run to.
    pub fn peek(&self, register: u16) -> u8 {
        let open = self.io.value(self.next);
        match register & 7 {
            2 => {
                let flags = (u8::from(self.vblank) << 7)
                    | (u8::from(self.hit_seen) << 6)
                    | (u8::from(self.overflow_seen) << 5);
                flags | (open & 0x1F)
            }
            4 => self.oam_data(),
            7 if self.video.address & 0x3F00 == 0x3F00 => {
                self.palette[palette_index(self.v.bits())] | (open & 0xC0)
            }
            7 => self.port.buffer,
            _ => open,
        }
    }

    /// `OAMDATA` read: the entry at the address, or, while rendering, whatever evaluation and
    /// fetches have in the OAM latch (NESdev: PPU registers).
    fn oam_data(&self) -> u8 {
        if self.shows_search() { self.oam.latch } else { self.oam_byte() }
    }

    /// Does `$2004` show the search at work?
    fn shows_search(&self) -> bool {
        self.mask.rendering() && self.scanline < POST_RENDER
    }

    /// `OAMDATA` write: stores outside rendering; during it only bumps the address (NESdev: PPU
    /// registers).
    fn write_oam(&mut self, value: u8) {
        let refreshed = self.region == Region::Pal && (REFRESH..self.pre_render).contains(&self.scanline);
        if refreshed || (self.mask.rendering() && self.on_rendering_line()) {
            self.oam.address = self.oam.address.wrapping_add(4) & 0xFC;
            return;
        }
        self.reach_oam();
        self.store_oam(value);
    }

    /// A byte goes into OAM, where nothing keeps it from there.
    #[inline]
    fn store_oam(&mut self, value: u8) {
        // Bits 2–4 of an attribute byte have no storage (NESdev: PPU OAM).
        let stored = if self.oam.address & 3 == 2 { value & 0xE3 } else { value };
        self.oam.primary[usize::from(self.oam.address)] = stored;
        self.oam.address = self.oam.address.wrapping_add(1);
    }

    /// Dots after which a `$2001` write reaches the colours: on PAL one more, by where `nmi_sync`'s
    /// demos say that their lines begin.
    pub(crate) fn colour_delay(&self) -> u8 {
        2 + u8::from(self.region == Region::Pal)
    }

    /// `PPUMASK` write: every consumer of the register takes it over at its own time.
    fn write_mask(&mut self, value: u8, previous_bus: u8) {
        let mask = Mask::from_bits_retain(value);
        let previous = Mask::from_bits_retain(previous_bus);
        let was_rendering = self.mask.rendering();
        let slow = matches!(self.phase, 1 | 2);
        self.delayed = DelayedWrites {
            mask,
            pipeline_delay: 2 + u8::from(self.phase == 2),
            colour_delay: self.colour_delay(),
            corruption_delay: 2 + u8::from(slow),
            cuts_rendering: was_rendering && !mask.rendering(),
            ..self.delayed
        };
        self.note_mask_write(was_rendering, mask.rendering());
        if !slow {
            self.mask.take(Mask::GREYSCALE | Mask::BLUE, previous);
        }
        self.mask.take(Mask::RED | Mask::GREEN, mask);
    }
}

/// Index into the 32 bytes of palette RAM: the backdrop entries of the sprite palettes are those
/// of the background's (NESdev: PPU palettes).
#[inline]
pub(crate) fn palette_index(address: u16) -> usize {
    let index = usize::from(address & 0x1F);
    if index & 3 == 0 { index & 0x0F } else { index }
}
