//! How a net learns from samples: cross-entropy, Adam, in batches.

use multiversion::multiversion;
use tetris::{Playfield, SplitMix64};

use crate::experience::Sample;
use crate::features::{Features, INPUTS, features};
use crate::net::{
    ALIVE, FOUR, LANES, NARROW, Net, Rest, Row, WIDE, layer, layer_of_four, rectify, squash, sum_up,
};

const FIRST_MOMENT: f32 = 0.9;
const SECOND_MOMENT: f32 = 0.999;
const SMALL: f32 = 1e-8;
/// Weight of the loss of the odds beside that of a board's worth.
const ALIVE_WEIGHT: f32 = 0.5;

/// Running means of the gradient of each weight, and of its square.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Adam {
    pub(crate) first: Vec<Row>,
    pub(crate) first_squares: Vec<Row>,
    pub(crate) rest: Box<Rest>,
    pub(crate) rest_squares: Box<Rest>,
    /// Batches so far.
    pub(crate) steps: u64,
}

impl Adam {
    pub(crate) fn new() -> Self {
        Self {
            first: vec![Row::ZERO; INPUTS],
            first_squares: vec![Row::ZERO; INPUTS],
            rest: Box::new(Rest::ZERO),
            rest_squares: Box::new(Rest::ZERO),
            steps: 0,
        }
    }
}

/// What a batch has to say.
struct Gradient {
    /// By sample: its inputs.
    features: Vec<Features>,
    /// By sample: the slope of each unit of the first layer, which is that of its inputs' weights.
    slopes: Vec<Row>,
    /// Sums over the batch.
    rest: Box<Rest>,
    loss: f64,
    /// Inputs that are on in the batch.
    touched: Vec<u16>,
    /// By input: samples in which it is on.
    counts: Vec<u32>,
    /// By input: where those samples are in `samples`, from the end to the beginning.
    places: Vec<u32>,
    samples: Vec<u32>,
}

impl Gradient {
    fn new() -> Self {
        Self {
            features: Vec::new(),
            slopes: Vec::new(),
            rest: Box::new(Rest::ZERO),
            loss: 0.0,
            touched: Vec::new(),
            counts: vec![0; INPUTS],
            places: vec![0; INPUTS],
            samples: Vec::new(),
        }
    }

    /// Sorts the samples by their inputs.
    fn sort(&mut self) {
        for &feature in self.features.as_flattened() {
            let count = &mut self.counts[usize::from(feature)];
            if *count == 0 {
                self.touched.push(feature);
            }
            *count += 1;
        }
        let mut place = 0;
        for &feature in &self.touched {
            self.places[usize::from(feature)] = place;
            place += self.counts[usize::from(feature)];
        }
        self.samples.resize(place as usize, 0);
        for (number, features) in self.features.iter().enumerate() {
            for &feature in features {
                let place = &mut self.places[usize::from(feature)];
                self.samples[*place as usize] = number as u32;
                *place += 1;
            }
        }
    }
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
    /// See [`crate::Plan::siblings`]. Where it is more than 0, samples lie in fours.
    pub(crate) siblings: f32,
}

