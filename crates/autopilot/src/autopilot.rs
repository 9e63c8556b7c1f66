//! The player of a running console.

use nes::{Buttons, Console};
use tetris::ram::play_state;
use tetris::{Profile, View, hooks};

use crate::carry::Carry;
use crate::menu::{self, Menu};
use crate::thumbs::Thumbs;
use crate::turn::Turn;
use crate::{Mode, Settings};

/// Levels with a drop speed of their own.
const LEVELS: u8 = 30;

/// Plays a cartridge from power-on: past the first screens, through the menus, piece after piece, and again.
///
/// Before each frame it looks at the console, as it is after the last, and says what to do in the coming one. It keeps
/// nothing of the console but the way of the piece in play, and notices if that is not where it should be: whoever
/// loads a state, rewinds, or presses buttons of his own between two frames only makes it plan anew.
///
/// Where several may play, it is a value: a clone has the same future, with the same console.
#[derive(Clone, Debug)]
pub struct Autopilot {
    profile: Profile,
    settings: Settings,
    menu: Menu,
    carry: Option<Carry>,
    thumbs: Thumbs,
    decisions: u64,
}

impl Autopilot {
    /// A player of a cartridge that `profile` is of.
    pub fn new(profile: Profile, settings: Settings) -> Self {
        let Settings { mode, evaluator, filter, .. } = &settings;
        let carry = (*mode != Mode::Gamepad)
            .then(|| Carry::new(evaluator.clone(), filter.clone(), *mode == Mode::Path));
        let thumbs = Thumbs::new(evaluator.clone(), filter.clone());
        Self { profile, settings, menu: Menu::default(), carry, thumbs, decisions: 0 }
    }

    /// What to do in the coming frame.
    pub fn turn(&mut self, console: &Console) -> Turn {
        let memory = self.profile.as_mapped(console.ram());
        let view = View::new(&memory);
        if !(view.in_game() && view.in_play()) {
            self.forget();
            if view.is_paused() {
                return Turn::default();
            }
            return self.menu.turn(view, &self.settings);
        }
        let mut turn = Turn::default();
        if view.play_state() != play_state::ACTIVE {
            self.forget();
            turn.buttons = menu::between(view);
            return turn;
        }
        let speeds = self.profile.address(hooks::DROP_SPEEDS);
        let frames_per_row = console.peek(speeds + u16::from(view.level().min(LEVELS - 1)));
        let decided = if let Some(carry) = &mut self.carry {
            carry.turn(view, frames_per_row, &mut turn)
        } else {
            let pressed = self.thumbs.turn(view, frames_per_row);
            turn.buttons = pressed.buttons;
            pressed.decided
        };
        self.decisions += u64::from(decided);
        turn
    }

    /// [`Self::turn`] carried out but for the buttons: the writes are done, and the buttons to hold in the coming frame
    /// are the answer.
    pub fn prepare(&mut self, console: &mut Console) -> Buttons {
        let Turn { buttons, pokes } = self.turn(console);
        for (place, value) in pokes {
            console.ram_mut()[usize::from(self.profile.place_address(place))] = value;
        }
        buttons
    }

    /// Decisions so far: one a piece, and one more each time that a piece is not where it should be.
    pub fn decisions(&self) -> u64 {
        self.decisions
    }

    /// How often a piece that buttons steer was not where it should be.
    pub fn surprises(&self) -> u64 {
        self.thumbs.surprises
    }

    fn forget(&mut self) {
        self.thumbs.forget();
        if let Some(carry) = &mut self.carry {
            carry.forget();
        }
    }
}
