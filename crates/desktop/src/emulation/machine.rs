//! The console on its own thread, at its own speed.

mod commands;
mod debugging;
mod event_loop;
mod movies;
mod scripts;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};

use nes::{Cartridge, Config, Palette};
use nes_lua::Overlay;

use crate::audio::output::AudioOutput;
use crate::config::settings::{RecordingSettings, RewindSettings, Sync, TimeSettings};
use crate::debugger::DebugSession;
use crate::emulation::battery::Battery;
use crate::emulation::checksum;
use crate::emulation::engine::Engine;
use crate::emulation::pacing::Pace;
use crate::emulation::script::LiveScript;
use crate::emulation::slots::Slots;
use crate::emulation::timing::{FpsCounter, TimingCheck};
use crate::messages::handle::Shared;
use crate::messages::latest_frame::{Framebuffer, blank_framebuffer};
use crate::messages::machine_message::MachineMessage;
use crate::messages::status::{Message, MessageKind, Notice, RunState};
use crate::record::recorder::Recorder;
use crate::video::presented_frame::PresentedFrame;
use crate::video::render_settings::RenderSettings;
use crate::{Options, Versus};

/// Against the computer nothing is taken back.
const NO_WAY_BACK: RewindSettings = RewindSettings { seconds: 0, megabytes: 0 };

/// What a machine looks back on.
#[derive(Debug, Clone)]
pub(crate) struct Run {
    pub(crate) time: Duration,
    pub(crate) gaps: Option<u64>,
    pub(crate) timing_check: Option<TimingCheck>,
    /// The console's state in the end, and its hash.
    pub(crate) state: Vec<u8>,
    pub(crate) state_hash: u64,
    /// What was said when nobody looked any more.
    pub(crate) final_messages: Vec<Message>,
}

/// The console and what it needs to run in real time.
pub(crate) struct Machine<F> {
    pub(crate) engine: Engine,
    pub(crate) shared: Arc<Shared>,
    /// Called after a frame or a change of which the interface does not know yet.
    pub(crate) tell: F,
    presented: PresentedFrame,
    pub(crate) audio: AudioOutput,
    pub(crate) time: TimeSettings,
    pub(crate) recording: RecordingSettings,
    pub(crate) pace: Pace,
    pub(crate) run_state: RunState,
    /// What it goes back to when a key for another run_state is let go.
    pub(crate) resume_state: RunState,
    pub(crate) title: String,
    pub(crate) palette: Palette,
    pub(crate) states: Option<PathBuf>,
    pub(crate) slots: Slots,
    pub(crate) saves: Option<PathBuf>,
    /// None for a cartridge without.
    pub(crate) battery: Option<Battery>,
    /// By which movies name the cartridge.
    pub(crate) checksum: String,
    pub(crate) recorders: Vec<Recorder>,
    pub(crate) versus: Option<Versus>,
    /// The script that runs with the game, and the file of the last one.
    pub(crate) script: Option<LiveScript>,
    pub(crate) script_path: Option<PathBuf>,
    /// Where scripts keep files.
    pub(crate) scripts: Option<PathBuf>,
    /// Whether what they print goes to standard output.
    pub(crate) prints: bool,
    /// What the player has set, for after a versus game.
    pub(crate) rewind: RewindSettings,
    /// The picture of the other console.
    opponent: Box<Framebuffer>,
    /// The cartridge's debugger, once it was asked for.
    pub(crate) debugger: Option<Box<DebugSession>>,
    /// What the machine did before the debugger's panels opened.
    pub(crate) before_debugger: RunState,
    /// The image in the console, and the labels of the one that is built in.
    pub(crate) image: Vec<u8>,
    pub(crate) labels: Option<(Vec<u8>, String)>,
    quit_at_end: bool,
    /// A movie ended that was the last thing to do.
    pub(crate) is_over: bool,
    fps: FpsCounter,
    pub(crate) timing_check: Option<TimingCheck>,
    /// Commands carried out so far.
    pub(crate) commands_done: u64,
}