/// Moves the weights of a net by samples drawn as the seed has it. Answers the mean loss:
/// cross-entropy less that of the shares themselves.
pub(crate) fn learn(net: &mut Net, adam: &mut Adam, samples: &[Sample], pace: &Pace, seed: u64) -> f64 {
    if samples.is_empty() {
        return 0.0;
    }
    let mut gradient = Gradient::new();
    let mut random = SplitMix64::new(seed);
    let mut batch: Vec<&Sample> = Vec::new();
    for _ in 0..pace.batches {
        batch.clear();
        if pace.siblings > 0.0 {
            let fours = samples.as_chunks::<FOUR>().0;
            if fours.is_empty() {
                return 0.0;
            }
            batch.extend(
                (0..pace.batch.div_ceil(FOUR))
                    .flat_map(|_| &fours[random.below(fours.len() as u32) as usize]),
            );
        } else {
            batch.extend((0..pace.batch).map(|_| &samples[random.below(samples.len() as u32) as usize]));
        }
        add(net, &turned(&net.rest.second), (&batch, pace.siblings), &mut gradient);
        step(net, adam, &mut gradient, pace.rate);
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

/// Adds the gradients of samples.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl+avx2+fma+bmi1+bmi2+lzcnt+popcnt",
    "x86_64+avx2+fma+bmi1+bmi2+lzcnt+popcnt",
))]
fn add(
    net: &Net,
    turned: &[[f32; WIDE]; NARROW],
    (samples, siblings): (&[&Sample], f32),
    gradient: &mut Gradient,
) {
    let rest = &net.rest;
    gradient.features.clear();
    gradient.slopes.clear();
    for four in samples.chunks(FOUR) {
        let mut first = [Row::ZERO; FOUR];
        for (units, sample) in first.iter_mut().zip(four) {
            let features = features(&Playfield { columns: sample.columns }, sample.to_go.into());
            *units = net.bias(sample.conditions);
            sum_up(&net.first, &features, units);
            rectify(units);
            gradient.features.push(features);
        }
        let mut second = layer_of_four(&rest.second_bias, &rest.second, first.each_ref().map(|row| &row.0));
        second.iter_mut().for_each(rectify);
        // Of a last row of fewer the others are zero.
        let mut second_slopes = [[0.0; NARROW]; FOUR];
        let apart = apart(rest, four, &second, siblings);
        for (((sample, second), slopes), apart) in four.iter().zip(&second).zip(&mut second_slopes).zip(apart)
        {
            gradient.loss += add_outputs(rest, sample, second, apart, (&mut gradient.rest, slopes));
        }
        let [one, two, three, four_th] = &second_slopes;
        for (unit, sums) in gradient.rest.second.iter_mut().enumerate() {
            let [a, b, c, d] = [first[0][unit], first[1][unit], first[2][unit], first[3][unit]];
            for out in 0..NARROW {
                let sum = a.mul_add(one[out], sums[out]);
                let sum = c.mul_add(three[out], b.mul_add(two[out], sum));
                sums[out] = d.mul_add(four_th[out], sum);
            }
        }
        for ((units, second_slopes), sample) in first.iter().zip(&second_slopes).zip(four) {
            let mut slopes = layer(&[0.0; WIDE], turned, second_slopes);
            for ((slope, &unit), sum) in slopes.iter_mut().zip(&units.0).zip(&mut gradient.rest.first_bias) {
                *slope = if unit > 0.0 { *slope } else { 0.0 };
                *sum += *slope;
            }
            for input in sample.conditions.inputs() {
                for (slope, sum) in slopes.iter().zip(&mut gradient.rest.conditions[input]) {
                    *sum += slope;
                }
            }
            gradient.slopes.push(Row(slopes));
        }
    }
}

/// Returns what is added to the slopes of the outputs of siblings: how much further each is from
/// the truth than the four are in the mean, times a weight. What decides is which is the best, not
/// how good they all are.
#[inline(always)]
fn apart(rest: &Rest, four: &[&Sample], second: &[[f32; NARROW]; FOUR], weight: f32) -> [f32; FOUR] {
    let mut apart = [0.0; FOUR];
    if weight > 0.0 && four.len() == FOUR && four[0].is_sibling {
        let mut mean = 0.0;
        for ((sample, second), apart) in four.iter().zip(second).zip(&mut apart) {
            *apart = output(rest, usize::from(sample.lane) & (LANES - 1), second) - sample.share;
            mean += 0.25 * *apart;
        }
        for apart in &mut apart {
            *apart = weight * (*apart - mean);
        }
    }
    apart
}

/// Returns one output of a board.
#[inline(always)]
fn output(rest: &Rest, lane: usize, second: &[f32; NARROW]) -> f32 {
    let mut out = rest.third_bias[lane];
    for (unit, weights) in second.iter().zip(&rest.third) {
        out += unit * weights[lane];
    }
    squash(out)
}

