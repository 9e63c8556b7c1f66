//! Games of a round, played apart from who learns from them: on another thread, in another process,
//! on another machine.

use std::sync::Arc;

use crate::decide::Decider;
use crate::evaluator::{NetEvaluator, Nets};
use crate::experience::{Experience, Lesson, Sample, experience};
use crate::format::{Format, Speed};
use crate::learner::{Learner, Task};
use crate::linear::Linear;
use crate::net::Net;
use crate::search::{Candidates, Search};
use tetris::{ALL_ROWS, Playfield, SplitMix64};

/// Keeps the lot of a game's format apart from those of its pieces.
const FORMATS: u64 = 0x666F_726D_6174_7300;

/// How the games of a round are played, and by which net: all that an [`Actor`] has to know besides
/// the nets of later speeds.
#[derive(Clone, Debug, PartialEq)]
pub struct Assignment {
    /// The formats whose taps are played: see [`Self::format_of`].
    pub formats: Vec<Format>,
    /// Rounds before this one.
    pub round: u64,
    /// Does the linear player play?
    pub taught: bool,
    /// Boards of a decision that the linear player likes best, among which the net decides; all
    /// where it is 0.
    pub guided: u32,
    /// Boards of a decision about which the next piece is asked too; none where it is 0.
    pub ahead: u32,
    /// Points that each cell of the rightmost column costs.
    pub well: f32,
    /// See [`NetEvaluator::with_caution`].
    pub caution: f32,
    /// How the games go.
    pub lesson: Lesson,
    /// The net of the lesson's speed.
    pub net: Arc<Net>,
}

/// A game that was played: what is sent back.
#[derive(Clone, Debug, PartialEq)]
pub struct Played {
    /// [`Assignment::hash`] of what it was played by.
    pub assignment: u64,
    /// The seed of its task.
    pub seed: u64,
    /// What came of it.
    pub experience: Experience,
}

/// A task that no round has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "task: expected columns of 20 bits and fewer than {end} lines, found {lines} lines and columns {columns:x?}"
)]
pub struct TaskError {
    columns: [u32; 10],
    lines: u32,
    end: u32,
}

/// Games that are not those of the round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlayedError {
    /// More or fewer.
    #[error("expected {expected} games, one for each task, found {found}")]
    Count {
        /// Tasks of the round.
        expected: usize,
        /// Games.
        found: usize,
    },
    /// Of another assignment, for instance that of an earlier round.
    #[error("game {number}: expected one of assignment {expected:016x}, found one of {found:016x}")]
    Assignment {
        /// Which game.
        number: usize,
        /// The hash of the round's assignment.
        expected: u64,
        /// That of the game.
        found: u64,
    },
    /// Of another task.
    #[error(
        "game {number}: expected seed {expected:016x}, found {found:016x}; games are in the order of the tasks"
    )]
    Seed {
        /// Which game.
        number: usize,
        /// The seed of its task.
        expected: u64,
        /// That of the game.
        found: u64,
    },
    /// With a board or a share that no game has.
    #[error("game {number}: expected columns of 20 bits and shares from 0 to 1, found others")]
    Sample {
        /// Which game.
        number: usize,
    },
}

/// Plays the games of a round. What it makes of a task depends on the task and the assignment
/// alone, not on what it played before.
#[derive(Clone, Debug)]
pub struct Actor {
    /// One for each format of the assignment.
    hands: Vec<FormatPlayer>,
    lesson: Lesson,
    taught: bool,
    end: u32,
}

/// A player of one format.
#[derive(Clone, Debug)]
struct FormatPlayer {
    decider: Decider,
    search: Search,
    later: NetEvaluator,
    linear: Linear,
}

