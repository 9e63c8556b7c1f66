//! How a computer player plays.

use ai::Evaluator;
use autopilot::{Autopilot, ComputerHands, NetSource, Settings};
use tetris::Profile;

/// The highest level that a menu leads to.
const MOST_LEVEL: u8 = 19;

/// How a computer player plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Computer {
    /// It builds for tetrises, as fast as the game lets it.
    #[default]
    Stacking,
    /// It clears whatever it can, and plays for lines: the article's player.
    Survival,
    /// It plays for points by the taps and the reaction of a person. The seed of the hands is the
    /// game's.
    Points(ComputerHands),
}

impl Computer {
    /// Returns the player of a game that begins at `level`, `wait` frames after the level menu
    /// came. For points it evaluates by `nets`, if there are any.
    pub fn player(self, profile: Profile, nets: &NetSource, level: u8, wait: u32) -> Autopilot {
        let evaluator = match self {
            Self::Stacking | Self::Points(_) => Evaluator::Stacking,
            Self::Survival => Evaluator::Article,
        };
        let settings = Settings { level: level.min(MOST_LEVEL), wait, evaluator, ..Settings::default() };
        match self {
            Self::Points(hands) => Autopilot::with_hands(
                profile,
                settings,
                ComputerHands { seed: wait.into(), ..hands },
                nets.get(),
            ),
            Self::Stacking | Self::Survival => Autopilot::new(profile, settings),
        }
    }
}
