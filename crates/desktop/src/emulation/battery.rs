//! What a cartridge's battery keeps while the power is off: its PRG-RAM, in a file of those very
//! bytes.

mod claim;

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use draft::{Draft, ReadError};
use nes::Cartridge;

use claim::Claim;

use crate::config::folders::{cartridge_name, write_whole};

/// The RAM is looked at this often, in frames: about a minute.
const EVERY: u32 = 3600;

/// One line of what went wrong.
type Outcome = Result<(), String>;

/// What begins and ends the name of a file in which RAM lies that could not be written in its
/// place.
const STRAY: (&str, &str) = ("maxout-", ".sav");

/// Returns the folders for such files: first one that outlives a reboot.
fn stray_folders() -> Vec<PathBuf> {
    let lasting = cfg!(unix).then(|| PathBuf::from("/var/tmp"));
    lasting.into_iter().chain([std::env::temp_dir()]).collect()
}

/// The battery of the cartridge that is in.
#[derive(Debug)]
pub(crate) struct Battery {
    /// The file; `None` where nothing is kept.
    claim: Option<Claim>,
    /// Where RAM goes that cannot be written there.
    stray_folders: Vec<PathBuf>,
    /// A file in one of them, whose bytes are those in `kept`: removed once they are in their
    /// place.
    stray: Option<PathBuf>,
    /// What the file holds, or would hold.
    kept: Vec<u8>,
    /// The file is there and could not be understood: it is moved aside rather than written over.
    foreign: bool,
    /// A movie begins without what is kept, and what it leaves behind is not kept.
    resting: bool,
    frames: u32,
    /// Whether it was said that the file cannot be written.
    complained: bool,
}

impl Battery {
    /// Returns the battery of `cartridge`, whose file lies in `saves`; none if it has none. What
    /// cannot be read, or written later on, is said at once.
    pub(crate) fn of(saves: Option<&Path>, title: &str, cartridge: &Cartridge) -> (Option<Self>, Outcome) {
        Self::with(saves, title, cartridge, stray_folders())
    }

    fn with(
        saves: Option<&Path>,
        title: &str,
        cartridge: &Cartridge,
        stray_folders: Vec<PathBuf>,
    ) -> (Option<Self>, Outcome) {
        if !cartridge.info().battery || cartridge.prg_ram().is_empty() {
            return (None, Ok(()));
        }
        let file = |saves: &Path| saves.join(format!("{}.sav", cartridge_name(title, cartridge.crc32())));
        let mut battery = Self {
            claim: saves.map(|saves| Claim::of(file(saves))),
            stray_folders,
            stray: None,
            kept: cartridge.prg_ram().to_vec(),
            foreign: false,
            resting: false,
            frames: 0,
            complained: false,
        };
        let others = battery.begin_beside();
        let outcome = battery.read().and_then(|()| battery.try_out()).and(battery.take_stray());
        let outcome = match (others, outcome) {
            (Err(others), Err(trouble)) => Err(format!("{others}. {trouble}")),
            (others, outcome) => others.and(outcome),
        };
        (Some(battery), outcome)
    }

    /// Returns the file that is written; none where nothing is kept.
    fn path(&self) -> Option<&Path> {
        self.claim.as_ref().map(|claim| claim.path.as_path())
    }

    /// Another window plays this cartridge and keeps the usual file: this one begins with what that
    /// holds, unless it has kept something of its own before.
    fn begin_beside(&mut self) -> Outcome {
        let Some(Claim { path, first: Some(first), .. }) = &self.claim else { return Ok(()) };
        let (others, own) = (first.display(), path.display());
        if path.exists() {
            return Err(format!(
                "another window keeps what this cartridge saves in {others}; this one goes on with its own file, {own}"
            ));
        }
        let outcome = Err(format!(
            "another window keeps what this cartridge saves in {others}; this one begins with what is in it, \
             and saves to {own}"
        ));
        if let Ok(bytes) = draft::read_file(first, self.kept.len() as u64)
            && bytes.len() == self.kept.len()
        {
            self.kept = bytes;
        }
        outcome
    }

