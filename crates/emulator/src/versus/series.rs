//! A match: games of two, one after the other, each with a ready check and a countdown before it
//! and a rule that decides it.

use std::fmt;
use std::str::FromStr;
use std::sync::{Arc, Mutex, PoisonError};

use autopilot::Substitution;
use nes::{Buttons, Cartridge};
use randomizers::Kind;
use tetris::{Profile, SplitMix64};

use super::best_of::BestOf;
use super::duel::{Both, Duel, DuelRules, Standing};
use crate::{LastFrames, Pieces};

/// Frames of the countdown: three seconds.
const COUNTDOWN: u16 = 180;
/// Frames after a game before the next one can be asked for.
const REST: u16 = 60;
/// Games whose beginnings are kept.
const KEPT: usize = 4;

/// How a game is decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Decision {
    /// This player has won.
    Won(usize),
    /// All was equal.
    Draw,
}

/// What decides a game of a match. Both players have the same pieces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MatchKind {
    /// Two, three and four rows push one, two and four up on the other side; who tops out first has
    /// lost.
    #[default]
    Garbage,
    /// Both play until they top out; the higher score wins.
    Score,
    /// Who tops out first has lost.
    LastAlive,
    /// As the Classic Tetris World Championship plays it: the higher score wins, and the game ends
    /// once the player who is left has passed the other's.
    ChaseDown,
    /// Who has so many lines first wins; who tops out before has lost.
    Lines(u16),
}

impl MatchKind {
    /// The names of all kinds.
    pub const NAMES: [&str; 5] = ["garbage", "score", "last-alive", "chase-down", "lines"];
    /// Lines of a game of [`MatchKind::Lines`] unless it says otherwise.
    pub const LINES: u16 = 40;

    /// Returns its number, and the lines that it asks for.
    pub fn number(self) -> (u8, u16) {
        match self {
            Self::Garbage => (0, 0),
            Self::Score => (1, 0),
            Self::LastAlive => (2, 0),
            Self::ChaseDown => (3, 0),
            Self::Lines(lines) => (4, lines),
        }
    }

    /// Returns the kind of a number; `None` if there is none.
    pub fn of_number(number: u8, lines: u16) -> Option<Self> {
        Some(match number {
            0 => Self::Garbage,
            1 => Self::Score,
            2 => Self::LastAlive,
            3 => Self::ChaseDown,
            4 if lines > 0 => Self::Lines(lines),
            _ => return None,
        })
    }

    /// Returns how a game is decided, once it is.
    fn decide(self, [one, two]: [Standing; 2]) -> Option<Decision> {
        use Decision::{Draw, Won};
        let by_score = || match one.score.cmp(&two.score) {
            std::cmp::Ordering::Greater => Won(0),
            std::cmp::Ordering::Less => Won(1),
            std::cmp::Ordering::Equal => Draw,
        };
        let outs = [one.is_out, two.is_out];
        let last = || match outs {
            [true, true] => Some(by_score()),
            [true, false] => Some(Won(1)),
            [false, true] => Some(Won(0)),
            [false, false] => None,
        };
        match self {
            Self::Garbage | Self::LastAlive => last(),
            Self::Score => (outs == [true; 2]).then(by_score),
            Self::ChaseDown => match outs {
                [true, true] => Some(by_score()),
                [true, false] => (two.score > one.score).then_some(Won(1)),
                [false, true] => (one.score > two.score).then_some(Won(0)),
                [false, false] => None,
            },
            Self::Lines(lines) => match [one, two].map(|standing| standing.lines >= lines.into()) {
                [true, true] => Some(by_score()),
                [true, false] => Some(Won(0)),
                [false, true] => Some(Won(1)),
                [false, false] => last(),
            },
        }
    }
}

impl fmt::Display for MatchKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (number, lines) = self.number();
        f.write_str(Self::NAMES[usize::from(number)])?;
        if lines > 0 { write!(f, "={lines}") } else { Ok(()) }
    }
}

/// A name that no kind of match has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected garbage, score, last-alive, chase-down, lines or lines=1 to lines=999, found {0:?}")]
pub struct UnknownMatchKind(pub String);

impl FromStr for MatchKind {
    type Err = UnknownMatchKind;

    fn from_str(text: &str) -> Result<Self, UnknownMatchKind> {
        let unknown = || UnknownMatchKind(text.chars().take(40).collect());
        let (name, lines) = match text.split_once('=') {
            Some((name, lines)) => (name, lines.parse().ok().filter(|lines| (1..=999).contains(lines))),
            None => (text, Some(if text == "lines" { Self::LINES } else { 0 })),
        };
        let number = Self::NAMES.iter().position(|known| *known == name).ok_or_else(unknown)?;
        let lines = lines.filter(|_| name == "lines" || !text.contains('=')).ok_or_else(unknown)?;
        Self::of_number(number as u8, lines).ok_or_else(unknown)
    }
}

