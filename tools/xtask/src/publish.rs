//! `publish`: the crates that others may build on, as packages of the registry.
//!
//! The short names of some (`nes`, `tetris`) belong to others there. So each is published as
//! `maxout-NAME`, with its library under the name that it has here. A copy of the sources is made
//! for it, in which the manifests say so.

use anyhow::{Context, Result, bail};
use first_run::workspace::{Package, Workspace};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// What `publish` can be told.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask publish            package every published crate and build it from its package
  cargo xtask publish --upload   upload them; cargo has to be logged in")]
pub(crate) struct Arguments {
    /// Upload the packages to the registry. Without it, nothing leaves this machine.
    #[arg(long)]
    upload: bool,
}

/// What comes before a crate's name in the registry.
const PREFIX: &str = "maxout-";

/// Packages every published crate, and uploads them if that is asked for.
///
/// # Errors
/// When a file cannot be copied, a manifest is not as expected, or cargo cannot be started.
pub(crate) fn run(workspace: &Workspace, arguments: &Arguments) -> Result<ExitCode> {
    let folder = workspace.built("publish");
    let packages: Vec<&Package> = workspace.members().filter(|package| package.is_published()).collect();
    let sources = folder.join("sources");
    stage(workspace, &packages, &sources)?;
    let mut cargo = workspace.cargo(&["publish", "--allow-dirty", "--target-dir"]);
    cargo.arg(folder.join("target")).current_dir(&sources);
    cargo.args(
        packages.iter().flat_map(|package| ["--package".to_owned(), format!("{PREFIX}{}", package.name)]),
    );
    // These are checked by `test`; here the packages build as they do for others.
    cargo.env_remove("RUSTC_WORKSPACE_WRAPPER");
    if !arguments.upload {
        cargo.arg("--dry-run");
    }
    let status = cargo.status().context("cargo could not be started")?;
    if !status.success() {
        bail!("cargo publish failed ({status})");
    }
    for package in packages {
        let file = format!("{PREFIX}{}-{}.crate", package.name, package.version);
        let size =
            folder.join("target/package/tmp-crate").join(&file).metadata().map(|metadata| metadata.len());
        println!("{:>7} kB  {file}", size.map_or(0, |size| size.div_ceil(1000)));
    }
    Ok(ExitCode::SUCCESS)
}

/// Copies what git knows, with the manifests and paths that the packages need.
fn stage(workspace: &Workspace, packages: &[&Package], to: &Path) -> Result<()> {
    if to.exists() {
        std::fs::remove_dir_all(to).with_context(|| format!("{}", to.display()))?;
    }
    let files = Command::new("git")
        .current_dir(&workspace.root)
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .output()
        .context("git could not be started")?;
    if !files.status.success() {
        bail!("git does not list the files: this is no clone of the repository");
    }
    for path in String::from_utf8_lossy(&files.stdout).split('\0').filter(|path| !path.is_empty()) {
        let from = workspace.root.join(path);
        // A file that was removed and not committed yet is still listed.
        if from.is_file() {
            copy(&from, &to.join(path))?;
        }
    }
    let names: Vec<&str> = packages.iter().map(|package| package.name.as_str()).collect();
    let version = &workspace.package("maxout")?.version;
    change(&to.join("Cargo.toml"), |text| dependencies(text, &names, version))?;
    for package in packages {
        let relative = package.folder().strip_prefix(&workspace.root).context("a crate lies elsewhere")?;
        let folder = to.join(relative);
        change(&folder.join("Cargo.toml"), |text| manifest(text, &package.name))?;
        for licence in ["LICENSE-MIT", "LICENSE-APACHE"] {
            copy(&workspace.root.join(licence), &folder.join(licence))?;
        }
        cartridges(&workspace.root.join("roms"), &folder)?;
    }
    Ok(())
}

/// Gives a crate the built-in cartridges that its sources include from beside it.
fn cartridges(roms: &Path, folder: &Path) -> Result<()> {
    let mut included = false;
    let mut folders = vec![folder.join("src")];
    while let Some(next) = folders.pop() {
        for entry in next.read_dir().with_context(|| format!("{}", next.display()))? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if std::fs::read_to_string(&path)?.contains(OUTSIDE) {
                change(&path, |text| Ok(text.replace(OUTSIDE, INSIDE)))?;
                included = true;
            }
        }
    }
    let is_read = |path: &PathBuf| {
        path.extension()
            .is_some_and(|extension| ["nes", "sha1", "lbl"].iter().any(|known| extension == *known))
    };
    if included {
        for entry in roms.read_dir()? {
            let path = entry?.path();
            if path.is_file() && is_read(&path) {
                copy(&path, &folder.join("roms").join(path.file_name().unwrap_or_default()))?;
            }
        }
    }
    Ok(())
}

