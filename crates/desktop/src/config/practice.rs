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
    /// Its top left corner, in thousandths of the window's width and height.
    pub place: [u16; 2],
    /// Overlays that stand apart from the panel, as `taps=700,20`.
    pub moved: Vec<String>,
    /// Whether it has the taps a second.
    pub taps: bool,
    /// Whether it has the counter of the auto shift.
    pub das: bool,
    /// Whether it has figures of the game: tetrises, efficiency, burns.
    pub figures: bool,
    /// Whether it has the drought and the height of the stack.
    pub stack: bool,
    /// Taps a second that the coach takes the player's hands for, 5–30.
    pub hertz: u8,
    /// Frames from a spawn to the player's first tap, 0–60, for the coach.
    pub reaction: u16,
    /// Whether the coach rates in points.
    pub points: bool,
}

/// Where the panel is until it is moved.
const PLACE: [u16; 2] = [8, 8];

/// An overlay that the mouse can move by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, strum::AsRefStr, strum::EnumIter)]
#[strum(serialize_all = "lowercase")]
pub(crate) enum Overlay {
    /// The mode, with its pace, hits and attempts. What is not moved stands below it.
    Panel,
    Taps,
    Das,
    Figures,
    Stack,
    /// The buttons that are held.
    Buttons,
    /// What the computer thinks.
    Thought,
}

impl Default for PracticeSettings {
    fn default() -> Self {
        Self {
            modes: vec![],
            options: vec![],
            panel: true,
            place: PLACE,
            moved: vec![],
            taps: true,
            das: true,
            figures: true,
            stack: true,
            hertz: 12,
            reaction: 18,
            points: true,
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

    /// Returns where the player has put an overlay: its top left corner in thousandths of the
    /// window's width and height. `None` where it comes by itself. Words that say no place are
    /// passed over.
    pub(crate) fn place_of(&self, overlay: Overlay) -> Option<[u16; 2]> {
        if overlay == Overlay::Panel {
            return Some(self.place);
        }
        let place = |word: &String| {
            let (left, top) =
                word.split_once('=').filter(|(name, _)| *name == overlay.as_ref())?.1.split_once(',')?;
            Some([left.parse().ok()?, top.parse().ok()?])
        };
        self.moved.iter().rev().find_map(place)
    }

    /// Puts an overlay at `place`, or with `None` back where it comes by itself.
    pub(crate) fn put(&mut self, overlay: Overlay, place: Option<[u16; 2]>) {
        if overlay == Overlay::Panel {
            self.place = place.unwrap_or(PLACE);
            return;
        }
        self.moved.retain(|word| word.split('=').next() != Some(overlay.as_ref()));
        if let Some([left, top]) = place {
            self.moved.push(format!("{}={left},{top}", overlay.as_ref()));
        }
    }

    /// Puts all overlays back where they come by themselves.
    pub(crate) fn put_back(&mut self) {
        self.place = PLACE;
        self.moved.clear();
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
    fn overlays_are_put_one_by_one_and_back() {
        use strum::IntoEnumIterator;
        let mut settings = PracticeSettings::default();
        let places = |settings: &PracticeSettings| -> Vec<_> {
            Overlay::iter().map(|overlay| settings.place_of(overlay)).collect()
        };
        let usual = places(&settings);
        assert_eq!(usual, [Some(PLACE), None, None, None, None, None, None]);
        for (number, overlay) in (0..).zip(Overlay::iter()) {
            settings.put(overlay, Some([number, 1]));
            settings.put(overlay, Some([number, 10 * number]));
        }
        let put: Vec<_> = (0..7).map(|number| Some([number, 10 * number])).collect();
        assert_eq!(places(&settings), put);
        assert_eq!(settings.moved.len(), 6, "a word each");
        settings.put(Overlay::Das, None);
        assert_eq!((settings.place_of(Overlay::Das), settings.place_of(Overlay::Taps)), (None, put[1]));
        settings.put_back();
        assert_eq!(settings, PracticeSettings::default());
        settings.moved =
            ["taps", "taps=1", "taps=x,2", "das=70000,1", "other=1,2"].map(String::from).to_vec();
        assert_eq!(places(&settings), usual, "no places");
    }

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
