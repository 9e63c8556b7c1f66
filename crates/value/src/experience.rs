//! Games played to learn from: weights in, samples out.

use serde::{Deserialize, Serialize};
use tetris::{Piece, Playfield, SplitMix64};

use crate::conditions::Conditions;
use crate::decide::{Decider, Evaluator, Seen};
use crate::evaluator::NetEvaluator;
use crate::format::{Speed, points};
use crate::net::FOUR;
use crate::outputs::Outputs;
use crate::pieces::draw_after;

/// A board before a piece that was seen to be worth something.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// The board.
    pub columns: [u32; 10],
    /// Lines to the end of the speed.
    pub to_go: u16,
    /// The piece, by its number.
    pub lane: u8,
    /// What hands play on.
    pub conditions: Conditions,
    /// What it was worth, as a share of [`Outputs::scale`] from 0 to 1.
    pub share: f32,
    /// The odds of reaching the end of the speed, from 0 to 1.
    pub odds: f32,
    /// Is it one of four boards that one decision could leave, which lie beside each other?
    pub is_sibling: bool,
}

/// How a game is played to learn from.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Lesson {
    /// The speed whose net learns. The game ends with the first lock beyond it.
    pub speed: Speed,
    /// What the outputs of its net mean.
    pub outputs: Outputs,
    /// How far what came of a decision counts, against what it was thought to be worth: 1 is the
    /// points themselves.
    pub lambda: f32,
    /// Share of the pieces that go to a place at random.
    pub exploration: f32,
    /// Does what a decision was thought to be worth count? Ratings that are no points, and those of
    /// a net of another speed, are not learned from.
    pub in_points: bool,
    /// One in so many of the boards that a search looked at is learned from too; none where it is
    /// 0.
    #[serde(default)]
    pub looked_at: u32,
    /// Are they learned from in groups of four, each of one decision and one next piece?
    /// `looked_at` then counts groups.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub siblings: bool,
    /// Mean number of garbage rows per piece, over all games. As in a game of two, the hole is in
    /// the same column throughout a game.
    #[serde(default, skip_serializing_if = "is_none")]
    pub garbage: f32,
}

/// Returns whether a number is 0: a lesson reads as it did before the setting existed.
#[allow(clippy::trivially_copy_pass_by_ref, reason = "what serde calls it with")]
pub(crate) fn is_none(setting: &f32) -> bool {
    *setting == 0.0
}

/// The garbage of one game of a lesson.
struct Garbage {
    /// Mean number of rows per piece.
    rows: f64,
    hole: usize,
}

/// Rows that come up at once, each as likely: what clears of two, three and four rows send
/// (`practice::Side`), with tetrises most often.
const AT_ONCE: [u32; 4] = [1, 2, 4, 4];

impl Garbage {
    /// Draws the garbage of a game: its mean is between 0 and twice that of the lesson.
    fn new(lesson: &Lesson, chance: &mut SplitMix64) -> Option<Self> {
        (lesson.garbage > 0.0).then(|| Self {
            rows: 2.0 * f64::from(lesson.garbage) * chance.fraction(),
            hole: chance.below(10) as usize,
        })
    }

    /// Inserts rows, or none, before the next piece.
    fn rise(&self, board: &mut Playfield, chance: &mut SplitMix64) {
        let mean = f64::from(AT_ONCE.iter().sum::<u32>()) / AT_ONCE.len() as f64;
        if chance.fraction() < self.rows / mean {
            board.lift(chance.pick(&AT_ONCE), self.hole);
        }
    }
}

impl Lesson {
    /// A board of the lesson, whose speed ends with so many lines, to be learned from.
    fn sample(&self, conditions: Conditions, end: u32, seen: &Seen) -> Sample {
        let to_go = end - seen.lines;
        Sample {
            columns: seen.board.columns,
            to_go: to_go as u16,
            lane: seen.piece as u8,
            conditions,
            share: (seen.value / self.outputs.scale(to_go)).clamp(0.0, 1.0),
            odds: seen.odds.clamp(0.0, 1.0),
            is_sibling: false,
        }
    }
}

/// What a game was played from and what it came to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Experience {
    /// What is to be learned.
    pub samples: Vec<Sample>,
    /// Some of the boards on the way, to begin other games with.
    pub boards: Vec<[u32; 10]>,
    /// Points of the game.
    pub score: u64,
    /// The board with which it left the speed at its end, where it came to that.
    pub left: Option<[u32; 10]>,
}

/// Pieces after which a lesson ends in any case.
const LONGEST: usize = 1_000;

