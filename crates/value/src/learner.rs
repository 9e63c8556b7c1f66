//! A net in training: one value, which is all that a checkpoint has to hold.
//!
//! A round plays games with the net as it is, and learns from them and from what is remembered of
//! rounds before. All that a round needs is in the value: a training that is saved between two
//! rounds, loaded and continued goes on to the same bits. Playing and learning are separate: the
//! games of a round may be played anywhere, in any order.

use serde::{Deserialize, Serialize};
use tetris::{Playfield, SplitMix64};

use crate::experience::{Experience, Lesson, Sample, is_none};
use crate::file::taps;
use crate::format::{Format, Speed};
use crate::learn::{Adam, Pace, learn};
use crate::net::{FOUR, Net};
use crate::outputs::Outputs;

/// What a training follows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// The formats whose taps are played: a game has one of them by lot, each as often. All end
    /// with as many lines as the first.
    pub formats: Vec<Format>,
    /// The speed whose net learns.
    pub speed: Speed,
    /// What the outputs of the net mean.
    pub outputs: Outputs,
    /// From which everything follows.
    pub seed: u64,
    /// Games a round.
    pub games: u32,
    /// Samples of a batch.
    pub batch: u32,
    /// Samples learned from for each new one.
    pub passes: u32,
    /// Samples remembered.
    pub memory: u32,
    /// Size of the steps, at first.
    pub rate: f32,
    /// Rounds after which the steps are half as large.
    pub halving: f32,
    /// See [`Lesson::lambda`].
    pub lambda: f32,
    /// See [`Lesson::exploration`].
    pub exploration: f32,
    /// Rounds at first that are learned from by nothing but what they came to. The linear player
    /// plays them, or the net that the training began with.
    pub taught: u32,
    /// Did it begin with a net?
    pub from_net: bool,
    /// Share of the pieces that the linear player puts anywhere.
    pub stumbling: f32,
    /// Boards of a decision that the linear player likes best, among which the net decides; all
    /// where it is 0.
    pub guided: u32,
    /// Rounds over which the weights of the net that plays are averaged; 1 where it plays as the
    /// last round left it. Steps leave noise that is larger than the differences between places.
    pub average: f32,
    /// Boards of a decision about which the next piece is asked too; where it is 0 games are played
    /// a piece deep.
    pub ahead: u32,
    /// See [`Lesson::looked_at`].
    pub looked_at: u32,
    /// Points that each cell of the rightmost column costs in the decisions of the games.
    pub well: f32,
    /// See [`NetEvaluator::with_caution`].
    ///
    /// [`NetEvaluator::with_caution`]: crate::NetEvaluator::with_caution
    pub caution: f32,
    /// Does the linear player play the taught rounds of a training that began with a net?
    pub by_weights: bool,
    /// Share of the games from the speed's first line that begin on boards which the speed before
    /// has left, where there are any.
    pub inherited: f32,
    /// See [`Lesson::garbage`].
    #[serde(default, skip_serializing_if = "is_none")]
    pub garbage: f32,
    /// How much the differences between four boards of one decision count, beside what each is
    /// worth. Where it is more than 0, [`Lesson::siblings`] is so.
    #[serde(default, skip_serializing_if = "is_none")]
    pub siblings: f32,
}

impl Plan {
    /// What has served so far.
    pub fn new(format: Format, speed: Speed, seed: u64) -> Self {
        Self {
            formats: vec![format],
            speed,
            outputs: Outputs::usual(speed),
            seed,
            games: 256,
            batch: 256,
            passes: 2,
            memory: 30_000,
            rate: 1e-3,
            halving: 150.0,
            lambda: 0.85,
            exploration: 0.01,
            taught: 8,
            from_net: false,
            stumbling: 0.0,
            guided: 0,
            average: 1.0,
            ahead: 0,
            looked_at: 0,
            well: 0.0,
            caution: 0.0,
            by_weights: false,
            inherited: 0.5,
            garbage: 0.0,
            siblings: 0.0,
        }
    }

    /// Lines with which its games end.
    pub(crate) fn end(&self) -> u32 {
        self.speed.end(self.formats.first().map_or(0, |format| format.lines))
    }

    /// Is the net that plays another than the one that the steps move?
    pub(crate) fn averages(&self) -> bool {
        self.average > 1.0
    }
}

