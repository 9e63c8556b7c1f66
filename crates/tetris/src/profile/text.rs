//! A profile as a file: TOML that somebody wrote by hand.

use serde::Deserialize;
use thiserror::Error;
use toml::Spanned;

use super::{Partial, Profile};
use crate::hooks::HOOKS;
use crate::ram::MAP;

/// Why a text is no profile. Lines are counted from 1.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ProfileError {
    /// It is not TOML, or a key has something else than it should.
    #[error(
        "line {line}: {message}; expected name, sha1 = [\"…\"], perhaps partial, and tables [ram], [values] and [hooks] of name = number"
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
    /// A number outside of what it is to be in.
    #[error("line {line}: {name} = ${address:04X}: expected {expected}")]
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
    partial: Vec<Table>,
    #[serde(default)]
    ram: std::collections::BTreeMap<String, Spanned<i64>>,
    #[serde(default)]
    values: std::collections::BTreeMap<String, Spanned<i64>>,
    #[serde(default)]
    hooks: std::collections::BTreeMap<String, Spanned<i64>>,
}

/// A table of the text.
#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Table {
    Ram,
    Hooks,
}

impl Profile {
    /// Reads a profile of another cartridge. `[ram]` and `[hooks]` name what stands elsewhere than
    /// in the maps; what they leave out stands where the maps say, or nobody knows where: `partial`
    /// lists the tables of which that is so.
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
        let mut profile = Self::named(&read.name);
        let lists = |table| read.partial.contains(&table);
        profile.partial = Partial { ram: lists(Table::Ram), hooks: lists(Table::Hooks) };
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
            let at = address(name, value, 0, last, "an address in RAM, $0000 to $07FF")?;
            profile.places.push((*place, at));
        }
        for (name, value) in &read.values {
            let place =
                MAP.iter().find(|place| place.name == name).ok_or_else(|| unknown(name, value, "RAM"))?;
            let byte = address(name, value, 0, 0xFF, "a byte, $00 to $FF")?;
            profile.values.push((*place, byte as u8));
        }
        for (name, value) in &read.hooks {
            let hook =
                HOOKS.iter().find(|hook| hook.name == name).ok_or_else(|| unknown(name, value, "PRG-ROM"))?;
            profile.hooks.push((
                *hook,
                address(name, value, 0x8000, 0xFFFF, "an address in PRG-ROM, $8000 to $FFFF")?,
            ));
        }
        Ok(profile)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Feature;

    const HEAD: &str = "name = \"x\"\nsha1 = []\n";

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        let error = |text: &str| Profile::parse(&format!("{HEAD}{text}")).unwrap_err().to_string();
        assert!(error("[ram]\nlvl = 1\n").starts_with("line 4: lvl: no such name"));
        assert!(error("[ram]\nlevel = -1\n").starts_with("line 4: level = $"));
        assert!(error("[ram]\nplayfield = 0x0701\n").starts_with("line 4: playfield = $0701: expected"));
        assert!(
            error("[values]\ngame_type = 256\n").starts_with("line 4: game_type = $0100: expected a byte")
        );
        assert!(error("[values]\ntype = 1\n").starts_with("line 4: type: no such name"));
        assert!(error("[hooks]\n\nspawn = 0x7FFF\n").starts_with("line 5: spawn = $7FFF: expected"));
        assert!(error("[ram]\nlevel = \"x\"\n").starts_with("line 4: "));
        assert!(error("colour = 1\n").starts_with("line 3: "));
        assert!(error("partial = [\"rom\"]\n").starts_with("line 3: "));
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
    fn a_partial_table_lists_all_that_is_known() {
        let text = format!("{HEAD}partial = [\"hooks\"]\n[hooks]\nnew_piece = 0x9000\n");
        let profile = Profile::parse(&text).unwrap();
        assert!(profile.clone().supporting(Feature::Pieces).is_ok());
        assert!(profile.clone().supporting(Feature::Events).is_ok());
        let refused = profile.supporting(Feature::Guard).unwrap_err().to_string();
        assert!(refused.contains('x') && refused.contains("points"), "{refused}");
    }
}
