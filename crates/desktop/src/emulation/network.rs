//! A match over the network: the host or the room is looked up, and then an
//! [`emulator::NetworkMatch`] goes on.

mod router;
mod way;

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::io;
use std::net::{IpAddr, SocketAddr, SocketAddrV4, ToSocketAddrs, UdpSocket};
use std::sync::mpsc::{self, Receiver, TryRecvError};
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use emulator::{
    Duel, LastFrames, MatchFile, MatchRules, MatchStatus, NetworkError, NetworkSeat, NetworkStatus, Over,
    RoomWay, Turn,
};
use nes::{Buttons, Cartridge};
use netplay::{GatewayOptions, NoCode, RoomWire, Spectator, UdpWire, local_address};
use tetris::Profile;
use thiserror::Error;

use crate::options::{NetworkOptions, NetworkRole};
use router::Router;
use way::Way;

/// A match over the network.
pub(crate) struct NetworkMatch {
    options: NetworkOptions,
    cartridge: Cartridge,
    profile: Profile,
    phase: Phase,
    /// When it began, in seconds since 1970.
    since: u64,
    /// The router that was asked to let the other player in.
    router: Option<Router>,
    /// Where guests are waited for.
    address: Option<SocketAddr>,
}

enum Phase {
    /// The name of a host or of a room's server is looked up, in a thread of its own.
    Finding(Receiver<io::Result<Found>>),
    On(Box<emulator::NetworkMatch<Way, UdpSocket>>),
}

/// What a name has led to.
enum Found {
    /// The other player, or a room to meet in.
    Way(Way),
    /// A room to watch.
    Room(Box<Spectator>),
}

/// Why there is no match over the network, or no longer one.
#[derive(Debug, Error)]
pub(crate) enum MatchRefused {
    /// This computer does not listen there.
    #[error("cannot wait for a player at {address}: {source}")]
    Address {
        /// The address to listen at.
        address: SocketAddr,
        /// What the system answered.
        source: io::Error,
    },
    /// The system gives no thread to look up a name.
    #[error("cannot start a thread: {0}")]
    Thread(io::Error),
    /// The name of a host or of a room's server is not known, or does not answer.
    #[error("the host cannot be found: {0}")]
    NotFound(io::Error),
    /// The match does not begin, or ends.
    #[error(transparent)]
    Match(#[from] NetworkError),
}

impl NetworkMatch {
    /// Waits for a guest, or looks for a host. The cartridge is of `profile`.
    ///
    /// # Errors
    /// [`MatchRefused`] where that cannot be.
    pub(crate) fn new(
        options: NetworkOptions,
        cartridge: Cartridge,
        profile: Profile,
    ) -> Result<Self, MatchRefused> {
        let mut this = Self {
            phase: Phase::Finding(mpsc::channel().1),
            options,
            cartridge,
            profile,
            since: 0,
            router: None,
            address: None,
        };
        match this.options.role.clone() {
            NetworkRole::Host { address, code } => {
                let wire =
                    UdpWire::host(address).map_err(|source| MatchRefused::Address { address, source })?;
                this.address = wire.address().ok();
                this.begin(Found::Way(Way::Udp(wire.coded(code))))?;
                if this.options.opens_port {
                    this.ask_router();
                }
            }
            NetworkRole::Join(host) => this.find(move || find(&host).map(Way::Udp).map(Found::Way))?,
            NetworkRole::Room { options, is_host } => {
                let enter = move || RoomWire::enter(&options, is_host);
                this.find(move || Ok(Found::Way(Way::Room(Box::new(RoomWay::new(enter()?))))))?;
            }
            NetworkRole::Watch(options) => {
                this.find(move || Spectator::enter(&options).map(|room| Found::Room(Box::new(room))))?;
            }
        }
        Ok(this)
    }

    /// Looks up a name, which may take seconds, in a thread of its own.
    fn find(
        &mut self,
        find: impl FnOnce() -> io::Result<Found> + Send + 'static,
    ) -> Result<(), MatchRefused> {
        let (tell, told) = mpsc::channel();
        let find = move || {
            let _ = tell.send(find()); // fails when nobody waits any more
        };
        let thread = thread::Builder::new().name("network".into()).spawn(find);
        thread.map_err(MatchRefused::Thread)?;
        self.phase = Phase::Finding(told);
        Ok(())
    }

