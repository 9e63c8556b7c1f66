//! The keyboard on the screen, for a pad: which keys it has, and which one the focus is on. What
//! its keys do is done as if they were real.

use crate::ui::step::Step;

/// A key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Key {
    Letter(char),
    /// Small letters and capitals.
    Case,
    /// Letters and signs.
    Symbols,
    Space,
    Erase,
    Done,
}

impl Key {
    /// Returns what stands on it.
    pub(crate) fn label(self) -> String {
        match self {
            Self::Letter(letter) => letter.to_string(),
            Self::Case => "Shift".into(),
            Self::Symbols => "Signs".into(),
            Self::Space => "Space".into(),
            Self::Erase => "Delete".into(),
            Self::Done => "Done".into(),
        }
    }
}

/// What can be typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Set {
    Text,
    /// Digits of a number in this radix, with a sign if it may be negative.
    Digits {
        radix: u32,
        has_sign: bool,
    },
}

/// Which letters the keys have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Layer {
    #[default]
    Small,
    Capitals,
    Signs,
}

/// A keyboard that is open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Keyboard {
    set: Set,
    layer: Layer,
    /// Line and column of the focus.
    at: (usize, usize),
    /// Whether the last letter came from a real keyboard, whose Enter then ends the typing.
    pub(crate) by_hand: bool,
}

impl Keyboard {
    /// Returns a keyboard for these letters, with the focus on the first of the second line.
    pub(crate) fn new(set: Set) -> Self {
        let at = if set == Set::Text { (1, 0) } else { (0, 0) };
        Self { set, layer: Layer::default(), at, by_hand: false }
    }

    /// Returns its keys, line by line.
    pub(crate) fn lines(&self) -> Vec<Vec<Key>> {
        let letters = |lines: &[&str]| {
            lines.iter().map(|line| line.chars().map(Key::Letter).collect()).collect::<Vec<Vec<Key>>>()
        };
        let mut lines = match (self.set, self.layer) {
            (Set::Text, Layer::Small) => letters(&["1234567890", "qwertyuiop", "asdfghjkl-", "zxcvbnm.:_"]),
            (Set::Text, Layer::Capitals) => {
                letters(&["1234567890", "QWERTYUIOP", "ASDFGHJKL-", "ZXCVBNM.:_"])
            }
            (Set::Text, Layer::Signs) => letters(&["1234567890", "!@#$%&*()_", "+=/\\;:'\"?,", "[]{}<>|~^`"]),
            (Set::Digits { radix: 16, .. }, _) => letters(&["01234567", "89ABCDEF"]),
            (Set::Digits { has_sign: true, .. }, _) => letters(&["12345", "67890", "-"]),
            (Set::Digits { .. }, _) => letters(&["12345", "67890"]),
        };
        lines.push(match self.set {
            Set::Text => vec![Key::Case, Key::Symbols, Key::Space, Key::Erase, Key::Done],
            Set::Digits { .. } => vec![Key::Erase, Key::Done],
        });
        lines
    }

    /// Returns the line and the column of the focus.
    pub(crate) fn focus(&self) -> (usize, usize) {
        self.at
    }

    /// Returns the same with the focus elsewhere.
    #[cfg(test)]
    pub(crate) fn with_focus(&self, at: (usize, usize)) -> Self {
        Self { at, ..self.clone() }
    }

    /// Returns the key that the focus is on.
    pub(crate) fn key(&self) -> Key {
        let lines = self.lines();
        let line = &lines[self.at.0.min(lines.len() - 1)];
        line[self.at.1.min(line.len() - 1)]
    }

    /// Moves the focus, around at the edges.
    pub(crate) fn step(&mut self, step: Step) {
        let widths: Vec<usize> = self.lines().iter().map(Vec::len).collect();
        let (line, column) = self.at;
        let width = widths[line];
        self.at = match step {
            Step::Left => (line, (column + width - 1) % width),
            Step::Right => (line, (column + 1) % width),
            Step::Up | Step::Down => {
                let by = if step == Step::Down { 1 } else { widths.len() - 1 };
                let next = (line + by) % widths.len();
                // The key of the other line that is below or above the middle of this one.
                (next, (2 * column + 1) * widths[next] / (2 * width))
            }
            _ => return,
        };
    }

    /// Small letters become capitals, and the other way round; signs become letters.
    pub(crate) fn turn_case(&mut self) {
        self.layer = if self.layer == Layer::Small { Layer::Capitals } else { Layer::Small };
    }

    /// Letters become signs, and the other way round.
    pub(crate) fn turn_symbols(&mut self) {
        self.layer = if self.layer == Layer::Signs { Layer::Small } else { Layer::Signs };
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Returns the keys that four directions reach from the first focus.
    fn reached(mut keyboard: Keyboard) -> BTreeSet<String> {
        let mut seen = BTreeSet::new();
        let (lines, columns) = (keyboard.lines().len(), keyboard.lines()[0].len());
        for _ in 0..lines {
            for _ in 0..columns {
                seen.insert(keyboard.key().label());
                keyboard.step(Step::Right);
            }
            keyboard.step(Step::Down);
        }
        seen
    }

    #[test]
    fn every_key_is_reached_and_letters_digits_and_signs_are_all_there() {
        let mut keyboard = Keyboard::new(Set::Text);
        let mut all = BTreeSet::new();
        for turn in [Keyboard::turn_case, Keyboard::turn_symbols, Keyboard::turn_case] {
            let reached = reached(keyboard.clone());
            let keys: BTreeSet<String> = keyboard.lines().concat().into_iter().map(Key::label).collect();
            assert_eq!(reached, keys);
            all.extend(keys);
            turn(&mut keyboard);
        }
        for letter in (b'!'..=b'~').map(char::from) {
            assert!(all.contains(&letter.to_string()), "{letter}");
        }
        for (radix, has_sign, count) in [(10, false, 12), (10, true, 13), (16, false, 18)] {
            let digits = Keyboard::new(Set::Digits { radix, has_sign });
            assert_eq!(reached(digits).len(), count);
        }
    }

    #[test]
    fn up_and_down_lead_to_the_nearest_key_and_around() {
        let mut keyboard = Keyboard::new(Set::Text);
        let mut go = |steps: &[Step]| {
            for &step in steps {
                keyboard.step(step);
            }
            keyboard.key()
        };
        assert_eq!(go(&[]), Key::Letter('q'));
        assert_eq!(go(&[Step::Left]), Key::Letter('p'));
        assert_eq!(go(&[Step::Down, Step::Down, Step::Down]), Key::Done);
        assert_eq!(go(&[Step::Down]), Key::Letter('0'));
        assert_eq!(go(&[Step::Up, Step::Up]), Key::Letter('_'));
    }
}
