//! Patches of images, in IPS, BPS and UPS: the differences between two files, so that the file
//! itself can stay where it is.
//!
//! ```
//! use nes_cartridge::patch;
//!
//! let (old, new) = (b"NES, a game", b"NES, a tale");
//! let difference = patch::bps::write(old, new);
//! assert_eq!(patch::apply(&difference, old)?, new);
//! assert!(patch::apply(&difference, b"NES, a film").is_err()); // BPS knows which file it is for
//! # Ok::<(), patch::PatchError>(())
//! ```

use alloc::vec::Vec;
use core::fmt::{self, Display, Formatter};

pub mod bps;
mod error;
pub mod ips;
pub mod ups;

pub use error::PatchError;

/// The most bytes that a patched file may have: beyond this no patch is believed.
pub const LIMIT: usize = 64 << 20;

/// Bytes of an iNES or NES 2.0 header, and the first of them.
const IMAGE_HEADER: usize = 16;
const IMAGE_MAGIC: &[u8] = b"NES\x1A";

/// A format of patches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Offsets and bytes, without a word about the file that it is for.
    Ips,
    /// Copies and bytes, with check sums of both files and of itself.
    Bps,
    /// Bytes to XOR, with check sums of both files and of itself.
    Ups,
}

impl Kind {
    /// Returns the kind of a file by its first bytes; `None` if it is no patch.
    pub fn of(bytes: &[u8]) -> Option<Self> {
        let magic = [(ips::HEADER, Self::Ips), (bps::HEADER, Self::Bps), (ups::HEADER, Self::Ups)];
        magic.into_iter().find(|(magic, _)| bytes.starts_with(magic)).map(|(_, kind)| kind)
    }

    /// Returns the kind whose files end in `extension`, in either case.
    pub fn of_extension(extension: &str) -> Option<Self> {
        [Self::Ips, Self::Bps, Self::Ups]
            .into_iter()
            .find(|kind| extension.eq_ignore_ascii_case(kind.extension()))
    }

    /// Returns the ending of such files, without its dot.
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Ips => "ips",
            Self::Bps => "bps",
            Self::Ups => "ups",
        }
    }
}

impl Display for Kind {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Ips => "IPS",
            Self::Bps => "BPS",
            Self::Ups => "UPS",
        })
    }
}

/// Returns `source` after the patch `patch`, whose format its first bytes say.
///
/// # Errors
/// It is no patch, it is damaged, or it is a patch for another file.
pub fn apply(patch: &[u8], source: &[u8]) -> Result<Vec<u8>, PatchError> {
    match Kind::of(patch) {
        Some(Kind::Bps) => bps::apply(patch, source),
        Some(Kind::Ips) => ips::apply(patch, source),
        Some(Kind::Ups) => ups::apply(patch, source),
        None => Err(PatchError::Format { found: patch[..patch.len().min(5)].to_vec() }),
    }
}

/// Returns the patch of the format `kind` that makes `new` of `old`.
///
/// # Errors
/// [`PatchError::TooLarge`]: the format cannot say the length of a file.
pub fn write(kind: Kind, old: &[u8], new: &[u8]) -> Result<Vec<u8>, PatchError> {
    match kind {
        Kind::Ips => ips::write(old, new),
        Kind::Bps => Ok(bps::write(old, new)),
        Kind::Ups => Ok(ups::write(old, new)),
    }
}

/// Returns the CRC-32 of the file that a patch is for; `None` if the patch does not say.
///
/// The patch is not read otherwise, so that many files can be compared with it first.
pub fn source_crc32(patch: &[u8]) -> Option<u32> {
    let sums = patch.last_chunk::<FOOTER>()?;
    let says = matches!(Kind::of(patch)?, Kind::Bps | Kind::Ups);
    says.then_some(u32::from_le_bytes([sums[0], sums[1], sums[2], sums[3]]))
}

/// Returns whether a patch for a file with this CRC-32 is for the cartridge image `image`, with its
/// header or without.
pub fn is_source(crc32: u32, image: &[u8]) -> bool {
    crc32fast::hash(image) == crc32
        || without_header(image).is_some_and(|(_, contents)| crc32fast::hash(contents) == crc32)
}

/// Returns the cartridge image `image` after a patch. A patch that says that it was made for the
/// image without its header is applied to that, and the header stays.
///
/// # Errors
/// Those of [`apply`].
pub fn apply_to_image(patch: &[u8], image: &[u8]) -> Result<Vec<u8>, PatchError> {
    let contents = without_header(image)
        .filter(|(_, contents)| source_crc32(patch).is_some_and(|crc32| crc32fast::hash(contents) == crc32));
    match contents {
        Some((header, contents)) => Ok([header, &apply(patch, contents)?].concat()),
        None => apply(patch, image),
    }
}

