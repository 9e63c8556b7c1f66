//! What stays in force under the debugger: the pieces of another sequence, and channels that are
//! muted.

use std::mem;
use std::sync::{Arc, Mutex, PoisonError};

use autopilot::Substitution;
use nes::{BusEvent, Console, Cpu, Observer};

use crate::audio::channels::{Channels, Tap};
use nes::apu::Channel;

/// Goes along with the debugged console.
#[derive(Clone)]
pub(super) struct Companion {
    pieces: Option<Substitution>,
    ears: Option<Ears>,
}

/// What was heard on the bus since it was last asked for.
#[derive(Clone, Default)]
pub(super) struct Ears(Arc<Mutex<Heard>>);

#[derive(Default)]
struct Heard {
    tap: Tap,
    /// The console was exchanged.
    jumped: bool,
}

impl Ears {
    fn with<T>(&self, change: impl FnOnce(&mut Heard) -> T) -> T {
        change(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Companion {
    /// One that deals `pieces` and listens with `ears`; `None` where there is nothing to do.
    pub(super) fn boxed(
        pieces: Option<Substitution>,
        ears: Option<Ears>,
    ) -> Option<Box<dyn nes_debug::Companion>> {
        let needed = pieces.is_some() || ears.is_some();
        needed.then(|| Box::new(Self { pieces, ears }) as Box<dyn nes_debug::Companion>)
    }
}

impl nes_debug::Companion for Companion {
    fn step(&mut self, cpu: &Cpu) -> bool {
        self.pieces.as_mut().is_some_and(|pieces| pieces.is_due(cpu))
    }

    fn value(&mut self, console: &Console) -> Option<u8> {
        self.pieces.as_mut()?.answer(console)
    }

    fn bus(&mut self, event: BusEvent) {
        if let Some(ears) = &self.ears
            && Tap::wants(&event)
        {
            ears.with(|heard| heard.tap.bus(event));
        }
    }

    fn meet(&mut self, console: &Console) {
        if let Some(pieces) = &mut self.pieces {
            pieces.meet(console);
        }
        if let Some(ears) = &self.ears {
            ears.with(|heard| *heard = Heard { jumped: true, ..Heard::default() });
        }
    }

    fn boxed(&self) -> Box<dyn nes_debug::Companion> {
        Box::new(self.clone())
    }
}

/// The sound without the muted channels.
#[derive(Default)]
pub(super) struct Muffler {
    ears: Ears,
    muted: Vec<Channel>,
    channels: Option<Channels>,
}

impl Muffler {
    /// Mutes these channels. Returns whether they are others than before.
    pub(super) fn mute(&mut self, muted: &[Channel]) -> bool {
        let others = self.muted != muted;
        if others {
            muted.clone_into(&mut self.muted);
            self.channels = None;
        }
        others
    }

    /// Returns the ears that are needed.
    pub(super) fn ears(&self) -> Option<Ears> {
        (!self.muted.is_empty()).then(|| self.ears.clone())
    }

    /// The console was run by something else than frames that are heard.
    pub(super) fn forget(&mut self) {
        self.channels = None;
    }

    /// A frame of `console` begins, or what is left of one.
    pub(super) fn begin(&mut self, console: &Console) {
        if self.muted.is_empty() {
            return;
        }
        let jumped = self.ears.with(|heard| mem::take(&mut heard.jumped));
        if jumped || self.channels.is_none() {
            self.ears.with(|heard| heard.tap = Tap::default());
            self.channels = Some(Channels::new(console, &self.muted));
        }
    }

    /// The frame is over: appends what is heard of it. Returns false if the console's own sound is.
    pub(super) fn end(&mut self, console: &Console, sound: &mut Vec<f32>) -> bool {
        let Some(channels) = &mut self.channels else { return false };
        let tap = self.ears.with(|heard| mem::take(&mut heard.tap));
        channels.follow(&tap, console.cycle(), sound);
        true
    }
}
