//! What a player can set, as front ends list it.

use emulator::Computer;
use nes::{Devices, Palette, Region};
use practice::{Kind as PracticeKind, Mode};
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

/// The highest level that a menu leads to with A held.
const MOST_LEVEL: u8 = 19;

/// The highest number of a practice mode that the list has.
const MOST_NUMBER: u32 = 32;

/// The first seed of the mode that plays a seed; the number is added to it.
const FIRST_SEED: u32 = 0x01_0000;

/// The palette file of the front end's system directory.
pub const PALETTE_FILE: &str = "maxout.pal";

/// Which colours the picture has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Colours {
    /// Those of a television with neutral knobs.
    #[default]
    Television,
    /// The same with more saturation.
    Vivid,
    /// With less.
    Muted,
    /// Without colours.
    Grey,
    /// Those of [`PALETTE_FILE`].
    File,
}

impl Colours {
    const ALL: [(&'static str, Self); 5] = [
        ("television", Self::Television),
        ("vivid", Self::Vivid),
        ("muted", Self::Muted),
        ("grey", Self::Grey),
        (PALETTE_FILE, Self::File),
    ];

    /// Returns the palette; `file` has the bytes of [`PALETTE_FILE`], whose colours are the
    /// television's where there is none.
    pub fn palette(self, file: std::option::Option<&[u8]>) -> Palette {
        let saturated = |saturation| Palette::decoded(&nes::ppu::palette::carrier([saturation, 0.0]));
        match self {
            Self::Television => Palette::ntsc(),
            Self::Vivid => saturated(1.35),
            Self::Muted => saturated(0.7),
            Self::Grey => saturated(0.0),
            Self::File => {
                file.and_then(|bytes| Palette::from_bytes(bytes).ok()).unwrap_or_else(Palette::ntsc)
            }
        }
    }
}

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
    /// What is plugged into the ports.
    pub devices: Devices,
    /// The picture's colours.
    pub colours: Colours,
    /// The bytes of the palette file, which the front end's folder has.
    pub palette_file: std::option::Option<Vec<u8>>,
    /// The practice mode that the game is.
    pub practice: std::option::Option<Mode>,
    /// The level at which practice and the computer begin.
    pub level: u8,
    /// The next box stays empty.
    pub hides_next: bool,
    /// The computer at the first pad.
    pub computer: std::option::Option<Computer>,
    /// Pads that are shown over the picture: none, one or two.
    pub shown_pads: usize,
    /// The state's hash goes into the log once a second.
    pub logs_states: bool,
}

const COMPUTERS: [(&str, std::option::Option<Computer>); 3] =
    [("off", None), ("for tetrises", Some(Computer::Stacking)), ("for lines", Some(Computer::Survival))];

const SHOWN: [&str; 3] = ["off", "first pad", "both pads"];

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
        let numbers = (0..=MOST_NUMBER).map(|number| number.to_string());
        let levels = (0..=MOST_LEVEL).map(|level| level.to_string());
        let kinds_of_practice = PracticeKind::ALL.iter().map(|kind| kind.name().to_owned());
        let modes = ["off".to_owned()].into_iter().chain(kinds_of_practice);
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
            option("maxout_ports", "Controllers (restart)", &Devices::ALL.map(Devices::name)),
            option("maxout_palette", "Colours", &Colours::ALL.map(|(name, _)| name)),
            Option { key: "maxout_practice", name: "Practice mode (restart)", values: modes.collect() },
            Option {
                key: "maxout_practice_number",
                name: "Number of the practice mode (restart)",
                values: ["usual".to_owned()].into_iter().chain(numbers).collect(),
            },
            Option {
                key: "maxout_level",
                name: "Level of practice and the computer (restart)",
                values: levels.collect(),
            },
            option("maxout_next_box", "Next box (restart)", &["shown", "hidden"]),
            option("maxout_computer", "Computer plays", &COMPUTERS.map(|(name, _)| name)),
            option("maxout_show_input", "Show input", &SHOWN),
            option("maxout_log_states", "Log a hash of the state once a second", &["off", "on"]),
        ]
    }

    /// Reads them; `value` has what is set for a key. What is not known is as usual.
    pub fn read(value: impl Fn(&str) -> std::option::Option<String>) -> Self {
        let text = |key| value(key).unwrap_or_default();
        let number = text("maxout_practice_number").parse().ok();
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
            devices: Devices::from_name(&text("maxout_ports")).unwrap_or_default(),
            colours: chosen(&Colours::ALL, &text("maxout_palette")).unwrap_or_default(),
            palette_file: None,
            practice: mode(&text("maxout_practice"), number),
            level: text("maxout_level").parse().ok().filter(|level| *level <= MOST_LEVEL).unwrap_or(0),
            hides_next: text("maxout_next_box") == "hidden",
            computer: chosen(&COMPUTERS, &text("maxout_computer")).flatten(),
            shown_pads: SHOWN.iter().position(|name| *name == text("maxout_show_input")).unwrap_or(0),
            logs_states: text("maxout_log_states") == "on",
        }
    }
}

/// Returns the value of a name in a list.
fn chosen<T: Copy>(list: &[(&str, T)], name: &str) -> std::option::Option<T> {
    list.iter().find(|(known, _)| *known == name).map(|(_, value)| *value)
}

/// Returns the practice mode of this name; its usual number where it has not the one that is given.
fn mode(name: &str, number: std::option::Option<u32>) -> std::option::Option<Mode> {
    let kind = PracticeKind::ALL.iter().copied().find(|kind| kind.name() == name)?;
    let number = number.map(|number| if kind == PracticeKind::Seed { FIRST_SEED + number } else { number });
    Some(number.and_then(|number| Mode::new(kind, number).ok()).unwrap_or_else(|| kind.usual()))
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
                let read = Options::read(|key| match key {
                    _ if key == option.key => Some(value.clone()),
                    // A number means something in a mode that has all of them.
                    "maxout_practice" => Some("seed".into()),
                    _ => None,
                });
                assert!(!seen.contains(&read), "{}: {value} is read as another value", option.key);
                seen.push(read);
            }
            assert!(seen.len() < 2 || option.key != "maxout_practice_number" || seen[1].practice.is_some());
            // Front ends split names from values by a semicolon, and values by bars.
            assert!(!option.name.contains(';') && option.values.iter().all(|value| !value.contains('|')));
        }
    }
}
