//! The player beside plain games and long sums. One binary, because each costs its build.

mod machines;
mod nets;
mod play;
mod reach;
mod search;
mod terms;
mod way;
