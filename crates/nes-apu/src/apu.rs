//! The audio unit as a whole: registers, cycle by cycle, interrupt line.

use crate::dmc::Dmc;
use crate::frame_counter::FrameCounter;
use crate::noise::Noise;
use crate::pulse::Pulse;
use crate::sweep::Negate;
use crate::triangle::Triangle;
use nes_clock::Region;
use nes_state::{Fields, State, StateError};

/// How the two pulses' sweeps subtract.
pub(crate) const NEGATE: [Negate; 2] = [Negate::OnesComplement, Negate::TwosComplement];

/// Who hears what the channels put out. Nothing that a sink is or does moves the machine; `()`
/// hears nothing.
pub trait Sink {
    /// Whether outputs are wanted at all: without, they are not even computed.
    const LISTENS: bool = true;

    /// After the APU's cycle `cycle` the channels put out `outputs`, in the order of
    /// [`Channel::ALL`](crate::Channel::ALL): 0–15 each, the DMC 0–127. Cycles never go back;
    /// outputs may be the same as those before.
    fn outputs(&mut self, cycle: u64, outputs: [u8; 5]);

    /// After cycle `cycle` a sound chip in the cartridge adds `level` to the channels' own, of
    /// 32,768 at full scale. Those who look at the console's own channels leave it out.
    fn expansion(&mut self, cycle: u64, level: i32) {
        let _ = (cycle, level);
    }
}

impl Sink for () {
    const LISTENS: bool = false;
    #[inline(always)]
    fn outputs(&mut self, _cycle: u64, _outputs: [u8; 5]) {}
}

/// The 2A03's audio unit, without its view of the buses: the mainboard carries out its DMA.
///
/// A CPU access in cycle `n` comes before the APU's own cycle `n`: run the unit to `n`, then call
/// [`Apu::write`], [`Apu::read_status`] or [`Apu::dmc_fetched`].
#[derive(Clone, Debug)]
pub struct Apu {
    /// The cycle that comes next.
    pub(crate) cycle: u64,
    /// Where the channels' timers and the frame counter stand: in the cycles from here to `cycle`
    /// only they move, and they catch up when someone needs them.
    pub(crate) timers_at: u64,
    /// Worked out from the state: the next cycle in which something else moves.
    pub(crate) tick_due: u64,
    /// Worked out: the next cycle after which the level may be another, at most `tick_due`.
    pub(crate) change: u64,
    /// Worked out: see [`Apu::next_event`].
    pub(crate) event: u64,
    /// Bit 0 of a put cycle's number.
    put_parity: u8,
    alignment: u8,
    /// Something was written or fetched that the next cycle acts on.
    pub(crate) unsettled: bool,
    /// The IRQ line, and the first cycle in which it was sampled at this level.
    irq: bool,
    irq_since: u64,
    pub(crate) pulses: [Pulse; 2],
    pub(crate) triangle: Triangle,
    pub(crate) noise: Noise,
    pub(crate) dmc: Dmc,
    pub(crate) frame_counter: FrameCounter,
}

impl Apu {
    /// The unit at power-on, which is cycle 0. Of `alignment` (0–3) bit 0 chooses whether cycle 0
    /// is a put (0) or a get cycle, bit 1 where the DMC's timer stands: consoles come up in any of
    /// the four (NESdev: DMA).
    ///
    /// The frame counter starts as if `$00` had been written to `$4017` ten or eleven cycles before
    /// the first instruction, where the CPU's reset sequence takes seven (NESdev: CPU power up
    /// state: 9–12).
    pub fn new(alignment: u8) -> Self {
        let put_parity = alignment & 1;
        Self {
            cycle: 0,
            timers_at: 0,
            tick_due: 0,
            change: 0,
            event: 0,
            put_parity,
            alignment: alignment & 3,
            unsettled: true,
            irq: false,
            irq_since: 0,
            pulses: [Pulse::default(), Pulse::default()],
            triangle: Triangle::default(),
            noise: Noise::new(),
            dmc: Dmc::new(power_on_timer(alignment)),
            frame_counter: FrameCounter::new(put_parity == 0),
        }
    }

    /// Makes it the unit of another region, before it has been run.
    pub fn set_region(&mut self, region: Region) {
        self.noise.set_region(region);
        self.dmc.set_region(region);
        self.frame_counter.set_region(region);
    }

