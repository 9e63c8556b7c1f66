//! The player of a running console.

use std::sync::Arc;

use nes::{Buttons, Console};
use tetris::ram::play_state;
use tetris::{Profile, View, hooks};
use value::{Format, LEVELS, Mind, Nets};

use crate::gamepad_driver::GamepadDriver;
use crate::menu::{self, Menu};
use crate::points_driver::PointsDriver;
use crate::ram_driver::RamDriver;
use crate::{Action, ComputerHands, Mode, Settings, Thought};

/// Plays a cartridge from power-on: past the first screens, through the menus, piece after piece,
/// and again.
///
/// Before each frame it looks at the console, as it is after the last, and says what to do in the
/// coming one. It keeps nothing of the console but the way of the piece in play, and notices if
/// that is not where it should be: whoever loads a state, rewinds, or presses buttons of his own
/// between two frames only makes it plan anew.
///
/// Where several may play, it is a value: a clone has the same future, with the same console.
#[derive(Clone, Debug)]
pub struct Autopilot {
    profile: Profile,
    settings: Settings,
    menu: Menu,
    ram: Option<RamDriver>,
    gamepad: GamepadDriver,
    points: Option<Box<PointsDriver>>,
    decisions: u64,
}

impl Autopilot {
    /// A player of a cartridge that `profile` is of.
    pub fn new(profile: Profile, settings: Settings) -> Self {
        let Settings { mode, evaluator, filter, .. } = &settings;
        let ram = (*mode != Mode::Gamepad)
            .then(|| RamDriver::new(evaluator.clone(), filter.clone(), *mode == Mode::Path));
        let gamepad = GamepadDriver::new(evaluator.clone(), filter.clone());
        Self { profile, settings, menu: Menu::default(), ram, gamepad, points: None, decisions: 0 }
    }

    /// The player for points, by buttons alone: what is pressed and when the next piece is known is
    /// as a format has it.
    pub fn for_points(profile: Profile, settings: Settings, format: Format, mind: Mind) -> Self {
        let settings = Settings { mode: Mode::Gamepad, ..settings };
        Self { points: Some(Box::new(PointsDriver::new(format, mind))), ..Self::new(profile, settings) }
    }

    /// The player for points with hands of its own speed, which may miss. It evaluates by networks,
    /// or by the built-in weights if there are none, and looks ahead on its best boards.
    pub fn with_hands(profile: Profile, settings: Settings, hands: ComputerHands, nets: &Nets) -> Self {
        let mut player = Self::for_points(profile, settings, hands.format(), hands.mind(nets));
        if let Some(points) = &mut player.points {
            points.set_misdrops(hands.misdrops, hands.seed);
        }
        player
    }

    /// What the player for points thinks of the piece in play; none of other players, and between
    /// two pieces.
    pub fn thought(&self) -> Option<&Arc<Thought>> {
        self.points.as_ref()?.thought.as_ref()
    }

    /// Returns what to do in the coming frame.
    pub fn action(&mut self, console: &Console) -> Action {
        let memory = self.profile.as_mapped(console.ram());
        let view = View::new(&memory);
        if !(view.in_game() && view.in_play()) {
            self.forget();
            if view.is_paused() {
                return Action::default();
            }
            return self.menu.action(view, &self.settings);
        }
        let mut action = Action::default();
        if view.play_state() != play_state::ACTIVE {
            if let Some(points) = &mut self.points {
                points.land(view);
            }
            self.forget();
            action.buttons = menu::between(view);
            return action;
        }
        let speeds = self.profile.address(hooks::DROP_SPEEDS);
        let frames = |level: u8| console.peek(speeds + u16::from(level.min(LEVELS - 1)));
        let frames_per_row = frames(view.level());
        let decided = if let Some(ram) = &mut self.ram {
            ram.drive(view, frames_per_row, &mut action)
        } else {
            let pressed = match &mut self.points {
                Some(points) => points.drive(view, frames),
                None => self.gamepad.drive(view, frames_per_row),
            };
            action.buttons = pressed.buttons;
            pressed.decided
        };
        self.decisions += u64::from(decided);
        action
    }

    /// Does the writes of [`Self::action`] and returns the buttons to hold in the coming frame.
    pub fn prepare(&mut self, console: &mut Console) -> Buttons {
        let Action { buttons, pokes } = self.action(console);
        for (place, value) in pokes {
            console.ram_mut()[usize::from(self.profile.place_address(place))] = value;
        }
        buttons
    }

    /// Decisions so far: one a piece, and one more each time that a piece is not where it should
    /// be.
    pub fn decisions(&self) -> u64 {
        self.decisions
    }

    /// Returns how often a piece that buttons steer was not where it was predicted.
    pub fn mispredictions(&self) -> u64 {
        self.points.as_ref().map_or(self.gamepad.mispredictions, |points| points.mispredictions)
    }

    fn forget(&mut self) {
        self.gamepad.forget();
        if let Some(points) = &mut self.points {
            points.forget();
        }
        if let Some(ram) = &mut self.ram {
            ram.forget();
        }
    }
}
