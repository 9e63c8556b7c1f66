//! Puzzles: made, kept in a bank, answered and rated.

mod answers;
mod banks;
mod nets;
mod players;
