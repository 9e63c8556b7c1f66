//! The players' blocks of memory.

use serde::{Deserialize, Serialize};

/// The block at `$60`, which holds between frames.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct PlayerBlock {
    pub(super) x: u8,
    pub(super) y: u8,
    pub(super) orientation: u8,
    pub(super) level: u8,
    pub(super) fall_timer: u8,
    pub(super) das: u8,
    pub(super) start_level: u8,
    // These two are compared at once: `fast/frame.rs`.
    pub(super) state: u8,
    pub(super) vram_row: u8,
    pub(super) lines_completed: u8,
    pub(super) down_repeat: u8,
    pub(super) cleared_rows: [u8; 4],
    pub(super) soft_drop_rows: u8,
    pub(super) lines: u8,
    pub(super) lines_hundreds: u8,
    pub(super) clear_step: u8,
    pub(super) score: [u8; 3],
    pub(super) row_check: u8,
    pub(super) curtain_row: u8,
    pub(super) start_height: u8,
    pub(super) garbage_hole: u8,
}

impl PlayerBlock {
    /// The block's bytes. Its fourth is used by nobody, nor are those from `$7B` on.
    pub(super) fn bytes(&self) -> [u8; 32] {
        let [row_0, row_1, row_2, row_3] = self.cleared_rows;
        let [score_0, score_1, score_2] = self.score;
        let mut bytes = [0; 32];
        bytes[..27].copy_from_slice(&[
            self.x,
            self.y,
            self.orientation,
            0,
            self.level,
            self.fall_timer,
            self.das,
            self.start_level,
            self.state,
            self.vram_row,
            row_0,
            row_1,
            row_2,
            row_3,
            self.down_repeat,
            self.soft_drop_rows,
            self.lines,
            self.lines_hundreds,
            self.clear_step,
            score_0,
            score_1,
            score_2,
            self.lines_completed,
            self.row_check,
            self.curtain_row,
            self.start_height,
            self.garbage_hole,
        ]);
        bytes
    }

    /// The block whose bytes these are.
    pub(super) fn from_bytes(bytes: &[u8; 32]) -> Self {
        let b = bytes;
        Self {
            x: b[0],
            y: b[1],
            orientation: b[2],
            level: b[4],
            fall_timer: b[5],
            das: b[6],
            start_level: b[7],
            state: b[8],
            vram_row: b[9],
            cleared_rows: [b[10], b[11], b[12], b[13]],
            down_repeat: b[14],
            soft_drop_rows: b[15],
            lines: b[16],
            lines_hundreds: b[17],
            clear_step: b[18],
            score: [b[19], b[20], b[21]],
            lines_completed: b[22],
            row_check: b[23],
            curtain_row: b[24],
            start_height: b[25],
            garbage_hole: b[26],
        }
    }
}

/// What of the second player's block at `$80` changes in a game for one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Second {
    pub(super) x: u8,
    pub(super) orientation: u8,
    pub(super) fall_timer: u8,
    pub(super) state: u8,
    pub(super) down_repeat: u8,
    pub(super) lines: u8,
    pub(super) garbage_hole: u8,
}

impl Second {
    pub(super) fn bytes(self) -> [u8; 32] {
        let player = PlayerBlock {
            x: self.x,
            orientation: self.orientation,
            fall_timer: self.fall_timer,
            state: self.state,
            down_repeat: self.down_repeat,
            lines: self.lines,
            garbage_hole: self.garbage_hole,
            ..PlayerBlock::default()
        };
        player.bytes()
    }

    pub(super) fn from_bytes(bytes: &[u8; 32]) -> Self {
        let PlayerBlock { x, orientation, fall_timer, state, down_repeat, lines, garbage_hole, .. } =
            PlayerBlock::from_bytes(bytes);
        Self { x, orientation, fall_timer, state, down_repeat, lines, garbage_hole }
    }
}
