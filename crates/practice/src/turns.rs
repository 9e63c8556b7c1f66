//! Placements of a game beside those of recordings that know no buttons.

use nes::Region;
use notation::{Shift as SeenShift, Turn};
use tetris::rules::frames_per_row;
use tetris::{Placement, Playfield};

use crate::log::{Log, Played, Shift};

/// Frames a second of an NTSC console.
const RATE: f64 = 60.0988;

fn milliseconds(frames: u64) -> u32 {
    (frames as f64 * 1_000.0 / RATE).round() as u32
}

fn frames(ms: u32) -> u64 {
    (f64::from(ms) * RATE / 1_000.0).round() as u64
}

impl Played {
    /// The placement alone; `None` for a piece that has not locked.
    pub fn turn(&self) -> Option<Turn> {
        let place = Placement::try_from(self.place?).ok()?;
        let shift = |shift: &Shift| SeenShift { ms: milliseconds(shift.frame.into()), columns: shift.side };
        Some(Turn {
            number: self.number,
            board: Playfield::from_rows(&self.rows),
            piece: self.piece,
            next: Some(self.next),
            level: self.level,
            lines: self.lines,
            score: Some(self.score),
            place,
            cleared: self.cleared.into(),
            ms: self.frames.map(milliseconds),
            shifts: self.shifts.iter().map(shift).collect(),
        })
    }

    /// What a placement tells of a piece on an NTSC console: nothing of buttons and charge. `None`
    /// if the next piece is not known.
    fn of_turn(turn: &Turn) -> Option<Self> {
        Some(Self {
            number: turn.number,
            piece: turn.piece,
            next: turn.next?,
            frames: turn.ms.map(frames),
            rows: turn.board.rows(),
            level: turn.level,
            frames_per_row: frames_per_row(turn.level),
            region: Region::Ntsc,
            lines: turn.lines,
            score: turn.score.unwrap_or(0),
            das: 0,
            das_lost: false,
            luck: (0, 0, 0),
            place: Some(turn.place.into()),
            cleared: turn.cleared as u8,
            turns: Vec::new(),
            shifts: Vec::new(),
            changes: Vec::new(),
        })
    }
}

impl Log {
    /// The placements of the game, without what buttons did.
    pub fn turns(&self) -> Vec<Turn> {
        self.pieces.iter().filter_map(Played::turn).collect()
    }

    /// A game of which placements alone are known. Those without a next piece are left out.
    pub fn of_turns(turns: &[Turn], last: (u8, u32, Option<u32>)) -> Self {
        let (level, lines, score) = last;
        Self {
            pieces: turns.iter().filter_map(Played::of_turn).collect(),
            last: (level, lines, score.unwrap_or(0)),
            start_level: turns.first().map_or(level, |turn| turn.level),
            das: 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tetris::Piece;

    #[test]
    fn a_game_is_the_same_by_its_placements() {
        let mut played = Played { place: Some([9, 18, 0x11]), level: 18, ..Played::first(Piece::I) };
        (played.frames_per_row, played.luck, played.frames) = (3, (0, 0, 0), [600, 640]);
        played.rows[16..].fill(0x1FF);
        played.cleared = 4;
        let flying = Played { place: None, number: 2, ..played.clone() };
        let log = Log { pieces: vec![played.clone(), flying], last: (18, 4, 22_800), ..Log::default() };
        let turns = log.turns();
        assert_eq!((turns.len(), turns[0].cleared, turns[0].ms), (1, 4, [9_984, 10_649]));
        let again = Log::of_turns(&turns, (18, 4, Some(22_800)));
        assert_eq!((&again.pieces[..], again.last), (&[played][..], log.last));
    }
}
