//! iNES images to order.

use std::fmt;

use nes::{Cartridge, Config, Console};

/// An image to order. Each 8 KiB of its PRG-ROM is filled with the bank's number, each 1 KiB of its
/// CHR-ROM too.
#[derive(Clone)]
pub struct Image {
    /// The header.
    pub header: [u8; 16],
    /// What lies between the header and PRG-ROM.
    pub trainer: Vec<u8>,
    /// PRG-ROM.
    pub prg: Vec<u8>,
    /// CHR-ROM.
    pub chr: Vec<u8>,
}

impl Image {
    /// An iNES image with `prg` times 16 KiB and `chr` times 8 KiB.
    pub fn ines(mapper: u8, prg: u8, chr: u8) -> Self {
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

    /// NROM-256 with `code` at $8000, where it begins, and NOPs behind it. NMI goes to $9000 and
    /// IRQ to $A000, to an RTI each.
    ///
    /// # Panics
    /// If the code is longer than 4 KiB.
    pub fn nrom(code: &[u8]) -> Self {
        assert!(code.len() <= 0x1000, "{} bytes of code", code.len());
        let mut image = Self::ines(0, 2, 1);
        image.prg.fill(0xEA);
        image.put(0, code).put(0x1000, &[0x40]).put(0x2000, &[0x40]).vectors(0x9000, 0x8000, 0xA000)
    }

    /// A NES 2.0 image; `prg_ram` and `chr_ram` are the header's bytes 10 and 11.
    pub fn nes2(mapper: u8, submapper: u8, prg: u8, chr: u8, prg_ram: u8, chr_ram: u8) -> Self {
        let mut image = Self::ines(mapper, prg, chr);
        image.header[7] |= 0x08;
        image.header[8] = submapper << 4;
        image.header[10] = prg_ram;
        image.header[11] = chr_ram;
        image
    }

    /// The same image with another byte in its header.
    #[must_use]
    pub fn with(mut self, index: usize, byte: u8) -> Self {
        self.header[index] = byte;
        self
    }

    /// The same image whose PRG-ROM has other bytes from `at` on.
    ///
    /// # Panics
    /// If it is too short.
    #[must_use]
    pub fn put(mut self, at: usize, bytes: &[u8]) -> Self {
        self.prg[at..at + bytes.len()].copy_from_slice(bytes);
        self
    }

    /// The same image with these vectors at the end of its PRG-ROM.
    #[must_use]
    pub fn vectors(self, nmi: u16, reset: u16, irq: u16) -> Self {
        let at = self.prg.len() - 6;
        self.put(at, &[nmi, reset, irq].map(u16::to_le_bytes).concat())
    }

    /// The same image with every byte of its CHR-ROM the same.
    #[must_use]
    pub fn chr_of(mut self, byte: u8) -> Self {
        self.chr.fill(byte);
        self
    }

    /// The whole file.
    pub fn bytes(&self) -> Vec<u8> {
        [&self.header[..], &self.trainer, &self.prg, &self.chr].concat()
    }

    /// The image as a cartridge.
    ///
    /// # Panics
    /// If it is none.
    pub fn cartridge(&self) -> Cartridge {
        Cartridge::from_bytes(&self.bytes()).unwrap_or_else(|error| panic!("{self:?}: {error}"))
    }

    /// A console with that cartridge in it.
    ///
    /// # Panics
    /// If it is none.
    pub fn console(&self, config: Config) -> Console {
        Console::new(self.cartridge(), config)
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
