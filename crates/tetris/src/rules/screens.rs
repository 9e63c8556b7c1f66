//! Screens: the waits between them, power-on, the legal screen and the title.

use super::{EMPTY, Game, Wait, mode, mode_state, render};
use crate::buttons::START;
use crate::lfsr;
use crate::rom::{DEMO_BUTTONS, Rom};

/// Frames that the legal screen stays, and again at most until Start.
const LEGAL_FRAMES: u8 = 255;
const TITLE_TRACK: u8 = 1;
/// High byte of the frame counter at which the title gives way to the demo.
const DEMO_TIMEOUT: u16 = 5;

/// What is drawn with the picture off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Screen {
    Legal,
    Title,
    TypeMenu,
    LevelMenu,
    Game,
    NameEntry,
    EndingA,
    EndingB,
}

impl<'rom> Game<'rom> {
    /// The console with the game in it, just switched on, its RAM being zero.
    pub fn power_on(rom: &'rom Rom) -> Self {
        Self {
            rom,
            wait: Wait::Boot(0),
            player: super::Player::default(),
            working: super::Working::default(),
            pressed: 0,
            held: 0,
            pad_pressed: 0,
            pad_held: 0,
            mode_state: 0,
            mode: 0,
            render_mode: 0,
            dirty: 0,
            lfsr: 0,
            frame_counter: 0,
            last_piece: 0,
            spawn_count: 0,
            next_piece: 0,
            cursor: 0,
            saved: 0,
            drop_speed: 0,
            hide_next: 0,
            kind: 0,
            music_type: 0,
            fast_music: 0,
            sleep_counter: 0,
            effect_noise: 0,
            effect_pulse: 0,
            music_request: 0,
            pause_frames: 0,
            active_player: 0,
            field_page: 0,
            second_hole: 0,
            countdown: 0,
            level_bonus: 0,
            height_bonus: 0,
            ending_vars: [0; 5],
            ending_sprite: 0,
            ending_delay: 0,
            demo_held: 0,
            demo_repeats: 0,
            demo_recording: 0,
            demo_piece: 0,
            demo_pointer: 0,
            name_letter: 0,
            name_row: 0,
            name_offset: 0,
            name_symbol: 0,
            line_counts: [0; 4],
            b_total: [0; 3],
            piece_counts: [[0; 2]; 7],
            field: [0; 256],
            second_field: super::SecondField::EMPTY,
            high_scores: super::HighScores::default(),
        }
    }
}

