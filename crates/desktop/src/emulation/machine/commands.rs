//! What the machine does when the interface asks for something.

use std::fs;
use std::path::Path;
use std::time::SystemTime;

use autopilot::Autopilot;
use nes::Cartridge;
use tetris::{Feature, Profile, Unsupported};

use crate::config::settings::{SoundSettings, TimeSettings};
use crate::debugger::BenchOrder;
use crate::emulation::battery::Battery;
use crate::emulation::machine::Machine;
use crate::emulation::script::ScriptOrder;
use crate::emulation::slots::{Saved, Slots};
use crate::messages::status::{MessageKind, Motion, Notice};
use crate::record::recorder::Recorder;
use crate::{Command, DesktopError, Recording};

/// One line of what went wrong.
type Outcome = Result<(), String>;

impl<F: Fn(Notice)> Machine<F> {
    /// Carries out a command, or says why not.
    pub(crate) fn command(&mut self, command: Command) {
        if let Err(reason) = self.try_command(command) {
            self.say(MessageKind::Error, reason);
        }
    }

    fn try_command(&mut self, command: Command) -> Outcome {
        if self.duel.is_some() && is_unfair(&command) {
            return Err(
                "not against the computer: neither going back, movies, scripts, the debugger nor its help"
                    .into(),
            );
        }
        let debugs = matches!(command, Command::Bench(_));
        let outcome = self.carry_out(command);
        if !debugs && self.is_under_debugger() {
            self.refresh_bench();
        }
        outcome
    }

    fn carry_out(&mut self, command: Command) -> Outcome {
        match command {
            Command::Pause => self.settle(Motion::Paused),
            Command::Resume => {
                self.set_script_paused(false);
                self.settle(self.cruise());
            }
            Command::FrameAdvance => {
                self.settle(Motion::Paused);
                let paused = self.set_script_paused(false);
                self.frame();
                self.settle(Motion::Paused);
                if paused {
                    self.set_script_paused(true);
                }
                self.speaker.rest(); // nothing follows, which is no gap
            }
            Command::FastForward(on) => self.hold(Motion::FastForward, on),
            Command::Rewind(on) => self.hold(Motion::Rewinding, on),
            Command::Speed(speed) => self.set_time(TimeSettings { speed, ..self.time }),
            Command::RunAhead(run_ahead) => self.set_time(TimeSettings { run_ahead, ..self.time }),
            Command::Time(time) => self.set_time(time),
            Command::BeforeCrash => return self.go_back_before_crash(),
            Command::SaveSlot(slot) => return self.save_slot(slot),
            Command::LoadSlot(slot) => return self.load_slot(slot),
            Command::OpenRom(path) => return self.open(&path),
            Command::Insert(title, image) => {
                return self.insert(title, &image).map_err(|error| error.to_string());
            }
            Command::Reset => self.engine.reset(),
            Command::PowerCycle => self.power_cycle(),
            Command::Record(Recording::Movie, path) => return self.record_movie(path),
            Command::Record(recording, path) => return self.record(recording, &path),
            Command::StopRecording(Recording::Movie) => self.stop_movie_recording(),
            Command::StopRecording(recording) => {
                self.recorders
                    .iter_mut()
                    .filter(|file| file.recording() == recording)
                    .for_each(Recorder::end);
            }
            Command::PlayMovie(path) => return self.play_movie(path),
            Command::StopMovie => self.engine.deck.stop_playing(),
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
            Command::RewindLimits(limits) => self.engine.rewind().set_limits(limits),
            Command::Recordings(settings) => self.recording = settings,
            Command::Palette(palette) => {
                if let Some(live) = &mut self.script {
                    live.script.set_palette(palette.as_ref().clone());
                }
                self.palette = *palette;
            }
            Command::Script(order) => return self.script_order(order),
            Command::Bench(order) => return self.bench_order(order),
            Command::LetComputerPlay(on) => return self.let_computer_play(on),
            Command::Quit => {} // the thread's own business
        }
        Ok(())
    }

