//! Requests and packets of strangers, and whether those who have business are served afterwards.

use std::io::{Read, Write};
use std::net::{TcpStream, UdpSocket};
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use tetris::SplitMix64;

use crate::program::{LONGEST, Program, Streams};

/// How often each has been tried, or what went wrong.
type Served = Result<String>;

/// All of them, in so much time.
pub(crate) fn all(program: &Path, longest: Duration, random: &mut SplitMix64) -> Vec<(&'static str, Served)> {
    let share = longest / 3;
    vec![
        ("HTTP of stream --serve", stream(program, share, random)),
        ("HTTP of ai serve", player(program, share, random)),
        ("packets to a netplay host", host(program, share, random)),
    ]
}

/// A request head with a line of each kind, some of them wrong.
fn head(path: &str, random: &mut SplitMix64) -> Vec<u8> {
    const LINES: [&str; 16] = [
        "Host: 127.0.0.1\r\n",
        "Host: example.org\r\n",
        "Origin: https://example.org\r\n",
        "Origin: null\r\n",
        "Sec-Fetch-Site: cross-site\r\n",
        "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n",
        "Sec-WebSocket-Key: \r\n",
        "Upgrade: websocket\r\n",
        "Content-Length: 18446744073709551616\r\n",
        "Transfer-Encoding: chunked\r\n",
        "Accept: text/event-stream\r\n",
        "Authorization: Bearer \u{e9}\r\n",
        "Cookie: a=b\r\n",
        " folded\r\n",
        ": no name\r\n",
        "X: \0\r\n",
    ];
    let method = random.pick(&["GET", "GET", "GET", "HEAD", "POST", "get", "PRI", "\u{16}\u{3}\u{1}"]);
    let mut bytes = format!("{method} {path} HTTP/1.{}\r\n", random.below(3)).into_bytes();
    for _ in 0..random.below(8) {
        bytes.extend(random.pick(&LINES).bytes());
    }
    bytes.extend(b"\r\n");
    for _ in 0..random.below(4) {
        let at = random.below(bytes.len() as u32) as usize;
        match random.below(3) {
            0 => bytes[at] = random.next_u64() as u8,
            1 => bytes.truncate(at + 1),
            _ => bytes.extend(std::iter::repeat_n(b'a', random.below(9_000) as usize)),
        }
    }
    bytes
}

/// Sends bytes and takes what comes, for a moment.
fn ask(address: &str, bytes: &[u8], patience: Duration) -> std::io::Result<Vec<u8>> {
    let mut socket = TcpStream::connect(address)?;
    socket.set_read_timeout(Some(patience))?;
    socket.set_write_timeout(Some(patience))?;
    socket.write_all(bytes)?;
    let (mut answer, begun) = (vec![0; 1 << 16], Instant::now());
    let mut length = 0;
    // A stream of events never ends.
    while begun.elapsed() < patience && length < answer.len() {
        match socket.read(&mut answer[length..]) {
            Ok(0) | Err(_) => break,
            Ok(read) => length += read,
        }
    }
    answer.truncate(length);
    Ok(answer)
}

/// Sends requests for `longest`, and looks that `path` is still answered.
fn served(
    program: &mut Program,
    address: &str,
    path: &str,
    longest: Duration,
    mut request: impl FnMut() -> Vec<u8>,
) -> Served {
    let (begun, mut sent) = (Instant::now(), 0);
    while sent < 20 || begun.elapsed() < longest {
        // Whatever is answered, the next is served.
        let _ = ask(address, &request(), Duration::from_millis(30));
        sent += 1;
        if program.ended_within(Duration::ZERO).is_some() {
            bail!("it has ended after {sent} requests");
        }
    }
    let good = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\n\r\n");
    let answer = ask(address, good.as_bytes(), LONGEST)?;
    if answer.starts_with(b"HTTP/1.1 200") {
        Ok(format!("{sent} requests, then {path} is answered"))
    } else {
        bail!("after {sent} requests: {}", String::from_utf8_lossy(&answer[..answer.len().min(80)]))
    }
}

/// The address in a line that ends with one.
fn address_of(line: &str) -> String {
    let rest = line.split("http://").nth(1).unwrap_or_default();
    rest.split(['/', ' ']).next().unwrap_or_default().to_owned()
}

