//! Files that are read whole, with a bound on their size, and ROMs out of archives.

use std::fs::{self, File};
use std::io::{self, Cursor, Read};
use std::path::Path;

use nes_cartridge::patch::{self, PatchError};
use thiserror::Error;
use zip::ZipArchive;

/// Why a file was not read.
#[derive(Debug, Error)]
pub enum ReadError {
    /// What the system answered.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The path is a folder's.
    #[error("it is a folder: expected a file")]
    Folder,
    /// It is a device or a pipe.
    #[error("it is a device or a pipe: expected a file")]
    NoFile,
    /// It is longer than anything of its kind.
    #[error("it has {size} bytes or more: expected at most {limit}")]
    TooLarge {
        /// Bytes.
        size: u64,
        /// Bytes.
        limit: u64,
    },
    /// The archive cannot be unpacked.
    #[error("the archive cannot be unpacked: {0}")]
    Archive(String),
    /// There is not one ROM in the archive.
    #[error("the archive: expected one .nes file in it, found {0}")]
    Choice(String),
    /// A patch that cannot be applied.
    #[error(transparent)]
    Patch(#[from] PatchError),
    /// The file that a patch is for was not found.
    #[error(
        "a patch for a ROM with CRC32 {crc32:08x}, which is neither beside it nor among the ROMs played: name the ROM, and the patch with --patch"
    )]
    PatchSource {
        /// Of the ROM's file.
        crc32: u32,
    },
    /// A patch that does not say what it is for.
    #[error("{0} patches do not say which ROM they are for: name the ROM, and the patch with --patch")]
    PatchAlone(patch::Kind),
}

impl From<ReadError> for io::Error {
    fn from(error: ReadError) -> Self {
        match error {
            ReadError::Io(error) => error,
            other => Self::new(io::ErrorKind::InvalidData, other),
        }
    }
}

/// The bytes of whatever is at `path`, `limit` of them at most. A pipe may keep it waiting.
///
/// # Errors
/// [`ReadError`], without a word about archives.
pub fn read(path: &Path, limit: u64) -> Result<Vec<u8>, ReadError> {
    let mut file = File::open(path)?;
    let metadata = file.metadata()?;
    if metadata.is_dir() {
        return Err(ReadError::Folder);
    }
    if metadata.len() > limit {
        return Err(ReadError::TooLarge { size: metadata.len(), limit });
    }
    let mut bytes = Vec::new();
    // A device or a pipe does not tell its length.
    let read = file.by_ref().take(limit + 1).read_to_end(&mut bytes)? as u64;
    if read > limit { Err(ReadError::TooLarge { size: read, limit }) } else { Ok(bytes) }
}

/// The bytes of a file, `limit` of them at most; devices and pipes, which may keep a window
/// waiting, are refused.
///
/// # Errors
/// [`ReadError`], without a word about archives.
pub fn read_file(path: &Path, limit: u64) -> Result<Vec<u8>, ReadError> {
    let metadata = fs::metadata(path)?;
    if !metadata.is_file() && !metadata.is_dir() {
        return Err(ReadError::NoFile);
    }
    read(path, limit)
}

/// The most files of an archive among which a ROM is looked for, and the most that are named.
const MOST_ENTRIES: usize = 10_000;
const MOST_NAMED: usize = 5;

