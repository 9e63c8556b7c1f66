//! Where changed settings go: to the machine at once, into the file when the player is done.

use crate::DesktopError;
use crate::config::ConfigFile;
use crate::config::settings::Settings;
use crate::messages::command::Command;
use crate::video::render_settings::RenderSettings;

/// What the machine and the file know of the settings.
pub(super) struct SettingsSync {
    /// What the machine was last told.
    sent: Settings,
    /// What was last written into the file.
    saved: Settings,
    file: Option<ConfigFile>,
}

impl SettingsSync {
    pub(super) fn new(settings: &Settings, file: Option<ConfigFile>) -> Self {
        Self { sent: settings.clone(), saved: settings.clone(), file }
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
        commands
    }

    /// Writes `settings`, if the player has changed any or there is no file yet. What the command
    /// line overrode is not worth keeping.
    ///
    /// # Errors
    /// [`DesktopError::Write`].
    pub(super) fn save(&mut self, settings: &Settings) -> Result<(), DesktopError> {
        let Some(file) = &mut self.file else { return Ok(()) };
        if file.found() && self.saved == *settings {
            return Ok(());
        }
        self.saved = settings.clone();
        file.write(settings)
    }
}
