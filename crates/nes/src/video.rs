//! The PPU's side of the board: pattern memory in the cartridge, nametables in CIRAM.

use nes_cartridge::{Cartridge, PictureFetch, PictureUse, Place, Video};
use nes_clock::Region;
use nes_ppu::{Fetch, Ppu, Purpose, VideoBus};

/// Nametable memory: 2 KiB on the mainboard, the second 2 KiB on a four-screen cartridge.
pub(crate) type Ciram = [u8; 0x1000];

/// The PPU's 14-bit bus below the palette.
pub(crate) struct PictureBus<'a> {
    pub(crate) cartridge: &'a mut Cartridge,
    pub(crate) ciram: &'a mut Ciram,
}

/// Where in a CPU cycle A12 rises at the latest, in ticks, if the CPU is to see in that cycle the
/// interrupt that the board asks for (mmc3_test_2/4-scanline_timing, at each phase): the board
/// needs some of the time until the line is sampled.
const IRQ_SAMPLE: u64 = 4;

/// The same for a cartridge that counts how often PPU A12 rises.
pub(crate) struct CountingBus<'a>(pub(crate) PictureBus<'a>, pub(crate) Region);

impl VideoBus for CountingBus<'_> {
    const WATCHES_A12: bool = true;

    #[inline]
    fn a12(&mut self, high: bool, tick: u64) {
        self.0.cartridge.clock_a12(high, self.1.cycle(tick), self.1.sampled(tick, IRQ_SAMPLE));
    }

    #[inline]
    fn read(&mut self, address: u16) -> u8 {
        self.0.read(address)
    }

    #[inline]
    fn pattern_row(&mut self, address: u16) -> [u8; 2] {
        self.0.pattern_row(address)
    }

    #[inline]
    fn pattern_generation(&self) -> Option<u32> {
        self.0.pattern_generation()
    }

    #[inline]
    fn write(&mut self, address: u16, value: u8) {
        self.0.write(address, value);
    }
}

impl VideoBus for PictureBus<'_> {
    #[inline]
    fn read(&mut self, address: u16) -> u8 {
        if address & 0x2000 == 0 {
            self.cartridge.read_chr(address & 0x1FFF)
        } else {
            self.ciram[self.cartridge.ciram_address(address) & 0xFFF]
        }
    }

    #[inline]
    fn pattern_row(&mut self, address: u16) -> [u8; 2] {
        self.cartridge.read_chr_row(address)
    }

    #[inline]
    fn pattern_generation(&self) -> Option<u32> {
        Some(self.cartridge.chr_generation())
    }

    #[inline]
    fn write(&mut self, address: u16, value: u8) {
        if address & 0x2000 == 0 {
            self.cartridge.write_chr(address & 0x1FFF, value);
        } else {
            self.ciram[self.cartridge.ciram_address(address) & 0xFFF] = value;
        }
    }
}

/// The PPU's bus of any board, by its definition: one that answers fetches itself
/// ([`Video::OwnBus`]) is asked for each, and one that counts A12 is told it. For dots that are run
/// one by one.
pub(crate) struct BoardBus<'a> {
    picture: PictureBus<'a>,
    region: Region,
    asks_board: bool,
    /// The step that the PPU has done last: what it fetches comes half a dot later.
    tick: u64,
}

impl<'a> BoardBus<'a> {
    /// The bus of `ppu` as far as that has been run.
    pub(crate) fn new(cartridge: &'a mut Cartridge, ciram: &'a mut Ciram, region: Region, ppu: &Ppu) -> Self {
        let asks_board = cartridge.video() == Video::OwnBus;
        // Wherever a run begins, a fetch is told the same.
        let tick = ppu.tick().saturating_sub(HALF_DOT);
        Self { picture: PictureBus { cartridge, ciram }, region, asks_board, tick }
    }

    fn byte(&self, place: Place) -> u8 {
        match place {
            Place::Ciram(at) => self.picture.ciram[usize::from(at) & 0xFFF],
            Place::Chr(offset) => self.picture.cartridge.chr_at(offset),
            Place::Board(_, value) | Place::Fixed(value) => value,
        }
    }
}

/// Half a dot, in ticks.
const HALF_DOT: u64 = 2;
/// Lines of the picture; the pre-render line lies beyond them.
const LINES: u16 = 240;
/// The dots of a line that fetch sprites.
const SPRITE_DOTS: core::ops::RangeInclusive<u16> = 257..=320;

/// A fetch as boards tell it apart: by its dot, which they know by counting.
fn picture_fetch(fetch: Fetch, cycle: u64, sampled: u64) -> PictureFetch {
    let Fetch { address, purpose, line, dot } = fetch;
    // The tiles from dot 321 on are the first of the next line.
    let (line, column) = match dot {
        321.. => (if line < LINES { line + 1 } else { 0 }, (dot - 321) / 8),
        _ => (line, dot.saturating_sub(1) / 8 + 2),
    };
    let purpose = match dot {
        _ if purpose == Purpose::Data => PictureUse::Data,
        dot if SPRITE_DOTS.contains(&dot) => PictureUse::Sprite,
        337.. => PictureUse::Tile,
        dot => match dot.saturating_sub(1) / 2 % 4 {
            0 => PictureUse::Tile,
            1 => PictureUse::Attribute,
            _ => PictureUse::Background,
        },
    };
    PictureFetch { address, purpose, line, column, cycle, sampled }
}

impl VideoBus for BoardBus<'_> {
    const WATCHES_A12: bool = true;

    #[inline]
    fn a12(&mut self, high: bool, tick: u64) {
        self.tick = tick;
        let cycle = self.region.cycle(tick);
        self.picture.cartridge.clock_a12(high, cycle, self.region.sampled(tick, IRQ_SAMPLE));
    }

    #[inline]
    fn fetch(&mut self, fetch: Fetch) -> u8 {
        if !self.asks_board {
            return self.picture.read(fetch.address);
        }
        let sampled = self.region.sampled(self.tick, IRQ_SAMPLE);
        let fetch = picture_fetch(fetch, self.region.cycle(self.tick), sampled);
        let place = self.picture.cartridge.fetch(&fetch);
        self.byte(place)
    }

    #[inline]
    fn read(&mut self, address: u16) -> u8 {
        if self.asks_board {
            self.byte(self.picture.cartridge.place(address))
        } else {
            self.picture.read(address)
        }
    }

    #[inline]
    fn write(&mut self, address: u16, value: u8) {
        if !self.asks_board {
            return self.picture.write(address, value);
        }
        match self.picture.cartridge.place(address) {
            Place::Ciram(at) => self.picture.ciram[usize::from(at) & 0xFFF] = value,
            place => self.picture.cartridge.write_place(place, value),
        }
    }
}
