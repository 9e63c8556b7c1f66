//! Battery saves of other programs and of other builds of a game: found, brought in, and never
//! written.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::error::Unfit;
use super::{Battery, BatteryError, BatteryResult};

/// Endings of such files: FCEUX, Mesen and flash cartridges write `.sav`, cores of libretro `.srm`.
const ENDINGS: [&str; 2] = ["sav", "srm"];
/// Folders beside the ROM in which they may lie.
const FOLDERS: [&str; 5] = ["", "sav", "saves", "save", "SAVE"];
/// Files of a folder that are looked at, and copies that are kept.
const MOST: usize = 2_000;
const MOST_COPIES: u32 = 100;

/// Returns whether a file's name is that of a battery save.
pub(crate) fn is_named(path: &Path) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str());
    ending.is_some_and(|ending| ENDINGS.iter().any(|known| ending.eq_ignore_ascii_case(known)))
}

impl Battery {
    /// Looks around, once the battery is there and has no file yet: for a save that another program
    /// keeps for the ROM at `rom`, which is gone on with, and for one of another build of the game
    /// `title`, which is told.
    pub(crate) fn look_around(&mut self, rom: Option<&Path>, title: &str) -> BatteryResult {
        let Some(own) = self.path().map(Path::to_owned) else { return Ok(()) };
        let is_second = self.claim.as_ref().is_some_and(|claim| claim.first.is_some());
        if own.exists() || is_second || self.kept.iter().any(|&byte| byte != 0) {
            return Ok(());
        }
        for path in rom.map(beside).unwrap_or_default() {
            let Some(ram) = self.ram_in(&path) else { continue };
            self.put(&own, &ram)?;
            return Err(BatteryError::OfProgram { others: path, own });
        }
        match self.of_another_build(&own, title) {
            None => Ok(()),
            Some(path) => Err(BatteryError::OfAnotherBuild(path)),
        }
    }

    /// Brings in the save at `path`. `ram` is the battery's now, and a copy of what it kept stays.
    /// Returns where that is, if there was anything.
    ///
    /// # Errors
    /// [`BatteryError`]: the file cannot be used, or a file cannot be written. Nothing has changed
    /// then.
    pub(crate) fn bring(&mut self, path: &Path, ram: &[u8]) -> Result<Option<PathBuf>, BatteryError> {
        if self.resting {
            return Err(BatteryError::Resting);
        }
        let own = self.path().map(Path::to_owned).ok_or(BatteryError::NoFolder)?;
        let wrong = |trouble| BatteryError::NotBrought { path: path.into(), trouble };
        let brought =
            draft::read_file(path, self.whole as u64).map_err(|error| wrong(Unfit::Unreadable(error)))?;
        let (expected, found) = (self.kept.len(), brought.len());
        let brought = self.part_of(&brought).ok_or_else(|| wrong(Unfit::Length { expected, found }))?;
        self.write(ram)?;
        let copy = if own.exists() {
            Some(copy(&own).map_err(|source| BatteryError::NotCopied { path: own.clone(), source })?)
        } else {
            None
        };
        self.put(&own, &brought)?;
        Ok(copy)
    }

    /// Returns what the battery would take of the file at `path`; none if it is no save of it.
    fn ram_in(&self, path: &Path) -> Option<Vec<u8>> {
        self.part_of(&draft::read_file(path, self.whole as u64).ok()?)
    }

    /// Returns the newest save of another build: a file of the same words but for numbers, and of
    /// the same size.
    fn of_another_build(&self, own: &Path, title: &str) -> Option<PathBuf> {
        let wanted = words(title);
        let is_one = |path: &PathBuf| {
            let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
            // The name ends with a hyphen and the CRC32.
            let name = stem.rsplit_once('-').map_or("", |(name, _)| name);
            path.extension().is_some_and(|ending| ending == "sav")
                && path != own
                && !wanted.is_empty()
                && words(name) == wanted
                && self.ram_in(path).is_some()
        };
        let saves = own.parent()?.read_dir().ok()?.flatten().take(MOST).map(|entry| entry.path());
        saves.filter(is_one).max_by_key(|path| fs::metadata(path).and_then(|file| file.modified()).ok())
    }
}

/// Returns the letters of a title, without numbers of versions and signs.
fn words(title: &str) -> String {
    title.chars().filter(|letter| letter.is_alphabetic()).flat_map(char::to_lowercase).collect()
}

/// Returns where other programs keep what the battery of the ROM at `rom` has, as far as there are
/// files.
fn beside(rom: &Path) -> Vec<PathBuf> {
    let (Some(stem), folder) = (rom.file_stem(), rom.parent().unwrap_or(Path::new(""))) else {
        return vec![];
    };
    let names = ENDINGS.map(|ending| {
        let mut name = stem.to_owned();
        name.push(".");
        name.push(ending);
        name
    });
    let paths =
        FOLDERS.into_iter().flat_map(|inner| names.iter().map(move |name| folder.join(inner).join(name)));
    paths.filter(|path| path.is_file()).collect()
}

