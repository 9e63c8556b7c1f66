//! What the player of a movie should know.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use super::{Movie, checksum};

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
}

/// All that there is to say of `movie` on the cartridge with this MD5.
pub(super) fn all(movie: &Movie, md5: [u8; 16]) -> Vec<Warning> {
    let recorded = checksum::read(&movie.rom_checksum);
    let other = recorded.is_some_and(|recorded| recorded != md5).then(|| Warning::OtherCartridge {
        name: movie.rom_filename.clone(),
        recorded: movie.rom_checksum.clone(),
        own: checksum::write(md5),
    });
    other.into_iter().chain(movie.older.then_some(Warning::Older)).collect()
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OtherCartridge { name, recorded, own } => write!(
                f,
                "was recorded with another cartridge: {name}, {recorded}; this one is {own}: it may play nonsense"
            ),
            Self::Older => f.write_str(
                "was recorded by an older Maxout, a frame earlier than FCEUX counts; it is played as it was recorded. \
                 To have it in the present form: maxout movie convert OLD.fm2 --out NEW.fm2",
            ),
        }
    }
}
