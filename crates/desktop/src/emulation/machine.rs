//! The console on its own thread, at its own speed.

mod commands;
mod debugging;
mod movies;
mod scripts;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};

use nes::{Cartridge, Config, Palette};
use nes_lua::Overlay;
use tetris::Profile;

use self::commands::left_out;
use crate::audio::output::Speaker;
use crate::config::settings::{RecordingSettings, RewindSettings, Sync, TimeSettings};
use crate::debugger::Bench;
use crate::emulation::battery::Battery;
use crate::emulation::engine::{Attached, Engine, FrameOutcome};
use crate::emulation::pacing::Pace;
use crate::emulation::script::LiveScript;
use crate::emulation::slots::Slots;
use crate::emulation::timing::{Audit, Meter};
use crate::input::held::FramePads;
use crate::messages::handle::Shared;
use crate::messages::latest::{self, Dots};
use crate::messages::message::Order;
use crate::messages::status::{CrashStatus, Message, MessageKind, Motion, Notice};
use crate::record::recorder::Recorder;
use crate::video::look::Look;
use crate::video::presented_frame::Sheet;
use crate::{Duel, Options};

/// Against the computer nothing is taken back.
const NO_WAY_BACK: RewindSettings = RewindSettings { seconds: 0, megabytes: 0 };

/// What a machine looks back on.
#[derive(Debug, Clone)]
pub(crate) struct Run {
    pub(crate) time: Duration,
    pub(crate) gaps: Option<u64>,
    pub(crate) audit: Option<Audit>,
    /// The console's state in the end, and its hash.
    pub(crate) state: Vec<u8>,
    pub(crate) state_hash: u64,
    /// What was said when nobody looked any more.
    pub(crate) last_words: Vec<Message>,
}

/// The console and what it needs to run in real time.
pub(crate) struct Machine<F> {
    pub(crate) engine: Engine,
    pub(crate) shared: Arc<Shared>,
    /// Called after a frame or a change of which the interface does not know yet.
    pub(crate) tell: F,
    sheet: Sheet,
    pub(crate) speaker: Speaker,
    pub(crate) time: TimeSettings,
    pub(crate) recording: RecordingSettings,
    pub(crate) pace: Pace,
    pub(crate) motion: Motion,
    /// What it goes back to when a key for another motion is let go.
    pub(crate) rest: Motion,
    pub(crate) title: String,
    pub(crate) palette: Palette,
    pub(crate) states: Option<PathBuf>,
    pub(crate) slots: Slots,
    pub(crate) saves: Option<PathBuf>,
    /// None for a cartridge without.
    pub(crate) battery: Option<Battery>,
    pub(crate) recorders: Vec<Recorder>,
    pub(crate) duel: Option<Duel>,
    /// The script beside the game, and the file of the last one.
    pub(crate) script: Option<LiveScript>,
    pub(crate) script_path: Option<PathBuf>,
    /// Where scripts keep files.
    pub(crate) scripts: Option<PathBuf>,
    /// Whether what they print goes to standard output.
    pub(crate) prints: bool,
    /// What the player has set, for after a duel.
    pub(crate) rewind: RewindSettings,
    /// The picture of the other console.
    beside: Box<Dots>,
    /// The cartridge's debugger, once it was asked for.
    pub(crate) bench: Option<Box<Bench>>,
    /// What the machine did before the debugger's panels opened.
    pub(crate) before_bench: Motion,
    /// Where a cartridge keeps things, if the player has said so.
    pub(crate) profile: Option<Profile>,
    /// The image in the console, and the labels of the one that is built in.
    pub(crate) image: Vec<u8>,
    pub(crate) labels: Option<(Vec<u8>, String)>,
    quit_at_end: bool,
    /// A movie ended that was the last thing to do.
    pub(crate) over: bool,
    meter: Meter,
    pub(crate) audit: Option<Audit>,
}