impl<F: Fn(Notice)> Machine<F> {
    pub(crate) fn new(cartridge: Cartridge, options: &Options, shared: Arc<Shared>, tell: F) -> Self {
        let Options { title, config, settings, states, folders, pieces, versus, quit_at_end, .. } =
            options.clone();
        let palette = RenderSettings::new(&settings.picture).0.palette;
        shared.input.set(settings.input);
        let slots = Slots::new(states.as_deref(), &title, cartridge.crc32());
        let config = Config { sample_rate: Some(crate::SAMPLE_RATE), ..config };
        let checksum = checksum::of(&options.image, &cartridge);
        let (battery, outcome) = Battery::of(folders.saves.as_deref(), &title, &cartridge);
        if let Err(trouble) = outcome {
            shared.status().say(MessageKind::Warning, trouble);
        }
        let mut engine = Engine::new(cartridge, config, settings.rewind);
        if versus.is_some() {
            engine.rewind().set_limits(NO_WAY_BACK);
        }
        engine.restart(battery.as_ref().map_or(&[], Battery::kept));
        engine.set_pieces(pieces);
        engine.set_ahead(settings.time.run_ahead);
        engine.mute(&settings.sound.muted_channels);
        Self {
            engine,
            pace: Pace::new(shared.clock.elapsed()).with_speed(settings.time.speed),
            shared,
            tell,
            presented: PresentedFrame::default(),
            audio: AudioOutput::new(settings.sound),
            time: settings.time,
            recording: settings.recording,
            run_state: RunState::Running,
            resume_state: RunState::Running,
            title,
            palette,
            states,
            slots,
            saves: folders.saves,
            battery,
            checksum,
            recorders: vec![],
            versus,
            script: None,
            script_path: None,
            scripts: folders.scripts,
            prints: options.prints,
            rewind: settings.rewind,
            opponent: blank_framebuffer(),
            debugger: None,
            before_debugger: RunState::Running,
            labels: options.built_in.as_ref().map(|(_, image)| image.clone()).zip(options.labels.clone()),
            image: options.image.clone(),
            quit_at_end,
            is_over: false,
            fps: FpsCounter::default(),
            timing_check: None,
            commands_done: 0,
        }
    }

    /// Runs until told to quit, or until `limit` frames are done.
    pub(crate) fn run(mut self, queue: &Receiver<MachineMessage>, limit: Option<u64>) -> Run {
        let start = Instant::now();
        self.list_slots();
        self.update_status();
        self.process_messages(queue, limit);
        let time = start.elapsed();
        self.detach_debugger();
        let last_message = self.shared.status().messages.back().map_or(0, |last| last.number);
        self.end_script("");
        self.finish_recordings();
        self.close_battery();
        let said = self.shared.status().messages.clone();
        Run {
            time,
            gaps: self.audio.gaps(),
            timing_check: self.timing_check,
            state: self.engine.save(),
            state_hash: self.engine.state_hash(),
            final_messages: said.into_iter().filter(|message| message.number > last_message).collect(),
        }
    }

    /// Changes what the machine is doing.
    pub(crate) fn set_run_state(&mut self, run_state: RunState) {
        if run_state != self.run_state {
            self.run_state = run_state;
            self.audio.rest();
            self.restart_pace();
        }
    }

    /// Begins the schedule of frames anew.
    pub(crate) fn restart_pace(&mut self) {
        self.pace = Pace::new(self.now()).with_speed(self.time.speed);
        self.fps = FpsCounter::default();
    }

    /// One frame, in the direction of the run_state.
    pub(crate) fn frame(&mut self) {
        let (now, run_state) = (self.now(), self.run_state);
        self.keep_pace(now);
        if self.is_under_debugger() {
            self.debugger_frame();
        } else if self.run_state == RunState::Rewinding {
            if self.engine.step_back() {
                self.audio.jump();
                self.play();
            } else {
                self.audio.rest();
            }
        } else {
            self.frame_forward();
        }
        self.present();
        let frames = self.shared.frames.fetch_add(1, Ordering::Relaxed) + 1;
        self.fps.read(now, frames);
        if self.run_state == RunState::Running
            && let Some(sound) = self.audio.status(now)
        {
            TimingCheck::read(&mut self.timing_check, frames, sound);
        }
        self.collect_recordings();
        self.update_status();
        if self.run_state != run_state {
            (self.tell)(Notice::Status);
        }
    }

