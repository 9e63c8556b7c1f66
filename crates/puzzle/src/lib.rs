//! Puzzles: a board, a piece and the next one, of which one placement is clearly the best.
//!
//! A [`Bank`] holds puzzles; [`Maker`] finds them in games and keeps those whose answer is worth
//! asking for. A [`Judge`] says what an answer costs, what is better and why. [`Progress`] is what
//! a player has come to: a rating by Glicko-2, a streak, and which puzzles are due again. [`check`]
//! plays puzzles on, to see whether their answers win. The crate reads no file and no clock: days
//! are numbers that the caller counts.

mod bank;
mod check;
mod cursor;
mod judge;
mod maker;
mod play;
mod progress;
mod select;
mod theme;

pub use bank::{Bank, BankError, Count, Puzzle};
pub use check::{Checked, Checker};
pub use cursor::Cursor;
pub use judge::{Answer, AnswerError, Grade, Judge, Reason, Verdict};
pub use maker::{MARGIN, Maker, Position};
pub use play::{SelfPlay, play};
pub use progress::{Progress, Solved};
pub use theme::{Theme, Themes, themes};
