//! `retroarch`: the core of libretro, and `RetroArch` with it.

use crate::display::Display;
use crate::install::{self, Purpose};
use crate::workspace::Workspace;
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
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
    // Everything in this folder, no waiting for a screen or a sound device, and no pause without
    // focus.
    let settings = [
        ("video_driver", if shown { "sdl2" } else { "null" }.to_owned()),
        ("video_gpu_screenshot", "false".to_owned()),
        ("audio_driver", "null".to_owned()),
        ("input_driver", "sdl2".to_owned()),
        ("input_joypad_driver", "null".to_owned()),
        ("menu_driver", "null".to_owned()),
        ("video_vsync", "false".to_owned()),
        ("audio_sync", "false".to_owned()),
        ("audio_enable", "false".to_owned()),
        ("pause_nonactive", "false".to_owned()),
        ("video_fullscreen", "false".to_owned()),
        ("config_save_on_exit", "false".to_owned()),
        ("run_ahead_enabled", ahead.to_string()),
        ("run_ahead_frames", "1".to_owned()),
        // Without a second instance the game itself goes to and fro.
        ("run_ahead_secondary_instance", "false".to_owned()),
        ("rewind_enable", ahead.to_string()),
        ("savestate_directory", place("states")),
        ("savefile_directory", place("saves")),
        ("system_directory", place("system")),
        ("screenshot_directory", place("")),
        // What the description says of states counts only for cores of this folder.
        ("libretro_directory", core.parent().unwrap_or(folder).display().to_string()),
        ("libretro_info_path", core.parent().unwrap_or(folder).display().to_string()),
        ("log_verbosity", "true".to_owned()),
        ("libretro_log_level", "0".to_owned()),
        ("frontend_log_level", "0".to_owned()),
    ];
    let text: Vec<String> = settings.iter().map(|(key, value)| format!("{key} = \"{value}\"\n")).collect();
    let (config, log) = (folder.join("retroarch.cfg"), folder.join("retroarch.log"));
    std::fs::write(&config, text.concat())?;
    let output = std::fs::File::create(&log)?;
    let mut command = Command::new("retroarch");
    command.arg("--config").arg(&config).arg("-L").arg(core).arg("--verbose");
    command.arg(format!("--max-frames={frames}"));
    if shown {
        command.arg("--max-frames-ss").arg(format!("--max-frames-ss-path={}", place(&format!("{name}.png"))));
    }
    command.args(rom).env("DISPLAY", display.name()).env("HOME", folder).env("XDG_CONFIG_HOME", folder);
    command.stdin(Stdio::null()).stdout(output.try_clone()?).stderr(output);
    let mut child = command.spawn().context("retroarch could not be started")?;
    let begun = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if begun.elapsed() > PATIENCE {
            let _ = child.kill();
            let _ = child.wait();
            bail!("retroarch took more than {} seconds", PATIENCE.as_secs());
        }
        std::thread::sleep(Duration::from_millis(100));
    };
    let text = String::from_utf8_lossy(&std::fs::read(&log)?).into_owned();
    let unavailable = text.lines().find(|line| line.contains("unavailable because"));
    if let Some(line) = unavailable.filter(|_| ahead) {
        bail!("{line}");
    }
    if ahead && !text.contains("Initializing rewind buffer") {
        bail!("retroarch has no buffer for rewinding:\n{}", tail(&text));
    }
    if !status.success() {
        bail!("retroarch ended with {status}:\n{}", tail(&text));
    }
    Ok(text)
}

/// Returns the frames and the state's hash that the core logs when its game is taken out.
fn said(text: &str) -> Option<(u64, String)> {
    let said =
        text.lines().rev().find_map(|line| line.split_once("Maxout: ")?.1.split_once(" frames, state "))?;
    Some((said.0.parse().ok()?, said.1.trim().to_owned()))
}

/// Returns the last lines.
fn tail(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(20)..].join("\n")
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
