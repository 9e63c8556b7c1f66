//! `maxout stream`.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::Value;

use super::program::{PROGRAM, call};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect()
}

#[test]
fn the_lines_of_a_movie_are_the_events_of_watch_with_a_player_and_the_time() {
    for (rom, movie) in [("maxout.nes", "game.fm2"), ("maxout-slow.nes", "maxout-slow.fm2")] {
        let (rom, movie) = (format!("{ROOT}/roms/{rom}"), format!("{ROOT}/tests/movies/{movie}"));
        let streamed =
            lines(&call(&["stream", &rom, "--input", &movie, "--fast", "--frames", "4000"]).printed());
        assert_eq!(streamed[0]["event"], "hello");
        assert_eq!(streamed.last().unwrap()["event"], "end");
        let mut own = Vec::new();
        for mut line in streamed {
            let event = line["event"].as_str().unwrap().to_owned();
            if ["hello", "state", "statistics", "end"].contains(&event.as_str()) {
                continue;
            }
            let line = line.as_object_mut().unwrap();
            assert_eq!(line.remove("player"), Some(1.into()));
            let ms = line.remove("ms").unwrap().as_f64().unwrap();
            assert!((ms - line["frame"].as_f64().unwrap() / 0.060_098_8).abs() < 1.0);
            own.push(Value::Object(line.clone()));
        }
        let watched = call(&["tetris", "watch", &rom, "--movie", &movie, "--json", "--frames", "4000"]);
        let mut watched = lines(&watched.printed());
        for line in &mut watched {
            line.as_object_mut().unwrap().retain(|field, _| !field.ends_with("_name"));
        }
        assert!(watched.len() > 300, "{} events", watched.len());
        assert_eq!(own, watched);
    }
}

#[test]
fn a_stream_is_written_as_the_recording_that_its_movie_gives() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let movie = format!("{ROOT}/tests/movies/game.fm2");
    let (streamed, exported) = (at("streamed.ngf.gz"), at("exported.ngf.gz"));
    call(&["stream", "--input", &movie, "--fast", "--quiet", "--recording", &streamed]).printed();
    call(&["practice", "export", &movie, "--out", &exported]).printed();
    let placements = |file: &str| {
        let out = at("game.csv");
        call(&["practice", "export", file, "--out", &out]).printed();
        std::fs::read_to_string(&out).unwrap()
    };
    let (one, other) = (placements(&streamed), placements(&exported));
    assert!(one.lines().count() > 90, "{one}");
    assert_eq!(one, other);
    let refused = call(&["stream", "--input", &movie, "--fast", "--recording", &at("game.txt")]).refused();
    assert!(refused.contains(".ngf"), "{refused}");
}

#[test]
fn a_reader_chooses_its_lines() {
    let movie = format!("{ROOT}/tests/movies/game.fm2");
    let options = ["--fast", "--frames", "3000", "--only", "statistics"];
    let two = call(&["stream", "--input", &movie, "--input", &movie, "--name", "Ada"]).with(&options);
    let printed = lines(&two.printed());
    assert_eq!(printed[0]["players"][0]["name"], "Ada");
    let figures: Vec<_> = printed.iter().filter(|line| line["event"] == "statistics").collect();
    for player in [1, 2] {
        assert!(figures.iter().filter(|line| line["player"] == player).count() > 5);
    }
    assert!(
        printed.iter().all(|line| ["hello", "statistics", "end"].contains(&line["event"].as_str().unwrap()))
    );
}

struct Served(Child);

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn a_game_is_served_where_the_program_says() {
    let mut command = Command::new(PROGRAM);
    command.args(["stream", "--player", "--serve", "--quiet"]).env_remove("MAXOUT_STREAM_TOKEN");
    let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn();
    let mut served = Served(child.expect("the program starts"));
    let mut said = BufReader::new(served.0.stderr.take().expect("a pipe"));
    let mut line = String::new();
    said.read_line(&mut line).unwrap();
    let address = line.trim().strip_prefix("streaming at http://").expect("an address").trim_end_matches('/');
    let mut tcp = TcpStream::connect(address).unwrap();
    tcp.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    write!(tcp, "GET /events HTTP/1.1\r\nHost: {address}\r\n\r\n").unwrap();
    let mut text = String::new();
    let mut part = [0; 4_096];
    // The title comes after some seconds of the console; in real time it is waited for.
    while !text.contains(r#""event":"mode""#) {
        let read = tcp.read(&mut part).unwrap();
        assert!(read > 0, "{text}");
        text.push_str(&String::from_utf8_lossy(&part[..read]));
    }
    assert!(text.starts_with("HTTP/1.1 200 OK") && text.contains(r#"data: {"event":"hello""#), "{text}");
}

#[test]
fn what_cannot_be_is_refused_and_no_secret_is_shown() {
    let open = call(&["stream", "--serve", "--listen", "0.0.0.0"]).refused();
    assert!(open.contains("0.0.0.0") && open.contains("--token"), "{open}");
    let none = call(&["stream", "--player", "--nestrischamps"]).refused();
    assert!(none.contains("MAXOUT_NESTRISCHAMPS_SECRET"), "{none}");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("stream.toml");
    let refused = |text: &str, options: &[&str]| {
        std::fs::write(&file, text).unwrap();
        call(&["stream", "--settings", file.to_str().unwrap()]).with(options).refused()
    };
    let secret = "[[nestrischamps]]\nsecret = \"my/secret\"\n";
    let wrong = refused(secret, &["--nestrischamps"]);
    assert!(wrong.contains("NestrisChamps") && !wrong.contains("my/secret"), "{wrong}");
    let unknown = refused("[[nestrischamps]]\nsecret = \"my-secret\" x\n", &["--nestrischamps"]);
    assert!(unknown.contains("line 2") && !unknown.contains("my-secret"), "{unknown}");
    let unknown = refused("[[nestrischamps]]\nsecrets = \"my-secret\"\n", &["--nestrischamps"]);
    assert!(unknown.contains("secrets") && !unknown.contains("my-secret"), "{unknown}");
    assert!(refused("", &["--obs"]).contains("[obs]"));
    let rule = "[obs]\n[[obs.rule]]\nwhen = \"tetris\"\ndo = \"scene\"\n";
    assert!(refused(rule, &["--obs"]).contains("rule 1"));
}
