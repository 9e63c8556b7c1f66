//! A connection, from its first byte to its last.

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use tungstenite::protocol::{Role, WebSocketConfig};
use tungstenite::{Bytes, Error, Message, WebSocket};

use super::request::{LONGEST, Method, NOT_GET, Refusal, Request};
use super::service::Awaited;
use super::{Rules, pages};
use crate::line::{Notice, json};
use crate::{Hub, Reader, Wants};

/// Until a request is whole, and until an answer is taken.
const PATIENCE: Duration = Duration::from_secs(5);
/// Without a byte that goes through, until a reader is given up.
const SILENCE: Duration = Duration::from_secs(40);
/// Between two signs of life.
const PING: Duration = Duration::from_secs(15);
/// Bytes of a message that a reader may send.
const LONGEST_MESSAGE: usize = 1_024;
/// Messages of a reader that are looked at in one turn.
const MESSAGES: usize = 8;
/// Lines that are handed to one reader in one turn, so that the others have theirs.
const LINES: usize = 128;

/// What a connection is at.
enum Stage {
    /// The request comes in.
    Request(TcpStream, Vec<u8>),
    /// Somebody works on the answer, which a page of this origin may read.
    Asked(TcpStream, Awaited, Option<String>),
    /// An answer goes out, and then nothing more.
    Answer(TcpStream, Outgoing),
    /// Server-Sent Events.
    Events(TcpStream, Outgoing, Reader),
    /// A WebSocket.
    Socket(Box<WebSocket<TcpStream>>, Reader),
    /// Over.
    Closed,
}

impl Stage {
    /// The same with the head of the answer alone.
    fn head(self) -> Self {
        match self {
            Self::Answer(socket, out) | Self::Events(socket, out, _) => Self::Answer(socket, out.head()),
            other => other,
        }
    }
}

/// Bytes on their way out.
#[derive(Default)]
struct Outgoing {
    bytes: Vec<u8>,
    written: usize,
}

/// A connection.
pub(super) struct Connection {
    stage: Stage,
    /// When it came to its stage, or a byte last went through.
    since: Instant,
    pinged: Instant,
}

impl Connection {
    pub(super) fn new(socket: TcpStream, now: Instant) -> Self {
        Self { stage: Stage::Request(socket, Vec::new()), since: now, pinged: now }
    }

    /// Does what can be done without waiting. False once it is over.
    pub(super) fn turn(&mut self, hub: &Hub, rules: &Rules, now: Instant) -> bool {
        let stage = std::mem::replace(&mut self.stage, Stage::Closed);
        self.stage = match stage {
            Stage::Request(socket, bytes) => self.request(socket, bytes, hub, rules, now),
            Stage::Asked(socket, awaited, origin) => self.asked(socket, awaited, origin, now),
            Stage::Answer(socket, out) => self.answer(socket, out, now),
            Stage::Events(socket, out, reader) => self.events(socket, out, reader, hub, now),
            Stage::Socket(socket, reader) => self.socket(socket, reader, now),
            Stage::Closed => Stage::Closed,
        };
        !matches!(self.stage, Stage::Closed)
    }

    fn waited(&self, longest: Duration, now: Instant) -> bool {
        now.saturating_duration_since(self.since) > longest
    }

    fn request(
        &mut self,
        mut socket: TcpStream,
        mut bytes: Vec<u8>,
        hub: &Hub,
        rules: &Rules,
        now: Instant,
    ) -> Stage {
        let mut part = [0; LONGEST];
        match socket.read(&mut part) {
            Ok(0) => return Stage::Closed,
            Ok(read) => bytes.extend(&part[..read.min(LONGEST.saturating_sub(bytes.len()))]),
            Err(error) if is_later(&error) => {}
            Err(_) => return Stage::Closed,
        }
        match Request::parse(&bytes) {
            Ok(None) if self.waited(PATIENCE, now) => Stage::Closed,
            Ok(None) => Stage::Request(socket, bytes),
            Ok(Some((request, length))) => {
                self.since = now;
                let rest = bytes.split_off(length);
                let routed = route(&request, socket, rest, hub, rules);
                let stage = routed.unwrap_or_else(|(socket, refusal)| refused(socket, refusal));
                if request.method == Method::Head { stage.head() } else { stage }
            }
            Err(refusal) => refused(socket, refusal),
        }
    }

    fn asked(&mut self, socket: TcpStream, awaited: Awaited, origin: Option<String>, now: Instant) -> Stage {
        match awaited.taken() {
            Ok(Some(reply)) => {
                self.since = now;
                let out = Outgoing::reply(reply.status, reply.kind, reply.body.as_bytes(), origin.as_deref());
                Stage::Answer(socket, out)
            }
            Ok(None) if self.waited(SILENCE, now) => Stage::Closed,
            Ok(None) => Stage::Asked(socket, awaited, origin),
            Err(refusal) => refused(socket, refusal),
        }
    }

