//! The cartridge of a game, and where it keeps things.

use std::fmt::Write;
use std::path::Path;

use nes::Cartridge;
use sha1::{Digest, Sha1};
use tetris::Profile;

use crate::error::Error;
use crate::{built_in, image_file};

/// Bytes of an iNES header.
const HEADER: usize = 16;

/// A cartridge of the game.
pub(crate) struct Known {
    /// The file.
    pub(crate) image: Vec<u8>,
    pub(crate) cartridge: Cartridge,
    pub(crate) profile: Profile,
}

/// The cartridge whose image is the file `rom`, or the built-in one, by the profile of the file `profile`, or a known
/// one.
pub(crate) fn known(rom: Option<&Path>, profile: Option<&Path>) -> Result<Known, Error> {
    let image = rom.map_or_else(|| Ok(built_in::IMAGE.to_vec()), image_file::read)?;
    let cartridge = built_in::or_file(rom)?;
    let path = rom.unwrap_or(Path::new("the built-in cartridge"));
    let (whole, headerless) = (sha1(&image), sha1(image.get(HEADER..).unwrap_or_default()));
    let profile = match profile {
        None => Profile::of_image(&image, &whole, &headerless)
            .ok_or_else(|| Error::UnknownGame { path: path.into(), sha1: whole })?,
        Some(file) => {
            let text = String::from_utf8_lossy(&image_file::read(file)?).into_owned();
            let profile =
                Profile::parse(&text).map_err(|source| Error::Profile { path: file.into(), source })?;
            if !profile.is_of(&whole, &headerless) {
                return Err(Error::OtherGame { path: path.into(), sha1: whole, profile: profile.name });
            }
            profile
        }
    };
    Ok(Known { image, cartridge, profile })
}

fn sha1(bytes: &[u8]) -> String {
    Sha1::digest(bytes).iter().fold(String::new(), |mut digits, byte| {
        let _ = write!(digits, "{byte:02x}");
        digits
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const OTHER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../roms/tests/single_screen.nes");

    #[test]
    fn the_built_in_cartridge_is_known() {
        let game = known(None, None).unwrap();
        assert_eq!(game.profile.name, "Maxout");
        assert_eq!(game.image, built_in::IMAGE);
    }

    #[test]
    fn another_cartridge_needs_a_profile_with_its_hash() {
        let rom = Path::new(OTHER);
        let error = known(Some(rom), None).map(|_| ()).unwrap_err();
        assert!(matches!(error, Error::UnknownGame { .. }), "{error}");
        let hash = sha1(&std::fs::read(rom).unwrap());
        let folder = tempfile::tempdir().unwrap();
        let profile = folder.path().join("other.toml");
        for (listed, fits) in [(hash.as_str(), true), ("da39a3ee5e6b4b0d3255bfef95601890afd80709", false)] {
            std::fs::write(&profile, format!("name = \"Other\"\nsha1 = [\"{listed}\"]\n")).unwrap();
            match known(Some(rom), Some(&profile)) {
                Ok(game) => assert!(fits && game.profile.name == "Other"),
                Err(error) => assert!(!fits && matches!(error, Error::OtherGame { .. }), "{error}"),
            }
        }
        std::fs::write(&profile, "name = \"Other\"\nsha1 = []\n[ram]\nlevel = 0x0900\n").unwrap();
        let error = known(Some(rom), Some(&profile)).map(|_| ()).unwrap_err().to_string();
        assert!(error.contains("line 4: level = $0900"), "{error}");
    }
}
