//! What the machine does when the interface asks for something.

use std::path::Path;
use std::time::SystemTime;

use emulator::{LoadError, SavedState};
use nes::Cartridge;
use tetris::Feature;

use crate::config::settings::{SoundSettings, TimeSettings};
use crate::emulation::battery::BatteryError;
use crate::emulation::machine::Machine;
use crate::emulation::machine::inserted::losses;
use crate::emulation::machine::refusal::Refusal;
use crate::emulation::slots::{self, SlotError};
use crate::messages::command::{DebugCommand, LAST_SESSION, Recording, ScriptCommand};
use crate::messages::status::{MessageKind, Notice, RunState, Slot};
use crate::record::recorder::RecordError;
use crate::{Command, DesktopError};

type CommandResult = Result<(), Refusal>;

impl<F: Fn(Notice)> Machine<F> {
    /// Carries out a command, or says why not.
    pub(crate) fn command(&mut self, command: Command) {
        self.report_failure(|machine| machine.try_command(command));
    }

    /// Says why something was not done.
    pub(crate) fn report_failure(&mut self, task: impl FnOnce(&mut Self) -> CommandResult) {
        if let Err(reason) = task(self) {
            self.say(MessageKind::Error, reason.to_string());
        }
    }

    pub(super) fn try_command(&mut self, command: Command) -> CommandResult {
        if let Some(what) = self.opponent.bars(&command) {
            return Err(Refusal::Barred(what));
        }
        let debugs = matches!(command, Command::Debug(_));
        let outcome = self.run_command(command);
        if !debugs && self.is_under_debugger() {
            self.refresh_debugger();
        }
        outcome
    }

    fn run_command(&mut self, command: Command) -> CommandResult {
        match command {
            // The other player plays on.
            Command::Pause if self.opponent.network().is_some() => {}
            Command::Pause => self.enter(RunState::Paused),
            Command::Resume => {
                self.script.set_paused(false);
                self.enter(self.script.normal_run_state());
            }
            Command::FrameAdvance => {
                self.enter(RunState::Paused);
                let paused = self.script.set_paused(false);
                self.frame();
                self.enter(RunState::Paused);
                if paused {
                    self.script.set_paused(true);
                }
                self.outputs.audio.rest(); // nothing follows, which is no gap
            }
            Command::FastForward(on) => self.hold(RunState::FastForward, on),
            Command::Rewind(on) => self.hold(RunState::Rewinding, on),
            Command::Speed(speed) => self.set_time(TimeSettings { speed, ..self.transport.settings() }),
            Command::RunAhead(run_ahead) => {
                self.set_time(TimeSettings { run_ahead, ..self.transport.settings() });
            }
            Command::Time(time) => self.set_time(time),
            Command::BeforeCrash => return self.go_back_before_crash(),
            Command::SaveSlot(slot) => return self.save_slot(slot),
            Command::LoadSlot(slot) => return self.load_slot(slot),
            Command::OpenRom(path) => return self.open(&path),
            Command::BringBattery(path) => return self.bring_battery(&path),
            Command::Insert(title, image) => {
                return Ok(self.insert(title, &image, None)?);
            }
            Command::Reset => {
                // A kept game has buttons alone.
                self.end_game_file();
                self.engine.reset();
            }
            Command::PowerCycle => {
                self.end_practice();
                self.power_cycle();
            }
            Command::Record(Recording::Movie, path) => return self.record_movie(path),
            Command::Record(recording, path) => {
                return Ok(self.outputs.begin_recording(recording, &path, self.region())?);
            }
            Command::StopRecording(Recording::Movie) => self.stop_movie_recording(),
            Command::StopRecording(recording) => self.outputs.end_recording(recording),
            Command::PlayMovie(path) => return self.play_movie(path),
            Command::StopMovie => self.engine.movie.stop_playing(),
            Command::ContinueMovie(path) => return self.continue_movie(path),
            Command::SetVolume(volume) => self.set_sound(|sound| sound.volume = volume),
            Command::Mute(mute) => self.set_sound(|sound| sound.mute = mute),
            Command::Latency(latency) => self.set_sound(|sound| sound.latency = latency),
            Command::MuteChannel(channel, mute) => self.set_sound(|sound| {
                sound.muted_channels.retain(|&other| other != channel);
                sound.muted_channels.extend(mute.then_some(channel));
            }),
            Command::Sound(new) => self.set_sound(|sound| *sound = new),
            Command::Input(input) => self.shared.input.set(*input),
            Command::RewindLimits(limits) => self.engine.rewind().set_limits(limits.into()),
            Command::Recordings(settings) => self.outputs.recording = settings,
            Command::Palette(palette) => {
                if let Some(live) = &mut self.script.live {
                    live.script.set_palette(palette.as_ref().clone());
                }
                self.outputs.palette = *palette;
            }
            Command::Practice(command) => return self.practice_command(command),
            Command::Script(command) => return self.script_command(command),
            Command::Debug(command) => return self.debug_command(command),
            Command::LetComputerPlay(on) => return self.let_computer_play(on),
            Command::Tetris(tetris) => self.set_tetris(tetris),
            Command::NewGame => return self.new_game(),
            Command::Versus(on) => return self.play_versus(on),
            Command::Network(command) => return self.network_command(command),
            Command::Stream(command) => return Ok(self.stream_command(command)?),
            Command::Streaming(settings) => {
                self.streaming.set(settings);
            }
            Command::SaveMovie(path) => return self.save_movie(path),
            Command::Quit => {} // the thread's own business
        }
        Ok(())
    }

