//! A small net: what remains of a stage's points after a lock, for each next piece.
//!
//! [`INPUTS`] inputs of which [`SLOTS`] are on, and [`CONDITIONS`] of which two are on; [`WIDE`]
//! units, [`NARROW`] units, eight outputs. Units are rectified, outputs squashed to a share from 0
//! to 1: seven of [`Outputs::scale`], and the probability that the game comes to the end of the
//! speed. All sums run in the same order on every machine, so that a net plays the same games
//! everywhere.

use std::sync::Arc;

use multiversion::multiversion;
use tetris::{Playfield, SplitMix64};

use crate::conditions::{CONDITIONS, Conditions, EVERY_TAPS};
use crate::features::{Features, INPUTS, SLOTS, features};
use crate::outputs::Outputs;

/// Units of the first layer.
pub const WIDE: usize = 128;
/// Units of the second.
pub const NARROW: usize = 32;
/// Outputs.
pub(crate) const LANES: usize = 8;
/// The output that is the odds of coming to the end of the speed.
pub(crate) const ALIVE: usize = 7;

/// Weights of a net.
#[derive(Clone, Debug, PartialEq)]
pub struct Net {
    /// By input: its part of each unit.
    pub(crate) first: Vec<Row>,
    pub(crate) rest: Box<Rest>,
    /// What its outputs mean.
    pub(crate) outputs: Outputs,
    /// The tap speeds that it learned from, as bits.
    pub(crate) taps: u8,
    /// Whether it learned from games with garbage rows: then it is asked in duels alone.
    pub(crate) for_duels: bool,
    /// Nets of the same speed that learned from other tap speeds, or for duels.
    pub(crate) others: Vec<Arc<Self>>,
}

/// A number for each unit of the first layer, in cache lines of its own.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(64))]
pub(crate) struct Row(pub(crate) [f32; WIDE]);

impl Row {
    pub(crate) const ZERO: Self = Self([0.0; WIDE]);
}

impl std::ops::Deref for Row {
    type Target = [f32; WIDE];

    #[inline(always)]
    fn deref(&self) -> &[f32; WIDE] {
        &self.0
    }
}

impl std::ops::DerefMut for Row {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [f32; WIDE] {
        &mut self.0
    }
}

/// All but the first layer's weights.
#[derive(Clone, Debug, PartialEq)]
#[repr(C, align(64))]
pub(crate) struct Rest {
    pub(crate) first_bias: [f32; WIDE],
    /// By condition: its part of each unit of the first layer.
    pub(crate) conditions: [[f32; WIDE]; CONDITIONS],
    pub(crate) second: [[f32; NARROW]; WIDE],
    pub(crate) second_bias: [f32; NARROW],
    pub(crate) third: [[f32; LANES]; NARROW],
    pub(crate) third_bias: [f32; LANES],
}

impl Rest {
    pub(crate) const ZERO: Self = Self {
        first_bias: [0.0; WIDE],
        conditions: [[0.0; WIDE]; CONDITIONS],
        second: [[0.0; NARROW]; WIDE],
        second_bias: [0.0; NARROW],
        third: [[0.0; LANES]; NARROW],
        third_bias: [0.0; LANES],
    };
    /// Numbers in it.
    pub(crate) const LENGTH: usize =
        WIDE + CONDITIONS * WIDE + WIDE * NARROW + NARROW + NARROW * LANES + LANES;

    /// All numbers, in order.
    pub(crate) fn numbers(&self) -> impl Iterator<Item = &f32> {
        self.first_bias
            .iter()
            .chain(self.conditions.as_flattened())
            .chain(self.second.as_flattened())
            .chain(&self.second_bias)
            .chain(self.third.as_flattened())
            .chain(&self.third_bias)
    }

    /// The same, to be changed.
    pub(crate) fn numbers_mut(&mut self) -> impl Iterator<Item = &mut f32> {
        self.first_bias
            .iter_mut()
            .chain(self.conditions.as_flattened_mut())
            .chain(self.second.as_flattened_mut())
            .chain(&mut self.second_bias)
            .chain(self.third.as_flattened_mut())
            .chain(&mut self.third_bias)
    }
}

/// What is computed of a board on the way to the outputs.
#[derive(Clone, Debug)]
pub(crate) struct Sums {
    pub(crate) features: Features,
    pub(crate) first: Row,
    /// See [`Net::bias`].
    bias: Row,
}

