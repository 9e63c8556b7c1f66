//! Images to order.

#![allow(dead_code)] // Each test file uses some of it.

use std::fmt;

use nes_cartridge::Cartridge;

/// An image to order. Each 8 KiB of its PRG-ROM is filled with the bank's number, each 1 KiB of its CHR-ROM too.
#[derive(Clone)]
pub(crate) struct Image {
    pub(crate) header: [u8; 16],
    pub(crate) trainer: Vec<u8>,
    pub(crate) prg: Vec<u8>,
    pub(crate) chr: Vec<u8>,
}

impl Image {
    /// An iNES image with `prg` times 16 KiB and `chr` times 8 KiB.
    pub(crate) fn ines(mapper: u8, prg: u8, chr: u8) -> Self {
        let mut header = *b"NES\x1A............";
        header[4..].fill(0);
        (header[4], header[5]) = (prg, chr);
        header[6] = mapper << 4;
        header[7] = mapper & 0xF0;
        Self {
            header,
            trainer: Vec::new(),
            prg: numbered(usize::from(prg) * 0x4000, 0x2000),
            chr: numbered(usize::from(chr) * 0x2000, 0x400),
        }
    }

    /// A NES 2.0 image; `prg_ram` and `chr_ram` are the header's bytes 10 and 11.
    pub(crate) fn nes2(mapper: u8, submapper: u8, prg: u8, chr: u8, prg_ram: u8, chr_ram: u8) -> Self {
        let mut image = Self::ines(mapper, prg, chr);
        image.header[7] |= 0x08;
        image.header[8] = submapper << 4;
        image.header[10] = prg_ram;
        image.header[11] = chr_ram;
        image
    }

    /// The same image with another byte in its header.
    pub(crate) fn with(mut self, index: usize, byte: u8) -> Self {
        self.header[index] = byte;
        self
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        [&self.header[..], &self.trainer, &self.prg, &self.chr].concat()
    }

    pub(crate) fn cartridge(&self) -> Cartridge {
        Cartridge::from_bytes(&self.bytes()).unwrap()
    }
}

impl fmt::Debug for Image {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { header, trainer, prg, chr } = self;
        write!(f, "{header:02X?} + {} + {} + {}", trainer.len(), prg.len(), chr.len())
    }
}

/// `len` bytes, each the number of the `unit` that it lies in.
fn numbered(len: usize, unit: usize) -> Vec<u8> {
    (0..len).map(|offset| (offset / unit) as u8).collect()
}

/// The numbers of the four 8 KiB banks of PRG-ROM at $8000-$FFFF.
pub(crate) fn prg_banks(cartridge: &Cartridge) -> [u8; 4] {
    [0x8000, 0xA000, 0xC000, 0xE000].map(|address| cartridge.read(address, 0))
}

/// The numbers of the eight 1 KiB banks of CHR-ROM.
pub(crate) fn chr_banks(cartridge: &Cartridge) -> [u8; 8] {
    [0x0000, 0x0400, 0x0800, 0x0C00, 0x1000, 0x1400, 0x1800, 0x1C00]
        .map(|address| cartridge.read_chr(address))
}

/// Which KiB of CIRAM each nametable lies in.
pub(crate) fn nametables(cartridge: &Cartridge) -> [usize; 4] {
    [0x2000, 0x2400, 0x2800, 0x2C00].map(|address| cartridge.ciram_address(address) / 0x400)
}
