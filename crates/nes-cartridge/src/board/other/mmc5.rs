//! MMC5 (mapper 5) on the `ExROM` boards: banks of four sizes, 1 KiB of RAM that can be a nametable
//! or give each tile its own bank and palette, a second playfield beside the first, an interrupt by
//! lines, and a multiplier.
//!
//! The chip has no line that tells it where the picture is: it watches the PPU's reads. Three reads
//! of one nametable byte in a row, which happen between the end of one line and the beginning of
//! the next, are a new line; three CPU cycles without a read are the end of the picture.
//!
//! Its sound is a chip of its own (`nes-apu`), but for what the CPU sees of the PCM channel:
//!
//! ```text
//! $5010   I--- ---M   M: each read of $8000-$BFFF is a value; I: a value of 0 asks for the interrupt;
//!                     read: I is set where one does, which is acknowledged
//! $5011               a value, where M is clear
//! ```
//!
//! Source: `NESdev`, "MMC5" and "MMC5 audio".

mod banking;
mod lines;
mod playfield;

use alloc::boxed::Box;

use nes_state::{Fields, State, StateError};

use super::Low;
use lines::Lines;

/// The chip and its registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mmc5 {
    /// `$5100`: size of the PRG banks.
    prg_mode: u8,
    /// `$5101`: size of the CHR banks.
    chr_mode: u8,
    /// `$5102` and `$5103`: 2 and 1 let PRG-RAM be written.
    protect: [u8; 2],
    /// `$5104`: what `ExRAM` is.
    exram_mode: u8,
    /// `$5105`: what each nametable is.
    nametables: u8,
    /// `$5106` and `$5107`: tile and attributes of the nametable that is one byte.
    fill: [u8; 2],
    /// `$5113-$5117`.
    prg: [u8; 5],
    /// `$5120-$5127`, with the two bits of `$5130` that they were written with.
    chr_a: [u16; 8],
    /// `$5128-$512B`, the same.
    chr_b: [u16; 4],
    /// Whether one of the second set was written last.
    wrote_b: bool,
    /// `$5130`.
    chr_high: u8,
    /// `$5200-$5202`: where the second playfield is, its scroll, its bank.
    split: [u8; 3],
    /// `$5205` and `$5206`.
    factors: [u8; 2],
    /// Sprites are 8 by 16: the PPU's `$2000`, seen on the bus.
    tall: bool,
    /// Byte of `ExRAM` that belongs to the tile of which attributes and pattern follow.
    tile: u8,
    /// `$5010`: whether reads are the PCM channel's values, and whether a value of 0 asks for the
    /// interrupt.
    pcm_reads: bool,
    pcm_asks: bool,
    /// The first cycle in which the CPU sees that the last value was 0.
    pcm_zero: Option<u64>,
    /// The tile that follows is of the second playfield: its place in `ExRAM`.
    split_tile: Option<u16>,
    lines: Lines,
    pub(crate) exram: Box<[u8; 0x400]>,
}

impl Mmc5 {
    /// Power-on: the last bank is at $E000, and by FCEUX's choice everywhere else, too.
    pub(crate) fn new() -> Self {
        Self {
            prg_mode: 3,
            chr_mode: 3,
            protect: [0; 2],
            exram_mode: 0,
            nametables: 0,
            fill: [0; 2],
            prg: [0, 0xFF, 0xFF, 0xFF, 0xFF],
            chr_a: [0; 8],
            chr_b: [0; 4],
            wrote_b: false,
            chr_high: 0,
            split: [0; 3],
            factors: [0xFF; 2],
            tall: false,
            tile: 0,
            pcm_reads: false,
            pcm_asks: false,
            pcm_zero: None,
            split_tile: None,
            lines: Lines::default(),
            exram: Box::new([0; 0x400]),
        }
    }

    /// A write of a register or of `ExRAM`; whether the bank table may be another one now.
    pub(crate) fn write(&mut self, address: u16, value: u8, cycle: u64) -> bool {
        let low = usize::from(address & 0xF);
        match address {
            0x5010 => (self.pcm_reads, self.pcm_asks) = (value & 1 != 0, value & 0x80 != 0),
            0x5011 if !self.pcm_reads => self.take_pcm(value, cycle),
            0x5100 => self.prg_mode = value & 3,
            0x5101 => self.chr_mode = value & 3,
            0x5102 | 0x5103 => self.protect[low - 2] = value & 3,
            0x5104 => self.exram_mode = value & 3,
            0x5105 => self.nametables = value,
            0x5106 => self.fill[0] = value,
            0x5107 => self.fill[1] = value & 3,
            0x5113..=0x5117 => self.prg[low - 3] = value,
            0x5120..=0x5127 => {
                self.chr_a[low] = u16::from(self.chr_high) << 8 | u16::from(value);
                self.wrote_b = false;
            }
            0x5128..=0x512B => {
                self.chr_b[low - 8] = u16::from(self.chr_high) << 8 | u16::from(value);
                self.wrote_b = true;
            }
            0x5130 => self.chr_high = value & 3,
            0x5200..=0x5202 => self.split[low] = value,
            0x5203 => self.lines.compared = value,
            0x5204 => self.lines.enabled = value & 0x80 != 0,
            0x5205 | 0x5206 => self.factors[low - 5] = value,
            0x5C00..=0x5FFF => self.write_exram(address, value),
            _ => return false,
        }
        (0x5100..0x5200).contains(&address)
    }

