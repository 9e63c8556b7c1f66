//! A match over the network, from waiting for the other player to its end.

mod consoles;
mod stand_in;

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::io;
use std::net::{SocketAddr, ToSocketAddrs};
use std::sync::mpsc::{self, Receiver, TryRecvError};
use std::thread;
use std::time::Duration;

use emulator::{Duel, LastFrames};
use nes::{Buttons, Cartridge};
use netplay::{Advance, Guest, Rules, Session, UdpWire};
use tetris::Profile;

use crate::messages::status::NetworkStatus;
use crate::options::{NetworkOptions, NetworkRole};
use consoles::Consoles;
use stand_in::StandIn;

/// How long the other side is given to come to the last frame too.
const FAREWELL: Duration = Duration::from_secs(5);

/// A match over the network.
pub(crate) struct NetworkMatch {
    options: NetworkOptions,
    cartridge: Cartridge,
    profile: Profile,
    stage: Stage,
    /// Holds the pad in the player's place.
    computer: Option<StandIn>,
    /// Whether it was said who has won.
    told: bool,
    stalled: bool,
    reached: Option<Duration>,
    way_in: LastFrames,
}

enum Stage {
    /// The host's name is looked up, in a thread of its own.
    Finding(Receiver<io::Result<UdpWire>>),
    Asking(Guest, UdpWire),
    Playing(Box<Session<Consoles>>, UdpWire),
}

/// What a turn has done.
#[derive(Debug, Default)]
pub(crate) struct Turn {
    /// Whether a frame was run.
    pub(crate) frame: bool,
    /// Whether the match has begun with it.
    pub(crate) begun: bool,
    /// What has become certain with it, in its order: nothing of this is taken back.
    pub(crate) certain: Vec<CertainFrame>,
    /// What is to be said.
    pub(crate) said: Vec<String>,
    /// Why the match is over.
    pub(crate) over: Option<Over>,
}

/// What both consoles hold after a frame that is certain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CertainFrame {
    /// By player: the console's frame, and its RAM.
    pub(crate) consoles: [(u64, Box<[u8; 0x800]>); 2],
}

impl CertainFrame {
    fn of(duel: &Consoles) -> Self {
        let of = |player| {
            let console = duel.console(player);
            (console.frame_number(), Box::new(*console.ram()))
        };
        Self { consoles: [of(0), of(1)] }
    }
}

/// Why a match is over.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Over {
    /// It has come to its last frame, as was asked for.
    Done,
    /// For this reason.
    Ended(String),
}

impl NetworkMatch {
    /// Waits for a guest, or looks for a host. The cartridge is of `profile`.
    ///
    /// # Errors
    /// In a line, why that cannot be.
    pub(crate) fn new(
        options: NetworkOptions,
        cartridge: Cartridge,
        profile: Profile,
    ) -> Result<Self, String> {
        let crc32 = cartridge.crc32();
        let mut this = Self {
            stage: Stage::Finding(mpsc::channel().1),
            options,
            cartridge,
            profile,
            computer: None,
            told: false,
            stalled: false,
            reached: None,
            way_in: LastFrames::default(),
        };
        match this.options.role.clone() {
            NetworkRole::Host(address) => {
                let wire = UdpWire::host(address)
                    .map_err(|error| format!("{address}: nobody can be waited for: {error}"))?;
                let NetworkOptions { level, randomizer, seed, .. } = this.options;
                let dealer = randomizers::Kind::ALL.iter().position(|kind| *kind == randomizer).unwrap_or(0);
                let rules = Rules { cartridge: crc32, level, dealer: dealer as u8, seed, number: chance() };
                let session = this.session(rules, 0)?.inviting(rules);
                this.stage = Stage::Playing(Box::new(session), wire);
            }
            NetworkRole::Join(host) => {
                let (tell, told) = mpsc::channel();
                let find = move || {
                    let _ = tell.send(find(&host)); // fails when nobody waits any more
                };
                let thread = thread::Builder::new().name("network".into()).spawn(find);
                thread.map_err(|error| format!("the system gives no thread: {error}"))?;
                this.stage = Stage::Finding(told);
            }
        }
        Ok(this)
    }

    fn session(&mut self, rules: Rules, own: usize) -> Result<Session<Consoles>, String> {
        let begun = Consoles::begin(&self.cartridge, &self.profile, rules, own);
        let (duel, way_in) = begun.ok_or("this cartridge's menus did not lead to a game")?;
        self.way_in = way_in;
        if self.options.computer {
            self.computer = Some(StandIn::new(self.profile.clone(), rules.level));
        }
        let session = Session::new(duel, rules.cartridge, own, self.options.delay).numbered(rules.number);
        Ok(match self.options.frames {
            Some(last) => session.marking(last),
            None => session,
        })
    }

    /// Returns where guests are waited for.
    pub(crate) fn address(&self) -> Option<SocketAddr> {
        match (&self.stage, &self.options.role) {
            (Stage::Playing(_, wire), NetworkRole::Host(_)) => wire.address().ok(),
            _ => None,
        }
    }

    /// Returns the number of this computer's player, 0 or 1.
    fn own(&self) -> usize {
        usize::from(matches!(self.options.role, NetworkRole::Join(_)))
    }

    /// Returns the game to show, with the number of this computer's player, once the other player
    /// is there.
    pub(crate) fn game(&self) -> Option<(&Duel, usize)> {
        match &self.stage {
            Stage::Playing(session, _) if session.has_begun() => Some((session.game(), self.own())),
            _ => None,
        }
    }