    /// A frame begins at `now`: when is the next?
    fn keep_pace(&mut self, now: Duration) {
        let spacing = match self.time.sync {
            Sync::Display => self.shared.vsync().spacing(now),
            Sync::Sound => None,
        };
        if self.pace.follow(spacing) {
            self.audio.follow_device(now);
            self.pace.frame(now, None);
        } else {
            self.pace.frame(now, self.audio.surplus(now));
        }
    }

    fn frame_forward(&mut self) {
        if let Some(movie) = self.frame_with_script() {
            self.say(MessageKind::Note, format!("{} is over", movie.display()));
            self.is_over = self.quit_at_end;
        }
        if let Some(battery) = &mut self.battery
            && let Err(trouble) = battery.frame(self.engine.prg_ram())
        {
            self.say(MessageKind::Warning, trouble);
        }
        if let Err(error) = self.engine.movie.autosave() {
            self.say(MessageKind::Warning, format!("the movie cannot be written: {error}"));
        }
        if let Some(versus) = &mut self.versus
            && let Some(news) = versus.frame(self.engine.console())
        {
            self.say(MessageKind::Note, news.text());
        }
        let drawing = self.drawing().cloned();
        for recorder in &mut self.recorders {
            let (picture, sound) = (self.engine.picture().pixels(), self.engine.sound());
            match &drawing {
                Some(drawing) => recorder.take_with(picture, drawing, sound),
                None => recorder.take(picture, sound),
            }
        }
        if self.run_state == RunState::FastForward {
            self.audio.rest();
        } else {
            self.play();
        }
    }

    fn play(&mut self) {
        let now = self.now();
        self.audio.play(self.engine.sound(), self.time.speed, now);
    }

    /// What the script has drawn over the picture that is shown.
    fn drawing(&self) -> Option<&Arc<Overlay>> {
        let shown = !self.is_under_debugger() && self.run_state != RunState::Rewinding;
        self.script.as_ref().filter(|_| shown).and_then(|live| live.overlay.as_ref())
    }

    /// Puts the engine's picture where the interface finds it.
    pub(crate) fn present(&mut self) {
        if let Some(versus) = &self.versus {
            self.opponent.copy_from_slice(versus.picture().pixels());
            self.shared.opponent.put(&mut self.opponent);
        }
        let debugger = self.debugger.as_ref().filter(|session| session.has_console());
        let picture = debugger.map_or_else(|| self.engine.picture(), |session| session.picture());
        self.presented.dots.copy_from_slice(picture.pixels());
        self.presented.overlay = self.drawing().cloned();
        if self.shared.pictures.put(&mut self.presented) {
            (self.tell)(Notice::Picture);
        }
    }

    /// Brings the status up to date.
    pub(crate) fn update_status(&mut self) {
        let now = self.now();
        let rewind = self.engine.rewind();
        let (frames, bytes) = (rewind.len(), rewind.bytes());
        let debugger = self.debugger.as_ref().filter(|session| session.has_console());
        let script = self.script_status();
        let mut status = self.shared.status();
        status.commands_done = self.commands_done;
        status.run_state = self.run_state;
        status.fps = self.fps.rate();
        status.frame =
            debugger.map_or(self.engine.frame_number(), |session| session.console().frame_number());
        status.speed = self.time.speed;
        status.run_ahead = self.engine.ahead();
        status.script = script;
        status.computer = self.engine.has_computer();
        status.sound = self.audio.status(now);
        status.rewind = Duration::from_secs_f64(frames as f64 / crate::FRAME_RATE);
        status.rewind_bytes = bytes;
        status.versus = self.versus.is_some();
        status.movie = self.engine.movie.status();
        status.recordings.clear();
        status.recordings.extend(self.recorders.iter().filter(|file| file.is_open()).map(Recorder::status));
        status.buttons = debugger.map_or(self.engine.buttons(), |session| session.buttons());
        if status.title != self.title {
            status.title.clone_from(&self.title);
        }
    }

    /// One line for the player.
    pub(crate) fn say(&self, kind: MessageKind, text: String) {
        self.shared.status().say(kind, text);
    }

    pub(crate) fn now(&self) -> Duration {
        self.shared.clock.elapsed()
    }
}

#[cfg(test)]
mod tests;
