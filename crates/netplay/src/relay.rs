//! A room: where two players who cannot reach each other meet, and what carries their messages
//! meanwhile.
//!
//! [`Relay`] is its rule as a value: it takes datagrams and the time and says what to send, and
//! opens nothing. It knows neither codes nor games: what it carries is authenticated by the code,
//! from which its number of the match follows and not the reverse. Everything has a bound: rooms,
//! watchers, bytes and messages a second, and time. It answers a stranger with no more bytes than
//! it was sent, and carries nothing to an address that has not shown that it is the sender's.

use std::collections::HashMap;
use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::time::Duration;

use super::publication::{LONGEST_PART, PARTS};

/// What messages of rooms begin with: a name and a version.
pub(crate) const MAGIC: [u8; 5] = *b"MXRM\x01";
/// Bytes of a request to enter, which is filled up, and of an answer, at most.
const ENTER: usize = 128;
/// Addresses of a player in its own network.
pub(crate) const LOCAL: usize = 3;
/// The bit of a role whose player's addresses the other side is not told.
const HIDDEN: u8 = 0x80;
/// Bytes that are carried at once, and of a letter.
const LONGEST: usize = 480;
pub(crate) const LONGEST_LETTER: usize = LONGEST + 64;
/// Without a word, until a seat is free for another, and until a room is closed.
const SILENCE: Duration = Duration::from_secs(90);
const CLOSED: Duration = Duration::from_secs(180);
/// Messages and bytes a second of a room.
const MESSAGES: f64 = 600.0;
const BYTES: f64 = 120_000.0;
/// Parts of a match that are taken in a second, and those that watchers are sent again.
const PUBLISHED: f64 = 40.0;
const AGAIN: f64 = 2_000.0;
/// Bytes of a match that are kept for those who watch.
const KEPT_BYTES: usize = 2 << 20;
/// Without a word, until nothing more is sent to one who watches.
const UNWATCHED: Duration = Duration::from_secs(30);

/// Whom a seat is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Opens the room.
    Host,
    /// Plays with the host.
    Guest,
    /// Watches.
    Watcher,
}

/// Why a room does not let somebody in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoEntry {
    /// Another player has the seat.
    #[error("the room is full: another player has this seat")]
    Full,
    /// The host is not there.
    #[error("the room is not open: check the code, and whether the host is there")]
    Closed,
    /// There is no room left.
    #[error("the server has no room left: try again later")]
    NoRoom,
    /// The server asks for a token.
    #[error("the server opens rooms only with its token")]
    Token,
    /// Too many watch.
    #[error("the room is full: as many watch as the server allows")]
    Crowded,
}

impl NoEntry {
    const ALL: [Self; 5] = [Self::Full, Self::Closed, Self::NoRoom, Self::Token, Self::Crowded];
}

