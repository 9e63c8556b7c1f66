//! A cartridge whose board is one of [`Other`]: what the common ones do without.

use super::Cartridge;
use crate::banks::{IN_RAM, fold};
use crate::board::{Board, BoardSound, Low, Other};
use crate::picture::{PictureFetch, Place};

/// How the PPU reaches a cartridge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Video {
    /// By the bank table.
    Plain,
    /// The same, and the board counts how often PPU A12 rises: [`Cartridge::clock_a12`].
    CountsA12,
    /// The board answers each fetch: [`Cartridge::fetch`], [`Cartridge::place`].
    OwnBus,
}

impl Cartridge {
    /// Whether the board follows chips or time by itself, or is reached in a way of its own: then
    /// [`Cartridge::video`], [`Cartridge::next_irq`] and [`Cartridge::advance`] say more.
    #[inline]
    pub fn is_watched(&self) -> bool {
        matches!(self.board, Board::Mmc3(_) | Board::Other(_))
    }

    /// How the PPU reaches the cartridge.
    pub fn video(&self) -> Video {
        match &self.board {
            Board::Mmc3(_) => Video::CountsA12,
            Board::Other(board) if board.answers_fetches() => Video::OwnBus,
            _ => Video::Plain,
        }
    }

    /// Whether the program is in a flash memory that it can write by itself. The whole of it is
    /// [`Cartridge::prg_ram`] then, and the battery's.
    pub fn has_flash(&self) -> bool {
        self.board.has_flash()
    }

    /// What is at `address`, in $4020-$FFFF, where neither PRG-ROM nor PRG-RAM of the bank table
    /// is.
    #[cold]
    #[inline(never)]
    pub(super) fn read_other(&self, address: u16, open_bus: u8) -> u8 {
        if let Some(offset) = self.ram_at(address) {
            if let Board::Other(board) = &self.board
                && let Some(answer) = board.flash_answer(address, self.prg_ram.len())
            {
                return answer;
            }
            return self.prg_ram.get(offset).copied().unwrap_or(open_bus);
        }
        let Board::Other(board) = &self.board else { return open_bus };
        match board.read_low(address) {
            Low::Open => open_bus,
            Low::Byte(byte) => byte,
            Low::Rom(bank) => {
                let offset = fold(bank, self.memory.prg_rom) as usize + usize::from(address & 0x1FFF);
                self.prg_rom.get(offset).copied().unwrap_or(open_bus)
            }
        }
    }

    /// Where in PRG-RAM `address` lies, in $8000-$FFFF, if RAM or flash is there.
    fn ram_at(&self, address: u16) -> Option<usize> {
        if address < 0x8000 || self.prg_ram.is_empty() {
            return None;
        }
        let offset = self.banks.prg[usize::from(address >> 13 & 3)];
        let offset = (offset & !IN_RAM) as usize + usize::from(address & 0x1FFF);
        (self.banks.prg[usize::from(address >> 13 & 3)] & IN_RAM != 0)
            .then_some(offset & (self.prg_ram.len() - 1))
    }

    /// [`Cartridge::write`] for such a board.
    #[cold]
    #[inline(never)]
    pub(super) fn write_other(&mut self, address: u16, value: u8, cycle: u64) {
        let value = if address >= 0x8000 { self.conflicting(address, value) } else { value };
        let ram = self.ram_at(address);
        let low = self.prg_ram_offset(address).filter(|_| address < 0x8000 && !self.banks.prg_ram_protected);
        if let Some(offset) = low {
            self.prg_ram[offset] = value;
        }
        let Board::Other(board) = &mut self.board else { return };
        if let Some(offset) = ram {
            board.store(&mut self.prg_ram, offset, address, value, cycle);
        }
        if board.write(address, value, cycle) {
            self.switch();
        }
    }

    /// Whether the CPU's read of `address`, in $4020-$FFFF, may bring something about beside its
    /// answer, or is answered otherwise in another cycle: then [`Cartridge::before_read`] comes
    /// before it and [`Cartridge::was_read`] behind it.
    pub fn reacts_to(&self, address: u16) -> bool {
        matches!(&self.board, Board::Other(board) if board.reacts_to(address))
    }

    /// The CPU is about to read in `cycle`.
    pub fn before_read(&mut self, cycle: u64) {
        if let Board::Other(board) = &mut self.board {
            board.before_read(cycle);
        }
    }

    /// What the CPU's read of `value` at `address`, in $4020-$FFFF, brings about in `cycle`: some
    /// registers are acknowledged by it.
    pub fn was_read(&mut self, address: u16, value: u8, cycle: u64) {
        if let Board::Other(board) = &mut self.board {
            board.was_read(address, value, cycle);
        }
    }

    /// Whether every read of PRG-ROM or flash counts, so that none may be left out.
    pub fn watches_reads(&self) -> bool {
        self.reacts_to(0x8000)
    }

    /// The sound chip in the cartridge.
    pub fn sound(&self) -> Option<BoardSound> {
        match &self.board {
            Board::Other(board) => board.sound(),
            _ => None,
        }
    }

    /// Whether that takes each value that the CPU reads in $8000-$BFFF.
    pub fn sound_takes_reads(&self) -> bool {
        matches!(&self.board, Board::Other(board) if board.sound_takes_reads())
    }

    /// The CPU writes `value` to the PPU's `register`, which the board sees on the CPU's bus.
    pub fn snoop(&mut self, register: u16, value: u8) {
        if let Board::Other(board) = &mut self.board {
            board.snoop(register, value);
            self.switch();
        }
    }

    /// The PPU has run up to the beginning of CPU cycle `cycle`.
    pub fn advance(&mut self, cycle: u64) {
        if let Board::Other(board) = &mut self.board {
            board.advance(cycle);
        }
    }

    /// The first CPU cycle, from `now` on, by which the board may ask for an interrupt without a
    /// rise of A12, if it does not yet; [`u64::MAX`] if it will not.
    pub fn next_irq(&self, now: u64) -> u64 {
        match &self.board {
            Board::Other(board) => board.next_irq(now),
            _ => u64::MAX,
        }
    }

    /// Where the byte lies that the PPU fetches, by the board, which takes notice of the fetch.
    pub fn fetch(&mut self, fetch: &PictureFetch) -> Place {
        match &mut self.board {
            Board::Other(board) => board.fetch(fetch, &self.banks, &self.memory),
            _ => Place::plain(fetch.address, &self.banks),
        }
    }

    /// Where the byte of the PPU's `address`, 0–$3FFF, lies outside of a picture's fetches.
    pub fn place(&self, address: u16) -> Place {
        match &self.board {
            Board::Other(board) => board.place(address, &self.banks, &self.memory),
            _ => Place::plain(address, &self.banks),
        }
    }

    /// The byte of [`Place::Chr`].
    pub fn chr_at(&self, offset: u32) -> u8 {
        self.chr.get(offset as usize).copied().unwrap_or(0)
    }

    /// A write of the PPU's to a place that is in the cartridge.
    pub fn write_place(&mut self, place: Place, value: u8) {
        match (place, &mut self.board) {
            (Place::Chr(offset), _) if self.memory.chr_is_ram => {
                let _ = self.poke_chr(offset as usize, value);
            }
            (Place::Board(index, _), Board::Other(board)) => board.write_picture(index.into(), value),
            _ => {}
        }
    }
}

impl Board {
    /// See [`Cartridge::has_flash`].
    pub(super) fn has_flash(&self) -> bool {
        matches!(self, Self::Other(board) if Other::has_flash(board))
    }
}
