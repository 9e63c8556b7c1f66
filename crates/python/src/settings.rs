//! What an environment is told at its beginning.

use std::fmt;
use std::str::FromStr;

use practice::{Options, Position};
use randomizers::Kind;
use tetris::{HEIGHT, WIDTH};
use value::Format;

use crate::observations::{afterstates, features, field};

/// What plays the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Machine {
    /// Field, pieces, lines, level and score: the rules of places, without frames.
    Board,
    /// The model of the rules, frame by frame.
    Model,
    /// A cartridge in the console.
    Cartridge,
}

/// What an action is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// The buttons of a frame, or of several.
    Buttons,
    /// Where the piece in play goes.
    Place,
}

/// Places that an action may name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// A column and a turn in the first row, and straight down: 40 actions, `10 * turn + x`.
    Drop,
    /// Wherever the piece can rest: 800 actions, `200 * turn + 10 * y + x`. On a machine with
    /// frames, wherever buttons bring it against gravity.
    Free,
    /// Wherever taps of a format bring it; board only. The same 800 actions.
    Taps(Format),
}

/// What an observation is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Observation {
    /// 200 cells, the piece, the next, then column, row, orientation and shift counter of the piece
    /// in play, as bytes.
    Field,
    /// Measures of the field, [`crate::features::names`], as floats.
    Features,
    /// [`crate::features::AFTER_NAMES`] for each action, as floats; acts by places only.
    Afterstates,
    /// The 2 KiB of RAM.
    Ram,
    /// The picture, 240 by 256 by three bytes.
    Picture,
    /// The picture in grey, 84 by 84, the last few of them.
    Gray(usize),
}

/// What a step is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reward {
    /// Points.
    Score,
    /// Lines.
    Lines,
    /// 1 for each step in which the game goes on.
    Survival,
}

/// Bytes of [`Observation::Field`].
pub const FIELD_BYTES: usize = field::BYTES;
/// Pixels of a side of [`Observation::Gray`].
pub const GRAY: usize = 84;

/// All of it.
#[derive(Clone, Debug)]
pub struct Settings {
    /// What plays.
    pub machine: Machine,
    /// What an action is.
    pub act: Act,
    /// Places that may be named.
    pub reach: Reach,
    /// What is observed.
    pub observation: Observation,
    /// What a step is worth.
    pub reward: Reward,
    /// Level of the start.
    pub level: u8,
    /// Who deals; none: the game's own picker, whose register follows from the seed.
    pub randomizer: Option<Kind>,
    /// Where games begin, if not with an empty field.
    pub position: Option<Position>,
    /// A practice mode and its options; cartridge only.
    pub practice: Option<(practice::Mode, Options)>,
    /// Frames that an action's buttons are held.
    pub frame_skip: u32,
    /// Steps after which an episode is cut short; 0 for none.
    pub max_steps: u64,
    /// Is an action that is not legal an error? Otherwise the next that is counts.
    pub strict: bool,
}

/// Settings that do not go together, or words that are none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SettingsError {
    /// A word.
    #[error("{name}: expected {expected}, found {found:?}")]
    Word {
        /// The setting.
        name: &'static str,
        /// What it takes.
        expected: &'static str,
        /// What was found.
        found: String,
    },
    /// Two settings.
    #[error("{0}")]
    Together(&'static str),
}

