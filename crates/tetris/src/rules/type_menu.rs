//! The first menu: A-type or B-type, and the music.

use super::screens::Screen;
use super::{Game, Wait, effect, mode, render};
use crate::buttons::{B, DOWN, LEFT, RIGHT, START, UP};

const MUSIC_CHOICES: u8 = 4;

impl Game<'_> {
    pub(super) fn enter_type_menu(&mut self) {
        self.render_mode = render::MENU;
        self.draw(Screen::TypeMenu);
    }

    /// A frame of the menu; only buttons pressed alone count.
    pub(super) fn type_menu_frame(&mut self) {
        match self.pad_pressed {
            START => {
                self.effect_pulse = effect::SELECT;
                self.mode = mode::LEVEL_MENU;
                self.return_to_main(effect::SELECT);
                return;
            }
            B => {
                self.effect_pulse = effect::SELECT;
                self.frame_counter &= 0xFF;
                self.mode = mode::TITLE;
                self.return_to_main(0);
                return;
            }
            LEFT => self.kind = 0,
            RIGHT => self.kind = 1,
            UP if self.music_type != 0 => {
                self.music_type = self.music_type.wrapping_sub(1);
                self.start_music(0);
            }
            DOWN if self.music_type != MUSIC_CHOICES - 1 => {
                self.music_type = self.music_type.wrapping_add(1);
                self.start_music(0);
            }
            _ => {}
        }
        self.end_frame(Wait::TypeMenu);
    }
}
