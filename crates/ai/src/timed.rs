//! The search of the article's gamepad version: what buttons can do while the game pulls the piece
//! down.
//!
//! A layer of the search is a frame of the game: shift, rotation, drop. [`TimedSearcher`] decides
//! for two pieces and returns the buttons of each frame. Two searches serve it. [`TimedWalk`] goes
//! one state after the other through the article's 28,800 states, soft drop included, and finds the
//! shortest way to each place. The other holds the columns of a frame as bits of a word: without
//! soft drop all pieces in the air share their row and their fall timer, so that every place is
//! found whatever the drop speed, in a microsecond. It knows the second piece's places, and those
//! of the first that the article's search misses because it keeps one fall timer a state.
//!
//! The tests of `reachability.rs` compare its bitboards with single states; `tests/it/timed.rs`
//! plays the buttons of every place on the rules model.

mod collision_mask;
mod hold;
mod reachability;
mod searcher;
mod start;
mod walk;

pub use searcher::TimedSearcher;
pub use start::{Start, Step};
pub use walk::TimedWalk;