impl Settings {
    /// Refuses what does not go together.
    ///
    /// # Errors
    /// Says what to change.
    pub fn check(&self) -> Result<(), SettingsError> {
        let wrong = |text| Err(SettingsError::Together(text));
        let pictures = matches!(self.observation, Observation::Picture | Observation::Gray(_));
        match self.machine {
            Machine::Board if self.act == Act::Buttons => {
                wrong("the board knows no frames: act by \"place\", or take the model or the cartridge")
            }
            Machine::Board if self.observation == Observation::Ram => {
                wrong("the board has no RAM: take the model or the cartridge")
            }
            Machine::Board | Machine::Model if pictures => wrong("only the cartridge makes pictures"),
            Machine::Board | Machine::Model if self.practice.is_some() => {
                wrong("practice modes are the cartridge's")
            }
            Machine::Model | Machine::Cartridge if matches!(self.reach, Reach::Taps(_)) => wrong(
                "taps of a format are for the board: with frames, \"free\" is what buttons reach against gravity",
            ),
            _ if self.observation == Observation::Afterstates && self.act != Act::Place => {
                wrong("afterstates are of places: act by \"place\"")
            }
            _ if self.observation == Observation::Gray(0) => wrong("stack: expected 1 or more"),
            _ if self.frame_skip == 0 => wrong("frame_skip: expected 1 or more"),
            _ => Ok(()),
        }
    }

    /// Numbers of places that an action may name; 256 where it is buttons.
    pub fn actions(&self) -> usize {
        match (self.act, self.reach) {
            (Act::Buttons, _) => 256,
            (Act::Place, Reach::Drop) => 4 * WIDTH,
            (Act::Place, _) => 4 * HEIGHT * WIDTH,
        }
    }

    /// Bytes and floats of an observation, one of which is 0.
    pub fn widths(&self) -> (usize, usize) {
        match self.observation {
            Observation::Field => (FIELD_BYTES, 0),
            Observation::Features => (0, features::BOARD),
            Observation::Afterstates => (0, self.actions() * afterstates::AFTER),
            Observation::Ram => (0x800, 0),
            Observation::Picture => (240 * 256 * 3, 0),
            Observation::Gray(stack) => (stack * GRAY * GRAY, 0),
        }
    }
}

impl FromStr for Machine {
    type Err = SettingsError;

    fn from_str(text: &str) -> Result<Self, SettingsError> {
        match text {
            "board" => Ok(Self::Board),
            "model" => Ok(Self::Model),
            "cartridge" => Ok(Self::Cartridge),
            _ => Err(word("machine", "board, model or cartridge", text)),
        }
    }
}

impl FromStr for Act {
    type Err = SettingsError;

    fn from_str(text: &str) -> Result<Self, SettingsError> {
        match text {
            "buttons" => Ok(Self::Buttons),
            "place" => Ok(Self::Place),
            _ => Err(word("act", "place or buttons", text)),
        }
    }
}

impl FromStr for Reach {
    type Err = SettingsError;

    fn from_str(text: &str) -> Result<Self, SettingsError> {
        match text {
            "drop" => Ok(Self::Drop),
            "free" => Ok(Self::Free),
            _ => text
                .parse()
                .map(Self::Taps)
                .map_err(|_| word("reach", "drop, free, or a format of taps such as bt-30hz-18f", text)),
        }
    }
}

impl FromStr for Reward {
    type Err = SettingsError;

    fn from_str(text: &str) -> Result<Self, SettingsError> {
        match text {
            "score" => Ok(Self::Score),
            "lines" => Ok(Self::Lines),
            "survival" => Ok(Self::Survival),
            _ => Err(word("reward", "score, lines or survival", text)),
        }
    }
}

impl Observation {
    /// The observation of a name; `stack` is of pictures in grey.
    ///
    /// # Errors
    /// When it is no name.
    pub fn named(text: &str, stack: usize) -> Result<Self, SettingsError> {
        match text {
            "field" => Ok(Self::Field),
            "features" => Ok(Self::Features),
            "afterstates" => Ok(Self::Afterstates),
            "ram" => Ok(Self::Ram),
            "picture" => Ok(Self::Picture),
            "gray" => Ok(Self::Gray(stack)),
            _ => Err(word(
                "observation",
                "field, field+mask, features, afterstates, ram, picture or gray",
                text,
            )),
        }
    }
}

impl fmt::Display for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Board => "board",
            Self::Model => "model",
            Self::Cartridge => "cartridge",
        })
    }
}

fn word(name: &'static str, expected: &'static str, found: &str) -> SettingsError {
    SettingsError::Word { name, expected, found: found.to_owned() }
}
