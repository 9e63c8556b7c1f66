//! `test`: what is missing, the invariants, every test.

use crate::install::{self, Purpose};
use crate::tidy;
use crate::workspace::{Workspace, exit};
use anyhow::{Context, Result};
use std::process::ExitCode;

/// What `test` can be told.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Only print what the system lacks; install nothing.
    #[arg(long)]
    no_install: bool,
}

/// Installs, tidies and tests. Cargo's own closing lines are the last that is printed.
///
/// # Errors
/// When something could not be installed or cargo could not be run.
pub(crate) fn run(workspace: &Workspace, arguments: &Arguments) -> Result<ExitCode> {
    install::ensure(Purpose::Build, !arguments.no_install)?;
    install::ensure_components(!arguments.no_install)?;
    let tidied = tidy::run(workspace)?;
    if tidied != ExitCode::SUCCESS {
        return Ok(tidied);
    }
    let status = workspace
        .cargo(&["test", "--workspace", "--no-fail-fast"])
        .status()
        .context("cargo test could not be started")?;
    Ok(exit(status))
}
