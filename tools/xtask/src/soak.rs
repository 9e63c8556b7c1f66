//! `soak`: what a long evening does, for hours.

use crate::forwarded;
use anyhow::{Context, Result};
use first_run::install::{self, Purpose};
use first_run::workspace::{Workspace, exit};
use std::ffi::OsString;
use std::process::{Command, ExitCode};

/// The source that defines the options.
const SOAK: &str = include_str!("../../fuzz/src/soak.rs");

/// What `soak` can be told: the fuzzer knows, and says it.
#[derive(clap::Args)]
#[command(disable_help_flag = true)]
pub(crate) struct Arguments {
    /// Handed on; --help has it list them.
    #[arg(value_name = "OPTIONS", trailing_var_arg = true, allow_hyphen_values = true)]
    options: Vec<OsString>,
}

/// Installs what building it takes, builds the fuzzer, optimised and with its checks, and runs its
/// long part.
///
/// # Errors
/// When something cannot be installed, or it cannot be built or started.
pub(crate) fn run(workspace: &Workspace, arguments: &Arguments) -> Result<ExitCode> {
    if forwarded::asks_for_help(&arguments.options) {
        let options = forwarded::list(SOAK, "Soak")?;
        print!(
            "Play, rewind, save, record and practise for hours, and watch memory and open files.\n\n\
             Usage: cargo xtask soak [OPTIONS]\n\nOptions:\n{options}\nExample:\n  cargo xtask soak --hours 2 --load 50\n"
        );
        return Ok(ExitCode::SUCCESS);
    }
    install::ensure(Purpose::Build, true)?;
    let program = workspace.build("maxout-fuzz", &["--profile=fuzz"])?;
    let mut command = Command::new(program);
    command.arg("soak").args(&arguments.options);
    // glibc keeps what was freed in as many as eight arenas for each processor, and every thread
    // that begins takes another: memory would grow for an hour without a leak. It also raises the
    // size from which memory is mapped, and so given back, as large blocks are freed.
    let settings = [
        ("MALLOC_ARENA_MAX", "1"),
        ("MALLOC_MMAP_THRESHOLD_", "65536"),
        ("MALLOC_TRIM_THRESHOLD_", "131072"),
    ];
    command.envs(settings);
    Ok(exit(command.status().context("the soak test could not be started")?))
}
