//! A real window on a display without a screen: drawn, resized in a storm, played by keys and
//! menus, hidden, closed.
//!
//! `cargo xtask test --window` installs what they need and runs them.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::Duration;

use crate::display::{
    BLUE, CROSS, Display, DisplaySession, RED, close, differing, drag, example, write_cartridge,
};

const GREEN: u8 = 0x1A;

#[test]
#[ignore = "needs Xvfb and xdotool: cargo xtask test --window"]
fn a_window_shows_the_game_hears_the_keys_and_survives_a_storm_of_resizes() {
    let folder = tempfile::tempdir().expect("a folder");
    let display = Display::start(folder.path());
    let mut window =
        DisplaySession::start(&display, folder.path(), "backdrop", BLUE, &folder.path().join("player"));

    display.xdotool(&["keydown", "x"]);
    window.wait_for("what the key does", || display.share(RED) > 0.4);
    display.xdotool(&["keyup", "x"]);
    window.wait_for("the key's release", || display.share(BLUE) > 0.4);

    let id = window.id.clone();
    for step in 0..200 {
        let (width, height) = ((300 + step * 137 % 900).to_string(), (260 + step * 211 % 700).to_string());
        display.xdotool(&["windowsize", &id, &width, &height]);
    }
    display.xdotool(&["windowsize", &id, "1024", "960"]);
    // Beside a rail, and alone.
    window.wait_for("the picture after the storm", || display.share(BLUE) > 0.4);
    window.press(&["bracketleft", "bracketright"]);
    window.wait_for("the picture without rails", || display.share(BLUE) > 0.7);

    window.press(&["ctrl+q"]);
    window.end();
}

#[test]
#[ignore = "needs Xvfb and xdotool: cargo xtask test --window"]
fn the_menu_stops_the_game_and_a_window_that_was_hidden_plays_on_until_it_is_closed() {
    let folder = tempfile::tempdir().expect("a folder");
    let display = Display::start(folder.path());
    let mut window =
        DisplaySession::start(&display, folder.path(), "backdrop", BLUE, &folder.path().join("player"));

    let game = display.pixels();
    window.press(&["Escape"]);
    // It stands in the rail; the picture stays, and hears no key.
    window.wait_for("the menu", || differing(&game, &display.pixels()) > 0.01);
    display.xdotool(&["keydown", "x"]);
    thread::sleep(Duration::from_secs(1));
    assert!(display.share(BLUE) > 0.4, "the game stands still");
    window.press(&["Escape"]);
    window.wait_for("the rail", || differing(&game, &display.pixels()) < 0.01);
    thread::sleep(Duration::from_secs(1));
    assert!(display.share(BLUE) > 0.4, "a key of the menu is not one of the game");
    display.xdotool(&["keyup", "x"]);

    let id = window.id.clone();
    display.xdotool(&["windowunmap", &id]);
    window.wait_for("nothing", || display.share(BLUE) < 0.01);
    display.xdotool(&["windowmap", &id]);
    window.wait_for("the picture again", || display.share(BLUE) > 0.4);
    // It has paused meanwhile, and goes on with the keyboard.
    display.xdotool(&["windowfocus", &id]);
    display.xdotool(&["keydown", "x"]);
    window.wait_for("what the key does", || display.share(RED) > 0.4);
    display.xdotool(&["keyup", "x"]);
    close::ask_to_close(&display.name, &id);
    window.end();
}

#[test]
#[ignore = "needs Xvfb and xdotool: cargo xtask test --window"]
fn another_cartridge_is_chosen_from_the_list_of_files_and_settings_are_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let player = folder.path().join("player");
    fs::create_dir(&player).expect("a folder for the player");
    write_cartridge(folder.path(), "other", GREEN);
    let display = Display::start(folder.path());
    let mut window = DisplaySession::start(&display, folder.path(), "backdrop", BLUE, &player);

    // The desktop's dialog, the folder above, the player's, this game, the other.
    window.press(&["o", "Down", "Down", "Down", "Down", "Return"]);
    window.wait_for("the other cartridge", || display.share(GREEN) > 0.4);
    // Menu, the last but two of its rows, picture, filter.
    window.press(&["Escape", "End", "Up", "Up", "Return", "Return", "Right"]);
    window.press(&["Escape", "Escape", "Escape", "F12"]);
    let shots = player.join("screenshots");
    window.wait_for("a screenshot", || fs::read_dir(&shots).is_ok_and(|files| files.count() == 1));
    window.press(&["ctrl+q"]);
    window.end();
    let settings = fs::read_to_string(player.join("config.toml")).expect("settings were written");
    assert!(settings.contains("filter = \"scanlines\""), "{settings}");
    let recent = fs::read_to_string(player.join("recent")).expect("what was played was written");
    assert!(recent.lines().next().is_some_and(|line| line.ends_with("other.nes")), "{recent}");
}