impl Net {
    /// A net of small weights from a seed, whose outputs mean this. It makes nothing of conditions.
    pub fn random(outputs: Outputs, seed: u64) -> Self {
        let mut random = SplitMix64::new(seed);
        let mut draw = |spread: f32| {
            // The sum of two is a triangle: near enough to a bell.
            let word = random.next_u64();
            let (one, two) = ((word >> 40) as f32, (word >> 16 & 0xFF_FFFF) as f32);
            spread * 2.45 * ((one + two) / 16_777_216.0 - 1.0)
        };
        let mut net = Self::zero(outputs);
        for weight in net.first.iter_mut().flat_map(|row| &mut row.0) {
            *weight = draw(1.0 / (SLOTS as f32).sqrt());
        }
        for weight in net.rest.second.as_flattened_mut() {
            *weight = draw((2.0 / WIDE as f32).sqrt());
        }
        for weight in net.rest.third.as_flattened_mut() {
            *weight = draw(0.5 / (NARROW as f32).sqrt());
        }
        net
    }

    pub(crate) fn zero(outputs: Outputs) -> Self {
        let (first, rest) = (vec![Row::ZERO; INPUTS], Box::new(Rest::ZERO));
        Self { first, rest, outputs, taps: EVERY_TAPS, for_duels: false, others: Vec::new() }
    }

    /// All numbers, in order.
    pub(crate) fn numbers(&self) -> impl Iterator<Item = &f32> {
        self.first.iter().flat_map(|row| &row.0).chain(self.rest.numbers())
    }

    fn numbers_mut(&mut self) -> impl Iterator<Item = &mut f32> {
        self.first.iter_mut().flat_map(|row| &mut row.0).chain(self.rest.numbers_mut())
    }

    /// Moves every number by a share of what it differs from that of another net.
    pub(crate) fn approach(&mut self, other: &Self, share: f32) {
        for (number, other) in self.numbers_mut().zip(other.numbers()) {
            *number = other - (1.0 - share) * (other - *number);
        }
    }

    /// Returns the net with every number rounded to 16 significant bits. Packed ([`crate::pack`]),
    /// it takes about 30 % less room.
    #[must_use]
    pub fn rounded(&self) -> Self {
        let mut net = self.clone();
        for number in net.numbers_mut() {
            *number = f32::from_bits(number.to_bits().saturating_add(0x80) & !0xFF);
        }
        net
    }

    /// Returns the net that is to be asked about a format: this one, or one beside it that learned
    /// from tap speeds nearer to the format's. One for duels only where there is no other.
    pub(crate) fn suited(self: &Arc<Self>, conditions: Conditions) -> &Arc<Self> {
        // Of equals the first, which is this one.
        let nets = std::iter::once(self).chain(&self.others);
        nets.min_by_key(|net| (net.for_duels, conditions.steps_to(net.taps))).unwrap_or(self)
    }

    /// Does it learn from the same games as another? They cannot stand beside each other.
    pub(crate) fn stands_for(&self, other: &Self) -> bool {
        self.for_duels == other.for_duels && self.taps & other.taps != 0
    }

    /// Returns what its outputs mean.
    pub const fn outputs(&self) -> &Outputs {
        &self.outputs
    }

    /// Returns the biases of the first layer with what the conditions add to them.
    pub(crate) fn bias(&self, conditions: Conditions) -> Row {
        let mut bias = Row(self.rest.first_bias);
        for input in conditions.inputs() {
            for (sum, weight) in bias.iter_mut().zip(&self.rest.conditions[input]) {
                *sum += weight;
            }
        }
        bias
    }

    /// The shares of the scale by next piece, and the odds of coming to the end of the speed.
    pub fn shares(&self, conditions: Conditions, features: &Features) -> [f32; LANES] {
        self.shares_by(&self.bias(conditions), features)
    }

    /// The same with the biases of the conditions.
    pub(crate) fn shares_by(&self, bias: &Row, features: &Features) -> [f32; LANES] {
        let mut sums = *bias;
        add_all(&self.first, features, &mut sums);
        outputs(self, &sums)
    }
}

impl Sums {
    pub(crate) const fn new() -> Self {
        Self { features: [0; SLOTS], first: Row::ZERO, bias: Row::ZERO }
    }

    /// Sums up from nothing.
    pub(crate) fn fill(&mut self, net: &Net, bias: &Row, features: &Features) {
        self.features = *features;
        self.bias = *bias;
        self.first = *bias;
        add_all(&net.first, features, &mut self.first);
    }
}

#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl+avx2+fma+bmi1+bmi2+lzcnt+popcnt",
    "x86_64+avx2+fma+bmi1+bmi2+lzcnt+popcnt",
))]
fn add_all(weights: &[Row], features: &Features, sums: &mut [f32; WIDE]) {
    sum_up(weights, features, sums);
}

