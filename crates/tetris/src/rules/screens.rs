//! Screens: the waits between them, power-on, the legal screen and the title.

use serde::{Deserialize, Serialize};

use super::{Clock, EMPTY, Game, PlayerBlock, Second, Sleep, Wait, effect, mode, render};
use crate::buttons::START;
use crate::lfsr;
use crate::rom::Rom;

/// Frames that the legal screen stays, and again at most until Start.
const LEGAL_FRAMES: u8 = 255;
/// High byte of the frame counter at which the title gives way to the demo.
const DEMO_TIMEOUT: u16 = 5;
/// Interrupts between the drawing of a screen and its picture.
const FRAMES_TO_LIGHT: u8 = 1;

/// What is drawn with the picture off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Screen {
    /// Nothing: the nametables are emptied after a reset.
    Blank,
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
            player: PlayerBlock::default(),
            hand: PlayerBlock::default(),
            second: Second::default(),
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
            shared_piece: 0,
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
            music_plays: false,
            clock: Clock::default(),
            drift: 0,
            active_player: 0,
            field_page: 0,
            garbage_sent: 0,
            countdown: 0,
            level_bonus: 0,
            height_bonus: 0,
            ending: [0; 10],
            demo_held: 0,
            demo_repeats: 0,
            demo_recording: 0,
            demo_piece: 0,
            demo_pointer: 0,
            demo_pair_taken: false,
            name_letter: 0,
            name_row: 0,
            name_offset: 0,
            name_symbol: 0,
            line_counts: [0; 4],
            b_total: [0; 3],
            piece_counts: [[0; 2]; 7],
            field: [0; 256],
            second_field: [0; 10],
            high_scores: super::HighScores::default(),
        }
    }
}

