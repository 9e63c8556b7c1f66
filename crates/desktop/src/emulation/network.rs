//! A match over the network, from waiting for the other player to its end.

mod consoles;
mod referee;
mod stand_in;
mod turn;
mod watched;
mod way;

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::io;
use std::net::{IpAddr, SocketAddr, SocketAddrV4, ToSocketAddrs};
use std::sync::mpsc::{self, Receiver, TryRecvError};
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use emulator::{Duel, LastFrames, MatchFile, MatchHeader, MatchRecorder, Stage};
use nes::{Buttons, Cartridge};
use netplay::{
    Advance, End, GatewayOptions, Guest, Name, NoCode, NoEntry, NoPort, OpenPort, OutOfStep, Path,
    Publication, RoomWire, Rules, Session, Spectator, UdpWire, local_address,
};
use tetris::Profile;
use thiserror::Error;

use crate::messages::status::{MatchStatus, NetworkStatus};
use crate::options::{NetworkOptions, NetworkRole};
use consoles::{Consoles, NoMatch};
use referee::Referee;
use stand_in::StandIn;
pub(crate) use turn::{CertainFrame, Over, Turn};
use watched::Watched;
use way::Way;

/// How long the other side is given to come to the last frame too.
const FAREWELL: Duration = Duration::from_secs(5);

/// A match over the network.
pub(crate) struct NetworkMatch {
    options: NetworkOptions,
    cartridge: Cartridge,
    profile: Profile,
    stage: Phase,
    /// Holds the pad in the player's place.
    computer: Option<StandIn>,
    /// What was said of the match so far.
    referee: Referee,
    recorder: MatchRecorder,
    /// What those who watch are shown.
    publication: Publication,
    /// When it began, in seconds since 1970.
    since: u64,
    /// What the router answers, and the port that it has opened.
    router: Option<Receiver<Result<OpenPort, NoPort>>>,
    port: Option<OpenPort>,
    /// For how long nothing has come from the other side.
    interrupted: Option<Duration>,
    stalled: bool,
    reached: Option<Duration>,
}

