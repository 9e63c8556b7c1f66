//! The judge that asks nets at the speeds that have one, and weights at the others.

use tetris::{Piece, Playfield};

use crate::ahead::Ahead;
use crate::decide::{Child, Judge, Worth};
use crate::format::{Format, Speed};
use crate::guided::Guided;
use crate::judge::Nets;
use crate::linear::Linear;
use crate::net_ahead::NetAhead;
use crate::outputs::CAUTION;

/// How a player judges by nets, and by weights at the speeds that have none.
#[derive(Clone, Debug)]
pub struct NetMind {
    /// By speed.
    pub nets: Nets,
    /// The weights.
    pub linear: Linear,
    /// Boards that are looked at a piece further; of the decisions about that piece, boards that
    /// are looked at another piece further, and so on.
    pub breadths: Vec<usize>,
    /// Where three pieces are looked at, boards that are best by two of them, for which alone the
    /// third is looked at; all of them where it is 0.
    pub narrow: usize,
    /// Boards that the weights like best, about which alone the nets are asked; all of them where
    /// it is 0.
    pub guided: usize,
    /// How much the odds of surviving a slow speed count, see [`NetJudge::with_caution`].
    ///
    /// [`NetJudge::with_caution`]: crate::NetJudge::with_caution
    pub caution: f32,
    /// Points that each row of a clear is worth beyond the game's, where it is no tetris; 0 for
    /// whoever plays for the most points.
    pub clearing: f32,
}

impl NetMind {
    /// Nets that are asked about every board of a piece.
    pub const fn new(nets: Nets, linear: Linear) -> Self {
        Self { nets, linear, breadths: Vec::new(), narrow: 0, guided: 0, caution: CAUTION, clearing: 0.0 }
    }
}

/// Nets where there are some, weights elsewhere.
#[derive(Clone, Debug)]
pub struct Mixed {
    has_net: [bool; 4],
    net: NetAhead,
    linear: Ahead,
    by_net: bool,
}

impl Mixed {
    /// A judge for games of a format.
    pub fn new(format: &Format, mind: NetMind) -> Self {
        let NetMind { nets, linear, breadths, narrow, guided, caution, clearing } = mind;
        let to_nets = &format.to_nets();
        let has_net = std::array::from_fn(|speed| nets[speed].is_some());
        let judge =
            Guided::new(to_nets, nets, linear.clone(), guided).with_caution(caution).with_clearing(clearing);
        Self {
            has_net,
            net: NetAhead::new(to_nets, judge, &breadths, narrow),
            linear: Ahead::new(format, linear, &breadths),
            by_net: false,
        }
    }

    /// See [`NetAhead::know`]. Weights look at every next piece.
    pub(crate) fn know(&mut self, next: Option<Piece>) {
        self.net.know(next);
    }

    /// Is a board at so many lines judged by a net?
    pub(crate) fn has_net(&self, lines: u32) -> bool {
        self.has_net[Speed::of_lines(lines) as usize]
    }
}

impl Judge for Mixed {
    fn begin(&mut self, board: &Playfield, lines: u32) {
        self.by_net = self.has_net(lines);
        if self.by_net {
            self.net.begin(board, lines);
        }
    }

    #[inline]
    fn rate(&mut self, child: &Child) -> Worth {
        if self.by_net { self.net.rate(child) } else { self.linear.rate(child) }
    }

    fn rate_all(&mut self, children: &[Child], worths: &mut Vec<Worth>) {
        if self.by_net {
            self.net.rate_all(children, worths);
        } else {
            self.linear.rate_all(children, worths);
        }
    }

    fn look_ahead(&mut self, piece: Piece, premoves: bool, children: &[Child], worths: &mut [Worth]) {
        if self.by_net {
            self.net.look_ahead(piece, premoves, children, worths);
        } else {
            self.linear.look_ahead(piece, premoves, children, worths);
        }
    }

    fn lost(&self) -> f32 {
        if self.by_net { self.net.lost() } else { self.linear.lost() }
    }

    fn odds(&self) -> &[Worth] {
        if self.by_net { self.net.odds() } else { &[] }
    }

    fn stake(&self) -> f32 {
        if self.by_net { self.net.stake() } else { 0.0 }
    }
}
