//! A net in training: one value, which is all that a checkpoint has to hold.
//!
//! A round plays games with the net as it is, and learns from them and from what is remembered of
//! rounds before. All that a round needs is in the value: a training that is saved between two
//! rounds, loaded and continued goes on to the same bits. Playing and learning are separate: the
//! games of a round may be played anywhere, in any order.

use serde::{Deserialize, Serialize};
use tetris::SplitMix64;

use crate::board::Board;
use crate::experience::{Experience, Lesson, Sample};
use crate::features::end_of;
use crate::format::{Format, Speed};
use crate::learn::{Adam, Pace, learn};
use crate::net::Net;

/// What a training follows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// The format whose taps are played.
    pub format: Format,
    /// The speed whose net learns.
    pub speed: Speed,
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
    #[serde(default = "one")]
    pub average: f32,
    /// Boards of a decision about which the next piece is asked too; where it is 0 games are played
    /// a piece deep.
    #[serde(default)]
    pub ahead: u32,
    /// See [`Lesson::looked_at`].
    #[serde(default)]
    pub looked_at: u32,
    /// Points that each cell of the rightmost column costs in the decisions of the games.
    #[serde(default)]
    pub well: f32,
    /// See [`NetJudge::with_caution`].
    ///
    /// [`NetJudge::with_caution`]: crate::NetJudge::with_caution
    #[serde(default)]
    pub caution: f32,
    /// Does the linear player play the taught rounds of a training that began with a net?
    #[serde(default)]
    pub by_weights: bool,
}

const fn one() -> f32 {
    1.0
}

impl Plan {
    /// What has served so far.
    pub const fn new(format: Format, speed: Speed, seed: u64) -> Self {
        Self {
            format,
            speed,
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
            average: one(),
            ahead: 0,
            looked_at: 0,
            well: 0.0,
            caution: 0.0,
            by_weights: false,
        }
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
    /// Samples of this round and of those before.
    pub(crate) memory: Vec<Sample>,
    /// The net that plays.
    pub(crate) net: Net,
    /// The net that the steps move, where the one that plays is its average.
    pub(crate) moving: Option<Box<Net>>,
    pub(crate) adam: Adam,
}

/// Boards kept to begin games with.
const POOL: usize = 4_096;

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
        let net = Net::random(plan.seed);
        Self::of(plan, net, Vec::new())
    }

    /// A training that goes on from a net, with boards to begin games with.
    pub fn from_net(mut plan: Plan, net: Net, pool: Vec<[u32; 10]>) -> Self {
        plan.from_net = true;
        Self::of(plan, net, pool)
    }

    fn of(plan: Plan, net: Net, pool: Vec<[u32; 10]>) -> Self {
        let moving = plan.averages().then(|| Box::new(net.clone()));
        Self { plan, history: Vec::new(), pool, memory: Vec::new(), net, moving, adam: Adam::new() }
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
            lambda: self.plan.lambda,
            exploration: if self.is_taught() { self.plan.stumbling } else { self.plan.exploration },
            in_points: !self.is_first(),
            looked_at: self.plan.looked_at,
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
        let from = Speed::LINES[self.plan.speed as usize];
        let end = end_of(self.plan.speed, self.plan.format.lines);
        (0..self.plan.games)
            .map(|_| {
                let board = if self.pool.is_empty() || chance.below(10) < 4 {
                    Board::EMPTY
                } else {
                    Board { columns: chance.pick(&self.pool) }
                };
                // Three games in ten begin where the speed does.
                let first = chance.below(10) < 3;
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
        let rate = self.plan.rate * 0.5f32.powf(self.history.len() as f32 / self.plan.halving);
        let batch = self.plan.batch.max(1) as usize;
        let pace = Pace { batches: samples * self.plan.passes as usize / batch, batch, rate };
        let seed = self.chance(2).state();
        let moving = self.moving.as_deref_mut().unwrap_or(&mut self.net);
        let loss = learn(moving, &mut self.adam, &self.memory, &pace, seed);
        if let Some(moving) = &self.moving {
            // The first rounds count alike.
            self.net.approach(moving, 1.0 / self.plan.average.min(self.history.len() as f32 + 1.0));
        }
        let mut chance = self.chance(3);
        for board in games.iter().flat_map(|game| &game.boards) {
            if self.pool.len() < POOL {
                self.pool.push(*board);
            } else {
                self.pool[chance.below(POOL as u32) as usize] = *board;
            }
        }
        let count = games.len().max(1) as f64;
        self.history.push(Round {
            samples: samples as u64,
            score: games.iter().map(|game| game.score as f64).sum::<f64>() / count,
            survived: games.iter().filter(|game| game.survived).count() as f64 / count,
            loss,
        });
    }
    /// Takes samples into memory, each in the place of one drawn by lot where it is full.
    fn remember(&mut self, games: &[Experience]) {
        let most = (self.plan.memory as usize).max(1);
        if self.history.len() == self.plan.taught as usize {
            // What somebody else's play came to is not what one's own does.
            self.memory.clear();
        }
        let mut chance = self.chance(4);
        for sample in games.iter().flat_map(|game| &game.samples) {
            if self.memory.len() < most {
                self.memory.push(*sample);
            } else {
                self.memory[chance.below(most as u32) as usize] = *sample;
            }
        }
    }
}
