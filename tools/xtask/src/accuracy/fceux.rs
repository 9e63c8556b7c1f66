//! `accuracy --fceux`: the same movies in FCEUX and here, on a display that nobody sees.

use crate::display::Display;
use anyhow::{Context, Result};
use first_run::workspace::{Workspace, exit};
use std::env;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

/// The program that runs FCEUX.
const PROGRAM: &str = "maxout-fceux";
/// Where Debian puts games, which is not in everybody's path.
const GAMES: &str = "/usr/games";

/// Builds the program that compares and runs it.
///
/// # Errors
/// When FCEUX or Xvfb is missing, which is said; nothing is installed. When something does not
/// build or start.
pub(crate) fn run(workspace: &Workspace, records: bool) -> Result<ExitCode> {
    let fceux = program("fceux").context(
        "FCEUX is not installed, and nothing else says what its movies mean: on Debian and Ubuntu, \
         apt-get install fceux xvfb",
    )?;
    let xvfb = program("Xvfb").context(
        "FCEUX needs a display, and Xvfb, which is one without a screen, is not installed: on Debian and Ubuntu, \
         apt-get install xvfb",
    )?;
    let program = workspace.build(PROGRAM, &[])?;
    let maxout = workspace.build("maxout", &[])?;
    let mut server = Command::new(xvfb);
    server.args(["-noreset", "-screen", "0", "800x600x24"]);
    let display = Display::open(server)?;
    let mut command = Command::new(program);
    command.env("DISPLAY", display.name()).env("QT_QPA_PLATFORM", "xcb").arg(fceux).arg(maxout);
    if records {
        command.arg("--record");
    }
    Ok(exit(command.status().with_context(|| format!("{PROGRAM} could not be started"))?))
}

/// Where a program is: in the path, or among the games.
fn program(name: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let folders = env::split_paths(&path).chain([PathBuf::from(GAMES)]);
    folders.map(|folder| folder.join(name)).find(|file| file.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_found_in_the_path_or_not_at_all() {
        assert!(program("cargo").is_some_and(|file| file.ends_with("cargo")));
        assert_eq!(program("no such program"), None);
    }
}
