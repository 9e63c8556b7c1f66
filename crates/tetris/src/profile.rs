//! Which cartridge is this, and do the maps hold for it?

use serde::Deserialize;
use thiserror::Error;
use toml::Spanned;

use crate::hooks::{DEFAULT_HIGH_SCORES, DISPATCH, HOOKS, Hook};
use crate::ram::{MAP, Place};
use crate::rom::BUILT_IN_HIGH_SCORES;

/// What is known of a cartridge: its name, and where its RAM and program differ from the maps.
///
/// ```
/// use tetris::{Profile, ram};
///
/// let text = "name = \"A hack\"\nsha1 = [\"da39a3ee5e6b4b0d3255bfef95601890afd80709\"]\n[ram]\nlevel = 0x0190\n";
/// let profile = Profile::parse(text)?;
/// let mut machine = [0; 0x800];
/// machine[0x190] = 7;
/// assert_eq!(profile.as_mapped(&machine)[ram::LEVEL.at()], 7);
///
/// let error = Profile::parse("name = \"A hack\"\nsha1 = []\n[ram]\nlevel = 0x0800\n").unwrap_err();
/// assert_eq!(error.to_string(), "line 4: level = $0800: expected an address in RAM, $0000 to $07FF");
/// # Ok::<(), tetris::ProfileError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Profile {
    /// The cartridge's name.
    pub name: String,
    /// SHA-1 of the file or of PRG-ROM and CHR-ROM without a header, in lower-case hexadecimal.
    pub sha1: Vec<String>,
    places: Vec<(Place, u16)>,
    hooks: Vec<(Hook, u16)>,
}