impl<F: Fn(Notice)> Machine<F> {
    pub(crate) fn new(cartridge: Cartridge, options: &Options, shared: Arc<Shared>, tell: F) -> Self {
        let Options { title, config, settings, states, folders, pieces, duel, quit_at_end, .. } =
            options.clone();
        let palette = Look::new(&settings.picture).0.palette;
        shared.input.set(settings.input);
        let slots = Slots::new(states.as_deref(), &title, cartridge.crc32());
        let config = Config { sample_rate: Some(crate::SAMPLE_RATE), ..config };
        let (battery, outcome) = Battery::of(folders.saves.as_deref(), &title, &cartridge);
        if let Err(trouble) = outcome {
            shared.status().say(MessageKind::Warning, trouble);
        }
        for text in left_out(&cartridge) {
            shared.status().say(MessageKind::Warning, text);
        }
        let mut engine = Engine::new(cartridge, config, settings.rewind);
        if duel.is_some() {
            engine.rewind().set_limits(NO_WAY_BACK);
        }
        engine.restart(battery.as_ref().map_or(&[], Battery::kept));
        engine.set_pieces(pieces);
        engine.set_ahead(settings.time.run_ahead);
        engine.mute(&settings.sound.muted_channels);
        let mut machine = Self {
            engine,
            pace: Pace::new(shared.clock.elapsed()).with_speed(settings.time.speed),
            shared,
            tell,
            sheet: Sheet::default(),
            speaker: Speaker::new(settings.sound),
            time: settings.time,
            recording: settings.recording,
            motion: Motion::Running,
            rest: Motion::Running,
            title,
            palette,
            states,
            slots,
            saves: folders.saves,
            battery,
            recorders: vec![],
            duel,
            script: None,
            script_path: None,
            scripts: folders.scripts,
            prints: options.prints,
            rewind: settings.rewind,
            beside: latest::blank(),
            bench: None,
            before_bench: Motion::Running,
            labels: options.built_in.as_ref().map(|(_, image)| image.clone()).zip(options.labels.clone()),
            profile: options.profile.clone(),
            image: options.image.clone(),
            quit_at_end,
            over: false,
            meter: Meter::default(),
            audit: None,
        };
        machine.watch_crashes();
        machine
    }

    /// Runs until told to quit, or until `limit` frames are done.
    pub(crate) fn run(mut self, orders: &Receiver<Order>, limit: Option<u64>) -> Run {
        let start = Instant::now();
        self.list_slots();
        self.describe();
        self.until_told(orders, limit);
        let time = start.elapsed();
        let heard = self.shared.status().messages.back().map_or(0, |last| last.number);
        self.end_script("");
        self.finish_recordings();
        self.close_battery();
        let said = self.shared.status().messages.clone();
        Run {
            time,
            gaps: self.speaker.gaps(),
            audit: self.audit,
            state: self.engine.state().save(),
            state_hash: self.engine.state_hash(),
            last_words: said.into_iter().filter(|message| message.number > heard).collect(),
        }
    }

    /// Changes what the machine is doing.
    pub(crate) fn set_motion(&mut self, motion: Motion) {
        if motion != self.motion {
            self.motion = motion;
            self.speaker.rest();
            self.restart_pace();
        }
    }

    /// Begins the schedule of frames anew.
    pub(crate) fn restart_pace(&mut self) {
        self.pace = Pace::new(self.now()).with_speed(self.time.speed);
        self.meter = Meter::default();
    }

    /// One frame, in the direction of the motion.
    pub(crate) fn frame(&mut self) {
        let (now, motion) = (self.now(), self.motion);
        self.keep_pace(now);
        if self.motion == Motion::Rewinding {
            self.frame_back();
        } else {
            self.frame_forward();
        }
        self.show();
        let frames = self.shared.frames.fetch_add(1, Ordering::Relaxed) + 1;
        self.meter.read(now, frames);
        if self.motion == Motion::Running
            && let Some(sound) = self.speaker.status(now)
        {
            Audit::read(&mut self.audit, frames, sound);
        }
        self.gather_recordings();
        self.describe();
        if self.motion != motion {
            (self.tell)(Notice::Status);
        }
    }

    /// A frame begins at `now`: when is the next?
    fn keep_pace(&mut self, now: Duration) {
        let spacing = match self.time.sync {
            Sync::Display => self.shared.beat().spacing(now),
            Sync::Sound => None,
        };
        if self.pace.follow(spacing) {
            self.speaker.follow_device(now);
            self.pace.frame(now, None);
        } else {
            self.pace.frame(now, self.speaker.surplus(now));
        }
    }

    fn frame_back(&mut self) {
        if !self.engine.step_back() {
            return self.speaker.rest();
        }
        if let Some(bench) = self.bench.as_mut().filter(|bench| bench.is_attached) {
            bench.debugger().rewound(self.engine.state().cycle());
        }
        self.after_debugger(None);
        self.speaker.jump();
        self.play();
    }

