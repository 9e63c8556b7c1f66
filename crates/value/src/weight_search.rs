//! The search of the weights: how broad, and how many pieces deep.

use tetris::{Piece, Playfield};

use crate::decide::{Child, Evaluator, NOT_LOOKED_AT, SHARES, Worth, mean};
use crate::format::Format;
use crate::linear::Linear;
use crate::reach::Reach;

/// What a piece without a place costs, in a weighted sum.
const LOST: f32 = -1e5;
/// What a board counts that was not looked at: less than any other.
const UNSEEN: f32 = 10.0 * LOST;

/// Rates the boards that look best by what each next piece makes of them, where it is put at once.
#[derive(Clone, Debug)]
pub struct WeightSearch {
    format: Format,
    linear: Linear,
    breadth: usize,
    order: Vec<(f32, usize)>,
    next: Option<Box<Next>>,
}

/// A piece that is looked at.
#[derive(Clone, Debug)]
struct Next {
    reach: Reach,
    /// Boards that are looked at a piece further.
    breadth: usize,
    /// Boards after it, by what they seem to be worth, and what the lock is worth.
    children: Vec<(f32, Child, f32)>,
    further: Option<Box<Self>>,
}

impl Next {
    fn new(format: &Format, breadths: &[usize]) -> Self {
        // Of the piece after the next nothing is asked, so nothing is to be waited for.
        let reach = Reach::new(&Format { delay: 61, ..*format });
        let breadth = breadths.first().copied().unwrap_or(0);
        let further = (breadth > 0).then(|| Box::new(Self::new(format, &breadths[1..])));
        Self { reach, breadth, children: Vec::new(), further }
    }

    /// What the piece makes of a board.
    fn greatest(&mut self, format: &Format, linear: &Linear, child: &Child, piece: Piece) -> f32 {
        self.children.clear();
        for target in self.reach.find(&child.board, piece, format.speed(child.lines)) {
            if target.at_once {
                let mut board = child.board;
                let cleared = board.lock(target.place);
                let after = Child { board, place: target.place, cleared, lines: child.lines + cleared };
                let (of_lock, of_board) = linear.parts(&after);
                let value = of_lock + mean(&of_board, &SHARES[piece as usize]);
                self.children.push((value, after, of_lock));
            }
        }
        let mut greatest = LOST;
        let Some(further) = &mut self.further else {
            return self.children.iter().fold(greatest, |greatest, child| greatest.max(child.0));
        };
        // Of equals the first.
        self.children.sort_by(|one, other| other.0.total_cmp(&one.0));
        for (value, after, of_lock) in self.children.iter().take(self.breadth) {
            let value = if after.lines < format.lines {
                let of = Piece::ALL.map(|piece| further.greatest(format, linear, after, piece));
                let shares = &SHARES[piece as usize];
                of_lock + of.iter().zip(shares).map(|(value, share)| value * share).sum::<f32>()
            } else {
                *value
            };
            greatest = greatest.max(value);
        }
        greatest
    }
}

impl WeightSearch {
    /// Looks at so many boards of a decision, and so on with those of the next pieces: a breadth
    /// for each piece that is looked at. Other boards are [`NOT_LOOKED_AT`]. Without a breadth it
    /// rates as the weights do.
    pub fn new(format: &Format, linear: Linear, breadths: &[usize]) -> Self {
        let breadth = breadths.first().copied().unwrap_or(0);
        let next = (breadth > 0).then(|| Box::new(Next::new(format, &breadths[1..])));
        Self { format: *format, linear, breadth, order: Vec::new(), next }
    }
}

impl Evaluator for WeightSearch {
    fn begin(&mut self, _: &Playfield, _: u32) {}

    fn lost(&self) -> f32 {
        UNSEEN
    }

    fn rate(&mut self, child: &Child) -> Worth {
        self.linear.rate(child)
    }

    fn look_ahead(&mut self, piece: Piece, _: bool, children: &[Child], worths: &mut [Worth]) {
        let Some(next) = &mut self.next else { return };
        self.order.clear();
        self.order.extend(
            worths.iter().enumerate().map(|(number, worth)| (mean(worth, &SHARES[piece as usize]), number)),
        );
        // Of equals the first.
        self.order.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
        for (rank, &(_, number)) in self.order.iter().enumerate() {
            if rank >= self.breadth {
                worths[number] = [NOT_LOOKED_AT; 8];
            } else if children[number].lines < self.format.lines {
                let child = &children[number];
                let (of_lock, _) = self.linear.parts(child);
                for piece in Piece::ALL {
                    worths[number][piece as usize] =
                        of_lock + next.greatest(&self.format, &self.linear, child, piece);
                }
            }
        }
    }
}
