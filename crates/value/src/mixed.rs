//! The judge that asks nets at the speeds that have one, and weights at the others.

use tetris::Piece;

use crate::ahead::Ahead;
use crate::board::Board;
use crate::decide::{Child, Judge, Worth};
use crate::format::{Format, Speed};
use crate::guided::Guided;
use crate::judge::Nets;
use crate::linear::Linear;
use crate::net_ahead::NetAhead;

/// Nets where there are some, weights elsewhere.
#[derive(Clone, Debug)]
pub struct Mixed {
    has_net: [bool; 4],
    net: NetAhead,
    linear: Ahead,
    by_net: bool,
}

impl Mixed {
    /// Looks at what each next piece makes of so many boards, a breadth for each piece.
    /// Nets are asked about the `guided` boards that the weights like best, about every board where
    /// that is 0. Of `narrow` see [`NetAhead::new`], of `caution` [`NetJudge::with_caution`].
    ///
    /// [`NetJudge::with_caution`]: crate::NetJudge::with_caution
    pub fn new(
        format: &Format,
        nets: Nets,
        linear: Linear,
        breadths: &[usize],
        narrow: usize,
        guided: usize,
        caution: f32,
    ) -> Self {
        Self {
            has_net: std::array::from_fn(|speed| nets[speed].is_some()),
            net: NetAhead::new(
                format,
                Guided::new(format, nets, linear.clone(), guided).with_caution(caution),
                breadths,
                narrow,
            ),
            linear: Ahead::new(format, linear, breadths),
            by_net: false,
        }
    }

    /// Is a board at so many lines judged by a net?
    pub(crate) fn has_net(&self, lines: u32) -> bool {
        self.has_net[Speed::LINES.iter().rposition(|&from| lines >= from).unwrap_or(0)]
    }
}

impl Judge for Mixed {
    fn begin(&mut self, board: &Board, lines: u32) {
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

    fn odds(&self) -> &[Worth] {
        if self.by_net { self.net.odds() } else { &[] }
    }

    fn stake(&self) -> f32 {
        if self.by_net { self.net.stake() } else { 0.0 }
    }
}
