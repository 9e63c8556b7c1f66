//! Lines for the player that go away by themselves.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use crate::messages::status::{MessageKind, Status};
use crate::ui::canvas::sentence;

/// How long they stay.
const NOTE: Duration = Duration::from_secs(4);
const TROUBLE: Duration = Duration::from_secs(10);

/// So many are seen at once.
const MOST: usize = 4;

/// The lines that are to be seen now, the newest last.
#[derive(Debug, Default)]
pub(crate) struct Notes {
    lines: VecDeque<(Instant, MessageKind, String)>,
    /// The number of the last message of the machine's that was shown.
    last_message: u64,
    /// Whether what goes wrong is only shown, and not written to the error output as well.
    pub(crate) is_quiet: bool,
}

impl Notes {
    /// Adds a line at `now`; one that is there already moves to the end, and of a script only the
    /// last stays.
    pub(crate) fn say(&mut self, kind: MessageKind, text: String, now: Instant) {
        let stay = if kind.is_trouble() { TROUBLE } else { NOTE };
        let script = MessageKind::Script;
        self.lines.retain(|(_, other, line)| *line != text && !(kind == script && *other == script));
        self.lines.push_back((now + stay, kind, text));
        if self.lines.len() > MOST {
            self.lines.pop_front();
        }
    }

    /// Adds a line that begins with `subject` in place of the last one that did.
    pub(crate) fn say_about(&mut self, subject: &str, text: String, now: Instant) {
        let is_about = |line: &str| line.strip_prefix(subject).is_some_and(|rest| rest.starts_with(':'));
        self.lines.retain(|(_, kind, line)| *kind != MessageKind::Note || !is_about(line));
        self.say(MessageKind::Note, text, now);
    }

    /// Adds the machine's messages that were not shown yet.
    pub(crate) fn take_new(&mut self, status: &Status, now: Instant) {
        for message in &status.messages {
            if message.number > self.last_message {
                self.last_message = message.number;
                if message.kind.is_trouble() {
                    self.report(&message.text);
                }
                self.say(message.kind, message.text.clone(), now);
            }
        }
    }

    /// Writes a line to the error output, unless that would stand in a picture.
    pub(crate) fn report(&self, trouble: &str) {
        if !self.is_quiet {
            tty::tell!("maxout: {trouble}");
        }
    }

    /// Forgets those that have had their time by `now`. Returns whether there were any.
    pub(crate) fn forget(&mut self, now: Instant) -> bool {
        let before = self.lines.len();
        self.lines.retain(|(until, ..)| *until > now);
        self.lines.len() < before
    }

    /// Returns when the next one has had its time.
    pub(crate) fn next_change(&self) -> Option<Instant> {
        self.lines.iter().map(|(until, ..)| *until).min()
    }

    /// Returns all of them as sentences, with a capital at the beginning. What a script says stays
    /// as it is, and so does what begins with anything but a plain word, such as `run.fm2`.
    pub(crate) fn lines(&self) -> Vec<(MessageKind, String)> {
        self.lines.iter().map(|(_, kind, text)| (*kind, as_read(*kind, text))).collect()
    }
}

/// Returns a message as it is shown: see [`Notes::lines`].
fn as_read(kind: MessageKind, text: &str) -> String {
    let first = text.split([' ', ':', ',', ';']).next().unwrap_or_default();
    let is_word = first.chars().all(|letter| letter.is_alphabetic() || letter == '\'');
    if is_word && kind != MessageKind::Script { sentence(text) } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_one_setting_only_the_last_line_is_seen() {
        let (start, mut notes) = (Instant::now(), Notes::default());
        notes.say(MessageKind::Note, "screenshot".into(), start);
        for value in ["none", "scanlines", "CRT"] {
            notes.say_about("Filter", format!("Filter: {value}"), start);
        }
        notes.say_about("Scaling", "Scaling: fit".into(), start);
        let texts: Vec<String> = notes.lines().into_iter().map(|(_, text)| text).collect();
        assert_eq!(texts, ["Screenshot", "Filter: CRT", "Scaling: fit"]);
    }

    #[test]
    fn notes_go_sooner_than_errors_and_the_oldest_makes_room() {
        let start = Instant::now();
        let mut notes = Notes::default();
        notes.say(MessageKind::Error, "error".into(), start);
        for text in ["one", "two", "three", "two"] {
            notes.say(MessageKind::Note, text.into(), start);
        }
        let texts: Vec<String> = notes.lines().into_iter().map(|(_, text)| text).collect();
        assert_eq!(texts, ["Error", "One", "Three", "Two"]);
        assert_eq!(notes.next_change(), Some(start + NOTE));
        assert!(!notes.forget(start));
        assert!(notes.forget(start + NOTE));
        assert_eq!(notes.lines(), [(MessageKind::Error, "Error".into())]);
        notes.say(MessageKind::Note, "four".into(), start);
        notes.say(MessageKind::Note, "five".into(), start);
        notes.say(MessageKind::Note, "six".into(), start);
        notes.say(MessageKind::Note, "seven".into(), start);
        assert_eq!(notes.lines().len(), MOST);
    }

    #[test]
    fn a_message_begins_with_a_capital_unless_a_file_or_a_script_begins_it() {
        for (kind, text, read) in [
            (MessageKind::Note, "saved to slot 2", "Saved to slot 2"),
            (MessageKind::Error, "cannot write a.png: no room", "Cannot write a.png: no room"),
            (MessageKind::Note, "screenshot: /a.png", "Screenshot: /a.png"),
            (MessageKind::Note, "run.fm2 is over", "run.fm2 is over"),
            (MessageKind::Script, "lines: 4", "lines: 4"),
            (MessageKind::Note, "", ""),
        ] {
            assert_eq!(as_read(kind, text), read);
        }
    }
}
