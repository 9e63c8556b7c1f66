//! What a cartridge's battery keeps while the power is off: its PRG-RAM, in a file of those very
//! bytes.

mod claim;
mod error;
mod noted;
pub(crate) mod others;

use std::fs;
use std::io::{self, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use draft::{Draft, ReadError};
use nes::Cartridge;

use claim::Claim;
use noted::Noted;

pub(crate) use error::BatteryError;
use error::{Found, Unfit};

use crate::config::folders::{cartridge_name, write_whole};

/// The RAM is looked at this often, in frames: about a minute.
const EVERY: u32 = 3600;

type BatteryResult = Result<(), BatteryError>;

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
    /// Which part of the PRG-RAM that is, and how long the PRG-RAM is: files of Maxout 1.0 have all
    /// of it where the battery keeps a part.
    part: Range<usize>,
    whole: usize,
    /// What the RAM was in each frame, for a session that does not come to its end.
    noted: Noted,
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
    pub(crate) fn of(
        saves: Option<&Path>,
        title: &str,
        cartridge: &Cartridge,
    ) -> (Option<Self>, BatteryResult) {
        Self::with(saves, title, cartridge, stray_folders())
    }

    fn with(
        saves: Option<&Path>,
        title: &str,
        cartridge: &Cartridge,
        stray_folders: Vec<PathBuf>,
    ) -> (Option<Self>, BatteryResult) {
        if cartridge.battery_ram().is_empty() {
            return (None, Ok(()));
        }
        let file = |saves: &Path| saves.join(format!("{}.sav", cartridge_name(title, cartridge.crc32())));
        let mut battery = Self {
            claim: saves.map(|saves| Claim::of(file(saves))),
            stray_folders,
            stray: None,
            kept: cartridge.battery_ram().to_vec(),
            part: cartridge.info().battery_ram.clone(),
            whole: cartridge.prg_ram().len(),
            noted: Noted::default(),
            foreign: false,
            resting: false,
            frames: 0,
            complained: false,
        };
        let others = battery.begin_beside();
        let outcome = battery.read().and_then(|()| battery.try_out()).and(battery.take_stray());
        let outcome = together(outcome, battery.take_noted());
        (Some(battery), together(others, outcome))
    }

    /// Returns the file that is written; none where nothing is kept.
    fn path(&self) -> Option<&Path> {
        self.claim.as_ref().map(|claim| claim.path.as_path())
    }

    /// Another window plays this cartridge and keeps the usual file: this one begins with what that
    /// holds, unless it has kept something of its own before.
    fn begin_beside(&mut self) -> BatteryResult {
        let Some(Claim { path, first: Some(first), .. }) = &self.claim else { return Ok(()) };
        let (others, own) = (first.clone(), path.clone());
        if path.exists() {
            return Err(BatteryError::OwnFile { others, own });
        }
        let outcome = Err(BatteryError::Copy { others, own });
        if let Ok(bytes) = draft::read_file(first, self.whole as u64)
            && let Some(kept) = self.part_of(&bytes)
        {
            self.kept = kept;
        }
        outcome
    }

    /// Returns what of a file's bytes the battery keeps; none if they are no such file.
    fn part_of(&self, bytes: &[u8]) -> Option<Vec<u8>> {
        match bytes.len() {
            len if len == self.kept.len() => Some(bytes.to_vec()),
            len if len == self.whole => bytes.get(self.part.clone()).map(<[u8]>::to_vec),
            _ => None,
        }
    }

    fn read(&mut self) -> BatteryResult {
        let Some(path) = self.path().map(Path::to_owned) else { return Ok(()) };
        let expected = self.kept.len();
        let trouble = match draft::read_file(&path, self.whole as u64) {
            Err(ReadError::Io(error))
                if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) =>
            {
                return Ok(());
            }
            Ok(bytes) => {
                self.noted.file_has(&bytes);
                match self.part_of(&bytes) {
                    Some(kept) => {
                        self.kept = kept;
                        return Ok(());
                    }
                    None => Unfit::Length { expected, found: bytes.len() },
                }
            }
            Err(ReadError::TooLarge { .. }) => Unfit::TooLong { expected },
            Err(error) => Unfit::Unreadable(error),
        };
        self.foreign = true;
        Err(BatteryError::Unfit { aside: aside(&path), path, trouble })
    }

    /// Returns what the names of such files begin with: the cartridge, and the folder for saves
    /// that they are missing from. Another folder's are not for this one.
    fn stray_begin(&self) -> Option<String> {
        let path = self.path()?;
        let folder = path.parent().and_then(|folder| std::path::absolute(folder).ok()).unwrap_or_default();
        let folder = crc32fast::hash(folder.as_os_str().as_encoded_bytes());
        Some(format!("{}{}-{folder:08x}-", STRAY.0, path.file_stem()?.to_str()?))
    }

    /// Goes on with what an earlier session had noted that did not come to its end.
    fn take_noted(&mut self) -> BatteryResult {
        let Some(path) = self.path().map(Path::to_owned) else { return Ok(()) };
        let Some(ram) = self.noted.open(&path, &self.kept) else { return Ok(()) };
        self.kept.clone_from(&ram);
        Err(self.put_found(Found::Noted, path, &ram))
    }

    /// Looks for RAM that an earlier session could not write in its place, and goes on with it.
    fn take_stray(&mut self) -> BatteryResult {
        let Some((stray, ram)) = self.find_stray() else { return Ok(()) };
        let Some(path) = self.path().map(Path::to_owned) else { return Ok(()) };
        self.stray = Some(stray.clone());
        let before = std::mem::replace(&mut self.kept, ram.clone());
        if before == ram {
            self.drop_stray();
            return Ok(());
        }
        Err(self.put_found(Found::Stray(stray), path, &ram))
    }

    /// Writes what was found of the last session to its place, and returns what to say.
    fn put_found(&mut self, found: Found, path: PathBuf, ram: &[u8]) -> BatteryError {
        match self.put(&path, ram) {
            Ok(()) => BatteryError::Found { found, path },
            Err(reason) => BatteryError::FoundOnly { found, reason: reason.into() },
        }
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
            file.is_some_and(|file| {
                [self.kept.len(), self.whole].contains(&(file.len() as usize)) && has_owner_of(path, &file)
            })
        };
        let folders = self.stray_folders.iter().filter_map(|folder| folder.read_dir().ok());
        let strays = folders.flatten().flatten().filter(is_ours).map(|entry| entry.path());
        let stray = strays.max_by_key(|stray| written(stray))?;
        let newer = written(path).is_none_or(|place| written(&stray).is_some_and(|stray| stray >= place));
        let ram = self.part_of(&draft::read_file(&stray, self.whole as u64).ok()?)?;
        newer.then_some((stray, ram))
    }

    /// The bytes of the file in the other folder are in their place.
    fn drop_stray(&mut self) {
        if let Some(stray) = self.stray.take() {
            let _ = fs::remove_file(stray); // it is found again, and then it is not newer
        }
    }

    /// Finds out before an hour of play whether the file can be written.
    fn try_out(&self) -> BatteryResult {
        let Some(path) = self.path() else {
            return Err(BatteryError::NoFolder);
        };
        let folder = path.parent().unwrap_or(Path::new("."));
        let tried = fs::create_dir_all(folder).and_then(|()| Ok(Draft::new(path)?)).map(drop);
        tried.map_err(|source| BatteryError::NotWritable { path: path.into(), source })
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

    /// A frame is over: the RAM is noted if it changed, and once a minute kept. The first time that
    /// this fails is told.
    pub(crate) fn frame(&mut self, ram: &[u8]) -> BatteryResult {
        if !self.resting {
            self.noted.frame(ram);
        }
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
    pub(crate) fn write(&mut self, ram: &[u8]) -> BatteryResult {
        if self.resting || ram == self.kept {
            return Ok(());
        }
        let Some(path) = self.path().map(Path::to_owned) else { return Ok(()) };
        self.put(&path, ram)
    }

    fn put(&mut self, path: &Path, ram: &[u8]) -> BatteryResult {
        if self.foreign {
            fs::rename(path, aside(path))
                .map_err(|source| BatteryError::Rename { path: path.into(), source })?;
            self.foreign = false;
        }
        write_whole(path, ram)?;
        self.noted.file_has(ram);
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
    pub(crate) fn close(&mut self, ram: &[u8]) -> BatteryResult {
        let unsaved = self.stray.is_some() && !self.resting;
        let reason = match self.write(ram) {
            // What lies elsewhere only is tried again.
            Ok(()) if unsaved && self.stray.is_some() => {
                self.path().map(Path::to_owned).and_then(|path| self.put(&path, ram).err())
            }
            written => written.err(),
        };
        let Some(reason) = reason.map(Box::new) else {
            if self.resting {
                self.noted.end_unused();
            } else {
                self.noted.end();
            }
            return Ok(());
        };
        let elsewhere = match self.stray.clone().filter(|_| ram == self.kept) {
            Some(stray) => Ok(stray),
            None => self.put_elsewhere(ram),
        };
        Err(match (elsewhere, self.noted.place_of(ram)) {
            (Ok(other), _) => {
                self.noted.end();
                BatteryError::Elsewhere { reason, other }
            }
            (Err(_), Some(journal)) => BatteryError::Journal { reason, journal: journal.into() },
            (Err(source), None) => BatteryError::Lost { reason, source },
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

/// Returns both troubles as one line.
pub(super) fn together(one: BatteryResult, other: BatteryResult) -> BatteryResult {
    match (one, other) {
        (Err(one), Err(other)) => Err(BatteryError::Both(one.into(), other.into())),
        (one, other) => one.and(other),
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
mod tests;
