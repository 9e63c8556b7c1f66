//! `roms`: the cartridge images of this repository, built from their sources by cc65's assembler
//! and linker.
//!
//! The images are committed, so that cargo alone builds everything; `--check`, which `test` runs
//! too, builds them again and compares byte for byte.

mod assembly;
mod cartridge;
mod chr;

use anyhow::{Context, Result, bail};
use assembly::Built;
use cartridge::Cartridge;
use first_run::install::{self, Purpose};
use first_run::workspace::Workspace;
use sha1::{Digest, Sha1};
use std::path::Path;
use std::process::ExitCode;

/// Bytes of an iNES header.
const HEADER: usize = 16;

/// What `roms` can be told.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Write nothing; fail when a committed image differs from what its sources give.
    #[arg(long)]
    check: bool,
    /// Only print what the system lacks; install nothing.
    #[arg(long)]
    no_install: bool,
}

/// Installs the assembler where it is missing, then builds and writes every image, or checks.
///
/// # Errors
/// When there is no assembler, or a source or a picture is wrong.
pub(crate) fn run(workspace: &Workspace, arguments: &Arguments) -> Result<ExitCode> {
    install::ensure(Purpose::Assemble, !arguments.no_install)?;
    if !install::complete(Purpose::Assemble) {
        bail!("the cartridges cannot be built without ca65 and ld65, which are cc65's");
    }
    if arguments.check {
        return check(workspace);
    }
    for cartridge in cartridge::all(&workspace.root)? {
        if !can_build(&cartridge) {
            continue;
        }
        let Built { debug, .. } = &build(workspace, &cartridge, |path, bytes| {
            let file = workspace.root.join(path);
            let changed = !std::fs::read(&file).is_ok_and(|committed| committed == bytes);
            if changed {
                replace(&file, bytes)?;
            }
            println!("{path}: {}", if changed { "written" } else { "unchanged" });
            Ok(())
        })?;
        // It holds times and paths, so it is for this machine's debugger only.
        let folder = workspace.built("roms");
        std::fs::create_dir_all(&folder).with_context(|| format!("{} cannot be made", folder.display()))?;
        replace(&folder.join(format!("{}.dbg", cartridge.name())), debug)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Builds every image again and prints a line for each committed file that differs. Fails when
/// there is one.
///
/// # Errors
/// When a source or a picture is wrong.
pub(crate) fn check(workspace: &Workspace) -> Result<ExitCode> {
    let cartridges = cartridge::all(&workspace.root)?;
    let mut differences = 0;
    for cartridge in cartridges.iter().filter(|cartridge| can_build(cartridge)) {
        build(workspace, cartridge, |path, bytes| {
            if let Some(difference) = difference(&workspace.root.join(path), bytes) {
                println!("{path}: {difference}: run `cargo xtask roms`");
                differences += 1;
            }
            Ok(())
        })?;
    }
    if differences > 0 {
        return Ok(ExitCode::FAILURE);
    }
    println!("roms: {} cartridges, each what its sources give", cartridges.len());
    Ok(ExitCode::SUCCESS)
}

/// The images that sources in this repository give, by their paths from the root.
///
/// # Errors
/// When the folders of the sources cannot be read.
pub(crate) fn images(root: &Path) -> Result<Vec<String>> {
    Ok(cartridge::all(root)?.into_iter().map(|cartridge| cartridge.image).collect())
}

/// Whether the compiler that a cartridge takes is here; says so where it is not.
fn can_build(cartridge: &Cartridge) -> bool {
    let can = cartridge.c_sources.is_empty() || assembly::has_compiler();
    if !can {
        println!("{}: left alone: it is compiled by {}", cartridge.image, assembly::COMPILER);
    }
    can
}

/// Builds a cartridge and hands each of its committed files over, by path from the root.
fn build(
    workspace: &Workspace,
    cartridge: &Cartridge,
    mut file: impl FnMut(&str, &[u8]) -> Result<()>,
) -> Result<Built> {
    let built = assembly::build(&workspace.root, cartridge)
        .with_context(|| format!("{} cannot be built", cartridge.image))?;
    file(&cartridge.image, &built.image)?;
    if let Some(labels) = &cartridge.labels {
        file(labels, built.labels.as_bytes())?;
    }
    if let Some(debug) = &cartridge.debug {
        file(debug, &built.debug)?;
    }
    if let Some(path) = &cartridge.hashes {
        let hash = |bytes: &[u8]| {
            Sha1::digest(bytes).iter().fold(String::new(), |digits, byte| digits + &format!("{byte:02x}"))
        };
        let headerless = built.image.get(HEADER..).unwrap_or_default();
        file(path, format!("{}\n{}\n", hash(&built.image), hash(headerless)).as_bytes())?;
    }
    Ok(built)
}

/// What is wrong with a committed file, if it does not hold these bytes.
fn difference(file: &Path, bytes: &[u8]) -> Option<String> {
    let committed = match std::fs::read(file) {
        Ok(committed) => committed,
        Err(error) => return Some(format!("cannot be read ({error})")),
    };
    if committed == bytes {
        return None;
    }
    if committed.len() != bytes.len() {
        return Some(format!("{} bytes, its sources give {}", committed.len(), bytes.len()));
    }
    let offset = committed.iter().zip(bytes).position(|(committed, fresh)| committed != fresh)?;
    Some(format!("differs from what its sources give, first at byte ${offset:04X}"))
}

/// Writes beside the file and renames, so that no half an image is ever there.
fn replace(file: &Path, bytes: &[u8]) -> Result<()> {
    let mut draft = file.as_os_str().to_owned();
    draft.push(".new");
    std::fs::write(&draft, bytes)
        .and_then(|()| std::fs::rename(&draft, file))
        .inspect_err(|_| drop(std::fs::remove_file(&draft)))
        .with_context(|| format!("{} cannot be written", file.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_committed_file_that_differs_is_told_by_its_first_byte_its_length_or_its_absence() -> Result<()> {
        let folder = tempfile::tempdir()?;
        let file = folder.path().join("a.nes");
        let said = |bytes| difference(&file, bytes).unwrap_or_default();
        assert!(said(b"NES").contains("cannot be read"));
        replace(&file, b"NES")?;
        assert_eq!(difference(&file, b"NES"), None);
        assert!(said(b"NEW").contains("$0002"));
        assert!(said(b"NE").contains("3 bytes"));
        assert_eq!(folder.path().read_dir()?.count(), 1);
        Ok(())
    }
}
