//! The width of comments.

use super::Finding;

const WIDTH: usize = 100;

/// Finds lines of comments that are too long. Code, tables and what begins with code stay as they
/// are, because they cannot be broken.
pub(super) fn check(path: &str, text: &str) -> Vec<Finding> {
    let mut is_code = false;
    let mut findings = vec![];
    for (number, line) in (1..).zip(text.lines()) {
        let Some(comment) = line.trim_start().strip_prefix("//") else {
            is_code = false;
            continue;
        };
        let indented = comment.trim_start_matches(['/', '!']);
        let comment = indented.trim_start();
        if comment.starts_with("```") {
            is_code = !is_code;
        } else if !is_code
            && !indented.starts_with("     ")
            && !comment.contains("   ")
            && !comment.starts_with(['|', '`'])
            && line.chars().count() > WIDTH
        {
            findings.push(Finding::new(path, number, format!("break this comment at {WIDTH} columns")));
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_is_broken_and_code_and_tables_are_not() {
        let word = "word ".repeat(30);
        let lines = |text: &str| check("a.rs", text).iter().map(|finding| finding.line).collect::<Vec<_>>();
        assert_eq!(lines(&format!("/// short\n    /// {word}\n//! {word}\nlet a = \"{word}\";\n")), [2, 3]);
        assert_eq!(lines(&format!("/// ```\n/// {word}\n/// ```\n/// {word}\n")), [4]);
        assert_eq!(lines(&format!("/// | {word} |\n/// a    {word}\n/// `{word}`\n")), [0; 0]);
        assert_eq!(lines(&format!("//!     cargo run {word}\n")), [0; 0]);
        assert_eq!(lines(&format!("/// {}\n", "ä".repeat(96))), [0; 0], "columns, not bytes");
        assert_eq!(lines(&format!("/// {}\n", "ä".repeat(97))), [1]);
    }
}
