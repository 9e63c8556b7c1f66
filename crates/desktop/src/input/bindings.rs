//! Which key or pad button means what. Written in the configuration file as lists of names.

use std::fmt;
use std::str::FromStr;

use gilrs::{Axis, Button};
use nes::Buttons;
use serde::{Deserialize, Serialize};
use strum::VariantArray;
use winit::keyboard::KeyCode;

/// What a player plays with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Device {
    Keys,
    Pad,
}

/// What a player can hold down.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, VariantArray)]
pub enum Control {
    /// The A button.
    A,
    /// The B button.
    B,
    /// Select.
    Select,
    /// Start.
    Start,
    /// Up on the cross.
    Up,
    /// Down on the cross.
    Down,
    /// Left on the cross.
    Left,
    /// Right on the cross.
    Right,
    /// A, pressed and let go again and again.
    TurboA,
    /// B, pressed and let go again and again.
    TurboB,
}

impl Control {
    /// All of them.
    pub const ALL: &'static [Self] = Self::VARIANTS;

    /// Returns the console's button.
    pub fn button(self) -> Buttons {
        match self {
            Self::A | Self::TurboA => Buttons::A,
            Self::B | Self::TurboB => Buttons::B,
            Self::Select => Buttons::SELECT,
            Self::Start => Buttons::START,
            Self::Up => Buttons::UP,
            Self::Down => Buttons::DOWN,
            Self::Left => Buttons::LEFT,
            Self::Right => Buttons::RIGHT,
        }
    }

    /// Returns whether it is pressed and let go again and again.
    pub fn is_turbo(self) -> bool {
        matches!(self, Self::TurboA | Self::TurboB)
    }
}

/// For each control what it is bound to; any of them holds it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case", bound(deserialize = "T: Deserialize<'de>"))]
pub struct Bindings<T> {
    pub a: Vec<T>,
    pub b: Vec<T>,
    pub select: Vec<T>,
    pub start: Vec<T>,
    pub up: Vec<T>,
    pub down: Vec<T>,
    pub left: Vec<T>,
    pub right: Vec<T>,
    pub turbo_a: Vec<T>,
    pub turbo_b: Vec<T>,
}

impl<T> Default for Bindings<T> {
    fn default() -> Self {
        Self {
            a: vec![],
            b: vec![],
            select: vec![],
            start: vec![],
            up: vec![],
            down: vec![],
            left: vec![],
            right: vec![],
            turbo_a: vec![],
            turbo_b: vec![],
        }
    }
}

impl<T: PartialEq> Bindings<T> {
    /// Returns what `control` is bound to.
    pub fn of(&self, control: Control) -> &[T] {
        match control {
            Control::A => &self.a,
            Control::B => &self.b,
            Control::Select => &self.select,
            Control::Start => &self.start,
            Control::Up => &self.up,
            Control::Down => &self.down,
            Control::Left => &self.left,
            Control::Right => &self.right,
            Control::TurboA => &self.turbo_a,
            Control::TurboB => &self.turbo_b,
        }
    }

    /// Returns the same to change.
    pub fn of_mut(&mut self, control: Control) -> &mut Vec<T> {
        match control {
            Control::A => &mut self.a,
            Control::B => &mut self.b,
            Control::Select => &mut self.select,
            Control::Start => &mut self.start,
            Control::Up => &mut self.up,
            Control::Down => &mut self.down,
            Control::Left => &mut self.left,
            Control::Right => &mut self.right,
            Control::TurboA => &mut self.turbo_a,
            Control::TurboB => &mut self.turbo_b,
        }
    }

    /// Makes `input` mean `control` and nothing else.
    pub fn bind(&mut self, control: Control, input: T) {
        for &other in Control::ALL {
            self.of_mut(other).retain(|bound| *bound != input);
        }
        self.of_mut(control).push(input);
    }

    /// Returns the controls that `input` holds.
    pub fn controls(&self, input: &T) -> impl Iterator<Item = Control> {
        Control::ALL.iter().copied().filter(move |&control| self.of(control).contains(input))
    }
}

impl Bindings<KeyCode> {
    /// Returns the keys that Maxout comes with for the first player; by place, so that they are
    /// good on any layout.
    pub fn keyboard() -> Self {
        Self {
            a: vec![KeyCode::KeyX],
            b: vec![KeyCode::KeyZ],
            select: vec![KeyCode::ShiftRight, KeyCode::Backspace],
            start: vec![KeyCode::Enter, KeyCode::NumpadEnter],
            up: vec![KeyCode::ArrowUp],
            down: vec![KeyCode::ArrowDown],
            left: vec![KeyCode::ArrowLeft],
            right: vec![KeyCode::ArrowRight],
            ..Self::default()
        }
    }