impl Game<'_> {
    /// A frame outside of the play itself.
    pub(super) fn step_screen(&mut self, buttons: u8) {
        match self.wait {
            Wait::Boot(frames) => return self.boot_frame(frames + 1),
            Wait::Dark(screen, frames) => {
                self.wait = match frames {
                    0 | 1 => Wait::ToLit(screen),
                    _ => Wait::Dark(screen, frames - 1),
                };
                return;
            }
            _ => self.nmi(buttons),
        }
        match self.wait {
            Wait::ToDark(screen) => self.wait = Wait::Dark(screen, self.dark_frames(screen)),
            Wait::ToLit(screen) => self.lit(screen),
            Wait::Play => self.play_frame(),
            Wait::Pause => self.pause_frame(),
            Wait::LegalForced => self.legal_frame(),
            Wait::LegalSkippable => self.legal_last_frame(),
            Wait::Title => self.title_frame(),
            Wait::TypeMenu => self.type_menu_frame(),
            Wait::LevelMenu => self.level_menu_frame(),
            Wait::Garbage => self.garbage_frame(),
            Wait::SuccessDrawn | Wait::SuccessPause | Wait::EndingPause => self.sleep_frame(),
            Wait::EndingA => self.ending_a_frame(),
            Wait::EndingB => self.ending_b_frame(),
            Wait::NameEntry => self.name_entry_frame(),
            Wait::Boot(_) | Wait::Dark(..) => {}
        }
    }

    /// The picture goes off at the next interrupt, to draw `screen`.
    pub(super) fn draw(&mut self, screen: Screen) {
        self.wait = Wait::ToDark(screen);
    }

    fn dark_frames(&self, screen: Screen) -> u8 {
        let dark = &self.rom.dark_frames;
        let b_type = usize::from(self.kind != 0);
        match screen {
            Screen::Legal => dark.legal,
            Screen::Title => dark.title,
            Screen::TypeMenu => dark.type_menu,
            Screen::LevelMenu => dark.level_menu[b_type],
            Screen::Game => dark.game[b_type],
            Screen::NameEntry => dark.name_entry[b_type],
            Screen::EndingA => dark.ending_a[usize::from(self.ending_vars[4]).min(4)],
            Screen::EndingB => dark.ending_b,
        }
    }

    fn lit(&mut self, screen: Screen) {
        match screen {
            Screen::Legal => {
                self.countdown = LEGAL_FRAMES;
                self.end_frame(Wait::LegalForced);
            }
            Screen::Title => {
                self.music_request = TITLE_TRACK;
                self.hide_next = 0;
                self.frame_counter &= 0xFF;
                self.end_frame(Wait::Title);
            }
            Screen::TypeMenu => {
                self.fast_music = 0;
                self.start_music();
                self.type_menu_frame();
            }
            Screen::LevelMenu => self.begin_level_menu(),
            Screen::Game => {
                self.mode_state = mode_state::GAME;
                self.start_game();
            }
            Screen::NameEntry => self.begin_name_entry(),
            Screen::EndingA => self.begin_ending_a(),
            Screen::EndingB => self.begin_ending_b(),
        }
    }

    /// RAM is cleared once the PPU is warm; then the legal screen is drawn, the interrupt being off yet.
    fn boot_frame(&mut self, frames: u8) {
        self.wait = Wait::Boot(frames);
        if frames == self.rom.boot.cleared {
            self.lfsr = lfsr::SEED;
            self.field = [EMPTY; 256];
            self.high_scores = self.rom.high_scores;
        }
        if frames == self.rom.boot.drawn {
            self.wait = Wait::ToLit(Screen::Legal);
        }
    }

    pub(super) fn enter_legal(&mut self) {
        self.render_mode = render::STILL;
        self.draw(Screen::Legal);
    }

    fn legal_frame(&mut self) {
        self.countdown = self.countdown.wrapping_sub(1);
        if self.countdown != 0 {
            self.end_frame(Wait::LegalForced);
            return;
        }
        self.countdown = LEGAL_FRAMES;
        self.skippable_frame();
    }

    fn legal_last_frame(&mut self) {
        self.countdown = self.countdown.wrapping_sub(1);
        if self.countdown == 0 {
            self.leave_legal();
        } else {
            self.skippable_frame();
        }
    }

    fn skippable_frame(&mut self) {
        if self.pad_pressed == START {
            self.leave_legal();
        } else {
            self.end_frame(Wait::LegalSkippable);
        }
    }

    fn leave_legal(&mut self) {
        self.mode = mode::TITLE;
        self.enter_title();
    }

    pub(super) fn enter_title(&mut self) {
        self.render_mode = render::STILL;
        self.draw(Screen::Title);
    }

    fn title_frame(&mut self) {
        if self.pad_pressed == START {
            self.effect_pulse = super::effect::SELECT;
            self.mode = mode::TYPE_MENU;
            self.enter_type_menu();
        } else if self.frame_counter >> 8 == DEMO_TIMEOUT {
            self.mode = mode::START_DEMO;
            self.start_demo();
        } else {
            self.end_frame(Wait::Title);
        }
    }

    /// Winds the recording back; an A-type game at level 0 begins.
    fn start_demo(&mut self) {
        self.demo_pointer = DEMO_BUTTONS;
        self.demo_held = 0;
        self.demo_repeats = 0;
        self.demo_piece = 0;
        self.kind = 0;
        self.player.start_level = 0;
        self.leave_for(mode::DEMO);
        self.enter_game();
    }
}
