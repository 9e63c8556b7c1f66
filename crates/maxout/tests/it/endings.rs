//! How the program ends when it is not asked politely: several signals at once, a terminal that is
//! closed, a standard error that takes nothing.

use std::fs::File;
use std::io::Read;
use std::os::fd::OwnedFd;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

/// How long the program may take for anything, on however busy a machine.
const LONGEST: Duration = Duration::from_secs(120);
const LOOK: Duration = Duration::from_millis(10);

/// Found by `cargo xtask attack --seed 903`: the window's library panics.
#[cfg(feature = "window")]
#[test]
fn where_no_more_files_can_be_opened_the_window_says_so() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -n 12 && exec \"$0\" play", env!("CARGO_BIN_EXE_maxout")]);
    command.current_dir(&folder).env("HOME", folder.path()).env_remove("XDG_CONFIG_HOME");
    let output = command.stdin(Stdio::null()).output().expect("it starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("a window needs 16 open files") && !said.contains("panicked"), "{said}");
}

/// The sound library's default host panics there.
#[cfg(feature = "window")]
#[test]
fn a_mistake_in_the_configuration_of_sound_ends_no_game() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join(".asoundrc"), "pcm.!default {\n").expect("a file");
    let words = ["play", "--headless", "--exit-after-frames", "30"];
    let streams = [Stdio::null(), Stdio::null(), Stdio::piped()];
    let mut running = Running::start(folder.path(), &words, streams);
    let status = running.ended("with a mistake in ~/.asoundrc");
    let mut said = String::new();
    running.0.stderr.take().expect("a pipe").read_to_string(&mut said).expect("text");
    assert!(status.success() && !said.contains("panicked"), "{status}: {said}");
}

/// A program that does not outlive its test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Running {
    fn start(folder: &Path, words: &[&str], [input, output, errors]: [Stdio; 3]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_maxout"));
        command.args(words).current_dir(folder).env("HOME", folder).env_remove("XDG_CONFIG_HOME");
        Self(command.stdin(input).stdout(output).stderr(errors).spawn().expect("it starts"))
    }

    fn unheard(folder: &Path, words: &[&str]) -> Self {
        Self::start(folder, words, [Stdio::null(), Stdio::null(), Stdio::null()])
    }

    /// Sends signals, one right after the other.
    fn signal(&self, signals: &[&str]) {
        let own = self.0.id();
        let all: Vec<_> = signals.iter().map(|signal| format!("kill -{signal} {own}")).collect();
        let sent = Command::new("sh").arg("-c").arg(all.join(" && ")).stderr(Stdio::null()).status();
        assert!(sent.is_ok(), "{signals:?} cannot be sent");
    }

    fn ended(&mut self, what: &str) -> ExitStatus {
        let begun = Instant::now();
        loop {
            if let Some(status) = self.0.try_wait().expect("it can be waited for") {
                return status;
            }
            assert!(begun.elapsed() < LONGEST, "it does not end: {what}");
            std::thread::sleep(LOOK);
        }
    }
}

fn wait_for(what: &str, mut is: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is() {
        assert!(begun.elapsed() < LONGEST, "not yet: {what}");
        std::thread::sleep(LOOK);
    }
}

/// A folder with a cartridge `game.nes` that writes 7 into the RAM of its battery and stands still,
/// and a script that says [`READY`] once this has happened.
fn with_battery() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let code = [0xA9, 7, 0x8D, 0x00, 0x60, 0x4C, 0x05, 0x80]; // LDA #7, STA $6000, JMP to itself
    let image = nes_testing::Image::nrom(&code).with(6, 2).bytes();
    std::fs::write(folder.path().join("game.nes"), image).expect("a file");
    let script = "for _ = 1, 5 do emu.frameadvance() end
        print('##########')
        while true do emu.frameadvance() end";
    std::fs::write(folder.path().join("ready.lua"), script).expect("a file");
    folder
}

/// What the script says.
const READY: &[u8] = b"##########";

