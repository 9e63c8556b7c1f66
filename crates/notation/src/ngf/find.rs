//! The placements of a recording.
//!
//! Frames show the field with the piece in play, and cells and numbers may be misread. A [`Guess`]
//! is a settled field and the placements that led to it; every frame costs it as many cells as it
//! does not explain by that field and a piece in the air. A guess has children wherever a piece
//! could just have locked. The cheapest guess wins, once what comes later has told them apart.

use std::collections::HashMap;

use tetris::{Piece, Placement};

use super::cells::{Flights, Set};
use super::guess::{Cache, Guess, LOST, Step, misread};
use super::{Frame, Recording};
use crate::turn::{Shift, Turn};

/// A part of a recording in which no placement could be found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gap {
    /// Its first frame, counted from 1.
    pub frame: usize,
    /// Milliseconds since the game began, at its beginning and at its end.
    pub ms: [u32; 2],
    /// Pieces that the counters of the game counted meanwhile; `None` if they could not be read.
    pub pieces: Option<u32>,
}

/// A game that was found in a recording.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Its placements, in their order.
    pub turns: Vec<Turn>,
    /// Where none could be found.
    pub gaps: Vec<Gap>,
    /// Frames that show the game.
    pub frames: usize,
    /// Frames that fit no placement: screens between, pictures that were misread, the curtain.
    pub unread: usize,
    /// Pieces as the game's own counters have them at the end, the one in the air included; `None`
    /// if they could not be read.
    pub pieces: Option<u32>,
    /// Level, lines and score at the end.
    pub last: (u8, u32, Option<u32>),
}

/// A frame as the search looks at it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moment {
    pub(super) cells: Set,
    pub(super) next: Option<Piece>,
    pub(super) lines: Option<u32>,
    level: Option<u8>,
    score: Option<u32>,
    pieces: Option<u32>,
    ms: u32,
}

impl Moment {
    /// `None` for a frame that shows no game.
    fn of(frame: &Frame, begun: u32) -> Option<Self> {
        (frame.lines.is_some() || frame.level.is_some() || frame.score.is_some()).then(|| Self {
            cells: Set::of(&frame.cells),
            next: frame.pieces.next,
            lines: frame.lines,
            level: frame.level,
            score: frame.score,
            pieces: frame.counts.iter().copied().sum(),
            ms: frame.ctime.wrapping_sub(begun) & 0xFFF_FFFF,
        })
    }
}

/// Guesses that are followed at most, and how much dearer than the best they may be.
const GUESSES: usize = 32;
const MARGIN: f32 = 26.0;
/// Placements that a guess may have that others dispute.
const DISPUTED: usize = 16;
/// Frames in which a settled field is looked for.
const WINDOW: usize = 240;

/// Finds the placements of each game of a recording.
pub fn find(recording: &Recording) -> Vec<Found> {
    let mut games = Vec::new();
    let (mut moments, mut game, mut begun) = (Vec::new(), None, 0);
    for frame in recording.frames() {
        if game != Some(frame.game) {
            games.extend(Finder::of(std::mem::take(&mut moments)));
            (game, begun) = (Some(frame.game), frame.ctime);
        }
        moments.extend(Moment::of(&frame, begun));
    }
    games.extend(Finder::of(moments));
    games
}

struct Finder {
    moments: Vec<Moment>,
    /// Placements beyond dispute.
    steps: Vec<Step>,
    guesses: Vec<Guess>,
    gaps: Vec<Gap>,
    unread: usize,
    cache: Cache,
}

impl Finder {
    fn of(moments: Vec<Moment>) -> Option<Found> {
        if moments.is_empty() {
            return None;
        }
        let mut finder = Self {
            moments,
            steps: Vec::new(),
            guesses: Vec::new(),
            gaps: Vec::new(),
            unread: 0,
            cache: Cache::default(),
        };
        finder.run();
        Some(finder.found())
    }

