//! Numbers in menus: which rows have one, what is typed into them, and the drawing of seeds.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::time::{Duration, Instant};

use practice::Kind;

use crate::config::settings::Settings;
use crate::config::table::Setting;
use crate::ui::editor::{Editor, Part};
use crate::ui::keyboard::Set;
use crate::ui::page::Item;
use crate::ui::step::Step;

/// The number of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Number {
    low: i64,
    high: i64,
    value: i64,
    /// 10, or 16 for what is written in hexadecimal digits.
    radix: u32,
    /// Whether it is a seed, which can be drawn.
    is_seed: bool,
}

impl Number {
    fn new(low: impl Into<i64>, high: impl Into<i64>, value: impl Into<i64>) -> Self {
        Self { low: low.into(), high: high.into(), value: value.into(), radix: 10, is_seed: false }
    }

    fn seed(self, radix: u32) -> Self {
        Self { radix, is_seed: true, ..self }
    }

    /// Returns the number of a row; `None` if it has none.
    pub(crate) fn of(item: &Item, settings: &Settings, editor: &Editor) -> Option<Self> {
        Some(match item {
            Item::Setting(setting) => {
                let (low, high, value) = setting.number(settings)?;
                let number = Self::new(low, high, value);
                if *setting == Setting::Seed { number.seed(10) } else { number }
            }
            Item::Practise(kind) => {
                let (values, value) = (kind.values(), settings.practice.mode(*kind).value());
                if values.is_empty() {
                    return None;
                }
                let number = Self::new(*values.start(), *values.end(), value);
                if *kind == Kind::Seed { number.seed(16) } else { number }
            }
            Item::PracticeOption(name) => {
                let (low, high) = practice::Options::range(name)?;
                let value = settings.practice.options().value(name);
                let value = value.rsplit(':').next().and_then(|digits| digits.parse::<i64>().ok());
                Self::new(low, high, value.unwrap_or(0))
            }
            Item::Part(part) => {
                let (low, high, value) = editor.number(*part)?;
                let number = Self::new(low, high, value);
                if *part == Part::Register { number.seed(16) } else { number }
            }
            _ => return None,
        })
    }

    /// Gives a row's number a value.
    fn put(item: &Item, value: i64, settings: &mut Settings, editor: &mut Editor) {
        match item {
            Item::Setting(setting) => setting.put(settings, value),
            Item::Practise(kind) => {
                let by = value - i64::from(settings.practice.mode(*kind).value());
                settings.practice.step_mode(*kind, i32::try_from(by).unwrap_or(0));
            }
            Item::PracticeOption(name) => settings.practice.put_option(name, value),
            Item::Part(part) => editor.put(*part, value),
            _ => {}
        }
    }

    /// Returns the letters that it is typed in.
    pub(crate) fn digits(self) -> Set {
        Set::Digits { radix: self.radix, has_sign: self.low < 0 }
    }

    /// Returns whether it can be drawn.
    pub(crate) fn is_seed(self) -> bool {
        self.is_seed
    }

    /// Draws a random value for a row's number.
    pub(crate) fn draw(self, item: &Item, settings: &mut Settings, editor: &mut Editor) {
        // A seed of 0 is another in each game.
        let low = self.low.max(1);
        let chance = RandomState::new().build_hasher().finish() % (self.high - low + 1) as u64;
        Self::put(item, low + chance as i64, settings, editor);
    }
}

/// A number that is being typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    digits: String,
    /// What the number was before.
    before: i64,
}

impl Entry {
    /// Returns what was typed, for the row.
    pub(crate) fn text(&self) -> String {
        format!("{}_", self.digits)
    }

    /// Types a digit or a sign into the number of `item`. Returns whether it belongs there.
    pub(crate) fn type_into(
        entry: &mut Option<Self>,
        letters: &str,
        item: &Item,
        settings: &mut Settings,
        editor: &mut Editor,
    ) -> bool {
        let Some(number) = Number::of(item, settings, editor) else { return false };
        let mut letters = letters.chars();
        let (Some(letter), None) = (letters.next(), letters.next()) else { return false };
        let is_first = entry.as_ref().is_none_or(|entry| entry.digits.is_empty());
        let is_sign = letter == '-' && number.low < 0 && is_first;
        if !is_sign && !letter.is_digit(number.radix) {
            return false;
        }
        let typed = entry.get_or_insert_with(|| Self { digits: String::new(), before: number.value });
        let digits = format!("{}{}", typed.digits, letter.to_ascii_uppercase());
        // What would be too large is not taken.
        let value = i64::from_str_radix(&digits, number.radix).ok();
        if value
            .is_none_or(|value| value <= number.high && value.unsigned_abs() <= number.high.unsigned_abs())
        {
            typed.digits = digits;
        }
        typed.apply(number, item, settings, editor);
        true
    }

    /// Takes the last digit away.
    pub(crate) fn erase(&mut self, item: &Item, settings: &mut Settings, editor: &mut Editor) {
        self.digits.pop();
        if let Some(number) = Number::of(item, settings, editor) {
            self.apply(number, item, settings, editor);
        }
    }

    /// Gives up: the number is what it was.
    pub(crate) fn give_up(&self, item: &Item, settings: &mut Settings, editor: &mut Editor) {
        Number::put(item, self.before, settings, editor);
    }

