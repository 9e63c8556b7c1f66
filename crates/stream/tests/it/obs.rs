//! OBS: a small server of our own that speaks obs-websocket 5.

use std::net::TcpListener;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use nes::Buttons;
use serde_json::{Value, json};
use stream::obs::{Obs, ObsSettings, authentication};
use stream::{Follower, Line, Retry, Source, Status};
use tetris::Piece;
use tetris::events::{Event, GameType, Record};
use tungstenite::Message;
use tungstenite::protocol::{CloseFrame, frame::coding::CloseCode};

use crate::rig::{Game, IMAGES, until, value};

const QUICK: Retry = Retry { first: Duration::from_millis(20), longest: Duration::from_millis(20) };
const PASSWORD: &str = "a password";
const SALT: &str = "c2FsdA==";
const CHALLENGE: &str = "Y2hhbGxlbmdl";

/// Requests that a server has received; it refuses the replay buffer.
type Requests = Arc<Mutex<Vec<(String, Value)>>>;

fn serve(hello: Value) -> (String, Requests) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("ws://{}", listener.local_addr().unwrap());
    let requests = Requests::default();
    let kept = Arc::clone(&requests);
    thread::spawn(move || {
        for tcp in listener.incoming().flatten() {
            let Ok(mut socket) = tungstenite::accept(tcp) else { continue };
            socket.send(Message::text(json!({"op": 0, "d": hello}).to_string())).unwrap();
            while let Ok(message) = socket.read() {
                let Message::Text(text) = message else { continue };
                let message = value(&text);
                let data = &message["d"];
                let answer = match message["op"].as_u64().unwrap() {
                    1 => {
                        assert_eq!(data["rpcVersion"], 1);
                        let expected = authentication(PASSWORD, SALT, CHALLENGE);
                        if !hello["authentication"].is_null() && data["authentication"] != json!(expected) {
                            let close = CloseFrame {
                                code: CloseCode::from(4_009),
                                reason: "Authentication failed.".into(),
                            };
                            let _ = socket.close(Some(close));
                            continue;
                        }
                        json!({"op": 2, "d": {"negotiatedRpcVersion": 1}})
                    }
                    6 => {
                        let kind = data["requestType"].as_str().unwrap().to_owned();
                        let refused = kind == "SaveReplayBuffer";
                        kept.lock().unwrap().push((kind.clone(), data["requestData"].clone()));
                        let status = if refused {
                            json!({"result": false, "code": 604, "comment": "Replay buffer is not available."})
                        } else {
                            json!({"result": true, "code": 100})
                        };
                        json!({"op": 7, "d": {"requestType": kind, "requestId": data["requestId"], "requestStatus": status}})
                    }
                    other => panic!("{other}"),
                };
                socket.send(Message::text(answer.to_string())).unwrap();
            }
        }
    });
    (address, requests)
}

fn asking() -> Value {
    json!({"obsWebSocketVersion": "5.5.0", "rpcVersion": 1, "authentication": {"challenge": CHALLENGE, "salt": SALT}})
}

fn settings(address: &str, rest: &str) -> ObsSettings {
    toml::from_str(&format!("address = {address:?}\n{rest}")).unwrap()
}

const RULES: &str = r#"
password = "a password"
[[rule]]
when = "tetris"
do = "save_replay"
after = 0.05
[[rule]]
when = "level_up"
do = "chapter"
name = "Level {level}"
[[rule]]
when = "mode"
mode = "game"
do = "scene"
name = "Game of {player}"
[[rule]]
when = "top_out"
do = "stop_recording"
[[rule]]
when = "game_start"
player = 2
do = "start_recording"
"#;

