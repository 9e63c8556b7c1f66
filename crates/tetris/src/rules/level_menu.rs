//! The second menu: level and height.

use super::screens::Screen;
use super::{Game, Wait, effect, mode, render};
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
        self.player.start_level %= LEVELS_ON_A;
        self.cursor = 0;
        self.level_menu_frame();
    }

    pub(super) fn level_menu_frame(&mut self) {
        match self.pad_pressed {
            START => {
                if self.pad_held == A | START {
                    self.player.start_level = self.player.start_level.wrapping_add(LEVELS_ON_A);
                }
                self.effect_pulse = effect::SELECT;
                self.leave_for(mode::PLAY);
                self.enter_game();
                return;
            }
            B => {
                self.effect_pulse = effect::SELECT;
                self.mode = mode::TYPE_MENU;
                self.enter_type_menu();
                return;
            }
            A if self.kind != 0 => self.cursor ^= 1,
            buttons => self.move_cursor(buttons),
        }
        self.player.garbage_hole = self.choose_hole();
        self.second_hole = self.choose_hole();
        self.end_frame(Wait::LevelMenu);
    }

    /// One cell on Left and Right, a row on Up and Down, never past an end.
    fn move_cursor(&mut self, buttons: u8) {
        let (cells, columns) = GRIDS[usize::from(self.cursor & 1)];
        let value =
            if self.cursor == 0 { &mut self.player.start_level } else { &mut self.player.start_height };
        let moved = match buttons {
            RIGHT => value.checked_add(1),
            DOWN => value.checked_add(columns),
            LEFT => value.checked_sub(1),
            UP => value.checked_sub(columns),
            _ => None,
        };
        let forward = buttons == RIGHT || buttons == DOWN;
        if let Some(moved) = moved.filter(|&moved| !forward || moved < cells) {
            *value = moved;
        }
    }

    /// The column of the hole in garbage for a player: steps of the register until its digit is below ten. They are
    /// part of every game's seed.
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
