//! Reports as JUnit XML, which build servers read.

use std::fmt::Write;

use nes_conformance::{Report, Verdict};

/// One `testcase` a ROM.
pub(crate) fn xml(reports: &[Report]) -> String {
    let count = |verdicts: &[Verdict]| reports.iter().filter(|r| verdicts.contains(&r.verdict)).count();
    let mut xml = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    // Writing into a String cannot fail.
    let _ = writeln!(
        xml,
        r#"<testsuite name="maxout test" tests="{}" failures="{}" errors="{}" skipped="{}">"#,
        reports.len(),
        count(&[Verdict::Fail, Verdict::Timeout]),
        count(&[Verdict::Error]),
        count(&[Verdict::Unknown]),
    );
    for report in reports {
        let _ = write!(xml, r#"  <testcase name="{}">"#, escape(&report.rom));
        let summary = summary(report);
        let text = escape(&report.text);
        let _ = match report.verdict {
            Verdict::Pass => Ok(()),
            Verdict::Fail | Verdict::Timeout => {
                write!(xml, r#"<failure message="{}">{text}</failure>"#, escape(&summary))
            }
            Verdict::Error => write!(xml, r#"<error message="{text}"/>"#),
            Verdict::Unknown => write!(xml, r#"<skipped message="no verdict that a program can read"/>"#),
        };
        xml.push_str("</testcase>\n");
    }
    xml.push_str("</testsuite>\n");
    xml
}

/// The failures of a report in a line.
fn summary(report: &Report) -> String {
    let parts: Vec<_> = report.failures.iter().map(|f| format!("{}: {}", f.name, f.code)).collect();
    if parts.is_empty() { report.verdict.word().to_owned() } else { parts.join("; ") }
}

// XML 1.0 has no way to write most control characters.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\n' => escaped.push_str("&#10;"),
            c if c.is_control() => escaped.push('\u{FFFD}'),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_a_rom_cannot_break_the_document() {
        let report = Report::error("found <\"zip\"> & \u{1b}more").named("a&b.nes");
        let xml = xml(&[report]);
        assert!(xml.contains(r#"name="a&amp;b.nes""#));
        assert!(xml.contains("found &lt;&quot;zip&quot;&gt; &amp; \u{FFFD}more"));
        assert!(xml.contains(r#"tests="1" failures="0" errors="1""#));
    }
}
