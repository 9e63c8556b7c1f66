//! `prove`: the fast console beside the slow one, for as long as asked.

use crate::workspace::{Workspace, exit};
use anyhow::{Context, Result};
use std::path::PathBuf;
use std::process::{Command, ExitCode};

/// Package whose test ROMs are run.
const ROMS: &str = "tetanes-core";

/// What `prove` can be told.
///
/// The fast console is the one that everybody uses; the slow one keeps every chip in step at every cycle. They must see
/// the same bus and be equal after every frame: state, picture and samples. Ctrl-C ends with the summary. A difference
/// is printed with the command that runs its case again, and fails.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Minutes to run, shared evenly by the kinds; without them 10, or with --seed one case of each kind.
    #[arg(long)]
    minutes: Option<f64>,
    /// Only cases of this kind; may be given again.
    #[arg(long, value_parser = ["roms", "cartridge", "programs", "pokes"])]
    kind: Vec<String>,
    /// Seed of the first case; the others follow. Without it the time of day.
    #[arg(long)]
    seed: Option<u64>,
    /// A folder of test ROMs beside the pinned package's; may be given again.
    #[arg(long, value_name = "DIR")]
    suite_dir: Vec<PathBuf>,
    /// Threads; without it one for each processor.
    #[arg(long)]
    jobs: Option<usize>,
    /// Programs tried to make one that differs smaller.
    #[arg(long, default_value_t = 400)]
    shrinks: u32,
    /// Stop after so many cases that differ.
    #[arg(long, default_value_t = 1)]
    differences: usize,
    /// Print one JSON object instead of tables.
    #[arg(long)]
    json: bool,
}

/// Builds the prover and runs it.
///
/// # Errors
/// When it cannot be built or started.
pub(crate) fn run(workspace: &Workspace, arguments: &Arguments) -> Result<ExitCode> {
    let program = workspace.build("maxout-prove", true)?;
    let mut command = Command::new(program);
    command.arg("--suite-dir").arg(workspace.package(ROMS)?.folder().join("test_roms"));
    for folder in &arguments.suite_dir {
        command.arg("--suite-dir").arg(folder);
    }
    for kind in &arguments.kind {
        command.args(["--kind", kind]);
    }
    command.args(["--differences", &arguments.differences.to_string()]);
    command.args(["--shrinks", &arguments.shrinks.to_string()]);
    let numbers = [
        ("--minutes", arguments.minutes.map(|minutes| minutes.to_string())),
        ("--seed", arguments.seed.map(|seed| seed.to_string())),
        ("--jobs", arguments.jobs.map(|jobs| jobs.to_string())),
    ];
    for (option, value) in numbers {
        if let Some(value) = value {
            command.args([option, &value]);
        }
    }
    if arguments.json {
        command.arg("--json");
    }
    Ok(exit(command.status().context("the prover could not be started")?))
}
