//! `maxout play` as its user meets it: a movie from start to end, without a window and in a real
//! one.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

/// Frames of the movie: into a game and on, eight seconds at twice the speed.
const FRAMES: u32 = 960;

/// How long a window may stay open, on however slow a machine.
const LONGEST: Duration = Duration::from_secs(600);

fn maxout(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_maxout"));
    command.current_dir(folder);
    command
}

fn succeeded(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).expect("the output is UTF-8")
}

/// A folder with settings, twice the speed and a frame run ahead, and with a movie `m.fm2` of
/// `frames` frames: Start now and then, and in between whatever.
fn folder(frames: u32) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder for the test");
    fs::write(folder.path().join("config.toml"), "[time]\nspeed = 200\nrun-ahead = 1\n")
        .expect("the settings");
    let mut movie = "version 3\nport0 1\nport1 1\nport2 0\nromFilename maxout\n|0||||\n".to_owned();
    for frame in 0..frames {
        let held = match frame {
            _ if frame % 40 < 2 && frame < 700 => "....T...",
            _ if frame % 5 < 3 => "..D.....",
            _ => ".L.....A",
        };
        movie.extend(["|0|", held, "|........||\n"]);
    }
    fs::write(folder.path().join("m.fm2"), movie).expect("the movie");
    folder
}

/// The hash of the state after the movie, headless and as fast as it goes.
fn headless(folder: &Path, more: &[&str]) -> String {
    let output = maxout(folder).args(["run", "--input", "m.fm2", "--json"]).args(more).output();
    let text = succeeded(&output.expect("it starts"));
    let outcome: Value = serde_json::from_str(&text).expect("JSON");
    outcome["state"].as_str().expect("a hash").to_owned()
}

/// What `maxout play` is asked for.
const PLAY: [&str; 8] =
    ["play", "--folder", ".", "--movie", "m.fm2", "--quit-at-end", "--state-out", "end.state"];

#[test]
fn a_movie_played_in_real_time_leaves_the_state_that_a_run_leaves() {
    let folder = folder(200);
    let expected = headless(folder.path(), &[]);
    let output = maxout(folder.path()).args(PLAY).arg("--headless").output().expect("it starts");
    let text = succeeded(&output);
    assert!(text.ends_with(&format!("state      {expected}\n")), "{text} is not {expected}");
    assert_eq!(headless(folder.path(), &["--load-state", "end.state", "--frames", "0"]), expected);
}

#[test]
fn a_movie_that_is_none_is_refused_before_anything_opens() {
    let folder = folder(0);
    for (movie, error) in [("m.fm2", "at least one frame"), ("n.fm2", "n.fm2")] {
        let output =
            maxout(folder.path()).args(["play", "--folder", ".", "--headless", "--movie", movie]).output();
        let output = output.expect("it starts");
        let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && complaint.contains(error), "{complaint}");
    }
    let output = maxout(folder.path()).args(["play", "--quit-at-end"]).output().expect("it starts");
    assert_eq!(output.status.code(), Some(2), "there is no movie to end with");
}

#[test]
fn a_state_or_a_game_that_cannot_be_read_ends_play_with_2() {
    let folder = folder(0);
    let slow = include_bytes!("../../../../roms/maxout-slow.nes");
    fs::write(folder.path().join("slow.nes"), slow).expect("the cartridge");
    fs::write(folder.path().join("text"), "neither a state nor a game").expect("a file");
    for rom in [&[][..], &["slow.nes"]] {
        for begin in ["--state", "--game"] {
            for path in ["nope", "text", "."] {
                let play = ["play", "--folder", ".", "--headless", "--exit-after-frames", "9", begin, path];
                let output = maxout(folder.path()).args(play).args(rom).output().expect("it starts");
                let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
                assert_eq!(output.status.code(), Some(2), "{rom:?} {begin} {path}: {complaint}");
                assert!(complaint.contains(path), "{rom:?} {begin} {path}: {complaint}");
            }
        }
    }
}

