//! The program itself: optimised, without symbols, and without a path of the machine that built it.

use crate::dist::Release;
use anyhow::{Context, Result, bail};
use first_run::workspace::Workspace;
use first_run::workspace::succeed;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The most that the program may take, in bytes; and those for other systems: that for Windows has
/// a third way to draw, Direct3D, it and that for macOS have tables for unwinding, and that for
/// Linux on aarch64 has functions twice that are the same. 6.6 MB are the nets of the
/// player for points.
const LARGEST: usize = 30_000_000;
const LARGEST_FOR_OTHERS: usize = 35_000_000;

/// What tells the linker to leave out the tables for unwinding, from the workspace's root. A panic
/// ends the program, so that nothing unwinds: without them, which Windows cannot do without, the
/// program is 1.4 MB smaller. `-Cforce-unwind-tables=no` alone leaves most of them in when crates
/// are optimised together, because the standard library was compiled with them.
const WITHOUT_UNWINDING: &str = "tools/xtask/src/dist/without-unwinding.ld";

/// Builds `maxout` for a target with the profile `dist`, and returns where it lies.
///
/// # Errors
/// When it does not build, is too large, or names a folder of this machine.
pub(super) fn build(release: &Release, target: &str) -> Result<PathBuf> {
    let workspace = release.workspace;
    build_with(release, target, &mut workspace.cargo(&["rustc"]), workspace.target())
}

/// The same with a cargo that was told more, and the folder that it builds into.
///
/// # Errors
/// As [`build`].
pub(super) fn build_with(
    release: &Release,
    target: &str,
    cargo: &mut Command,
    built: &Path,
) -> Result<PathBuf> {
    let workspace = release.workspace;
    // The sources of all dependencies have to be there before their folders can be named.
    succeed(&mut workspace.cargo(&["fetch", "--locked", "--quiet", "--target", target]))?;
    let places = places(workspace, built)?;
    let mut flags: Vec<String> = places
        .iter()
        .map(|(place, name)| format!("--remap-path-prefix={}={name}", place.display()))
        .collect();
    let (windows, linux) = (target.contains("windows"), target.contains("linux"));
    if linux {
        flags.push("-Cforce-unwind-tables=no".to_owned());
    }
    cargo
        .args(["--locked", "--package", "maxout", "--bin", "maxout", "--profile", "dist", "--target", target])
        .args(release.features());
    if linux {
        cargo.arg("--").arg(format!("-Clink-arg=-Wl,-T,{WITHOUT_UNWINDING}"));
    }
    if links_with_lld(target) {
        // Functions that are the same, as those of many types, stand there once.
        cargo.arg("-Clink-arg=-Wl,--icf=all");
    }
    cargo.env("CARGO_ENCODED_RUSTFLAGS", flags.join("\x1f")).env("CARGO_INCREMENTAL", "0");
    succeed(cargo)?;
    let name = if windows { "maxout.exe" } else { "maxout" };
    let program = built.join(target).join("dist").join(name);
    let bytes = std::fs::read(&program).with_context(|| format!("{} is not there", program.display()))?;
    let largest = if links_with_lld(target) { LARGEST } else { LARGEST_FOR_OTHERS };
    if bytes.len() > largest {
        bail!("{} has {} bytes, at most {largest}", program.display(), bytes.len());
    }
    for (place, _) in &places {
        if let Some(found) = first_path(&bytes, &place.to_string_lossy()) {
            bail!("{} names a folder of this machine: {found}", program.display());
        }
    }
    println!("dist: {} has {} bytes and no path of this machine", program.display(), bytes.len());
    Ok(program)
}

/// Returns whether the compiler links a target by its own linker: on others GNU's does it, which
/// does not fold functions that are the same.
fn links_with_lld(target: &str) -> bool {
    target == "x86_64-unknown-linux-gnu"
}

/// Folders of this machine, and what they are called in the program. Of two that match a path the
/// later one decides.
fn places(workspace: &Workspace, built: &Path) -> Result<Vec<(PathBuf, &'static str)>> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let user = std::env::var_os(if cfg!(windows) { "USERPROFILE" } else { "HOME" }).map(PathBuf::from);
    let home =
        home.or_else(|| user.map(|user| user.join(".cargo"))).context("neither CARGO_HOME nor HOME")?;
    let mut places = vec![(home.clone(), "cargo")];
    let sources = home.join("registry").join("src");
    if sources.is_dir() {
        // The names of these folders depend on where packages are fetched from.
        let mut folders: Vec<PathBuf> =
            sources.read_dir()?.map(|entry| Ok(entry?.path())).collect::<std::io::Result<_>>()?;
        folders.sort();
        places.extend(folders.into_iter().map(|folder| (folder, "registry")));
    }
    places.push((workspace.root.clone(), "maxout"));
    places.push((built.to_owned(), "target"));
    Ok(places)
}

/// The text around the first place where the program names a folder.
fn first_path(bytes: &[u8], folder: &str) -> Option<String> {
    let folder = folder.trim_end_matches('/');
    let at = bytes.windows(folder.len().max(1)).position(|window| window == folder.as_bytes())?;
    let end = (at + folder.len() + 80).min(bytes.len());
    let text = bytes[at..end].split(|byte| !byte.is_ascii_graphic()).next()?;
    Some(String::from_utf8_lossy(text).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_in_a_program_is_found_with_what_follows_it() {
        let program = b"\0\x01/some/where/.cargo/lib.rs\0more";
        assert_eq!(first_path(program, "/some/where/").as_deref(), Some("/some/where/.cargo/lib.rs"));
        assert_eq!(first_path(program, "/elsewhere"), None);
    }
}
