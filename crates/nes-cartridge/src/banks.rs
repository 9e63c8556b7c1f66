//! The bank table: where in its memory each slot of the address space lies.

use crate::Mirroring;

/// The memories that a board banks. Sizes in bytes; ROM in multiples of 8 KiB (PRG) and 1 KiB
/// (CHR).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Memory {
    pub(crate) prg_rom: u32,
    /// CHR-ROM or CHR-RAM.
    pub(crate) chr: u32,
    pub(crate) chr_is_ram: bool,
    /// 0 or a power of two.
    pub(crate) prg_ram: u32,
    pub(crate) mirroring: Mirroring,
}

/// Offsets by slot. Every one is inside its memory by construction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Banks {
    /// Into PRG-ROM, for each 8 KiB of $8000-$FFFF; or into PRG-RAM, with [`IN_RAM`].
    pub(crate) prg: [u32; 4],
    /// Into CHR-ROM or CHR-RAM, for each 1 KiB of PPU $0000-$1FFF.
    pub(crate) chr: [u32; 8],
    /// Into PRG-RAM, for $6000-$7FFF; `None` leaves the bus open.
    pub(crate) prg_ram: Option<u32>,
    /// PRG-RAM answers reads and takes no writes.
    pub(crate) prg_ram_protected: bool,
    /// Into CIRAM, for each 1 KiB of PPU $2000-$2FFF.
    pub(crate) nametables: [u16; 4],
    memory: Memory,
}

/// Set in an offset of [`Banks::prg`] if it is one into PRG-RAM: beyond any PRG-ROM, so that a look
/// at PRG-ROM finds nothing there.
pub(crate) const IN_RAM: u32 = 0x8000_0000;

/// The lower nametable on all four places.
pub(crate) const SINGLE_SCREEN_LOWER: [u16; 4] = [0; 4];
/// The upper nametable on all four places.
pub(crate) const SINGLE_SCREEN_UPPER: [u16; 4] = [0x400; 4];
/// PPU A10 chooses the nametable.
pub(crate) const VERTICAL: [u16; 4] = [0, 0x400, 0, 0x400];
/// PPU A11 chooses the nametable.
pub(crate) const HORIZONTAL: [u16; 4] = [0, 0, 0x400, 0x400];
/// Further RAM on the board.
const FOUR_SCREEN: [u16; 4] = [0, 0x400, 0x800, 0xC00];

impl Banks {
    /// The first bank everywhere, the header's mirroring: what a board without registers has.
    pub(crate) fn new(memory: &Memory) -> Self {
        let mut banks = Self {
            prg: [0; 4],
            chr: [0; 8],
            prg_ram: (memory.prg_ram > 0).then_some(0),
            prg_ram_protected: false,
            nametables: match memory.mirroring {
                Mirroring::Horizontal => HORIZONTAL,
                Mirroring::Vertical => VERTICAL,
                Mirroring::FourScreen => FOUR_SCREEN,
            },
            memory: *memory,
        };
        banks.switch_prg_32k(0);
        banks.switch_chr_8k(0);
        banks
    }

    /// 32 KiB of PRG-ROM at $8000.
    pub(crate) fn switch_prg_32k(&mut self, bank: u8) {
        self.switch_prg_16k(0, u32::from(bank) << 1);
        self.switch_prg_16k(1, u32::from(bank) << 1 | 1);
    }

    /// 16 KiB of PRG-ROM at $8000 (`half` 0) or $C000 (`half` 1).
    pub(crate) fn switch_prg_16k(&mut self, half: usize, bank: u32) {
        for (slot, offset) in self.prg[half * 2..][..2].iter_mut().zip((bank << 14..).step_by(0x2000)) {
            *slot = fold(offset, self.memory.prg_rom);
        }
    }

    /// 8 KiB of PRG-ROM at $8000, $A000, $C000 or $E000 (`slot` 0 to 3).
    pub(crate) fn switch_prg_8k(&mut self, slot: usize, bank: u32) {
        self.prg[slot] = fold(bank << 13, self.memory.prg_rom);
    }

    /// 8 KiB of PRG-RAM in the place of PRG-ROM at $8000, $A000, $C000 or $E000 (`slot` 0 to 3).
    pub(crate) fn show_ram(&mut self, slot: usize, bank: u8) {
        self.prg[slot] = fold(u32::from(bank) << 13, self.memory.prg_ram) | IN_RAM;
    }

    /// What is at $8000-$FFFF is in a flash memory, which PRG-RAM stands for.
    pub(crate) fn show_flash(&mut self) {
        self.prg = self.prg.map(|offset| offset | IN_RAM);
    }

    /// 8 KiB of CHR at $0000.
    pub(crate) fn switch_chr_8k(&mut self, bank: u8) {
        self.switch_chr_4k(0, u32::from(bank) << 1);
        self.switch_chr_4k(1, u32::from(bank) << 1 | 1);
    }

    /// 4 KiB of CHR at $0000 (`half` 0) or $1000 (`half` 1).
    pub(crate) fn switch_chr_4k(&mut self, half: usize, bank: u32) {
        for (slot, offset) in self.chr[half * 4..][..4].iter_mut().zip((bank << 12..).step_by(0x400)) {
            *slot = fold(offset, self.memory.chr);
        }
    }

    /// 1 KiB of CHR at $0000 (`slot` 0) to $1C00 (`slot` 7).
    pub(crate) fn switch_chr_1k(&mut self, slot: usize, bank: u32) {
        self.chr[slot] = fold(bank << 10, self.memory.chr);
    }

    /// 8 KiB of PRG-RAM at $6000, or less, mirrored.
    pub(crate) fn switch_prg_ram(&mut self, bank: u8) {
        if self.prg_ram.is_some() {
            self.prg_ram = Some(fold(u32::from(bank) << 13, self.memory.prg_ram));
        }
    }
}

/// Where in a memory of `len` bytes an offset past its end comes out: the address lines that the
/// memory lacks are not connected. A memory that is no power of two is two chips, the larger first,
/// and the smaller one repeats in what it leaves open.
pub(crate) fn fold(offset: u32, len: u32) -> u32 {
    if offset < len {
        return offset;
    }
    if len.is_power_of_two() || len == 0 {
        return offset & len.saturating_sub(1);
    }
    let large = len.next_power_of_two() / 2;
    let offset = offset & (large * 2 - 1);
    if offset < large { offset } else { large + fold(offset - large, len - large) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_address_lines_repeat_the_memory() {
        assert_eq!(fold(0x2_4000, 0x2_0000), 0x4000);
        assert_eq!(fold(0x1_C000, 0x8000), 0x4000);
        assert_eq!(fold(5, 0), 0);
    }

    #[test]
    fn of_two_chips_the_smaller_one_repeats() {
        let len = 0x3_0000; // 128 + 64 KiB
        assert_eq!(fold(0x1_C000, len), 0x1_C000);
        assert_eq!(fold(0x2_C000, len), 0x2_C000);
        assert_eq!(fold(0x3_C000, len), 0x2_C000);
        assert_eq!(fold(0x7_C000, len), 0x2_C000);
    }

    #[test]
    fn every_offset_comes_out_inside() {
        for len in (0x400..0x8000).step_by(0x400) {
            for offset in (0..0x2_0000).step_by(0x400) {
                assert!(fold(offset, len) + 0x400 <= len, "{offset:X} of {len:X}");
            }
        }
    }
}
