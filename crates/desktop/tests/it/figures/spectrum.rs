//! How strong a sound is at which pitch.

use std::f64::consts::{PI, TAU};

/// Samples of one transform: at 48 kHz a line every 5.9 Hz.
const SIZE: usize = 8192;

/// Decibels of the power of `samples` at 48 kHz in each third of an octave from 50 Hz to 12.7 kHz:
/// Hann windows that overlap by half, averaged (Welch, 1967).
pub(crate) fn thirds(samples: &[f64]) -> Vec<f64> {
    let mut power = vec![0.0; SIZE / 2];
    for start in (0..samples.len().saturating_sub(SIZE)).step_by(SIZE / 2) {
        let window = |n: usize| 0.5 - 0.5 * (TAU * n as f64 / SIZE as f64).cos();
        let mut wave: Vec<(f64, f64)> = (0..SIZE).map(|n| (samples[start + n] * window(n), 0.0)).collect();
        transform(&mut wave);
        for (sum, (re, im)) in power.iter_mut().zip(wave) {
            *sum += re * re + im * im;
        }
    }
    let line = |hertz: f64| (hertz * SIZE as f64 / 48_000.0) as usize;
    (0..24)
        .map(|third| {
            let low = 50.0 * 2_f64.powf(f64::from(third) / 3.0);
            let band = &power[line(low)..line(low * 2_f64.powf(1.0 / 3.0)).max(line(low) + 1)];
            10.0 * (band.iter().sum::<f64>() + 1e-12).log10()
        })
        .collect()
}

/// Where in `samples` the `piece` is, to the sample: first by loudness, a hundredth of a second at
/// a time, in all of them, and then by the wave.
pub(crate) fn place(piece: &[f64], samples: &[f64]) -> usize {
    const STEP: usize = 480;
    let loudness = |samples: &[f64]| -> Vec<f64> {
        samples.chunks(STEP).map(|part| part.iter().map(|sample| sample * sample).sum()).collect()
    };
    let (small, all) = (loudness(piece), loudness(samples));
    let coarse = best(&small, &all, 0..all.len().saturating_sub(small.len())) * STEP;
    best(
        piece,
        samples,
        coarse.saturating_sub(2 * STEP)..(coarse + 2 * STEP).min(samples.len() - piece.len()),
    )
}

/// The start among `starts` from which `all` is most like `piece`.
fn best(piece: &[f64], all: &[f64], starts: std::ops::Range<usize>) -> usize {
    let likeness = |start: usize| {
        let (mut product, mut power) = (0.0, 1e-9);
        for (a, b) in piece.iter().zip(&all[start..]) {
            product += a * b;
            power += b * b;
        }
        product / f64::sqrt(power)
    };
    starts.map(|start| (likeness(start), start)).max_by(|a, b| a.0.total_cmp(&b.0)).map_or(0, |best| best.1)
}

/// The discrete Fourier transform in place; the length is a power of two (Cooley and Tukey, 1965).
fn transform(wave: &mut [(f64, f64)]) {
    let bits = wave.len().trailing_zeros();
    for n in 0..wave.len() {
        let other = n.reverse_bits() >> (usize::BITS - bits);
        if other > n {
            wave.swap(n, other);
        }
    }
    let mut length = 2;
    while length <= wave.len() {
        for block in wave.chunks_mut(length) {
            let (even, odd) = block.split_at_mut(length / 2);
            for (n, (a, b)) in even.iter_mut().zip(odd).enumerate() {
                let (sin, cos) = (-TAU * n as f64 / length as f64).sin_cos();
                let turned = (b.0 * cos - b.1 * sin, b.0 * sin + b.1 * cos);
                *b = (a.0 - turned.0, a.1 - turned.1);
                *a = (a.0 + turned.0, a.1 + turned.1);
            }
        }
        length *= 2;
    }
}

#[test]
fn a_piece_is_found_where_it_was_cut() {
    let noise: Vec<f64> = (0..200_000_u64)
        .map(|n| (n.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40) as f64 / 1e7 * (n / 3000 % 7) as f64)
        .collect();
    assert_eq!(place(&noise[77_777..100_000], &noise), 77_777);
}

#[test]
fn a_tone_stands_in_its_third_and_half_of_it_is_six_decibels_less() {
    let tone = |level: f64| -> Vec<f64> {
        (0..48_000).map(|n| level * (2.0 * PI * 1000.0 * f64::from(n) / 48_000.0).sin()).collect()
    };
    let (full, half) = (thirds(&tone(1.0)), thirds(&tone(0.5)));
    let loudest = (0..24).max_by(|&a, &b| full[a].total_cmp(&full[b])).unwrap();
    assert_eq!(loudest, 12, "1000 Hz lie between 800 and 1008");
    assert!((full[12] - half[12] - 6.02).abs() < 0.01);
}
