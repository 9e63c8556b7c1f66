//! What the machine does with the debugger: who has the console, and what runs under it.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use nes::{Console, Pads};
use nes_debug::command::Command as Word;

use crate::debugger::DebugSession;
use crate::emulation::machine::Machine;
use crate::emulation::machine::inserted::InsertedCartridge;
use crate::input::held::Strobe;
use crate::messages::command::DebugCommand;
use crate::messages::status::{MessageKind, Notice, RunState};

/// Frames from one snapshot to the next while the game runs.
const REFRESH_FRAMES: u64 = 10;

impl<F: Fn(Notice)> Machine<F> {
    pub(crate) fn debug_command(&mut self, command: DebugCommand) -> Result<(), String> {
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

    /// Returns whether the debugger has the console.
    pub(crate) fn is_under_debugger(&self) -> bool {
        self.debugger.as_ref().is_some_and(|session| session.has_console())
    }

    /// Gives the debugger the console and shows the panels; everything stands still.
    fn open_debugger(&mut self) -> Result<(), String> {
        if self.debugger.is_none() {
            let InsertedCartridge { image, .. } = &self.cartridge;
            let (labels, palette) = (self.cartridge.labels(), self.outputs.palette.clone());
            let session = DebugSession::new(image, labels, self.engine.config(), palette)?;
            self.debugger = Some(Box::new(session));
        }
        if !self.is_under_debugger() {
            self.attach_debugger()?;
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

    /// Gives the debugger the engine's console.
    fn attach_debugger(&mut self) -> Result<(), String> {
        let Some(session) = &mut self.debugger else { return Ok(()) };
        let movie = self.engine.movie.playing(self.engine.frame_number()).cloned();
        session.set_palette(self.outputs.palette.clone());
        session.borrow(&self.engine.save(), self.engine.picture(), self.engine.substitution(), movie)?;
        session.carry_out(self.engine.take_pending());
        Ok(())
    }

    /// Gives the engine the console back, if the debugger has it. Returns whether it had.
    pub(crate) fn detach_debugger(&mut self) -> bool {
        let Some(session) = self.debugger.as_mut().filter(|session| session.has_console()) else {
            return false;
        };
        if let Some((state, way)) = session.give_back() {
            if !way.faithful {
                self.stop_movie_recording();
            }
            if let Err(error) = self.engine.take_over(&state, &way) {
                self.say(MessageKind::Error, error.to_string());
            }
            self.outputs.audio.jump();
        }
        true
    }

    /// Gives the debugger the console once more, after something that was the engine's to do.
    /// Another cartridge has another debugger.
    pub(crate) fn reattach_debugger(&mut self) {
        let ours = self.debugger.as_ref().is_some_and(|session| session.is_of(&self.cartridge.image));
        if !ours {
            self.discard_debugger();
        } else if let Err(error) = self.attach_debugger() {
            self.discard_debugger();
            self.say(MessageKind::Error, error);
        }
        self.refresh_snapshot();
        self.present();
    }

    /// Takes the console back and puts the debugger away, with all that it knows.
    pub(crate) fn discard_debugger(&mut self) {
        self.detach_debugger();
        let session = self.debugger.take();
        self.shared.status().debugger = None;
        if session.is_some_and(|session| session.is_open) {
            self.enter(self.transport.before_debugger());
        }
    }

    /// Shuts the panels, and goes on as before they opened. Without anything in force the engine
    /// has its console back.
    fn close_debugger(&mut self) {
        let Some(session) = self.debugger.as_mut().filter(|session| session.is_open) else { return };
        session.is_open = false;
        let armed = session.is_armed();
        if armed {
            self.say(MessageKind::Note, "breakpoints and changes stay active; F1 shows them".into());
        } else {
            self.detach_debugger();
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
        let interrupt = &self.shared.interrupt;
        let mut goes_on = |_: &Console| !interrupt.load(Ordering::Relaxed);
        let cycle = session.console().cycle();
        let stays = session.command(line, &mut goes_on);
        if session.console().cycle() != cycle {
            self.enter(RunState::Paused);
        }
        if stays {
            self.present();
        } else {
            self.close_debugger();
        }
    }

    /// One frame under the debugger, in the direction of the run_state. What stops it opens the
    /// panels.
    pub(crate) fn debugger_frame(&mut self) {
        let Some(session) = &mut self.debugger else { return };
        let run_state = self.transport.run_state();
        if run_state == RunState::Rewinding {
            self.outputs.audio.rest();
            session.step_back();
            return self.refresh_now_and_then();
        }
        let (input, engine) = (&self.shared.input, &mut self.engine);
        let console = session.console().clone();
        let muted = engine.muted().to_vec();
        let pads = || {
            let pads = Strobe::new(input, console.frame_number()).sample();
            engine.held(&console, pads)
        };
        let runs_on = session.frame(&muted, pads);
        self.outputs.record(session.picture(), None, session.sound());
        let saved = self.cartridge.battery_frame(session.console().board.cartridge().prg_ram());
        let (speed, now) = (self.transport.settings().speed, self.shared.clock.elapsed());
        self.outputs.play(session.sound(), speed, run_state, now);
        if let Err(trouble) = saved {
            self.shared.status().say(MessageKind::Warning, trouble);
        }
        if runs_on {
            self.refresh_now_and_then();
        } else {
            self.open_panels();
            self.refresh_snapshot();
        }
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
            self.shared.status().debugger = Some(Arc::new(session.snapshot()));
        }
    }
}

#[cfg(test)]
mod tests;
