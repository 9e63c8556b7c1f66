//! What came of all ends, by surface and end.

use std::collections::BTreeMap;
use std::fmt;

use crate::case::EndResult;
use crate::end::End;
use crate::surface::Surface;

/// What came of ends of one kind.
#[derive(Debug, Default, Clone, Copy)]
struct Row {
    ends: u64,
    /// Frames that were there to lose, all together.
    known: u64,
    /// Frames that were lost at most.
    lost: u64,
    drafts: u64,
    failures: u64,
}

/// All of them.
#[derive(Debug, Default)]
pub(crate) struct Table {
    surfaces: BTreeMap<Surface, Row>,
    ends: BTreeMap<End, Row>,
}

impl Row {
    fn add(&mut self, outcome: &EndResult) {
        self.ends += 1;
        self.known += outcome.known;
        self.lost = self.lost.max(outcome.lost);
        self.drafts += outcome.drafts;
        self.failures += u64::from(!outcome.failures.is_empty());
    }
}

impl Table {
    /// Adds what came of an end.
    pub(crate) fn add(&mut self, surface: Surface, end: End, outcome: &EndResult) {
        self.surfaces.entry(surface).or_default().add(outcome);
        self.ends.entry(end).or_default().add(outcome);
    }

    /// Returns how many of them failed.
    pub(crate) fn failures(&self) -> u64 {
        self.surfaces.values().map(|row| row.failures).sum()
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "| | ends | frames on average | frames lost at most | drafts left by killed programs | failed |"
        )?;
        writeln!(f, "|---|---|---|---|---|---|")?;
        let mut line = |name: String, Row { ends, known, lost, drafts, failures }: Row| {
            writeln!(f, "| {name} | {ends} | {} | {lost} | {drafts} | {failures} |", known / ends.max(1))
        };
        self.surfaces.iter().try_for_each(|(surface, row)| line(surface.to_string(), *row))?;
        self.ends.iter().try_for_each(|(end, row)| line(end.to_string(), *row))?;
        let all = self.surfaces.values().fold(Row::default(), |all, row| Row {
            ends: all.ends + row.ends,
            known: all.known + row.known,
            lost: all.lost.max(row.lost),
            drafts: all.drafts + row.drafts,
            failures: all.failures + row.failures,
        });
        line("all".to_owned(), all)
    }
}
