//! One frame, with everything that is attached to it: the only loop that runs the console of a
//! game.

use std::ops::ControlFlow;
use std::sync::Arc;

use nes::fm2::{Commands, FrameInput, RamInit};
use nes::{Attachment, Buttons, Config, Console, Devices, Extra, Frame, Held, Pads};
use nes_debug::{Debugger, Mark, Stop};
use nes_script::{FrameScript, Overlay, ScriptError, ScriptHooks};
use practice::Session;

use super::Emulator;
use crate::pieces::Pieces;
use crate::practice::Practice;

/// What a script has drawn, if anything; or what went wrong in it: it can no longer be used then.
pub type Drawn = Result<Option<Arc<Overlay>>, ScriptError>;

/// What is attached to a frame besides the emulator's own pieces.
#[derive(Default)]
pub struct Attached<'a> {
    /// The script that runs beside the game.
    pub script: Option<&'a mut dyn FrameScript>,
    /// The debugger that watches the game.
    pub debugger: Option<&'a mut Debugger>,
}

/// What came of a frame.
#[derive(Debug, Default)]
pub struct FrameOutcome {
    /// What the debugger has stopped it for.
    pub stop: Option<Stop>,
    /// Whether it is over; if not, the next call runs what is left of it.
    pub is_over: bool,
    /// Whether the movie that played has ended with it.
    pub movie_ended: bool,
    /// What the script has drawn in a frame that is over, or how it has failed.
    pub drawn: Option<Drawn>,
}

/// A frame that was begun and is not over.
#[derive(Clone)]
pub(crate) struct FrameUnderWay {
    /// The state in which it began; none where that is not known.
    pub(crate) before: Option<Vec<u8>>,
    pub(crate) input: FrameInput,
    /// The buttons are known: a script, a movie, the debugger or an earlier part of the frame has
    /// them.
    fixed: bool,
    /// A script has begun it and is to end it.
    scripted: bool,
    /// The game has looked at its pads.
    polled: bool,
    /// The computer holds the first pad.
    by_computer: bool,
}

impl FrameUnderWay {
    /// One of the past that was gone back into.
    pub(crate) fn new(before: Option<Vec<u8>>, input: FrameInput) -> Self {
        Self { before, input, fixed: true, scripted: false, polled: false, by_computer: false }
    }
}

/// Buttons that are sampled as late as can be, and then the same to the end of a frame, because
/// that is what a movie can say.
struct LatchedPads<'a> {
    pads: &'a mut dyn Pads,
    latched: Option<Held>,
    /// What is plugged in: nothing else is held.
    devices: Devices,
    polled: bool,
}

impl LatchedPads<'_> {
    fn latch(&mut self) -> Held {
        *self.latched.get_or_insert_with(|| {
            let held = self.pads.held();
            Held { extra: held.extra.on(self.devices), ..held }
        })
    }
}

impl Pads for LatchedPads<'_> {
    fn sample(&mut self) -> [Buttons; 2] {
        self.polled = true;
        self.latch().pads
    }

    fn extra(&mut self) -> Extra {
        self.polled = true;
        self.latch().extra
    }

    fn held(&mut self) -> Held {
        self.polled = true;
        self.latch()
    }
}

impl Emulator {
    /// Runs a frame, or what is left of the one under way, with what `pads`, the movie that plays
    /// or the computer hold, and with all that is attached: other pieces, a script, the debugger.
    /// Then as many frames as are run ahead, of which only the picture is left.
    ///
    /// A script sees what is held as the frame begins and says what the game gets; frames are run
    /// ahead without it. If it fails, the frame is completed without it.
    ///
    /// Nothing of it is generic, so that the machine is compiled here for all front ends.
    pub fn frame(&mut self, pads: &mut dyn Pads, attached: Attached) -> FrameOutcome {
        self.frame_with(pads, attached, &mut ())
    }

