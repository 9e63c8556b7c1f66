//! Files that are read whole, with a bound on their size.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use nes::Cartridge;

use crate::error::{Error, reading};

/// No cartridge image, movie or state comes near this.
const LIMIT: u64 = 64 << 20;

/// The bytes of the file at `path`.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, Error> {
    let mut file = File::open(path).map_err(|error| reading(path, error))?;
    let metadata = file.metadata().map_err(|error| reading(path, error))?;
    if metadata.is_dir() {
        return Err(Error::Folder(path.into()));
    }
    let too_large = |size| Error::TooLarge { path: path.into(), size, limit: LIMIT };
    if metadata.len() > LIMIT {
        return Err(too_large(metadata.len()));
    }
    let mut bytes = Vec::new();
    // A device or a pipe does not tell its length.
    let read = file.by_ref().take(LIMIT + 1).read_to_end(&mut bytes).map_err(|error| reading(path, error))?;
    if read as u64 > LIMIT {
        return Err(too_large(read as u64));
    }
    Ok(bytes)
}

/// The cartridge whose image is the file at `path`.
pub(crate) fn cartridge(path: &Path) -> Result<Cartridge, Error> {
    Cartridge::from_bytes(&read(path)?).map_err(|source| Error::Rom { path: path.into(), source })
}