    /// Takes up a motion that lasts.
    pub(crate) fn settle(&mut self, motion: Motion) {
        self.rest = motion;
        self.set_motion(motion);
    }

    /// Takes up a motion for as long as a key is down.
    fn hold(&mut self, motion: Motion, on: bool) {
        if on {
            self.set_motion(motion);
        } else if self.motion == motion {
            self.set_motion(self.rest);
        }
    }

    fn set_time(&mut self, time: TimeSettings) {
        let time = TimeSettings { speed: time.speed.clamp(10, 200), ..time };
        self.engine.set_ahead(time.run_ahead);
        if time != self.time {
            self.time = time;
            self.restart_pace();
        }
    }

    fn set_sound(&mut self, change: impl FnOnce(&mut SoundSettings)) {
        let mut sound = self.speaker.settings().clone();
        change(&mut sound);
        self.engine.mute(&sound.muted_channels);
        self.speaker.set(sound);
    }

    fn go_back_before_crash(&mut self) -> Outcome {
        if self.engine.crash().is_none() {
            return Err("the game has not crashed".into());
        }
        if !self.engine.go_back_before_crash() {
            return Err("the rewind does not reach back to before the crash".into());
        }
        self.speaker.jump();
        self.settle(Motion::Paused);
        self.show();
        self.describe();
        self.say(MessageKind::Note, "two seconds before the crash; P goes on".into());
        Ok(())
    }

    /// Watches for a crash of the game, if the cartridge is a known one.
    pub(crate) fn watch_crashes(&mut self) {
        let profile = self.profile_for(Feature::Debugger).ok();
        self.engine.watch_crashes(profile.as_ref());
    }

    fn save_slot(&mut self, slot: usize) -> Outcome {
        let saved = Saved {
            state: self.engine.save(),
            log: self.engine.deck.log().to_vec(),
            ram: self.engine.deck.ram(),
            frame: self.engine.frame_number(),
            when: SystemTime::now(),
        };
        let listed = self.slots.save(slot, &saved, self.engine.picture(), &self.palette)?;
        self.shared.status().slots[slot] = Some(listed);
        self.say(MessageKind::Note, format!("saved to slot {slot}"));
        Ok(())
    }

    fn load_slot(&mut self, slot: usize) -> Outcome {
        let Saved { state, log, ram, .. } = self.slots.load(slot)?;
        self.engine.load(&state, log, ram).map_err(|error| format!("cannot load slot {slot}: {error}"))?;
        if let Some(battery) = &mut self.battery
            && self.engine.deck.status().is_none()
        {
            battery.resume();
        }
        self.speaker.jump();
        self.show();
        self.say(MessageKind::Note, format!("loaded slot {slot}"));
        Ok(())
    }

    fn let_computer_play(&mut self, on: bool) -> Outcome {
        let computer = if on {
            let profile = self.profile_for(Feature::Computer).map_err(|refused| refused.about("C"))?;
            self.say(MessageKind::Note, "the computer plays; C again, and you do".into());
            Some(Autopilot::new(profile, autopilot::Settings::default()))
        } else {
            self.say(MessageKind::Note, "you play".into());
            None
        };
        self.engine.set_computer(computer);
        Ok(())
    }

    /// The profile of the cartridge in the console, if it knows enough for `feature`.
    fn profile_for(&self, feature: Feature) -> Result<Profile, Unsupported> {
        let given = self.given_profile().cloned();
        given.map_or_else(|| Profile::for_feature(&self.image, feature), |given| given.supporting(feature))
    }

    /// The profile that the player has given, if it is of the cartridge in the console.
    pub(crate) fn given_profile(&self) -> Option<&Profile> {
        self.profile.as_ref().filter(|profile| profile.is_of(&self.image))
    }