/// The ROM in `bytes`, if they are a ZIP archive, of `limit` bytes at most; otherwise `bytes` as
/// they are.
///
/// # Errors
/// [`ReadError`].
pub fn unpack_rom(bytes: Vec<u8>, limit: u64) -> Result<Vec<u8>, ReadError> {
    if !bytes.starts_with(b"PK\x03\x04") {
        return Ok(bytes);
    }
    let wrong = |error: &dyn std::fmt::Display| ReadError::Archive(error.to_string());
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(|error| wrong(&error))?;
    if archive.len() > MOST_ENTRIES {
        return Err(ReadError::Choice(format!("{} files", archive.len())));
    }
    let is_rom =
        |name: &str| name.len() >= 4 && name.as_bytes()[name.len() - 4..].eq_ignore_ascii_case(b".nes");
    let names = archive.file_names().flatten().map(std::borrow::Cow::into_owned);
    let names: Vec<String> = names.filter(|name| is_rom(name)).collect();
    let [name] = &names[..] else {
        let named = names.iter().take(MOST_NAMED).map(|name| name.escape_default().to_string());
        let named: Vec<String> = named.collect();
        let more = if names.len() > MOST_NAMED { ", …" } else { "" };
        let found = if names.is_empty() { "none".to_owned() } else { named.join(", ") + more };
        return Err(ReadError::Choice(format!("{found}: unpack the one that you want")));
    };
    let mut entry = archive.by_name(name).map_err(|error| wrong(&error))?;
    let mut rom = Vec::new();
    let read = entry.by_ref().take(limit + 1).read_to_end(&mut rom).map_err(|error| wrong(&error))? as u64;
    if read > limit { Err(ReadError::TooLarge { size: read, limit }) } else { Ok(rom) }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    use super::*;

    fn archive(files: &[(&str, &[u8])]) -> Vec<u8> {
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, bytes) in files {
            writer.start_file(*name, SimpleFileOptions::default()).unwrap();
            writer.write_all(bytes).unwrap();
        }
        writer.finish().unwrap().into_inner()
    }

    #[test]
    fn the_one_rom_of_an_archive_is_unpacked_and_other_bytes_are_left_alone() {
        let bytes = archive(&[("readme.txt", b"hello"), ("games/Game.NES", &[7; 5000])]);
        assert!(bytes.len() < 1000);
        assert_eq!(unpack_rom(bytes, 5000).unwrap(), [7; 5000]);
        assert_eq!(unpack_rom(b"NES\x1A".to_vec(), 10).unwrap(), b"NES\x1A");
    }

    #[test]
    fn an_archive_without_one_rom_says_what_was_found() {
        let text = |files: &[(&str, &[u8])]| unpack_rom(archive(files), 100).unwrap_err().to_string();
        assert!(text(&[("a.txt", b"")]).contains("found none"));
        assert!(text(&[("a.nes", b""), ("b\u{1b}.nes", b"")]).contains("a.nes, b\\u{1b}.nes: unpack"));
        assert!(text(&[("a.nes", &[0; 101])]).contains("expected at most 100"));
    }

    #[test]
    fn a_damaged_archive_is_refused_whatever_the_damage() {
        let whole = archive(&[("game.nes", &(0..=255).collect::<Vec<u8>>().repeat(8))]);
        for length in 4..whole.len() {
            assert!(unpack_rom(whole[..length].to_vec(), 1 << 20).is_err(), "{length}");
        }
        for at in 4..whole.len() {
            let mut damaged = whole.clone();
            damaged[at] ^= 0x41;
            // It may be read all the same, where the byte says nothing of its contents.
            if let Ok(rom) = unpack_rom(damaged, 1 << 20) {
                assert_eq!(rom.len(), 2048, "{at}");
            }
        }
    }

    #[test]
    fn what_is_too_long_or_no_file_is_not_read() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("file");
        std::fs::write(&path, [1; 10]).unwrap();
        assert_eq!(read(&path, 10).unwrap(), [1; 10]);
        assert!(matches!(read(&path, 9), Err(ReadError::TooLarge { size: 10, limit: 9 })));
        assert!(matches!(read(place.path(), 9), Err(ReadError::Folder)));
        assert!(matches!(read_file(place.path(), 9), Err(ReadError::Folder)));
        assert!(matches!(read(&place.path().join("gone"), 9), Err(ReadError::Io(_))));
        #[cfg(unix)]
        {
            let zero = Path::new("/dev/zero");
            assert!(matches!(read(zero, 99), Err(ReadError::TooLarge { size: 100, limit: 99 })));
            assert!(matches!(read_file(zero, 99), Err(ReadError::NoFile)));
        }
    }
}
