//! What is known about an inserted cartridge.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;

use nes_clock::Region;

use crate::{Format, Mirroring, Part};

/// A cartridge's header, board, memories and hashes, and what was odd about its image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Info {
    /// Header format of the image.
    pub format: Format,
    /// iNES mapper number.
    pub mapper: u16,
    /// NES 2.0 submapper number; 0 from an iNES header.
    pub submapper: u8,
    /// Name of the board or family of boards.
    pub board: &'static str,
    /// Whether the board comes from the database of known cartridges instead of the header.
    pub known: bool,
    /// Nametable wiring of the header; boards that switch it ignore it.
    pub mirroring: Mirroring,
    /// Which console it was made for, by the database or the header.
    pub region: Region,
    /// Whether the board has a battery.
    pub battery: bool,
    /// Which bytes of the PRG-RAM it keeps; empty without a battery. Of two chips that is the
    /// second (SOROM).
    pub battery_ram: Range<usize>,
    /// Whether the image brings a 512-byte trainer.
    pub trainer: bool,
    /// PRG-ROM in bytes, as far as the board can address it.
    pub prg_rom: usize,
    /// CHR-ROM in bytes, as far as the board can address it; 0 with CHR-RAM.
    pub chr_rom: usize,
    /// PRG-ROM in the image, with what the board cannot address.
    pub prg_rom_in_image: usize,
    /// CHR-ROM in the image, with what the board cannot address.
    pub chr_rom_in_image: usize,
    /// PRG-RAM in bytes, battery-backed or not.
    pub prg_ram: usize,
    /// CHR-RAM in bytes, 0 with CHR-ROM.
    pub chr_ram: usize,
    /// CRC32 of PRG-ROM and CHR-ROM, one after the other, with what the board cannot address.
    pub crc32: u32,
    /// SHA-1 of the same.
    pub sha1: Sha1Hash,
    /// MD5 of PRG-ROM and CHR-ROM, each filled up with `$FF` to a power of two: FCEUX's
    /// `romChecksum` and `rom.gethash`.
    pub md5: Md5Hash,
    /// CRC32 of the whole image.
    pub file_crc32: u32,
    /// SHA-1 of the whole image.
    pub file_sha1: Sha1Hash,
    /// What was odd, but no reason to refuse the image.
    pub warnings: Vec<Warning>,
}

/// The 20 bytes of a SHA-1; displays as 40 lower-case hex digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Sha1Hash(pub [u8; 20]);

impl fmt::Display for Sha1Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl Warning {
    /// Does a player lose something by it: a part of the image, or what the game saves?
    pub fn is_a_loss(&self) -> bool {
        matches!(self, Self::UnreachableRom { .. } | Self::BatteryWithoutRam | Self::BatteryForChrRam { .. })
    }

    /// Returns whether the player is told of it: a loss, or a console of another region.
    pub fn is_told(&self) -> bool {
        self.is_a_loss() || matches!(self, Self::RegionByName { .. })
    }
}

/// The 16 bytes of an MD5; displays as 32 lower-case hex digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Md5Hash(pub [u8; 16]);

impl fmt::Display for Md5Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// Something odd about an image that can be played all the same. Displays as one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Warning {
    /// More bytes than the header accounts for; ignored.
    Overdump {
        /// How many.
        extra: u64,
    },
    /// A tool's signature in an iNES header; everything from byte 7 on is ignored.
    SignedHeader {
        /// Bytes 7–15, escaped.
        text: String,
    },
    /// Neither CHR-ROM nor CHR-RAM in the header: 8 KiB of CHR-RAM are assumed.
    NoChr,
    /// CHR-RAM beside CHR-ROM, which no supported board has; ignored.
    IgnoredChrRam {
        /// Bytes that the header promises.
        found: u64,
    },
    /// More CHR-RAM than the board can address; the rest is left out.
    UnreachableChrRam {
        /// Bytes that the header promises.
        found: u64,
        /// Bytes that the board can address.
        limit: u64,
    },
    /// More ROM than the board can address; the first banks are used and the rest is left out.
    UnreachableRom {
        /// PRG-ROM or CHR-ROM.
        part: Part,
        /// Bytes that the header promises.
        found: u64,
        /// Bytes that the board can address.
        limit: u64,
        /// Name of the board.
        board: &'static str,
    },
    /// A trainer without RAM to put it in: 8 KiB of PRG-RAM are assumed.
    TrainerWithoutRam,
    /// The header does not say for which console the image is, but its file's name does.
    RegionByName {
        /// What the name says, with its parentheses.
        found: String,
    },
    /// A battery, and no RAM that it could keep.
    BatteryWithoutRam,
    /// A battery that keeps CHR-RAM, which no supported board has.
    BatteryForChrRam {
        /// Bytes that the header promises.
        found: u64,
    },
    /// A battery, but only volatile PRG-RAM by the header's sizes; all of it is kept.
    BatteryUnsized {
        /// Bytes of PRG-RAM.
        found: u64,
    },
    /// Battery-backed PRG-RAM by the header's sizes, but no battery by its flag; it is kept.
    BatteryImplied {
        /// Bytes that the header promises.
        found: u64,
    },
    /// A submapper that the mapper does not have; treated as 0.
    UnknownSubmapper {
        /// NES 2.0 submapper number.
        found: u8,
    },
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Overdump { extra } => {
                write!(f, "overdump: {extra} bytes more than the header accounts for, ignored")
            }
            Self::SignedHeader { text } => {
                write!(f, "header bytes 7-15 hold \"{text}\", a tool's signature, and are ignored")
            }
            Self::NoChr => {
                f.write_str("the header has neither CHR-ROM nor CHR-RAM; assuming 8 KiB of CHR-RAM")
            }
            Self::IgnoredChrRam { found } => {
                write!(f, "{found} bytes of CHR-RAM beside CHR-ROM, which this board does not have, ignored")
            }
            Self::UnreachableChrRam { found, limit } => {
                write!(
                    f,
                    "{found} bytes of CHR-RAM, of which this board can address {limit}; the rest is left out"
                )
            }
            Self::UnreachableRom { part, found, limit, board } => {
                write!(
                    f,
                    "{found} bytes of {part}, of which {board} can address {limit}: the first {limit} are used, and \
                     the other {} are left out",
                    found - limit
                )
            }
            Self::TrainerWithoutRam => {
                f.write_str("a trainer, but no PRG-RAM to hold it; assuming 8 KiB of PRG-RAM")
            }
            Self::RegionByName { found } => {
                write!(f, "runs on a PAL console, because the file's name says {found}; set the region to NTSC otherwise")
            }
            Self::BatteryWithoutRam => f.write_str(
                "the header has a battery and no RAM that it could keep: what the game saves is lost; if the game \
                 saves, repair byte 10 of the header",
            ),
            Self::BatteryForChrRam { found } => {
                write!(f, "{found} bytes of CHR-RAM with a battery, which is not kept: what the game saves there is lost")
            }
            Self::BatteryUnsized { found } => {
                write!(
                    f,
                    "the header has a battery, and sizes without RAM for it; all {found} bytes of PRG-RAM are kept"
                )
            }
            Self::BatteryImplied { found } => {
                write!(f, "{found} bytes of PRG-RAM for a battery, whose flag is missing; they are kept")
            }
            Self::UnknownSubmapper { found } => {
                write!(f, "submapper {found} is not known for this mapper; treating it as 0")
            }
        }
    }
}
