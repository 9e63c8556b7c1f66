//! Rooms for pages: the letters of players and rooms as binary messages of `WebSockets`.

use std::collections::{HashMap, VecDeque};
use std::io;
use std::net::{SocketAddr, TcpListener, TcpStream, UdpSocket};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use netplay::{Relay, address_of_connection, connection_of_address};
use tungstenite::handshake::server::{Callback, ErrorResponse, Request, Response, ServerHandshake};
use tungstenite::handshake::{HandshakeError, MidHandshake};
use tungstenite::http::StatusCode;
use tungstenite::protocol::WebSocketConfig;
use tungstenite::{Bytes, Error, Message, WebSocket};

/// Connections at a time; one that comes later is closed.
const CONNECTIONS: usize = 256;
/// Connections that are taken in at once, and messages of each that are looked at in one turn.
const BATCH: usize = 32;
/// Messages that may wait for a connection; what comes beyond is lost, as anything may be.
const WAITING: usize = 256;
/// Bytes of a message, at most.
const LONGEST: usize = 1_024;
/// Bytes that may wait in a connection until it is given up.
const WRITTEN: usize = 256 * 1_024;
/// Until a handshake is done, and without a message until a connection is given up.
const HANDSHAKE: Duration = Duration::from_secs(5);
const SILENCE: Duration = Duration::from_secs(40);
/// Between two looks at the sockets, with connections and without.
const TURN: Duration = Duration::from_millis(2);
const IDLE: Duration = Duration::from_millis(50);

/// What goes to players and those who watch, however they are connected.
#[derive(Debug)]
pub(super) struct Post {
    pub(super) udp: UdpSocket,
    /// By the number of a connection.
    web: Mutex<HashMap<u64, VecDeque<Vec<u8>>>>,
}

impl Post {
    pub(super) fn new(udp: UdpSocket) -> Self {
        Self { udp, web: Mutex::default() }
    }

    /// Sends a letter. What does not go through is lost, as anything may be.
    pub(super) fn send(&self, to: SocketAddr, bytes: &[u8]) {
        let Some(number) = connection_of_address(to) else {
            let _ = self.udp.send_to(bytes, to);
            return;
        };
        let mut web = self.web.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(waiting) = web.get_mut(&number).filter(|waiting| waiting.len() < WAITING) {
            waiting.push_back(bytes.to_vec());
        }
    }

    /// A connection is there.
    fn open_once(&self, number: u64) {
        self.web.lock().unwrap_or_else(PoisonError::into_inner).entry(number).or_default();
    }

    fn close(&self, number: u64) {
        self.web.lock().unwrap_or_else(PoisonError::into_inner).remove(&number);
    }

    fn next(&self, number: u64) -> Option<Vec<u8>> {
        self.web.lock().unwrap_or_else(PoisonError::into_inner).get_mut(&number)?.pop_front()
    }
}

/// Which pages may connect: those of the server's own address, and of these origins.
#[derive(Clone)]
struct Check {
    address: SocketAddr,
    origins: Vec<String>,
}

impl Callback for Check {
    #[expect(clippy::result_large_err, reason = "as the trait has it")]
    fn on_request(self, request: &Request, response: Response) -> Result<Response, ErrorResponse> {
        let header = |name: &str| request.headers().get(name);
        let host = header("Host").and_then(|host| host.to_str().ok()).unwrap_or_default();
        let origin = header("Origin").map(|origin| origin.to_str().unwrap_or("?"));
        let refused = |status, why: &str| {
            let mut answer = ErrorResponse::new(Some(why.to_owned()));
            *answer.status_mut() = status;
            Err(answer)
        };
        if !stream::server::is_own_host(host, self.address) {
            return refused(StatusCode::MISDIRECTED_REQUEST, "expected the address of this server in Host");
        }
        if origin.is_some_and(|origin| !stream::server::is_own_origin(origin, host, &self.origins)) {
            return refused(StatusCode::FORBIDDEN, "this page may not connect: allow it by --origin");
        }
        if request.uri().path() != "/room" {
            return refused(StatusCode::NOT_FOUND, "expected /room");
        }
        Ok(response)
    }
}

enum Stage {
    Shaking(Box<MidHandshake<ServerHandshake<TcpStream, Check>>>),
    Open(Box<WebSocket<TcpStream>>),
    Closed,
}

struct Connection {
    number: u64,
    stage: Stage,
    since: Instant,
}

/// The server of `WebSockets`.
pub(super) struct Web {
    listener: TcpListener,
    check: Check,
    config: WebSocketConfig,
    connections: Vec<Connection>,
    /// The number of the next connection.
    next: u64,
}