/// Copies the file at `path` beside it, under a name that no file has. Returns that.
fn copy(path: &Path) -> io::Result<PathBuf> {
    let bytes = fs::read(path)?;
    for number in 1..=MOST_COPIES {
        let copy = path.with_extension(format!("sav.{number}.bak"));
        match fs::File::create_new(&copy) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
            Ok(_) => {
                draft::Draft::write_file(&copy, &bytes)?;
                return Ok(copy);
            }
        }
    }
    Err(io::Error::other(format!("there are already {MOST_COPIES} copies beside it: move them elsewhere")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open(saves: &Path, title: &str) -> Battery {
        let cartridge = nes_testing::Image::ines(0, 1, 1).with(6, 2).cartridge();
        let strays = vec![saves.with_extension("strays")];
        Battery::with(Some(saves), title, &cartridge, strays).0.expect("it has a battery")
    }

    #[test]
    fn a_save_beside_the_rom_is_gone_on_with_and_stays_as_it_is() {
        for name in ["game.sav", "game.srm", "sav/game.sav", "SAVE/game.srm"] {
            let folder = tempfile::tempdir().unwrap();
            let (rom, saves, theirs) =
                (folder.path().join("game.nes"), folder.path().join("own"), folder.path().join(name));
            fs::create_dir_all(theirs.parent().unwrap()).unwrap();
            fs::write(&theirs, [5; 0x2000]).unwrap();
            let mut battery = open(&saves, "game");
            let told = battery.look_around(Some(&rom), "game").unwrap_err().to_string();
            assert!(told.contains(name) && told.contains("is not changed"), "{told}");
            assert_eq!(battery.kept(), [5; 0x2000]);
            battery.close(&[6; 0x2000]).unwrap();
            assert_eq!(fs::read(&theirs).unwrap(), [5; 0x2000]);
            drop(battery);
            let mut again = open(&saves, "game");
            again.look_around(Some(&rom), "game").unwrap();
            assert_eq!(again.kept(), [6; 0x2000], "its own file goes before the other");
        }
    }

    #[test]
    fn a_file_of_another_size_beside_the_rom_is_none() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("game.sav"), [5; 100]).unwrap();
        let mut battery = open(&folder.path().join("own"), "game");
        battery.look_around(Some(&folder.path().join("game.nes")), "game").unwrap();
        battery.look_around(None, "game").unwrap();
        assert_eq!(battery.kept(), [0; 0x2000]);
    }

    #[test]
    fn a_save_of_another_build_is_offered_and_not_taken() {
        let folder = tempfile::tempdir().unwrap();
        let saves = folder.path();
        let older = saves.join("GYM 5-00000001.sav");
        fs::write(&older, [5; 0x2000]).unwrap();
        fs::write(saves.join("GYM 5-00000002.sav"), [5; 100]).unwrap();
        fs::write(saves.join("Other-00000003.sav"), [5; 0x2000]).unwrap();
        let mut battery = open(saves, "Gym-6.0.0");
        let told = battery.look_around(None, "Gym-6.0.0").unwrap_err().to_string();
        assert!(told.contains("GYM 5-00000001.sav") && told.contains("drop it"), "{told}");
        assert_eq!(battery.kept(), [0; 0x2000]);
        assert_eq!(battery.bring(&older, &[0; 0x2000]).unwrap(), None);
        assert_eq!(battery.kept(), [5; 0x2000]);
        battery.look_around(None, "Gym-6.0.0").unwrap();
        open(&saves.join("x"), "7").look_around(None, "7").unwrap();
    }

    #[test]
    fn what_is_brought_in_leaves_a_copy_of_what_was_there() {
        let folder = tempfile::tempdir().unwrap();
        let saves = folder.path().join("own");
        let theirs = folder.path().join("theirs.sav");
        fs::write(&theirs, [9; 0x2000]).unwrap();
        let mut battery = open(&saves, "game");
        battery.write(&[1; 0x2000]).unwrap();
        // What was saved since then is in the copy, too.
        let copy = battery.bring(&theirs, &[2; 0x2000]).unwrap().expect("a copy");
        assert_eq!(fs::read(&copy).unwrap(), [2; 0x2000]);
        assert_eq!(
            (battery.kept(), fs::read(battery.path().unwrap()).unwrap()),
            (&[9; 0x2000][..], vec![9; 0x2000])
        );
        let second = battery.bring(&theirs, &[9; 0x2000]).unwrap().expect("a copy");
        assert_ne!(copy, second);
        fs::write(&theirs, [9; 10]).unwrap();
        let refused = battery.bring(&theirs, &[3; 0x2000]).unwrap_err().to_string();
        assert!(refused.contains("expected 8192 bytes, found 10"), "{refused}");
        assert_eq!(battery.kept(), [9; 0x2000]);
        battery.rest();
        assert!(matches!(battery.bring(&theirs, &[3; 0x2000]), Err(BatteryError::Resting)));
    }
}
