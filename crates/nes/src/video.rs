//! The PPU's side of the board: pattern memory in the cartridge, nametables in CIRAM.

use nes_cartridge::Cartridge;
use nes_ppu::VideoBus;

/// Nametable memory: 2 KiB on the mainboard, the second 2 KiB on a four-screen cartridge.
pub(crate) type Ciram = [u8; 0x1000];

/// The PPU's 14-bit bus below the palette.
pub(crate) struct PictureBus<'a> {
    pub(crate) cartridge: &'a mut Cartridge,
    pub(crate) ciram: &'a mut Ciram,
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
