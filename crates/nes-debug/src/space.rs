//! The memories by name, and how each is looked at.

use nes::{Console, Mainboard, Memory};

/// A memory that expressions, views and edits name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Space {
    /// What the CPU sees, `$0000`-`$FFFF`.
    Cpu,
    /// What the PPU sees, `$0000`-`$3FFF`: patterns, nametables, palette.
    Ppu,
    /// The 256 bytes of sprites.
    Oam,
    /// The 32 bytes of palette RAM.
    Palette,
    /// PRG-ROM as it is on the cartridge.
    Prg,
    /// CHR as it is on the cartridge.
    Chr,
}

impl Space {
    /// All of them with their names.
    pub const ALL: [(Self, &'static str); 6] = [
        (Self::Cpu, "cpu"),
        (Self::Ppu, "ppu"),
        (Self::Oam, "oam"),
        (Self::Palette, "palette"),
        (Self::Prg, "prg"),
        (Self::Chr, "chr"),
    ];

    /// The one of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(_, known)| known.eq_ignore_ascii_case(name)).map(|&(space, _)| space)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(space, _)| *space == self).map_or("", |&(_, name)| name)
    }

    /// Its bytes, as many as it has.
    pub fn len(self, board: &Mainboard) -> usize {
        match self {
            Self::Cpu => 0x1_0000,
            Self::Ppu => 0x4000,
            Self::Oam => 0x100,
            Self::Palette => 0x20,
            Self::Prg => board.cartridge().prg_rom().len(),
            Self::Chr => board.cartridge().chr().len(),
        }
    }

    /// All of its bytes; nothing of the machine moves.
    pub fn bytes(self, console: &Console) -> Vec<u8> {
        let chips = console.board.caught_up();
        (0..self.len(&chips)).map(|at| of_chips(&chips, self, at)).collect()
    }

    /// Which memory a byte of it lies in, and where there; `None` where nothing can be written.
    pub fn place(self, board: &Mainboard, at: usize) -> Option<(Memory, usize)> {
        let cartridge = board.cartridge();
        let within = |memory, at: usize| (at < self.len(board)).then_some((memory, at));
        match self {
            Self::Oam => within(Memory::Oam, at),
            Self::Palette => within(Memory::Palette, at),
            Self::Prg => within(Memory::PrgRom, at),
            Self::Chr => within(Memory::Chr, at),
            Self::Cpu => match at {
                0x0000..=0x1FFF => Some((Memory::Ram, at & 0x7FF)),
                0x6000..=0x7FFF if !cartridge.prg_ram().is_empty() => {
                    Some((Memory::PrgRam, at & 0x1FFF & (cartridge.prg_ram().len() - 1)))
                }
                0x8000..=0xFFFF => {
                    let bank = cartridge.prg_banks()[at >> 13 & 3] as usize;
                    Some((Memory::PrgRom, bank + (at & 0x1FFF)))
                }
                _ => None,
            },
            Self::Ppu => match at {
                0x0000..=0x1FFF => {
                    Some((Memory::Chr, cartridge.chr_banks()[at >> 10] as usize + (at & 0x3FF)))
                }
                0x2000..=0x3EFF => Some((Memory::Ciram, cartridge.ciram_address(at as u16))),
                0x3F00..=0x3FFF => Some((Memory::Palette, palette(at))),
                _ => None,
            },
        }
    }
}

/// Entries 16, 20, 24 and 28 are those of the background (NESdev: PPU palettes).
fn palette(at: usize) -> usize {
    let entry = at & 0x1F;
    if entry & 3 == 0 { entry & 0x0F } else { entry }
}

/// A byte of a memory; addresses wrap in those of the CPU and the PPU, and are 0 outside of the
/// others.
pub(crate) fn peek(board: &Mainboard, space: Space, at: i64) -> u8 {
    match space {
        Space::Cpu => board.peek(at as u16),
        Space::Prg => {
            usize::try_from(at).ok().and_then(|at| board.cartridge().prg_rom().get(at)).copied().unwrap_or(0)
        }
        Space::Ppu => of_chips(&board.caught_up(), space, at as usize & 0x3FFF),
        _ => usize::try_from(at).map_or(0, |at| of_chips(&board.caught_up(), space, at)),
    }
}

/// The same on a board whose chips have caught up.
fn of_chips(chips: &Mainboard, space: Space, at: usize) -> u8 {
    match space {
        Space::Cpu => chips.peek(at as u16),
        Space::Ppu => match at & 0x3FFF {
            at @ 0..=0x1FFF => chips.cartridge().read_chr(at as u16),
            at @ 0x2000..=0x3EFF => {
                chips.ciram().get(chips.cartridge().ciram_address(at as u16)).copied().unwrap_or(0)
            }
            at => chips.ppu().palette_ram()[palette(at)],
        },
        Space::Oam => chips.ppu().oam().get(at).copied().unwrap_or(0),
        Space::Palette => chips.ppu().palette_ram().get(at).copied().unwrap_or(0),
        Space::Prg => chips.cartridge().prg_rom().get(at).copied().unwrap_or(0),
        Space::Chr => chips.cartridge().chr().get(at).copied().unwrap_or(0),
    }
}
