//! What the machine does while the debugger has the console.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use nes::{Console, Pads};
use nes_debug::command::Command as Word;

use crate::bench::{Bench, BenchOrder};
use crate::input::Strobe;
use crate::machine::Machine;
use crate::status::{MessageKind, Motion, Notice};

/// Frames from one look at the papers to the next while the game runs.
const GLANCE: u64 = 10;

impl<F: Fn(Notice)> Machine<F> {
    pub(crate) fn bench_order(&mut self, order: BenchOrder) -> Result<(), String> {
        match order {
            BenchOrder::Open if self.bench.is_none() => self.open_bench()?,
            BenchOrder::Open => {}
            BenchOrder::Close => self.close_bench(),
            BenchOrder::Say(line) => self.tell_bench(&line),
            BenchOrder::TurnMemory => self.with_bench(Bench::turn_memory),
            BenchOrder::Scroll(lines) => self.with_bench(|bench| bench.scroll(lines)),
            BenchOrder::Draw(drawing) => self.with_bench(|bench| bench.draw(drawing)),
        }
        self.lay_out_papers();
        Ok(())
    }

    fn with_bench(&mut self, change: impl FnOnce(&mut Bench)) {
        if let Some(bench) = &mut self.bench {
            change(bench);
        }
    }

    fn open_bench(&mut self) -> Result<(), String> {
        if self.engine.pieces().is_some() {
            self.say(MessageKind::Note, "under the debugger the game has its own pieces".into());
        }
        let labels = self.labels.as_ref().filter(|(image, _)| *image == self.image);
        let labels = labels.map(|(_, labels)| labels.as_str());
        let (config, state, palette) = (self.engine.config(), self.engine.save(), self.palette.clone());
        self.bench = Some(Box::new(Bench::open(&self.image, labels, config, &state, palette)?));
        self.settle(Motion::Paused);
        Ok(())
    }

    /// Gives the console back, as the debugger leaves it.
    pub(crate) fn close_bench(&mut self) {
        let Some(bench) = self.bench.take() else { return };
        self.stop_movie_recording();
        if bench.has_edited_rom() {
            let text = "what was set in ROM ends with the debugger: `patch FILE` there keeps it";
            self.say(MessageKind::Note, text.into());
        }
        if let Err(error) = self.engine.take_over(&bench.state()) {
            self.say(MessageKind::Error, error.to_string());
        }
        self.shared.status().bench = None;
        self.speaker.jump();
        self.show();
    }

    fn tell_bench(&mut self, line: &str) {
        let Some(bench) = &mut self.bench else { return };
        let mut words = line.split_whitespace();
        let word = words.next().and_then(Word::of_name).map(|word| word.name);
        if word == Some("run") && words.next().is_none() {
            // In the window it runs as the game does, with pictures and the pads.
            return self.settle(Motion::Running);
        }
        self.shared.interrupt.store(false, Ordering::Relaxed);
        let interrupt = &self.shared.interrupt;
        let mut goes_on = |_: &Console| !interrupt.load(Ordering::Relaxed);
        let goes_on = bench.command(line, &mut goes_on);
        self.settle(Motion::Paused);
        if goes_on {
            self.show();
        } else {
            self.close_bench();
        }
    }

    /// One frame under the debugger, in the direction of the motion.
    pub(crate) fn bench_frame(&mut self) {
        self.speaker.rest();
        let Some(bench) = &mut self.bench else { return };
        if self.motion == Motion::Rewinding {
            bench.step_back();
        } else {
            let pads = Strobe::new(&self.shared.input, self.shared.frames.load(Ordering::Relaxed)).sample();
            if !bench.frame(pads) {
                self.settle(Motion::Paused);
                self.lay_out_papers();
                return;
            }
        }
        if self.shared.frames.load(Ordering::Relaxed).is_multiple_of(GLANCE) || self.motion == Motion::Paused
        {
            self.lay_out_papers();
        }
    }

    /// Shows how things stand under the debugger.
    fn lay_out_papers(&self) {
        if let Some(bench) = &self.bench {
            self.shared.status().bench = Some(Arc::new(bench.papers()));
        }
    }
}