impl Actor {
    /// A player of an assignment. What comes after its speed is worth what the nets of later speeds
    /// say.
    pub fn new(assignment: &Assignment, later: &Nets) -> Self {
        let Assignment { formats, lesson, taught, guided, ahead, well, caution, net, .. } = assignment;
        let mut nets = later.clone();
        nets[lesson.speed as usize] = Some(Arc::clone(net));
        let hands = |format: &Format| {
            let linear = Linear::built_in(format);
            let evaluator = NetEvaluator::new(format, nets.clone()).with_well(*well).with_caution(*caution);
            let candidates = Candidates::best(linear.clone(), *guided as usize);
            let search = Search::new(format, evaluator, candidates, &[[*ahead as usize; 4]], 0);
            FormatPlayer {
                decider: Decider::new(format),
                search: if lesson.looked_at > 0 { search.remembering() } else { search },
                later: NetEvaluator::new(format, nets.clone()).in_points(),
                linear,
            }
        };
        Self {
            hands: formats.iter().map(hands).collect(),
            lesson: *lesson,
            taught: *taught,
            end: formats.first().map_or(0, |format| lesson.speed.end(format.lines)),
        }
    }

    /// Plays a game.
    ///
    /// # Errors
    /// When the task is none of a round.
    pub fn play(&mut self, task: &Task) -> Result<Experience, TaskError> {
        let &Task { columns, lines, seed } = task;
        if lines >= self.end || !are_columns(&columns) {
            return Err(TaskError { columns, lines, end: self.end });
        }
        let Self { hands, lesson, taught, .. } = self;
        let number = format_number(hands.len(), seed);
        let FormatPlayer { decider, search, later, linear } = &mut hands[number];
        let start = (Playfield { columns }, lines);
        Ok(if *taught {
            experience(decider, linear, later, lesson, start, seed)
        } else {
            experience(decider, search, later, lesson, start, seed)
        })
    }
}

impl Learner {
    /// How the games of the next round are to be played, and by which net.
    pub fn assignment(&self) -> Assignment {
        let plan = self.plan();
        Assignment {
            formats: plan.formats.clone(),
            round: self.history().len() as u64,
            taught: self.is_taught(),
            guided: plan.guided,
            ahead: plan.ahead,
            well: plan.well,
            caution: plan.caution,
            lesson: self.lesson(),
            net: Arc::new(self.net().clone()),
        }
    }

    /// Learns from games that came from elsewhere, in the order of [`Self::tasks`].
    ///
    /// # Errors
    /// When they are not those of [`Self::assignment`] and [`Self::tasks`]; nothing was learned
    /// then.
    pub fn learn_played(&mut self, games: Vec<Played>) -> Result<(), PlayedError> {
        let (tasks, expected) = (self.tasks(), self.assignment().hash());
        if tasks.len() != games.len() {
            return Err(PlayedError::Count { expected: tasks.len(), found: games.len() });
        }
        for (number, (task, game)) in tasks.iter().zip(&games).enumerate() {
            if game.assignment != expected {
                return Err(PlayedError::Assignment { number, expected, found: game.assignment });
            }
            if game.seed != task.seed {
                return Err(PlayedError::Seed { number, expected: task.seed, found: game.seed });
            }
            let Experience { samples, boards, left, .. } = &game.experience;
            let is_sample = |sample: &Sample| {
                are_columns(&sample.columns)
                    && sample.lane < 7
                    && [sample.share, sample.odds].iter().all(|part| (0.0..=1.0).contains(part))
            };
            if !samples.iter().all(is_sample) || !boards.iter().chain(left).all(are_columns) {
                return Err(PlayedError::Sample { number });
            }
        }
        let games: Vec<Experience> = games.into_iter().map(|game| game.experience).collect();
        self.learn(&games);
        Ok(())
    }

    /// What a net's file says of the nets of later speeds that were asked, by the hashes of their
    /// files.
    pub fn notes(later: &[String]) -> String {
        format!("after {}", if later.is_empty() { "nothing".to_owned() } else { later.join("+") })
    }
}

impl Assignment {
    /// The speed whose net learns.
    pub const fn speed(&self) -> Speed {
        self.lesson.speed
    }

    /// Returns the format in which the game of a task with this seed is played; none without
    /// formats.
    pub fn format_of(&self, seed: u64) -> Option<&Format> {
        self.formats.get(format_number(self.formats.len(), seed))
    }
}

/// Which of so many formats the game of a seed has.
fn format_number(formats: usize, seed: u64) -> usize {
    if formats < 2 { 0 } else { SplitMix64::new(seed ^ FORMATS).below(formats as u32) as usize }
}

fn are_columns(columns: &[u32; 10]) -> bool {
    columns.iter().all(|column| column & !ALL_ROWS == 0)
}
