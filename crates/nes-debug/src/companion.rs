//! Someone who goes along with the machine: who hears its bus, or answers in the place of a part of its program.

use core::ops::ControlFlow;

use nes::{Break, BusEvent, Console, Cpu, FetchEvent, Mainboard, Observer};

use crate::moment::{Action, Moment, Register};
use crate::vigil::{Target, Vigil, Watchfulness};
use crate::{Debugger, Stop};

/// Who goes along with a console under the debugger, wherever it runs on. What it sets is remembered as an edit of the
/// user's is: a way back and forth needs no companion.
pub trait Companion: Send {
    /// Comes before each instruction. `true` asks for [`Companion::value`] now; the instruction then comes again.
    fn step(&mut self, cpu: &Cpu) -> bool;

    /// What register A is to hold; `None` leaves it as it is.
    fn value(&mut self, console: &Console) -> Option<u8>;

    /// A cycle of the bus.
    fn bus(&mut self, event: BusEvent);

    /// The console is another: one of the past, or one that was loaded.
    fn meet(&mut self, console: &Console);

    /// Another one, as this one is.
    fn boxed(&self) -> Box<dyn Companion>;
}

impl Clone for Box<dyn Companion> {
    fn clone(&self) -> Self {
        (**self).boxed()
    }
}

/// A companion and another observer of the same run.
pub(crate) struct Party<'a, O> {
    companion: &'a mut dyn Companion,
    observer: &'a mut O,
    /// The companion has something to say, and only therefore the run has stopped.
    pub(crate) due: bool,
}

impl<'a, O: Observer> Party<'a, O> {
    pub(crate) fn new(companion: &'a mut dyn Companion, observer: &'a mut O) -> Self {
        Self { companion, observer, due: false }
    }
}

impl<O: Observer> Observer for Party<'_, O> {
    const FETCHES: bool = O::FETCHES;

    fn step(&mut self, cpu: &Cpu, board: &Mainboard) -> ControlFlow<Break> {
        self.due = self.companion.step(cpu);
        if self.due {
            return ControlFlow::Break(Break);
        }
        self.observer.step(cpu, board)
    }

    #[inline]
    fn bus(&mut self, event: BusEvent) {
        self.companion.bus(event);
        self.observer.bus(event);
    }

    #[inline]
    fn fetch(&mut self, event: FetchEvent) {
        self.observer.fetch(event);
    }
}

impl Debugger {
    /// Lets someone go along, in the place of whoever did; or nobody. The machine then no longer runs bare.
    pub fn accompany(&mut self, companion: Option<Box<dyn Companion>>) {
        self.companion = companion;
        self.meet();
    }

    /// The console is another one than before.
    pub(crate) fn meet(&mut self) {
        if let Some(companion) = &mut self.companion {
            companion.meet(&self.now.console);
        }
    }

    /// Runs to the end of the frame with an observer, and the companion. Answers whether the observer broke.
    pub(crate) fn run_with<O: Observer>(&mut self, observer: &mut O) -> bool {
        loop {
            let Moment { console, pads, .. } = &mut self.now;
            let Some(companion) = &mut self.companion else {
                return console.run_frame(pads, observer).is_break();
            };
            let mut party = Party::new(companion.as_mut(), observer);
            let broken = console.run_frame(pads, &mut party).is_break();
            if !party.due {
                return broken;
            }
            let value = companion.value(console);
            self.set_a(value);
        }
    }

    /// Runs to the end of the frame, or to what stops it, with the companion.
    pub(crate) fn run_accompanied<const FETCHES: bool>(
        &mut self,
        target: &mut Target,
        memory: &mut Watchfulness,
    ) -> Option<Stop> {
        loop {
            let Self { now: Moment { console, pads, .. }, breakpoints, symbols, log, profile, .. } = self;
            let profile = profile.as_ref();
            let mut vigil =
                Vigil::<true, FETCHES> { memory, breakpoints, target, profile, symbols, log, stop: None };
            let companion = self.companion.as_mut()?;
            let mut party = Party::new(companion.as_mut(), &mut vigil);
            let _ = console.run_frame(pads, &mut party);
            if !party.due {
                return vigil.stop;
            }
            let value = companion.value(console);
            self.set_a(value);
        }
    }

    fn set_a(&mut self, value: Option<u8>) {
        if let Some(value) = value {
            self.act(false, Action::Set(Register::A, value.into()));
        }
    }
}