#[inline(always)]
pub(crate) fn sum_up(weights: &[Row], features: &Features, sums: &mut [f32; WIDE]) {
    let mut all = *sums;
    for &feature in features {
        let row = &weights[usize::from(feature)];
        for (sum, weight) in all.iter_mut().zip(&row.0) {
            *sum += weight;
        }
    }
    *sums = all;
}

/// The first layer's units of a board of which only some features differ from another's.
#[inline(always)]
fn first_beside(net: &Net, parent: &Sums, features: &Features) -> [f32; WIDE] {
    let mut units = sums_beside(net, parent, features);
    rectify(&mut units);
    units
}

#[inline(always)]
pub(crate) fn rectify<const N: usize>(units: &mut [f32; N]) {
    for unit in units {
        *unit = unit.max(0.0);
    }
}

#[inline(always)]
fn sums_beside(net: &Net, parent: &Sums, features: &Features) -> [f32; WIDE] {
    let mut changed = [0u8; SLOTS + 1];
    let mut count = 0;
    for (slot, (before, after)) in parent.features.iter().zip(features).enumerate() {
        changed[count] = slot as u8;
        count += usize::from(before != after);
    }
    if 2 * count > SLOTS {
        let mut sums = parent.bias.0;
        sum_up(&net.first, features, &mut sums);
        return sums;
    }
    let mut sums = parent.first.0;
    for &slot in &changed[..count] {
        let slot = usize::from(slot);
        let before = &net.first[usize::from(parent.features[slot])];
        let after = &net.first[usize::from(features[slot])];
        for ((sum, before), after) in sums.iter_mut().zip(&before.0).zip(&after.0) {
            *sum += after - before;
        }
    }
    sums
}

/// The outputs of a board of which only some features differ from another's.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl+avx2+fma+bmi1+bmi2+lzcnt+popcnt",
    "x86_64+avx2+fma+bmi1+bmi2+lzcnt+popcnt",
))]
pub(crate) fn shares_beside(net: &Net, parent: &Sums, board: &Playfield, lines_to_go: u32) -> [f32; LANES] {
    let features = features(board, lines_to_go);
    outputs_of_one(net, &first_beside(net, parent, &features))
}

/// Boards that are rated together: a unit waits for the one before it, those of four boards do not
/// wait for each other.
pub(crate) const FOUR: usize = 4;

/// The outputs of four boards, each as [`shares_beside`] has them.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl+avx2+fma+bmi1+bmi2+lzcnt+popcnt",
    "x86_64+avx2+fma+bmi1+bmi2+lzcnt+popcnt",
))]
pub(crate) fn shares_of_four(
    net: &Net,
    parent: &Sums,
    boards: [(&Playfield, u32); FOUR],
) -> [[f32; LANES]; FOUR] {
    let mut first = [[0.0; WIDE]; FOUR];
    for (units, (board, lines_to_go)) in first.iter_mut().zip(boards) {
        *units = first_beside(net, parent, &features(board, lines_to_go));
    }
    outputs_of_four(net, first.each_ref())
}

#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl+avx2+fma+bmi1+bmi2+lzcnt+popcnt",
    "x86_64+avx2+fma+bmi1+bmi2+lzcnt+popcnt",
))]
fn outputs(net: &Net, sums: &[f32; WIDE]) -> [f32; LANES] {
    let mut first = *sums;
    rectify(&mut first);
    outputs_of_one(net, &first)
}

/// Adds a unit's part of the units of the next layer.
#[inline(always)]
fn add_part<const N: usize>(outs: &mut [f32; N], unit: f32, weights: &[f32; N]) {
    for (out, weight) in outs.iter_mut().zip(weights) {
        *out = unit.mul_add(*weight, *out);
    }
}

/// What a layer makes of the units of four boards.
#[inline(always)]
pub(crate) fn layer_of_four<const M: usize, const N: usize>(
    bias: &[f32; N],
    weights: &[[f32; N]; M],
    units: [&[f32; M]; FOUR],
) -> [[f32; N]; FOUR] {
    // Not an array: it would not be kept in registers.
    let (mut one, mut two, mut three, mut four) = (*bias, *bias, *bias, *bias);
    for (number, weights) in weights.iter().enumerate() {
        add_part(&mut one, units[0][number], weights);
        add_part(&mut two, units[1][number], weights);
        add_part(&mut three, units[2][number], weights);
        add_part(&mut four, units[3][number], weights);
    }
    [one, two, three, four]
}

