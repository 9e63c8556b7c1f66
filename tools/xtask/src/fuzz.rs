//! `fuzz`: inputs made at random, for as long as asked.

use crate::install::{self, Purpose};
use crate::workspace::{Workspace, exit};
use anyhow::{Context, Result};
use std::ffi::OsString;
use std::process::{Command, ExitCode};

/// What `fuzz` can be told: the fuzzer knows, and says it.
#[derive(clap::Args)]
#[command(disable_help_flag = true)]
pub(crate) struct Arguments {
    /// Handed on to the fuzzer; --help has it list them.
    #[arg(value_name = "OPTIONS", trailing_var_arg = true, allow_hyphen_values = true)]
    options: Vec<OsString>,
}

/// Installs what building it takes, builds the fuzzer, optimised and with its checks, and runs it.
///
/// # Errors
/// When something cannot be installed, or it cannot be built or started.
pub(crate) fn run(workspace: &Workspace, arguments: &Arguments) -> Result<ExitCode> {
    install::ensure(Purpose::Build, true)?;
    let program = workspace.build("maxout-fuzz", &["--profile=fuzz"])?;
    let mut command = Command::new(program);
    command.args(&arguments.options);
    Ok(exit(command.status().context("the fuzzer could not be started")?))
}
