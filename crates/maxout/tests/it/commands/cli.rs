//! The program as its user meets it: exit status, one line of error, files, JSON.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use nes_testing::Image;
use serde_json::Value;
use tempfile::TempDir;

use super::program::{PROGRAM, call, text};

fn maxout(folder: &Path, arguments: &[&str]) -> Output {
    call(arguments).inside(folder).output()
}

fn stdout(output: &Output) -> String {
    text(&output.stdout)
}

fn stderr(output: &Output) -> String {
    text(&output.stderr)
}

/// An NROM image that runs `program` at $8000 and then loops.
fn image(program: &[u8]) -> Vec<u8> {
    let [low, high] = (0x8000 + program.len() as u16).to_le_bytes();
    Image::nrom(&[program, &[0x4C, low, high]].concat()).bytes() // JMP to itself
}

/// A program that stores each value at its zero page address.
fn stores(values: &[(u8, u8)]) -> Vec<u8> {
    values.iter().flat_map(|&(address, value)| [0xA9, value, 0x85, address]).collect()
}

/// A cartridge that leaves the project's own result bytes.
fn verdict_image(result: u8) -> Vec<u8> {
    image(&stores(&[(0xF0, b'M'), (0xF1, b'X'), (0xF2, b'T'), (0xF3, result)]))
}

fn folder_with(files: &[(&str, &[u8])]) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder for the test");
    for (name, bytes) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("it lies in the folder")).expect("a folder");
        std::fs::write(path, bytes).expect("a file");
    }
    folder
}

fn names(folder: &Path) -> Vec<PathBuf> {
    let mut names: Vec<_> = folder
        .read_dir()
        .expect("the folder is there")
        .map(|entry| PathBuf::from(entry.expect("an entry").file_name()))
        .collect();
    names.sort();
    names
}

#[test]
fn every_command_has_help_with_an_example() {
    let folder = folder_with(&[]);
    for command in ["run", "test", "trace", "inspect", "play"] {
        let output = maxout(folder.path(), &[command, "--help"]);
        assert!(output.status.success());
        let help = stdout(&output);
        assert!(
            help.contains("Example") && help.contains(&format!("maxout {command} ")),
            "{command}:\n{help}"
        );
    }
    assert!(stdout(&maxout(folder.path(), &["--help"])).contains("Exit status"));
}

#[test]
fn a_command_with_a_slip_in_it_is_corrected() {
    let message = call(&["pley"]).refused();
    assert!(message.contains("'pley'") && message.contains("'play'"), "{message}");
    assert!(call(&["gmae.nes"]).refused().contains("gmae.nes: no such file"));
}

#[test]
fn shells_and_manual_pages_know_every_command() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        assert!(call(&["completions", shell]).printed().contains("randomizer"), "{shell}");
    }
    assert!(call(&["man"]).printed().contains(".TH maxout 1"));
    let folder = folder_with(&[]);
    call(&["man", "man1"]).inside(folder.path()).printed();
    let pages = names(&folder.path().join("man1"));
    for page in ["maxout.1", "maxout-run.1", "maxout-ai-play.1"] {
        assert!(pages.contains(&PathBuf::from(page)), "{page} is not in {pages:?}");
        let text = std::fs::read_to_string(folder.path().join("man1").join(page)).expect("a page");
        let version = concat!("\"maxout ", env!("CARGO_PKG_VERSION"), "\"");
        assert!(text.lines().any(|line| line.starts_with(".TH") && line.contains(version)), "{page}");
    }
}

