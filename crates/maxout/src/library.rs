//! What the file on the command line of `play` is, and the cartridge that goes with a movie, a saved
//! state or a kept game.

use std::path::Path;
#[cfg(feature = "window")]
use std::path::PathBuf;

use draft::{Found, Library};
use nes::Cartridge;
use nes::fm2::Movie;

use crate::error::{Error, wrong};
use crate::play::Arguments;
use crate::written::Kind;
use crate::{built_in, image_file};

/// What saved states open with: a picture, or one of the two older ways.
const STATES: [&[u8]; 3] = [b"\x89PNG", b"MXST", b"MXWEB"];

/// Sorts out what the file on the command line is. A movie goes with the cartridge that it names;
/// `recent` is the list of the ROMs that were played.
#[cfg_attr(not(feature = "window"), allow(dead_code, reason = "only the window plays"))]
pub(crate) fn sort(arguments: &mut Arguments, recent: Option<&Path>) -> Result<(), Error> {
    let Some(path) = arguments.rom.clone() else { return Ok(()) };
    let bytes = image_file::read(&path)?;
    if STATES.iter().any(|magic| bytes.starts_with(magic)) {
        #[cfg(feature = "window")]
        {
            let crc32 = desktop::state_cartridge(&path)?;
            arguments.rom = rom_of(&path, recent, crc32)?;
            arguments.state = Some(path);
        }
        return Ok(());
    }
    if bytes.starts_with(b"MXGAME") {
        #[cfg(feature = "window")]
        {
            let crc32 = practice::Kept::read(&bytes).map_err(wrong(&path))?.header.crc32;
            arguments.rom = rom_of(&path, recent, crc32)?;
            arguments.game = Some(path);
        }
        return Ok(());
    }
    if matches!(Kind::of(&path), Some(Kind::Recording | Kind::Lines)) {
        (arguments.rom, arguments.review) = (None, Some(path));
        return Ok(());
    }
    if path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("lua")) && arguments.lua.is_none() {
        (arguments.rom, arguments.lua) = (None, Some(path));
    } else if bytes.starts_with(b"version ") && arguments.movie.is_none() {
        let movie = Movie::parse(&bytes).map_err(wrong(&path))?;
        arguments.rom = match find_for_movie(&movie, &path, recent) {
            Some(Found::BuiltIn) => None,
            Some(Found::File(rom)) => Some(rom),
            None => {
                let Movie { rom_filename: name, rom_checksum: checksum, .. } = movie;
                let wanted = if checksum.is_empty() { name } else { format!("{name} ({checksum})") };
                return Err(Error::WantedRom { path, wanted });
            }
        };
        arguments.movie = Some(path);
    }
    Ok(())
}

/// The file with the cartridge of the saved state or the game at `path`; none for the built-in one.
#[cfg(feature = "window")]
fn rom_of(path: &Path, recent: Option<&Path>, crc32: u32) -> Result<Option<PathBuf>, Error> {
    match find(path, recent, |_, cartridge| cartridge.crc32() == crc32) {
        Some(Found::BuiltIn) => Ok(None),
        Some(Found::File(rom)) => Ok(Some(rom)),
        None => Err(Error::WantedRomOfState { path: path.into(), crc32 }),
    }
}

/// The cartridge of the movie at `path`: by its checksum, or by its name if it has none.
fn find_for_movie(movie: &Movie, path: &Path, recent: Option<&Path>) -> Option<Found> {
    find(path, recent, |path: &Path, cartridge: &Cartridge| match movie.rom_checksum.as_str() {
        "" => path.file_stem() == Path::new(&movie.rom_filename).file_stem(),
        checksum => {
            let (checksum, md5) = (checksum.trim(), cartridge.info().md5);
            Movie::checksum_of(md5.0) == checksum || format!("0x{md5}").eq_ignore_ascii_case(checksum)
        }
    })
}

/// Returns the cartridge that is wanted for the file at `path`.
fn find(path: &Path, recent: Option<&Path>, is_wanted: impl Fn(&Path, &Cartridge) -> bool) -> Option<Found> {
    let library = Library { recent, built_in: built_in::IMAGE };
    library.find(path, |path, image| {
        Cartridge::from_bytes(image).is_ok_and(|cartridge| is_wanted(path, &cartridge))
    })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_movie_is_played_on_the_cartridge_of_its_checksum() {
        let folder = tempfile::tempdir().unwrap();
        let (rom, list) = (folder.path().join("z.nes"), folder.path().join("recent"));
        let image = nes_testing::MAXOUT.to_vec();
        let mut other = image.clone();
        other[16] ^= 1;
        fs::write(&rom, &other).unwrap();
        fs::write(folder.path().join("a.nes"), b"no cartridge").unwrap();
        let checksum = |image: &[u8]| Movie::checksum_of(Cartridge::from_bytes(image).unwrap().info().md5.0);
        let movie = |checksum| Movie { rom_checksum: checksum, ..Movie::default() };
        let found = |movie| find_for_movie(&movie, &folder.path().join("movie.fm2"), Some(&list));
        assert!(matches!(found(movie(checksum(&image))), Some(Found::BuiltIn)));
        assert!(matches!(found(movie(checksum(&other))), Some(Found::File(path)) if path == rom));
        other[17] ^= 1;
        assert!(found(movie(checksum(&other))).is_none());
    }
}
