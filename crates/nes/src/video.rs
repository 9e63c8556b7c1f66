//! The PPU's side of the board: pattern memory in the cartridge, nametables in CIRAM.

use nes_cartridge::Cartridge;
use nes_clock::Region;
use nes_ppu::VideoBus;

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
