//! What gilrs 0.11 leaves out of the SDL mappings that it reads.
//!
//! It keeps one name for each axis, so that of `dpleft:-a0,dpright:+a0` only `dpright` is left, for
//! an axis at rest in its middle; it knows neither the `~` of an axis that points the other way nor
//! a hat that is turned. [`Quirks`] holds these parts of a pad's mapping and applies them to what
//! the library reports.

#[cfg(test)]
mod tests;

use std::env;
use std::fmt::Write as _;

use gilrs::{Axis, Button};

use super::Motion;
use crate::input::bindings::{PadInput, Side};

/// The pads of the library's database that need more than its own reading: identifier, system and
/// these entries. The test `tests::the_list_of_quirks_is_that_of_the_database` writes it. Crosses
/// whose halves are negative for left and up are not listed: they are recognised as such.
const LIST: &str = include_str!("quirks.txt");

/// This system's name in SDL mappings.
const PLATFORM: &str = if cfg!(windows) {
    "Windows"
} else if cfg!(target_os = "macos") {
    "Mac OS X"
} else {
    "Linux"
};

/// What the library reports of a part of a pad.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Report {
    /// A button, or an axis that is called a button. `pair` says that the axis is half of a cross.
    Button { name: Button, code: u32, pressed: bool, pair: bool },
    /// An axis that is called a button, from 0 to 1.
    Level { name: Button, value: f32, pair: bool },
    /// An axis, or a button that is called an axis; up and right are positive.
    Axis { name: Axis, code: u32, value: f32, is_button: bool },
}

/// What an element of a pad is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Target {
    Button(Button),
    Axis(Axis),
}

/// The part of an axis that counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Range {
    Full,
    Minus,
    Plus,
}

/// One entry of a mapping whose source is an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Use {
    target: Target,
    range: Range,
    is_inverted: bool,
}

impl Use {
    /// Returns whether the library reads it rightly if no other entry has the same axis.
    fn is_plain(self) -> bool {
        !self.is_inverted && (self.range == Range::Full || matches!(self.target, Target::Axis(_)))
    }

    /// Returns the motion of an axis that stands at `value`, right and down positive.
    fn motion(self, value: f32) -> Motion {
        let value = if self.is_inverted { -value } else { value };
        match (self.target, self.range) {
            (Target::Axis(axis), _) => Motion::Axis(axis, if points_down(axis) { -value } else { value }),
            (Target::Button(button), range) => Motion::Level(
                PadInput::Press(button),
                match range {
                    Range::Full => f32::midpoint(value, 1.0),
                    Range::Minus => -value,
                    Range::Plus => value,
                },
            ),
        }
    }
}

/// Returns whether the library turns the values of `axis` round so that up is positive.
fn points_down(axis: Axis) -> bool {
    matches!(axis, Axis::LeftStickY | Axis::RightStickY | Axis::DPadY)
}

/// What the library leaves out of one pad's mapping.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Quirks {
    /// Axes by the only name that the library keeps, and all their uses.
    axes: Vec<(Target, Vec<Use>)>,
    /// What the directions of the hat mean, if it is turned: up, right, down, left.
    hat: Option<[Option<Button>; 4]>,
}

impl Quirks {
    /// Returns those of the pad with this identifier on this system. A mapping of the player's own
    /// (`SDL_GAMECONTROLLERCONFIG`) comes before the list.
    pub(super) fn of_pad(id: [u8; 16]) -> Self {
        let mut name = String::new();
        for byte in id {
            let _ = write!(name, "{byte:02x}");
        }
        let own = env::var("SDL_GAMECONTROLLERCONFIG").unwrap_or_default();
        let own = own.lines().rfind(|line| {
            let other = line.split(',').any(|part| part.starts_with("platform:") && &part[9..] != PLATFORM);
            !other && line.split(',').next().is_some_and(|id| id.eq_ignore_ascii_case(&name))
        });
        let listed = || LIST.lines().find(|line| line.starts_with(&format!("{name},{PLATFORM},")));
        own.or_else(listed).map(Self::of_line).unwrap_or_default()
    }

