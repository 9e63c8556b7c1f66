//! What menus call keys, buttons and times.

use std::time::SystemTime;

use winit::keyboard::KeyCode;

use gilrs::{Axis, Button};

use crate::input::bindings::{Control, PadInput, Side};

/// Keys that are called by the sign on them (on a US keyboard, as their names are).
const SIGNS: [(&str, &str); 11] = [
    ("Backquote", "`"),
    ("Backslash", "\\"),
    ("BracketLeft", "["),
    ("BracketRight", "]"),
    ("Comma", ","),
    ("Equal", "="),
    ("Minus", "-"),
    ("Period", "."),
    ("Quote", "'"),
    ("Semicolon", ";"),
    ("Slash", "/"),
];

/// Returns a name in words: `PageUp` as `Page Up`. Function keys stay as they are.
fn words(name: &str) -> String {
    let mut text = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && text.ends_with(char::is_lowercase) {
            text.push(' ');
        }
        text.push(letter);
    }
    text
}

/// What menus call something that can be held.
pub(crate) trait Named {
    /// Returns its name.
    fn name(&self) -> String;
}

impl Named for KeyCode {
    fn name(&self) -> String {
        let name = format!("{self:?}");
        // Those whose name says no more than the key's label, and those of which there are two.
        if let Some(label) = ["Key", "Digit"].iter().find_map(|prefix| name.strip_prefix(prefix)) {
            return label.to_owned();
        }
        if let Some((_, label)) = SIGNS.iter().find(|(key, _)| *key == name) {
            return (*label).to_owned();
        }
        if let Some(direction) = name.strip_prefix("Arrow") {
            return format!("{} arrow", direction.to_lowercase());
        }
        if let Some(key) = name.strip_prefix("Numpad") {
            return format!("Numpad {}", words(key));
        }
        let pairs = ["Shift", "Control", "Alt", "Super"];
        let sided = pairs.iter().find_map(|label| Some((label, name.strip_prefix(label)?)));
        sided.map_or_else(|| words(&name), |(label, side)| format!("{} {label}", side.to_lowercase()))
    }
}

impl Named for PadInput {
    /// Returns its name by where it lies: the letters on it differ from pad to pad.
    fn name(&self) -> String {
        match *self {
            Self::Press(button) => button_name(button).to_owned(),
            Self::Push(axis, side) => format!("{} {}", axis_name(axis), direction(axis, side)),
            Self::RawButton(code) => format!("button {code:X}"),
            Self::RawAxis(code, side) => format!("axis {code:X} {}", side.sign()),
        }
    }
}

const fn button_name(button: Button) -> &'static str {
    match button {
        Button::South => "lower button",
        Button::East => "right button",
        Button::North => "upper button",
        Button::West => "left button",
        Button::C => "C",
        Button::Z => "Z",
        Button::LeftTrigger => "left shoulder",
        Button::LeftTrigger2 => "left trigger",
        Button::RightTrigger => "right shoulder",
        Button::RightTrigger2 => "right trigger",
        Button::Select => "Select",
        Button::Start => "Start",
        Button::Mode => "middle button",
        Button::LeftThumb => "left stick pressed",
        Button::RightThumb => "right stick pressed",
        Button::DPadUp => "D-pad up",
        Button::DPadDown => "D-pad down",
        Button::DPadLeft => "D-pad left",
        Button::DPadRight => "D-pad right",
        Button::Unknown => "unknown button",
    }
}

const fn axis_name(axis: Axis) -> &'static str {
    match axis {
        Axis::LeftStickX | Axis::LeftStickY => "left stick",
        Axis::RightStickX | Axis::RightStickY => "right stick",
        Axis::DPadX | Axis::DPadY => "D-pad",
        Axis::LeftZ => "left trigger",
        Axis::RightZ => "right trigger",
        Axis::Unknown => "unknown axis",
    }
}

const fn direction(axis: Axis, side: Side) -> &'static str {
    match (axis, side) {
        (Axis::LeftStickX | Axis::RightStickX | Axis::DPadX, Side::Minus) => "left",
        (Axis::LeftStickX | Axis::RightStickX | Axis::DPadX, Side::Plus) => "right",
        (Axis::LeftStickY | Axis::RightStickY | Axis::DPadY, Side::Minus) => "down",
        (Axis::LeftStickY | Axis::RightStickY | Axis::DPadY, Side::Plus) => "up",
        (_, Side::Minus) => "-",
        (_, Side::Plus) => "+",
    }
}

