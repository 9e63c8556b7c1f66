//! The playfield as the player sees it, which RAM alone does not hold.

use tetris::events::Event;
use tetris::ram::play_state::{ACTIVE, CLEAR, LOCK, ROW_CHECK};
use tetris::{View, ram};

/// Cells of the playfield.
pub(crate) const CELLS: usize = 200;
/// Columns of the playfield.
pub(crate) const COLUMNS: usize = 10;

/// Follows a game frame by frame.
///
/// While the game looks for complete rows, it takes them out of RAM at once, one a frame, and only
/// then lets them vanish on the screen, two cells a step from the middle outwards. So the field at
/// the lock is kept until the rows are gone.
#[derive(Clone, Debug, Default)]
pub(crate) struct Screen {
    locked: Option<Box<[u8; CELLS]>>,
}

impl Screen {
    /// The tiles that the player sees, without the piece in play. `events` are the frame's.
    pub(crate) fn field<'a>(&mut self, view: View, events: impl Iterator<Item = &'a Event>) -> [u8; CELLS] {
        let field = playfield(view);
        if { events }.any(|event| matches!(event, Event::Lock { .. })) {
            self.locked = Some(Box::new(field));
        }
        let state = view.play_state();
        if !(view.in_play() || view.is_paused()) || !matches!(state, ROW_CHECK | CLEAR) {
            self.locked = None;
        }
        let Some(locked) = &self.locked else { return field };
        let mut seen = **locked;
        if state == CLEAR {
            let steps = usize::from(view.byte(ram::CLEAR_STEP)).min(COLUMNS / 2);
            for row in cleared_rows(view) {
                let middle = row * COLUMNS + COLUMNS / 2;
                seen[middle - steps..middle + steps].fill(ram::EMPTY);
            }
        }
        seen
    }

    /// Forgets what it saw: the game is elsewhere.
    pub(crate) fn forget(&mut self) {
        self.locked = None;
    }
}

/// The rows that the lock completed. Row 0 does not note itself, so it is the one that is missing.
fn cleared_rows(view: View) -> Vec<usize> {
    let noted = view.bytes(ram::CLEARED_ROWS).iter().map(|&row| usize::from(row));
    let mut rows: Vec<_> = noted.filter(|&row| row != 0 && row < CELLS / COLUMNS).collect();
    if rows.len() < usize::from(view.byte(ram::LINES_COMPLETED)) {
        rows.insert(0, 0);
    }
    rows
}

fn playfield(view: View) -> [u8; CELLS] {
    view.playfield().try_into().unwrap_or([ram::EMPTY; CELLS])
}

/// The four cells of the piece in play that lie in the field, as row and column; none while no
/// piece is shown.
pub(crate) fn piece_cells(view: View) -> Vec<[u8; 2]> {
    if !matches!(view.play_state(), ACTIVE | LOCK) {
        return Vec::new();
    }
    view.piece_cells().map(|(column, row)| [row as u8, column as u8]).collect()
}