    /// Returns those of a line of SDL's database: identifier, name, entries.
    fn of_line(line: &str) -> Self {
        let (mut axes, mut hat) = (Vec::<(u16, Vec<Use>)>::new(), [None; 4]);
        for (key, value) in entries(line) {
            let Some(target) = target(key) else { continue };
            if let Some((number, range, is_inverted)) = axis(value) {
                let one = Use { target, range, is_inverted };
                match axes.iter_mut().find(|(other, _)| *other == number) {
                    Some((_, uses)) => uses.push(one),
                    None => axes.push((number, vec![one])),
                }
            } else if let (Some(direction), Target::Button(button)) = (hat_direction(value), target) {
                hat[direction] = Some(button);
            }
        }
        axes.retain(|(_, uses)| uses.len() > 1 || uses.iter().any(|one| !one.is_plain()));
        // The last entry of an axis is the one whose name the library keeps.
        let named = |(_, uses): (u16, Vec<Use>)| Some((uses.last()?.target, uses));
        let is_turned =
            hat.iter().zip(HAT).any(|(&button, usual)| button.is_some_and(|button| button != usual));
        Self { axes: axes.into_iter().filter_map(named).collect(), hat: is_turned.then_some(hat) }
    }

    /// Returns what moves on the pad.
    pub(super) fn motions(&self, report: Report) -> Vec<Motion> {
        match report {
            // The level says it better.
            Report::Button { name, pair, .. } if pair || self.uses(Target::Button(name)).is_some() => vec![],
            Report::Button { name, code, pressed, .. } => {
                vec![Motion::Button(PadInput::press(name, code), pressed)]
            }
            Report::Level { name, value, pair } => {
                let value = value.mul_add(2.0, -1.0);
                match self.uses(Target::Button(name)) {
                    Some(uses) => uses.iter().map(|one| one.motion(value)).collect(),
                    None if pair => cross(name, value).to_vec(),
                    None => vec![],
                }
            }
            Report::Axis { code, value, is_button: true, .. } => {
                vec![Motion::Button(PadInput::RawButton(code), value > 0.5)]
            }
            Report::Axis { name: Axis::Unknown, code, value, .. } => {
                [(Side::Minus, -value), (Side::Plus, value)]
                    .map(|(side, push)| Motion::Level(PadInput::RawAxis(code, side), push))
                    .to_vec()
            }
            Report::Axis { name, value, .. } => match (name, self.hat) {
                (Axis::DPadX, Some([_, right, _, left])) => turned(left, right, value),
                (Axis::DPadY, Some([up, _, down, _])) => turned(down, up, value),
                _ => match self.uses(Target::Axis(name)) {
                    Some(uses) => {
                        let value = if points_down(name) { -value } else { value };
                        uses.iter().map(|one| one.motion(value)).collect()
                    }
                    None => vec![Motion::Axis(name, value)],
                },
            },
        }
    }

    fn uses(&self, name: Target) -> Option<&[Use]> {
        self.axes.iter().find(|(other, _)| *other == name).map(|(_, uses)| &uses[..])
    }
}

/// Reads a line and lets a pad report what the numbers say. Returns how much of the line is used.
///
/// # Panics
/// When a motion is no number.
pub(crate) fn hostile(line: &str, reports: &[u64]) -> String {
    const BUTTONS: [Button; 8] = [
        Button::South,
        Button::DPadUp,
        Button::DPadDown,
        Button::DPadLeft,
        Button::DPadRight,
        Button::LeftTrigger2,
        Button::RightTrigger2,
        Button::Unknown,
    ];
    const AXES: [Axis; 6] =
        [Axis::LeftStickX, Axis::LeftStickY, Axis::RightStickY, Axis::DPadX, Axis::DPadY, Axis::Unknown];
    let quirks = Quirks::of_line(line);
    let mut moves = false;
    for number in reports {
        let [kind, which, flags, value, ..] = number.to_le_bytes();
        let code = (number >> 32) as u32;
        let button = BUTTONS[usize::from(which) % BUTTONS.len()];
        let (pair, pressed) = (flags & 1 != 0, flags & 2 != 0);
        let value = f32::from(value) / 255.0;
        let report = match kind % 3 {
            0 => Report::Button { name: button, code, pressed, pair },
            1 => Report::Level { name: button, value, pair },
            _ => Report::Axis {
                name: AXES[usize::from(which) % AXES.len()],
                code,
                value: value.mul_add(2.0, -1.0),
                is_button: pair,
            },
        };
        for motion in quirks.motions(report) {
            moves = true;
            match motion {
                Motion::Axis(_, value) | Motion::Level(_, value) => {
                    assert!(value.abs() <= 1.0, "{motion:?} of {line:?}");
                }
                Motion::Button(..) => {}
            }
        }
    }
    let uses: usize = quirks.axes.iter().map(|(_, uses)| uses.len()).sum();
    let hat = if quirks.hat.is_some() { "a hat" } else { "no hat" };
    format!(
        "{} axes, {uses} uses, {hat}, {}",
        quirks.axes.len(),
        if moves { "moves" } else { "stands still" }
    )
}

