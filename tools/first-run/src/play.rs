//! `play`: the window.

use crate::install::{self, Purpose};
use crate::workspace::{Workspace, exit};
use anyhow::{Context, Result};
use std::path::PathBuf;
use std::process::{Command, ExitCode};

/// What `play` can be told.
#[derive(clap::Args)]
pub struct Arguments {
    /// Cartridge image (iNES or NES 2.0) to start with; without one, the built-in cartridge.
    rom: Option<PathBuf>,
    /// Only print what the system lacks; install nothing.
    #[arg(long)]
    no_install: bool,
    /// Further arguments for `maxout play`, after `--`.
    #[arg(last = true)]
    further: Vec<String>,
}

/// Installs what building and running the window need, builds it as the tests build it, but without
/// the commands of research, and opens it.
///
/// # Errors
/// When something could not be installed, built or started.
pub fn run(workspace: &Workspace, arguments: &Arguments) -> Result<ExitCode> {
    install::ensure(Purpose::Build, !arguments.no_install)?;
    install::ensure(Purpose::Run, !arguments.no_install)?;
    let binary = workspace.build_beside("maxout", &["--no-default-features", "--features=maxout/window"])?;
    let status = Command::new(&binary)
        .arg("play")
        .args(&arguments.rom)
        .args(&arguments.further)
        .status()
        .with_context(|| format!("{} could not be started", binary.display()))?;
    Ok(exit(status))
}