/// Why a text is no profile. Lines are counted from 1.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ProfileError {
    /// It is not TOML, or a key has something else than it should.
    #[error(
        "line {line}: {message}; expected name, sha1 = [\"…\"], and tables [ram] and [hooks] of name = address"
    )]
    Form {
        /// Line number.
        line: usize,
        /// What the reader of TOML says.
        message: String,
    },
    /// A name that no map has.
    #[error("line {line}: {name}: no such name in the map of {map}")]
    Name {
        /// Line number.
        line: usize,
        /// The name found.
        name: String,
        /// Which map.
        map: &'static str,
    },
    /// An address outside of the memory it is to be in.
    #[error("line {line}: {name} = ${address:04X}: expected an address in {expected}")]
    Address {
        /// Line number.
        line: usize,
        /// The name.
        name: String,
        /// The address found.
        address: i64,
        /// Where it may be.
        expected: &'static str,
    },
    /// A hash that is none.
    #[error("line {line}: expected the forty hexadecimal digits of a SHA-1, found {found:?}")]
    Hash {
        /// Line number.
        line: usize,
        /// What was found.
        found: String,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Text {
    name: String,
    sha1: Vec<Spanned<String>>,
    #[serde(default)]
    ram: std::collections::BTreeMap<String, Spanned<i64>>,
    #[serde(default)]
    hooks: std::collections::BTreeMap<String, Spanned<i64>>,
}

/// The US cartridge: its file as catalogued, and its ROM without a header.
const US: [&str; 2] =
    ["77747840541bfc62a28a5957692a98c550bd6b2b", "fd9079cb5e8479eb06d93c2ae5175bfce871746a"];
/// The built-in cartridge's image; it is known by its bytes, which change with its sources.
const BUILT_IN: &[u8] = include_bytes!("../../../roms/maxout.nes");
/// Where it has the jump tables' subroutine.
const BUILT_IN_DISPATCH: u16 = 0xAA7B;
/// The slow build of its sources, which takes as long as the US cartridge to count points: the SHA-1 of its file, and of
/// what follows the header, which are known here and not the image.
const SLOW: &str = include_str!("../../../roms/maxout-slow.sha1");

impl Profile {
    /// The profile of an image whose SHA-1 is `sha1`, or `headerless` for what follows its 16-byte header: the US
    /// cartridge, the built-in one or its slow build. `None` for any other: there the game's features stay off.
    pub fn of_image(image: &[u8], sha1: &str, headerless: &str) -> Option<Self> {
        let plain = |name: &str| Self {
            name: name.to_owned(),
            sha1: Vec::new(),
            places: Vec::new(),
            hooks: Vec::new(),
        };
        let moved = vec![(DEFAULT_HIGH_SCORES, BUILT_IN_HIGH_SCORES), (DISPATCH, BUILT_IN_DISPATCH)];
        if image == BUILT_IN {
            return Some(Self { hooks: moved, ..plain("Maxout") });
        }
        let us = Self { sha1: US.map(str::to_owned).to_vec(), ..plain("Tetris (US)") };
        let slow = SLOW.lines().map(str::to_owned).collect();
        let slow = Self { sha1: slow, hooks: moved, ..plain("Maxout (slow)") };
        [us, slow].into_iter().find(|known| known.is_of(sha1, headerless))
    }

    /// Is it the profile of an image with one of these hashes?
    pub fn is_of(&self, sha1: &str, headerless: &str) -> bool {
        self.sha1.iter().any(|known| known == sha1 || known == headerless)
    }

    /// Reads a profile of another cartridge. `[ram]` and `[hooks]` name what stands elsewhere than in the maps; what
    /// they leave out stands where the maps say.
    ///
    /// # Errors
    /// The first thing found wrong, with its line.
    pub fn parse(text: &str) -> Result<Self, ProfileError> {
        let line = |at: usize| text.as_bytes().iter().take(at).filter(|&&byte| byte == b'\n').count() + 1;
        let read: Text = toml::from_str(text).map_err(|error| ProfileError::Form {
            line: line(error.span().map_or(0, |span| span.start)),
            message: error.message().to_owned(),
        })?;
        let address = |name: &str, value: &Spanned<i64>, first: u16, last: u16, expected: &'static str| {
            let found = *value.get_ref();
            u16::try_from(found).ok().filter(|address| (first..=last).contains(address)).ok_or_else(|| {
                ProfileError::Address {
                    line: line(value.span().start),
                    name: name.to_owned(),
                    address: found,
                    expected,
                }
            })
        };
        let unknown = |name: &str, value: &Spanned<i64>, map| ProfileError::Name {
            line: line(value.span().start),
            name: name.to_owned(),
            map,
        };
        let mut profile = Self { name: read.name, sha1: Vec::new(), places: Vec::new(), hooks: Vec::new() };
        for hash in read.sha1 {
            let digits = hash.get_ref().to_ascii_lowercase();
            if digits.len() != 40 || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
                return Err(ProfileError::Hash { line: line(hash.span().start), found: hash.into_inner() });
            }
            profile.sha1.push(digits);
        }
        for (name, value) in &read.ram {
            let place =
                MAP.iter().find(|place| place.name == name).ok_or_else(|| unknown(name, value, "RAM"))?;
            let last = 0x800 - place.bytes;
            let at = address(name, value, 0, last, "RAM, $0000 to $07FF")?;
            profile.places.push((*place, at));
        }
        for (name, value) in &read.hooks {
            let hook =
                HOOKS.iter().find(|hook| hook.name == name).ok_or_else(|| unknown(name, value, "PRG-ROM"))?;
            profile.hooks.push((*hook, address(name, value, 0x8000, 0xFFFF, "PRG-ROM, $8000 to $FFFF")?));
        }
        Ok(profile)
    }

    /// Where a hook stands in this cartridge.
    pub fn address(&self, hook: Hook) -> u16 {
        self.hooks.iter().find(|(known, _)| *known == hook).map_or(hook.address, |&(_, address)| address)
    }

    /// Where a place of RAM is in this cartridge.
    pub fn place_address(&self, place: Place) -> u16 {
        self.places.iter().find(|(known, _)| *known == place).map_or(place.address, |&(_, address)| address)
    }

    /// The machine's RAM with everything where the map says, for a [`View`](crate::View) or a watcher.
    pub fn as_mapped(&self, machine: &[u8; 0x800]) -> [u8; 0x800] {
        let mut mapped = *machine;
        for &(place, address) in &self.places {
            let from = usize::from(address);
            mapped[place.range()].copy_from_slice(&machine[from..from + usize::from(place.bytes)]);
        }
        mapped
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "name = \"x\"\nsha1 = []\n";

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        let error = |text: &str| Profile::parse(&format!("{HEAD}{text}")).unwrap_err().to_string();
        assert!(error("[ram]\nlvl = 1\n").starts_with("line 4: lvl: no such name"));
        assert!(error("[ram]\nlevel = -1\n").starts_with("line 4: level = $"));
        assert!(error("[ram]\nplayfield = 0x0701\n").starts_with("line 4: playfield = $0701: expected"));
        assert!(error("[hooks]\n\nspawn = 0x7FFF\n").starts_with("line 5: spawn = $7FFF: expected"));
        assert!(error("[ram]\nlevel = \"x\"\n").starts_with("line 4: "));
        assert!(error("colour = 1\n").starts_with("line 3: "));
        let hash = Profile::parse("name = \"x\"\nsha1 = [\"12\"]\n").unwrap_err();
        assert_eq!(hash, ProfileError::Hash { line: 2, found: "12".to_owned() });
    }

    #[test]
    fn no_text_makes_it_panic() {
        for text in
            ["", "[", "\u{0}", "name=", "sha1 = [[]]", "ram = 1", "[ram]\nlevel = 99999999999999999999"]
        {
            assert!(Profile::parse(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn cartridges_are_known_by_bytes_or_hash() {
        assert_eq!(
            Profile::of_image(BUILT_IN, "", "").map(|profile| profile.name),
            Some("Maxout".to_owned())
        );
        assert_eq!(
            Profile::of_image(b"", US[0], "").map(|profile| profile.name),
            Some("Tetris (US)".to_owned())
        );
        assert_eq!(
            Profile::of_image(b"", "", US[1]).map(|profile| profile.name),
            Some("Tetris (US)".to_owned())
        );
        assert_eq!(Profile::of_image(b"", "0", "1"), None);
    }

    #[test]
    fn the_slow_build_is_known_by_its_hash_alone() {
        let image = include_bytes!("../../../roms/maxout-slow.nes");
        assert_eq!(Profile::of_image(image, "", ""), None);
        let hashes: Vec<_> = SLOW.lines().collect();
        assert_eq!(hashes.len(), 2);
        let profiles =
            [(hashes[0], ""), ("", hashes[1])].map(|(whole, rest)| Profile::of_image(image, whole, rest));
        assert_eq!(profiles[0], profiles[1]);
        assert_eq!(profiles[0].as_ref().map(|profile| profile.name.as_str()), Some("Maxout (slow)"));
    }

    #[test]
    fn hooks_of_our_builds_stand_where_their_labels_are() {
        let labels =
            [include_str!("../../../roms/maxout.lbl"), include_str!("../../../roms/maxout-slow.lbl")];
        let slow = SLOW.lines().next().unwrap_or_default();
        for (text, profile) in
            labels.into_iter().zip([Profile::of_image(BUILT_IN, "", ""), Profile::of_image(b"", slow, "")])
        {
            let profile = profile.unwrap();
            let stands = |hook: Hook, name: &str| {
                let line = format!("al {:06X} .{name}", profile.address(hook));
                assert!(text.lines().any(|label| label == line), "{}: {line}", profile.name);
            };
            stands(DISPATCH, "dispatch");
            stands(DEFAULT_HIGH_SCORES, "default_high_scores");
            stands(crate::hooks::IDLE, "idle");
            stands(crate::hooks::POINTS, "add_line_points");
            stands(crate::hooks::LINES, "lines_state");
            stands(crate::hooks::MAIN_LOOP, "main_loop");
            stands(crate::hooks::NMI, "nmi");
        }
    }

    #[test]
    fn a_hook_stands_where_the_map_says_unless_the_profile_knows_better() {
        let profile = Profile::parse(&format!("{HEAD}[hooks]\nspawn = 0x9000\n")).unwrap();
        assert_eq!(profile.address(crate::hooks::SPAWN), 0x9000);
        assert_eq!(profile.address(crate::hooks::LOCK), 0x99A2);
    }

    #[test]
    fn a_place_is_where_the_map_says_unless_the_profile_knows_better() {
        let profile = Profile::parse(&format!("{HEAD}[ram]\nlevel = 0x0190\n")).unwrap();
        assert_eq!(profile.place_address(crate::ram::LEVEL), 0x0190);
        assert_eq!(profile.place_address(crate::ram::LINES), 0x0070);
    }
}
