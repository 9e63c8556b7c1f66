//! Taps that a placement needs, beside those that the player made.

use std::fmt;
use std::str::FromStr;

use nes::Region;
use serde::Serialize;
use tetris::rules::Pace;
use tetris::{HEIGHT, Orientation, Piece, Placement, Playfield, WIDTH};

use crate::log::{Log, Played};
use crate::statistics::bursts;
use crate::steer::{Press, TapHands, frames_a_second, steer};

/// The slowest taps a second that are looked at, in tenths. The fastest press in every other frame.
const SLOWEST: u32 = 10;
/// An upright I, and the row of its pivot on the floor.
const UPRIGHT: u8 = 0x11;
const ON_FLOOR: u8 = 18;
/// Column of the pivot in which pieces come in.
const SPAWN: i8 = 5;

/// Turns of a way, by A, or one by B if negative; and its shifts, to the right if positive.
pub(crate) fn presses_of(piece: Piece, wanted: Placement) -> Option<(i8, i8)> {
    let orientation = Some(wanted.orientation).filter(|turned| turned.piece() == Some(piece))?;
    let turns = orientation.turns() as i8;
    Some((if turns == 3 { -1 } else { turns }, wanted.x as i8 - SPAWN))
}

/// The slowest taps, in tenths of a tap a second from 10 to 300 (PAL: 250), that bring a piece to
/// `wanted` where it falls a row every `frames_per_row` frames: shifts and turns from the same
/// frame on, `reaction` frames after the spawn. `None` if not even a press in every other frame
/// does, or if no such taps lead there: of a tuck, say.
pub fn needed_tenths(
    board: &Playfield,
    piece: Piece,
    frames_per_row: u8,
    wanted: Placement,
    reaction: u16,
    region: Region,
) -> Option<u32> {
    let fastest = 10 * frames_a_second(region) / 2;
    let (turns, shifts) = presses_of(piece, wanted)?;
    let side = if shifts < 0 { Press::Left } else { Press::Right };
    let turn = if turns < 0 { Press::Counterclockwise } else { Press::Clockwise };
    let mut presses = Vec::new();
    let mut reaches = |tenths: u32| {
        let hands = TapHands { hertz: f64::from(tenths) / 10.0, reaction };
        presses.clear();
        presses.extend((0..shifts.unsigned_abs().into()).map(|number| (hands.frame(number, region), side)));
        presses.extend((0..turns.unsigned_abs().into()).map(|number| (hands.frame(number, region), turn)));
        steer(board, piece, frames_per_row, &presses) == Some(wanted)
    };
    if reaches(SLOWEST) {
        return Some(SLOWEST);
    }
    if !reaches(fastest) {
        return None;
    }
    let (mut slow, mut fast) = (SLOWEST, fastest);
    while fast - slow > 1 {
        let middle = slow.midpoint(fast);
        if reaches(middle) {
            fast = middle;
        } else {
            slow = middle;
        }
    }
    Some(fast)
}

/// What an I needs that comes upright into a well, over a stack that is level everywhere else.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Needed {
    /// Rows of the stack.
    pub height: u8,
    /// The well's column.
    pub column: u8,
    /// Taps to the side.
    pub taps: u8,
    /// Tenths of a tap a second, 10 where any taps will do; `None` where not even a press in every
    /// other frame does.
    pub tenths: Option<u32>,
    /// Frames from the first tap to the last, at most.
    pub frames: Option<u16>,
}

/// The greatest height of [`needed_table`]: above it an I has nowhere to turn.
const HIGHEST: u8 = 17;

/// Speeds of the cartridges of a region.
pub const fn pace_of(region: Region) -> Pace {
    match region {
        Region::Ntsc => Pace::NTSC,
        Region::Pal => Pace::PAL,
    }
}

/// What an I needs at a level of a region's cartridges whose first tap comes `reaction` frames
/// after its spawn, by height of the stack from 0 up, and by column.
pub fn needed_table(region: Region, level: u8, reaction: u16) -> Vec<[Needed; WIDTH]> {
    let frames_per_row = pace_of(region).frames_per_row(level);
    let of = |height: u8, column: u8| {
        let mut rows = [0; HEIGHT];
        rows[HEIGHT - usize::from(height)..].fill(0x3FF & !(1 << column));
        let orientation = Orientation::from_id(UPRIGHT).unwrap_or(Orientation::HIDDEN);
        let wanted = Placement { x: column, y: ON_FLOOR, orientation };
        let board = Playfield::from_rows(&rows);
        let tenths = needed_tenths(&board, Piece::I, frames_per_row, wanted, reaction, region);
        let taps = (column as i8 - SPAWN).unsigned_abs();
        let frames = tenths.filter(|&tenths| tenths > SLOWEST).map(|tenths| {
            let hands = TapHands { hertz: f64::from(tenths) / 10.0, reaction };
            hands.frame(usize::from(taps.max(1)) - 1, region) - hands.frame(0, region)
        });
        Needed { height, column, taps, tenths, frames }
    };
    (0..=HIGHEST).map(|height| std::array::from_fn(|column| of(height, column as u8))).collect()
}

