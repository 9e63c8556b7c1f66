//! What the player of a movie should know.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use super::{Movie, Origin, checksum};

/// Something about a movie that does not keep it from being played. Displays as one line that
/// follows the movie's name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Warning {
    /// It was recorded with another cartridge.
    OtherCartridge {
        /// The name of its cartridge, as the file has it.
        name: String,
        /// The checksum of its cartridge, as the file has it.
        recorded: String,
        /// The checksum of the one on which it is to play, in the same form.
        own: String,
    },
    /// A Maxout before FCEUX's alignment wrote it.
    Older,
    /// The program that recorded it does not keep the console's time.
    Inexact,
}

/// Hashes of a cartridge, each of which a movie may name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RomHashes {
    /// MD5 of PRG-ROM and CHR-ROM.
    pub md5: [u8; 16],
    /// SHA-1 of PRG-ROM and CHR-ROM in hexadecimal, in lower case.
    pub sha1: String,
    /// SHA-1 of the whole file, in the same form.
    pub file_sha1: String,
}

/// Returns all that there is to say of `movie` on this cartridge.
pub(super) fn all(movie: &Movie, cartridge: &RomHashes) -> Vec<Warning> {
    let RomHashes { md5, sha1, file_sha1 } = cartridge;
    let other = |recorded: &str, own: String| Warning::OtherCartridge {
        name: movie.rom_filename.clone(),
        recorded: recorded.to_owned(),
        own,
    };
    let by_md5 = movie.md5().is_some_and(|recorded| recorded != *md5);
    let by_md5 = by_md5.then(|| other(&movie.rom_checksum, checksum::write(*md5)));
    let recorded = &movie.rom_sha1;
    let by_sha1 = !recorded.is_empty() && recorded != sha1 && recorded != file_sha1;
    let by_sha1 = by_sha1.then(|| other(&format!("SHA-1 {recorded}"), format!("SHA-1 {sha1}")));
    let older = movie.older.then_some(Warning::Older);
    let inexact = (movie.origin == Origin::QuickNes).then_some(Warning::Inexact);
    by_md5.or(by_sha1).into_iter().chain(older).chain(inexact).collect()
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OtherCartridge { name, recorded, own } => write!(
                f,
                "was recorded with another cartridge: {name}, {recorded}; this one is {own}: it may play nonsense"
            ),
            Self::Inexact => f.write_str(
                "was recorded on QuickNES, which does not keep the console's time: it may not stay in step",
            ),
            Self::Older => f.write_str(
                "was recorded by an older Maxout, a frame earlier than FCEUX counts; it is played as it was recorded. \
                 To have it in the present form: maxout movie convert OLD.fm2 --out NEW.fm2",
            ),
        }
    }
}
