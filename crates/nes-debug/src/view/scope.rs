//! The sound channels as on an oscilloscope: each channel's wave, what tone it is, and what its
//! registers say.
//!
//! The machine records no wave. The last frames are run again with an observer beside whom a copy
//! of the audio unit runs cycle by cycle; the machine itself is the same with scopes and without.

use core::ops::ControlFlow;

use nes::apu::{Apu, Channel, EnvelopeReading, LengthReading, PulseReading, Reading, Sink};
use nes::{Access, Break, BusEvent, Cpu, Mainboard, Observer, Region};

use super::Picture;
use crate::Debugger;

/// CPU cycles of an NTSC frame, which one dot may be missing (NESdev: CPU: 29780.5 or 29780.67).
pub const FRAME_CYCLES: usize = Region::Ntsc.frame_cycles() as usize;

/// The CPU's frequency in Hz (NESdev: CPU).
pub(super) fn clock(region: Region) -> f64 {
    let (cycles, seconds) = region.clock();
    cycles as f64 / seconds as f64
}

/// A channel's last frames.
#[derive(Clone, Debug, PartialEq)]
pub struct Scope {
    /// Which.
    pub channel: Channel,
    /// Its output after each CPU cycle, the last one before now: 0 to [`Channel::full_scale`].
    /// Fewer than asked for soon after power-on.
    pub samples: Vec<u8>,
    /// Its tone in Hz, as its period is now: of the pulses and the triangle the wave's, of the
    /// noise the shift register's, of the DMC the bits'. It says nothing of whether it sounds.
    pub hertz: f64,
    /// The nearest note of a tone, and how far it is off: "A4 -3"; hundredths of a half tone, A4 at
    /// 440 Hz. `None` for noise and DMC.
    pub note: Option<String>,
    /// How loud it is now: 0-15; the triangle has no volume and stands at 15 while it moves; the
    /// DMC's level, 0-127.
    pub volume: u8,
    /// What its registers and counters say, a phrase each.
    pub says: Vec<String>,
}

impl Scope {
    /// The latest stretch of `cycles` samples that begins where the wave rises through its middle,
    /// so that a tone stands still from picture to picture; the last `cycles` samples if it rises
    /// nowhere. Shorter if there are fewer.
    pub fn triggered(&self, cycles: usize) -> &[u8] {
        let latest = self.samples.len().saturating_sub(cycles);
        let shown = &self.samples[latest..];
        let (low, high) = (shown.iter().min().copied(), shown.iter().max().copied());
        let middle = low.unwrap_or(0).midpoint(high.unwrap_or(0));
        let rises = |&at: &usize| {
            let (before, now) = (self.samples[at - 1], self.samples[at]);
            before <= middle && now > middle
        };
        let last = self.samples.len().saturating_sub(1);
        let begin = (1..=latest.min(last)).rev().find(rises).unwrap_or(latest);
        &self.samples[begin..(begin + cycles).min(self.samples.len())]
    }

    /// That stretch on a screen of so many columns: the lowest and the highest output in each.
    pub fn columns(&self, cycles: usize, columns: usize) -> Vec<(u8, u8)> {
        let shown = self.triggered(cycles);
        let extremes = |column: usize| {
            let (begin, end) = (column * cycles / columns, (column + 1) * cycles / columns);
            let part = shown.get(begin.min(shown.len())..end.max(begin + 1).min(shown.len()))?;
            Some((*part.iter().min()?, *part.iter().max()?))
        };
        (0..columns).map_while(extremes).collect()
    }

    /// Whether its output was another at any time.
    pub fn moves(&self) -> bool {
        self.samples.windows(2).any(|pair| pair[0] != pair[1])
    }

    /// All that there is to say of it, in a line.
    pub fn text(&self) -> String {
        let note = self.note.as_ref().map_or_else(String::new, |note| format!(" {note}"));
        let says = self.says.join(", ");
        format!(
            "{:<9}{:>9.1} Hz{note:<8}  volume {:>3}  {says}",
            self.channel.name(),
            self.hertz,
            self.volume
        )
    }
}

/// The five channels over the last `frames` frames before now, in the order of their registers. One
/// frame takes about a millisecond to find out.
pub fn scopes(debugger: &Debugger, frames: usize) -> [Scope; 5] {
    let now = debugger.console().cycle();
    let begin = now.saturating_sub(frames as u64 * debugger.console().region().frame_cycles());
    let mut recorder = OutputRecorder::default();
    if let Some(mut replay) =
        debugger.replay(begin).or_else(|| debugger.replay_frame(debugger.oldest_frame()))
    {
        replay.run_to(begin, &mut (), |_, _| {});
        replay.run_to(now, &mut recorder, |_, _| {});
        recorder.run(now);
    }
    let reading = debugger.console().board.caught_up().apu().reading();
    let clock = clock(debugger.console().region());
    let mut waves = recorder.waves.0.into_iter();
    Channel::ALL.map(|channel| of_reading(channel, waves.next().unwrap_or_default(), &reading, clock))
}

