//! docs/accuracy.md, drawn from the data.

use super::notes::Notes;
use super::suite::{RomResult, Suite};
use std::fmt::Write;

/// The whole document; `opinion` is what others make of the same ROMs, which a human writes.
pub(super) fn draw(suites: &[(&Suite, Vec<RomResult>)], notes: &Notes, opinion: &str) -> String {
    let mut text = String::from(
        "# Accuracy\n\n\
         Drawn by `cargo xtask accuracy` from the runs in `docs/accuracy/`; not to be edited. What each ROM\n\
         reports is its own verdict, read without a picture. The reasons are in [notes.json](accuracy/notes.json);\n\
         what other emulators make of them, and what was not compared, stands at the end.\n\n\
         | suite | ROMs that pass | parts that pass | phase |\n|---|---|---|---|\n",
    );
    for (suite, outcomes) in suites {
        for phase in phases(outcomes) {
            let (passing, judged, passed, total) =
                tally(outcomes.iter().filter(|outcome| outcome.phase == phase));
            line(
                &mut text,
                &format!("| {} | {passing} of {judged} | {passed} of {total} | {phase} |", suite.title),
            );
        }
    }
    for (suite, outcomes) in suites {
        line(&mut text, &format!("\n## {}\n\n{}.\n", suite.title, suite.source));
        if outcomes.is_empty() {
            line(&mut text, "Not run yet: `cargo xtask accuracy --suite-dir DIR`.");
        } else {
            table(&mut text, suite, outcomes, notes);
        }
    }
    text.push_str(opinion);
    text
}

/// ROMs that pass and ROMs judged; parts that pass and parts judged.
fn tally<'a>(outcomes: impl Iterator<Item = &'a RomResult>) -> (u32, u32, u32, u32) {
    let mut tally = (0, 0, 0, 0);
    for outcome in outcomes.filter(|outcome| outcome.judged()) {
        tally.0 += u32::from(outcome.passes());
        tally.1 += 1;
        tally.2 += outcome.passed;
        tally.3 += outcome.total;
    }
    tally
}

fn table(text: &mut String, suite: &Suite, outcomes: &[RomResult], notes: &Notes) {
    line(text, "| ROM | verdict | parts | frames | reason |\n|---|---|---|---|---|");
    let several = phases(outcomes).len() > 1;
    for outcome in outcomes {
        let phase = if several { format!(", phase {}", outcome.phase) } else { String::new() };
        let reason = notes.on_rom(suite.key, &outcome.rom).map_or_else(
            || if outcome.failures.is_empty() { &outcome.text } else { "" },
            |note| &note.reason,
        );
        let RomResult { rom, verdict, passed, total, frames, .. } = outcome;
        line(text, &format!("| {rom}{phase} | {verdict} | {passed}/{total} | {frames} | {} |", cell(reason)));
    }
    let failures: Vec<_> = outcomes
        .iter()
        .flat_map(|outcome| outcome.failures.iter().map(move |failure| (outcome, failure)))
        .collect();
    if failures.is_empty() {
        return;
    }
    line(text, "\n| what fails | ROM | code | analysis |\n|---|---|---|---|");
    for (outcome, failure) in failures {
        let phase = if several { format!(", phase {}", outcome.phase) } else { String::new() };
        let analysis =
            notes.on_failure(suite.key, &outcome.rom, &failure.name).map_or("none yet", |note| &note.reason);
        let (name, code) = (cell(&failure.name), cell(&failure.code));
        line(text, &format!("| {name} | {}{phase} | {code} | {} |", outcome.rom, cell(analysis)));
    }
}

fn phases(outcomes: &[RomResult]) -> Vec<u8> {
    let mut phases: Vec<u8> = outcomes.iter().map(|outcome| outcome.phase).collect();
    phases.sort_unstable();
    phases.dedup();
    phases
}

/// Text that fits a table's cell: one line, no bars, not endless.
fn cell(text: &str) -> String {
    const LONGEST: usize = 300;
    let flat = text.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|");
    if flat.chars().count() <= LONGEST { flat } else { flat.chars().take(LONGEST).chain(['…']).collect() }
}

fn line(text: &mut String, line: &str) {
    // Writing to a String cannot fail.
    let _ = writeln!(text, "{line}");
}

#[cfg(test)]
mod tests {
    use super::super::suite::{Failure, SUITES};
    use super::*;

    fn outcome(rom: &str, verdict: &str) -> RomResult {
        let passed = u32::from(verdict == "pass");
        RomResult {
            rom: rom.into(),
            verdict: verdict.into(),
            passed,
            total: 1,
            frames: 7,
            ..RomResult::default()
        }
    }

    #[test]
    fn a_failure_carries_its_analysis_and_a_rom_that_is_excluded_is_not_counted() -> serde_json::Result<()> {
        let notes: Notes = serde_json::from_str(
            r#"{"notes": [{"suite": "pinned", "rom": "b.nes", "failure": "part", "note": "the reason"},
                          {"suite": "pinned", "rom": "c.nes", "excluded": true, "note": "PAL"}]}"#,
        )?;
        let failures = vec![Failure { name: "part".into(), code: "3".into() }];
        let outcomes = vec![
            outcome("a.nes", "pass"),
            RomResult { failures, ..outcome("b.nes", "fail") },
            outcome("c.nes", "excluded"),
        ];
        let text = draw(&[(&SUITES[3], outcomes)], &notes, "\n## Others\n");
        assert!(text.ends_with("\n## Others\n"), "{text}");
        assert!(text.contains("| 1 of 2 | 1 of 2 | 0 |"), "{text}");
        assert!(text.contains("| part | b.nes | 3 | the reason |"), "{text}");
        assert!(text.contains("| c.nes | excluded | 0/1 | 7 | PAL |"), "{text}");
        Ok(())
    }

    #[test]
    fn a_suite_that_was_never_run_says_so() {
        assert!(draw(&[(&SUITES[0], Vec::new())], &Notes::default(), "").contains("Not run yet"));
    }

    #[test]
    fn a_cell_is_one_line_without_bars() {
        assert_eq!(cell("a | b\n\n c"), "a \\| b c");
        assert_eq!(cell(&"x".repeat(400)).chars().count(), 301);
    }
}