    fn take_pcm(&mut self, value: u8, cycle: u64) {
        self.pcm_zero = (value == 0).then_some(cycle);
    }

    /// Whether the PCM channel takes what the CPU reads in $8000-$BFFF.
    pub(crate) fn takes_reads(&self) -> bool {
        self.pcm_reads
    }

    /// As a nametable `ExRAM` takes bytes only while a picture is drawn, and zeros at other times.
    fn write_exram(&mut self, address: u16, value: u8) {
        let byte = &mut self.exram[usize::from(address & 0x3FF)];
        match self.exram_mode {
            0 | 1 => *byte = if self.lines.in_frame { value } else { 0 },
            2 => *byte = value,
            _ => {}
        }
    }

    pub(crate) fn read_low(&self, address: u16) -> Low {
        let product = u16::from(self.factors[0]) * u16::from(self.factors[1]);
        match address {
            0x5010 => Low::Byte(u8::from(self.pcm_asks && self.pcm_zero.is_some()) << 7),
            0x5204 => Low::Byte(u8::from(self.lines.pending) << 7 | u8::from(self.lines.in_frame) << 6),
            0x5205 => Low::Byte(product as u8),
            0x5206 => Low::Byte((product >> 8) as u8),
            0x5C00..=0x5FFF if self.exram_mode >= 2 => Low::Byte(self.exram[usize::from(address & 0x3FF)]),
            _ => Low::Open,
        }
    }

    pub(crate) fn was_read(&mut self, address: u16, value: u8, cycle: u64) {
        match address {
            0x5010 => self.pcm_zero = None,
            0x5204 => self.lines.pending = false,
            0x8000..=0xBFFF if self.pcm_reads => self.take_pcm(value, cycle),
            _ => {}
        }
    }

    pub(crate) fn snoop(&mut self, register: u16, value: u8) {
        if register == 0 {
            self.tall = value & 0x20 != 0;
        }
    }

    pub(crate) fn advance(&mut self, cycle: u64) {
        self.lines.advance(cycle);
    }

    pub(crate) fn irq_at(&self, cycle: u64) -> bool {
        self.lines.irq_at(cycle) || self.pcm_asks && self.pcm_zero.is_some_and(|since| cycle >= since)
    }

    pub(crate) fn next_irq(&self, now: u64) -> u64 {
        self.lines.next_irq(now)
    }
}

impl State for Mmc5 {
    fn walk<F: Fields>(&mut self, fields: &mut F) -> Result<(), StateError> {
        let Self {
            prg_mode,
            chr_mode,
            protect,
            exram_mode,
            nametables,
            fill,
            prg,
            chr_a,
            chr_b,
            wrote_b,
            chr_high,
            split,
            factors,
            tall,
            tile,
            pcm_reads,
            pcm_asks,
            pcm_zero,
            split_tile,
            lines,
            exram,
        } = self;
        for mode in [prg_mode, chr_mode, exram_mode, chr_high] {
            fields.u8(mode)?;
            fields.check("MMC5 mode", u64::from(*mode), *mode <= 3)?;
        }
        for bytes in [&mut protect[..], fill, prg, split, factors, &mut exram[..]] {
            fields.bytes(bytes)?;
        }
        fields.u8(nametables)?;
        fields.u8(tile)?;
        for bank in chr_a.iter_mut().chain(chr_b) {
            fields.u16(bank)?;
            fields.check("MMC5 bank", u64::from(*bank), *bank <= 0x3FF)?;
        }
        fields.bool(wrote_b)?;
        fields.bool(tall)?;
        fields.bool(pcm_reads)?;
        fields.bool(pcm_asks)?;
        let mut is_zero = pcm_zero.is_some();
        let mut since = pcm_zero.unwrap_or(0);
        fields.bool(&mut is_zero)?;
        fields.u64(&mut since)?;
        *pcm_zero = is_zero.then_some(since);
        let mut is_split = split_tile.is_some();
        let mut place = split_tile.unwrap_or(0);
        fields.bool(&mut is_split)?;
        fields.u16(&mut place)?;
        *split_tile = is_split.then_some(place);
        lines.walk(fields)
    }
}
