//! `maxout netplay` by two processes on this machine, and the stream of `maxout play`; without
//! windows.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, ChildStderr, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// The built-in cartridge as a file, and the one that is known by its hash alone.
const ROMS: [&str; 2] = [
    concat!(env!("CARGO_MANIFEST_DIR"), "/../../roms/maxout.nes"),
    concat!(env!("CARGO_MANIFEST_DIR"), "/../../roms/maxout-slow.nes"),
];

fn maxout(folder: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_maxout"));
    command.args(words).args(["--headless", "--folder"]).arg(folder).env_remove("MAXOUT_STREAM_TOKEN");
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// A program that is ended with this value.
struct Running(Child);

impl Running {
    fn start(folder: &Path, words: &[&str]) -> (Self, BufReader<ChildStderr>) {
        let mut child = maxout(folder, words).spawn().expect("the program starts");
        let errors = BufReader::new(child.stderr.take().expect("a pipe"));
        (Self(child), errors)
    }

    /// Waits for its end; what it printed.
    fn printed(mut self) -> String {
        let mut text = String::new();
        self.0.stdout.take().expect("a pipe").read_to_string(&mut text).expect("text");
        text
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The rest of the line that has `words`.
fn line_with(errors: &mut impl BufRead, words: &str) -> String {
    let mut all = String::new();
    loop {
        let mut line = String::new();
        assert!(errors.read_line(&mut line).expect("text") > 0, "no line has {words:?}: {all}");
        if let Some((_, rest)) = line.split_once(words) {
            return rest.trim().to_owned();
        }
        all += &line;
    }
}

/// Has two processes play a match for so many frames. Returns what each printed.
fn match_of(frames: &str, rom: &str) -> [String; 2] {
    let folder = tempfile::tempdir().unwrap();
    let frames = ["--computer", "--exit-after-frames", frames];
    let words = ["netplay", "host", rom, "--address", "127.0.0.1", "--match-port", "0", "--level", "18"];
    let (host, mut errors) = Running::start(folder.path(), &[&words[..], &frames].concat());
    let said = line_with(&mut errors, "at port ");
    let port = said.split(' ').next().unwrap();
    let (_, joined) = said.split_once("the other player joins as ").unwrap();
    let (code, _) = joined.split_once('@').unwrap();
    let address = format!("{code}@127.0.0.1:{port}");
    let words = ["netplay", "join", &address, rom];
    let (guest, mut other) = Running::start(folder.path(), &[&words[..], &frames].concat());
    line_with(&mut errors, "the other player is there");
    line_with(&mut other, "the other player is there");
    for errors in [errors, other] {
        // Neither process waits for a reader of its messages.
        std::thread::spawn(move || errors.lines().for_each(drop));
    }
    [host, guest].map(Running::printed)
}

/// The line with the last frame that both sides are certain of, and its hash.
fn certain(printed: &str) -> &str {
    printed.lines().find(|line| line.starts_with("certain")).unwrap_or_default()
}

#[test]
fn two_processes_play_the_same_match_on_both_cartridges() {
    for rom in ROMS {
        let [one, two] = match_of("240", rom);
        assert!(one.lines().any(|line| line.starts_with("certain frame 240, hash ")), "{one}");
        assert_eq!(certain(&one), certain(&two));
    }
}

/// The two sides compare hashes every 30 frames; a match may end at any frame.
#[test]
fn a_match_ends_after_a_number_of_frames_that_is_no_multiple_of_thirty() {
    for rom in ROMS {
        let [one, two] = match_of("200", rom);
        assert!(certain(&one).starts_with("certain frame 200, hash "), "{one}");
        assert_eq!(certain(&one), certain(&two));
    }
}

/// A room's server, and where it is.
fn room() -> (Running, String) {
    room_at("0")
}

/// The same at a port.
fn room_at(port: &str) -> (Running, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_maxout"));
    command.args(["room", "--port", port]).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().expect("the program starts");
    let mut line = String::new();
    let mut out = BufReader::new(child.stdout.take().expect("a pipe"));
    out.read_line(&mut line).expect("text");
    let address = line.trim().strip_prefix("rooms at ").expect("an address").to_owned();
    (Running(child), address)
}

/// A letter by which a player or one who watches comes into room 7: see `netplay`'s relay.
fn enter(client: u64, cookie: u64, role: u8) -> Vec<u8> {
    let mut letter = b"MXRM\x01\x00".to_vec();
    for number in [7, client, cookie, 0] {
        letter.extend(u64::to_be_bytes(number));
    }
    letter.extend([role, 0]);
    letter.resize(128, 0);
    letter
}

/// What is said to the other player.
fn pass(client: u64, load: &[u8]) -> Vec<u8> {
    [&b"MXRM\x01\x03"[..], &7_u64.to_be_bytes(), &client.to_be_bytes(), load].concat()
}

/// The host comes by UDP, the guest by WebSocket, as a page does.
#[test]
fn a_page_plays_by_websocket_with_a_player_by_udp_and_foreign_pages_are_refused() {
    use tungstenite::client::IntoClientRequest;
    use tungstenite::{Error, Message};

    let mut command = Command::new(env!("CARGO_BIN_EXE_maxout"));
    command.args(["room", "--port", "0", "--web-port", "0", "--origin", "https://example.org"]);
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().expect("the program starts");
    let mut out = BufReader::new(child.stdout.take().expect("a pipe"));
    let _server = Running(child);
    let [udp, web] = ["rooms at ", "pages at "].map(|words| line_with(&mut out, words));
    let socket = |page: &str, origin: Option<&str>| {
        let mut request = page.into_client_request().unwrap();
        if let Some(origin) = origin {
            request.headers_mut().insert("Origin", origin.parse().unwrap());
        }
        let address = page.trim_start_matches("ws://").trim_end_matches("/room").trim_end_matches("/other");
        let tcp = TcpStream::connect(address).unwrap();
        tcp.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        tungstenite::client(request, tcp).map(|(socket, _)| socket).map_err(Box::new)
    };
    for (page, origin, status) in [
        (web.clone(), Some("https://evil.example"), 403),
        (web.clone(), Some("null"), 403),
        (web.replace("/room", "/other"), None, 404),
    ] {
        let refused = socket(&page, origin).map(|_| ()).unwrap_err();
        let tungstenite::HandshakeError::Failure(Error::Http(response)) = *refused else {
            panic!("{refused:?}")
        };
        assert_eq!(response.status().as_u16(), status);
    }
    let host = std::net::UdpSocket::bind("127.0.0.1:0").unwrap();
    host.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    let mut bytes = [0; 1_024];
    let mut answer = |host: &std::net::UdpSocket| {
        let (length, _) = host.recv_from(&mut bytes).unwrap();
        bytes[..length].to_vec()
    };
    host.send_to(&enter(1, 0, 0), &udp).unwrap();
    let cookie = |letter: &[u8]| {
        assert_eq!(letter[5], 1, "let in");
        u64::from_be_bytes(letter[6..14].try_into().unwrap())
    };
    host.send_to(&enter(1, cookie(&answer(&host)), 0), &udp).unwrap();
    answer(&host);
    let mut guest = socket(&web, Some("https://example.org")).unwrap();
    let read = |guest: &mut tungstenite::WebSocket<TcpStream>| guest.read().unwrap().into_data();
    guest.send(Message::Binary(enter(2, 0, 1).into())).unwrap();
    let told = cookie(&read(&mut guest));
    guest.send(Message::Binary(enter(2, told, 1).into())).unwrap();
    let entered = read(&mut guest);
    // Its cookie, its own address, those who watch, the parts of the match, and no addresses.
    assert_eq!((cookie(&entered), entered.len(), entered.last()), (told, 6 + 8 + 19 + 2 + 4 + 1, Some(&0)));
    guest.send(Message::Binary(pass(2, b"from the page").into())).unwrap();
    assert_eq!(answer(&host), b"MXRM\x01\x04from the page");
    host.send_to(&pass(1, b"to the page"), &udp).unwrap();
    assert_eq!(&read(&mut guest)[..], b"MXRM\x01\x04to the page");
    // What is too long, or text, ends the connection; the room and its players stay.
    for message in [Message::Binary(vec![0; 2_000].into()), Message::text("hello")] {
        let mut other = socket(&web, None).unwrap();
        other.send(message).unwrap();
        assert!(other.read().is_err());
    }
    guest.send(Message::Binary(pass(2, b"still here").into())).unwrap();
    assert_eq!(answer(&host), b"MXRM\x01\x04still here");
}

/// The files of matches in a player's folder.
fn kept(folder: &Path) -> Vec<String> {
    let games = std::fs::read_dir(folder.join("games")).expect("a folder of games").flatten();
    let paths =
        games.map(|entry| entry.path()).filter(|path| path.extension().is_some_and(|end| end == "mxmatch"));
    paths.map(|path| path.to_str().expect("text").to_owned()).collect()
}

#[test]
fn two_processes_meet_in_a_room_by_a_code_and_both_keep_a_match_that_can_be_verified() {
    let folders = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let (_server, server) = room();
    let frames = ["--room", &server, "--computer", "--exit-after-frames", "420"];
    let words =
        ["netplay", "host", "--level", "18", "--kind", "chase-down", "--best-of", "3", "--name", "Ada"];
    let (host, mut errors) = Running::start(folders[0].path(), &[&words[..], &frames].concat());
    let code = line_with(&mut errors, "joins with the code ");
    let code = code.split(' ').next().unwrap();
    let words = ["netplay", "join", code, "--name", "Ben"];
    let (guest, mut other) = Running::start(folders[1].path(), &[&words[..], &frames].concat());
    for errors in [&mut errors, &mut other] {
        assert!(line_with(errors, "the other player is there").starts_with(", "), "how it is reached");
    }
    for errors in [errors, other] {
        std::thread::spawn(move || errors.lines().for_each(drop));
    }
    let [one, two] = [host, guest].map(Running::printed);
    assert!(certain(&one).starts_with("certain frame 420, hash "), "{one}");
    assert_eq!(certain(&one), certain(&two));
    let files = folders.iter().flat_map(|folder| kept(folder.path())).collect::<Vec<_>>();
    assert_eq!(files.len(), 2);
    let matches = |words: &[&str]| {
        let files: Vec<&str> = files.iter().map(String::as_str).collect();
        let mut command = Command::new(env!("CARGO_BIN_EXE_maxout"));
        command.arg("match").args(words).args(files).output().expect("it starts")
    };
    let verified = matches(&["verify", "--json"]);
    let text = String::from_utf8_lossy(&verified.stdout);
    assert_eq!((verified.status.code(), text.lines().count()), (Some(0), 2), "{text}");
    let rules = r#""kind":"chase-down","best_of":3,"level":18"#;
    for line in text.lines() {
        assert!(line.contains(r#""names":["Ada","Ben"]"#) && line.contains(rules), "{line}");
        assert!(line.contains(r#""verified":true"#) && !line.contains(r#""agreed":0"#), "{line}");
    }
    assert!(String::from_utf8_lossy(&matches(&["show"]).stdout).contains("Ada against Ben"));
    // On another cartridge it is another match.
    let other = matches(&["verify", "--rom", ROMS[1]]);
    assert_eq!(other.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&other.stdout).contains("another cartridge"));
    // What was changed is found: the host's name stays, the level does not.
    let bytes = std::fs::read(&files[0]).unwrap();
    let at = bytes.windows(8).position(|part| part == b"level 18").unwrap();
    let mut changed = bytes;
    changed[at + 7] = b'7';
    std::fs::write(&files[0], changed).unwrap();
    assert_eq!(matches(&["verify"]).status.code(), Some(1));
}

/// The new server knows nothing of the room: both come into it once more.
#[test]
fn a_match_goes_on_through_a_rooms_server_that_was_started_anew() {
    let folders = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let (server, address) = room();
    let frames = ["--room", &address, "--relay", "--computer", "--exit-after-frames", "600"];
    let words = ["netplay", "host", "--level", "9", "--seed", "5"];
    let (host, mut errors) = Running::start(folders[0].path(), &[&words[..], &frames].concat());
    let code = line_with(&mut errors, "joins with the code ");
    let words = ["netplay", "join", code.split(' ').next().unwrap()];
    let (guest, other) = Running::start(folders[1].path(), &[&words[..], &frames].concat());
    line_with(&mut errors, "the game begins in 1");
    drop(server);
    // Until both have noticed: each is at most 40 frames ahead of the other's buttons.
    std::thread::sleep(Duration::from_secs(2));
    let (_server, again) = room_at(address.rsplit(':').next().unwrap());
    assert_eq!(again, address);
    for errors in [errors, other] {
        std::thread::spawn(move || errors.lines().for_each(drop));
    }
    let [one, two] = [host, guest].map(Running::printed);
    assert!(certain(&one).starts_with("certain frame 600, hash "), "{one}");
    assert_eq!(certain(&one), certain(&two));
}

/// One from the beginning on, whose lines are written; one when the match is under way.
#[test]
fn those_who_watch_come_to_the_state_of_the_players_and_have_the_lines_of_both() {
    let folders = [(); 4].map(|()| tempfile::tempdir().unwrap());
    let (_server, server) = room();
    let frames = ["--room", &server, "--computer", "--exit-after-frames", "600"];
    let words = ["netplay", "host", "--level", "18", "--kind", "score", "--name", "Ada"];
    let (host, mut errors) = Running::start(folders[0].path(), &[&words[..], &frames].concat());
    let codes = line_with(&mut errors, "joins with the code ");
    let (code, watch) =
        codes.split_once(" at ").and_then(|(code, rest)| Some((code, rest.rsplit(' ').next()?))).unwrap();
    let lines = folders[2].path().join("lines.jsonl");
    let words = ["netplay", "watch", watch, "--room", &server, "--exit-after-frames", "570"];
    let streamed = ["--lines", lines.to_str().unwrap()];
    let (first, mut shown) = Running::start(folders[2].path(), &[&words[..], &streamed].concat());
    let guest = ["netplay", "join", code, "--name", "Ben"];
    let (guest, mut other) = Running::start(folders[1].path(), &[&guest[..], &frames].concat());
    line_with(&mut other, "the other player is there");
    line_with(&mut shown, "watching Ada against ");
    let (second, mut late) = Running::start(folders[3].path(), &words);
    line_with(&mut late, "watching Ada against ");
    for errors in [errors, other] {
        std::thread::spawn(move || errors.lines().for_each(drop));
    }
    for errors in [shown, late] {
        std::thread::spawn(move || errors.lines().for_each(drop));
    }
    let [one, two, host, guest] = [first, second, host, guest].map(Running::printed);
    assert!(certain(&host).starts_with("certain frame 600, hash "), "{host}");
    assert_eq!(certain(&host), certain(&guest));
    assert!(certain(&one).starts_with("certain frame 570, hash "), "{one}");
    assert_eq!(certain(&one), certain(&two));
    let text = std::fs::read_to_string(lines).unwrap();
    for player in [1, 2] {
        let of = format!(r#""player":{player}"#);
        let locks = text.lines().filter(|line| line.contains(&of) && line.contains(r#""event":"lock""#));
        assert!(locks.count() > 2, "player {player}: {text}");
    }
}

#[test]
fn a_host_that_leaves_or_is_not_found_ends_the_guest_with_a_reason() {
    let folder = tempfile::tempdir().unwrap();
    let words = ["netplay", "join", "no address at all", "--exit-after-frames", "60"];
    let output: Output = maxout(folder.path(), &words).output().expect("it starts");
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{complaint}");
    assert!(complaint.contains("the host cannot be found"), "{complaint}");
    let words = ["netplay", "host", "--address", "127.0.0.1", "--match-port", "0", "--no-code"];
    let (host, mut errors) = Running::start(folder.path(), &words);
    let port = line_with(&mut errors, "at port ");
    let address = format!("127.0.0.1:{}", port.split(' ').next().unwrap());
    let words = ["netplay", "join", &address, "--exit-after-frames", "90000", "--patience", "3"];
    let (_guest, mut other) = Running::start(folder.path(), &words);
    line_with(&mut other, "the other player is there");
    drop(host); // killed: it says nothing
    assert!(line_with(&mut other, "the match is over: ").contains("nothing has come"));
}

#[test]
fn what_is_played_is_served_where_the_program_says() {
    let folder = tempfile::tempdir().unwrap();
    for rom in ROMS {
        let lines = folder.path().join("lines.jsonl");
        let words =
            ["play", rom, "--serve", "--port", "0", "--name", "Ada", "--lines", lines.to_str().unwrap()];
        let (played, mut errors) = Running::start(folder.path(), &words);
        let address = line_with(&mut errors, "streaming at http://");
        let address = address.trim_end_matches('/');
        let mut tcp = TcpStream::connect(address).unwrap();
        tcp.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        write!(tcp, "GET /events?states=1 HTTP/1.1\r\nHost: {address}\r\n\r\n").unwrap();
        let (mut text, mut part) = (String::new(), [0; 4_096]);
        while !text.contains(r#""event":"mode""#) {
            let read = tcp.read(&mut part).unwrap();
            assert!(read > 0, "{text}");
            text.push_str(&String::from_utf8_lossy(&part[..read]));
        }
        assert!(text.contains(r#""event":"hello""#) && text.contains(r#""name":"Ada""#), "{text}");
        // The file is written by a thread of its own.
        let asked = Instant::now();
        loop {
            let kept = std::fs::read_to_string(&lines).unwrap();
            if kept.contains(r#""event":"mode""#) {
                break;
            }
            assert!(asked.elapsed() < Duration::from_secs(20), "{kept}");
            std::thread::sleep(Duration::from_millis(20));
        }
        drop(played);
    }
    let words = ["play", "--serve", "--listen", "0.0.0.0", "--exit-after-frames", "5"];
    let output = maxout(folder.path(), &words).output().expect("it starts");
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(complaint.contains("0.0.0.0") && complaint.contains("--token"), "{complaint}");
}