impl Web {
    /// Listens at an address, for pages of its own and of these origins.
    ///
    /// # Errors
    /// What the system answers.
    pub(super) fn listen(address: SocketAddr, origins: Vec<String>) -> io::Result<Self> {
        let listener = TcpListener::bind(address)?;
        listener.set_nonblocking(true)?;
        let check = Check { address: listener.local_addr()?, origins };
        let config = WebSocketConfig::default()
            .read_buffer_size(LONGEST)
            .write_buffer_size(0)
            .max_write_buffer_size(WRITTEN)
            .max_message_size(Some(LONGEST))
            .max_frame_size(Some(LONGEST));
        Ok(Self { listener, check, config, connections: Vec::new(), next: 0 })
    }

    pub(super) fn address(&self) -> SocketAddr {
        self.check.address
    }

    /// Serves until it is told to stop. `begun` is the moment from which the relay's time counts.
    pub(super) fn run(
        mut self,
        relay: &Mutex<Relay>,
        post: &Post,
        begun: Instant,
        stopped: &dyn Fn() -> bool,
    ) {
        while !stopped() {
            self.accept();
            let now = Instant::now();
            self.connections.retain_mut(|connection| {
                let stays = connection.turn(relay, post, begun, now);
                if !stays {
                    post.close(connection.number);
                }
                stays
            });
            thread::sleep(if self.connections.is_empty() { IDLE } else { TURN });
        }
    }

    fn accept(&mut self) {
        for _ in 0..BATCH {
            // Errors are of one connection, or pass: WouldBlock, too many files.
            let Ok((socket, _)) = self.listener.accept() else { return };
            if self.connections.len() >= CONNECTIONS || socket.set_nonblocking(true).is_err() {
                continue;
            }
            let _ = socket.set_nodelay(true); // it only makes messages later
            let shaken = tungstenite::accept_hdr_with_config(socket, self.check.clone(), Some(self.config));
            let stage = Stage::of(shaken);
            self.next += 1;
            self.connections.push(Connection { number: self.next, stage, since: Instant::now() });
        }
    }
}

impl Stage {
    fn of(shaken: Result<WebSocket<TcpStream>, HandshakeError<ServerHandshake<TcpStream, Check>>>) -> Self {
        match shaken {
            Ok(socket) => Self::Open(Box::new(socket)),
            Err(HandshakeError::Interrupted(shaking)) => Self::Shaking(Box::new(shaking)),
            Err(HandshakeError::Failure(_)) => Self::Closed,
        }
    }
}

impl Connection {
    /// Does what can be done without waiting. False once it is over.
    fn turn(&mut self, relay: &Mutex<Relay>, post: &Post, begun: Instant, now: Instant) -> bool {
        let silence = now.saturating_duration_since(self.since);
        self.stage = match std::mem::replace(&mut self.stage, Stage::Closed) {
            Stage::Shaking(shaking) if silence < HANDSHAKE => match Stage::of(shaking.handshake()) {
                Stage::Open(socket) => {
                    self.since = now;
                    Stage::Open(socket)
                }
                other => other,
            },
            Stage::Open(mut socket) if silence < SILENCE => {
                post.open_once(self.number);
                match self.exchange(&mut socket, relay, post, begun, now) {
                    Ok(()) => Stage::Open(socket),
                    Err(_) => Stage::Closed,
                }
            }
            _ => Stage::Closed,
        };
        !matches!(self.stage, Stage::Closed)
    }

    /// Takes in messages and sends what waits.
    fn exchange(
        &mut self,
        socket: &mut WebSocket<TcpStream>,
        relay: &Mutex<Relay>,
        post: &Post,
        begun: Instant,
        now: Instant,
    ) -> Result<(), Box<Error>> {
        for _ in 0..BATCH {
            match socket.read() {
                Ok(Message::Binary(bytes)) => {
                    self.since = now;
                    let mut relay = relay.lock().unwrap_or_else(PoisonError::into_inner);
                    let from = address_of_connection(self.number);
                    relay.take(from, &bytes, begun.elapsed(), &mut |to, bytes| post.send(to, bytes));
                }
                Ok(Message::Text(_)) => return Err(Box::new(Error::ConnectionClosed)),
                Ok(_) => self.since = now,
                Err(error) if is_later(&error) => break,
                Err(error) => return Err(Box::new(error)),
            }
        }
        while let Some(bytes) = post.next(self.number) {
            match socket.write(Message::Binary(Bytes::from(bytes))) {
                Ok(()) => {}
                Err(error) if is_later(&error) => break,
                Err(error) => return Err(Box::new(error)),
            }
        }
        match socket.flush() {
            Err(error) if !is_later(&error) => Err(Box::new(error)),
            _ => Ok(()),
        }
    }
}

/// Does a socket that never waits have nothing now, or take nothing?
fn is_later(error: &Error) -> bool {
    matches!(error, Error::Io(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted))
}