    fn answer(&mut self, mut socket: TcpStream, mut out: Outgoing, now: Instant) -> Stage {
        match out.write(&mut socket) {
            Ok(true) => {
                // What the other side still sends must not turn the answer into a reset.
                let _ = socket.shutdown(std::net::Shutdown::Write);
                let _ = socket.read(&mut [0; LONGEST]);
                Stage::Closed
            }
            Ok(false) if !self.waited(PATIENCE, now) => Stage::Answer(socket, out),
            _ => Stage::Closed,
        }
    }

    fn events(
        &mut self,
        mut socket: TcpStream,
        mut out: Outgoing,
        reader: Reader,
        hub: &Hub,
        now: Instant,
    ) -> Stage {
        // A reader has nothing to say; the end of its stream is the end.
        match socket.read(&mut [0; 64]) {
            Ok(0) => return Stage::Closed,
            Err(error) if !is_later(&error) => return Stage::Closed,
            _ => {}
        }
        for _ in 0..LINES {
            match out.write(&mut socket) {
                Ok(true) => self.since = now,
                Ok(false) if self.waited(SILENCE, now) => return Stage::Closed,
                Ok(false) => break,
                Err(_) => return Stage::Closed,
            }
            if let Some(line) = reader.next() {
                out = Outgoing::of(format!("data: {line}\n\n").into_bytes());
            } else if hub.has_ended() {
                return Stage::Closed;
            } else if now.saturating_duration_since(self.pinged) > PING {
                self.pinged = now;
                out = Outgoing::of(b":\n\n".to_vec());
            } else {
                break;
            }
        }
        Stage::Events(socket, out, reader)
    }

    fn socket(&mut self, mut socket: Box<WebSocket<TcpStream>>, reader: Reader, now: Instant) -> Stage {
        for _ in 0..MESSAGES {
            match socket.read() {
                Ok(Message::Text(text)) => {
                    self.since = now;
                    let asked = serde_json::from_str::<serde_json::Value>(&text);
                    if asked.is_ok_and(|asked| asked["request"] == "state") {
                        reader.ask_for_states();
                    } else if told(&mut socket, r#"expected {"request":"state"}"#).is_err() {
                        return Stage::Closed;
                    }
                }
                Ok(Message::Binary(_)) => {
                    let message = r#"expected text, as {"request":"state"}; found bytes"#;
                    if told(&mut socket, message).is_err() {
                        return Stage::Closed;
                    }
                }
                // Pings are answered by the library; a pong or a ping is a sign of life.
                Ok(_) => self.since = now,
                Err(Error::Io(error)) if is_later(&error) => break,
                Err(Error::WriteBufferFull(_)) => break,
                Err(_) => return Stage::Closed,
            }
        }
        if self.waited(SILENCE, now) {
            return Stage::Closed;
        }
        for _ in 0..LINES {
            match socket.flush() {
                Ok(()) => {}
                Err(Error::Io(error)) if is_later(&error) => break,
                Err(_) => return Stage::Closed,
            }
            let message = if let Some(line) = reader.next() {
                Message::text(&*line)
            } else if now.saturating_duration_since(self.pinged) > PING {
                self.pinged = now;
                Message::Ping(Bytes::new())
            } else {
                break;
            };
            match socket.write(message) {
                Ok(()) => {}
                Err(Error::Io(error)) if is_later(&error) => break,
                Err(_) => return Stage::Closed,
            }
        }
        Stage::Socket(socket, reader)
    }
}

/// Says what is wrong with what a reader sent.
fn told(socket: &mut WebSocket<TcpStream>, message: &str) -> Result<(), Error> {
    match socket.write(Message::text(json(&Notice::Error { message }))) {
        Err(Error::Io(error)) if is_later(&error) => Ok(()),
        other => other,
    }
}