/// A message between a player and a room.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Letter<'a> {
    /// A player comes, or is still there.
    Enter { room: u64, client: u64, cookie: u64, role: Role, hidden: bool, pass: u64, local: Vec<SocketAddr> },
    /// The player is in; the other one's addresses, if that one is there.
    /// `parts` of the match are here.
    Entered { cookie: u64, own: SocketAddr, peers: Vec<SocketAddr>, watchers: u16, parts: u32 },
    /// The player is not.
    Refused(NoEntry),
    /// To the other player.
    Pass { room: u64, client: u64, load: &'a [u8] },
    /// From the other player.
    Passed(&'a [u8]),
    /// To those who watch: a part of the match by its number.
    Publish { room: u64, client: u64, part: u32, load: &'a [u8] },
    /// A part of the match.
    Published { part: u32, load: &'a [u8] },
    /// To the host: so many parts have come without a gap.
    Kept(u32),
    /// A watcher lacks a part.
    Want { room: u64, client: u64, part: u32 },
}

fn write_numbers(bytes: &mut Vec<u8>, numbers: &[u64]) {
    bytes.extend(numbers.iter().flat_map(|number| number.to_be_bytes()));
}

fn write_address(bytes: &mut Vec<u8>, address: SocketAddr) {
    match address.ip() {
        IpAddr::V4(ip) => {
            bytes.push(4);
            bytes.extend(ip.octets());
            bytes.extend([0; 12]);
        }
        IpAddr::V6(ip) => {
            bytes.push(6);
            bytes.extend(ip.octets());
        }
    }
    bytes.extend(address.port().to_be_bytes());
}

/// Takes numbers and addresses off the front of a letter.
struct Parts<'a>(&'a [u8]);

impl<'a> Parts<'a> {
    fn bytes<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (first, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*first)
    }

    fn number(&mut self) -> Option<u64> {
        self.bytes().map(u64::from_be_bytes)
    }

    fn address(&mut self) -> Option<SocketAddr> {
        let [kind] = self.bytes()?;
        let octets: [u8; 16] = self.bytes()?;
        let port = u16::from_be_bytes(self.bytes()?);
        let ip = match kind {
            4 => IpAddr::from([octets[0], octets[1], octets[2], octets[3]]),
            6 => IpAddr::from(octets),
            _ => return None,
        };
        Some(SocketAddr::new(ip, port))
    }

    fn addresses(&mut self, most: usize) -> Option<Vec<SocketAddr>> {
        let [count] = self.bytes()?;
        (0..usize::from(count).min(most)).map(|_| self.address()).collect()
    }

    fn load(self) -> Option<&'a [u8]> {
        (self.0.len() <= LONGEST).then_some(self.0)
    }
}

impl<'a> Letter<'a> {
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        match self {
            Self::Enter { room, client, cookie, role, hidden, pass, local } => {
                bytes.push(0);
                write_numbers(&mut bytes, &[*room, *client, *cookie, *pass]);
                bytes.push(*role as u8 | if *hidden { HIDDEN } else { 0 });
                bytes.push(local.len().min(LOCAL) as u8);
                local.iter().take(LOCAL).for_each(|address| write_address(&mut bytes, *address));
                bytes.resize(ENTER, 0);
            }
            Self::Entered { cookie, own, peers, watchers, parts } => {
                bytes.push(1);
                bytes.extend(cookie.to_be_bytes());
                write_address(&mut bytes, *own);
                bytes.extend(watchers.to_be_bytes());
                bytes.extend(parts.to_be_bytes());
                bytes.push(peers.len().min(LOCAL + 1) as u8);
                peers.iter().take(LOCAL + 1).for_each(|address| write_address(&mut bytes, *address));
            }
            Self::Refused(why) => bytes.extend([2, *why as u8]),
            Self::Pass { room, client, load } => {
                bytes.push(3);
                write_numbers(&mut bytes, &[*room, *client]);
                bytes.extend(*load);
            }
            Self::Passed(load) => {
                bytes.push(4);
                bytes.extend(*load);
            }
            Self::Publish { room, client, part, load } => {
                bytes.push(5);
                write_numbers(&mut bytes, &[*room, *client]);
                bytes.extend(part.to_be_bytes());
                bytes.extend(*load);
            }
            Self::Published { part, load } => {
                bytes.push(6);
                bytes.extend(part.to_be_bytes());
                bytes.extend(*load);
            }
            Self::Want { room, client, part } => {
                bytes.push(7);
                write_numbers(&mut bytes, &[*room, *client]);
                bytes.extend(part.to_be_bytes());
            }
            Self::Kept(parts) => {
                bytes.push(8);
                bytes.extend(parts.to_be_bytes());
            }
        }
        bytes
    }

    /// Reads a letter; `None` if it is none.
    pub(crate) fn read(bytes: &'a [u8]) -> Option<Self> {
        let mut parts = Parts(bytes.strip_prefix(&MAGIC)?);
        let [kind] = parts.bytes()?;
        Some(match kind {
            0 if bytes.len() == ENTER => {
                let [room, client, cookie, pass] =
                    [parts.number()?, parts.number()?, parts.number()?, parts.number()?];
                let [role] = parts.bytes()?;
                let hidden = role & HIDDEN != 0;
                let mut roles = [Role::Host, Role::Guest, Role::Watcher].into_iter();
                let role = roles.find(|known| *known as u8 == role & !HIDDEN)?;
                Self::Enter { room, client, cookie, role, hidden, pass, local: parts.addresses(LOCAL)? }
            }
            1 => {
                let cookie = parts.number()?;
                let own = parts.address()?;
                let watchers = u16::from_be_bytes(parts.bytes()?);
                let count = u32::from_be_bytes(parts.bytes()?);
                Self::Entered { cookie, own, watchers, parts: count, peers: parts.addresses(LOCAL + 1)? }
            }
            2 => {
                let [why] = parts.bytes()?;
                Self::Refused(NoEntry::ALL.into_iter().find(|known| *known as u8 == why)?)
            }
            3 => Self::Pass { room: parts.number()?, client: parts.number()?, load: parts.load()? },
            4 => Self::Passed(parts.load()?),
            5 => {
                let (room, client) = (parts.number()?, parts.number()?);
                let part = u32::from_be_bytes(parts.bytes()?);
                Self::Publish { room, client, part, load: parts.load()? }
            }
            6 => Self::Published { part: u32::from_be_bytes(parts.bytes()?), load: parts.load()? },
            7 => {
                let (room, client) = (parts.number()?, parts.number()?);
                Self::Want { room, client, part: u32::from_be_bytes(parts.bytes()?) }
            }
            8 => Self::Kept(u32::from_be_bytes(parts.bytes()?)),
            _ => return None,
        })
    }
}

