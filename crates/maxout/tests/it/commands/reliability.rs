//! What docs/reliability.md promises of the command line: no output replaces an input, and a signal
//! leaves nothing half done.

use std::path::Path;

use nes_testing::MAXOUT;

use super::program::call;

#[test]
fn no_output_replaces_the_cartridge_that_it_is_made_from() {
    let folder = tempfile::tempdir().expect("a folder");
    let rom = folder.path().join("game.nes");
    std::fs::write(&rom, MAXOUT).expect("a file");
    let calls: [&[&str]; 9] = [
        &["ai", "run", "game.nes", "--movie-out", "game.nes"],
        &["ai", "run", "game.nes", "--screenshot", "game.nes"],
        &["ai", "perpetual-demo", "game.nes", "--movie-out", "game.nes"],
        &["tetris", "music", "title", "game.nes", "--out", "game.nes"],
        &["tetris", "endings", "game.nes", "--points", "30000", "--out", "./game.nes"],
        &["tetris", "legal", "game.nes", "--out", "game.nes"],
        &["tetris", "colours", "game.nes", "--out", "game.nes"],
        &["tetris", "two-player", "game.nes", "--out", "game.nes"],
        &["tetris", "colours", "--profile", "game.nes", "--out", "game.nes"],
    ];
    for arguments in calls {
        let error = call(arguments).inside(folder.path()).refused();
        assert!(error.contains("game.nes") && error.contains("--"), "{arguments:?}: {error}");
        assert_eq!(std::fs::read(&rom).expect("it is there"), MAXOUT, "{arguments:?}");
    }
}

/// Starts the program, sends it a signal once `begun` says so, and returns its exit status.
#[cfg(unix)]
fn signalled(arguments: &[&str], folder: &Path, signal: &str, begun: impl Fn() -> bool) -> Option<i32> {
    signalled_printing(arguments, folder, signal, begun).0
}

