//! The boards behind one pointer: the fast paths know nothing of their registers, and a cartridge
//! without one pays nothing for them.

mod action53;
mod fme7;
mod gxrom;
mod hes;
mod magic_floor;
mod mmc5;
mod nina;
mod unrom512;

use action53::Action53;
use fme7::Fme7;
use gxrom::Gxrom;
use hes::Hes;
use magic_floor::MagicFloor;
use mmc5::Mmc5;
use nes_state::{Fields, State, StateError};
use nina::Nina;
use unrom512::Unrom512;

use crate::banks::{Banks, Memory};
use crate::board::Limits;
use crate::header::Header;
use crate::picture::{PictureFetch, Place};

/// What answers a read of $4020-$7FFF, where it is not PRG-RAM.
pub(crate) enum Low {
    /// Nothing: the bus keeps what it has.
    Open,
    /// A register.
    Byte(u8),
    /// PRG-ROM, from this offset on for the 8 KiB at $6000.
    Rom(u32),
}

/// A sound chip on a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoardSound {
    /// Nintendo's MMC5.
    Mmc5,
    /// Sunsoft's 5B, which differs from the FME-7 by its sound alone.
    Sunsoft5B,
}

/// A board that needs more than the bank table of the common ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Other {
    Nina(Nina),
    Gxrom(Gxrom),
    Hes(Hes),
    Action53(Action53),
    Unrom512(Unrom512),
    Fme7(Fme7),
    MagicFloor(MagicFloor),
    Mmc5(Mmc5),
}

impl Other {
    /// Returns the board of the header's mapper at power-on, if it is one of these.
    pub(crate) fn new(header: &Header) -> Option<Self> {
        let conflicts = header.submapper == 2;
        Some(match header.mapper {
            5 => Self::Mmc5(Mmc5::new()),
            28 => Self::Action53(Action53::new()),
            30 => Self::Unrom512(Unrom512::new(header)),
            34 => Self::Nina(Nina::new(header)),
            66 => Self::Gxrom(Gxrom::new(conflicts)),
            69 => Self::Fme7(Fme7::new()),
            113 => Self::Hes(Hes::new()),
            218 => Self::MagicFloor(MagicFloor::new(header)),
            _ => return None,
        })
    }

    /// Whether `submapper` says something that [`Other::new`] understood for `mapper`.
    pub(crate) fn knows_submapper(mapper: u16, submapper: u8) -> bool {
        match mapper {
            30 => submapper <= 3,
            34 | 66 => submapper <= 2,
            _ => submapper == 0,
        }
    }

