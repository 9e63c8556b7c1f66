//! Figures of a game as it goes on. The definitions are those of docs/practice.md; a test compares
//! them with the practice crate's, which counts a whole game at once.

use serde::Serialize;
use tetris::events::Event;
use tetris::ram::play_state::ACTIVE;
use tetris::scoring::{Clears, Droughts};
use tetris::{Piece, View, ram};

use crate::runway::{runway, runway_to};

/// The figures of a game so far.
#[derive(Clone, Debug, Default, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Figures {
    /// Was the game seen from its first piece on? If not, all of this counts from where it was
    /// seen.
    pub complete: bool,
    /// Pieces that locked.
    pub pieces: u32,
    /// Lines cleared.
    pub lines: u32,
    /// Clears of one, two, three and four lines.
    pub clears: [u32; 4],
    /// TRT: lines by tetrises of all lines, in per cent, 0 to 100; `null` before the first line.
    pub tetris_rate: Option<f64>,
    /// EFF: mean points a line without the level, 40 to 300; `null` before the first line.
    pub efficiency: Option<f64>,
    /// BRN: lines cleared since the last tetris, 0 right after one.
    pub burn: u32,
    /// Lines of the whole game cleared other than by tetrises.
    pub burns: u32,
    /// DHT: pieces since the last I.
    pub drought: u32,
    /// Droughts of 13 pieces and more.
    pub droughts: u32,
    /// The longest time without an I, in pieces.
    pub longest_drought: u32,
    /// TRNS: the score when the start level was left; `null` until then, and if that was not seen.
    pub transition: Option<u32>,
    /// Pieces in whose time the counter of the auto shift was 0, the one in play included.
    pub das_losses: u32,
    /// Mean counter of the auto shift when a piece came in, 0 to 16 frames; `null` if the game was
    /// not seen from its beginning.
    pub das_mean: Option<f64>,
    /// Points: the score with the best that is possible until level 29, or 39 after that; `null` if
    /// the game was not seen whole, is of the B-type, or began at a level that the menu does not
    /// have.
    pub runway: Option<u32>,
    /// Points: the score with that times EFF / 300; `null` before the first line, too.
    pub projection: Option<u32>,
    /// The score with the best that is possible until each of three levels.
    pub runways: Runways,
    #[serde(skip)]
    counting: Counting,
}

/// The score with the best that is possible until a level comes; none where it has come, or where
/// [`Figures::runway`] has none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Runways {
    /// Until level 19.
    #[serde(rename = "19")]
    pub to_19: Option<u32>,
    /// Until level 29.
    #[serde(rename = "29")]
    pub to_29: Option<u32>,
    /// Until level 39.
    #[serde(rename = "39")]
    pub to_39: Option<u32>,
}

/// What the figures are made of.
#[derive(Clone, Debug, Default, PartialEq)]
struct Counting {
    spawned: u32,
    start_level: u8,
    clears: Clears,
    droughts: Droughts,
    charges: u64,
    /// Was the counter of the auto shift 0 in a frame of the piece in play?
    lost: bool,
}

impl Figures {
    /// Pieces that came in so far.
    pub(crate) fn spawned(&self) -> u32 {
        self.counting.spawned
    }

    /// A game that begins.
    pub(crate) fn begin(&mut self) {
        *self = Self { complete: true, ..Self::default() };
    }

    /// A game that was not seen before.
    pub(crate) fn begin_within(view: View) -> Self {
        let spawned = view.piece_counts().iter().sum();
        let counting = Counting { spawned, start_level: view.byte(ram::START_LEVEL), ..Counting::default() };
        Self { counting, ..Self::default() }
    }

    /// Takes in an event; `score` is the one after its frame. Out: whether it counts.
    pub(crate) fn take(&mut self, event: &Event, view: View, score: u32) -> bool {
        match event {
            Event::GameStart { .. } => self.begin(),
            Event::Spawn { piece, das, .. } => self.spawn(piece.piece(), *das, view, score),
            Event::Lock { .. } => self.pieces += 1,
            Event::Clear { count, .. } => self.clear(*count),
            _ => return false,
        }
        true
    }

