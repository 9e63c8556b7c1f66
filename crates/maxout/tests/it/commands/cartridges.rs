//! Every feature of the game on two cartridges, the built-in one and one that is known by its hash
//! alone; and what is said of cartridges that are not known, or only in part.

use std::fmt::Write;
use std::path::Path;

use nes_testing::Image;
use serde_json::Value;
use sha1::{Digest, Sha1};
use tempfile::TempDir;

use super::program::{call, text};

const SLOW: &[u8] = include_bytes!("../../../../../roms/maxout-slow.nes");
const OTHER: &[u8] = include_bytes!("../../../../../roms/tests/single_screen.nes");

/// The cartridges as arguments: the built-in one, and a file.
const BOTH: [&[&str]; 2] = [&[], &["slow.nes"]];

/// A folder with the second cartridge, and with a movie of an A-type game at level 0 that is left
/// to fall.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("slow.nes"), SLOW).expect("a file");
    let mut movie = "version 3\nport0 1\nport1 0\n".to_owned();
    for frame in 0..2_400 {
        let held = match frame {
            0..410 if frame % 40 < 2 => "....T...",
            460.. if frame % 40 > 1 => "..D.....",
            _ => "........",
        };
        let _ = writeln!(movie, "|0|{held}|||");
    }
    std::fs::write(folder.path().join("game.fm2"), movie).expect("a file");
    folder
}

fn json(folder: &Path, command: &[&str], more: &[&str]) -> Value {
    call(command).with(more).with(&["--json"]).inside(folder).json()
}

fn sha1(bytes: &[u8]) -> String {
    Sha1::digest(bytes).iter().fold(String::new(), |mut digits, byte| {
        let _ = write!(digits, "{byte:02x}");
        digits
    })
}

/// The events of that name in what `maxout tetris watch` prints.
fn events(printed: &str, name: &str) -> Vec<Value> {
    let events = printed.lines().map(|line| serde_json::from_str::<Value>(line).expect("an event"));
    events.filter(|event| event["event"] == name).collect()
}

#[test]
fn inspect_names_both_and_everything_works_on_them() {
    let folder = folder();
    for (rom, release) in BOTH.into_iter().zip(["maxout", "maxout-slow"]) {
        let facts = json(folder.path(), &["inspect"], rom);
        let game = &facts["game"];
        assert_eq!(game["release"], release);
        let features = game["features"].as_array().expect("features");
        assert!(features.len() > 15 && features.iter().all(|feature| feature["works"] == true), "{game}");
        let text = call(&["inspect"]).with(rom).inside(folder.path()).printed();
        assert!(text.contains("game        Maxout") && text.contains("C in the window"), "{text}");
        assert!(!text.contains("is off"), "{text}");
    }
}

#[test]
fn the_computer_plays_both() {
    let folder = folder();
    for rom in BOTH {
        let run = ["ai", "run", "--level", "18", "--lines", "3"];
        let game = json(folder.path(), &run, rom)["games"][0].clone();
        assert_eq!(
            (game["ending"].as_str(), game["mispredictions"].as_u64()),
            (Some("limit"), Some(0)),
            "{game}"
        );
        let run = ["ai", "run", "--mode", "teleport", "--guard", "--level", "99", "--lines", "8"];
        let game = json(folder.path(), &run, rom)["games"][0].clone();
        assert_eq!(game["ending"].as_str(), Some("limit"), "{game}");
    }
}

#[test]
fn other_pieces_come_on_both() {
    let folder = folder();
    let next = |rom: &[&str], more: &[&str]| {
        let run = ["run", "--input", "game.fm2", "--no-sound", "--no-video", "--dump-ram", "ram.bin"];
        call(&run).with(rom).with(more).inside(folder.path()).printed();
        std::fs::read(folder.path().join("ram.bin")).expect("RAM")[tetris::ram::NEXT_PIECE.at()]
    };
    let long = tetris::Orientation::spawn(tetris::Piece::I).id();
    for rom in BOTH {
        assert_eq!(next(rom, &["--pieces", &"I".repeat(60)]), long);
        let run = ["ai", "run", "--mode", "teleport", "--pieces", "20"];
        let state = |kind| {
            json(folder.path(), &run, &[rom, &["--randomizer", kind]].concat())["games"][0]["state"].clone()
        };
        assert_ne!(state("tgm3"), state("tetrio-7bag"));
    }
}