    fn run(&mut self) {
        let mut at = 0;
        let mut lost_at: Option<usize> = None;
        while at < self.moments.len() {
            if self.guesses.is_empty() {
                let Some((guess, end)) = self.settle(at) else {
                    let window = self.window(at);
                    self.unread += window - at;
                    at = window;
                    continue;
                };
                let is_first = self.steps.is_empty() && self.gaps.is_empty();
                if let Some(from) = lost_at.take().or((is_first && !guess.is_new()).then_some(0)) {
                    self.gap(from, end);
                }
                self.unread += end - at;
                at = end;
                self.guesses.push(guess);
            }
            self.take(at);
            if let Some(best) = self.guesses.first()
                && best.lost >= LOST
            {
                let from = at + 1 - best.lost;
                // What locked meanwhile is no more than a guess.
                let best = self.guesses.swap_remove(0);
                self.steps.extend(best.path.into_iter().filter(|step| step.locked < from));
                self.guesses.clear();
                self.unread += best.lost;
                lost_at = Some(from);
            }
            at += 1;
        }
        if !self.guesses.is_empty() {
            let best = self.guesses.swap_remove(0);
            self.unread += best.lost;
            self.steps.extend(best.path);
        }
    }

    fn gap(&mut self, from: usize, end: usize) {
        let pieces = |at: usize| mode(self.moments[at..].iter().take(9).map(|moment| moment.pieces));
        let before = self.moments[..from].iter().rev().take(9).map(|moment| moment.pieces);
        let before = if from == 0 { Some(1) } else { mode(before) };
        let missed = pieces(end).zip(before).and_then(|(after, before)| after.checked_sub(before));
        let ms = [from, end].map(|at| self.moments[at].ms);
        self.gaps.push(Gap { frame: from + 1, ms, pieces: missed });
    }

    /// The end of the frames from `at` on that show the same next piece.
    fn window(&self, at: usize) -> usize {
        let next = self.moments[at].next;
        let rest = self.moments[at..].iter().take(WINDOW);
        let same = rest.take_while(|moment| moment.next == next || moment.next.is_none()).count();
        (at + same.max(1)).min(self.moments.len())
    }

    /// A field that stands still from `at` on, and a frame in which it does.
    fn settle(&self, at: usize) -> Option<(Guess, usize)> {
        let lines = || mode(self.moments[at..].iter().take(9).map(|moment| moment.lines)).unwrap_or(0);
        let counted = self.steps.len() as u32;
        if self.steps.is_empty() && self.moments[at].cells.count() <= 4 {
            return Some((Guess::new(Set::EMPTY, lines(), counted, at), at));
        }
        let end = self.window(at);
        let frames = &self.moments[at..end];
        if frames.len() < 4 {
            return None;
        }
        let share = |cell: usize| frames.iter().filter(|moment| moment.cells.has(cell)).count();
        let field = (0..super::CELLS)
            .filter(|&cell| share(cell) * 10 >= frames.len() * 7)
            .fold(Set::EMPTY, Set::with);
        let fits =
            |moment: &&Moment| Piece::ALL.iter().any(|&piece| misread(moment.cells, field, piece) <= 2.0);
        let fitting = frames.iter().filter(fits).count();
        (field.full_rows() == 0 && fitting * 10 >= frames.len() * 7)
            .then(|| (Guess::new(field, lines(), counted, at), at))
    }

    /// Takes in a frame.
    fn take(&mut self, at: usize) {
        let moment = self.moments[at];
        let changed = at == 0 || self.moments[at - 1].cells != moment.cells;
        let mut found: HashMap<(Set, bool, u32), Guess> = HashMap::new();
        let mut children = Vec::new();
        for guess in &self.guesses {
            if changed {
                guess.children(&moment, at, &mut self.cache, &mut children);
            }
        }
        for mut guess in self.guesses.drain(..).chain(children) {
            guess.observe(&moment);
            let same = found.get(&guess.key());
            if same.is_none_or(|same| guess.cost() < same.cost()) {
                found.insert(guess.key(), guess);
            }
        }
        self.guesses.extend(found.into_values());
        // Of equals the one with more placements, and then any rule that is the same every time.
        let rank = |guess: &Guess| (guess.cost(), std::cmp::Reverse(guess.counted), guess.key());
        self.guesses.sort_by(|one, other| {
            let (one, other) = (rank(one), rank(other));
            one.0.total_cmp(&other.0).then(one.1.cmp(&other.1)).then(one.2.cmp(&other.2))
        });
        let best = self.guesses.first().map_or(0.0, Guess::cost);
        self.guesses.retain(|guess| guess.cost() <= best + MARGIN);
        self.guesses.truncate(GUESSES);
        for guess in &mut self.guesses {
            guess.cheapen(best);
        }
        self.settle_disputes();
    }