#[test]
fn what_cannot_be_run_is_one_line_and_status_2() {
    let mut dendy = image(&[]);
    (dendy[7], dendy[12]) = (0x08, 3);
    let mut unknown = image(&[]);
    (unknown[6], unknown[7]) = (0xF0, 0xE0);
    let folder = folder_with(&[
        ("game.zip", b"PK\x03\x04 and so on, long enough to be a header"),
        ("dendy.nes", &dendy),
        ("unknown.nes", &unknown),
        ("empty.nes", b""),
        ("short.nes", &image(&[])[..1000]),
    ]);
    for (rom, word) in [
        ("nowhere.nes", "no such file"),
        (".", "folder"),
        ("game.zip", "unpack"),
        ("dendy.nes", "Dendy"),
        ("unknown.nes", "mapper"),
        ("empty.nes", "empty"),
        ("short.nes", "PRG"),
    ] {
        for command in ["run", "trace", "inspect", "play"] {
            let output = maxout(folder.path(), &[command, rom]);
            let message = stderr(&output);
            assert_eq!(output.status.code(), Some(2), "{command} {rom}: {message}");
            assert_eq!(message.lines().count(), 1, "{message}");
            assert!(message.starts_with("error: ") && message.contains(rom), "{message}");
            assert!(message.contains(word), "expected {word:?} in: {message}");
            assert!(output.stdout.is_empty());
        }
    }
}

