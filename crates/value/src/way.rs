//! The buttons that bring a piece where it was decided to go, frame by frame.

use std::collections::HashSet;

use tetris::{Orientation, Piece, Placement, Playfield, WIDTH, buttons};

use crate::format::{Format, LAST_FRAME, Speed};
use crate::reach::Premove;

/// A piece in the air over a board, as the game moves it: shift, turn, drop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Falling {
    board: Playfield,
    orientation: Orientation,
    x: i32,
    y: i32,
    /// Frames towards the next row.
    timer: u32,
    speed: Speed,
    locked: bool,
}

impl Falling {
    /// A piece that has just appeared, so many frames of its first row gone. None where it does not
    /// fit.
    pub fn new(board: &Playfield, piece: Piece, speed: Speed, timer: u32) -> Option<Self> {
        Self::at(board, Orientation::spawn(piece), (5, 0), speed, timer)
    }

    /// A piece somewhere, as column and row of its pivot. None where it does not fit.
    pub fn at(
        board: &Playfield,
        orientation: Orientation,
        (x, y): (i32, i32),
        speed: Speed,
        timer: u32,
    ) -> Option<Self> {
        let falling = Self { board: *board, orientation, x, y, timer, speed, locked: false };
        falling.fits(x, y, orientation).then_some(falling)
    }

    fn fits(&self, x: i32, y: i32, orientation: Orientation) -> bool {
        let cells = orientation.cells();
        !cells.iter().any(|cell| self.board.is_solid(x + i32::from(cell.column), y + i32::from(cell.row)))
    }

    /// A frame with buttons newly pressed.
    pub fn step(&mut self, pressed: u8) {
        let side = i32::from(pressed & buttons::RIGHT != 0) - i32::from(pressed & buttons::LEFT != 0);
        if self.fits(self.x + side, self.y, self.orientation) {
            self.x += side;
        }
        let turned = match pressed & (buttons::A | buttons::B) {
            buttons::A => self.orientation.clockwise(),
            buttons::B => self.orientation.counterclockwise(),
            _ => self.orientation,
        };
        if self.fits(self.x, self.y, turned) {
            self.orientation = turned;
        }
        self.timer += 1;
        let frames = match self.speed {
            Speed::L18 => 3,
            Speed::L19 => 2,
            Speed::L29 | Speed::L39 => 1,
        };
        if self.timer < frames {
            return;
        }
        self.timer = 0;
        for _ in 0..self.speed.rows_at_once() {
            if !self.locked && self.fits(self.x, self.y + 1, self.orientation) {
                self.y += 1;
            } else {
                self.locked = true;
            }
        }
    }

    /// Its orientation, column and row.
    pub const fn pose(&self) -> (Orientation, i32, i32) {
        (self.orientation, self.x, self.y)
    }

    /// Has it locked?
    pub const fn is_locked(&self) -> bool {
        self.locked
    }

    /// Where it has locked, inside the playfield.
    pub fn locked(&self) -> Option<Placement> {
        let place = Placement { orientation: self.orientation, x: self.x as u8, y: self.y as u8 };
        (self.locked && place.cells().iter().all(|&(_, y)| y >= 0)).then_some(place)
    }

    /// The same after a frame in which every button did something; none where one does not, or the
    /// piece has locked.
    fn pressed(mut self, held: u8) -> Option<Self> {
        if self.locked {
            return None;
        }
        let (before, x) = (self.orientation, self.x);
        self.step(held);
        let side = i32::from(held & buttons::RIGHT != 0) - i32::from(held & buttons::LEFT != 0);
        let turned = match held & (buttons::A | buttons::B) {
            buttons::A => before.clockwise(),
            buttons::B => before.counterclockwise(),
            _ => before,
        };
        (self.x == x + side && self.orientation == turned).then_some(self)
    }
}

