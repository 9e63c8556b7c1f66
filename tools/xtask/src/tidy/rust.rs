//! What a Rust source may not hold.

use super::Finding;
use super::levels::OUTSIDE;

/// Longest source file, in lines (docs/STYLE.md).
const LONGEST: usize = 600;

/// Tables that a reader scans rather than reads.
const TABLES: &[&str] = &["crates/nes-cpu/src/opcode.rs", "tests/tests/conformance.rs"];

/// Macros that say that something is not finished.
const UNFINISHED: &[&str] = &["todo", "unimplemented", "dbg"];

/// Modules of `std` that meet the outside world.
const OUTSIDE_MODULES: &[&str] = &["fs", "env", "time", "net", "process", "path", "os"];

/// Checks one file. `level` is that of the crate whose source it is.
pub(super) fn check(path: &str, text: &str, level: Option<u8>) -> Vec<Finding> {
    let mut findings = Vec::new();
    let lines = text.lines().count();
    if lines > LONGEST && !TABLES.contains(&path) {
        findings.push(Finding::new(
            path,
            LONGEST,
            format!("{lines} lines, at most {LONGEST}: find the second noun and split"),
        ));
    }
    let code = code(text);
    for (index, line) in code.lines().enumerate() {
        let mut report = |message: String| findings.push(Finding::new(path, index + 1, message));
        for (word, after) in words(line) {
            let called = after.trim_start().starts_with('!');
            if called && UNFINISHED.contains(&word) {
                report(format!("`{word}!` is left: finish it or take it out"));
            } else if word == "unsafe" {
                report("`unsafe`: find the safe way, the workspace forbids it".into());
            }
        }
        if line.replace(' ', "").contains("#[ignore]") {
            report(
                "an ignored test without a reason: `#[ignore = \"why, and the command that runs it\"]`"
                    .into(),
            );
        }
    }
    if level.is_some_and(|level| level < OUTSIDE) {
        for (line, module) in outside(&code) {
            findings.push(Finding::new(
                path,
                line,
                format!("`{module}` below level {OUTSIDE}: the caller reads it and passes the value"),
            ));
        }
    }
    findings
}

/// Uses of the outside world: line, and the path used.
fn outside(code: &str) -> Vec<(usize, String)> {
    let mut uses = Vec::new();
    for (offset, _) in code.match_indices("std::") {
        if code[..offset].ends_with(|before: char| before.is_alphanumeric() || before == '_') {
            continue;
        }
        let rest = &code[offset + "std::".len()..];
        let mut depth = 0_u32;
        let mut fresh = true; // at the start of a path: `std::` itself, or an item of its braces
        let mut position = 0;
        while let Some(character) = rest[position..].chars().next() {
            match character {
                '{' => depth += 1,
                '}' => depth = depth.saturating_sub(1),
                ',' if depth == 1 => fresh = true,
                ';' => break,
                _ if character.is_whitespace() => {}
                _ => {
                    let word = leading_word(&rest[position..]);
                    if fresh && OUTSIDE_MODULES.contains(&word) {
                        let line = code[..offset + "std::".len() + position].matches('\n').count() + 1;
                        uses.push((line, format!("std::{word}")));
                    }
                    fresh = false;
                    position += word.len().max(character.len_utf8());
                    if depth == 0 {
                        break;
                    }
                    continue;
                }
            }
            if depth == 0 && character == '}' {
                break;
            }
            position += character.len_utf8();
        }
    }
    for (index, line) in code.lines().enumerate() {
        if words(line).any(|(word, after)| word == "rand" && after.starts_with("::")) {
            uses.push((index + 1, "rand".into()));
        }
    }
    uses
}

fn leading_word(text: &str) -> &str {
    let end =
        text.find(|character: char| !character.is_alphanumeric() && character != '_').unwrap_or(text.len());
    &text[..end]
}

/// The identifiers of a line, each with what follows it.
fn words(line: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut rest = line;
    std::iter::from_fn(move || {
        let start = rest.find(|character: char| character.is_alphanumeric() || character == '_')?;
        let word = leading_word(&rest[start..]);
        rest = &rest[start + word.len()..];
        Some((word, rest))
    })
}

/// The source with comments and the insides of literals blanked, line for line.
fn code(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(character) = rest.chars().next() {
        let length = match character {
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("/*") => comment_length(rest),
            '"' => string_length(rest),
            '\'' => char_length(rest),
            'r' | 'b' | 'c' if !out.ends_with(|before: char| before.is_alphanumeric() || before == '_') => {
                raw_string_length(rest)
            }
            _ => 0,
        };
        if length == 0 {
            out.push(character);
            rest = &rest[character.len_utf8()..];
        } else {
            out.extend(rest[..length].chars().map(|inside| if inside == '\n' { '\n' } else { ' ' }));
            rest = &rest[length..];
        }
    }
    out
}

