//! The name of a high score.

use super::high_scores::NAME_LETTERS;
use super::screens::Screen;
use super::{Game, Wait, dirty, effect, render};
use crate::buttons::{A, B, DOWN, LEFT, RIGHT, START, UP};

const NAME_TRACK: u8 = 9;
/// Symbols that a name is made of.
const SYMBOLS: u8 = 44;

impl Game<'_> {
    pub(super) fn enter_name_entry(&mut self) {
        self.request_track(NAME_TRACK);
        self.render_mode = render::SCORES;
        self.draw(Screen::NameEntry);
    }

    pub(super) fn begin_name_entry(&mut self) {
        self.name_offset = self.name_row.wrapping_mul(NAME_LETTERS as u8);
        self.name_letter = 0;
        self.name_entry_frame();
    }

    pub(super) fn name_entry_frame(&mut self) {
        if self.pad_pressed & START != 0 {
            self.effect_pulse = effect::SELECT;
            self.end_frame(Wait::NameDone);
            return;
        }
        self.choose_letter();
        // Up and Down walk the symbols while they are held, every eighth frame.
        if self.frame_counter & 7 == 0 {
            if self.pad_held & DOWN != 0 {
                let letter = self.letter();
                *letter = letter.wrapping_sub(1);
                if *letter & 0x80 != 0 {
                    *letter = letter.wrapping_add(SYMBOLS);
                }
            }
            if self.pad_held & UP != 0 {
                let letter = self.letter();
                *letter = letter.wrapping_add(1);
                if letter.wrapping_sub(SYMBOLS) & 0x80 == 0 {
                    *letter = letter.wrapping_sub(SYMBOLS);
                }
            }
        }
        self.name_symbol = *self.letter();
        self.dirty = dirty::LETTER;
        self.end_frame(Wait::NameEntry);
    }

    /// Right and A go on, Left and B back, round and round.
    fn choose_letter(&mut self) {
        let last = NAME_LETTERS as u8 - 1;
        if self.pad_pressed & (RIGHT | A) != 0 {
            self.name_letter = if self.name_letter >= last { 0 } else { self.name_letter + 1 };
        }
        if self.pad_pressed & (LEFT | B) != 0 {
            self.name_letter = if self.name_letter == 0 { last } else { self.name_letter - 1 };
        }
    }

    /// The letter in hand.
    fn letter(&mut self) -> &mut u8 {
        let place = usize::from(self.name_offset) + usize::from(self.name_letter);
        let names = self.high_scores.names.as_flattened_mut();
        let last = names.len() - 1;
        &mut names[place.min(last)]
    }
}
