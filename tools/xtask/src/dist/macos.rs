//! The program for macOS, on both processors in one file.

use crate::dist::{Release, notices, program, staging};
use anyhow::{Result, bail};
use first_run::workspace::succeed;
use std::path::PathBuf;
use std::process::Command;

/// The targets that are joined.
pub(crate) const TARGETS: [&str; 2] = ["aarch64-apple-darwin", "x86_64-apple-darwin"];

/// Builds the program for each processor, joins both and packs the result with what people read.
///
/// # Errors
/// When this is another system, a target is missing, or it does not build.
pub(super) fn make(release: &Release, install: bool) -> Result<PathBuf> {
    if !cfg!(target_os = "macos") {
        bail!("the program for macOS is made on macOS, whose linker it takes");
    }
    if install {
        succeed(Command::new("rustup").args(["target", "add"]).args(TARGETS))?;
    }
    let name = format!("{}-{}", release.name(), release.version);
    let parent = release.fresh("macos")?;
    let folder = parent.join(&name);
    std::fs::create_dir_all(&folder)?;
    let mut lipo = Command::new("lipo");
    lipo.arg("-create").arg("-output").arg(folder.join("maxout"));
    for target in TARGETS {
        lipo.arg(program::build(release, target)?);
    }
    succeed(&mut lipo)?;
    // Both have the same dependencies.
    let notices = notices::text(release.workspace, "maxout", release.features(), TARGETS[0])?;
    staging::documents(release, &folder, &notices)?;
    staging::equal_modes(&folder)?;
    let path = release.folder.join(format!("{name}-universal-macos.tar.gz"));
    succeed(release.packer("tar").arg("-czf").arg(&path).arg("-C").arg(&parent).arg(&name))?;
    Ok(path)
}
