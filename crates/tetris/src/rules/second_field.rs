//! The second player's field at `$0500`.

use super::{COLUMNS, EMPTY};

/// The rows of it that can hold something: row 0, where the first field's last bytes go when its row 0 is taken
/// out, and the twelve of the B-type's garbage.
const FIRST_GARBAGE_ROW: usize = 8;
const ROWS: usize = 13;

/// A page in two bits a cell: nobody plays there, it only receives tiles of pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SecondField([[u8; 3]; ROWS]);

const TILES: [u8; 4] = [EMPTY, 0x7B, 0x7C, 0x7D];

impl SecondField {
    pub(super) const EMPTY: Self = Self([[0; 3]; ROWS]);

    /// `tile` at `place` of the page; the place is one of the rows that can hold something.
    pub(super) fn set(&mut self, place: usize, tile: u8) {
        let row = match place / COLUMNS {
            0 => 0,
            row => row + 1 - FIRST_GARBAGE_ROW,
        };
        let code = TILES.iter().position(|&known| known == tile).unwrap_or(0) as u8;
        let bit = place % COLUMNS * 2;
        if let Some(bytes) = self.0.get_mut(row) {
            bytes[bit / 8] = bytes[bit / 8] & !(3 << (bit % 8)) | code << (bit % 8);
        }
    }

    /// The page.
    pub(super) fn page(&self) -> [u8; 256] {
        let mut page = [EMPTY; 256];
        for (index, bytes) in self.0.iter().enumerate() {
            let row = if index == 0 { 0 } else { index - 1 + FIRST_GARBAGE_ROW };
            for column in 0..COLUMNS {
                let bit = column * 2;
                page[row * COLUMNS + column] = TILES[usize::from(bytes[bit / 8] >> (bit % 8) & 3)];
            }
        }
        page
    }

    /// What of a page it can hold.
    pub(super) fn of(page: &[u8]) -> Self {
        let mut field = Self::EMPTY;
        let garbage = FIRST_GARBAGE_ROW * COLUMNS..20 * COLUMNS;
        for place in (0..COLUMNS).chain(garbage) {
            field.set(place, page[place]);
        }
        field
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_of_garbage_comes_back_as_it_was() {
        let mut page = [EMPTY; 256];
        for place in (0..10).chain(80..200) {
            page[place] = TILES[(place * 7 + place / 11) % 4];
        }
        assert_eq!(SecondField::of(&page).page(), page);
        assert_eq!(SecondField::EMPTY.page(), [EMPTY; 256]);
    }
}