    /// Asks the router to open the port.
    fn ask_router(&mut self) {
        let (Some(address), Some(IpAddr::V4(local))) = (self.address, local_address()) else { return };
        let inside = SocketAddrV4::new(local, address.port());
        let code = match &self.options.role {
            NetworkRole::Host { code: Some(code), .. } => format!("{code}@"),
            _ => String::new(),
        };
        self.router = Router::ask(inside, GatewayOptions::of_network, code);
    }

    /// Begins the match by what was found: by the rules of this side as its host.
    fn begin(&mut self, found: Found) -> Result<(), MatchRefused> {
        let NetworkOptions { level, randomizer, seed, kind, best_of, ref name, .. } = self.options;
        let seat = NetworkSeat {
            name: name.clone(),
            delay: self.options.delay,
            computer: self.options.computer,
            patience: self.options.patience,
            frames: self.options.frames,
            sample_rate: crate::SAMPLE_RATE,
        };
        let of = (self.cartridge.clone(), self.profile.clone());
        let begun = match found {
            Found::Way(way) if self.is_host() => {
                let rules = MatchRules { kind, best_of, level, dealer: randomizer, seed };
                emulator::NetworkMatch::host(of, seat, rules, chance(), way)?
            }
            Found::Way(way) => emulator::NetworkMatch::join(of, seat, chance(), way),
            Found::Room(room) => emulator::NetworkMatch::watch(of, seat, *room),
        };
        self.phase = Phase::On(Box::new(begun));
        Ok(())
    }

    /// Returns where guests are waited for.
    pub(crate) fn address(&self) -> Option<SocketAddr> {
        self.address
    }

    fn is_host(&self) -> bool {
        matches!(self.options.role, NetworkRole::Host { .. } | NetworkRole::Room { is_host: true, .. })
    }

    fn on(&self) -> Option<&emulator::NetworkMatch<Way, UdpSocket>> {
        match &self.phase {
            Phase::Finding(_) => None,
            Phase::On(on) => Some(on),
        }
    }

    /// Returns the game to show, with the number of this computer's player, once the other player
    /// is there.
    pub(crate) fn game(&self) -> Option<(&Duel, usize)> {
        self.on()?.game()
    }

    /// Returns the game as far as it is certain, once the other player is there.
    pub(crate) fn certain(&self) -> Option<&Duel> {
        self.on()?.certain().map(|game| game.duel())
    }

    /// Returns the RAM of the last frames of the menus that led to the first game, which are not
    /// shown.
    pub(crate) fn way_in(&self) -> LastFrames {
        self.on().map(emulator::NetworkMatch::way_in).unwrap_or_default()
    }

    /// Returns who plays whom and how the match stands, once the other player is there.
    pub(crate) fn players(&self) -> Option<MatchStatus> {
        self.on()?.players()
    }

    /// Returns the file of the match as far as it is certain, and when it began; none before any
    /// game.
    pub(crate) fn file(&self) -> Option<(u64, MatchFile)> {
        Some((self.since, self.on()?.file(self.since)?))
    }

    /// Goes on, by a frame if one can be run. `now` is the time since any moment that stays the
    /// same.
    pub(crate) fn turn(&mut self, pressed: Buttons, now: Duration) -> Turn {
        match self.try_turn(pressed, now) {
            Ok(mut turn) => {
                turn.said.extend(self.router.as_mut().and_then(|router| router.turn(now)));
                turn
            }
            Err(reason) => Turn { over: Some(Over::Ended(reason.to_string())), ..Turn::default() },
        }
    }

