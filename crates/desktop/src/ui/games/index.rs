//! The folder of kept games, with an index of their results: of thousands of games only the new
//! ones are read.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use draft::Draft;
use emulator::MatchFile;
use practice::EXTENSION;
use serde::{Deserialize, Serialize};

use super::{KeptGame, read};

/// The name of the index in the folder of games.
const NAME: &str = "index.jsonl";

/// No index is larger: 100,000 games.
const MOST_BYTES: u64 = 64 << 20;

/// What the index knows of a file: a line of JSON.
#[derive(Debug, Serialize, Deserialize)]
struct Entry {
    file: String,
    bytes: u64,
    modified: SystemTime,
    /// None of a file that is no game.
    game: Option<KeptGame>,
}

impl Entry {
    fn is_of(&self, metadata: &Metadata) -> bool {
        self.bytes == metadata.len() && metadata.modified().is_ok_and(|modified| modified == self.modified)
    }
}

/// Returns the games of a folder, the latest first. Files that are none are left out. An index that
/// cannot be read or written costs time and nothing else.
pub(crate) fn list(folder: &Path) -> Vec<KeptGame> {
    let Ok(files) = folder.read_dir() else { return vec![] };
    let before = entries(&folder.join(NAME));
    let (mut games, mut entries, mut is_new) = (vec![], vec![], false);
    for file in files.flatten() {
        let path = file.path();
        let is_kept = |ending: &OsStr| ending == EXTENSION || ending == MatchFile::EXTENSION;
        if !path.extension().is_some_and(is_kept) {
            continue;
        }
        let name = file.file_name().into_string().ok();
        // Follows links, as reading does.
        let metadata = path.metadata().ok();
        let known = name.as_ref().and_then(|name| before.get(name));
        let game = match (known, &metadata) {
            (Some(entry), Some(metadata)) if entry.is_of(metadata) => {
                entry.game.clone().map(|game| KeptGame { path, ..game })
            }
            _ => {
                is_new = true;
                read(&path)
            }
        };
        if let (Some(file), Some(metadata)) = (name, metadata)
            && let Ok(modified) = metadata.modified()
        {
            entries.push(Entry { file, bytes: metadata.len(), modified, game: game.clone() });
        }
        games.extend(game);
    }
    if is_new || entries.len() != before.len() {
        write(&folder.join(NAME), &entries);
    }
    games.sort_by(|one, other| other.begun.cmp(&one.begun).then_with(|| other.path.cmp(&one.path)));
    games
}

/// Returns what the index knows, by the names of files. Lines that are broken are left out.
fn entries(index: &Path) -> HashMap<String, Entry> {
    let bytes = draft::read_file(index, MOST_BYTES).unwrap_or_default();
    let lines = bytes.split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
    let entries = lines.filter_map(|line| serde_json::from_slice::<Entry>(line).ok());
    entries.map(|entry| (entry.file.clone(), entry)).collect()
}

fn write(index: &Path, entries: &[Entry]) {
    let lines: Option<Vec<String>> = entries.iter().map(|entry| serde_json::to_string(entry).ok()).collect();
    if let Some(lines) = lines {
        // It is written again when the folder is next looked at.
        let _ = Draft::write_file(index, lines.join("\n").as_bytes());
    }
}

/// Ending of a game that was deleted and can be brought back.
const DELETED: &str = "deleted";

/// Returns the name under which a deleted game waits.
fn deleted(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(DELETED);
    name.into()
}

/// Renames games so that they are listed no more. Returns those that were.
pub(super) fn delete(paths: impl Iterator<Item = PathBuf>) -> Vec<PathBuf> {
    paths.filter(|path| std::fs::rename(path, deleted(path)).is_ok()).collect()
}

/// Renames them back. Returns how many that could be done with: not if a file has the name again.
pub(super) fn bring_back(paths: &[PathBuf]) -> usize {
    let back = |path: &&PathBuf| !path.exists() && std::fs::rename(deleted(path), path).is_ok();
    paths.iter().filter(back).count()
}

/// Removes the files of deleted games for good.
pub(super) fn purge(folder: &Path) {
    let Ok(files) = folder.read_dir() else { return };
    let endings = [EXTENSION, MatchFile::EXTENSION].map(|ending| format!(".{ending}.{DELETED}"));
    let was_deleted = |name: &str| endings.iter().any(|ending| name.ends_with(ending));
    for file in files.flatten() {
        if file.file_name().to_str().is_some_and(was_deleted) {
            let _ = std::fs::remove_file(file.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs::{self, File};
    use std::time::Duration;

    use super::*;
    use crate::ui::games::tests::write_game;

    #[test]
    fn a_game_is_read_once_and_again_when_its_file_changes() {
        let place = tempfile::tempdir().unwrap();
        let (path, index) = (place.path().join("a.mxgame"), place.path().join(NAME));
        write_game(&path, 5, &[("score", "100")]);
        fs::write(place.path().join("none.mxgame"), "no game").unwrap();
        let first = list(place.path());
        assert_eq!((first.len(), first[0].score), (1, Some(100)));
        assert_eq!(fs::read_to_string(&index).unwrap().lines().count(), 2, "what is no game is known too");
        // As long and as old as before: its content is not looked at.
        let (bytes, modified) = (fs::read(&path).unwrap(), path.metadata().unwrap().modified().unwrap());
        fs::write(&path, vec![0; bytes.len()]).unwrap();
        File::options().write(true).open(&path).unwrap().set_modified(modified).unwrap();
        assert_eq!(list(place.path()), first);
        write_game(&path, 5, &[("score", "1234")]);
        File::options()
            .write(true)
            .open(&path)
            .unwrap()
            .set_modified(modified + Duration::from_secs(1))
            .unwrap();
        assert_eq!(list(place.path())[0].score, Some(1_234));
        fs::write(&index, "{broken\n").unwrap();
        assert_eq!(list(place.path())[0].score, Some(1_234), "a broken index is made anew");
        fs::remove_file(&path).unwrap();
        assert_eq!(list(place.path()), []);
        assert_eq!(fs::read_to_string(&index).unwrap().lines().count(), 1);
    }

    #[test]
    fn what_was_deleted_comes_back_until_it_is_purged() {
        let place = tempfile::tempdir().unwrap();
        let paths = ["a.mxgame", "b.mxgame"].map(|name| place.path().join(name));
        for path in &paths {
            write_game(path, 5, &[]);
        }
        let gone = delete(paths.iter().cloned().chain([place.path().join("c.mxgame")]));
        assert_eq!((gone.len(), list(place.path()).len()), (2, 0));
        write_game(&paths[0], 6, &[]);
        assert_eq!(bring_back(&gone), 1, "the place of the other is taken");
        assert_eq!(list(place.path()).len(), 2);
        purge(place.path());
        let left =
            place.path().read_dir().unwrap().flatten().map(|file| file.file_name()).collect::<Vec<_>>();
        assert!(left.iter().all(|name| !name.to_string_lossy().contains(DELETED)), "{left:?}");
    }
}