/// The bounds of a relay.
#[derive(Clone, Copy, Debug)]
pub struct RelayLimits {
    /// Rooms at a time.
    pub rooms: usize,
    /// Watchers of a room.
    pub watchers: usize,
}

impl Default for RelayLimits {
    fn default() -> Self {
        Self { rooms: 100, watchers: 100 }
    }
}

#[derive(Debug)]
struct Seat {
    client: u64,
    address: SocketAddr,
    local: Vec<SocketAddr>,
    hidden: bool,
    heard: Duration,
}

#[derive(Debug, Default)]
struct Room {
    seats: [Option<Seat>; 2],
    watchers: Vec<Seat>,
    /// The match for those who watch, and its bytes.
    parts: Vec<Box<[u8]>>,
    kept: usize,
    heard: Duration,
    /// Messages and bytes that may still be carried, and when that was worked out.
    left: (f64, f64),
    /// Parts that may still be taken in, and sent again.
    parts_left: (f64, f64),
    counted: Duration,
}

/// The rooms of a server.
#[derive(Debug)]
pub struct Relay {
    limits: RelayLimits,
    pass: u64,
    secret: RandomState,
    rooms: HashMap<u64, Room>,
    swept: Duration,
}

/// Returns the number by which a relay knows a token.
pub(crate) fn pass_of(token: Option<&str>) -> u64 {
    use sha2::{Digest, Sha256};
    let Some(token) = token else { return 0 };
    let mut number = [0; 8];
    number.copy_from_slice(&Sha256::digest(token.as_bytes())[..8]);
    u64::from_be_bytes(number)
}

impl Relay {
    /// A relay with these bounds, which opens rooms for those who know the token, if there is one.
    pub fn new(limits: RelayLimits, token: Option<&str>) -> Self {
        let (pass, secret) = (pass_of(token), RandomState::new());
        Self { limits, pass, secret, rooms: HashMap::new(), swept: Duration::ZERO }
    }

    /// Returns how many rooms are open, and how many are in them.
    pub fn count(&self) -> [usize; 2] {
        let inside = |room: &Room| room.seats.iter().flatten().count() + room.watchers.len();
        [self.rooms.len(), self.rooms.values().map(inside).sum()]
    }

