//! Lines for the player that go away by themselves.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use crate::messages::status::MessageKind;

/// How long they stay.
const NOTE: Duration = Duration::from_secs(4);
const TROUBLE: Duration = Duration::from_secs(10);

/// So many are seen at once.
const MOST: usize = 4;

/// The lines that are to be seen now, the newest last.
#[derive(Debug, Default)]
pub(crate) struct Notes(VecDeque<(Instant, MessageKind, String)>);

impl Notes {
    /// Adds a line at `now`; one that is there already moves to the end, and of a script only the last stays.
    pub(crate) fn say(&mut self, kind: MessageKind, text: String, now: Instant) {
        let stay = if kind.is_trouble() { TROUBLE } else { NOTE };
        let script = MessageKind::Script;
        self.0.retain(|(_, other, line)| *line != text && !(kind == script && *other == script));
        self.0.push_back((now + stay, kind, text));
        if self.0.len() > MOST {
            self.0.pop_front();
        }
    }

    /// Forgets those that have had their time by `now`. Answers whether there were any.
    pub(crate) fn forget(&mut self, now: Instant) -> bool {
        let before = self.0.len();
        self.0.retain(|(until, ..)| *until > now);
        self.0.len() < before
    }

    /// When the next one has had its time.
    pub(crate) fn next_change(&self) -> Option<Instant> {
        self.0.iter().map(|(until, ..)| *until).min()
    }

    /// All of them.
    pub(crate) fn lines(&self) -> Vec<(MessageKind, String)> {
        self.0.iter().map(|(_, kind, text)| (*kind, text.clone())).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_go_sooner_than_errors_and_the_oldest_makes_room() {
        let start = Instant::now();
        let mut notes = Notes::default();
        notes.say(MessageKind::Error, "error".into(), start);
        for text in ["one", "two", "three", "two"] {
            notes.say(MessageKind::Note, text.into(), start);
        }
        let texts: Vec<String> = notes.lines().into_iter().map(|(_, text)| text).collect();
        assert_eq!(texts, ["error", "one", "three", "two"]);
        assert_eq!(notes.next_change(), Some(start + NOTE));
        assert!(!notes.forget(start));
        assert!(notes.forget(start + NOTE));
        assert_eq!(notes.lines(), [(MessageKind::Error, "error".into())]);
        notes.say(MessageKind::Note, "four".into(), start);
        notes.say(MessageKind::Note, "five".into(), start);
        notes.say(MessageKind::Note, "six".into(), start);
        notes.say(MessageKind::Note, "seven".into(), start);
        assert_eq!(notes.lines().len(), MOST);
    }
}