    fn try_turn(&mut self, pressed: Buttons, now: Duration) -> Result<Turn, MatchRefused> {
        match &mut self.phase {
            Phase::Finding(found) => {
                match found.try_recv() {
                    Ok(found) => self.begin(found.map_err(MatchRefused::NotFound)?)?,
                    Err(TryRecvError::Empty) => {}
                    Err(TryRecvError::Disconnected) => {
                        return Err(MatchRefused::NotFound(io::ErrorKind::NotFound.into()));
                    }
                }
                Ok(Turn::default())
            }
            Phase::On(on) => {
                let turn = on.turn(pressed, now)?;
                if turn.begun {
                    let now = SystemTime::now().duration_since(UNIX_EPOCH);
                    self.since = now.map_or(0, |since| since.as_secs());
                }
                Ok(turn)
            }
        }
    }

    /// Leaves the match, and says so to the other side.
    pub(crate) fn leave(&mut self) {
        if let Some(router) = self.router.take() {
            // It may take a while. Without a thread it is told at once.
            let _ = thread::Builder::new().name("router".into()).spawn(move || drop(router));
        }
        if let Phase::On(on) = &mut self.phase {
            on.leave();
        }
    }

    /// Returns how it stands.
    pub(crate) fn status(&self) -> NetworkStatus {
        let status = self.on().map(emulator::NetworkMatch::status).unwrap_or_default();
        let waiting = status.waiting || self.on().is_none();
        let text = if status.text.is_empty() { self.waiting() } else { status.text };
        NetworkStatus { text, waiting, ..status }
    }

    /// Returns what is waited for, in a line.
    fn waiting(&self) -> String {
        let is_closed = self.on().is_some_and(emulator::NetworkMatch::is_closed);
        let not_open = |server| format!("the room is not open yet at {server}: is the host there?");
        match (&self.phase, &self.options.role) {
            (_, NetworkRole::Watch(options)) if is_closed => not_open(&options.server),
            (Phase::On(_), NetworkRole::Watch(options)) => {
                format!("waiting for the players at {}", options.server)
            }
            (Phase::Finding(_), NetworkRole::Watch(options)) => {
                format!("looking for the room at {}", options.server)
            }
            (_, NetworkRole::Host { code, .. }) => {
                let port = self.address().map_or(0, |address| address.port());
                let mut text = format!("waiting for the other player at port {port} of this computer");
                if let Some(local) = local_address() {
                    text = format!("{text}, which is {local} in your network");
                }
                if let Some(code) = code {
                    let local = local_address().map_or_else(|| "ADDRESS".into(), |local| local.to_string());
                    let port = if port == PORT { String::new() } else { format!(":{port}") };
                    text = format!("{text}; the other player joins as {code}@{local}{port}");
                }
                text
            }
            (Phase::Finding(_), NetworkRole::Join(host)) => format!("looking for {}", parts(host).1),
            (_, NetworkRole::Join(host)) => format!("waiting for an answer from {}", parts(host).1),
            (_, NetworkRole::Room { options, .. }) if is_closed => not_open(&options.server),
            (_, NetworkRole::Room { options, is_host: false }) => {
                format!("looking for the other player at {}", options.server)
            }
            (_, NetworkRole::Room { options, is_host: true }) => {
                let (code, server) = (options.code, &options.server);
                format!(
                    "waiting for the other player, who joins with the code {code} at {server}; spectators use {}",
                    code.watch()
                )
            }
        }
    }
}

/// Returns a random number: the keys of the standard library's maps come from the system.
pub(crate) fn chance() -> u64 {
    RandomState::new().build_hasher().finish()
}

/// The port of a host if its address has none.
pub(crate) const PORT: u16 = 5051;

/// Returns the code and the address of a host.
fn parts(host: &str) -> (Option<&str>, &str) {
    host.split_once('@').map_or((None, host), |(code, host)| (Some(code), host))
}

fn find(host: &str) -> io::Result<UdpWire> {
    let (code, host) = parts(host);
    let code = code.map(str::parse).transpose();
    let code = code.map_err(|error: NoCode| io::Error::new(io::ErrorKind::InvalidInput, error))?;
    let wire = match host.to_socket_addrs() {
        Ok(addresses) => UdpWire::join(&addresses.collect::<Vec<_>>()[..]),
        Err(_) => UdpWire::join((host.trim_start_matches('[').trim_end_matches(']'), PORT)),
    };
    wire.map(|wire| wire.coded(code))
}
