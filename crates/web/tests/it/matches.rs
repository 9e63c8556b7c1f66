//! Matches over the network by way of a room, without a network: the messages of the page's
//! machines go straight into a `Relay`.

use std::collections::{HashMap, VecDeque};
use std::time::Duration;

use netplay::{Relay, RelayLimits, address_of_connection, connection_of_address};
use serde_json::{Value, json};
use web::Machine;

use super::{both_cartridges, field};

/// Milliseconds of a frame.
const FRAME: f64 = 1_000.0 / 60.0;
/// A date, in seconds since 1970.
const DATE: f64 = 1_700_000_000.0;

/// A room's server, and pages that are connected to it.
struct Server {
    relay: Relay,
    now: f64,
    /// What waits for a connection.
    going: HashMap<u64, VecDeque<Vec<u8>>>,
    /// Whether every seventh message is lost.
    loses: bool,
    count: u64,
}

impl Server {
    fn new() -> Self {
        let relay = Relay::new(RelayLimits::default(), None);
        Self { relay, now: 0.0, going: HashMap::new(), loses: false, count: 0 }
    }

    /// A turn of each machine, and the messages of all.
    fn turn(&mut self, machines: &mut [(u64, &mut Machine)]) {
        self.now += FRAME;
        let now = Duration::from_secs_f64(self.now / 1_000.0);
        for (number, machine) in machines {
            for message in self.going.remove(number).unwrap_or_default() {
                machine.match_take(&message);
            }
            machine.match_turn(0, self.now, DATE);
            while let Some(message) = machine.match_next() {
                self.count += 1;
                if self.loses && self.count.is_multiple_of(7) {
                    continue;
                }
                let going = &mut self.going;
                self.relay.take(address_of_connection(*number), &message, now, &mut |to, bytes| {
                    let to = connection_of_address(to).expect("a connection");
                    going.entry(to).or_default().push_back(bytes.to_vec());
                });
            }
        }
    }
}

/// Another page with the same cartridge.
fn twin(machine: &Machine) -> Machine {
    let mut twin = Machine::new(48_000);
    if machine.name() != "Maxout" {
        twin.insert(machine.name(), super::SLOW, &[]).expect("it is a cartridge");
    }
    twin
}

fn status(machine: &Machine) -> Value {
    field(&machine.status(), "/match")
}

fn host(machine: &mut Machine, options: &Value) -> [String; 2] {
    machine.host_match(&options.to_string(), [0x0123_4567_89AB, 1, 2]).expect("it waits");
    let status = status(machine);
    [&status["code"], &status["watch_code"]].map(|code| code.as_str().expect("a code").to_owned())
}

/// The last line of what was said that has these words.
fn said(machine: &mut Machine, all: &mut Vec<String>, words: &str) -> Option<String> {
    let said: Vec<String> = serde_json::from_str(&machine.match_said()).expect("JSON");
    all.extend(said);
    all.iter().rev().find(|line| line.contains(words)).cloned()
}

/// Two pages play by the computer and a third watches, on both cartridges; the file is verified.
#[test]
fn two_pages_play_a_match_and_a_third_watches_the_same() {
    both_cartridges(|mut one| {
        let (mut two, mut three) = (twin(&one), twin(&one));
        let options = json!({ "name": "Ada", "kind": "score", "level": 18, "seed": 7, "computer": true, "frames": 900 });
        let codes = host(&mut one, &options);
        let options = json!({ "name": "Ben", "computer": true, "frames": 900 }).to_string();
        two.join_match(&codes[0], &options, [0, 3, 4]).expect("it asks");
        three.watch_match(&codes[1], &options, [0, 5, 6]).expect("it looks for the room");
        let mut server = Server::new();
        let mut heard: [Vec<String>; 3] = Default::default();
        let mut hashes: [Option<String>; 3] = Default::default();
        let mut file = Vec::new();
        for turn in 0..4_000 {
            // What is lost comes again.
            server.loses = turn > 300;
            server.turn(&mut [(1, &mut one), (2, &mut two), (3, &mut three)]);
            for ((machine, heard), hash) in
                [&mut one, &mut two, &mut three].into_iter().zip(&mut heard).zip(&mut hashes)
            {
                if hash.is_none() {
                    *hash = said(machine, heard, "certain frame 900, hash ");
                }
            }
            if status(&one)["stage"] == "playing" {
                file = one.match_file();
            }
            if hashes.iter().all(Option::is_some) {
                break;
            }
        }
        assert!(hashes[0].is_some() && hashes.iter().all(|hash| *hash == hashes[0]), "{hashes:?}");
        assert!(heard[0].iter().any(|line| line.contains("through the room")), "{:?}", heard[0]);
        assert_eq!(status(&one)["names"], json!(["Ada", "Ben"]));
        assert_eq!(status(&two)["names"], json!(["Ben", "Ada"]));
        assert!(status(&two)["over"].as_str().is_some_and(|why| why.contains("last frame")));
        // Two pictures, and sound of the page's player.
        assert_eq!(one.paint().len(), 2 * 4 * web::WIDTH * web::HEIGHT);
        assert!(!one.samples().is_empty());

        // Anybody plays the file again to the same result.
        let said: Value = serde_json::from_str(&Machine::match_of(&file).expect("a match")).unwrap();
        assert_eq!(
            (&said["kind"], &said["level"], &said["begun"]),
            (&json!("score"), &json!(18), &json!(DATE as u64))
        );
        three.close_match();
        three.begin_verification(&file).expect("its cartridge is here");
        while field(&three.verify_on().expect("it is the same"), "/verified") == false {}
        let mut forged = file.clone();
        let at = forged
            .windows(6)
            .position(|bytes| bytes == b"hash 0" || bytes.starts_with(b"hash "))
            .expect("a hash");
        forged[at + 5] = if forged[at + 5] == b'1' { b'2' } else { b'1' };
        three.begin_verification(&forged).expect("it is read");
        let ended = loop {
            match three.verify_on() {
                Ok(part) if field(&part, "/verified") == false => {}
                ended => break ended,
            }
        };
        assert!(ended.unwrap_err().to_string().contains("replaying it gives"));

        // The console is as it was.
        let frame = one.frame_number();
        one.close_match();
        one.frame([0; 2]);
        assert_eq!((one.frame_number(), one.paint().len()), (frame + 1, 4 * web::WIDTH * web::HEIGHT));
        assert_eq!(field(&one.status(), "/match"), Value::Null);
    });
}