#[test]
#[ignore = "needs Xvfb and xdotool: cargo xtask test --window"]
fn garbage_in_the_settings_is_said_and_left_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let player = folder.path().join("player");
    fs::create_dir(&player).expect("a folder for the player");
    let garbage = "[picture\nscale = 99";
    fs::write(player.join("config.toml"), garbage).expect("garbage is written");
    let display = Display::start(folder.path());
    let window = DisplaySession::start(&display, folder.path(), "backdrop", BLUE, &player);
    window.press(&["m", "Escape", "Escape", "ctrl+q"]);
    let (_, complaints) = window.end();
    assert!(complaints.contains("config.toml:1: "), "{complaints}");
    assert_eq!(fs::read_to_string(player.join("config.toml")).expect("it is there"), garbage);
}

#[test]
#[ignore = "needs Xvfb and xdotool: cargo xtask test --window"]
fn where_nothing_can_be_written_that_is_said_and_the_game_goes_on() {
    let folder = tempfile::tempdir().expect("a folder");
    // A file where the folder should be: not even the superuser can write into it.
    let player = folder.path().join("player");
    fs::write(&player, "").expect("a file is written");
    let display = Display::start(folder.path());
    let mut window = DisplaySession::start(&display, folder.path(), "backdrop", BLUE, &player);
    window.press(&["F12", "m"]);
    display.xdotool(&["keydown", "x"]);
    window.wait_for("what the key does", || display.share(RED) > 0.3);
    display.xdotool(&["keyup", "x"]);
    window.press(&["ctrl+q"]);
    let (_, complaints) = window.end();
    for file in ["config.toml", "screenshots"] {
        assert!(complaints.contains(file), "nothing about {file}: {complaints}");
    }
}

#[test]
#[ignore = "needs Xvfb and xdotool: cargo xtask test --window"]
fn a_cartridge_dropped_on_the_window_replaces_the_one_that_runs_and_garbage_does_not() {
    let folder = tempfile::tempdir().expect("a folder");
    let player = folder.path().join("player");
    let other = write_cartridge(folder.path(), "other", GREEN);
    let garbage = folder.path().join("garbage.nes");
    fs::write(&garbage, "no cartridge").expect("garbage is written");
    let display = Display::start(folder.path());
    let mut window = DisplaySession::start(&display, folder.path(), "backdrop", BLUE, &player);

    drag::drop_file(&display.name, &window.id, &garbage);
    display.xdotool(&["keydown", "x"]);
    window.wait_for("the game that goes on", || display.share(RED) > 0.3);
    display.xdotool(&["keyup", "x"]);
    drag::drop_file(&display.name, &window.id, &other);
    window.wait_for("the other cartridge", || display.share(GREEN) > 0.4);
    window.press(&["ctrl+q"]);
    let (_, complaints) = window.end();
    assert!(complaints.contains("cannot play garbage"), "{complaints}");
    let recent = fs::read_to_string(player.join("recent")).expect("what was played was written");
    assert!(recent.lines().next().is_some_and(|line| line.ends_with("other.nes")), "{recent}");
}

