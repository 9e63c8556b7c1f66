//! Keys and pads in menus: what steps they make, and what a key or button is to mean from now on.

use std::time::Duration;

use gilrs::Button;
use nes::Buttons;
use winit::keyboard::KeyCode;

use crate::config::settings::Settings;
use crate::input::bindings::{Bindings, Control, PadInput};
use crate::messages::status::PadStatus;
use crate::ui::page::Device;
use crate::ui::step::Step;

/// What becomes of what a control was bound to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Change {
    Replace,
    Add,
}

/// Waits for the key or button that a control is to have.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Listening {
    pub(crate) device: Device,
    pub(crate) player: usize,
    pub(crate) control: Control,
    change: Change,
    /// What was held since before the question: no answer. None before the first look.
    held: Option<Vec<PadInput>>,
}

impl Listening {
    pub(crate) fn new(device: Device, player: usize, control: Control, change: Change) -> Self {
        Self { device, player, control, change, held: None }
    }

    /// A key is pressed. Returns whether it was the answer.
    pub(crate) fn key(&self, code: KeyCode, settings: &mut Settings) -> bool {
        if self.device == Device::Keys {
            // A key can play for one player only.
            for other in &mut settings.input.players {
                for &control in Control::ALL {
                    other.keys.of_mut(control).retain(|&bound| bound != code);
                }
            }
            self.bind(&mut settings.input.players[self.player].keys, code);
        }
        self.device == Device::Keys
    }

    /// Returns what the pads hold now. Returns whether something new was the answer.
    pub(crate) fn pads(&mut self, pads: &[PadStatus], settings: &mut Settings) -> bool {
        let now: Vec<PadInput> = pads.iter().flat_map(|pad| &pad.held).copied().collect();
        let before = self.held.replace(now.clone()).unwrap_or_else(|| now.clone());
        let new = now.into_iter().find(|input| !before.contains(input));
        match new {
            Some(input) if self.device == Device::Pad => {
                self.bind(&mut settings.input.players[self.player].pad, input);
                true
            }
            _ => false,
        }
    }

    /// Takes away the last that the control is bound to.
    pub(crate) fn forget_last(&self, settings: &mut Settings) {
        let set = &mut settings.input.players[self.player];
        match self.device {
            Device::Keys => drop(set.keys.of_mut(self.control).pop()),
            Device::Pad => drop(set.pad.of_mut(self.control).pop()),
        }
    }

    fn bind<T: PartialEq>(&self, bindings: &mut Bindings<T>, input: T) {
        if self.change == Change::Replace {
            bindings.of_mut(self.control).clear();
        }
        bindings.bind(self.control, input);
    }
}

/// Returns the step that a key makes in a menu, by its place.
pub(crate) fn key_step(code: KeyCode) -> Option<Step> {
    Some(match code {
        KeyCode::ArrowUp => Step::Up,
        KeyCode::ArrowDown => Step::Down,
        KeyCode::ArrowLeft => Step::Left,
        KeyCode::ArrowRight => Step::Right,
        KeyCode::Enter | KeyCode::NumpadEnter | KeyCode::Space => Step::Enter,
        KeyCode::Escape | KeyCode::Backspace => Step::Back,
        KeyCode::Home => Step::First,
        KeyCode::End => Step::Last,
        KeyCode::PageUp => Step::PageUp,
        KeyCode::PageDown => Step::PageDown,
        KeyCode::BracketLeft => Step::SectionBefore,
        KeyCode::BracketRight | KeyCode::Tab => Step::SectionAfter,
        _ => return None,
    })
}

/// How long a direction is held before it repeats, and how often it does then.
const REPEAT_DELAY: Duration = Duration::from_millis(400);
const REPEAT: Duration = Duration::from_millis(100);

/// What pads ask of the menu, from one look at them to the next.
#[derive(Debug, Default)]
pub(crate) struct PadSteps {
    held: Buttons,
    menu: bool,
    shoulders: [bool; 2],
    /// When the held direction makes its next step.
    next: Duration,
}

impl PadSteps {
    /// Returns whether a pad has just asked for the menu: its middle button, or both shoulders.
    pub(crate) fn menu(&mut self, pads: &[PadStatus]) -> bool {
        let held = |pad: &PadStatus, button| pad.held.contains(&PadInput::Press(button));
        let menu = pads.iter().any(|pad| {
            held(pad, Button::Mode) || (held(pad, Button::LeftTrigger) && held(pad, Button::RightTrigger))
        });
        let before = std::mem::replace(&mut self.menu, menu);
        menu && !before
    }