    /// The reset line, at the cycle it has been run to: `$4015` is cleared, `$4017` written again
    /// as it was, the triangle goes back to its first step and the DMC's level to its lowest bit
    /// (NESdev: CPU power up state). Put and get cycles alternate from here as from power-on.
    pub fn reset(&mut self) {
        self.catch_up();
        self.put_parity = (self.alignment ^ self.cycle as u8) & 1;
        self.enable(0);
        self.triangle.reset_phase();
        self.dmc.reset(power_on_timer(self.alignment));
        self.frame_counter.reset(self.is_put(self.cycle));
        self.unsettle();
        self.event = 0;
    }

    /// The cycle that comes next: every one before it has been run.
    pub fn cycle(&self) -> u64 {
        self.cycle
    }

    /// Whether that CPU cycle is a put cycle, in which DMA writes; the others are get cycles. Good
    /// from the last reset on.
    pub fn is_put(&self, cycle: u64) -> bool {
        cycle as u8 & 1 == self.put_parity
    }

    /// A CPU write to `$4000`–`$4013`, `$4015` or `$4017`; `$4014` and `$4016` are not the audio
    /// unit's.
    pub fn write(&mut self, address: u16, value: u8) {
        self.catch_up();
        let put = self.is_put(self.cycle);
        let register = address & 3;
        match address {
            0x4000..=0x4003 => self.pulses[0].write(register, value),
            0x4004..=0x4007 => self.pulses[1].write(register, value),
            0x4008..=0x400B => self.triangle.write(register, value),
            0x400C..=0x400F => self.noise.write(register, value),
            0x4010..=0x4013 => self.dmc.write(register, value),
            0x4015 => self.enable(value),
            0x4017 => self.frame_counter.write(value, put),
            _ => return,
        }
        self.unsettle();
        // No other register reaches the IRQ line or the DMA.
        if let 0x4010 | 0x4015 | 0x4017 = address {
            self.event = 0;
        }
    }

    fn enable(&mut self, value: u8) {
        self.pulses[0].length.enable(value & 1 != 0);
        self.pulses[1].length.enable(value & 2 != 0);
        self.triangle.length.enable(value & 4 != 0);
        self.noise.length.enable(value & 8 != 0);
        self.dmc.enable(value & 0x10 != 0, self.is_put(self.cycle));
    }

    /// A CPU read of `$4015`, which acknowledges the frame counter's IRQ; bit 5 is clear, the CPU's
    /// internal bus fills it.
    ///
    /// ```text
    /// IF-D NT21   I DMC IRQ, F frame IRQ, D DMC bytes remain, length counters above zero
    /// ```
    pub fn read_status(&mut self) -> u8 {
        let status = self.peek_status();
        self.catch_up();
        self.frame_counter.acknowledge();
        self.unsettle();
        if self.frame_counter.irq() {
            self.event = 0;
        }
        status
    }

    /// What [`Apu::read_status`] would answer.
    pub fn peek_status(&self) -> u8 {
        u8::from(self.dmc.irq()) << 7
            | u8::from(self.frame_counter.flag()) << 6
            | u8::from(self.dmc.is_playing()) << 4
            | u8::from(self.noise.length.is_running()) << 3
            | u8::from(self.triangle.length.is_running()) << 2
            | u8::from(self.pulses[1].length.is_running()) << 1
            | u8::from(self.pulses[0].length.is_running())
    }

    /// Was the IRQ line asserted when the CPU sampled it in `cycle`, after the APU's cycle of that
    /// number? Good for the latest two cycles run, and beyond them as long as [`Apu::next_event`]
    /// lies later.
    pub fn irq_at(&self, cycle: u64) -> bool {
        self.irq == (cycle >= self.irq_since)
    }

    /// The earliest APU cycle whose execution could change the IRQ line or make a DMC DMA wanted
    /// that is not, if nobody touches the unit before; [`u64::MAX`] if none could. An access in a
    /// later cycle has to run the unit first.
    pub fn next_event(&self) -> u64 {
        self.event.max(self.cycle)
    }

    /// Works out the next event, unless the next cycle acts on something yet.
    pub(crate) fn announce(&mut self) {
        if self.unsettled {
            return;
        }
        let dma = self.dmc.cycles_to_dma(self.is_put(self.timers_at));
        self.event = self.timers_at.saturating_add(self.frame_counter.cycles_to_irq().min(dma));
    }

    /// A DMC DMA is to hold the CPU in the cycle that comes next. It has to be asked in each of the
    /// DMA's cycles, because it can be called off underway.
    pub fn dmc_wants_dma(&self) -> bool {
        self.dmc.wants_dma()
    }

    /// Where the DMC's next byte lies, `$8000`–`$FFFF`.
    pub fn dmc_address(&self) -> u16 {
        self.dmc.address()
    }

