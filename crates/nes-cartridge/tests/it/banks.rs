//! What a cartridge shows of an image whose banks are numbered.

use nes_cartridge::Cartridge;

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
