//! The two controller ports: OUT0, the clocks, and the shift registers behind them.

use nes_state::{Fields, State, StateError};

use crate::Buttons;

/// Two standard pads behind `$4016` and `$4017`.
///
/// Time is handed in as CPU cycle numbers and nothing runs by itself: what happened since the last
/// access is worked out from time stamps at the next one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ports {
    /// Bit 0 of the last write to `$4016`; OUT0 follows it from cycle `latch_at` on.
    written: bool,
    /// OUT0 before cycle `latch_at`.
    out0: bool,
    /// The put cycle as which begins OUT0 takes over `written`.
    latch_at: u64,
    pads: [Pad; 2],
}

/// The shift register (a 4021) of one pad.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Pad {
    /// What is left to shift out, next bit in bit 7, ones from below.
    shift: u8,
    /// The last cycle that read this port, if its clock pulse has not been accounted for.
    read_at: Option<u64>,
}

impl Ports {
    /// Ports at power-on: OUT0 low, every bit shifted out a 0 until the first strobe.
    pub fn new() -> Self {
        Self::default()
    }

    /// A write of `value` to `$4016` in CPU cycle `cycle`, which is a put cycle if `put`.
    ///
    /// OUT0 follows bit 0 only where a get cycle turns into a put cycle, so a strobe of one cycle
    /// can go unseen (`AccuracyCoin`, "Controller Strobing"). `sample` is asked for the buttons of
    /// both pads if this write ends a strobe: a moment later they no longer count.
    pub fn write(&mut self, value: u8, cycle: u64, put: bool, sample: impl FnOnce() -> [Buttons; 2]) {
        // The write is no read, so that it ends a clock pulse as the cycle after it would.
        for port in 0..self.pads.len() {
            self.clock(port, cycle.saturating_add(1));
        }
        self.out0 = self.out0_at(cycle);
        self.written = value & 1 != 0;
        self.latch_at = cycle.saturating_add(1 + u64::from(put));
        if self.out0 && !self.written {
            self.load(sample());
        }
    }

    /// A read of `$4016` (`port` 0) or `$4017` (`port` 1) in CPU cycle `cycle`: 1 if the button is
    /// held, and 1 once all eight are out. Other ports read 0.
    ///
    /// The pad is clocked as the read ends, but reads in contiguous cycles are one long clock pulse
    /// to it (NESdev: Controller reading; `AccuracyCoin`, "Controller Clocking"). While OUT0 is
    /// high the pad follows its buttons and shows A, so `sample` is asked then.
    pub fn read(&mut self, port: usize, cycle: u64, sample: impl FnOnce() -> [Buttons; 2]) -> u8 {
        if port >= self.pads.len() {
            return 0;
        }
        self.clock(port, cycle);
        if self.out0_at(cycle) {
            self.load(sample());
        }
        self.pads[port].read_at = Some(cycle);
        self.pads[port].shift >> 7
    }

    /// What [`Ports::read`] in CPU cycle `cycle` would answer, with the buttons last sampled;
    /// nothing moves.
    pub fn peek(&self, port: usize, cycle: u64) -> u8 {
        let Some(pad) = self.pads.get(port) else { return 0 };
        let shift = if self.clocked_before(port, cycle) { pad.shift << 1 | 1 } else { pad.shift };
        shift >> 7
    }

    /// OUT0 as cycle `cycle` begins.
    fn out0_at(&self, cycle: u64) -> bool {
        if cycle >= self.latch_at { self.written } else { self.out0 }
    }

    /// Whether the clock of `port` has risen, and moved its pad, since the last read, a read in
    /// `cycle` itself being able to prevent it. A 4021 that is being loaded ignores its clock.
    fn clocked_before(&self, port: usize, cycle: u64) -> bool {
        self.pads[port].read_at.is_some_and(|read_at| {
            let rise = read_at.saturating_add(1);
            rise < cycle && !self.out0_at(rise)
        })
    }

    /// Carries out what [`Ports::clocked_before`] finds.
    fn clock(&mut self, port: usize, cycle: u64) {
        let clocked = self.clocked_before(port, cycle);
        let pad = &mut self.pads[port];
        if clocked {
            pad.shift = pad.shift << 1 | 1;
        }
        pad.read_at = None;
    }

    fn load(&mut self, buttons: [Buttons; 2]) {
        for (pad, buttons) in self.pads.iter_mut().zip(buttons) {
            pad.shift = buttons.bits();
        }
    }
}

impl State for Ports {
    fn walk<F: Fields>(&mut self, fields: &mut F) -> Result<(), StateError> {
        let Self { written, out0, latch_at, pads } = self;
        fields.bool(written)?;
        fields.bool(out0)?;
        fields.u64(latch_at)?;
        pads.walk(fields)
    }
}

impl State for Pad {
    fn walk<F: Fields>(&mut self, fields: &mut F) -> Result<(), StateError> {
        let Self { shift, read_at } = self;
        fields.u8(shift)?;
        let mut pending = read_at.is_some();
        let mut cycle = read_at.unwrap_or(0);
        fields.bool(&mut pending)?;
        fields.u64(&mut cycle)?;
        *read_at = pending.then_some(cycle);
        Ok(())
    }
}