/// Where a request leads.
fn route(
    request: &Request,
    mut socket: TcpStream,
    rest: Vec<u8>,
    hub: &Hub,
    rules: &Rules,
) -> Result<Stage, (TcpStream, Refusal)> {
    if let Err(refusal) = request.check_sender(rules) {
        return Err((socket, refusal));
    }
    let takes_post = rules.service.is_none() && request.path == "/match";
    if request.method == Method::Post && !takes_post
        || request.method == Method::Head && rules.service.is_some()
    {
        return Err((socket, NOT_GET));
    }
    if let Some(service) = &rules.service {
        let asked = request.check_token(rules).and_then(|()| service.ask(&request.path, &request.query));
        return match asked {
            Ok(awaited) => Ok(Stage::Asked(socket, awaited, request.origin.clone())),
            Err(refusal) => Err((socket, refusal)),
        };
    }
    if let Some(page) = pages::page(&request.path) {
        return Ok(match pages::check(&request.path, &request.query) {
            Ok(()) => Stage::Answer(socket, Outgoing::answer(200, page.kind, page.text.as_bytes())),
            Err(error) => Stage::Answer(socket, Outgoing::plain(400, &error.to_string())),
        });
    }
    if request.path == "/schema.json" {
        let schema = crate::schema().to_string();
        return Ok(Stage::Answer(
            socket,
            Outgoing::answer(200, "application/schema+json", schema.as_bytes()),
        ));
    }
    if request.path == pages::OWN_CSS {
        let css = rules.css.as_deref().unwrap_or_default();
        return Ok(Stage::Answer(socket, Outgoing::answer(200, pages::CSS, css.as_bytes())));
    }
    if request.method == Method::Post {
        let out = match request.check_writer(rules) {
            Err(refusal) => return Err((socket, refusal)),
            Ok(()) => match hub.change_board(&String::from_utf8_lossy(&request.body)) {
                Ok(line) => Outgoing::answer(200, "application/json", line.as_bytes()),
                Err(error) => Outgoing::plain(400, &error.to_string()),
            },
        };
        return Ok(Stage::Answer(socket, out));
    }
    if let Err(refusal) = request.check_token(rules) {
        return Err((socket, refusal));
    }
    let wants = match Wants::of_query(&request.query) {
        Ok(wants) => wants,
        Err(error) => {
            return Ok(Stage::Answer(socket, Outgoing::plain(400, &error.to_string())));
        }
    };
    match (request.path.as_str(), &request.accept) {
        ("/ws", Some(accept)) if request.method == Method::Get => {
            let head = format!(
                "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
                 Sec-WebSocket-Accept: {accept}\r\n\r\n"
            );
            // The first bytes of a connection fit its buffer, or it is a strange one.
            if !matches!(socket.write(head.as_bytes()), Ok(written) if written == head.len()) {
                return Ok(Stage::Closed);
            }
            let config = WebSocketConfig::default()
                .read_buffer_size(LONGEST_MESSAGE)
                .write_buffer_size(0)
                .max_write_buffer_size(1 << 20)
                .max_message_size(Some(LONGEST_MESSAGE))
                .max_frame_size(Some(LONGEST_MESSAGE));
            let socket = WebSocket::from_partially_read(socket, rest, Role::Server, Some(config));
            Ok(Stage::Socket(Box::new(socket), hub.reader(wants)))
        }
        ("/ws", _) => Err((socket, Refusal(426, "expected a WebSocket handshake"))),
        ("/events", _) => {
            let head = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-store\r\n\
                Connection: close\r\nX-Content-Type-Options: nosniff\r\n\r\nretry: 1000\n\n";
            let reader = hub.reader(wants);
            Ok(Stage::Events(socket, Outgoing::of(head.to_vec()), reader))
        }
        ("/state", _) => {
            let mut lines = String::new();
            for line in [hub.hello()].into_iter().chain(hub.states()) {
                lines.push_str(&line);
                lines.push('\n');
            }
            Ok(Stage::Answer(socket, Outgoing::answer(200, "application/x-ndjson", lines.as_bytes())))
        }
        ("/match", _) => {
            let line = hub.board().unwrap_or_default().line();
            Ok(Stage::Answer(socket, Outgoing::answer(200, "application/json", line.as_bytes())))
        }
        _ => Err((socket, Refusal(404, "expected /, /overlay, /ws, /events, /state or /match"))),
    }
}

fn refused(socket: TcpStream, Refusal(status, message): Refusal) -> Stage {
    Stage::Answer(socket, Outgoing::plain(status, message))
}

/// Tells one connection too many to come back, as far as that goes through at once.
pub(super) fn turn_away(mut socket: TcpStream) {
    let _ = Outgoing::answer(503, "text/plain", b"too many readers: come back later").write(&mut socket);
}

impl Outgoing {
    fn of(bytes: Vec<u8>) -> Self {
        Self { bytes, written: 0 }
    }

    /// A whole answer, after which the connection is closed.
    fn answer(status: u16, kind: &str, body: &[u8]) -> Self {
        Self::reply(status, kind, body, None)
    }

    /// The same with a line of text.
    fn plain(status: u16, text: &str) -> Self {
        Self::answer(status, "text/plain; charset=utf-8", text.as_bytes())
    }

    /// Up to the end of the head of an answer.
    fn head(mut self) -> Self {
        const END: &[u8] = b"\r\n\r\n";
        let end = self.bytes.windows(END.len()).position(|part| part == END);
        self.bytes.truncate(end.map_or(usize::MAX, |end| end + END.len()));
        self
    }

    /// The same for a page of another server, which its browser lets read it.
    fn reply(status: u16, kind: &str, body: &[u8], origin: Option<&str>) -> Self {
        let origin = origin.map_or_else(String::new, |origin| {
            format!("Access-Control-Allow-Origin: {origin}\r\nVary: Origin\r\n")
        });
        let head = format!(
            "HTTP/1.1 {status} {}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nCache-Control: no-cache\r\n\
             Connection: close\r\n{origin}X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n\r\n",
            if status == 200 { "OK" } else { "Refused" },
            body.len()
        );
        Self::of([head.as_bytes(), body].concat())
    }

    /// Writes what goes through at once. Out: whether all has.
    fn write(&mut self, socket: &mut TcpStream) -> io::Result<bool> {
        while self.written < self.bytes.len() {
            match socket.write(&self.bytes[self.written..]) {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                Ok(written) => self.written += written,
                Err(error) if is_later(&error) => return Ok(false),
                Err(error) => return Err(error),
            }
        }
        Ok(true)
    }
}

/// Does a socket that never waits have nothing now?
fn is_later(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted)
}
