//! Reports as JUnit XML, which build servers read.

use nes_conformance::{Report, Verdict};
use quick_junit::{NonSuccessKind, Report as Document, SerializeError, TestCase, TestCaseStatus, TestSuite};

/// Returns the document: one `testcase` a ROM.
///
/// # Errors
/// When it cannot be written as UTF-8.
pub(crate) fn xml(reports: &[Report]) -> Result<String, SerializeError> {
    let mut suite = TestSuite::new("maxout test");
    suite.add_test_cases(reports.iter().map(case));
    let mut document = Document::new("maxout test");
    document.add_test_suite(suite);
    document.to_string()
}

fn case(report: &Report) -> TestCase {
    let failed = |kind| TestCaseStatus::non_success(kind);
    let (mut status, message, text) = match report.verdict {
        Verdict::Pass => return TestCase::new(&*report.rom, TestCaseStatus::success()),
        Verdict::Fail | Verdict::Timeout => {
            (failed(NonSuccessKind::Failure), summary(report), Some(&*report.text))
        }
        Verdict::Error => (failed(NonSuccessKind::Error), report.text.clone(), None),
        Verdict::Unknown => {
            (TestCaseStatus::skipped(), "no verdict that a program can read".to_owned(), None)
        }
    };
    status.set_message(message);
    if let Some(text) = text {
        status.set_description(text);
    }
    TestCase::new(&*report.rom, status)
}

/// The failures of a report in a line.
fn summary(report: &Report) -> String {
    let parts: Vec<_> = report.failures.iter().map(|f| format!("{}: {}", f.name, f.code)).collect();
    if parts.is_empty() { report.verdict.word().to_owned() } else { parts.join("; ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_a_rom_cannot_break_the_document() {
        let report = Report::error("found <\"zip\"> & \u{1b}more").named("a&b.nes");
        let xml = xml(&[report]).unwrap();
        assert!(xml.contains(r#"name="a&amp;b.nes""#));
        assert!(xml.contains("found &lt;&quot;zip&quot;&gt; &amp; "), "{xml}");
        assert!(!xml.contains('\u{1b}'));
        assert!(xml.contains(r#"tests="1""#) && xml.contains(r#"errors="1""#), "{xml}");
        assert!(quick_junit::Report::deserialize_from_str(&xml).is_ok(), "{xml}");
    }
}
