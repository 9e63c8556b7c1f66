//! The cartridge in the console, and what is kept for it on disk.

use std::path::{Path, PathBuf};

use draft::{Library, ReadError};
use nes::Cartridge;
use nes::cartridge::patch;
use tetris::{Feature, Profile, Unsupported};

use crate::emulation::battery::{Battery, BatteryError, together};
use crate::emulation::slots::Slots;
use crate::options::read_file;
use crate::{DesktopError, Options};

/// The inserted cartridge: its image and names, its save slots and its battery.
pub(super) struct InsertedCartridge {
    /// Its name; empty for the built-in one.
    pub(super) title: String,
    /// The file that it was made from.
    pub(super) image: Vec<u8>,
    /// Where that file is, if it is one.
    path: Option<PathBuf>,
    pub(super) slots: Slots,
    /// None for a cartridge without.
    pub(super) battery: Option<Battery>,
    /// Where save slots and battery saves of all cartridges are.
    states: Option<PathBuf>,
    saves: Option<PathBuf>,
    /// The list of what was played.
    recent: Option<PathBuf>,
    /// The image of the built-in cartridge, and its labels.
    built_in: Option<Vec<u8>>,
    labels: Option<String>,
    /// Where a cartridge keeps things, if the player has said so.
    profile: Option<Profile>,
}

impl InsertedCartridge {
    /// Returns what `options` insert, and in a line what is wrong with its battery save.
    pub(super) fn new(options: &Options, cartridge: &Cartridge) -> (Self, Result<(), BatteryError>) {
        let built_in = options.built_in.as_ref().map(|(_, image)| image.clone());
        let mut inserted = Self {
            title: String::new(),
            image: vec![],
            path: None,
            slots: Slots::new(None, "", 0),
            battery: None,
            states: options.states.clone(),
            saves: options.folders.saves.clone(),
            recent: options.folders.recent.clone(),
            labels: options.labels.clone(),
            built_in,
            profile: options.profile.clone(),
        };
        let outcome =
            inserted.replace(options.title.clone(), &options.image, cartridge, options.path.as_deref());
        (inserted, outcome)
    }

    /// Returns the cartridge image in the file at `path`. A patch goes over the cartridge that is
    /// inserted if it says nothing else, and otherwise over the one that it is for.
    ///
    /// # Errors
    /// [`DesktopError::Read`]: there is none, or the patch is for another file that was not found.
    pub(super) fn image_in(&self, path: &Path) -> Result<Vec<u8>, DesktopError> {
        let failed = |source: ReadError| DesktopError::Read { path: path.into(), source: source.into() };
        let bytes = read_file(path)?;
        let is_for_this = patch::Kind::of(&bytes).is_some()
            && patch::source_crc32(&bytes).is_none_or(|crc32| patch::is_source(crc32, &self.image));
        if is_for_this {
            return patch::apply_to_image(&bytes, &self.image).map_err(|error| failed(error.into()));
        }
        let library = Library {
            recent: self.recent.as_deref(),
            built_in: self.built_in.as_deref().unwrap_or_default(),
        };
        library.image(path, bytes).map_err(failed)
    }

    /// Inserts another cartridge, which `image` is of, from the file `path`.
    ///
    /// # Errors
    /// [`BatteryError`] where its battery save cannot be used as it is. It is inserted all the
    /// same.
    pub(super) fn replace(
        &mut self,
        title: String,
        image: &[u8],
        cartridge: &Cartridge,
        path: Option<&Path>,
    ) -> Result<(), BatteryError> {
        self.slots = Slots::new(self.states.as_deref(), &title, cartridge.crc32());
        self.battery = None; // the same cartridge's is free again
        let (battery, outcome) = Battery::of(self.saves.as_deref(), &title, cartridge);
        self.battery = battery;
        let others = self.battery.as_mut().map_or(Ok(()), |battery| battery.look_around(path, &title));
        let outcome = together(outcome, others);
        image.clone_into(&mut self.image);
        self.title = title;
        self.path = path.map(Path::to_path_buf);
        outcome
    }

    /// Returns what the battery has kept from the last time.
    pub(super) fn kept(&self) -> &[u8] {
        self.battery.as_ref().map_or(&[], Battery::kept)
    }