/// The same, and what it printed.
#[cfg(unix)]
fn signalled_printing(
    arguments: &[&str],
    folder: &Path,
    signal: &str,
    begun: impl Fn() -> bool,
) -> (Option<i32>, String) {
    use std::io::{Read, Seek};
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};

    use rustix::process::{Pid, Signal, kill_process};

    let mut output = tempfile::tempfile().expect("a file");
    let mut child = Command::new(super::program::PROGRAM)
        .args(arguments)
        .current_dir(folder)
        .stdout(output.try_clone().expect("a file"))
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    let begin = Instant::now();
    while !begun() {
        assert!(begin.elapsed() < Duration::from_secs(60), "{arguments:?} does not begin");
        std::thread::sleep(Duration::from_millis(20));
    }
    // Long enough for the program to listen.
    std::thread::sleep(Duration::from_millis(500));
    let number = match signal {
        "-INT" => Signal::INT,
        "-TERM" => Signal::TERM,
        "-HUP" => Signal::HUP,
        other => panic!("{other} is no signal of these tests"),
    };
    kill_process(Pid::from_child(&child), number).expect("the signal can be sent");
    let sent = Instant::now();
    loop {
        if let Some(status) = child.try_wait().expect("it can be waited for") {
            let mut printed = String::new();
            output.rewind().expect("a file");
            output.read_to_string(&mut printed).expect("text");
            return (status.code(), printed);
        }
        if sent.elapsed() > Duration::from_secs(30) {
            let _ = child.kill();
            panic!("{arguments:?} runs on after {signal}");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[cfg(unix)]
#[test]
fn a_signal_ends_a_run_and_leaves_no_draft() {
    for signal in ["-INT", "-TERM", "-HUP"] {
        let folder = tempfile::tempdir().expect("a folder");
        let files = || folder.path().read_dir().expect("a folder").count();
        let arguments = ["run", "--frames", "4000000000", "--wav", "sound.wav"];
        assert_eq!(signalled(&arguments, folder.path(), signal, || files() > 0), Some(130), "{signal}");
        assert_eq!(files(), 0, "{signal}");
    }
}

#[cfg(unix)]
#[test]
fn a_signal_ends_a_batch_and_the_games_that_are_finished_are_printed() {
    let folder = tempfile::tempdir().expect("a folder");
    let arguments = ["ai", "run", "--games", "2000", "--frames", "300", "--json"];
    let begin = std::time::Instant::now();
    let begun = || begin.elapsed().as_millis() >= 1_500;
    let (status, printed) = signalled_printing(&arguments, folder.path(), "-INT", begun);
    assert_eq!(status, Some(130));
    let report: serde_json::Value = serde_json::from_str(&printed).expect("JSON");
    let finished = report["games"].as_array().expect("games").len();
    assert!((1..2000).contains(&finished), "{finished}");
}

/// The ROM says in the battery's RAM that its test runs, and says nothing else for weeks.
#[cfg(unix)]
#[test]
fn a_test_is_interrupted_within_a_rom() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut code = vec![];
    for (at, byte) in [0x80, 0xDE, 0xB0, 0x61].into_iter().enumerate() {
        code.extend([0xA9, byte, 0x8D, at as u8, 0x60]); // LDA #byte, STA $6000 + at
    }
    let [low, high] = (0x8000 + code.len() as u16).to_le_bytes();
    code.extend([0x4C, low, high]); // JMP to itself
    std::fs::write(folder.path().join("game.nes"), nes_testing::Image::nrom(&code).bytes()).expect("a file");
    let arguments = ["test", "game.nes", "--frames", "4294967295"];
    assert_eq!(signalled(&arguments, folder.path(), "-INT", || true), Some(130));
}

/// An image with a battery, whose program writes 7 into it and stands still.
#[cfg(all(unix, feature = "window"))]
fn with_battery() -> Vec<u8> {
    let code = [0xA9, 7, 0x8D, 0x00, 0x60, 0x4C, 0x05, 0x80]; // LDA #7, STA $6000, JMP to itself
    nes_testing::Image::nrom(&code).with(6, 2).bytes()
}

/// What the battery keeps in a folder of `maxout play --folder`, and whether drafts are left.
#[cfg(all(unix, feature = "window"))]
fn saved(folder: &Path) -> (Option<u8>, bool) {
    let files = || folder.join("saves").read_dir().into_iter().flatten().flatten();
    let name = |file: &std::fs::DirEntry| file.file_name().to_string_lossy().into_owned();
    let save = files().find(|file| file.path().extension().is_some_and(|ending| ending == "sav"));
    let first = save.and_then(|file| std::fs::read(file.path()).ok()?.first().copied());
    (first, files().any(|file| name(&file).starts_with(".maxout-")))
}

#[cfg(all(unix, feature = "window"))]
#[test]
fn a_signal_ends_play_with_what_the_battery_keeps_in_its_file() {
    for signal in ["-INT", "-TERM", "-HUP"] {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("game.nes"), with_battery()).expect("a file");
        let arguments = ["play", "game.nes", "--headless", "--folder", "."];
        let begun = || folder.path().join("saves").is_dir();
        assert_eq!(signalled(&arguments, folder.path(), signal, begun), Some(130), "{signal}");
        assert_eq!(saved(folder.path()), (Some(7), false), "{signal}");
    }
}

/// The folder for what batteries keep is a file: nothing can be written into it by anybody.
#[cfg(all(unix, feature = "window"))]
#[test]
fn what_could_not_be_saved_is_said_by_the_status_and_found_by_the_next_session() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path();
    // Another image in every run: files of earlier ones may lie about.
    let number = (std::process::id(), std::time::SystemTime::now());
    let mut image = with_battery();
    let end = image.len() - 200;
    let text = format!("{number:?}");
    image[end..end + text.len().min(190)].copy_from_slice(&text.as_bytes()[..text.len().min(190)]);
    std::fs::write(path.join("game.nes"), image).expect("a file");
    std::fs::write(path.join("saves"), "").expect("a file");
    let play = ["play", "game.nes", "--headless", "--folder", ".", "--exit-after-frames", "30"];
    let error = call(&play).inside(path).refused();
    assert!(error.contains("the next session will load it from there"), "{error}");
    std::fs::remove_file(path.join("saves")).expect("it is there");
    let ended = std::process::Command::new(super::program::PROGRAM).args(play).current_dir(path).output();
    let ended = ended.expect("it starts");
    let said = String::from_utf8_lossy(&ended.stderr);
    assert!(ended.status.success() && said.contains("could not save; it is used"), "{said}");
    assert_eq!(saved(path), (Some(7), false));
}
