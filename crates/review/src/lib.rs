//! A review of a game, of a real console's too.
//!
//! A [`Reviewer`] evaluates each placement of a game by the nets of the player for points, for
//! hands of a certain speed: what it lost in points and in odds beside the best placement that such
//! hands reach, and what the better line is, two pieces deep. Results come one by one, so that a
//! front end shows them as they come; a [`Summary`] adds them up, [`page`] draws them as one HTML
//! page. The crate reads no file and no clock.
//!
//! ```no_run
//! # let nets = value::Nets::default();
//! # let turns: Vec<notation::Turn> = Vec::new();
//! use review::{Hands, Reviewer, Summary};
//!
//! let hands = Hands::measured(&turns).unwrap_or_default();
//! let mut reviewer = Reviewer::new(hands, nets)?;
//! let reviews: Vec<review::Reviewed> = reviewer.reviews(&turns).collect();
//! println!("{:.1} %", Summary::of(&reviews).accuracy);
//! # Ok::<(), review::NoNets>(())
//! ```

mod board;
mod class;
mod hands;
mod kept;
mod kind;
mod page;
mod reviewer;
mod summary;

pub use board::{is_tuck, rows_ready};
pub use class::{Class, tetris_points};
pub use hands::Hands;
pub use kept::Key;
pub use kind::Kind;
pub use page::page;
pub use reviewer::{Choice, NoNets, Reviewed, Reviewer};
pub use summary::{Group, Summary, scores};