    /// Enters a run state that lasts.
    pub(crate) fn enter(&mut self, run_state: RunState) {
        if self.transport.enter(run_state, self.now()) {
            self.outputs.audio.rest();
        }
    }

    /// Enters a run state for as long as a key is down.
    fn hold(&mut self, run_state: RunState, on: bool) {
        if self.transport.hold(run_state, on, self.now()) {
            self.outputs.audio.rest();
        }
    }

    pub(super) fn set_time(&mut self, time: TimeSettings) {
        // What the command line says holds until the player chooses another.
        if time.region != self.transport.settings().region {
            self.engine.choose_region(time.region.region());
        }
        if time.ports != self.transport.settings().ports {
            self.engine.choose_devices(time.ports);
        }
        if time.strict_ppu_start != self.transport.settings().strict_ppu_start {
            self.engine.choose_ppu_start(time.strict_ppu_start);
        }
        self.engine.set_ahead(time.run_ahead);
        self.transport.set_settings(time, self.now());
    }

    fn set_sound(&mut self, change: impl FnOnce(&mut SoundSettings)) {
        let mut sound = self.outputs.audio.settings().clone();
        change(&mut sound);
        self.engine.mute(&sound.muted_channels);
        self.outputs.audio.set(sound);
    }

    fn go_back_before_crash(&mut self) -> CommandResult {
        if self.engine.crash().is_none() {
            return Err(Refusal::NotCrashed);
        }
        if !self.engine.go_back_before_crash() {
            return Err(Refusal::CrashTooLongAgo);
        }
        self.outputs.audio.jump();
        self.enter(RunState::Paused);
        self.present();
        self.update_status();
        self.say(MessageKind::Note, "two seconds before the crash; P continues".into());
        Ok(())
    }

    /// Watches for a crash of the game, if the cartridge is a known one.
    pub(crate) fn watch_crashes(&mut self) {
        let profile = self.cartridge.profile_for(Feature::Debugger).ok();
        self.engine.watch_crashes(profile.as_ref());
    }

    fn save_slot(&mut self, slot: usize) -> CommandResult {
        self.tell_script(slot, false);
        let listed = self.write_slot(slot)?;
        self.shared.status().slots[slot] = Some(listed);
        self.say(MessageKind::Note, format!("saved to slot {slot}"));
        Ok(())
    }

    /// Keeps what is played for the next session, if that can be gone on with.
    pub(crate) fn keep_session(&mut self) {
        if self.opponent.versus().is_none()
            && self.engine.frame_number() > 0
            && self.cartridge.slots.are_kept()
        {
            self.report_failure(|machine| Ok(machine.write_slot(LAST_SESSION).map(drop)?));
        }
    }

    fn write_slot(&mut self, slot: usize) -> Result<Slot, SlotError> {
        let seconds = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs();
        let saved = SavedState { seconds, ..self.engine.saved() };
        self.cartridge.slots.save(slot, &saved, self.engine.picture(), &self.outputs.palette)
    }

    fn load_slot(&mut self, slot: usize) -> CommandResult {
        let saved = self.cartridge.slots.load(slot)?;
        self.load_saved(saved).map_err(|source| Refusal::Load { name: name(slot), source })?;
        if slot == LAST_SESSION {
            self.shared.status().last_session = None;
            self.say(MessageKind::Note, "resumed where the last session ended".into());
        } else {
            self.tell_script(slot, true);
            self.say(MessageKind::Note, format!("loaded slot {slot}"));
        }
        Ok(())
    }

    /// Goes on from the saved state in a file.
    pub(crate) fn load_file(&mut self, path: &Path) -> CommandResult {
        let saved = slots::read_state(path)?;
        let name = path.display().to_string();
        self.load_saved(saved).map_err(|source| Refusal::Load { name, source })
    }

    fn load_saved(&mut self, saved: SavedState) -> Result<(), LoadError> {
        // What was played is kept before the console is at another moment.
        self.keep_game();
        let own_past = self.is_own_past(&saved);
        let SavedState { console, log, ram, practice, .. } = saved;
        if !own_past {
            self.end_game_file();
        }
        self.engine.load(&console, log, ram)?;
        self.load_practice(practice, own_past);
        if let Some(battery) = &mut self.cartridge.battery
            && self.engine.movie.progress().is_none()
        {
            battery.resume();
        }
        self.outputs.audio.jump();
        self.present();
        Ok(())
    }

