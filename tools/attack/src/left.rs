//! What a program has left on the disk.

use std::fs;
use std::path::{Path, PathBuf};

fn files(folder: &Path) -> Vec<PathBuf> {
    folder.read_dir().into_iter().flatten().flatten().map(|entry| entry.path()).collect()
}

fn ends_with(path: &Path, end: &str) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().ends_with(end))
}

fn count(ram: &[u8]) -> Option<u64> {
    let &[low, high, ..] = ram else { return None };
    Some(u64::from(u16::from_le_bytes([low, high])))
}

/// Returns how far the cartridge had counted that was saved in the usual file.
pub(crate) fn saved(folder: &Path) -> Option<u64> {
    let path = files(&folder.join("saves")).into_iter().find(|path| ends_with(path, ".sav"))?;
    count(&fs::read(path).ok()?)
}

/// Returns how far the journal beside that file says it is: what a reader sees in the middle of a
/// write may be older by a frame.
pub(crate) fn noted(folder: &Path) -> Option<u64> {
    /// Bytes of a record before the RAM, and of the RAM.
    const HEAD: usize = 4;
    const RAM: usize = 0x2000;
    let path = files(&folder.join("saves")).into_iter().find(|path| ends_with(path, ".sav.journal"))?;
    let name = path.file_name()?.to_str()?.strip_prefix('.')?.strip_suffix(".journal")?;
    let owner = path.parent()?.canonicalize().ok()?.join(name);
    let record = draft::Journal::read(&path, owner.as_os_str().as_encoded_bytes(), HEAD + RAM)?;
    count(record.get(HEAD..)?)
}

/// Returns how many frames the longest game has that was kept in the folder `games`; none where
/// there is none, or one that cannot be read.
pub(crate) fn kept(folder: &Path) -> Option<u64> {
    let games = files(&folder.join("games")).into_iter().map(|path| {
        let game = practice::Kept::read(&fs::read(path).ok()?).ok()?;
        Some(game.frames.len() as u64)
    });
    games.collect::<Option<Vec<_>>>()?.into_iter().max()
}

/// Returns the names of files that only a running program has: drafts, journals, locks.
pub(crate) fn unfinished(folder: &Path) -> Vec<String> {
    let folders = ["", "saves", "games", "states", "recordings", "screenshots", "scripts"];
    let all = folders.iter().flat_map(|name| files(&folder.join(name)));
    let names = all.filter_map(|path| Some(path.file_name()?.to_string_lossy().into_owned()));
    let is_unfinished = |name: &String| {
        name.starts_with('.') && ["maxout-", ".journal", ".lock"].iter().any(|part| name.contains(part))
    };
    names.filter(is_unfinished).collect()
}
