//! The 16 bytes that open an image: iNES 1.0 and NES 2.0.
//!
//! ```text
//! byte  iNES 1.0                              NES 2.0
//! 0-3   "NES" 1A                              the same
//! 4     PRG-ROM, 16 KiB units                 low 8 bits of it, or EEEEEEMM (see 9)
//! 5     CHR-ROM, 8 KiB units; 0: CHR-RAM      low 8 bits of it, or EEEEEEMM
//! 6     NNNN FTBM: mapper low nibble, four-screen, trainer, battery, vertical mirroring
//! 7     NNNN 00PV: mapper, PlayChoice, Vs.    NNNN 10TT: mapper, console type
//! 8     PRG-RAM, 8 KiB units (seldom true)    SSSS NNNN: submapper, mapper bits 8-11
//! 9     bit 0: PAL (seldom used)              CCCC PPPP: CHR and PRG size bits 8-11; F: 2^E x (2M + 1) bytes
//! 10                                          NNNN VVVV: PRG-NVRAM and PRG-RAM, 64 << n bytes
//! 11                                          NNNN VVVV: CHR-NVRAM and CHR-RAM, 64 << n bytes
//! 12                                          bits 0-1: NTSC, PAL, both, Dendy
//! 13                                          Vs. or extended console type
//! 14                                          bits 0-1: further ROM areas at the end of the file
//! ```
//!
//! Source: NESdev, "INES" and "NES 2.0".

use alloc::string::ToString;
use alloc::vec::Vec;

use nes_clock::Region;

use crate::{Part, RomError, Warning};

/// Length of a header in bytes.
pub(crate) const HEADER_LEN: usize = 16;

/// Which of the two header formats an image has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// iNES, whose header says little about RAM, board or region.
    Ines,
    /// NES 2.0.
    Nes2,
}

/// How the board wires the nametables, as the header has it; a board may switch by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mirroring {
    /// CIRAM A10 is PPU A11: the nametables at $2000 and $2400 are the same.
    Horizontal,
    /// CIRAM A10 is PPU A10: the nametables at $2000 and $2800 are the same.
    Vertical,
    /// Further RAM on the board: four nametables.
    FourScreen,
}

/// The revisions of the MMC3 that a program can tell apart, by when the counter asks for an
/// interrupt.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Mmc3Revision {
    /// NEC's: where the counter has counted down to 0 (NES 2.0 submapper 4).
    A,
    /// Sharp's, which most boards have: whenever a clock leaves the counter at 0 (submapper 0).
    #[default]
    B,
}

/// What a header says. Sizes in bytes, not yet compared with the image's length.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Header {
    pub(crate) format: Format,
    pub(crate) mapper: u16,
    pub(crate) submapper: u8,
    pub(crate) mirroring: Mirroring,
    /// The two bits of it, four-screen and vertical, which some boards read in another way.
    pub(crate) mirroring_bits: (bool, bool),
    pub(crate) region: Region,
    pub(crate) battery: bool,
    pub(crate) trainer: bool,
    pub(crate) prg_rom: u64,
    pub(crate) chr_rom: u64,
    /// `None` where the header is silent.
    pub(crate) prg_ram: Option<u64>,
    pub(crate) chr_ram: Option<u64>,
    /// The part of each that a battery keeps, as NES 2.0 has it.
    pub(crate) prg_nvram: Option<u64>,
    pub(crate) chr_nvram: u64,
    pub(crate) warnings: Vec<Warning>,
}

impl Header {
    /// Reads the header of an image that opens with the magic.
    ///
    /// # Errors
    /// What the header alone can be wrong about: sizes beyond bounds, region, console type.
    pub(crate) fn parse(bytes: &[u8; HEADER_LEN]) -> Result<Self, RomError> {
        if bytes[7] & 0x0C == 0x08 { Self::parse_nes2(bytes) } else { Self::parse_ines(bytes) }
    }