enum Phase {
    /// The name of a host or of a room's server is looked up, in a thread of its own.
    Finding(Receiver<io::Result<Found>>),
    Asking(Guest, Way),
    Playing(Box<Session<Consoles>>, Way),
    Watching(Box<Watched>),
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
    #[error("the system gives no thread: {0}")]
    Thread(io::Error),
    /// The name of a host or of a room's server is not known, or does not answer.
    #[error("the host cannot be found: {0}")]
    NotFound(io::Error),
    /// The room refuses entry.
    #[error(transparent)]
    Room(#[from] NoEntry),
    /// The games do not begin.
    #[error(transparent)]
    Game(#[from] NoMatch),
    /// The host does not answer, or plays another match.
    #[error(transparent)]
    End(#[from] End),
    /// A match that is watched differs from its host's.
    #[error(transparent)]
    OutOfStep(#[from] OutOfStep),
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
            stage: Phase::Finding(mpsc::channel().1),
            options,
            cartridge,
            profile,
            computer: None,
            referee: Referee::default(),
            recorder: MatchRecorder::default(),
            publication: Publication::default(),
            since: 0,
            router: None,
            port: None,
            interrupted: None,
            stalled: false,
            reached: None,
        };
        match this.options.role.clone() {
            NetworkRole::Host { address, code } => {
                let wire =
                    UdpWire::host(address).map_err(|source| MatchRefused::Address { address, source })?;
                this.wait_for_a_guest(Way::Udp(wire.coded(code)))?;
                if this.options.opens_port {
                    this.ask_router();
                }
            }
            NetworkRole::Join(host) => this.find(move || find(&host).map(Way::Udp).map(Found::Way))?,
            NetworkRole::Room { options, is_host } => {
                let enter = move || RoomWire::enter(&options, is_host);
                this.find(move || enter().map(|wire| Found::Way(Way::Room(Box::new(wire), Path::None))))?;
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
        self.stage = Phase::Finding(told);
        Ok(())
    }

    /// Asks the router to open the port, in a thread of its own.
    fn ask_router(&mut self) {
        let (Some(address), Some(IpAddr::V4(local))) = (self.address(), local_address()) else { return };
        let inside = SocketAddrV4::new(local, address.port());
        let (tell, told) = mpsc::channel();
        let ask = move || {
            // A port that comes after the match has ended is closed again.
            let _ = tell.send(OpenPort::ask(inside, GatewayOptions::default()));
        };
        // Without a thread the router is not asked.
        self.router = thread::Builder::new().name("router".into()).spawn(ask).is_ok().then_some(told);
    }

    /// Returns what the router has answered, once.
    fn hear_router(&mut self) -> Option<String> {
        let answer = self.router.as_ref()?.try_recv().ok()?;
        self.router = None;
        Some(match answer {
            Ok(port) => {
                let code = match &self.options.role {
                    NetworkRole::Host { code: Some(code), .. } => format!("{code}@"),
                    _ => String::new(),
                };
                let text = format!("the router lets players in, who join as {code}{}", port.outside());
                self.port = Some(port);
                text
            }
            Err(error) => error.to_string(),
        })
    }

    /// Begins the match as its host, by the rules of this side.
    fn wait_for_a_guest(&mut self, way: Way) -> Result<(), MatchRefused> {
        let NetworkOptions { level, randomizer, seed, kind, best_of, ref name, .. } = self.options;
        let dealer = randomizers::Kind::ALL.iter().position(|kind| *kind == randomizer).unwrap_or(0);
        let rules = Rules {
            cartridge: self.cartridge.crc32(),
            level,
            dealer: dealer as u8,
            seed,
            number: chance(),
            kind: kind.number(),
            best_of,
            name: Name::new(name),
        };
        let session = self.session(rules, 0)?.inviting(rules);
        self.publication = Publication::new(rules);
        self.stage = Phase::Playing(Box::new(session), way);
        Ok(())
    }

    fn session(&mut self, rules: Rules, own: usize) -> Result<Session<Consoles>, MatchRefused> {
        let game = Consoles::begin(&self.cartridge, &self.profile, rules, own)?;
        if self.options.computer {
            self.computer = Some(StandIn::new(self.profile.clone(), rules.level));
        }
        let host = if own == 0 { Name::default() } else { rules.name };
        let session = Session::new(game, rules.cartridge, own, self.options.delay)
            .numbered(rules.number)
            .named(Name::new(&self.options.name), host)
            .patient(self.options.patience);
        Ok(match self.options.frames {
            Some(last) => session.marking(last),
            None => session,
        })
    }

    /// Returns where guests are waited for.
    pub(crate) fn address(&self) -> Option<SocketAddr> {
        match &self.stage {
            Phase::Playing(_, Way::Udp(wire)) if self.own() == 0 => wire.address().ok(),
            _ => None,
        }
    }

    /// Returns the number of this computer's player, 0 or 1.
    fn own(&self) -> usize {
        match self.options.role {
            NetworkRole::Host { .. } | NetworkRole::Watch(_) | NetworkRole::Room { is_host: true, .. } => 0,
            NetworkRole::Join(_) | NetworkRole::Room { is_host: false, .. } => 1,
        }
    }

    /// Returns the game to show, with the number of this computer's player, once the other player
    /// is there.
    pub(crate) fn game(&self) -> Option<(&Duel, usize)> {
        match &self.stage {
            Phase::Playing(session, _) if session.has_begun() => Some((session.game().duel(), self.own())),
            Phase::Watching(watched) => watched.game().map(|game| (game.duel(), 0)),
            _ => None,
        }
    }

    /// Returns the game as far as it is certain, once the other player is there.
    pub(crate) fn certain(&self) -> Option<&Duel> {
        match &self.stage {
            Phase::Playing(session, _) if session.has_begun() => Some(session.certain().0.duel()),
            Phase::Watching(watched) => watched.game().map(|game| game.duel()),
            _ => None,
        }
    }

    /// Returns the end of the way into the first game, which nobody saw.
    pub(crate) fn way_in(&self) -> LastFrames {
        match &self.stage {
            Phase::Playing(session, _) => session.certain().0.way_in(),
            Phase::Watching(watched) => watched.game().map(|game| game.way_in()).unwrap_or_default(),
            _ => LastFrames::default(),
        }
    }

    /// Returns the players' names, this computer's player first; empty where there are none.
    pub(crate) fn names(&self) -> [String; 2] {
        match &self.stage {
            Phase::Playing(session, _) => [self.options.name.clone(), session.other_name().text()],
            Phase::Watching(watched) => watched.names(),
            _ => [self.options.name.clone(), String::new()],
        }
    }

    /// Returns who plays whom and how the match stands, once the other player is there.
    pub(crate) fn players(&self) -> Option<MatchStatus> {
        let game = match &self.stage {
            Phase::Playing(session, _) if session.has_begun() => session.certain().0,
            Phase::Watching(watched) => watched.game()?,
            _ => return None,
        };
        let wins = game.wins().map(u32::from);
        let own = self.own();
        Some(MatchStatus {
            names: self.names(),
            wins: [wins[own], wins[1 - own]],
            best_of: Some(game.rules().best_of),
        })
    }

    /// Returns the file of the match as far as it is certain, and when it began; none before any
    /// game.
    pub(crate) fn file(&self) -> Option<(u64, MatchFile)> {
        let Phase::Playing(session, _) = &self.stage else { return None };
        let (game, _) = session.certain();
        let has_begun = !game.results().is_empty() || game.stage() == Stage::Playing;
        if !has_begun {
            return None;
        }
        let mut names = self.names();
        if self.own() == 1 {
            names.reverse();
        }
        let header = MatchHeader {
            cartridge: self.cartridge.crc32(),
            rules: *game.rules(),
            names,
            own: self.own(),
            begun: self.since,
            frames: 0,
            hash: 0,
            agreed: session.agreed(),
            results: Vec::new(),
        };
        Some((self.since, self.recorder.file(header, game)))
    }

    /// Goes on, by a frame if one can be run. `now` is the time since any moment that stays the
    /// same.
    pub(crate) fn turn(&mut self, pressed: Buttons, now: Duration) -> Turn {
        match self.try_turn(pressed, now) {
            Ok(mut turn) => {
                turn.said.extend(self.hear_router());
                turn
            }
            Err(reason) => Turn { over: Some(Over::Ended(reason.to_string())), ..Turn::default() },
        }
    }

    fn try_turn(&mut self, pressed: Buttons, now: Duration) -> Result<Turn, MatchRefused> {
        let own = self.own();
        match &mut self.stage {
            Phase::Finding(found) => match found.try_recv() {
                Ok(found) => {
                    let way = match found.map_err(MatchRefused::NotFound)? {
                        Found::Way(way) => way,
                        Found::Room(spectator) => {
                            self.stage = Phase::Watching(Box::new(Watched::new(*spectator)));
                            return Ok(Turn::default());
                        }
                    };
                    if own == 0 {
                        self.wait_for_a_guest(way)?;
                    } else {
                        self.stage = Phase::Asking(Guest::new(self.cartridge.crc32(), chance()), way);
                    }
                }
                Err(TryRecvError::Empty) => {}
                Err(TryRecvError::Disconnected) => {
                    return Err(MatchRefused::NotFound(io::ErrorKind::NotFound.into()));
                }
            },
            Phase::Asking(guest, wire) => {
                if let Some(why) = wire.refused() {
                    return Err(why.into());
                }
                let Some(rules) = guest.turn(now, wire)? else {
                    return Ok(Turn::default());
                };
                let session = self.session(rules, own)?;
                let asking = std::mem::replace(&mut self.stage, Phase::Finding(mpsc::channel().1));
                if let Phase::Asking(_, wire) = asking {
                    self.stage = Phase::Playing(Box::new(session), wire);
                }
            }
            Phase::Playing(session, way) => {
                if let Some(why) = way.refused().filter(|_| !session.has_begun()) {
                    return Err(why.into());
                }
                return Ok(self.play(pressed, now));
            }
            Phase::Watching(watched) => {
                let mut turn = Turn::default();
                let of = (&self.cartridge, &self.profile);
                let (last, patience) = (self.options.frames, self.options.patience);
                let (hash, is_over) = watched.turn(of, (now, patience), last, &mut turn)?;
                if let Some(game) = watched.game() {
                    let names = watched.names();
                    if turn.begun {
                        turn.said.push(format!("watching {} against {}", names[0], names[1]));
                    }
                    turn.game_over = self.referee.look_on(game, &names, &mut turn.said);
                }
                self.stalled = !turn.frame;
                self.interrupted = watched.interrupted();
                if let Some((last, hash)) = last.zip(hash) {
                    turn.said.push(format!("certain frame {last}, hash {hash:016x}"));
                    turn.over = Some(Over::Done);
                } else if is_over {
                    turn.over = Some(Over::Ended("the players have ended it".into()));
                }
                return Ok(turn);
            }
        }
        Ok(Turn::default())
    }

    fn play(&mut self, pressed: Buttons, now: Duration) -> Turn {
        let own = self.own();
        let Phase::Playing(session, wire) = &mut self.stage else { return Turn::default() };
        let had_begun = session.has_begun();
        let pressed = match &mut self.computer {
            Some(computer) if had_begun => computer.press(session, own),
            _ => pressed,
        };
        let mut turn = Turn::default();
        let (recorder, mut number) = (&mut self.recorder, session.certain().0.game());
        let (publication, guest) = (&mut self.publication, session.other_name());
        let mut witness = |game: &Consoles, held: [u8; 2]| {
            recorder.push(held, game);
            publication.push(held, guest, || netplay::Game::hash(game));
            let begins = std::mem::replace(&mut number, game.game()) != game.game();
            turn.certain.push(CertainFrame::of(game, begins));
        };
        let over = match session.turn_witnessed(pressed.bits(), now, wire, &mut witness) {
            Advance::Frame => {
                turn.frame = true;
                None
            }
            Advance::Waiting | Advance::Stalled => None,
            Advance::Over(end) => Some(end),
        };
        self.stalled = !turn.frame;
        if own == 0 {
            wire.publish(&self.publication);
        }
        turn.begun = session.has_begun() && !had_begun;
        if turn.begun {
            turn.said.push(format!("the other player is there{}", wire.words()));
        }
        if session.has_begun() && wire.has_changed() {
            turn.said.push(format!("messages go {}", wire.words().trim_start_matches(", ")));
        }
        if turn.begun {
            let now = SystemTime::now().duration_since(UNIX_EPOCH);
            self.since = now.map_or(0, |since| since.as_secs());
        }
        self.interrupted = session.interrupted(now);
        // Only what is certain is told.
        if session.has_begun() {
            let names = [self.options.name.as_str(), &session.other_name().text()].map(str::to_owned);
            turn.game_over = self.referee.look(session.certain().0, own, &names, &mut turn.said);
        }
        if let Some(last) = self.options.frames
            && session.has_begun()
            && session.certain().1 >= last
        {
            let reached = *self.reached.get_or_insert(now);
            // The other side may leave first once both have come to the last frame.
            if over.is_some() || session.other_certain() >= last || now.saturating_sub(reached) > FAREWELL {
                let hash = session.hash_after(last).unwrap_or_default();
                turn.said.push(format!("certain frame {last}, hash {hash:016x}"));
                turn.over = Some(Over::Done);
                return turn;
            }
        }
        if let Some(end) = over {
            turn.over = Some(Over::Ended(end.to_string()));
        }
        turn
    }

    /// Leaves the match, and says so to the other side.
    pub(crate) fn leave(&mut self) {
        if let Some(port) = self.port.take() {
            // The router may take a while. Without a thread it is told at once.
            let _ = thread::Builder::new().name("router".into()).spawn(move || drop(port));
        }
        match &mut self.stage {
            Phase::Finding(_) | Phase::Asking(..) | Phase::Watching(_) => {}
            Phase::Playing(session, wire) => {
                if session.has_begun() {
                    let hash = netplay::Game::hash(session.certain().0);
                    self.publication.end(session.other_name(), hash);
                    wire.publish(&self.publication);
                }
                session.leave(wire);
            }
        }
    }

    /// Returns how it stands.
    pub(crate) fn status(&self) -> NetworkStatus {
        let (delay, mut status) = (self.options.delay, NetworkStatus::default());
        status.waiting = true;
        match (&self.stage, &self.options.role) {
            (Phase::Playing(session, _), _) if session.has_begun() => {
                let tally = session.tally();
                status.waiting = false;
                status.stalled = self.stalled;
                (status.delay, status.guessed) = (delay, tally.guessed);
                (status.rollbacks, status.longest) = (tally.rollbacks, tally.longest);
                let names = self.names();
                status.text = match self.interrupted {
                    Some(silence) => format!(
                        "interrupted for {} s: waiting for the other player's buttons",
                        silence.as_secs()
                    ),
                    None if self.stalled => "waiting for the other player's buttons".into(),
                    None => referee::standing(session.game(), self.own(), &names, tally.guessed),
                };
            }
            (Phase::Watching(watched), NetworkRole::Watch(options)) => {
                status.text = match (self.interrupted, watched.game()) {
                    (Some(silence), Some(_)) => format!("nothing has come for {} s", silence.as_secs()),
                    (_, Some(game)) => {
                        status.waiting = false;
                        referee::watched(game, &watched.names())
                    }
                    (_, None) if watched.is_closed() => {
                        format!("the room is not open yet at {}: is the host there?", options.server)
                    }
                    (_, None) => format!("waiting for the players at {}", options.server),
                };
            }
            (_, NetworkRole::Watch(options)) => {
                status.text = format!("looking for the room at {}", options.server);
            }
            (_, NetworkRole::Host { code, .. }) => {
                let port = self.address().map_or(0, |address| address.port());
                status.text = format!("waiting for the other player at port {port} of this computer");
                if let Some(local) = local_address() {
                    status.text = format!("{}, which is {local} in your network", status.text);
                }
                if let Some(code) = code {
                    let local = local_address().map_or_else(|| "ADDRESS".into(), |local| local.to_string());
                    let port = if port == PORT { String::new() } else { format!(":{port}") };
                    status.text = format!("{}; it is joined as {code}@{local}{port}", status.text);
                }
            }
            (Phase::Finding(_), NetworkRole::Join(host)) => {
                status.text = format!("looking for {}", parts(host).1);
            }
            (_, NetworkRole::Join(host)) => {
                status.text = format!("waiting for an answer of {}", parts(host).1);
            }
            (Phase::Asking(_, way), NetworkRole::Room { options, .. }) if way.is_closed() => {
                status.text = format!("the room is not open yet at {}: is the host there?", options.server);
            }
            (_, NetworkRole::Room { options, is_host: false }) => {
                status.text = format!("looking for the other player at {}", options.server);
            }
            (_, NetworkRole::Room { options, is_host: true }) => {
                let (code, server) = (options.code, &options.server);
                status.text = format!(
                    "waiting for the other player, who joins with the code {code} at {server}; others watch \
                     with {}",
                    code.watch()
                );
            }
        }
        status
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

#[cfg(test)]
mod tests;
