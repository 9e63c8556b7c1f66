//! Perception: RAM as the searches take it.

use ai::Start;
use tetris::{Placement, Playfield, View, ram};

/// The playfield.
pub(crate) fn board(view: View) -> Playfield {
    Playfield::from_rows(&view.rows())
}

/// Where the piece in play is; `None` while none is shown, or where RAM holds no place.
pub(crate) fn place(view: View) -> Option<Placement> {
    let id = view.orientation()?.id();
    Placement::try_from([view.column(), view.row(), id]).ok()
}

/// All that the timed search asks for.
pub(crate) fn start(view: View, frames_per_row: u8) -> Option<Start> {
    Some(Start {
        board: board(view),
        above: view.rows_above(),
        place: place(view)?,
        fall_timer: view.byte(ram::FALL_TIMER),
        frames_per_row,
        held: view.held(),
        soft_drop: view.byte(ram::DOWN_REPEAT),
    })
}
