//! What the file on the command line of `play` is, and the cartridge that goes with a movie, a
//! saved state or a kept game.

use std::path::Path;
#[cfg(feature = "window")]
use std::path::PathBuf;

use draft::{Found, Library};
use nes::Cartridge;
use nes::fm2::Movie;

use crate::play::Arguments;
use cli::error::{Error, wrong};
use cli::written::Kind;
use cli::{built_in, image_file};

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
    let ends = |ending: &str| path.extension().is_some_and(|own| own.eq_ignore_ascii_case(ending));
    if (ends("sav") || ends("srm")) && arguments.battery.is_none() {
        // Other programs name it after the ROM.
        let rom = find(&path, recent, |rom, _| rom.file_stem() == path.file_stem());
        let Some(Found::File(rom)) = rom else { return Err(Error::WantedRomOfBattery { path }) };
        (arguments.rom, arguments.battery) = (Some(rom), Some(path));
        return Ok(());
    }
    if path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("lua")) && arguments.lua.is_none() {
        (arguments.rom, arguments.lua) = (None, Some(path));
    } else if movies::is_movie(&bytes) && arguments.movie.is_none() {
        let movie = movies::read(&bytes).map_err(wrong(&path))?;
        arguments.rom = match find_for_movie(&movie, &path, recent) {
            Some(Found::BuiltIn) => None,
            Some(Found::File(rom)) => Some(rom),
            None => {
                let Movie { rom_filename: name, rom_checksum: checksum, rom_sha1: sha1, .. } = movie;
                let wanted = match (checksum.as_str(), sha1.as_str()) {
                    ("", "") => name,
                    ("", sha1) => format!("{name} (SHA-1 {sha1})"),
                    (checksum, _) => format!("{name} ({checksum})"),
                };
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
    find(path, recent, |path: &Path, cartridge: &Cartridge| {
        let own = nes::rom_hashes(cartridge);
        match (movie.md5(), movie.rom_sha1.as_str()) {
            (Some(md5), _) => own.md5 == md5,
            (None, "") => path.file_stem() == Path::new(&movie.rom_filename).file_stem(),
            (None, sha1) => sha1 == own.sha1 || sha1 == own.file_sha1,
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
        // BizHawk and Mesen name the SHA-1, of the contents or of the file.
        let hashes = nes::rom_hashes(&Cartridge::from_bytes(&other).unwrap());
        for sha1 in [hashes.sha1, hashes.file_sha1] {
            let movie = Movie { rom_sha1: sha1, ..Movie::default() };
            let found = find_for_movie(&movie, &folder.path().join("movie.bk2"), Some(&list));
            assert!(matches!(found, Some(Found::File(path)) if path == rom));
        }
        other[17] ^= 1;
        assert!(found(movie(checksum(&other))).is_none());
    }
}