    fn apply(&self, number: Number, item: &Item, settings: &mut Settings, editor: &mut Editor) {
        let value = i64::from_str_radix(&self.digits, number.radix).ok();
        if let Some(value) = value.filter(|value| (number.low..=number.high).contains(value)) {
            Number::put(item, value, settings, editor);
        }
    }
}

/// A direction that is held on a number makes larger steps after a while.
#[derive(Debug, Default)]
pub(crate) struct Hold {
    last: Option<(Step, Instant)>,
    steps: u32,
}

impl Hold {
    /// Steps of one held key or button come sooner after each other.
    const REPEAT: Duration = Duration::from_millis(150);

    /// Steps until they become ten times as large.
    const GROWS: u32 = 16;

    /// Returns how large the step at `now` is on a number that goes through `range` values.
    pub(crate) fn step(&mut self, step: Step, now: Instant, range: i64) -> i32 {
        let goes_on = self
            .last
            .is_some_and(|(last, at)| last == step && now.saturating_duration_since(at) < Self::REPEAT);
        self.steps = if goes_on { self.steps + 1 } else { 0 };
        self.last = Some((step, now));
        let size = 10_i64.saturating_pow(self.steps / Self::GROWS);
        i32::try_from(size.min(range / 20).max(1)).unwrap_or(i32::MAX)
    }
}

/// Returns how many values a number goes through.
pub(crate) fn range(number: Option<Number>) -> i64 {
    number.map_or(0, |number| number.high - number.low)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::editor::Part;

    fn typed(
        item: &Item,
        letters: &str,
        settings: &mut Settings,
        editor: &mut Editor,
    ) -> (Option<Entry>, usize) {
        let mut entry = None;
        let taken = letters
            .chars()
            .filter(|letter| Entry::type_into(&mut entry, &letter.to_string(), item, settings, editor));
        let taken = taken.count();
        (entry, taken)
    }

    #[test]
    fn every_number_in_menus_can_be_typed_and_given_up() {
        let (mut settings, mut editor) = (Settings::default(), Editor::default());
        let mut items: Vec<Item> = Setting::ALL.iter().map(|&setting| Item::Setting(setting)).collect();
        items.extend(Kind::ALL.iter().map(|&kind| Item::Practise(kind)));
        items.extend(practice::Options::NAMES.map(|(name, _)| Item::PracticeOption(name)));
        items.extend(Part::ALL.map(Item::Part));
        let mut count = 0;
        for item in &items {
            let Some(number) = Number::of(item, &settings, &editor) else { continue };
            for value in [number.high, number.low, i64::midpoint(number.low, number.high)] {
                let digits = if number.radix == 16 { format!("{value:X}") } else { value.to_string() };
                let (entry, taken) = typed(item, &digits, &mut settings, &mut editor);
                let now = Number::of(item, &settings, &editor).map(|number| number.value);
                assert_eq!((now, taken), (Some(value), digits.len()), "{item:?}");
                let (before, entry) = (entry.as_ref().map(|entry| entry.before), entry.expect("typed"));
                entry.give_up(item, &mut settings, &mut editor);
                assert_eq!(
                    Number::of(item, &settings, &editor).map(|number| number.value),
                    before,
                    "{item:?}"
                );
            }
            count += 1;
        }
        assert!(count > 35, "{count}");
        assert_eq!(Number::of(&Item::Setting(Setting::Randomizer), &settings, &editor), None);
    }

    #[test]
    fn a_seed_is_typed_in_hexadecimal_digits_erased_and_drawn() {
        let (mut settings, mut editor) = (Settings::default(), Editor::default());
        let item = Item::Practise(Kind::Seed);
        let (entry, taken) = typed(&item, "12ab34x9", &mut settings, &mut editor);
        assert_eq!((settings.practice.mode(Kind::Seed).to_string().as_str(), taken), ("seed=12AB34", 7));
        let mut entry = entry.unwrap();
        assert_eq!(entry.text(), "12AB34_", "a seventh digit does not fit");
        entry.erase(&item, &mut settings, &mut editor);
        assert_eq!(settings.practice.mode(Kind::Seed).to_string(), "seed=012AB3");
        let mut drawn: Vec<u32> = (0..20)
            .map(|_| {
                Number::of(&item, &settings, &editor).unwrap().draw(&item, &mut settings, &mut editor);
                settings.practice.mode(Kind::Seed).value()
            })
            .collect();
        drawn.sort_unstable();
        drawn.dedup();
        assert!(drawn.len() > 15, "{drawn:?}");
    }

    #[test]
    fn a_direction_held_goes_through_any_number_in_seconds_and_presses_are_single_steps() {
        let (mut hold, start) = (Hold::default(), Instant::now());
        let mut value = 0;
        let steps =
            (0..120).map(|step| hold.step(Step::Right, start + step * Duration::from_millis(33), 0xFF_FFFF));
        for step in steps {
            value += i64::from(step);
        }
        assert!(value > 0xFF_FFFF, "{value} in four seconds");
        let mut hold = Hold::default();
        let single =
            (0..50).map(|step| hold.step(Step::Right, start + step * Duration::from_millis(200), 0xFF_FFFF));
        assert_eq!(single.sum::<i32>(), 50);
        let mut hold = Hold::default();
        let small = (0..30).map(|step| hold.step(Step::Left, start + step * Duration::from_millis(33), 19));
        assert_eq!(small.sum::<i32>(), 30, "there is nothing to hurry");
    }
}