fn stream(program: &Path, longest: Duration, random: &mut SplitMix64) -> Served {
    let folder = tempfile::tempdir()?;
    let words = ["stream", "--player", "--serve", "--port", "0", "--quiet"];
    let mut running = Program::start(program, folder.path(), &words, None, &Streams::Pipes)?;
    let line = running.line_with("streaming at ").context("it does not begin")?;
    let address = address_of(&line);
    served(&mut running, &address, "/", longest, || {
        let path = random.pick(&[
            "/",
            "/events",
            "/socket",
            "/../etc/passwd",
            "/%00",
            "*",
            "http://a/",
            "/?token=x",
        ]);
        head(path, random)
    })
}

fn player(program: &Path, longest: Duration, random: &mut SplitMix64) -> Served {
    let folder = tempfile::tempdir()?;
    // It says its address on standard output: a port that nobody has is asked for beforehand.
    let free = std::net::TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr())?;
    let port = free.port().to_string();
    let words = ["ai", "serve", "--port", &port];
    let mut running = Program::start(program, folder.path(), &words, None, &Streams::Pipes)?;
    let address = format!("127.0.0.1:{port}");
    let begun = Instant::now();
    while TcpStream::connect(&address).is_err() {
        if begun.elapsed() > LONGEST {
            bail!("it does not begin");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    served(&mut running, &address, "/version", longest, || {
        let board: String = (0..200).map(|at| if at > 150 && random.one_in(2) { '1' } else { '0' }).collect();
        let timeline: String =
            (0..=random.below(70)).map(|at| if at == 0 || random.one_in(20) { 'X' } else { '.' }).collect();
        let call = random.pick(&["get-move", "engine", "rate-move", "eval", "get-move-async", "precompute"]);
        let (piece, level) = (random.pick(&['T', 'I', 'O', 'S', 'Q']), random.pick(&[18, 19, 29, 39, 300]));
        let path = format!(
            "/{call}?board={board}&currentPiece={piece}&level={level}&lines=0&inputFrameTimeline={timeline}&reactionTime=18"
        );
        if random.one_in(4) {
            head(&path, random)
        } else {
            format!("GET {path} HTTP/1.1\r\nHost: {address}\r\n\r\n").into_bytes()
        }
    })
}

fn host(program: &Path, longest: Duration, random: &mut SplitMix64) -> Served {
    let folder = tempfile::tempdir()?;
    let own = ["--headless", "--computer", "--exit-after-frames", "60", "--folder", "."];
    let words = ["netplay", "host", "--address", "127.0.0.1", "--match-port", "0", "--no-code"];
    let start = |words: &[&str]| {
        Program::start(program, folder.path(), &[words, &own].concat(), None, &Streams::Pipes)
    };
    let mut host = start(&words)?;
    let port = host.line_with("at port ").context("it does not begin")?;
    let address = format!("127.0.0.1:{}", port.split(' ').next().unwrap_or_default());
    let sockets: Vec<_> = (0..4).map_while(|_| UdpSocket::bind("127.0.0.1:0").ok()).collect();
    let (begun, mut sent) = (Instant::now(), 0);
    while sent < 100 || begun.elapsed() < longest {
        let mut bytes = b"MXNP".to_vec();
        bytes.push(random.pick(&[1, 2, 2, 2, 3, 255]));
        bytes.push(random.below(6) as u8);
        let length = random.pick(&[0, 8, 20, 40, 60, 168, 200]);
        bytes.extend((0..length).map(|_| if random.one_in(2) { 0 } else { random.next_u64() as u8 }));
        if random.one_in(8) {
            bytes.truncate(random.below(bytes.len() as u32) as usize);
        }
        let socket = &sockets[random.below(sockets.len() as u32) as usize];
        // What a full queue drops was sent by nobody.
        let _ = socket.send_to(&bytes, &address);
        sent += 1;
        std::thread::sleep(Duration::from_millis(1));
        if let Some(status) = host.ended_within(Duration::ZERO) {
            bail!("{sent} packets end it: {status}");
        }
    }
    let mut guest = start(&["netplay", "join", &address])?;
    for (side, program) in [("guest", &mut guest), ("host", &mut host)] {
        match program.ended_within(LONGEST) {
            Some(status) if status.success() => {}
            status => bail!("after {sent} packets the {side} ends with {status:?}"),
        }
    }
    Ok(format!("{sent} packets of four strangers, then a match of 60 frames"))
}