    /// Runs the same with `extra` attached first of all. If that breaks, the frame is not over, and
    /// the next call runs what is left of it. It has no part in the frames that are run ahead.
    pub fn frame_with<A: Attachment>(
        &mut self,
        pads: &mut dyn Pads,
        mut attached: Attached,
        extra: &mut A,
    ) -> FrameOutcome {
        let mut outcome = FrameOutcome::default();
        let mut frame = match self.under_way.take() {
            Some(frame) => frame,
            None => self.begin_frame(pads, &mut attached, &mut outcome),
        };
        match self.run_frame(pads, &mut attached, extra, &mut frame) {
            ControlFlow::Break(stop) => {
                outcome.stop = stop;
                self.future = None;
                self.under_way = Some(frame);
            }
            ControlFlow::Continue(()) => self.end_frame(frame, &mut attached, &mut outcome),
        }
        outcome
    }

    /// Runs the same without any frame run ahead, and with the picture of the console.
    pub fn frame_now(&mut self, pads: &mut dyn Pads, attached: Attached) -> FrameOutcome {
        let ahead = std::mem::take(&mut self.ahead);
        let outcome = self.frame(pads, attached);
        self.ahead = ahead;
        outcome
    }

    /// Has a script that has paused the game draw over the picture.
    ///
    /// # Errors
    /// What went wrong in the script.
    pub fn draw_script(&mut self, script: &mut dyn FrameScript) -> Drawn {
        script.draw(&mut self.console).map(shared)
    }

    fn begin_frame(
        &mut self,
        pads: &mut dyn Pads,
        attached: &mut Attached,
        outcome: &mut FrameOutcome,
    ) -> FrameUnderWay {
        if self.console.frame_number() != self.watched {
            self.forget_crash(); // the console was exchanged
        }
        // Bare, a state that nobody goes back to is not worth its time.
        let is_bare = self.rewind.is_off() && attached.debugger.is_none();
        let before = (!is_bare).then(|| self.console.save());
        let movie = self.movie.input();
        let mut commands = movie.map_or(self.pending, |input| input.commands);
        self.pending = Commands::empty();
        let mut added = FrameInput::default();
        let mut mark = None;
        let mut ram = None;
        if let Some(debugger) = &mut attached.debugger {
            self.sync(debugger);
            added = debugger.input.of_frame(self.console.frame_number());
            mark = Some(Mark::new(&self.console));
            ram = self.switch_movie(debugger, added.commands, commands);
        }
        commands |= added.commands;
        let config = Config { ram_fill: ram.map_or(self.config.ram_fill, Into::into), ..self.config };
        if !commands.is_empty() {
            self.forget_crash();
        }
        self.console.carry_out(commands, &self.cartridge, config);
        self.console.set_channel_levels(self.config.channel_levels);

        let devices = self.console.devices();
        let mut pads = LatchedPads { pads, latched: None, devices, polled: false };
        let mut held = match (movie, &mut self.computer) {
            (Some(input), _) => Some(input.pads),
            (None, Some(computer)) => Some([computer.prepare(&mut self.console), pads.latch().pads[1]]),
            (None, None) => {
                let wanted = attached.script.is_some() || mark.is_some() || self.practice().is_some();
                wanted.then(|| pads.latch().pads)
            }
        };
        let mut extra = match movie {
            Some(input) => input.extra,
            None => held.map_or(self.held.extra, |_| pads.latch().extra),
        };
        if added.extra != Extra::None {
            extra = added.extra.on(devices);
        }
        if let Some(held) = &mut held {
            held.iter_mut().zip(added.pads).for_each(|(pad, added)| *pad |= added);
        }
        let mut scripted = false;
        if let (Some(script), Some(held)) = (&mut attached.script, &mut held) {
            match script.begin_frame(&mut self.console, Held { pads: *held, extra }) {
                Ok(Some(given)) => (*held, extra, scripted) = (given.pads, given.extra, true),
                Ok(None) => {}
                Err(error) => outcome.drawn = Some(Err(error)),
            }
        }
        if outcome.drawn.is_some() {
            attached.script = None;
        }
        if let Some(practice) = &mut self.practice {
            practice.begin_frame(&mut self.console, held.as_mut());
        }
        if let (Some(debugger), Some(mark), Some(held)) = (&mut attached.debugger, mark, held) {
            debugger.note_change(&mark, &self.console);
            self.lend(debugger, |debugger| debugger.begin_frame(Held { pads: held, extra }));
        }
        self.watched = self.console.frame_number() + 1;
        let input = FrameInput { commands, pads: held.unwrap_or(self.held.pads), extra };
        let by_computer = movie.is_none() && self.computer.is_some();
        FrameUnderWay { before, input, fixed: held.is_some(), scripted, polled: false, by_computer }
    }