#[test]
fn what_happens_in_a_game_makes_obs_do_what_the_rules_say() {
    for image in IMAGES {
        let (address, requests) = serve(asking());
        let mut obs = Obs::connect(settings(&address, RULES), QUICK).unwrap();
        let (link, complaint) = (obs.link(), obs.complaint());
        until("a connection", || link.status() == Status::Connected);
        // Identified, too: the first request gets through only then.
        thread::sleep(Duration::from_millis(100));
        let mut source = Source::default();
        let mut game = Game::new(image, 1, 9);
        let mut last = None;
        for _ in 0..900 {
            let update = source.observe(&game.frame());
            obs.update(&update);
            last = Some(update);
        }
        // What takes a good player some minutes.
        let mut update = last.expect("frames");
        update.state.level = 10;
        update.lines = [Event::Clear { count: 3, rows: vec![17, 18, 19] }, Event::Level { level: 10 }]
            .map(|event| Line::of_record(1, Record { frame: 900, event }))
            .to_vec();
        obs.update(&update);
        assert!(!requests.lock().unwrap().iter().any(|(kind, _)| kind == "SaveReplayBuffer"));
        let event = Event::Clear { count: 4, rows: vec![16, 17, 18, 19] };
        update.lines = vec![Line::of_record(1, Record { frame: 901, event })];
        obs.update(&update);
        for _ in 0..6_000 {
            obs.update(&source.observe(&game.hold(Buttons::empty())));
        }
        let has = |kind: &str, data: Value| requests.lock().unwrap().contains(&(kind.to_owned(), data));
        until("all of them", || {
            has("SetCurrentProgramScene", json!({"sceneName": "Game of 1"}))
                && has("CreateRecordChapter", json!({"chapterName": "Level 10"}))
                && has("SaveReplayBuffer", json!({}))
                && has("StopRecord", json!({}))
        });
        assert!(
            !requests.lock().unwrap().iter().any(|(kind, _)| kind == "StartRecord"),
            "player 2 has no game"
        );
        let mut said = None;
        until("the refusal is said", || {
            said = complaint.take().or(said.take());
            said.is_some()
        });
        assert!(said.unwrap().ends_with("turn it on in OBS, Settings, Output, Replay Buffer"));
    }
}

#[test]
fn a_wrong_password_is_said_once_and_not_tried_again() {
    for (rest, reason) in [("password = \"wrong\"", "password is wrong"), ("", "asks for its password")] {
        let (address, _) = serve(asking());
        let obs = Obs::connect(settings(&address, rest), QUICK).unwrap();
        until("the end", || matches!(obs.link().status(), Status::Ended(text) if text.contains(reason)));
    }
    let (address, _) = serve(json!({"rpcVersion": 0}));
    let obs = Obs::connect(settings(&address, ""), QUICK).unwrap();
    until("the end", || matches!(obs.link().status(), Status::Ended(text) if text.contains("update OBS")));
}

#[test]
fn rules_that_cannot_be_are_refused_by_their_number() {
    for (rules, message) in [
        ("[[rule]]\nwhen = \"tetris\"\ndo = \"scene\"", "rule 1 of OBS"),
        ("[[rule]]\nwhen = \"tetris\"\ndo = \"chapter\"\nmode = \"game\"", "`mode` belongs"),
        ("[[rule]]\nwhen = \"tetris\"\ndo = \"chapter\"\nafter = 1e9", "0 to 60"),
        ("[[rule]]\nwhen = \"tetris\"\ndo = \"chapter\"\nafter = nan", "0 to 60"),
        ("[[rule]]\nwhen = \"tetris\"\ndo = \"text\"\ntext = \"x\"", "belong together"),
        ("[[rule]]\nwhen = \"tetris\"\ndo = \"chapter\"\nsource = \"x\"", "belong together"),
        ("[[rule]]\nwhen = \"quit\"\ndo = \"start_recording\"", "nothing begins"),
    ] {
        let error = Obs::connect(settings("ws://127.0.0.1:1", rules), QUICK).map(|_| ()).unwrap_err();
        assert!(error.to_string().contains(message), "{error}");
    }
    let error = Obs::connect(settings("http://127.0.0.1", ""), QUICK).map(|_| ()).unwrap_err();
    assert!(error.to_string().contains("ws://HOST:PORT"), "{error}");
    assert!(toml::from_str::<ObsSettings>("[[rule]]\nwhen = \"never\"\ndo = \"chapter\"").is_err());
}

const RECORDING: &str = r#"
password = "a password"
[[rule]]
when = "game_start"
do = "start_recording"
[[rule]]
when = "level_up"
do = "start_recording"
after = 30
[[rule]]
when = "tetris"
do = "save_replay"
after = 20
[[rule]]
when = "game_over"
do = "stop_recording"
after = 10
"#;

