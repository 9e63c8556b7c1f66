//! The console on its own thread, at its own speed.

mod commands;
mod debugging;
mod event_loop;
mod inserted;
mod movies;
mod outputs;
mod scripts;
mod transport;

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};

use nes::{Cartridge, Config};
use nes_lua::Overlay;

use crate::config::settings::{RewindSettings, Sync};
use crate::debugger::DebugSession;
use crate::emulation::engine::Engine;
use crate::emulation::script::Scripting;
use crate::emulation::timing::TimingCheck;
use crate::messages::handle::Shared;
use crate::messages::machine_message::MachineMessage;
use crate::messages::status::{Message, MessageKind, Notice, RunState};
use crate::video::render_settings::RenderSettings;
use crate::{Options, Versus};
use inserted::InsertedCartridge;
use outputs::Outputs;
use transport::Transport;

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
    shared: Arc<Shared>,
    /// Called after a frame or a change of which the interface does not know yet.
    notify: F,
    transport: Transport,
    cartridge: InsertedCartridge,
    outputs: Outputs,
    script: Scripting,
    versus: Option<Versus>,
    /// What the player has set, for after a versus game.
    rewind: RewindSettings,
    /// The cartridge's debugger, once it was asked for.
    debugger: Option<Box<DebugSession>>,
    /// Commands carried out so far.
    commands_done: u64,
    quit_at_end: bool,
    /// A movie ended that was the last thing to do.
    is_over: bool,
}

impl<F: Fn(Notice)> Machine<F> {
    pub(crate) fn new(cartridge: Cartridge, options: &Options, shared: Arc<Shared>, notify: F) -> Self {
        let Options { config, settings, folders, pieces, versus, .. } = options.clone();
        let palette = RenderSettings::new(&settings.picture).0.palette;
        shared.input.set(settings.input);
        let (inserted, outcome) = InsertedCartridge::new(options, &cartridge);
        if let Err(trouble) = outcome {
            shared.status().say(MessageKind::Warning, trouble);
        }
        let config = Config { sample_rate: Some(crate::SAMPLE_RATE), ..config };
        let mut engine = Engine::new(cartridge, config, settings.rewind);
        if versus.is_some() {
            engine.rewind().set_limits(NO_WAY_BACK);
        }
        engine.restart(inserted.kept());
        engine.set_pieces(pieces);
        engine.set_ahead(settings.time.run_ahead);
        engine.mute(&settings.sound.muted_channels);
        Self {
            engine,
            transport: Transport::new(settings.time, shared.clock.elapsed()),
            shared,
            notify,
            cartridge: inserted,
            outputs: Outputs::new(settings.sound, settings.recording, palette),
            script: Scripting::new(folders.scripts, options.prints),
            versus,
            rewind: settings.rewind,
            debugger: None,
            commands_done: 0,
            quit_at_end: options.quit_at_end,
            is_over: false,
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
            gaps: self.outputs.audio.gaps(),
            timing_check: self.transport.timing_check(),
            state: self.engine.save(),
            state_hash: self.engine.state_hash(),
            final_messages: said.into_iter().filter(|message| message.number > last_message).collect(),
        }
    }

    /// Returns what the machine is doing.
    pub(crate) fn run_state(&self) -> RunState {
        self.transport.run_state()
    }

    /// Runs one frame, in the direction of the run state.
    pub(crate) fn frame(&mut self) {
        let (now, run_state) = (self.now(), self.run_state());
        let spacing = match self.transport.settings().sync {
            Sync::Display => self.shared.vsync().spacing(now),
            Sync::Sound => None,
        };
        self.transport.begin_frame(now, spacing, &mut self.outputs.audio);
        if self.is_under_debugger() {
            self.debugger_frame();
        } else if run_state == RunState::Rewinding {
            if self.engine.step_back() {
                self.outputs.audio.jump();
                self.play();
            } else {
                self.outputs.audio.rest();
            }
        } else {
            self.frame_forward();
        }
        self.present();
        let frames = self.shared.frames.fetch_add(1, Ordering::Relaxed) + 1;
        self.transport.end_frame(now, frames, self.outputs.audio.status(now));
        self.collect_recordings();
        self.update_status();
        if self.run_state() != run_state {
            (self.notify)(Notice::Status);
        }
    }

    fn frame_forward(&mut self) {
        if let Some(movie) = self.frame_with_script() {
            self.say(MessageKind::Note, format!("{} is over", movie.display()));
            self.is_over = self.quit_at_end;
        }
        if let Err(trouble) = self.cartridge.battery_frame(self.engine.prg_ram()) {
            self.say(MessageKind::Warning, trouble);
        }
        if let Err(error) = self.engine.movie.autosave() {
            self.say(MessageKind::Warning, format!("the movie cannot be written: {error}"));
        }
        if let Some(versus) = &mut self.versus
            && let Some(event) = versus.frame(self.engine.console())
        {
            self.say(MessageKind::Note, event.text());
        }
        let overlay = self.overlay().cloned();
        self.outputs.record(self.engine.picture(), overlay.as_ref(), self.engine.sound());
        self.play();
    }

    fn play(&mut self) {
        let (now, speed, run_state) = (self.now(), self.transport.settings().speed, self.run_state());
        self.outputs.play(self.engine.sound(), speed, run_state, now);
    }

    /// Returns what the script has drawn over the picture that is shown.
    fn overlay(&self) -> Option<&Arc<Overlay>> {
        let shown = !self.is_under_debugger() && self.run_state() != RunState::Rewinding;
        self.script.overlay().filter(|_| shown)
    }

    /// Puts the picture where the interface finds it.
    fn present(&mut self) {
        if let Some(versus) = &self.versus {
            self.outputs.present_opponent(versus, &self.shared);
        }
        let overlay = self.overlay().cloned();
        let debugger = self.debugger.as_ref().filter(|session| session.has_console());
        let picture = debugger.map_or_else(|| self.engine.picture(), |session| session.picture());
        if self.outputs.present(picture, overlay, &self.shared) {
            (self.notify)(Notice::Picture);
        }
    }

    /// Brings the status up to date.
    pub(crate) fn update_status(&mut self) {
        let now = self.now();
        let rewind = self.engine.rewind();
        let (frames, bytes) = (rewind.len(), rewind.bytes());
        let debugger = self.debugger.as_ref().filter(|session| session.has_console());
        let script = self.script.status();
        let mut status = self.shared.status();
        status.commands_done = self.commands_done;
        status.run_state = self.transport.run_state();
        status.fps = self.transport.fps();
        status.frame =
            debugger.map_or(self.engine.frame_number(), |session| session.console().frame_number());
        status.speed = self.transport.settings().speed;
        status.run_ahead = self.engine.ahead();
        status.script = script;
        status.computer = self.engine.has_computer();
        status.sound = self.outputs.audio.status(now);
        status.rewind = Duration::from_secs_f64(frames as f64 / crate::FRAME_RATE);
        status.rewind_bytes = bytes;
        status.versus = self.versus.is_some();
        status.movie = self.engine.movie.status();
        status.recordings.clear();
        status.recordings.extend(self.outputs.recordings());
        status.buttons = debugger.map_or(self.engine.buttons(), |session| session.buttons());
        if status.title != self.cartridge.title {
            status.title.clone_from(&self.cartridge.title);
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
