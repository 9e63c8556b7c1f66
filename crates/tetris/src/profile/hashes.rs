//! The hashes by which an image is recognised.

use std::fmt::Write;

use sha1::{Digest, Sha1};

/// Bytes of an iNES or NES 2.0 header.
const HEADER: usize = 16;
/// Bytes of a trainer, between the header and PRG-ROM.
const TRAINER: usize = 512;

/// SHA-1 of an image, in lower-case hexadecimal, in the three ways in which catalogues list it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hashes {
    /// Of the whole file.
    pub file: String,
    /// Of all that follows the 16-byte header.
    pub headerless: String,
    /// Of PRG-ROM and CHR-ROM, as long as the header says: without a trainer in front and bytes too
    /// many behind.
    pub contents: String,
}

impl Hashes {
    /// The hashes of an image, whatever its header holds. Any bytes have them.
    pub fn of(image: &[u8]) -> Self {
        let rest = image.get(HEADER..).unwrap_or_default();
        Self { file: sha1(image), headerless: sha1(rest), contents: sha1(roms_of(image)) }
    }

    /// Is one of them `known`, a SHA-1 in hexadecimal?
    pub fn contain(&self, known: &str) -> bool {
        [&self.file, &self.headerless, &self.contents].iter().any(|hash| hash.eq_ignore_ascii_case(known))
    }
}

/// PRG-ROM and CHR-ROM, in the units of 16 and 8 KiB of header bytes 4 and 5 (NESdev: INES); where
/// there is less, all that follows the header.
pub(crate) fn roms_of(image: &[u8]) -> &[u8] {
    let rest = image.get(HEADER..).unwrap_or_default();
    let Some(&[prg, chr, flags]) = image.get(4..7).and_then(|bytes| bytes.first_chunk()) else { return rest };
    let from = if flags & 4 == 0 { 0 } else { TRAINER };
    let length = (usize::from(prg) << 14) + (usize::from(chr) << 13);
    rest.get(from..from + length).unwrap_or(rest)
}

fn sha1(bytes: &[u8]) -> String {
    Sha1::digest(bytes).iter().fold(String::with_capacity(40), |mut digits, byte| {
        // Writing to a String cannot fail.
        let _ = write!(digits, "{byte:02x}");
        digits
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_bytes_have_hashes() {
        const NOTHING: &str = "da39a3ee5e6b4b0d3255bfef95601890afd80709";
        for length in 0..40 {
            let hashes = Hashes::of(&vec![0xFF; length]);
            assert_eq!(hashes.headerless == NOTHING, length <= HEADER, "{length}");
            assert!(hashes.contain(&hashes.file.to_ascii_uppercase()));
        }
        assert_eq!(Hashes::of(b"abc").file, "a9993e364706816aba3e25717850c26c9cd0d89d");
    }

    #[test]
    fn a_trainer_and_bytes_behind_the_roms_do_not_move_the_hash_of_the_contents() {
        let rom: Vec<u8> = (0..0x6000_u32).map(|at| (at >> 6) as u8).collect();
        let header = |flags| [&b"NES\x1A\x01\x01"[..], &[flags], &[0; 9]].concat();
        let plain = Hashes::of(&[&header(0)[..], &rom].concat());
        let trained = Hashes::of(&[&header(4)[..], &[7; TRAINER], &rom, b"junk"].concat());
        assert_eq!((&trained.contents, &plain.contents), (&plain.contents, &plain.headerless));
        assert_ne!(trained.headerless, plain.headerless);
    }
}