    /// The power may be switched before the frame that comes, by the debugger's movie or by
    /// `others`: then that movie goes on behind the switch, or begins anew. Returns the RAM with
    /// which the console wakes up in the movie.
    fn switch_movie(
        &mut self,
        debugger: &mut Debugger,
        added: Commands,
        others: Commands,
    ) -> Option<RamInit> {
        let input = &mut debugger.input;
        if !(added | others).contains(Commands::POWER) {
            return None;
        }
        self.movie_starts.push((self.movie.frame(), input.movie_start()));
        if !added.contains(Commands::POWER) {
            input.begin_anew();
            return None;
        }
        input.power_switched(self.console.frame_number());
        let ram = input.movie.as_ref().map(|movie| movie.ram);
        if ram.is_some_and(|ram| ram != self.movie.ram()) {
            self.movie.mark_diverged();
            self.other_ram = true;
        }
        ram
    }

    /// Runs the console to the end of the frame, or to what the debugger or `extra` stops it for.
    fn run_frame<A: Attachment>(
        &mut self,
        pads: &mut dyn Pads,
        attached: &mut Attached,
        extra: &mut A,
        frame: &mut FrameUnderWay,
    ) -> ControlFlow<Option<Stop>> {
        let held = Held { pads: frame.input.pads, extra: frame.input.extra };
        let (latched, devices) = (frame.fixed.then_some(held), self.console.devices());
        let mut pads = LatchedPads { pads, latched, devices, polled: false };
        let Attached { script, debugger } = attached;
        let mut hooks = script.as_mut().and_then(|script| ScriptHooks::of(&mut **script));
        let mut pieces = self.pieces.as_mut().map(|pieces| &mut pieces.substitution);
        let mut session = self.practice.as_mut().and_then(Practice::attached);
        let is_alone =
            !A::WATCHES && !A::SELECTS && hooks.is_none() && session.is_none() && self.watch.is_none();
        let mut game = (&mut pieces, &mut session);
        let mut others = (&mut hooks.as_mut(), &mut game);
        let mut watched = (&mut self.watch.as_mut(), &mut others);
        let mut all = (extra, &mut watched);
        let end = match debugger {
            // Each attachment, and be there none, is asked before each instruction.
            None if is_alone => match pieces {
                None => self.console.run_frame(&mut pads, &mut ()).map_break(|_| None),
                Some(pieces) => self.console.run_frame(&mut pads, pieces).map_break(|_| None),
            },
            None => self.console.run_frame(&mut pads, &mut all).map_break(|_| None),
            Some(debugger) => {
                pads.latched = Some(debugger.held());
                debugger.exchange(&mut self.console);
                let stop = debugger.run_frame(&mut pads, &mut all);
                debugger.exchange(&mut self.console);
                stop.map_or(ControlFlow::Continue(()), |stop| ControlFlow::Break(Some(stop)))
            }
        };
        frame.polled |= pads.polled;
        if let Some(latched) = pads.latched {
            (frame.input.pads, frame.input.extra) = (latched.pads, latched.extra);
            frame.fixed = true;
        }
        end
    }