    fn open(&mut self, path: &Path) -> CommandResult {
        let title = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let image = self.cartridge.image_in(path)?;
        Ok(self.insert(title, &image, Some(path))?)
    }

    fn insert(&mut self, title: String, image: &[u8], path: Option<&Path>) -> Result<(), DesktopError> {
        let cartridge = Cartridge::from_bytes(image)
            .map_err(|source| DesktopError::Rom { title: title.clone(), source })?
            .named(&title);
        self.leave_match("the cartridge changed");
        self.end_script("was stopped because the cartridge changed; to run it again: Script, Reload and run");
        self.stop_movie_recording();
        self.end_practice();
        self.close_battery();
        self.keep_session();
        losses(&cartridge).for_each(|text| self.say(MessageKind::Warning, text));
        self.told_ignored = None;
        let outcome = self.cartridge.replace(title, image, &cartridge, path);
        if let Some(pieces) = self.engine.insert(cartridge, self.cartridge.kept()) {
            let text =
                format!("{} dealt the pieces of the other cartridge; this one deals its own", pieces.name);
            self.say(MessageKind::Note, text);
            self.given_pieces = None;
        }
        if self.opponent.take_versus().is_some() {
            self.say(MessageKind::Note, "versus mode ends with another cartridge".into());
            self.engine.rewind().set_limits(self.rewind);
        }
        if let Err(trouble) = outcome {
            self.say(MessageKind::Warning, trouble.to_string());
        }
        self.watch_crashes();
        self.greet_stream();
        self.outputs.audio.jump();
        self.list_slots();
        Ok(())
    }

    /// Brings in a battery save, and switches the console off and on.
    ///
    /// # Errors
    /// Why it cannot be used.
    pub(super) fn bring_battery(&mut self, path: &Path) -> CommandResult {
        if self.engine.movie.is_recording() {
            return Err(Refusal::MovieIsRecorded);
        }
        let ram = self.engine.battery_ram().to_vec();
        let battery = self.cartridge.battery.as_mut().ok_or(BatteryError::NoBattery)?;
        let copy = battery.bring(path, &ram)?;
        self.end_practice();
        self.engine.restart(self.cartridge.kept());
        self.outputs.audio.jump();
        let copied = copy.map(|copy| format!("; the previous one is in {}", copy.display()));
        let text = format!("battery save loaded: {}{}", path.display(), copied.unwrap_or_default());
        self.say(MessageKind::Note, text);
        Ok(())
    }

    /// Tells the interface what is in the slots.
    pub(crate) fn list_slots(&self) {
        let (slots, last) = (self.cartridge.slots.list(), self.cartridge.slots.look(LAST_SESSION));
        let mut status = self.shared.status();
        (status.slots, status.last_session) = (slots, last);
    }

    /// Tells of the files that are complete, or failed.
    pub(crate) fn collect_recordings(&mut self) {
        for outcome in self.outputs.take_finished() {
            self.report(outcome);
        }
    }

    /// Ends all recordings and waits for their files.
    pub(crate) fn finish_recordings(&mut self) {
        self.stop_movie_recording();
        for outcome in self.outputs.finish() {
            self.report(outcome);
        }
    }

    fn report(&self, outcome: Result<String, RecordError>) {
        match outcome {
            Ok(text) => self.say(MessageKind::Note, text),
            Err(error) => self.say(MessageKind::Error, error.to_string()),
        }
    }
}

/// Returns what a slot is called.
fn name(slot: usize) -> String {
    if slot == LAST_SESSION { "the last session".into() } else { format!("slot {slot}") }
}

/// Returns whether a command is about the console that stands still while a match is on.
pub(super) fn is_barred_in_match(command: &Command) -> bool {
    is_barred_in_versus(command)
        || matches!(
            command,
            Command::FrameAdvance
                | Command::FastForward(true)
                | Command::Reset
                | Command::PowerCycle
                | Command::NewGame
                | Command::Versus(_)
        )
}

/// Returns whether a command takes something back, or makes a movie of what no movie can say.
pub(super) fn is_barred_in_versus(command: &Command) -> bool {
    matches!(
        command,
        Command::Rewind(true)
            | Command::BeforeCrash
            | Command::RewindLimits(_)
            | Command::SaveSlot(_)
            | Command::LoadSlot(_)
            | Command::PlayMovie(_)
            | Command::ContinueMovie(_)
            | Command::SaveMovie(_)
            | Command::Record(Recording::Movie, _)
            | Command::Debug(DebugCommand::Open)
            | Command::LetComputerPlay(_)
            | Command::BringBattery(_)
            | Command::Practice(_)
            | Command::Script(ScriptCommand::Run(_) | ScriptCommand::Reload)
    )
}