    fn spawn(&mut self, piece: Option<Piece>, das: u8, view: View, score: u32) {
        let first = self.counting.spawned == 0;
        self.counting.spawned += 1;
        self.counting.lost = false;
        self.counting.charges += u64::from(das);
        if first {
            self.counting.start_level = view.level();
        }
        if self.transition.is_none() && self.complete && view.level() != self.counting.start_level {
            self.transition = Some(score);
        }
        self.counting.droughts.add(piece);
        let Droughts { now, count, longest } = self.counting.droughts;
        (self.drought, self.droughts, self.longest_drought) = (now, count, longest);
        if self.complete {
            self.das_mean = Some(self.counting.charges as f64 / f64::from(self.counting.spawned));
        }
        let (start, level, lines) = (self.counting.start_level, view.level(), view.lines());
        let is_whole = self.complete && view.byte(ram::GAME_TYPE) == 0;
        let possible = is_whole.then(|| runway(start, level, lines)).flatten();
        let to = |goal| {
            let best = is_whole.then(|| runway_to(goal, start, level, lines)).flatten();
            best.map(|best| score.saturating_add(best))
        };
        self.runways = Runways { to_19: to(19), to_29: to(29), to_39: to(39) };
        self.runway = possible.map(|best| score.saturating_add(best));
        self.projection = possible.zip(self.efficiency).map(|(best, efficiency)| {
            // A few million at most.
            score.saturating_add((f64::from(best) * efficiency / 300.0).round() as u32)
        });
    }

    fn clear(&mut self, rows: u8) {
        let clears = &mut self.counting.clears;
        clears.add(rows);
        (self.clears, self.lines) = (clears.counts(), clears.lines());
        (self.burn, self.burns) = (clears.burn(), clears.burns());
        (self.tetris_rate, self.efficiency) = (clears.tetris_rate(), clears.efficiency());
    }

    /// Looks at the counter of the auto shift after a frame. Out: whether that counts.
    pub(crate) fn end_frame(&mut self, view: View) -> bool {
        let lost = view.in_play() && view.play_state() == ACTIVE && view.das() == 0 && !self.counting.lost;
        self.counting.lost |= lost;
        self.das_losses += u32::from(lost);
        lost
    }

    /// Does RAM hold a game at this point of it? A clear is seen before its lines are counted.
    fn fits(&self, view: View) -> bool {
        let a_type = view.byte(ram::GAME_TYPE) == 0;
        let lines = !a_type || (view.lines()..=view.lines() + 4).contains(&self.lines);
        view.piece_counts().iter().sum::<u32>() == self.counting.spawned && lines
    }
}

/// The figures after each frame that changed them, to go back to.
#[derive(Clone, Debug, Default)]
pub(crate) struct History {
    after: std::collections::VecDeque<(u64, Figures)>,
}

/// Changes that can be taken back: some three a piece.
const LONGEST: usize = 4_096;

impl History {
    /// Keeps the figures after `frame`.
    pub(crate) fn keep(&mut self, frame: u64, figures: &Figures) {
        if self.after.len() == LONGEST {
            self.after.pop_front();
        }
        self.after.push_back((frame, figures.clone()));
    }

    /// The figures of the game that is now at `frame`, and forgets what came after it; those of a
    /// game never seen before if RAM holds another.
    pub(crate) fn back_to(&mut self, frame: u64, view: View) -> Figures {
        while self.after.back().is_some_and(|(after, _)| *after > frame) {
            self.after.pop_back();
        }
        let kept = self.after.back().map(|(_, figures)| figures);
        match kept.filter(|figures| figures.fits(view)) {
            Some(figures) => figures.clone(),
            None => Figures::begin_within(view),
        }
    }
}