    pub(crate) fn limits(&self) -> Limits {
        let small = Limits { prg_rom: 0x8000, chr_rom: 0x2000, chr_ram: 0x2000, prg_ram: 0x2000 };
        match self {
            Self::Nina(_) => Limits { prg_rom: 0x40_0000, chr_rom: 0x1_0000, ..small },
            Self::Gxrom(_) => Limits { prg_rom: 0x8_0000, chr_rom: 0x2_0000, chr_ram: 0x2_0000, ..small },
            Self::Hes(_) => Limits { prg_rom: 0x4_0000, chr_rom: 0x2_0000, ..small },
            Self::Action53(_) => Limits { prg_rom: 0x40_0000, chr_ram: 0x8000, ..small },
            Self::Unrom512(_) => Limits { prg_rom: 0x8_0000, chr_rom: 0x8000, chr_ram: 0x8000, ..small },
            Self::Fme7(_) => {
                Limits { prg_rom: 0x8_0000, chr_rom: 0x4_0000, chr_ram: 0x2_0000, prg_ram: 0x8000 }
            }
            Self::MagicFloor(_) => small,
            Self::Mmc5(_) => {
                Limits { prg_rom: 0x10_0000, chr_rom: 0x10_0000, chr_ram: 0x2_0000, prg_ram: 0x2_0000 }
            }
        }
    }

    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Nina(board) => board.name(),
            Self::Gxrom(_) => "GxROM",
            Self::Hes(_) => "NINA-03/06 of HES multicarts",
            Self::Action53(_) => "Action 53",
            Self::Unrom512(board) => board.name(),
            Self::Fme7(_) => "FME-7",
            Self::MagicFloor(_) => "Magic Floor",
            Self::Mmc5(_) => "ExROM (MMC5)",
        }
    }

    pub(crate) fn has_bus_conflicts(&self) -> bool {
        match self {
            Self::Nina(board) => board.conflicts,
            Self::Gxrom(board) => board.conflicts,
            Self::Unrom512(board) => board.conflicts,
            _ => false,
        }
    }

    /// Whether the program is in a flash memory that it can write by itself.
    pub(crate) fn has_flash(&self) -> bool {
        matches!(self, Self::Unrom512(board) if board.flash.is_some())
    }

    /// A write of `value` to `address`, in $4020-$FFFF, in CPU cycle `cycle`; whether the bank
    /// table may be another one now.
    pub(crate) fn write(&mut self, address: u16, value: u8, cycle: u64) -> bool {
        match self {
            Self::Nina(board) => board.write(address, value),
            Self::Gxrom(board) => {
                address >= 0x8000 && core::mem::replace(&mut board.register, value) != value
            }
            Self::Hes(board) => board.write(address, value),
            Self::Action53(board) => board.write(address, value),
            Self::Unrom512(board) => board.write(address, value),
            Self::Fme7(board) => board.write(address, value, cycle),
            Self::MagicFloor(_) => false,
            Self::Mmc5(board) => board.write(address, value, cycle),
        }
    }

    /// A write of `value` to `address` in $8000-$FFFF, where RAM or flash is at `offset` of `ram`.
    pub(crate) fn store(&mut self, ram: &mut [u8], offset: usize, address: u16, value: u8, cycle: u64) {
        match self {
            Self::Unrom512(board) => board.flash(ram, offset, address, value, cycle),
            Self::Mmc5(board) if board.writes_ram() => ram[offset] = value,
            _ => {}
        }
    }

    /// What answers a read of `address`, in $4020-$7FFF, where no PRG-RAM does.
    pub(crate) fn read_low(&self, address: u16) -> Low {
        match self {
            Self::Fme7(board) => board.read_low(address),
            Self::Mmc5(board) => board.read_low(address),
            _ => Low::Open,
        }
    }

    /// Whether a read of `address`, in $4020-$FFFF, may bring something about beside its answer, or
    /// is answered otherwise in another cycle.
    pub(crate) fn reacts_to(&self, address: u16) -> bool {
        match self {
            Self::Mmc5(board) => address < 0x6000 || address < 0xC000 && board.takes_reads(),
            Self::Unrom512(board) => address >= 0x8000 && board.answers_itself(),
            _ => false,
        }
    }

    /// The CPU is about to read in `cycle`.
    pub(crate) fn before_read(&mut self, cycle: u64) {
        if let Self::Unrom512(board) = self {
            board.work_until(cycle);
        }
    }

    /// What the CPU's read of `value` at `address` in `cycle` brings about.
    pub(crate) fn was_read(&mut self, address: u16, value: u8, cycle: u64) {
        match self {
            Self::Mmc5(board) => board.was_read(address, value, cycle),
            Self::Unrom512(board) => board.was_read(address),
            _ => {}
        }
    }

    /// The sound chip on the board.
    pub(crate) fn sound(&self) -> Option<BoardSound> {
        match self {
            Self::Mmc5(_) => Some(BoardSound::Mmc5),
            Self::Fme7(_) => Some(BoardSound::Sunsoft5B),
            _ => None,
        }
    }

    /// Whether the sound chip takes what the CPU reads in $8000-$BFFF.
    pub(crate) fn sound_takes_reads(&self) -> bool {
        matches!(self, Self::Mmc5(board) if board.takes_reads())
    }

    /// What the flash answers a read of `address` with, where it is not the byte there.
    pub(crate) fn flash_answer(&self, address: u16, size: usize) -> Option<u8> {
        if let Self::Unrom512(board) = self { board.answer(address, size) } else { None }
    }

    pub(crate) fn switch(&self, banks: &mut Banks, memory: &Memory) {
        match self {
            Self::Nina(board) => board.switch(banks),
            Self::Gxrom(board) => board.switch(banks),
            Self::Hes(board) => board.switch(banks),
            Self::Action53(board) => board.switch(banks),
            Self::Unrom512(board) => board.switch(banks, memory),
            Self::Fme7(board) => board.switch(banks, memory),
            Self::MagicFloor(board) => board.switch(banks),
            Self::Mmc5(board) => board.switch(banks, memory),
        }
    }

    /// Whether the bank table does not say what the PPU finds: then every byte comes by
    /// [`Other::place`].
    pub(crate) fn answers_fetches(&self) -> bool {
        match self {
            Self::Unrom512(board) => board.four_screen,
            Self::MagicFloor(_) | Self::Mmc5(_) => true,
            _ => false,
        }
    }

    /// Where the byte of a fetch lies. The board takes notice of it.
    pub(crate) fn fetch(&mut self, fetch: &PictureFetch, banks: &Banks, memory: &Memory) -> Place {
        match self {
            Self::Mmc5(board) => board.fetch(fetch, banks, memory),
            _ => self.place(fetch.address, banks, memory),
        }
    }

    /// Where the byte of the PPU's `address` lies, outside of a picture's fetches.
    pub(crate) fn place(&self, address: u16, banks: &Banks, memory: &Memory) -> Place {
        match self {
            Self::Unrom512(board) => board.place(address, banks, memory),
            Self::MagicFloor(board) => board.place(address),
            Self::Mmc5(board) => board.place(address, banks, memory),
            _ => Place::plain(address, banks),
        }
    }

    /// The byte of `address` in RAM that is on the board, if [`Place::Board`] says so.
    pub(crate) fn write_picture(&mut self, index: usize, value: u8) {
        if let Self::Mmc5(board) = self {
            board.exram[index & 0x3FF] = value;
        }
    }

    /// The CPU writes `value` to the PPU's `register`, which boards on the CPU's bus see, too.
    pub(crate) fn snoop(&mut self, register: u16, value: u8) {
        if let Self::Mmc5(board) = self {
            board.snoop(register, value);
        }
    }

    /// The PPU has run up to CPU cycle `cycle`.
    pub(crate) fn advance(&mut self, cycle: u64) {
        if let Self::Mmc5(board) = self {
            board.advance(cycle);
        }
    }

    /// The level of the IRQ line as the CPU samples it in `cycle`.
    pub(crate) fn irq_at(&self, cycle: u64) -> bool {
        match self {
            Self::Fme7(board) => board.irq_at(cycle),
            Self::Mmc5(board) => board.irq_at(cycle),
            _ => false,
        }
    }

    /// The first CPU cycle from `now` on by which the board may have asked for an interrupt that
    /// it does not ask for yet.
    pub(crate) fn next_irq(&self, now: u64) -> u64 {
        match self {
            Self::Fme7(board) => board.next_irq(now),
            Self::Mmc5(board) => board.next_irq(now),
            _ => u64::MAX,
        }
    }
}

impl State for Other {
    fn walk<F: Fields>(&mut self, fields: &mut F) -> Result<(), StateError> {
        match self {
            Self::Nina(board) => board.walk(fields),
            Self::Gxrom(board) => board.walk(fields),
            Self::Hes(board) => board.walk(fields),
            Self::Action53(board) => board.walk(fields),
            Self::Unrom512(board) => board.walk(fields),
            Self::Fme7(board) => board.walk(fields),
            Self::MagicFloor(_) => Ok(()),
            Self::Mmc5(board) => board.walk(fields),
        }
    }
}