    /// One frame with everything that is attached, or what is left of one that the debugger has stopped.
    fn frame_forward(&mut self) {
        let mut pads = FramePads::new(&self.shared.input, self.engine.deck.frame());
        let mut live = self.script.take();
        if let Some(live) = &mut live {
            live.script.set_input(self.shared.surroundings().as_scripts_see_it());
        }
        let bench = self.bench.as_mut().filter(|bench| bench.is_attached);
        let attached = Attached {
            script: live.as_mut().map(|live| &mut live.script),
            debugger: bench.map(|bench| bench.debugger()),
        };
        let FrameOutcome { stop, over, ended, drawn } = self.engine.frame(&mut pads, attached);
        self.after_script(live, drawn);
        self.after_movie(ended);
        if over {
            self.after_frame();
        } else {
            self.speaker.rest();
        }
        self.after_debugger(stop.as_ref());
    }

    /// A movie may have ended.
    pub(crate) fn after_movie(&mut self, ended: Option<PathBuf>) {
        if let Some(movie) = ended {
            self.say(MessageKind::Note, format!("{} is over", movie.display()));
            self.over = self.quit_at_end;
        }
    }

    /// Everything that follows a frame: battery, files, the opponent, sound.
    fn after_frame(&mut self) {
        if let Some(battery) = &mut self.battery
            && let Err(trouble) = battery.frame(self.engine.prg_ram())
        {
            self.say(MessageKind::Warning, trouble);
        }
        if let Err(error) = self.engine.deck.autosave() {
            self.say(MessageKind::Warning, format!("the movie cannot be written: {error}"));
        }
        if let Some(duel) = &mut self.duel
            && let Some(news) = duel.frame(self.engine.console())
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
        if self.motion == Motion::FastForward {
            self.speaker.rest();
        } else {
            self.play();
        }
    }

    fn play(&mut self) {
        let now = self.now();
        self.speaker.play(self.engine.sound(), self.time.speed, now);
    }

    /// What the script has drawn over the picture that is shown.
    fn drawing(&self) -> Option<&Arc<Overlay>> {
        let shown = self.motion != Motion::Rewinding;
        self.script.as_ref().filter(|_| shown).and_then(|live| live.overlay.as_ref())
    }

    /// Puts the engine's picture where the interface finds it.
    pub(crate) fn show(&mut self) {
        if let Some(duel) = &self.duel {
            self.beside.copy_from_slice(duel.picture().pixels());
            self.shared.beside.put(&mut self.beside);
        }
        self.sheet.dots.copy_from_slice(self.engine.picture().pixels());
        self.sheet.overlay = self.drawing().cloned();
        if self.shared.pictures.put(&mut self.sheet) {
            (self.tell)(Notice::Picture);
        }
    }

    /// Brings the status up to date.
    pub(crate) fn describe(&mut self) {
        let now = self.now();
        let rewind = self.engine.rewind();
        let (frames, bytes) = (rewind.len(), rewind.bytes());
        let script = self.script_status();
        let crash = self.crash_status();
        let mut status = self.shared.status();
        status.motion = self.motion;
        status.fps = self.meter.rate();
        status.frame = self.engine.frame_number();
        status.speed = self.time.speed;
        status.run_ahead = self.engine.ahead();
        status.script = script;
        if let Some(CrashStatus { crash, .. }) = crash
            && status.crash.is_none()
        {
            status.say(MessageKind::Warning, crash.to_string());
        }
        status.crash = crash;
        status.computer = self.engine.has_computer();
        status.sound = self.speaker.status(now);
        status.rewind = Duration::from_secs_f64(frames as f64 / crate::FRAME_RATE);
        status.rewind_bytes = bytes;
        status.duel = self.duel.is_some();
        status.movie = self.engine.deck.status();
        status.recordings.clear();
        status.recordings.extend(self.recorders.iter().filter(|file| file.is_open()).map(Recorder::status));
        status.buttons = self.engine.buttons();
        if status.title != self.title {
            status.title.clone_from(&self.title);
        }
    }

    /// The crash in which the game is.
    fn crash_status(&self) -> Option<CrashStatus> {
        let way_back = self.duel.is_none() && self.engine.reaches_before_crash();
        self.engine.crash().map(|&crash| CrashStatus { crash, way_back })
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
mod both_cartridges;
#[cfg(test)]
mod tests;
