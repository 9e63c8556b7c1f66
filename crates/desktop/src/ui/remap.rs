//! Keys and pads in menus: what steps they make, and what a key or button is to mean from now on.

use std::time::Duration;

use gilrs::Button;
use nes::Buttons;
use winit::keyboard::KeyCode;

use crate::config::settings::{InputSettings, Settings};
use crate::input::actions::Action;
use crate::input::bindings::{Control, Device, PadInput};
use crate::messages::status::PadStatus;
use crate::ui::canvas::sentence;
use crate::ui::names::{Named, control_name};
use crate::ui::shortcut::Shortcut;
use crate::ui::step::Step;

/// What becomes of what a control was bound to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Change {
    Replace,
    Add,
}

/// What a key or a button can be bound to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Target {
    /// A button of the console, of player 0 or 1.
    Button(usize, Control),
    Action(Action),
}

impl Target {
    /// Returns its name on its own page.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Button(_, control) => control_name(control),
            Self::Action(action) => action.title(),
        }
    }

    /// Returns its name among all targets.
    fn full_name(self) -> String {
        match self {
            Self::Button(player, control) => format!("{} of player {}", control_name(control), player + 1),
            Self::Action(action) => action.title().into(),
        }
    }

    /// Returns all that can be bound.
    fn all() -> impl Iterator<Item = Self> {
        let buttons = |player| Control::ALL.iter().map(move |&control| Self::Button(player, control));
        buttons(0).chain(buttons(1)).chain(Action::ALL.iter().map(|&action| Self::Action(action)))
    }

    /// Returns the keys that it is bound to.
    pub(crate) fn keys(self, input: &InputSettings) -> &[KeyCode] {
        match self {
            Self::Button(player, control) => input.players[player].keys.of(control),
            Self::Action(action) => input.actions.keys.of(action),
        }
    }

    /// Returns what it is bound to on a pad.
    pub(crate) fn pad(self, input: &InputSettings) -> &[PadInput] {
        match self {
            Self::Button(player, control) => input.players[player].pad.of(control),
            Self::Action(action) => input.actions.pad.of(action),
        }
    }

    fn keys_mut(self, input: &mut InputSettings) -> &mut Vec<KeyCode> {
        match self {
            Self::Button(player, control) => input.players[player].keys.of_mut(control),
            Self::Action(action) => input.actions.keys.of_mut(action),
        }
    }

    fn pad_mut(self, input: &mut InputSettings) -> &mut Vec<PadInput> {
        match self {
            Self::Button(player, control) => input.players[player].pad.of_mut(control),
            Self::Action(action) => input.actions.pad.of_mut(action),
        }
    }

    /// Returns whether a button of a pad cannot be both: each player has a pad, and an action is
    /// done by any pad.
    fn shares_pads_with(self, other: Self) -> bool {
        match (self, other) {
            (Self::Button(one, _), Self::Button(other, _)) => one == other,
            _ => true,
        }
    }

    /// Returns the other targets that have one of its inputs too, as a file may say: each with the
    /// input's name.
    pub(crate) fn conflicts(self, device: Device, input: &InputSettings) -> Vec<String> {
        let others = Self::all().filter(|&other| other != self);
        let named = |name: String, other: Self| sentence(&format!("{name} is also {}", other.full_name()));
        match device {
            Device::Keys => {
                let own = self.keys(input);
                let shared = others.filter_map(|other| {
                    let key = other.keys(input).iter().find(|key| own.contains(key))?;
                    Some(named(key.name(), other))
                });
                shared.collect()
            }
            Device::Pad => {
                let own = self.pad(input);
                let shared = others.filter(|other| self.shares_pads_with(*other)).filter_map(|other| {
                    let button = other.pad(input).iter().find(|button| own.contains(button))?;
                    Some(named(button.name(), other))
                });
                shared
                    .chain(own.iter().filter_map(|&button| of_menu(button)).map(|text| sentence(&text)))
                    .collect()
            }
        }
    }
}

