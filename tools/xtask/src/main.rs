//! The project's own commands, run as `cargo xtask <command>`: what a build system would be, in Rust, so that a
//! machine with cargo has everything.

mod workspace;

use anyhow::Result;
use clap::{Parser, Subcommand};
use std::path::PathBuf;

/// The project's own commands.
#[derive(Parser)]
#[command(name = "cargo xtask", version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Build Maxout and open its window.
    Play {
        /// Cartridge image to start with.
        rom: Option<PathBuf>,
    },
    /// Check the invariants and run every test.
    Test,
}

fn main() -> Result<()> {
    let Arguments { command } = Arguments::parse();
    let workspace = workspace::Workspace::load()?;
    match command {
        Command::Play { rom } => {
            println!("{} {rom:?}", workspace.root.display());
            Ok(())
        }
        Command::Test => Ok(()),
    }
}
