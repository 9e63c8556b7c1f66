//! Packages are tried as people use them: on a Debian that has nothing else, and under Wine.

mod files;

use crate::dist::{Release, debian, output, windows};
use crate::screen::Screen;
use crate::wine::Wine;
use anyhow::{Context, Result, bail};
use first_run::install;
use first_run::workspace::succeed;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What `maxout run` prints that is the same on every machine.
const SAME: [&str; 4] = ["picture", "sound", "state", "registers"];

/// Frames that are run and played.
const FRAMES: &str = "600";

/// What the bare system gets besides the package, so that a window can open: a display without a
/// screen.
const XVFB: &str = "xvfb";

/// Installs the package on a bare Debian, runs it, looks at its window, removes it, and sees that
/// nothing is left.
///
/// # Errors
/// When a step fails, or what the program computes there is not what it computes here.
pub(super) fn debian(release: &Release, install: bool) -> Result<()> {
    install::ensure_debian(&[("debootstrap", "debootstrap")], install)?;
    if output(Command::new("id").arg("-u"))?.trim() != "0" {
        bail!("a bare Debian can only be made by root: sudo cargo xtask dist --check-only");
    }
    let package = debian::package(release);
    if !package.is_file() {
        bail!("{} is not there: cargo xtask dist makes it", package.display());
    }
    let expected = same(&mut Command::new(native(release)?))?;
    files::sums(release)?;
    files::shared(release, install)?;
    files::appimage(release, &expected)?;
    let root = bare(release)?;
    let inside = |program: &str| {
        let mut command = Command::new("chroot");
        command.arg(&root).args(["/usr/bin/env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin"]);
        command.args(["DEBIAN_FRONTEND=noninteractive", "LC_ALL=C", "HOME=/"]).arg(program);
        command
    };
    std::fs::copy(&package, root.join("maxout.deb"))?;
    let before = listing(&root)?;
    succeed(inside("apt-get").args(["install", "-y", "-q", "--no-install-recommends", "/maxout.deb"]))?;
    let name = release.name();
    let installed = output(inside("dpkg").args(["-L", name]))?;
    println!("check: {} files installed", installed.lines().count());
    println!("check: {}", output(inside("maxout").arg("--version"))?.trim());
    let found = same(&mut inside("maxout"))?;
    if found != expected {
        bail!("on the bare Debian `maxout run` prints {found:?}, here {expected:?}");
    }
    println!("check: the same hashes as here: {}", found.join(", "));

    files::archive(release, &root, &inside, &expected)?;

    if !release.headless {
        debian_window(release, &root, &inside, &expected)?;
    }

    succeed(inside("apt-get").args(["purge", "-y", "-q", name]))?;
    let left: Vec<&str> = installed
        .lines()
        .filter(|path| {
            root.join(path.trim_start_matches('/')).symlink_metadata().is_ok_and(|data| !data.is_dir())
        })
        .collect();
    let ours: Vec<PathBuf> = listing(&root)?
        .into_iter()
        .filter(|path| !before.contains(path) && path.to_string_lossy().contains("maxout"))
        .collect();
    if !left.is_empty() || !ours.is_empty() {
        bail!("removing the package leaves {left:?} {ours:?}");
    }
    println!("check: removed, and nothing is left");
    remove(&root)
}

/// Looks at the window on a bare Debian, with what the package recommends and a display without a
/// screen.
fn debian_window(
    release: &Release,
    root: &Path,
    inside: &dyn Fn(&str) -> Command,
    expected: &[String],
) -> Result<()> {
    succeed(inside("apt-get").args(["install", "-y", "-q", "-f", XVFB]))?;
    let recommended = output(inside("dpkg-query").args(["-W", "-f", "${Recommends}", "maxout"]))?;
    let recommended: Vec<&str> = recommended.split(", ").map(str::trim).collect();
    succeed(inside("apt-get").args(["install", "-y", "-q", "--no-install-recommends"]).args(&recommended))?;
    let screen = Screen::open(inside("Xvfb"), (1024, 768), root, "/screen")?;
    let mut player = inside("env");
    player.arg(format!("DISPLAY={}", screen.name())).arg("maxout");
    let picture = release.folder.join("check-debian.png");
    window(&mut player, "/", &screen, &picture, expected)
}