/// Returns what is to be known of a button that opens the menu.
fn of_menu(button: PadInput) -> Option<String> {
    match button {
        PadInput::Press(Button::Mode) => Some(format!("the {} also opens the menu", button.name())),
        PadInput::Press(Button::LeftTrigger | Button::RightTrigger) => {
            Some("both shoulder buttons together also open the menu".into())
        }
        _ => None,
    }
}

/// Waits for the key or button that something is to have.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Listening {
    pub(crate) device: Device,
    pub(crate) target: Target,
    change: Change,
    /// What was held since before the question: no answer. None before the first look.
    held: Option<Vec<PadInput>>,
}

/// A key or button was bound.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Bound {
    /// What else it meant, to be told; empty where it meant nothing.
    pub(crate) conflict: String,
}

impl Bound {
    fn new(name: &str, target: Target, taken: &[String], more: Option<String>) -> Self {
        let lost = if taken.is_empty() {
            String::new()
        } else {
            format!("{name}: {} now, no longer {}", target.full_name(), taken.join(" or "))
        };
        let all: Vec<String> =
            [lost, more.unwrap_or_default()].into_iter().filter(|text| !text.is_empty()).collect();
        Self { conflict: sentence(&all.join("; ")) }
    }
}

impl Listening {
    pub(crate) fn new(device: Device, target: Target, change: Change) -> Self {
        Self { device, target, change, held: None }
    }

    /// A key is pressed, which is also the key of a `shortcut`. Returns what came of it if it was
    /// the answer.
    pub(crate) fn key(
        &self,
        code: KeyCode,
        shortcut: Option<Shortcut>,
        settings: &mut Settings,
    ) -> Option<Bound> {
        if self.device != Device::Keys {
            return None;
        }
        let (input, target) = (&mut settings.input, self.target);
        // A key means one thing only.
        let mut taken = vec![];
        for other in Target::all().filter(|&other| other != target) {
            let keys = other.keys_mut(input);
            if keys.contains(&code) {
                keys.retain(|&bound| bound != code);
                taken.push(other.full_name());
            }
        }
        let own = if let Target::Action(action) = target { Some(action.shortcut()) } else { None };
        if let Some(shortcut) = shortcut.filter(|&shortcut| Some(shortcut) != own) {
            taken.push(shortcut.meaning().into());
        }
        put(target.keys_mut(input), code, self.change);
        Some(Bound::new(&code.name(), target, &taken, None))
    }

    /// Returns what came of what the pads hold now, if something new was the answer.
    pub(crate) fn pads(&mut self, pads: &[PadStatus], settings: &mut Settings) -> Option<Bound> {
        let now: Vec<PadInput> = pads.iter().flat_map(|pad| &pad.held).copied().collect();
        let before = self.held.replace(now.clone()).unwrap_or_else(|| now.clone());
        let new = now.into_iter().find(|input| !before.contains(input));
        let button = new.filter(|_| self.device == Device::Pad)?;
        let (input, target) = (&mut settings.input, self.target);
        let mut taken = vec![];
        for other in Target::all().filter(|&other| other != target && target.shares_pads_with(other)) {
            let buttons = other.pad_mut(input);
            if buttons.contains(&button) {
                buttons.retain(|&bound| bound != button);
                taken.push(other.full_name());
            }
        }
        put(target.pad_mut(input), button, self.change);
        Some(Bound::new(&button.name(), target, &taken, of_menu(button)))
    }

    /// Takes away the last that the target is bound to.
    pub(crate) fn forget_last(&self, settings: &mut Settings) {
        match self.device {
            Device::Keys => drop(self.target.keys_mut(&mut settings.input).pop()),
            Device::Pad => drop(self.target.pad_mut(&mut settings.input).pop()),
        }
    }
}

