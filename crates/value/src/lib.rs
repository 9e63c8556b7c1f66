//! A player for points, under taps that a hand can press.
//!
//! A [`Format`] says what may be pressed, when the next piece is known and when a game ends.
//! [`Reach`] finds the places of a piece by the taps of a format; an [`Evaluator`] says what the
//! boards after them are worth, [`Linear`] by weights, [`NetEvaluator`] by nets, a [`Search`] some
//! pieces deep; a [`Decider`] takes the best. [`play`] plays whole games, [`Report`] sums them up.
//! A [`Learner`] finds nets: it says which games are to be played, an [`Actor`] plays them, here or
//! elsewhere, and the learner learns from what [`experience`] makes of them.
//!
//! The crate ends where files, threads and clocks begin.
//!
//! ```
//! use value::{Decider, EL_TETRIS, Format, Linear, Start, deal, play, report_seeds};
//!
//! let mut decider = Decider::new(&Format::HEADLINE);
//! let seed = report_seeds(1)[0];
//! let start = Start { lines: 400, ..Start::default() };
//! let game = play(&mut decider, &mut Linear::new(EL_TETRIS), &start, seed, deal(seed));
//! assert!(game.lines >= 400);
//! ```

mod actor;
mod built_in;
mod by_level;
mod clock;
mod conditions;
mod curriculum;
mod decide;
mod evaluator;
mod exchange;
mod experience;
mod fast;
mod features;
mod file;
mod format;
mod history;
mod learn;
mod learner;
mod linear;
mod measures;
mod net;
mod outlook;
mod outputs;
mod pace;
mod packed;
mod pieces;
mod play;
mod player;
mod reach;
mod report;
mod review;
mod search;
mod seeds;
mod stage;
mod way;
mod weight_search;
mod weights;

pub use actor::{Actor, Assignment, Played, PlayedError, TaskError};
#[cfg(feature = "built-in")]
pub use built_in::BUILT_IN_NETS;
pub use built_in::NetSource;
pub use by_level::{NetMind, breadths_by_speed};
pub use conditions::{CONDITIONS, Conditions};
pub use curriculum::{Curriculum, CurriculumError, Setting, Source, Stage, is_file};
pub use decide::{Child, Choice, Decider, Evaluator, NOT_LOOKED_AT, Seen, Worth, is_looked_at};
pub use evaluator::{NetEvaluator, Nets, assemble, for_duels, odds, with_net};
pub use experience::{Experience, Lesson, Sample, experience};
pub use features::{Features, INPUTS, SLOTS, features};
pub use file::{FileError, Provenance};
pub use format::{Format, Speed, TAPS, Taps, UnknownFormat, level, points};
pub use history::History;
pub use learner::{Learner, Plan, Round, Task};
pub use linear::{EL_TETRIS, Linear};
pub use measures::{MEASURES, NAMES, Weights};
pub use net::{NARROW, Net, WIDE};
pub use outlook::Outlook;
pub use outputs::{CAUTION, Outputs};
pub use pace::{LEVELS, Pace};
pub use packed::{net_hash, pack, unpack};
pub use pieces::{ODDS, deal_by_odds};
pub use play::{Placed, PointsGame, Start, play, play_watched};
pub use player::{Mind, Player};
pub use reach::{Premove, Reach, Target};
pub use report::{Mean, PERCENTILES, Report, fnv};
pub use review::{Review, Reviewer};
pub use search::{Candidates, Search};
pub use seeds::{deal, report_seeds, tuning_seeds};
pub use stage::play_speed;
pub use way::{Falling, way_to, way_to_premove, ways};
pub use weight_search::WeightSearch;
pub use weights::{WeightsError, WeightsFile};
