//! What a player can set, as front ends list it.

use nes::Region;
use randomizers::Kind;

/// One option of the list: its key, what it is called, and its values, the usual one first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Option {
    /// The key by which a front end keeps it.
    pub key: &'static str,
    /// What it is called.
    pub name: &'static str,
    /// Its values.
    pub values: Vec<String>,
}

/// Values of a seed: more make a list too long to scroll through.
const SEEDS: u32 = 100;

/// What the player has set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The console's region; none for the cartridge's.
    pub region: std::option::Option<Region>,
    /// Rows hidden at the top and at the bottom.
    pub overscan: usize,
    /// What deals the pieces instead of the game.
    pub randomizer: std::option::Option<Kind>,
    /// Its seed.
    pub seed: u64,
    /// The PPU ignores writes before its first vertical blank has ended.
    pub strict_ppu_start: bool,
}

impl Options {
    /// Returns the list, in its order.
    pub fn list() -> Vec<Option> {
        let option = |key, name, values: &[&str]| Option {
            key,
            name,
            values: values.iter().map(|value| (*value).to_owned()).collect(),
        };
        let kinds = Kind::ALL.into_iter().map(|kind| kind.to_string());
        let seeds = (0..SEEDS).map(|seed| seed.to_string());
        vec![
            option("maxout_region", "Region (restart)", &["auto", "NTSC", "PAL"]),
            option("maxout_overscan", "Hide rows at top and bottom", &["0", "8", "16"]),
            Option {
                key: "maxout_randomizer",
                name: "Randomizer of Tetris",
                values: ["of the game".to_owned()].into_iter().chain(kinds).collect(),
            },
            Option { key: "maxout_seed", name: "Seed of the randomizer", values: seeds.collect() },
            option("maxout_strict_ppu_start", "PPU ignores early writes (restart)", &["off", "on"]),
        ]
    }

    /// Reads them; `value` has what is set for a key. What is not known is as usual.
    pub fn read(value: impl Fn(&str) -> std::option::Option<String>) -> Self {
        let text = |key| value(key).unwrap_or_default();
        Self {
            region: match text("maxout_region").as_str() {
                "NTSC" => Some(Region::Ntsc),
                "PAL" => Some(Region::Pal),
                _ => None,
            },
            overscan: text("maxout_overscan").parse().ok().filter(|rows| *rows <= 16).unwrap_or(0),
            randomizer: text("maxout_randomizer").parse().ok(),
            seed: text("maxout_seed").parse().unwrap_or(0),
            strict_ppu_start: text("maxout_strict_ppu_start") == "on",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_of_the_list_is_read_and_the_first_is_the_usual_one() {
        let list = Options::list();
        let usual = |key: &str| list.iter().find(|option| option.key == key).map(|o| o.values[0].clone());
        assert_eq!(Options::read(usual), Options::default());
        assert_eq!(Options::read(|_| None), Options::default());
        assert_eq!(Options::read(|_| Some("nonsense".into())), Options::default());
        for option in &list {
            let mut seen = Vec::new();
            for value in &option.values {
                let read = Options::read(|key| (key == option.key).then(|| value.clone()));
                assert!(!seen.contains(&read), "{}: {value} is read as another value", option.key);
                seen.push(read);
            }
            // Front ends split names from values by a semicolon, and values by bars.
            assert!(!option.name.contains(';') && option.values.iter().all(|value| !value.contains('|')));
        }
    }
}
