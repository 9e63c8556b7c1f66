//! The cartridge of a game, and where it keeps things.

use std::path::{Path, PathBuf};

use nes::Cartridge;
use tetris::hooks::Hook;
use tetris::{Feature, Hashes, Profile};

use crate::error::{Error, wrong};
use crate::image_file;
use crate::image_file::Named;
use crate::source::{Patches, Source};

/// Bytes of an iNES header.
const HEADER: usize = 16;
/// Where in CHR-ROM the tiles of a game are: the fourth bank of 4 KiB.
const GAME_TILES: usize = 0x3000;

/// Which cartridge of the game, as arguments.
#[derive(clap::Args)]
pub struct Choice {
    /// Cartridge image; without one, the built-in cartridge.
    pub rom: Option<PathBuf>,
    /// Memory map of a cartridge that is not recognised (docs/profiles.md).
    #[arg(long, value_name = "FILE.toml")]
    profile: Option<PathBuf>,
    /// Patches of the cartridge.
    #[command(flatten)]
    pub patches: Patches,
}

impl Choice {
    /// The cartridge and what is known of it, which is enough for `feature`.
    ///
    /// # Errors
    /// When the cartridge cannot be read or patched, is not recognised, or too little is known of
    /// it.
    pub fn known(&self, feature: Feature) -> Result<Known, Error> {
        known(self.patches.over(self.rom.as_deref()), self.profile.as_deref(), feature)
    }

    /// The same, after a look that no output is the cartridge, its memory map, one of the further
    /// inputs or another output.
    ///
    /// # Errors
    /// When two names are the same file, and as [`Choice::known`].
    pub fn known_beside(
        &self,
        feature: Feature,
        inputs: &[Named<'_>],
        outputs: &[Named<'_>],
    ) -> Result<Known, Error> {
        let ours = [("the cartridge", self.rom.as_deref()), ("--profile", self.profile.as_deref())];
        image_file::check_outputs(&[&ours[..], inputs, &self.patches.named()].concat(), outputs)?;
        self.known(feature)
    }

    /// What to call it.
    pub fn path(&self) -> &Path {
        self.patches.over(self.rom.as_deref()).path()
    }
}

/// A cartridge of the game.
pub struct Known {
    /// The file.
    pub image: Vec<u8>,
    /// The cartridge itself.
    pub cartridge: Cartridge,
    /// Where it keeps things.
    pub profile: Profile,
}

impl Known {
    /// Where in the image a hook stands: on a cartridge without banks, as the game's are.
    pub fn offset(&self, hook: Hook) -> usize {
        HEADER + usize::from(self.profile.address(hook)) - 0x8000
    }

    /// Where in the image the tiles are that a game is drawn with.
    pub fn game_tiles(&self) -> usize {
        HEADER + self.cartridge.info().prg_rom_in_image + GAME_TILES
    }
}

/// Any cartridge, with what is known of it.
pub struct Found {
    /// Its file.
    pub image: Vec<u8>,
    /// The cartridge itself.
    pub cartridge: Cartridge,
    /// Where it keeps things, if it is recognised.
    pub profile: Option<Profile>,
}

/// The cartridge of the image that was named, or the built-in one, with the profile of the file
/// `profile`, or a known one, if there is any.
///
/// # Errors
/// When the cartridge or the profile cannot be read.
pub fn found<'a>(source: impl Into<Source<'a>>, profile: Option<&Path>) -> Result<Found, Error> {
    let source = source.into();
    let image = source.image()?;
    let cartridge = source.cartridge()?;
    let profile = match profile {
        None => Profile::of_image(&image),
        Some(file) => Some(of_file(file, &image, source.path())?),
    };
    Ok(Found { image, cartridge, profile })
}

/// The same for `feature`, of which enough has to be known.
///
/// # Errors
/// When the cartridge cannot be read, is not recognised, or too little is known of it.
pub fn known<'a>(
    source: impl Into<Source<'a>>,
    profile: Option<&Path>,
    feature: Feature,
) -> Result<Known, Error> {
    let source = source.into();
    let Found { image, cartridge, profile } = found(source, profile)?;
    let profile =
        profile.map_or_else(|| Profile::for_feature(&image, feature), |known| known.supporting(feature));
    let path = source.path();
    let unsupported =
        |source| Error::Unsupported { path: path.into(), source, sha1: Hashes::of(&image).file };
    Ok(Known { profile: profile.map_err(unsupported)?, image, cartridge })
}

/// The profile of the file `file`, which has to be of the `image` at `path`.
///
/// # Errors
/// When the profile cannot be read, or is for another cartridge.
pub fn of_file(file: &Path, image: &[u8], path: &Path) -> Result<Profile, Error> {
    let text = String::from_utf8_lossy(&image_file::read(file)?).into_owned();
    let profile = Profile::parse(&text).map_err(wrong(file))?;
    if !profile.is_of(image) {
        let sha1 = Hashes::of(image).file;
        return Err(Error::OtherGame { path: path.into(), sha1, profile: profile.name });
    }
    Ok(profile)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::built_in;

    const OTHER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../roms/tests/single_screen.nes");

    #[test]
    fn the_built_in_cartridge_is_known() {
        let game = known(None, None, Feature::Computer).unwrap();
        assert_eq!(game.profile.name, "Maxout");
        assert_eq!(game.image, built_in::IMAGE);
    }

    #[test]
    fn another_cartridge_needs_a_profile_with_its_hash() {
        let rom = Path::new(OTHER);
        let error = known(Some(rom), None, Feature::Events).map(|_| ()).unwrap_err();
        assert!(matches!(error, Error::Unsupported { .. }), "{error}");
        let hash = Hashes::of(&std::fs::read(rom).unwrap()).file;
        let folder = tempfile::tempdir().unwrap();
        let profile = folder.path().join("other.toml");
        for (listed, fits) in [(hash.as_str(), true), ("da39a3ee5e6b4b0d3255bfef95601890afd80709", false)] {
            std::fs::write(&profile, format!("name = \"Other\"\nsha1 = [\"{listed}\"]\n")).unwrap();
            match known(Some(rom), Some(&profile), Feature::Events) {
                Ok(game) => assert!(fits && game.profile.name == "Other"),
                Err(error) => assert!(!fits && matches!(error, Error::OtherGame { .. }), "{error}"),
            }
        }
        std::fs::write(&profile, "name = \"Other\"\nsha1 = []\n[ram]\nlevel = 0x0900\n").unwrap();
        let error = known(Some(rom), Some(&profile), Feature::Events).map(|_| ()).unwrap_err().to_string();
        assert!(error.contains("line 4: level = $0900"), "{error}");
    }
}