#[test]
fn a_wrong_argument_is_status_2_and_names_the_argument() {
    let folder = folder_with(&[("game.nes", &image(&[]))]);
    for arguments in [
        ["run", "game.nes", "--phase", "4"],
        ["run", "game.nes", "--ram-fill", "XY"],
        ["trace", "game.nes", "--start", "12345"],
        ["run", "game.nes", "--frames", "many"],
        ["run", "game.nes", "--frames", "-1"],
        ["test", "game.nes", "--jobs", "65536"],
    ] {
        let output = maxout(folder.path(), &arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let expected = format!("invalid value '{}' for '{}", arguments[3], arguments[2]);
        assert!(stderr(&output).contains(&expected), "{}", stderr(&output));
    }
}

#[test]
fn a_run_writes_what_it_was_asked_for_and_nothing_else() {
    let folder = folder_with(&[("game.nes", &image(&stores(&[(0x10, 0xAB)])))]);
    let arguments = [
        "run",
        "game.nes",
        "--frames",
        "30",
        "--screenshot",
        "a.png",
        "--wav",
        "a.wav",
        "--dump-ram",
        "a.bin",
        "--save-state",
        "a.state",
    ];
    let output = maxout(folder.path(), &arguments);
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(names(folder.path()), ["a.bin", "a.png", "a.state", "a.wav", "game.nes"].map(PathBuf::from));
    let ram = std::fs::read(folder.path().join("a.bin")).expect("the RAM");
    assert_eq!((ram.len(), ram[0x10]), (0x800, 0xAB));
    let picture = image::open(folder.path().join("a.png")).expect("the picture");
    assert_eq!((picture.width(), picture.height()), (256, 240));
    let sound = hound::WavReader::open(folder.path().join("a.wav")).expect("the sound");
    let spec = sound.spec();
    assert_eq!((spec.channels, spec.bits_per_sample, spec.sample_rate), (1, 16, 48_000));
    let seconds = f64::from(sound.duration()) / 48_000.0;
    assert!((seconds - 30.0 / 60.0988).abs() < 0.02, "{seconds} s of sound");
}

#[test]
fn the_console_is_the_headers_or_that_of_the_argument() {
    let mut pal = image(&[]);
    (pal[7], pal[12]) = (0x08, 1);
    let folder = folder_with(&[("pal.nes", &pal), ("ntsc.nes", &image(&[]))]);
    for (rom, argument, region, rate) in [
        ("pal.nes", &[][..], "PAL", 50.0070),
        ("pal.nes", &["--region", "ntsc"], "PAL", 60.0988),
        ("ntsc.nes", &[], "NTSC", 60.0988),
        ("ntsc.nes", &["--region", "PAL"], "NTSC", 50.0070),
    ] {
        let said = maxout(folder.path(), &["inspect", rom, "--json"]);
        let facts: Value = serde_json::from_str(&stdout(&said)).expect("JSON");
        assert_eq!(facts["region"], region, "{rom}: {facts}");
        let run = [&["run", rom, "--frames", "60", "--wav", "a.wav"], argument].concat();
        let output = maxout(folder.path(), &run);
        assert!(output.status.success(), "{}", stderr(&output));
        let sound = hound::WavReader::open(folder.path().join("a.wav")).expect("the sound");
        let seconds = f64::from(sound.duration()) / 48_000.0;
        assert!((seconds - 60.0 / rate).abs() < 0.03, "{rom} {argument:?}: {seconds} s of sound");
    }
}

#[test]
fn a_state_saved_and_loaded_continues_as_if_never_stopped() {
    let folder = folder_with(&[("game.nes", &image(&[0xE6, 0x10, 0x4C, 0x00, 0x80]))]); // INC $10, for ever
    let state = |arguments: &[&str]| {
        let output = maxout(folder.path(), &[&["run", "game.nes", "--json"], arguments].concat());
        assert!(output.status.success(), "{}", stderr(&output));
        let outcome: Value = serde_json::from_str(&stdout(&output)).expect("JSON");
        outcome["state"].as_str().expect("a digest").to_owned()
    };
    let whole = state(&["--frames", "20"]);
    state(&["--frames", "12", "--save-state", "half"]);
    assert_eq!(state(&["--frames", "8", "--load-state", "half"]), whole);
    let output = maxout(folder.path(), &["run", "game.nes", "--load-state", "game.nes"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("game.nes"), "{}", stderr(&output));
}

#[test]
fn the_same_input_gives_the_same_output() {
    let folder = folder_with(&[("game.nes", &image(&stores(&[(0x10, 0xAB)])))]);
    let run = || {
        let output = maxout(folder.path(), &["run", "game.nes", "--frames", "60", "--json"]);
        let mut outcome: Value = serde_json::from_str(&stdout(&output)).expect("JSON");
        let speed = outcome.as_object_mut().and_then(|outcome| outcome.remove("frames_per_second"));
        assert!(speed.is_some_and(|speed| speed.is_f64()));
        outcome
    };
    let outcome = run();
    assert_eq!(outcome, run());
    for key in ["rom", "frames", "cycles", "picture", "sound", "state", "cpu"] {
        assert!(outcome.get(key).is_some(), "no {key} in {outcome}");
    }
    assert_eq!(outcome["cpu"]["pc"], 0x8004);
}

#[test]
fn a_run_without_picture_and_sound_ends_in_the_same_state() {
    let folder = folder_with(&[("game.nes", &image(&stores(&[(0x10, 0xAB)])))]);
    let run = |flags: &[&str]| -> Value {
        let arguments = [&["run", "game.nes", "--frames", "20", "--json"], flags].concat();
        serde_json::from_str(&stdout(&maxout(folder.path(), &arguments))).expect("JSON")
    };
    let (whole, bare) = (run(&[]), run(&["--no-video", "--no-sound"]));
    assert_eq!(bare["state"], whole["state"]);
    assert!(whole["picture"].is_string() && whole["sound"].is_string());
    assert!(bare["picture"].is_null() && bare["sound"].is_null());
}

#[test]
fn a_movie_holds_its_buttons_frame_by_frame_and_presses_reset() {
    // Strobe, then the first bit of pad 1, button A, into $10; $11 counts the resets.
    let program = [
        0xE6, 0x11, 0xA9, 0x01, 0x8D, 0x16, 0x40, 0xA9, 0x00, 0x8D, 0x16, 0x40, 0xAD, 0x16, 0x40, 0x29, 0x01,
        0x05, 0x10, 0x85, 0x10, 0x4C, 0x02, 0x80,
    ];
    let movie = |line: &str| {
        format!(
            "version 3\nport0 1\nport1 1\nport2 0\n|0||||\n|0|........|........||\n{line}\n|0|........|........||\n"
        )
    };
    let folder = folder_with(&[
        ("game.nes", &image(&program)),
        ("a.fm2", movie("|0|.......A|........||").as_bytes()),
        ("reset.fm2", movie("|1|........|........||\n|0|........|........||").as_bytes()),
        ("broken.fm2", b"version 3\n|0|RLDU"),
    ]);
    let ram = |movie: &str| {
        let output = maxout(folder.path(), &["run", "game.nes", "--input", movie, "--dump-ram", "ram.bin"]);
        assert!(output.status.success(), "{}", stderr(&output));
        assert!(stdout(&output).contains("frames     3"), "{}", stdout(&output));
        let ram = std::fs::read(folder.path().join("ram.bin")).expect("the RAM");
        (ram[0x10], ram[0x11])
    };
    assert_eq!(ram("a.fm2"), (1, 1));
    assert_eq!(ram("reset.fm2"), (0, 2));
    let output = maxout(folder.path(), &["run", "game.nes", "--input", "broken.fm2"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("broken.fm2"), "{}", stderr(&output));
}

#[test]
fn a_movie_says_what_ram_holds_unless_its_user_does() {
    // JMP self: RAM stays as it began.
    let movie = |ram: &str| format!("version 3\n{ram}|0||||\n|0||||\n");
    let folder = folder_with(&[
        ("game.nes", &image(&[0x4C, 0x00, 0x80])),
        ("none.fm2", movie("").as_bytes()),
        ("random.fm2", movie("RAMInitOption 3\nRAMInitSeed 1\n").as_bytes()),
    ]);
    let ram = |arguments: &[&str]| {
        let run = ["run", "game.nes", "--dump-ram", "ram.bin", "--frames", "2"];
        let output = maxout(folder.path(), &[&run[..], arguments].concat());
        assert!(output.status.success(), "{}", stderr(&output));
        let ram = std::fs::read(folder.path().join("ram.bin")).expect("the RAM");
        <[u8; 8]>::try_from(&ram[..8]).expect("RAM")
    };
    assert_eq!(ram(&[]), [0; 8]);
    assert_eq!(ram(&["--input", "none.fm2"]), [0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF]);
    assert_eq!(ram(&["--input", "random.fm2"]), [0x28, 0x66, 0x3A, 0xDE, 0xE8, 0x28, 0x63, 0x91]);
    assert_eq!(ram(&["--input", "random.fm2", "--ram-fill", "00"]), [0; 8]);
}

#[test]
fn a_movie_of_another_cartridge_or_of_an_older_maxout_plays_with_a_warning() {
    let other = "version 3\nromFilename other\nromChecksum base64:AAAAAAAAAAAAAAAAAAAAAA==\n|0||||\n|0||||\n";
    let older = "version 3\nrerecordCount 0\npalFlag 0\nport0 1\nport1 1\nport2 0\nromFilename game\n|0||||\n|0||||\n";
    let folder = folder_with(&[
        ("game.nes", &image(&[0x4C, 0x00, 0x80])),
        ("other.fm2", other.as_bytes()),
        ("older.fm2", older.as_bytes()),
    ]);
    let run = |movie: &str| {
        let output = maxout(folder.path(), &["run", "game.nes", "--input", movie]);
        assert!(output.status.success(), "{}", stderr(&output));
        (stdout(&output), stderr(&output))
    };
    let (said, warning) = run("other.fm2");
    assert!(said.contains("frames     1\n"), "{said}");
    assert!(
        warning.starts_with("warning: other.fm2 was recorded with another cartridge: other, base64:AAAA"),
        "{warning}"
    );
    assert_eq!(warning.matches("base64:").count(), 2, "{warning}");
    let (said, warning) = run("older.fm2");
    assert!(said.contains("frames     2\n"), "{said}");
    assert!(warning.starts_with("warning: older.fm2 was recorded by an older Maxout"), "{warning}");
    assert_eq!(warning.lines().count(), 1, "{warning}");
    assert!(warning.contains("maxout movie convert"), "{warning}");
}

#[test]
fn a_movie_of_an_older_maxout_is_converted_and_leaves_the_same_state() {
    let lines = (0..90).fold(String::new(), |text, line| {
        let command = u8::from(line == 60);
        text + &format!("|{command}|{}|........||\n", if line % 8 < 3 { "R..U...A" } else { "........" })
    });
    let older = format!(
        "version 3\nrerecordCount 4\npalFlag 0\nport0 1\nport1 1\nport2 0\nromFilename game\ncomment author me\n\
         subtitle 5 look\n{lines}"
    );
    // Counts in $10 what is held, and in $12 its own beginnings.
    let program =
        [0xE6, 0x12, 0xA9, 1, 0x8D, 0x16, 0x40, 0xA9, 0, 0x8D, 0x16, 0x40, 0xAD, 0x16, 0x40, 0x29, 1];
    let rest = [0x18, 0x65, 0x10, 0x85, 0x10, 0x4C, 0x02, 0x80];
    let folder = folder_with(&[
        ("game.nes", &image(&[&program[..], &rest].concat())),
        ("older.fm2", older.as_bytes()),
    ]);
    let output = maxout(folder.path(), &["movie", "convert", "older.fm2", "--out", "now.fm2"]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(stdout(&output), "90 frames, recorded by an older Maxout\n");
    let text = std::fs::read_to_string(folder.path().join("now.fm2")).expect("a movie");
    for kept in ["rerecordCount 4", "comment author me", "subtitle 5 look", "comment emulator Maxout "] {
        assert!(text.contains(kept), "{kept}: {text}");
    }
    // Line 0, and the line with the reset.
    assert_eq!(text.matches("\n|").count(), 92);
    let run = |movie: &str| {
        let output = maxout(folder.path(), &["run", "game.nes", "--input", movie, "--dump-ram", "ram.bin"]);
        assert!(output.status.success(), "{}", stderr(&output));
        let state = stdout(&output).lines().find(|line| line.starts_with("state")).map(ToOwned::to_owned);
        let ram = std::fs::read(folder.path().join("ram.bin")).expect("RAM");
        assert_eq!(ram[0x12], 2, "it was reset once");
        (state.expect("a digest of the state"), ram, stderr(&output))
    };
    let (older, now) = (run("older.fm2"), run("now.fm2"));
    assert_eq!((&older.0, &older.1), (&now.0, &now.1));
    assert!(older.2.contains("older Maxout") && now.2.is_empty(), "{} {}", older.2, now.2);
    let output = maxout(folder.path(), &["movie", "convert", "now.fm2", "--out", "./now.fm2"]);
    assert!(stderr(&output).contains("the movie itself"), "{}", stderr(&output));
}

#[test]
fn a_test_run_is_one_json_object_a_rom_and_its_status_is_the_verdict() {
    let folder = folder_with(&[
        ("roms/good.nes", &verdict_image(0)),
        ("roms/deep/bad.NES", &verdict_image(3)),
        ("roms/readme.txt", b"no ROM"),
        ("game.zip", b"PK\x03\x04 and so on, long enough to be a header"),
    ]);
    let reports = |arguments: &[&str]| {
        let output = maxout(folder.path(), &[&["test", "--json"], arguments].concat());
        let lines: Vec<Value> =
            stdout(&output).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        (output.status.code(), lines)
    };
    let (status, lines) = reports(&["roms"]);
    assert_eq!((status, lines.len()), (Some(1), 2));
    assert_eq!((&lines[0]["rom"], &lines[0]["verdict"]), (&"roms/deep/bad.NES".into(), &"fail".into()));
    assert_eq!(lines[0]["failures"], serde_json::json!([{"name": "check 3", "code": "3"}]));
    for key in ["rom", "verdict", "passed", "total", "failures", "frames", "text"] {
        assert!(lines[1].get(key).is_some(), "no {key} in {}", lines[1]);
    }
    let (status, lines) = reports(&["roms/good.nes"]);
    assert_eq!((status, &lines[0]["passed"], &lines[0]["total"]), (Some(0), &1.into(), &1.into()));
    let (status, lines) = reports(&["roms/good.nes", "game.zip", "nowhere.nes"]);
    assert_eq!((status, lines.len()), (Some(2), 3));
    assert_eq!((&lines[1]["verdict"], &lines[2]["verdict"]), (&"error".into(), &"error".into()));
}

#[cfg(unix)]
#[test]
fn verdicts_come_one_by_one_and_ctrl_c_ends_a_rom_that_runs() {
    use std::io::{BufRead, BufReader};
    // It says by blargg's status byte that it runs, and goes on for ever.
    let runs = [(0x00, 0x80), (0x01, 0xDE), (0x02, 0xB0), (0x03, 0x61)];
    let runs: Vec<u8> = runs.iter().flat_map(|&(low, value)| [0xA9, value, 0x8D, low, 0x60]).collect();
    let folder = folder_with(&[("a.nes", &verdict_image(0)), ("b.nes", &image(&runs))]);
    let mut child = Command::new(PROGRAM)
        .args(["test", ".", "--jobs", "1", "--frames", "4000000000"])
        .current_dir(folder.path())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::null())
        .spawn()
        .expect("the program starts");
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    let mut line = || lines.next().expect("a line").expect("text");
    assert!(line().starts_with("verdict"));
    let verdict = line();
    assert!(verdict.starts_with("pass") && verdict.ends_with("a.nes"), "{verdict}");
    let killed =
        Command::new("sh").args(["-c", &format!("kill -INT {}", child.id())]).status().expect("a shell");
    assert!(killed.success());
    assert_eq!(child.wait().expect("the program ends").code(), Some(130));
}

#[test]
fn a_manifest_names_the_roms_of_a_folder_and_a_missing_one_is_an_error() {
    let manifest =
        r#"{"roms": [{"path": "good.nes", "frame_budget": 5}, {"path": "gone.nes", "mapper": 0}]}"#;
    let folder = folder_with(&[
        ("roms/good.nes", &verdict_image(0)),
        ("roms/not_listed.nes", &verdict_image(9)),
        ("list.json", manifest.as_bytes()),
        ("broken.json", b"[1, 2]"),
    ]);
    let output = maxout(folder.path(), &["test", "roms", "--manifest", "list.json"]);
    let table = stdout(&output);
    assert_eq!(output.status.code(), Some(2), "{table}");
    assert!(table.contains("2 ROMs: 1 pass, 0 fail, 0 timeout, 0 unknown, 1 error"), "{table}");
    assert!(table.contains("roms/gone.nes: no such file"), "{table}");
    let output = maxout(folder.path(), &["test", "roms", "--manifest", "broken.json"]);
    assert_eq!((output.status.code(), stderr(&output).lines().count()), (Some(2), 1));
}

#[test]
fn results_can_be_had_as_junit() {
    let folder = folder_with(&[("good.nes", &verdict_image(0)), ("bad.nes", &verdict_image(2))]);
    maxout(folder.path(), &["test", ".", "--junit", "out.xml"]);
    let xml = std::fs::read_to_string(folder.path().join("out.xml")).expect("the results");
    let suite = xml.lines().find(|line| line.contains("<testsuite ")).expect("a suite");
    for count in [r#"tests="2""#, r#"failures="1""#, r#"errors="0""#] {
        assert!(suite.contains(count), "{suite}");
    }
    assert!(xml.contains(r#"<failure message="check 2: 2">"#), "{xml}");
}

#[test]
fn a_trace_has_a_line_for_each_instruction_in_either_format() {
    let folder = folder_with(&[("game.nes", &image(&stores(&[(0x10, 0xAB)])))]);
    let trace =
        |arguments: &[&str]| stdout(&maxout(folder.path(), &[&["trace", "game.nes"], arguments].concat()));
    let log = trace(&["--instructions", "3"]);
    assert_eq!(
        log.lines().nth(1).expect("three lines"),
        "8002  85 10     STA $10 = 00                    A:AB X:00 Y:00 P:A4 SP:FD PPU:  0, 27 CYC:9"
    );
    assert_eq!(log.lines().count(), 3);
    assert!(trace(&["--start", "8002", "--instructions", "1"]).starts_with("8002  85 10     STA"));
    let mesen = trace(&["--format", "mesen", "--instructions", "2"]);
    assert!(mesen.starts_with("8000  LDA #$AB "), "{mesen}");
}

#[test]
fn inspect_prints_header_board_hashes_and_warnings() {
    let mut overdump = image(&[]);
    overdump.extend([0; 10]);
    let folder = folder_with(&[("game.nes", &overdump)]);
    let text = stdout(&maxout(folder.path(), &["inspect", "game.nes"]));
    for word in
        ["iNES", "mapper      0", "32 KiB", "8 KiB", "CRC32", "SHA-1", "warning     overdump: 10 bytes"]
    {
        assert!(text.contains(word), "no {word:?} in:\n{text}");
    }
    let facts: Value =
        serde_json::from_str(&stdout(&maxout(folder.path(), &["inspect", "game.nes", "--json"])))
            .expect("JSON");
    assert_eq!((&facts["prg_rom"], &facts["mapper"]), (&32_768.into(), &0.into()));
}

#[test]
fn without_a_rom_it_is_the_built_in_cartridge() {
    let folder = folder_with(&[]);
    let json = |arguments: &[&str]| {
        let output = maxout(folder.path(), arguments);
        assert!(output.status.success(), "{}", stderr(&output));
        serde_json::from_str::<Value>(&stdout(&output)).expect("JSON")
    };
    let outcome = json(&["run", "--frames", "10", "--json"]);
    assert_eq!((&outcome["rom"], &outcome["frames"]), (&Value::Null, &10.into()));
    assert_eq!(outcome["cpu"]["jammed"], false);
    let facts = json(&["inspect", "--json"]);
    assert_eq!(
        (&facts["rom"], &facts["mapper"], &facts["warnings"]),
        (&Value::Null, &1.into(), &Value::Array(vec![]))
    );
    // The reset routine stands where the cartridge's memory map says.
    assert!(stdout(&maxout(folder.path(), &["trace", "--instructions", "1"])).starts_with("FF00  "));
    for command in ["run", "trace", "inspect", "play"] {
        let help = stdout(&maxout(folder.path(), &[command, "--help"]));
        assert!(help.contains("without one, the built-in cartridge"), "{command}:\n{help}");
    }
}

#[test]
fn a_file_that_cannot_be_written_is_named_and_nothing_is_left_behind() {
    let folder = folder_with(&[("game.nes", &image(&[]))]);
    let output =
        maxout(folder.path(), &["run", "game.nes", "--frames", "2", "--screenshot", "no/such/out.png"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).starts_with("error: no/such/out.png: "), "{}", stderr(&output));
    assert_eq!(names(folder.path()), [PathBuf::from("game.nes")]);
}

#[cfg(unix)]
#[test]
fn ctrl_c_leaves_the_old_file_and_no_half_written_one() {
    use std::time::{Duration, Instant};
    let folder = folder_with(&[("game.nes", &image(&[])), ("out.wav", b"old")]);
    let mut child = Command::new(PROGRAM)
        .args(["run", "game.nes", "--frames", "100000000", "--wav", "out.wav"])
        .current_dir(folder.path())
        .stderr(std::process::Stdio::null())
        .spawn()
        .expect("the program starts");
    // The draft beside the file shows that the run is under way and listens.
    let begun = Instant::now();
    while names(folder.path()).len() < 3 && begun.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(20));
    }
    std::thread::sleep(Duration::from_millis(200));
    let killed =
        Command::new("sh").args(["-c", &format!("kill -INT {}", child.id())]).status().expect("a shell");
    assert!(killed.success());
    assert_eq!(child.wait().expect("the program ends").code(), Some(130));
    assert_eq!(names(folder.path()), ["game.nes", "out.wav"].map(PathBuf::from));
    assert_eq!(std::fs::read(folder.path().join("out.wav")).expect("the old file"), b"old");
}
