//! The noise channel.

use crate::envelope::Envelope;
use crate::length::LengthCounter;
use crate::reading::NoiseReading;
use crate::timer::Timer;
use nes_clock::Region;
use nes_state::{Fields, State, StateError};

/// CPU cycles between two shifts, NTSC (NESdev: APU Noise).
const NTSC: [u16; 16] = [4, 8, 16, 32, 64, 96, 128, 160, 202, 254, 380, 508, 762, 1016, 2034, 4068];
/// The same of the 2A07.
const PAL: [u16; 16] = [4, 8, 14, 30, 60, 88, 118, 148, 188, 236, 354, 472, 708, 944, 1890, 3778];

/// Returns the CPU cycles between two shifts of the noise, by the number that a program writes.
pub const fn noise_periods(region: Region) -> &'static [u16; 16] {
    match region {
        Region::Ntsc => &NTSC,
        Region::Pal => &PAL,
    }
}

/// The 15-bit feedback shift register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ShiftRegister {
    bits: u16,
    /// Mode 1: taps 0 and 6, not 0 and 1.
    short: bool,
}

impl ShiftRegister {
    /// Whether it lets the volume through: bit 0 is clear.
    pub(crate) fn is_high(self) -> bool {
        self.bits & 1 == 0
    }

    /// Steps until the output changes, as far as the bits tell.
    pub(crate) fn run(self) -> u32 {
        let same = if self.is_high() { self.bits.trailing_zeros() } else { self.bits.trailing_ones() };
        same.min(14)
    }

    /// Moves by so many steps.
    pub(crate) fn step(&mut self, steps: u64) {
        if self.short {
            // Every state comes back after 93 steps: with y = x³ its polynomial, x¹⁵ + x⁶ + 1, is a
            // primitive one of degree 5.
            self.walk(steps % 93, 6);
        } else if steps < LEAP {
            self.walk(steps, 1);
        } else {
            let steps = steps % 32_767;
            self.leap(LEAPS[(steps / LEAP) as usize]);
            self.walk(steps % LEAP, 1);
        }
    }

    /// Steps with the feedback from bits 0 and `tap`: as many at a time as lie before the feedback
    /// of the first of them reaches the tap.
    fn walk(&mut self, mut steps: u64, tap: u32) {
        let reach = u64::from(15 - tap);
        while steps > 0 {
            let batch = steps.min(reach);
            let feedback = (self.bits ^ self.bits >> tap) & ((1 << batch) - 1);
            self.bits = self.bits >> batch | feedback << (15 - batch);
            steps -= batch;
        }
    }

    /// Steps of the long mode by the power of x that stands for their number: the output so many
    /// steps ahead is the sum of the outputs that its coefficients choose.
    fn leap(&mut self, power: u16) {
        let outputs = u32::from(self.bits) | u32::from(self.bits ^ self.bits >> 1) << 15;
        let sum = (0..15).fold(0, |sum, ahead| sum ^ ((outputs >> ahead) * u32::from(power >> ahead & 1)));
        self.bits = sum as u16 & 0x7FFF;
    }
}

/// From so many steps of the long mode on a leap is cheaper than a walk, which moves by 14.
const LEAP: u64 = 128;

/// x to the powers of multiples of [`LEAP`], modulo the long mode's polynomial x¹⁵ + x + 1: its
/// root is what a step multiplies by.
static LEAPS: [u16; 256] = leaps();

const fn leaps() -> [u16; 256] {
    let mut table = [0; 256];
    let (mut power, mut exponent) = (1_u16, 0);
    while exponent < 256 * LEAP {
        if exponent % LEAP == 0 {
            table[(exponent / LEAP) as usize] = power;
        }
        power = if power & 0x4000 == 0 { power << 1 } else { power << 1 & 0x7FFF ^ 0b11 };
        exponent += 1;
    }
    table
}

/// The noise: envelope, timer, 15-bit feedback shift register, length counter.
///
/// ```text
/// $400C   --LC VVVV   envelope
/// $400E   M--- PPPP   mode (taps 0 and 6 for 0 and 1), period
/// $400F   LLLL L---   length; restarts the envelope
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Noise {
    periods: &'static [u16; 16],
    pub(crate) length: LengthCounter,
    pub(crate) envelope: Envelope,
    /// Counts APU cycles.
    pub(crate) timer: Timer,
    pub(crate) shift_register: ShiftRegister,
}

