//! What the players hold down, on whatever device, as the console will see it.

use std::sync::{Mutex, MutexGuard, PoisonError};

use nes::{Buttons, Pads};
use winit::keyboard::KeyCode;

use crate::config::settings::InputSettings;
use crate::input::bindings::PadInput;
use crate::input::player::PlayerInput;

/// What is held now: written by the threads of window and pads, read by the console's at each
/// strobe. The lock is held for a few comparisons at a time.
#[derive(Debug, Default)]
pub(crate) struct Input {
    held: Mutex<Held>,
}

#[derive(Debug, Default)]
struct Held {
    settings: InputSettings,
    players: [PlayerInput; 2],
}

impl Input {
    /// Takes new settings over; everything held is let go.
    pub(crate) fn set(&self, settings: InputSettings) {
        let held = &mut *self.lock();
        held.settings = settings;
        held.players.iter_mut().for_each(PlayerInput::release_all);
    }

    /// A key goes down or up. Returns whether it is one of the game's.
    pub(crate) fn key(&self, code: KeyCode, pressed: bool) -> bool {
        let Held { settings, players } = &mut *self.lock();
        let mut ours = false;
        for (player, settings) in players.iter_mut().zip(&settings.players) {
            ours |= settings.keys.controls(&code).next().is_some();
            player.key(code, settings.keys.controls(&code), pressed);
        }
        ours
    }

    /// The window lost the keyboard: what was held is not held any more.
    pub(crate) fn release_keys(&self) {
        self.lock().players.iter_mut().for_each(PlayerInput::release_keys);
    }

    /// The pad of `player` (0 or 1) now holds exactly `inputs`. Returns the buttons that this
    /// makes.
    pub(crate) fn set_pad(&self, player: usize, inputs: &[PadInput]) -> Buttons {
        let Held { settings, players } = &mut *self.lock();
        players[player & 1].set_pad(inputs, &settings.players[player & 1].pad)
    }

    /// What the pads hold now was meant for the menu: the game sees it once it was let go and
    /// pressed again.
    pub(crate) fn consume_pads(&self) {
        self.lock().players.iter_mut().for_each(PlayerInput::consume_pad);
    }

    /// Whoever has no keys to press holds exactly `buttons` for `player` (0 or 1).
    pub(crate) fn hold(&self, player: usize, buttons: Buttons) {
        self.lock().players[player & 1].hold(buttons);
    }

    /// Returns how far a stick must be pushed to count.
    pub(crate) fn dead_zone(&self) -> f32 {
        self.lock().settings.dead_zone.clamp(0.05, 0.95)
    }

    /// Returns what both ports hold in `frame`, taps that no game has seen yet included.
    fn sample(&self, frame: u64) -> [Buttons; 2] {
        let Held { settings, players } = &mut *self.lock();
        players.each_mut().map(|player| player.sample(frame, settings))
    }

    fn lock(&self) -> MutexGuard<'_, Held> {
        // Every change is whole by the time that something could panic.
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The console's view of an [`Input`] in one frame. The engine samples it once, as late as can be.
#[derive(Debug)]
pub(crate) struct FramePads<'a> {
    input: &'a Input,
    frame: u64,
}

impl<'a> FramePads<'a> {
    /// Frame `frame` begins.
    pub(crate) fn new(input: &'a Input, frame: u64) -> Self {
        Self { input, frame }
    }
}

impl Pads for FramePads<'_> {
    fn sample(&mut self) -> [Buttons; 2] {
        self.input.sample(self.frame)
    }
}

#[cfg(test)]
mod tests {
    use gilrs::Button;

    use super::*;
    use crate::config::settings::Opposites;
    use crate::input::bindings::Control;

    struct Game {
        input: Input,
        frame: u64,
    }

    impl Game {
        fn new(change: impl FnOnce(&mut InputSettings)) -> Self {
            let input = Input::default();
            let mut settings = InputSettings::default();
            change(&mut settings);
            input.set(settings);
            Self { input, frame: 0 }
        }

        fn frame(&mut self) -> [Buttons; 2] {
            self.frame += 1;
            FramePads::new(&self.input, self.frame).sample()
        }

        /// Presses `codes` one after the other, without letting go, and returns the first player's
        /// frame.
        fn press(&mut self, codes: &[KeyCode]) -> Buttons {
            for &code in codes {
                assert!(self.input.key(code, true));
            }
            self.frame();
            self.frame()[0]
        }
    }

    fn game() -> Game {
        Game::new(|_| {})
    }

    #[test]
    fn every_button_has_a_key_and_other_keys_are_not_the_games() {
        let mut raw = Game::new(|settings| settings.opposites = Opposites::Raw);
        let keys = [
            KeyCode::KeyX,
            KeyCode::KeyZ,
            KeyCode::Backspace,
            KeyCode::Enter,
            KeyCode::ArrowUp,
            KeyCode::ArrowDown,
            KeyCode::ArrowLeft,
            KeyCode::ArrowRight,
        ];
        assert_eq!(raw.press(&keys), Buttons::all());
        assert!(!raw.input.key(KeyCode::KeyP, true));
        raw.input.release_keys();
        assert_eq!(raw.frame()[0], Buttons::empty());
    }

    #[test]
    fn two_keys_on_one_button_hold_it_until_both_are_up() {
        let mut game = game();
        assert_eq!(game.press(&[KeyCode::ShiftRight, KeyCode::Backspace]), Buttons::SELECT);
        game.input.key(KeyCode::ShiftRight, false);
        assert_eq!(game.frame()[0], Buttons::SELECT);
        game.input.key(KeyCode::Backspace, false);
        assert_eq!(game.frame()[0], Buttons::empty());
    }

