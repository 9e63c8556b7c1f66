//! The judge that asks nets, one a speed.

use std::sync::Arc;

use crate::board::Board;
use crate::decide::{Child, Judge, Worth};
use crate::features::{end_of, features};
use crate::format::{Format, Speed, points};
use crate::net::{ALIVE, Net, Sums, scale, shares_beside};

/// Nets by speed, the slowest first. Where one is missing, what remains is worth nothing.
pub type Nets = [Option<Arc<Net>>; 4];

/// Rates boards by nets.
#[derive(Clone, Debug)]
pub struct NetJudge {
    format: Format,
    nets: Nets,
    parent: Sums,
    parent_speed: Option<Speed>,
}

impl NetJudge {
    /// A judge for games of a format.
    pub fn new(format: &Format, nets: Nets) -> Self {
        Self { format: *format, nets, parent: Sums::new(), parent_speed: None }
    }

    /// The speed of a game with so many lines, and the lines to its end: the features of a board
    /// know no other.
    fn stage(&self, lines: u32) -> (Speed, u32) {
        let slot = Speed::LINES.iter().rposition(|&from| lines >= from).unwrap_or(0);
        let speed = Speed::ALL[slot];
        (speed, end_of(speed, self.format.lines).saturating_sub(lines))
    }
}

/// The odds that a game comes to levels 19, 29 and 39 from a board, and 1 for those that it has
/// reached. What comes after the speed of the board is computed from an empty one. None without the
/// nets for it.
pub fn odds(format: &Format, nets: &Nets, board: &Board, lines: u32) -> Option<[f32; 3]> {
    let slot = Speed::LINES.iter().rposition(|&from| lines >= from).unwrap_or(0);
    let (mut odds, mut so_far) = ([1.0; 3], 1.0);
    for speed in slot..3 {
        let (board, lines) =
            if speed == slot { (board, lines) } else { (&Board::EMPTY, Speed::LINES[speed]) };
        let to_go = end_of(Speed::ALL[speed], format.lines).saturating_sub(lines);
        so_far *= nets[speed].as_ref()?.shares(&features(board, to_go))[ALIVE];
        odds[speed] = so_far;
    }
    Some(odds)
}

impl Judge for NetJudge {
    fn begin(&mut self, board: &Board, lines: u32) {
        let (speed, to_go) = self.stage(lines);
        self.parent_speed = None;
        if let Some(net) = &self.nets[speed as usize] {
            self.parent.fill(net, &features(board, to_go));
            self.parent_speed = Some(speed);
        }
    }

    #[inline]
    fn rate(&mut self, child: &Child) -> Worth {
        let points = if child.cleared > 0 { points(child.cleared, child.lines) as f32 } else { 0.0 };
        if child.lines >= self.format.lines {
            return [points; 8];
        }
        let (speed, to_go) = self.stage(child.lines);
        let Some(net) = &self.nets[speed as usize] else { return [points; 8] };
        let features = features(&child.board, to_go);
        let shares = if self.parent_speed == Some(speed) {
            shares_beside(net, &self.parent, &features)
        } else {
            net.shares(&features)
        };
        let scale = scale(speed, to_go);
        shares.map(|share| points + scale * share)
    }
}
