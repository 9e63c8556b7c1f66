//! Games to train agents in, many at once; with the feature `extension` the module of the Python
//! package `maxout`.
//!
//! A [`Vector`] steps any number of games by arrays of actions and writes what came of it into
//! arrays of its caller: the buffers belong to Python, and nothing here is unsafe. Three machines
//! play: the [`BoardGame`], a game of places without frames; the model of the rules, frame by
//! frame; a cartridge in the console. The crate ends where gymnasium begins: spaces, wrappers and
//! registration are Python's, in `python/maxout`.
//!
//! ```
//! use maxout_python::{Act, Batch, Machine, Observation, Reach, Reward, STATISTICS, Settings, Vector};
//!
//! let settings = Settings {
//!     machine: Machine::Board,
//!     act: Act::Place,
//!     reach: Reach::Drop,
//!     observation: Observation::Field,
//!     reward: Reward::Lines,
//!     level: 18,
//!     randomizer: Some(randomizers::Kind::Sps),
//!     position: None,
//!     practice: None,
//!     frame_skip: 1,
//!     max_steps: 0,
//!     strict: false,
//! };
//! let (width, actions) = (settings.widths().0, settings.actions());
//! let mut games = Vector::new(settings, &[], 2, 1)?;
//! let (mut cells, mut statistics, mut mask) = (vec![0; 2 * width], vec![0; 2 * STATISTICS], vec![0; 2 * actions]);
//! let batch = Batch { bytes: &mut cells, statistics: &mut statistics, mask: &mut mask, floats: &mut [] };
//! games.reset(None, batch)?;
//! assert!(mask[..40].contains(&1) && cells[..200] == [0; 200]);
//! # Ok::<(), maxout_python::VectorError>(())
//! ```

mod board_game;
mod environment;
mod expert;
mod field;
mod frames;
mod game;
#[cfg(feature = "extension")]
mod module;
mod observations;
mod picture;
mod places;
mod pool;
mod settings;
mod state;
mod vector;

pub use board_game::BoardGame;
pub use environment::{
    Buffers, Common, Environment, IllegalAction, STATISTIC_NAMES, STATISTICS, StepResult, prototype,
};
pub use expert::Expert;
pub use field::Field;
pub use frames::{BeginError, Frames, Model, Played, Prototype};
pub use picture::Colours;
pub use places::{Action, Legal, Searches};
pub use pool::Pool;
pub use settings::{Act, FIELD_BYTES, GRAY, Machine, Observation, Reach, Reward, Settings, SettingsError};
pub use state::{State, StateError};
pub use vector::{Batch, Vector, VectorError};

/// The numbers of observations and their names.
pub mod features {
    pub use crate::observations::afterstates::{AFTER, AFTER_NAMES};
    pub use crate::observations::features::{BOARD, names};
}
