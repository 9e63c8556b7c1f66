//! How a net learns from samples: cross-entropy, Adam, in batches.

use multiversion::multiversion;
use tetris::SplitMix64;

use crate::board::Board;
use crate::experience::Sample;
use crate::features::{Features, INPUTS, features};
use crate::net::{ALIVE, LANES, NARROW, Net, Rest, WIDE, squash};

const FIRST_MOMENT: f32 = 0.9;
const SECOND_MOMENT: f32 = 0.999;
const SMALL: f32 = 1e-8;
/// How far the odds of coming to the end count beside what a board is worth.
const ALIVE_WEIGHT: f32 = 0.1;

/// Running means of the gradient of each weight, and of its square.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Adam {
    pub(crate) first: Vec<[f32; WIDE]>,
    pub(crate) first_squares: Vec<[f32; WIDE]>,
    pub(crate) rest: Box<Rest>,
    pub(crate) rest_squares: Box<Rest>,
    /// Batches so far.
    pub(crate) steps: u64,
}

impl Adam {
    pub(crate) fn new() -> Self {
        Self {
            first: vec![[0.0; WIDE]; INPUTS],
            first_squares: vec![[0.0; WIDE]; INPUTS],
            rest: Box::new(Rest::ZERO),
            rest_squares: Box::new(Rest::ZERO),
            steps: 0,
        }
    }
}

/// Sums over a batch.
struct Gradient {
    first: Vec<[f32; WIDE]>,
    /// Inputs that were on in the batch.
    touched: Vec<u16>,
    is_touched: Vec<bool>,
    rest: Box<Rest>,
    loss: f64,
}

/// How the weights move.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pace {
    /// Batches.
    pub(crate) batches: usize,
    /// Samples of each, drawn by lot; the weights move by their mean.
    pub(crate) batch: usize,
    /// Size of the steps.
    pub(crate) rate: f32,
}

/// Moves the weights of a net by samples drawn as the seed has it. Answers the mean loss:
/// cross-entropy less that of the shares themselves.
pub(crate) fn learn(net: &mut Net, adam: &mut Adam, samples: &[Sample], pace: &Pace, seed: u64) -> f64 {
    if samples.is_empty() {
        return 0.0;
    }
    let mut gradient = Gradient {
        first: vec![[0.0; WIDE]; INPUTS],
        touched: Vec::new(),
        is_touched: vec![false; INPUTS],
        rest: Box::new(Rest::ZERO),
        loss: 0.0,
    };
    let mut random = SplitMix64::new(seed);
    for _ in 0..pace.batches {
        let turned = turned(&net.rest.second);
        for _ in 0..pace.batch {
            let sample = &samples[random.below(samples.len() as u32) as usize];
            let features = features(&Board { columns: sample.columns }, sample.to_go.into());
            gradient.touch(&features);
            add(net, &turned, &features, sample, &mut gradient);
        }
        step(net, adam, &mut gradient, pace.batch, pace.rate);
    }
    gradient.loss / (pace.batches * pace.batch).max(1) as f64
}

/// The second layer with its units as columns.
fn turned(second: &[[f32; NARROW]; WIDE]) -> Box<[[f32; WIDE]; NARROW]> {
    let mut turned = Box::new([[0.0; WIDE]; NARROW]);
    for (i, row) in second.iter().enumerate() {
        for (j, &weight) in row.iter().enumerate() {
            turned[j][i] = weight;
        }
    }
    turned
}

impl Gradient {
    fn touch(&mut self, features: &Features) {
        for &feature in features {
            if !self.is_touched[usize::from(feature)] {
                self.is_touched[usize::from(feature)] = true;
                self.touched.push(feature);
            }
        }
    }
}