/// Presses every target of a phase, fewest shifts first, until one serves. Each is told with the
/// buttons up to its next tap.
fn phases<T>(
    falling: &Falling,
    format: &Format,
    mut serves: impl FnMut(Falling, &[u8]) -> Option<T>,
) -> Option<T> {
    for shifts in 0..WIDTH {
        for side in [buttons::LEFT, buttons::RIGHT] {
            if shifts == 0 && side == buttons::RIGHT {
                continue;
            }
            for (turn, turns) in [(0, 0), (buttons::A, 1), (buttons::B, 1), (buttons::A, 2)] {
                let taps = shifts.max(turns);
                if taps > 0 && format.taps.frame(taps - 1) >= LAST_FRAME {
                    continue; // every piece has locked before its last tap
                }
                // Without a tap nothing is waited for, as in `Reach`.
                let frames = if taps == 0 { 0 } else { format.taps.frame(taps) };
                let mut held = vec![0; frames as usize];
                for tap in 0..taps {
                    held[format.taps.frame(tap) as usize] =
                        if tap < shifts { side } else { 0 } | if tap < turns { turn } else { 0 };
                }
                let (mut now, mut frames) = (*falling, 0);
                let pressed = held.iter().all(|&held| match now.pressed(held) {
                    Some(next) => {
                        (now, frames) = (next, frames + 1);
                        true
                    }
                    // A piece that has locked is let be.
                    None => held == 0,
                });
                held.truncate(frames);
                if pressed && let Some(found) = serves(now, &held) {
                    return Some(found);
                }
            }
        }
    }
    None
}

/// Lets a piece fall until it locks. Returns where that is, and the buttons with those before them.
fn settled(mut now: Falling, before: &[u8]) -> Option<(Placement, Vec<u8>)> {
    let mut way = before.to_vec();
    while !now.locked {
        now.step(0);
        way.push(0);
    }
    Some((now.locked()?, way))
}

/// The same as [`phases`] with a tuck after them, in every frame until the piece locks.
fn tucks<T>(
    falling: &Falling,
    format: &Format,
    mut serves: impl FnMut(Falling, &[u8]) -> Option<T>,
) -> Option<T> {
    phases(falling, format, |mut now, before| {
        let mut before = before.to_vec();
        while !now.locked {
            for presses in TUCKS {
                let mut way = before.clone();
                let mut tucked = Some(now);
                for &held in presses.iter().filter(|&&held| held != 0) {
                    way.push(held);
                    tucked = tucked.and_then(|now| now.pressed(held));
                }
                if let Some(found) = tucked.and_then(|now| serves(now, &way)) {
                    return Some(found);
                }
            }
            now.step(0);
            before.push(0);
        }
        None
    })
}

/// The buttons of a phase that ends in a place: one byte a frame, to the frame of the lock.
pub fn way_to(falling: &Falling, format: &Format, place: Placement) -> Option<Vec<u8>> {
    let ends_there = |now: Falling, before: &[u8]| {
        settled(now, before).filter(|(found, _)| *found == place).map(|(_, way)| way)
    };
    phases(falling, format, ends_there).or_else(|| tucks(falling, format, ends_there))
}

/// Every place that a phase leads to, and the buttons of one way to each, as [`way_to`] has them;
/// tucks last.
pub fn ways(falling: &Falling, format: &Format) -> Vec<(Placement, Vec<u8>)> {
    let (mut seen, mut found) = (HashSet::new(), Vec::new());
    let mut keep = |now: Falling, before: &[u8]| -> Option<()> {
        found.extend(settled(now, before).filter(|(place, _)| seen.insert(*place)));
        None
    };
    phases(falling, format, &mut keep);
    tucks(falling, format, keep);
    found
}

const TUCKS: [[u8; 2]; 16] = {
    use buttons::{A, B, LEFT as L, RIGHT as R};
    [
        [L, 0],
        [R, 0],
        [A, 0],
        [B, 0],
        [L | A, 0],
        [L | B, 0],
        [R | A, 0],
        [R | B, 0],
        [L, A],
        [L, B],
        [R, A],
        [R, B],
        [A, L],
        [A, R],
        [B, L],
        [B, R],
    ]
};

/// The buttons of a premove, one byte a frame, up to the frame in which the next piece is known,
/// and the piece as it is then.
pub fn way_to_premove(falling: &Falling, format: &Format, premove: Premove) -> Option<(Vec<u8>, Falling)> {
    phases(falling, format, |now, before| {
        let (orientation, x, _) = now.pose();
        if now.locked || orientation != premove.orientation || x != i32::from(premove.x) {
            return None;
        }
        let (mut now, mut way) = (now, before.to_vec());
        while way.len() < format.delay as usize {
            now.step(0);
            way.push(0);
        }
        (!now.locked).then_some((way, now))
    })
}
