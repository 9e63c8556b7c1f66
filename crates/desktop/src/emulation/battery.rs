//! What a cartridge's battery keeps while the power is off: its PRG-RAM, in a file of those very
//! bytes.

use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use draft::Draft;
use nes::Cartridge;

use crate::config::folders::{cartridge_name, write_whole};

/// The RAM is looked at this often, in frames: about a minute.
const EVERY: u32 = 3600;

/// One line of what went wrong.
type Outcome = Result<(), String>;

/// The battery of the cartridge that is in.
#[derive(Debug)]
pub(crate) struct Battery {
    /// `None` where nothing is kept.
    path: Option<PathBuf>,
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
        if !cartridge.info().battery || cartridge.prg_ram().is_empty() {
            return (None, Ok(()));
        }
        let path = saves.map(|saves| saves.join(format!("{}.sav", cartridge_name(title, cartridge.crc32()))));
        let kept = cartridge.prg_ram().to_vec();
        let mut battery = Self { path, kept, foreign: false, resting: false, frames: 0, complained: false };
        let outcome = battery.read().and_then(|()| battery.try_out());
        (Some(battery), outcome)
    }

    fn read(&mut self) -> Outcome {
        let Some(path) = &self.path else { return Ok(()) };
        let expected = self.kept.len();
        let mut bytes = Vec::new();
        // One byte more than expected tells a longer file.
        let read =
            fs::File::open(path).and_then(|file| file.take(expected as u64 + 1).read_to_end(&mut bytes));
        let trouble = match read {
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                return Ok(());
            }
            Ok(found) if found == expected => {
                self.kept = bytes;
                return Ok(());
            }
            Ok(found) if found > expected => format!("expected {expected} bytes, found more"),
            Ok(found) => format!("expected {expected} bytes, found {found}"),
            Err(error) => error.to_string(),
        };
        self.foreign = true;
        Err(format!(
            "cannot use {}: {trouble}; the game begins without it, and before anything is saved it is renamed to {}",
            path.display(),
            aside(path).display()
        ))
    }

    /// Finds out before an hour of play whether the file can be written.
    fn try_out(&self) -> Outcome {
        let Some(path) = &self.path else {
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
        self.path.as_ref().map_or_else(|| "the battery RAM".into(), |path| path.display().to_string())
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
        let Some(path) = &self.path else { return Ok(()) };
        if self.foreign {
            fs::rename(path, aside(path))
                .map_err(|error| format!("cannot rename {}: {error}", path.display()))?;
            self.foreign = false;
        }
        write_whole(path, ram).map_err(|error| error.to_string())?;
        self.kept = ram.to_vec();
        Ok(())
    }

    /// Keeps `ram` as the power goes off or the cartridge out: if its file cannot be written, in
    /// another.
    pub(crate) fn close(&mut self, ram: &[u8]) -> Outcome {
        let Err(reason) = self.write(ram) else { return Ok(()) };
        let elsewhere = || -> io::Result<PathBuf> {
            let mut file = tempfile::Builder::new().prefix("maxout-").suffix(".sav").tempfile()?;
            file.write_all(ram)?;
            Ok(file.keep().map_err(|error| error.error)?.1)
        };
        Err(match elsewhere() {
            Ok(other) => format!("{reason} The battery RAM was saved to {} instead", other.display()),
            Err(error) => format!("{reason} The battery RAM is lost: {error}"),
        })
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
        let (battery, outcome) = Battery::of(Some(saves), "game", &cartridge());
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
        let (mut battery, outcome) = open(&saves);
        assert!(outcome.unwrap_err().contains("writable"));
        let mut told = (0..3 * EVERY).filter(|_| battery.frame(&[3; 0x2000]).is_err());
        assert_eq!((told.next(), told.next()), (Some(EVERY - 1), None), "once is enough");
        let error = battery.close(&[3; 0x2000]).unwrap_err();
        let elsewhere = error.split(" was saved to ").nth(1).and_then(|rest| rest.split(" instead").next());
        let elsewhere = Path::new(elsewhere.expect("it says where"));
        assert_eq!(fs::read(elsewhere).unwrap(), [3; 0x2000]);
        fs::remove_file(elsewhere).unwrap();
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
