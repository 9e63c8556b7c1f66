//! The boards: what of a cartridge has registers.

mod axrom;
mod cnrom;
mod mmc1;
mod mmc3;
mod other;
mod tengen;
mod uxrom;

use alloc::boxed::Box;

pub(crate) use axrom::Axrom;
pub(crate) use cnrom::Cnrom;
pub(crate) use mmc1::{Chip, Mmc1};
pub(crate) use mmc3::Mmc3;
use nes_state::{Fields, State, StateError};
pub use other::BoardSound;
pub(crate) use other::{Low, Other};
pub(crate) use tengen::Tengen;
pub(crate) use uxrom::Uxrom;

use crate::banks::{Banks, Memory};
use crate::header::Header;
use crate::{Mmc3Revision, Part, RomError};

/// The board of a cartridge and its registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Board {
    /// No registers at all (mapper 0).
    Nrom,
    Mmc1(Mmc1),
    Uxrom(Uxrom),
    Cnrom(Cnrom),
    Axrom(Axrom),
    Mmc3(Mmc3),
    Tengen(Tengen),
    Other(Box<Other>),
}

/// The mappers that [`Board`] knows, for an error that names them.
const SUPPORTED: &str = "0 (NROM), 1 or 155 (MMC1), 2 (UxROM), 3 (CNROM), 4 (MMC3), 5 (MMC5), 7 (AxROM), \
                         28 (Action 53), 30 (UNROM 512), 34 (BNROM, NINA-001), 66 (GxROM), 69 (FME-7), \
                         113 (HES), 148 (Tengen 800008) or 218 (Magic Floor)";

/// What a mapper that is not built is called, as an error has it: the chips of which releases and
/// builds of Tetris are known, and those that people ask for most.
fn unsupported_name(mapper: u16) -> &'static str {
    match mapper {
        9 => ", the MMC2 of PxROM boards,",
        10 => ", the MMC4 of FxROM boards,",
        16 | 153 | 157 | 159 => ", Bandai's FCG,",
        19 | 210 => ", Namco's 129 and 163,",
        20 => ", the Famicom Disk System,",
        21..=23 | 25 => ", Konami's VRC2 and VRC4,",
        24 | 26 => ", Konami's VRC6,",
        64 | 158 => ", Tengen's RAMBO-1,",
        71 => ", Camerica's boards,",
        85 => ", Konami's VRC7,",
        118 | 119 => ", an MMC3 on TLSROM, TKSROM or TQROM boards,",
        206 => ", the DxROM boards,",
        _ => "",
    }
}

/// The most that a board can hold, in bytes.
pub(crate) struct Limits {
    pub(crate) prg_rom: u64,
    pub(crate) chr_rom: u64,
    pub(crate) chr_ram: u64,
    pub(crate) prg_ram: u64,
}

impl Board {
    /// The board of the header's mapper and submapper, at power-on. `fixed_prg` is for an MMC1
    /// whose header cannot say whether its PRG-ROM is banked.
    ///
    /// # Errors
    /// [`RomError::UnknownMapper`].
    pub(crate) fn new(header: &Header, fixed_prg: bool) -> Result<Self, RomError> {
        let Header { mapper, submapper, mirroring, .. } = *header;
        if let Some(other) = Other::new(header) {
            return Ok(Self::Other(Box::new(other)));
        }
        // Submapper 2 of the boards of discrete logic: the ROM drives the bus too (NESdev: NES 2.0
        // submappers).
        let conflicts = submapper == 2;
        Ok(match (mapper, submapper) {
            (0, _) => Self::Nrom,
            (1, 3) | (155, _) => Self::Mmc1(Mmc1::new(Chip::A, false)),
            (1, _) => Self::Mmc1(Mmc1::new(Chip::B, fixed_prg || submapper == 5)),
            (2, _) => Self::Uxrom(Uxrom::new(conflicts)),
            (3, _) => Self::Cnrom(Cnrom::new(conflicts)),
            (4, 4) => Self::Mmc3(Mmc3::new(Mmc3Revision::A, mirroring)),
            (4, _) => Self::Mmc3(Mmc3::new(Mmc3Revision::B, mirroring)),
            (7, _) => Self::Axrom(Axrom::new(conflicts)),
            (148, _) => Self::Tengen(Tengen::new()),
            _ => {
                return Err(RomError::UnknownMapper {
                    mapper,
                    submapper,
                    name: unsupported_name(mapper),
                    supported: SUPPORTED,
                });
            }
        })
    }

