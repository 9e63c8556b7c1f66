//! Cartridges whose board an iNES header cannot describe, by CRC32 of PRG-ROM and CHR-ROM.

use nes_clock::Region;

use crate::header::Header;

/// A cartridge that is known for certain.
pub(crate) struct Known {
    crc32: u32,
    mapper: u16,
    submapper: u8,
    prg_ram: u64,
    battery: bool,
    region: Region,
}

const KNOWN: &[Known] = &[
    // Tetris (USA), NES-SEROM-03 with an MMC1B1: PRG-ROM fixed, nothing at $6000.
    Known { crc32: 0x1394_F57E, mapper: 1, submapper: 5, prg_ram: 0, battery: false, region: Region::Ntsc },
    // Tetris (Europe), the same board.
    Known { crc32: 0xFDFF_80D5, mapper: 1, submapper: 5, prg_ram: 0, battery: false, region: Region::Pal },
];

impl Known {
    pub(crate) fn find(crc32: u32) -> Option<&'static Self> {
        KNOWN.iter().find(|known| known.crc32 == crc32)
    }

    /// Puts what is known in the place of what the header says.
    pub(crate) fn correct(&self, header: &mut Header) {
        let Self { crc32: _, mapper, submapper, prg_ram, battery, region } = *self;
        header.mapper = mapper;
        header.submapper = submapper;
        header.prg_ram = Some(prg_ram);
        header.prg_nvram = None;
        header.battery = battery;
        header.region = region;
    }
}