#[test]
fn a_game_is_a_stream_of_events_on_both_and_its_pieces_are_foretold() {
    let folder = folder();
    for rom in BOTH {
        let watch = ["tetris", "watch", "--movie", "game.fm2", "--json"];
        let printed = call(&watch).with(rom).inside(folder.path()).printed();
        assert_eq!(events(&printed, "game_start").len(), 1);
        let locks = events(&printed, "lock");
        let spawns = events(&printed, "spawn");
        assert!(locks.len() > 4 && spawns.len() > locks.len(), "{} locks", locks.len());
        let frame = spawns[3]["frame"].as_u64().expect("a number");
        let before = (frame - 5).to_string();
        let forecast = ["tetris", "forecast", "--movie", "game.fm2", "--frames", &before, "-n", "10"];
        let forecast = json(folder.path(), &forecast, rom);
        let pick = &forecast["picks"][4];
        assert_eq!((&pick["frame"], &pick["piece"]), (&spawns[3]["frame"], &spawns[3]["next"]), "{forecast}");
    }
}

#[test]
fn the_debugger_stops_where_a_piece_locks_and_shows_the_game_of_both() {
    let folder = folder();
    let commands = "until mode == 1\nrun 30\npress start\nrun 30\npress start\nrun 30\nhold start\nstep game_start\n\
                    hold down\nuntil pc == @lock\nexpect @lock == 0x99A2\ngame\nstep lock\nuntil pc == @spawn\n\
                    step spawn\nback spawn\nclears\n";
    for rom in BOTH {
        let printed = call(&["debug"]).with(rom).reading(commands.as_bytes()).inside(folder.path()).printed();
        assert!(printed.contains("level 0") && printed.contains("DAS ["), "{printed}");
    }
}

#[test]
fn a_demo_is_recorded_and_replaced_on_both() {
    let folder = folder();
    for rom in BOTH {
        call(&["tetris", "demo", "record", "--movie", "game.fm2", "--out", "demo.json"])
            .with(rom)
            .inside(folder.path())
            .printed();
        let recorded: Value =
            serde_json::from_slice(&std::fs::read(folder.path().join("demo.json")).expect("a file"))
                .expect("JSON");
        let replace = call(&["tetris", "demo", "replace", "demo.json"]).with(rom);
        let said = replace.with(&["--out", "demo.nes"]).inside(folder.path()).printed();
        let end = format!("the demo ends with score {}, {} lines\n", recorded["score"], recorded["lines"]);
        assert!(said.ends_with(&end), "{said}, not {end}");
    }
}

#[test]
fn tables_pictures_and_songs_are_those_of_either_cartridge() {
    let folder = folder();
    for command in [&["colours"][..], &["levels"], &["orientations"]] {
        let tables = BOTH.map(|rom| {
            let mut table = json(folder.path(), &[&["tetris"], command].concat(), rom);
            // What follows the tables in PRG-ROM is code, which is not the same.
            if let Some(rows) = table.as_array_mut() {
                rows.retain(|row| row["intended"] != false);
            }
            if let Some(shown) = table.get_mut("shown").and_then(Value::as_array_mut) {
                shown.truncate(30);
            }
            table
        });
        assert_eq!(tables[0], tables[1], "{command:?}: the same sources have the same tables");
    }
    for rom in BOTH {
        for (command, made) in [
            (&["music", "fast-1", "--seconds", "1", "--out"][..], "song.wav"),
            (&["endings", "--points", "120000", "--frame", "60", "--out"], "ending.png"),
            (&["colours", "--out"], "colours.png"),
            (&["levels", "--out"], "levels.png"),
            (&["orientations", "--out"], "pieces.png"),
            (&["legal", "--skip", "--out"], "legal.png"),
            (&["two-player", "--frames", "900", "--out"], "two.png"),
        ] {
            call(&["tetris"]).with(command).with(&[made]).with(rom).inside(folder.path()).printed();
            let bytes = std::fs::read(folder.path().join(made)).expect("it was made");
            assert!(bytes.len() > 500, "{command:?}: {} bytes", bytes.len());
            std::fs::remove_file(folder.path().join(made)).expect("it is ours");
        }
    }
}