    #[test]
    fn keyboard_and_first_pad_share_the_first_port() {
        let mut game = game();
        game.input.key(KeyCode::KeyX, true);
        game.input.set_pad(0, &[PadInput::Press(Button::DPadLeft)]);
        let second = game.input.set_pad(1, &[PadInput::Press(Button::Start), PadInput::Press(Button::Mode)]);
        assert_eq!(second, Buttons::START);
        assert_eq!(game.frame(), [Buttons::A | Buttons::LEFT, Buttons::START]);
        assert_eq!(game.frame(), [Buttons::A | Buttons::LEFT, Buttons::START]);
    }

    #[test]
    fn both_players_fit_on_one_keyboard() {
        let mut game = game();
        for key in [KeyCode::KeyX, KeyCode::KeyG, KeyCode::KeyJ] {
            game.input.key(key, true);
        }
        assert_eq!(game.frame(), [Buttons::A, Buttons::A | Buttons::LEFT]);
    }

    #[test]
    fn a_tap_between_two_frames_is_seen_once() {
        let mut game = game();
        game.input.key(KeyCode::KeyX, true);
        game.input.key(KeyCode::KeyX, false);
        assert_eq!(game.frame()[0], Buttons::A);
        assert_eq!(game.frame()[0], Buttons::empty());
    }

    #[test]
    fn a_tap_waits_for_a_frame_that_asks() {
        let mut game = game();
        game.input.set_pad(1, &[PadInput::Press(Button::South)]);
        game.input.set_pad(1, &[]);
        let _lag = FramePads::new(&game.input, 0);
        assert_eq!(game.frame()[1], Buttons::B);
    }

    #[test]
    fn what_is_pressed_during_a_frame_is_seen_by_the_strobe() {
        let game = game();
        let mut strobe = FramePads::new(&game.input, 0);
        game.input.key(KeyCode::Enter, true);
        assert_eq!(strobe.sample()[0], Buttons::START);
    }

    #[test]
    fn of_opposite_directions_the_last_counts_and_the_first_comes_back() {
        let mut game = game();
        assert_eq!(game.press(&[KeyCode::ArrowLeft, KeyCode::ArrowRight]), Buttons::RIGHT);
        game.input.key(KeyCode::ArrowRight, false);
        assert_eq!(game.frame()[0], Buttons::LEFT);
        // Whatever the devices.
        game.input.set_pad(0, &[PadInput::Press(Button::DPadRight)]);
        game.frame();
        assert_eq!(game.frame()[0], Buttons::RIGHT);
    }

    #[test]
    fn opposite_directions_can_cancel_each_other_or_both_reach_the_game() {
        let keys = [KeyCode::ArrowLeft, KeyCode::ArrowRight, KeyCode::ArrowUp];
        let mut neutral = Game::new(|settings| settings.opposites = Opposites::Neutral);
        assert_eq!(neutral.press(&keys), Buttons::UP);
        let mut raw = Game::new(|settings| settings.opposites = Opposites::Raw);
        assert_eq!(raw.press(&keys), Buttons::UP | Buttons::LEFT | Buttons::RIGHT);
    }

    #[test]
    fn turbo_is_off_unless_bound_and_then_presses_every_so_many_frames() {
        assert!(!game().input.key(KeyCode::KeyS, true));
        let mut game = Game::new(|settings| {
            settings.players[0].keys.bind(Control::TurboA, KeyCode::KeyS);
            settings.turbo_frames = 2;
        });
        game.input.key(KeyCode::KeyS, true);
        game.frame();
        let seen: Vec<bool> = (0..8).map(|_| game.frame()[0].contains(Buttons::A)).collect();
        assert_eq!(seen, [false, false, true, true, false, false, true, true]);
    }

    #[test]
    fn goofy_foot_turns_the_pad_around() {
        let mut game = Game::new(|settings| settings.goofy_foot = true);
        assert_eq!(
            game.press(&[KeyCode::KeyX, KeyCode::ArrowLeft, KeyCode::Enter, KeyCode::ArrowDown]),
            Buttons::B | Buttons::RIGHT | Buttons::SELECT | Buttons::UP
        );
    }

    #[test]
    fn a_script_holds_what_it_says() {
        let mut game = game();
        game.input.hold(0, Buttons::A | Buttons::DOWN);
        assert_eq!(game.frame()[0], Buttons::A | Buttons::DOWN);
        game.input.hold(0, Buttons::DOWN);
        assert_eq!(game.frame()[0], Buttons::DOWN);
    }

    #[test]
    fn what_a_pad_holds_from_the_menu_is_not_the_games_until_it_is_pressed_again() {
        let mut game = game();
        let (south, east) = (PadInput::Press(Button::South), PadInput::Press(Button::East));
        let start = PadInput::Press(Button::Start);
        game.input.set_pad(0, &[east]);
        game.input.consume_pads();
        assert_eq!(game.frame()[0], Buttons::empty(), "not even as a tap");
        // What else is pressed counts; the menu would still see all of it.
        assert_eq!(game.input.set_pad(0, &[east, start]), Buttons::A | Buttons::START);
        assert_eq!(game.frame()[0], Buttons::START);
        game.input.set(InputSettings::default());
        game.input.set_pad(0, &[east, south]);
        assert_eq!(game.frame()[0], Buttons::B, "new settings do not make it the game's");
        game.input.set_pad(0, &[]);
        game.input.set_pad(0, &[east]);
        assert_eq!(game.frame()[0], Buttons::A);
    }

    #[test]
    fn new_settings_let_go_of_everything() {
        let mut game = game();
        game.press(&[KeyCode::KeyX]);
        game.input.set(InputSettings::default());
        assert_eq!(game.frame()[0], Buttons::empty());
    }
}