    /// Takes in a datagram. `now` is the time since any moment that stays the same.
    pub fn take(
        &mut self,
        from: SocketAddr,
        bytes: &[u8],
        now: Duration,
        send: &mut dyn FnMut(SocketAddr, &[u8]),
    ) {
        self.sweep(now);
        match Letter::read(bytes) {
            Some(Letter::Enter { room, client, cookie, role, hidden, pass, local }) => {
                // No datagram reaches a connection, nor comes from there.
                let hidden = hidden || connection_of_address(from).is_some();
                let seat = Seat { client, address: from, local, hidden, heard: now };
                let answer = self.enter(room, cookie, role, pass, seat);
                send(from, &answer.bytes());
            }
            Some(Letter::Pass { room, client, load }) => {
                let Some(room) = self.rooms.get_mut(&room) else { return };
                let Some(at) = room.seat_of(from, client, now) else { return };
                if let Some(other) = &room.seats[1 - at]
                    && room.left.take(load.len())
                {
                    send(other.address, &Letter::Passed(load).bytes());
                }
            }
            Some(Letter::Publish { room, client, part, load }) => {
                let Some(room) = self.rooms.get_mut(&room) else { return };
                // Only the host says what is played.
                if room.seat_of(from, client, now) == Some(0) {
                    room.publish(part, load, now, send);
                    send(from, &Letter::Kept(room.parts.len() as u32).bytes());
                }
            }
            Some(Letter::Want { room, client, part }) => {
                let Some(room) = self.rooms.get_mut(&room) else { return };
                let known = room.watchers.iter().any(|seat| (seat.client, seat.address) == (client, from));
                if let Some(load) = room.parts.get(part as usize).filter(|_| known)
                    && room.parts_left.1 >= 1.0
                {
                    room.parts_left.1 -= 1.0;
                    send(from, &Letter::Published { part, load }.bytes());
                }
            }
            _ => {}
        }
    }

    fn enter(&mut self, number: u64, cookie: u64, role: Role, pass: u64, seat: Seat) -> Letter<'static> {
        let (from, client, now) = (seat.address, seat.client, seat.heard);
        // Who sends this back has got it at this address.
        let expected = self.secret.hash_one((from, client, number));
        let only = |cookie| Letter::Entered { cookie, own: from, peers: Vec::new(), watchers: 0, parts: 0 };
        if cookie != expected {
            return only(expected);
        }
        if !self.rooms.contains_key(&number) {
            if role != Role::Host {
                return Letter::Refused(NoEntry::Closed);
            }
            if self.pass != 0 && self.pass != pass {
                return Letter::Refused(NoEntry::Token);
            }
            if self.rooms.len() >= self.limits.rooms {
                return Letter::Refused(NoEntry::NoRoom);
            }
            let parts_left = (PUBLISHED, AGAIN);
            let room = Room { left: (MESSAGES, BYTES), parts_left, counted: now, ..Room::default() };
            self.rooms.insert(number, room);
        }
        let most = self.limits.watchers;
        let Some(room) = self.rooms.get_mut(&number) else { return only(expected) };
        let parts = room.parts.len() as u32;
        let at = match role {
            Role::Watcher => {
                // Those who watch keep no room open.
                room.watchers
                    .retain(|seat| seat.client != client && now.saturating_sub(seat.heard) < UNWATCHED);
                if room.watchers.len() >= most {
                    return Letter::Refused(NoEntry::Crowded);
                }
                room.watchers.push(seat);
                let watchers = room.watchers.len() as u16;
                return Letter::Entered { cookie: expected, own: from, peers: Vec::new(), watchers, parts };
            }
            Role::Host => 0,
            Role::Guest => 1,
        };
        let taken = room.seats[at]
            .as_ref()
            .is_some_and(|known| known.client != client && now.saturating_sub(known.heard) < SILENCE);
        if taken {
            return Letter::Refused(NoEntry::Full);
        }
        room.heard = now;
        room.seats[at] = Some(seat);
        let other = room.seats[1 - at].as_ref().filter(|other| now.saturating_sub(other.heard) < SILENCE);
        let told = other.filter(|other| !other.hidden && connection_of_address(from).is_none());
        let peers = told.map_or_else(Vec::new, |other| {
            std::iter::once(other.address).chain(other.local.iter().copied()).collect()
        });
        Letter::Entered { cookie: expected, own: from, peers, watchers: room.watchers.len() as u16, parts }
    }

    /// Closes rooms in which nothing is heard, and lets rooms carry more.
    fn sweep(&mut self, now: Duration) {
        if now.saturating_sub(self.swept) < Duration::from_millis(100) {
            return;
        }
        self.swept = now;
        self.rooms.retain(|_, room| now.saturating_sub(room.heard) < CLOSED);
        for room in self.rooms.values_mut() {
            let seconds = now.saturating_sub(room.counted).as_secs_f64();
            room.counted = now;
            room.left.0 = (room.left.0 + MESSAGES * seconds).min(MESSAGES);
            room.left.1 = (room.left.1 + BYTES * seconds).min(BYTES);
            room.parts_left.0 = (room.parts_left.0 + PUBLISHED * seconds).min(PUBLISHED);
            room.parts_left.1 = (room.parts_left.1 + AGAIN * seconds).min(AGAIN);
        }
    }
}

