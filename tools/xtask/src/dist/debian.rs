//! The Debian package, by Debian's own tools.
//!
//! cargo-deb 3.8 was tried instead. Its package of the same program is reproducible and names the
//! same libraries, but has no `md5sums`, gives the copyright as no stanza of Debian's form, and
//! takes our changelog for Debian's. It would also be a tool to build first, and does not know the
//! staged tree with manual pages, completions and notices that other packages are made from.

use crate::dist::{Release, output, staging};
use anyhow::{Context, Result};
use first_run::install;
use first_run::workspace::succeed;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The name of this machine's processor at Debian.
const ARCHITECTURE: &str = if cfg!(target_arch = "aarch64") { "arm64" } else { "amd64" };

/// What the program loads while it runs, so that no tool finds it, and what `install` does not look
/// for.
const LOADED: &[&str] = &["libxkbcommon0", "libwayland-client0", "libegl1"];

/// Packs the tree, and returns the package.
///
/// # Errors
/// When a tool of Debian's is missing or fails.
pub(super) fn make(release: &Release, staged: &Path) -> Result<PathBuf> {
    let root = release.fresh("debian")?;
    succeed(Command::new("cp").arg("-R").arg(staged).arg(&root))?;
    let documents = root.join("usr/share/doc").join(release.name());
    // Debian's own names: the licences as one file, and what changed.
    staging::put(&documents.join("copyright"), copyright(release.name()).as_bytes())?;
    std::fs::rename(documents.join("CHANGELOG.md"), documents.join("changelog"))?;
    succeed(Command::new("gzip").arg("-9n").arg(documents.join("changelog")))?;
    succeed(Command::new("gzip").arg("-9n").arg(documents.join(staging::NOTICES)))?;
    // Debian has the text of this licence on every machine.
    std::fs::remove_file(documents.join("LICENSE-APACHE"))?;

    let control = control(release, &linked(release, &root)?, kibibytes(&root)?);
    let folder = root.join("DEBIAN");
    staging::put(&folder.join("control"), control.as_bytes())?;
    staging::put(&folder.join("md5sums"), sums(&root)?.as_bytes())?;
    staging::equal_modes(&root)?;
    let path = package(release);
    let mut pack = release.packer("dpkg-deb");
    succeed(pack.args(["--root-owner-group", "-Zxz", "--build"]).arg(&root).arg(&path))?;
    Ok(path)
}

/// Where the package of this version lies.
pub(super) fn package(release: &Release) -> PathBuf {
    release.folder.join(format!("{}_{}_{ARCHITECTURE}.deb", release.name(), release.version))
}

/// The packages whose libraries the program is linked to, with the versions that it was built for.
fn linked(release: &Release, root: &Path) -> Result<String> {
    // The tool wants to stand beside a source package.
    let folder = release.fresh("source")?;
    staging::put(&folder.join("debian/control"), b"Source: maxout\n\nPackage: maxout\nArchitecture: any\n")?;
    let mut tool = Command::new("dpkg-shlibdeps");
    let printed = output(tool.current_dir(&folder).arg("-O").arg(root.join("usr/bin/maxout")))?;
    let line = printed.lines().find_map(|line| line.strip_prefix("shlibs:Depends="));
    Ok(line.context("dpkg-shlibdeps names no package")?.to_owned())
}

fn control(release: &Release, depends: &str, size: u64) -> String {
    let mut recommends = LOADED.to_vec();
    recommends.extend(install::debian_packages_to_run());
    recommends.sort_unstable();
    let (more, about) = if release.headless {
        ("Conflicts: maxout\n".to_owned(), "NES emulator made for Nintendo Tetris, without its window")
    } else {
        let recommends = recommends.join(", ");
        let more = format!(
            "Recommends: {recommends}\nSuggests: ffmpeg, pipewire-alsa\nConflicts: maxout-headless\n"
        );
        (more, "NES emulator made for Nintendo Tetris")
    };
    format!(
        "Package: {}\nVersion: {}\nArchitecture: {ARCHITECTURE}\nMaintainer: The Maxout developers <maxout@localhost>\n\
         Installed-Size: {size}\nDepends: {depends}\n{more}Section: games\nPriority: optional\nDescription: {about}\n \
         Maxout emulates the Nintendo Entertainment System cycle by cycle. It plays\n cartridge images, lets \
         the computer play, records pictures, sound and\n movies, and takes games apart with a debugger and \
         Lua scripts.\n .\n A falling-block game of its own comes with it.\n",
        release.name(),
        release.version,
    )
}

fn copyright(name: &str) -> String {
    format!(
        "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\nUpstream-Name: Maxout\n\n\
     Files: *\nCopyright: The Maxout developers\nLicense: Expat or Apache-2.0\n\n\
     License: Expat\n The text is in /usr/share/doc/{name}/LICENSE-MIT.\n\n\
     License: Apache-2.0\n On Debian systems the text is in /usr/share/common-licenses/Apache-2.0.\n\n\
     Comment: The program holds packages of others. Their licences are in\n \
     /usr/share/doc/{name}/THIRD-PARTY-NOTICES.txt.gz.\n"
    )
}

/// What the files take once they are installed.
fn kibibytes(root: &Path) -> Result<u64> {
    Ok(files(root)?
        .iter()
        .map(|path| Ok(path.metadata()?.len().div_ceil(1024)))
        .sum::<std::io::Result<u64>>()?)
}

/// A line for each file below `usr`: its MD5 sum, and its path without the first slash.
fn sums(root: &Path) -> Result<String> {
    let mut paths = Vec::new();
    for path in files(&root.join("usr"))? {
        paths.push(path.strip_prefix(root)?.to_owned());
    }
    output(Command::new("md5sum").current_dir(root).args(&paths))
}

/// All files below a folder, sorted.
fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in folder.read_dir().with_context(|| format!("{}", folder.display()))? {
            let entry = entry?;
            if entry.file_type()?.is_dir() { folders.push(entry.path()) } else { files.push(entry.path()) }
        }
    }
    files.sort();
    Ok(files)
}
