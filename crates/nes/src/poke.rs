//! Memories from outside: what debuggers show, and what they and cheats change between two
//! instructions.

use alloc::borrow::Cow;

use crate::Console;

/// A memory of the machine, by the chip that it is in. Offsets count from the chip's first byte,
/// whatever the banks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Memory {
    /// The 2 KiB of work RAM.
    Ram,
    /// Nametable memory: 2 KiB, or 4 KiB with a four-screen cartridge.
    Ciram,
    /// The 32 bytes of palette RAM.
    Palette,
    /// The 256 bytes of object attribute memory.
    Oam,
    /// The cartridge's program. It is not part of a saved state, so neither is a change of it.
    PrgRom,
    /// The RAM on the cartridge, if it has any.
    PrgRam,
    /// The patterns, ROM or RAM. A change of ROM is not part of a saved state.
    Chr,
}

impl Console {
    /// All bytes of a memory as they are at [`Console::cycle`].
    pub fn memory(&self, memory: Memory) -> Cow<'_, [u8]> {
        let board = &self.board;
        match memory {
            Memory::Ram => Cow::Borrowed(&board.ram[..]),
            Memory::PrgRom => Cow::Borrowed(board.cartridge.prg_rom()),
            Memory::PrgRam => Cow::Borrowed(board.cartridge.prg_ram()),
            Memory::Chr => Cow::Owned(board.caught_up().cartridge.chr().to_vec()),
            Memory::Ciram => Cow::Owned(board.caught_up().ciram().to_vec()),
            Memory::Palette => Cow::Owned(board.caught_up().ppu.palette_ram().to_vec()),
            Memory::Oam => Cow::Owned(board.caught_up().ppu.oam().to_vec()),
        }
    }

    /// Writes a byte of a memory, of ROM too. No cycle of the bus passes. Gives the byte that was
    /// there; `None` if the memory is shorter.
    pub fn poke(&mut self, memory: Memory, offset: usize, value: u8) -> Option<u8> {
        let board = &mut self.board;
        // What the chips still owe is drawn from what was there.
        board.catch_up();
        let place = match memory {
            Memory::Ram => board.ram.get_mut(offset),
            Memory::Ciram => {
                let length = board.cartridge.ciram_len().min(board.ciram.len());
                board.ciram[..length].get_mut(offset)
            }
            Memory::Palette => return board.ppu.poke_palette(offset, value),
            Memory::Oam => return board.ppu.poke_oam(offset, value),
            Memory::PrgRom => return board.cartridge.poke_prg_rom(offset, value),
            Memory::PrgRam => return board.cartridge.poke_prg_ram(offset, value),
            Memory::Chr => return board.cartridge.poke_chr(offset, value),
        };
        place.map(|byte| core::mem::replace(byte, value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Buttons, Cartridge, Config};

    const IMAGE: &[u8] = include_bytes!("../../../roms/maxout.nes");

    fn console() -> Console {
        let mut console = Console::new(Cartridge::from_bytes(IMAGE).unwrap(), Config::default());
        for _ in 0..60 {
            let _ = console.run_frame(&mut [Buttons::empty(); 2], &mut ());
        }
        console
    }

    #[test]
    fn a_byte_that_was_poked_is_there_and_a_clone_keeps_its_own() {
        let mut poked = console();
        let before = poked.clone();
        for memory in [Memory::Ram, Memory::Ciram, Memory::Palette, Memory::Oam, Memory::PrgRom, Memory::Chr]
        {
            let old = before.memory(memory)[3];
            let new = old ^ 1;
            assert_eq!(poked.poke(memory, 3, new), Some(old), "{memory:?}");
            assert_eq!(poked.memory(memory)[3], new, "{memory:?}");
            assert_eq!(before.memory(memory)[3], old, "{memory:?}");
            assert!(poked != before, "{memory:?}");
            assert_eq!(poked.poke(memory, 3, old), Some(new), "{memory:?}");
            assert!(poked == before, "{memory:?}");
            assert_eq!(poked.poke(memory, 1 << 20, 0), None, "{memory:?}");
        }
        assert_eq!(poked.poke(Memory::PrgRam, 0, 1), None, "this cartridge has none");
    }

    #[test]
    fn a_pattern_that_was_poked_is_drawn() {
        let mut poked = console();
        let before = poked.picture().clone();
        for offset in 0..poked.memory(Memory::Chr).len() {
            poked.poke(Memory::Chr, offset, 0xAA);
        }
        let _ = poked.run_frame(&mut [Buttons::empty(); 2], &mut ());
        assert!(*poked.picture() != before);
    }
}
