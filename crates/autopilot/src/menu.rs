//! The way from power-on to a game, and from one game to the next.

use nes::Buttons;
use tetris::View;
use tetris::buttons;
use tetris::events::GameType;
use tetris::ram::game_mode::{LEGAL, LEVEL_MENU, PLAY, TYPE_MENU};
use tetris::ram::{self, mode_state, play_state, render_mode};

use crate::Action;
use crate::Settings;

/// Of `PPUCTRL`: the interrupt is on.
const INTERRUPT: u8 = 0x80;
/// The highest level that the menu leads to.
const LAST_OF_MENU: u8 = 19;
/// Frames for which the level menu is lit before it acts on a press. A press in them is lost, so
/// that one after no frame and one after two would begin the same game.
const UNREAD: u32 = 2;
/// How long an ending is looked at before Start.
const ENDING_FRAMES: u32 = 1_200;

/// Walks the screens that are no play.
#[derive(Clone, Debug, Default)]
pub(crate) struct Menu {
    /// Frames for which the level menu has been lit.
    lit: u32,
    waited: u32,
    looked: u32,
}

impl Menu {
    pub(crate) fn action(&mut self, view: View, settings: &Settings) -> Action {
        let mut action = Action::default();
        if view.game_mode() != LEVEL_MENU {
            (self.waited, self.lit) = (0, 0);
        }
        let ending = view.game_mode() == PLAY && view.byte(ram::RENDER_MODE) == render_mode::ENDING;
        self.looked = if ending { self.looked.saturating_add(1) } else { 0 };
        match view.game_mode() {
            LEGAL if settings.mode != crate::Mode::Gamepad => {
                // The article's script: both of the screen's counters are run out.
                if is_lit(view) {
                    action.poke(ram::SLEEP_COUNTER, 0);
                    action.poke(ram::TEMPORARIES, 1);
                }
            }
            TYPE_MENU => {
                let b_type = settings.game_type == GameType::B;
                action.buttons = match (b_type, view.byte(ram::GAME_TYPE)) {
                    (true, 0) => tap(view, Buttons::RIGHT),
                    (false, 1..) => tap(view, Buttons::LEFT),
                    _ => tap(view, Buttons::START),
                };
            }
            LEVEL_MENU => action.buttons = self.level(view, settings),
            PLAY => {
                let begins = view.byte(ram::MODE_STATE) <= mode_state::GAME;
                if begins && settings.level > LAST_OF_MENU {
                    action.poke(ram::START_LEVEL, settings.level);
                }
                if !begins && (!ending || self.looked > ENDING_FRAMES) {
                    action.buttons = tap(view, Buttons::START);
                }
            }
            _ => action.buttons = tap(view, Buttons::START),
        }
        action
    }

    /// One press a frame leads to level and height; then it waits, then it begins.
    fn level(&mut self, view: View, settings: &Settings) -> Buttons {
        self.lit = if is_lit(view) { self.lit.saturating_add(1) } else { 0 };
        let at_height = view.byte(ram::CURSOR) != 0;
        let level = if settings.level > LAST_OF_MENU { 0 } else { settings.level % 10 };
        let level = (level, view.byte(ram::START_LEVEL) % 10, 5i16);
        let height = (settings.height, view.byte(ram::START_HEIGHT), 3i16);
        let off = |(wanted, found, _): (u8, u8, i16)| wanted != found;
        let b_type = settings.game_type == GameType::B;
        if off(level) || b_type && off(height) {
            let (wanted, found, columns) = if at_height { height } else { level };
            return tap(
                view,
                match i16::from(wanted) - i16::from(found) {
                    0 => Buttons::A,
                    more if more >= columns => Buttons::DOWN,
                    less if less <= -columns => Buttons::UP,
                    1.. => Buttons::RIGHT,
                    _ => Buttons::LEFT,
                },
            );
        }
        // From 10 on Start counts while A is held, and nothing else.
        let with_a = (10..=LAST_OF_MENU).contains(&settings.level);
        match Buttons::from_bits_retain(view.held()) {
            Buttons::A if with_a => return Buttons::A | Buttons::START,
            // The pads are not read while the screen is drawn.
            held if !held.is_empty() || !is_lit(view) => return Buttons::empty(),
            _ if self.lit <= UNREAD => return Buttons::empty(),
            _ => self.waited = self.waited.saturating_add(1),
        }
        if self.waited <= settings.wait {
            return Buttons::empty();
        }
        if with_a { Buttons::A } else { Buttons::START }
    }
}

/// Is the interrupt on, and no screen being drawn?
fn is_lit(view: View) -> bool {
    view.byte(ram::PPUCTRL_COPY) & INTERRUPT != 0
}

/// What is done while the curtain falls, and where no piece is in play.
pub(crate) fn between(view: View) -> Buttons {
    if view.play_state() == play_state::CURTAIN { tap(view, Buttons::START) } else { Buttons::empty() }
}

/// What is pressed before a piece begins to fall.
pub(crate) fn before_the_first_fall(view: View) -> Option<Buttons> {
    let counter = view.byte(ram::DOWN_REPEAT);
    if counter & 0x80 != 0 {
        // The first piece hangs until Down is pressed.
        return Some(tap(view, Buttons::DOWN));
    }
    // Down counts only if it is pressed anew.
    (counter == 0 && view.held() & buttons::DOWN != 0).then(Buttons::empty)
}

/// A press, if nothing is held; a press counts only if it is new.
pub(crate) fn tap(view: View, button: Buttons) -> Buttons {
    if view.held() == 0 { button } else { Buttons::empty() }
}