/// Length of the block comment that begins here; they nest.
fn comment_length(text: &str) -> usize {
    let mut depth = 0_u32;
    let mut position = 0;
    while position < text.len() {
        let rest = &text[position..];
        if rest.starts_with("/*") {
            depth += 1;
            position += 2;
        } else if rest.starts_with("*/") {
            depth -= 1;
            position += 2;
            if depth == 0 {
                return position;
            }
        } else {
            position += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
    text.len()
}

/// Length of the string literal that begins with this quote.
fn string_length(text: &str) -> usize {
    let mut escaped = false;
    for (position, character) in text.char_indices().skip(1) {
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return position + 1,
            _ => {}
        }
    }
    text.len()
}

/// Length of the character literal that begins here, or 0 for a lifetime.
fn char_length(text: &str) -> usize {
    let mut characters = text.char_indices().skip(1);
    match characters.next() {
        Some((_, '\\')) => {
            characters.next();
            characters.find(|&(_, character)| character == '\'').map_or(0, |(position, _)| position + 1)
        }
        Some(_) => match characters.next() {
            Some((position, '\'')) => position + 1,
            _ => 0,
        },
        None => 0,
    }
}

/// Length of the raw string literal that begins here (`r"`, `r#"`, `br"` …), or 0.
fn raw_string_length(text: &str) -> usize {
    let prefix = text.len() - text.trim_start_matches(['b', 'c']).len();
    if prefix > 1 || !text[prefix..].starts_with('r') {
        return 0;
    }
    let after = &text[prefix + 1..];
    let hashes = after.len() - after.trim_start_matches('#').len();
    if !after[hashes..].starts_with('"') {
        return 0;
    }
    let close = format!("\"{}", "#".repeat(hashes));
    let opening = prefix + 1 + hashes + 1;
    text[opening..].find(&close).map_or(text.len(), |position| opening + position + close.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn messages(text: &str, level: u8) -> Vec<String> {
        check("crates/nes/src/lib.rs", text, Some(level)).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn what_is_unfinished_is_found_with_its_line() {
        let found = messages("fn a() {\n    todo!()\n}\nfn b() { dbg! (1); unimplemented!(\"x\") }\n", 2);
        assert_eq!(found.len(), 3);
        assert!(found[0].starts_with("crates/nes/src/lib.rs:2: `todo!`"), "{found:?}");
        assert!(found[1].starts_with("crates/nes/src/lib.rs:4: `dbg!`"), "{found:?}");
    }

    #[test]
    fn comments_and_literals_are_not_code() {
        let text = "// todo!() unsafe\n/* dbg!() /* unsafe */ todo!() */\nlet a = \"todo!() \\\" unsafe\";\n\
                    let b = r#\"unsafe \" dbg!()\"#; let c = '\"'; let d: &'static str = \"unsafe\";\n";
        assert_eq!(messages(text, 2), Vec::<String>::new());
    }

    #[test]
    fn code_after_a_character_literal_is_still_code() {
        assert_eq!(messages("let a = '\\''; unsafe {}\nlet b = 'x'; dbg!(b);\n", 2).len(), 2);
    }

    #[test]
    fn unsafe_is_a_word_not_a_part_of_one() {
        assert!(messages("#![forbid(unsafe_code)]\n", 2).is_empty());
        assert_eq!(messages("pub unsafe fn a() {}\n", 2).len(), 1);
    }

    #[test]
    fn an_ignored_test_says_why() {
        assert_eq!(messages("#[ignore]\nfn a() {}\n", 5).len(), 1);
        assert!(messages("#[ignore = \"needs a file: cargo test -- --ignored\"]\nfn a() {}\n", 5).is_empty());
    }

    #[test]
    fn the_outside_world_begins_at_the_front_ends() {
        let text = "use std::fs;\nuse std::{\n    collections::BTreeMap,\n    env::{self, args},\n    fmt,\n};\n\
                    fn now() { std::time::Instant::now(); }\nuse std::collections::env_like;\nlet r = rand::random();\n";
        let found = messages(text, 2);
        assert_eq!(found.len(), 4, "{found:?}");
        assert!(found[1].contains(":4: `std::env`"), "{found:?}");
        assert!(messages(text, 4).is_empty());
    }

    #[test]
    fn a_file_over_the_limit_is_found_unless_it_is_a_table() {
        let text = "\n".repeat(LONGEST + 1);
        assert_eq!(check("crates/nes/src/lib.rs", &text, None).len(), 1);
        assert!(check(TABLES[0], &text, None).is_empty());
    }
}