#[test]
fn a_skin_is_a_patch_of_either_cartridge() {
    let folder = folder();
    std::fs::write(
        folder.path().join("skin.toml"),
        "[orientations]\n0A = { cells = [[0, -2], [0, 0], [1, -1], [1, 0]] }\n",
    )
    .expect("a file");
    let patches = BOTH.map(|rom| {
        let tiles = call(&["tetris", "tiles", "skin.toml"]).with(rom);
        tiles.with(&["--out", "skin.ips"]).inside(folder.path()).printed();
        std::fs::read(folder.path().join("skin.ips")).expect("a patch")
    });
    assert_eq!(patches[0], patches[1], "the table stands at the same address");
}

#[test]
fn the_scripts_of_the_documents_run_beside_both() {
    let folder = folder();
    for (script, frames) in [("hud", "900"), ("pieces", "60"), ("skip_legal", "60"), ("takeover", "900")] {
        let path = format!("{}/../../docs/scripts/{script}.lua", env!("CARGO_MANIFEST_DIR"));
        for rom in BOTH {
            call(&["lua", &path]).with(rom).with(&["--frames", frames]).inside(folder.path()).printed();
        }
    }
}

/// Commands that take what only the game has, and what they are about.
const FEATURES: [(&[&str], &str); 14] = [
    (&["ai", "run", "--lines", "1"], "the computer player"),
    (&["run", "--pieces", "TIO"], "another sequence of pieces"),
    (&["run", "--randomizer", "tgm3"], "another sequence of pieces"),
    (&["tetris", "watch"], "the stream of events"),
    (&["tetris", "forecast"], "the forecast of pieces"),
    (&["tetris", "demo", "record", "--movie", "game.fm2", "--out", "x.json"], "the demo's recording"),
    (&["tetris", "colours"], "the table of colours"),
    (&["tetris", "levels"], "the table of level numbers"),
    (&["tetris", "orientations"], "the table of orientations"),
    (&["tetris", "music", "fast-1", "--out", "x.wav"], "the list of songs"),
    (&["tetris", "endings", "--points", "30000", "--out", "x.png"], "the list of endings"),
    (&["tetris", "legal"], "skipping the first screen"),
    (&["tetris", "two-player"], "the mode for two players"),
    (&["tetris", "parity"], "the model of the rules"),
];

#[test]
fn a_cartridge_that_is_not_recognised_is_refused_in_one_plain_line_by_every_feature() {
    let folder = folder();
    std::fs::write(folder.path().join("other.nes"), OTHER).expect("a file");
    for (command, subject) in FEATURES {
        let said = call(command).with(&["other.nes"]).inside(folder.path()).refused();
        let wanted =
            format!("error: other.nes: {subject} only works with Tetris; this ROM isn't recognised: ");
        assert!(
            said.starts_with(&wanted) && said.contains("maxout inspect") && said.lines().count() == 1,
            "{said}"
        );
        assert!(said.contains(&sha1(OTHER)), "{said}");
    }
    let text = call(&["inspect", "other.nes"]).inside(folder.path()).printed();
    assert!(text.contains("game        not recognised as Tetris"), "{text}");
    assert_eq!(json(folder.path(), &["inspect", "other.nes"], &[])["game"], Value::Null);
}

/// An NROM image of twice the CHR-ROM, with names of modes in the game's letters, as `TetrisGYM`'s
/// build has it.
fn gym() -> Vec<u8> {
    let mut start = vec![0x4C, 0x00, 0x80]; // JMP $8000
    for word in ["CRUNCH", "TRNSTN", "MARTHN", "TAPQTY", "CKRBRD", "LOBARS"] {
        start.extend(word.bytes().map(|letter| letter - b'A' + 0x0A));
    }
    Image::ines(0, 2, 2).with(6, 1).put(0, &start).vectors(0x8000, 0x8000, 0x8000).chr_of(0).bytes()
}

