//! Files that are read whole, with a bound on their size.

use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

use nes::Cartridge;

use crate::error::{Error, reading, wrong};

/// No cartridge image, movie or state comes near this.
const LIMIT: u64 = 64 << 20;
/// Nor a board, an evaluator or a picture of cells near this.
const SHORT: u64 = 1 << 16;

/// The bytes of the file at `path`.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, Error> {
    read_at_most(path, LIMIT)
}

/// The bytes of a file that somebody wrote by hand.
pub(crate) fn read_short(path: &Path) -> Result<Vec<u8>, Error> {
    read_at_most(path, SHORT)
}

fn read_at_most(path: &Path, limit: u64) -> Result<Vec<u8>, Error> {
    let mut file = File::open(path).map_err(|error| reading(path, error))?;
    let metadata = file.metadata().map_err(|error| reading(path, error))?;
    if metadata.is_dir() {
        return Err(Error::Folder(path.into()));
    }
    let too_large = |size| Error::TooLarge { path: path.into(), size, limit };
    if metadata.len() > limit {
        return Err(too_large(metadata.len()));
    }
    let mut bytes = Vec::new();
    // A device or a pipe does not tell its length.
    let read = file.by_ref().take(limit + 1).read_to_end(&mut bytes).map_err(|error| reading(path, error))?;
    if read as u64 > limit {
        return Err(too_large(read as u64));
    }
    Ok(bytes)
}

/// Whether both are names of one file that is there.
pub(crate) fn is_same(one: &Path, other: &Path) -> bool {
    matches!((fs::canonicalize(one), fs::canonicalize(other)), (Ok(one), Ok(other)) if one == other)
}

/// The cartridge whose image is the file at `path`.
pub(crate) fn cartridge(path: &Path) -> Result<Cartridge, Error> {
    Cartridge::from_bytes(&read(path)?).map_err(wrong(path))
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
    fn a_device_without_an_end_is_refused_too() {
        assert!(matches!(read_short(Path::new("/dev/zero")), Err(Error::TooLarge { .. })));
    }
}
