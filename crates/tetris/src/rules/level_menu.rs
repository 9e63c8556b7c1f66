//! The second menu: level and height.

use super::screens::Screen;
use super::{Game, Wait, effect, mode, mode_state, render};
use crate::buttons::{A, B, DOWN, LEFT, RIGHT, START, UP};
use crate::lfsr;

/// What A, held with Start, adds.
const LEVELS_ON_A: u8 = 10;
/// Cells and columns of the two grids: levels, heights.
const GRIDS: [(u8, u8); 2] = [(10, 5), (6, 3)];

impl Game<'_> {
    pub(super) fn enter_level_menu(&mut self) {
        self.render_mode = render::MENU;
        self.draw(Screen::LevelMenu);
    }

    pub(super) fn begin_level_menu(&mut self) {
        self.saved = 0;
        self.drop_speed = 0;
        self.player.start_level %= LEVELS_ON_A;
        self.level_menu_frame();
    }

    /// The menu walks on the working copy; `$AE` keeps which grid is in hand.
    pub(super) fn level_menu_frame(&mut self) {
        self.active_player = 0;
        self.hand.start_level = self.player.start_level;
        self.hand.start_height = self.player.start_height;
        self.cursor = self.saved;
        self.pressed = self.pad_pressed;
        self.walk_grid();
        self.player.start_level = self.hand.start_level;
        self.player.start_height = self.hand.start_height;
        self.saved = self.cursor;
        if self.pad_pressed == START {
            if self.pad_held == A | START {
                self.player.start_level = self.player.start_level.wrapping_add(LEVELS_ON_A);
            }
            self.mode_state = mode_state::SCREEN;
            self.effect_pulse = effect::SELECT;
            self.mode = mode::PLAY;
            self.return_to_main(effect::SELECT);
        } else if self.pad_pressed == B {
            self.effect_pulse = effect::SELECT;
            self.mode = mode::TYPE_MENU;
            self.return_to_main(effect::SELECT);
        } else {
            self.player.garbage_hole = self.choose_hole();
            self.second.garbage_hole = self.choose_hole();
            self.end_frame(Wait::LevelMenu);
        }
    }

    /// One cell on Left and Right, a row on Up and Down, never past an end; A goes to the other
    /// grid in B-type.
    fn walk_grid(&mut self) {
        let (cells, columns) = GRIDS[usize::from(self.cursor != 0)];
        let value = if self.cursor == 0 { &mut self.hand.start_level } else { &mut self.hand.start_height };
        let second_row = value.wrapping_sub(columns) & 0x80 == 0;
        *value = match self.pad_pressed {
            RIGHT if *value != cells - 1 => value.wrapping_add(1),
            LEFT if *value != 0 => *value - 1,
            DOWN if !second_row => value.wrapping_add(columns),
            UP if second_row => value.wrapping_sub(columns),
            _ => *value,
        };
        if self.pad_pressed == A && self.kind != 0 {
            self.cursor ^= 1;
        }
    }

    /// The column of the hole in garbage for a player: steps of the register until its digit is
    /// below ten. They are part of every game's seed.
    fn choose_hole(&mut self) -> u8 {
        // A register that has died would never get there, as the machine would not.
        for _ in 0..=u16::MAX {
            self.lfsr = lfsr::step(self.lfsr);
            let column = (self.lfsr >> 8) as u8 & 0x0F;
            if column < 10 {
                return column;
            }
        }
        0
    }
}