fn put<T: PartialEq>(bound: &mut Vec<T>, input: T, change: Change) {
    if change == Change::Replace {
        bound.clear();
    }
    bound.retain(|other| *other != input);
    bound.push(input);
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

/// How long Select and Start are held together to open the menu.
const HELD: Duration = Duration::from_millis(700);

/// What pads ask of the menu, from one look at them to the next.
#[derive(Debug, Default)]
pub(crate) struct PadSteps {
    held: Buttons,
    menu: bool,
    shoulders: [bool; 2],
    /// When the held direction makes its next step.
    next: Duration,
    /// Since when a pad holds Select and Start and nothing else.
    both_since: Option<Duration>,
    /// What all pads held at the last look.
    inputs: Vec<PadInput>,
}

impl PadSteps {
    /// Returns whether a pad has just asked for the menu at `now`: by its middle button, both
    /// shoulders, or Select and Start for a while, which every pad has.
    pub(crate) fn menu(&mut self, pads: &[PadStatus], now: Duration) -> bool {
        let held = |pad: &PadStatus, button| pad.held.contains(&PadInput::Press(button));
        let menu = pads.iter().any(|pad| {
            held(pad, Button::Mode) || (held(pad, Button::LeftTrigger) && held(pad, Button::RightTrigger))
        });
        let both = Buttons::SELECT | Buttons::START;
        let is_held = pads.iter().any(|pad| pad.buttons == both);
        self.both_since = if is_held { self.both_since.or(Some(now)) } else { None };
        let menu = menu || self.both_since.is_some_and(|since| now.saturating_sub(since) >= HELD);
        let before = std::mem::replace(&mut self.menu, menu);
        menu && !before
    }

    /// Returns what was pressed on any pad since the last look.
    pub(crate) fn pressed(&mut self, pads: &[PadStatus]) -> Vec<PadInput> {
        let held: Vec<PadInput> = pads.iter().flat_map(|pad| &pad.held).copied().collect();
        let before = std::mem::replace(&mut self.inputs, held);
        self.inputs.iter().filter(|input| !before.contains(input)).copied().collect()
    }

    /// Returns the step that the pads make at `now`.
    pub(crate) fn step(&mut self, pads: &[PadStatus], now: Duration) -> Option<Step> {
        const STEPS: [(Buttons, Step); 8] = [
            (Buttons::UP, Step::Up),
            (Buttons::DOWN, Step::Down),
            (Buttons::LEFT, Step::Left),
            (Buttons::RIGHT, Step::Right),
            (Buttons::A, Step::Enter),
            (Buttons::B, Step::Back),
            (Buttons::SELECT, Step::Draw),
            (Buttons::START, Step::Type),
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
        let &(_, step) = step(held - Buttons::A - Buttons::B - Buttons::SELECT - Buttons::START)?;
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

    fn button(player: usize, control: Control) -> Target {
        Target::Button(player, control)
    }

    #[test]
    fn a_key_moves_to_its_new_control_from_whichever_player_had_it() {
        let mut settings = Settings::default();
        let second = Listening::new(Device::Keys, button(1, Control::Start), Change::Add);
        let bound = second.key(KeyCode::KeyX, None, &mut settings).unwrap();
        assert_eq!(bound.conflict, "X: Start of player 2 now, no longer A of player 1");
        assert!(settings.input.players[0].keys.a.is_empty());
        assert_eq!(settings.input.players[1].keys.start, [KeyCode::KeyY, KeyCode::KeyX]);
        let first = Listening::new(Device::Keys, button(0, Control::Select), Change::Replace);
        assert!(first.key(KeyCode::KeyV, None, &mut settings).is_some());
        assert_eq!(settings.input.players[0].keys.select, [KeyCode::KeyV]);
    }

    #[test]
    fn the_button_that_asked_is_not_the_answer_until_it_is_pressed_again() {
        let mut settings = Settings::default();
        let mut listening = Listening::new(Device::Pad, button(0, Control::B), Change::Replace);
        let a = pad(Buttons::A, &[Button::East]);
        assert_eq!(listening.pads(&a, &mut settings), None);
        assert_eq!(listening.pads(&a, &mut settings), None);
        assert_eq!(listening.pads(&pad(Buttons::empty(), &[]), &mut settings), None);
        assert!(listening.pads(&a, &mut settings).is_some());
        assert_eq!(settings.input.players[0].pad.b, [PadInput::Press(Button::East)]);
        assert_eq!(settings.input.players[0].pad.a, [PadInput::Press(Button::North)]);
    }

    #[test]
    fn every_action_can_be_bound_to_keys_and_pad_buttons_and_conflicts_are_named() {
        for &action in Action::ALL {
            let mut settings = Settings::default();
            let target = Target::Action(action);
            let keys = Listening::new(Device::Keys, target, Change::Replace);
            // A shortcut's key that was the game's.
            let said = keys.key(KeyCode::KeyX, Some(Shortcut::Pause), &mut settings).unwrap().conflict;
            let title = action.title();
            assert_eq!(said, format!("X: {title} now, no longer A of player 1 or Pause"));
            assert_eq!(settings.input.actions.keys.action(&KeyCode::KeyX), Some(action));
            // Its own usual key is no conflict.
            let own = keys.key(KeyCode::KeyW, Some(action.shortcut()), &mut settings).unwrap();
            assert_eq!(own.conflict, "");
            let mut pads = Listening::new(Device::Pad, target, Change::Add);
            assert_eq!(pads.pads(&pad(Buttons::empty(), &[]), &mut settings), None);
            let said = pads.pads(&pad(Buttons::A, &[Button::East]), &mut settings).unwrap().conflict;
            assert_eq!(said, format!("Right button: {title} now, no longer A of player 1 or A of player 2"));
            let said = pads.pads(&pad(Buttons::A, &[Button::Mode]), &mut settings).unwrap().conflict;
            assert_eq!(said, "The middle button also opens the menu");
            assert_eq!(target.pad(&settings.input).len(), 2);
            // The file may say what the pages would not.
            settings.input.players[1].pad.start.push(PadInput::Press(Button::East));
            let conflicts = target.conflicts(Device::Pad, &settings.input);
            assert_eq!(
                conflicts,
                ["Right button is also Start of player 2", "The middle button also opens the menu"]
            );
            let other = Target::Button(1, Control::Start).conflicts(Device::Pad, &settings.input);
            assert_eq!(other, [format!("Right button is also {title}")]);
            pads.forget_last(&mut settings);
            assert_eq!(target.pad(&settings.input), [PadInput::Press(Button::East)]);
        }
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
        let at = Duration::from_millis;
        assert!(!steps.menu(&pad(none, &[Button::LeftTrigger]), at(0)));
        let both = pad(none, &[Button::LeftTrigger, Button::RightTrigger]);
        assert!(steps.menu(&both, at(10)));
        assert!(!steps.menu(&both, at(20)));
        assert!(!steps.menu(&pad(none, &[]), at(30)));
        assert!(steps.menu(&pad(none, &[Button::Mode]), at(40)));
        assert!(!steps.menu(&pad(none, &[]), at(50)));
        // A pad of eight buttons; the game's own reset holds A and B besides.
        let start = Buttons::SELECT | Buttons::START;
        let held = |buttons, from: u64| (0..10).map(move |look| (buttons, from + 100 * look));
        let reset = held(start | Buttons::A | Buttons::B, 1_000);
        assert!(reset.into_iter().all(|(buttons, now)| !steps.menu(&pad(buttons, &[]), at(now))));
        let asked = held(start, 3_000).filter(|&(buttons, now)| steps.menu(&pad(buttons, &[]), at(now)));
        assert_eq!(asked.collect::<Vec<_>>(), [(start, 3_700)]);
    }
}