/// What each channel puts out, cycle by cycle.
#[derive(Default)]
struct Waves([Vec<u8>; 5]);

impl Sink for Waves {
    fn outputs(&mut self, _: u64, outputs: [u8; 5]) {
        self.0.iter_mut().zip(outputs).for_each(|(wave, output)| wave.push(output));
    }
}

/// A copy of the audio unit that runs beside the machine's, which lags.
#[derive(Default)]
struct OutputRecorder {
    unit: Option<Apu>,
    waves: Waves,
}

impl OutputRecorder {
    /// Runs the copy up to a cycle, and keeps what it puts out.
    fn run(&mut self, cycle: u64) {
        if let Some(unit) = &mut self.unit {
            unit.run_by_cycles(cycle, &mut self.waves);
        }
    }
}

impl Observer for OutputRecorder {
    fn step(&mut self, _: &Cpu, board: &Mainboard) -> ControlFlow<Break> {
        self.run(board.cycle());
        let mut unit = board.apu().clone();
        unit.run_until(board.cycle(), &mut ());
        self.unit = Some(unit);
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn bus(&mut self, event: BusEvent) {
        let BusEvent { cycle, address, value, write, access } = event;
        let of_unit = write && matches!(address, 0x4000..=0x4013 | 0x4015 | 0x4017);
        if !of_unit && access != Access::DmcDma {
            return;
        }
        self.run(cycle);
        let Some(unit) = &mut self.unit else { return };
        if of_unit {
            unit.write(address, value);
        } else {
            unit.dmc_fetched(value);
        }
    }
}

fn of_reading(channel: Channel, samples: Vec<u8>, reading: &Reading, clock: f64) -> Scope {
    let Reading { pulses: [pulse1, pulse2], triangle, noise, dmc } = reading;
    let tone = |cycles: f64| (clock / cycles, Some(note(clock / cycles)));
    let ((hertz, note), volume, says) = match channel {
        Channel::Pulse1 => (tone(16.0 * f64::from(pulse1.period + 1)), pulse1.volume(), of_pulse(pulse1)),
        Channel::Pulse2 => (tone(16.0 * f64::from(pulse2.period + 1)), pulse2.volume(), of_pulse(pulse2)),
        Channel::Triangle => {
            let linear = format!("linear {} of {}", triangle.linear, triangle.linear_period);
            let held = if triangle.control { " held" } else { "" };
            let says = vec![format!("period {}", triangle.period), linear + held, length(triangle.length)];
            let volume = if triangle.is_running() { 15 } else { 0 };
            (tone(32.0 * f64::from(triangle.period + 1)), volume, says)
        }
        Channel::Noise => {
            let bits = if noise.short { "short" } else { "long" };
            let says = vec![
                format!("every {} cycles", noise.period),
                bits.to_owned(),
                envelope(noise.envelope),
                length(noise.length),
            ];
            ((clock / f64::from(noise.period), None), noise.volume(), says)
        }
        Channel::Dmc => {
            let mut says = vec![
                format!("every {} cycles", dmc.period),
                format!(
                    "{} of {} bytes left from ${:04X}",
                    dmc.remaining, dmc.sample_length, dmc.sample_address
                ),
            ];
            says.extend(dmc.looping.then(|| "loops".to_owned()));
            says.extend(dmc.irq.then(|| "IRQ".to_owned()));
            ((clock / f64::from(dmc.period), None), dmc.level, says)
        }
    };
    Scope { channel, samples, hertz, note, volume, says }
}

fn of_pulse(pulse: &PulseReading) -> Vec<String> {
    let duty = ["12.5", "25", "50", "75"][usize::from(pulse.duty & 3)];
    let sweep = pulse.sweep;
    let bend = if sweep.mutes {
        "silenced by the sweep".to_owned()
    } else if sweep.enabled && sweep.shift > 0 {
        let way = if sweep.negate { "up" } else { "down" };
        format!("sweep {way} by >> {} every {}", sweep.shift, sweep.period + 1)
    } else {
        "no sweep".to_owned()
    };
    vec![
        format!("period {}", pulse.period),
        format!("duty {duty} %"),
        envelope(pulse.envelope),
        length(pulse.length),
        bend,
    ]
}

fn envelope(envelope: EnvelopeReading) -> String {
    let EnvelopeReading { constant, looping, period, decay } = envelope;
    if constant {
        format!("constant {period}")
    } else {
        format!("decay {decay} every {}{}", period + 1, if looping { ", loops" } else { "" })
    }
}

fn length(length: LengthReading) -> String {
    match length {
        LengthReading { count: 0, .. } => "silent".to_owned(),
        LengthReading { count, halted: false } => format!("length {count}"),
        LengthReading { count, halted: true } => format!("length {count} held"),
    }
}

/// The nearest note to a frequency, and the hundredths of a half tone that it is off.
fn note(hertz: f64) -> String {
    const NAMES: [&str; 12] = ["C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"];
    // Half tones from C0, of which A4 at 440 Hz is the 57th.
    let tones = 57.0 + 12.0 * (hertz / 440.0).log2();
    let nearest = tones.round();
    let name = NAMES[(nearest as i32).rem_euclid(12) as usize];
    format!("{name}{} {:+.0}", (nearest as i32).div_euclid(12), 100.0 * (tones - nearest))
}

/// Pixels of a scope in the picture.
const SIZE: [usize; 2] = [640, 96];
/// From one to the next.
const GAP: usize = 4;

/// The five waves of a frame's time, one below the other in the order of their registers, each from
/// where it rises; and what is to say of them, a line each. The lines behind are quarters of the
/// frame, and nought, middle and full scale.
pub fn scope_picture(debugger: &Debugger) -> (Picture, String) {
    const COLOURS: [[u8; 3]; 5] =
        [[255, 96, 96], [255, 176, 64], [96, 224, 96], [200, 200, 200], [96, 160, 255]];
    let [width, height] = SIZE;
    let mut picture = Picture::new(width, 5 * (height + GAP) - GAP, [48; 3]);
    let scopes = scopes(debugger, 4);
    for (number, (scope, colour)) in scopes.iter().zip(COLOURS).enumerate() {
        let top = number * (height + GAP);
        picture.fill(0, top, width, height, [12; 3]);
        for quarter in 1..4 {
            picture.fill(quarter * width / 4, top, 1, height, [32; 3]);
        }
        let full = usize::from(scope.channel.full_scale());
        let row = |level: usize| top + height - 6 - level * (height - 12) / full;
        for level in [0, full / 2, full] {
            picture.fill(0, row(level), width, 1, [32; 3]);
        }
        let mut before = None;
        for (x, (low, high)) in scope.columns(FRAME_CYCLES, width).into_iter().enumerate() {
            let (mut lowest, mut highest) = (low, high);
            // What the wave went through from the last column on.
            if let Some((last_low, last_high)) = before.replace((low, high)) {
                (lowest, highest) = (low.min(last_high), high.max(last_low));
            }
            let (bottom, peak) = (row(lowest.into()), row(highest.into()));
            picture.fill(x, peak, 1, bottom + 1 - peak, colour);
        }
    }
    let lines: Vec<String> = scopes.iter().map(Scope::text).collect();
    (picture, lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::{Channel, Scope, note};

    fn scope(samples: Vec<u8>) -> Scope {
        let says = Vec::new();
        Scope { channel: Channel::Pulse1, samples, hertz: 0.0, note: None, volume: 0, says }
    }

    #[test]
    fn notes_are_named_and_their_errors_told() {
        assert_eq!(note(440.0), "A4 +0");
        assert_eq!(note(261.6256), "C4 +0");
        assert_eq!(note(1_789_773.0 / (16.0 * 254.0)), "A4 +2");
        assert_eq!(note(27.31), "A0 -12");
        assert_eq!(note(8.0), "C-1 -38");
    }

    #[test]
    fn a_stretch_begins_at_the_latest_rise_that_leaves_room() {
        let wave: Vec<u8> = (0..100).map(|at| if at % 10 < 3 { 12 } else { 0 }).collect();
        for cut in 0..10 {
            let scope = scope(wave[cut..].to_vec());
            assert_eq!(scope.triggered(40), &wave[50..90], "cut {cut}");
            assert_eq!(scope.columns(40, 8)[..3], [(0, 12), (0, 0), (0, 12)]);
        }
        let flat = scope(vec![7; 50]);
        assert_eq!(flat.triggered(20), [7; 20]);
        assert!(!flat.moves());
        assert_eq!(scope(vec![1; 5]).triggered(20), [1; 5]);
        assert!(scope(Vec::new()).columns(20, 4).is_empty());
    }
}
