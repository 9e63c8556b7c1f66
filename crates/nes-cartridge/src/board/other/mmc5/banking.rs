//! The banks of PRG-ROM, PRG-RAM and CHR.

use super::Mmc5;
use crate::banks::{Banks, Memory};

/// The bit of a PRG register that chooses ROM, not RAM.
const ROM: u8 = 0x80;

impl Mmc5 {
    /// Whether PRG-RAM takes writes.
    pub(crate) fn writes_ram(&self) -> bool {
        self.protect == [2, 1]
    }

    pub(crate) fn switch(&self, banks: &mut Banks, memory: &Memory) {
        let [ram, b4, b5, b6, b7] = self.prg;
        banks.switch_prg_ram(ram_bank(ram, memory));
        banks.prg_ram_protected = !self.writes_ram();
        // Which register serves each 8 KiB, and the low bits of its number that the address gives.
        let registers = match self.prg_mode {
            0 => [(b7, 3, 0), (b7, 3, 1), (b7, 3, 2), (b7, 3, 3)],
            1 => [(b5, 1, 0), (b5, 1, 1), (b7, 1, 0), (b7, 1, 1)],
            2 => [(b5, 1, 0), (b5, 1, 1), (b6, 0, 0), (b7, 0, 0)],
            _ => [(b4, 0, 0), (b5, 0, 0), (b6, 0, 0), (b7, 0, 0)],
        };
        for (slot, (register, mask, low)) in registers.into_iter().enumerate() {
            let number = register & !mask | low;
            // $5117 always is ROM.
            let last = slot == 3 || self.prg_mode == 0 || self.prg_mode == 1 && slot == 2;
            if register & ROM != 0 || last || memory.prg_ram == 0 {
                banks.switch_prg_8k(slot, u32::from(number & 0x7F));
            } else {
                banks.show_ram(slot, ram_bank(number, memory));
            }
        }
        let shown = if self.tall && self.wrote_b { self.banks_b() } else { self.banks_a() };
        for (slot, bank) in shown.into_iter().enumerate() {
            banks.switch_chr_1k(slot, bank);
        }
        for (place, nametable) in banks.nametables.iter_mut().enumerate() {
            // ExRAM and fill are not in CIRAM: what reads the table alone finds the lower one.
            *nametable = u16::from(self.nametables >> (2 * place) & 3 == 1) << 10;
        }
    }

    /// The number of the 1 KiB bank in each place, for sprites and for a background with sprites
    /// of 8 by 8.
    pub(super) fn banks_a(&self) -> [u32; 8] {
        let shift = 3 - u32::from(self.chr_mode & 3);
        core::array::from_fn(|slot| {
            let last = slot | ((1 << shift) - 1);
            u32::from(self.chr_a[last]) << shift | (slot & ((1 << shift) - 1)) as u32
        })
    }

    /// The same for a background with sprites of 8 by 16: the four registers serve both tables.
    pub(super) fn banks_b(&self) -> [u32; 8] {
        let shift = 3 - u32::from(self.chr_mode & 3);
        core::array::from_fn(|slot| {
            let last = slot & 3 | ((1 << shift) - 1) & 3;
            u32::from(self.chr_b[last]) << shift | (slot & ((1 << shift) - 1)) as u32
        })
    }
}

/// The bank of PRG-RAM that a register chooses. On boards with two chips of 8 KiB bit 2 chooses
/// the chip; a single one of 8 KiB is everywhere.
fn ram_bank(register: u8, memory: &Memory) -> u8 {
    match memory.prg_ram {
        0x4000 => register >> 2 & 1,
        _ => register & 0x0F,
    }
}
