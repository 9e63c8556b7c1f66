//! An inserted cartridge: its memories, its board, and the bank table between them.

mod memories;
mod others;

use alloc::borrow::ToOwned;
use alloc::sync::Arc;
use alloc::{vec, vec::Vec};

use md5::Md5;
use nes_clock::Region;
use nes_state::{Fields, State, StateError};
use sha1::{Digest, Sha1};

use crate::banks::{Banks, Memory};
use crate::board::Board;
use crate::database::Known;
use crate::image::Image;
pub use others::Video;

use crate::{Format, Info, Md5Hash, Mirroring, Mmc3Revision, RomError, Sha1Hash, Warning};

/// What names of files say in parentheses about cartridges that are for PAL consoles alone:
/// countries as No-Intro writes them, letters as `GoodNES` does.
const PAL: &[&str] = &[
    "Australia",
    "E",
    "Europe",
    "France",
    "Germany",
    "Italy",
    "Netherlands",
    "PAL",
    "Scandinavia",
    "Spain",
    "Sweden",
    "United Kingdom",
];

/// Returns the parentheses in a file's name that say that it is for PAL consoles, and no others.
fn pal_by_name(name: &str) -> Option<&str> {
    let opened = name.match_indices('(').filter_map(|(at, _)| Some(&name[at..=at + name[at..].find(')')?]));
    let mut groups = opened.map(|group| (group, &group[1..group.len() - 1]));
    groups.find(|(_, inner)| inner.split(',').all(|part| PAL.contains(&part.trim()))).map(|(group, _)| group)
}

/// A cartridge. ROM is shared between clones; CHR-RAM is too, until one of them writes to it.
///
/// Equality is that of the machine: [`Cartridge::chr_generation`] is not compared.
#[derive(Clone, Debug)]
pub struct Cartridge {
    prg_rom: Arc<[u8]>,
    /// CHR-ROM or CHR-RAM.
    chr: Arc<[u8]>,
    prg_ram: Vec<u8>,
    board: Board,
    /// Always `board.banks(&memory)`.
    banks: Banks,
    memory: Memory,
    chr_generation: u32,
    info: Arc<Info>,
}

impl Cartridge {
    /// The cartridge of an iNES or NES 2.0 image, at power-on with its RAM zero.
    ///
    /// An iNES header does not describe its RAM: unless the board is known, it gets 8 KiB at $6000.
    ///
    /// # Errors
    /// Why `image` is none, or none that this machine takes. Nothing larger than `image` and the
    /// RAM of its board (at most 256 KiB, and a flash memory's program twice) is allocated.
    pub fn from_bytes(image: &[u8]) -> Result<Self, RomError> {
        let Image { mut header, trainer, prg_rom, chr_rom } = Image::parse(image)?;
        let mut crc32 = crc32fast::Hasher::new();
        crc32.update(prg_rom);
        crc32.update(chr_rom);
        let crc32 = crc32.finalize();
        let known = Known::find(crc32);
        if let Some(known) = known {
            known.correct(&mut header);
        }
        // The boards that were made for 32 KiB beside CHR-ROM do not bank it; NES 2.0 has a
        // submapper for them.
        let fixed_prg = header.format == Format::Ines && header.prg_rom == 0x8000 && header.chr_rom > 0;
        let board = Board::new(&header, fixed_prg)?;
        let memory = memories::memory(&mut header, &board)?;
        let battery_ram = memories::battery_ram(&mut header, &board, &memory);
        let board_name = board.name(&memory);
        let in_image = [prg_rom.len(), chr_rom.len()];
        let (sha1_in_image, md5_in_image) = (sha1(&[prg_rom, chr_rom]), md5(&[prg_rom, chr_rom]));
        // What lies beyond the board's address lines is in the file, and nowhere in the machine.
        let (prg_rom, chr_rom) = (first(prg_rom, memory.prg_rom), first(chr_rom, memory.chr));

        let mut prg_ram = vec![0; memory.prg_ram as usize];
        if board.has_flash() {
            prg_ram.iter_mut().zip(prg_rom).for_each(|(cell, &byte)| *cell = byte);
        }
        for (address, &byte) in (0x7000usize..).zip(trainer) {
            let offset = address & (prg_ram.len() - 1) & 0x1FFF;
            prg_ram[offset] = byte;
        }
        let chr = if memory.chr_is_ram { vec![0; memory.chr as usize].into() } else { chr_rom.into() };
        let info = Info {
            format: header.format,
            mapper: header.mapper,
            submapper: header.submapper,
            board: board_name,
            known: known.is_some(),
            mirroring: header.mirroring,
            region: header.region,
            battery: header.battery,
            battery_ram,
            trainer: header.trainer,
            prg_rom: prg_rom.len(),
            chr_rom: chr_rom.len(),
            prg_rom_in_image: in_image[0],
            chr_rom_in_image: in_image[1],
            prg_ram: prg_ram.len(),
            chr_ram: if memory.chr_is_ram { memory.chr as usize } else { 0 },
            crc32,
            sha1: sha1_in_image,
            md5: md5_in_image,
            file_crc32: crc32fast::hash(image),
            file_sha1: sha1(&[image]),
            warnings: header.warnings,
        };
        Ok(Self {
            prg_rom: prg_rom.into(),
            chr,
            prg_ram,
            banks: board.banks(&memory),
            board,
            memory,
            chr_generation: 0,
            info: Arc::new(info),
        })
    }

