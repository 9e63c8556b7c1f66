//! The sound of Sunsoft's 5B, a YM2149F: three square waves, noise and an envelope.
//!
//! ```text
//! $C000-$DFFF  DDDD RRRR   chooses register R; D other than 0 has the next writes ignored
//! $E000-$FFFF  its value
//!
//! $0 $2 $4   LLLL LLLL   period of A, B, C        $7   --CB Acba   off: noise (capitals), tone
//! $1 $3 $5   ---- HHHH                            $8-$A   ---E VVVV   volume, or the envelope's
//! $6   ---P PPPP   period of the noise            $B $C   period of the envelope
//!                                                 $D   ---- CAaH   shape: continue, attack, alternate, hold
//! ```
//!
//! A tone turns over every 16 cycles times its period, the noise has a new bit every 32, and the
//! envelope makes one of its 32 steps every 16. A step of the volume is 3 dB, one of the envelope
//! 1.5 dB (`NESdev`, "Sunsoft 5B audio"). Unverified: the level beside the console's own sound. At
//! volume 12 a tone is 1.3 dB below a pulse of the console at its loudest, which `NSFe` has as the
//! default of its chunk `mixe`. The amplifier behind the chip, which compresses the loudest levels,
//! is not modelled.

use nes_state::{Fields, State, StateError};

use crate::Sink;

/// Cycles of a clock of tones and envelope, as a power of two. Of the noise it is one more.
const CLOCK: u32 = 4;

/// Levels of a channel by the step of the envelope; a volume is every second one.
static LEVELS: [u16; 32] = levels();

/// 1.5 dB.
const STEP: f64 = 1.188_502_227_437_018_5;

/// 1.3 dB below a pulse of the console at its loudest, of full scale: `95.88 / (8128 / 15 + 100)`.
const VOLUME_12: f64 = 0.149_376_817_6 * 0.860_993_752_184_6;

/// Step of the envelope that is as loud as volume 12.
const STEP_12: usize = 25;

const fn levels() -> [u16; 32] {
    let mut table = [0; 32];
    let mut step = 2; // the first two are silent, as volume 0 is
    while step < 32 {
        let mut level = VOLUME_12 * crate::mixer::FULL_SCALE as f64;
        let mut at = step;
        while at < STEP_12 {
            level /= STEP;
            at += 1;
        }
        while at > STEP_12 {
            level *= STEP;
            at -= 1;
        }
        table[step] = (level + 0.5) as u16;
        step += 1;
    }
    table
}

/// A counter that goes up to a period, of which 0 is as good as 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Counter {
    count: u16,
    period: u16,
}

impl Counter {
    fn clock(&mut self) -> bool {
        self.count = self.count.saturating_add(1);
        let expired = self.count >= self.period;
        if expired {
            self.count = 0;
        }
        expired
    }

    /// Clocks that pass before the one in which it expires.
    fn idle(self) -> u64 {
        u64::from(self.period.saturating_sub(self.count).saturating_sub(1))
    }

    /// As many clocks at once; how often it expired in them.
    fn advance(&mut self, clocks: u64) -> u64 {
        let Some(beyond) = clocks.checked_sub(self.idle() + 1) else {
            self.count += clocks as u16;
            return 0;
        };
        let period = u64::from(self.period.max(1));
        self.count = (beyond % period) as u16;
        1 + beyond / period
    }
}

/// The envelope.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Envelope {
    shape: u8,
    /// 0 to 31.
    step: u8,
    /// It goes the other way round than it began.
    turned: bool,
    /// It stays as it is.
    holds: bool,
}

impl Envelope {
    const CONTINUE: u8 = 8;
    const ATTACK: u8 = 4;
    const ALTERNATE: u8 = 2;
    const HOLD: u8 = 1;

    fn has(self, bit: u8) -> bool {
        self.shape & bit != 0
    }

    fn clock(&mut self) {
        if self.holds {
            return;
        }
        if self.step < 31 {
            self.step += 1;
            return;
        }
        if !self.has(Self::CONTINUE) {
            // Down to nothing, whatever it was.
            (self.holds, self.turned) = (true, self.has(Self::ATTACK));
        } else if self.has(Self::HOLD) {
            (self.holds, self.turned) = (true, self.has(Self::ALTERNATE));
        } else {
            (self.step, self.turned) = (0, self.turned != self.has(Self::ALTERNATE));
        }
    }

    /// Advances by `clocks` clocks at once.
    fn advance(&mut self, clocks: u64) {
        // After two ramps it holds, or begins again.
        let clocks = if clocks < 128 { clocks } else { 64 + clocks % 64 };
        (0..clocks).for_each(|_| self.clock());
    }

    fn level(self) -> u8 {
        if self.has(Self::ATTACK) == self.turned { 31 - self.step } else { self.step }
    }
}

/// The chip.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Sunsoft5B {
    selected: u8,
    tones: [Counter; 3],
    highs: [bool; 3],
    noise: Counter,
    shift_register: u32,
    mixer: u8,
    volumes: [u8; 3],
    envelope_counter: Counter,
    envelope: Envelope,
}

impl Default for Sunsoft5B {
    fn default() -> Self {
        Self {
            selected: 0,
            tones: [Counter::default(); 3],
            highs: [false; 3],
            noise: Counter::default(),
            shift_register: 1,
            mixer: 0,
            volumes: [0; 3],
            envelope_counter: Counter::default(),
            envelope: Envelope::default(),
        }
    }
}

impl Sunsoft5B {
    pub(super) fn write(&mut self, address: u16, value: u8) {
        match address {
            0xC000..=0xDFFF => self.selected = value,
            0xE000..=0xFFFF => self.set(value),
            _ => {}
        }
    }