#[test]
#[ignore = "needs Xvfb and xdotool: cargo xtask test --window"]
fn a_script_dropped_on_the_window_draws_over_the_picture_and_one_that_fails_says_where() {
    let folder = tempfile::tempdir().expect("a folder");
    let player = folder.path().join("player");
    let write = |name: &str, source: &str| {
        let path = folder.path().join(name);
        fs::write(&path, source).expect("a script is written");
        path
    };
    let cover = write(
        "cover.lua",
        "print('good day')
        gui.register(function()
            local clicked = input.get().leftclick
            gui.box(0, 0, 255, 239, clicked and 'P16' or 'P1A', 'clear')
        end)",
    );
    let failing = write("failing.lua", "emu.frameadvance()\nerror('no more')");
    let hud = write("hud.lua", include_str!("../../../../docs/scripts/hud.lua"));
    let display = Display::start(folder.path());
    let mut window = DisplaySession::start(&display, folder.path(), "backdrop", BLUE, &player);

    drag::drop_file(&display.name, &window.id, &cover);
    window.wait_for("what the script draws", || display.share(GREEN) > 0.35);
    display.xdotool(&["mousemove", "--window", &window.id, "300", "300", "mousedown", "1"]);
    window.wait_for("what it does with the mouse", || display.share(RED) > 0.35);
    display.xdotool(&["mouseup", "1"]);
    drag::drop_file(&display.name, &window.id, &failing);
    window.wait_for("the game without a script", || display.share(BLUE) > 0.35);
    drag::drop_file(&display.name, &window.id, &hud);
    thread::sleep(Duration::from_secs(1));
    display.xdotool(&["windowfocus", &window.id]);
    window.press(&["F12"]);
    let shots = player.join("screenshots");
    window.wait_for("a screenshot", || fs::read_dir(&shots).is_ok_and(|files| files.count() == 1));
    window.press(&["ctrl+q"]);
    let (output, complaints) = window.end();
    assert!(output.contains("good day\n"), "{output}");
    assert!(complaints.contains("failing.lua:2: no more"), "{complaints}");
    let shot = fs::read_dir(&shots).expect("it is there").flatten().next().expect("a screenshot");
    let picture = image::open(shot.path()).expect("a picture").to_rgb8();
    let letters = picture.pixels().filter(|pixel| pixel.0 == [0xFF; 3]).count();
    assert!((100..2000).contains(&letters), "{letters} white pixels: the text of the script");
}

/// The example `window` with a pad of that kind (see `pads/testbed.py`), which takes orders.
fn with_pad(kind: &str, folder: &Path) -> Command {
    // Each sound card that ALSA looks for in vain takes one of the fifty places that umockdev has
    // for open files.
    let no_cards = folder.join("alsa.conf");
    fs::write(&no_cards, "").expect("a configuration without cards");
    let mut command = Command::new("umockdev-wrapper");
    // The system's own, for which Debian packages the bindings.
    command.arg("/usr/bin/python3").arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pads/testbed.py"));
    command.arg(kind).arg(example("window")).env("ALSA_CONFIG_PATH", no_cards);
    command
}

#[test]
#[ignore = "needs Xvfb, xdotool, umockdev, gir1.2-umockdev-1.0 and python3-gi: cargo xtask test --window"]
fn a_cross_of_two_axes_has_four_directions() {
    let folder = tempfile::tempdir().expect("a folder");
    let display = Display::start(folder.path());
    let command = with_pad("usb", folder.path());
    let player = folder.path().join("player");
    let mut window = DisplaySession::start_by(&display, command, folder.path(), "backdrop", BLUE, &player);
    for (direction, colour) in CROSS {
        window.order(direction);
        window.wait_for(direction, || display.share(colour) > 0.3);
        window.order("centre");
        window.wait_for("the cross at rest", || display.share(BLUE) > 0.3);
    }
    window.press(&["ctrl+q"]);
    window.end();
}

#[test]
#[ignore = "needs Xvfb, xdotool, umockdev, gir1.2-umockdev-1.0 and python3-gi: cargo xtask test --window"]
fn a_pad_pulled_out_lets_go_which_is_said_and_one_plugged_in_plays_at_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let display = Display::start(folder.path());
    let command = with_pad("pad", folder.path());
    let player = folder.path().join("player");
    let mut window = DisplaySession::start_by(&display, command, folder.path(), "backdrop", BLUE, &player);

    window.order("press");
    window.wait_for("what the pad does", || display.share(RED) > 0.3);
    window.order("unplug");
    window.wait_for("the button's release", || display.share(BLUE) > 0.3);
    display.xdotool(&["keydown", "x"]);
    window.wait_for("the keyboard's turn", || display.share(RED) > 0.3);
    display.xdotool(&["keyup", "x"]);
    window.wait_for("the key's release", || display.share(BLUE) > 0.3);
    window.order("plug");
    thread::sleep(Duration::from_secs(2));
    window.order("press");
    window.wait_for("what the new pad does", || display.share(RED) > 0.3);
    window.press(&["ctrl+q"]);
    let (_, complaints) = window.end();
    assert!(complaints.contains("was unplugged; its buttons are released"), "{complaints}");
}
