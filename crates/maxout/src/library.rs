//! ROMs that were played and those beside them: where the cartridge of a movie or a saved state is
//! looked for.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use nes::Cartridge;
use nes::fm2::Movie;

use crate::error::{Error, wrong};
use crate::play::Arguments;
use crate::written::Kind;
use crate::{built_in, image_file};

/// Files of one folder that are looked at.
const MOST: usize = 2_000;
/// What saved states open with: a picture, or one of the two older ways.
const STATES: [&[u8]; 3] = [b"\x89PNG", b"MXST", b"MXWEB"];

/// A cartridge to play on.
enum Found {
    BuiltIn,
    File(PathBuf),
}

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

/// The cartridge that is wanted for the file at `path`: the built-in one, or one that was played or
/// lies beside what was.
fn find(path: &Path, recent: Option<&Path>, is_wanted: impl Fn(&Path, &Cartridge) -> bool) -> Option<Found> {
    let own = Cartridge::from_bytes(built_in::IMAGE).ok()?;
    if is_wanted(Path::new("maxout.nes"), &own) {
        return Some(Found::BuiltIn);
    }
    candidates(path, recent)
        .into_iter()
        .find(|path| image_file::cartridge(path).is_ok_and(|cartridge| is_wanted(path, &cartridge)))
        .map(Found::File)
}

/// The ROMs that were played, by the list `recent`, and those in the folders of these and of the
/// movie at `path`: each file once, and regular files only, because opening a pipe would wait for
/// somebody to write.
fn candidates(path: &Path, recent: Option<&Path>) -> Vec<PathBuf> {
    let list = recent.and_then(|list| image_file::read_short(list).ok()).unwrap_or_default();
    let list = String::from_utf8_lossy(&list);
    let played: Vec<_> = list.lines().map(PathBuf::from).collect();
    let mut folders = BTreeSet::new();
    let beside = played
        .iter()
        .map(PathBuf::as_path)
        .chain([path])
        .map(|path| path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new(".")))
        .filter(|folder| folders.insert(*folder))
        .flat_map(roms_in)
        .collect::<Vec<_>>();
    let mut seen = BTreeSet::new();
    let mut paths = [played, beside].concat();
    paths.retain(|path| {
        let ends = |with: &str| path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case(with));
        (ends("nes") || ends("zip"))
            && fs::metadata(path).is_ok_and(|file| file.is_file())
            && seen.insert(path.clone())
    });
    paths
}

/// What lies in a folder, in the order of the names.
fn roms_in(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = folder.read_dir() else { return vec![] };
    let mut paths: Vec<_> = entries.flatten().take(MOST).map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn each_folder_is_looked_through_once_and_pipes_are_never_opened() {
        let folder = tempfile::tempdir().unwrap();
        let place = |name: &str| folder.path().join(name);
        for name in ["a.nes", "b.NES", "c.txt"] {
            fs::write(place(name), b"").unwrap();
        }
        fs::create_dir(place("folder.nes")).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(place("pipe.nes")).status().unwrap().success());
        let list = place("recent");
        let played = ["b.NES", "gone.nes", "pipe.nes", "a.nes"].map(|name| place(name).display().to_string());
        fs::write(&list, played.join("\n")).unwrap();
        let found = candidates(&place("movie.fm2"), Some(&list));
        assert_eq!(found, [place("b.NES"), place("a.nes")]);
        // A list that no window wrote is not read to its end.
        let zero = candidates(&place("movie.fm2"), Some(Path::new("/dev/zero")));
        assert_eq!(zero, [place("a.nes"), place("b.NES")]);
    }

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
