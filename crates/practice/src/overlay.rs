//! What is to be shown over the picture, as data.

use tetris::ram::play_state;
use tetris::{HEIGHT, View, WIDTH};

use crate::tiles::Tiles;
use crate::{Kind, Outcome, ScoreForm, Session, score_text};

/// Where a text belongs. The renderer has the last word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Slot {
    /// Over the game's own score.
    Score,
    /// The pace.
    Pace,
    /// Hits and misses.
    Count,
    /// Taps that are still needed.
    Taps,
    /// A word about how the game ended, or what was kept from happening.
    Notice,
}

/// In which tone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tone {
    /// As any text.
    Plain,
    /// Well.
    Good,
    /// Not well.
    Bad,
}

/// Something to be shown. Rows and columns are those of the playfield, counted from 0 at the top
/// left; its first cell is at pixel (96, 48) of the console's picture, and each is 8 pixels wide
/// and high.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// A locked block that is not to be seen.
    Cover {
        /// Its row.
        row: u8,
        /// Its column.
        column: u8,
    },
    /// A block that is out of place.
    Alarm {
        /// Its row.
        row: u8,
        /// Its column.
        column: u8,
    },
    /// A line under this row, across the playfield.
    Line {
        /// The row.
        row: u8,
    },
    /// A text.
    Text {
        /// Where.
        slot: Slot,
        /// What.
        text: String,
        /// How.
        tone: Tone,
    },
}

impl Session {
    /// What is to be shown over the picture of the last frame.
    pub fn overlay(&self) -> Vec<Item> {
        let view = self.view();
        if !self.is_playing() || !view.shows_play() {
            return Vec::new();
        }
        let mut items = Vec::new();
        let field = Tiles::of(view);
        if self.hides_blocks() {
            blocks(&field).for_each(|(row, column)| items.push(Item::Cover { row, column }));
        }
        match self.mode().kind() {
            Kind::Stacking if view.play_state() != play_state::CURTAIN => alarms(&field, &mut items),
            Kind::LowStack => items.push(Item::Line { row: (HEIGHT as u32 - 1 - self.mode().value()) as u8 }),
            _ => {}
        }
        self.texts(view, &mut items);
        items
    }

    fn texts(&self, view: View, items: &mut Vec<Item>) {
        let mut say = |slot, text: String, tone| items.push(Item::Text { slot, text, tone });
        let (score, form) = (self.score(), self.options().score);
        if score > 999_999 && form != ScoreForm::Capped || form == ScoreForm::Hidden {
            let hidden = form == ScoreForm::Hidden && self.outcome() == Outcome::Playing;
            let form = if form == ScoreForm::Hidden { ScoreForm::Classic } else { form };
            say(Slot::Score, if hidden { "??????".to_owned() } else { score_text(score, form) }, Tone::Plain);
        }
        if let Some(pace) = self.pace() {
            say(Slot::Pace, format!("{pace:+}"), if pace < 0 { Tone::Bad } else { Tone::Good });
        }
        let [hits, misses] = self.hits();
        if hits + misses > 0 {
            say(Slot::Count, format!("{hits}/{}", hits + misses), Tone::Plain);
        }
        if let Some(taps) = self.needed_taps() {
            let side = match taps {
                0 => '=',
                1.. => '>',
                _ => '<',
            };
            say(Slot::Taps, format!("{side}{}", taps.unsigned_abs()), Tone::Plain);
        }
        let notice = match self.outcome() {
            Outcome::AboveLine => Some(("NOPE!", Tone::Bad)),
            Outcome::Goal => Some(("SUCCESS", Tone::Good)),
            Outcome::Halted => Some(("LINE CAP", Tone::Good)),
            Outcome::Crashed => Some(("CRASH", Tone::Bad)),
            _ if self.options().crash == crate::Crash::Show && self.crash_frame().is_some() => {
                Some(("WOULD CRASH", Tone::Bad))
            }
            _ => None,
        };
        if let Some((text, tone)) = notice {
            say(Slot::Notice, text.to_owned(), tone);
        }
        let _ = view;
    }

    /// Columns that the piece in play is still to move, to the right if positive: in the modes that
    /// have a target.
    pub fn needed_taps(&self) -> Option<i8> {
        let view = self.view();
        let taps = matches!(self.mode().kind(), Kind::Tap | Kind::TapQuantity);
        let [target, _, _] = self.memory().target;
        (taps && target < WIDTH as u8 && view.play_state() == play_state::ACTIVE)
            .then(|| target as i8 - view.column() as i8)
    }
}

fn blocks(field: &Tiles) -> impl Iterator<Item = (u8, u8)> {
    let places = (0..HEIGHT).flat_map(|row| (0..WIDTH).map(move |column| (row, column)));
    places.filter(|&(row, column)| field.is_taken(row, column)).map(|(row, column)| (row as u8, column as u8))
}

