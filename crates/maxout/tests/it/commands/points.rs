//! `maxout ai serve` and `maxout ai analyse`.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};
use tetris::{Orientation, Piece, Playfield, buttons};
use value::{Falling, Speed};

use super::program::{PROGRAM, call};

/// The built-in cartridge, and the one that is known by its hash alone.
const BOTH: [&[&str]; 2] = [&[], &[concat!(env!("CARGO_MANIFEST_DIR"), "/../../roms/maxout-slow.nes")]];

/// The nets of the repository.
const NETS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../value/nets");

struct Served {
    child: Child,
    address: String,
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Served {
    fn start(words: &[&str]) -> Self {
        let mut command = Command::new(PROGRAM);
        command.args(["ai", "serve", "--port", "0"]).args(words);
        let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn();
        let mut served = Self { child: child.expect("the program starts"), address: String::new() };
        let mut line = String::new();
        let out = served.child.stdout.take().expect("a pipe");
        BufReader::new(out).read_line(&mut line).expect("a line");
        let (_, address) = line.trim().split_once("http://").expect("an address");
        address.trim_end_matches('/').clone_into(&mut served.address);
        served
    }

    /// Status and body of the answer to a request by hand.
    fn sent(&self, head: &str) -> (u16, String) {
        let mut tcp = TcpStream::connect(&self.address).expect("a connection");
        tcp.set_read_timeout(Some(Duration::from_secs(60))).expect("a limit");
        tcp.write_all(head.replace('\n', "\r\n").as_bytes()).expect("the request is taken");
        let mut text = String::new();
        tcp.read_to_string(&mut text).expect("an answer that ends");
        let (head, body) = text.split_once("\r\n\r\n").expect("a head");
        (head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status"), body.to_owned())
    }

    fn asked(&self, target: &str) -> (u16, String) {
        self.sent(&format!("GET /{target} HTTP/1.1\nHost: {}\n\n", self.address))
    }

    fn told(&self, target: &str) -> String {
        let (status, body) = self.asked(target);
        assert_eq!(status, 200, "{target}: {body}");
        body
    }

    fn json(&self, target: &str) -> Value {
        serde_json::from_str(&self.told(target)).expect("one JSON value")
    }
}

/// A stack with a well at the right, row by row from the top, as clients send it.
fn stack() -> String {
    let rows = ["0".repeat(170), "1111110000".to_owned(), "1111111110".repeat(2)];
    rows.concat()
}

fn board(text: &str) -> Playfield {
    let mut rows = [0u16; 20];
    for (at, cell) in text.bytes().enumerate() {
        rows[at / 10] |= u16::from(cell == b'1') << (at % 10);
    }
    Playfield::from_rows(&rows)
}

/// Presses the buttons of an answer, a letter a frame, and locks the piece: the board then.
fn pressed(before: &Playfield, mut falling: Falling, inputs: &str) -> Playfield {
    for letter in inputs.chars().filter(|_| inputs != "none") {
        falling.step(match letter {
            'L' => buttons::LEFT,
            'R' => buttons::RIGHT,
            'A' => buttons::A,
            'B' => buttons::B,
            'E' => buttons::LEFT | buttons::A,
            'F' => buttons::LEFT | buttons::B,
            'I' => buttons::RIGHT | buttons::A,
            'G' => buttons::RIGHT | buttons::B,
            '.' => 0,
            other => panic!("{other} in {inputs}"),
        });
    }
    while !falling.is_locked() {
        falling.step(0);
    }
    let mut after = *before;
    after.lock(falling.locked().expect("inside the field"));
    after
}

#[test]
fn the_buttons_of_an_answer_lead_to_its_board() {
    let served = Served::start(&["--threads", "1"]);
    let (text, before) = (stack(), board(&stack()));
    let hands = "inputFrameTimeline=X...&reactionTime=18";
    for piece in Piece::ALL {
        let spawned = Falling::new(&before, piece, Speed::L19, 0).unwrap();
        for next in ["", "&nextPiece=I"] {
            let words = format!("board={text}&currentPiece={piece}{next}&level=19&lines=139&{hands}");
            let answer = served.told(&format!("get-move?{words}"));
            let parts: Vec<&str> = answer.split('|').collect();
            assert_eq!(parts.len(), 5, "{answer}");
            let after = pressed(&before, spawned, parts[1]);
            assert_eq!(after, board(parts[2]), "{answer}");
            // 3 rows and 6 cells of the stack, and the piece: 139 lines become so many more.
            let cleared = (before.cells() + 4 - after.cells()) / 10;
            let level = if cleared > 0 { "20" } else { "19" };
            assert_eq!(parts[3..], [level.to_owned(), (139 + cleared).to_string()], "{answer}");
            assert_eq!(served.told(&format!("get-move-cpp?{words}")), answer);
            assert_eq!(served.told(&format!("get-move-async?{words}")), "Request accepted.");
            assert_eq!(served.told("async-result"), answer);
        }
        // From where a piece is after six frames, two columns to the left, its next tap two frames
        // away.
        let under_way = "existingXOffset=-2&existingYOffset=3&existingFramesElapsed=6&nextPiece=T";
        let words = format!("board={text}&currentPiece={piece}&level=19&lines=0&{hands}&{under_way}");
        let answer = served.told(&format!("get-move?{words}"));
        let parts: Vec<&str> = answer.split('|').collect();
        let falling = Falling::at(&before, Orientation::spawn(piece), (3, 3), Speed::L19, 0).unwrap();
        assert!(parts[1] == "none" || parts[1].starts_with(".."), "{answer}");
        assert_eq!(pressed(&before, falling, parts[1]), board(parts[2]), "{answer}");
        let plan = served
            .told(&format!("precompute-sync?board={text}&currentPiece={piece}&level=19&lines=0&{hands}"));
        let lines: Vec<&str> = plan.lines().collect();
        let names: Vec<&str> = lines.iter().filter_map(|line| Some(line.split_once(':')?.0)).collect();
        assert_eq!(names, ["Default", "I", "O", "L", "J", "T", "S", "Z"]);
        let default: Vec<&str> = lines[0].split('|').collect();
        assert_eq!(pressed(&before, spawned, default[1]), board(default[2]), "{plan}");
        // The eighteen frames of the first way, then those of each piece.
        let mut waiting = spawned;
        for letter in default[1].chars().chain(std::iter::repeat('.')).take(18) {
            waiting.step(match letter {
                'L' => buttons::LEFT,
                'R' => buttons::RIGHT,
                'A' => buttons::A,
                'B' => buttons::B,
                'E' => buttons::LEFT | buttons::A,
                'F' => buttons::LEFT | buttons::B,
                'I' => buttons::RIGHT | buttons::A,
                'G' => buttons::RIGHT | buttons::B,
                _ => 0,
            });
        }
        for line in &lines[1..] {
            let parts: Vec<&str> = line.split('|').collect();
            assert_eq!(pressed(&before, waiting, parts[1]), board(parts[2]), "{plan}");
        }
    }
}

/// What tetrisfish reads of a list of placements (its `Evaluator.py`): factors up to `, ` and a
/// line that begins with `SUBTOTAL`, and for each piece that may come a sequence of placements.
fn read_as_tetrisfish(first: &Value, then: &Value) -> Vec<f64> {
    let number = |value: &Value| value.as_str().and_then(|text| text.parse::<f64>().ok()).expect("a number");
    let explanation = first["evalExplanation"].as_str().expect("text");
    let (factors, _) = explanation.split_once(", \nSUBTOTAL").expect("factors before the subtotal");
    assert!(factors.split(", ").all(|factor| factor.contains(": ")), "{factors}");
    assert!(number(&first["totalValue"]).is_finite() && first["placement"].as_array().unwrap().len() == 3);
    let lines = then["hypotheticalLines"].as_array().expect("lines");
    let shares = lines.iter().map(|line| line["probability"].as_f64().expect("a share"));
    assert!(lines.len() == 7 && (shares.sum::<f64>() - 1.0).abs() < 1e-6, "{then}");
    for (line, piece) in lines.iter().zip(Piece::ALL) {
        assert_eq!(line["pieceSequence"], json!(piece.letter().to_string()));
        assert_eq!(line["moveSequence"][0].as_array().expect("a placement").len(), 3);
    }
    lines.iter().map(|line| line["resultingValue"].as_f64().expect("a value")).collect()
}

#[test]
fn tetrisfish_can_read_the_answers_and_the_scale_is_an_option() {
    let words = format!("board={}&currentPiece=L&level=18&lines=100&inputFrameTimeline=X.", stack());
    let mut values = Vec::new();
    for scale in ["points", "stackrabbit"] {
        let served = Served::start(&["--scale", scale]);
        let list = served.json(&format!("engine-movelist?{words}"));
        let alone = &list.as_array().unwrap()[0];
        read_as_tetrisfish(alone, alone);
        let known = served.json(&format!("engine-movelist?{words}&nextPiece=J"));
        let known = known.as_array().unwrap();
        assert!(known.len() >= 5);
        for pair in known {
            read_as_tetrisfish(&pair[0], &pair[1]);
        }
        let rated = served.json(&format!("rate-move?{words}&nextPiece=J&secondBoard={}", stack()));
        let best = rated["bestMoveAfterAdjustment"].as_str().unwrap().parse::<f64>().unwrap();
        values.push([read_as_tetrisfish(&known[0][0], &known[0][1])[0], best]);
    }
    for (points, thousands) in values[0].into_iter().zip(values[1]) {
        assert!((points / 1_000.0 - thousands).abs() < 0.01, "{points} and {thousands}");
    }
}

#[test]
fn placements_are_listed_and_rated() {
    let served = Served::start(&[]);
    let words = format!(
        "board={}&currentPiece=L&level=18&lines=100&inputFrameTimeline=X----&reactionTime=15",
        stack()
    );
    let total = |one: &Value| one["totalValue"].as_str().unwrap().parse::<f64>().unwrap();
    let list = served.json(&format!("engine-movelist?{words}"));
    let list = list.as_array().unwrap();
    assert!(list.len() == 10 && list.windows(2).all(|pair| total(&pair[0]) >= total(&pair[1])), "{list:?}");
    let known = served.json(&format!("engine-movelist-cpp-hybrid?{words}&nextPiece=J"));
    for pair in known.as_array().unwrap() {
        assert!(pair[0]["placement"].as_array().unwrap().len() == 3 && pair[1]["placement"][1].is_i64());
    }
    let best = served.told(&format!("get-move?{words}"));
    let after = best.split('|').nth(2).unwrap();
    let rated = served.json(&format!("rate-move?{words}&secondBoard={after}"));
    assert_eq!(rated["playerMoveNoAdjustment"], rated["bestMoveNoAdjustment"]);
    assert!(rated.get("bestMoveAfterAdjustment").is_none());
    let impossible = "1".repeat(5) + &"0".repeat(195);
    let rated = served.json(&format!("rate-move-cpp?{words}&nextPiece=S&secondBoard={impossible}"));
    assert_eq!(rated["playerMoveAfterAdjustment"], "Unknown score");
    assert!(rated["bestMoveAfterAdjustment"].as_str().unwrap().parse::<f64>().is_ok());
    let engine = served.json(&format!("engine?{words}&nextPiece=I"));
    let engine = engine.as_array().unwrap();
    assert_eq!(engine.len(), 5);
    for first in engine {
        assert_eq!(first["piece"], "L");
        let adjustments = first["adjustments"].as_array().unwrap();
        assert!(!adjustments.is_empty());
        assert!(adjustments.iter().all(|adjusted| adjusted["followUp"]["piece"] == "I"));
    }
    assert!(served.told(&format!("eval?{words}")).parse::<f64>().is_ok());
    assert_eq!(served.told("ping"), "pong");
    assert!(served.json("version")["cppVersion"].is_string());
    // A stack to the top leaves no placement.
    let full = "1111111110".repeat(20);
    let words = format!("board={full}&currentPiece=L&level=18&lines=0&inputFrameTimeline=X.");
    for asked in ["get-move", "precompute-sync", "rate-move"] {
        assert_eq!(served.told(&format!("{asked}?{words}&secondBoard={full}")), "No legal moves");
    }
}

#[test]
fn what_is_no_question_is_refused_with_what_was_expected() {
    let served = Served::start(&["--origin", "https://example.org"]);
    let board = stack();
    let words = format!("board={board}&currentPiece=L&level=18&lines=0&inputFrameTimeline=X.");
    for (from, to, expected) in [
        ("board=0", "board=2", "200 of 0 and 1"),
        ("currentPiece=L", "currentPiece=Q", "currentPiece"),
        ("level=18", "level=255", "0 to 254"),
        ("lines=0", "lines=-1", "lines"),
        ("Timeline=X.", "Timeline=..", "inputFrameTimeline"),
        ("&lines=0", "", "lines: expected it"),
    ] {
        let wrong = words.replacen(from, to, 1);
        assert_ne!(wrong, words, "{from}");
        let (status, body) = served.asked(&format!("get-move?{wrong}"));
        assert!(status == 400 && body.contains(expected), "{to}: {status} {body}");
    }
    let (status, body) = served.asked(&format!("get-moves?{words}"));
    assert!(status == 404 && body.contains("get-move"), "{body}");
    assert_eq!(served.asked("async-result").0, 404);
    assert_eq!(served.asked("rank-lookup?board=0").0, 501);
    assert_eq!(served.asked(&format!("rate-move?{words}")).0, 400);
    assert_eq!(served.asked(&format!("get-move?{words}&x={}", "y".repeat(9_000))).0, 431);
    let post = format!("POST /ping HTTP/1.1\nHost: {}\nContent-Length: 0\n\n", served.address);
    assert_eq!(served.sent(&post).0, 405);
    assert_eq!(served.sent("GET /ping HTTP/1.1\nHost: evil.example\n\n").0, 421);
    let from = |origin: &str| {
        served.sent(&format!("GET /ping HTTP/1.1\nHost: {}\nOrigin: {origin}\n\n", served.address))
    };
    assert_eq!(from("https://evil.example").0, 403);
    assert_eq!(from("https://example.org"), (200, "pong".to_owned()));
    assert!(call(&["ai", "serve", "--listen", "0.0.0.0"]).refused().contains("token"));
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a path in UTF-8")
}

#[test]
fn a_movie_of_the_player_for_points_loses_less_than_one_of_the_articles() {
    let folder = tempfile::tempdir().unwrap();
    for rom in BOTH {
        let losses = ["value", "article"].map(|player| {
            let movie = folder.path().join(format!("{player}.fm2"));
            let run = ["ai", "run", "--level", "18", "--lines", "12", "--player", player, "--movie-out"];
            let nets: &[&str] = if player == "value" { &["--net", NETS] } else { &[] };
            call(&run).with(&[text(&movie)]).with(nets).with(rom).printed();
            let analysis = call(&["ai", "analyse", text(&movie), "--json"]).with(rom).json();
            let placements = analysis["placements"].as_array().unwrap();
            assert!(placements.len() > 25, "{}", placements.len());
            assert!(placements.iter().all(|placement| placement["loss"].as_f64().unwrap() >= 0.0));
            if player == "value" {
                assert!(placements.iter().all(|placement| placement["reachable"] == true));
            }
            let printed = call(&["ai", "analyse", text(&movie), "--worst", "3"]).with(rom).printed();
            // The player for points may lose nothing at all.
            let listed = printed.matches("; best column").count();
            assert!(listed == 3 || player == "value" && listed < 3, "{printed}");
            analysis["mean_loss"].as_f64().unwrap()
        });
        assert!(losses[0] < losses[1] / 2.0, "{losses:?}");
    }
}

#[test]
fn a_kept_game_is_analysed_too_and_a_movie_without_a_placement_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let keep =
        ["practice", "tetris", "--option", "level=18", "--pieces", "12", "--seed", "3", "--json", "--keep"];
    let kept = call(&keep).with(&[text(folder.path())]).json();
    let game = kept["kept"].as_str().unwrap();
    let analysis = call(&["ai", "analyse", game, "--json"]).json();
    let placements = analysis["placements"].as_array().unwrap();
    assert!((11..=12).contains(&placements.len()), "{}", placements.len());
    let position = placements[5]["position"].as_str().unwrap();
    let again =
        call(&["practice", "tetris", "--position", position, "--pieces", "1", "--seed", "3", "--json"])
            .json();
    assert_eq!(again["mode"], "tetris");
    let empty = folder.path().join("empty.fm2");
    std::fs::write(&empty, "version 3\nemuVersion 22020\nrerecordCount 0\nromFilename x\nguid 00000000-0000-0000-0000-000000000000\nromChecksum base64:AAAAAAAAAAAAAAAAAAAAAA==\n|0|........|||\n").unwrap();
    assert!(call(&["ai", "analyse", text(&empty)]).refused().contains("at least one placement"));
}

#[test]
fn nets_analyse_unless_weights_are_asked_for_and_nothing_is_analysed_on_pal() {
    let folder = tempfile::tempdir().unwrap();
    for rom in BOTH {
        let movie = folder.path().join("game.fm2");
        let run = ["ai", "run", "--level", "18", "--lines", "2", "--movie-out"];
        call(&run).with(&[text(&movie)]).with(rom).printed();
        let analysis = call(&["ai", "analyse", text(&movie), "--json"]).with(rom).json();
        assert_eq!((analysis["unit"].as_str(), &analysis["not_rated"]), (Some("points"), &json!([])));
        assert!(analysis["player"].as_str().unwrap().starts_with("nets"), "{analysis}");
        let weights = ["ai", "analyse", text(&movie), "--weights", "built-in"];
        let printed = call(&weights).with(rom).printed();
        assert!(printed.contains("weights, ") && printed.contains("do not compare"), "{printed}");
        let game = std::fs::read_to_string(&movie).unwrap();
        let pal = folder.path().join("pal.fm2");
        std::fs::write(&pal, game.replacen("palFlag 0", "palFlag 1", 1)).unwrap();
        let error = call(&["ai", "analyse", text(&pal)]).with(rom).refused();
        assert!(error.contains("are not rated") && error.contains("PAL"), "{error}");
    }
}