/// The nets of the repository.
const NETS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../value/nets");

#[test]
fn the_opponent_takes_nets_and_says_which_it_cannot_read() {
    let folder = folder(0);
    let slow = include_bytes!("../../../../roms/maxout-slow.nes");
    fs::write(folder.path().join("slow.nes"), slow).expect("the cartridge");
    let play = |arguments: &[&str]| -> Output {
        let play = ["play", "--folder", ".", "--headless", "--exit-after-frames", "60"];
        maxout(folder.path()).args(play).args(arguments).output().expect("it starts")
    };
    let complaint = |output: &Output| String::from_utf8_lossy(&output.stderr).into_owned();
    for rom in [&[][..], &["slow.nes"]] {
        let output = play(&[rom, &["--versus", "--taps", "30", "--net", NETS, "--thoughts"]].concat());
        assert!(succeeded(&output).starts_with("60 frames") && complaint(&output).is_empty());
    }
    let net = fs::read(Path::new(NETS).join("l18.net")).expect("a net");
    fs::write(folder.path().join("cut.net"), &net[..net.len() / 2]).expect("half a net");
    for (path, expected) in [("nowhere", "nowhere"), ("cut.net", "cut.net"), (".", "cut.net")] {
        let output = play(&["--versus", "--net", path]);
        assert_eq!(output.status.code(), Some(2), "{path}");
        assert!(complaint(&output).contains(expected), "{}", complaint(&output));
    }
    // Those of the settings are no reason not to play.
    fs::write(folder.path().join("config.toml"), "[tetris]\nnets = \"nowhere\"\n").expect("settings");
    let output = play(&["--versus"]);
    assert!(succeeded(&output).starts_with("60 frames"));
    let said = complaint(&output);
    assert!(said.contains("the computer plays by the built-in nets") && said.contains("nowhere"), "{said}");
    let output = play(&["--versus", "--net", NETS]);
    assert!(succeeded(&output).starts_with("60 frames") && complaint(&output).is_empty());
}

/// Plays the movie m.fm2 in real time without a picture, named alone; answers what `maxout` says.
fn movie_alone(folder: &Path) -> Output {
    let arguments = ["m.fm2", "--folder", ".", "--headless", "--quit-at-end", "--state-out", "end.state"];
    maxout(folder).args(arguments).output().expect("it starts")
}

#[test]
fn a_movie_named_alone_plays_on_the_cartridge_that_it_was_recorded_with() {
    let folder = folder(100);
    let path = folder.path();
    let expected = headless(path, &[]);
    let text = succeeded(&movie_alone(path));
    assert!(text.ends_with(&format!("state      {expected}\n")), "{text} is not {expected}");

    // Another cartridge, under a name that says nothing, in the folder of one that was played.
    let slow = include_bytes!("../../../../roms/maxout-slow.nes");
    let md5 = nes::Cartridge::from_bytes(slow).expect("ours").info().md5.0;
    let checksum = nes::fm2::Movie::checksum_of(md5);
    let movie = fs::read_to_string(path.join("m.fm2")).expect("the movie");
    let named = format!("romFilename other\nromChecksum {checksum}\n");
    fs::write(path.join("m.fm2"), movie.replace("romFilename maxout\n", &named)).expect("a movie");
    let output = movie_alone(path);
    let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{complaint}");
    assert!(complaint.contains(&format!("recorded with other ({checksum})")), "{complaint}");

    fs::create_dir(path.join("roms")).expect("a folder");
    fs::write(path.join("roms/b.nes"), slow).expect("a cartridge");
    fs::write(path.join("recent"), format!("{}\n", path.join("roms/a.nes").display())).expect("a list");
    let run = maxout(path).args(["run", "roms/b.nes", "--input", "m.fm2", "--json"]).output();
    let outcome: Value = serde_json::from_str(&succeeded(&run.expect("it starts"))).expect("JSON");
    let text = succeeded(&movie_alone(path));
    assert!(
        text.ends_with(&format!("state      {}\n", outcome["state"].as_str().expect("a hash"))),
        "{text}"
    );
}