/// What a layer makes of the units of a board.
#[inline(always)]
pub(crate) fn layer<const M: usize, const N: usize>(
    bias: &[f32; N],
    weights: &[[f32; N]; M],
    units: &[f32; M],
) -> [f32; N] {
    let mut outs = *bias;
    for (unit, weights) in units.iter().zip(weights) {
        add_part(&mut outs, *unit, weights);
    }
    outs
}

#[inline(always)]
fn outputs_of_one(net: &Net, first: &[f32; WIDE]) -> [f32; LANES] {
    let rest = &net.rest;
    let mut second = layer(&rest.second_bias, &rest.second, first);
    rectify(&mut second);
    let mut outputs = layer(&rest.third_bias, &rest.third, &second);
    for output in &mut outputs {
        *output = squash(*output);
    }
    outputs
}

#[inline(always)]
fn outputs_of_four(net: &Net, first: [&[f32; WIDE]; FOUR]) -> [[f32; LANES]; FOUR] {
    let rest = &net.rest;
    let mut second = layer_of_four(&rest.second_bias, &rest.second, first);
    second.iter_mut().for_each(rectify);
    let mut outputs = layer_of_four(&rest.third_bias, &rest.third, second.each_ref());
    for outputs in &mut outputs {
        for output in outputs {
            *output = squash(*output);
        }
    }
    outputs
}

/// 1 / (1 + e^-x), by arithmetic that rounds alike everywhere; off by less than a millionth.
#[inline(always)]
pub(crate) fn squash(x: f32) -> f32 {
    let x = x.clamp(-20.0, 20.0);
    // e^-x is two to the power of a whole number, and of a rest from -1/2 to 1/2 by Taylor's
    // series.
    let power = -x * std::f32::consts::LOG2_E;
    let whole = (power + 12_582_912.0) - 12_582_912.0;
    let rest = (power - whole) * std::f32::consts::LN_2;
    let series = 1.0
        + rest
            * (1.0
                + rest
                    * (0.5 + rest * (1.0 / 6.0 + rest * (1.0 / 24.0 + rest * (1.0 / 120.0 + rest / 720.0)))));
    let exponent = f32::from_bits(((whole as i32 + 127) as u32) << 23);
    1.0 / (1.0 + series * exponent)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::Speed;

    #[test]
    fn the_squash_is_the_logistic_function() {
        for step in -1_500..=1_500 {
            let x = step as f32 / 100.0;
            let exact = 1.0 / (1.0 + (-f64::from(x)).exp());
            assert!((f64::from(squash(x)) - exact).abs() < 1e-6, "{x}");
        }
    }

    #[test]
    fn a_board_beside_another_has_the_outputs_of_its_own() {
        let mut net = Net::random(Outputs::usual(Speed::L18), 1);
        net.rest.conditions[4].fill(0.25);
        let conditions = Conditions::of(&"bt-15hz-18f".parse().unwrap());
        let mut parent = Sums::new();
        parent.fill(&net, &net.bias(conditions), &features(&Playfield::EMPTY, 50));
        let mut board = Playfield::EMPTY;
        board.columns[3] |= 7 << 17;
        let beside = shares_beside(&net, &parent, &board, 48);
        for (beside, alone) in beside.into_iter().zip(net.shares(conditions, &features(&board, 48))) {
            assert!((beside - alone).abs() < 1e-5, "{beside} {alone}");
        }
        let mut others = [board; FOUR];
        for (number, other) in others.iter_mut().enumerate() {
            other.columns[number] |= 31 << 15;
        }
        let four = shares_of_four(&net, &parent, others.each_ref().map(|board| (board, 47)));
        for (board, shares) in others.iter().zip(four) {
            // To the bit.
            assert_eq!(shares.map(f32::to_bits), shares_beside(&net, &parent, board, 47).map(f32::to_bits));
        }
    }

    #[test]
    fn conditions_change_what_a_board_is_worth_and_cost_nothing_where_a_net_makes_nothing_of_them() {
        let mut net = Net::random(Outputs::usual(Speed::L18), 1);
        let [fast, slow] = ["bt-30hz-18f", "bt-10hz-18f"].map(|name| Conditions::of(&name.parse().unwrap()));
        let board = features(&Playfield::EMPTY, 50);
        let bits = |net: &Net, conditions| net.shares(conditions, &board).map(f32::to_bits);
        assert_eq!(bits(&net, fast), bits(&net, slow));
        let before = bits(&net, fast);
        net.rest.conditions[slow.inputs()[0]].fill(0.5);
        assert_eq!(bits(&net, fast), before);
        assert_ne!(bits(&net, slow), before);
    }
}