/// A decision of a game, and what followed at once.
struct Step {
    board: Playfield,
    lines: u32,
    piece: Piece,
    /// What the decision expected: points, and the odds of reaching the end of the speed.
    thought: f32,
    odds: f32,
    explored: bool,
    points: f32,
}

/// Plays a game from a board, by the decisions of an evaluator. `later` says what a board is worth
/// with which the next speed begins.
pub fn experience(
    decider: &mut Decider,
    evaluator: &mut impl Evaluator,
    later: &mut NetEvaluator,
    lesson: &Lesson,
    start: (Playfield, u32),
    seed: u64,
) -> Experience {
    let end = lesson.speed.end(decider.format().lines);
    let conditions = Conditions::of(decider.format());
    let mut chance = SplitMix64::new(seed);
    let (mut board, mut lines) = start;
    let mut piece = chance.pick(&Piece::ALL);
    let garbage = Garbage::new(lesson, &mut chance);
    let mut experience = Experience::default();
    let mut steps: Vec<Step> = Vec::new();
    // What remains after the last step.
    let mut remains = 0.0;
    while steps.len() < LONGEST {
        let Some(choice) = decider.decide(evaluator, &board, lines, piece) else { break };
        let next = draw_after(&mut chance, piece);
        if lesson.looked_at > 0 && lesson.in_points {
            if lesson.siblings {
                siblings(evaluator.seen(), lesson, (conditions, end), &mut chance, &mut experience.samples);
            } else {
                for seen in evaluator.seen() {
                    if seen.lines < end && chance.one_in(lesson.looked_at) {
                        experience.samples.push(lesson.sample(conditions, end, seen));
                    }
                }
            }
        }
        let mut target = choice.targets[next as usize];
        let explored = chance.fraction() < f64::from(lesson.exploration);
        if explored {
            let places = decider.reach().targets();
            let places: Vec<usize> = (0..places.len()).filter(|&number| places[number].at_once).collect();
            if !places.is_empty() {
                target = chance.pick(&places);
            }
        }
        let child = decider.children()[target];
        let points = if child.cleared > 0 { points(child.cleared, child.lines) } else { 0 };
        experience.score += u64::from(points);
        steps.push(Step {
            board,
            lines,
            piece,
            thought: choice.points,
            odds: choice.odds,
            explored,
            points: points as f32 + lesson.outputs.bonus(child.cleared, points),
        });
        (board, lines, piece) = (child.board, child.lines, next);
        if lines >= end {
            experience.left = Some(board.columns);
            remains = lesson.outputs.share_of_later * (later.rate(&child)[next as usize] - points as f32);
            break;
        }
        if let Some(garbage) = &garbage {
            garbage.rise(&mut board, &mut chance);
        }
    }
    let mut odds = f32::from(u8::from(experience.left.is_some()));
    for step in steps.iter().rev() {
        let came = step.points + remains;
        let lambda = if !lesson.in_points {
            1.0
        } else if step.explored {
            0.0
        } else {
            lesson.lambda
        };
        remains = lambda * came + (1.0 - lambda) * if lesson.in_points { step.thought } else { 0.0 };
        odds = lambda * odds + (1.0 - lambda) * if lesson.in_points { step.odds } else { 0.0 };
        let seen = Seen { board: step.board, lines: step.lines, piece: step.piece, value: remains, odds };
        experience.samples.push(lesson.sample(conditions, end, &seen));
        if chance.one_in(32) {
            experience.boards.push(step.board.columns);
        }
    }
    if lesson.siblings {
        let fours = experience.samples.len() / FOUR * FOUR;
        experience.samples.truncate(fours);
    }
    experience
}

/// Learns from four of the boards that a search looked at for one next piece.
fn siblings(
    seen: &[Seen],
    lesson: &Lesson,
    (conditions, end): (Conditions, u32),
    chance: &mut SplitMix64,
    samples: &mut Vec<Sample>,
) {
    for piece in Piece::ALL {
        if !chance.one_in(lesson.looked_at) {
            continue;
        }
        let mut four: Vec<&Seen> =
            seen.iter().filter(|seen| seen.piece == piece && seen.lines < end).collect();
        if four.len() < FOUR {
            continue;
        }
        while four.len() > FOUR {
            four.swap_remove(chance.below(four.len() as u32) as usize);
        }
        samples.extend(
            four.iter().map(|seen| Sample { is_sibling: true, ..lesson.sample(conditions, end, seen) }),
        );
    }
}
