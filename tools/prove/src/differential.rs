//! A case, run on the slow console and on fast ones side by side.

use crate::case::Case;
use crate::coverage::{Counter, Coverage};
use crate::difference::{Difference, first_difference, picture_difference, sample_difference};
use crate::pads::PadGenerator;
use nes::{Break, BusEvent, Config, Console, Cpu, Mainboard, Observer, Reference};
use std::ops::ControlFlow;
use tetris::SplitMix64;

/// Samples a second that are made and compared.
const SAMPLE_RATE: u32 = 48_000;
/// More instructions than a frame has: a stop that never comes.
const INSTRUCTIONS: u32 = 14_000;

/// What has been compared.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    /// Frames, each on every fast console.
    pub frames: u64,
    /// Cycles of the bus, each by address, value, direction and reason.
    pub accesses: u64,
    /// What the slow console went through.
    pub coverage: Coverage,
}

/// How a case ended.
#[derive(Debug)]
pub enum End {
    /// After its last frame, without a difference.
    Equal,
    /// At the first difference.
    Different(Box<Difference>),
    /// Because it was asked to.
    Stopped,
}

/// The fast consoles that are compared with the slow one, in the ways in which programs run them.
struct Fast {
    /// Nobody watches it: every shortcut is open.
    alone: Console,
    /// Every cycle of its bus is compared; it is stopped and taken up again within frames.
    watched: Console,
    /// It makes no sound and seldom a picture; now and then it is a console that has loaded the
    /// state.
    blind: Console,
}

/// Runs `case` to its end, as long as `goes_on` says so, adding to `tally`.
pub fn compare_case(case: &Case, tally: &mut Tally, goes_on: &dyn Fn() -> bool) -> End {
    let sound = case.power.config(Some(SAMPLE_RATE));
    let power_on = |config| Console::new(case.cartridge.clone(), config);
    let mut slow = Reference::new(case.cartridge.clone(), sound);
    let dark = Config { video: false, ..case.power.config(None) };
    let mut fast = Fast { alone: power_on(sound), watched: power_on(sound), blind: power_on(dark) };
    let mut pads = PadGenerator::new(case.input, case.seed);
    let mut random = SplitMix64::new(case.seed ^ 0x00D0_0E15);
    let mut events = Vec::new();
    let mut counter = Counter::default();
    let mut end = End::Equal;
    for frame in 0..case.frames {
        if !goes_on() {
            end = End::Stopped;
            break;
        }
        let reset = frame > 0 && random.one_in(500);
        if reset {
            slow.reset();
            for console in [&mut fast.alone, &mut fast.watched, &mut fast.blind] {
                console.reset();
            }
        }
        pads.next_frame();
        let before = (slow.clone(), fast.alone.clone(), pads.clone());
        // A reset sequence has already drawn a little of the frame.
        let drawn = frame > 0 && !reset && random.one_in(4);
        fast.blind.set_video(drawn);
        let result = frame_of(&mut slow, &mut fast, &mut pads, &mut random, &mut events, &mut counter);
        let result = result.and_then(|()| {
            let picture = drawn.then(|| picture_difference(slow.console(), &fast.blind)).flatten();
            picture.map_or(Ok(()), |what| Err(("blind", what)))
        });
        tally.frames += 1;
        tally.accesses += events.len() as u64;
        if let Err((machine, what)) = result {
            let (slow, alone, pads) = before;
            let cycle = slow.console().cycle();
            let place = locate(slow, alone, &pads);
            end = End::Different(Box::new(Difference::new(case, machine, frame + 1, cycle, what, place)));
            break;
        }
    }
    tally.coverage += counter.coverage;
    end
}

