//! `prove`: the fast console beside the slow one, for as long as asked.

use crate::forwarded;
use anyhow::{Context, Result};
use first_run::workspace::{Workspace, exit};
use std::ffi::OsString;
use std::process::{Command, ExitCode};

/// The source that defines the options.
const PROVER: &str = include_str!("../../prove/src/main.rs");

/// Package whose test ROMs are run.
const ROMS: &str = "tetanes-core";

/// What `prove` can be told: the prover knows, and says it.
#[derive(clap::Args)]
#[command(disable_help_flag = true)]
pub(crate) struct Arguments {
    /// Handed on to the prover; --help has it list them.
    #[arg(value_name = "OPTIONS", trailing_var_arg = true, allow_hyphen_values = true)]
    options: Vec<OsString>,
}

/// Builds the prover and runs it.
///
/// # Errors
/// When it cannot be built or started.
pub(crate) fn run(workspace: &Workspace, arguments: &Arguments) -> Result<ExitCode> {
    if forwarded::asks_for_help(&arguments.options) {
        print!("{}", help()?);
        return Ok(ExitCode::SUCCESS);
    }
    let program = workspace.build("maxout-prove", &["--release"])?;
    let mut command = Command::new(program);
    command.arg("--suite-dir").arg(workspace.package(ROMS)?.folder().join("test_roms"));
    command.args(&arguments.options);
    Ok(exit(command.status().context("the prover could not be started")?))
}

/// The help, without building the prover.
fn help() -> Result<String> {
    Ok(format!(
        "Run the fast console beside the plain one, on test ROMs and random programs, and compare them.\n\n\
         Usage: cargo xtask prove [OPTIONS]\n\nOptions:\n{}\nExamples:\n  cargo xtask prove --minutes 10\n  \
         cargo xtask prove --kind programs --seed 20261307   run one case again\n",
        forwarded::list(PROVER, "Arguments")?
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        arguments: Arguments,
    }

    #[test]
    fn the_help_lists_the_options_of_the_prover() -> Result<()> {
        let help = help()?;
        for part in ["--minutes <MINUTES>", "--kind <KIND>", "--quirks ", "--suite-dir <DIR>", "--json"] {
            assert!(help.contains(part), "{part}: {help}");
        }
        Ok(())
    }

    #[test]
    fn every_option_reaches_the_prover_help_included() {
        let line = ["prove", "--seed", "17", "--kind", "pokes", "--help", "-h"];
        let Line { arguments } = Line::try_parse_from(line).expect("nothing is refused here");
        assert_eq!(arguments.options, line[1..]);
    }
}
