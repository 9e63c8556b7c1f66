//! No row of docs/accuracy.md is left without an answer: it passes, or its note says what is
//! compared instead, what is out of scope, or why it fails.

use super::notes::Notes;
use super::suite::{RomResult, Suite};

/// What a note says of what is not to be judged at all.
const OUT_OF_SCOPE: &str = "out of scope";
/// Where pictures and tests lie that a note names.
const COMPARED: &str = "tests/";

/// The rows without an answer, each in a sentence. `exists` knows the tree's files.
pub(super) fn unanswered(
    suites: &[(&Suite, Vec<RomResult>)],
    notes: &Notes,
    exists: impl Fn(&str) -> bool,
) -> Vec<String> {
    let is_row = |rom: &str| suites.iter().any(|(_, outcomes)| outcomes.iter().any(|row| row.rom == rom));
    let mut unanswered = Vec::new();
    for (suite, outcomes) in suites {
        for outcome in outcomes {
            let RomResult { rom, verdict, .. } = outcome;
            let note = notes.on_rom(suite.key, rom);
            if outcome.judged() {
                let analysed = |name: &str| notes.on_failure(suite.key, rom, name).is_some();
                let failures = &outcome.failures;
                let known = note.is_some()
                    || !failures.is_empty() && failures.iter().all(|failure| analysed(&failure.name));
                if !outcome.passes() && !known {
                    unanswered.push(format!("{rom}: {verdict}, and no note says why"));
                }
            } else if !note.is_some_and(|note| answers(&note.reason, is_row, &exists)) {
                unanswered.push(format!(
                    "{rom}: {verdict}: expected a note with a file of {COMPARED} that compares it, the ROM that is \
                     the same, or \"{OUT_OF_SCOPE}\""
                ));
            }
        }
    }
    unanswered
}

/// Does the reason for not judging a ROM say what is done instead?
fn answers(reason: &str, is_row: impl Fn(&str) -> bool, exists: impl Fn(&str) -> bool) -> bool {
    let words = || reason.split([' ', ',', ';', '(', ')']);
    reason.contains(OUT_OF_SCOPE)
        || words().any(|word| word.starts_with(COMPARED) && exists(word))
        || words().any(is_row)
}

#[cfg(test)]
mod tests {
    use super::super::suite::SUITES;
    use super::*;

    fn found(verdict: &str, note: &str) -> Vec<String> {
        let notes = format!(r#"{{"notes": [{{"suite": "{}", "rom": "a.nes", {note}}}]}}"#, SUITES[0].key);
        let notes: Notes = serde_json::from_str(&notes).expect("notes");
        let outcome = RomResult { rom: "a.nes".into(), verdict: verdict.into(), ..RomResult::default() };
        unanswered(&[(&SUITES[0], vec![outcome])], &notes, |path| path == "tests/pictures/a.png")
    }

    #[test]
    fn a_row_that_passes_or_has_its_answer_is_not_found() {
        assert_eq!(found("pass", r#""excluded": false, "note": """#), Vec::<String>::new());
        for note in [
            "out of scope: wants a light gun",
            "compared with tests/pictures/a.png, which was looked at",
            "the same file as a.nes",
        ] {
            let note = format!(r#""excluded": true, "note": "{note}""#);
            assert_eq!(found("excluded", &note), Vec::<String>::new());
        }
    }

    #[test]
    fn a_row_without_an_answer_is_found() {
        for note in ["no verdict", "compared with tests/pictures/none.png", "the same file as b.nes"] {
            let note = format!(r#""excluded": true, "note": "{note}""#);
            assert!(found("excluded", &note)[0].starts_with("a.nes: excluded: expected a note"));
        }
        let other = r#""failure": "part", "note": "why""#;
        assert_eq!(found("excluded", other).len(), 1);
        assert_eq!(found("fail", other), ["a.nes: fail, and no note says why"]);
    }
}