/// Adds the gradient of a sample.
#[multiversion(targets("x86_64+avx512f+avx512vl+avx2+bmi1+bmi2", "x86_64+avx2+bmi1+bmi2"))]
fn add(
    net: &Net,
    turned: &[[f32; WIDE]; NARROW],
    features: &Features,
    sample: &Sample,
    gradient: &mut Gradient,
) {
    let rest = &net.rest;
    let mut first = rest.first_bias;
    for &feature in features {
        for (sum, weight) in first.iter_mut().zip(&net.first[usize::from(feature)]) {
            *sum += weight;
        }
    }
    for unit in &mut first {
        *unit = unit.max(0.0);
    }
    let mut second = rest.second_bias;
    for (&unit, weights) in first.iter().zip(&rest.second) {
        for (out, weight) in second.iter_mut().zip(weights) {
            *out += unit * weight;
        }
    }
    for unit in &mut second {
        *unit = unit.max(0.0);
    }
    let lane = usize::from(sample.lane) & (LANES - 1);
    let (mut out, mut alive) = (rest.third_bias[lane], rest.third_bias[ALIVE]);
    for (unit, weights) in second.iter().zip(&rest.third) {
        out += unit * weights[lane];
        alive += unit * weights[ALIVE];
    }
    let share = squash(out);
    let slope = share - sample.share;
    let alive_slope = ALIVE_WEIGHT * (squash(alive) - f32::from(u8::from(sample.survived)));
    gradient.loss += f64::from(divergence(sample.share, share));
    let sums = &mut *gradient.rest;
    sums.third_bias[lane] += slope;
    sums.third_bias[ALIVE] += alive_slope;
    let mut second_slope = [0.0; NARROW];
    for unit in 0..NARROW {
        sums.third[unit][lane] += slope * second[unit];
        sums.third[unit][ALIVE] += alive_slope * second[unit];
        let weights = &rest.third[unit];
        let both = slope * weights[lane] + alive_slope * weights[ALIVE];
        second_slope[unit] = if second[unit] > 0.0 { both } else { 0.0 };
        sums.second_bias[unit] += second_slope[unit];
    }
    for (&unit, sums) in first.iter().zip(&mut sums.second) {
        if unit > 0.0 {
            for (sum, slope) in sums.iter_mut().zip(&second_slope) {
                *sum += unit * slope;
            }
        }
    }
    let mut first_slope = [0.0; WIDE];
    for (&slope, weights) in second_slope.iter().zip(turned) {
        if slope != 0.0 {
            for (sum, weight) in first_slope.iter_mut().zip(weights) {
                *sum += slope * weight;
            }
        }
    }
    for (slope, &unit) in first_slope.iter_mut().zip(&first) {
        *slope = if unit > 0.0 { *slope } else { 0.0 };
    }
    for (sum, slope) in sums.first_bias.iter_mut().zip(&first_slope) {
        *sum += slope;
    }
    for &feature in features {
        for (sum, slope) in gradient.first[usize::from(feature)].iter_mut().zip(&first_slope) {
            *sum += slope;
        }
    }
}

/// Cross-entropy of a share less that of the true one.
fn divergence(truth: f32, share: f32) -> f32 {
    let part = |truth: f32, share: f32| {
        if truth > 0.0 { truth * (truth / share.max(1e-9)).ln() } else { 0.0 }
    };
    part(truth, share) + part(1.0 - truth, 1.0 - share)
}

/// Moves the weights by the mean of a batch, and empties the sums.
fn step(net: &mut Net, adam: &mut Adam, gradient: &mut Gradient, count: usize, rate: f32) {
    adam.steps += 1;
    let power = adam.steps.min(100_000) as i32;
    let rate = rate * (1.0 - SECOND_MOMENT.powi(power)).sqrt() / (1.0 - FIRST_MOMENT.powi(power));
    let part = 1.0 / count as f32;
    for &feature in &gradient.touched {
        let feature = usize::from(feature);
        move_row(
            &mut net.first[feature],
            &mut adam.first[feature],
            &mut adam.first_squares[feature],
            &mut gradient.first[feature],
            part,
            rate,
        );
        gradient.is_touched[feature] = false;
    }
    gradient.touched.clear();
    let moments = adam.rest.numbers_mut().zip(adam.rest_squares.numbers_mut());
    for ((weight, sum), (moment, square)) in
        net.rest.numbers_mut().zip(gradient.rest.numbers_mut()).zip(moments)
    {
        move_one(weight, moment, square, *sum * part, rate);
        *sum = 0.0;
    }
}