/// Flaws of a stack: blocks over a hole, blocks beside the empty column at the left wall, blocks
/// around a gap of one, and blocks alone between two gaps.
fn alarms(field: &Tiles, items: &mut Vec<Item>) {
    let mut marked = [[false; WIDTH]; HEIGHT];
    for (row, marks) in marked.iter_mut().enumerate().skip(3) {
        let taken = |column: usize| field.is_taken(row, column);
        for column in (0..WIDTH).filter(|&column| taken(column)) {
            let over_hole = row + 1 < HEIGHT && !field.is_taken(row + 1, column);
            let off_wall = column == 1 && !taken(0);
            let alone = (1..WIDTH - 1).contains(&column) && !taken(column - 1) && !taken(column + 1);
            marks[column] |= over_hole || off_wall || alone;
            let gap = column + 2 < WIDTH && !taken(column + 1) && taken(column + 2);
            if gap {
                marks[column] = true;
                marks[column + 2] = true;
            }
        }
    }
    for (row, marks) in marked.iter().enumerate() {
        let places = marks.iter().enumerate().filter(|&(_, &marked)| marked);
        places.for_each(|(column, _)| items.push(Item::Alarm { row: row as u8, column: column as u8 }));
    }
}

/// Width and height of the console's picture.
const PICTURE_WIDTH: usize = 256;
const PICTURE_HEIGHT: usize = 240;
const BLACK: [u8; 3] = [0; 3];
const RED: [u8; 3] = [0xE0, 0x30, 0x30];
const WHITE: [u8; 3] = [0xFF; 3];

/// A rectangle of the console's picture, in pixels from the top left, in red, green and blue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rectangle {
    /// Pixels from the left edge.
    pub left: usize,
    /// Pixels from the top.
    pub top: usize,
    /// Pixels.
    pub width: usize,
    /// Pixels.
    pub height: usize,
    /// Red, green and blue.
    pub colour: [u8; 3],
}

/// What an item is in the console's picture; `None` for a text, which is the renderer's.
pub fn rectangle(item: &Item) -> Option<Rectangle> {
    let (row, column, width, height, colour) = match *item {
        Item::Cover { row, column } => (row, column, 8, 8, BLACK),
        Item::Alarm { row, column } => (row, column, 7, 7, RED),
        Item::Line { row } => (row, 0, 80, 1, WHITE),
        Item::Text { .. } => return None,
    };
    let (left, top) = (96 + 8 * usize::from(column), 48 + 8 * usize::from(row));
    let top = if matches!(item, Item::Line { .. }) { top + 7 } else { top };
    Some(Rectangle { left, top, width, height, colour })
}

/// Draws covers, alarms and lines into a picture of 256 x 240 pixels of red, green, blue and
/// opacity. Texts are the renderer's.
pub fn draw(items: &[Item], rgba: &mut [u8]) {
    for Rectangle { left, top, width, height, colour } in items.iter().filter_map(rectangle) {
        for line in top..(top + height).min(PICTURE_HEIGHT) {
            for pixel in left..(left + width).min(PICTURE_WIDTH) {
                if let Some(bytes) =
                    rgba.get_mut(4 * (line * PICTURE_WIDTH + pixel)..).and_then(|rest| rest.get_mut(..3))
                {
                    bytes.copy_from_slice(&colour);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use tetris::ram::EMPTY;

    use super::*;
    use crate::tiles::TILE;

    #[test]
    fn a_stack_is_marked_where_it_has_flaws_and_nowhere_else() {
        let mut field = Tiles::CLEAR;
        let mut fill = |row: usize, text: &str| {
            for (column, cell) in text.bytes().enumerate() {
                field.set(row, column, if cell == b'.' { EMPTY } else { TILE });
            }
        };
        fill(16, "XX........");
        fill(17, "XXX.......");
        fill(18, "XXX..XX...");
        fill(19, ".XX.XXXX.X");
        let mut items = Vec::new();
        alarms(&field, &mut items);
        let marked: Vec<(u8, u8)> = items
            .iter()
            .map(|item| match item {
                Item::Alarm { row, column } => (*row, *column),
                other => panic!("{other:?}"),
            })
            .collect();
        // Over the hole at the wall; then in the last row beside the wall, around both gaps of one.
        assert_eq!(marked, [(18, 0), (19, 1), (19, 2), (19, 4), (19, 7), (19, 9)]);
    }

    #[test]
    fn a_cover_is_eight_pixels_of_black_and_nothing_is_drawn_outside() {
        let mut rgba = vec![9; 4 * PICTURE_WIDTH * PICTURE_HEIGHT];
        draw(&[Item::Cover { row: 19, column: 9 }, Item::Line { row: 200 }], &mut rgba);
        assert_eq!(rgba.chunks(4).filter(|pixel| pixel[..3] == [0; 3]).count(), 64);
        draw(&[Item::Alarm { row: 0, column: 0 }], &mut rgba[..100]);
    }
}
