//! `prove`: the fast console beside the slow one, for as long as asked.

use crate::workspace::{Workspace, exit};
use anyhow::{Context, Result};
use std::ffi::OsString;
use std::process::{Command, ExitCode};

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
    let program = workspace.build("maxout-prove", &["--release"])?;
    let mut command = Command::new(program);
    command.arg("--suite-dir").arg(workspace.package(ROMS)?.folder().join("test_roms"));
    command.args(&arguments.options);
    Ok(exit(command.status().context("the prover could not be started")?))
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
    fn every_option_reaches_the_prover_help_included() {
        let line = ["prove", "--seed", "17", "--kind", "pokes", "--help", "-h"];
        let Line { arguments } = Line::try_parse_from(line).expect("nothing is refused here");
        assert_eq!(arguments.options, line[1..]);
    }
}
