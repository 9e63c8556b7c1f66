//! The two controller ports: OUT0, the clocks, and the shift registers behind them.

use nes_state::{Fields, State, StateError};

use crate::{Devices, Held};

/// What is behind `$4016` and `$4017`: two standard pads, or other [`Devices`].
///
/// Time is handed in as CPU cycle numbers and nothing runs by itself: what happened since the last
/// access is worked out from time stamps at the next one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ports {
    devices: Devices,
    /// Bit 0 of the last write to `$4016`; OUT0 follows it from cycle `latch_at` on.
    written: bool,
    /// OUT0 before cycle `latch_at`.
    out0: bool,
    /// The put cycle as which begins OUT0 takes over `written`.
    latch_at: u64,
    pads: [Pad; 2],
}

/// The shift registers (4021) that one port clocks.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Pad {
    /// What is left to shift out on D0, next bit in bit 31, ones from below. A pad fills the upper
    /// 8 bits, a Four Score 24.
    shift: u32,
    /// The same of D1, where the adapter of a Famicom has its pad, next bit in bit 7; ones without
    /// it.
    expansion: u8,
    /// The last cycle that read this port, if its clock pulse has not been accounted for.
    read_at: Option<u64>,
}

/// What a Four Score shifts out behind the pads of each port (NESdev: Four player adapters).
const SIGNATURES: [u8; 2] = [0x10, 0x20];

impl Default for Pad {
    fn default() -> Self {
        Self { shift: Self::word(0, [0xFF; 2]), expansion: 0xFF, read_at: None }
    }
}

impl Pad {
    /// The register with `first` to come, and these behind it.
    const fn word(first: u8, [second, third]: [u8; 2]) -> u32 {
        u32::from_be_bytes([first, second, third, 0xFF])
    }

    fn clock(&mut self) {
        self.shift = self.shift << 1 | 1;
        self.expansion = self.expansion << 1 | 1;
    }
}

impl Ports {
    /// Ports at power-on: OUT0 low, every bit shifted out a 0 until the first strobe.
    pub fn new() -> Self {
        Self::default()
    }

    /// Plugs in other devices, which have nothing but ones to shift out behind the pads until the
    /// next strobe.
    pub fn plug(&mut self, devices: Devices) {
        self.devices = devices;
        for pad in &mut self.pads {
            pad.shift |= 0x00FF_FFFF;
            pad.expansion = 0xFF;
        }
    }

    /// Returns what is plugged in.
    pub fn devices(&self) -> Devices {
        self.devices
    }

    /// A write of `value` to `$4016` in CPU cycle `cycle`, which is a put cycle if `put`.
    ///
    /// OUT0 follows bit 0 only where a get cycle turns into a put cycle, so a strobe of one cycle
    /// can go unseen (`AccuracyCoin`, "Controller Strobing"). `sample` is asked for what is held if
    /// this write ends a strobe: a moment later it no longer counts.
    pub fn write(&mut self, value: u8, cycle: u64, put: bool, sample: impl FnOnce() -> Held) {
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

    /// A read of `$4016` (`port` 0) or `$4017` (`port` 1) in CPU cycle `cycle`: D0 is 1 if the
    /// button is held, and 1 once all are out; D1 is the same of the pad at a Famicom's expansion
    /// port. Other ports read 0.
    ///
    /// The pad is clocked as the read ends, but reads in contiguous cycles are one long clock pulse
    /// to it (NESdev: Controller reading; `AccuracyCoin`, "Controller Clocking"). While OUT0 is
    /// high the pad follows its buttons and shows A, so `sample` is asked then.
    pub fn read(&mut self, port: usize, cycle: u64, sample: impl FnOnce() -> Held) -> u8 {
        if port >= self.pads.len() {
            return 0;
        }
        self.clock(port, cycle);
        if self.out0_at(cycle) {
            self.load(sample());
        }
        let pad = &mut self.pads[port];
        pad.read_at = Some(cycle);
        let (shift, expansion) = (pad.shift, pad.expansion);
        self.lines(port, shift, expansion)
    }

    /// What [`Ports::read`] in CPU cycle `cycle` would answer, with the buttons last sampled;
    /// nothing moves.
    pub fn peek(&self, port: usize, cycle: u64) -> u8 {
        let Some(pad) = self.pads.get(port) else { return 0 };
        let mut pad = pad.clone();
        if self.clocked_before(port, cycle) {
            pad.clock();
        }
        self.lines(port, pad.shift, pad.expansion)
    }

    /// D0 and D1 of a port.
    #[inline]
    fn lines(&self, port: usize, shift: u32, expansion: u8) -> u8 {
        let first = (shift >> 31) as u8;
        match self.devices {
            Devices::FamicomFour => first | expansion >> 6 & 2,
            // It is no shift register, and leaves D0 alone.
            Devices::Zapper if port == 1 => 0,
            _ => first,
        }
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
            pad.clock();
        }
        pad.read_at = None;
    }

    fn load(&mut self, held: Held) {
        let [first, second] = held.pads;
        let ports = [first, second & self.devices.second_pad()].into_iter().zip(held.extra.pads());
        for (pad, ((buttons, other), signature)) in self.pads.iter_mut().zip(ports.zip(SIGNATURES)) {
            let (behind, expansion) = match self.devices {
                Devices::FourScore => ([other.bits(), signature], 0xFF),
                Devices::FamicomFour => ([0xFF; 2], other.bits()),
                Devices::Pads | Devices::Famicom | Devices::Zapper => ([0xFF; 2], 0xFF),
            };
            pad.shift = Pad::word(buttons.bits(), behind);
            pad.expansion = expansion;
        }
    }
}

impl State for Ports {
    /// Two standard pads are eight bits each; of other devices, what they have besides follows.
    fn walk<F: Fields>(&mut self, fields: &mut F) -> Result<(), StateError> {
        let Self { devices, written, out0, latch_at, pads } = self;
        fields.bool(written)?;
        fields.bool(out0)?;
        fields.u64(latch_at)?;
        pads.walk(fields)?;
        for Pad { shift, expansion, read_at: _ } in pads {
            match devices {
                Devices::FourScore => {
                    let mut low = *shift & 0x00FF_FFFF;
                    fields.u32(&mut low)?;
                    fields.check("bits of the Four Score", low.into(), low <= 0x00FF_FFFF)?;
                    *shift = *shift & 0xFF00_0000 | low;
                }
                Devices::FamicomFour => fields.u8(expansion)?,
                Devices::Pads | Devices::Famicom | Devices::Zapper => {}
            }
        }
        Ok(())
    }
}

impl State for Pad {
    fn walk<F: Fields>(&mut self, fields: &mut F) -> Result<(), StateError> {
        let Self { shift, expansion: _, read_at } = self;
        let mut first = (*shift >> 24) as u8;
        fields.u8(&mut first)?;
        *shift = *shift & 0x00FF_FFFF | u32::from(first) << 24;
        let mut pending = read_at.is_some();
        let mut cycle = read_at.unwrap_or(0);
        fields.bool(&mut pending)?;
        fields.u64(&mut cycle)?;
        *read_at = pending.then_some(cycle);
        Ok(())
    }
}