    /// Returns ld65's debug file beside the ROM, where the linker puts it with `--dbgfile`.
    pub(super) fn debug_file(&self) -> Option<PathBuf> {
        Some(self.path.as_ref()?.with_extension("dbg")).filter(|path| path.is_file())
    }

    /// Returns the labels of the program, as ld65 wrote them, if it is the built-in one.
    pub(super) fn labels(&self) -> Option<&str> {
        self.labels.as_deref().filter(|_| self.built_in.as_ref() == Some(&self.image))
    }

    /// Returns the profile that the player has given, if it is this cartridge's.
    pub(super) fn given_profile(&self) -> Option<&Profile> {
        self.profile.as_ref().filter(|profile| profile.is_of(&self.image))
    }

    /// Returns this cartridge's profile, the player's or a known one.
    ///
    /// # Errors
    /// When there is none, or none that knows enough for `feature`.
    pub(super) fn profile_for(&self, feature: Feature) -> Result<Profile, Unsupported> {
        let given = self.given_profile().cloned();
        given.map_or_else(|| Profile::for_feature(&self.image, feature), |given| given.supporting(feature))
    }

    /// A frame has run; `ram` is the battery's now.
    ///
    /// # Errors
    /// [`BatteryError`] where the battery save cannot be written.
    pub(super) fn battery_frame(&mut self, ram: &[u8]) -> Result<(), BatteryError> {
        self.battery.as_mut().map_or(Ok(()), |battery| battery.frame(ram))
    }

    /// Returns where `ram` would be written now, and that; none where nothing would be.
    pub(super) fn unwritten<'a>(&'a self, ram: &'a [u8]) -> Option<(&'a Path, &'a [u8])> {
        self.battery.as_ref().and_then(|battery| battery.unwritten(ram))
    }

    /// Writes the battery save, before the power goes off or the cartridge out.
    ///
    /// # Errors
    /// [`BatteryError`] where it cannot be written.
    pub(super) fn close_battery(&mut self, ram: &[u8]) -> Result<(), BatteryError> {
        self.battery.as_mut().map_or(Ok(()), |battery| battery.close(ram))
    }
}

/// Returns what a player has to know of the cartridge's image, in lines: a part that the machine
/// does not see, what the game saves and is lost, or the region that its name says.
pub(super) fn losses(cartridge: &Cartridge) -> impl Iterator<Item = String> {
    cartridge.info().warnings.iter().filter(|warning| warning.is_told()).map(ToString::to_string)
}

#[cfg(test)]
mod tests {
    use super::*;

    const IMAGE: &[u8] = include_bytes!("../../../../../roms/maxout.nes");
    const OTHER: &[u8] = include_bytes!("../../../../../roms/tests/pads_read_twice.nes");

    #[test]
    fn the_debug_file_is_the_one_beside_the_rom() {
        let folder = tempfile::tempdir().unwrap();
        let mut options = Options::new("", IMAGE.to_vec());
        options.path = Some(folder.path().join("game.nes"));
        let cartridge = Cartridge::from_bytes(IMAGE).unwrap();
        let (mut inserted, _) = InsertedCartridge::new(&options, &cartridge);
        assert_eq!(inserted.debug_file(), None);
        std::fs::write(folder.path().join("game.dbg"), "").unwrap();
        assert_eq!(inserted.debug_file(), Some(folder.path().join("game.dbg")));
        inserted.replace("other".into(), IMAGE, &cartridge, None).unwrap();
        assert_eq!(inserted.debug_file(), None);
    }

    #[test]
    fn labels_are_those_of_the_built_in_cartridge_only() {
        let mut options = Options::new("", IMAGE.to_vec());
        options.built_in = Some((String::new(), IMAGE.to_vec()));
        options.labels = Some("al 008000 .reset".into());
        let (mut inserted, outcome) =
            InsertedCartridge::new(&options, &Cartridge::from_bytes(IMAGE).unwrap());
        outcome.unwrap();
        assert_eq!(inserted.labels(), Some("al 008000 .reset"));
        inserted.replace("other".into(), OTHER, &Cartridge::from_bytes(OTHER).unwrap(), None).unwrap();
        assert_eq!((inserted.labels(), inserted.title.as_str(), inserted.kept()), (None, "other", &[][..]));
        assert!(inserted.image == OTHER);
    }
}