impl Game<'_> {
    /// A frame outside of the play itself.
    pub(super) fn step_screen(&mut self, buttons: u8) {
        match self.wait {
            Wait::Boot(frames) => return self.boot_frame(frames + 1),
            Wait::Late(stage) => return self.late_frame(stage, buttons),
            Wait::Dark(screen, 0 | 1) => return self.drawn(screen),
            Wait::Dark(screen, frames) => {
                self.wait = Wait::Dark(screen, frames - 1);
                return;
            }
            _ => self.nmi_with_copy(buttons),
        }
        match self.wait {
            Wait::ToDark(screen) => match self.dark_frames(screen) {
                0 => self.drawn(screen),
                frames => self.wait = Wait::Dark(screen, frames),
            },
            Wait::ToLit(screen, 0) => self.lit(screen),
            Wait::ToLit(screen, frames) => self.end_frame(Wait::ToLit(screen, frames - 1)),
            Wait::Main => self.run_mode(),
            Wait::Pause => self.pause_frame(),
            Wait::Resumed => self.play_frame(),
            Wait::LegalForced => self.legal_frame(),
            Wait::LegalSkippable => self.legal_last_frame(),
            Wait::Title => self.title_frame(),
            Wait::TypeMenu => self.type_menu_frame(),
            Wait::LevelMenu => self.level_menu_frame(),
            Wait::Begin => self.begin_frame(),
            Wait::Garbage(rows) => self.garbage_frame(rows),
            Wait::Sleep(before) => self.sleep_frame(before),
            Wait::EndingA => self.ending_a_frame(),
            Wait::EndingB => self.ending_b_frame(),
            Wait::NameEntry => self.name_entry_frame(),
            Wait::NameDone => self.empty_field(),
            Wait::GameDone => self.leave_game(),
            Wait::Boot(_) | Wait::Dark(..) | Wait::Late(_) => {}
        }
    }

    /// The picture goes off at the next interrupt, to draw `screen`.
    pub(super) fn draw(&mut self, screen: Screen) {
        self.end_frame(Wait::ToDark(screen));
    }

    fn dark_frames(&self, screen: Screen) -> u8 {
        let dark = &self.rom.dark_frames;
        let b_type = usize::from(self.kind != 0);
        match screen {
            Screen::Blank => dark.blank,
            Screen::Legal => dark.legal,
            Screen::Title => dark.title,
            Screen::TypeMenu => dark.type_menu,
            Screen::LevelMenu => dark.level_menu[b_type],
            Screen::Game => dark.game[b_type],
            Screen::NameEntry => dark.name_entry[b_type],
            Screen::EndingA => dark.ending_a[usize::from(self.rank()).min(4)],
            Screen::EndingB => dark.ending_b,
        }
    }

    /// The interrupt comes on again, two frames before the picture.
    fn drawn(&mut self, screen: Screen) {
        match screen {
            Screen::Blank => self.field = [EMPTY; 256],
            Screen::EndingA => self.prepare_rocket(),
            Screen::EndingB => self.prepare_stage(),
            _ => {}
        }
        if screen == Screen::Blank {
            self.second_field = [EMPTY; 10];
        }
        self.end_frame(Wait::ToLit(screen, FRAMES_TO_LIGHT + 1));
    }

    fn lit(&mut self, screen: Screen) {
        match screen {
            Screen::Blank => {
                self.mode_state = 0;
                self.mode = mode::LEGAL;
                self.frame_counter &= 0xFF;
                self.enter_legal();
            }
            Screen::Legal => {
                self.sleep_counter = LEGAL_FRAMES;
                self.end_frame(Wait::LegalForced);
            }
            Screen::Title => {
                self.frame_counter &= 0xFF;
                self.end_frame(Wait::Title);
            }
            Screen::TypeMenu => {
                self.start_music(0);
                self.type_menu_frame();
            }
            Screen::LevelMenu => self.begin_level_menu(),
            Screen::Game => self.screen_drawn(),
            Screen::NameEntry => self.begin_name_entry(),
            Screen::EndingA => self.begin_ending(Sleep::Rocket),
            Screen::EndingB => self.begin_ending(Sleep::Score),
        }
    }

    /// RAM is cleared once the PPU is warm; the interrupt comes on for the first screen.
    fn boot_frame(&mut self, frames: u8) {
        self.wait = Wait::Boot(frames);
        if frames == self.rom.boot_frames {
            self.lfsr = lfsr::SEED;
            self.high_scores = self.rom.high_scores;
            self.draw(Screen::Blank);
        }
    }

    pub(super) fn enter_legal(&mut self) {
        self.render_mode = render::STILL;
        self.draw(Screen::Legal);
    }

    fn legal_frame(&mut self) {
        if self.sleep_counter == 0 {
            self.countdown = LEGAL_FRAMES;
            self.skippable_frame();
        } else {
            self.end_frame(Wait::LegalForced);
        }
    }

    fn legal_last_frame(&mut self) {
        self.countdown = self.countdown.wrapping_sub(1);
        if self.countdown == 0 {
            self.leave_legal(0xFF);
        } else {
            self.skippable_frame();
        }
    }

    fn skippable_frame(&mut self) {
        if self.pad_pressed == START {
            self.leave_legal(START);
        } else {
            self.end_frame(Wait::LegalSkippable);
        }
    }

    fn leave_legal(&mut self, accumulator: u8) {
        self.mode = mode::TITLE;
        self.return_to_main(accumulator);
    }

    pub(super) fn enter_title(&mut self) {
        self.render_mode = render::STILL;
        self.demo_recording = 0;
        self.hide_next = 0;
        self.draw(Screen::Title);
    }

    fn title_frame(&mut self) {
        if self.pad_pressed == START {
            self.effect_pulse = effect::SELECT;
            self.mode = mode::TYPE_MENU;
            self.return_to_main(effect::SELECT);
        } else if self.frame_counter >> 8 == DEMO_TIMEOUT {
            self.effect_pulse = effect::SELECT;
            self.mode = mode::START_DEMO;
            self.return_to_main(mode::START_DEMO);
        } else {
            self.end_frame(Wait::Title);
        }
    }
}
