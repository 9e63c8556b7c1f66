//! `maxout lua` as its user meets it: what is printed, exit status, files.

use std::fs;
use std::process::{Command, Output};

use tempfile::TempDir;

/// Runs a script of this text, called game.lua, in a folder of its own.
fn lua(source: &str, arguments: &[&str]) -> (TempDir, Output) {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("game.lua"), source).expect("a script");
    let output = Command::new(env!("CARGO_BIN_EXE_maxout"))
        .args(["lua", "game.lua"])
        .args(arguments)
        .current_dir(folder.path())
        .output()
        .expect("the program starts");
    (folder, output)
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("the output is UTF-8")
}

#[test]
fn a_script_prints_to_standard_output_and_its_messages_go_to_standard_error() {
    let (_, output) = lua("emu.frameadvance() print('frame', emu.framecount()) emu.message('hello')", &[]);
    assert_eq!(text(&output.stdout), "frame 1\n");
    assert_eq!(text(&output.stderr), "hello\n");
    assert!(output.status.success());
}

#[test]
fn the_exit_status_says_how_the_script_ended() {
    let cases = [
        ("emu.frameadvance()", 0, ""),
        ("emu.frameadvance() emu.exit(7)", 7, ""),
        (
            "emu.pause() while true do emu.frameadvance() end",
            0,
            "paused at frame 1: a headless run has nobody to resume it\n",
        ),
        ("\nerror('no')", 1, "error: game.lua:2: no\n"),
        (
            "\nwhile true do end",
            1,
            "error: game.lua:2: 1000000 instructions in one frame: an endless loop? Call emu.frameadvance() in it\n",
        ),
        ("x =", 2, "error: game.lua:1: unexpected symbol near '<eof>'\n"),
    ];
    for (source, status, message) in cases {
        let (_, output) = lua(source, &["--instructions", "1"]);
        assert_eq!(output.status.code(), Some(status), "{source}");
        assert!(text(&output.stderr).ends_with(message), "{source}: {}", text(&output.stderr));
    }
    let missing =
        Command::new(env!("CARGO_BIN_EXE_maxout")).args(["lua", "none.lua"]).output().expect("it starts");
    assert_eq!(missing.status.code(), Some(2));
    assert_eq!(text(&missing.stderr), "error: none.lua: no such file: check the path\n");
}

#[test]
fn an_error_in_a_function_shows_who_called_it() {
    let (_, output) = lua("local function f()\n  error('deep')\nend\nf()", &[]);
    let stderr = text(&output.stderr);
    assert!(stderr.contains("game.lua:4: in main chunk"), "{stderr}");
    assert!(stderr.ends_with("error: game.lua:2: deep\n"), "{stderr}");
}

#[test]
fn the_screenshot_shows_what_the_script_drew() {
    let source = "gui.register(function() gui.box(0, 0, 9, 9, 'red', 'red') end)";
    let (folder, output) = lua(source, &["--frames", "3", "--screenshot", "out.png"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let picture = image::open(folder.path().join("out.png")).expect("a PNG").into_rgba8();
    assert_eq!(picture.dimensions(), (256, 240));
    assert_eq!(picture.get_pixel(5, 5).0, [0xFF, 0, 0, 0xFF]);
    assert_ne!(picture.get_pixel(12, 12).0, [0xFF, 0, 0, 0xFF]);
}

#[test]
fn a_recorded_movie_and_a_state_are_files_of_the_folder_that_was_named() {
    let source = "movie.record('a.fm2') for i = 1, 30 do joypad.set(1, {A = true}) emu.frameadvance() end
        local s = savestate.object(1) savestate.save(s) savestate.persist(s) movie.stop()";
    let (folder, output) = lua(source, &["--files", "kept"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(folder.path().join("kept/slot-1.state").is_file());
    fs::copy(folder.path().join("kept/a.fm2"), folder.path().join("b.fm2")).expect("the movie");
    fs::write(
        folder.path().join("game.lua"),
        "while true do print(movie.mode(), memory.readbyte(0xF7)) emu.frameadvance() end",
    )
    .expect("a script");
    let played = Command::new(env!("CARGO_BIN_EXE_maxout"))
        .args(["lua", "game.lua", "--movie", "b.fm2"])
        .current_dir(folder.path())
        .output()
        .expect("the program starts");
    let lines: Vec<&str> = text(&played.stdout).lines().collect();
    assert_eq!((lines.len(), lines[0], lines[29]), (30, "playback 0", "playback 128"));
}

#[test]
fn presses_reach_the_game_before_and_after_a_movie() {
    let source =
        "while true do if joypad.get(1).start then print(emu.framecount()) end emu.frameadvance() end";
    let (folder, output) = lua(source, &["--frames", "9", "--press", "start@3,5", "--press", "start+a@7"]);
    assert_eq!(text(&output.stdout), "3\n4\n5\n6\n7\n8\n", "{}", text(&output.stderr));
    let movie = format!("version 3\nport0 1\nport1 1\nport2 0\n{}", "|0|........|........||\n".repeat(6));
    fs::write(folder.path().join("m.fm2"), movie).expect("a movie");
    let movie = |more: &[&str]| {
        let arguments = [&["lua", "game.lua", "--movie", "m.fm2", "--press", "start@3,8"], more].concat();
        let output =
            Command::new(env!("CARGO_BIN_EXE_maxout")).args(arguments).current_dir(folder.path()).output();
        text(&output.expect("the program starts").stdout).to_owned()
    };
    assert_eq!(movie(&[]), "", "the run ends with the movie");
    assert_eq!(movie(&["--frames", "12"]), "8\n9\n", "the run goes on after the movie");
}

#[test]
fn without_a_folder_a_script_writes_no_file() {
    let (folder, output) = lua("gui.savescreenshot()", &[]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("name a folder for them (maxout lua --files FOLDER)"));
    assert_eq!(fs::read_dir(folder.path()).expect("the folder").count(), 1);
}

/// A script as they are written for FCEUX, from power-on: it skips the legal screen, starts a game
/// and plays.
#[test]
fn a_script_takes_over_from_power_on_to_playing_pieces() {
    let takeover = include_str!("../../../../docs/scripts/takeover.lua");
    let report =
        "gui.register(function() if pieces == 12 then print(pieces, colours > 0) emu.exit(3) end end)\n";
    assert!(takeover.contains("gui.register(draw)\n"));
    let source = takeover.replace("gui.register(draw)\n", report);
    let (_, output) = lua(&source, &["--frames", "3000"]);
    assert_eq!(text(&output.stdout), "12 true\n", "{}", text(&output.stderr));
    assert_eq!(text(&output.stderr), "taking over\n");
    assert_eq!(output.status.code(), Some(3));
}
