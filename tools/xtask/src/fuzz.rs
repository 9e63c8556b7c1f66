//! `fuzz`: inputs made at random, for as long as asked.

use crate::forwarded;
use anyhow::{Context, Result};
use first_run::install::{self, Purpose};
use first_run::workspace::{Workspace, exit};
use std::ffi::OsString;
use std::process::{Command, ExitCode};

/// The sources that define options and targets.
const FUZZER: &str = include_str!("../../fuzz/src/main.rs");
const TARGETS: &str = include_str!("../../fuzz/src/target.rs");

/// Where cases that reached something new are kept, within the folder of what is built.
const CORPUS: &str = "fuzz-corpus";

/// What `fuzz` can be told: everything is handed on to the fuzzer.
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
    if forwarded::asks_for_help(&arguments.options) {
        print!("{}", help()?);
        return Ok(ExitCode::SUCCESS);
    }
    install::ensure(Purpose::Build, true)?;
    let program = workspace.build("maxout-fuzz", &["--profile=fuzz"])?;
    let mut command = Command::new(program);
    command.args(&arguments.options);
    if !arguments.options.iter().any(|option| option.to_string_lossy().starts_with("--corpus")) {
        command.arg("--corpus").arg(workspace.target().join(CORPUS));
    }
    Ok(exit(command.status().context("the fuzzer could not be started")?))
}

/// The help, without building the fuzzer.
fn help() -> Result<String> {
    Ok(format!(
        "Feed random input to everything that reads what others wrote. Fails on a panic, a hang, or too much memory.\n\n\
         Usage: cargo xtask fuzz [OPTIONS]\n\nOptions:\n{}\nTargets:\n{}\nExamples:\n  cargo xtask fuzz --minutes 10\n  \
         cargo xtask fuzz --target lua --seed 7848 --cases 1   run one case again\n",
        forwarded::list(FUZZER, "Arguments")?,
        forwarded::list(TARGETS, "Target")?
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_help_lists_options_and_targets_of_the_fuzzer() -> Result<()> {
        let help = help()?;
        for part in [
            "--minutes <N>",
            "--cases <N>",
            "--target <TARGET>",
            "--seed <N>",
            "--corpus <FOLDER>",
            "--like <FILE>",
            "  lua ",
            "  ngf ",
            "  search ",
        ] {
            assert!(help.contains(part), "{part}: {help}");
        }
        Ok(())
    }
}
