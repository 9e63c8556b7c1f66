//! One state after the other, in the article's order.

use tetris::{Orientation, Piece, Placement, Playfield};

use crate::Filter;
use crate::filter::Gate;

/// States of a piece: orientations x rows x columns.
const STATES: usize = 4 * 20 * 10;
const NOWHERE: u16 = u16::MAX;

/// Every place that a piece reaches from its spawn, found breadth first. Gravity has no say: a
/// piece may hang still, slide and spin as it likes.
///
/// A state's neighbours come in this order: turned counterclockwise, turned clockwise, left, right,
/// down. A state that cannot go down is a lock.
///
/// ```
/// use ai::{Filter, Walk};
/// use tetris::{Piece, Playfield};
///
/// let walk = Walk::new(&Playfield::EMPTY, Piece::O, &Filter::None);
/// assert_eq!(walk.locks().len(), 9);
/// let first = walk.locks()[0];
/// assert_eq!((first.x, first.y, walk.distance(first)), (5, 18, Some(18)));
/// ```
#[derive(Clone, Debug)]
pub struct Walk {
    /// The predecessor of each state visited.
    from: [u16; STATES],
    first: u8,
    locks: Vec<Placement>,
}

impl Walk {
    /// Walks a piece over a board. There are no locks where the piece has no room to spawn.
    pub fn new(board: &Playfield, piece: Piece, filter: &Filter) -> Self {
        Self::until(board, piece, filter, |_| false)
    }

    /// Walks until a lock is found that is wanted, or to the end. That lock is the last of the
    /// list.
    pub fn until(
        board: &Playfield,
        piece: Piece,
        filter: &Filter,
        mut wanted: impl FnMut(Placement) -> bool,
    ) -> Self {
        let spawn = Placement::spawn(piece);
        let gate = filter.gate(board, piece);
        let mut walk =
            Self { from: [NOWHERE; STATES], first: Orientation::first(piece).id(), locks: Vec::new() };
        if !board.fits(spawn) {
            return walk;
        }
        let mut queue = [spawn; STATES];
        let (mut head, mut tail) = (0, 1);
        walk.from[walk.index(spawn)] = walk.index(spawn) as u16;
        while head < tail {
            let here = queue[head];
            head += 1;
            let own = walk.index(here) as u16;
            for next in turns(here).into_iter().chain(shifts(here)).flatten() {
                if walk.visit(board, &gate, own, next) == Step::New {
                    queue[tail] = next;
                    tail += 1;
                }
            }
            let below = Placement { y: here.y + 1, ..here };
            match if below.y < 20 { walk.visit(board, &gate, own, below) } else { Step::Illegal } {
                Step::New => {
                    queue[tail] = below;
                    tail += 1;
                }
                Step::Illegal => {
                    walk.locks.push(here);
                    if wanted(here) {
                        return walk;
                    }
                }
                Step::Legal => {}
            }
        }
        walk
    }

    /// The locks in the order in which they are found.
    pub fn locks(&self) -> &[Placement] {
        &self.locks
    }

    /// Moves from spawn to a place; `None` where it is not reached.
    pub fn distance(&self, place: Placement) -> Option<usize> {
        self.path(place).map(|path| path.len() - 1)
    }

    /// The way to a place, spawn and the place included; one move from each to the next. `None`
    /// where the place is not reached.
    pub fn path(&self, place: Placement) -> Option<Vec<Placement>> {
        let id = place.orientation.id();
        if !(self.first..self.first + 4).contains(&id) || place.x > 9 || place.y > 19 {
            return None;
        }
        let mut index = self.index(place);
        if self.from[index] == NOWHERE {
            return None;
        }
        let mut path = vec![self.place(index)?];
        while usize::from(self.from[index]) != index {
            index = usize::from(self.from[index]);
            path.push(self.place(index)?);
        }
        path.reverse();
        Some(path)
    }

    fn visit(&mut self, board: &Playfield, gate: &Gate, from: u16, to: Placement) -> Step {
        let index = self.index(to);
        if self.from[index] != NOWHERE {
            return Step::Legal;
        }
        if !board.fits(to) {
            return Step::Illegal;
        }
        if !gate.allows(to) {
            return Step::Legal;
        }
        self.from[index] = from;
        Step::New
    }

    fn index(&self, place: Placement) -> usize {
        let turn = usize::from(place.orientation.id() - self.first);
        (turn * 20 + usize::from(place.y)) * 10 + usize::from(place.x)
    }

    fn place(&self, index: usize) -> Option<Placement> {
        let orientation = Orientation::from_id(self.first + (index / 200) as u8)?;
        Some(Placement { x: (index % 10) as u8, y: (index / 10 % 20) as u8, orientation })
    }
}

/// What became of a move.
#[derive(PartialEq, Eq)]
enum Step {
    /// Against a wall, the floor or a cell.
    Illegal,
    /// Legal, but visited before or rejected by the filter.
    Legal,
    /// To a state not seen before.
    New,
}

fn turns(place: Placement) -> [Option<Placement>; 2] {
    let turned = |orientation| Placement { orientation, ..place };
    let (left, right) = (place.orientation.counterclockwise(), place.orientation.clockwise());
    [(left != place.orientation).then(|| turned(left)), (right != left).then(|| turned(right))]
}

fn shifts(place: Placement) -> [Option<Placement>; 2] {
    [
        (place.x > 0).then(|| Placement { x: place.x - 1, ..place }),
        (place.x < 9).then(|| Placement { x: place.x + 1, ..place }),
    ]
}
