//! A match over the network, as every front end has it: from waiting for the other player to its
//! end, or a seat among those who watch.
//!
//! A front end brings the way to the other player ([`MatchWay`]), asks for a [`Turn`] a frame, and
//! shows and keeps what comes of it. Nothing here opens a socket or reads a clock.

mod consoles;
mod referee;
mod stand_in;
mod turn;
mod watched;
mod way;

use std::time::Duration;

use nes::{Buttons, Cartridge};
use netplay::{
    Advance, Connection, Datagrams, End, Guest, Name, NoEntry, OutOfStep, Publication, RollbackSession,
    Rules, Spectator,
};
use tetris::Profile;

use crate::{Duel, LastFrames, MatchFile, MatchHeader, MatchRecorder, MatchRules, Stage};
pub use consoles::{Consoles, NoMatch};
use referee::Referee;
use stand_in::StandIn;
pub use turn::{CertainFrame, Over, Turn};
use watched::Watched;
pub use way::{MatchWay, RoomWay};

/// How long the other side is given to come to the last frame too.
const FAREWELL: Duration = Duration::from_secs(5);

/// What this side of a match has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NetworkSeat {
    /// What the player is called.
    pub name: String,
    /// Frames before one's own buttons count, 0–20.
    pub delay: u64,
    /// The computer holds the pad.
    pub computer: bool,
    /// How long a silence of the other side is waited out.
    pub patience: Duration,
    /// The number of certain frames after which the match ends; `None` for no limit.
    pub frames: Option<u64>,
    /// Samples of sound a second.
    pub sample_rate: u32,
}

/// The players of a match, that of this computer first, and its score.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MatchStatus {
    /// Their names; empty where none was given.
    pub names: [String; 2],
    /// Games that each has won.
    pub wins: [u32; 2],
    /// Games of which more than half win the match; `None` where there is no such number.
    pub best_of: Option<u8>,
}

/// How a match over the network stands.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NetworkStatus {
    /// In a line.
    pub text: String,
    /// Whether the other player is not there yet.
    pub waiting: bool,
    /// Whether no frame could be run in the last turn, because the other player's buttons are
    /// missing.
    pub stalled: bool,
    /// Frames before one's own buttons count.
    pub delay: u64,
    /// Frames that are shown with guessed buttons of the other player.
    pub guessed: u64,
    /// How often the game went back after a wrong guess, and the most frames that it ran again.
    pub rollbacks: u64,
    /// See `rollbacks`.
    pub longest: u64,
}

/// Why a match over the network does not begin, or ends.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NetworkError {
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

/// A match over the network: `W` carries messages to the other player, `D` those of a room that is
/// watched.
pub struct NetworkMatch<W, D = Connection> {
    seat: NetworkSeat,
    cartridge: Cartridge,
    profile: Profile,
    own: usize,
    phase: Phase<W, D>,
    /// Holds the pad in the player's place.
    computer: Option<StandIn>,
    /// What was said of the match so far.
    referee: Referee,
    recorder: MatchRecorder,
    /// What those who watch are shown.
    publication: Publication,
    /// For how long nothing has come from the other side.
    interrupted: Option<Duration>,
    stalled: bool,
    reached: Option<Duration>,
}

enum Phase<W, D> {
    Asking(Guest, W),
    Playing(Box<RollbackSession<Consoles>>, W),
    Watching(Box<Watched<D>>),
    /// A guest's way, while its match is made.
    Between,
}

impl<W: MatchWay, D: Datagrams> NetworkMatch<W, D> {
    fn new((cartridge, profile): (Cartridge, Profile), seat: NetworkSeat, own: usize) -> Self {
        Self {
            seat,
            cartridge,
            profile,
            own,
            phase: Phase::Between,
            computer: None,
            referee: Referee::default(),
            recorder: MatchRecorder::default(),
            publication: Publication::default(),
            interrupted: None,
            stalled: false,
            reached: None,
        }
    }

    /// Waits for a guest, to play by these rules on the cartridge `of` this profile. `number`, at
    /// random, is the match's.
    ///
    /// # Errors
    /// [`NetworkError::Game`] where the games do not begin.
    pub fn host(
        of: (Cartridge, Profile),
        seat: NetworkSeat,
        rules: MatchRules,
        number: u64,
        way: W,
    ) -> Result<Self, NetworkError> {
        let mut this = Self::new(of, seat, 0);
        let MatchRules { kind, best_of, level, dealer, seed } = rules;
        let dealer = randomizers::Kind::ALL.iter().position(|kind| *kind == dealer).unwrap_or(0);
        let rules = Rules {
            cartridge: this.cartridge.crc32(),
            level,
            dealer: dealer as u8,
            seed,
            number,
            kind: kind.number(),
            best_of,
            name: Name::new(&this.seat.name),
        };
        let session = this.session(rules)?.inviting(rules);
        this.publication = Publication::new(rules);
        this.phase = Phase::Playing(Box::new(session), way);
        Ok(this)
    }

