//! The list of files from which one is opened: no dialog of the desktop's, so that it works with a
//! pad, in a terminal and where no such dialog is installed.

use std::fs;
use std::path::{Path, PathBuf};

use nes::cartridge::patch;

use crate::emulation::battery::others;

/// What Maxout can open, by its ending.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Cartridge,
    Movie,
    Palette,
    Script,
    /// A patch of a cartridge image.
    Patch,
    /// What a battery keeps.
    Battery,
    /// A kept game.
    Game,
    /// A game of which placements are known: frames of NestrisChamps, or one line a placement.
    Placements,
}

/// Returns what `path` is, going by its ending; none for what cannot be opened.
pub(crate) fn kind(path: &Path) -> Option<Kind> {
    if notation::game::Kind::of(path.file_name()?.to_str()?).is_some() {
        return Some(Kind::Placements);
    }
    match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
        "nes" | "zip" => Some(Kind::Cartridge),
        _ if others::is_named(path) => Some(Kind::Battery),
        _ if movies::is_named(path) => Some(Kind::Movie),
        "pal" => Some(Kind::Palette),
        "lua" => Some(Kind::Script),
        practice::EXTENSION => Some(Kind::Game),
        ending => patch::Kind::of_extension(ending).map(|_| Kind::Patch),
    }
}

/// One line of a [`Folder`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) name: String,
    pub(crate) path: PathBuf,
    pub(crate) folder: bool,
}

/// A folder's folders, and after them its files that can be opened, in the order of their names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Folder {
    pub(crate) path: PathBuf,
    pub(crate) entries: Vec<Entry>,
    /// Why it could not be read.
    pub(crate) error: Option<String>,
}

impl Folder {
    /// Reads the folder `path`.
    pub(crate) fn read(path: &Path) -> Self {
        let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let parent =
            path.parent().map(|parent| Entry { name: "..".into(), path: parent.into(), folder: true });
        let (mut entries, mut error) = (vec![], None);
        match fs::read_dir(&path) {
            Ok(list) => entries.extend(list.flatten().filter_map(|found| entry(found.path()))),
            Err(source) => error = Some(format!("cannot read {}: {source}", path.display())),
        }
        entries.sort_by_cached_key(|entry| (!entry.folder, entry.name.to_lowercase()));
        Self { path, entries: parent.into_iter().chain(entries).collect(), error }
    }
}

fn entry(path: PathBuf) -> Option<Entry> {
    let name = path.file_name()?.to_string_lossy().into_owned();
    let folder = path.is_dir();
    (!name.starts_with('.') && (folder || kind(&path).is_some())).then_some(Entry { name, path, folder })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_shows_folders_first_and_only_what_can_be_opened() {
        let place = tempfile::tempdir().unwrap();
        let files = [
            "b.nes",
            "A.NES",
            "notes.txt",
            ".hidden.nes",
            "run.fm2",
            "hud.lua",
            "nes",
            "a.ngf.gz",
            "x.gz",
            "GYM.bps",
            "tas.bk2",
            "z.sav",
        ];
        for name in files {
            fs::write(place.path().join(name), "").unwrap();
        }
        fs::create_dir(place.path().join("zoo")).unwrap();
        let folder = Folder::read(place.path());
        let names: Vec<&str> = folder.entries.iter().map(|entry| entry.name.as_str()).collect();
        assert_eq!(
            names,
            ["..", "zoo", "A.NES", "a.ngf.gz", "b.nes", "GYM.bps", "hud.lua", "run.fm2", "tas.bk2", "z.sav"]
        );
        assert_eq!(folder.error, None);
    }

    #[test]
    fn a_folder_that_is_not_there_says_so_and_leads_back() {
        let place = tempfile::tempdir().unwrap();
        let folder = Folder::read(&place.path().join("gone"));
        assert_eq!(folder.entries[0].path, place.path());
        assert!(folder.error.unwrap().contains("gone"));
        assert_eq!(Folder::read(Path::new("")).error, None, "the folder that a bare name lies in");
    }
}
