//! `retroarch`: the core of libretro, and `RetroArch` with it.

mod front_end;
mod netplay;
mod speed;

use crate::display::Display;
use anyhow::{Context, Result, bail};
use first_run::install::{self, Purpose};
use first_run::workspace::Workspace;
use front_end::{Running, setting, tail};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

/// Frames that the front end runs without a picture, and with one.
const FRAMES: u64 = 10_000;
const SHOWN: u64 = 300;
/// The longest that it may take for them.
const PATIENCE: Duration = Duration::from_secs(600);

/// What `retroarch` can be told.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Run the core in `RetroArch` on a display without a screen, and compare the state that it
    /// comes to with that of `maxout run`.
    #[arg(long)]
    test: bool,
    /// Run these cores (`nestopia_libretro.so`) and ours in turn in `RetroArch`, without a picture,
    /// and say how many frames each makes in a second of processor time.
    #[arg(long, value_name = "CORE", num_args = 0..)]
    speed: Option<Vec<PathBuf>>,
}

/// Builds the core, and puts it with its description into `target/retroarch`. With `--test` it is
/// built as the tests build it, and run.
///
/// # Errors
/// When something cannot be installed or built, or `RetroArch` comes to another state.
pub(crate) fn run(workspace: &Workspace, arguments: &Arguments) -> Result<ExitCode> {
    install::ensure(Purpose::Build, true)?;
    let core = build(workspace, if arguments.test { "dev" } else { "release" })?;
    println!("{}", core.display());
    if arguments.test {
        install::ensure(Purpose::RetroArch, true)?;
        test(workspace, &core)?;
    }
    if let Some(others) = &arguments.speed {
        install::ensure(Purpose::RetroArch, true)?;
        speed::run(workspace, &core, others)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Builds the core, and returns where it is.
fn build(workspace: &Workspace, profile: &str) -> Result<PathBuf> {
    let mut command = workspace.cargo(&["build", "--package", "libretro", "--profile", profile]);
    if !command.status().context("cargo could not be started")?.success() {
        bail!("libretro does not build");
    }
    let (prefix, suffix) = (std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    let folder = workspace.target().join(if profile == "dev" { "debug" } else { profile });
    let built = folder.join(format!("{prefix}maxout_libretro{suffix}"));
    let out = workspace.built("retroarch");
    std::fs::create_dir_all(&out)?;
    let core = out.join(format!("maxout_libretro{suffix}"));
    std::fs::copy(&built, &core).with_context(|| format!("{} is not there", built.display()))?;
    let info = "maxout_libretro.info";
    std::fs::copy(workspace.root.join("packaging").join(info), out.join(info))?;
    Ok(core)
}

/// Runs both cartridges in `RetroArch`, as it is, and with the frames that it runs ahead and the
/// buffer for rewinding, both of which save and load a state in every frame.
fn test(workspace: &Workspace, core: &Path) -> Result<()> {
    let maxout = workspace.build("maxout", &[])?;
    let folder = workspace.built("retroarch").join("test");
    std::fs::create_dir_all(&folder)?;
    let display = Display::open(Command::new("Xvfb"))?;
    let slow = workspace.root.join("roms/maxout-slow.nes");
    for (name, rom) in [("built-in", None), ("slow", Some(slow.as_path()))] {
        for (mode, frames) in [(Mode::Plain, FRAMES), (Mode::Ahead, FRAMES), (Mode::Shown, SHOWN)] {
            let expected = state_of(&maxout, rom, frames)?;
            let begun = Instant::now();
            let text = play(&display, core, (name, rom), &folder, (mode, frames))?;
            let seconds = begun.elapsed().as_secs_f64();
            let found =
                said(&text).with_context(|| format!("the core has said no state:\n{}", tail(&text)))?;
            println!("{name}, {}: {} frames in {seconds:.1} s, state {}", mode.name(), found.0, found.1);
            if found != (frames, expected.clone()) {
                bail!("{name}, {}: expected {frames} frames and state {expected}", mode.name());
            }
        }
    }
    println!("pictures: {}", folder.display());
    netplay::test(&display, core, &slow, &folder, |frames| state_of(&maxout, Some(&slow), frames))?;
    Ok(())
}

/// How `RetroArch` runs a game.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// As fast as it can.
    Plain,
    /// With a frame run ahead and the buffer for rewinding, which save and load states.
    Ahead,
    /// With a picture, which it keeps at the end.
    Shown,
}

impl Mode {
    fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Ahead => "run-ahead 1 and rewind",
            Self::Shown => "with a picture",
        }
    }
}

/// Returns the state's hash that `maxout run` prints.
fn state_of(maxout: &Path, rom: Option<&Path>, frames: u64) -> Result<String> {
    let mut command = Command::new(maxout);
    command.args(["run", "--no-video", "--no-sound", "--frames", &frames.to_string()]);
    let output = command.args(rom).output().context("maxout could not be started")?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let state = text.lines().find_map(|line| line.strip_prefix("state"));
    Ok(state.context("maxout run has printed no state")?.trim().to_owned())
}

/// Runs `RetroArch` for so many frames, and returns what it has logged.
fn play(
    display: &Display,
    core: &Path,
    (name, rom): (&str, Option<&Path>),
    folder: &Path,
    (mode, frames): (Mode, u64),
) -> Result<String> {
    let place = |name: &str| folder.join(name).display().to_string();
    let (shown, ahead) = (mode == Mode::Shown, mode == Mode::Ahead);
    let own = [
        setting("video_driver", if shown { "sdl2" } else { "null" }),
        setting("run_ahead_enabled", ahead),
        setting("run_ahead_frames", 1),
        // Without a second instance the game itself goes to and fro.
        setting("run_ahead_secondary_instance", false),
        setting("rewind_enable", ahead),
    ];
    let mut arguments = vec![format!("--max-frames={frames}")];
    if shown {
        arguments.push("--max-frames-ss".to_owned());
        arguments.push(format!("--max-frames-ss-path={}", place(&format!("{name}.png"))));
    }
    let mut running = Running::start(display, core, rom, folder, &own, &arguments)?;
    let text = running.wait(PATIENCE)?;
    let unavailable = text.lines().find(|line| line.contains("unavailable because"));
    if let Some(line) = unavailable.filter(|_| ahead) {
        bail!("{line}");
    }
    if ahead && !text.contains("Initializing rewind buffer") {
        bail!("retroarch has no buffer for rewinding:\n{}", tail(&text));
    }
    Ok(text)
}

/// Returns the frames and the state's hash that the core logs when its game is taken out.
fn said(text: &str) -> Option<(u64, String)> {
    let said =
        text.lines().rev().find_map(|line| line.split_once("Maxout: ")?.1.split_once(" frames, state "))?;
    Some((said.0.parse().ok()?, said.1.trim().to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_state_that_was_logged_counts() {
        let text =
            "[INFO] Maxout: 1 frames, state 00\n[libretro INFO] Maxout: 10000 frames, state 0123abcd\nend\n";
        assert_eq!(said(text), Some((10_000, "0123abcd".to_owned())));
        assert_eq!(said("Maxout: nothing\n"), None);
        assert_eq!(tail("a\nb\n"), "a\nb");
    }
}
