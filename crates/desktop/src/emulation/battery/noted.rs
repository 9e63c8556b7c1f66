//! What a battery's RAM was in the last frame, in a journal beside its file: whatever ends the
//! program, the next session goes on from there.

use std::path::{Path, PathBuf};

use draft::Journal;

/// The journal of a battery's file. It is made at the beginning, while there is room on the disk
/// and files can be opened, and removed at the end.
#[derive(Debug, Default)]
pub(super) struct Noted {
    /// Where it lies, and whose it is; none where nothing is kept.
    place: Option<(PathBuf, Vec<u8>)>,
    journal: Option<Journal>,
    /// Whether this session has written it.
    is_written: bool,
    /// What the RAM was when the session began: until it changes nothing is noted.
    ram: Vec<u8>,
    /// The checksum of the battery's file, 0 where there is none. RAM that was noted beside another
    /// file is not gone on with: the player has exchanged it, or it is newer.
    file: u32,
    /// It cannot be written; that the battery's file cannot is told.
    failed: bool,
}

/// Bytes of a record before the RAM.
const HEAD: usize = 4;

impl Noted {
    /// The battery's file has these bytes now.
    pub(super) fn file_has(&mut self, bytes: &[u8]) {
        self.file = crc32fast::hash(bytes);
    }

    /// Finds the journal of the battery's file at `path`, which the battery has alone, or makes it,
    /// and returns the RAM that it has in place of `kept`.
    pub(super) fn open(&mut self, path: &Path, kept: &[u8]) -> Option<Vec<u8>> {
        let name = path.file_name()?.to_str()?;
        let folder = path.parent()?;
        // A folder that was copied has the journals of another.
        let owner = folder.canonicalize().or_else(|_| std::path::absolute(folder)).ok()?.join(name);
        let owner = owner.into_os_string().into_encoded_bytes();
        let journal = path.with_file_name(format!(".{name}.journal"));
        let record = Journal::read(&journal, &owner, HEAD + kept.len());
        self.ram = kept.to_vec();
        // Where it cannot be made now it is tried again with the first change.
        self.journal = Journal::open(&journal, &owner, HEAD + kept.len()).ok();
        self.place = Some((journal, owner));
        let record = record?;
        let (file, ram) = record.split_first_chunk::<HEAD>()?;
        let is_next = u32::from_le_bytes(*file) == self.file && ram.len() == kept.len() && ram != kept;
        is_next.then(|| {
            self.ram = ram.to_vec();
            ram.to_vec()
        })
    }

    /// Writes `ram`, if it has changed.
    pub(super) fn frame(&mut self, ram: &[u8]) {
        if self.failed || !self.is_written && ram == self.ram {
            return;
        }
        let Some((path, owner)) = &self.place else { return };
        let file = self.file.to_le_bytes();
        let written = match &mut self.journal {
            Some(journal) => journal.write(&[&file, ram]),
            None => Journal::open(path, owner, HEAD + ram.len()).and_then(|mut journal| {
                journal.write(&[&file, ram])?;
                self.journal = Some(journal);
                Ok(())
            }),
        };
        self.failed = written.is_err();
        self.is_written |= !self.failed;
    }

    /// Returns the journal's file, if it has `ram`.
    pub(super) fn place_of(&self, ram: &[u8]) -> Option<&Path> {
        let has = |journal: &&Journal| !self.failed && journal.record().get(HEAD..) == Some(ram);
        Some(self.journal.as_ref().filter(has)?.path())
    }

    /// Nothing that this session has noted is lost with the journal, if it has noted nothing.
    pub(super) fn end_unused(&mut self) {
        if !self.is_written {
            self.end();
        }
    }

    /// What was noted is in a file.
    pub(super) fn end(&mut self) {
        if let Some(journal) = self.journal.take() {
            journal.remove();
        } else if let Some((path, _)) = &self.place {
            // One of an earlier session, most often none.
            let _ = std::fs::remove_file(path);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::super::{Battery, BatteryResult};
    use super::*;

    fn open(saves: &Path) -> (Battery, BatteryResult) {
        let cartridge = nes_testing::Image::ines(0, 1, 1).with(6, 2).cartridge();
        let strays = vec![saves.with_extension("strays")];
        let (battery, outcome) = Battery::with(Some(saves), "game", &cartridge, strays);
        (battery.expect("it has a battery"), outcome)
    }

    /// Names of all files in a folder.
    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<_> = folder.read_dir().unwrap().flatten().map(|file| file.file_name()).collect();
        names.sort();
        names.into_iter().map(|name| name.into_string().unwrap()).collect()
    }

    /// Dropped without its end, as by a signal; a killed program leaves its lock's file, too.
    fn ended_at_once(saves: &Path, rams: &[u8]) {
        let (mut battery, outcome) = open(saves);
        outcome.unwrap();
        for &ram in rams {
            battery.frame(&[ram; 0x2000]).unwrap();
        }
    }

    #[test]
    fn a_session_without_an_end_loses_nothing_and_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let saves = folder.path();
        ended_at_once(saves, &[0, 0]);
        assert_eq!(names(saves).len(), 1, "the journal is there before it is needed");
        assert!(open(saves).1.is_ok(), "what does not change is not noted");
        ended_at_once(saves, &[1, 2, 3]);
        assert_eq!(names(saves).len(), 1, "the journal");
        let (mut battery, outcome) = open(saves);
        let told = outcome.unwrap_err().to_string();
        assert!(told.starts_with("the last session did not end normally"), "{told}");
        assert_eq!(battery.kept(), [3; 0x2000]);
        battery.close(&[3; 0x2000]).unwrap();
        drop(battery);
        let left = names(saves);
        assert_eq!(left.len(), 1, "{left:?}");
        assert_eq!(fs::read(saves.join(&left[0])).unwrap(), [3; 0x2000]);
        // Again, and without any end in between.
        ended_at_once(saves, &[4]);
        assert!(open(saves).1.is_err());
        assert!(open(saves).1.is_ok(), "once is enough");
        assert_eq!(open(saves).0.kept(), [4; 0x2000]);
    }