    /// What a read of `address`, in $4020-$FFFF, puts on the CPU's data bus, which holds `open_bus`
    /// where the cartridge drives nothing. Reading changes nothing.
    #[inline]
    pub fn read(&self, address: u16, open_bus: u8) -> u8 {
        if address >= 0x8000 {
            let bank = self.banks.prg[usize::from(address >> 13 & 3)];
            match self.prg_rom.get(bank as usize + usize::from(address & 0x1FFF)) {
                Some(&byte) => byte,
                None => self.read_other(address, open_bus),
            }
        } else {
            match self.prg_ram_offset(address) {
                Some(offset) => self.prg_ram[offset],
                None => self.read_other(address, open_bus),
            }
        }
    }

    /// A write of `value` to `address`, in $4020-$FFFF, in CPU cycle `cycle`.
    pub fn write(&mut self, address: u16, value: u8, cycle: u64) {
        if let Board::Other(_) = self.board {
            self.write_other(address, value, cycle);
        } else if address >= 0x8000 {
            if self.board.write(address, self.conflicting(address, value), cycle) {
                self.switch();
            }
        } else if let Some(offset) = self.prg_ram_offset(address)
            && !self.banks.prg_ram_protected
        {
            self.prg_ram[offset] = value;
        }
    }

    /// Would [`Cartridge::write`] change what the PPU finds at any of its addresses?
    pub fn write_moves_picture(&self, address: u16, value: u8, cycle: u64) -> bool {
        if address < 0x8000 {
            return false;
        }
        let mut board = self.board.clone();
        if !board.write(address, self.conflicting(address, value), cycle) {
            return false;
        }
        let banks = board.banks(&self.memory);
        banks.chr != self.banks.chr || banks.nametables != self.banks.nametables
    }

    /// What a write of `value` leaves on the bus, which PRG-ROM may drive at the same time.
    fn conflicting(&self, address: u16, value: u8) -> u8 {
        if self.board.has_bus_conflicts() { value & self.read(address, value) } else { value }
    }

    /// The byte of CHR at `address`, in $0000-$1FFF of the PPU's space.
    #[inline]
    pub fn read_chr(&self, address: u16) -> u8 {
        self.chr[self.chr_offset(address)]
    }

    /// The bytes of CHR at `address` and eight further on: both planes of a pattern row. `address`,
    /// in $0000-$1FFF of the PPU's space, has bit 3 clear.
    #[inline]
    pub fn read_chr_row(&self, address: u16) -> [u8; 2] {
        // Banks are multiples of 1 KiB: both bytes are in the same one.
        match self.chr[self.chr_offset(address & !8)..] {
            [low, _, _, _, _, _, _, _, high, ..] => [low, high],
            _ => unreachable!("a bank of CHR is 1 KiB"),
        }
    }

    /// A write of `value` to CHR at `address`, in $0000-$1FFF of the PPU's space. ROM ignores it.
    pub fn write_chr(&mut self, address: u16, value: u8) {
        let offset = self.chr_offset(address);
        if self.memory.chr_is_ram && self.chr[offset] != value {
            Arc::make_mut(&mut self.chr)[offset] = value;
            self.chr_generation = self.chr_generation.wrapping_add(1);
        }
    }

    /// A count that moves on whenever a byte that [`Cartridge::read_chr`] answers may have changed,
    /// so that a cache of patterns knows when it is stale. It is neither saved nor compared.
    pub fn chr_generation(&self) -> u32 {
        self.chr_generation
    }

    /// Where in CIRAM `address`, in $2000-$3EFF of the PPU's space, lies: below
    /// [`Cartridge::ciram_len`].
    #[inline]
    pub fn ciram_address(&self, address: u16) -> usize {
        usize::from(self.banks.nametables[usize::from(address >> 10 & 3)] | address & 0x3FF)
    }

    /// Bytes of nametable RAM: the console's 2 KiB, or 4 KiB with those of a four-screen board.
    pub fn ciram_len(&self) -> usize {
        if self.memory.mirroring == Mirroring::FourScreen { 0x1000 } else { 0x800 }
    }