    /// Returns those for the second player, by place as well: above and between the hands of the
    /// first, none of them a shortcut on a US keyboard.
    pub fn second_keyboard() -> Self {
        Self {
            a: vec![KeyCode::KeyG],
            b: vec![KeyCode::KeyF],
            select: vec![KeyCode::KeyT],
            start: vec![KeyCode::KeyY],
            up: vec![KeyCode::KeyI],
            down: vec![KeyCode::KeyK],
            left: vec![KeyCode::KeyJ],
            right: vec![KeyCode::KeyL],
            ..Self::default()
        }
    }
}

impl Bindings<PadInput> {
    /// Returns the pad's buttons that Maxout comes with, by place: B lies left of A and lower, as
    /// on the consoles that came after. Cross and left stick both steer.
    pub fn pad() -> Self {
        use PadInput::{Press, Push};
        Self {
            a: vec![Press(Button::East), Press(Button::North)],
            b: vec![Press(Button::South), Press(Button::West)],
            select: vec![Press(Button::Select)],
            start: vec![Press(Button::Start)],
            up: vec![Press(Button::DPadUp), Push(Axis::LeftStickY, Side::Plus)],
            down: vec![Press(Button::DPadDown), Push(Axis::LeftStickY, Side::Minus)],
            left: vec![Press(Button::DPadLeft), Push(Axis::LeftStickX, Side::Minus)],
            right: vec![Press(Button::DPadRight), Push(Axis::LeftStickX, Side::Plus)],
            ..Self::default()
        }
    }

    /// Returns the same with A as the lower button and B at its left, one place further each.
    pub fn lower_pad() -> Self {
        use PadInput::Press;
        Self {
            a: vec![Press(Button::South), Press(Button::East)],
            b: vec![Press(Button::West), Press(Button::North)],
            ..Self::pad()
        }
    }

    /// The left stick steers as well, unless it does something else.
    pub(crate) fn keep_stick(&mut self) {
        let usual = Self::pad();
        for control in [Control::Up, Control::Down, Control::Left, Control::Right] {
            for &push in usual.of(control).iter().filter(|input| matches!(input, PadInput::Push(..))) {
                if self.controls(&push).next().is_none() {
                    self.of_mut(control).push(push);
                }
            }
        }
    }
}

/// Which way an axis is pushed; right and up are plus.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Side {
    /// Left or down.
    Minus,
    /// Right or up.
    Plus,
}

impl Side {
    /// Returns the sign by which a file names it.
    pub(crate) fn sign(self) -> char {
        match self {
            Self::Minus => '-',
            Self::Plus => '+',
        }
    }
}

/// Something on a pad that can be held. Written as the name of a button (`South`), or of an axis
/// and a sign (`LeftStickX-`). A cross may be a hat, an axis or four buttons: all arrive as
/// `DPadUp` and so on. What has no name goes by the system's code (`Button102C0`, `Axis30028+`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum PadInput {
    /// A button.
    Press(Button),
    /// An axis, pushed beyond the dead zone.
    Push(Axis, Side),
    /// A button without a name, by the system's code.
    RawButton(u32),
    /// An axis without a name, by the system's code.
    RawAxis(u32, Side),
}

/// Buttons by the names that the configuration file knows.
const BUTTONS: [(&str, Button); 19] = [
    ("South", Button::South),
    ("East", Button::East),
    ("North", Button::North),
    ("West", Button::West),
    ("C", Button::C),
    ("Z", Button::Z),
    ("LeftTrigger", Button::LeftTrigger),
    ("LeftTrigger2", Button::LeftTrigger2),
    ("RightTrigger", Button::RightTrigger),
    ("RightTrigger2", Button::RightTrigger2),
    ("Select", Button::Select),
    ("Start", Button::Start),
    ("Mode", Button::Mode),
    ("LeftThumb", Button::LeftThumb),
    ("RightThumb", Button::RightThumb),
    ("DPadUp", Button::DPadUp),
    ("DPadDown", Button::DPadDown),
    ("DPadLeft", Button::DPadLeft),
    ("DPadRight", Button::DPadRight),
];