    fn end_frame(&mut self, frame: FrameUnderWay, attached: &mut Attached, outcome: &mut FrameOutcome) {
        let FrameUnderWay { before, input, scripted, polled, by_computer, .. } = frame;
        outcome.is_over = true;
        if self.console.frame_number() != self.watched {
            self.elsewhere = true;
            self.forget_crash(); // a script has loaded a state
            self.watched = self.console.frame_number();
        }
        let crash = self.watch.as_mut().and_then(|watch| watch.end_frame(&self.console));
        self.crash = crash.and(self.crash).or(crash);
        if let Some(practice) = &mut self.practice {
            let mark = attached.debugger.as_ref().map(|_| Mark::new(&self.console));
            practice.end_frame(&mut self.console, self.rewind.len(), input.pads, by_computer);
            if let (Some(debugger), Some(mark)) = (&mut attached.debugger, mark) {
                debugger.note_change(&mark, &self.console);
            }
        }
        if let Some(debugger) = &mut attached.debugger {
            outcome.stop = self.lend(debugger, |debugger| debugger.end_frame(crash));
        }
        if let Some(script) = &mut attached.script {
            let mark = attached.debugger.as_ref().map(|_| Mark::new(&self.console));
            let drawn = if scripted {
                script.end_frame(&mut self.console, polled)
            } else {
                script.draw(&mut self.console)
            };
            outcome.drawn = Some(drawn.map(shared));
            if let (Some(debugger), Some(mark)) = (&mut attached.debugger, mark) {
                debugger.note_change(&mark, &self.console);
            }
        }
        self.sound.clear();
        self.sound.extend_from_slice(self.console.samples());
        self.console.clear_samples();
        self.held = Held { pads: input.pads, extra: input.extra };
        match before {
            Some(before) => self.rewind.push(before, input, self.console.region().frame_rate()),
            None => self.rewind.clear(),
        }
        outcome.movie_ended = self.movie.ran(input);
        self.future = (self.ahead > 0).then(|| self.look_ahead());
    }
}

/// A copy of the console that runs on by itself, with what the game is dealt and the practice
/// session.
pub(crate) struct Copy {
    pub(crate) console: Console,
    pieces: Option<Pieces>,
    session: Option<Session>,
}

impl Emulator {
    /// Returns a copy of the console as it is now.
    pub(crate) fn copy(&self) -> Copy {
        let session = self.practice().map(|practice| practice.session().clone());
        Copy { console: self.console.clone(), pieces: self.pieces.clone(), session }
    }

    /// Returns the picture of a later frame, if nothing changes at the pads.
    fn look_ahead(&self) -> Frame {
        let mut copy = self.copy();
        for frame in 0..usize::from(self.ahead) {
            match (self.movie.input_after(frame), self.practice()) {
                (Some(input), _) => copy.run(Held { pads: input.pads, extra: input.extra }),
                (None, Some(practice)) => {
                    copy.play(Held { pads: [practice.held(), self.held.pads[1]], ..self.held });
                }
                (None, None) => copy.run(self.held),
            }
        }
        copy.console.picture().clone()
    }
}

impl Copy {
    /// Runs a frame in which the game sees `pads`.
    pub(crate) fn run(&mut self, mut pads: Held) {
        let mut pieces = self.pieces.as_mut().map(|pieces| &mut pieces.substitution);
        let mut session = self.session.as_mut();
        // Nothing of it breaks.
        let _ = match (&pieces, &session) {
            (None, None) => self.console.run_frame(&mut pads, &mut ()),
            _ => self.console.run_frame(&mut pads, &mut (&mut pieces, &mut session)),
        };
    }

    /// Runs a frame in which the player holds `pads`, which the session may change.
    fn play(&mut self, mut held: Held) {
        if let Some(session) = &mut self.session {
            held.pads[0] = session.prepare(&mut self.console, held.pads[0]);
        }
        self.run(held);
        if let Some(session) = &mut self.session {
            session.finish(&mut self.console);
        }
    }
}

/// Returns what was drawn, to be looked at by other threads.
fn shared(overlay: &Overlay) -> Option<Arc<Overlay>> {
    overlay.drawn().then(|| Arc::new(overlay.clone()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pads on which Start is held at the first look, and A at later ones.
    struct Changing(Buttons);

    impl Pads for Changing {
        fn sample(&mut self) -> [Buttons; 2] {
            [std::mem::replace(&mut self.0, Buttons::A), Buttons::empty()]
        }
    }

    #[test]
    fn what_the_first_strobe_of_a_frame_sees_holds_to_the_frames_end() {
        let mut pads = Changing(Buttons::START);
        let mut latched =
            LatchedPads { pads: &mut pads, latched: None, devices: Devices::Pads, polled: false };
        assert_eq!([latched.sample()[0], latched.sample()[0]], [Buttons::START; 2]);
        assert!(latched.polled);
        assert_eq!(pads.sample()[0], Buttons::A, "they were looked at once");
    }
}
