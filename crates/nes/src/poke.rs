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