#[test]
fn a_player_who_leaves_is_said_and_a_match_that_is_on_is_not_replaced() {
    let (mut one, mut two) = (Machine::new(48_000), Machine::new(44_100));
    let codes = host(&mut one, &json!({ "best_of": 3 }));
    assert!(status(&one)["text"].as_str().unwrap().contains("looking for the room"));
    assert!(one.host_match("{}", [1, 2, 3]).unwrap_err().to_string().contains("already running"));
    two.join_match(&codes[0], "{}", [0, 3, 4]).unwrap();
    let mut server = Server::new();
    let mut turns = 0;
    while status(&one)["stage"] != "ready" || status(&two)["stage"] != "ready" {
        server.turn(&mut [(1, &mut one), (2, &mut two)]);
        turns += 1;
        assert!(turns < 600, "{} {}", status(&one), status(&two));
    }
    assert_eq!((one.sound_rate(), two.sound_rate()), (48_000, 44_100));
    assert!(one.match_file().is_empty(), "no game has begun");
    // A cut: another connection, and the match goes on.
    two.match_cut();
    for _ in 0..120 {
        server.turn(&mut [(1, &mut one), (9, &mut two)]);
    }
    assert!(
        status(&two)["over"].is_null() && !status(&two)["text"].as_str().unwrap().contains("interrupted"),
        "{}",
        status(&two)
    );
    two.leave_match();
    for _ in 0..60 {
        server.turn(&mut [(1, &mut one), (9, &mut two)]);
    }
    assert_eq!(status(&one)["over"], "the other player has left");
    assert_eq!(status(&two)["over"], "you have left the match");
    assert!(!two.match_turn(0, 1e6, DATE), "nothing runs after its end");
}

#[test]
fn what_comes_from_outside_is_bounded_and_said() {
    let mut machine = Machine::new(48_000);
    for options in [
        "",
        "[",
        "\"x\"",
        r#"{"kind":"nothing"}"#,
        r#"{"randomizer":"dice"}"#,
        &format!("{{\"name\":\"{}\"}}", "x".repeat(5_000)),
    ] {
        assert!(machine.host_match(options, [1, 2, 3]).is_err() || options == "\"x\"", "{options}");
        machine.close_match();
    }
    for code in ["", "bado", "bado-kimu-tapi", "bado-kimu-tapi-zolx", &"bado ".repeat(1_000)] {
        assert!(machine.join_match(code, "{}", [1, 2, 3]).is_err(), "{code}");
        assert!(machine.watch_match(code, "{}", [1, 2, 3]).is_err(), "{code}");
    }
    let [code, _] = host(&mut machine, &json!({}));
    for length in [0, 1, 5, 128, 544, 545, 1_024, 1 << 20] {
        for first in [&b"MXRM\x01"[..], b"MXNP", b""] {
            for kind in 0..=9 {
                let mut message = [first, &[kind]].concat();
                message.resize(length, 0xFF);
                machine.match_take(&message);
            }
        }
        machine.match_turn(0, FRAME * f64::from(length as u32), DATE);
    }
    for _ in 0..100_000 {
        machine.match_take(&[0; 500]);
    }
    for now in [f64::NAN, -1.0, f64::INFINITY, 1e300, 5_000.0] {
        machine.match_turn(0xFF, now, f64::NAN);
    }
    assert!(status(&machine)["over"].is_null() && status(&machine)["code"] == code.as_str());
    machine.close_match();
    for bytes in [&b""[..], b"maxout-match 1\n\n", b"MXGAME", &[0xFF; 1_000]] {
        assert!(Machine::match_of(bytes).is_err() && machine.begin_verification(bytes).is_err());
    }
    assert!(machine.verify_on().is_err());
    machine.insert("none.nes", no_tetris(), &[]).unwrap();
    assert!(machine.host_match("{}", [1, 2, 3]).is_err(), "not a known Tetris");
}

/// A cartridge that is no Tetris.
fn no_tetris() -> &'static [u8] {
    const IMAGE: &[u8] = &{
        let mut image = [0; 16 + 0x4000 + 0x2000];
        (image[0], image[1], image[2], image[3], image[4], image[5]) = (b'N', b'E', b'S', 0x1A, 1, 1);
        image
    };
    IMAGE
}
