//! Why bytes are not a cartridge that this machine takes.

use alloc::vec::Vec;

use thiserror::Error;

/// Why an image was refused: what was expected, what was found, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RomError {
    /// There are no bytes at all.
    #[error("the image is empty: expected an iNES or NES 2.0 file; copy or download it again")]
    Empty,
    /// The image is longer than any cartridge.
    #[error(
        "the image has {found} bytes: a cartridge image has at most {limit}; this is some other kind of file"
    )]
    FileTooLarge {
        /// Bytes in the image.
        found: u64,
        /// The most that is read.
        limit: u64,
    },
    /// A packed archive, or an image in a format for something else.
    #[error("this is {found}, not an iNES or NES 2.0 cartridge image; {remedy}")]
    OtherFormat {
        /// What the bytes open like.
        found: &'static str,
        /// What to do.
        remedy: &'static str,
    },
    /// The image does not open with the iNES magic.
    #[error(
        "not a cartridge image: expected it to open with 4E 45 53 1A (\"NES\", end of file), found {found:02X?}"
    )]
    BadMagic {
        /// The first bytes of the image, at most four.
        found: Vec<u8>,
    },
    /// The image ends inside its header.
    #[error(
        "header cut short: an iNES header has 16 bytes, the image has {found}; copy or download it again"
    )]
    ShortHeader {
        /// Bytes in the image.
        found: usize,
    },
    /// The image ends before the memory that its header promises.
    #[error(
        "{part} cut short: the header promises {expected} bytes, the image has {found} left for it; \
         copy or download it again"
    )]
    Truncated {
        /// Trainer, PRG-ROM or CHR-ROM.
        part: Part,
        /// Bytes that the header promises.
        expected: u64,
        /// Bytes left in the image.
        found: u64,
    },
    /// The header promises no PRG-ROM.
    #[error("the header promises no PRG-ROM: a cartridge has at least 8 KiB; repair byte 4 of the header")]
    NoPrgRom,
    /// An exponent-multiplier size of NES 2.0 does not fit 64 bits.
    #[error("the header's {part} size, 2^{exponent} x {multiplier}, is beyond all bounds; repair the header")]
    SizeOverflow {
        /// PRG-ROM or CHR-ROM.
        part: Part,
        /// Power of two, 0–63.
        exponent: u8,
        /// 1, 3, 5 or 7.
        multiplier: u8,
    },
    /// The header promises more memory than any supported board has.
    #[error("the header promises {found} bytes of {part}: {board} takes at most {limit}; repair the header")]
    TooLarge {
        /// The memory in question.
        part: Part,
        /// Bytes promised.
        found: u64,
        /// The most that the board takes.
        limit: u64,
        /// Name of the board.
        board: &'static str,
    },
    /// A memory's size is not one that the board could address.
    #[error(
        "the header promises {found} bytes of {part}: {board} takes multiples of {unit}; repair the header"
    )]
    OddSize {
        /// The memory in question.
        part: Part,
        /// Bytes promised.
        found: u64,
        /// What the size must be a multiple of, in bytes.
        unit: u64,
        /// Name of the board.
        board: &'static str,
    },
    /// CHR-RAM smaller than the 1 KiB that a pattern table can be cut into.
    #[error(
        "the header promises {found} bytes of CHR-RAM: expected none or at least 1024; repair byte 11 of the header"
    )]
    ChrRamTooSmall {
        /// Bytes promised.
        found: u64,
    },
    /// A RAM size field of NES 2.0 holds its reserved value.
    #[error(
        "the header's {part} size has the reserved shift count 15: expected 0 to 14; repair byte {byte} of the header"
    )]
    ReservedRamSize {
        /// PRG-RAM or CHR-RAM.
        part: Part,
        /// The header byte, 10 or 11.
        byte: u8,
    },
    /// A mapper that is not built.
    #[error(
        "mapper {mapper} (submapper {submapper}){name} is not supported: expected {supported}; use an image for one of these boards"
    )]
    UnknownMapper {
        /// iNES mapper number.
        mapper: u16,
        /// NES 2.0 submapper number.
        submapper: u8,
        /// What the mapper is called, between commas; empty if it has no name here.
        name: &'static str,
        /// The mappers that are.
        supported: &'static str,
    },
    /// The image is for a console of another region.
    #[error("this is {found} image: expected NTSC or PAL timing; use the NTSC (USA, Japan) or PAL release")]
    Region {
        /// The region, with its article.
        found: &'static str,
    },
    /// The image is for another kind of console.
    #[error(
        "this is an image for {found}: expected a home console cartridge; use the NES or Famicom release"
    )]
    ConsoleType {
        /// The console.
        found: &'static str,
    },
}

/// A memory of the cartridge, or a part of its image.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// 512 bytes that a copier device put at $7000.
    Trainer,
    /// Program ROM.
    PrgRom,
    /// Pattern ROM.
    ChrRom,
    /// Program RAM, battery-backed or not.
    PrgRam,
    /// Pattern RAM.
    ChrRam,
}

impl core::fmt::Display for Part {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::Trainer => "trainer",
            Self::PrgRom => "PRG-ROM",
            Self::ChrRom => "CHR-ROM",
            Self::PrgRam => "PRG-RAM",
            Self::ChrRam => "CHR-RAM",
        })
    }
}
