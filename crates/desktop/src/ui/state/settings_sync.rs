//! Where changed settings go: to the machine at once, into the file when the player is done.

use std::time::{Duration, Instant};

use crate::DesktopError;
use crate::config::ConfigFile;
use crate::config::settings::Settings;
use crate::messages::command::Command;
use crate::video::render_settings::RenderSettings;

/// So long after the last change settings are written, also in the middle of a game: the program
/// may be ended in any way.
const SAVED_AFTER: Duration = Duration::from_secs(1);

/// What the machine and the file know of the settings.
pub(super) struct SettingsSync {
    /// What the machine was last told.
    sent: Settings,
    /// What was last written into the file.
    saved: Settings,
    /// When the player changed something that is not written yet.
    changed: Option<Instant>,
    file: Option<ConfigFile>,
}

impl SettingsSync {
    pub(super) fn new(settings: &Settings, file: Option<ConfigFile>) -> Self {
        Self { sent: settings.clone(), saved: settings.clone(), changed: None, file }
    }

    /// Returns the file.
    pub(super) fn file(&self) -> Option<&ConfigFile> {
        self.file.as_ref()
    }

    /// Returns the commands that tell the machine of everything in `new` that it does not know yet.
    pub(super) fn commands(&mut self, new: &Settings) -> Vec<Command> {
        let mut commands = vec![];
        if self.sent == *new {
            return commands;
        }
        let old = &self.sent;
        let colours = |settings: &Settings| {
            let picture = &settings.picture;
            (picture.hue, picture.saturation, picture.palette.clone())
        };
        if colours(old) != colours(new) {
            commands.push(Command::Palette(Box::new(RenderSettings::new(&new.picture).0.palette)));
        }
        if old.time != new.time {
            commands.push(Command::Time(new.time));
        }
        if old.sound != new.sound {
            commands.push(Command::Sound(new.sound.clone()));
        }
        if old.input != new.input {
            commands.push(Command::Input(Box::new(new.input.clone())));
        }
        if old.rewind != new.rewind {
            commands.push(Command::RewindLimits(new.rewind));
        }
        if old.recording != new.recording {
            commands.push(Command::Recordings(new.recording.clone()));
        }
        if old.tetris != new.tetris {
            commands.push(Command::Tetris(new.tetris.clone()));
        }
        if old.streaming != new.streaming {
            commands.push(Command::Streaming(new.streaming.clone()));
        }
        self.sent = new.clone();
        self.changed = Some(Instant::now());
        commands
    }

    /// Returns whether a change is due to be written at `now`.
    pub(super) fn is_due(&self, now: Instant) -> bool {
        self.changed.is_some_and(|changed| now.saturating_duration_since(changed) >= SAVED_AFTER)
    }

    /// Writes `settings`, if the player has changed any or there is no file yet. What the command
    /// line overrode is not worth keeping.
    ///
    /// # Errors
    /// [`DesktopError::Write`].
    pub(super) fn save(&mut self, settings: &Settings) -> Result<(), DesktopError> {
        self.changed = None;
        let Some(file) = &mut self.file else { return Ok(()) };
        if file.found() && self.saved == *settings {
            return Ok(());
        }
        self.saved = settings.clone();
        file.write(settings)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::config::table::Setting;
    use crate::ui::state::tests::Room;

    /// The program may be ended in any way.
    #[test]
    fn a_changed_setting_is_written_soon_in_the_middle_of_a_game() {
        let mut room = Room::new();
        let path = room.folder.path().join("config.toml");
        room.state.sync();
        Setting::Volume.step(&mut room.state.settings, -1);
        room.state.sync();
        let before = fs::read(&path).ok();
        let begun = Instant::now();
        while fs::read(&path).ok() == before {
            assert!(begun.elapsed() < std::time::Duration::from_secs(60), "it is not written");
            std::thread::sleep(std::time::Duration::from_millis(50));
            room.state.sync();
        }
        assert_eq!(ConfigFile::read(path).settings(), &room.state.settings);
    }
}