/// What a server has received when the program has ended right after these events.
fn after_the_end(rules: &str, events: &[Event]) -> Vec<(String, Value)> {
    let (address, requests) = serve(asking());
    let mut obs = Obs::connect(settings(&address, rules), QUICK).unwrap();
    let link = obs.link();
    until("a connection", || link.status() == Status::Connected);
    let mut update = Source::default().observe(&Game::new(IMAGES[0], 1, 9).frame());
    for event in events {
        match event {
            Event::Level { level } => update.state.level = *level,
            Event::Spawn { drought, .. } => update.drought = *drought,
            _ => {}
        }
        let record = Record { frame: 9, event: event.clone() };
        update.lines = vec![Line::of_record(1, record)];
        obs.update(&update);
        if matches!(event, Event::GameStart { .. }) {
            until("a recording", || !requests.lock().unwrap().is_empty());
        }
    }
    // The end of the program: the link's last owner goes.
    drop(obs);
    drop(link);
    std::mem::take(&mut *requests.lock().unwrap())
}

#[test]
fn at_the_end_rules_are_carried_out_and_no_recording_runs_on() {
    let start = Event::GameStart {
        game_type: GameType::A,
        demo: false,
        start_level: 9,
        start_height: 0,
        music: 0,
        lfsr: 0,
        spawn_count: 0,
        frame_phase: 0,
    };
    let tetris = Event::Clear { count: 4, rows: vec![16, 17, 18, 19] };
    let over = Event::GameOver { score: 0, lines: 0, level: 9, goal: false };
    // Each delay is longer than the test.
    for (events, expected) in [
        (vec![start.clone(), over.clone()], vec!["StartRecord", "StopRecord"]),
        (vec![start.clone()], vec!["StartRecord", "StopRecord"]),
        (vec![start.clone(), tetris.clone()], vec!["StartRecord", "SaveReplayBuffer", "StopRecord"]),
        (vec![start, tetris, over.clone()], vec!["StartRecord", "StopRecord", "SaveReplayBuffer"]),
        (vec![over], vec!["StopRecord"]),
        (vec![Event::Level { level: 9 }, Event::Level { level: 10 }], vec![]),
        (vec![], vec![]),
    ] {
        let received = after_the_end(RECORDING, &events);
        let kinds: Vec<_> = received.iter().map(|(kind, _)| kind.as_str()).collect();
        assert_eq!(kinds, expected, "{events:?}");
    }
}

const SHOWING: &str = r#"
password = "a password"
[[rule]]
when = "game_start"
do = "start_replay"
[[rule]]
when = "drought"
do = "text"
source = "Ticker"
text = "{drought} pieces without a bar, player {player}"
[[rule]]
when = "record"
do = "chapter"
name = "Record"
after = 60
[[rule]]
when = "quit"
do = "text"
source = "Ticker"
text = "bye at level {level}"
[[rule]]
when = "quit"
player = 1
do = "scene"
name = "Credits"
"#;

#[test]
fn texts_droughts_records_and_the_end_are_shown() {
    let start = Event::GameStart {
        game_type: GameType::A,
        demo: false,
        start_level: 9,
        start_height: 0,
        music: 0,
        lfsr: 0,
        spawn_count: 0,
        frame_phase: 0,
    };
    let spawn = |drought| Event::Spawn {
        number: 20,
        piece: Some(Piece::T).into(),
        next: Some(Piece::O).into(),
        drought,
        das: 0,
        lfsr: 0,
    };
    let record = |place| Event::HighScore { place, score: 900_000, level: 9 };
    let events = [start, spawn(12), spawn(13), spawn(14), Event::Level { level: 12 }, record(1), record(0)];
    let received = after_the_end(SHOWING, &events);
    let text = |text: &str| {
        let data = json!({"inputName": "Ticker", "inputSettings": {"text": text}, "overlay": true});
        ("SetInputSettings".to_owned(), data)
    };
    let expected = [
        ("StartReplayBuffer".to_owned(), json!({})),
        text("13 pieces without a bar, player 1"),
        ("CreateRecordChapter".to_owned(), json!({"chapterName": "Record"})),
        text("bye at level 12"),
        ("SetCurrentProgramScene".to_owned(), json!({"sceneName": "Credits"})),
    ];
    assert_eq!(received, expected);
}
