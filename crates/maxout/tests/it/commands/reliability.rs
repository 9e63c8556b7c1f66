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
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};

    let mut child = Command::new(super::program::PROGRAM)
        .args(arguments)
        .current_dir(folder)
        .stdout(Stdio::null())
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
    let killed = Command::new("kill").arg(signal).arg(child.id().to_string()).status();
    assert!(killed.is_ok_and(|status| status.success()), "{signal} cannot be sent");
    let sent = Instant::now();
    loop {
        if let Some(status) = child.try_wait().expect("it can be waited for") {
            return status.code();
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