    fn parse_ines(bytes: &[u8; HEADER_LEN]) -> Result<Self, RomError> {
        let mut header = Self::common(bytes, Format::Ines);
        header.prg_rom = u64::from(bytes[4]) * 0x4000;
        header.chr_rom = u64::from(bytes[5]) * 0x2000;
        // Early tools signed their work in bytes 7-15 ("DiskDude!"): where 12-15 are not zero, or
        // byte 7 is of neither format, nothing from byte 7 on means anything (NESdev: INES, "Flags
        // 10").
        if bytes[12..].iter().any(|&byte| byte != 0) || bytes[7] & 0x0C != 0 {
            header.warnings.push(Warning::SignedHeader { text: bytes[7..].escape_ascii().to_string() });
            return Ok(header);
        }
        header.mapper |= u16::from(bytes[7] & 0xF0);
        match bytes[7] & 0x03 {
            0 => {}
            1 => return Err(RomError::ConsoleType { found: "the Vs. System" }),
            _ => return Err(RomError::ConsoleType { found: "the PlayChoice-10" }),
        }
        if bytes[9] & 0x01 != 0 {
            header.region = Region::Pal;
        }
        if bytes[8] != 0 {
            header.prg_ram = Some(u64::from(bytes[8]) * 0x2000);
        }
        Ok(header)
    }

    fn parse_nes2(bytes: &[u8; HEADER_LEN]) -> Result<Self, RomError> {
        let mut header = Self::common(bytes, Format::Nes2);
        header.mapper |= u16::from(bytes[7] & 0xF0) | u16::from(bytes[8] & 0x0F) << 8;
        header.submapper = bytes[8] >> 4;
        match (bytes[7] & 0x03, bytes[13] & 0x0F) {
            (0, _) | (3, 0) => {}
            (1, _) | (3, 1) => return Err(RomError::ConsoleType { found: "the Vs. System" }),
            (2, _) | (3, 2) => return Err(RomError::ConsoleType { found: "the PlayChoice-10" }),
            _ => {
                return Err(RomError::ConsoleType {
                    found: "a famiclone or another console of the extended types",
                });
            }
        }
        match bytes[12] & 0x03 {
            1 => header.region = Region::Pal,
            3 => return Err(RomError::Region { found: "a Dendy" }),
            _ => {}
        }
        header.prg_rom = rom_size(Part::PrgRom, bytes[4], bytes[9] & 0x0F, 0x4000)?;
        header.chr_rom = rom_size(Part::ChrRom, bytes[5], bytes[9] >> 4, 0x2000)?;
        let (prg_nvram, prg_ram) = ram_sizes(Part::PrgRam, bytes[10], 10)?;
        header.prg_ram = Some(prg_nvram + prg_ram);
        header.prg_nvram = Some(prg_nvram);
        let (chr_nvram, chr_ram) = ram_sizes(Part::ChrRam, bytes[11], 11)?;
        header.chr_ram = Some(chr_nvram + chr_ram);
        header.chr_nvram = chr_nvram;
        Ok(header)
    }

    /// What bytes 6 and the low nibble of the mapper say in both formats.
    fn common(bytes: &[u8; HEADER_LEN], format: Format) -> Self {
        Self {
            format,
            mapper: u16::from(bytes[6] >> 4),
            submapper: 0,
            mirroring: match (bytes[6] & 0x08 != 0, bytes[6] & 0x01 != 0) {
                (true, _) => Mirroring::FourScreen,
                (false, true) => Mirroring::Vertical,
                (false, false) => Mirroring::Horizontal,
            },
            mirroring_bits: (bytes[6] & 0x08 != 0, bytes[6] & 0x01 != 0),
            region: Region::Ntsc,
            battery: bytes[6] & 0x02 != 0,
            trainer: bytes[6] & 0x04 != 0,
            prg_rom: 0,
            chr_rom: 0,
            prg_ram: None,
            chr_ram: None,
            prg_nvram: None,
            chr_nvram: 0,
            warnings: Vec::new(),
        }
    }
}

/// A ROM size of NES 2.0 in bytes: `high:low` units, or an exponent and a multiplier if `high` is
/// F.
fn rom_size(part: Part, low: u8, high: u8, unit: u64) -> Result<u64, RomError> {
    if high != 0x0F {
        return Ok((u64::from(high) << 8 | u64::from(low)) * unit);
    }
    let (exponent, multiplier) = (low >> 2, (low & 0x03) * 2 + 1);
    (1u64 << exponent).checked_mul(u64::from(multiplier)).ok_or(RomError::SizeOverflow {
        part,
        exponent,
        multiplier,
    })
}

/// The RAM sizes of NES 2.0 in bytes: of the battery-backed and of the volatile part.
fn ram_sizes(part: Part, value: u8, byte: u8) -> Result<(u64, u64), RomError> {
    let half = |shift: u8| match shift {
        0 => Ok(0),
        15 => Err(RomError::ReservedRamSize { part, byte }),
        _ => Ok(64u64 << shift),
    };
    Ok((half(value >> 4)?, half(value & 0x0F)?))
}