/// Returns the address by which a relay knows a connection of no datagrams, a WebSocket, by its
/// number: one of those that the net discards (RFC 6666), so that none is a datagram's.
pub fn address_of_connection(number: u64) -> SocketAddr {
    let [a, b, c, d] = [48, 32, 16, 0].map(|bits| (number >> bits) as u16);
    SocketAddr::new(Ipv6Addr::new(0x100, 0, 0, 0, a, b, c, d).into(), 0)
}

/// Returns the number of a connection by its address; `None` if it is a datagram's.
pub fn connection_of_address(address: SocketAddr) -> Option<u64> {
    let IpAddr::V6(ip) = address.ip() else { return None };
    let [0x100, 0, 0, 0, number @ ..] = ip.segments() else { return None };
    Some(number.iter().fold(0, |all, part| all << 16 | u64::from(*part)))
}

/// What may still be carried.
trait Budget {
    /// Takes a message of so many bytes off it; false if that is too much.
    fn take(&mut self, bytes: usize) -> bool;
}

impl Budget for (f64, f64) {
    fn take(&mut self, bytes: usize) -> bool {
        let bytes = bytes as f64;
        let enough = self.0 >= 1.0 && self.1 >= bytes;
        if enough {
            *self = (self.0 - 1.0, self.1 - bytes);
        }
        enough
    }
}

impl Room {
    /// The seat of a player that is known at this address.
    fn seat_of(&mut self, from: SocketAddr, client: u64, now: Duration) -> Option<usize> {
        let known = |seat: &Option<Seat>| {
            seat.as_ref().is_some_and(|seat| (seat.client, seat.address) == (client, from))
        };
        let at = self.seats.iter().position(known)?;
        self.heard = now;
        self.seats[at].as_mut()?.heard = now;
        Some(at)
    }

    /// Takes in the next part of the match, and hands it to those who watch.
    fn publish(&mut self, part: u32, load: &[u8], now: Duration, send: &mut dyn FnMut(SocketAddr, &[u8])) {
        // One after the other: the host sends again what does not fit.
        let is_next = part as usize == self.parts.len() && self.parts.len() < PARTS;
        let fits = load.len() <= LONGEST_PART && self.kept + load.len() <= KEPT_BYTES;
        if !is_next || !fits || self.parts_left.0 < 1.0 {
            return;
        }
        self.parts_left.0 -= 1.0;
        self.kept += load.len();
        self.parts.push(load.into());
        let bytes = Letter::Published { part, load }.bytes();
        let listen = |seat: &&Seat| now.saturating_sub(seat.heard) < UNWATCHED;
        for watcher in self.watchers.iter().filter(listen) {
            send(watcher.address, &bytes);
        }
    }
}

#[cfg(test)]
mod tests;
