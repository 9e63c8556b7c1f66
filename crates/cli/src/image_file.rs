//! Files that are read whole, with a bound on their size.

use std::fs;
use std::path::Path;

use draft::ReadError;

use crate::error::{Error, reading, wrong};

/// No cartridge image, movie or state comes near this.
const LIMIT: u64 = 64 << 20;
/// Nor a board, an evaluator or a picture of cells near this.
const SHORT: u64 = 1 << 16;

/// The bytes of the file at `path`.
///
/// # Errors
/// When it cannot be read, or is larger than any file of a game.
pub fn read(path: &Path) -> Result<Vec<u8>, Error> {
    read_at_most(path, LIMIT)
}

/// The bytes of a file that somebody wrote by hand.
///
/// # Errors
/// When it cannot be read, or is larger.
pub fn read_short(path: &Path) -> Result<Vec<u8>, Error> {
    read_at_most(path, SHORT)
}

/// The bytes of a file of another kind, which has a limit of its own.
///
/// # Errors
/// When it cannot be read, or is larger than `limit` bytes.
pub fn read_at_most(path: &Path, limit: u64) -> Result<Vec<u8>, Error> {
    draft::read(path, limit).map_err(|error| match error {
        ReadError::Folder => Error::Folder(path.into()),
        ReadError::TooLarge { size, limit } => Error::TooLarge { path: path.into(), size, limit },
        other => reading(path, other.into()),
    })
}

/// The bytes of a ROM, which may be in a ZIP archive.
///
/// # Errors
/// When it cannot be read, or is an archive without a ROM.
pub fn read_rom(path: &Path) -> Result<Vec<u8>, Error> {
    draft::unpack_rom(read(path)?, LIMIT).map_err(wrong(path))
}

/// Whether both are names of one file that is there.
pub fn is_same(one: &Path, other: &Path) -> bool {
    matches!((fs::canonicalize(one), fs::canonicalize(other)), (Ok(one), Ok(other)) if one == other)
}

/// Whether both will be one file once they are written: by their folders and names where they are
/// not there yet.
fn will_be_same(one: &Path, other: &Path) -> bool {
    let place = |path: &Path| {
        fs::canonicalize(path).ok().or_else(|| {
            let folder = path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
            Some(fs::canonicalize(folder).ok()?.join(path.file_name()?))
        })
    };
    is_hard_link(one, other) || matches!((place(one), place(other)), (Some(one), Some(other)) if one == other)
}

#[cfg(unix)]
fn is_hard_link(one: &Path, other: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let id = |path: &Path| fs::metadata(path).map(|file| (file.dev(), file.ino())).ok();
    id(one).is_some() && id(one) == id(other)
}

#[cfg(not(unix))]
fn is_hard_link(_: &Path, _: &Path) -> bool {
    false
}

/// A file that an option names.
pub type Named<'a> = (&'a str, Option<&'a Path>);

/// Refuses an output that is an input, or another output. Devices and pipes may be named as often
/// as one likes.
///
/// # Errors
/// When an output is an input, or named twice.
pub fn check_outputs(inputs: &[Named<'_>], outputs: &[Named<'_>]) -> Result<(), Error> {
    let named = |files: &[Named<'_>]| {
        let named = files.iter().filter_map(|&(name, path)| Some((name.to_owned(), path?.to_owned())));
        named.collect::<Vec<_>>()
    };
    let mut seen = named(inputs);
    for (name, path) in named(outputs) {
        if fs::metadata(&path).is_ok_and(|there| !there.is_file()) {
            continue;
        }
        if let Some((first, _)) = seen.iter().find(|(_, other)| will_be_same(other, &path)) {
            return Err(Error::NamedTwice { path, first: first.clone(), second: name });
        }
        seen.push((name, path));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_up_to_its_limit_and_refused_beyond_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("board.txt");
        std::fs::write(&path, vec![b'.'; SHORT as usize]).unwrap();
        assert_eq!(read_short(&path).unwrap().len() as u64, SHORT);
        std::fs::write(&path, vec![b'.'; SHORT as usize + 1]).unwrap();
        assert!(matches!(read_short(&path), Err(Error::TooLarge { limit: SHORT, .. })));
        assert!(read(&path).is_ok());
        assert!(matches!(read(folder.path()), Err(Error::Folder(_))));
    }

    #[cfg(unix)]
    #[test]
    fn an_output_is_neither_an_input_nor_another_output() {
        let folder = tempfile::tempdir().unwrap();
        let place = |name: &str| folder.path().join(name);
        fs::write(place("a.nes"), "").unwrap();
        std::os::unix::fs::symlink("a.nes", place("link.png")).unwrap();
        fs::hard_link(place("a.nes"), place("hard.png")).unwrap();
        let check = |one: &Path, other: &Path| {
            check_outputs(
                &[("ROM", Some(&place("a.nes")))],
                &[("--wav", Some(one)), ("--screenshot", Some(other))],
            )
        };
        assert!(check(&place("x.wav"), &place("y.png")).is_ok());
        assert!(check(Path::new("/dev/null"), Path::new("/dev/null")).is_ok());
        for output in ["a.nes", "link.png", "hard.png", "./a.nes"] {
            let error = check(&place("x.wav"), &place(output)).unwrap_err().to_string();
            assert!(error.contains("named as ROM and as --screenshot: name another file"), "{error}");
        }
        let error = check(&place("x"), &place("./x")).unwrap_err().to_string();
        assert!(error.contains("named as --wav and as --screenshot"), "{error}");
    }

    #[cfg(unix)]
    #[test]
    fn a_device_without_an_end_is_refused_too() {
        assert!(matches!(read_short(Path::new("/dev/zero")), Err(Error::TooLarge { .. })));
    }
}
