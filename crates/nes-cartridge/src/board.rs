//! The boards: what of a cartridge has registers.

mod axrom;
mod cnrom;
mod mmc1;
mod uxrom;

pub(crate) use axrom::Axrom;
pub(crate) use cnrom::Cnrom;
pub(crate) use mmc1::{Chip, Mmc1};
use nes_state::{Fields, State, StateError};
pub(crate) use uxrom::Uxrom;

use crate::banks::{Banks, Memory};
use crate::{Part, RomError};

/// The board of a cartridge and its registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Board {
    /// No registers at all (mapper 0).
    Nrom,
    Mmc1(Mmc1),
    Uxrom(Uxrom),
    Cnrom(Cnrom),
    Axrom(Axrom),
}

/// The mappers that [`Board`] knows, for an error that names them.
const SUPPORTED: &str = "0 (NROM), 1 or 155 (MMC1), 2 (UxROM), 3 (CNROM) or 7 (AxROM)";

/// The most that a board can hold, in bytes.
pub(crate) struct Limits {
    pub(crate) prg_rom: u64,
    pub(crate) chr_rom: u64,
    pub(crate) chr_ram: u64,
    pub(crate) prg_ram: u64,
}

impl Board {
    /// The board of `mapper` and `submapper`, at power-on. `fixed_prg` is for an MMC1 whose header
    /// cannot say whether its PRG-ROM is banked.
    ///
    /// # Errors
    /// [`RomError::UnknownMapper`].
    pub(crate) fn new(mapper: u16, submapper: u8, fixed_prg: bool) -> Result<Self, RomError> {
        // Submapper 2 of the boards of discrete logic: the ROM drives the bus too (NESdev: NES 2.0
        // submappers).
        let conflicts = submapper == 2;
        Ok(match (mapper, submapper) {
            (0, _) => Self::Nrom,
            (1, 3) | (155, _) => Self::Mmc1(Mmc1::new(Chip::A, false)),
            (1, _) => Self::Mmc1(Mmc1::new(Chip::B, fixed_prg || submapper == 5)),
            (2, _) => Self::Uxrom(Uxrom::new(conflicts)),
            (3, _) => Self::Cnrom(Cnrom::new(conflicts)),
            (7, _) => Self::Axrom(Axrom::new(conflicts)),
            _ => return Err(RomError::UnknownMapper { mapper, submapper, supported: SUPPORTED }),
        })
    }

    /// Whether `submapper` says something that [`Board::new`] understood for `mapper`.
    pub(crate) fn knows_submapper(mapper: u16, submapper: u8) -> bool {
        match mapper {
            1 => submapper <= 5,
            2 | 3 | 7 => submapper <= 2,
            _ => submapper == 0,
        }
    }

    pub(crate) fn limits(&self) -> Limits {
        let small = Limits { prg_rom: 0x8000, chr_rom: 0x2000, chr_ram: 0x2000, prg_ram: 0x2000 };
        match self {
            Self::Nrom => small,
            Self::Uxrom(_) => Limits { prg_rom: 0x40_0000, ..small },
            Self::Cnrom(_) => Limits { chr_rom: 0x20_0000, chr_ram: 0x2_0000, ..small },
            Self::Axrom(_) => Limits { prg_rom: 0x8_0000, ..small },
            Self::Mmc1(_) => {
                Limits { prg_rom: 0x8_0000, chr_rom: 0x2_0000, chr_ram: 0x2_0000, prg_ram: 0x8000 }
            }
        }
    }

    /// The name of the board, or of the boards that its memories leave in question.
    pub(crate) fn name(&self, memory: &Memory) -> &'static str {
        match self {
            Self::Nrom => "NROM",
            Self::Mmc1(mmc1) => mmc1.name(memory),
            Self::Uxrom(_) => "UxROM",
            Self::Cnrom(_) => "CNROM",
            Self::Axrom(_) => "AxROM",
        }
    }

    /// Whether a write to $8000-$FFFF meets the byte that the PRG-ROM drives at the same time.
    pub(crate) fn has_bus_conflicts(&self) -> bool {
        match self {
            Self::Nrom | Self::Mmc1(_) => false,
            Self::Uxrom(board) => board.conflicts,
            Self::Cnrom(board) => board.conflicts,
            Self::Axrom(board) => board.conflicts,
        }
    }

    /// A write of `value`, as the board sees it on the bus, to `address` in $8000-$FFFF in CPU
    /// cycle `cycle`; whether the bank table may be another one now.
    pub(crate) fn write(&mut self, address: u16, value: u8, cycle: u64) -> bool {
        let register = match self {
            Self::Nrom => return false,
            Self::Mmc1(board) => return board.write(address, value, cycle),
            Self::Uxrom(board) => &mut board.bank,
            Self::Cnrom(board) => &mut board.bank,
            Self::Axrom(board) => &mut board.register,
        };
        core::mem::replace(register, value) != value
    }

    /// The bank table that the registers make.
    pub(crate) fn banks(&self, memory: &Memory) -> Banks {
        let mut banks = Banks::new(memory);
        match self {
            Self::Nrom => {}
            Self::Mmc1(board) => board.switch(&mut banks, memory),
            Self::Uxrom(board) => board.switch(&mut banks, memory),
            Self::Cnrom(board) => banks.switch_chr_8k(board.bank),
            Self::Axrom(board) => board.switch(&mut banks),
        }
        banks
    }
}

impl State for Board {
    fn walk<F: Fields>(&mut self, fields: &mut F) -> Result<(), StateError> {
        match self {
            Self::Nrom => Ok(()),
            Self::Mmc1(board) => board.walk(fields),
            Self::Uxrom(board) => board.walk(fields),
            Self::Cnrom(board) => board.walk(fields),
            Self::Axrom(board) => board.walk(fields),
        }
    }
}

impl Limits {
    /// Refuses more than `limit` bytes of `part`.
    pub(crate) fn check(part: Part, found: u64, limit: u64, board: &'static str) -> Result<(), RomError> {
        if found > limit { Err(RomError::TooLarge { part, found, limit, board }) } else { Ok(()) }
    }
}
