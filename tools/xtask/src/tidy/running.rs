//! Where a console's frames are run.

use super::Finding;

/// Crates whose business it is: the console, the definition beside it, the judge of test ROMs, the
/// running game, and what a debugger, a script, a practice session and the computer player do
/// within a frame.
const RUNNERS: &[&str] = &[
    "crates/nes",
    "crates/nes-conformance",
    "crates/emulator",
    "crates/nes-debug",
    "crates/lua",
    "crates/nes-testing",
    "crates/practice",
    "crates/autopilot",
    "tools/prove",
    "tools/bench",
];

/// Files that run a console by itself, and why.
const ALONE: &[(&str, &str)] = &[
    ("crates/research/src/tetris/parity.rs", "the console beside the model, byte by byte after each frame"),
    ("tools/fceux/src/lib.rs", "the console beside FCEUX, within a frame instruction by instruction"),
];

/// What runs a frame.
const CALL: &str = ".run_frame(";

/// Finds frames that are run outside of the crates whose business it is.
pub(super) fn check(path: &str, text: &str) -> Vec<Finding> {
    let in_tests = path.contains("/tests/")
        || path.ends_with("tests.rs")
        || path.ends_with("both_cartridges.rs")
        || path.contains("/examples/");
    if in_tests || path.ends_with("tidy/running.rs") || RUNNERS.iter().any(|folder| is_in(path, folder)) {
        return vec![];
    }
    // Tests come last in a file.
    let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let calls: Vec<_> = (1..)
        .zip(code.lines())
        .filter(|(_, line)| line.contains(CALL) && !line.trim_start().starts_with("//"))
        .map(|(number, _)| number)
        .collect();
    let is_alone = ALONE.iter().any(|(file, _)| *file == path);
    match (is_alone, calls.first()) {
        (false, Some(&line)) => vec![Finding::new(
            path,
            line,
            "a frame is run by hand: drive `emulator::Emulator`, which attaches everything in one order",
        )],
        (true, None) => vec![Finding::new(
            path,
            0,
            "no frame is run here any more: strike the file from ALONE in tools/xtask/src/tidy/running.rs",
        )],
        _ => vec![],
    }
}

fn is_in(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_run_by_hand_is_found_and_so_is_an_exception_that_is_none_any_more() {
        let lines =
            |path: &str, text: &str| check(path, text).iter().map(|finding| finding.line).collect::<Vec<_>>();
        let text = "//! Text.\nlet _ = console.run_frame(&mut pads, &mut ());\n";
        assert_eq!(lines("crates/maxout/src/new.rs", text), [2]);
        assert_eq!(lines("crates/nes-new/src/lib.rs", text), [2], "no crate by the beginning of a name");
        assert_eq!(lines("tools/fceux/src/lib.rs", text), [0; 0]);
        assert_eq!(lines("tools/fceux/src/lib.rs", "fn run() {}\n"), [0]);
        for path in ["crates/emulator/src/emulator/frame.rs", "crates/web/tests/it/play.rs"] {
            assert_eq!(lines(path, text), [0; 0], "{path}");
        }
        let tested = format!("fn a() {{}}\n#[cfg(test)]\nmod tests {{\n{text}}}\n");
        assert_eq!(lines("crates/maxout/src/new.rs", &tested), [0; 0]);
        assert_eq!(lines("crates/maxout/src/new.rs", "// console.run_frame(\n"), [0; 0]);
    }
}
