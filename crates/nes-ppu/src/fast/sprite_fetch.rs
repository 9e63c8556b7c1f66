//! The groups of the dots 257–320, in which the sprite units are filled for the next line.

use crate::VideoBus;
use crate::fast::span::GROUP;
use crate::ppu::Ppu;

impl Ppu {
    /// As many of the groups of the dots 257–320 as begin before dot `end`: in each a sprite unit
    /// is filled.
    pub(crate) fn sprite_groups<B: VideoBus>(&mut self, end: u16, bus: &mut B) {
        let first = (self.dot - 256) / GROUP;
        let last = (end - 256) / GROUP - 1;
        self.hit_seen = self.hit;
        self.overflow_seen = self.overflow;
        self.colours = [self.colours[0]; 4];
        self.oam.zero_here = self.oam.zero_next;
        self.oam.address = 0;
        if first == 0 {
            self.v.increment_y();
            self.v.copy_x(self.t);
            self.background.shift();
            self.oam.begin_loading();
        }
        // Dots 280–304 are in these groups; any of them has all of it done.
        if self.is_pre_render() && first < 7 && last >= 3 {
            self.v.copy_y(self.t);
        }
        for unit in first..last {
            self.load_unit(usize::from(unit), bus);
        }
        self.load_last_unit(usize::from(last), bus);
        self.dot = end;
    }

    /// A sprite unit is filled from the four bytes of secondary OAM that come next.
    #[inline]
    fn load_unit<B: VideoBus>(&mut self, unit: usize, bus: &mut B) {
        let entry = self.oam.secondary_index();
        let slot = |byte: usize| (entry + byte) & 0x1F;
        let [y, _, attributes, x] = [0, 1, 2, 3].map(|byte| self.oam.secondary[slot(byte)]);
        self.oam.row = (self.scanline & 0xFF).wrapping_sub(u16::from(y));
        self.sprites.attributes[unit] = attributes;
        self.sprites.counters[unit] = x;
        // Its tile and flip come from the four bytes that the address is in while they are asked.
        self.oam.secondary_address = slot(3) as u8;
        (self.sprites.low[unit], self.sprites.high[unit]) = (0, 0);
        if self.oam.row < self.sprite_height() {
            let [low, high] = bus.pattern_row(self.address_sprite_pattern());
            let arrange = |row: u8| if attributes & 0x40 != 0 { row.reverse_bits() } else { row };
            (self.sprites.low[unit], self.sprites.high[unit]) = (arrange(low), arrange(high));
        }
        self.oam.secondary_address = (self.oam.secondary_address + 1) & 0x1F;
    }

    /// As [`Ppu::load_unit`], with all that the fetches leave behind.
    fn load_last_unit<B: VideoBus>(&mut self, unit: usize, bus: &mut B) {
        self.load_unit(unit, bus);
        let last = (self.oam.secondary_address.wrapping_sub(1)) & 0x1F;
        self.oam.secondary_address = last;
        let pattern = self.address_sprite_pattern();
        let [_, high] = bus.pattern_row(pattern);
        self.background.pattern = pattern | 8;
        self.end_fetches(high);
        self.oam.secondary_address = (last + 1) & 0x1F;
        let x = self.sprites.counters[unit];
        self.oam.incoming = x;
        self.oam.buffer = x;
        self.oam.latch = x;
    }

    /// The pattern address register, with the row of the sprite that secondary OAM's address is in.
    #[inline]
    fn address_sprite_pattern(&mut self) -> u16 {
        let tile = self.oam.secondary_entry()[1];
        self.background.pattern = (self.background.pattern & 0x100F) | (u16::from(tile) << 4);
        self.select_sprite_pattern();
        self.background.pattern & !8
    }
}
