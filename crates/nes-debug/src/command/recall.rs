//! What was typed at a command line before.

/// The lines that were said at a command line, and which of them is shown again.
///
/// ```
/// let mut recall = nes_debug::command::Recall::default();
/// assert_eq!(recall.enter("step frame").as_deref(), Some("step frame"));
/// assert_eq!(recall.enter("").as_deref(), Some("step frame"));
/// assert_eq!(recall.older(), Some("step frame"));
/// assert_eq!(recall.newer(), Some(""));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recall {
    /// The oldest first.
    lines: Vec<String>,
    shown: Option<usize>,
}

impl Recall {
    /// The command of a line that was entered, and remembers it. An empty one is the last again;
    /// `None` if there is none.
    pub fn enter(&mut self, line: &str) -> Option<String> {
        self.shown = None;
        let line = line.trim();
        if line.is_empty() {
            return self.lines.last().cloned();
        }
        if self.lines.last().is_none_or(|last| last != line) {
            self.lines.push(line.to_owned());
        }
        Some(line.to_owned())
    }

    /// The line before the one that is shown; `None` if there is none at all.
    pub fn older(&mut self) -> Option<&str> {
        let at = self.shown.unwrap_or(self.lines.len()).saturating_sub(1);
        let line = self.lines.get(at)?;
        self.shown = Some(at);
        Some(line)
    }

    /// The line after the one that is shown, which is empty behind the last; `None` if none is
    /// shown.
    pub fn newer(&mut self) -> Option<&str> {
        let at = self.shown? + 1;
        self.shown = (at < self.lines.len()).then_some(at);
        Some(self.lines.get(at).map_or("", String::as_str))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_again_from_the_last_to_the_first_and_back() {
        let mut recall = Recall::default();
        assert_eq!(recall.older(), None);
        assert_eq!(recall.enter(" "), None);
        for line in ["run 1", " over ", "over", "step"] {
            recall.enter(line);
        }
        assert_eq!(recall.newer(), None, "none is shown yet");
        for line in ["step", "over", "run 1", "run 1"] {
            assert_eq!(recall.older(), Some(line));
        }
        for line in ["over", "step", ""] {
            assert_eq!(recall.newer(), Some(line));
        }
        assert_eq!(recall.newer(), None);
        assert_eq!(recall.older(), Some("step"));
        assert_eq!(recall.enter("").as_deref(), Some("step"));
    }
}