fn without_header(image: &[u8]) -> Option<(&[u8], &[u8])> {
    image.starts_with(IMAGE_MAGIC).then(|| image.split_at_checked(IMAGE_HEADER)).flatten()
}

/// Bytes of the three check sums that BPS and UPS end with: of the old file, of the new one, and of
/// the patch before the third.
const FOOTER: usize = 12;

/// A patch that ends with check sums, of which its own is right.
struct Summed<'a> {
    /// What comes before the check sums.
    body: &'a [u8],
    source: u32,
    target: u32,
}

impl<'a> Summed<'a> {
    /// Splits a patch whose header has `header` bytes.
    fn of(patch: &'a [u8], header: usize) -> Result<Self, PatchError> {
        let truncated = PatchError::Truncated { at: patch.len() };
        let (body, sums) =
            patch.split_at(patch.len().checked_sub(FOOTER).filter(|&end| end >= header).ok_or(truncated)?);
        let sum = |number: usize| {
            sums[4 * number..][..4].iter().rev().fold(0, |sum, &byte| sum << 8 | u32::from(byte))
        };
        let found = crc32fast::hash(&patch[..patch.len() - 4]);
        if found != sum(2) {
            return Err(PatchError::Damaged { expected: sum(2), found });
        }
        Ok(Self { body, source: sum(0), target: sum(1) })
    }

    /// Compares the file to be patched, which is to have `expected` bytes.
    fn check_source(&self, source: &[u8], expected: usize) -> Result<(), PatchError> {
        if expected != source.len() {
            return Err(PatchError::OtherSize { expected, found: source.len() });
        }
        let found = crc32fast::hash(source);
        if found != self.source {
            return Err(PatchError::OtherFile { expected: self.source, found });
        }
        Ok(())
    }

    fn check_target(&self, target: Vec<u8>) -> Result<Vec<u8>, PatchError> {
        let found = crc32fast::hash(&target);
        if found != self.target {
            return Err(PatchError::Outcome { expected: self.target, found });
        }
        Ok(target)
    }
}

/// Returns `size`, unless no file is believed to be as long.
fn believed(size: usize) -> Result<usize, PatchError> {
    if size > LIMIT { Err(PatchError::TooLarge { found: size, limit: LIMIT }) } else { Ok(size) }
}

/// Ends `patch` with the three check sums.
fn sum(patch: &mut Vec<u8>, old: &[u8], new: &[u8]) {
    patch.extend(crc32fast::hash(old).to_le_bytes());
    patch.extend(crc32fast::hash(new).to_le_bytes());
    patch.extend(crc32fast::hash(patch).to_le_bytes());
}

/// Writes seven bits a byte, the lowest first, bit 7 on the last. A byte that is not the last
/// counts one more, so that a number has one form.
fn number(patch: &mut Vec<u8>, mut number: usize) {
    loop {
        let bits = (number & 0x7F) as u8;
        number >>= 7;
        if number == 0 {
            return patch.push(0x80 | bits);
        }
        patch.push(bits);
        number -= 1;
    }
}