    /// Returns the game as far as it is certain, once the other player is there.
    pub(crate) fn certain(&self) -> Option<&Duel> {
        match &self.stage {
            Stage::Playing(session, _) if session.has_begun() => Some(session.certain().0),
            _ => None,
        }
    }

    /// Takes the end of the way into the game, which nobody saw.
    pub(crate) fn take_way_in(&mut self) -> impl Iterator<Item = (u64, [u8; 0x800])> + use<> {
        self.way_in.take()
    }

    /// Goes on, by a frame if one can be run. `now` is the time since any moment that stays the
    /// same.
    pub(crate) fn turn(&mut self, pressed: Buttons, now: Duration) -> Turn {
        match self.try_turn(pressed, now) {
            Ok(turn) => turn,
            Err(reason) => Turn { over: Some(Over::Ended(reason)), ..Turn::default() },
        }
    }

    fn try_turn(&mut self, pressed: Buttons, now: Duration) -> Result<Turn, String> {
        let own = self.own();
        match &mut self.stage {
            Stage::Finding(found) => match found.try_recv() {
                Ok(wire) => {
                    let wire = wire.map_err(|error| format!("the host cannot be found: {error}"))?;
                    self.stage = Stage::Asking(Guest::new(self.cartridge.crc32(), chance()), wire);
                }
                Err(TryRecvError::Empty) => {}
                Err(TryRecvError::Disconnected) => return Err("the host cannot be found".into()),
            },
            Stage::Asking(guest, wire) => {
                let Some(rules) = guest.turn(now, wire).map_err(|end| end.to_string())? else {
                    return Ok(Turn::default());
                };
                let session = self.session(rules, own)?;
                let asking = std::mem::replace(&mut self.stage, Stage::Finding(mpsc::channel().1));
                if let Stage::Asking(_, wire) = asking {
                    self.stage = Stage::Playing(Box::new(session), wire);
                }
            }
            Stage::Playing(..) => return Ok(self.play(pressed, now)),
        }
        Ok(Turn::default())
    }

    fn play(&mut self, pressed: Buttons, now: Duration) -> Turn {
        let own = self.own();
        let Stage::Playing(session, wire) = &mut self.stage else { return Turn::default() };
        let had_begun = session.has_begun();
        let pressed = match &mut self.computer {
            Some(computer) if had_begun => computer.press(session, own),
            _ => pressed,
        };
        let mut turn = Turn::default();
        let mut witness = |duel: &Consoles| turn.certain.push(CertainFrame::of(duel));
        let over = match session.turn_witnessed(pressed.bits(), now, wire, &mut witness) {
            Advance::Frame => {
                turn.frame = true;
                None
            }
            Advance::Waiting | Advance::Stalled => None,
            Advance::Over(end) => Some(end),
        };
        self.stalled = !turn.frame;
        turn.begun = session.has_begun() && !had_begun;
        if turn.begun {
            turn.said.push(match wire.other() {
                Some(other) => format!("the other player is there, at {other}"),
                None => "the other player is there".into(),
            });
        }
        // Only what is certain is told.
        match session.certain().0.result() {
            Some((out, lines)) if !self.told => {
                let (mine, theirs) = (lines[own], lines[1 - own]);
                turn.said.push(if out == own {
                    format!("the other player wins: their {theirs} lines against your {mine}")
                } else {
                    format!("you win: your {mine} lines against {theirs}")
                });
                self.told = true;
            }
            Some(_) => {}
            None => self.told = false,
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
        match &mut self.stage {
            Stage::Finding(_) | Stage::Asking(..) => {}
            Stage::Playing(session, wire) => session.leave(wire),
        }
    }

    /// Returns how it stands.
    pub(crate) fn status(&self) -> NetworkStatus {
        let (delay, mut status) = (self.options.delay, NetworkStatus::default());
        status.waiting = true;
        match (&self.stage, &self.options.role) {
            (Stage::Playing(session, _), _) if session.has_begun() => {
                let tally = session.tally();
                status.waiting = false;
                status.stalled = self.stalled;
                (status.delay, status.guessed) = (delay, tally.guessed);
                (status.rollbacks, status.longest) = (tally.rollbacks, tally.longest);
                status.text = if self.stalled {
                    "waiting for the other player's buttons".into()
                } else {
                    format!("playing; {} frames ahead of the other player's buttons", tally.guessed)
                };
            }
            (_, NetworkRole::Host(_)) => {
                let port = self.address().map_or(0, |address| address.port());
                status.text = format!("waiting for the other player at port {port} of this computer");
            }
            (Stage::Finding(_), NetworkRole::Join(host)) => status.text = format!("looking for {host}"),
            (_, NetworkRole::Join(host)) => status.text = format!("waiting for an answer of {host}"),
        }
        status
    }
}

/// Returns a random number: the keys of the standard library's maps come from the system.
fn chance() -> u64 {
    RandomState::new().build_hasher().finish()
}

/// The port of a host if its address has none.
pub(crate) const PORT: u16 = 5051;

fn find(host: &str) -> io::Result<UdpWire> {
    match host.to_socket_addrs() {
        Ok(addresses) => UdpWire::join(&addresses.collect::<Vec<_>>()[..]),
        Err(_) => UdpWire::join((host.trim_start_matches('[').trim_end_matches(']'), PORT)),
    }
}

#[cfg(test)]
mod tests;
