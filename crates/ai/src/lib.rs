//! The player of the article "Applying Artificial Intelligence to Nintendo Tetris": searches,
//! evaluates, plays.
//!
//! The crate knows a board, the pieces at hand and nothing of consoles: it decides where a piece
//! goes, and plays whole games on the model. Carrying a piece there on a running cartridge, and
//! files, are somebody else's.
//!
//! Two searches let a piece wander freely. [`search`] and [`Walk`] go one state after the other in
//! the article's order and can be read beside it. [`Searcher`] holds whole sets of states in words,
//! many boards side by side, and is tested to decide the same, to the last bit of the fitness.
//! Gravity has no say in either; [`TimedSearcher`] moves pieces by buttons, frame by frame, while
//! the game pulls them down.
//!
//! ```
//! use ai::{Evaluator, Filter, Searcher, Walk};
//! use tetris::{Piece, Playfield};
//!
//! let mut searcher = Searcher::new(Evaluator::Article, Filter::None);
//! let decision = searcher.decide(&Playfield::EMPTY, &[Piece::T, Piece::O]).unwrap();
//! let path = Walk::new(&Playfield::EMPTY, Piece::T, &Filter::None).path(decision.place).unwrap();
//! let mut board = Playfield::EMPTY;
//! assert_eq!(board.lock_in_window(decision.place).lines, 0);
//! assert_eq!((path.len(), board.cells()), (23, 4));
//! ```

mod evaluate;
mod fast;
mod filter;
mod play;
mod reference;
mod timed;

pub use evaluate::{
    Evaluator, Factors, Formula, FormulaError, Measure, Scale, Tally, Term, UnknownEvaluator, Weights,
};
pub use fast::{Decision, Searcher, locks};
pub use filter::{Filter, Pattern, PatternError, UnknownFilter};
pub use play::{Game, PlayStatistics};
pub use reference::{Choice, SearchResult, Walk, search};
pub use timed::{Start, Step, TimedSearcher, TimedWalk};
