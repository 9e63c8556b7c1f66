//! `test`: what is missing, the invariants, the cartridges, every test.

use crate::install::{self, Purpose};
use crate::workspace::{self, Workspace, exit};
use crate::{python, roms, tidy};
use anyhow::{Context, Result};
use std::process::{Command, ExitCode};

/// What `test` can be told.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Only print what the system lacks; install nothing.
    #[arg(long)]
    no_install: bool,
}

/// Installs, tidies, builds the cartridges again to compare them, lints and tests, the module for
/// Python first. Cargo's own closing lines are the last that is printed.
///
/// # Errors
/// When something could not be installed or cargo could not be run.
pub(crate) fn run(workspace: &Workspace, arguments: &Arguments) -> Result<ExitCode> {
    install::ensure(Purpose::Build, !arguments.no_install)?;
    install::ensure(Purpose::Assemble, !arguments.no_install)?;
    install::ensure_components(!arguments.no_install)?;
    let tidied = tidy::files(workspace)?;
    if tidied != ExitCode::SUCCESS {
        return Ok(tidied);
    }
    if install::complete(Purpose::Assemble) {
        let checked = roms::check(workspace)?;
        if checked != ExitCode::SUCCESS {
            return Ok(checked);
        }
    } else {
        println!(
            "roms: NOT compared with their sources: the assembler is missing, and --no-install was given"
        );
    }
    let shared = python::share(workspace)?;
    let status = linted(workspace, &["test", "--workspace", "--no-fail-fast"])
        .status()
        .context("cargo test could not be started")?;
    Ok(if shared == ExitCode::SUCCESS { exit(status) } else { shared })
}

/// Cargo, which builds by clippy.
pub(crate) fn linted(workspace: &Workspace, arguments: &[&str]) -> Command {
    let mut command = workspace.cargo(arguments);
    // Clippy is a compiler: the tests are built by it, so that nothing is compiled once to be
    // linted and once to be run.
    command.env("RUSTC_WORKSPACE_WRAPPER", workspace::clippy_driver()).env("CLIPPY_ARGS", "-Dwarnings");
    // What a second build could reuse costs the first one time.
    command.env("CARGO_INCREMENTAL", "0");
    command
}
