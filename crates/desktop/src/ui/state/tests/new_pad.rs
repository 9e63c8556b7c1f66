//! The question about a pad that is plugged in for the first time.

use gilrs::Button;
use std::time::Duration;

use super::*;
use crate::input::bindings::{Bindings, Control, Side};
use crate::ui::page::ASKED;

const NAME: &str = "Pad of eight buttons";

impl Room {
    /// A pad is plugged in.
    pub(crate) fn plug_in(&mut self, pad: PadStatus) {
        *self.shared.pads() = vec![pad];
        self.state.update_status();
    }

    /// Holds buttons on a pad that is plugged in for the first time.
    fn hold_new(&mut self, held: &[PadInput]) {
        let buttons = self.shared.input.set_pad(0, held);
        self.plug_in(PadStatus {
            name: NAME.into(),
            player: Some(0),
            held: held.to_vec(),
            buttons,
            stick: [0.0; 2],
        });
        self.state.poll_pads();
    }

    fn tap_new(&mut self, button: Button) {
        self.hold_new(&[PadInput::Press(button)]);
        self.hold_new(&[]);
    }

    /// Returns what was said.
    pub(super) fn notes(&self) -> Vec<String> {
        self.state.notes.lines().into_iter().map(|(_, text)| text).collect()
    }

    fn knows_it(&self) -> bool {
        self.state.settings.input.known_pads.iter().any(|name| name == NAME)
    }

    fn pad(&self) -> &Bindings<PadInput> {
        &self.state.settings.input.players[0].pad
    }

    /// Goes to the answer of a label by the pad, and gives it.
    fn answer(&mut self, label: &str) {
        for _ in 0..6 {
            let rows = self.state.rows();
            let at = self.state.menu.cursor(&rows).unwrap();
            if rows[at].label == label {
                return self.tap_new(Button::East);
            }
            self.tap_new(Button::DPadDown);
        }
        panic!("{label} is not reached");
    }
}

/// Home, where the question comes.
fn asked() -> Room {
    let mut room = Room::new();
    room.state.menu.open(Page::Home);
    room.hold_new(&[]);
    assert_eq!(room.state.menu.page(), Some(Page::NewPad(0)));
    room
}

#[test]
fn a_new_pad_is_asked_about_on_home_and_nowhere_else() {
    let mut room = Room::new();
    room.hold_new(&[]);
    assert_eq!(room.state.menu.page(), None, "a game goes on");
    for page in [Page::Pause, Page::Practice, Page::Input] {
        room.state.menu.open(page);
        room.hold_new(&[]);
        assert_eq!(room.state.menu.page(), Some(page));
    }
    room.state.menu.open(Page::Home);
    room.hold_new(&[]);
    assert_eq!(room.state.menu.page(), Some(Page::NewPad(0)));
}

#[test]
fn keeping_the_buttons_is_one_press_and_ends_the_question_for_good() {
    let mut room = asked();
    room.answer("Keep the buttons as they are");
    assert_eq!((room.state.menu.page(), room.knows_it()), (Some(Page::Home), true));
    assert_eq!(*room.pad(), Bindings::pad());
    room.state.save_settings();
    let kept = ConfigFile::read(room.folder.path().join("config.toml"));
    assert!(kept.settings().input.known_pads.iter().any(|name| name == NAME));
    room.state.menu.open(Page::Home);
    room.hold_new(&[]);
    assert_eq!(room.state.menu.page(), Some(Page::Home));
}

#[test]
fn the_question_is_put_off_by_b_or_by_a_line_and_comes_again_at_the_next_start() {
    let by_b: fn(&mut Room) = |room| room.tap_new(Button::South);
    let by_line: fn(&mut Room) = |room| room.answer("Not now");
    for put_off in [by_b, by_line] {
        let mut room = asked();
        put_off(&mut room);
        assert_eq!((room.state.menu.page(), room.knows_it()), (Some(Page::Home), false));
        assert_eq!(*room.pad(), Bindings::pad());
        room.state.menu.open(Page::Home);
        room.hold_new(&[]);
        assert_eq!(room.state.menu.page(), Some(Page::Home), "once in a session");
    }
}

#[test]
fn a_may_be_the_lower_button() {
    let mut room = asked();
    room.answer("A at the bottom, B to its left");
    assert_eq!((room.state.menu.page(), room.knows_it()), (Some(Page::Home), true));
    assert_eq!(room.pad().a[0], PadInput::Press(Button::South));
    assert_eq!(room.pad().b[0], PadInput::Press(Button::West));
    assert_eq!(room.pad().left, Bindings::pad().left);
}

#[test]
fn each_button_is_asked_for_and_taken_by_one_press() {
    let mut room = asked();
    room.answer("Press each button in turn…");
    let buttons = [
        Button::West,
        Button::North,
        Button::LeftTrigger,
        Button::RightTrigger,
        Button::DPadUp,
        Button::DPadDown,
        Button::DPadLeft,
        Button::DPadRight,
    ];
    for (at, button) in buttons.into_iter().enumerate() {
        let asked = room.state.rows().into_iter().filter(|row| row.value == "press it now");
        assert_eq!(asked.count(), 1, "button {at}");
        room.tap_new(button);
    }
    assert_eq!((room.state.menu.page(), room.knows_it()), (Some(Page::Home), true));
    for (control, button) in ASKED.into_iter().zip(buttons) {
        assert_eq!(room.pad().of(control)[0], PadInput::Press(button), "{control:?}");
    }
    // The stick steers as before.
    let left = PadInput::Push(gilrs::Axis::LeftStickX, Side::Minus);
    assert_eq!(room.pad().of(Control::Left), [PadInput::Press(Button::DPadLeft), left]);
    assert!(room.notes().iter().any(|note| note.contains("buttons are set")), "{:?}", room.notes());
}

#[test]
fn who_leaves_in_the_middle_keeps_the_buttons_and_who_is_silent_is_waited_for_no_longer() {
    let mut room = asked();
    room.answer("Press each button in turn…");
    room.tap_new(Button::West);
    room.press(KeyCode::Escape, None);
    room.hold_new(&[]);
    assert_eq!((room.pad().clone(), room.knows_it()), (Bindings::pad(), false));
    assert!(room.state.menu.listening.is_none());
    // The same by what is behind the middle button.
    room.state.menu.open_over(Page::NewPad(0));
    room.answer("Press each button in turn…");
    room.tap_new(Button::West);
    room.hold_new(&[PadInput::Press(Button::Mode)]);
    room.hold_new(&[]);
    assert_eq!((room.state.menu.page(), room.pad().clone()), (None, Bindings::pad()));
    // Ten seconds a button.
    room.state.menu.open(Page::Home);
    room.state.menu.open_over(Page::NewPad(0));
    room.answer("Press each button in turn…");
    for _ in ASKED {
        assert_eq!(room.state.menu.page(), Some(Page::NewPad(0)));
        room.hold_new(&[]);
        room.state.start -= Duration::from_secs(10);
        room.hold_new(&[]);
    }
    assert_eq!((room.state.menu.page(), room.knows_it()), (Some(Page::Home), false));
    assert_eq!(*room.pad(), Bindings::pad());
}
