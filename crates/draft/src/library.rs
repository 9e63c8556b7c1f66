//! ROMs that were played and those beside them: where the cartridge of a movie, a saved state or a
//! patch is looked for.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use nes_cartridge::patch;

use crate::read::{ReadError, read_file, unpack_rom};

/// Files of one folder that are looked at.
const MOST: usize = 2_000;
/// The list of what was played is not longer, in bytes.
const LONGEST_LIST: u64 = 1 << 20;
/// No ROM is larger, in bytes.
const LONGEST_ROM: u64 = 64 << 20;

/// A cartridge image that was looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// The one that needs no file.
    BuiltIn,
    /// In this file: a ROM, an archive of one, or a patch that says what it is for.
    File(PathBuf),
}

/// Where cartridge images are looked for.
#[derive(Clone, Copy, Debug, Default)]
pub struct Library<'a> {
    /// The list of the files that were played, a path a line.
    pub recent: Option<&'a Path>,
    /// The cartridge image that needs no file; empty for none.
    pub built_in: &'a [u8],
}

impl Library<'_> {
    /// Returns the cartridge image in `bytes`, which were read from the file `path`: they are one,
    /// an archive of one, or a patch that says which file it is for. That is looked for.
    ///
    /// # Errors
    /// [`ReadError`]: it is none of these, or the file that the patch is for was not found.
    pub fn image(&self, path: &Path, bytes: Vec<u8>) -> Result<Vec<u8>, ReadError> {
        let Some(kind) = patch::Kind::of(&bytes) else { return unpack_rom(bytes, LONGEST_ROM) };
        let Some(crc32) = patch::source_crc32(&bytes) else { return Err(ReadError::PatchAlone(kind)) };
        let mut source = None;
        self.look(path, |_, image| {
            let is_source = patch::is_source(crc32, image);
            if is_source {
                source = Some(image.to_vec());
            }
            is_source
        });
        let source = source.ok_or(ReadError::PatchSource { crc32 })?;
        Ok(patch::apply_to_image(&bytes, &source)?)
    }

    /// Returns the first cartridge image that is wanted for the file at `path`, by its own path and
    /// its bytes: the built-in one, one that was played, or one that lies beside these or beside
    /// `path`.
    pub fn find(&self, path: &Path, mut is_wanted: impl FnMut(&Path, &[u8]) -> bool) -> Option<Found> {
        self.look(path, &mut is_wanted).or_else(|| {
            // A patch is read only when no ROM fits, because each looks for its own source.
            let patches = self.candidates(path, |ending| {
                patch::Kind::of_extension(ending).is_some_and(|kind| kind != patch::Kind::Ips)
            });
            patches
                .into_iter()
                .find(|file| {
                    let image = read_file(file, LONGEST_ROM).and_then(|bytes| self.image(file, bytes));
                    image.is_ok_and(|image| is_wanted(file, &image))
                })
                .map(Found::File)
        })
    }

    /// The same among ROMs alone.
    fn look(&self, path: &Path, mut is_wanted: impl FnMut(&Path, &[u8]) -> bool) -> Option<Found> {
        if !self.built_in.is_empty() && is_wanted(Path::new("maxout.nes"), self.built_in) {
            return Some(Found::BuiltIn);
        }
        let is_rom = |ending: &str| ["nes", "zip"].iter().any(|rom| ending.eq_ignore_ascii_case(rom));
        let wanted = |file: &PathBuf| {
            let image = read_file(file, LONGEST_ROM).and_then(|bytes| unpack_rom(bytes, LONGEST_ROM));
            image.is_ok_and(|image| is_wanted(file, &image))
        };
        self.candidates(path, is_rom).into_iter().find(wanted).map(Found::File)
    }

    /// Returns the files that were played, and those in the folders of these and of the file at
    /// `path`: each once, if its ending is one of a kind that is looked for, and regular files
    /// only, because opening a pipe would wait for a writer.
    fn candidates(&self, path: &Path, is_kind: impl Fn(&str) -> bool) -> Vec<PathBuf> {
        let list = self.recent.and_then(|list| read_file(list, LONGEST_LIST).ok()).unwrap_or_default();
        let list = String::from_utf8_lossy(&list);
        let played: Vec<_> = list.lines().map(PathBuf::from).collect();
        let mut folders = BTreeSet::new();
        let beside = played
            .iter()
            .map(PathBuf::as_path)
            .chain([path])
            .map(|path| path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new(".")))
            .filter(|folder| folders.insert(*folder))
            .flat_map(files_in)
            .collect::<Vec<_>>();
        let mut seen = BTreeSet::new();
        let mut paths = [played, beside].concat();
        paths.retain(|path| {
            path.extension().and_then(|ending| ending.to_str()).is_some_and(&is_kind)
                && fs::metadata(path).is_ok_and(|file| file.is_file())
                && seen.insert(path.clone())
        });
        paths
    }
}

/// What lies in a folder, in the order of the names.
fn files_in(folder: &Path) -> Vec<PathBuf> {
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
        let library = Library { recent: Some(&list), built_in: b"" };
        let found = library.candidates(&place("movie.fm2"), |ending| ending.eq_ignore_ascii_case("nes"));
        assert_eq!(found, [place("b.NES"), place("a.nes")]);
    }

    #[test]
    fn a_patch_finds_its_source_among_what_was_played_and_is_found_itself() {
        let folder = tempfile::tempdir().unwrap();
        let place = |name: &str| folder.path().join(name);
        let old = [b"NES\x1A\x01\x01".as_slice(), &[0; 10], &[7; 300]].concat();
        let mut new = old.clone();
        new[100] = 1;
        let patch = patch::write(patch::Kind::Bps, &old, &new).unwrap();
        fs::create_dir(place("patches")).unwrap();
        let path = place("patches/hack.bps");
        fs::write(&path, &patch).unwrap();
        let alone = Library::default().image(&path, patch.clone()).unwrap_err();
        assert!(
            matches!(alone, ReadError::PatchSource { crc32 } if crc32 == crc32fast::hash(&old)),
            "{alone}"
        );
        let built_in = Library { recent: None, built_in: &old };
        assert_eq!(built_in.image(&path, patch.clone()).unwrap(), new);
        fs::create_dir(place("roms")).unwrap();
        fs::write(place("roms/other.nes"), b"NES\x1A").unwrap();
        fs::write(place("roms/game.nes"), &old).unwrap();
        let list = place("recent");
        fs::write(&list, format!("{}\n{}\n", place("roms/other.nes").display(), path.display())).unwrap();
        let library = Library { recent: Some(&list), built_in: b"" };
        assert_eq!(library.image(&path, patch).unwrap(), new);
        let wanted = |image: &[u8]| library.find(&place("x.fm2"), |_, found| found == image);
        assert_eq!(wanted(&old), Some(Found::File(place("roms/game.nes"))));
        assert_eq!(wanted(&new), Some(Found::File(path)));
        assert_eq!(wanted(b"neither"), None);
        let ips = patch::write(patch::Kind::Ips, &old, &new).unwrap();
        assert!(matches!(library.image(&place("a.ips"), ips), Err(ReadError::PatchAlone(patch::Kind::Ips))));
    }
}
