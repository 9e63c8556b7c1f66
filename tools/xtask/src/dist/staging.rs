//! The tree that every package carries: `bin` and `share` as they lie below a prefix, and what
//! people read.

use crate::dist::{Release, icon, output};
use anyhow::{Context, Result};
use first_run::workspace::succeed;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What everybody who gets a copy gets with it, and the folder of the pages that README links to.
const READ: &[&str] = &["README.md", "CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT"];
const PAGES: &str = "docs";

/// File of the notices of others.
pub(crate) const NOTICES: &str = "THIRD-PARTY-NOTICES.txt";

/// Puts program, man pages, completions, desktop files and documentation below an empty folder, as
/// below `/usr`.
///
/// # Errors
/// When a file cannot be read or written, or the program does not print its man pages.
pub(super) fn prefix(release: &Release, program: &Path, notices: &str) -> Result<PathBuf> {
    let root = release.fresh("usr")?;
    let share = root.join("share");
    let binary = root.join("bin/maxout");
    copy(program, &binary)?;
    documents(release, &share.join("doc").join(release.name()), notices)?;

    let pages = share.join("man/man1");
    succeed(Command::new(&binary).arg("man").arg(&pages))?;
    succeed(Command::new("gzip").args(["-9nr"]).arg(&pages))?;
    let completions = [
        ("bash", "bash-completion/completions/maxout"),
        ("zsh", "zsh/vendor-completions/_maxout"),
        ("fish", "fish/vendor_completions.d/maxout.fish"),
    ];
    for (shell, path) in completions {
        put(&share.join(path), output(Command::new(&binary).args(["completions", shell]))?.as_bytes())?;
    }

    if !release.headless {
        desktop(release, &share)?;
    }
    equal_modes(&root)?;
    Ok(root)
}

/// Puts below `share` what desktops want to know: how to start it, what it opens, its icon.
fn desktop(release: &Release, share: &Path) -> Result<()> {
    let packaging = release.workspace.root.join("packaging");
    copy(&packaging.join("maxout.desktop"), &share.join("applications/maxout.desktop"))?;
    copy(&packaging.join("maxout-mime.xml"), &share.join("mime/packages/maxout.xml"))?;
    let metainfo = packaging.join("maxout.metainfo.xml");
    let metainfo = std::fs::read_to_string(&metainfo).with_context(|| format!("{}", metainfo.display()))?;
    let metainfo = metainfo.replace("@VERSION@", &release.version).replace("@DATE@", &release.date);
    put(&share.join("metainfo/org.maxout.Maxout.metainfo.xml"), metainfo.as_bytes())?;
    let icons = share.join("icons/hicolor");
    for size in icon::SIZES {
        put(&icons.join(format!("{size}x{size}/apps/maxout.png")), &icon::png(size)?)?;
    }
    put(&icons.join("scalable/apps/maxout.svg"), icon::svg().as_bytes())
}

/// Puts what people read into a folder.
///
/// # Errors
/// When a file cannot be read or written.
pub(super) fn documents(release: &Release, folder: &Path, notices: &str) -> Result<()> {
    let root = &release.workspace.root;
    for name in READ {
        copy(&root.join(name), &folder.join(name))?;
    }
    put(&folder.join(NOTICES), notices.as_bytes())?;
    let listed = output(Command::new("git").current_dir(root).args(["ls-files", "-z", PAGES]))?;
    for path in listed.split_terminator('\0') {
        copy(&root.join(path), &folder.join(path))?;
    }
    Ok(())
}

/// Packs the tree into an archive of its own, whose name ends as `of`.
///
/// # Errors
/// When tar cannot be run or fails.
pub(super) fn archive(release: &Release, staged: &Path, of: &str) -> Result<PathBuf> {
    let name = format!("{}-{}", release.name(), release.version);
    let path = release.folder.join(format!("{name}-{of}.tar.gz"));
    let rename = format!("--transform=s,^\\.,{name},");
    let mut tar = release.packer("tar");
    tar.args(["--sort=name", "--owner=0", "--group=0", "--numeric-owner", "--format=gnu"]);
    tar.arg(format!("--mtime=@{}", release.epoch)).arg(rename).arg("--use-compress-program=gzip -9n");
    succeed(tar.arg("-cf").arg(&path).arg("-C").arg(staged).arg("."))?;
    Ok(path)
}

/// Gives files and folders the modes that they have in packages, whatever this machine's are.
///
/// # Errors
/// When chmod fails.
pub(super) fn equal_modes(folder: &Path) -> Result<()> {
    succeed(Command::new("chmod").args(["-R", "u=rwX,go=rX"]).arg(folder))
}

/// Writes a file, and the folders above it.
///
/// # Errors
/// When it cannot be written.
pub(super) fn put(path: &Path, bytes: &[u8]) -> Result<()> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).with_context(|| format!("{}", folder.display()))?;
    }
    std::fs::write(path, bytes).with_context(|| format!("{} cannot be written", path.display()))
}

/// Copies a file with its mode, and makes the folders above it.
///
/// # Errors
/// When it cannot be read or written.
pub(super) fn copy(from: &Path, to: &Path) -> Result<()> {
    if let Some(folder) = to.parent() {
        std::fs::create_dir_all(folder).with_context(|| format!("{}", folder.display()))?;
    }
    std::fs::copy(from, to).with_context(|| format!("{} cannot be copied", from.display()))?;
    Ok(())
}
