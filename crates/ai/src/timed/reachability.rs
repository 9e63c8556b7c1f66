//! Every place against gravity at once: a word holds the columns of a frame.
//!
//! Without soft drop all states of a frame have the same row and fall timer. What is left is the
//! orientation, whether Left or Right is held, and whether A or B is: sixteen sets of columns,
//! which a frame turns into sixteen others. In a row they come to rest after a few frames; the
//! remaining ones up to the fall are then the same.

use tetris::buttons::{A, B, LEFT, RIGHT};
use tetris::{Orientation, Piece, Placement};

use super::collision_mask::CollisionMask;
use super::start::{Start, Step, falls};

/// By orientation, then by what is held (bit 0 Left or Right, bit 1 A or B): columns.
type Sets = [[u16; 4]; 4];

/// Locks by row and orientation: columns.
pub(super) type Locks = [[u16; 4]; 20];

/// The sets of the frames in one row. The last one stands for all up to `frames`.
#[derive(Clone, Copy, Debug)]
struct Row {
    y: usize,
    first: usize,
    last: usize,
    frames: usize,
}

/// What a search passed through.
#[derive(Clone, Debug)]
pub(super) struct History {
    start: Sets,
    sets: Vec<Sets>,
    rows: Vec<Row>,
}

/// A state of a frame.
#[derive(Clone, Copy)]
struct State {
    x: usize,
    turn: usize,
    slides: bool,
    turns: bool,
}

impl History {
    pub(super) fn new() -> Self {
        Self { start: [[0; 4]; 4], sets: Vec::with_capacity(1024), rows: Vec::with_capacity(20) }
    }
}

/// The places in which a piece from `start` can lock. With a history, ways lead there.
#[inline]
pub(super) fn locks(
    mask: &CollisionMask,
    piece: Piece,
    start: &Start,
    mut history: Option<&mut History>,
) -> Locks {
    let mut locks = [[0; 4]; 20];
    let mut sets = [[0; 4]; 4];
    let (x, mut y) = (start.place.x, usize::from(start.place.y));
    let turn = usize::from(start.place.orientation.id() - Orientation::first(piece).id());
    if x > 9 || y > 19 || !mask.has(x.into(), y, turn) {
        return locks;
    }
    let held = usize::from(start.held & (LEFT | RIGHT) != 0) + 2 * usize::from(start.held & (A | B) != 0);
    sets[turn][held] = 1 << x;
    if let Some(history) = history.as_deref_mut() {
        history.start = sets;
        history.sets.clear();
        history.rows.clear();
    }
    let mut timer = start.fall_timer;
    loop {
        let mut frames = 1;
        timer = timer.wrapping_add(1);
        while !falls(timer, start.frames_per_row) {
            timer = timer.wrapping_add(1);
            frames += 1;
        }
        timer = 0;
        let first = history.as_deref().map_or(0, |history| history.sets.len());
        for frame in 0..frames {
            let next = step(&sets, &mask.fits[y], mask.turns);
            let rests = frame > 0 && next == sets;
            sets = next;
            if rests {
                break;
            }
            if let Some(history) = history.as_deref_mut() {
                history.sets.push(sets);
            }
        }
        if let Some(history) = history.as_deref_mut() {
            history.rows.push(Row { y, first, last: history.sets.len() - 1, frames });
        }
        let mut left = 0;
        for turn in 0..mask.turns {
            let below = mask.fits[y + 1][turn];
            let all = sets[turn].iter().fold(0, |all, set| all | set);
            locks[y][turn] = all & !below;
            left |= all & below;
            for set in &mut sets[turn] {
                *set &= below;
            }
        }
        if left == 0 {
            return locks;
        }
        y += 1;
    }
}

/// A frame: shift, then rotation. What is blocked is left out, because doing nothing comes to the
/// same.
#[inline(always)]
fn step(sets: &Sets, fits: &[u16; 4], turns: usize) -> Sets {
    let mut shifted = [[0; 4]; 4];
    for turn in 0..4 {
        let [none, slid, turned, both] = sets[turn];
        shifted[turn] = [
            none | slid,
            (none << 1 | none >> 1) & fits[turn],
            turned | both,
            (turned << 1 | turned >> 1) & fits[turn],
        ];
    }
    let mut next = [[0; 4]; 4];
    for turn in 0..turns {
        let (before, after) = ((turn + turns - 1) % turns, (turn + 1) % turns);
        next[turn] = [
            shifted[turn][0] | shifted[turn][2],
            shifted[turn][1] | shifted[turn][3],
            (shifted[before][0] | shifted[after][0]) & fits[turn],
            (shifted[before][1] | shifted[after][1]) & fits[turn],
        ];
    }
    next
}

