//! Address line A12 over spans of dots, as their dots would show it.

use crate::VideoBus;
use crate::dot::DOTS;
use crate::fast::span::GROUP;
use crate::ppu::{DOT, Ppu};
use crate::registers::Control;

/// Dots of a group after which the address of a pattern goes out; before, it is one of a nametable,
/// where A12 is low.
const PATTERN: u64 = 4;

impl Ppu {
    /// The bus is told of a span from `tick` on in which nothing was fetched.
    #[inline(always)]
    pub(crate) fn tell_a12_of_blank<B: VideoBus>(&self, tick: u64, bus: &mut B) {
        if B::WATCHES_A12 && self.next != tick {
            self.tell_a12(tick, bus);
        }
    }

    /// The bus is told of the groups from the dot after `begin` to the present one, which begin at
    /// the tick of the next dot.
    #[inline(always)]
    pub(crate) fn tell_a12_of_groups<B: VideoBus>(&self, begin: u16, bus: &mut B) {
        if !B::WATCHES_A12 || self.dot <= begin {
            return;
        }
        let end = self.dot.min(320);
        // Secondary OAM's address has moved on by four for each unit that was filled.
        let filled = end.saturating_sub(begin.max(256)) / GROUP;
        let first_unit = (begin.max(256) - 256) / GROUP;
        let tables = |unit: u16| {
            let back = (filled + first_unit).saturating_sub(unit) as u8;
            let within = self.oam.secondary_address.wrapping_sub(4 * back).wrapping_add(3);
            let tile = self.oam.secondary[usize::from(within & 0x1C) + 1];
            self.sprite_table_is_high(tile)
        };
        self.tell_a12_of_dots(begin, self.dot, self.next, tables, bus);
    }

    /// The bus is told of a whole line, to the dot 0 after it, that is `lines` lines ahead. `found`
    /// are the sprites in range of it, a bit each.
    #[inline(always)]
    pub(crate) fn tell_a12_of_line<B: VideoBus>(&self, lines: u64, found: u64, bus: &mut B) {
        if !B::WATCHES_A12 {
            return;
        }
        let mut tables = [self.sprite_table_is_high(0xFF); 8];
        let mut left = found;
        for table in &mut tables {
            if left != 0 {
                let sprite = left.trailing_zeros() as usize;
                left &= left - 1;
                *table = self.sprite_table_is_high(self.oam.primary[4 * sprite + 1]);
            }
        }
        let tick = self.next + lines * u64::from(DOTS) * DOT;
        self.tell_a12_of_dots(0, DOTS - 1, tick, |unit| tables[usize::from(unit & 7)], bus);
        bus.a12(self.background_table_is_high(), tick + u64::from(DOTS - 1) * DOT);
    }

    /// The groups from the dot after `begin`, which begins at `tick`, to `end`. `tables` has the
    /// pattern table of each sprite unit.
    #[inline]
    fn tell_a12_of_dots<B: VideoBus>(
        &self,
        begin: u16,
        end: u16,
        tick: u64,
        tables: impl Fn(u16) -> bool,
        bus: &mut B,
    ) {
        let at = |dot: u16| tick + u64::from(dot - begin) * DOT;
        let background = self.background_table_is_high();
        let mut dot = begin;
        while dot < end {
            bus.a12(false, at(dot));
            let (high, next) = match dot {
                // Between two tiles of the background the line is low too shortly to be told.
                0..256 => (
                    background,
                    if dot == begin { end.min(256).max(dot + 2 * GROUP) - GROUP } else { dot + GROUP },
                ),
                256..320 => (tables((dot - 256) / GROUP), dot + GROUP),
                320..336 => (background, dot + GROUP),
                _ => (false, end),
            };
            if high {
                bus.a12(true, at(dot) + PATTERN * DOT);
            }
            dot = next;
        }
    }

    fn background_table_is_high(&self) -> bool {
        self.control.contains(Control::BACKGROUND_TABLE)
    }

    /// Whether the pattern of a sprite whose tile is `tile` lies in the table at $1000.
    fn sprite_table_is_high(&self, tile: u8) -> bool {
        if self.control.contains(Control::TALL_SPRITES) {
            tile & 1 != 0
        } else {
            self.control.contains(Control::SPRITE_TABLE)
        }
    }
}
