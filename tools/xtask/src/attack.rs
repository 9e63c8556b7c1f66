//! `attack`: the program is ended in every way, and strangers ask it, for as long as asked.

use crate::test::linted;
use anyhow::{Context, Result, bail};
use first_run::install::{self, Purpose};
use first_run::workspace::{Workspace, exit};
use std::ffi::OsString;
use std::process::{Command, ExitCode};

/// What `attack` can be told: the attacker knows, and says it.
#[derive(clap::Args)]
#[command(disable_help_flag = true)]
pub(crate) struct Arguments {
    /// Handed on; --help has it list them.
    #[arg(value_name = "OPTIONS", trailing_var_arg = true, allow_hyphen_values = true)]
    options: Vec<OsString>,
}

/// Installs what building it takes, builds the program and the attacker as the tests build them,
/// and attacks.
///
/// # Errors
/// When something cannot be installed, built or started.
pub(crate) fn run(workspace: &Workspace, arguments: &Arguments) -> Result<ExitCode> {
    install::ensure(Purpose::Build, true)?;
    attack(workspace, &arguments.options)
}

/// The share of every test run: a third of a minute.
///
/// # Errors
/// When something cannot be built or started.
pub(crate) fn share(workspace: &Workspace) -> Result<ExitCode> {
    attack(workspace, &["--minutes".into(), "0.33".into()])
}

fn attack(workspace: &Workspace, options: &[OsString]) -> Result<ExitCode> {
    // With the features of the whole workspace, as the tests: little is left to be built.
    let built =
        linted(workspace, &["build", "--quiet", "--workspace", "--bin", "maxout", "--bin", "maxout-attack"])
            .status()
            .context("cargo could not be started")?;
    if !built.success() {
        bail!("the program and its attacker do not build");
    }
    let place =
        |name: &str| workspace.target().join("debug").join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    let mut command = Command::new(place("maxout-attack"));
    command.arg("--program").arg(place("maxout")).args(options);
    Ok(exit(command.status().context("the attacker could not be started")?))
}
