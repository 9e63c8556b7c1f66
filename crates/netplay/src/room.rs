//! A connection by way of a room: direct if the two can reach each other, else through its relay.

use std::io;
use std::net::{IpAddr, SocketAddr, ToSocketAddrs, UdpSocket};
use std::time::Duration;

use super::Wire;
use super::code::{Code, TAG};
use super::datagrams::{Connection, Datagrams};
use super::publication::Publication;
use super::relay::{self, Letter, NoEntry, Role, pass_of};
use super::wire::{any_like, local_address};

/// Between two words to the room.
const KNOCK: Duration = Duration::from_millis(500);
const ALIVE: Duration = Duration::from_secs(5);
/// Between two tries of the direct way: at first, and once it was tried for a while.
const PROBE: Duration = Duration::from_millis(200);
const SELDOM: Duration = Duration::from_secs(5);
const TRIED: Duration = Duration::from_secs(10);
/// Without a word on the direct way, until the relay is used again.
const LOST: Duration = Duration::from_secs(2);
/// What is sent to try the direct way.
const HELLO: &[u8] = b"MXPR";
/// Datagrams that are looked at in one turn.
const BATCH: usize = 256;
/// Parts of the match on the way to the room, at most, and until they count as lost.
const AT_ONCE: u32 = 8;
const LOST_PART: Duration = Duration::from_millis(300);

/// How messages go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Path {
    /// Nothing has come from the other side yet.
    None,
    /// Straight to the other side's address.
    Direct(SocketAddr),
    /// Through the room's relay.
    Relay,
}

/// A connection to whoever has the same code, by way of a room. Messages are authenticated by the
/// code.
#[derive(Debug)]
pub struct RoomWire<D = UdpSocket> {
    socket: D,
    /// The room's server.
    server: SocketAddr,
    code: Code,
    own: u8,
    client: u64,
    pass: u64,
    hidden: bool,
    cookie: u64,
    local: Vec<SocketAddr>,
    peers: Vec<SocketAddr>,
    /// The direct way, and when something last came by it.
    direct: Option<(SocketAddr, Duration)>,
    /// When something last came through the relay.
    relayed: Option<Duration>,
    now: Duration,
    knocked: Option<Duration>,
    probed: Option<Duration>,
    /// When the other side's addresses were first known.
    met: Option<Duration>,
    entered: bool,
    refused: Option<NoEntry>,
    watchers: u16,
    published: Published,
}

/// How far the room has the match.
#[derive(Clone, Copy, Debug, Default)]
struct Published {
    /// Parts that it has, the part that is sent next, and when one was last sent.
    kept: u32,
    next: u32,
    since: Duration,
}

/// How to come into a room.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoomOptions {
    /// The server's address, `NAME:PORT`.
    pub server: String,
    /// The code of the match.
    pub code: Code,
    /// A number of one's own, at random, by which the room knows one again.
    pub client: u64,
    /// What the server asks for to open a room.
    pub token: Option<String>,
    /// Messages go through the relay alone, and the other side is not told one's addresses.
    pub hidden: bool,
}

/// The port of a room's server if its address has none.
pub const ROOM_PORT: u16 = 5052;

/// Returns the address of a room's server.
///
/// # Errors
/// What the system answers.
pub(crate) fn server_of(name: &str) -> io::Result<SocketAddr> {
    let found = match name.to_socket_addrs() {
        Ok(mut found) => found.next(),
        Err(_) => (name.trim_start_matches('[').trim_end_matches(']'), ROOM_PORT).to_socket_addrs()?.next(),
    };
    found.ok_or_else(|| io::ErrorKind::AddrNotAvailable.into())
}

