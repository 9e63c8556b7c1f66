//! Puzzles: made, kept in a bank, answered and rated.

mod answers;
mod banks;
mod lessons;
mod nets;
mod players;