/// What is played: the same rules, cartridge and buttons make the same match on any computer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatchRules {
    /// What decides a game.
    pub kind: MatchKind,
    /// Games; more than half win the match.
    pub best_of: u8,
    /// Start level of both, 0 to 19.
    pub level: u8,
    /// What deals the pieces.
    pub dealer: Kind,
    /// The seed of the first game.
    pub seed: u32,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameResult {
    /// Who has won, 0 or 1; neither if all was equal.
    pub winner: Option<usize>,
    /// How the two stood.
    pub standings: [Standing; 2],
}

/// What a match is at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Each player presses Start to be ready.
    Ready([bool; 2]),
    /// So many frames until both games begin.
    Countdown(u16),
    /// Both play.
    Playing,
    /// A game is over. Once both press Start, the next one begins: of this match, or of a rematch.
    Over {
        /// Frames since then, up to a second.
        since: u16,
        /// Who has asked for the next one.
        ready: [bool; 2],
    },
}

/// How the games of a match begin, and the beginnings that are made already. Copies of a match
/// share them: going back over the end of a game makes none anew.
struct Course {
    cartridge: Cartridge,
    profile: Profile,
    rules: MatchRules,
    sample_rate: Option<u32>,
    made: Mutex<Vec<(u32, Duel, LastFrames)>>,
}

impl Course {
    /// Returns the beginning of a game, counted from 0, and the end of the way there; none where
    /// the cartridge's menus do not lead to a game.
    fn begin(&self, game: u32) -> Option<(Duel, LastFrames)> {
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, duel, way)) = made.iter().find(|(number, ..)| *number == game) {
            return Some((duel.clone(), way.clone()));
        }
        let MatchRules { kind, level, dealer, seed, .. } = self.rules;
        let seed = match game {
            0 => seed,
            _ => SplitMix64::mix(u64::from(seed) | u64::from(game) << 32) as u32,
        };
        let dealt = Substitution::new(self.profile.clone(), dealer.seeded(seed.into()));
        let rules = DuelRules {
            level,
            wait: seed,
            pieces: Pieces::new(dealt, dealer.to_string()),
            garbage: kind == MatchKind::Garbage,
            sample_rate: self.sample_rate,
        };
        let (duel, way) = Duel::begin(&self.cartridge, &self.profile, rules, 0)?;
        if made.len() == KEPT {
            made.remove(0);
        }
        made.push((game, duel.clone(), way.clone()));
        Some((duel, way))
    }
}

/// A match of two. The same buttons make the same match on any computer.
#[derive(Clone)]
pub struct Match {
    course: Arc<Course>,
    duel: Duel,
    own: usize,
    seen: bool,
    /// The number of the game, from 0, through all rematches.
    game: u32,
    best_of: BestOf,
    stage: Stage,
    /// What both held in the last frame.
    held: [u8; 2],
    results: Arc<Vec<GameResult>>,
}

impl Match {
    /// Returns a match by `rules` at its ready check, for the player `own`, 0 or 1; none where the
    /// cartridge's menus do not lead to a game.
    pub fn begin(
        cartridge: &Cartridge,
        profile: &Profile,
        rules: MatchRules,
        own: usize,
        sample_rate: Option<u32>,
    ) -> Option<Self> {
        let rules = MatchRules { level: rules.level.min(19), best_of: rules.best_of.max(1), ..rules };
        let course = Course {
            cartridge: cartridge.clone(),
            profile: profile.clone(),
            rules,
            sample_rate,
            made: Mutex::default(),
        };
        let (mut duel, _) = course.begin(0)?;
        duel.set_own(own);
        duel.set_seen(true);
        Some(Self {
            course: Arc::new(course),
            duel,
            own,
            seen: true,
            game: 0,
            best_of: BestOf::new(rules.best_of),
            stage: Stage::Ready([false; 2]),
            held: [0; 2],
            results: Arc::default(),
        })
    }

    /// Returns the rules.
    pub fn rules(&self) -> &MatchRules {
        &self.course.rules
    }

    /// Returns the game that is played or was played last.
    pub fn duel(&self) -> &Duel {
        &self.duel
    }

    /// Returns its number, from 0.
    pub fn game(&self) -> u32 {
        self.game
    }

    /// Returns what the match is at.
    pub fn stage(&self) -> Stage {
        self.stage
    }

    /// Returns the games that each player has won of this match.
    pub fn wins(&self) -> [u8; 2] {
        self.best_of.wins()
    }

