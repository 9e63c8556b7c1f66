//! What the machine does with the debugger: who has the console, and what runs under it.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use nes::{Console, Pads};
use nes_debug::command::Command as Word;

use crate::debugger::Bench;
use crate::emulation::machine::Machine;
use crate::input::held::Strobe;
use crate::messages::command::BenchOrder;
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

    /// Whether the debugger has the console.
    pub(crate) fn is_under_debugger(&self) -> bool {
        self.bench.as_ref().is_some_and(|bench| bench.has_console())
    }

    /// Gives the debugger the console and shows the panels; everything stands still.
    fn open_bench(&mut self) -> Result<(), String> {
        if self.bench.is_none() {
            let labels = self.labels.as_ref().filter(|(image, _)| *image == self.image);
            let labels = labels.map(|(_, labels)| labels.as_str());
            let bench = Bench::new(&self.image, labels, self.engine.config(), self.palette.clone())?;
            self.bench = Some(Box::new(bench));
        }
        if !self.is_under_debugger() {
            self.lend()?;
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

    /// Gives the debugger the engine's console.
    fn lend(&mut self) -> Result<(), String> {
        let Some(bench) = &mut self.bench else { return Ok(()) };
        let movie = self.engine.deck.playing(self.engine.frame_number()).cloned();
        bench.set_palette(self.palette.clone());
        bench.borrow(&self.engine.save(), self.engine.picture(), self.engine.substitution(), movie)?;
        bench.carry_out(self.engine.take_pending());
        Ok(())
    }

    /// Gives the engine the console back, if the debugger has it. Answers whether it had.
    pub(crate) fn take_back(&mut self) -> bool {
        let Some(bench) = self.bench.as_mut().filter(|bench| bench.has_console()) else { return false };
        if let Some((state, way)) = bench.give_back() {
            if !way.faithful {
                self.stop_movie_recording();
            }
            if let Err(error) = self.engine.take_over(&state, &way) {
                self.say(MessageKind::Error, error.to_string());
            }
            self.speaker.jump();
        }
        true
    }

    /// Gives the debugger the console once more, after something that was the engine's to do. Another cartridge has
    /// another debugger.
    pub(crate) fn lend_again(&mut self) {
        let ours = self.bench.as_ref().is_some_and(|bench| bench.is_of(&self.image));
        if !ours {
            self.drop_bench();
        } else if let Err(error) = self.lend() {
            self.drop_bench();
            self.say(MessageKind::Error, error);
        }
        self.lay_out_papers();
        self.show();
    }

    /// Takes the console back and puts the debugger away, with all that it knows.
    pub(crate) fn drop_bench(&mut self) {
        self.take_back();
        let bench = self.bench.take();
        self.shared.status().bench = None;
        if bench.is_some_and(|bench| bench.is_open) {
            self.settle(self.before_bench);
        }
    }

    /// Shuts the panels, and goes on as before they opened. Without anything in force the engine has its console back.
    fn shut_bench(&mut self) {
        let Some(bench) = self.bench.as_mut().filter(|bench| bench.is_open) else { return };
        bench.is_open = false;
        let armed = bench.is_armed();
        if armed {
            self.say(MessageKind::Note, "breakpoints and changes stay in force; F1 shows them".into());
        } else {
            self.take_back();
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
        let interrupt = &self.shared.interrupt;
        let mut goes_on = |_: &Console| !interrupt.load(Ordering::Relaxed);
        let cycle = bench.console().cycle();
        let stays = bench.command(line, &mut goes_on);
        if bench.console().cycle() != cycle {
            self.settle(Motion::Paused);
        }
        if stays {
            self.show();
        } else {
            self.shut_bench();
        }
    }

    /// One frame under the debugger, in the direction of the motion. What stops it opens the panels.
    pub(crate) fn bench_frame(&mut self) {
        let Some(bench) = &mut self.bench else { return };
        if self.motion == Motion::Rewinding {
            self.speaker.rest();
            bench.step_back();
            return self.glance();
        }
        let (input, engine) = (&self.shared.input, &mut self.engine);
        let console = bench.console().clone();
        let muted = engine.muted().to_vec();
        let pads = || {
            let pads = Strobe::new(input, console.frame_number()).sample();
            engine.held(&console, pads)
        };
        let runs_on = bench.frame(&muted, pads);
        for recorder in &mut self.recorders {
            recorder.take(bench.picture().pixels(), bench.sound());
        }
        if let Some(battery) = &mut self.battery
            && let Err(trouble) = battery.frame(bench.console().board.cartridge().prg_ram())
        {
            self.shared.status().say(MessageKind::Warning, trouble);
        }
        if self.motion == Motion::FastForward {
            self.speaker.rest();
        } else {
            let now = self.shared.clock.elapsed();
            self.speaker.play(bench.sound(), self.time.speed, now);
        }
        if runs_on {
            self.glance();
        } else {
            self.open_panels();
            self.lay_out_papers();
        }
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
            self.shared.status().bench = Some(Arc::new(bench.papers()));
        }
    }
}

#[cfg(test)]
mod tests;