/// What is remembered of a round.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Round {
    /// Samples learned from.
    pub samples: u64,
    /// Mean points of its games.
    pub score: f64,
    /// Share of them that reached the end of the speed.
    pub survived: f64,
    /// Mean cross-entropy beyond that of the shares.
    pub loss: f64,
}

/// A training.
#[derive(Clone, Debug, PartialEq)]
pub struct Learner {
    pub(crate) plan: Plan,
    pub(crate) history: Vec<Round>,
    /// Boards to begin games with.
    pub(crate) pool: Vec<[u32; 10]>,
    /// Boards with which the speed before was left.
    pub(crate) inherited: Vec<[u32; 10]>,
    /// Boards with which its own games left the speed.
    pub(crate) left: Vec<[u32; 10]>,
    /// Samples of this round and of those before.
    pub(crate) memory: Vec<Sample>,
    /// The net that plays.
    pub(crate) net: Net,
    /// The net that the steps move, where the one that plays is its average.
    pub(crate) moving: Option<Box<Net>>,
    pub(crate) adam: Adam,
}

/// Boards kept to begin games with.
pub(crate) const POOL: usize = 4_096;

/// Returns what so many halvings leave of 1, by arithmetic that rounds alike everywhere: a
/// library's power would give other machines other nets.
fn halved(halvings: f32) -> f32 {
    let whole = halvings.clamp(0.0, 126.0).floor();
    let rest = -(halvings.clamp(0.0, 126.0) - whole) * std::f32::consts::LN_2;
    let mut series = 1.0;
    for term in (1..=8u8).rev() {
        series = 1.0 + series * rest / f32::from(term);
    }
    series * f32::from_bits((127 - whole as u32) << 23)
}

/// Keeps boards, each in the place of one drawn by lot where there are enough.
fn keep<'a>(kept: &mut Vec<[u32; 10]>, boards: impl Iterator<Item = &'a [u32; 10]>, chance: &mut SplitMix64) {
    for board in boards {
        if kept.len() < POOL {
            kept.push(*board);
        } else {
            kept[chance.below(POOL as u32) as usize] = *board;
        }
    }
}

/// A game of a round that is yet to be played.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Task {
    /// The board to begin with.
    pub columns: [u32; 10],
    /// The lines to begin with.
    pub lines: u32,
    /// From which pieces and accidents follow.
    pub seed: u64,
}

impl Learner {
    /// A training from random weights.
    pub fn new(plan: Plan) -> Self {
        let net = Net::random(plan.outputs, plan.seed);
        Self::of(plan, net)
    }

    /// A training that goes on from a net.
    pub fn from_net(mut plan: Plan, net: Net) -> Self {
        plan.from_net = true;
        Self::of(plan, net)
    }

    /// The same, some of whose games begin on boards with which the speed before was left: see
    /// [`Self::left`].
    #[must_use]
    pub fn inheriting(mut self, boards: &[[u32; 10]]) -> Self {
        self.inherited = boards.iter().take(POOL).copied().collect();
        self
    }

    /// The same without its samples, once it has ended: they are most of its bytes.
    #[must_use]
    pub fn without_samples(mut self) -> Self {
        self.memory.clear();
        self
    }

    /// Boards with which its games left the speed, some of the last thousands.
    pub fn left(&self) -> &[[u32; 10]] {
        &self.left
    }

    fn of(plan: Plan, mut net: Net) -> Self {
        net.outputs = plan.outputs;
        net.taps = taps(&plan.formats);
        net.others.clear();
        let moving = plan.averages().then(|| Box::new(net.clone()));
        Self {
            plan,
            history: Vec::new(),
            pool: Vec::new(),
            inherited: Vec::new(),
            left: Vec::new(),
            memory: Vec::new(),
            net,
            moving,
            adam: Adam::new(),
        }
    }

    /// What it follows.
    pub const fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The rounds so far.
    pub fn history(&self) -> &[Round] {
        &self.history
    }

    /// The net that plays.
    pub const fn net(&self) -> &Net {
        &self.net
    }

    /// Is the next round played by the linear player?
    pub fn is_taught(&self) -> bool {
        self.is_first() && (!self.plan.from_net || self.plan.by_weights)
    }

    /// Is the next round learned from by what it comes to?
    fn is_first(&self) -> bool {
        self.history.len() < self.plan.taught as usize
    }

