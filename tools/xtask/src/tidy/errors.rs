//! Functions that fail say why by a type, not by a text.

use std::path::Path;

use super::Finding;

/// What a signature or an alias contains that fails with a text.
const TEXT: &str = ", String>";

/// Finds results whose error is a `String`, outside of tests.
pub(super) fn check(path: &str, text: &str) -> Vec<Finding> {
    if Path::new(path).extension().is_none_or(|ending| ending != "rs")
        || path.ends_with("tests.rs")
        || path.contains("/tests/")
    {
        return vec![];
    }
    // Tests come last in a file.
    let code = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
    let fails_with_text = |line: &str| {
        let code = line.trim_start();
        !code.starts_with("//") && code.split("Result<").skip(1).any(closes_with_text)
    };
    let found = (1..).zip(code.lines()).filter(|(_, line)| fails_with_text(line));
    found
        .map(|(number, _)| {
            Finding::new(
                path,
                number,
                "this fails with a text: give the module an error enum, whose messages say what was expected and found",
            )
        })
        .collect()
}

/// Returns whether the bracket that is open at the beginning of `rest` closes after `String`.
fn closes_with_text(rest: &str) -> bool {
    let mut depth = 1;
    for (at, letter) in rest.char_indices() {
        match letter {
            '<' | '(' | '[' => depth += 1,
            // An arrow closes nothing.
            '>' if rest[..at].ends_with('-') => {}
            '>' | ')' | ']' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return rest[..=at].ends_with(TEXT);
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_with_a_text_for_an_error_are_found() {
        let text = "fn a() -> Result<(), String> {\ntype B = Result<Vec<(u8, String)>, String>;\n\
                    fn c() -> Result<Vec<(u8, String)>, io::Error> {\nfn d() -> Result<HashMap<u8, String>, E> {\n\
                    fn e(f: impl Fn() -> Result<(), String>) {\n/// As `Result<(), String>`.\n\
                    #[cfg(test)]\nmod tests {\nfn f() -> Result<(), String> {\n";
        let found = check("crates/a/src/lib.rs", text);
        assert_eq!(found.iter().map(|finding| finding.line).collect::<Vec<_>>(), [1, 2, 5]);
        assert!(check("crates/a/src/tests.rs", text).is_empty() && check("docs/a.md", text).is_empty());
    }
}
