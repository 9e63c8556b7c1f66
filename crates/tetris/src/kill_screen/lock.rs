//! A lock that is about to be scored.

use crate::View;
use crate::ram::{self, EMPTY, play_state};

/// What a frame finds that scores a lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lock {
    /// Rows that it completed, 0–4.
    pub rows: u8,
    /// Those that are drawn, by their numbers from the top; 0 is none.
    pub cleared_rows: [u8; 4],
    /// The level before.
    pub level: u8,
    /// Whether it is an A-type game, in which lines count up.
    pub a_type: bool,
    /// The lines before: two digits in BCD, then hundreds in binary.
    pub lines: [u8; 2],
    /// The score before, in BCD, low byte first.
    pub score: [u8; 3],
    /// Rows of the soft drop.
    pub soft_rows: u8,
    /// Clears of this kind before, in BCD.
    pub count: u8,
    /// The piece's orientation; 19 is hidden.
    pub orientation: u8,
    /// Whether the next piece is hidden, Select being taken into account.
    pub next_hidden: bool,
    /// Whether Select is newly pressed.
    pub select: bool,
    /// Free cells of row 5 before the first that is taken; `None` if the row is empty.
    pub danger: Option<u8>,
    /// Whether the music is fast.
    pub fast_music: bool,
    /// The low byte of the frame counter, before the frame.
    pub frame_counter: u8,
}

impl Lock {
    /// What the frame that comes next scores: `ram` is as the frame before has left it, `select`
    /// says whether Select will be newly pressed. `None` if it scores nothing, or two play.
    pub fn coming(ram: &[u8; 0x800], select: bool) -> Option<Self> {
        const DANGER_ROW: usize = 5;
        let view = View::new(ram);
        let frame_counter = view.byte(ram::FRAME_COUNTER);
        let due = match view.play_state() {
            play_state::LINES => true,
            // The interrupt's last step of the animation comes first.
            play_state::CLEAR => view.byte(ram::CLEAR_STEP) == 4 && frame_counter & 3 == 0,
            _ => false,
        };
        let alone = view.byte(ram::PLAYER_COUNT) != 2;
        if !(due && alone && view.in_play() && !view.is_late()) {
            return None;
        }
        let rows = view.byte(ram::LINES_COMPLETED);
        let counts = view.bytes(ram::LINE_COUNTS);
        let danger = view.playfield()[10 * DANGER_ROW..][..10].iter().position(|&cell| cell != EMPTY);
        Some(Self {
            rows,
            cleared_rows: core::array::from_fn(|check| view.bytes(ram::CLEARED_ROWS)[check]),
            level: view.level(),
            a_type: view.byte(ram::GAME_TYPE) == 0,
            lines: core::array::from_fn(|byte| view.bytes(ram::LINES)[byte]),
            score: core::array::from_fn(|byte| view.bytes(ram::SCORE)[byte]),
            soft_rows: view.byte(ram::SOFT_DROP_ROWS),
            count: usize::from(rows).checked_sub(1).and_then(|kind| counts.get(kind)).copied().unwrap_or(0),
            orientation: view.byte(ram::ORIENTATION),
            // Select comes first in the frame.
            next_hidden: (view.byte(ram::HIDE_NEXT) != 0) != select,
            select,
            danger: danger.map(|cells| cells as u8),
            fast_music: view.byte(ram::FAST_MUSIC) != 0,
            frame_counter,
        })
    }
}
