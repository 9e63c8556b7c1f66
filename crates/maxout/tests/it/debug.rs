//! `maxout debug` as a script uses it: exit status, messages, files.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

const SESSION: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/debugger/next_piece.script");

fn debug(folder: &Path, arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_maxout"))
        .arg("debug")
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    // A program that takes no input may be gone.
    let _ = child.stdin.take().expect("a pipe").write_all(input.as_bytes());
    child.wait_with_output().expect("the program ends")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("the output is UTF-8")
}

#[test]
fn the_session_of_the_document_passes_and_leaves_its_pictures() {
    let folder = tempfile::tempdir().expect("a folder");
    let output = debug(folder.path(), &["--script", SESSION], "");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("breakpoint 1 (execute $99A2)"));
    for name in ["lock.png", "next_piece.png", "events.png"] {
        let bytes = std::fs::read(folder.path().join(name)).expect("a picture");
        assert!(bytes.starts_with(b"\x89PNG"), "{name}");
    }
}

#[test]
fn the_way_to_the_kill_screen_is_told_as_the_document_has_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let script = SESSION.replace("next_piece", "kill_screen");
    let output = debug(folder.path(), &["--script", &script], "");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let said = text(&output.stdout);
    let line = said.lines().find(|line| line.contains(" at level 18, ")).expect("a clear");
    let document = include_str!("../../../../docs/debugger.md");
    assert!(document.contains(line), "docs/debugger.md has another line than {line}");
}

#[test]
fn a_trace_of_the_past_and_watched_values_are_told_to_a_script() {
    let folder = tempfile::tempdir().expect("a folder");
    let commands = "run 60\nwatch frame as hex\nrun 1\nwatches\ntrace past.log last 100000 nestest in nmi\n\
                    symbols save game.nes.*.nl\nsymbols load game.nes.*.nl\n";
    let output = debug(folder.path(), &[], commands);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let said = text(&output.stdout);
    assert!(said.contains("\n1  frame = $3D, was $3C\n"), "{said}");
    assert!(said.contains("game.nes.ram.nl, game.nes.0.nl, game.nes.1.nl are written"), "{said}");
    let trace = std::fs::read_to_string(folder.path().join("past.log")).expect("a trace");
    let starts = trace.lines().filter(|line| line.starts_with("8005  ")).count();
    assert!((50..=61).contains(&starts), "one a frame but for the first: {starts}");
}

#[test]
fn status_1_is_an_expectation_and_2_a_command_that_cannot_be_carried_out() {
    let folder = tempfile::tempdir().expect("a folder");
    let output = debug(folder.path(), &["-c", "run 3", "-c", "expect frame == 4"], "");
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(text(&output.stderr), "--command:2: expected frame == 4: frame is 3, 4 is 4\n");
    let output = debug(folder.path(), &[], "# nothing\n\nrun 1 # a frame\nprint 1 +\n");
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(text(&output.stderr), "error: standard input:4: column 10: expected a value\n");
    let output = debug(folder.path(), &[], "run 1\nquit\nexpect 0\n");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn symbols_and_a_patch_are_taken_at_the_start_and_files_are_whole() {
    let folder = tempfile::tempdir().expect("a folder");
    let commands = ["-c", "set prg[0] = 0x60", "-c", "patch hack.ips", "-c", "symbols save mine.nl"];
    assert!(debug(folder.path(), &commands, "").status.success());
    std::fs::write(folder.path().join("more.mlb"), "NesInternalRam:0066:shift_counter\n").expect("a file");
    let arguments = [
        "--patch",
        "hack.ips",
        "--symbols",
        "mine.nl",
        "--symbols",
        "more.mlb",
        "-c",
        "expect [0x8000] == 0x60",
        "-c",
        "expect @shift_counter == 0x66",
        "-c",
        "expect @lock == 0x99A2",
    ];
    let output = debug(folder.path(), &arguments, "");
    assert!(output.status.success(), "{}", text(&output.stderr));
    let mut names: Vec<_> = folder
        .path()
        .read_dir()
        .expect("the folder is there")
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("a plain name"))
        .collect();
    names.sort();
    assert_eq!(names, ["hack.ips", "mine.nl", "more.mlb"]);
}
