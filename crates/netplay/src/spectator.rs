//! Watching a match of others, by way of a room.

use std::collections::VecDeque;
use std::io;
use std::net::{SocketAddr, UdpSocket};
use std::time::Duration;

use super::Game;
use super::code::{TAG, WatchCode};
use super::datagrams::{Connection, Datagrams};
use super::publication::{FRAMES, Part};
use super::relay::{Letter, NoEntry, Role};
use super::room::server_of;
use super::wire::any_like;

/// Between two words to the room, before and after it has let this side in.
const KNOCK: Duration = Duration::from_millis(500);
const ALIVE: Duration = Duration::from_secs(5);
/// Until a part that is missing is asked for again, and parts that are asked for at a time.
const AGAIN: Duration = Duration::from_millis(250);
const WINDOW: usize = 16;
/// Datagrams that are looked at in one turn.
const BATCH: usize = 256;
/// Frames of a turn while the match is far ahead, and frames that lie ready before it is.
const HURRY: usize = 120;
const FAR: usize = 3 * FRAMES;
/// Frames that lie ready before two are run in a turn.
const LATE: usize = 50;

/// How to come into a room to watch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WatchOptions {
    /// The server's address, `NAME:PORT`.
    pub server: String,
    /// The code of those who watch.
    pub code: WatchCode,
    /// A number of one's own, at random, by which the room knows one again.
    pub client: u64,
}

/// A connection to a room whose match is watched. Parts are authenticated by the code.
#[derive(Debug)]
pub struct Spectator<D = UdpSocket> {
    socket: D,
    server: SocketAddr,
    code: WatchCode,
    client: u64,
    cookie: u64,
    knocked: Option<Duration>,
    entered: bool,
    refused: Option<NoEntry>,
    /// The number of the part that comes next, those from there on that are here, and how many the
    /// room has.
    next: u32,
    parts: VecDeque<Option<Part>>,
    published: u32,
    asked: Option<Duration>,
    /// When a part last came, or the room was entered.
    heard: Option<Duration>,
}

impl Spectator {
    /// Comes into a room.
    ///
    /// # Errors
    /// What the system answers.
    pub fn enter(options: &WatchOptions) -> io::Result<Self> {
        let server = server_of(&options.server)?;
        let socket = UdpSocket::bind(any_like(server))?;
        socket.set_nonblocking(true)?;
        Ok(Self::over(socket, server, options))
    }
}

impl Spectator<Connection> {
    /// Comes into a room by a connection to its server.
    pub fn connected(options: &WatchOptions) -> Self {
        Self::over(Connection::default(), Connection::server(), options)
    }

    /// The connection, to carry its messages.
    pub fn connection(&mut self) -> &mut Connection {
        &mut self.socket
    }
}

impl<D: Datagrams> Spectator<D> {
    fn over(socket: D, server: SocketAddr, options: &WatchOptions) -> Self {
        Self {
            socket,
            server,
            code: options.code,
            client: options.client,
            cookie: 0,
            knocked: None,
            entered: false,
            refused: None,
            next: 0,
            parts: VecDeque::new(),
            published: 0,
            asked: None,
            heard: None,
        }
    }

    /// Why the room does not let this side in, for now.
    pub fn refused(&self) -> Option<NoEntry> {
        self.refused
    }

    /// For how long no part has come.
    pub fn silence(&self, now: Duration) -> Option<Duration> {
        self.heard.map(|heard| now.saturating_sub(heard))
    }

    /// Takes in what has come, and asks for what is missing. `now` is the time since any moment
    /// that stays the same. To be called once a frame.
    pub fn turn(&mut self, now: Duration) {
        for _ in 0..BATCH {
            let Some((bytes, from)) = self.socket.receive() else { break };
            if from == self.server {
                self.letter(&bytes, now);
            }
        }
        let every = if self.entered && self.refused.is_none() { ALIVE } else { KNOCK };
        if self.knocked.is_none_or(|knocked| now.saturating_sub(knocked) >= every) {
            self.knock(now);
        }
        self.ask(now);
    }

    /// Takes the next part, in their order, if it is here.
    pub fn take(&mut self) -> Option<Part> {
        let part = self.parts.front_mut()?.take()?;
        self.parts.pop_front();
        self.next += 1;
        Some(part)
    }

    fn send(&mut self, letter: &Letter<'_>) {
        self.socket.send(&letter.bytes(), self.server);
    }

    fn knock(&mut self, now: Duration) {
        self.knocked = Some(now);
        self.send(&Letter::Enter {
            room: self.code.room(),
            client: self.client,
            cookie: self.cookie,
            role: Role::Watcher,
            hidden: true,
            pass: 0,
            local: Vec::new(),
        });
    }