    /// Asks the host what is played, and plays it. The guest knows answers by `number`, at random.
    pub fn join(of: (Cartridge, Profile), seat: NetworkSeat, number: u64, way: W) -> Self {
        let mut this = Self::new(of, seat, 1);
        this.phase = Phase::Asking(Guest::new(this.cartridge.crc32(), number), way);
        this
    }

    /// Watches a match of others.
    pub fn watch(of: (Cartridge, Profile), seat: NetworkSeat, room: Spectator<D>) -> Self {
        let mut this = Self::new(of, seat, 0);
        this.phase = Phase::Watching(Box::new(Watched::new(room, this.seat.sample_rate)));
        this
    }

    fn session(&mut self, rules: Rules) -> Result<RollbackSession<Consoles>, NetworkError> {
        let own = self.own;
        let game = Consoles::begin(&self.cartridge, &self.profile, rules, own, self.seat.sample_rate)?;
        if self.seat.computer {
            self.computer = Some(StandIn::new(self.profile.clone(), rules.level));
        }
        let host = if own == 0 { Name::default() } else { rules.name };
        let session = RollbackSession::new(game, rules.cartridge, own, self.seat.delay)
            .numbered(rules.number)
            .named(Name::new(&self.seat.name), host)
            .patient(self.seat.patience);
        Ok(match self.seat.frames {
            Some(last) => session.marking(last),
            None => session,
        })
    }

    /// Returns the number of this computer's player, 0 for the host and 1 for the guest; 0 for who
    /// watches.
    pub fn own(&self) -> usize {
        self.own
    }

    /// Returns what carries messages to the other player; none for who watches.
    pub fn way(&mut self) -> Option<&mut W> {
        match &mut self.phase {
            Phase::Asking(_, way) | Phase::Playing(_, way) => Some(way),
            Phase::Watching(_) | Phase::Between => None,
        }
    }

    /// Returns the seat in the room of who watches; none for a player.
    pub fn spectator(&mut self) -> Option<&mut Spectator<D>> {
        match &mut self.phase {
            Phase::Watching(watched) => Some(watched.spectator()),
            _ => None,
        }
    }

    /// Returns whether the host has not opened the room yet.
    pub fn is_closed(&self) -> bool {
        match &self.phase {
            Phase::Asking(_, way) => way.is_closed(),
            Phase::Watching(watched) => watched.is_closed(),
            _ => false,
        }
    }

    /// Returns the match that is shown, once the other player is there.
    pub fn shown(&self) -> Option<&Consoles> {
        match &self.phase {
            Phase::Playing(session, _) if session.has_begun() => Some(session.game()),
            Phase::Watching(watched) => watched.game(),
            _ => None,
        }
    }

    /// Returns the game to show, with the number of this computer's player, once the other player
    /// is there.
    pub fn game(&self) -> Option<(&Duel, usize)> {
        self.shown().map(|game| (game.duel(), self.own))
    }

    /// Returns the match as far as it is certain, once the other player is there.
    pub fn certain(&self) -> Option<&Consoles> {
        match &self.phase {
            Phase::Playing(session, _) if session.has_begun() => Some(session.certain().0),
            Phase::Watching(watched) => watched.game(),
            _ => None,
        }
    }

    /// Returns the RAM of the last frames of the menus that led to the first game, which are not
    /// shown.
    pub fn way_in(&self) -> LastFrames {
        match &self.phase {
            Phase::Playing(session, _) => session.certain().0.way_in(),
            Phase::Watching(watched) => watched.game().map(|game| game.way_in()).unwrap_or_default(),
            _ => LastFrames::default(),
        }
    }

    /// Returns the players' names, this computer's player first; empty where there are none.
    pub fn names(&self) -> [String; 2] {
        match &self.phase {
            Phase::Playing(session, _) => [self.seat.name.clone(), session.other_name().text()],
            Phase::Watching(watched) => watched.names(),
            _ => [self.seat.name.clone(), String::new()],
        }
    }

    /// Returns who plays whom and how the match stands, once the other player is there.
    pub fn players(&self) -> Option<MatchStatus> {
        let game = self.certain()?;
        let wins = game.wins().map(u32::from);
        let own = self.own;
        Some(MatchStatus {
            names: self.names(),
            wins: [wins[own], wins[1 - own]],
            best_of: Some(game.rules().best_of),
        })
    }