#[test]
fn a_state_named_alone_goes_on_on_its_own_cartridge() {
    let folder = folder(0);
    let path = folder.path();
    let slow = include_bytes!("../../../../roms/maxout-slow.nes");
    fs::create_dir(path.join("roms")).expect("a folder");
    fs::write(path.join("roms/b.nes"), slow).expect("a cartridge");
    let alone = || {
        let run = [
            "a.state",
            "--folder",
            ".",
            "--headless",
            "--exit-after-frames",
            "40",
            "--state-out",
            "end.state",
        ];
        maxout(path).args(run).output().expect("it starts")
    };
    for (rom, recent) in [(None, ""), (Some("roms/b.nes"), "roms/b.nes\n")] {
        let run = |rest: &[&str]| {
            let output = maxout(path).arg("run").args(rom).args(rest).output().expect("it starts");
            succeeded(&output)
        };
        run(&["--frames", "30", "--save-state", "a.state"]);
        fs::write(path.join("recent"), "").expect("a list");
        if rom.is_some() {
            let output = alone();
            let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(
                complaint.contains("nor among the ROMs played: maxout play ROM --state a.state"),
                "{complaint}"
            );
            assert_eq!(output.status.code(), Some(2), "{complaint}");
        }
        fs::write(path.join("recent"), recent).expect("a list");
        let outcome: Value =
            serde_json::from_str(&run(&["--load-state", "a.state", "--frames", "40", "--json"]))
                .expect("JSON");
        let text = succeeded(&alone());
        assert!(
            text.ends_with(&format!("state      {}\n", outcome["state"].as_str().expect("a hash"))),
            "{text}"
        );
    }
}

#[test]
fn the_rom_of_an_archive_is_played_inspected_and_found() {
    for image in [
        &include_bytes!("../../../../roms/maxout.nes")[..],
        include_bytes!("../../../../roms/maxout-slow.nes"),
    ] {
        let folder = folder(0);
        let mut archive = zip::ZipWriter::new(fs::File::create(folder.path().join("a.zip")).expect("a file"));
        archive.start_file("games/Game.nes", zip::write::SimpleFileOptions::default()).expect("room");
        archive.write_all(image).expect("room");
        archive.finish().expect("room");
        fs::write(folder.path().join("a.nes"), image).expect("a file");
        let said = |rom: &str| {
            let output = maxout(folder.path())
                .args(["run", rom, "--frames", "60", "--json"])
                .output()
                .expect("it starts");
            let outcome: Value = serde_json::from_slice(&output.stdout).expect("JSON");
            outcome["state"].clone()
        };
        assert_eq!(said("a.zip"), said("a.nes"));
        let inspect = |rom: &str| {
            let output = maxout(folder.path()).args(["inspect", rom, "--json"]).output().expect("it starts");
            let mut facts: Value = serde_json::from_slice(&output.stdout).expect("JSON");
            facts["rom"] = Value::Null;
            facts
        };
        assert_eq!(inspect("a.zip"), inspect("a.nes"));
    }
}

#[test]
fn an_archive_is_refused_with_what_to_do() {
    let folder = folder(0);
    fs::write(folder.path().join("a.zip"), b"PK\x03\x04 and so on, long enough for a header")
        .expect("a file");
    let output = maxout(folder.path()).arg("a.zip").output().expect("it starts");
    let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{complaint}");
    assert!(complaint.contains("cannot be unpacked") && complaint.lines().count() == 1, "{complaint}");
}

#[cfg(target_os = "linux")]
#[test]
fn nothing_but_the_programs_name_asks_for_a_window() {
    let folder = folder(0);
    let mut command = maxout(folder.path());
    for name in ["DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET"] {
        command.env_remove(name);
    }
    let output = command.env("HOME", folder.path()).stdin(Stdio::null()).output().expect("it starts");
    let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{complaint}");
    assert!(complaint.contains("no display") && complaint.contains("maxout play --terminal"), "{complaint}");
}