/// Reads a patch from its front.
struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    const fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    fn left(&self) -> usize {
        self.bytes.len() - self.at
    }

    fn take(&mut self, count: usize) -> Result<&'a [u8], PatchError> {
        let taken =
            self.bytes[self.at..].get(..count).ok_or(PatchError::Truncated { at: self.bytes.len() })?;
        self.at += count;
        Ok(taken)
    }

    fn byte(&mut self) -> Result<u8, PatchError> {
        Ok(self.take(1)?[0])
    }

    /// A number of `count` bytes, the highest first.
    fn big_endian(&mut self, count: usize) -> Result<usize, PatchError> {
        Ok(self.take(count)?.iter().fold(0, |number, &byte| number << 8 | usize::from(byte)))
    }

    /// A number as [`number`] writes it.
    fn number(&mut self) -> Result<usize, PatchError> {
        let outside = PatchError::Outside { at: self.at };
        let (mut number, mut place) = (0_usize, 1_usize);
        loop {
            let byte = self.byte()?;
            let bits = usize::from(byte & 0x7F).checked_mul(place);
            number = bits.and_then(|bits| number.checked_add(bits)).ok_or_else(|| outside.clone())?;
            if byte & 0x80 != 0 {
                return Ok(number);
            }
            place = place.checked_mul(0x80).ok_or_else(|| outside.clone())?;
            number = number.checked_add(place).ok_or_else(|| outside.clone())?;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An image, and what a patch is to make of it.
    fn images() -> (Vec<u8>, Vec<u8>) {
        let old = [b"NES\x1A\x02\x01".as_slice(), &[0; 10], &[7; 300]].concat();
        let mut new = old.clone();
        new[100] = 1;
        (old, new)
    }

    #[test]
    fn numbers_have_one_form_of_seven_bits_a_byte() {
        for (value, bytes) in [
            (0, &[0x80][..]),
            (0x7F, &[0xFF]),
            (0x80, &[0x00, 0x80]),
            (0x407F, &[0x7F, 0xFF]),
            (0x4080, &[0x00, 0x00, 0x80]),
        ] {
            let mut written = Vec::new();
            number(&mut written, value);
            assert_eq!(written, bytes);
            assert_eq!(Reader::new(bytes).number(), Ok(value));
        }
        assert!(Reader::new(&[0; 12]).number().is_err());
    }

    #[test]
    fn every_kind_is_known_by_its_bytes_and_its_ending_and_makes_the_new_file() {
        let (old, new) = images();
        for kind in [Kind::Ips, Kind::Bps, Kind::Ups] {
            let patch = write(kind, &old, &new).unwrap();
            assert_eq!(Kind::of(&patch), Some(kind));
            assert_eq!(Kind::of_extension(&kind.extension().to_uppercase()), Some(kind));
            assert_eq!(apply_to_image(&patch, &old).unwrap(), new, "{kind}");
            let crc32 = (kind != Kind::Ips).then(|| crc32fast::hash(&old));
            assert_eq!(source_crc32(&patch), crc32, "{kind}");
        }
        assert_eq!((Kind::of(&old), Kind::of_extension("nes"), source_crc32(b"BPS1")), (None, None, None));
        assert!(matches!(apply(&old, &old), Err(PatchError::Format { .. })));
    }

    #[test]
    fn a_patch_for_the_contents_leaves_the_header_that_the_image_has() {
        let (mut old, mut new) = images();
        let patches = [Kind::Bps, Kind::Ups].map(|kind| write(kind, &old[16..], &new[16..]).unwrap());
        // Another program's header of the same game.
        (old[7], new[7]) = (8, 8);
        for patch in patches {
            let crc32 = source_crc32(&patch).unwrap();
            assert!(is_source(crc32, &old) && is_source(crc32, &old[16..]) && !is_source(crc32, &new));
            assert_eq!(apply_to_image(&patch, &old).unwrap(), new);
            assert!(apply_to_image(&patch, &new).is_err());
        }
    }

    #[test]
    fn files_of_any_two_lengths_come_back_by_bps_and_ups() {
        let long: Vec<u8> = (0..2_000).map(|number| (number % 251) as u8).collect();
        let mut changed = long.clone();
        (changed[0], changed[7], changed[10], changed[1_999]) = (9, 9, 9, 9);
        let zeros = [&long[..], &[0; 40]].concat();
        for (kind, most) in [(Kind::Bps, 60), (Kind::Ups, 40)] {
            for (old, new) in [
                (&long, &changed),
                (&long, &long),
                (&long, &Vec::new()),
                (&Vec::new(), &long),
                (&long, &long[..9].to_vec()),
                (&long, &zeros),
                (&zeros, &long),
            ] {
                assert_eq!(apply(&write(kind, old, new).unwrap(), old).as_ref(), Ok(new), "{kind}");
            }
            assert!(write(kind, &long, &changed).unwrap().len() < most, "{kind}");
        }
    }

    #[test]
    fn a_patch_with_check_sums_knows_its_file_and_itself() {
        for kind in [Kind::Bps, Kind::Ups] {
            let patch = write(kind, b"one file", b"two file").unwrap();
            assert!(matches!(apply(&patch, b"one fill"), Err(PatchError::OtherFile { .. })), "{kind}");
            assert_eq!(apply(&patch, b"one"), Err(PatchError::OtherSize { expected: 8, found: 3 }), "{kind}");
            for at in 0..patch.len() {
                let mut damaged = patch.clone();
                damaged[at] ^= 1;
                assert!(apply(&damaged, b"one file").is_err(), "{kind}, byte {at}");
                assert!(apply(&patch[..at], b"one file").is_err(), "{kind}, {at} bytes");
            }
        }
    }
}