    /// Whether PPU A12 now changes what the CPU reads or writes at $6000-$FFFF. While it does, call
    /// [`Cartridge::set_a12`] before such an access. Only [`Cartridge::write`] changes the answer.
    #[inline]
    pub fn watches_a12(&self) -> bool {
        match &self.board {
            Board::Mmc1(mmc1) => mmc1.watches_a12(&self.memory),
            _ => false,
        }
    }

    /// Tells the board the level of PPU A12.
    pub fn set_a12(&mut self, high: bool) {
        if let Board::Mmc1(mmc1) = &mut self.board
            && mmc1.set_a12(high)
        {
            self.switch();
        }
    }

    /// Whether the board follows every change of PPU A12: then [`Cartridge::clock_a12`] has to be
    /// told each.
    #[inline]
    pub fn counts_a12(&self) -> bool {
        matches!(self.board, Board::Mmc3(_))
    }

    /// Tells the board the level of PPU A12 from a moment in CPU cycle `cycle` on, if it is another
    /// one. An interrupt that this brings about is first sampled in cycle `sampled`.
    pub fn clock_a12(&mut self, high: bool, cycle: u64, sampled: u64) {
        if let Board::Mmc3(mmc3) = &mut self.board {
            mmc3.set_a12(high, cycle, sampled);
        }
    }

    /// The level of the board's IRQ line as the CPU samples it in `cycle`: right for the latest two
    /// cycles, and for those to come as long as A12 does not rise.
    #[inline]
    pub fn irq_at(&self, cycle: u64) -> bool {
        match &self.board {
            Board::Mmc3(mmc3) => mmc3.irq_at(cycle),
            Board::Other(board) => board.irq_at(cycle),
            _ => false,
        }
    }

    /// The least number of rises of PPU A12 after which the board may ask for an interrupt that it
    /// does not ask for now; `None` if it will not, whatever A12 does. Only [`Cartridge::write`]
    /// and [`Cartridge::clock_a12`] change the answer.
    #[inline]
    pub fn clocks_to_irq(&self) -> Option<u32> {
        match &self.board {
            Board::Mmc3(mmc3) => mmc3.clocks_to_irq(),
            _ => None,
        }
    }

    /// The revision of an MMC3, `None` of every other board.
    pub fn mmc3_revision(&self) -> Option<Mmc3Revision> {
        match &self.board {
            Board::Mmc3(mmc3) => Some(mmc3.revision),
            _ => None,
        }
    }

    /// Puts an MMC3 of another revision in the place of the one that the header names; no other
    /// board has one.
    pub fn set_mmc3_revision(&mut self, revision: Mmc3Revision) {
        if let Board::Mmc3(mmc3) = &mut self.board {
            mmc3.revision = revision;
        }
    }

    /// Returns the cartridge for the console that its file's name says, such as `Game (Europe)`: if
    /// the header is iNES, which usually says nothing, and the cartridge is not a known one. What
    /// was found is a warning of [`Cartridge::info`].
    #[must_use]
    pub fn named(mut self, name: &str) -> Self {
        let is_open =
            self.info.format == Format::Ines && !self.info.known && self.info.region == Region::Ntsc;
        if let Some(found) = is_open.then(|| pal_by_name(name)).flatten() {
            let info = Arc::make_mut(&mut self.info);
            info.region = Region::Pal;
            info.warnings.push(Warning::RegionByName { found: found.to_owned() });
        }
        self
    }

    /// CRC32 of PRG-ROM and CHR-ROM, by which cartridges are told apart.
    pub fn crc32(&self) -> u32 {
        self.info.crc32
    }

    /// Header, board, hashes, warnings.
    pub fn info(&self) -> &Info {
        &self.info
    }

    /// The whole PRG-ROM.
    pub fn prg_rom(&self) -> &[u8] {
        &self.prg_rom
    }

    /// The same for whoever holds on to it while the cartridge is written to.
    pub fn prg_rom_shared(&self) -> Arc<[u8]> {
        Arc::clone(&self.prg_rom)
    }

    /// Where in PRG-ROM each 8 KiB of $8000-$FFFF begin, now: offsets in bytes, with 8 KiB behind
    /// each. One of RAM or flash, which some boards have there, lies beyond the end. Only
    /// [`Cartridge::write`] and [`Cartridge::set_a12`] change them.
    #[inline]
    pub fn prg_banks(&self) -> [u32; 4] {
        self.banks.prg
    }

    /// The whole CHR, ROM or RAM.
    pub fn chr(&self) -> &[u8] {
        &self.chr
    }

    /// Where in CHR each 1 KiB of $0000-$1FFF begin, now: offsets in bytes.
    pub fn chr_banks(&self) -> [u32; 8] {
        self.banks.chr
    }

