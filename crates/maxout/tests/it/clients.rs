//! The clients of docs/clients, against a stream of this program.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
const TOKEN: &str = "a-token-of-some-letters";

/// A process that is ended with this value.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A game that goes on for ever, and where it is served.
fn served(options: &[&str]) -> (Running, String) {
    let movie = Path::new(ROOT).join("tests/movies/game.fm2");
    let mut command = Command::new(env!("CARGO_BIN_EXE_maxout"));
    command.args(["stream", "--quiet", "--serve", "--port", "0", "--repeat", "--input"]).arg(movie);
    command.args(options).env_remove("MAXOUT_STREAM_TOKEN");
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    let mut line = String::new();
    let mut errors = BufReader::new(child.stderr.take().expect("a pipe"));
    errors.read_line(&mut line).expect("text");
    let address = line.trim().strip_prefix("streaming at ").expect("an address").trim_end_matches('/');
    std::thread::spawn(move || errors.lines().for_each(drop));
    (Running(child), address.to_owned())
}

fn client(program: &str, words: &[&str]) -> Running {
    let mut command = Command::new(program);
    let script = Path::new(ROOT).join("docs/clients").join(words[0]);
    command.arg(script).args(&words[1..]).stdin(Stdio::null()).stdout(Stdio::piped());
    Running(command.spawn().unwrap_or_else(|error| panic!("{program}: {error}")))
}

#[test]
#[ignore = "needs Python 3 and Node 18: cargo test -p maxout --test it -- --ignored clients"]
fn clients_print_the_tetris_rate_after_each_piece() {
    let (_stream, address) = served(&["--fast"]);
    for (program, script) in [("python3", "rate.py"), ("node", "rate.mjs")] {
        let mut running = client(program, &[script, &address]);
        let lines = BufReader::new(running.0.stdout.take().expect("a pipe")).lines();
        for line in lines.take(3) {
            let line = line.expect("text");
            let figures = line.strip_prefix("player 1, piece ").and_then(|rest| rest.strip_suffix(" %"));
            let (piece, rate) = figures.and_then(|rest| rest.split_once(": ")).expect(&line);
            assert!(
                piece.parse::<u32>().is_ok() && rate.parse::<u32>().is_ok_and(|rate| rate <= 100),
                "{line}"
            );
        }
    }
}

#[test]
#[ignore = "needs Python 3 and Node 18: cargo test -p maxout --test it -- --ignored clients"]
fn a_client_sets_what_the_overlays_show_of_a_match() {
    let (_stream, address) = served(&["--token", TOKEN]);
    let change = r#"{"names": ["Ada", "Ben"], "wins": [1, 0], "best_of": 5}"#;
    let mut text = String::new();
    let mut running = client("python3", &["match.py", TOKEN, change, &address]);
    running.0.stdout.take().expect("a pipe").read_to_string(&mut text).expect("text");
    let expected =
        r#"{"event":"match","names":["Ada","Ben"],"wins":[1,0],"best_of":5,"winner":null,"scene":null}"#;
    assert_eq!(text.trim(), expected);
}