impl RoomWire {
    /// Comes into a room, as host or guest.
    ///
    /// # Errors
    /// What the system answers.
    pub fn enter(options: &RoomOptions, is_host: bool) -> io::Result<Self> {
        let server = server_of(&options.server)?;
        let socket = UdpSocket::bind(any_like(server))?;
        socket.set_nonblocking(true)?;
        let port = socket.local_addr()?.port();
        let local = local_address().filter(IpAddr::is_ipv4).filter(|_| server.is_ipv4());
        // A server on this computer: the other side may be here, too.
        let loopback = server.ip().is_loopback().then_some(server.ip());
        let local = local.into_iter().chain(loopback).map(|ip| SocketAddr::new(ip, port)).collect();
        Ok(Self::over(socket, server, local, options, is_host))
    }

    /// The port of this computer that it uses.
    pub fn port(&self) -> u16 {
        self.socket.local_addr().map_or(0, |address| address.port())
    }
}

impl RoomWire<Connection> {
    /// Comes into a room by a connection to its server, through which everything goes.
    pub fn connected(options: &RoomOptions, is_host: bool) -> Self {
        let options = RoomOptions { hidden: true, ..options.clone() };
        Self::over(Connection::default(), Connection::server(), Vec::new(), &options, is_host)
    }

    /// The connection, to carry its messages.
    pub fn connection(&mut self) -> &mut Connection {
        &mut self.socket
    }
}

impl<D: Datagrams> RoomWire<D> {
    fn over(
        socket: D,
        server: SocketAddr,
        local: Vec<SocketAddr>,
        options: &RoomOptions,
        is_host: bool,
    ) -> Self {
        Self {
            socket,
            server,
            code: options.code,
            own: u8::from(!is_host),
            client: options.client,
            pass: pass_of(options.token.as_deref()),
            hidden: options.hidden,
            cookie: 0,
            local,
            peers: Vec::new(),
            direct: None,
            relayed: None,
            now: Duration::ZERO,
            knocked: None,
            probed: None,
            met: None,
            entered: false,
            refused: None,
            watchers: 0,
            published: Published::default(),
        }
    }

    /// How messages go now.
    pub fn path(&self) -> Path {
        match (self.way(), self.relayed) {
            (Some(address), _) => Path::Direct(address),
            (None, Some(_)) => Path::Relay,
            (None, None) => Path::None,
        }
    }

    /// Has the room let this side in?
    pub fn has_entered(&self) -> bool {
        self.entered
    }

    /// Why the room does not let this side in, for now.
    pub fn refused(&self) -> Option<NoEntry> {
        self.refused
    }

    /// How many watch.
    pub fn watchers(&self) -> u16 {
        self.watchers
    }

    /// Hands the parts of the match that the room does not have yet to it. To be called once a
    /// frame by the host.
    pub fn publish(&mut self, publication: &Publication) {
        if !self.entered {
            return;
        }
        let Published { kept, next, since } = &mut self.published;
        if *next > *kept && self.now.saturating_sub(*since) >= LOST_PART {
            *next = *kept; // one of them was lost
        }
        while *next < publication.len().min(kept.saturating_add(AT_ONCE)) {
            let Some(load) = publication.part(*next) else { break };
            let sealed = [load, &self.code.watch().tag(*next, load)].concat();
            let room = self.code.room();
            let letter = Letter::Publish { room, client: self.client, part: *next, load: &sealed };
            self.socket.send(&letter.bytes(), self.server);
            (*next, *since) = (*next + 1, self.now);
        }
    }

    /// Has the room all parts?
    pub fn has_published(&self, publication: &Publication) -> bool {
        self.published.kept >= publication.len()
    }

    fn way(&self) -> Option<SocketAddr> {
        self.direct.filter(|(_, heard)| self.now.saturating_sub(*heard) < LOST).map(|(address, _)| address)
    }

    fn sealed(&self, bytes: &[u8]) -> Vec<u8> {
        [bytes, &self.code.tag(self.own, bytes)].concat()
    }

