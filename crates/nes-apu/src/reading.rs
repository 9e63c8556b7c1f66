//! What the channels stand at, for whoever looks at the chip from outside.

use crate::apu::{Apu, NEGATE};

/// A channel of the audio unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Channel {
    /// The first pulse, `$4000`–`$4003`.
    Pulse1,
    /// The second pulse, `$4004`–`$4007`.
    Pulse2,
    /// The triangle, `$4008`–`$400B`.
    Triangle,
    /// The noise, `$400C`–`$400F`.
    Noise,
    /// The delta modulation channel, `$4010`–`$4013`.
    Dmc,
}

impl Channel {
    /// All of them, in the order of their registers.
    pub const ALL: [Self; 5] = [Self::Pulse1, Self::Pulse2, Self::Triangle, Self::Noise, Self::Dmc];

    /// The highest output: 127 of the DMC, 15 of the others.
    pub fn full_scale(self) -> u8 {
        if self == Self::Dmc { 127 } else { 15 }
    }

    /// Its name, as "pulse 1".
    pub fn name(self) -> &'static str {
        match self {
            Self::Pulse1 => "pulse 1",
            Self::Pulse2 => "pulse 2",
            Self::Triangle => "triangle",
            Self::Noise => "noise",
            Self::Dmc => "DMC",
        }
    }
}

/// An envelope, of pulse or noise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EnvelopeReading {
    /// The volume is the period; else it is the decay.
    pub constant: bool,
    /// The decay begins anew at its end.
    pub looping: bool,
    /// 0–15: the constant volume, or quarter frames less one from a decay's step to the next.
    pub period: u8,
    /// 0–15: the decaying volume.
    pub decay: u8,
}

impl EnvelopeReading {
    /// 0–15.
    pub fn volume(&self) -> u8 {
        if self.constant { self.period } else { self.decay }
    }
}

/// A length counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LengthReading {
    /// Half frames until the channel falls silent; 0 if it has, or is switched off.
    pub count: u8,
    /// It does not count.
    pub halted: bool,
}

/// A pulse's sweep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SweepReading {
    /// It moves the period.
    pub enabled: bool,
    /// 0–7: half frames less one from a move to the next.
    pub period: u8,
    /// The period shrinks, so that the tone rises.
    pub negate: bool,
    /// 0–7: how far the period is shifted to make the change.
    pub shift: u8,
    /// The pulse is silent because its period is below 8, or would be moved beyond 11 bits.
    pub mutes: bool,
}

/// A pulse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PulseReading {
    /// Of the timer, 11 bits, as the sweep has moved it: a period of the wave takes 16 × (`period`
    /// + 1) CPU cycles.
    pub period: u16,
    /// 0–3: 12.5 %, 25 %, 50 %, 75 %.
    pub duty: u8,
    /// Its volume, unless length or sweep silence it.
    pub envelope: EnvelopeReading,
    /// Its length counter.
    pub length: LengthReading,
    /// Its sweep.
    pub sweep: SweepReading,
}

impl PulseReading {
    /// 0–15, 0 if length or sweep silence it.
    pub fn volume(&self) -> u8 {
        if self.length.count > 0 && !self.sweep.mutes { self.envelope.volume() } else { 0 }
    }
}

/// The triangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TriangleReading {
    /// Of the timer, 11 bits: a period of the wave takes 32 × (`period` + 1) CPU cycles.
    pub period: u16,
    /// The linear counter: quarter frames until it falls silent.
    pub linear: u8,
    /// What the linear counter is loaded with, 0–127.
    pub linear_period: u8,
    /// The control flag: the linear counter is loaded again and again, and the length counter is
    /// halted.
    pub control: bool,
    /// Its length counter.
    pub length: LengthReading,
}

impl TriangleReading {
    /// Whether its wave moves.
    pub fn is_running(&self) -> bool {
        self.linear > 0 && self.length.count > 0
    }
}

/// The noise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoiseReading {
    /// CPU cycles from a bit to the next.
    pub period: u16,
    /// The bits repeat after 93 or 31; else after 32,767.
    pub short: bool,
    /// Its volume, unless the length silences it.
    pub envelope: EnvelopeReading,
    /// Its length counter.
    pub length: LengthReading,
}

impl NoiseReading {
    /// 0–15, 0 if the length silences it.
    pub fn volume(&self) -> u8 {
        if self.length.count > 0 { self.envelope.volume() } else { 0 }
    }
}