/// One frame on every console. An error is the name of the console that differs, and in what.
fn frame_of(
    slow: &mut Reference,
    Fast { alone, watched, blind }: &mut Fast,
    pads: &mut PadGenerator,
    random: &mut SplitMix64,
    events: &mut Vec<BusEvent>,
    counter: &mut Counter,
) -> Result<(), (&'static str, String)> {
    let [mut pads1, mut pads2, mut pads3] = [pads.clone(), pads.clone(), pads.clone()];
    events.clear();
    slow.clear_samples();
    let mut recorder = Recorder { events, counter, left: random.below(INSTRUCTIONS).into() };
    let stop = slow.run_frame(pads, &mut recorder).is_break().then(|| slow.console().clone());
    if stop.is_some() {
        recorder.left = u64::MAX;
        let _ = slow.run_frame(pads, &mut recorder);
    }

    // First, because it cannot run on for ever should it not find the frame's end.
    watched.clear_samples();
    let stop_cycle = stop.as_ref().map_or(u64::MAX, Console::cycle);
    let mut comparison = Comparison { expected: events, at: 0, differs: None, stop_cycle };
    while watched.run_frame(&mut pads1, &mut comparison).is_break() {
        if let Some(differs) = comparison.differs.take() {
            return Err(("watched", differs));
        }
        comparison.stop_cycle = u64::MAX;
        let stopped = stop.as_ref().and_then(|stop| first_difference(stop, watched));
        if let Some(differs) = stopped {
            return Err(("watched", format!("in the middle of the frame, cycle {stop_cycle}: {differs}")));
        }
    }
    if let Some(missing) = comparison.expected.get(comparison.at) {
        return Err(("watched", format!("the frame ends before {missing:?}")));
    }
    differing("watched", slow.console(), watched, pads == &pads1, true)?;

    alone.clear_samples();
    let _ = alone.run_frame(&mut pads2, &mut ());
    differing("unobserved", slow.console(), alone, pads == &pads2, true)?;

    if random.one_in(24) {
        let saved = blind.save();
        if let Err(error) = blind.load(&saved) {
            return Err(("blind", format!("it does not load what it saved: {error}")));
        }
    }
    let _ = blind.run_frame(&mut pads3, &mut ());
    differing("blind", slow.console(), blind, pads == &pads3, false)
}

/// Compares everything at the end of a frame of the console `name`.
fn differing(
    name: &'static str,
    slow: &Console,
    fast: &Console,
    latched: bool,
    output: bool,
) -> Result<(), (&'static str, String)> {
    let differs = first_difference(slow, fast)
        .or_else(|| (!latched).then(|| "the pads were latched another number of times".to_owned()))
        .or_else(|| output.then(|| picture_difference(slow, fast)).flatten())
        .or_else(|| output.then(|| sample_difference(slow, fast)).flatten());
    differs.map_or(Ok(()), |what| Err((name, what)))
}

/// Runs the frame again instruction by instruction, to tell where the consoles part.
fn locate(mut slow: Reference, mut fast: Console, pads: &PadGenerator) -> String {
    let (mut pads1, mut pads2) = (pads.clone(), pads.clone());
    let frame = slow.console().frame_number();
    let mut number = 0_u64;
    while slow.console().frame_number() == frame && number < INSTRUCTIONS.into() {
        let pc = fast.cpu.pc;
        number += 1;
        let _ = fast.step(&mut pads2, &mut ());
        let reached = fast.cycle();
        while slow.console().cycle().lt(&reached) {
            let _ = slow.step(&mut pads1, &mut ());
        }
        if let Some(differs) = first_difference(slow.console(), &fast) {
            let ppu = slow.console().board.caught_up();
            let (line, dot) = (ppu.ppu().scanline(), ppu.ppu().dot());
            return format!(
                "after the instruction at ${pc:04X}, the frame's {number}th, line {line}, dot {dot}: {differs}"
            );
        }
    }
    "instruction by instruction the consoles are the same: only the run of a whole frame differs, or its output".to_owned()
}

/// Writes the slow console's bus down.
struct Recorder<'a> {
    events: &'a mut Vec<BusEvent>,
    counter: &'a mut Counter,
    /// Instructions before it stops the run.
    left: u64,
}

impl Observer for Recorder<'_> {
    fn step(&mut self, cpu: &Cpu, board: &Mainboard) -> ControlFlow<Break> {
        if self.left == 0 {
            return ControlFlow::Break(Break);
        }
        self.left -= 1;
        self.counter.step(cpu, board)
    }

    fn bus(&mut self, event: BusEvent) {
        self.events.push(event);
        self.counter.bus(event);
    }
}

/// Compares a fast console's bus with what was written down.
struct Comparison<'a> {
    expected: &'a [BusEvent],
    at: usize,
    differs: Option<String>,
    /// Stops the run before the instruction of this cycle.
    stop_cycle: u64,
}

impl Observer for Comparison<'_> {
    fn step(&mut self, _: &Cpu, board: &Mainboard) -> ControlFlow<Break> {
        if self.differs.is_some() || board.cycle() >= self.stop_cycle {
            return ControlFlow::Break(Break);
        }
        ControlFlow::Continue(())
    }

    fn bus(&mut self, event: BusEvent) {
        let expected = self.expected.get(self.at);
        if expected == Some(&event) {
            self.at += 1;
        } else if self.differs.is_none() {
            self.differs = Some(match expected {
                Some(expected) => format!("expected {expected:?}, found {event:?}"),
                None => format!("expected the frame's end, found {event:?}"),
            });
        }
    }
}