    /// Returns who has won the match, 0 or 1, once it is decided.
    pub fn winner(&self) -> Option<usize> {
        self.best_of.winner()
    }

    /// Returns how the match stands.
    pub fn best_of(&self) -> BestOf {
        self.best_of
    }

    /// Returns how each game ended, those before a rematch too.
    pub fn results(&self) -> &[GameResult] {
        &self.results
    }

    /// Returns the end of the way into the game that is played.
    pub fn way_in(&self) -> LastFrames {
        self.course.begin(self.game).map(|(_, way)| way).unwrap_or_default()
    }

    /// Returns a hash of all of it.
    pub fn hash(&self) -> u64 {
        let stage = match self.stage {
            Stage::Ready([one, two]) => u32::from(one) | u32::from(two) << 1,
            Stage::Countdown(left) => 1 << 16 | u32::from(left),
            Stage::Playing => 2 << 16,
            Stage::Over { since, ready: [one, two] } => {
                3 << 16 | u32::from(since) << 2 | u32::from(one) | u32::from(two) << 1
            }
        };
        let [one, two] = self.wins().map(u64::from);
        let of_match = u64::from(stage) | u64::from(self.game) << 32 | one << 48 | two << 56;
        self.duel.hash()
            ^ SplitMix64::mix(SplitMix64::mix(of_match) ^ u64::from(u16::from_le_bytes(self.held)))
    }

    /// Runs a frame in which the players hold these buttons.
    pub fn frame(&mut self, buttons: [u8; 2]) {
        let start = Buttons::START.bits();
        let pressed = [0, 1].map(|player| buttons[player] & !self.held[player] & start != 0);
        self.held = buttons;
        match &mut self.stage {
            Stage::Ready(ready) => {
                for (ready, pressed) in ready.iter_mut().zip(pressed) {
                    *ready |= pressed;
                }
                if *ready == [true; 2] {
                    self.stage = Stage::Countdown(COUNTDOWN);
                }
            }
            Stage::Countdown(left) => {
                *left -= 1;
                if *left == 0 {
                    self.stage = Stage::Playing;
                }
            }
            Stage::Playing => {
                self.duel.frame(buttons);
                self.judge();
            }
            Stage::Over { since, ready } => {
                *since = (*since + 1).min(REST);
                if *since == REST {
                    for (ready, pressed) in ready.iter_mut().zip(pressed) {
                        *ready |= pressed;
                    }
                }
                if *ready == [true; 2] {
                    self.go_on();
                }
            }
        }
    }

    /// Runs frames as [`Match::frame`] does, both players' games at the same time.
    pub fn run(&mut self, mut buttons: &[[u8; 2]], both: Both<'_>) {
        while let Some(&first) = buttons.first() {
            if self.stage != Stage::Playing {
                self.frame(first);
                buttons = &buttons[1..];
                continue;
            }
            let frames = &buttons[..buttons.len().min(self.duel.stretch())];
            let before = self.duel.clone();
            let stood = self.duel.run_ahead(frames, both);
            let decided = stood.iter().position(|stood| self.course.rules.kind.decide(*stood).is_some());
            let count = decided.map_or(frames.len(), |at| at + 1);
            if count < frames.len() {
                // Nobody has played on.
                self.duel = before;
                self.duel.run_ahead(&frames[..count], both);
            }
            self.held = frames[count - 1];
            self.judge();
            buttons = &buttons[count..];
        }
    }

    fn judge(&mut self) {
        let standings = self.duel.standings();
        let winner = match self.course.rules.kind.decide(standings) {
            None => return,
            Some(Decision::Won(winner)) => Some(winner),
            Some(Decision::Draw) => None,
        };
        if let Some(winner) = winner {
            self.best_of.count(winner);
        }
        Arc::make_mut(&mut self.results).push(GameResult { winner, standings });
        self.stage = Stage::Over { since: 0, ready: [false; 2] };
    }

    /// The next game: of this match, or of a rematch.
    fn go_on(&mut self) {
        // It was found once, so it is found again.
        let Some((duel, _)) = self.course.begin(self.game + 1) else { return };
        self.best_of.go_on();
        self.game += 1;
        self.duel = duel;
        self.duel.set_own(self.own);
        self.duel.set_seen(self.seen);
        self.stage = Stage::Countdown(COUNTDOWN);
    }

    /// Runs frames with picture and sound, or without.
    pub fn set_seen(&mut self, seen: bool) {
        self.seen = seen;
        self.duel.set_seen(seen);
    }

    /// Takes picture and sound over from `before`, as [`Duel::replace`].
    pub fn replace(&mut self, before: &Self) {
        if self.game == before.game {
            self.duel.replace(&before.duel);
        }
    }
}

#[cfg(test)]
pub(super) mod tests;
