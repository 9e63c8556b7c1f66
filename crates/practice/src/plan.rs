//! What to practise next, by the results of the last games, and the seed of the day.

use std::fmt;

use tetris::SplitMix64;

use crate::{Kind, Mode, TapTable};

/// Games that are looked at, the latest ones.
const GAMES: usize = 20;

/// Placements of a level and a side that say something about the player's taps.
const PLACEMENTS: u32 = 5;

/// Taps a second by which the player has to be too slow.
const TOO_SLOW: f64 = 0.5;

/// The last column of which a piece is moved to the left.
const LAST_LEFT: u8 = 3;

/// The tower of [`Kind::Tap`] stands at the right from this number on.
const TOWER_AT_THE_RIGHT: u32 = 16;

/// Whole games, and lines of each, that say something about the player's stack.
const WHOLE_GAMES: usize = 3;
const LINES: u32 = 20;

/// Lines by tetrises, in percent, below which the stack is what to work on.
const TETRIS_RATE: f64 = 60.0;

/// Points of a step of [`Kind::Pace`].
const PACE_STEP: u32 = 100_000;

/// What a plan looks at of a game: the player's own, from its start.
#[derive(Clone, Debug)]
pub struct PastGame<'a> {
    /// The mode.
    pub mode: Mode,
    /// Points.
    pub score: Option<u32>,
    /// Lines.
    pub lines: Option<u32>,
    /// Lines by tetrises, in percent.
    pub tetris_rate: Option<f64>,
    /// Taps that were needed and made.
    pub taps: &'a TapTable,
}

impl PastGame<'_> {
    /// Returns whether it was played for points to its end.
    fn is_whole(&self) -> bool {
        matches!(self.mode.kind(), Kind::Tetris | Kind::Pace | Kind::Seed | Kind::Transition | Kind::Marathon)
    }
}

/// The side to which taps go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TapSide {
    /// Columns 0 to 3.
    Left,
    /// The other columns.
    Right,
}

/// Why a mode is advised.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Reason {
    /// There is no game to go by.
    NoGame,
    /// Placements needed faster taps than the player made.
    Taps {
        /// The level.
        level: u8,
        /// The side.
        side: TapSide,
        /// Taps a second that were needed, in the mean.
        needed: f64,
        /// Taps a second that were made, in the mean.
        made: f64,
    },
    /// Few lines were cleared by tetrises: this many percent, in the mean.
    TetrisRate(f64),
    /// Nothing else is amiss: more points than the best of the last games.
    Best(u32),
}

impl fmt::Display for Reason {
    /// A few words, as `20.0 Hz needed, you make 17.2`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoGame => f.write_str("A first game to go by"),
            Self::Taps { needed, made, .. } => write!(f, "{needed:.1} Hz needed, you make {made:.1}"),
            Self::TetrisRate(percent) => write!(f, "Tetris rate lately {percent:.0} %"),
            Self::Best(score) => write!(f, "Best of your last games {}", thousands(*score)),
        }
    }
}

/// A mode that is advised.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Advice {
    /// The mode.
    pub mode: Mode,
    /// The level to begin at; `None` for the player's own start level.
    pub level: Option<u8>,
    /// Why.
    pub reason: Reason,
}

impl Advice {
    /// Returns what to practise. `games` are those that count, the latest first.
    ///
    /// Taps that are too slow come first, as no other practice makes up for them, and then a stack
    /// that takes too few tetrises. A player who lacks neither is to play for the next hundred
    /// thousand points.
    pub fn of<'a>(games: impl Iterator<Item = PastGame<'a>>) -> Self {
        let games: Vec<PastGame<'_>> = games.take(GAMES).collect();
        slow_taps(&games).or_else(|| few_tetrises(&games)).or_else(|| more_points(&games)).unwrap_or(Self {
            mode: Kind::Tetris.usual(),
            level: None,
            reason: Reason::NoGame,
        })
    }
}

impl fmt::Display for Advice {
    /// What it is, as `Left taps at level 19`, `Stacking` or `Pace 900,000`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.reason {
            Reason::Taps { level, side: TapSide::Left, .. } => write!(f, "Left taps at level {level}"),
            Reason::Taps { level, side: TapSide::Right, .. } => write!(f, "Right taps at level {level}"),
            Reason::Best(_) => write!(f, "Pace {}", thousands(self.mode.value() * PACE_STEP)),
            Reason::NoGame | Reason::TetrisRate(_) => f.write_str(self.mode.kind().title()),
        }
    }
}

