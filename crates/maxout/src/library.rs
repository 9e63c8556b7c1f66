//! ROMs that were played and those beside them: where the cartridge of a movie or a saved state is looked for.

use std::fs;
use std::path::{Path, PathBuf};

use desktop::Folders;
use nes::Cartridge;
use nes::controller::fm2::Movie;

use crate::error::{Error, wrong};
use crate::play::Arguments;
use crate::{built_in, image_file};

/// Files of one folder that are looked at.
const MOST: usize = 2_000;
/// What a saved state opens with, and the picture in which the window keeps one.
const STATES: [&[u8]; 2] = [b"MXST", b"\x89PNG"];

/// A cartridge to play on.
enum Found {
    BuiltIn,
    File(PathBuf),
}

/// Sorts out what the file on the command line is. A movie goes with the cartridge that it names.
pub(crate) fn sort(arguments: &mut Arguments, folders: &Folders) -> Result<(), Error> {
    let Some(path) = arguments.rom.clone() else { return Ok(()) };
    let bytes = image_file::read(&path)?;
    if STATES.iter().any(|magic| bytes.starts_with(magic)) {
        return Err(Error::PlayedState { path });
    }
    if path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("lua")) && arguments.lua.is_none() {
        (arguments.rom, arguments.lua) = (None, Some(path));
    } else if bytes.starts_with(b"version ") && arguments.movie.is_none() {
        let movie = Movie::parse(&bytes).map_err(wrong(&path))?;
        arguments.rom = match find(&movie, &path, folders) {
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

/// The cartridge of the movie at `path`: by its checksum, or by its name if it has none.
fn find(movie: &Movie, path: &Path, folders: &Folders) -> Option<Found> {
    let is_wanted = |path: &Path, cartridge: &Cartridge| match movie.rom_checksum.as_str() {
        "" => path.file_stem() == Path::new(&movie.rom_filename).file_stem(),
        checksum => {
            let (checksum, md5) = (checksum.trim(), cartridge.info().md5);
            Movie::checksum_of(md5.0) == checksum || format!("0x{md5}").eq_ignore_ascii_case(checksum)
        }
    };
    let own = Cartridge::from_bytes(built_in::IMAGE).ok()?;
    if is_wanted(Path::new("maxout.nes"), &own) {
        return Some(Found::BuiltIn);
    }
    let list = folders.recent.as_deref().and_then(|list| fs::read_to_string(list).ok()).unwrap_or_default();
    let recent = list.lines().map(PathBuf::from);
    let beside = recent.clone().chain([path.to_owned()]).flat_map(|path| roms_beside(&path));
    recent
        .chain(beside)
        .filter(|path| path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("nes")))
        .find(|path| image_file::cartridge(path).is_ok_and(|cartridge| is_wanted(path, &cartridge)))
        .map(Found::File)
}

/// The files in the folder of `path`, in the order of their names.
fn roms_beside(path: &Path) -> Vec<PathBuf> {
    let folder = path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
    let Ok(entries) = folder.read_dir() else { return vec![] };
    let mut paths: Vec<_> = entries.flatten().take(MOST).map(|entry| entry.path()).collect();
    paths.sort();
    paths
}
