//! A running `RetroArch`.

use crate::display::Display;
use crate::netplay::processor_time;
use anyhow::{Context, Result, bail};
use std::fmt::Display as Shown;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How often a running one is looked at.
const LOOK: Duration = Duration::from_millis(20);

/// A line of its settings.
pub(super) type Setting = (&'static str, String);

/// Returns a line of its settings.
pub(super) fn setting(key: &'static str, value: impl Shown) -> Setting {
    (key, value.to_string())
}

/// A running `RetroArch`, which ends with this value.
pub(super) struct Running {
    child: Child,
    log: PathBuf,
    begun: Instant,
    /// The processor time that it has taken, when it was last looked at.
    processor: Duration,
}

impl Running {
    /// Starts it in `folder`, with everything that it writes in there, without waiting for a screen
    /// or a sound device, and without a pause when it has no focus.
    pub(super) fn start(
        display: &Display,
        core: &Path,
        rom: Option<&Path>,
        folder: &Path,
        own: &[Setting],
        arguments: &[String],
    ) -> Result<Self> {
        std::fs::create_dir_all(folder)?;
        let place = |name: &str| folder.join(name).display().to_string();
        let cores = core.parent().unwrap_or(folder).display().to_string();
        let usual = [
            setting("video_driver", "null"),
            setting("video_gpu_screenshot", false),
            setting("audio_driver", "null"),
            setting("input_driver", "sdl2"),
            setting("input_joypad_driver", "null"),
            setting("menu_driver", "null"),
            setting("video_vsync", false),
            setting("audio_sync", false),
            setting("audio_enable", false),
            setting("pause_nonactive", false),
            setting("video_fullscreen", false),
            setting("config_save_on_exit", false),
            setting("run_ahead_enabled", false),
            setting("rewind_enable", false),
            setting("savestate_directory", place("states")),
            setting("savefile_directory", place("saves")),
            setting("system_directory", place("system")),
            setting("screenshot_directory", place("")),
            setting("core_options_path", place("core-options.cfg")),
            setting("global_core_options", true),
            // What the description says of states counts only for cores of this folder.
            setting("libretro_directory", &cores),
            setting("libretro_info_path", &cores),
            setting("log_verbosity", true),
            setting("libretro_log_level", 0),
            setting("frontend_log_level", 0),
        ];
        let usual = usual.iter().filter(|(key, _)| own.iter().all(|(other, _)| other != key));
        let lines = usual.chain(own).map(|(key, value)| format!("{key} = \"{value}\"\n"));
        let (config, log) = (folder.join("retroarch.cfg"), folder.join("retroarch.log"));
        std::fs::write(&config, lines.collect::<String>())?;
        let output = File::create(&log)?;
        let mut command = Command::new("retroarch");
        command.arg("--config").arg(&config).arg("-L").arg(core).arg("--verbose").args(arguments).args(rom);
        command.env("DISPLAY", display.name()).env("HOME", folder).env("XDG_CONFIG_HOME", folder);
        command.stdin(Stdio::null()).stdout(output.try_clone()?).stderr(output);
        let child = command.spawn().context("retroarch could not be started")?;
        Ok(Self { child, log, begun: Instant::now(), processor: Duration::ZERO })
    }

    /// Returns what it has logged so far.
    pub(super) fn text(&self) -> Result<String> {
        Ok(String::from_utf8_lossy(&std::fs::read(&self.log)?).into_owned())
    }

    /// Returns whether it has ended.
    pub(super) fn has_ended(&mut self) -> Result<bool> {
        Ok(self.child.try_wait()?.is_some())
    }

    /// Returns the processor time that it took until shortly before it ended; the time on the clock
    /// where the system does not say it.
    pub(super) fn processor(&self) -> Duration {
        self.processor
    }

    /// Waits until it ends by itself, and returns what it has logged.
    ///
    /// # Errors
    /// When it takes longer, or fails.
    pub(super) fn wait(&mut self, patience: Duration) -> Result<String> {
        let status = loop {
            self.processor = processor_time(self.child.id()).unwrap_or(self.begun.elapsed());
            if let Some(status) = self.child.try_wait()? {
                break status;
            }
            if self.begun.elapsed() > patience {
                bail!("retroarch took more than {} seconds:\n{}", patience.as_secs(), tail(&self.text()?));
            }
            std::thread::sleep(LOOK);
        };
        let text = self.text()?;
        if !status.success() {
            bail!("retroarch ended with {status}:\n{}", tail(&text));
        }
        Ok(text)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It has nothing to lose.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Returns the last lines.
pub(super) fn tail(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(20)..].join("\n")
}
