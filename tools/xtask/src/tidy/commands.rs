//! Test commands in documents, comments and reasons of ignored tests: each must match a test.

use super::Finding;
use crate::known_tests::{Kind, Test};

/// Options of cargo and of the test program that are followed by a value of no interest here.
const WITH_VALUE: &[&str] = &["--features", "--profile", "--target", "--test-threads", "--skip"];

/// Checks the test commands of a document or of the comments and ignore reasons of a source.
pub(super) fn check(path: &str, text: &str, tests: &[Test]) -> Vec<Finding> {
    let is_rust = path.rsplit_once('.').is_some_and(|(_, extension)| extension == "rs");
    let mut findings = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.trim_start();
        if is_rust && !line.starts_with("//") && !line.starts_with("#[ignore") {
            continue;
        }
        for command in commands(line) {
            if let Some(filter) = without_a_test(&command, tests) {
                let message = format!("`{command}` runs no test: nothing matches {filter}");
                findings.push(Finding::new(path, index + 1, message));
            }
        }
    }
    findings
}

/// The `cargo test` commands of a line, each up to the end of its code span, string or sentence;
/// `T` stands for `cargo test -p` (docs/reliability.md).
fn commands(line: &str) -> Vec<String> {
    let ends = |rest: &str| rest.find(['`', '"', ';', ')', '#', ',']).unwrap_or(rest.len());
    let long = line.match_indices("cargo test ").map(|(at, _)| (at, ""));
    // Elsewhere T is a time.
    let is_package = |at: usize| line[at + 3..].starts_with(|letter: char| letter.is_ascii_lowercase());
    let short =
        line.match_indices("`T ").filter(|&(at, _)| is_package(at)).map(|(at, _)| (at + 1, "cargo test -p"));
    long.chain(short)
        .map(|(at, instead)| {
            let rest = &line[at..];
            let command = rest[..ends(rest)].trim();
            if instead.is_empty() { command.to_owned() } else { command.replacen('T', instead, 1) }
        })
        .collect()
}

/// The filter of a command that matches none of the tests that the rest of the command selects.
fn without_a_test(command: &str, tests: &[Test]) -> Option<String> {
    let mut words = command.split_whitespace().skip(2);
    let (mut packages, mut targets, mut filters) = (vec![], vec![], vec![]);
    let (mut ignored, mut program) = (false, false);
    while let Some(word) = words.next() {
        match word {
            "-p" | "--package" => packages.push(words.next()?),
            "--test" => targets.push(Kind::Integration(words.next()?.to_owned())),
            "--bin" => targets.push(Kind::Program(words.next()?.to_owned())),
            "--lib" => targets.push(Kind::Library),
            "--" => program = true,
            "--ignored" => ignored = true,
            _ if WITH_VALUE.contains(&word) => {
                words.next();
            }
            _ if word.starts_with('-') => {}
            // A name in capitals stands for any, and prose is no filter.
            _ if word.chars().all(|letter| letter.is_ascii_uppercase()) => return None,
            _ if program || filters.is_empty() => filters.push(word),
            _ => break,
        }
    }
    if packages.contains(&"CRATE") {
        return None;
    }
    let selected = |test: &&Test| {
        (packages.is_empty() || packages.contains(&test.package.as_str()))
            && (targets.is_empty() || targets.contains(&test.target))
            && (!ignored || test.ignored.is_some())
    };
    if filters.is_empty() && !packages.is_empty() {
        filters.push("");
    }
    let missing = |filter: &&str| !tests.iter().filter(selected).any(|test| test.path.contains(*filter));
    filters.into_iter().find(missing).map(|filter| format!("\"{filter}\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(path: &str, text: &str) -> Vec<usize> {
        let test = |package: &str, target, path: &str, ignored: Option<&str>| Test {
            package: package.into(),
            target,
            path: path.into(),
            ignored: ignored.map(Into::into),
            file: String::new(),
        };
        let tests = [
            test("desktop", Kind::Library, "audio::a_gap", None),
            test("desktop", Kind::Integration("it".into()), "window::keys", Some("")),
        ];
        check(path, text, &tests).into_iter().map(|finding| finding.line).collect()
    }

    #[test]
    fn a_command_that_matches_a_test_by_package_target_and_filter_is_fine() {
        let fine = "`cargo test -p desktop` and `cargo test -p desktop --lib audio::`\n\
            cargo test --release -p desktop --test it -- --ignored --test-threads 1 keys # minutes\n\
            `T desktop a_gap`, `cargo test -p CRATE`, `cargo test --workspace -- FILTER`\n\
            `T = 12 n`, `cargo test -p desktop --test it window:: -- --ignored`\n";
        assert!(found("docs/a.md", fine).is_empty());
    }

    #[test]
    fn a_command_that_matches_no_test_is_found_with_its_line() {
        let wrong = "fine\n`cargo test -p desktop --lib keys`\n`cargo test -p desktop --test cartridge`\n\
            `T desktop no_gap`\n`cargo test -p nowhere`\n`cargo test -p desktop -- --ignored gap`\n";
        assert_eq!(found("docs/a.md", wrong), [2, 3, 4, 5, 6]);
    }

    #[test]
    fn in_a_source_comments_and_reasons_are_read() {
        let source = "//! `cargo test -p desktop gone`\nlet a = \"cargo test -p desktop gone\";\n\
            #[ignore = \"minutes: cargo test -p desktop gone -- --ignored\"]\n";
        assert_eq!(found("a.rs", source), [1, 3]);
    }
}