    fn set(&mut self, value: u8) {
        let low = |old: u16| old & 0xFF00 | u16::from(value);
        let high = |old: u16, bits: u8| old & 0x00FF | u16::from(value & bits) << 8;
        match self.selected {
            register @ (0 | 2 | 4) => {
                let tone = &mut self.tones[usize::from(register >> 1)];
                tone.period = low(tone.period);
            }
            register @ (1 | 3 | 5) => {
                let tone = &mut self.tones[usize::from(register >> 1)];
                tone.period = high(tone.period, 0x0F);
            }
            6 => self.noise.period = u16::from(value & 0x1F),
            7 => self.mixer = value & 0x3F,
            register @ 8..=0xA => self.volumes[usize::from(register - 8)] = value & 0x1F,
            0xB => self.envelope_counter.period = low(self.envelope_counter.period),
            0xC => self.envelope_counter.period = high(self.envelope_counter.period, 0xFF),
            0xD => {
                self.envelope_counter.count = 0;
                self.envelope = Envelope { shape: value & 0x0F, ..Envelope::default() };
            }
            // The ports, and what D says is not for this chip.
            _ => {}
        }
    }

    /// Whether a channel is heard, and does not leave out what `mask` of the mixer says.
    fn hears(&self, channel: usize, mask: u8) -> bool {
        self.volumes[channel] > 0 && self.mixer & mask << channel == 0
    }

    /// Cycles from `cycle` on in which the level stays as it is, at the least.
    pub(super) fn idle_cycles<S: Sink>(&self, cycle: u64) -> u64 {
        if !S::LISTENS {
            return u64::MAX;
        }
        let mut idle = u64::MAX;
        for channel in 0..3 {
            if self.hears(channel, 1) {
                idle = idle.min(until(cycle, CLOCK, self.tones[channel].idle()));
            }
            if self.hears(channel, 8) {
                idle = idle.min(until(cycle, CLOCK + 1, self.noise.idle()));
            }
            if self.volumes[channel] & 0x10 != 0 && !self.envelope.holds {
                idle = idle.min(until(cycle, CLOCK, self.envelope_counter.idle()));
            }
        }
        idle
    }

    /// Advances by `cycles` cycles at once.
    pub(super) fn skip(&mut self, cycle: u64, cycles: u64) {
        let clocks = |shift: u32| {
            let before = |end: u64| end.div_ceil(1 << shift);
            before(cycle + cycles) - before(cycle)
        };
        for (tone, high) in self.tones.iter_mut().zip(&mut self.highs) {
            *high ^= tone.advance(clocks(CLOCK)) & 1 != 0;
        }
        let expired = self.envelope_counter.advance(clocks(CLOCK));
        self.envelope.advance(expired);
        for _ in 0..self.noise.advance(clocks(CLOCK + 1)) {
            self.shift();
        }
    }

    /// Another bit of noise: the 17-bit register's bits 0 and 3 feed it.
    fn shift(&mut self) {
        let bit = (self.shift_register ^ self.shift_register >> 3) & 1;
        self.shift_register = self.shift_register >> 1 | bit << 16;
    }

    pub(super) fn tick(&mut self, cycle: u64) {
        if cycle & 0xF != 0 {
            return;
        }
        for (tone, high) in self.tones.iter_mut().zip(&mut self.highs) {
            *high ^= tone.clock();
        }
        if self.envelope_counter.clock() {
            self.envelope.clock();
        }
        if cycle & 0x1F == 0 && self.noise.clock() {
            self.shift();
        }
    }

    pub(super) fn level(&self) -> i32 {
        let noise = self.shift_register & 1 != 0;
        let level = |channel: usize| {
            let (no_tone, no_noise) = (self.mixer >> channel & 1 != 0, self.mixer >> (channel + 3) & 1 != 0);
            let high = (self.highs[channel] || no_tone) && (noise || no_noise);
            let step = match self.volumes[channel] {
                0 => 0,
                volume @ 1..=15 => 2 * volume + 1,
                _ => self.envelope.level(),
            };
            if high { i32::from(LEVELS[usize::from(step)]) } else { 0 }
        };
        level(0) + level(1) + level(2)
    }
}

/// Returns the number of cycles from `cycle` to the next clock after `clocks` others, where a clock
/// falls every `1 << shift` cycles.
fn until(cycle: u64, shift: u32, clocks: u64) -> u64 {
    let first = cycle.next_multiple_of(1 << shift) - cycle;
    first + (clocks << shift)
}

impl State for Sunsoft5B {
    fn walk<F: Fields>(&mut self, fields: &mut F) -> Result<(), StateError> {
        let Self {
            selected,
            tones,
            highs,
            noise,
            shift_register,
            mixer,
            volumes,
            envelope_counter,
            envelope: Envelope { shape, step, turned, holds },
        } = self;
        fields.u8(selected)?;
        let most = [0xFFF, 0xFFF, 0xFFF, 0x1F, 0xFFFF];
        for (Counter { count, period }, most) in tones.iter_mut().chain([noise, envelope_counter]).zip(most) {
            fields.u16(count)?;
            fields.u16(period)?;
            fields.check("period of a sound chip", u64::from(*period), *period <= most)?;
        }
        highs.iter_mut().try_for_each(|high| fields.bool(high))?;
        fields.u32(shift_register)?;
        fields.check("noise of a sound chip", u64::from(*shift_register), *shift_register < 1 << 17)?;
        fields.u8(mixer)?;
        fields.bytes(volumes)?;
        for byte in volumes {
            fields.check("volume of a sound chip", u64::from(*byte), *byte < 0x20)?;
        }
        fields.u8(shape)?;
        fields.u8(step)?;
        fields.check("step of an envelope", u64::from(*step), *step < 32)?;
        fields.bool(turned)?;
        fields.bool(holds)
    }
}