/// The delta modulation channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DmcReading {
    /// CPU cycles from a bit to the next.
    pub period: u16,
    /// The output, 0–127.
    pub level: u8,
    /// The sample begins anew at its end.
    pub looping: bool,
    /// The end of the sample pulls the IRQ line.
    pub irq: bool,
    /// Where the sample begins, `$C000`–`$FFC0`.
    pub sample_address: u16,
    /// Its bytes, 1–4,081.
    pub sample_length: u16,
    /// Where the byte lies that is fetched next.
    pub address: u16,
    /// Bytes that are still to be fetched.
    pub remaining: u16,
}

/// What all channels stand at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading {
    /// The two pulses.
    pub pulses: [PulseReading; 2],
    /// The triangle.
    pub triangle: TriangleReading,
    /// The noise.
    pub noise: NoiseReading,
    /// The delta modulation channel.
    pub dmc: DmcReading,
}

impl Apu {
    /// What the channels stand at, as far as the unit has been run.
    pub fn reading(&self) -> Reading {
        Reading {
            pulses: [0, 1].map(|index| self.pulses[index].reading(NEGATE[index])),
            triangle: self.triangle.reading(),
            noise: self.noise.reading(),
            dmc: self.dmc.reading(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Sink, Synth};

    /// Outputs by cycle.
    struct Recorder(Vec<(u64, [u8; 5])>);

    impl Sink for Recorder {
        fn outputs(&mut self, cycle: u64, outputs: [u8; 5]) {
            self.0.push((cycle, outputs));
        }
    }

    /// All channels sound; the second pulse is swept, the noise decays.
    const PROGRAM: [(u16, u8); 18] = [
        (0x4015, 0x0F),
        (0x4000, 0xBF),
        (0x4001, 0x08),
        (0x4002, 0xFD),
        (0x4003, 0x00),
        (0x4004, 0x5A),
        (0x4005, 0x92),
        (0x4006, 0x40),
        (0x4007, 0x11),
        (0x4008, 0x7F),
        (0x400A, 0x80),
        (0x400B, 0x08),
        (0x400C, 0x03),
        (0x400E, 0x84),
        (0x400F, 0x18),
        (0x4010, 0x0F),
        (0x4011, 0x45),
        (0x4017, 0x40),
    ];

    fn playing() -> Apu {
        let mut apu = Apu::new(0);
        apu.run_until(20, &mut ());
        for (address, value) in PROGRAM {
            apu.write(address, value);
        }
        apu
    }

    #[test]
    fn the_outputs_of_each_cycle_are_told_and_whoever_listens_leaves_the_same_unit() {
        let (mut heard, mut alone, mut late) = (playing(), playing(), playing());
        let mut recorder = Recorder(Vec::new());
        heard.run_by_cycles(60_000, &mut recorder);
        alone.run_by_cycles(60_000, &mut ());
        late.run_until(60_000, &mut Synth::new(48_000));
        let outputs = recorder.0;
        assert!(outputs.iter().map(|(cycle, _)| *cycle).eq(20..60_000));
        assert_eq!(heard, alone);
        assert_eq!(heard, late);
        for channel in 0..4 {
            let highest = outputs.iter().map(|(_, channels)| channels[channel]).max();
            assert!(highest > Some(2) && highest <= Some(15), "{channel}: {highest:?}");
        }
        assert!(outputs.iter().all(|(_, channels)| channels[4] == 0x45));
    }

    #[test]
    fn a_reading_is_what_was_written_until_time_moves_it() {
        let mut apu = playing();
        apu.run_until(30, &mut ());
        let first = apu.reading();
        let [pulse1, pulse2] = first.pulses;
        assert_eq!((pulse1.period, pulse1.duty, pulse1.volume()), (0xFD, 2, 15));
        assert!(pulse1.length.halted && pulse1.envelope.constant && !pulse1.sweep.enabled);
        assert_eq!((pulse2.period, pulse2.duty, pulse2.volume()), (0x140, 1, 10));
        assert_eq!((pulse2.sweep.period, pulse2.sweep.shift, pulse2.sweep.negate), (1, 2, false));
        assert_eq!((first.triangle.period, first.triangle.linear_period), (0x80, 0x7F));
        assert_eq!((first.noise.period, first.noise.short, first.noise.envelope.period), (64, true, 3));
        assert_eq!((first.dmc.period, first.dmc.level, first.dmc.sample_address), (54, 0x45, 0xC000));
        apu.run_until(60_000, &mut ());
        let later = apu.reading();
        assert_eq!((later.pulses[0].period, later.pulses[0].length), (pulse1.period, pulse1.length));
        assert!(later.pulses[1].period > 0x140 && later.triangle.is_running());
        assert!(later.noise.length.count < first.noise.length.count && later.noise.envelope.decay > 0);
    }
}
