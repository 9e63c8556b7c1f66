//! `deny`: known vulnerabilities, licences and sources of all packages, by cargo-deny.

use anyhow::{Context, Result, bail};
use first_run::workspace::{Workspace, exit};
use std::process::{Command, ExitCode};

/// The version that docs/reliability.md tells of.
const PACKAGE: &str = "cargo-deny@0.20.2";

/// Builds cargo-deny below the target folder, if it is not there, and has it check `deny.toml`.
///
/// # Errors
/// When it cannot be built or started.
pub(crate) fn run(workspace: &Workspace) -> Result<ExitCode> {
    let root = workspace.target().join("cargo-deny");
    let program = root.join("bin").join(format!("cargo-deny{}", std::env::consts::EXE_SUFFIX));
    if !program.is_file() {
        let install = ["install", "--locked", PACKAGE, "--root"];
        let status = workspace.cargo(&install).arg(&root).status().context("cargo could not be started")?;
        if !status.success() {
            bail!("{PACKAGE} does not build");
        }
    }
    let mut command = Command::new(program);
    command.current_dir(&workspace.root).arg("check");
    Ok(exit(command.status().context("cargo-deny could not be started")?))
}
