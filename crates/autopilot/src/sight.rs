//! What the player sees: RAM as the searches take it.

use ai::{Board, HEIGHT, Placement, Start, WIDTH};
use tetris::{View, ram};

/// A cell from this value up is free.
const EMPTY: u8 = 0xEF;

/// The playfield.
pub(crate) fn board(view: View) -> Board {
    let mut rows = [0; HEIGHT];
    for (row, cells) in rows.iter_mut().zip(view.playfield().chunks_exact(WIDTH)) {
        *row = solid(cells);
    }
    Board::from_rows(&rows)
}

/// Where the piece in play is; `None` while none is shown, or where RAM holds no place.
pub(crate) fn place(view: View) -> Option<Placement> {
    let id = view.orientation()?.id();
    Placement::try_from([view.column(), view.row(), id]).ok()
}

/// All that the timed search asks for.
pub(crate) fn start(view: View, frames_per_row: u8) -> Option<Start> {
    // The rows -2 and -1 are the last twenty bytes of the page: the game's index wraps in eight bits.
    let page = view.bytes(ram::PLAYFIELD);
    let (first, second) = page[page.len() - 2 * WIDTH..].split_at(WIDTH);
    Some(Start {
        board: board(view),
        above: [solid(first), solid(second)],
        place: place(view)?,
        fall_timer: view.byte(ram::FALL_TIMER),
        frames_per_row,
        held: view.held(),
        soft_drop: view.byte(ram::DOWN_REPEAT),
    })
}

fn solid(cells: &[u8]) -> u16 {
    cells.iter().enumerate().fold(0, |row, (x, &cell)| row | u16::from(cell < EMPTY) << x)
}
