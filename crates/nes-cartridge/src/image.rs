//! An image, taken apart: magic, header, trainer, PRG-ROM, CHR-ROM.

use crate::header::{HEADER_LEN, Header};
use crate::{Part, RomError, Warning};

/// The most bytes of a file that is looked at.
const FILE_LIMIT: u64 = 64 << 20;
/// The most bytes of PRG-ROM, or of CHR-ROM, that any cartridge has.
const ROM_LIMIT: u64 = 4 << 20;
/// Length of a trainer in bytes.
const TRAINER_LEN: u64 = 512;

const MAGIC: &[u8; 4] = b"NES\x1A";

/// Other formats that people try, by how they open.
const OTHER_FORMATS: [(&[u8], &str, &str); 13] = [
    (b"PK\x03\x04", "a zip archive", "unpack it first"),
    (b"PK\x05\x06", "an empty zip archive", "it holds no image"),
    (b"\x1F\x8B", "a gzip archive", "unpack it first"),
    (b"7z\xBC\xAF\x27\x1C", "a 7z archive", "unpack it first"),
    (b"Rar!\x1A\x07", "a rar archive", "unpack it first"),
    (b"\xFD7zXZ\0", "an xz archive", "unpack it first"),
    (b"BZh", "a bzip2 archive", "unpack it first"),
    (b"\x28\xB5\x2F\xFD", "a zstd archive", "unpack it first"),
    (b"NESM\x1A", "an NSF file (music)", "use a music player for it"),
    (b"NSFE", "an NSFe file (music)", "use a music player for it"),
    (b"FDS\x1A", "a Famicom Disk System image", "use the cartridge release, if there is one"),
    (b"\x01*NINTENDO-HVC*", "a Famicom Disk System image", "use the cartridge release, if there is one"),
    (b"UNIF", "a UNIF image", "convert it to NES 2.0 first"),
];

/// The parts of an image, borrowed from it.
pub(crate) struct Image<'a> {
    pub(crate) header: Header,
    /// Empty or 512 bytes.
    pub(crate) trainer: &'a [u8],
    pub(crate) prg_rom: &'a [u8],
    pub(crate) chr_rom: &'a [u8],
}

impl<'a> Image<'a> {
    /// Takes `bytes` apart. Allocates nothing but the header's warnings.
    ///
    /// # Errors
    /// Whatever of the magic, the header and the sizes is wrong, whichever the board.
    pub(crate) fn parse(bytes: &'a [u8]) -> Result<Self, RomError> {
        let mut header = Header::parse(header_bytes(bytes)?)?;
        if header.prg_rom == 0 {
            return Err(RomError::NoPrgRom);
        }
        for (part, found) in [(Part::PrgRom, header.prg_rom), (Part::ChrRom, header.chr_rom)] {
            if found > ROM_LIMIT {
                return Err(RomError::TooLarge { part, found, limit: ROM_LIMIT, board: "a cartridge" });
            }
        }
        let mut rest = &bytes[HEADER_LEN..];
        let trainer_len = if header.trainer { TRAINER_LEN } else { 0 };
        let trainer = take(&mut rest, Part::Trainer, trainer_len)?;
        let prg_rom = take(&mut rest, Part::PrgRom, header.prg_rom)?;
        let chr_rom = take(&mut rest, Part::ChrRom, header.chr_rom)?;
        if !rest.is_empty() {
            header.warnings.push(Warning::Overdump { extra: rest.len() as u64 });
        }
        Ok(Self { header, trainer, prg_rom, chr_rom })
    }
}

/// The header of an image that has the right magic and length.
fn header_bytes(bytes: &[u8]) -> Result<&[u8; HEADER_LEN], RomError> {
    if bytes.is_empty() {
        return Err(RomError::Empty);
    }
    let found = bytes.len() as u64;
    if found > FILE_LIMIT {
        return Err(RomError::FileTooLarge { found, limit: FILE_LIMIT });
    }
    if let Some((_, found, remedy)) = OTHER_FORMATS.iter().find(|(magic, ..)| bytes.starts_with(magic)) {
        return Err(RomError::OtherFormat { found, remedy });
    }
    let opening = &bytes[..bytes.len().min(MAGIC.len())];
    if !MAGIC.starts_with(opening) {
        return Err(RomError::BadMagic { found: opening.to_vec() });
    }
    bytes.first_chunk().ok_or(RomError::ShortHeader { found: bytes.len() })
}

/// The next `expected` bytes of `rest`.
fn take<'a>(rest: &mut &'a [u8], part: Part, expected: u64) -> Result<&'a [u8], RomError> {
    let truncated = RomError::Truncated { part, expected, found: rest.len() as u64 };
    let len = usize::try_from(expected).map_err(|_| truncated.clone())?;
    let (taken, left) = rest.split_at_checked(len).ok_or(truncated)?;
    *rest = left;
    Ok(taken)
}