    #[test]
    fn a_file_that_was_exchanged_or_is_newer_stays() {
        let folder = tempfile::tempdir().unwrap();
        let saves = folder.path();
        ended_at_once(saves, &[1]);
        let place = open(saves).0.path().unwrap().to_owned();
        ended_at_once(saves, &[2]);
        fs::write(&place, [9; 0x2000]).unwrap();
        let (battery, outcome) = open(saves);
        outcome.unwrap();
        assert_eq!(battery.kept(), [9; 0x2000]);
        drop(battery);
        // Saved after it was noted, as once a minute; then the end.
        let (mut battery, _) = open(saves);
        battery.frame(&[3; 0x2000]).unwrap();
        battery.write(&[3; 0x2000]).unwrap();
        drop(battery);
        let (battery, outcome) = open(saves);
        outcome.unwrap();
        assert_eq!(battery.kept(), [3; 0x2000]);
        drop(battery);
        let (mut battery, _) = open(saves);
        battery.frame(&[4; 0x2000]).unwrap();
        battery.write(&[4; 0x2000]).unwrap();
        battery.frame(&[5; 0x2000]).unwrap();
        drop(battery);
        assert_eq!(open(saves).0.kept(), [5; 0x2000], "noted beside the file that there is");
    }

    #[test]
    fn another_folder_with_a_copy_of_the_journal_does_not_take_it() {
        let folder = tempfile::tempdir().unwrap();
        let [own, copy] = ["own", "copy"].map(|name| folder.path().join(name));
        ended_at_once(&own, &[1]);
        fs::create_dir(&copy).unwrap();
        for name in names(&own) {
            fs::copy(own.join(&name), copy.join(&name)).unwrap();
        }
        assert_eq!(open(&copy).0.kept(), [0; 0x2000]);
        assert_eq!(open(&own).0.kept(), [1; 0x2000]);
    }

    #[test]
    fn what_a_movie_leaves_in_the_ram_is_not_noted() {
        let folder = tempfile::tempdir().unwrap();
        let (mut battery, _) = open(folder.path());
        battery.rest();
        battery.frame(&[1; 0x2000]).unwrap();
        drop(battery);
        let (mut battery, _) = open(folder.path());
        assert_eq!(battery.kept(), [0; 0x2000]);
        battery.rest();
        battery.close(&[1; 0x2000]).unwrap();
        drop(battery);
        assert!(names(folder.path()).is_empty(), "a journal of nothing is removed");
    }

    /// `cargo xtask attack --seed 903`: the first change comes when no more files can be opened.
    #[cfg(unix)]
    #[test]
    fn the_first_change_opens_no_file() {
        let folder = tempfile::tempdir().unwrap();
        let saves = folder.path();
        let (mut battery, _) = open(saves);
        let journal = names(saves).into_iter().find(|name| name.ends_with(".journal")).expect("a journal");
        // What is open goes on under another name.
        fs::rename(saves.join(&journal), saves.join("moved")).unwrap();
        battery.frame(&[1; 0x2000]).unwrap();
        assert!(!names(saves).contains(&journal), "{:?}", names(saves));
        fs::rename(saves.join("moved"), saves.join(&journal)).unwrap();
        drop(battery);
        assert_eq!(open(saves).0.kept(), [1; 0x2000]);
    }

    #[test]
    fn each_of_two_windows_has_its_own() {
        let folder = tempfile::tempdir().unwrap();
        let saves = folder.path();
        let (mut first, _) = open(saves);
        first.frame(&[1; 0x2000]).unwrap();
        let (mut second, _) = open(saves);
        second.frame(&[2; 0x2000]).unwrap();
        drop((first, second));
        let ((first, _), (second, _)) = (open(saves), open(saves));
        assert_eq!(first.kept(), [1; 0x2000], "nobody else had it meanwhile");
        drop((first, second));
        let (first, _) = open(saves);
        assert_eq!((first.kept(), open(saves).0.kept()), (&[1; 0x2000][..], &[2; 0x2000][..]));
    }
}