    fn ask(&mut self, now: Duration) {
        let missing = (self.next..self.published).take(WINDOW);
        let here = |number: &u32| self.parts.get((number - self.next) as usize).is_some_and(Option::is_some);
        let missing: Vec<u32> = missing.filter(|number| !here(number)).collect();
        let is_due = self.asked.is_none_or(|asked| now.saturating_sub(asked) >= AGAIN);
        if missing.is_empty() || !self.entered || !is_due {
            return;
        }
        self.asked = Some(now);
        for part in missing {
            self.send(&Letter::Want { room: self.code.room(), client: self.client, part });
        }
    }

    fn letter(&mut self, bytes: &[u8], now: Duration) {
        match Letter::read(bytes) {
            Some(Letter::Entered { cookie, parts, .. }) => {
                if self.cookie != cookie {
                    // It asks for this number, to see that the address is right.
                    self.cookie = cookie;
                    self.knock(now);
                    return;
                }
                (self.entered, self.refused) = (true, None);
                self.heard.get_or_insert(now);
                self.published = self.published.max(parts);
            }
            Some(Letter::Refused(why)) => self.refused = Some(why),
            Some(Letter::Published { part, load }) => self.published(part, load, now),
            _ => {}
        }
    }

    fn published(&mut self, number: u32, load: &[u8], now: Duration) {
        let Some((load, tag)) = load.len().checked_sub(TAG).and_then(|at| load.split_at_checked(at)) else {
            return;
        };
        if !self.code.knows(number, load, tag) {
            return;
        }
        self.heard = Some(now);
        self.published = self.published.max(number.saturating_add(1));
        let Some(at) = number.checked_sub(self.next).map(|at| at as usize).filter(|at| *at < 2 * WINDOW)
        else {
            return;
        };
        let Some(part) = Part::read(number, load) else { return };
        if self.parts.len() <= at {
            self.parts.resize(at + 1, None);
        }
        // What has come lets the next ones be asked for at once.
        if self.parts[at].replace(part).is_none() && self.published - self.next > 2 {
            self.asked = None;
        }
    }
}

/// Why watching ends before the match does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the match differs after frame {frame}: {expected:016x} there, {found:016x} here")]
pub struct OutOfStep {
    /// The frame.
    pub frame: u64,
    /// The host's hash.
    pub expected: u64,
    /// The hash here.
    pub found: u64,
}

/// A match as it is watched: a little behind what has come, so that it runs evenly.
#[derive(Clone, Debug)]
pub struct Playback<G> {
    game: G,
    frame: u64,
    held: VecDeque<[u8; 2]>,
    /// The hash of the game after a frame, as its host says.
    hashes: VecDeque<(u64, u64)>,
    ended: bool,
}

impl<G: Game> Playback<G> {
    /// A match that begins with this game.
    pub fn new(game: G) -> Self {
        Self { game, frame: 0, held: VecDeque::new(), hashes: VecDeque::new(), ended: false }
    }

    /// Takes in frames.
    pub fn push(&mut self, held: &[[u8; 2]], hash: u64, is_last: bool) {
        self.held.extend(held);
        self.hashes.push_back((self.frame + self.held.len() as u64, hash));
        self.ended = is_last;
    }

    /// The game as it is shown, and its frame.
    pub fn game(&self) -> (&G, u64) {
        (&self.game, self.frame)
    }

    /// Returns whether all frames of the match were shown.
    pub fn is_over(&self) -> bool {
        self.ended && self.held.is_empty()
    }

    /// Returns the frames that have come and were not shown.
    pub fn waiting(&self) -> usize {
        self.held.len()
    }

    /// Runs as many frames as are due in the time of one: none while nothing has come, two where
    /// the match is ahead, and many, of which the last alone is seen, where it is far ahead. Shows
    /// each to `witness`, with what both held. Returns whether any was run.
    ///
    /// # Errors
    /// When the game comes to another state than its host's.
    pub fn turn(&mut self, witness: &mut dyn FnMut(&G, [u8; 2])) -> Result<bool, OutOfStep> {
        let count = match self.held.len() {
            0 => return Ok(false),
            far if far > FAR => (far - LATE).min(HURRY),
            late if late > LATE => 2,
            _ => 1,
        };
        for left in (0..count).rev() {
            let Some(held) = self.held.pop_front() else { break };
            self.game.set_seen(left == 0);
            self.game.frame(held);
            self.frame += 1;
            witness(&self.game, held);
            while let Some(&(at, expected)) = self.hashes.front().filter(|(at, _)| *at <= self.frame) {
                self.hashes.pop_front();
                let found = self.game.hash();
                if at == self.frame && found != expected {
                    return Err(OutOfStep { frame: at, expected, found });
                }
            }
        }
        Ok(true)
    }
}
