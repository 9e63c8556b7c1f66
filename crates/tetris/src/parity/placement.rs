//! Where a piece may go.

use crate::{Orientation, View};

/// An orientation and the column of its pivot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Placement {
    pub(super) orientation: Orientation,
    pub(super) column: i8,
}

const COLUMNS: usize = 10;
const ROWS: usize = 20;

/// The field as a bit a cell, the top row first.
type Field = [u16; ROWS];

/// The placement straight down that leaves the fewest holes, low and flat; `None` if the piece fits
/// nowhere.
pub(super) fn best(view: View) -> Option<Placement> {
    let piece = view.orientation()?.piece()?;
    let field = view.rows();
    let turned = Orientation::all().filter(|orientation| orientation.piece() == Some(piece));
    turned
        .flat_map(|orientation| (0..COLUMNS as i8).map(move |column| Placement { orientation, column }))
        .filter_map(|placement| Some((cost(land(field, placement)?), placement)))
        .min_by_key(|&(cost, _)| cost)
        .map(|(_, placement)| placement)
}

fn cells(placement: Placement, row: i8) -> Option<[(i8, u16); 4]> {
    let mut cells = [(0, 0); 4];
    for (cell, place) in placement.orientation.cells().into_iter().zip(&mut cells) {
        let column = placement.column + cell.column;
        if !(0..COLUMNS as i8).contains(&column) || row + cell.row >= ROWS as i8 {
            return None;
        }
        *place = (row + cell.row, 1 << column);
    }
    Some(cells)
}

fn fits(field: &Field, cells: &[(i8, u16); 4]) -> bool {
    cells.iter().all(|&(row, bit)| usize::try_from(row).map_or(true, |row| field[row] & bit == 0))
}

/// The field after a fall, complete rows taken out.
fn land(mut field: Field, placement: Placement) -> Option<Field> {
    let mut landed = cells(placement, 0).filter(|cells| fits(&field, cells))?;
    for row in 1..ROWS as i8 {
        match cells(placement, row) {
            Some(lower) if fits(&field, &lower) => landed = lower,
            _ => break,
        }
    }
    for (row, bit) in landed {
        if let Ok(row) = usize::try_from(row) {
            field[row] |= bit;
        }
    }
    let mut kept = [0; ROWS];
    let rows = field.iter().rev().filter(|&&row| row != (1 << COLUMNS) - 1);
    kept.iter_mut().rev().zip(rows).for_each(|(place, &row)| *place = row);
    Some(kept)
}

/// Holes weigh most, then height, then steps between neighbours.
fn cost(field: Field) -> i32 {
    let (mut holes, mut height, mut steps) = (0, 0, 0);
    let mut before = None;
    for column in 0..COLUMNS {
        let top = field.iter().position(|row| row >> column & 1 == 1).unwrap_or(ROWS);
        holes += field[top..].iter().filter(|&row| row >> column & 1 == 0).count() as i32;
        let tall = (ROWS - top) as i32;
        height += tall * tall;
        steps += before.map_or(0, |before: i32| (before - tall).abs());
        before = Some(tall);
    }
    holes * 60 + height + steps * 4
}