    fn open(&mut self, path: &Path) -> Outcome {
        let title = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let image = fs::read(path).map_err(|source| DesktopError::Read { path: path.into(), source });
        image.and_then(|image| self.insert(title, &image)).map_err(|error| error.to_string())
    }

    fn insert(&mut self, title: String, image: &[u8]) -> Result<(), DesktopError> {
        let cartridge = Cartridge::from_bytes(image)
            .map_err(|source| DesktopError::Rom { title: title.clone(), source })?;
        self.end_script("ended with the cartridge; Script, Run once more starts it on this one");
        self.stop_movie_recording();
        self.close_battery();
        image.clone_into(&mut self.image);
        self.slots = Slots::new(self.states.as_deref(), &title, cartridge.crc32());
        left_out(&cartridge).for_each(|text| self.say(MessageKind::Warning, text));
        let (battery, outcome) = Battery::of(self.saves.as_deref(), &title, &cartridge);
        self.battery = battery;
        let kept = self.battery.as_ref().map_or(&[][..], Battery::kept);
        if let Some(pieces) = self.engine.insert(cartridge, kept) {
            let text =
                format!("the pieces of {} were for the other cartridge; this one has its own", pieces.name);
            self.say(MessageKind::Note, text);
        }
        if self.duel.take().is_some() {
            self.say(MessageKind::Note, "the computer does not play another cartridge".into());
            self.engine.rewind().set_limits(self.rewind);
        }
        if let Err(trouble) = outcome {
            self.say(MessageKind::Warning, trouble);
        }
        self.title = title;
        self.watch_crashes();
        self.speaker.jump();
        self.list_slots();
        Ok(())
    }

    /// Tells the interface what is in the slots.
    pub(crate) fn list_slots(&self) {
        let slots = self.slots.list();
        self.shared.status().slots = slots;
    }

    fn record(&mut self, recording: Recording, path: &Path) -> Outcome {
        if self.recorders.iter().any(|file| file.is_open() && file.recording() == recording) {
            return Err(format!("a {} file is being recorded already", recording.extension()));
        }
        let failed = |error| format!("cannot record {}: {error}", path.display());
        let recorder =
            Recorder::begin(recording, path.to_owned(), &self.recording, &self.palette).map_err(failed)?;
        self.recorders.push(recorder);
        Ok(())
    }

    /// Tells of the files that are whole, or failed.
    pub(crate) fn gather_recordings(&mut self) {
        while let Some(done) = self.recorders.iter().position(Recorder::is_done) {
            let outcome = self.recorders.remove(done).outcome();
            self.tell_outcome(outcome);
        }
    }

    /// Ends all recordings and waits for their files.
    pub(crate) fn finish_recordings(&mut self) {
        self.stop_movie_recording();
        for recorder in std::mem::take(&mut self.recorders) {
            let outcome = recorder.outcome();
            self.tell_outcome(outcome);
        }
    }

    fn tell_outcome(&self, outcome: Result<String, String>) {
        match outcome {
            Ok(text) => self.say(MessageKind::Note, text),
            Err(text) => self.say(MessageKind::Error, text),
        }
    }
}

/// What of a cartridge's image the machine does not see, in lines.
pub(crate) fn left_out(cartridge: &Cartridge) -> impl Iterator<Item = String> {
    cartridge.info().warnings.iter().filter(|warning| warning.leaves_out()).map(ToString::to_string)
}

/// Whether a command takes something back, or makes a movie of what no movie can say.
fn is_unfair(command: &Command) -> bool {
    matches!(
        command,
        Command::Rewind(true)
            | Command::BeforeCrash
            | Command::RewindLimits(_)
            | Command::SaveSlot(_)
            | Command::LoadSlot(_)
            | Command::PlayMovie(_)
            | Command::ContinueMovie(_)
            | Command::Record(Recording::Movie, _)
            | Command::Bench(BenchOrder::Open)
            | Command::LetComputerPlay(_)
            | Command::Script(ScriptOrder::Run(_) | ScriptOrder::Reload)
    )
}