#[test]
fn the_practice_hack_is_named_its_header_is_borne_and_what_is_off_says_what_it_lacks() {
    let folder = folder();
    std::fs::write(folder.path().join("gym.nes"), gym()).expect("a file");
    let output = call(&["run", "gym.nes", "--frames", "5", "--json"]).inside(folder.path()).output();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let said = text(&output.stderr);
    assert!(
        said.starts_with("warning: gym.nes: 16384 bytes of CHR-ROM, of which NROM can address 8192"),
        "{said}"
    );
    let facts = json(folder.path(), &["inspect", "gym.nes"], &[]);
    assert_eq!((&facts["chr_rom"], &facts["game"]["release"]), (&8192.into(), &"gym".into()));
    assert_eq!(facts["warnings"].as_array().map(Vec::len), Some(1), "{facts}");
    let features = facts["game"]["features"].as_array().expect("features");
    let works: Vec<_> = features.iter().filter(|feature| feature["works"] == true).collect();
    let works: Vec<_> = works.iter().filter_map(|feature| feature["id"].as_str()).collect();
    assert_eq!(works, ["events", "debugger", "games"], "{facts}");
    // Its game is shown from where it keeps it.
    let script = folder.path().join("panel.script");
    std::fs::write(
        &script,
        "frame 2\nset [$0008] = 1\nset [$0009] = $80\nset [$000A] = $2E\nset [$0044] = 19\ngame\nprint score\n",
    )
    .expect("a file");
    let shown = call(&["debug", "gym.nes", "--script", "panel.script"]).inside(folder.path()).printed();
    assert!(shown.contains("level 19  lines 0  score 3047425"), "{shown}");
    let text = call(&["inspect", "gym.nes"]).inside(folder.path()).printed();
    for word in ["TetrisGYM, by the names of its modes", "$000C", "is off", "warning     16384 bytes"] {
        assert!(text.contains(word), "no {word:?} in\n{text}");
    }
    let is_off = |(command, _): &(&[&str], &str)| command[..] != ["tetris", "watch"];
    for (command, subject) in FEATURES.into_iter().filter(is_off) {
        let said = call(command).with(&["gym.nes"]).inside(folder.path()).refused();
        // The header's warning comes first.
        let said = said.lines().last().expect("an error");
        let wanted = format!("error: gym.nes: {subject} does not work on TetrisGYM: its memory map lacks ");
        assert!(said.starts_with(&wanted), "{said}");
    }
}

#[test]
fn a_profile_turns_features_on_by_what_it_knows() {
    let folder = folder();
    let mut hack = SLOW.to_vec();
    let free = hack[..16 + 0x8000].windows(64).rposition(|bytes| bytes == [0xFF; 64]).expect("room");
    hack[free + 32] = 0;
    std::fs::write(folder.path().join("hack.nes"), &hack).expect("a file");
    let inspect = ["inspect", "hack.nes"];
    assert_eq!(json(folder.path(), &inspect, &[])["game"]["release"], "hack");
    let said = call(&["ai", "run", "hack.nes"]).inside(folder.path()).refused();
    assert!(said.contains("the computer player does not work on a hack of Tetris"), "{said}");
    let profile = |more: &str| {
        let text = format!("name = \"Mine\"\nsha1 = [\"{}\"]\n{more}", sha1(&hack[16..]));
        std::fs::write(folder.path().join("hack.toml"), text).expect("a file");
        json(folder.path(), &inspect, &["--profile", "hack.toml"])["game"].clone()
    };
    let works = |game: &Value, id: &str| {
        let features = game["features"].as_array().expect("features");
        features.iter().find(|feature| feature["id"] == id).expect("it is listed")["works"] == true
    };
    let game = profile("partial = [\"hooks\"]\n[hooks]\nnew_piece = 0x9938\n");
    assert!(works(&game, "pieces") && works(&game, "events") && !works(&game, "guard"), "{game}");
    let run =
        ["ai", "run", "hack.nes", "--profile", "hack.toml", "--mode", "teleport", "--pieces", "5", "--json"];
    assert!(call(&run).inside(folder.path()).refused().contains("its memory map lacks drop_speeds"));
    let game = profile("");
    assert!(["computer", "guard", "debugger"].iter().all(|id| works(&game, id)), "{game}");
    assert_eq!(call(&run).inside(folder.path()).json()["games"][0]["ending"], "limit");
}

#[test]
fn an_image_for_another_console_is_named_before_it_is_refused() {
    let folder = folder();
    // A Dendy's header on what is known by its hash without one.
    let mut image = SLOW.to_vec();
    (image[7], image[12]) = (image[7] & 0xF0 | 0x08, 3);
    std::fs::write(folder.path().join("dendy.nes"), &image).expect("a file");
    let output = call(&["inspect", "dendy.nes", "--json"]).inside(folder.path()).output();
    assert_eq!(output.status.code(), Some(2));
    let facts: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(facts["game"]["release"], "maxout-slow");
    assert!(facts["error"].as_str().is_some_and(|error| error.contains("Dendy")), "{facts}");
    assert!(text(&output.stderr).contains("this is a Dendy image"), "{}", text(&output.stderr));
}