/// Runs the program for Windows under Wine and looks at its window.
///
/// # Errors
/// When a step fails, or what the program computes there is not what it computes here.
pub(super) fn windows(release: &Release, install: bool) -> Result<()> {
    install::ensure_debian(&[("Xvfb", XVFB)], install)?;
    let program = windows::program(release)?;
    let expected = same(&mut Command::new(native(release)?))?;
    let prefix = release.fresh("wine")?;
    let wine = Wine::begin(&prefix, install)?;
    let found = same(wine.command().arg(&program))?;
    if found != expected {
        bail!("under Wine `maxout run` prints {found:?}, here {expected:?}");
    }
    println!("check: the same hashes under Wine as here: {}", found.join(", "));
    if release.headless {
        return Ok(());
    }
    let shown = release.fresh("screen")?;
    let screen = Screen::open(Command::new("Xvfb"), (1024, 768), &shown, &shown.to_string_lossy())?;
    let mut player = wine.command();
    player.env("DISPLAY", screen.name()).arg(&program);
    let folder = format!("Z:{}", prefix.display());
    window(&mut player, &folder, &screen, &release.folder.join("check-windows.png"), &expected)
}

/// The program that was made for this system.
fn native(release: &Release) -> Result<PathBuf> {
    let path = release.workspace.built("staging/usr/bin/maxout");
    if !path.is_file() {
        bail!("{} is not there: cargo xtask dist makes it", path.display());
    }
    Ok(path)
}

/// The lines of `maxout run` that are the same everywhere. Line ends are the system's.
fn same(maxout: &mut Command) -> Result<Vec<String>> {
    let printed = output(maxout.args(["run", "--frames", FRAMES]))?;
    let lines: Vec<String> = printed
        .lines()
        .filter(|line| SAME.iter().any(|name| line.starts_with(name)))
        .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
        .collect();
    if lines.len() != SAME.len() {
        bail!("`maxout run` does not print {SAME:?}:\n{printed}");
    }
    Ok(lines)
}

/// Plays in a window, keeps a picture of it, and compares the state at the end with that of a run
/// without one.
fn window(
    player: &mut Command,
    folder: &str,
    screen: &Screen,
    picture: &Path,
    expected: &[String],
) -> Result<()> {
    let mut playing = player
        .args(["play", "--exit-after-frames", FRAMES, "--folder", &format!("{folder}/play")])
        .args(["--state-out", &format!("{folder}/end.state")])
        .stdout(std::process::Stdio::piped())
        .spawn()
        .context("the window could not be started")?;
    let shown = screen.picture_of(&mut playing)?;
    shown.save(picture).with_context(|| format!("{} cannot be written", picture.display()))?;
    let ended = playing.wait_with_output()?;
    let printed = String::from_utf8_lossy(&ended.stdout);
    let state = expected.iter().find_map(|line| line.strip_prefix("state ")).context("no state")?;
    if !ended.status.success() || !printed.contains(state) {
        bail!("the window ended with {} and printed {printed:?}, not the state {state}", ended.status);
    }
    println!("check: the window ends with the same state; it is to be seen in {}", picture.display());
    Ok(())
}

/// A Debian with nothing but what it cannot be without, of the same release as this one.
fn bare(release: &Release) -> Result<PathBuf> {
    let root = release.workspace.built("staging").join("bare");
    remove(&root)?;
    let os = std::fs::read_to_string("/etc/os-release").unwrap_or_default();
    let name = os.lines().find_map(|line| line.strip_prefix("VERSION_CODENAME="));
    let name = name.filter(|_| os.contains("ID=debian")).unwrap_or("stable");
    succeed(Command::new("debootstrap").args(["--variant=minbase", name]).arg(&root))?;
    Ok(root)
}

/// Removes a system's folder. What is mounted in one would be emptied with it: then nothing is
/// removed.
fn remove(root: &Path) -> Result<()> {
    let mounts = std::fs::read_to_string("/proc/mounts").context("/proc/mounts cannot be read")?;
    let inside = format!(" {}/", root.display());
    if let Some(mount) = mounts.lines().find(|line| line.contains(&inside)) {
        bail!("{} holds a mount, so it stays: {mount}", root.display());
    }
    match std::fs::remove_dir_all(root) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(error).with_context(|| format!("{} cannot be removed", root.display()))
        }
        _ => Ok(()),
    }
}

/// Every file below a system's `usr`, `etc` and `var`.
fn listing(root: &Path) -> Result<Vec<PathBuf>> {
    let listed = output(Command::new("find").current_dir(root).args(["usr", "etc", "var", "-type", "f"]))?;
    Ok(listed.lines().map(PathBuf::from).collect())
}