/// Adds what a sample says of the outputs, and answers the slope of each unit of the second layer.
#[inline(always)]
fn add_outputs(
    rest: &Rest,
    sample: &Sample,
    second: &[f32; NARROW],
    apart: f32,
    (sums, slopes): (&mut Rest, &mut [f32; NARROW]),
) -> f64 {
    let lane = usize::from(sample.lane) & (LANES - 1);
    let (mut out, mut alive) = (rest.third_bias[lane], rest.third_bias[ALIVE]);
    for (unit, weights) in second.iter().zip(&rest.third) {
        out += unit * weights[lane];
        alive += unit * weights[ALIVE];
    }
    let share = squash(out);
    let slope = share - sample.share + apart;
    let alive_slope = ALIVE_WEIGHT * (squash(alive) - sample.odds);
    sums.third_bias[lane] += slope;
    sums.third_bias[ALIVE] += alive_slope;
    for unit in 0..NARROW {
        sums.third[unit][lane] += slope * second[unit];
        sums.third[unit][ALIVE] += alive_slope * second[unit];
        let weights = &rest.third[unit];
        let both = slope * weights[lane] + alive_slope * weights[ALIVE];
        slopes[unit] = if second[unit] > 0.0 { both } else { 0.0 };
        sums.second_bias[unit] += slopes[unit];
    }
    f64::from(divergence(sample.share, share))
}

/// Cross-entropy of a share less that of the true one.
fn divergence(truth: f32, share: f32) -> f32 {
    let part = |truth: f32, share: f32| {
        if truth > 0.0 { truth * (truth / share.max(1e-9)).ln() } else { 0.0 }
    };
    part(truth, share) + part(1.0 - truth, 1.0 - share)
}

/// Moves the weights by the mean of a batch, and empties the sums.
fn step(net: &mut Net, adam: &mut Adam, gradient: &mut Gradient, rate: f32) {
    adam.steps += 1;
    let power = adam.steps.min(100_000) as i32;
    let rate = rate * (1.0 - SECOND_MOMENT.powi(power)).sqrt() / (1.0 - FIRST_MOMENT.powi(power));
    let part = 1.0 / gradient.features.len() as f32;
    gradient.sort();
    for feature in gradient.touched.drain(..) {
        let feature = usize::from(feature);
        let (end, count) = (gradient.places[feature] as usize, gradient.counts[feature] as usize);
        move_row(
            &mut net.first[feature],
            &mut adam.first[feature],
            &mut adam.first_squares[feature],
            (&gradient.slopes, &gradient.samples[end - count..end]),
            part,
            rate,
        );
        gradient.counts[feature] = 0;
    }
    let moments = adam.rest.numbers_mut().zip(adam.rest_squares.numbers_mut());
    for ((weight, sum), (moment, square)) in
        net.rest.numbers_mut().zip(gradient.rest.numbers_mut()).zip(moments)
    {
        move_one(weight, moment, square, *sum * part, rate);
        *sum = 0.0;
    }
}

/// Moves the weights of an input by the slopes of the samples in which it is on.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl+avx2+fma+bmi1+bmi2+lzcnt+popcnt",
    "x86_64+avx2+fma+bmi1+bmi2+lzcnt+popcnt",
))]
fn move_row(
    weights: &mut Row,
    moments: &mut Row,
    squares: &mut Row,
    (slopes, samples): (&[Row], &[u32]),
    part: f32,
    rate: f32,
) {
    let mut sums = [0.0; WIDE];
    for &sample in samples {
        for (sum, slope) in sums.iter_mut().zip(&slopes[sample as usize].0) {
            *sum += slope;
        }
    }
    for unit in 0..WIDE {
        move_one(&mut weights[unit], &mut moments[unit], &mut squares[unit], sums[unit] * part, rate);
    }
}

#[inline(always)]
fn move_one(weight: &mut f32, moment: &mut f32, square: &mut f32, slope: f32, rate: f32) {
    *moment = FIRST_MOMENT * *moment + (1.0 - FIRST_MOMENT) * slope;
    *square = SECOND_MOMENT * *square + (1.0 - SECOND_MOMENT) * slope * slope;
    *weight -= rate * *moment * one_by_root(*square + SMALL * SMALL);
}

