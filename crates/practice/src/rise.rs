//! Rows that come up from below, as another player has sent them.

use nes::Console;
use tetris::{HEIGHT, Profile, WIDTH};

use crate::ram_access::RamAccess;
use crate::tiles::MARK;

/// Rows that come up, with a hole in one column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rise {
    /// How many, 1 to 20.
    pub rows: u8,
    /// The column that stays free, 0 to 9.
    pub hole: u8,
}

/// Lets rows come up in the console's playfield. The picture takes all of it anew, and no piece
/// appears before.
pub fn raise(profile: &Profile, console: &mut Console, rise: Rise) {
    let mut hands = RamAccess::new(profile, console);
    let mut field = hands.field();
    for _ in 0..usize::from(rise.rows).min(HEIGHT) {
        field.lift(MARK, Some(usize::from(rise.hole).min(WIDTH - 1)));
    }
    hands.set_field(&field);
}