/// How sources of a crate name the folder of cartridges, up to the folder of the crate's sources,
/// here and in a package.
const OUTSIDE: &str = "../../../roms/";
const INSIDE: &str = "../roms/";

/// The workspace's manifest, in which each published crate is called as the registry calls it.
fn dependencies(text: &str, names: &[&str], version: &str) -> Result<String> {
    let mut text = text.to_owned();
    for name in names {
        let before = format!("\n{name} = {{ path = ");
        if !text.contains(&before) {
            bail!("Cargo.toml has no line `{} ...`", before.trim());
        }
        text = text.replace(
            &before,
            &format!("\n{name} = {{ package = \"{PREFIX}{name}\", version = \"{version}\", path = "),
        );
    }
    Ok(text)
}

/// A crate's manifest, with the name that the registry has and the library's.
fn manifest(text: &str, name: &str) -> Result<String> {
    let before = format!("\nname = \"{name}\"\n");
    if !text.contains(&before) || text.contains("[lib]") {
        bail!("the manifest of {name} is not as expected: a line `{}`, and no [lib]", before.trim());
    }
    let library = format!("\n[lib]\nname = \"{}\"\n", name.replace('-', "_"));
    Ok(text.replacen(&before, &format!("\nname = \"{PREFIX}{name}\"\n"), 1) + &library)
}

fn change(path: &Path, with: impl FnOnce(&str) -> Result<String>) -> Result<()> {
    let text = std::fs::read_to_string(path).with_context(|| format!("{}", path.display()))?;
    std::fs::write(path, with(&text)?).with_context(|| format!("{}", path.display()))
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    if let Some(folder) = to.parent() {
        std::fs::create_dir_all(folder).with_context(|| format!("{}", folder.display()))?;
    }
    std::fs::copy(from, to).with_context(|| format!("{}", from.display()))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn manifests_name_the_registrys_packages_and_the_libraries_keep_their_names() -> Result<()> {
        let root = "[workspace.dependencies]\nnes-cpu = { path = \"crates/nes-cpu\" }\nother = { path = \"crates/other\" }\n";
        let changed = dependencies(root, &["nes-cpu"], "1.2.3")?;
        assert!(changed.contains(
            "nes-cpu = { package = \"maxout-nes-cpu\", version = \"1.2.3\", path = \"crates/nes-cpu\" }"
        ));
        assert!(changed.contains("\nother = { path = \"crates/other\" }"));
        assert!(dependencies(root, &["gone"], "1.2.3").is_err());

        let changed = manifest("[package]\nname = \"nes-cpu\"\npublish = true\n", "nes-cpu")?;
        assert_eq!(
            changed,
            "[package]\nname = \"maxout-nes-cpu\"\npublish = true\n\n[lib]\nname = \"nes_cpu\"\n"
        );
        assert!(manifest("[package]\nname = \"other\"\n", "nes-cpu").is_err());
        Ok(())
    }

    #[test]
    fn a_published_crate_depends_on_published_crates_alone_and_has_what_the_registry_shows() -> Result<()> {
        let workspace = Workspace::load()?;
        let published =
            |name: &str| workspace.members().any(|member| member.name == name && member.is_published());
        let own = |name: &str| workspace.members().any(|member| member.name == name);
        assert!(published("nes") && published("tetris") && !published("desktop"));
        for package in workspace.members().filter(|package| package.is_published()) {
            let name = &package.name;
            for dependency in package.dependencies.iter().filter(|dependency| dependency.kind.is_none()) {
                assert!(!own(&dependency.name) || published(&dependency.name), "{name}: {}", dependency.name);
            }
            let text = std::fs::read_to_string(&package.manifest_path)?;
            for key in ["description = ", "keywords = ", "categories = "] {
                assert!(text.contains(key), "{name} has no {key}");
            }
            assert!(package.folder().join("README.md").is_file(), "{name} has no README.md");
        }
        Ok(())
    }
}
