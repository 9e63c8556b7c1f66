//! Workflows hold no logic and trust nothing that may change: they call `cargo xtask` with options
//! that it has, actions are pinned by the hash of a commit, and they may read and nothing else
//! unless a job says so.

use super::Finding;
use clap::Parser;

/// Where they lie.
const FOLDER: &str = ".github/workflows/";

/// What else a step may run, a tool by itself: what makes the release on the host that the workflow
/// runs on, the check of advisories, which wants a database of others, and a target of the
/// compiler.
const TOOLS: [&str; 5] = [
    "gh release create ",
    "gh release upload ",
    "cargo install --locked cargo-deny@",
    "cargo deny check",
    "rustup target add ",
];

/// Checks a file, if it is a workflow.
pub(super) fn check(path: &str, text: &str) -> Vec<Finding> {
    if !path.starts_with(FOLDER) {
        return Vec::new();
    }
    let mut findings = Vec::new();
    if !text.contains("\npermissions:\n  contents: read\n") {
        findings.push(Finding::new(path, 0, "say `permissions: contents: read` for all jobs"));
    }
    for (index, line) in text.lines().enumerate() {
        let line = line.trim_start().trim_start_matches("- ");
        let complaint = match line.split_once(": ") {
            Some(("uses", action)) => unpinned(action),
            Some(("run", command)) => foreign(command),
            _ => None,
        };
        findings.extend(complaint.map(|message| Finding::new(path, index + 1, message)));
    }
    findings
}

/// An action whose version is not the hash of a commit.
fn unpinned(action: &str) -> Option<String> {
    let version = action.split_whitespace().next()?.split_once('@').map_or("", |(_, version)| version);
    let hash = version.len() == 40 && version.bytes().all(|byte| byte.is_ascii_hexdigit());
    (!hash).then(|| format!("`{action}`: pin it by the hash of a commit, and name the version behind it"))
}

/// A command that is not one of ours, or that `cargo xtask` does not understand.
fn foreign(command: &str) -> Option<String> {
    if TOOLS.iter().any(|tool| command.starts_with(tool)) {
        return None;
    }
    let Some(words) = command.strip_prefix("cargo xtask ") else {
        return Some(format!("`{command}`: call `cargo xtask`, so that it can be run by hand as well"));
    };
    // What a matrix fills in is not known here.
    let words = words.split("${{").next().unwrap_or_default().split_whitespace();
    let parsed = crate::Arguments::try_parse_from(std::iter::once("cargo xtask").chain(words));
    parsed.err().map(|error| format!("`{command}`: {}", error.to_string().lines().next().unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const FINE: &str = "name: Test\npermissions:\n  contents: read\njobs:\n  test:\n    steps:\n      - uses: \
                        actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1\n      - run: cargo xtask dist \
                        --macos\n      - run: cargo xtask python ${{ matrix.options }}\n";

    fn messages(text: &str) -> Vec<String> {
        check(".github/workflows/test.yml", text).into_iter().map(|finding| finding.to_string()).collect()
    }

    #[test]
    fn a_workflow_of_our_own_commands_and_pinned_actions_is_fine() {
        assert!(messages(FINE).is_empty(), "{:#?}", messages(FINE));
        assert!(check("docs/test.yml", "- run: ls\n").is_empty());
    }

    #[test]
    fn versions_that_move_commands_of_others_and_unknown_options_are_found() {
        for (with, part) in [
            (FINE.replace("3d3c42e5aac5ba805825da76410c181273ba90b1", "v7"), "pin it"),
            (FINE.replace("cargo xtask dist", "cargo build"), "call `cargo xtask`"),
            (FINE.replace("--macos", "--no-such-option"), "unexpected argument"),
            (FINE.replace("contents: read", "contents: write"), "contents: read"),
        ] {
            let found = messages(&with);
            assert!(found.len() == 1 && found[0].contains(part), "{part}: {found:#?}");
        }
    }
}