/// Returns what menus call a control.
pub(crate) fn control_name(control: Control) -> &'static str {
    match control {
        Control::A => "A",
        Control::B => "B",
        Control::Select => "Select",
        Control::Start => "Start",
        Control::Up => "Up",
        Control::Down => "Down",
        Control::Left => "Left",
        Control::Right => "Right",
        Control::TurboA => "Turbo A",
        Control::TurboB => "Turbo B",
    }
}

/// `time` on the wall's clock; how long ago besides, while that is easier to read.
pub(crate) fn when(time: SystemTime, now: SystemTime) -> String {
    let stamp = jiff::Timestamp::try_from(time).map_or_else(
        |_| "at an unknown time".into(),
        |stamp| stamp.to_zoned(jiff::tz::TimeZone::system()).strftime("%Y-%m-%d %H:%M:%S").to_string(),
    );
    match now.duration_since(time).map(|age| age.as_secs()) {
        Ok(seconds @ 0..120) => format!("{stamp} ({seconds} s ago)"),
        Ok(seconds @ 120..7200) => format!("{stamp} ({} min ago)", seconds / 60),
        _ => stamp,
    }
}

/// Returns the same for a narrow column: how long ago it was, or the day.
pub(crate) fn day(time: SystemTime, now: SystemTime) -> String {
    match now.duration_since(time).map(|age| age.as_secs()) {
        Ok(seconds @ 0..120) => format!("{seconds} s ago"),
        Ok(seconds @ 120..7200) => format!("{} min ago", seconds / 60),
        _ => {
            let stamp = when(time, now);
            stamp.split_once(' ').map_or(stamp.clone(), |(day, _)| day.to_owned())
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::time::Duration;

    use strum::VariantArray;

    use super::*;
    use crate::input::bindings::Bindings;

    #[test]
    fn keys_have_the_names_that_are_printed_on_them() {
        let names = [KeyCode::KeyX, KeyCode::Digit3, KeyCode::ArrowUp, KeyCode::ShiftRight, KeyCode::Enter];
        assert_eq!(names.map(|key| key.name()), ["X", "3", "up arrow", "right Shift", "Enter"]);
        let others =
            [KeyCode::NumpadEnter, KeyCode::Numpad4, KeyCode::PageUp, KeyCode::BracketLeft, KeyCode::F10];
        assert_eq!(others.map(|key| key.name()), ["Numpad Enter", "Numpad 4", "Page Up", "[", "F10"]);
    }

    #[test]
    fn buttons_of_a_pad_are_called_by_where_they_lie() {
        let names = |texts: &[&str]| -> Vec<String> {
            texts.iter().map(|text| text.parse::<PadInput>().unwrap().name()).collect()
        };
        assert_eq!(names(&["East", "West", "LeftTrigger"]), ["right button", "left button", "left shoulder"]);
        assert_eq!(names(&["DPadUp", "LeftStickY+"]), ["D-pad up", "left stick up"]);
        assert_eq!(names(&["RightStickX-", "LeftZ+"]), ["right stick left", "left trigger +"]);
        assert_eq!(names(&["Button102C0", "Axis30028-"]), ["button 102C0", "axis 30028 -"]);
        // No two are called alike.
        let usual = [Bindings::pad(), Bindings::lower_pad()];
        let of = |pad: &Bindings<PadInput>| {
            Control::VARIANTS.iter().flat_map(|&control| pad.of(control).to_vec()).collect::<Vec<_>>()
        };
        let all: HashSet<PadInput> = usual.iter().flat_map(of).collect();
        let called: HashSet<String> = all.iter().map(Named::name).collect();
        assert_eq!(called.len(), all.len());
    }

    #[test]
    fn the_time_of_a_saved_state_says_how_long_ago_while_that_is_short() {
        let then = SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000);
        let after = |seconds| when(then, then + Duration::from_secs(seconds));
        assert!(after(5).ends_with("(5 s ago)"), "{}", after(5));
        assert!(after(600).ends_with("(10 min ago)"), "{}", after(600));
        assert!(
            after(90_000).starts_with("2023-11-1") && !after(90_000).contains("ago"),
            "{}",
            after(90_000)
        );
        let day = |seconds| day(then, then + Duration::from_secs(seconds));
        assert_eq!([day(5), day(600)], ["5 s ago", "10 min ago"]);
        assert!(day(90_000).starts_with("2023-11-1") && day(90_000).len() == 10, "{}", day(90_000));
    }
}