/// Returns how an axis of a cross moves that is called `name` and whose left or upper end is -1.
fn cross(name: Button, value: f32) -> [Motion; 2] {
    let [minus, plus] = match name {
        Button::DPadLeft | Button::DPadRight => [Button::DPadLeft, Button::DPadRight],
        _ => [Button::DPadUp, Button::DPadDown],
    };
    [Motion::Level(PadInput::Press(minus), -value), Motion::Level(PadInput::Press(plus), value)]
}

/// Returns how a direction of a turned hat moves.
fn turned(minus: Option<Button>, plus: Option<Button>, value: f32) -> Vec<Motion> {
    let sides = [(minus, -value), (plus, value)];
    sides
        .into_iter()
        .filter_map(|(button, push)| Some(Motion::Level(PadInput::Press(button?), push)))
        .collect()
}

/// What the directions of a hat usually mean: up, right, down, left.
const HAT: [Button; 4] = [Button::DPadUp, Button::DPadRight, Button::DPadDown, Button::DPadLeft];

/// Returns the entries of a line, without identifier, name and system.
fn entries(line: &str) -> impl Iterator<Item = (&str, &str)> {
    let pairs = line.split(',').skip(2).filter_map(|entry| entry.trim().split_once(':'));
    pairs.filter(|(key, value)| *key != "platform" && !value.is_empty())
}

/// Returns the axis that a value names, which part of it, and whether it is turned round.
fn axis(value: &str) -> Option<(u16, Range, bool)> {
    let (range, value) = match value.as_bytes().first()? {
        b'-' => (Range::Minus, &value[1..]),
        b'+' => (Range::Plus, &value[1..]),
        _ => (Range::Full, value),
    };
    let number = value.strip_prefix('a')?;
    let (number, is_inverted) = match number.strip_suffix('~') {
        Some(number) => (number, true),
        None => (number, false),
    };
    Some((number.parse().ok()?, range, is_inverted))
}

/// Returns the direction of the first hat that a value names: up, right, down, left.
fn hat_direction(value: &str) -> Option<usize> {
    let bit: u8 = value.strip_prefix("h0.")?.parse().ok()?;
    [1, 2, 4, 8].iter().position(|&other| other == bit)
}

/// Returns what an entry's key stands for.
fn target(key: &str) -> Option<Target> {
    Some(match key.trim_start_matches(['+', '-']) {
        "a" => Target::Button(Button::South),
        "b" => Target::Button(Button::East),
        "x" => Target::Button(Button::West),
        "y" => Target::Button(Button::North),
        "c" => Target::Button(Button::C),
        "z" => Target::Button(Button::Z),
        "back" => Target::Button(Button::Select),
        "start" => Target::Button(Button::Start),
        "guide" => Target::Button(Button::Mode),
        "leftshoulder" => Target::Button(Button::LeftTrigger),
        "rightshoulder" => Target::Button(Button::RightTrigger),
        "lefttrigger" => Target::Button(Button::LeftTrigger2),
        "righttrigger" => Target::Button(Button::RightTrigger2),
        "leftstick" => Target::Button(Button::LeftThumb),
        "rightstick" => Target::Button(Button::RightThumb),
        "dpup" => Target::Button(Button::DPadUp),
        "dpdown" => Target::Button(Button::DPadDown),
        "dpleft" => Target::Button(Button::DPadLeft),
        "dpright" => Target::Button(Button::DPadRight),
        "leftx" => Target::Axis(Axis::LeftStickX),
        "lefty" => Target::Axis(Axis::LeftStickY),
        "rightx" => Target::Axis(Axis::RightStickX),
        "righty" => Target::Axis(Axis::RightStickY),
        "leftz" => Target::Axis(Axis::LeftZ),
        "rightz" => Target::Axis(Axis::RightZ),
        _ => return None,
    })
}