/// What the battery keeps, and drafts that are left.
fn left(folder: &Path) -> (Option<u8>, Vec<String>) {
    let files = |folder: &Path| folder.read_dir().into_iter().flatten().flatten().collect::<Vec<_>>();
    let saves = files(&folder.join("saves"));
    let save = saves.iter().find(|file| file.path().extension().is_some_and(|ending| ending == "sav"));
    let first = save.and_then(|file| std::fs::read(file.path()).ok()?.first().copied());
    let beside = files(folder);
    let names = saves.iter().chain(&beside).map(|file| file.file_name().to_string_lossy().into_owned());
    (first, names.filter(|name| name.starts_with(".maxout-")).collect())
}

const PLAY: [&str; 6] = ["play", "game.nes", "--folder", ".", "--lua", "ready.lua"];

/// What systemd sends at shutdown, and others of its kind.
const PAIRS: [&[&str]; 6] = [
    &["TERM", "HUP"],
    &["HUP", "TERM"],
    &["TERM", "TERM", "TERM"],
    &["INT", "TERM"],
    &["INT", "INT"],
    &["HUP", "HUP", "INT"],
];

#[cfg(feature = "window")]
#[test]
fn signals_right_after_one_another_keep_what_the_battery_keeps() {
    for signals in PAIRS {
        let folder = with_battery();
        let words = [&PLAY[..], &["--headless"]].concat();
        let mut running =
            Running::start(folder.path(), &words, [Stdio::null(), Stdio::piped(), Stdio::null()]);
        let (mut output, mut said) = (running.0.stdout.take().expect("a pipe"), vec![]);
        while !said.ends_with(READY) {
            let mut byte = [0];
            output.read_exact(&mut byte).expect("the script speaks");
            said.extend(byte);
        }
        running.signal(signals);
        assert_eq!(running.ended("play").code(), Some(130), "{signals:?}");
        assert_eq!(left(folder.path()), (Some(7), vec![]), "{signals:?}");
    }
}

#[test]
fn signals_right_after_one_another_leave_no_draft() {
    for signals in PAIRS {
        let folder = with_battery();
        let words = ["run", "game.nes", "--frames", "4000000000", "--wav", "sound.wav"];
        let mut running = Running::unheard(folder.path(), &words);
        wait_for("a draft", || !left(folder.path()).1.is_empty());
        // Listening comes before the first frame, and the draft before both.
        std::thread::sleep(Duration::from_millis(500));
        running.signal(signals);
        assert_eq!(running.ended("run").code(), Some(130), "{signals:?}");
        assert_eq!(left(folder.path()), (None, vec![]), "{signals:?}");
    }
}

/// A terminal of 80 by 24 characters: the end that shows, and the program's.
fn terminal() -> (File, File) {
    let shows: OwnedFd =
        openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).expect("a terminal");
    grantpt(&shows).expect("a terminal");
    unlockpt(&shows).expect("a terminal");
    let size = Winsize { ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0 };
    tcsetwinsize(&shows, size).expect("a size");
    let name = ptsname(&shows, vec![]).expect("its name").into_string().expect("text");
    let programs = File::options().read(true).write(true).open(name).expect("the other end");
    (shows.into(), programs)
}

/// Takes what a terminal shows until the program is ready, as a window does.
fn show_until(shows: &mut File, what: &str, is: impl Fn(&[u8]) -> bool) {
    let (begun, mut seen) = (Instant::now(), vec![]);
    while !is(&seen) {
        assert!(begun.elapsed() < LONGEST, "not yet: {what}");
        let wait = Timespec { tv_sec: 0, tv_nsec: 20_000_000 };
        let mut ends = [PollFd::new(&*shows, PollFlags::IN)];
        if poll(&mut ends, Some(&wait)).is_ok_and(|ready| ready > 0) {
            let mut part = [0; 4_096];
            let read = shows.read(&mut part).unwrap_or(0);
            seen.extend(&part[..read]);
        }
    }
}

