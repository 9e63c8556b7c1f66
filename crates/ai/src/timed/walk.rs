//! The article's gamepad search: one state after the other.

use tetris::{Orientation, Piece, Placement};

use super::collision_mask::CollisionMask;
use super::hold::{HOLDS, Hold, NEXT};
use super::start::{Start, Step, falls};

/// Rows x columns x orientations x holds.
const STATES: usize = 20 * 10 * 4 * HOLDS;
const NOWHERE: u16 = u16::MAX;

/// Every place in which buttons can lock a piece against gravity, found breadth first: 28,800
/// states of column, row, orientation and buttons held. A state keeps the fall timer with which it
/// was reached first.
///
/// ```
/// use ai::{Start, TimedWalk};
/// use tetris::{Piece, Playfield, rules::frames_per_row};
///
/// let mut walk = TimedWalk::new();
/// walk.find(&Start::spawn(Playfield::EMPTY, Piece::O, frames_per_row(29)));
/// assert_eq!(walk.locks().count(), 9);
/// let way = walk.way(walk.locks().next().unwrap()).unwrap();
/// assert_eq!(way.len(), 19); // a row a frame, and the frame in which it locks
/// ```
#[derive(Clone, Debug)]
pub struct TimedWalk {
    /// The predecessor of each state reached.
    from: Box<[u16]>,
    timers: Box<[u8]>,
    queue: Box<[u16]>,
    locks: Vec<Lock>,
    start: u16,
    piece: Piece,
}

/// A place, the state before it locks there, and what is held as it does.
#[derive(Clone, Copy, Debug)]
struct Lock {
    place: Placement,
    state: u16,
    hold: u8,
}

impl Default for TimedWalk {
    fn default() -> Self {
        Self::new()
    }
}

impl TimedWalk {
    /// `CollisionMask` for a search. Searches allocate nothing.
    pub fn new() -> Self {
        Self {
            from: vec![NOWHERE; STATES].into(),
            timers: vec![0; STATES].into(),
            queue: vec![0; STATES].into(),
            locks: Vec::with_capacity(4 * 200),
            start: 0,
            piece: Piece::T,
        }
    }

    /// Searches anew. Nothing is found where the piece does not fit, or where Down is held without
    /// effect: it would have to be let go first.
    pub fn find(&mut self, start: &Start) {
        self.locks.clear();
        let Some(piece) = start.place.orientation.piece() else { return };
        self.search(&CollisionMask::new(&start.board, start.above, piece), piece, start);
    }

    pub(super) fn search(&mut self, mask: &CollisionMask, piece: Piece, start: &Start) {
        self.locks.clear();
        self.piece = piece;
        let turn = usize::from(start.place.orientation.id() - Orientation::first(piece).id());
        let (x, y) = (usize::from(start.place.x), usize::from(start.place.y));
        if x > 9 || y > 19 || !mask.has(x, y, turn) || start.down_is_spent() {
            return;
        }
        self.from.fill(NOWHERE);
        self.start = index(x, y, turn, Hold::of(start.held, start.soft_drop).number());
        self.from[usize::from(self.start)] = self.start;
        self.timers[usize::from(self.start)] = start.fall_timer;
        self.queue[0] = self.start;
        let (mut head, mut tail) = (0, 1);
        let mut locked = [[0u16; 4]; 20];
        while head < tail {
            let state = self.queue[head];
            head += 1;
            let number = usize::from(state);
            let (x, y) = (number / (4 * HOLDS) % 10, number / (40 * HOLDS));
            let turn = number / HOLDS % 4;
            let timer = self.timers[number].wrapping_add(1);
            let (list, count) = &NEXT[number % HOLDS];
            for &next in &list[..usize::from(*count)] {
                let hold = Hold::from_number(next.into());
                // Turns that come to the same as another, or to nothing, are left out.
                if hold.turn > 0 && mask.turns < 2 || hold.turn > 1 && mask.turns < 4 {
                    continue;
                }
                let shifted = match hold.slide {
                    1 if x > 0 => x - 1,
                    2 if x < 9 => x + 1,
                    _ => x,
                };
                let x = if mask.has(shifted, y, turn) { shifted } else { x };
                let turned = match hold.turn {
                    1 => (turn + 1) % mask.turns,
                    2 => (turn + mask.turns - 1) % mask.turns,
                    _ => turn,
                };
                let turn = if mask.has(x, y, turned) { turned } else { turn };
                let (mut y, mut timer) = (y, timer);
                if hold.down == 3 || falls(timer, start.frames_per_row) {
                    if !mask.has(x, y + 1, turn) {
                        if locked[y][turn] >> x & 1 == 0 {
                            locked[y][turn] |= 1 << x;
                            let place = Placement {
                                x: x as u8,
                                y: y as u8,
                                orientation: Orientation::nth(piece, turn),
                            };
                            self.locks.push(Lock { place, state, hold: next });
                        }
                        continue;
                    }
                    y += 1;
                    timer = 0;
                }
                let child = index(x, y, turn, next.into());
                if self.from[usize::from(child)] == NOWHERE {
                    self.from[usize::from(child)] = state;
                    self.timers[usize::from(child)] = timer;
                    self.queue[tail] = child;
                    tail += 1;
                }
            }
        }
    }

    /// The places found, soonest first.
    pub fn locks(&self) -> impl Iterator<Item = Placement> {
        self.locks.iter().map(|lock| lock.place)
    }

    /// The buttons that lead to a place soonest, frame by frame, the one included in which the
    /// piece locks. `None` where it was not found.
    pub fn way(&self, place: Placement) -> Option<Vec<Step>> {
        let mut way = Vec::new();
        self.write_way(place, &mut way).then_some(way)
    }

    /// Writes the way over `way`. Is there one?
    pub(super) fn write_way(&self, place: Placement, way: &mut Vec<Step>) -> bool {
        let Some(lock) = self.locks.iter().find(|lock| lock.place == place) else { return false };
        way.clear();
        way.push(Step { buttons: Hold::from_number(lock.hold.into()).buttons(), place });
        let mut state = lock.state;
        while state != self.start {
            let number = usize::from(state);
            let turn = number / HOLDS % 4;
            way.push(Step {
                buttons: Hold::from_number(number % HOLDS).buttons(),
                place: Placement {
                    x: (number / (4 * HOLDS) % 10) as u8,
                    y: (number / (40 * HOLDS)) as u8,
                    orientation: self.orientation(turn),
                },
            });
            state = self.from[number];
        }
        way.reverse();
        true
    }

    fn orientation(&self, turn: usize) -> Orientation {
        Orientation::nth(self.piece, turn)
    }
}

#[inline(always)]
const fn index(x: usize, y: usize, turn: usize, hold: usize) -> u16 {
    (((y * 10 + x) * 4 + turn) * HOLDS + hold) as u16
}
