//! What cargo knows about this workspace.

use anyhow::{Context, Result, bail};
use serde::Deserialize;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, ExitStatus};

/// The workspace as `cargo metadata` describes it.
pub struct Workspace {
    /// Folder of the root `Cargo.toml`.
    pub root: PathBuf,
    /// Where cargo puts what it builds.
    target: PathBuf,
    /// Members, and every registry package that they resolve to.
    packages: Vec<Package>,
    /// Package ids of the members.
    members: Vec<String>,
}

/// One package.
#[derive(Debug, Deserialize)]
pub struct Package {
    id: String,
    /// Name in its manifest.
    pub name: String,
    /// Version in its manifest.
    pub version: String,
    /// What it is, in a line.
    pub description: Option<String>,
    /// Absolute path of its `Cargo.toml`.
    pub manifest_path: PathBuf,
    /// Its licence, as an expression of SPDX or nearly so.
    pub license: Option<String>,
    /// Where it comes from; nowhere else if it is ours.
    pub source: Option<String>,
    /// What its manifest asks for.
    pub dependencies: Vec<Dependency>,
    /// What is built of it.
    pub targets: Vec<Target>,
    /// Registries that it may be published to: none if it is not, `None` for any.
    publish: Option<Vec<String>>,
}

/// A library, a program, an example or a program of tests.
#[derive(Debug, Deserialize)]
pub struct Target {
    /// `lib`, `bin`, `test` and others.
    pub kind: Vec<String>,
    /// Name in the manifest, or the file's.
    pub name: String,
    /// Absolute path of its root source.
    pub src_path: PathBuf,
    /// Does `cargo test` run its tests?
    pub test: bool,
}

/// One line of a manifest's dependency tables.
#[derive(Debug, Deserialize)]
pub struct Dependency {
    /// Name of the package asked for.
    pub name: String,
    /// `None` for an ordinary dependency, else `dev` or `build`.
    pub kind: Option<String>,
}

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
    workspace_members: Vec<String>,
    workspace_root: PathBuf,
    target_directory: PathBuf,
}

impl Package {
    /// Folder of the package.
    pub fn folder(&self) -> &Path {
        self.manifest_path.parent().unwrap_or(&self.manifest_path)
    }

    /// Whether its manifest lets it be published.
    pub fn is_published(&self) -> bool {
        self.publish.is_none()
    }
}

impl Workspace {
    /// Asks cargo about the workspace that this program was built in.
    ///
    /// # Errors
    /// When cargo cannot be run, fails, or prints what is not understood.
    pub fn load() -> Result<Self> {
        // Set by `cargo run`, so that a moved checkout with a kept target folder is still found.
        let here = std::env::var_os("CARGO_MANIFEST_DIR")
            .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
        let output = cargo()
            .args(["metadata", "--format-version=1", "--all-features", "--manifest-path"])
            .arg(here.join("Cargo.toml"))
            .output()
            .context("cargo metadata could not be started")?;
        if !output.status.success() {
            bail!("cargo metadata failed:\n{}", String::from_utf8_lossy(&output.stderr));
        }
        let metadata: Metadata =
            serde_json::from_slice(&output.stdout).context("cargo metadata printed something unexpected")?;
        let Metadata { packages, workspace_members, workspace_root, target_directory } = metadata;
        Ok(Self { root: workspace_root, target: target_directory, packages, members: workspace_members })
    }

    /// The packages of this repository.
    pub fn members(&self) -> impl Iterator<Item = &Package> {
        self.packages.iter().filter(|package| self.members.contains(&package.id))
    }

    /// Every package of the graph, on any system.
    pub fn packages(&self) -> impl Iterator<Item = &Package> {
        self.packages.iter()
    }

    /// A package of the graph by name.
    ///
    /// # Errors
    /// When no package of that name is part of the build.
    pub fn package(&self, name: &str) -> Result<&Package> {
        self.packages
            .iter()
            .find(|package| package.name == name)
            .with_context(|| format!("package {name} is not part of this workspace's build"))
    }

    /// Where cargo puts what it builds.
    pub fn target(&self) -> &Path {
        &self.target
    }

