//! Puzzles: a board, a piece and the next one, of which one placement is clearly the best.
//!
//! A [`Bank`] holds puzzles; [`Maker`] finds them in games and keeps those whose answer is worth
//! asking for, and a [`Search`] looks through a player's own games. A [`Judge`] says what an answer
//! costs, what is better and why. [`Progress`] is what a player has come to: a rating by Glicko-2,
//! a streak, and which puzzles are due again. [`check`] plays puzzles on, to see whether their
//! answers win. A [`Lesson`] asks the mistakes of a reviewed game again. The crate reads no clock,
//! and days are numbers that the caller counts; with the feature `files` a `Store` keeps progress
//! through the crate `draft`, for front ends with files.

mod bank;
mod check;
mod cursor;
mod desk;
mod judge;
mod lesson;
mod maker;
mod play;
mod progress;
mod search;
mod select;
#[cfg(feature = "files")]
mod store;
mod theme;

pub use bank::{Bank, BankError, Count, Puzzle};
pub use check::{Checked, Checker};
pub use cursor::Cursor;
pub use desk::{Asked, Choice, Desk, DeskError, Move};
pub use judge::{Answer, AnswerError, Cost, Grade, Judge, Reason, Verdict};
pub use lesson::{Correction, Lesson};
pub use maker::{MARGIN, Maker, Position};
pub use play::{SelfPlay, play};
pub use progress::{Progress, Solved, day_of};
pub use search::Search;
#[cfg(feature = "files")]
pub use store::{Store, StoreError};
pub use theme::{Theme, Themes, themes};