    /// Writes a byte of PRG-ROM from outside the machine, for this cartridge and not its clones;
    /// gives what was there. `None` beyond its end. The hashes of [`Cartridge::info`] stay.
    pub fn poke_prg_rom(&mut self, offset: usize, value: u8) -> Option<u8> {
        self.prg_rom.get(offset)?;
        if let (true, Some(byte)) = (self.has_flash(), self.prg_ram.get_mut(offset)) {
            *byte = value;
        }
        Some(core::mem::replace(&mut Arc::make_mut(&mut self.prg_rom)[offset], value))
    }

    /// The same for PRG-RAM.
    pub fn poke_prg_ram(&mut self, offset: usize, value: u8) -> Option<u8> {
        self.prg_ram.get_mut(offset).map(|byte| core::mem::replace(byte, value))
    }

    /// The same for CHR, ROM or RAM.
    pub fn poke_chr(&mut self, offset: usize, value: u8) -> Option<u8> {
        self.chr.get(offset)?;
        self.chr_generation = self.chr_generation.wrapping_add(1);
        Some(core::mem::replace(&mut Arc::make_mut(&mut self.chr)[offset], value))
    }

    /// The whole PRG-RAM, battery-backed or not.
    pub fn prg_ram(&self) -> &[u8] {
        &self.prg_ram
    }

    /// What the battery keeps while the power is off; nothing without one.
    pub fn battery_ram(&self) -> &[u8] {
        self.prg_ram.get(self.info.battery_ram.clone()).unwrap_or_default()
    }

    /// Puts back what the battery has kept: as long as [`Cartridge::battery_ram`], or the whole
    /// PRG-RAM, of which only the battery's part is taken. Anything else leaves the RAM as it is;
    /// whether it was taken is returned.
    pub fn load_battery_ram(&mut self, kept: &[u8]) -> bool {
        let part = self.info.battery_ram.clone();
        let kept = if kept.len() == self.prg_ram.len() { kept.get(part.clone()) } else { Some(kept) };
        match (self.prg_ram.get_mut(part), kept) {
            (Some(ram), Some(kept)) if ram.len() == kept.len() => {
                ram.copy_from_slice(kept);
                true
            }
            _ => false,
        }
    }

    #[inline]
    fn chr_offset(&self, address: u16) -> usize {
        self.banks.chr[usize::from(address >> 10 & 7)] as usize + usize::from(address & 0x3FF)
    }

    /// Where in PRG-RAM `address`, below $8000, lies, if RAM answers there.
    #[inline]
    fn prg_ram_offset(&self, address: u16) -> Option<usize> {
        if address < 0x6000 {
            return None;
        }
        let offset = self.banks.prg_ram? as usize + usize::from(address & 0x1FFF);
        Some(offset & (self.prg_ram.len() - 1))
    }

    /// Rebuilds the bank table after a register has changed.
    fn switch(&mut self) {
        let banks = self.board.banks(&self.memory);
        if banks.chr != self.banks.chr {
            self.chr_generation = self.chr_generation.wrapping_add(1);
        }
        self.banks = banks;
    }
}

impl PartialEq for Cartridge {
    fn eq(&self, other: &Self) -> bool {
        // `banks` follows from the rest.
        let Self { prg_rom, chr, prg_ram, board, banks: _, memory, chr_generation: _, info } = self;
        *board == other.board
            && *memory == other.memory
            && *prg_ram == other.prg_ram
            && *chr == other.chr
            && *prg_rom == other.prg_rom
            && *info == other.info
    }
}

impl State for Cartridge {
    fn walk<F: Fields>(&mut self, fields: &mut F) -> Result<(), StateError> {
        let Self { prg_rom: _, chr, prg_ram, board, banks: _, memory, chr_generation, info: _ } = self;
        board.walk(fields)?;
        fields.bytes(prg_ram)?;
        if memory.chr_is_ram {
            fields.bytes(Arc::make_mut(chr))?;
        }
        *chr_generation = chr_generation.wrapping_add(1);
        self.switch();
        Ok(())
    }
}

/// The first `length` bytes of a ROM, or all of it.
fn first(rom: &[u8], length: u32) -> &[u8] {
    rom.get(..length as usize).unwrap_or(rom)
}

/// With each part filled up with $FF to the next power of two (FCEUX: `ines.cpp`).
fn md5(parts: &[&[u8]]) -> Md5Hash {
    let mut hash = Md5::new();
    for part in parts.iter().filter(|part| !part.is_empty()) {
        hash.update(part);
        hash.update(vec![0xFF; part.len().next_power_of_two() - part.len()]);
    }
    Md5Hash(hash.finalize().into())
}

fn sha1(parts: &[&[u8]]) -> Sha1Hash {
    let mut hash = Sha1::new();
    for part in parts {
        hash.update(part);
    }
    Sha1Hash(hash.finalize().into())
}
