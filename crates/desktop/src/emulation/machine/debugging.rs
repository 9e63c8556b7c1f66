//! What the machine does with the debugger: when it is attached, and what stops.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use emulator::Edit;
use nes::Pads;
use nes_debug::Stop;
use nes_debug::command::Command as Word;
use tetris::Profile;

use crate::debugger::{CommandOutcome, DebugSession, EngineFrames};
use crate::emulation::machine::Machine;
use crate::emulation::machine::refusal::Refusal;
use crate::input::held::FramePads;
use crate::messages::command::DebugCommand;
use crate::messages::status::{MessageKind, Notice, RunState};

/// Frames from one snapshot to the next while the game runs.
const REFRESH_FRAMES: u64 = 10;

impl<F: Fn(Notice)> Machine<F> {
    pub(crate) fn debug_command(&mut self, command: DebugCommand) -> Result<(), Refusal> {
        match command {
            DebugCommand::Open => self.open_debugger()?,
            DebugCommand::Close => self.close_debugger(),
            DebugCommand::Execute(line) => self.execute(&line),
            DebugCommand::Stop => self.enter(RunState::Paused),
            DebugCommand::Show(panel_state) => {
                if let Some(session) = &mut self.debugger {
                    session.set_panel_state(*panel_state);
                }
            }
        }
        self.refresh_snapshot();
        Ok(())
    }

    /// Returns whether the debugger is attached.
    pub(crate) fn is_under_debugger(&self) -> bool {
        self.debugger.as_ref().is_some_and(|session| session.is_attached)
    }

    /// Attaches the debugger and shows the panels; everything stands still.
    fn open_debugger(&mut self) -> Result<(), Refusal> {
        if self.debugger.is_none() {
            let (image, palette) = (&self.cartridge.image, self.outputs.palette.clone());
            let profile = self.cartridge.given_profile().cloned().or_else(|| Profile::of_image(image));
            let labels = self.cartridge.labels();
            let mut session = DebugSession::new(image, profile, labels, self.engine.config(), palette)?;
            if let Some(path) = self.cartridge.debug_file() {
                session.load_debug_file(&path);
            }
            self.debugger = Some(Box::new(session));
        }
        if let Some(session) = &mut self.debugger {
            session.set_palette(self.outputs.palette.clone());
            session.attach(&mut self.engine);
        }
        self.open_panels();
        Ok(())
    }

    fn open_panels(&mut self) {
        let Some(session) = &mut self.debugger else { return };
        if !session.is_open {
            session.is_open = true;
            self.transport.debugger_opens();
        }
        self.enter(RunState::Paused);
    }

    /// Shows how things stand after a command that was not the debugger's. Another cartridge has
    /// another debugger.
    pub(crate) fn refresh_debugger(&mut self) {
        if self.debugger.as_ref().is_some_and(|session| session.is_of(&self.cartridge.image)) {
            self.refresh_snapshot();
        } else {
            self.discard_debugger();
        }
        self.present();
    }

    /// Puts the debugger away, with all that it knows.
    pub(crate) fn discard_debugger(&mut self) {
        let session = self.debugger.take();
        self.shared.status().debugger = None;
        if session.is_some_and(|session| session.is_open) {
            self.enter(self.transport.before_debugger());
        }
    }

    /// Shuts the panels, and goes on as before they opened. Without anything in force the debugger
    /// is detached.
    fn close_debugger(&mut self) {
        let Some(session) = self.debugger.as_mut().filter(|session| session.is_open) else { return };
        session.is_open = false;
        if session.is_armed(self.engine.state()) {
            self.say(MessageKind::Note, "breakpoints and changes stay active; F1 shows them".into());
        } else {
            session.detach(&self.engine);
        }
        self.shared.status().debugger = None;
        self.enter(self.transport.before_debugger());
        self.present();
    }

    fn execute(&mut self, line: &str) {
        let Some(session) = self.debugger.as_mut().filter(|session| session.is_open) else { return };
        let mut words = line.split_whitespace();
        let word = words.next().and_then(Word::of_name).map(|word| word.name);
        if word == Some("run") && words.next().is_none() {
            // In the window it runs as the game does, with pictures, sound and the pads.
            return self.enter(RunState::Running);
        }
        self.shared.interrupt.store(false, Ordering::Relaxed);
        let shared = &self.shared;
        let mut live = self.script.live.take();
        if let Some(live) = &mut live {
            live.script.set_input(shared.host_input().for_scripts());
        }
        let mut number = self.engine.movie.frame();
        let mut frames = EngineFrames {
            engine: &mut self.engine,
            script: live.as_mut().map(|live| &mut live.script),
            pads: || {
                number += 1;
                FramePads::new(&shared.input, number).held()
            },
            goes_on: &|| !shared.interrupt.load(Ordering::Relaxed),
            drawn: None,
            movie_ended: false,
        };
        let CommandOutcome { edited, moved, quits } = session.command(line, &mut frames);
        let (drawn, movie_ended) = (frames.drawn.take(), frames.movie_ended);
        self.after_script_frame(live, drawn);
        self.after_movie(movie_ended);
        if let Some(edit) = edited {
            self.end_movie_by_edit(edit);
        }
        if moved {
            self.outputs.audio.jump();
            self.enter(RunState::Paused);
        }
        if quits {
            self.close_debugger();
        } else {
            self.present();
        }
    }

    /// A frame has gone by under the debugger, or was stopped, which opens the panels.
    pub(crate) fn after_debugger(&mut self, stop: Option<&Stop>) {
        let Some(session) = self.debugger.as_mut().filter(|session| session.is_attached) else { return };
        session.ran(&mut self.engine, stop);
        let from = self.engine.frame_number();
        if let Some(edit) = self.engine.follow(session.debugger(), from) {
            self.end_movie_by_edit(edit);
        }
        if stop.is_some() {
            self.open_panels();
            self.refresh_snapshot();
        } else {
            self.refresh_now_and_then();
        }
    }

    /// The console is where no movie leads.
    pub(crate) fn end_movie_by_edit(&mut self, edit: Edit) {
        self.lose_game(&edit.to_string());
        if self.engine.movie.is_recording() {
            let text = format!("{edit}: the movie ends here");
            self.say(MessageKind::Warning, text);
            self.stop_movie_recording();
        }
        self.engine.movie.mark_diverged();
    }

    /// Shows how things stand from time to time.
    fn refresh_now_and_then(&mut self) {
        let frames = self.shared.frames.load(Ordering::Relaxed);
        if frames.is_multiple_of(REFRESH_FRAMES) || self.run_state() == RunState::Paused {
            self.refresh_snapshot();
        }
    }

    /// Shows how things stand under the debugger.
    fn refresh_snapshot(&mut self) {
        if let Some(session) = self.debugger.as_mut().filter(|session| session.is_open) {
            let snapshot = session.snapshot(&mut self.engine);
            self.shared.status().debugger = Some(Arc::new(snapshot));
        }
    }
}

#[cfg(test)]
mod tests;