/// A program that ends with the test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A display without a screen, and its name.
fn display() -> (Running, String) {
    let mut server = Command::new("Xvfb")
        .args(["-displayfd", "1", "-noreset", "-screen", "0", "1280x1024x24", "-nolisten", "tcp"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("Xvfb starts");
    let mut number = String::new();
    let stdout = server.stdout.take().expect("piped");
    BufReader::new(stdout).read_line(&mut number).expect("Xvfb tells its display's number");
    (Running(server), format!(":{}", number.trim()))
}

fn xdotool(display: &str, arguments: &[&str]) -> String {
    let output = Command::new("xdotool").args(arguments).env("DISPLAY", display).output();
    String::from_utf8_lossy(&output.expect("xdotool starts").stdout).trim().to_owned()
}

/// Plays the movie in a window; answers what was printed.
fn in_a_window(folder: &Path, more: &[&str]) -> String {
    let (_server, display) = display();
    let program = maxout(folder)
        .args(PLAY)
        .args(more)
        .env("DISPLAY", &display)
        .env_remove("WAYLAND_DISPLAY")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut program = Running(program.expect("it starts"));
    let mut seen = false;
    while program.0.try_wait().expect("its state").is_none() {
        seen |= !xdotool(&display, &["search", "--name", "^Maxout"]).is_empty();
        thread::sleep(Duration::from_millis(200));
    }
    assert!(seen, "there was no window");
    finished(program).0
}

/// What a program printed that has ended well, and what it complained of.
fn finished(mut program: Running) -> (String, String) {
    let [stdout, stderr] = [
        program.0.stdout.take().map(std::io::read_to_string),
        program.0.stderr.take().map(std::io::read_to_string),
    ];
    let (output, complaints) = (stdout.expect("piped").expect("text"), stderr.expect("piped").expect("text"));
    assert!(program.0.wait().expect("it ends").success(), "{complaints}");
    (output, complaints)
}

#[test]
#[ignore = "needs Xvfb and xdotool: cargo xtask test --window"]
fn a_movie_played_in_a_real_window_leaves_the_state_that_a_run_leaves() {
    let folder = folder(FRAMES);
    let mut states = vec![];
    for pieces in [&[][..], &["--randomizer", "tgm3", "--seed", "7"]] {
        let expected = headless(folder.path(), pieces);
        let text = in_a_window(folder.path(), pieces);
        assert_eq!(text, format!("state      {expected}\n"));
        let loaded = ["--load-state", "end.state", "--frames", "0"];
        assert_eq!(headless(folder.path(), &loaded), expected);
        states.push(expected);
    }
    assert_ne!(states[0], states[1], "the pieces are others");
}

#[test]
#[ignore = "needs Xvfb and xdotool: cargo xtask test --window"]
fn c_in_a_real_window_lets_the_computer_play_a_cartridge_that_is_known_by_its_hash_alone() {
    let folder = folder(0);
    let slow = include_bytes!("../../../../roms/maxout-slow.nes");
    fs::write(folder.path().join("slow.nes"), slow).expect("the cartridge");
    let (_server, display) = display();
    let program = maxout(folder.path())
        .args([
            "play",
            "slow.nes",
            "--folder",
            ".",
            "--exit-after-frames",
            "4000",
            "--state-out",
            "end.state",
        ])
        .env("DISPLAY", &display)
        .env_remove("WAYLAND_DISPLAY")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut program = Running(program.expect("it starts"));
    let mut pressed = false;
    let begun = Instant::now();
    // It ends by itself after so many frames.
    while program.0.try_wait().expect("its state").is_none() {
        assert!(begun.elapsed() < LONGEST, "it does not end");
        let window = xdotool(&display, &["search", "--name", "^Maxout.*slow"]);
        if !window.is_empty() && !pressed {
            xdotool(&display, &["windowfocus", "--sync", &window]);
            // The list of keys goes with the first that plays.
            for key in ["z", "c"] {
                thread::sleep(Duration::from_secs(1));
                xdotool(&display, &["key", "--delay", "60", key]);
            }
            pressed = true;
        }
        thread::sleep(Duration::from_millis(200));
    }
    let (_, complaints) = finished(program);
    assert!(pressed, "there was no window");
    let mut console =
        nes::Console::new(nes::Cartridge::from_bytes(slow).expect("ours"), nes::Config::default());
    let state = fs::read(folder.path().join("end.state")).expect("a state");
    let state = emulator::SavedState::read(&state).expect("a saved state");
    console.load(&state.console).expect("its state");
    let view = tetris::View::new(console.ram());
    let pieces: u32 = view.piece_counts().iter().sum();
    assert!(view.in_game() && pieces > 10, "{pieces} pieces; {complaints}");
}

/// The only kept game in a folder, and when it was written last.
#[cfg(unix)]
fn kept(folder: &Path) -> Option<(practice::Kept, std::time::SystemTime)> {
    let path = fs::read_dir(folder.join("games")).ok()?.flatten().map(|entry| entry.path()).next()?;
    let game = practice::Kept::read(&fs::read(&path).ok()?).ok()?;
    Some((game, fs::metadata(path).ok()?.modified().ok()?))
}

#[cfg(unix)]
#[test]
#[ignore = "needs Xvfb and xdotool: cargo xtask test --window"]
fn a_game_in_a_real_window_is_there_up_to_its_last_second_when_it_is_killed() {
    let (_server, display) = display();
    let mut random = tetris::SplitMix64::new(11);
    // MAXOUT_KILLS=100 takes minutes.
    let kills = std::env::var("MAXOUT_KILLS").ok().and_then(|kills| kills.parse().ok()).unwrap_or(10);
    for _ in 0..kills {
        let folder = tempfile::tempdir().expect("a folder");
        let program = maxout(folder.path())
            .args(["play", "--folder", "."])
            .env("DISPLAY", &display)
            .env_remove("WAYLAND_DISPLAY")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        let mut program = Running(program.expect("it starts"));
        let begun = Instant::now();
        while kept(folder.path()).is_none() {
            assert!(begun.elapsed() < LONGEST, "no game was kept");
            let window = xdotool(&display, &["search", "--name", "^Maxout"]);
            if let Some(id) = window.lines().next() {
                xdotool(&display, &["windowfocus", id]);
                xdotool(&display, &["key", "--delay", "60", "F6"]);
                // A second press would begin a second game.
                let pressed = Instant::now();
                while kept(folder.path()).is_none() && pressed.elapsed() < Duration::from_secs(10) {
                    thread::sleep(Duration::from_millis(100));
                }
            }
            thread::sleep(Duration::from_millis(200));
        }
        let (before, _) = kept(folder.path()).expect("a game");
        let wait = Duration::from_millis(1_500 + u64::from(random.below(3_000)));
        thread::sleep(wait);
        program.0.kill().expect("it runs");
        let killed = std::time::SystemTime::now();
        program.0.wait().expect("it ends");
        let (game, written) = kept(folder.path()).expect("a game that can be read");
        let lost = killed.duration_since(written).unwrap_or_default();
        assert!(lost <= Duration::from_secs(1), "the last {lost:?} are lost");
        assert!(game.frames.len() > before.frames.len() && game.result.is_empty());
    }
}

/// What a window shows in the middle of its picture, as bytes of red, green and blue.
fn picture(display: &str, window: &str, [left, top, width, height]: [u32; 4]) -> Vec<u8> {
    let area = format!("{width}x{height}+{left}+{top}");
    let output = Command::new("import")
        .args(["-window", window, "-crop", &area, "-depth", "8", "rgb:-"])
        .env("DISPLAY", display)
        .output()
        .expect("ImageMagick's import starts");
    assert_eq!(output.stdout.len() as u32, 3 * width * height, "{}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

#[test]
#[ignore = "needs Xvfb, xdotool and ImageMagick: cargo xtask test --window"]
fn the_slider_of_a_kept_game_in_a_real_window_goes_back_to_the_same_picture_and_a_takes_over() {
    let folder = tempfile::tempdir().expect("a folder");
    let kept =
        ["practice", "tetris", "--option", "level=9", "--pieces", "40", "--seed", "3", "--keep", "games"];
    succeeded(&maxout(folder.path()).args(kept).output().expect("it starts"));
    let games = || fs::read_dir(folder.path().join("games")).expect("a folder").flatten();
    let game = games().next().expect("a game").path();
    let (_server, display) = display();
    let program = maxout(folder.path())
        .arg("play")
        .arg(&game)
        .args(["--folder", "."])
        .env("DISPLAY", &display)
        .env_remove("WAYLAND_DISPLAY")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    let _program = Running(program.expect("it starts"));
    let begun = Instant::now();
    let id = loop {
        assert!(begun.elapsed() < LONGEST, "there was no window");
        let window = xdotool(&display, &["search", "--name", "^Maxout"]);
        match window.lines().next() {
            Some(id) => break id.to_owned(),
            None => thread::sleep(Duration::from_millis(200)),
        }
    };
    xdotool(&display, &["windowfocus", &id]);
    thread::sleep(Duration::from_secs(2));
    // Someone who has no settings yet is shown the keys; Escape shuts them.
    xdotool(&display, &["key", "--delay", "60", "Escape"]);
    thread::sleep(Duration::from_millis(500));
    xdotool(&display, &["key", "--delay", "60", "p"]);
    let geometry = xdotool(&display, &["getwindowgeometry", "--shell", &id]);
    let value = |name: &str| -> f64 {
        let line = geometry.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix('='));
        line.and_then(|value| value.parse().ok()).expect("its place")
    };
    let (width, height) = (value("WIDTH"), value("HEIGHT"));
    let field = [0.3 * width, 0.2 * height, 0.4 * width, 0.6 * height].map(|value| value as u32);
    // The slider stands in place of the lower bar, 36 points high, with the time at its left and a
    // key at its right.
    let click = |share: f64| {
        let at = [width / 2.0 + (share - 0.5) * 0.75 * width, height - 18.0];
        let [x, y] = at.map(|value| (value as u32).to_string());
        xdotool(&display, &["mousemove", "--window", &id, &x, &y]);
        // A window without a graphics card draws a few times a second; a hand is no faster.
        thread::sleep(Duration::from_secs(1));
        xdotool(&display, &["click", "1"]);
        thread::sleep(Duration::from_secs(1));
        xdotool(&display, &["mousemove", "5", "5"]);
        thread::sleep(Duration::from_secs(1));
        // It is there when two pictures in a row are the same.
        let mut last = vec![];
        for _ in 0..600 {
            thread::sleep(Duration::from_millis(400));
            let now = picture(&display, &id, field);
            if now == last {
                return now;
            }
            last = now;
        }
        panic!("the picture never stands still");
    };
    let late = click(0.9);
    let early = click(0.5);
    assert!(late != early, "the slider moves the game");
    assert!(click(0.9) == late, "the same place is the same picture");
    assert!(click(0.5) == early, "the same place is the same picture");
    xdotool(&display, &["key", "--delay", "60", "a"]);
    xdotool(&display, &["key", "--delay", "60", "p"]);
    let asked = Instant::now();
    while games().count() < 2 {
        assert!(asked.elapsed() < LONGEST, "nobody plays on");
        thread::sleep(Duration::from_millis(200));
    }
    thread::sleep(Duration::from_secs(1));
    assert!(picture(&display, &id, field) != early, "the game goes on");
}
