//! What lies beside the Debian package: sums, archive, AppImage, and the files that shells and
//! desktops read.

use super::same;
use crate::dist::{PROCESSOR, Release, output};
use anyhow::{Context, Result, bail};
use first_run::install;
use first_run::workspace::succeed;
use std::path::Path;
use std::process::Command;

/// Where the archive is unpacked on the bare system.
const UNPACKED: &str = "/unpacked";

/// Compares every file with its sum.
///
/// # Errors
/// When one differs, or there are none.
pub(super) fn sums(release: &Release) -> Result<()> {
    let compared =
        output(Command::new("sha256sum").current_dir(&release.folder).args(["--check", "SHA256SUMS"]))?;
    println!("check: {} files have their sums", compared.lines().count());
    Ok(())
}

/// Validates what desktops read, man pages and completions, in the tree that all packages carry.
///
/// # Errors
/// When one is not valid.
pub(super) fn shared(release: &Release, install: bool) -> Result<()> {
    let share = release.workspace.built("staging/usr/share");
    let pages = share.join("man/man1");
    let mut count = 0;
    for entry in pages.read_dir().with_context(|| format!("{}", pages.display()))? {
        succeed(Command::new("gzip").arg("--test").arg(entry?.path()))?;
        count += 1;
    }
    succeed(Command::new("bash").arg("-n").arg(share.join("bash-completion/completions/maxout")))?;
    println!("check: {count} man pages, and completions that bash reads");
    if release.headless {
        return Ok(());
    }
    let tools = [("desktop-file-validate", "desktop-file-utils"), ("appstreamcli", "appstream")];
    install::ensure_debian(&tools, install)?;
    succeed(Command::new("desktop-file-validate").arg(share.join("applications/maxout.desktop")))?;
    let metainfo = share.join("metainfo/org.maxout.Maxout.metainfo.xml");
    output(Command::new("appstreamcli").args(["validate", "--no-net"]).arg(metainfo))?;
    println!("check: the desktop entry and the AppStream data are valid");
    Ok(())
}

/// Unpacks the archive on the bare system, which has the libraries by now, and runs what is in it.
///
/// # Errors
/// When it does not run, or computes something else.
pub(super) fn archive(
    release: &Release,
    root: &Path,
    inside: &dyn Fn(&str) -> Command,
    expected: &[String],
) -> Result<()> {
    let name = format!("{}-{}", release.name(), release.version);
    let file = format!("{name}-{PROCESSOR}-linux.tar.gz");
    std::fs::copy(release.folder.join(&file), root.join(&file)).with_context(|| file.clone())?;
    succeed(inside("mkdir").arg(UNPACKED))?;
    succeed(inside("tar").args(["-xzf", &format!("/{file}"), "-C", UNPACKED]))?;
    let found = same(&mut inside(&format!("{UNPACKED}/{name}/bin/maxout")))?;
    if found != expected {
        bail!("out of the archive `maxout run` prints {found:?}, here {expected:?}");
    }
    println!("check: the same hashes out of the archive");
    Ok(())
}

/// Runs the AppImage on this machine, without mounting it.
///
/// # Errors
/// When it does not run, or computes something else.
pub(super) fn appimage(release: &Release, expected: &[String]) -> Result<()> {
    let path = release.folder.join(format!("Maxout-{}-{PROCESSOR}.AppImage", release.version));
    if release.headless || !path.is_file() {
        println!("check: no AppImage to try (dist --appimage-runtime FILE makes one)");
        return Ok(());
    }
    // It unpacks itself below this folder, and removes that again.
    let folder = release.fresh("appimage")?;
    let found = same(Command::new(&path).arg("--appimage-extract-and-run").env("TMPDIR", &folder))?;
    if found != expected {
        bail!("out of the AppImage `maxout run` prints {found:?}, here {expected:?}");
    }
    println!("check: the same hashes out of the AppImage");
    Ok(())
}
