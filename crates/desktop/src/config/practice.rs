//! What the player has set for practice.

use practice::Mode;
use serde::{Deserialize, Serialize};

/// Practice: the modes as the player left them, and what the panel shows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct PracticeSettings {
    /// Modes whose number is not the usual one, as `garbage=4`.
    pub modes: Vec<String>,
    /// Options that are not the usual ones, as `level=18`.
    pub options: Vec<String>,
    /// Whether the panel is shown in practice.
    pub panel: bool,
    /// Whether it has the taps a second.
    pub taps: bool,
    /// Whether it has the counter of the auto shift.
    pub das: bool,
    /// Whether it has figures of the game: tetrises, efficiency, burns.
    pub figures: bool,
    /// Whether it has the drought and the height of the stack.
    pub stack: bool,
    /// Whether there is one with extra shifts and rotations.
    pub finesse: bool,
    /// Taps a second that the coach takes the player's hands for, 5–30.
    pub hertz: u8,
    /// Frames from a spawn to the player's first tap, 0–60, for the coach.
    pub reaction: u16,
}

impl Default for PracticeSettings {
    fn default() -> Self {
        Self {
            modes: vec![],
            options: vec![],
            panel: true,
            taps: true,
            das: true,
            figures: true,
            stack: true,
            finesse: true,
            hertz: 12,
            reaction: 18,
        }
    }
}

impl PracticeSettings {
    /// Returns the mode of `kind` with the number that the player has chosen.
    pub(crate) fn mode(&self, kind: practice::Kind) -> Mode {
        let mut modes = self.modes.iter().filter_map(|text| text.parse::<Mode>().ok());
        modes.rfind(|mode| mode.kind() == kind).unwrap_or_else(|| kind.usual())
    }

    /// Moves the number of a mode up (`by` 1) or down (-1); at its ends it stops.
    pub(crate) fn step_mode(&mut self, kind: practice::Kind, by: i32) {
        let values = kind.values();
        let (low, high) = (i64::from(*values.start()), i64::from(*values.end()));
        if values.is_empty() {
            return;
        }
        let next = (i64::from(self.mode(kind).value()) + i64::from(by)).clamp(low, high);
        let Ok(mode) = Mode::new(kind, next as u32) else { return };
        self.modes.retain(|text| text.parse::<Mode>().is_ok_and(|other| other.kind() != kind));
        if mode != kind.usual() {
            self.modes.push(mode.to_string());
        }
    }

    /// Returns the options that the player has chosen. Words that are none are passed over.
    pub(crate) fn options(&self) -> practice::Options {
        let mut options = practice::Options::default();
        for word in &self.options {
            let _ = options.set(word);
        }
        options
    }

    /// Gives an option a number. A line cap stays what it is: by level or by lines.
    pub(crate) fn put_option(&mut self, name: &str, value: i64) {
        let mut options = self.options();
        let by_level = name == "cap" && options.value(name).starts_with("level:");
        let word = match name {
            "cap" if by_level => format!("cap=level:{}", value.min(255)),
            "cap" if value == 0 => "cap=off".into(),
            "cap" => format!("cap=lines:{value}"),
            _ => format!("{name}={value}"),
        };
        // What the option cannot be it stays.
        let _ = options.set(&word);
        self.options = options.to_string().split_whitespace().map(str::to_owned).collect();
    }

    /// Moves an option to its next value, or the one before.
    pub(crate) fn step_option(&mut self, name: &str, by: i32) {
        let mut options = self.options();
        options.step(name, by);
        self.options = options.to_string().split_whitespace().map(str::to_owned).collect();
    }
}

#[cfg(test)]
mod tests {
    use practice::Kind;

    use super::*;

    #[test]
    fn numbers_and_options_are_kept_as_words_and_what_is_none_is_passed_over() {
        let mut settings = PracticeSettings::default();
        settings.step_mode(Kind::Garbage, 1);
        (0..9).for_each(|_| settings.step_mode(Kind::Crunch, -1));
        settings.step_mode(Kind::Invisible, 1);
        settings.step_option("level", 1);
        settings.step_option("goofy", 1);
        assert_eq!(
            (settings.modes.join(" "), settings.options.join(" ")),
            ("garbage=1 crunch=0".into(), "level=1 goofy".into())
        );
        settings.step_mode(Kind::Garbage, -1);
        assert_eq!(settings.modes, ["crunch=0"], "the usual number needs no word");
        settings.modes = vec!["floor=99".into(), "floor=2".into()];
        settings.options = vec!["level=999".into(), "level=7".into()];
        assert_eq!((settings.mode(Kind::Floor).value(), settings.options().level), (2, 7));
    }
}
