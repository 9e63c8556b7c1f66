//! The player's block of memory.

/// The block at `$60` in its order, which holds between frames.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Player {
    pub(super) x: u8,
    pub(super) y: u8,
    pub(super) orientation: u8,
    pub(super) level: u8,
    pub(super) fall_timer: u8,
    pub(super) das: u8,
    pub(super) start_level: u8,
    pub(super) state: u8,
    pub(super) vram_row: u8,
    pub(super) cleared_rows: [u8; 4],
    pub(super) down_repeat: u8,
    pub(super) soft_drop_rows: u8,
    pub(super) lines: u8,
    pub(super) lines_hundreds: u8,
    pub(super) clear_step: u8,
    pub(super) score: [u8; 3],
    pub(super) lines_completed: u8,
    pub(super) row_check: u8,
    pub(super) curtain_row: u8,
    pub(super) start_height: u8,
    pub(super) garbage_hole: u8,
}

impl Player {
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

/// What differs between the working copy at `$40` and the block at `$60` while no play runs: what the interrupt
/// and the screens change in the block alone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Working {
    pub(super) fall_timer: u8,
    pub(super) start_level: u8,
    pub(super) state: u8,
    pub(super) vram_row: u8,
    pub(super) clear_step: u8,
    pub(super) start_height: u8,
    pub(super) garbage_hole: u8,
}

impl Working {
    #[inline(always)]
    pub(super) fn of(player: &Player) -> Self {
        Self {
            fall_timer: player.fall_timer,
            start_level: player.start_level,
            state: player.state,
            vram_row: player.vram_row,
            clear_step: player.clear_step,
            start_height: player.start_height,
            garbage_hole: player.garbage_hole,
        }
    }

    /// The working copy.
    pub(super) fn over(self, player: &Player) -> Player {
        Player {
            fall_timer: self.fall_timer,
            start_level: self.start_level,
            state: self.state,
            vram_row: self.vram_row,
            clear_step: self.clear_step,
            start_height: self.start_height,
            garbage_hole: self.garbage_hole,
            ..*player
        }
    }
}
