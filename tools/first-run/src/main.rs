//! What `cargo xtask` starts. This program handles only `play`, the command that people run first,
//! and depends on no package that the window does not need. For every other command it builds xtask
//! and runs it.

#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "front ends meet the outside world")]

use anyhow::{Context, Result};
use clap::{Parser, Subcommand};
use first_run::play;
use first_run::workspace::Workspace;
// Its unit is what it is for: see Cargo.toml.
use quote as _;
use std::process::{Command, ExitCode};

#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", disable_help_subcommand = true)]
struct Arguments {
    #[command(subcommand)]
    command: Known,
}

#[derive(Subcommand)]
enum Known {
    /// Build Maxout and open its window.
    Play(play::Arguments),
}

fn main() -> Result<ExitCode> {
    let workspace = Workspace::load()?;
    if std::env::args_os().nth(1).is_some_and(|command| command == "play") {
        let Known::Play(arguments) = Arguments::parse().command;
        return play::run(&workspace, &arguments);
    }
    let xtask = workspace.build_beside("xtask", &["--quiet"])?;
    let mut command = Command::new(&xtask);
    command.args(std::env::args_os().skip(1));
    run(command).with_context(|| format!("{} could not be started", xtask.display()))
}

/// Replaces this process by the program, so that signals reach it directly.
#[cfg(unix)]
fn run(mut command: Command) -> std::io::Result<ExitCode> {
    Err(std::os::unix::process::CommandExt::exec(&mut command))
}

/// Runs the program to its end.
#[cfg(not(unix))]
fn run(mut command: Command) -> std::io::Result<ExitCode> {
    command.status().map(first_run::workspace::exit)
}