    /// The DMA's get cycle has read `value`.
    pub fn dmc_fetched(&mut self, value: u8) {
        self.catch_up();
        self.dmc.fetched(value);
        self.unsettle();
        self.event = 0;
    }

    /// One CPU cycle of the unit whose timers have caught up.
    pub(crate) fn tick(&mut self) {
        let put = self.is_put(self.cycle);
        self.unsettled = false;
        if !put {
            for pulse in &mut self.pulses {
                let expired = pulse.timer.clock();
                pulse.step(u64::from(expired));
            }
            let expired = self.noise.timer.clock();
            self.noise.shift_register.step(u64::from(expired));
        }
        if self.triangle.timer.clock() && self.triangle.is_running() {
            self.triangle.sequencer.step(1);
        }
        self.dmc.tick(put);

        let clocks = self.frame_counter.tick(put);
        if clocks.quarter {
            for pulse in &mut self.pulses {
                pulse.envelope.quarter_frame();
            }
            self.triangle.quarter_frame();
            self.noise.envelope.quarter_frame();
        }
        if clocks.half {
            for (pulse, negate) in self.pulses.iter_mut().zip(NEGATE) {
                pulse.half_frame(negate);
            }
        }
        for pulse in &mut self.pulses {
            pulse.length.tick(clocks.half);
        }
        self.triangle.length.tick(clocks.half);
        self.noise.length.tick(clocks.half);

        let irq = self.frame_counter.irq() || self.dmc.irq();
        if irq != self.irq {
            self.irq = irq;
            self.irq_since = self.cycle;
        }
        self.cycle += 1;
        self.timers_at = self.cycle;
    }

    /// What the channels put out, in the order of [`Channel::ALL`](crate::Channel::ALL).
    #[inline(always)]
    pub fn outputs(&self) -> [u8; 5] {
        let pulse = |index: usize| {
            let pulse = &self.pulses[index];
            if pulse.wave().is_high() { pulse.volume(NEGATE[index]) } else { 0 }
        };
        let noise = if self.noise.shift_register.is_high() { self.noise.volume() } else { 0 };
        [pulse(0), pulse(1), self.triangle.output(), noise, self.dmc.output()]
    }
}

/// Where the DMC's timer stands at power-on (the value of the emulator `TriCNES`, which its author
/// measured).
fn power_on_timer(alignment: u8) -> u16 {
    if alignment & 2 == 0 { 1022 } else { 1020 }
}

/// Equal units have the same future, however far their timers have caught up.
impl PartialEq for Apu {
    fn eq(&self, other: &Self) -> bool {
        self.caught_up().same_state(&other.caught_up())
    }
}

impl Eq for Apu {}

impl Apu {
    fn caught_up(&self) -> Self {
        let mut apu = self.clone();
        apu.catch_up();
        apu
    }

    fn same_state(&self, other: &Self) -> bool {
        let Self {
            cycle,
            timers_at,
            tick_due: _,
            change: _,
            event: _,
            put_parity,
            alignment,
            unsettled,
            irq,
            irq_since,
            pulses,
            triangle,
            noise,
            dmc,
            frame_counter,
        } = self;
        *cycle == other.cycle
            && *timers_at == other.timers_at
            && *put_parity == other.put_parity
            && *alignment == other.alignment
            && *unsettled == other.unsettled
            && *irq == other.irq
            && *irq_since == other.irq_since
            && *pulses == other.pulses
            && *triangle == other.triangle
            && *noise == other.noise
            && *dmc == other.dmc
            && *frame_counter == other.frame_counter
    }
}

impl State for Apu {
    fn walk<F: Fields>(&mut self, fields: &mut F) -> Result<(), StateError> {
        self.catch_up();
        let Self {
            cycle,
            timers_at,
            tick_due,
            change,
            event,
            put_parity,
            alignment,
            unsettled,
            irq,
            irq_since,
            pulses,
            triangle,
            noise,
            dmc,
            frame_counter,
        } = self;
        fields.u64(cycle)?;
        // Saved caught up; loaded, the next cycle works them out.
        *timers_at = *cycle;
        [*tick_due, *change, *event] = [0; 3];
        fields.u8(put_parity)?;
        fields.check("put parity", u64::from(*put_parity), *put_parity < 2)?;
        fields.u8(alignment)?;
        fields.check("APU alignment", u64::from(*alignment), *alignment < 4)?;
        fields.bool(unsettled)?;
        fields.bool(irq)?;
        fields.u64(irq_since)?;
        pulses.walk(fields)?;
        triangle.walk(fields)?;
        noise.walk(fields)?;
        dmc.walk(fields)?;
        frame_counter.walk(fields)
    }
}
