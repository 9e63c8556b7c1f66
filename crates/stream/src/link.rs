//! A connection to somebody else's server, which comes and goes without the game noticing.

use std::collections::VecDeque;
use std::net::{TcpStream, ToSocketAddrs};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use tungstenite::client::{IntoClientRequest, uri_mode};
use tungstenite::http::header::USER_AGENT;
use tungstenite::http::{HeaderValue, StatusCode};
use tungstenite::protocol::WebSocketConfig;
use tungstenite::stream::{MaybeTlsStream, Mode};
use tungstenite::{Connector, Error, HandshakeError, Message, WebSocket, client_tls_with_config};

use crate::Secret;
use crate::plain::plain;

/// Until a server has answered.
const PATIENCE: Duration = Duration::from_secs(5);
/// Between two looks at the socket.
const TURN: Duration = Duration::from_millis(5);
/// Without a byte from a server, until it is given up; both of ours ping, or are pinged, more
/// often.
const SILENCE: Duration = Duration::from_secs(60);
const PING: Duration = Duration::from_secs(20);
/// Until the server has taken what is left at the end.
const FAREWELL: Duration = Duration::from_secs(1);
/// Bytes of a message that a server may send.
const LONGEST_MESSAGE: usize = 256 * 1024;
/// Messages that wait to be sent, at most; the oldest go first.
const WAITING: usize = 240;
/// As browsers begin theirs: some servers send others away.
const AGENT: &str = concat!("Mozilla/5.0 (compatible; Maxout/", env!("CARGO_PKG_VERSION"), ")");

/// How long to wait before a lost connection is tried again: at first, and at most.
#[derive(Clone, Copy, Debug)]
pub struct Retry {
    /// The first time.
    pub first: Duration,
    /// It doubles up to this.
    pub longest: Duration,
}

impl Default for Retry {
    /// Five seconds, as NestrisChamps' own page, up to a minute.
    fn default() -> Self {
        Self { first: Duration::from_secs(5), longest: Duration::from_secs(60) }
    }
}

/// How a connection stands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Status {
    /// It is being made.
    #[default]
    Connecting,
    /// It stands.
    Connected,
    /// It was lost, or could not be made, for this reason; it is tried again.
    Lost(String),
    /// It will not be tried again, for this reason.
    Ended(String),
}

/// The other side's rules.
pub(crate) trait Peer: Send + 'static {
    /// A connection stands.
    fn opened(&mut self);
    /// A message came in. Says how it goes on.
    fn message(&mut self, message: &Message) -> Next;
    /// The next message to send, if one is due.
    fn outgoing(&mut self, now: Instant) -> Option<Message>;
    /// The server refuses the connection with this status of HTTP. Says why it is not tried again,
    /// if it is not.
    fn refused(&mut self, _status: u16) -> Option<String> {
        None
    }
    /// The program ends: whatever waits is to be sent at once, or never.
    fn closing(&mut self, _now: Instant) {}
    /// After [`Peer::closing`]: there is nothing left to send or to hear.
    fn is_done(&self) -> bool;
}

/// How a connection goes on.
pub(crate) enum Next {
    /// It does.
    Stay,
    /// The other side does not want it: it is not tried again.
    End(String),
}

/// Messages on their way to a link's thread.
#[derive(Debug)]
pub(crate) struct Outbox<T>(Arc<Mutex<VecDeque<T>>>);

impl<T> Clone for Outbox<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T> Default for Outbox<T> {
    fn default() -> Self {
        Self(Arc::default())
    }
}