    fn read(&mut self) -> Outcome {
        let Some(path) = self.path() else { return Ok(()) };
        let expected = self.kept.len();
        let trouble = match draft::read_file(path, expected as u64) {
            Err(ReadError::Io(error))
                if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) =>
            {
                return Ok(());
            }
            Ok(bytes) if bytes.len() == expected => {
                self.kept = bytes;
                return Ok(());
            }
            Ok(bytes) => format!("expected {expected} bytes, found {}", bytes.len()),
            Err(ReadError::TooLarge { .. }) => format!("expected {expected} bytes, found more"),
            Err(error) => error.to_string(),
        };
        let trouble = format!(
            "cannot use {}: {trouble}; the game begins without it, and before anything is saved it is renamed to {}",
            path.display(),
            aside(path).display()
        );
        self.foreign = true;
        Err(trouble)
    }

    /// Returns what the names of such files begin with: the cartridge, and the folder for saves
    /// that they are missing from. Another folder's are not for this one.
    fn stray_begin(&self) -> Option<String> {
        let path = self.path()?;
        let folder = path.parent().and_then(|folder| std::path::absolute(folder).ok()).unwrap_or_default();
        let folder = crc32fast::hash(folder.as_os_str().as_encoded_bytes());
        Some(format!("{}{}-{folder:08x}-", STRAY.0, path.file_stem()?.to_str()?))
    }

    /// Looks for RAM that an earlier session could not write in its place, and goes on with it.
    fn take_stray(&mut self) -> Outcome {
        let Some((stray, ram)) = self.find_stray() else { return Ok(()) };
        let Some(path) = self.path().map(Path::to_owned) else { return Ok(()) };
        self.stray = Some(stray.clone());
        let before = std::mem::replace(&mut self.kept, ram.clone());
        let found = format!("{} holds what the last session could not save, and is used", stray.display());
        if before == ram {
            self.drop_stray();
            return Ok(());
        }
        let written = self.put(&path, &ram);
        Err(match written {
            Ok(()) => format!("{found}: it is in {} now", path.display()),
            Err(reason) => format!("{found}. {reason}"),
        })
    }

    /// Returns the newest file of this cartridge's in the folders for them, if it is newer than
    /// what lies in its place. Others may write there, too: it has to have the length of the RAM,
    /// and the owner of the folder for saves.
    fn find_stray(&self) -> Option<(PathBuf, Vec<u8>)> {
        let path = self.path()?;
        let begin = self.stray_begin()?;
        let written = |path: &Path| fs::metadata(path).and_then(|file| file.modified()).ok();
        let is_ours = |entry: &fs::DirEntry| {
            let name = entry.file_name();
            let named = name.to_str().is_some_and(|name| name.starts_with(&begin) && name.ends_with(STRAY.1));
            // Of a link, this is the link's own.
            let file = entry.metadata().ok().filter(|file| named && file.is_file());
            file.is_some_and(|file| file.len() == self.kept.len() as u64 && has_owner_of(path, &file))
        };
        let folders = self.stray_folders.iter().filter_map(|folder| folder.read_dir().ok());
        let strays = folders.flatten().flatten().filter(is_ours).map(|entry| entry.path());
        let stray = strays.max_by_key(|stray| written(stray))?;
        let newer = written(path).is_none_or(|place| written(&stray).is_some_and(|stray| stray >= place));
        let ram = draft::read_file(&stray, self.kept.len() as u64).ok()?;
        (newer && ram.len() == self.kept.len()).then_some((stray, ram))
    }

    /// The bytes of the file in the other folder are in their place.
    fn drop_stray(&mut self) {
        if let Some(stray) = self.stray.take() {
            let _ = fs::remove_file(stray); // it is found again, and then it is not newer
        }
    }

    /// Finds out before an hour of play whether the file can be written.
    fn try_out(&self) -> Outcome {
        let Some(path) = self.path() else {
            return Err("no folder for battery saves: what the game saves is lost when you quit".into());
        };
        let folder = path.parent().unwrap_or(Path::new("."));
        let tried = fs::create_dir_all(folder).and_then(|()| Ok(Draft::new(path)?)).map(drop);
        tried.map_err(|error| {
            format!(
                "cannot write {}, for what the battery keeps: {error}; is the folder writable?",
                path.display()
            )
        })
    }

    /// Returns what it has kept, as long as the RAM.
    pub(crate) fn kept(&self) -> &[u8] {
        &self.kept
    }

    /// A movie begins: from here on the file stays as it is. Call [`Battery::write`] first.
    pub(crate) fn rest(&mut self) {
        self.resting = true;
    }

    /// An ordinary game goes on.
    pub(crate) fn resume(&mut self) {
        self.resting = false;
    }

    /// Returns whether a movie keeps it from being used.
    pub(crate) fn is_resting(&self) -> bool {
        self.resting
    }

    /// Returns where what is kept lies, for messages.
    pub(crate) fn place(&self) -> String {
        self.path().map_or_else(|| "the battery RAM".into(), |path| path.display().to_string())
    }

    /// A frame is over. Once a minute the RAM is kept if it changed; the first time that this fails
    /// is told.
    pub(crate) fn frame(&mut self, ram: &[u8]) -> Outcome {
        self.frames += 1;
        if !self.frames.is_multiple_of(EVERY) {
            return Ok(());
        }
        let written = self.write(ram);
        let news = !self.complained;
        self.complained = written.is_err();
        if news { written } else { Ok(()) }
    }

    /// Keeps `ram`, if it changed.
    pub(crate) fn write(&mut self, ram: &[u8]) -> Outcome {
        if self.resting || ram == self.kept {
            return Ok(());
        }
        let Some(path) = self.path().map(Path::to_owned) else { return Ok(()) };
        self.put(&path, ram)
    }

    fn put(&mut self, path: &Path, ram: &[u8]) -> Outcome {
        if self.foreign {
            fs::rename(path, aside(path))
                .map_err(|error| format!("cannot rename {}: {error}", path.display()))?;
            self.foreign = false;
        }
        write_whole(path, ram).map_err(|error| error.to_string())?;
        self.kept = ram.to_vec();
        self.drop_stray();
        Ok(())
    }

    /// Returns the file and the bytes that would be written now; none where nothing would be.
    pub(crate) fn unwritten<'a>(&'a self, ram: &'a [u8]) -> Option<(&'a Path, &'a [u8])> {
        let path = self.path().filter(|_| !self.resting && !self.foreign && ram != self.kept)?;
        Some((path, ram))
    }

    /// Keeps `ram` as the power goes off or the cartridge out: if its file cannot be written, in
    /// another.
    pub(crate) fn close(&mut self, ram: &[u8]) -> Outcome {
        let unsaved = self.stray.is_some() && !self.resting;
        let reason = match self.write(ram) {
            // What lies elsewhere only is tried again.
            Ok(()) if unsaved && self.stray.is_some() => {
                self.path().map(Path::to_owned).and_then(|path| self.put(&path, ram).err())
            }
            written => written.err(),
        };
        let Some(reason) = reason else { return Ok(()) };
        let elsewhere = match self.stray.clone().filter(|_| ram == self.kept) {
            Some(stray) => Ok(stray),
            None => self.put_elsewhere(ram),
        };
        Err(match elsewhere {
            Ok(other) => format!(
                "{reason} The battery RAM was saved to {} instead; the next session takes it from there",
                other.display()
            ),
            Err(error) => format!("{reason} The battery RAM is lost: {error}"),
        })
    }

    /// Writes `ram` into a new file in the first of the other folders that has room for it.
    fn put_elsewhere(&mut self, ram: &[u8]) -> io::Result<PathBuf> {
        let begin = self.stray_begin().ok_or(io::ErrorKind::InvalidFilename)?;
        let mut outcome: io::Result<PathBuf> = Err(io::ErrorKind::NotFound.into());
        for folder in self.stray_folders.clone() {
            outcome = tempfile::Builder::new().prefix(&begin).suffix(STRAY.1).tempfile_in(folder).and_then(
                |mut file| {
                    file.write_all(ram)?;
                    file.as_file().sync_all()?;
                    Ok(file.keep().map_err(|error| error.error)?.1)
                },
            );
            if let Ok(stray) = &outcome {
                self.drop_stray();
                self.stray = Some(stray.clone());
                self.kept = ram.to_vec();
                break;
            }
        }
        outcome
    }
}

