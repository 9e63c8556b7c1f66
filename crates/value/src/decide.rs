//! What a player does with a piece: the best of all places, or of all premoves.
//!
//! A place decided at the spawn has to serve whatever comes next; a premove leads to the best place
//! for each next piece. So the value of a board, a piece and lines is the greater of
//!
//! - the greatest, over places at once, of the mean over next pieces of points and what remains,
//!   and
//! - the greatest, over premoves, of the mean over next pieces of the greatest, over the places
//!   after it, of the same.

use tetris::{Piece, Placement, Playfield};

use crate::format::Format;
use crate::pieces::ODDS;
use crate::reach::Reach;

/// A number for each next piece, by the game's number; the eighth means nothing. A search that
/// looks at a board for some next pieces alone leaves [`NOT_LOOKED_AT`] for the others.
pub type Worth = [f32; 8];

/// The value of a board that a search has not looked at: less than any other, and no points.
pub const NOT_LOOKED_AT: f32 = f32::NEG_INFINITY;

/// Returns whether a search has looked at a board for every next piece.
pub fn is_looked_at(worth: &Worth) -> bool {
    worth[..7].iter().all(|&value| value > NOT_LOOKED_AT)
}

/// A board after a lock.
#[derive(Clone, Copy, Debug)]
pub struct Child {
    /// The board, full rows gone.
    pub board: Playfield,
    /// Where the piece locked, before they went.
    pub place: Placement,
    /// Rows cleared.
    pub cleared: u32,
    /// Lines of the game, these included.
    pub lines: u32,
}

/// A board and a piece that a search looked at, and what they are worth.
#[derive(Clone, Copy, Debug)]
pub struct Seen {
    /// The board.
    pub board: Playfield,
    /// Lines of the game.
    pub lines: u32,
    /// The piece.
    pub piece: Piece,
    /// Points to come.
    pub value: f32,
    /// Odds of reaching the end of the speed.
    pub odds: f32,
}

/// Returns a worth in which boards that were not looked at count like a lost game.
#[inline]
pub(crate) fn counted(worth: &Worth, lost: f32) -> Worth {
    worth.map(|value| if value > NOT_LOOKED_AT { value } else { lost })
}

/// Evaluates boards.
pub trait Evaluator {
    /// What the last decision looked at, of an evaluator that remembers it.
    fn seen(&self) -> &[Seen] {
        &[]
    }

    /// Children of this board come next.
    fn begin(&mut self, board: &Playfield, lines: u32);

    /// Points of the lock and what remains after it, by the piece that appears next. More is
    /// better.
    fn rate(&mut self, child: &Child) -> Worth;

    /// Rates boards as [`Self::rate`] does, in their order.
    fn rate_all(&mut self, children: &[Child], worths: &mut Vec<Worth>) {
        worths.clear();
        worths.extend(children.iter().map(|child| self.rate(child)));
    }

    /// Odds of reaching the end of the speed, for each board of the last decision and each next
    /// piece; empty where the evaluator knows none.
    fn odds(&self) -> &[Worth] {
        &[]
    }

    /// What a lost game is worth, and a board in a decision that was not looked at.
    fn lost(&self) -> f32 {
        0.0
    }

    /// Points that certainty of reaching the end of the speed adds to a rating; the odds add that
    /// share of it.
    fn stake(&self) -> f32 {
        0.0
    }

    /// Rates the same boards anew, all of a decision together, where a search has more to say of
    /// them. Without premoves the piece is put where it serves whatever comes next.
    fn look_ahead(&mut self, piece: Piece, premoves: bool, children: &[Child], worths: &mut [Worth]) {
        let _ = (piece, premoves, children, worths);
    }
}

/// The decision for a piece.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Choice {
    /// Mean over the next pieces.
    pub value: f32,
    /// Odds of reaching the end of the speed; 0 where the evaluator knows none.
    pub odds: f32,
    /// The value without what those odds add.
    pub points: f32,
    /// Number of the premove, where it is one.
    pub premove: Option<usize>,
    /// Numbers of the target by next piece; all alike where there is no premove.
    pub targets: [usize; 7],
}

impl Choice {
    const fn of(value: f32, premove: Option<usize>) -> Self {
        Self { value, odds: 0.0, points: value, premove, targets: [0; 7] }
    }
}

/// Decides by the ratings of an evaluator, a piece deep.
#[derive(Clone, Debug)]
pub struct Decider {
    format: Format,
    reach: Reach,
    children: Vec<Child>,
    worths: Vec<Worth>,
    /// The same with what counts for boards that were not looked at.
    counted: Vec<Worth>,
}

