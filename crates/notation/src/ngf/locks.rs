//! Where a piece may lock: every place that it can be moved to and that it rests at, however fast
//! the hands.

use tetris::{HEIGHT, Orientation, Piece, Placement, Playfield, WIDTH};

use super::cells::{ABOVE, ROWS, Set, cells_of};

/// A place to lock, and the field after it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lock {
    pub(super) place: Placement,
    /// The field with the piece, full rows included.
    pub(super) locked: Set,
    /// Full rows, as bits from the top.
    pub(super) rows: u32,
    /// The field without them.
    pub(super) after: Set,
}

/// Finds them by going through all shifts, turns and falls from where the piece appears.
pub(super) fn locks(field: Set, piece: Piece) -> Vec<Lock> {
    let fits = |orientation: Orientation, x: i32, y: i32| {
        cells_of(orientation, x, y).is_some_and(|cells| (cells & field).is_empty())
    };
    let mut seen = [[[false; WIDTH]; ROWS]; Orientation::COUNT];
    let mut open = vec![(Orientation::spawn(piece), 5, 0)];
    let mut locks = Vec::new();
    while let Some((orientation, x, y)) = open.pop() {
        if !(0..WIDTH as i32).contains(&x) || !(-ABOVE..HEIGHT as i32).contains(&y) {
            continue;
        }
        let seen = &mut seen[usize::from(orientation.id())][(y + ABOVE) as usize][x as usize];
        if *seen || !fits(orientation, x, y) {
            continue;
        }
        *seen = true;
        open.extend([
            (orientation, x - 1, y),
            (orientation, x + 1, y),
            (orientation, x, y + 1),
            (orientation.clockwise(), x, y),
            (orientation.counterclockwise(), x, y),
        ]);
        let rests = !fits(orientation, x, y + 1);
        let cells = cells_of(orientation, x, y).filter(|cells| rests && cells.count() == 4);
        let Some(cells) = cells else { continue };
        let locked = field | cells;
        let place = Placement { orientation, x: x as u8, y: y as u8 };
        let mut after: Playfield = field.board();
        after.lock(place);
        locks.push(Lock { place, locked, rows: locked.full_rows(), after: Set::of_board(&after) });
    }
    locks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn on_an_empty_field_a_piece_has_a_place_for_each_column_and_orientation() {
        let counts = Piece::ALL.map(|piece| locks(Set::EMPTY, piece).len());
        assert_eq!(counts, [34, 34, 17, 9, 17, 34, 17]);
    }

    #[test]
    fn a_piece_is_tucked_under_an_overhang_and_does_not_pass_a_roof() {
        // The lowest row is free but for its right half, under a roof over the three columns at
        // the left.
        let tuck = Set::of_rows(1 << 18) & !Set::of_rows(0);
        let roof = (0..3).fold(Set::EMPTY, |set, column| set.with(180 + column));
        let under = |field| locks(field, Piece::I).iter().any(|lock| lock.place.y == 19 && lock.place.x < 4);
        assert!(under(roof));
        assert!(!under(tuck));
    }

    #[test]
    fn full_rows_are_gone_after_a_lock() {
        let well = (0..9).flat_map(|x| (16..20).map(move |y| y * 10 + x)).fold(Set::EMPTY, Set::with);
        let locks = locks(well, Piece::I);
        let tetris = locks.iter().find(|lock| lock.rows.count_ones() == 4).unwrap();
        assert_eq!((tetris.after, tetris.rows), (Set::EMPTY, 0b1111 << 16));
    }
}
