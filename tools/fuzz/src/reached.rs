//! Which answers of parsers the cases of a target have reached: what a mutation never reaches is
//! not tested.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::fmt::Display;

/// Answers without their numbers and names; how often each came, and in which case first.
pub(crate) type Answers = BTreeMap<String, (u64, u64)>;

/// More of them are not told apart.
const MOST: usize = 1_000;

thread_local! {
    static REACHED: RefCell<Answers> = const { RefCell::new(Answers::new()) };
    static CASE: Cell<u64> = const { Cell::new(0) };
    static IS_NEW: Cell<bool> = const { Cell::new(false) };
}

/// A case begins.
pub(crate) fn begin(seed: u64) {
    CASE.set(seed);
    IS_NEW.set(false);
}

/// Returns whether this case was the first with one of its answers.
pub(crate) fn is_new() -> bool {
    IS_NEW.get()
}

/// Counts what a parser answered, and returns what it has read.
pub(crate) fn reached<T, E: Display>(answer: Result<T, E>) -> Option<T> {
    let text = match &answer {
        Ok(_) => "read".to_owned(),
        Err(error) => shape(&error.to_string()),
    };
    count(text);
    answer.ok()
}

/// Counts what was said, without what it repeats of the input.
pub(crate) fn said(text: &str) {
    count(shape(text));
}

/// Counts what came of a case, by a name of ours.
pub(crate) fn came_to(name: String) {
    count(name);
}

fn count(text: String) {
    REACHED.with_borrow_mut(|reached| {
        if let Some((count, _)) = reached.get_mut(&text) {
            *count += 1;
        } else if reached.len() < MOST {
            reached.insert(text, (1, CASE.get()));
            IS_NEW.set(true);
        }
    });
}

/// Returns all answers since the last call.
pub(crate) fn taken() -> Answers {
    REACHED.take()
}

/// A message without what it repeats of the input: the words of ours in it.
fn shape(message: &str) -> String {
    const LONGEST: usize = 100;
    let is_word = |word: &&str| word.len() > 2 && word.bytes().all(|letter| letter.is_ascii_lowercase());
    let line = message.lines().next().unwrap_or_default();
    let words: Vec<&str> = line.split(|letter: char| !letter.is_alphanumeric()).filter(is_word).collect();
    words.join(" ").chars().take(LONGEST).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_counted_without_what_they_repeat() {
        begin(7);
        for number in 0..3 {
            assert_eq!(
                reached::<u8, _>(Err(format!("line {number}: expected a byte, found \"X{number}\""))),
                None
            );
        }
        assert!(is_new());
        begin(8);
        assert!(!is_new());
        assert_eq!(reached::<_, String>(Ok(5)), Some(5));
        let expected = [("line expected byte found", (3, 7)), ("read", (1, 8))];
        assert_eq!(taken(), expected.map(|(text, count)| (text.to_owned(), count)).into());
        assert!(taken().is_empty());
    }
}
