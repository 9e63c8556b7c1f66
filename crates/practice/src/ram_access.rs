//! Access to the RAM of a running console, by the cartridge's own map.

use nes::Console;
use tetris::ram::{self, Variable, play_state};
use tetris::{HEIGHT, Profile, View, WIDTH};

use crate::tiles::Tiles;

/// Of [`ram::DIRTY`]: what the interrupt is to draw.
pub(crate) mod dirty {
    pub(crate) const LINES: u8 = 1;
    pub(crate) const LEVEL: u8 = 2;
    pub(crate) const SCORE: u8 = 4;
}

/// A value of [`ram::VRAM_ROW`]: the picture has the whole playfield.
pub(crate) const PICTURE_IS_WHOLE: u8 = 0x20;
/// The curtain's first row, as a signed number: sixteen rows above the playfield.
const CURTAIN_START: u8 = 0xF0;
/// The noise of the curtain.
const CURTAIN_NOISE: u8 = 2;
/// The most that six digits hold.
const LIMIT: u32 = 999_999;

/// A console between two frames, written to by names.
pub(crate) struct RamAccess<'a> {
    profile: &'a Profile,
    pub(crate) console: &'a mut Console,
}

impl<'a> RamAccess<'a> {
    pub(crate) fn new(profile: &'a Profile, console: &'a mut Console) -> Self {
        Self { profile, console }
    }

    fn at(&self, place: Variable) -> usize {
        usize::from(self.profile.place_address(place)) & 0x7FF
    }

    pub(crate) fn get(&self, place: Variable) -> u8 {
        self.console.ram()[self.at(place)]
    }

    pub(crate) fn set(&mut self, place: Variable, value: u8) {
        let at = self.at(place);
        self.console.ram_mut()[at] = value;
    }

    /// Writes the bytes of a place, as many as there are.
    pub(crate) fn set_bytes(&mut self, place: Variable, values: &[u8]) {
        let at = self.at(place);
        for (byte, &value) in self.console.ram_mut()[at..].iter_mut().zip(values) {
            *byte = value;
        }
    }

    /// Where a place of the player's block is in the working copy, which counts while the frame is
    /// under way.
    fn in_hand(&self, place: Variable) -> usize {
        (self.at(ram::WORKING_COPY) + usize::from(place.address - ram::PLAYER_1.address)) & 0x7FF
    }

    pub(crate) fn get_in_hand(&self, place: Variable) -> u8 {
        self.console.ram()[self.in_hand(place)]
    }

    pub(crate) fn set_in_hand(&mut self, place: Variable, value: u8) {
        let at = self.in_hand(place);
        self.console.ram_mut()[at] = value;
    }

    pub(crate) fn field(&self) -> Tiles {
        let at = self.at(ram::PLAYFIELD);
        let mut field = Tiles::CLEAR;
        field.cells.copy_from_slice(&self.console.ram()[at..][..HEIGHT * WIDTH]);
        field
    }

    /// Writes the playfield, and has the picture take all of it.
    pub(crate) fn set_field(&mut self, field: &Tiles) {
        self.set_cells(field);
        self.redraw();
    }

    /// Writes the playfield, of which the picture knows nothing.
    pub(crate) fn set_cells(&mut self, field: &Tiles) {
        let at = self.at(ram::PLAYFIELD);
        self.console.ram_mut()[at..][..HEIGHT * WIDTH].copy_from_slice(&field.cells);
    }

    /// Has the picture take the playfield from its first row on. Until it has all, nothing locks
    /// and nothing comes in.
    pub(crate) fn redraw(&mut self) {
        self.set(ram::VRAM_ROW, 0);
    }

    fn draw(&mut self, what: u8) {
        let dirty = self.get(ram::DIRTY) | what;
        self.set(ram::DIRTY, dirty);
    }

    /// Writes the score, as far as six digits go.
    pub(crate) fn set_score(&mut self, score: u32) {
        let at = self.at(ram::SCORE);
        let score = score.min(LIMIT);
        for (byte, unit) in [1, 100, 10_000].into_iter().enumerate() {
            self.console.ram_mut()[at + byte] = bcd(score / unit);
        }
        self.draw(dirty::SCORE);
    }

    /// Writes the lines, up to 25,599.
    pub(crate) fn set_lines(&mut self, lines: u32) {
        let at = self.at(ram::LINES);
        self.console.ram_mut()[at] = bcd(lines);
        self.console.ram_mut()[at + 1] = (lines / 100).min(255) as u8;
        self.draw(dirty::LINES);
    }

    pub(crate) fn set_level(&mut self, level: u8) {
        self.set(ram::LEVEL, level);
        self.draw(dirty::LEVEL);
    }

    /// Ends the game: the curtain falls.
    pub(crate) fn drop_curtain(&mut self) {
        self.set(ram::PLAY_STATE, play_state::CURTAIN);
        self.set(ram::CURTAIN_ROW, CURTAIN_START);
        self.set(ram::EFFECT_REQUESTS, CURTAIN_NOISE);
    }

    /// Moves the sprites of the piece in play down by some rows, as it was staged before it was
    /// moved.
    pub(crate) fn lower_sprites(&mut self, rows: u8) {
        let at = self.at(ram::OAM_STAGING);
        for sprite in self.console.ram_mut()[at..][..256].chunks_exact_mut(4) {
            // The playfield is 80 pixels wide from 96 on; the next piece is to the right of it.
            if sprite[0] < 0xEF && (0x5F..0xB0).contains(&sprite[3]) {
                sprite[0] = sprite[0].wrapping_add(8 * rows);
            }
        }
    }

    /// The machine's RAM, as the maps have it.
    pub(crate) fn mapped(&self) -> [u8; 0x800] {
        self.profile.as_mapped(self.console.ram())
    }
}

/// Two decimal digits as the game keeps them.
fn bcd(number: u32) -> u8 {
    (number / 10 % 10 * 16 + number % 10) as u8
}

/// Pieces that came in this game.
pub(crate) fn pieces(view: View) -> u32 {
    view.piece_counts().iter().sum()
}