/// Returns whether `file` is of whoever the folder of `path` is of.
fn has_owner_of(path: &Path, file: &fs::Metadata) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let folder = path.parent().and_then(|folder| fs::metadata(folder).ok());
        folder.is_none_or(|folder| folder.uid() == file.uid())
    }
    #[cfg(not(unix))]
    {
        let _ = (path, file); // folders for temporary files are the user's own
        true
    }
}

/// Returns where a file goes that is none of ours.
fn aside(path: &Path) -> PathBuf {
    path.with_extension("sav.bak")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns an NROM image with a battery and 8 KiB of RAM.
    fn cartridge() -> Cartridge {
        nes_testing::Image::ines(0, 1, 1).with(6, 2).cartridge()
    }

    fn open(saves: &Path) -> (Battery, Outcome) {
        let strays = vec![saves.with_extension("strays")];
        let (battery, outcome) = Battery::with(Some(saves), "game", &cartridge(), strays);
        (battery.expect("it has a battery"), outcome)
    }

    fn file(saves: &Path) -> PathBuf {
        saves.join(format!("game-{:08x}.sav", cartridge().crc32()))
    }

    #[test]
    fn what_is_kept_is_there_again_and_nothing_is_written_that_has_not_changed() {
        let folder = tempfile::tempdir().unwrap();
        let saves = folder.path().join("saves");
        let (mut battery, outcome) = open(&saves);
        outcome.unwrap();
        battery.close(&[0; 0x2000]).unwrap();
        assert!(!file(&saves).exists(), "blank RAM is what there was");
        battery.write(&[7; 0x2000]).unwrap();
        assert_eq!(fs::read(file(&saves)).unwrap(), [7; 0x2000]);
        drop(battery);
        assert_eq!(fs::read_dir(&saves).unwrap().count(), 1);
        assert_eq!(open(&saves).0.kept(), [7; 0x2000]);
        let plain = Cartridge::from_bytes(include_bytes!("../../../../roms/maxout.nes")).unwrap();
        assert!(Battery::of(Some(&saves), "game", &plain).0.is_none());
    }

    #[test]
    fn once_a_minute_it_is_looked_at() {
        let folder = tempfile::tempdir().unwrap();
        let (mut battery, _) = open(folder.path());
        for _ in 1..EVERY {
            battery.frame(&[1; 0x2000]).unwrap();
        }
        assert!(!file(folder.path()).exists());
        battery.frame(&[1; 0x2000]).unwrap();
        assert!(file(folder.path()).exists());
    }

    #[test]
    fn a_file_of_another_size_is_said_and_moved_aside_before_anything_is_written() {
        for wrong in [vec![9; 5], vec![9; 0x2001]] {
            let folder = tempfile::tempdir().unwrap();
            fs::write(file(folder.path()), &wrong).unwrap();
            let (mut battery, outcome) = open(folder.path());
            let error = outcome.unwrap_err();
            assert!(error.contains("expected 8192 bytes, found") && error.contains("sav.bak"), "{error}");
            assert_eq!(battery.kept(), [0; 0x2000]);
            battery.close(&[0; 0x2000]).unwrap();
            assert_eq!(fs::read(file(folder.path())).unwrap(), wrong, "nothing was to be kept");
            battery.close(&[1; 0x2000]).unwrap();
            assert_eq!(fs::read(aside(&file(folder.path()))).unwrap(), wrong);
            assert_eq!(fs::read(file(folder.path())).unwrap(), [1; 0x2000]);
        }
    }

    #[test]
    fn where_nothing_can_be_written_that_is_said_at_once_and_in_the_end_it_is_kept_elsewhere() {
        let folder = tempfile::tempdir().unwrap();
        // A file where the folder should be: not even the superuser can write into it.
        let saves = folder.path().join("saves");
        fs::write(&saves, "").unwrap();
        fs::create_dir(folder.path().join("saves.strays")).unwrap();
        let (mut battery, outcome) = open(&saves);
        assert!(outcome.unwrap_err().contains("writable"));
        let mut told = (0..3 * EVERY).filter(|_| battery.frame(&[3; 0x2000]).is_err());
        assert_eq!((told.next(), told.next()), (Some(EVERY - 1), None), "once is enough");
        let error = battery.close(&[3; 0x2000]).unwrap_err();
        let elsewhere = error.split(" was saved to ").nth(1).and_then(|rest| rest.split(" instead").next());
        let elsewhere = Path::new(elsewhere.expect("it says where"));
        assert_eq!(fs::read(elsewhere).unwrap(), [3; 0x2000]);

        drop(battery);

        // The next session finds it, also while nothing can be written yet, and puts it in its
        // place.
        let (mut battery, outcome) = open(&saves);
        assert!(outcome.unwrap_err().contains("writable") && battery.kept() == [3; 0x2000]);
        let error = battery.close(&[3; 0x2000]).unwrap_err();
        assert!(error.contains("the next session takes it from there"), "{error}");
        drop(battery);
        fs::remove_file(&saves).unwrap();
        let (battery, outcome) = open(&saves);
        assert_eq!(battery.kept(), [3; 0x2000]);
        assert!(outcome.unwrap_err().contains("holds what the last session could not save"));
        assert_eq!(fs::read(file(&saves)).unwrap(), [3; 0x2000]);
        drop(battery);
        assert!(open(&saves).1.is_ok(), "once is enough");
    }

    #[test]
    fn what_lies_elsewhere_and_is_older_or_of_another_length_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let saves = folder.path().join("saves");
        let strays = folder.path().join("saves.strays");
        fs::create_dir(&strays).unwrap();
        let begin = open(&saves).0.stray_begin().unwrap();
        let stray = |end: &str, length: usize| {
            let path = strays.join(format!("{begin}{end}.sav"));
            fs::write(&path, vec![5; length]).unwrap();
            path
        };
        let old = stray("old", 0x2000);
        let hour = std::time::Duration::from_secs(3600);
        let when = std::time::SystemTime::now() - hour;
        fs::File::options().write(true).open(&old).unwrap().set_modified(when).unwrap();
        stray("long", 0x2001);
        let (mut battery, outcome) = open(&saves);
        assert!(outcome.unwrap_err().contains("could not save") && battery.kept() == [5; 0x2000]);
        battery.close(&[6; 0x2000]).unwrap();
        drop(battery);
        fs::write(&old, [5; 0x2000]).unwrap();
        fs::File::options().write(true).open(&old).unwrap().set_modified(when).unwrap();
        let (battery, outcome) = open(&saves);
        assert_eq!((battery.kept(), outcome), (&[6; 0x2000][..], Ok(())));
    }

    #[test]
    fn what_lies_elsewhere_is_taken_by_the_folder_that_it_belongs_to_alone() {
        let folder = tempfile::tempdir().unwrap();
        let strays = vec![folder.path().join("strays")];
        fs::create_dir(&strays[0]).unwrap();
        let of = |saves: &Path| {
            let (battery, _) = Battery::with(Some(saves), "game", &cartridge(), strays.clone());
            battery.expect("it has a battery")
        };
        let [one, other] = ["one", "other"].map(|name| folder.path().join(name));
        fs::write(&one, "").unwrap();
        assert!(of(&one).close(&[9; 0x2000]).unwrap_err().contains("takes it from there"));
        assert_eq!(of(&other).kept(), [0; 0x2000], "it belongs to another folder");
        assert_eq!(fs::read_dir(&strays[0]).unwrap().count(), 1);
        fs::remove_file(&one).unwrap();
        assert_eq!(of(&one).kept(), [9; 0x2000]);
        assert_eq!(fs::read_dir(&strays[0]).unwrap().count(), 0);
    }

    #[test]
    fn of_two_windows_with_one_cartridge_each_keeps_what_is_its_own() {
        let folder = tempfile::tempdir().unwrap();
        let saves = folder.path();
        let beside = file(saves).with_extension("2.sav");
        let (mut first, outcome) = open(saves);
        outcome.unwrap();
        first.write(&[1; 0x2000]).unwrap();
        let (mut second, outcome) = open(saves);
        let told = outcome.unwrap_err();
        assert!(told.contains("another window") && told.contains(beside.to_str().unwrap()), "{told}");
        assert_eq!(second.kept(), [1; 0x2000], "it begins with what the other has kept by then");
        assert_eq!(open(saves).0.path(), Some(file(saves).with_extension("3.sav").as_path()));

        first.write(&[2; 0x2000]).unwrap();
        second.close(&[3; 0x2000]).unwrap();
        first.close(&[4; 0x2000]).unwrap();
        assert_eq!(fs::read(file(saves)).unwrap(), [4; 0x2000]);
        assert_eq!(fs::read(&beside).unwrap(), [3; 0x2000]);

        // A second window of a later day goes on with its own, and one alone with the usual file.
        drop(second);
        let (second, outcome) = open(saves);
        assert!(outcome.unwrap_err().contains("goes on with its own file"));
        assert_eq!(second.kept(), [3; 0x2000]);
        drop((first, second));
        let (alone, outcome) = open(saves);
        assert_eq!((alone.kept(), outcome), (&[4; 0x2000][..], Ok(())));
    }

    /// Its lock file stays; the lock itself is the system's.
    #[test]
    fn a_window_that_was_killed_holds_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let name = file(folder.path()).file_name().unwrap().to_str().unwrap().to_owned();
        fs::write(folder.path().join(format!(".{name}.lock")), "").unwrap();
        let (battery, outcome) = open(folder.path());
        assert_eq!((battery.path(), outcome), (Some(file(folder.path()).as_path()), Ok(())));
    }

    #[test]
    fn a_movie_leaves_the_file_alone() {
        let folder = tempfile::tempdir().unwrap();
        let (mut battery, _) = open(folder.path());
        battery.write(&[1; 0x2000]).unwrap();
        battery.rest();
        battery.close(&[2; 0x2000]).unwrap();
        assert_eq!(battery.kept(), [1; 0x2000]);
        battery.resume();
        battery.close(&[2; 0x2000]).unwrap();
        assert_eq!(fs::read(file(folder.path())).unwrap(), [2; 0x2000]);
    }
}
