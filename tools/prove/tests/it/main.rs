//! Runs of every kind beside the run by the definition.

#![allow(clippy::print_stderr, reason = "a test prints what it found")]

mod fetches;
mod proof;
mod selects;

use maxout_prove::{Case, Kind, Roms, case};
use nes::Console;

/// A console with the random program of a seed in it, and the case.
fn console(seed: u64) -> (Console, Case) {
    let case = case(Kind::Programs, seed, &Roms::default()).expect("a program is a case");
    (Console::new(case.cartridge.clone(), case.power.config(Some(48_000))), case)
}
