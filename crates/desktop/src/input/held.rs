//! What the players hold down, on whatever device, as the console will see it.

use std::sync::{Mutex, MutexGuard, PoisonError};

use nes::{Aim, Buttons, Devices, Extra, Frame, Held, Pads};
use winit::keyboard::KeyCode;

use crate::config::settings::InputSettings;
use crate::input::bindings::{Bindings, PadInput};
use crate::input::player::PlayerInput;

/// What is held now: written by the threads of window and pads, read by the console's at each
/// strobe. The lock is held for a few comparisons at a time.
#[derive(Debug, Default)]
pub(crate) struct Input {
    held: Mutex<AllInput>,
}

/// Players of a console with the most pads.
pub(crate) const PLAYERS: usize = 4;

#[derive(Debug, Default)]
struct AllInput {
    settings: InputSettings,
    players: [PlayerInput; PLAYERS],
    devices: Devices,
    /// Where a Zapper points.
    aim: Aim,
    /// Its trigger was pulled since the console last looked.
    pulled: bool,
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
        let AllInput { settings, players, .. } = &mut *self.lock();
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

    /// The console has these devices.
    pub(crate) fn plug(&self, devices: Devices) {
        self.lock().devices = devices;
    }

    /// Returns how many pads there are.
    pub(crate) fn seats(&self) -> usize {
        if self.lock().devices.has_four_pads() { PLAYERS } else { 2 }
    }

    /// A Zapper points at this dot of the picture, or past it.
    pub(crate) fn point(&self, (x, y): (i32, i32)) {
        let AllInput { aim, .. } = &mut *self.lock();
        let is_inside = (0..Frame::WIDTH as i32).contains(&x) && (0..Frame::HEIGHT as i32).contains(&y);
        (aim.x, aim.y) = if is_inside { (x as u8, y as u8) } else { (0, 0xFF) };
    }

    /// The trigger of a Zapper is pulled, or let go.
    pub(crate) fn pull(&self, pulled: bool) {
        let hands = &mut *self.lock();
        hands.aim.trigger = pulled;
        hands.pulled |= pulled;
    }

    /// The pad of `player` (0 to 3) now holds exactly `inputs`. Returns the buttons that this
    /// makes.
    pub(crate) fn set_pad(&self, player: usize, inputs: &[PadInput]) -> Buttons {
        let AllInput { settings, players, .. } = &mut *self.lock();
        // Players 3 and 4 have gamepads alone, by the usual buttons.
        let usual = Bindings::pad();
        let bindings = settings.players.get(player).map_or(&usual, |settings| &settings.pad);
        players.get_mut(player).map_or(Buttons::empty(), |player| player.set_pad(inputs, bindings))
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

    /// Returns what all hold in `frame`, taps that no game has seen yet included.
    fn sample(&self, frame: u64) -> Held {
        let AllInput { settings, players, devices, aim, pulled } = &mut *self.lock();
        let [first, second, third, fourth] = players.each_mut().map(|player| player.sample(frame, settings));
        let extra = match devices {
            Devices::FourScore | Devices::FamicomFour => Extra::Pads([third, fourth]),
            Devices::Zapper => {
                let trigger = std::mem::take(pulled) || aim.trigger;
                Extra::Zapper(Aim { trigger, ..*aim })
            }
            // The second pad of a Famicom has a microphone in the place of Start.
            Devices::Famicom if second.contains(Buttons::START) => Extra::Microphone,
            Devices::Pads | Devices::Famicom => Extra::None,
        };
        Held { pads: [first, second], extra }
    }

    fn lock(&self) -> MutexGuard<'_, AllInput> {
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
        self.held().pads
    }

    fn held(&mut self) -> Held {
        self.input.sample(self.frame)
    }
}

#[cfg(test)]
mod tests {
    use gilrs::Button;

    use super::*;
    use crate::config::settings::Opposites;
    use crate::input::bindings::Control;

    const NONE: [Buttons; 2] = [Buttons::empty(); 2];

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
    fn four_pads_are_played_on_four_gamepads() {
        let game = game();
        let press = [PadInput::Press(Button::East)];
        assert_eq!(game.input.seats(), 2);
        game.input.plug(Devices::FourScore);
        assert_eq!(game.input.seats(), 4);
        game.input.set_pad(2, &press);
        assert_eq!(game.input.set_pad(3, &[PadInput::Press(Button::Start)]), Buttons::START);
        let held = FramePads::new(&game.input, 1).held();
        assert_eq!(held, Held { pads: NONE, extra: Extra::Pads([Buttons::A, Buttons::START]) });
        game.input.plug(Devices::Pads);
        assert_eq!(FramePads::new(&game.input, 2).held().extra, Extra::None);
    }

    #[test]
    fn the_pointer_is_a_zapper_and_a_click_between_two_frames_is_seen() {
        let game = game();
        game.input.plug(Devices::Zapper);
        let mut frame = 0;
        let mut aim = || {
            frame += 1;
            FramePads::new(&game.input, frame).held().extra
        };
        let at = |x, y, trigger| Extra::Zapper(Aim { x, y, trigger });
        assert_eq!(aim(), at(0, 255, false));
        game.input.point((100, 239));
        game.input.pull(true);
        game.input.pull(false);
        assert_eq!((aim(), aim()), (at(100, 239, true), at(100, 239, false)));
        game.input.point((256, 10));
        game.input.pull(true);
        assert_eq!((aim(), aim()), (at(0, 255, true), at(0, 255, true)));
    }

    #[test]
    fn the_second_players_start_is_the_microphone_of_a_famicom() {
        let game = game();
        game.input.plug(Devices::Famicom);
        game.input.hold(1, Buttons::START);
        assert_eq!(FramePads::new(&game.input, 1).held().extra, Extra::Microphone);
        game.input.hold(1, Buttons::A);
        assert_eq!(FramePads::new(&game.input, 2).held().extra, Extra::None);
    }

    #[test]
    fn new_settings_let_go_of_everything() {
        let mut game = game();
        game.press(&[KeyCode::KeyX]);
        game.input.set(InputSettings::default());
        assert_eq!(game.frame()[0], Buttons::empty());
    }
}