    /// How the games of the next round are to be played.
    pub fn lesson(&self) -> Lesson {
        Lesson {
            speed: self.plan.speed,
            outputs: self.plan.outputs,
            lambda: self.plan.lambda,
            exploration: if self.is_taught() { self.plan.stumbling } else { self.plan.exploration },
            in_points: !self.is_first(),
            looked_at: self.plan.looked_at,
            garbage: self.plan.garbage,
            siblings: self.plan.siblings > 0.0,
        }
    }

    /// A sequence of the round's own, for one purpose.
    fn chance(&self, purpose: u64) -> SplitMix64 {
        SplitMix64::new(SplitMix64::mix(self.plan.seed ^ purpose << 56 ^ (self.history.len() as u64) << 24))
    }

    /// The games of the next round: four in ten from an empty board, the rest from boards of
    /// earlier rounds.
    pub fn tasks(&self) -> Vec<Task> {
        let mut chance = self.chance(1);
        let from = self.plan.speed.first_line();
        let end = self.plan.end();
        (0..self.plan.games)
            .map(|_| {
                let mut board = if self.pool.is_empty() || chance.below(10) < 4 {
                    Playfield::EMPTY
                } else {
                    Playfield { columns: chance.pick(&self.pool) }
                };
                // Three games in ten begin where the speed does.
                let first = chance.below(10) < 3;
                if first && !self.inherited.is_empty() && chance.fraction() < f64::from(self.plan.inherited) {
                    board = Playfield { columns: chance.pick(&self.inherited) };
                }
                let mut lines = if first { from } else { from + chance.below(end - from) };
                // Of four cells a piece and ten a line: the count of cells says whether lines are
                // even.
                if board.cells() % 4 == 2 && lines % 2 == 0 {
                    lines = (lines + 1).min(end - 1);
                } else if board.cells() % 4 == 0 && lines % 2 == 1 {
                    lines -= 1;
                }
                Task { columns: board.columns, lines: lines.max(from), seed: chance.next_u64() }
            })
            .collect()
    }

    /// Learns from the games of [`Self::tasks`], in their order.
    pub fn learn(&mut self, games: &[Experience]) {
        let samples: usize = games.iter().map(|game| game.samples.len()).sum();
        self.remember(games);
        let rate = self.plan.rate * halved(self.history.len() as f32 / self.plan.halving);
        let batch = self.plan.batch.max(1) as usize;
        let batches = samples * self.plan.passes as usize / batch;
        let pace = Pace { batches, batch, rate, siblings: self.plan.siblings };
        let seed = self.chance(2).state();
        let moving = self.moving.as_deref_mut().unwrap_or(&mut self.net);
        let loss = learn(moving, &mut self.adam, &self.memory, &pace, seed);
        if let Some(moving) = &self.moving {
            // The first rounds count alike.
            self.net.approach(moving, 1.0 / self.plan.average.min(self.history.len() as f32 + 1.0));
        }
        let mut chance = self.chance(3);
        keep(&mut self.pool, games.iter().flat_map(|game| &game.boards), &mut chance);
        keep(&mut self.left, games.iter().flat_map(|game| &game.left), &mut chance);
        let count = games.len().max(1) as f64;
        self.history.push(Round {
            samples: samples as u64,
            score: games.iter().map(|game| game.score as f64).sum::<f64>() / count,
            survived: games.iter().filter(|game| game.left.is_some()).count() as f64 / count,
            loss,
        });
    }

    /// Takes samples into memory, each in the place of one drawn by lot where it is full.
    fn remember(&mut self, games: &[Experience]) {
        // Siblings stay together.
        let together = if self.plan.siblings > 0.0 { FOUR } else { 1 };
        let most = (self.plan.memory as usize).max(together);
        if self.history.len() == self.plan.taught as usize {
            // What somebody else's play came to is not what one's own does.
            self.memory.clear();
        }
        let mut chance = self.chance(4);
        for samples in games.iter().flat_map(|game| game.samples.chunks_exact(together)) {
            if self.memory.len() < most {
                self.memory.extend_from_slice(samples);
            } else {
                let at = together * chance.below((most / together) as u32) as usize;
                self.memory[at..at + together].copy_from_slice(samples);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halvings_are_powers_of_a_half() {
        for step in 0..2_000 {
            let halvings = step as f32 / 64.0;
            let exact = 0.5f64.powf(f64::from(halvings));
            assert!((f64::from(halved(halvings)) / exact - 1.0).abs() < 1e-6, "{halvings}");
        }
        assert!(halved(1e9) > 0.0 && halved(0.0).to_bits() == 1.0f32.to_bits());
    }
}
