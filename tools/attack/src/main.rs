//! `cargo xtask attack`: ends the program in every way at random moments and looks what is left;
//! sends requests and packets of strangers and looks that others are still served.
//!
//! A case is its number: `cargo xtask attack --seed N --ends 1` makes the same choices again. The
//! moments are the machine's own.

#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "a tool meets the outside world")]
#![allow(clippy::print_stderr, reason = "a tool may end when standard error is lost")]

#[cfg(target_os = "linux")]
mod case;
#[cfg(target_os = "linux")]
mod end;
#[cfg(target_os = "linux")]
mod left;
#[cfg(target_os = "linux")]
mod program;
#[cfg(target_os = "linux")]
mod strangers;
#[cfg(target_os = "linux")]
mod surface;
#[cfg(target_os = "linux")]
mod table;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;

/// Ends the program in every way at random moments, and looks what is left.
#[derive(Parser)]
#[command(name = "cargo xtask attack")]
#[cfg_attr(not(target_os = "linux"), allow(dead_code, reason = "signals and terminals are Linux's here"))]
struct Arguments {
    /// The program that is attacked.
    #[arg(long, value_name = "PATH")]
    program: PathBuf,
    /// Minutes to run.
    #[arg(long, value_name = "N", default_value_t = 5.0)]
    minutes: f64,
    /// Ends to make, in place of a time; strangers are left out.
    #[arg(long, value_name = "N")]
    ends: Option<u64>,
    /// Only this surface; more than once for more.
    #[cfg(target_os = "linux")]
    #[arg(long, value_name = "SURFACE")]
    surface: Vec<surface::Surface>,
    /// Only this way to end; more than once for more.
    #[cfg(target_os = "linux")]
    #[arg(long, value_name = "WAY")]
    end: Vec<end::End>,
    /// The first case.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Programs that run beside each other.
    #[arg(long, value_name = "N", default_value_t = 4)]
    beside: usize,
}

#[cfg(target_os = "linux")]
fn main() -> ExitCode {
    case::run(&Arguments::parse())
}

#[cfg(not(target_os = "linux"))]
fn main() -> ExitCode {
    let _ = Arguments::parse();
    eprintln!("the attack needs Linux: signals, limits of other processes, terminals to close");
    ExitCode::FAILURE
}