    /// Where the project's own commands put what they build and nobody commits.
    pub fn built(&self, folder: &str) -> PathBuf {
        self.target.join(folder)
    }

    /// The commit that is checked out, and whether files differ from it; a word instead where git
    /// does not say.
    pub fn commit(&self) -> String {
        let output = Command::new("git")
            .current_dir(&self.root)
            .args(["describe", "--always", "--dirty", "--abbrev=7", "--exclude=*"])
            .output();
        let text = output.ok().filter(|output| output.status.success()).map(|output| output.stdout);
        text.map_or_else(|| "unknown".to_owned(), |text| String::from_utf8_lossy(&text).trim().to_owned())
    }

    /// Cargo, to be run on this workspace from its root.
    pub fn cargo(&self, arguments: &[&str]) -> Command {
        let mut command = cargo();
        command.current_dir(&self.root).args(arguments);
        command
    }

    /// Builds one binary and returns where it lies. `arguments` are a profile and features; without
    /// any it is built as the tests build it.
    ///
    /// # Errors
    /// When it does not build.
    pub fn build(&self, package: &str, arguments: &[&str]) -> Result<PathBuf> {
        let alone = ["--package", package];
        self.build_beside(package, &[if arguments.is_empty() { &[] } else { &alone[..] }, arguments].concat())
    }

    /// Builds a program with the features of the whole workspace and answers where it lies. A
    /// package alone has other features than the workspace has with its tests and with this
    /// program, and so packages of its own.
    ///
    /// # Errors
    /// When it does not build.
    pub fn build_beside(&self, package: &str, arguments: &[&str]) -> Result<PathBuf> {
        let mut command = self.cargo(&["build", "--bin", package]);
        if !command.args(arguments).status().context("cargo could not be started")?.success() {
            bail!("{package} does not build");
        }
        let profile = arguments.iter().find_map(|argument| argument.strip_prefix("--profile="));
        let folder = match profile {
            // The folder of this one is its elder's.
            Some("bench") => "release",
            Some(profile) => profile,
            None if arguments.contains(&"--release") => "release",
            None => "debug",
        };
        Ok(self.target.join(folder).join(format!("{package}{}", std::env::consts::EXE_SUFFIX)))
    }
}

/// The cargo that runs this program, without what it has told this program of its own package:
/// build scripts that ask for it (ring's) would run again, and all that depends on them be built
/// again, whenever cargo was called from elsewhere in between.
fn cargo() -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    for (name, _) in std::env::vars_os() {
        if is_of_package(&name.to_string_lossy()) {
            command.env_remove(name);
        }
    }
    command
}

/// Is it a variable by which cargo describes the package of a program that it runs?
fn is_of_package(name: &str) -> bool {
    name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_")
}

/// The compiler that lints: it lies beside cargo, or is found in `PATH`.
pub fn clippy_driver() -> PathBuf {
    let name = format!("clippy-driver{}", std::env::consts::EXE_SUFFIX);
    let beside = std::env::var_os("CARGO").map(|cargo| PathBuf::from(cargo).with_file_name(&name));
    beside.filter(|path| path.is_file()).unwrap_or_else(|| name.into())
}

/// Runs a program to its end.
///
/// # Errors
/// When it cannot be started or fails.
pub fn succeed(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| format!("{command:?} could not be started"))?;
    if !status.success() {
        bail!("{command:?} failed ({status})");
    }
    Ok(())
}

/// A child's exit status as this program's own.
pub fn exit(status: ExitStatus) -> ExitCode {
    status.code().and_then(|code| u8::try_from(code).ok()).map_or(ExitCode::FAILURE, ExitCode::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cargo_is_called_as_from_a_shell() {
        // Cargo describes the package of this test to it.
        assert!(std::env::var_os("CARGO_PKG_NAME").is_some());
        let command = cargo();
        let removed: Vec<_> = command.get_envs().filter(|(_, value)| value.is_none()).collect();
        for name in ["CARGO_PKG_NAME", "CARGO_PKG_VERSION_MAJOR", "CARGO_MANIFEST_DIR"] {
            assert!(removed.iter().any(|(found, _)| *found == name), "{name}: {removed:?}");
        }
    }
}
