//! Node, and what tests take from npm.

use anyhow::{Context, Result, bail};
use std::path::Path;
use std::process::Command;

/// The oldest Node whose test runner and streams the tests use.
pub(crate) const OLDEST: u32 = 20;

/// Returns the version of Node, if there is one that is new enough.
pub(crate) fn version() -> Option<String> {
    let output = Command::new("node").arg("--version").output().ok()?;
    let version = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    let major: u32 = version.strip_prefix('v')?.split('.').next()?.parse().ok()?;
    (major >= OLDEST).then_some(version)
}

/// Installs packages of npm, each with its version, into a folder, unless they are there.
///
/// # Errors
/// When one is missing and `install` is not given, or npm fails.
pub(crate) fn packages(folder: &Path, packages: &[&str], install: bool) -> Result<()> {
    std::fs::create_dir_all(folder).with_context(|| format!("{} cannot be made", folder.display()))?;
    // The folder of a package is what stands before its version.
    let name = |package: &&str| package[..package.rfind('@').unwrap_or(package.len())].to_owned();
    let folders = packages.iter().map(name).map(|name| match name.split_once("@npm:") {
        Some((alias, _)) => alias.to_owned(),
        None => name,
    });
    if folders.map(|name| folder.join("node_modules").join(name)).all(|folder| folder.is_dir()) {
        return Ok(());
    }
    if !install {
        bail!(
            "the test needs node and, from npm, {}: say --install to have them in {}",
            packages.join(", "),
            folder.display()
        );
    }
    let mut npm = Command::new("npm");
    npm.current_dir(folder).args(["install", "--no-save", "--no-audit", "--no-fund"]).args(packages);
    let status = npm.status().context("npm could not be started")?;
    if !status.success() {
        bail!("npm install failed: {status}");
    }
    Ok(())
}