/// Axes by the names that the configuration file knows.
const AXES: [(&str, Axis); 6] = [
    ("LeftStickX", Axis::LeftStickX),
    ("LeftStickY", Axis::LeftStickY),
    ("LeftZ", Axis::LeftZ),
    ("RightStickX", Axis::RightStickX),
    ("RightStickY", Axis::RightStickY),
    ("RightZ", Axis::RightZ),
];

impl PadInput {
    /// Returns the button as an input, by its name if it has one and by the system's `code` if not.
    pub(crate) fn press(button: Button, code: u32) -> Self {
        let has_name = BUTTONS.iter().any(|&(_, known)| known == button);
        if has_name { Self::Press(button) } else { Self::RawButton(code) }
    }
}

impl fmt::Display for PadInput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Press(button) => f.write_str(
                BUTTONS.iter().find(|&&(_, known)| known == button).map_or("Unknown", |known| known.0),
            ),
            Self::Push(axis, side) => {
                let name = AXES.iter().find(|&&(_, known)| known == axis).map_or("Unknown", |known| known.0);
                write!(f, "{name}{}", side.sign())
            }
            Self::RawButton(code) => write!(f, "Button{code:X}"),
            Self::RawAxis(code, side) => write!(f, "Axis{code:X}{}", side.sign()),
        }
    }
}

impl FromStr for PadInput {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if let Some(&(_, button)) = BUTTONS.iter().find(|(name, _)| *name == text) {
            return Ok(Self::Press(button));
        }
        let code = |digits| u32::from_str_radix(digits, 16).map_err(|_| unknown(text));
        if let Some(digits) = text.strip_prefix("Button") {
            return code(digits).map(Self::RawButton);
        }
        let side = match text.chars().last() {
            Some('+') => Side::Plus,
            Some('-') => Side::Minus,
            _ => return Err(unknown(text)),
        };
        let name = &text[..text.len() - 1];
        if let Some(digits) = name.strip_prefix("Axis") {
            return Ok(Self::RawAxis(code(digits)?, side));
        }
        let axis = AXES.iter().find(|(known, _)| *known == name).ok_or_else(|| unknown(text))?;
        Ok(Self::Push(axis.1, side))
    }
}

fn unknown(text: &str) -> String {
    format!("expected a pad's button, as South or DPadUp, or a pushed axis, as LeftStickX-; found {text:?}")
}

impl TryFrom<String> for PadInput {
    type Error = String;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<PadInput> for String {
    fn from(input: PadInput) -> Self {
        input.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_button_has_a_key_and_a_place_on_the_pad_and_turbo_has_none() {
        for &control in Control::ALL {
            for keys in [Bindings::keyboard(), Bindings::second_keyboard()] {
                assert_eq!(keys.of(control).is_empty(), control.is_turbo());
            }
            assert_eq!(Bindings::pad().of(control).is_empty(), control.is_turbo());
        }
    }

    #[test]
    fn no_key_is_both_players() {
        let [first, second] = [Bindings::keyboard(), Bindings::second_keyboard()];
        for &control in Control::ALL {
            for key in second.of(control) {
                assert_eq!((first.controls(key).count(), second.controls(key).count()), (0, 1), "{key:?}");
            }
        }
    }

    #[test]
    fn names_are_read_as_they_are_written() {
        let buttons = BUTTONS.iter().map(|&(_, button)| PadInput::Press(button));
        let axes = AXES
            .iter()
            .flat_map(|&(_, axis)| [Side::Plus, Side::Minus].map(|side| PadInput::Push(axis, side)));
        let raw = [0, 0x102C0, u32::MAX].into_iter().flat_map(|code| {
            [
                PadInput::RawButton(code),
                PadInput::RawAxis(code, Side::Plus),
                PadInput::RawAxis(code, Side::Minus),
            ]
        });
        for input in buttons.chain(axes).chain(raw) {
            assert_eq!(input.to_string().parse(), Ok(input));
        }
        for wrong in ["", "-", "South-", "LeftStickX", "é", "Button", "Axis+", "Axis1", "ButtonG"] {
            assert!(wrong.parse::<PadInput>().unwrap_err().contains("expected"), "{wrong}");
        }
    }

    #[test]
    fn a_key_bound_anew_means_nothing_else() {
        let mut keys = Bindings::keyboard();
        keys.bind(Control::B, KeyCode::KeyX);
        assert_eq!(keys.controls(&KeyCode::KeyX).collect::<Vec<_>>(), [Control::B]);
        assert!(keys.a.is_empty());
        assert_eq!(keys.b, [KeyCode::KeyZ, KeyCode::KeyX]);
    }
}