/// Starts a program in a terminal of its own, closes that once it plays, and looks that it ends.
fn close_terminal(folder: &Path, words: &[&str], begun: impl Fn(&[u8]) -> bool) -> ExitStatus {
    let (mut shows, programs) = terminal();
    let end = || Stdio::from(programs.try_clone().expect("an end"));
    let mut running = Running::start(folder, words, [end(), end(), end()]);
    drop(programs);
    show_until(&mut shows, words[0], begun);
    drop(shows);
    running.ended(&words.join(" "))
}

/// Bytes of a whole picture of the terminal, at least. A second one is drawn after three seconds.
const PICTURE: usize = 5_000;

#[cfg(feature = "window")]
#[test]
fn a_closed_terminal_ends_play_with_what_the_battery_keeps() {
    let folder = with_battery();
    let words = [&PLAY[..], &["--terminal"]].concat();
    let status = close_terminal(folder.path(), &words, |seen| seen.len() > 2 * PICTURE);
    assert_eq!((status.signal(), left(folder.path())), (None, (Some(7), vec![])), "{status}");
    assert!(status.success(), "to close the terminal is to quit: {status}");
}

#[test]
fn a_closed_terminal_ends_all_that_plays_in_one() {
    let commands: &[&[&str]] = &[
        &["ai", "play", "--watch", "--pieces", "100000"],
        #[cfg(feature = "window")]
        &["netplay", "host", "--terminal", "--folder", ".", "--address", "127.0.0.1", "--match-port", "0"],
    ];
    for words in commands {
        let folder = tempfile::tempdir().expect("a folder");
        let status = close_terminal(folder.path(), words, |seen| seen.len() > PICTURE);
        // A report that is printed at the end has no place to go, which is an error of its own.
        assert!(matches!(status.code(), Some(0 | 2)), "{words:?}: {status}");
    }
}

/// A file that takes nothing.
fn full() -> Stdio {
    File::options().write(true).open("/dev/full").expect("Linux has one").into()
}

#[test]
fn a_standard_error_that_takes_nothing_changes_no_status() {
    let folder = with_battery();
    let path = folder.path();
    std::fs::write(path.join("says.lua"), "emu.message('a') print('b') error('c')").expect("a file");
    std::fs::write(path.join("commands"), "nonsense\n").expect("a file");
    let commands: &[&[&str]] = &[
        &["run", "nope.nes"],
        &["inspect", "game.nes"],
        &["lua", "says.lua", "--frames", "9"],
        &["debug", "--script", "commands"],
        &["stream", "--input", "nope.fm2"],
        &["stream", "--serve", "--port", "0", "--frames", "9", "--fast", "--quiet"],
        &["ai", "train", "--generations", "1"],
        &["ai", "run", "--games", "1", "--frames", "300"],
        &["practice", "taps", "nowhere"],
        #[cfg(feature = "window")]
        &["play", "game.nes", "--folder", ".", "--headless", "--exit-after-frames", "9"],
        #[cfg(feature = "window")]
        &["play", "--folder", ".", "--headless", "--serve", "--port", "0", "--exit-after-frames", "9"],
        #[cfg(feature = "window")]
        &["netplay", "join", "no address", "--folder", ".", "--headless", "--exit-after-frames", "9"],
    ];
    for words in commands {
        let ended = |errors: Stdio| {
            let mut running = Running::start(path, words, [Stdio::null(), Stdio::null(), errors]);
            running.ended(&words.join(" "))
        };
        let expected = ended(Stdio::null());
        assert!(expected.code().is_some(), "{words:?}: {expected}");
        assert_eq!(ended(full()), expected, "{words:?}");
    }
    // What cannot be written to standard output is an error of its own.
    #[cfg(feature = "window")]
    {
        let words = ["play", "game.nes", "--folder", ".", "--headless", "--exit-after-frames", "9"];
        let mut running = Running::start(path, &words, [Stdio::null(), full(), Stdio::null()]);
        assert_eq!(running.ended("play").code(), Some(2));
    }
}
