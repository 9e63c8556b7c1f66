//! The judge that looks at the next piece too.

use tetris::Piece;

use crate::board::Board;
use crate::decide::{Child, Judge, SHARES, Worth, mean};
use crate::format::Format;
use crate::linear::Linear;
use crate::reach::Reach;

/// What a piece without a place costs, in a weighted sum.
const LOST: f32 = -1e5;

/// Rates the boards that look best by what each next piece makes of them, where it is put at once.
#[derive(Clone, Debug)]
pub struct Ahead {
    format: Format,
    linear: Linear,
    reach: Reach,
    breadth: usize,
    order: Vec<(f32, usize)>,
}

impl Ahead {
    /// Looks at so many boards of a decision; of the others it thinks nothing. 0 looks at none, and
    /// rates as the weights do.
    pub fn new(format: &Format, linear: Linear, breadth: usize) -> Self {
        // Of the piece after the next nothing is asked, so nothing is to be waited for.
        let reach = Reach::new(&Format { delay: 61, ..*format });
        Self { format: *format, linear, reach, breadth, order: Vec::new() }
    }

    /// What a next piece makes of a board.
    fn greatest(&mut self, child: &Child, next: Piece) -> f32 {
        let targets = self.reach.find(&child.board, next, self.format.speed(child.lines));
        let mut greatest = LOST;
        for target in targets {
            if target.at_once {
                let mut board = child.board;
                let cleared = board.lock(target.place);
                let after = Child { board, place: target.place, cleared, lines: child.lines + cleared };
                let (of_lock, of_board) = self.linear.parts(&after);
                greatest = greatest.max(of_lock + mean(&of_board, &SHARES[next as usize]));
            }
        }
        greatest
    }
}

impl Judge for Ahead {
    fn begin(&mut self, _: &Board, _: u32) {}

    fn rate(&mut self, child: &Child) -> Worth {
        self.linear.rate(child)
    }

    fn look_ahead(&mut self, piece: Piece, children: &[Child], worths: &mut [Worth]) {
        if self.breadth == 0 {
            return;
        }
        let mut order = std::mem::take(&mut self.order);
        order.clear();
        order.extend(
            worths.iter().enumerate().map(|(number, worth)| (mean(worth, &SHARES[piece as usize]), number)),
        );
        // Of equals the first.
        order.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
        for (rank, &(_, number)) in order.iter().enumerate() {
            if rank >= self.breadth {
                worths[number] = worths[number].map(|worth| worth + 10.0 * LOST);
            } else if children[number].lines < self.format.lines {
                let child = &children[number];
                let (of_lock, _) = self.linear.parts(child);
                for next in Piece::ALL {
                    worths[number][next as usize] = of_lock + self.greatest(child, next);
                }
            }
        }
        self.order = order;
    }
}
