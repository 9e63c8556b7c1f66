//! A guess at what a game has come to.

use std::collections::HashMap;

use tetris::{Piece, Placement};

use super::cells::{Flights, Set};
use super::find::Moment;
use super::locks::{Lock, locks};

/// What a frame costs at most, in cells.
const MOST: f32 = 8.0;
/// Cells that cannot be explained from which on a frame says nothing.
const UNREADABLE: f32 = 6.0;
/// Cells beyond which no piece in the air is looked for.
const TOO_MANY: u32 = 14;
/// Frames in a row that say nothing after which the guess is lost.
pub(super) const LOST: usize = 60;
/// What a placement costs, so that none is made up.
const PLACEMENT: f32 = 1.0;
/// What it costs that the piece is not the one that was announced.
const OTHER_PIECE: f32 = 5.0;
/// What it costs that the counter of lines says something else.
const OTHER_LINES: f32 = 0.4;
/// How much dearer another piece may be to be thought of.
const THINKABLE: f32 = 7.0;

/// A placement of a guess.
#[derive(Clone, Debug)]
pub(super) struct Step {
    pub(super) field: Set,
    pub(super) after: Set,
    pub(super) piece: Piece,
    pub(super) place: Placement,
    pub(super) lines: u32,
    pub(super) cleared: u32,
    /// The first frame with the field, and the first with the piece locked.
    pub(super) begun: usize,
    pub(super) locked: usize,
}

/// Places that were computed already.
#[derive(Default)]
pub(super) struct Cache(HashMap<(Set, u8), Vec<Lock>>);

impl Cache {
    const MOST: usize = 512;

    fn locks(&mut self, field: Set, piece: Piece) -> &[Lock] {
        if self.0.len() > Self::MOST {
            self.0.clear();
        }
        self.0.entry((field, piece as u8)).or_insert_with(|| locks(field, piece))
    }
}

#[derive(Clone, Debug)]
pub(super) struct Guess {
    /// The field, without the piece in the air.
    field: Set,
    /// Rows that are about to vanish, and the field without them.
    clearing: Option<(Set, Set)>,
    lines: u32,
    /// Cells that could not be explained, by the piece in the air.
    costs: [f32; 7],
    /// How often each piece was announced as the next.
    votes: [u16; 7],
    begun: usize,
    /// Placements that others may dispute.
    pub(super) path: Vec<Step>,
    /// Placements in all.
    pub(super) counted: u32,
    /// Frames in a row that say nothing.
    pub(super) lost: usize,
}

/// Cells that a field and a piece in the air do not explain.
pub(super) fn misread(seen: Set, field: Set, piece: Piece) -> f32 {
    let (more, less) = (seen & !field, (field & !seen).count());
    let count = more.count();
    if count + less > TOO_MANY {
        return MOST;
    }
    let mut best = count;
    for at in more.iter() {
        for flight in Flights::of(piece).covering(at) {
            if (flight.cells & field).is_empty() {
                best = best.min((flight.cells ^ more).count());
            }
        }
    }
    ((best + less) as f32).min(MOST)
}

impl Guess {
    pub(super) fn new(field: Set, lines: u32, counted: u32, begun: usize) -> Self {
        Self {
            field,
            clearing: None,
            lines,
            costs: [0.0; 7],
            votes: [0; 7],
            begun,
            path: Vec::new(),
            counted,
            lost: 0,
        }
    }

    /// Is it a game that has just begun?
    pub(super) fn is_new(&self) -> bool {
        self.field.is_empty() && self.counted == 0 && self.lines == 0
    }

    /// What tells it from others: two with the same key have the same future.
    pub(super) fn key(&self) -> (Set, bool, u32) {
        (self.field, self.clearing.is_some(), self.counted)
    }

    pub(super) fn cost(&self) -> f32 {
        self.costs.iter().copied().fold(f32::INFINITY, f32::min)
    }

    /// Takes off what all have in common.
    pub(super) fn cheapen(&mut self, common: f32) {
        for cost in &mut self.costs {
            *cost -= common;
        }
    }

    /// Takes in a frame.
    pub(super) fn observe(&mut self, moment: &Moment) {
        let mut least = MOST;
        if let Some((rows, _)) = self.clearing {
            least = (((moment.cells ^ self.field) & !rows).count() as f32).min(MOST);
            self.costs.iter_mut().for_each(|cost| *cost += least);
        } else {
            for piece in Piece::ALL {
                let cost = misread(moment.cells, self.field, piece);
                self.costs[piece as usize] += cost;
                least = least.min(cost);
            }
            if let Some(next) = moment.next.filter(|_| (moment.cells & !self.field).count() >= 3) {
                self.votes[next as usize] += 1;
            }
        }
        if moment.lines.is_some_and(|lines| lines != self.lines) {
            self.costs.iter_mut().for_each(|cost| *cost += OTHER_LINES);
        }
        self.lost = if least >= UNREADABLE { self.lost + 1 } else { 0 };
    }

    /// What the game may have come to if a piece has just locked, or rows have just vanished.
    pub(super) fn children(&self, moment: &Moment, at: usize, cache: &mut Cache, out: &mut Vec<Self>) {
        let seen = moment.cells;
        let shows = |field: Set| (field & !seen).count() <= 3 && (seen & !field).count() <= 7;
        if let Some((_, after)) = self.clearing {
            if shows(after) {
                out.push(Self { field: after, clearing: None, begun: at, ..self.clone() });
            }
            return;
        }
        let cheapest = self.cost();
        for piece in Piece::ALL {
            let cost = self.costs[piece as usize];
            if cost > cheapest + THINKABLE {
                continue;
            }
            for lock in cache.locks(self.field, piece) {
                let step = || Step {
                    field: self.field,
                    after: lock.after,
                    piece,
                    place: lock.place,
                    lines: self.lines,
                    cleared: lock.rows.count_ones(),
                    begun: self.begun,
                    locked: at,
                };
                if lock.rows == 0 {
                    if ((lock.locked ^ self.field) & !seen).count() <= 1 && shows(lock.locked) {
                        out.push(self.child(step(), cost, lock.locked, None));
                    }
                    continue;
                }
                let rows = Set::of_rows(lock.rows);
                if ((lock.locked ^ seen) & !rows).count() <= 4 {
                    out.push(self.child(step(), cost, lock.locked, Some((rows, lock.after))));
                }
                if shows(lock.after) {
                    out.push(self.child(step(), cost, lock.after, None));
                }
            }
        }
    }

    fn child(&self, step: Step, cost: f32, field: Set, clearing: Option<(Set, Set)>) -> Self {
        let announced = (0..7).max_by_key(|&piece| self.votes[piece]).filter(|&piece| self.votes[piece] > 0);
        let costs = std::array::from_fn(|piece| {
            let other = announced.is_some_and(|announced| announced != piece);
            cost + PLACEMENT + if other { OTHER_PIECE } else { 0.0 }
        });
        let mut path = self.path.clone();
        let (lines, begun) = (self.lines + step.cleared, step.locked);
        path.push(step);
        Self {
            field,
            clearing,
            lines,
            costs,
            votes: [0; 7],
            begun,
            path,
            counted: self.counted + 1,
            lost: self.lost,
        }
    }
}
