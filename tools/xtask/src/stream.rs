//! `stream`: the overlays in a real browser, and OBS and NestrisChamps themselves.

mod real;

use anyhow::{Context, Result};
use first_run::install::{self, Purpose};
use first_run::workspace::{Workspace, exit};
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

/// What `stream` can be told.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Load every overlay in headless Chromium: what it shows against the stream, restarts, its
    /// share of a processor.
    #[arg(long, required_unless_present_any = ["pictures", "real"])]
    test: bool,
    /// Stream to OBS, on a display without a screen, and to a server of NestrisChamps, where they
    /// are at hand. Says what is missing.
    #[arg(long)]
    real: bool,
    /// The address of a server of `NestrisChamps`, as <ws://127.0.0.1:5000>; the secret of a login
    /// is in `MAXOUT_NESTRISCHAMPS_SECRET`.
    #[arg(long, value_name = "ADDRESS", requires = "real")]
    champs: Option<String>,
    /// Write a picture of each layout, and of a replay, into this folder. The replay follows a game
    /// that is played in real time, a minute and a half.
    #[arg(long, value_name = "FOLDER")]
    pictures: Option<PathBuf>,
    /// The browser.
    #[arg(long, value_name = "PROGRAM", default_value = "chromium")]
    chromium: OsString,
    /// A `maxout` that is built already.
    #[arg(long, value_name = "PROGRAM")]
    program: Option<PathBuf>,
}

/// Builds what is missing and runs it.
///
/// # Errors
/// When something cannot be installed, built or started.
pub(crate) fn run(workspace: &Workspace, arguments: &Arguments) -> Result<ExitCode> {
    install::ensure(Purpose::Build, true)?;
    let program = match &arguments.program {
        Some(program) => program.clone(),
        None => workspace.build("maxout", &[])?,
    };
    let movie = workspace.root.join("tests/movies/game.fm2");
    if arguments.real {
        real::run(&program, &movie, arguments.champs.as_deref())?;
        if !arguments.test && arguments.pictures.is_none() {
            return Ok(ExitCode::SUCCESS);
        }
    }
    let mut command = Command::new(workspace.build("maxout-overlays", &[])?);
    command.arg("--program").arg(program).arg("--chromium").arg(&arguments.chromium);
    command.arg("--movie").arg(movie);
    if arguments.test {
        command.arg("--test");
    }
    if let Some(folder) = &arguments.pictures {
        command.arg("--pictures").arg(folder);
    }
    Ok(exit(command.status().context("the look at the overlays could not be started")?))
}