    /// Returns the file of the match as far as it is certain, of a match that has begun at `begun`
    /// (seconds since 1970); none before any game, and for who watches.
    pub fn file(&self, begun: u64) -> Option<MatchFile> {
        let Phase::Playing(session, _) = &self.phase else { return None };
        let (game, _) = session.certain();
        let has_begun = !game.results().is_empty() || game.stage() == Stage::Playing;
        if !has_begun {
            return None;
        }
        let mut names = self.names();
        if self.own == 1 {
            names.reverse();
        }
        let header = MatchHeader {
            cartridge: self.cartridge.crc32(),
            rules: *game.rules(),
            names,
            own: self.own,
            begun,
            frames: 0,
            hash: 0,
            agreed: session.agreed(),
            results: Vec::new(),
        };
        Some(self.recorder.file(header, game))
    }

    /// Goes on, by a frame if one can be run. `now` is the time since any moment that stays the
    /// same.
    ///
    /// # Errors
    /// [`NetworkError`] where there is no match, or no longer one.
    pub fn turn(&mut self, pressed: Buttons, now: Duration) -> Result<Turn, NetworkError> {
        match &mut self.phase {
            Phase::Between => {}
            Phase::Asking(guest, way) => {
                if let Some(why) = way.refused() {
                    return Err(why.into());
                }
                let Some(rules) = guest.turn(now, way)? else { return Ok(Turn::default()) };
                let session = self.session(rules)?;
                let asking = std::mem::replace(&mut self.phase, Phase::Between);
                if let Phase::Asking(_, way) = asking {
                    self.phase = Phase::Playing(Box::new(session), way);
                }
            }
            Phase::Playing(session, way) => {
                if let Some(why) = way.refused().filter(|_| !session.has_begun()) {
                    return Err(why.into());
                }
                return Ok(self.play(pressed, now));
            }
            Phase::Watching(_) => return self.look_on(now),
        }
        Ok(Turn::default())
    }

    fn look_on(&mut self, now: Duration) -> Result<Turn, NetworkError> {
        let Phase::Watching(watched) = &mut self.phase else { return Ok(Turn::default()) };
        let mut turn = Turn::default();
        let of = (&self.cartridge, &self.profile);
        let (last, patience) = (self.seat.frames, self.seat.patience);
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
        Ok(turn)
    }

    fn play(&mut self, pressed: Buttons, now: Duration) -> Turn {
        let own = self.own;
        let Phase::Playing(session, way) = &mut self.phase else { return Turn::default() };
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
        let over = match session.turn_witnessed(pressed.bits(), now, way, &mut witness) {
            Advance::Frame => {
                turn.frame = true;
                None
            }
            Advance::Waiting | Advance::Stalled => None,
            Advance::Over(end) => Some(end),
        };
        self.stalled = !turn.frame;
        if own == 0 {
            way.publish(&self.publication);
        }
        turn.begun = session.has_begun() && !had_begun;
        if turn.begun {
            turn.said.push(format!("the other player is there{}", way.words()));
        }
        if session.has_begun() && way.has_changed() {
            turn.said.push(format!("messages go {}", way.words().trim_start_matches(", ")));
        }
        self.interrupted = session.interrupted(now);
        // Only what is certain is told.
        if session.has_begun() {
            let names = [self.seat.name.as_str(), &session.other_name().text()].map(str::to_owned);
            turn.game_over = self.referee.look(session.certain().0, own, &names, &mut turn.said);
        }
        if let Some(last) = self.seat.frames
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
    pub fn leave(&mut self) {
        let Phase::Playing(session, way) = &mut self.phase else { return };
        if session.has_begun() {
            let hash = netplay::Game::hash(session.certain().0);
            self.publication.end(session.other_name(), hash);
            way.publish(&self.publication);
        }
        session.leave(way);
    }

    /// Returns how it stands; its text is empty until the other player is there.
    pub fn status(&self) -> NetworkStatus {
        let mut status = NetworkStatus { waiting: true, ..NetworkStatus::default() };
        match &self.phase {
            Phase::Playing(session, _) if session.has_begun() => {
                let tally = session.tally();
                status.waiting = false;
                status.stalled = self.stalled;
                (status.delay, status.guessed) = (self.seat.delay, tally.guessed);
                (status.rollbacks, status.longest) = (tally.rollbacks, tally.longest);
                let names = self.names();
                status.text = match self.interrupted {
                    Some(silence) => format!(
                        "interrupted for {} s: waiting for the other player's buttons",
                        silence.as_secs()
                    ),
                    None if self.stalled => "waiting for the other player's buttons".into(),
                    None => referee::standing(session.game(), self.own, &names, tally.guessed),
                };
            }
            Phase::Watching(watched) => {
                if let Some(game) = watched.game() {
                    status.waiting = self.interrupted.is_some();
                    status.text = match self.interrupted {
                        Some(silence) => format!("nothing has come for {} s", silence.as_secs()),
                        None => referee::watched(game, &watched.names()),
                    };
                }
            }
            _ => {}
        }
        status
    }
}

#[cfg(test)]
mod tests;