    /// Keeps what all guesses agree about.
    fn settle_disputes(&mut self) {
        while let Some(first) = self.guesses.first().and_then(|best| best.path.first()).cloned() {
            let agreed =
                self.guesses.iter().all(|guess| guess.path.first().is_some_and(|step| step.is(&first)));
            if !agreed && self.guesses[0].path.len() <= DISPUTED {
                return;
            }
            self.guesses.retain(|guess| guess.path.first().is_some_and(|step| step.is(&first)));
            for guess in &mut self.guesses {
                guess.path.remove(0);
            }
            self.steps.push(first);
        }
    }

    fn found(&self) -> Found {
        let Self { moments, steps, .. } = self;
        let mut turns: Vec<Turn> = Vec::new();
        for (number, step) in steps.iter().enumerate() {
            let frames = &moments[step.begun..step.locked.max(step.begun + 1)];
            let in_air = |moment: &&Moment| (moment.cells & !step.field).count() >= 3;
            let following = steps.get(number + 1).filter(|next| next.field == step.after);
            let next = mode(frames.iter().filter(in_air).map(|moment| moment.next))
                .or(following.map(|next| next.piece));
            let before = turns.last();
            let (begun, shifts) = shifts(frames, step);
            let first = moments[0].ms;
            turns.push(Turn {
                number: number as u32 + 1,
                board: step.field.board(),
                piece: step.piece,
                next,
                level: mode(frames.iter().map(|moment| moment.level))
                    .or(before.map(|turn| turn.level))
                    .unwrap_or(0),
                lines: step.lines,
                score: mode(frames.iter().map(|moment| moment.score)),
                place: step.place,
                cleared: step.cleared,
                ms: [begun, moments[step.locked].ms].map(|ms| ms.wrapping_sub(first) & 0xFFF_FFFF),
                shifts,
            });
        }
        // Where the game ends, nothing that comes later confirms the last placement: the curtain,
        // or a piece that no longer fits, would be taken for one.
        let confirmed = |turns: &[Turn]| match turns {
            [.., before, last] => before.next.is_none_or(|next| next == last.piece),
            _ => true,
        };
        while !confirmed(&turns) {
            turns.pop();
        }
        let end = || moments.iter().rev().take(9);
        let lines = turns.last().map_or(0, |turn| turn.lines + turn.cleared);
        let level = mode(end().map(|moment| moment.level));
        Found {
            last: (
                level.or(turns.last().map(|turn| turn.level)).unwrap_or(0),
                mode(end().map(|moment| moment.lines)).unwrap_or(lines),
                mode(end().map(|moment| moment.score)),
            ),
            turns,
            gaps: self.gaps.clone(),
            frames: moments.len(),
            unread: self.unread,
            pieces: mode(end().map(|moment| moment.pieces)),
        }
    }
}

/// When the piece was first seen, and its shifts from then on.
fn shifts(frames: &[Moment], step: &Step) -> (u32, Vec<Shift>) {
    let mut seen: Option<(u32, i32)> = None;
    let mut shifts = Vec::new();
    for moment in frames {
        let Some(x) = column(moment.cells & !step.field, step.piece) else { continue };
        let (begun, before) = *seen.get_or_insert((moment.ms, x));
        if before != x {
            shifts.push(Shift { ms: moment.ms.saturating_sub(begun), columns: (x - before) as i8 });
        }
        seen = Some((begun, x));
    }
    (seen.map_or(frames[0].ms, |(begun, _)| begun), shifts)
}

/// The column of the pivot of a piece whose cells are seen, all of them and no others.
fn column(seen: Set, piece: Piece) -> Option<i32> {
    let first = seen.iter().next().filter(|_| seen.count() <= 4)?;
    let mut fits = Flights::of(piece).covering(first).filter(|flight| flight.cells == seen);
    fits.next().map(|flight| flight.x)
}

/// What most of some readings say; of equals the first.
fn mode<T: Copy + PartialEq>(readings: impl Iterator<Item = Option<T>>) -> Option<T> {
    let mut counts: Vec<(T, u32)> = Vec::new();
    for reading in readings.flatten() {
        match counts.iter_mut().find(|(value, _)| *value == reading) {
            Some((_, count)) => *count += 1,
            None => counts.push((reading, 1)),
        }
    }
    let best = counts.into_iter().reduce(|best, found| if found.1 > best.1 { found } else { best });
    best.map(|(value, _)| value)
}

impl Step {
    /// Is it the same placement?
    fn is(&self, other: &Self) -> bool {
        let of = |step: &Self| -> (Set, Piece, Placement) { (step.field, step.piece, step.place) };
        of(self) == of(other)
    }
}
