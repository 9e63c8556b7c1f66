//! Puzzles: made, kept in a bank, answered and rated.

mod answers;
mod banks;
mod cursor;
mod lessons;
mod nets;
mod players;
#[cfg(feature = "files")]
mod store;