    /// Whether `submapper` says something that [`Board::new`] understood for `mapper`.
    pub(crate) fn knows_submapper(mapper: u16, submapper: u8) -> bool {
        match mapper {
            1 => submapper <= 5,
            2 | 3 | 7 => submapper <= 2,
            // 1 is the MMC6, 2 a board of hard-wired nametables, 3 the MC-ACC.
            4 => matches!(submapper, 0 | 4),
            _ => Other::knows_submapper(mapper, submapper),
        }
    }

    pub(crate) fn limits(&self) -> Limits {
        let small = Limits { prg_rom: 0x8000, chr_rom: 0x2000, chr_ram: 0x2000, prg_ram: 0x2000 };
        match self {
            Self::Nrom => small,
            Self::Other(board) => board.limits(),
            Self::Uxrom(_) => Limits { prg_rom: 0x40_0000, ..small },
            Self::Cnrom(_) => Limits { chr_rom: 0x20_0000, chr_ram: 0x2_0000, ..small },
            Self::Axrom(_) => Limits { prg_rom: 0x8_0000, ..small },
            Self::Tengen(_) => Limits { prg_rom: 0x1_0000, chr_rom: 0x1_0000, ..small },
            Self::Mmc3(_) =>
            // Bank numbers have eight bits: of PRG the chip brings six out, but images with all of
            // them are made.
            {
                Limits { prg_rom: 0x20_0000, chr_rom: 0x4_0000, chr_ram: 0x2_0000, ..small }
            }
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
            Self::Tengen(_) => "Tengen 800008",
            Self::Mmc3(_) => mmc3::name(memory),
            Self::Other(board) => board.name(),
        }
    }

    /// Whether a write to $8000-$FFFF meets the byte that the PRG-ROM drives at the same time.
    pub(crate) fn has_bus_conflicts(&self) -> bool {
        match self {
            Self::Nrom | Self::Mmc1(_) | Self::Mmc3(_) => false,
            Self::Uxrom(board) => board.conflicts,
            Self::Cnrom(board) => board.conflicts,
            Self::Axrom(board) => board.conflicts,
            Self::Tengen(_) => true,
            Self::Other(board) => board.has_bus_conflicts(),
        }
    }

    /// A write of `value`, as the board sees it on the bus, to `address` in $8000-$FFFF in CPU
    /// cycle `cycle`; whether the bank table may be another one now.
    pub(crate) fn write(&mut self, address: u16, value: u8, cycle: u64) -> bool {
        let register = match self {
            Self::Nrom => return false,
            Self::Mmc1(board) => return board.write(address, value, cycle),
            Self::Mmc3(board) => return board.write(address, value, cycle),
            Self::Uxrom(board) => &mut board.bank,
            Self::Cnrom(board) => &mut board.bank,
            Self::Axrom(board) => &mut board.register,
            Self::Tengen(board) => &mut board.register,
            Self::Other(board) => return board.write(address, value, cycle),
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
            Self::Tengen(board) => board.switch(&mut banks),
            Self::Mmc3(board) => board.switch(&mut banks, memory),
            Self::Other(board) => board.switch(&mut banks, memory),
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
            Self::Tengen(board) => board.walk(fields),
            Self::Mmc3(board) => board.walk(fields),
            Self::Other(board) => board.walk(fields),
        }
    }
}

impl Limits {
    /// Refuses more than `limit` bytes of `part`.
    pub(crate) fn check(part: Part, found: u64, limit: u64, board: &'static str) -> Result<(), RomError> {
        if found > limit { Err(RomError::TooLarge { part, found, limit, board }) } else { Ok(()) }
    }
}