/// Odds of each next piece, by piece.
pub(crate) const SHARES: [Worth; 7] = {
    let mut shares = [[0.0; 8]; 7];
    let mut piece = 0;
    while piece < 7 {
        let mut next = 0;
        while next < 7 {
            shares[piece][next] = ODDS[piece][next] as f32 / 64.0;
            next += 1;
        }
        piece += 1;
    }
    shares
};

/// The mean of a worth over next pieces.
#[inline(always)]
pub(crate) fn mean(worth: &Worth, shares: &Worth) -> f32 {
    let mut sum = 0.0;
    for next in 0..7 {
        sum += worth[next] * shares[next];
    }
    sum
}

impl Decider {
    /// A player of a format.
    pub fn new(format: &Format) -> Self {
        let (children, worths, counted) = Default::default();
        Self { format: *format, reach: Reach::new(format), children, worths, counted }
    }

    /// The format.
    pub const fn format(&self) -> &Format {
        &self.format
    }

    /// The best for a piece that has just appeared; none where it has no place.
    pub fn decide(
        &mut self,
        evaluator: &mut impl Evaluator,
        board: &Playfield,
        lines: u32,
        piece: Piece,
    ) -> Option<Choice> {
        self.reach.find(board, piece, self.format.speed(lines));
        self.children.clear();
        self.worths.clear();
        if self.reach.targets().is_empty() {
            return None;
        }
        evaluator.begin(board, lines);
        for target in self.reach.targets() {
            let mut after = *board;
            let cleared = after.lock(target.place);
            self.children.push(Child { board: after, place: target.place, cleared, lines: lines + cleared });
        }
        evaluator.rate_all(&self.children, &mut self.worths);
        let premoves = !self.reach.premoves().is_empty();
        evaluator.look_ahead(piece, premoves, &self.children, &mut self.worths);
        let looked_at = self.worths.iter().all(is_looked_at);
        if !looked_at {
            self.counted.clear();
            self.counted.extend(self.worths.iter().map(|worth| counted(worth, evaluator.lost())));
        }
        let worths = if looked_at { &self.worths } else { &self.counted };
        let mut choice = best(&self.reach, worths, piece)?;
        let (odds, shares) = (evaluator.odds(), &SHARES[piece as usize]);
        if !odds.is_empty() {
            choice.odds = (0..7).map(|next| shares[next] * odds[choice.targets[next]][next]).sum();
        }
        choice.points = choice.value - evaluator.stake() * choice.odds;
        Some(choice)
    }

    /// The boards after the last decision's targets, by their numbers.
    pub fn children(&self) -> &[Child] {
        &self.children
    }

    /// What the evaluator said of them.
    pub fn worths(&self) -> &[Worth] {
        &self.worths
    }

    /// The places of the last decision.
    pub const fn reach(&self) -> &Reach {
        &self.reach
    }
}

/// The best of all places at once and all premoves; of equals the first.
#[inline]
fn best(reach: &Reach, worths: &[Worth], piece: Piece) -> Option<Choice> {
    let shares = &SHARES[piece as usize];
    let targets = reach.targets();
    let mut choice: Option<Choice> = None;
    for (number, (target, worth)) in targets.iter().zip(worths).enumerate() {
        if target.at_once {
            let value = mean(worth, shares);
            if choice.is_none_or(|choice| value > choice.value) {
                choice = Some(Choice { targets: [number; 7], ..Choice::of(value, None) });
            }
        }
    }
    for premove in 0..reach.premoves().len() {
        let mut most = [NOT_LOOKED_AT; 8];
        for (target, worth) in targets.iter().zip(worths) {
            if target.premoves >> premove & 1 == 1 {
                for next in 0..8 {
                    most[next] = if worth[next] > most[next] { worth[next] } else { most[next] };
                }
            }
        }
        let value = mean(&most, shares);
        if choice.is_none_or(|choice| value > choice.value) {
            let of = |next: usize| {
                let reached = |number: &usize| targets[*number].premoves >> premove & 1 == 1;
                let is_most = |number: &usize| worths[*number][next] >= most[next];
                (0..targets.len()).filter(reached).find(is_most).unwrap_or(0)
            };
            choice = Some(Choice { targets: std::array::from_fn(of), ..Choice::of(value, Some(premove)) });
        }
    }
    choice
}