/// 1 / √x to six digits, without the division and the root that everything else would wait for: a
/// guess by the bits of the number, and two steps of Newton's method.
#[inline(always)]
fn one_by_root(x: f32) -> f32 {
    let mut root = f32::from_bits(0x5F37_59DF - (x.to_bits() >> 1));
    for _ in 0..2 {
        root *= 1.5 - 0.5 * x * root * root;
    }
    root
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conditions::Conditions;
    use crate::format::{Format, Speed};
    use crate::outputs::Outputs;

    fn conditions() -> Conditions {
        Conditions::of(&Format::HEADLINE)
    }

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
                    conditions: conditions(),
                    lane: (number / 20 % 7) as u8,
                    share: 1.0 - height as f32 / 20.0,
                    odds: f32::from(u8::from(height < 10)),
                    is_sibling: false,
                }
            })
            .collect()
    }

    #[test]
    fn a_net_learns_what_the_height_of_a_column_is_worth() {
        let (mut net, mut adam) = (Net::random(Outputs::usual(Speed::L39), 3), Adam::new());
        let pace = |batches| Pace { batches, batch: 256, rate: 1e-3, siblings: 0.0 };
        let before = learn(&mut net, &mut adam, &samples(), &pace(2), 1);
        learn(&mut net, &mut adam, &samples(), &pace(200), 2);
        let after = learn(&mut net, &mut adam, &samples(), &pace(2), 3);
        assert!(after < 0.003 && after < before / 10.0, "{before} {after}");
        let low = net.shares(conditions(), &features(&Playfield::EMPTY, 40));
        assert!(low.iter().all(|&share| share > 0.9), "{low:?}");
        assert!(
            net.shares(conditions(), &features(&Playfield { columns: samples()[18].columns }, 40))[ALIVE]
                < 0.1
        );
    }

    #[test]
    fn the_quick_root_is_right_to_five_digits() {
        for power in -36..=20 {
            let x = 1.7f32 * 2.0f32.powi(power);
            assert!((one_by_root(x) * x.sqrt() - 1.0).abs() < 1e-5, "{x}");
        }
    }

    #[test]
    fn siblings_are_told_apart_by_what_differs_between_their_errors() {
        let net = Net::random(Outputs::usual(Speed::L39), 5);
        let mut second = [[0.0; NARROW]; FOUR];
        for (number, second) in second.iter_mut().enumerate() {
            second.fill(number as f32 / 10.0);
        }
        let truth = |share, is_sibling| Sample { share, is_sibling, lane: 4, ..samples()[0] };
        let shares = second.map(|second| output(&net.rest, 4, &second));
        let of = |samples: [Sample; FOUR]| apart(&net.rest, &samples.each_ref(), &second, 5.0);
        assert_eq!(of(shares.map(|share| truth(share - 0.1, false))).map(f32::to_bits), [0; FOUR]);
        assert!(of(shares.map(|share| truth(share - 0.1, true))).iter().all(|apart| apart.abs() < 1e-5));
        let mut samples = shares.map(|share| truth(share, true));
        samples[2].share -= 0.04;
        for (apart, expected) in of(samples).iter().zip([-0.05, -0.05, 0.15, -0.05]) {
            assert!((apart - expected).abs() < 1e-5, "{apart} {expected}");
        }
    }

    #[test]
    fn the_gradient_is_the_slope_of_the_loss() {
        let sample = Sample {
            columns: [0b111 << 17; 10],
            to_go: 10,
            lane: 4,
            share: 0.3,
            odds: 1.0,
            is_sibling: false,
            conditions: conditions(),
        };
        let features = features(&Playfield { columns: sample.columns }, 10);
        let mut net = Net::random(Outputs::usual(Speed::L39), 5);
        let loss = |net: &Net| {
            let shares = net.shares(conditions(), &features);
            f64::from(divergence(sample.share, shares[4]) + ALIVE_WEIGHT * divergence(1.0, shares[ALIVE]))
        };
        let mut gradient = Gradient::new();
        add(&net, &turned(&net.rest.second), (&[&sample], 0.0), &mut gradient);
        let input = usize::from(features[0]);
        for unit in 0..8 {
            let slope = f64::from(gradient.slopes[0][unit]);
            let weight = net.first[input][unit];
            net.first[input][unit] = weight + 1e-2;
            let above = loss(&net);
            net.first[input][unit] = weight - 1e-2;
            let below = loss(&net);
            net.first[input][unit] = weight;
            assert!(((above - below) / 2e-2 - slope).abs() < 2e-4 + 0.02 * slope.abs(), "unit {unit}");
            // The inputs that are on for the hands have the same slope, the others none.
            for (input, slopes) in gradient.rest.conditions.iter().enumerate() {
                let expected = if conditions().inputs().contains(&input) { slope } else { 0.0 };
                assert!((f64::from(slopes[unit]) - expected).abs() < 1e-6, "unit {unit}, input {input}");
            }
        }
    }
}