impl<T> Outbox<T> {
    pub(crate) fn with<R>(&self, act: impl FnOnce(&mut VecDeque<T>) -> R) -> R {
        act(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub(crate) fn push(&self, item: T) {
        self.with(|waiting| {
            if waiting.len() >= WAITING {
                waiting.pop_front();
            }
            waiting.push_back(item);
        });
    }
}

/// A connection that is kept up by a thread of its own until it is dropped.
#[derive(Debug)]
pub struct Link {
    status: Arc<Mutex<Status>>,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Link {
    /// Connects `peer` to an address, `ws://…` or `wss://…`. The whole address is a secret: it may
    /// hold one.
    pub(crate) fn start(
        name: &str,
        address: Secret,
        retry: Retry,
        tls: Option<Arc<rustls::ClientConfig>>,
        peer: impl Peer,
    ) -> Self {
        let (status, stop) = (Arc::new(Mutex::new(Status::default())), Arc::new(AtomicBool::new(false)));
        let line = Line { address, retry, tls, status: Arc::clone(&status), stop: Arc::clone(&stop) };
        let thread = thread::Builder::new().name(name.to_owned()).spawn(move || line.run(peer));
        if thread.is_err() {
            set(&status, Status::Ended("the system gives no thread".into()));
        }
        Self { status, stop, thread: thread.ok() }
    }

    /// How it stands.
    pub fn status(&self) -> Status {
        self.status.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            // A connection that is just being made takes seconds: nobody waits for it.
            if thread.is_finished() || self.status() == Status::Connected {
                let _ = thread.join();
            }
        }
    }
}

fn set(status: &Mutex<Status>, value: Status) {
    // Reasons are often the server's own words.
    let value = match value {
        Status::Lost(reason) => Status::Lost(plain(&reason)),
        Status::Ended(reason) => Status::Ended(plain(&reason)),
        value => value,
    };
    *status.lock().unwrap_or_else(PoisonError::into_inner) = value;
}

type Socket = WebSocket<MaybeTlsStream<TcpStream>>;

/// What a link's thread knows.
struct Line {
    address: Secret,
    retry: Retry,
    tls: Option<Arc<rustls::ClientConfig>>,
    status: Arc<Mutex<Status>>,
    stop: Arc<AtomicBool>,
}

/// Why there is no connection.
enum Failure {
    /// The server answers with this status.
    Refused(StatusCode),
    /// In words that hold no part of the address.
    Other(String),
}

impl From<String> for Failure {
    fn from(reason: String) -> Self {
        Self::Other(reason)
    }
}

impl From<&str> for Failure {
    fn from(reason: &str) -> Self {
        Self::Other(reason.to_owned())
    }
}

/// Why a connection is over.
enum Over {
    Lost(String),
    Ended(String),
    Stopped,
}

impl Line {
    fn run(&self, mut peer: impl Peer) {
        let mut wait = self.retry.first;
        loop {
            set(&self.status, Status::Connecting);
            let over = match self.dial() {
                Ok(mut socket) => {
                    set(&self.status, Status::Connected);
                    wait = self.retry.first;
                    peer.opened();
                    self.talk(&mut socket, &mut peer)
                }
                Err(Failure::Refused(status)) => match peer.refused(status.as_u16()) {
                    Some(reason) => Over::Ended(reason),
                    None => Over::Lost(format!("the server refuses: {status}")),
                },
                Err(Failure::Other(reason)) => Over::Lost(reason),
            };
            match over {
                Over::Lost(reason) => set(&self.status, Status::Lost(reason)),
                Over::Ended(reason) => return set(&self.status, Status::Ended(reason)),
                Over::Stopped => return,
            }
            let until = Instant::now() + wait;
            while Instant::now() < until {
                if self.stopped() {
                    return;
                }
                thread::park_timeout(until.saturating_duration_since(Instant::now()).min(10 * TURN));
            }
            wait = (2 * wait).min(self.retry.longest);
        }
    }

    fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// A connection, or why there is none.
    fn dial(&self) -> Result<Socket, Failure> {
        let mut request =
            self.address.reveal().into_client_request().map_err(|_| "no address of a server")?;
        request.headers_mut().insert(USER_AGENT, HeaderValue::from_static(AGENT));
        let mode = uri_mode(request.uri()).map_err(|_| "expected an address with ws:// or wss://")?;
        let host = request.uri().host().ok_or("expected the name of a server in the address")?;
        let host = host.trim_start_matches('[').trim_end_matches(']').to_owned();
        let usual = if matches!(mode, Mode::Tls) { 443 } else { 80 };
        let port = request.uri().port_u16().unwrap_or(usual);
        let places = (host.as_str(), port).to_socket_addrs();
        let places = places.map_err(|error| format!("the server's name is not known: {error}"))?;
        let mut last = "the server's name leads nowhere".to_owned();
        for place in places {
            match TcpStream::connect_timeout(&place, PATIENCE) {
                Ok(stream) => return self.shake_hands(request, stream),
                Err(error) => last = format!("the server does not answer: {error}"),
            }
            if self.stopped() {
                break;
            }
        }
        Err(last.into())
    }

    fn shake_hands(
        &self,
        request: tungstenite::handshake::client::Request,
        stream: TcpStream,
    ) -> Result<Socket, Failure> {
        let io = |error: std::io::Error| format!("the connection fails: {error}");
        stream.set_read_timeout(Some(PATIENCE)).map_err(io)?;
        stream.set_write_timeout(Some(PATIENCE)).map_err(io)?;
        let _ = stream.set_nodelay(true); // it only makes messages later
        let config = WebSocketConfig::default()
            .read_buffer_size(16 * 1024)
            .write_buffer_size(0)
            .max_write_buffer_size(1 << 20)
            .max_message_size(Some(LONGEST_MESSAGE))
            .max_frame_size(Some(LONGEST_MESSAGE));
        let connector = self.tls.clone().map(Connector::Rustls);
        let answer = client_tls_with_config(request, stream, Some(config), connector);
        let socket = answer.map(|(socket, _)| socket).map_err(|error| match error {
            HandshakeError::Failure(Error::Http(response)) => Failure::Refused(response.status()),
            HandshakeError::Failure(error) => self.hide(&error.to_string()).into(),
            HandshakeError::Interrupted(_) => "the server takes too long to answer".into(),
        })?;
        let tcp = match socket.get_ref() {
            MaybeTlsStream::Plain(tcp) => tcp,
            MaybeTlsStream::Rustls(tls) => tls.get_ref(),
            _ => return Err("a connection of an unknown kind".into()),
        };
        tcp.set_nonblocking(true).map_err(io)?;
        Ok(socket)
    }

    /// A message of a library, without the address.
    fn hide(&self, message: &str) -> String {
        let address = self.address.reveal();
        let path = address.split_once("//").and_then(|(_, rest)| rest.split_once('/')).map(|(_, path)| path);
        let mut shown = message.replace(address, "…");
        for part in path.into_iter().flat_map(|path| path.split(['/', '?', '&', '='])) {
            if part.len() > 3 {
                shown = shown.replace(part, "…");
            }
        }
        shown
    }

    fn talk(&self, socket: &mut Socket, peer: &mut impl Peer) -> Over {
        let (mut heard, mut pinged) = (Instant::now(), Instant::now());
        let mut ends = None;
        loop {
            let now = Instant::now();
            if self.stopped() {
                let ends = *ends.get_or_insert_with(|| {
                    peer.closing(now);
                    now + FAREWELL
                });
                if now >= ends || peer.is_done() && socket.flush().is_ok() {
                    let _ = socket.close(None);
                    let _ = socket.flush();
                    return Over::Stopped;
                }
            }
            match socket.read() {
                Ok(message) => {
                    heard = now;
                    match peer.message(&message) {
                        Next::Stay => continue,
                        Next::End(reason) => {
                            let _ = socket.close(None);
                            let _ = socket.flush();
                            return Over::Ended(reason);
                        }
                    }
                }
                Err(error) if is_later(&error) => {}
                Err(error) => return Over::Lost(self.hide(&error.to_string())),
            }
            if now.duration_since(heard) > SILENCE {
                return Over::Lost("the server has gone silent".into());
            }
            if now.duration_since(pinged) > PING {
                pinged = now;
                match socket.write(Message::Ping(tungstenite::Bytes::new())) {
                    Err(error) if !is_later(&error) => return Over::Lost(self.hide(&error.to_string())),
                    _ => {}
                }
            }
            // What a slow server has not taken yet goes first; meanwhile the outbox forgets its
            // oldest.
            match socket.flush() {
                Ok(()) => {
                    if let Some(message) = peer.outgoing(now) {
                        match socket.write(message) {
                            Err(error) if !is_later(&error) => {
                                return Over::Lost(self.hide(&error.to_string()));
                            }
                            _ => continue,
                        }
                    }
                }
                Err(error) if is_later(&error) => {}
                Err(error) => return Over::Lost(self.hide(&error.to_string())),
            }
            thread::park_timeout(TURN);
        }
    }
}

fn is_later(error: &Error) -> bool {
    match error {
        Error::Io(error) => {
            matches!(error.kind(), std::io::ErrorKind::WouldBlock | std::io::ErrorKind::Interrupted)
        }
        Error::WriteBufferFull(_) => true,
        _ => false,
    }
}