impl Noise {
    pub(crate) fn new() -> Self {
        Self {
            periods: &NTSC,
            length: LengthCounter::default(),
            envelope: Envelope::default(),
            timer: Timer { count: 0, reload: NTSC[0] / 2 - 1 },
            shift_register: ShiftRegister { bits: 1, short: false },
        }
    }

    /// Makes it the channel of another region, before it has been run: either's first period is the
    /// same.
    pub(crate) fn set_region(&mut self, region: Region) {
        self.periods = noise_periods(region);
    }

    /// A write to the channel's register 0–3.
    pub(crate) fn write(&mut self, register: u16, value: u8) {
        match register {
            0 => {
                self.length.write_halt(value & 0x20 != 0);
                self.envelope.write(value);
            }
            2 => {
                self.shift_register.short = value & 0x80 != 0;
                self.timer.reload = self.periods[usize::from(value & 0x0F)] / 2 - 1;
            }
            3 => {
                self.length.write_load(value);
                self.envelope.restart();
            }
            _ => {}
        }
    }

    /// The volume that a clear bit 0 lets through, 0–15; 0 if nothing can sound.
    pub(crate) fn volume(&self) -> u8 {
        if self.length.is_running() { self.envelope.volume() } else { 0 }
    }
}

impl Noise {
    pub(crate) fn reading(&self) -> NoiseReading {
        NoiseReading {
            period: 2 * (self.timer.reload + 1),
            short: self.shift_register.short,
            envelope: self.envelope.reading(),
            length: self.length.reading(),
        }
    }
}

impl State for Noise {
    fn walk<F: Fields>(&mut self, fields: &mut F) -> Result<(), StateError> {
        let Self { periods, length, envelope, timer, shift_register: ShiftRegister { bits, short } } = self;
        length.walk(fields)?;
        envelope.walk(fields)?;
        timer.walk(fields)?;
        let known = periods.iter().any(|period| period / 2 - 1 == timer.reload);
        fields.check("noise period", u64::from(timer.reload), known)?;
        fields.bool(short)?;
        fields.u16(bits)?;
        fields.check("noise shift register", u64::from(*bits), (1..0x8000).contains(bits))
    }
}

#[cfg(test)]
mod tests {
    use nes_clock::Region;

    use super::Noise;

    /// The shift as the wiki words it.
    fn shifted(value: u16, tap: u16) -> u16 {
        let feedback = (value ^ value >> tap) & 1;
        value >> 1 | feedback << 14
    }

    #[test]
    fn each_region_has_periods_of_its_own() {
        let period = |region, value| {
            let mut noise = Noise::new();
            noise.set_region(region);
            noise.write(2, value);
            noise.reading().period
        };
        assert_eq!([0, 2, 15].map(|value| period(Region::Ntsc, value)), [4, 16, 4068]);
        assert_eq!([0, 2, 15].map(|value| period(Region::Pal, value)), [4, 14, 3778]);
    }

    #[test]
    fn many_shifts_at_once_equal_single_ones() {
        for (mode, tap) in [(0x00, 1), (0x80, 6)] {
            let mut noise = Noise::new();
            noise.write(2, mode);
            let mut expected = 1;
            for steps in (0..300).chain([1_000, 7_445, 32_766, 32_767, 32_768, 100_000]) {
                noise.shift_register.step(steps);
                expected = (0..steps).fold(expected, |value, _| shifted(value, tap));
                assert_eq!(noise.shift_register.bits, expected);
            }
        }
    }

    #[test]
    fn the_output_stays_for_a_run() {
        for bits in 1..0x8000 {
            let mut register = super::ShiftRegister { bits, short: bits & 2 == 0 };
            let before = register.is_high();
            for _ in 1..register.run() {
                register.step(1);
                assert_eq!(register.is_high(), before);
            }
        }
    }

    #[test]
    fn the_long_sequence_has_32767_steps_and_the_short_one_93_or_31() {
        let mut noise = Noise::new();
        noise.shift_register.step(32_767);
        assert_eq!(noise.shift_register.bits, 1);
        noise.write(2, 0x80);
        noise.shift_register.step(93);
        assert_eq!(noise.shift_register.bits, 1);
    }
}
