//! The stream on the network: WebSocket, Server-Sent Events, and the pages that show it.
//!
//! One thread serves everybody with sockets that never block, so that a thousand connections cost a
//! thousand small buffers and no game waits for any of them. It listens on 127.0.0.1; another
//! address takes a token.
//!
//! The same thread serves questions that take work, in place of a stream: a pool of threads answers
//! them ([`Server::answer`]).

mod connection;
mod pages;
mod request;
mod service;

use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use connection::Connection;
use service::Service;

use crate::{Hub, Secret};

#[doc(hidden)]
pub use request::status_of;
pub use request::{is_own_host, is_own_origin};
pub use service::{QUESTIONS, Reply};

/// Connections at a time; whoever comes later is told to come back.
pub const CONNECTIONS: usize = 128;
/// Connections that are taken in at once, before the others are served.
const BATCH: usize = 64;
/// Between two looks at the sockets while something is connected, and while nothing is.
const TURN: Duration = Duration::from_millis(20);
const IDLE: Duration = Duration::from_millis(60);
/// The same where questions are answered, for each of which somebody waits.
const SOON: Duration = Duration::from_millis(2);
const SOON_IDLE: Duration = Duration::from_millis(10);
/// Letters of a token, at least.
const SHORTEST_TOKEN: usize = 16;

/// How a stream is served.
#[derive(Clone, Debug)]
pub struct Options {
    /// The address. Any that is not of this machine alone takes a token.
    pub address: IpAddr,
    /// The port; 0 finds one that is free.
    pub port: u16,
    /// What readers have to know.
    pub token: Option<Secret>,
    /// Origins of pages that may read, beside the server's own, as `https://example.org` or `null`.
    pub origins: Vec<String>,
    /// Rules of style for the overlays, which go before the built-in ones.
    pub css: Option<String>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            address: IpAddr::V4(Ipv4Addr::LOCALHOST),
            port: 0,
            token: None,
            origins: Vec::new(),
            css: None,
        }
    }
}

/// Why nothing is served.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    /// The address is open to others.
    #[error(
        "{0}: expected an address of this machine alone (127.0.0.1, ::1), or a token: others could read; give --token"
    )]
    Open(IpAddr),
    /// The token is easily found.
    #[error("the token has {0} letters, expected at least {SHORTEST_TOKEN} of A–Z, a–z, 0–9, - and _")]
    Token(usize),
    /// The system refuses.
    #[error("{address}: cannot be listened on: {source}; is the port taken?")]
    Listen {
        /// Where.
        address: SocketAddr,
        /// What the system answered.
        source: io::Error,
    },
}

/// What connections have to know.
struct Rules {
    address: SocketAddr,
    token: Option<Secret>,
    origins: Vec<String>,
    /// The streamer's own rules of style.
    css: Option<String>,
    /// Who answers, where it is no stream that is served.
    service: Option<Service>,
}

/// A server at work. It stops when it is dropped.
#[derive(Debug)]
pub struct Server {
    address: SocketAddr,
    stop: Arc<AtomicBool>,
    open: Arc<AtomicUsize>,
    thread: Option<JoinHandle<()>>,
    workers: Vec<JoinHandle<()>>,
}

impl Server {
    /// Serves the stream.
    ///
    /// # Errors
    /// When the address is open to others without a token, or the system refuses it.
    pub fn start(hub: Hub, options: Options) -> Result<Self, ServerError> {
        Self::serve(hub, options, |_| Ok((None, Vec::new())))
    }

    /// Answers questions, each a path and what follows its `?`, on so many threads, each with an
    /// answerer of its own; `None` says that an answer broke off, and another answerer takes its
    /// place. Of [`QUESTIONS`] that wait the next is told to come back.
    ///
    /// # Errors
    /// As [`Self::start`].
    pub fn answer<A: FnMut(&str, &str) -> Option<Reply>>(
        options: Options,
        threads: usize,
        answerer: impl Fn() -> A + Send + Sync + 'static,
    ) -> Result<Self, ServerError> {
        Self::serve(Hub::new(Vec::new()), options, |hub| {
            let (service, workers) = Service::start(threads, hub, answerer)?;
            Ok((Some(service), workers))
        })
    }

    fn serve(
        hub: Hub,
        options: Options,
        service: impl FnOnce(&Hub) -> io::Result<(Option<Service>, Vec<JoinHandle<()>>)>,
    ) -> Result<Self, ServerError> {
        let Options { address, port, token, origins, css } = options;
        if !address.is_loopback() && token.is_none() {
            return Err(ServerError::Open(address));
        }
        if let Some(token) = &token {
            let text = token.reveal();
            let plain = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
            if !plain || text.len() < SHORTEST_TOKEN {
                return Err(ServerError::Token(text.chars().count()));
            }
        }
        let wanted = SocketAddr::new(address, port);
        let listen = |source| ServerError::Listen { address: wanted, source };
        let listener = TcpListener::bind(wanted).map_err(listen)?;
        listener.set_nonblocking(true).map_err(listen)?;
        let address = listener.local_addr().map_err(listen)?;
        let (service, workers) = service(&hub).map_err(listen)?;
        let (stop, open) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
        let work = Work {
            hub,
            listener,
            rules: Rules { address, token, origins, css, service },
            stop: Arc::clone(&stop),
            open: Arc::clone(&open),
        };
        let thread = thread::Builder::new().name("stream server".into()).spawn(move || work.run());
        Ok(Self { address, stop, open, thread: Some(thread.map_err(listen)?), workers })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Connections that are open.
    pub fn connections(&self) -> usize {
        self.open.load(Ordering::Relaxed)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            // It looks at least once in IDLE.
            let _ = thread.join();
        }
        // Each ends with its question, now that nobody can ask another.
        for worker in self.workers.drain(..) {
            let _ = worker.join();
        }
    }
}

struct Work {
    hub: Hub,
    listener: TcpListener,
    rules: Rules,
    stop: Arc<AtomicBool>,
    open: Arc<AtomicUsize>,
}

impl Work {
    fn run(self) {
        let mut connections: Vec<Connection> = Vec::new();
        let mut seen = 0;
        while !self.stop.load(Ordering::Relaxed) {
            self.accept(&mut connections);
            let now = Instant::now();
            connections.retain_mut(|connection| connection.turn(&self.hub, &self.rules, now));
            self.open.store(connections.len(), Ordering::Relaxed);
            let (turn, idle) = if self.rules.service.is_some() { (SOON, SOON_IDLE) } else { (TURN, IDLE) };
            let longest = if connections.is_empty() { idle } else { turn };
            let published = self.hub.wait(seen, longest);
            if published == seen && self.hub.has_ended() {
                thread::sleep(longest); // nothing wakes anybody any more
            }
            seen = published;
        }
        // The end is still handed on, to whoever takes it at once.
        for connection in &mut connections {
            connection.turn(&self.hub, &self.rules, Instant::now());
        }
    }

    fn accept(&self, connections: &mut Vec<Connection>) {
        for _ in 0..BATCH {
            // Errors are of one connection, or pass: WouldBlock, too many files.
            let Ok((socket, _)) = self.listener.accept() else { return };
            if socket.set_nonblocking(true).is_err() {
                continue;
            }
            let _ = socket.set_nodelay(true); // it only makes lines later
            if connections.len() >= CONNECTIONS {
                connection::turn_away(socket);
            } else {
                connections.push(Connection::new(socket, Instant::now()));
            }
        }
    }
}