/// Returns a number with its thousands apart, as 1,043,180.
fn thousands(number: u32) -> String {
    match number {
        0..1_000 => number.to_string(),
        _ => format!("{},{:03}", thousands(number / 1_000), number % 1_000),
    }
}

/// Sums of a level and a side.
#[derive(Clone, Copy, Debug)]
struct Sums {
    level: u8,
    side: TapSide,
    placements: u32,
    needed: f64,
    made: f64,
}

impl Sums {
    /// Returns by how many taps a second the player is too slow.
    fn lacking(&self) -> f64 {
        (self.needed - self.made) / f64::from(self.placements)
    }
}

/// Advises the taps of the level and the side at which the player is slowest beside what is needed.
fn slow_taps(games: &[PastGame<'_>]) -> Option<Advice> {
    let mut table = TapTable::default();
    for game in games {
        table.add(game.taps);
    }
    let mut sums: Vec<Sums> = vec![];
    for row in table.rows() {
        let (level, side) = (row.level, if row.column <= LAST_LEFT { TapSide::Left } else { TapSide::Right });
        let count = f64::from(row.placements);
        let (needed, made) = (row.needed() * count, row.made() * count);
        match sums.iter_mut().find(|sums| (sums.level, sums.side) == (level, side)) {
            Some(sums) => {
                sums.placements = sums.placements.saturating_add(row.placements);
                sums.needed += needed;
                sums.made += made;
            }
            None => sums.push(Sums { level, side, placements: row.placements, needed, made }),
        }
    }
    let slow = sums.into_iter().filter(|sums| sums.placements >= PLACEMENTS && sums.lacking() >= TOO_SLOW);
    let worst = slow.max_by(|one, other| one.lacking().total_cmp(&other.lacking()))?;
    let count = f64::from(worst.placements);
    let height = Kind::Tap.usual().value();
    let number = match worst.side {
        TapSide::Left => height,
        TapSide::Right => height + TOWER_AT_THE_RIGHT,
    };
    let Sums { level, side, needed, made, .. } = worst;
    let reason = Reason::Taps { level, side, needed: needed / count, made: made / count };
    Some(Advice { mode: Mode::new(Kind::Tap, number).ok()?, level: Some(level), reason })
}

/// Advises a clean stack where the last whole games had few tetrises.
fn few_tetrises(games: &[PastGame<'_>]) -> Option<Advice> {
    let whole = games.iter().filter(|game| game.is_whole() && game.lines.unwrap_or(0) >= LINES);
    let rates: Vec<f64> = whole.filter_map(|game| game.tetris_rate).collect();
    if rates.len() < WHOLE_GAMES {
        return None;
    }
    let mean = rates.iter().sum::<f64>() / rates.len() as f64;
    let advice = Advice { mode: Kind::Stacking.usual(), level: None, reason: Reason::TetrisRate(mean) };
    (mean < TETRIS_RATE).then_some(advice)
}

/// Advises the pace of the next hundred thousand points.
fn more_points(games: &[PastGame<'_>]) -> Option<Advice> {
    let best = games.iter().filter(|game| game.is_whole()).filter_map(|game| game.score).max()?;
    let values = Kind::Pace.values();
    let number = (best / PACE_STEP + 1).clamp(*values.start(), *values.end());
    let mode = Mode::new(Kind::Pace, number).ok()?;
    Some(Advice { mode, level: None, reason: Reason::Best(best) })
}

/// Returns the mode in which everybody gets the same pieces on a day, counted from 1 January 1970,
/// UTC.
pub fn seed_of_day(day: u32) -> Mode {
    let values = Kind::Seed.values();
    let seed = values.start() + SplitMix64::new(day.into()).below(values.end() - values.start() + 1);
    Mode::new(Kind::Seed, seed).unwrap_or_else(|_| Kind::Seed.usual())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game<'a>(mode: &str, score: u32, tetris_rate: f64, taps: &'a TapTable) -> PastGame<'a> {
        let mode = mode.parse().unwrap();
        PastGame { mode, score: Some(score), lines: Some(130), tetris_rate: Some(tetris_rate), taps }
    }

    #[test]
    fn without_a_game_a_first_one_is_advised() {
        let advice = Advice::of([].into_iter());
        assert_eq!((advice.mode.kind(), advice.to_string().as_str()), (Kind::Tetris, "Tetris"));
        // Of a game that says nothing of points nothing can be advised either.
        let taps = TapTable::default();
        assert_eq!(Advice::of([game("tap=5", 0, 0.0, &taps)].into_iter()).reason, Reason::NoGame);
    }

    #[test]
    fn the_slowest_taps_beside_what_is_needed_come_first() {
        // LEVEL:COLUMN:PLACEMENTS:NEEDED:MOST:MADE:LEAST, sums of tenths of taps a second.
        let taps: TapTable = "18:0:10:1200:140:1300:110 19:0:6:1200:220:1032:150 19:9:5:750:170:725:120 \
                              29:9:2:600:320:240:100"
            .parse()
            .unwrap();
        let advice = Advice::of([game("tetris", 400_000, 20.0, &taps)].into_iter());
        assert_eq!(advice.to_string(), "Left taps at level 19");
        assert_eq!(advice.reason.to_string(), "20.0 Hz needed, you make 17.2");
        assert_eq!((advice.mode.to_string().as_str(), advice.level), ("tap=10", Some(19)));
        // The same to the other side.
        let taps: TapTable = "19:7:3:600:220:450:150 19:9:3:600:220:450:150".parse().unwrap();
        let advice = Advice::of([game("tetris", 400_000, 20.0, &taps)].into_iter());
        assert_eq!(advice.to_string(), "Right taps at level 19");
        assert_eq!(advice.mode.to_string(), "tap=26");
        // Enough is enough, and a few placements say nothing.
        for enough in ["19:0:9:1800:220:1791:150", "29:9:4:1200:320:240:100"] {
            let taps: TapTable = enough.parse().unwrap();
            let advice = Advice::of([game("tetris", 400_000, 20.0, &taps)].into_iter());
            assert!(matches!(advice.reason, Reason::Best(400_000)), "{enough}: {advice:?}");
        }
    }

    #[test]
    fn few_tetrises_ask_for_a_cleaner_stack_and_many_for_more_points() {
        let taps = TapTable::default();
        let games = |rate| (0..3).map(move |_| rate);
        let advice = Advice::of(games(40.0).map(|rate| game("tetris", 337_440, rate, &taps)));
        assert_eq!((advice.mode.kind(), advice.reason), (Kind::Stacking, Reason::TetrisRate(40.0)));
        assert_eq!(advice.reason.to_string(), "Tetris rate lately 40 %");
        let advice = Advice::of(games(72.0).map(|rate| game("seed=12AB34", 337_440, rate, &taps)));
        assert_eq!(
            (advice.mode.to_string().as_str(), advice.to_string().as_str()),
            ("pace=4", "Pace 400,000")
        );
        let advice = Advice::of(games(72.0).map(|rate| game("marathon=1", 1_043_180, rate, &taps)));
        assert_eq!(advice.to_string(), "Pace 1,100,000");
        assert_eq!(advice.reason.to_string(), "Best of your last games 1,043,180");
        let advice = Advice::of(games(72.0).map(|rate| game("tetris", 9_999_999, rate, &taps)));
        assert_eq!(advice.mode.to_string(), "pace=15", "there is no higher one");
        // Other modes have no tetrises to count, and long ago is long ago.
        let old = (0..20).map(|_| game("floor=3", 1_000, 0.0, &taps));
        let advice = Advice::of(old.chain([game("tetris", 900_000, 10.0, &taps)]));
        assert_eq!(advice.reason, Reason::NoGame);
    }

    #[test]
    fn each_day_has_a_seed_of_its_own_that_deals() {
        let seeds: std::collections::BTreeSet<u32> = (0..1_000).map(|day| seed_of_day(day).value()).collect();
        assert!(seeds.len() > 990 && seeds.iter().all(|seed| Kind::Seed.values().contains(seed)));
        // Everyone has it, whichever version they play.
        assert_eq!(seed_of_day(20_000).to_string(), "seed=E7AAA3");
    }
}
