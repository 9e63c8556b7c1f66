//! The judge that asks nets about the boards that weights like best.

use tetris::{Piece, Playfield};

use crate::decide::{Child, Judge, NOT_LOOKED_AT, SHARES, Worth, mean};
use crate::format::{Format, Speed};
use crate::judge::{NetJudge, Nets};
use crate::linear::Linear;

/// Rates by nets, of a decision's boards only those that the weights like best. The others are
/// [`NOT_LOOKED_AT`].
///
/// A net that has seen few games is right about boards as they come up in them, and wrong about
/// boards that nobody would leave: those it never gets to see.
#[derive(Clone, Debug)]
pub struct Guided {
    net: NetJudge,
    guide: Linear,
    count: usize,
    order: Vec<(f32, usize)>,
    kept: Vec<bool>,
    /// The boards kept, and what they are worth.
    children: Vec<Child>,
    worths: Vec<Worth>,
    /// Of all boards; those that are not kept have none.
    odds: Vec<Worth>,
}

impl Guided {
    /// Asks nets about so many boards of a decision, and about half as many more for each next
    /// piece; about every board where it is 0.
    pub fn new(format: &Format, nets: Nets, guide: Linear, count: usize) -> Self {
        let net = NetJudge::new(format, nets);
        let (order, kept, children, worths, odds) = Default::default();
        Self { net, guide, count, order, kept, children, worths, odds }
    }

    /// See [`NetJudge::with_well`].
    #[must_use]
    pub fn with_well(self, well: f32) -> Self {
        Self { net: self.net.with_well(well), ..self }
    }

    /// See [`NetJudge::with_caution`].
    #[must_use]
    pub fn with_caution(self, caution: f32) -> Self {
        Self { net: self.net.with_caution(caution), ..self }
    }

    /// See [`NetJudge::with_clearing`].
    #[must_use]
    pub fn with_clearing(self, clearing: f32) -> Self {
        Self { net: self.net.with_clearing(clearing), ..self }
    }

    /// See [`NetJudge::of_lock`].
    #[inline]
    pub(crate) fn of_lock(&self, child: &Child) -> f32 {
        self.net.of_lock(child)
    }

    /// See [`NetJudge::counted`].
    pub(crate) fn counted(&self, deciding: Speed, speed: Speed) -> f32 {
        self.net.counted(deciding, speed)
    }

    /// See [`NetJudge::stake_at`].
    pub(crate) fn stake_at(&self, speed: Speed) -> f32 {
        self.net.stake_at(speed)
    }

    /// Keeps the best boards by some measure, of equals the first.
    fn keep(&mut self, count: usize, worths: &[Worth], of: impl Fn(&Worth) -> f32) {
        self.order.clear();
        self.order.extend(worths.iter().enumerate().map(|(number, worth)| (of(worth), number)));
        self.order.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
        for &(_, number) in self.order.iter().take(count) {
            self.kept[number] = true;
        }
    }
}

impl Judge for Guided {
    fn begin(&mut self, board: &Playfield, lines: u32) {
        self.net.begin(board, lines);
    }

    #[inline]
    fn rate(&mut self, child: &Child) -> Worth {
        if self.count == 0 { self.net.rate(child) } else { self.guide.rate(child) }
    }

    fn rate_all(&mut self, children: &[Child], worths: &mut Vec<Worth>) {
        if self.count == 0 {
            self.net.rate_all(children, worths);
        } else {
            self.guide.rate_all(children, worths);
        }
    }

    fn look_ahead(&mut self, piece: Piece, _: bool, children: &[Child], worths: &mut [Worth]) {
        if self.count == 0 {
            return;
        }
        self.kept.clear();
        self.kept.resize(children.len(), false);
        self.keep(self.count, worths, |worth| mean(worth, &SHARES[piece as usize]));
        for next in 0..7 {
            self.keep(self.count.div_ceil(2), worths, |worth| worth[next]);
        }
        self.children.clear();
        self.children
            .extend(children.iter().zip(&self.kept).filter(|(_, kept)| **kept).map(|(child, _)| child));
        self.net.rate_all(&self.children, &mut self.worths);
        self.odds.clear();
        let mut rated = self.worths.iter().zip(self.net.odds());
        for (worth, &kept) in worths.iter_mut().zip(&self.kept) {
            let rated = if kept { rated.next() } else { None };
            let (of_board, odds) =
                rated.map_or(([NOT_LOOKED_AT; 8], [0.0; 8]), |(worth, odds)| (*worth, *odds));
            *worth = of_board;
            self.odds.push(odds);
        }
    }

    fn odds(&self) -> &[Worth] {
        if self.count == 0 { self.net.odds() } else { &self.odds }
    }

    fn stake(&self) -> f32 {
        self.net.stake()
    }
}
