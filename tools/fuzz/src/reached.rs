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
    static INVENTED: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

/// A case begins.
pub(crate) fn begin(seed: u64) {
    CASE.set(seed);
    IS_NEW.set(false);
    INVENTED.with_borrow_mut(Vec::clear);
}

/// A text was changed: words that only the new one has are none of a parser's own.
pub(crate) fn changed(old: &str, new: &str) {
    /// Beyond this a text is no text.
    const LONGEST: usize = 1 << 13;
    if new.len() > LONGEST {
        return;
    }
    let old: Vec<&str> = words(old).collect();
    let invented = words(new).filter(|word| !old.contains(word)).map(str::to_owned);
    INVENTED.with_borrow_mut(|known| known.extend(invented));
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
    let line = message.lines().next().unwrap_or_default();
    // Breaks and the like, as errors write them.
    let line = ["\\n", "\\r", "\\t"].iter().fold(line.to_owned(), |line, escape| line.replace(escape, " "));
    let mut words: Vec<&str> = words(&line).collect();
    INVENTED.with_borrow(|known| {
        words.retain(|word| !known.iter().any(|other| other == word));
        // What is long is cut, which leaves a part of a word at the end.
        if words.last().is_some_and(|word| known.iter().any(|other| other.starts_with(word))) {
            words.pop();
        }
    });
    words.join(" ").chars().take(LONGEST).collect()
}

/// The words of lower case in a text.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let is_word = |word: &&str| word.len() > 2 && word.bytes().all(|letter| letter.is_ascii_lowercase());
    text.split(|letter: char| !letter.is_alphanumeric()).filter(is_word)
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

    #[test]
    fn words_that_a_change_has_made_are_no_answer() {
        begin(1);
        changed("level = 3", "levell = 3");
        for word in ["levell", "level"] {
            let _ = reached::<u8, _>(Err(format!("{word}: expected a key")));
        }
        let _ = reached::<u8, _>(Err("expected a key, found \"\\rleve".to_owned()));
        let answers: Vec<String> = taken().into_keys().collect();
        assert_eq!(answers, ["expected key", "expected key found", "level expected key"]);
        begin(2);
        let _ = reached::<u8, _>(Err("levell".to_owned()));
        assert_eq!(taken().into_keys().collect::<Vec<_>>(), ["levell"], "of the case before");
    }
}
