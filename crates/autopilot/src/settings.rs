//! What the player is to do.

use ai::{Evaluator, Filter};
use strum::{Display, EnumString, IntoStaticStr};
use tetris::events::GameType;

/// How pieces get where they belong.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Display, EnumString, IntoStaticStr)]
#[strum(serialize_all = "kebab-case", ascii_case_insensitive)]
#[strum(parse_err_ty = UnknownMode, parse_err_fn = UnknownMode::from)]
pub enum Mode {
    /// A write to RAM puts each piece into its place; it locks at once. The article's `PLAY_FAST`.
    Teleport,
    /// A write to RAM a frame moves the piece a step of its path; gravity is held off. The
    /// article's plain mode.
    Path,
    /// Buttons alone, against gravity. The article's gamepad version.
    #[default]
    Gamepad,
}

/// A name that is no mode's.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("mode `{0}`: expected one of {names}", names = Mode::ALL.map(Mode::name).join(", "))]
pub struct UnknownMode(String);

impl From<&str> for UnknownMode {
    fn from(name: &str) -> Self {
        Self(name.to_owned())
    }
}

/// Which games are played, and how.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// How pieces get where they belong.
    pub mode: Mode,
    /// A-type or B-type.
    pub game_type: GameType,
    /// The level of the game's start. The menus lead to 0–19; any level above is written to RAM
    /// before the game begins.
    pub level: u8,
    /// The B-type's height, 0–5.
    pub height: u8,
    /// Frames to wait in the level menu before Start. The random number register runs on meanwhile:
    /// it is the seed of a player who has only buttons.
    pub wait: u32,
    /// How boards are rated.
    pub evaluator: Evaluator,
    /// Places that are not visited; in gamepad mode, places that no piece locks in if it can go
    /// elsewhere.
    pub filter: Filter,
}

impl Default for Settings {
    /// The gamepad from level 0 of the A-type, at once, as the article rates and without a filter.
    fn default() -> Self {
        Self {
            mode: Mode::Gamepad,
            game_type: GameType::A,
            level: 0,
            height: 0,
            wait: 0,
            evaluator: Evaluator::Article,
            filter: Filter::None,
        }
    }
}

impl Settings {
    /// Does this play need writes to RAM, so that no movie of its buttons can repeat it?
    pub const fn writes(&self) -> bool {
        !matches!(self.mode, Mode::Gamepad) || self.level > 19
    }
}

impl Mode {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Teleport, Self::Path, Self::Gamepad];

    /// The name, as it is parsed.
    pub fn name(self) -> &'static str {
        self.into()
    }
}