impl fmt::Display for Needed {
    /// `any`, the taps a second, or a dash.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.tenths {
            Some(SLOWEST) => f.pad("any"),
            Some(tenths) => f.pad(&format!("{:.1}", f64::from(tenths) / 10.0)),
            None => f.pad("–"),
        }
    }
}

/// Taps that were needed for the placements of a level and a column, and those that were made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TapRow {
    /// The level.
    pub level: u8,
    /// Leftmost column in which the piece locked.
    pub column: u8,
    /// Placements that took two taps and more.
    pub placements: u32,
    /// Sum of the tenths of a tap a second that each needed, and the most.
    needed: u64,
    needed_most: u32,
    /// The same of those that were made, and the least.
    made: u64,
    made_least: u32,
}

impl TapRow {
    fn mean(&self, sum: u64) -> f64 {
        sum as f64 / 10.0 / f64::from(self.placements.max(1))
    }

    /// Taps a second that were needed, in the mean.
    pub fn needed(&self) -> f64 {
        self.mean(self.needed)
    }

    /// The most that were needed.
    pub fn needed_most(&self) -> f64 {
        f64::from(self.needed_most) / 10.0
    }

    /// Taps a second that were made, in the mean.
    pub fn made(&self) -> f64 {
        self.mean(self.made)
    }

    /// The fewest that were made.
    pub fn made_least(&self) -> f64 {
        f64::from(self.made_least) / 10.0
    }

    fn add(&mut self, other: &Self) {
        self.made_least = match self.placements {
            0 => other.made_least,
            _ => self.made_least.min(other.made_least),
        };
        self.placements = self.placements.saturating_add(other.placements);
        self.needed = self.needed.saturating_add(other.needed);
        self.made = self.made.saturating_add(other.made);
        self.needed_most = self.needed_most.max(other.needed_most);
    }
}

/// Taps needed and made, by level and column. Written and read as a line of text, to be kept with a
/// game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TapTable {
    rows: Vec<TapRow>,
}

/// A text that is no table of taps.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("taps: expected LEVEL:COLUMN:PLACEMENTS:NEEDED:MOST:MADE:LEAST, found `{0}`")]
pub struct TapTableError(String);

impl TapTable {
    /// The table of a game.
    pub fn of(log: &Log) -> Self {
        let mut table = Self::default();
        log.pieces.iter().filter_map(row).for_each(|row| table.take(&row));
        table
    }

    /// By level, and then by column.
    pub fn rows(&self) -> &[TapRow] {
        &self.rows
    }

    /// Adds another game's.
    pub fn add(&mut self, other: &Self) {
        other.rows.iter().for_each(|row| self.take(row));
    }

    fn take(&mut self, row: &TapRow) {
        let place = self.rows.binary_search_by_key(&(row.level, row.column), |row| (row.level, row.column));
        let at = place.unwrap_or_else(|at| {
            self.rows.insert(at, TapRow { level: row.level, column: row.column, ..TapRow::default() });
            at
        });
        self.rows[at].add(row);
    }
}

/// Returns the slowest taps a second by which a placement could have been reached, from the frame
/// of the player's first tap on; `None` where it took fewer than two taps, or where no taps from
/// one frame on lead.
pub fn needed_by(played: &Played) -> Option<f64> {
    row(played).map(|row| f64::from(row.needed_most) / 10.0)
}

/// What a placement needed and got; `None` where it took fewer than two taps, or where no taps from
/// one frame on lead.
fn row(played: &Played) -> Option<TapRow> {
    let wanted = Placement::try_from(played.place?).ok()?;
    let (_, shifts) = presses_of(played.piece, wanted)?;
    let bursts = bursts(played).into_iter().filter(|burst| burst.side == shifts.signum());
    let burst = bursts.max_by_key(|burst| burst.intervals.len())?;
    let board = Playfield::from_rows(&played.rows);
    let reaction = burst.delay.saturating_sub(1);
    let needed = needed_tenths(&board, played.piece, played.frames_per_row, wanted, reaction, played.region)?;
    let made = (10.0 * burst.hertz).round() as u32;
    let left = wanted.cells().iter().map(|&(x, _)| x).min()?;
    Some(TapRow {
        level: played.level,
        column: u8::try_from(left).ok()?,
        placements: 1,
        needed: needed.into(),
        needed_most: needed,
        made: made.into(),
        made_least: made,
    })
}

impl fmt::Display for TapTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, row) in self.rows.iter().enumerate() {
            let TapRow { level, column, placements, needed, needed_most, made, made_least } = row;
            let space = if number > 0 { " " } else { "" };
            write!(f, "{space}{level}:{column}:{placements}:{needed}:{needed_most}:{made}:{made_least}")?;
        }
        Ok(())
    }
}

impl FromStr for TapTable {
    type Err = TapTableError;