    /// The message of the other side, if it is one.
    fn unsealed<'a>(&self, bytes: &'a [u8]) -> Option<&'a [u8]> {
        let (message, tag) = bytes.split_at_checked(bytes.len().checked_sub(TAG)?)?;
        self.code.knows(1 - self.own, message, tag).then_some(message)
    }

    fn knock(&mut self) {
        let every = if self.entered { ALIVE } else { KNOCK };
        // Until the other side is there, its coming is not to be missed.
        let every = if self.peers.is_empty() { KNOCK } else { every };
        if self.knocked.is_some_and(|knocked| self.now.saturating_sub(knocked) < every) {
            return;
        }
        self.knocked = Some(self.now);
        let letter = Letter::Enter {
            room: self.code.room(),
            client: self.client,
            cookie: self.cookie,
            role: if self.own == 0 { Role::Host } else { Role::Guest },
            hidden: self.hidden,
            pass: self.pass,
            local: self.local.clone(),
        };
        self.socket.send(&letter.bytes(), self.server);
    }

    /// Tries the direct way, so that routers on both sides let the other one's messages in.
    fn probe(&mut self) {
        if self.hidden || self.peers.is_empty() || self.way().is_some() {
            return;
        }
        let met = *self.met.get_or_insert(self.now);
        let every = if self.now.saturating_sub(met) < TRIED { PROBE } else { SELDOM };
        if self.probed.is_some_and(|probed| self.now.saturating_sub(probed) < every) {
            return;
        }
        self.probed = Some(self.now);
        let hello = self.sealed(HELLO);
        for peer in &self.peers {
            self.socket.send(&hello, *peer);
        }
    }

    fn letter(&mut self, bytes: &[u8]) -> Option<Vec<u8>> {
        match Letter::read(bytes)? {
            Letter::Entered { cookie, own, peers, watchers, .. } => {
                if self.cookie != cookie {
                    // It asks for this number, to see that the address is right.
                    (self.cookie, self.knocked) = (cookie, None);
                    self.knock();
                    return None;
                }
                (self.entered, self.refused, self.watchers) = (true, None, watchers);
                let peers: Vec<_> = peers.into_iter().filter(|peer| *peer != own).collect();
                if peers != self.peers {
                    (self.peers, self.met) = (peers, None);
                }
                None
            }
            Letter::Refused(why) => {
                self.refused = Some(why);
                None
            }
            Letter::Kept(parts) => {
                // Fewer than before, if the server has begun anew.
                let Published { kept, next, .. } = &mut self.published;
                (*kept, *next) = (parts, if parts < *kept { parts } else { parts.max(*next) });
                None
            }
            Letter::Passed(load) => {
                let message = self.unsealed(load)?.to_vec();
                self.relayed = Some(self.now);
                Some(message)
            }
            _ => None,
        }
    }
}

impl<D: Datagrams> Wire for RoomWire<D> {
    fn send(&mut self, bytes: &[u8]) {
        let sealed = self.sealed(bytes);
        if let Some(address) = self.way() {
            self.socket.send(&sealed, address);
        } else {
            let letter = Letter::Pass { room: self.code.room(), client: self.client, load: &sealed };
            self.socket.send(&letter.bytes(), self.server);
        }
    }

    fn receive(&mut self) -> Option<Vec<u8>> {
        for _ in 0..BATCH {
            let (bytes, from) = self.socket.receive()?;
            let found = if from == self.server && bytes.starts_with(&relay::MAGIC) {
                self.letter(&bytes)
            } else if let Some(message) = self.unsealed(&bytes).filter(|_| !self.hidden) {
                let is_new = self.way().is_none();
                self.direct = Some((from, self.now));
                if message == HELLO {
                    if is_new {
                        let hello = self.sealed(HELLO);
                        self.socket.send(&hello, from);
                    }
                    None
                } else {
                    Some(message.to_vec())
                }
            } else {
                None
            };
            if found.is_some() {
                return found;
            }
        }
        None
    }

    fn pass(&mut self, now: Duration) {
        self.now = now;
        self.knock();
        self.probe();
    }
}
