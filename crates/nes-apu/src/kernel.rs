//! The band-limited step: what one unit of level does to the samples around it.
//!
//! All of it is made at compile time by additions, multiplications and divisions alone, so that it
//! is the same on any machine: a library's sine need not be.

use core::f64::consts::PI;

/// Samples that a step touches.
pub(crate) const TAPS: usize = 32;
/// Positions between two samples that are told apart.
pub(crate) const PHASES: usize = 512;
/// What the taps of every phase add up to, exactly: the integral of a step is the step.
pub(crate) const UNIT: i32 = 1 << 14;

/// Middle of the transition band, in cycles a sample: it begins near 0.41 (19.5 kHz at 48 kHz) and
/// ends near 0.545, whose alias lies beyond hearing.
const CUTOFF: f64 = 0.475;
/// Kaiser's β for a stop band of −70 dB.
const BETA: f64 = 6.75;

/// Taps by phase. The samples are running sums of taps, so each tap is what a band-limited step
/// (the integral of a sinc under a Kaiser window) rises by from one sample to the next.
pub(crate) static KERNEL: [[i16; TAPS]; PHASES] = kernel();

/// Half the width of the window, in samples: half a sample less than half of all taps, because a
/// tap covers a sample's time.
const REACH: usize = 2 * (TAPS / 2) - 1;
/// Points, `PHASES` a sample, that the integral is summed over.
const POINTS: usize = REACH * PHASES + 1;

#[expect(clippy::large_stack_arrays, reason = "evaluated at compile time")]
const fn kernel() -> [[i16; TAPS]; PHASES] {
    let rises = rises();
    let mut table = [[0; TAPS]; PHASES];
    let mut phase = 0;
    while phase < PHASES / 2 {
        let mut left = UNIT;
        let mut tap = 0;
        while tap < TAPS {
            let rise = rises[edge(tap + 1, phase)] - rises[edge(tap, phase)];
            let value = rise / rises[POINTS] * UNIT as f64;
            table[phase][tap] = if value < 0.0 { (value - 0.5) as i16 } else { (value + 0.5) as i16 };
            left -= table[phase][tap] as i32;
            tap += 1;
        }
        // What rounding lost goes where it is least noticed, into the largest tap.
        table[phase][TAPS / 2 - 1] += left as i16;
        // The other half of the phases is the mirror image.
        tap = 0;
        while tap < TAPS {
            table[PHASES - 1 - phase][TAPS - 1 - tap] = table[phase][tap];
            tap += 1;
        }
        phase += 1;
    }
    table
}

/// The point at which a tap begins.
const fn edge(tap: usize, phase: usize) -> usize {
    let point = (tap * PHASES).saturating_sub(phase);
    if point < POINTS { point } else { POINTS }
}

/// The step up to each point.
#[expect(clippy::large_stack_arrays, reason = "evaluated at compile time")]
const fn rises() -> [f64; POINTS + 1] {
    let mut rises = [0.0; POINTS + 1];
    let mut point = 0;
    while point < POINTS {
        let half = REACH as f64 / 2.0;
        let distance = point as f64 / PHASES as f64 - half;
        rises[point + 1] = rises[point] + sinc(2.0 * CUTOFF * distance) * kaiser(distance / half);
        point += 1;
    }
    rises
}

/// sin πx / πx.
const fn sinc(x: f64) -> f64 {
    if x == 0.0 { 1.0 } else { sine_of_half_turns(x) / (PI * x) }
}

/// sin πx.
pub(crate) const fn sine_of_half_turns(x: f64) -> f64 {
    let nearest = if x < 0.0 { (x - 0.5) as i64 } else { (x + 0.5) as i64 };
    let angle = PI * (x - nearest as f64);
    let mut term = angle;
    let mut sum = angle;
    let mut n = 1;
    while n < 10 {
        term *= -angle * angle / ((2 * n) * (2 * n + 1)) as f64;
        sum += term;
        n += 1;
    }
    if nearest % 2 == 0 { sum } else { -sum }
}

/// Kaiser's window at `x` from −1 to 1, times a constant that normalisation takes out again: the
/// Bessel function I₀(β √(1 − x²)) by its power series.
const fn kaiser(x: f64) -> f64 {
    let quarter = BETA * BETA * (1.0 - x * x) / 4.0;
    let mut term = 1.0;
    let mut sum = 1.0;
    let mut n = 1.0;
    while n < 20.0 {
        term *= quarter / (n * n);
        sum += term;
        n += 1.0;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_phase_adds_up_to_one_unit() {
        for taps in &KERNEL {
            assert_eq!(taps.iter().map(|&tap| i32::from(tap)).sum::<i32>(), UNIT);
        }
    }

    #[test]
    fn the_series_is_the_sine() {
        for step in -2000..2000 {
            let x = f64::from(step) / 100.0;
            assert!((sine_of_half_turns(x) - (PI * x).sin()).abs() < 1e-12);
        }
    }

    #[test]
    fn the_table_is_the_same_on_any_machine() {
        // FNV-1a over the table; a change here is a change of every recording.
        let hash = KERNEL.iter().flatten().fold(0xCBF2_9CE4_8422_2325_u64, |hash, tap| {
            (hash ^ u64::from(*tap as u16)).wrapping_mul(0x100_0000_01B3)
        });
        assert_eq!(hash, 0xBB34F1CF920231A9);
    }
}