    fn from_str(text: &str) -> Result<Self, TapTableError> {
        let mut table = Self::default();
        for word in text.split_whitespace() {
            let wrong = || TapTableError(word.to_owned());
            let numbers: Result<Vec<u32>, _> = word.split(':').map(str::parse).collect();
            let numbers = numbers.map_err(|_| wrong())?;
            let &[level, column, placements, needed, needed_most, made, made_least] = &numbers[..] else {
                return Err(wrong());
            };
            let level = u8::try_from(level).map_err(|_| wrong())?;
            let column = u8::try_from(column).ok().filter(|&column| usize::from(column) < WIDTH);
            let column = column.filter(|_| placements > 0).ok_or_else(wrong)?;
            let (needed, made) = (needed.into(), made.into());
            table.take(&TapRow { level, column, placements, needed, needed_most, made, made_least });
        }
        Ok(table)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::log::Shift;

    #[test]
    fn more_taps_need_faster_hands_over_higher_stacks() {
        let needed_table = |level, reaction| super::needed_table(Region::Ntsc, level, reaction);
        let of_29 = needed_table(29, 0);
        for column in 0..WIDTH {
            let column: Vec<_> = of_29.iter().map(|row| row[column].tenths.unwrap_or(999)).collect();
            assert!(column.is_sorted(), "{column:?}");
        }
        for row in &of_29 {
            let needed = row.map(|needed| needed.tenths.unwrap_or(999));
            assert!(needed[..5].is_sorted_by(|far, near| far >= near), "{row:?}");
            assert!(needed[6..].is_sorted(), "{row:?}");
        }
        let of_18 = needed_table(18, 0);
        assert!(of_18[8][0].tenths < of_29[8][0].tenths);
        // Nobody needs to hurry at level 0, and a reaction makes it harder.
        assert!(needed_table(0, 0)[4].iter().all(|needed| needed.tenths == Some(SLOWEST)));
        assert!(needed_table(29, 2)[8][0].tenths > of_29[8][0].tenths);
        assert_eq!(needed_table(29, 4)[8][0].tenths, None);
        assert_eq!((of_29[17][0].tenths, of_29[8][0].taps, of_29[8][9].taps), (None, 5, 4));
    }

    #[test]
    fn the_frames_of_the_table_are_those_in_which_the_taps_come_in_time_and_no_more() {
        let needed = needed_table(Region::Ntsc, 29, 0)[8][0];
        let (frames, tenths) = (needed.frames.unwrap(), needed.tenths.unwrap());
        // In the eleventh frame of the piece its lowest cell is in row 11, and row 12 is the
        // stack's.
        assert_eq!((frames, tenths), (10, 240), "{needed:?}");
        // On PAL as many frames are more time.
        let needed = needed_table(Region::Pal, 29, 0)[8][0];
        assert_eq!((needed.frames, needed.tenths), (Some(10), Some(200)), "{needed:?}");
        // Level 19 is as fast there as level 29.
        assert_eq!(needed_table(Region::Pal, 19, 2), needed_table(Region::Pal, 29, 2));
        assert_eq!(needed_table(Region::Pal, 29, 0)[16][0].tenths, None);
    }

    fn played(gap: u16) -> Played {
        let mut rows = [0; 20];
        rows[16..].fill(0x3FE);
        let shift = |tap| Shift { frame: 3 + gap * tap, side: -1, auto: false };
        Played {
            rows,
            level: 19,
            frames_per_row: 2,
            place: Some([0, 18, UPRIGHT]),
            cleared: 4,
            shifts: (0..5).map(shift).collect(),
            ..Played::first(Piece::I)
        }
    }

    #[test]
    fn a_table_has_what_was_needed_beside_what_was_made_and_is_read_as_it_is_written() {
        let tucked = Played { place: Some([0, 10, UPRIGHT]), ..played(4) };
        let log = Log { pieces: vec![played(4), played(5), tucked], ..Log::default() };
        let table = TapTable::of(&log);
        let [row] = table.rows() else { panic!("{table:?}") };
        assert_eq!((row.level, row.column, row.placements), (19, 0, 2));
        assert!((row.made() - 13.5).abs() < 0.1 && (row.made_least() - 12.0).abs() < 0.1, "{row:?}");
        assert!(row.needed() > 5.0 && row.needed() <= row.needed_most(), "{row:?}");
        assert!(row.needed_most() < row.made_least(), "they came there: {row:?}");
        assert_eq!(table.to_string().parse(), Ok(table.clone()));
        let mut twice = table.clone();
        twice.add(&table);
        assert_eq!((twice.rows().len(), twice.rows()[0].placements), (1, 4));
        assert!((twice.rows()[0].made() - row.made()).abs() < 1e-9);
        for wrong in
            ["18", "18:0:1:2:3:4", "18:10:1:2:3:4:5", "256:0:1:2:3:4:5", "18:0:0:2:3:4:5", "a:b:c:d:e:f:g"]
        {
            assert!(wrong.parse::<TapTable>().unwrap_err().to_string().contains(wrong), "{wrong}");
        }
        assert_eq!("".parse(), Ok(TapTable::default()));
    }
}
