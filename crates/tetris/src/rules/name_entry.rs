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
        self.name_letter = 0;
        self.dirty = 0;
        self.render_mode = render::STILL;
        self.draw(Screen::NameEntry);
    }

    pub(super) fn begin_name_entry(&mut self) {
        self.render_mode = render::SCORES;
        self.music_request = NAME_TRACK;
        self.name_symbol = *self.letter();
        self.name_entry_frame();
    }

    pub(super) fn name_entry_frame(&mut self) {
        if self.pad_pressed == START {
            self.effect_pulse = effect::SELECT;
            self.leave_endings();
            return;
        }
        self.choose_letter();
        self.choose_symbol();
        self.end_frame(Wait::NameEntry);
    }

    /// Left and B go back, Right and A on, round and round.
    fn choose_letter(&mut self) {
        let last = NAME_LETTERS as u8 - 1;
        self.name_letter = if self.pad_pressed & (RIGHT | A) != 0 {
            if self.name_letter == last { 0 } else { self.name_letter.wrapping_add(1) }
        } else if self.pad_pressed & (LEFT | B) != 0 {
            if self.name_letter == 0 { last } else { self.name_letter - 1 }
        } else {
            return;
        };
        self.name_symbol = *self.letter();
    }

    /// Up and Down walk the symbols while they are held, every eighth frame.
    fn choose_symbol(&mut self) {
        if self.frame_counter & 7 != 0 {
            return;
        }
        self.name_symbol = if self.pad_held & UP != 0 {
            if self.name_symbol + 1 == SYMBOLS { 0 } else { self.name_symbol + 1 }
        } else if self.pad_held & DOWN != 0 {
            if self.name_symbol == 0 { SYMBOLS - 1 } else { self.name_symbol - 1 }
        } else {
            return;
        };
        *self.letter() = self.name_symbol;
        self.dirty = dirty::LETTER;
    }

    /// The letter in hand.
    fn letter(&mut self) -> &mut u8 {
        let place = usize::from(self.name_offset) + usize::from(self.name_letter);
        let names = self.high_scores.names.as_flattened_mut();
        let last = names.len() - 1;
        &mut names[place.min(last)]
    }
}
