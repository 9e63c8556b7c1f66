//! `play`: the window.

use crate::install::{self, Purpose};
use crate::workspace::{Workspace, exit};
use anyhow::{Context, Result};
use std::path::PathBuf;
use std::process::{Command, ExitCode};

/// What `play` can be told.
#[derive(clap::Args)]
pub struct Arguments {
    /// Cartridge image (iNES or NES 2.0) to start with; without one, the built-in cartridge.
    rom: Option<PathBuf>,
    /// Only print what the system lacks; install nothing.
    #[arg(long)]
    no_install: bool,
    /// Further arguments for `maxout play`, after `--`.
    #[arg(last = true)]
    further: Vec<String>,
}

/// Settings for cargo, from the root of the workspace.
const SETTINGS: &str = "tools/first-run/play.toml";

/// Installs what building and running the window need, builds it without the commands of research,
/// as the tests build it but for what `play.toml` beside the manifest says, and opens it.
///
/// # Errors
/// When something could not be installed, built or started.
pub fn run(workspace: &Workspace, arguments: &Arguments) -> Result<ExitCode> {
    install::ensure(Purpose::Build, !arguments.no_install)?;
    install::ensure(Purpose::Run, !arguments.no_install)?;
    let settings = format!("--config={}", workspace.root.join(SETTINGS).display());
    let window = ["--no-default-features", "--features=maxout/window", &settings];
    let binary = workspace.build_beside("maxout", &window)?;
    let status = Command::new(&binary)
        .arg("play")
        .args(&arguments.rom)
        .args(&arguments.further)
        .status()
        .with_context(|| format!("{} could not be started", binary.display()))?;
    Ok(exit(status))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn settings_name_packages_that_there_are() {
        let workspace = Workspace::load().expect("cargo metadata");
        for file in [SETTINGS, "Cargo.toml"] {
            let text = std::fs::read_to_string(workspace.root.join(file)).expect(file);
            let settings: toml::Table = text.parse().expect(file);
            let profiles = settings["profile"].as_table().expect(file);
            let mut named = BTreeMap::new();
            for (profile, settings) in profiles {
                let packages = settings.get("package").and_then(toml::Value::as_table);
                named.extend(packages.into_iter().flatten().map(|(package, _)| (package, profile)));
            }
            assert!(!named.is_empty(), "{file}: no package has settings of its own");
            named.retain(|package, _| {
                package.as_str() != "*" && workspace.packages().all(|one| one.name != **package)
            });
            assert!(named.is_empty(), "{file}: no such packages: {named:?}");
        }
    }
}