impl History {
    /// Writes the way to a place over `way`, moves first and waits last. Is there one?
    pub(super) fn write_way(
        &self,
        mask: &CollisionMask,
        piece: Piece,
        place: Placement,
        way: &mut Vec<Step>,
    ) -> bool {
        if place.orientation.piece() != Some(piece) || place.x > 9 {
            return false;
        }
        let turn = usize::from(place.orientation.id() - Orientation::first(piece).id());
        let Some(reached) = self.rows.iter().rposition(|row| row.y == usize::from(place.y)) else {
            return false;
        };
        let mut now = State { x: place.x.into(), turn, slides: false, turns: false };
        let sets = &self.sets[self.rows[reached].last];
        let Some(held) = (0..4).find(|&held| sets[turn][held] >> now.x & 1 == 1) else { return false };
        (now.slides, now.turns) = (held & 1 == 1, held & 2 == 2);
        way.clear();
        for (number, row) in self.rows[..=reached].iter().enumerate().rev() {
            for frame in (0..row.frames).rev() {
                // Before the first frame of a row the piece was in the row above, and fell into
                // this one.
                let before = match (frame, number) {
                    (0, 0) => &self.start,
                    (0, _) => &self.sets[self.rows[number - 1].last],
                    _ => &self.sets[(row.first + frame - 1).min(row.last)],
                };
                let falls = frame + 1 == row.frames && number < reached;
                let at = Placement {
                    x: now.x as u8,
                    y: row.y as u8 + u8::from(falls),
                    orientation: Orientation::nth(piece, now.turn),
                };
                let Some((then, buttons)) = back(before, mask.fits[row.y], mask.turns, now) else {
                    return false;
                };
                way.push(Step { buttons, place: at });
                now = then;
            }
        }
        way.reverse();
        true
    }
}

/// A state of the frame before that leads to this one, and the buttons that do. Nothing, if nothing
/// does it.
fn back(before: &Sets, fits: [u16; 4], turns: usize, now: State) -> Option<(State, u8)> {
    let from_turns: [Option<(usize, u8)>; 2] = if now.turns {
        let clockwise = (now.turn + turns - 1) % turns;
        let counterclockwise = (now.turn + 1) % turns;
        [Some((clockwise, A)), (turns > 2).then_some((counterclockwise, B))]
    } else {
        [Some((now.turn, 0)), None]
    };
    let from_columns: [Option<(usize, u8)>; 2] = if now.slides {
        [now.x.checked_sub(1).map(|x| (x, RIGHT)), (now.x < 9).then(|| (now.x + 1, LEFT))]
    } else {
        [Some((now.x, 0)), None]
    };
    for (turn, turning) in from_turns.into_iter().flatten() {
        // It is shifted as it was turned before.
        if fits[turn] >> now.x & 1 == 0 {
            continue;
        }
        for (x, sliding) in from_columns.into_iter().flatten() {
            if fits[turn] >> x & 1 == 0 {
                continue;
            }
            for (held, columns) in before[turn].into_iter().enumerate() {
                let (slides, turned) = (held & 1 == 1, held & 2 == 2);
                if slides && now.slides || turned && now.turns || columns >> x & 1 == 0 {
                    continue;
                }
                return Some((State { x, turn, slides, turns: turned }, turning | sliding));
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;
    use tetris::Playfield;

    /// The same, a state at a time.
    fn plain(mask: &CollisionMask, start: &Start, turn: usize) -> Locks {
        let mut locks = [[0; 4]; 20];
        let (mut y, mut timer) = (usize::from(start.place.y), start.fall_timer);
        let mut states = BTreeSet::from([(usize::from(start.place.x), turn, false, false)]);
        while !states.is_empty() {
            timer = timer.wrapping_add(1);
            let drops = falls(timer, start.frames_per_row);
            let mut next = BTreeSet::new();
            for (x, turn, slid, turned) in states {
                let slides: &[i32] = if slid { &[0] } else { &[0, -1, 1] };
                let rotations: &[usize] = if turned { &[0] } else { &[0, 1, mask.turns - 1] };
                for (slide, rotation) in slides.iter().flat_map(|s| rotations.iter().map(move |r| (*s, *r))) {
                    let (mut x, mut turn) = (x, turn);
                    let shifted = x as i32 + slide;
                    if (0..10).contains(&shifted) && mask.has(shifted as usize, y, turn) {
                        x = shifted as usize;
                    }
                    let rotated = (turn + rotation) % mask.turns;
                    if mask.has(x, y, rotated) {
                        turn = rotated;
                    }
                    if drops && !mask.has(x, y + 1, turn) {
                        locks[y][turn] |= 1 << x;
                    } else {
                        next.insert((x, turn, slide != 0, rotation != 0));
                    }
                }
            }
            if drops {
                (y, timer) = (y + 1, 0);
            }
            states = next;
        }
        locks
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]

        #[test]
        fn sets_find_what_single_states_find(
            heights in prop::array::uniform10(0usize..17),
            holes in any::<[u16; 20]>(),
            piece in prop::sample::select(Piece::ALL.to_vec()),
            speed in prop::sample::select(vec![1u8, 2, 3, 5]),
        ) {
            let rows = std::array::from_fn(|y| {
                (0..10).filter(|&x| y >= 20 - heights[x] && (holes[y] >> x & 1 == 0 || y % 3 > 0)).fold(0, |row, x| row | 1 << x)
            });
            let start = Start::spawn(Playfield::from_rows(&rows), piece, speed);
            let mask = CollisionMask::new(&start.board, [0; 2], piece);
            let turn = usize::from(start.place.orientation.id() - Orientation::first(piece).id());
            let expected = if mask.has(5, 0, turn) { plain(&mask, &start, turn) } else { [[0; 4]; 20] };
            prop_assert_eq!(locks(&mask, piece, &start, None), expected);
            prop_assert_eq!(locks(&mask, piece, &start, Some(&mut History::new())), expected);
        }
    }
}