#[multiversion(targets("x86_64+avx512f+avx512vl+avx2+bmi1+bmi2", "x86_64+avx2+bmi1+bmi2"))]
fn move_row(
    weights: &mut [f32; WIDE],
    moments: &mut [f32; WIDE],
    squares: &mut [f32; WIDE],
    sums: &mut [f32; WIDE],
    part: f32,
    rate: f32,
) {
    for unit in 0..WIDE {
        move_one(&mut weights[unit], &mut moments[unit], &mut squares[unit], sums[unit] * part, rate);
        sums[unit] = 0.0;
    }
}

#[inline(always)]
fn move_one(weight: &mut f32, moment: &mut f32, square: &mut f32, slope: f32, rate: f32) {
    *moment = FIRST_MOMENT * *moment + (1.0 - FIRST_MOMENT) * slope;
    *square = SECOND_MOMENT * *square + (1.0 - SECOND_MOMENT) * slope * slope;
    *weight -= rate * *moment / (square.sqrt() + SMALL);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Boards of one column's height, worth the less the higher.
    fn samples() -> Vec<Sample> {
        (0..512u32)
            .map(|number| {
                let height = number % 20;
                let mut columns = [0; 10];
                columns[3] = !0 << (20 - height) & 0xF_FFFF;
                Sample {
                    columns,
                    to_go: 40,
                    lane: (number / 20 % 7) as u8,
                    share: 1.0 - height as f32 / 20.0,
                    survived: height < 10,
                }
            })
            .collect()
    }

    #[test]
    fn a_net_learns_what_the_height_of_a_column_is_worth() {
        let (mut net, mut adam) = (Net::random(3), Adam::new());
        let pace = |batches| Pace { batches, batch: 256, rate: 1e-3 };
        let before = learn(&mut net, &mut adam, &samples(), &pace(2), 1);
        learn(&mut net, &mut adam, &samples(), &pace(200), 2);
        let after = learn(&mut net, &mut adam, &samples(), &pace(2), 3);
        assert!(after < 0.003 && after < before / 10.0, "{before} {after}");
        let low = net.shares(&features(&Board::EMPTY, 40));
        assert!(low.iter().all(|&share| share > 0.9), "{low:?}");
        assert!(net.shares(&features(&Board { columns: samples()[18].columns }, 40))[ALIVE] < 0.1);
    }

    #[test]
    fn the_gradient_is_the_slope_of_the_loss() {
        let sample = Sample { columns: [0b111 << 17; 10], to_go: 10, lane: 4, share: 0.3, survived: true };
        let features = features(&Board { columns: sample.columns }, 10);
        let mut net = Net::random(5);
        let loss = |net: &Net| {
            let shares = net.shares(&features);
            f64::from(divergence(sample.share, shares[4]) + ALIVE_WEIGHT * divergence(1.0, shares[ALIVE]))
        };
        let mut gradient = Gradient {
            first: vec![[0.0; WIDE]; INPUTS],
            touched: Vec::new(),
            is_touched: vec![false; INPUTS],
            rest: Box::new(Rest::ZERO),
            loss: 0.0,
        };
        add(&net, &turned(&net.rest.second), &features, &sample, &mut gradient);
        let input = usize::from(features[0]);
        for unit in 0..8 {
            let slope = f64::from(gradient.first[input][unit]);
            let weight = net.first[input][unit];
            net.first[input][unit] = weight + 1e-2;
            let above = loss(&net);
            net.first[input][unit] = weight - 1e-2;
            let below = loss(&net);
            net.first[input][unit] = weight;
            assert!(((above - below) / 2e-2 - slope).abs() < 2e-4 + 0.02 * slope.abs(), "unit {unit}");
        }
    }
}