    /// Returns the step that the pads make at `now`.
    pub(crate) fn step(&mut self, pads: &[PadStatus], now: Duration) -> Option<Step> {
        const STEPS: [(Buttons, Step); 7] = [
            (Buttons::UP, Step::Up),
            (Buttons::DOWN, Step::Down),
            (Buttons::LEFT, Step::Left),
            (Buttons::RIGHT, Step::Right),
            (Buttons::A, Step::Enter),
            (Buttons::B, Step::Back),
            (Buttons::SELECT, Step::Draw),
        ];
        let held = pads.iter().fold(Buttons::empty(), |held, pad| held | pad.buttons);
        let before = std::mem::replace(&mut self.held, held);
        let shoulder = |button| pads.iter().any(|pad| pad.held.contains(&PadInput::Press(button)));
        let shoulders = [shoulder(Button::LeftTrigger), shoulder(Button::RightTrigger)];
        let shoulders_before = std::mem::replace(&mut self.shoulders, shoulders);
        // Both together are the menu.
        match (shoulders, shoulders_before) {
            ([true, false], [false, false]) => return Some(Step::SectionBefore),
            ([false, true], [false, false]) => return Some(Step::SectionAfter),
            _ => {}
        }
        let step = |buttons: Buttons| STEPS.iter().find(|(button, _)| buttons.contains(*button));
        if let Some(&(_, step)) = step(held - before) {
            self.next = now + REPEAT_DELAY;
            return Some(step);
        }
        let &(_, step) = step(held - Buttons::A - Buttons::B - Buttons::SELECT)?;
        if now < self.next {
            return None;
        }
        self.next = now + REPEAT;
        Some(step)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pad(buttons: Buttons, held: &[Button]) -> [PadStatus; 1] {
        let held = held.iter().map(|&button| PadInput::Press(button)).collect();
        [PadStatus { name: "pad".into(), player: Some(0), held, buttons, stick: [0.0; 2] }]
    }

    #[test]
    fn a_key_moves_to_its_new_control_from_whichever_player_had_it() {
        let mut settings = Settings::default();
        Listening::new(Device::Keys, 1, Control::Start, Change::Add).key(KeyCode::KeyX, &mut settings);
        assert!(settings.input.players[0].keys.a.is_empty());
        assert_eq!(settings.input.players[1].keys.start, [KeyCode::KeyY, KeyCode::KeyX]);
        let first = Listening::new(Device::Keys, 0, Control::Select, Change::Replace);
        assert!(first.key(KeyCode::KeyV, &mut settings));
        assert_eq!(settings.input.players[0].keys.select, [KeyCode::KeyV]);
    }

    #[test]
    fn the_button_that_asked_is_not_the_answer_until_it_is_pressed_again() {
        let mut settings = Settings::default();
        let mut listening = Listening::new(Device::Pad, 0, Control::B, Change::Replace);
        let a = pad(Buttons::A, &[Button::East]);
        assert!(!listening.pads(&a, &mut settings));
        assert!(!listening.pads(&a, &mut settings));
        assert!(!listening.pads(&pad(Buttons::empty(), &[]), &mut settings));
        assert!(listening.pads(&a, &mut settings));
        assert_eq!(settings.input.players[0].pad.b, [PadInput::Press(Button::East)]);
        assert_eq!(settings.input.players[0].pad.a, [PadInput::Press(Button::North)]);
    }

    #[test]
    fn a_pad_steps_once_a_press_and_repeats_directions_after_a_while() {
        let mut steps = PadSteps::default();
        let at = Duration::from_millis;
        let down = pad(Buttons::DOWN, &[]);
        let seen: Vec<_> = (0..7).map(|look| steps.step(&down, at(100 * look)).is_some()).collect();
        assert_eq!(seen, [true, false, false, false, true, true, true]);
        let a = pad(Buttons::A, &[]);
        assert_eq!(steps.step(&a, at(1000)), Some(Step::Enter));
        assert_eq!(steps.step(&a, at(3000)), None);
    }

    #[test]
    fn the_middle_button_or_both_shoulders_ask_for_the_menu_once() {
        let mut steps = PadSteps::default();
        let none = Buttons::empty();
        assert!(!steps.menu(&pad(none, &[Button::LeftTrigger])));
        let both = pad(none, &[Button::LeftTrigger, Button::RightTrigger]);
        assert!(steps.menu(&both));
        assert!(!steps.menu(&both));
        assert!(!steps.menu(&pad(none, &[])));
        assert!(steps.menu(&pad(none, &[Button::Mode])));
    }
}
