//! The package for npm: the page, its module with types from Rust, and an entry for Node.

use super::page;
use anyhow::{Context, Result};
use first_run::workspace::{Workspace, succeed};
use serde_json::json;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Its name.
const NAME: &str = "maxout";
/// What hosts read and nobody imports.
const LEFT_OUT: [&str; 1] = ["_headers"];
/// What belongs to the package as a whole.
const OF_PACKAGE: [&str; 2] = ["LICENSE-APACHE", "LICENSE-MIT"];

/// Packs the page in `page`, with the types in `modules`, into the folder `into`. Returns the
/// archive.
///
/// # Errors
/// When a file cannot be read or written, or npm cannot be run or fails.
pub(crate) fn pack(workspace: &Workspace, page: &Path, modules: &Path, into: &Path) -> Result<PathBuf> {
    let folder = workspace.built("web-npm");
    page::empty(&folder, "package.json")?;
    fs::create_dir_all(folder.join("page"))?;
    fs::create_dir_all(into)?;
    let copy = |from: &Path, to: &str| {
        fs::copy(from, folder.join(to)).with_context(|| format!("{} cannot be copied", from.display()))
    };
    for entry in fs::read_dir(page).with_context(|| format!("{}: build the page first", page.display()))? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if OF_PACKAGE.contains(&name.as_str()) {
            copy(&path, &name)?;
        }
        if !LEFT_OUT.contains(&name.as_str()) {
            copy(&path, &format!("page/{name}"))?;
        }
    }
    copy(&modules.join("simd/maxout.d.ts"), "page/maxout.d.ts")?;
    let sources = workspace.root.join("crates/web/npm");
    for name in ["index.js", "index.d.ts", "player.d.ts", "README.md"] {
        copy(&sources.join(name), name)?;
    }
    let version = workspace.package("web")?.version.clone();
    let manifest = serde_json::to_string_pretty(&manifest(&version))?;
    fs::write(folder.join("package.json"), format!("{manifest}\n"))?;
    let mut npm = Command::new("npm");
    npm.current_dir(&folder).args(["pack", "--silent", "--pack-destination"]).arg(into);
    succeed(&mut npm)?;
    Ok(into.join(format!("{NAME}-{version}.tgz")))
}

fn manifest(version: &str) -> serde_json::Value {
    json!({
        "name": NAME,
        "version": version,
        "description": "A cycle-accurate NES for Nintendo Tetris: console, practice, computer player, puzzles and review",
        "license": "MIT OR Apache-2.0",
        "type": "module",
        "keywords": ["nes", "tetris", "emulator", "wasm"],
        "engines": { "node": ">=20" },
        "exports": {
            ".": { "types": "./index.d.ts", "default": "./index.js" },
            "./player": { "types": "./player.d.ts", "default": "./page/player.js" },
            "./page/*": "./page/*",
            "./package.json": "./package.json",
        },
        "types": "./index.d.ts",
        "sideEffects": ["./page/player.js"],
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_entry_of_the_package_is_a_file_of_it() -> Result<()> {
        let workspace = Workspace::load()?;
        let manifest = manifest("1.0.0");
        let entries = manifest["exports"].as_object().context("entries")?;
        for file in entries.values().flat_map(|entry| [&entry["types"], &entry["default"]]) {
            let Some(file) = file.as_str().and_then(|file| file.strip_prefix("./")) else { continue };
            let source = match file.strip_prefix("page/") {
                Some(name) => workspace.root.join("crates/web/www").join(name),
                None => workspace.root.join("crates/web/npm").join(file),
            };
            assert!(source.is_file(), "{}", source.display());
        }
        Ok(())
    }
}
