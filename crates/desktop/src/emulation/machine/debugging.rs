//! What the machine does with the debugger: when it is attached, and what stops.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use nes::Pads;
use nes_debug::Stop;
use nes_debug::command::Command as Word;
use tetris::Profile;

use crate::debugger::{Bench, BenchOrder, CommandOutcome, EngineFrames};
use crate::emulation::engine::Edit;
use crate::emulation::machine::Machine;
use crate::input::held::FramePads;
use crate::messages::status::{MessageKind, Motion, Notice};

/// Frames from one look at the papers to the next while the game runs.
const GLANCE: u64 = 10;

impl<F: Fn(Notice)> Machine<F> {
    pub(crate) fn bench_order(&mut self, order: BenchOrder) -> Result<(), String> {
        match order {
            BenchOrder::Open => self.open_bench()?,
            BenchOrder::Close => self.shut_bench(),
            BenchOrder::Say(line) => self.tell_bench(&line),
            BenchOrder::Stop => self.settle(Motion::Paused),
            BenchOrder::Look(gaze) => {
                if let Some(bench) = &mut self.bench {
                    bench.look(*gaze);
                }
            }
        }
        self.lay_out_papers();
        Ok(())
    }

    /// Whether the debugger is attached.
    pub(crate) fn is_under_debugger(&self) -> bool {
        self.bench.as_ref().is_some_and(|bench| bench.is_attached)
    }

    /// Attaches the debugger and shows the panels; everything stands still.
    fn open_bench(&mut self) -> Result<(), String> {
        if self.bench.is_none() {
            let labels = self.labels.as_ref().filter(|(image, _)| *image == self.image);
            let labels = labels.map(|(_, labels)| labels.as_str());
            let profile = self.given_profile().cloned().or_else(|| Profile::of_image(&self.image));
            let bench = Bench::new(&self.image, profile, labels, self.engine.config(), self.palette.clone())?;
            self.bench = Some(Box::new(bench));
        }
        if let Some(bench) = &mut self.bench {
            bench.set_palette(self.palette.clone());
            bench.attach(&mut self.engine);
        }
        self.open_panels();
        Ok(())
    }

    fn open_panels(&mut self) {
        let Some(bench) = &mut self.bench else { return };
        if !bench.is_open {
            bench.is_open = true;
            self.before_bench = self.rest;
        }
        self.settle(Motion::Paused);
    }

    /// Shows how things stand after a command that was not the debugger's. Another cartridge has another debugger.
    pub(crate) fn refresh_bench(&mut self) {
        if self.bench.as_ref().is_some_and(|bench| bench.is_of(&self.image)) {
            self.lay_out_papers();
        } else {
            self.drop_bench();
        }
        self.show();
    }

    /// Puts the debugger away, with all that it knows.
    pub(crate) fn drop_bench(&mut self) {
        let bench = self.bench.take();
        self.shared.status().bench = None;
        if bench.is_some_and(|bench| bench.is_open) {
            self.settle(self.before_bench);
        }
    }

    /// Shuts the panels, and goes on as before they opened. Without anything in force the debugger is detached.
    fn shut_bench(&mut self) {
        let Some(bench) = self.bench.as_mut().filter(|bench| bench.is_open) else { return };
        bench.is_open = false;
        if bench.is_armed(self.engine.state()) {
            self.say(MessageKind::Note, "breakpoints and changes stay in force; F1 shows them".into());
        } else {
            bench.detach(&self.engine);
        }
        self.shared.status().bench = None;
        self.settle(self.before_bench);
        self.show();
    }

    fn tell_bench(&mut self, line: &str) {
        let Some(bench) = self.bench.as_mut().filter(|bench| bench.is_open) else { return };
        let mut words = line.split_whitespace();
        let word = words.next().and_then(Word::of_name).map(|word| word.name);
        if word == Some("run") && words.next().is_none() {
            // In the window it runs as the game does, with pictures, sound and the pads.
            return self.settle(Motion::Running);
        }
        self.shared.interrupt.store(false, Ordering::Relaxed);
        let shared = &self.shared;
        let mut live = self.script.take();
        if let Some(live) = &mut live {
            live.script.set_input(shared.surroundings().as_scripts_see_it());
        }
        let mut number = self.engine.deck.frame();
        let mut frames = EngineFrames {
            engine: &mut self.engine,
            script: live.as_mut().map(|live| &mut live.script),
            pads: || {
                number += 1;
                FramePads::new(&shared.input, number).sample()
            },
            goes_on: &|| !shared.interrupt.load(Ordering::Relaxed),
            drawn: None,
            ended: None,
        };
        let CommandOutcome { edited, moved, quits } = bench.command(line, &mut frames);
        let (drawn, ended) = (frames.drawn.take(), frames.ended.take());
        self.after_script(live, drawn);
        self.after_movie(ended);
        if let Some(edit) = edited {
            self.end_movie_by_edit(edit);
        }
        if moved {
            self.speaker.jump();
            self.settle(Motion::Paused);
        }
        if quits {
            self.shut_bench();
        } else {
            self.show();
        }
    }

    /// A frame has gone by under the debugger, or was stopped, which opens the panels.
    pub(crate) fn after_debugger(&mut self, stop: Option<&Stop>) {
        let Some(bench) = self.bench.as_mut().filter(|bench| bench.is_attached) else { return };
        bench.ran(&mut self.engine, stop);
        let from = self.engine.frame_number();
        if let Some(edit) = self.engine.follow(bench.debugger(), from) {
            self.end_movie_by_edit(edit);
        }
        if stop.is_some() {
            self.open_panels();
            self.lay_out_papers();
        } else {
            self.glance();
        }
    }

    /// The console is where no movie leads.
    pub(crate) fn end_movie_by_edit(&mut self, edit: Edit) {
        if self.engine.deck.is_recording() {
            let text = format!("{edit}: the movie ends here");
            self.say(MessageKind::Warning, text);
            self.stop_movie_recording();
        }
        self.engine.deck.meddle();
    }

    /// Shows how things stand from time to time.
    fn glance(&mut self) {
        let frames = self.shared.frames.load(Ordering::Relaxed);
        if frames.is_multiple_of(GLANCE) || self.motion == Motion::Paused {
            self.lay_out_papers();
        }
    }

    /// Shows how things stand under the debugger.
    fn lay_out_papers(&mut self) {
        if let Some(bench) = self.bench.as_mut().filter(|bench| bench.is_open) {
            let papers = bench.papers(&mut self.engine);
            self.shared.status().bench = Some(Arc::new(papers));
        }
    }
}

#[cfg(test)]
mod tests;
