//! Matches over the network: the window's own `NetworkMatch`, by way of a room, whose messages the
//! page carries.

use std::time::Duration;

use emulator::{
    GameResult, MatchError, MatchFile, MatchHeader, MatchKind, MatchRules, NetworkMatch, NetworkSeat, Over,
    RoomWay, Stage, Verification,
};
use nes::{Buttons, Cartridge, Console, Frame};
use netplay::{Code, Connection, RoomOptions, RoomWire, Spectator, WatchCode, WatchOptions};
use serde_json::{Value, json};
use tetris::{Feature, Profile};

use super::{BUILT_IN, Machine};
use crate::Error;

/// Bytes of the text of options, of a token, and of a name's letters, at most.
const LONGEST: usize = 4_000;
const LONGEST_TOKEN: usize = 200;
const LONGEST_NAME: usize = 40;
/// Messages for the player that wait to be fetched.
const SAID: usize = 64;
/// Bytes of a file of a match, at most.
const LARGEST: usize = 8 << 20;

/// Whose side the page is on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Host(Code),
    Guest,
    Watcher,
}

/// A match that is on.
pub(crate) struct PageMatch {
    on: NetworkMatch<RoomWay<Connection>>,
    role: Role,
    rate: u32,
    said: Vec<String>,
    /// Why it is over.
    over: Option<String>,
    /// When it began, in seconds since 1970.
    begun: u64,
    /// Whether the last turn has run a frame.
    ran: bool,
    entered: bool,
    watchers: u16,
}

/// A match that is played again.
pub(crate) struct PageVerification {
    on: Verification<MatchFile>,
    header: MatchHeader,
}

/// What the page asks for.
struct Asked {
    seat: NetworkSeat,
    rules: MatchRules,
    token: Option<String>,
}

impl Asked {
    /// Reads options: an object of JSON. What it leaves out is as usual.
    fn read(text: &str, rate: u32) -> Result<Self, Error> {
        let wrong = || Error::Refused("the options of the match are invalid");
        let short = Some(text).filter(|text| text.len() <= LONGEST).ok_or_else(wrong)?;
        let asked: Value = serde_json::from_str(short).map_err(|_| wrong())?;
        let number = |name: &str, usual: u64, most: u64| asked[name].as_u64().unwrap_or(usual).min(most);
        let word = |name: &str| asked[name].as_str().unwrap_or_default();
        let kind = match word("kind") {
            "" => MatchKind::default(),
            kind => kind.parse()?,
        };
        let dealer = match word("randomizer") {
            "" => randomizers::Kind::Nes,
            name => name.parse().map_err(|_| Error::Refused("unknown randomizer"))?,
        };
        let letters = |name: &str, most: usize| word(name).chars().take(most).collect::<String>();
        Ok(Self {
            seat: NetworkSeat {
                name: letters("name", LONGEST_NAME),
                delay: number("delay", 2, 20),
                computer: asked["computer"].as_bool().unwrap_or(false),
                patience: Duration::from_secs(number("patience", netplay::SILENCE.as_secs(), 600).max(1)),
                frames: asked["frames"].as_u64(),
                sample_rate: rate,
            },
            rules: MatchRules {
                kind,
                best_of: number("best_of", 1, 99) as u8,
                level: number("level", 0, 19) as u8,
                dealer,
                seed: number("seed", 1, u32::MAX.into()) as u32,
            },
            token: Some(letters("token", LONGEST_TOKEN)).filter(|token| !token.is_empty()),
        })
    }

    /// How to come into a room; the page's connection is to its server.
    fn room(&self, code: Code, client: u64) -> RoomOptions {
        RoomOptions { server: String::new(), code, client, token: self.token.clone(), hidden: true }
    }
}

impl Machine {
    /// Opens a room for a match, and waits for the other player. `options` is an object of JSON
    /// with `name`, `kind`, `best_of`, `level`, `randomizer`, `seed`, `token`, `delay`, `computer`,
    /// `patience` (seconds) and `frames`; what it leaves out is as usual. The console rests until
    /// the match is closed. `random` are three numbers of the browser's random source.
    ///
    /// # Errors
    /// When an option is wrong, the cartridge is not known, or another match is on.
    pub fn host_match(&mut self, options: &str, random: [u64; 3]) -> Result<(), Error> {
        let of = self.for_match()?;
        let rate = self.sample_rate();
        let asked = Asked::read(options, rate)?;
        let [code, client, number] = random;
        let code = Code::new(code);
        let way = RoomWay::new(RoomWire::connected(&asked.room(code, client), true));
        let on = NetworkMatch::host(of, asked.seat, asked.rules, number, way)?;
        self.begin_match(on, Role::Host(code), rate);
        Ok(())
    }

    /// Comes into the room of a code, and plays with its host. Of the options of
    /// [`Machine::host_match`] those count that are not the host's.
    ///
    /// # Errors
    /// When the code is none, the cartridge is not known, or another match is on.
    pub fn join_match(&mut self, code: &str, options: &str, random: [u64; 3]) -> Result<(), Error> {
        let of = self.for_match()?;
        let rate = self.sample_rate();
        let asked = Asked::read(options, rate)?;
        let [_, client, number] = random;
        let way = RoomWay::new(RoomWire::connected(&asked.room(code.trim().parse()?, client), false));
        let on = NetworkMatch::join(of, asked.seat, number, way);
        self.begin_match(on, Role::Guest, rate);
        Ok(())
    }

    /// Comes into the room of a spectators' code, and watches.
    ///
    /// # Errors
    /// As [`Machine::join_match`].
    pub fn watch_match(&mut self, code: &str, options: &str, random: [u64; 3]) -> Result<(), Error> {
        let of = self.for_match()?;
        let rate = self.sample_rate();
        let Asked { seat, .. } = Asked::read(options, rate)?;
        let code: WatchCode = code.trim().parse()?;
        let room = Spectator::connected(&WatchOptions { server: String::new(), code, client: random[1] });
        self.begin_match(NetworkMatch::watch(of, seat, room), Role::Watcher, rate);
        Ok(())
    }

    /// Returns the cartridge for a match.
    fn for_match(&self) -> Result<(Cartridge, Profile), Error> {
        if self.playing.as_ref().is_some_and(|playing| playing.over.is_none()) {
            return Err(Error::Refused("a match is already running: leave it first"));
        }
        let profile = Profile::for_feature(&self.image, Feature::Versus)?;
        Ok((self.emulator.power().0, profile))
    }

    fn begin_match(&mut self, on: NetworkMatch<RoomWay<Connection>>, role: Role, rate: u32) {
        self.quiet = true;
        self.playing = Some(PageMatch {
            on,
            role,
            rate,
            said: Vec::new(),
            over: None,
            begun: 0,
            ran: false,
            entered: false,
            watchers: 0,
        });
    }

    /// A message of the room has come.
    pub fn match_take(&mut self, message: &[u8]) {
        if let Some(connection) = self.playing.as_mut().and_then(PageMatch::connection) {
            connection.take(message);
        }
    }

    /// Returns the next message for the room.
    pub fn match_next(&mut self) -> Option<Vec<u8>> {
        self.playing.as_mut().and_then(PageMatch::connection)?.take_message()
    }

    /// The connection to the room was cut, and is made anew.
    pub fn match_cut(&mut self) {
        if let Some(connection) = self.playing.as_mut().and_then(PageMatch::connection) {
            connection.clear();
        }
    }

    /// Goes on with the match, by a frame if one can be run, with what the player holds. `now` is
    /// in milliseconds since any moment that stays the same, `date` in seconds since 1970. Returns
    /// whether a frame was run.
    pub fn match_turn(&mut self, held: u8, now: f64, date: f64) -> bool {
        let Some(playing) = self.playing.as_mut() else { return false };
        playing.turn(Buttons::from_bits_retain(held), now, date);
        let ran = playing.ran;
        self.quiet = !ran;
        if ran {
            self.record_frame();
        }
        ran
    }

    /// Returns what was said of the match since the last call: an array of JSON.
    pub fn match_said(&mut self) -> String {
        let said = self.playing.as_mut().map(|playing| std::mem::take(&mut playing.said));
        serde_json::to_string(&said.unwrap_or_default()).unwrap_or_else(|_| "[]".into())
    }

    /// Leaves the match, and says so to the other side; its last messages wait to be sent.
    pub fn leave_match(&mut self) {
        if let Some(playing) = &mut self.playing
            && playing.over.is_none()
        {
            playing.end("you have left the match".into());
        }
    }

    /// Forgets the match: the console goes on as it was before.
    pub fn close_match(&mut self) {
        if let Some(mut playing) = self.playing.take()
            && playing.over.is_none()
        {
            playing.on.leave();
        }
        self.quiet = true;
    }

    /// Returns the file of the match as far as it is certain; no bytes before any game, and for who
    /// watches.
    pub fn match_file(&self) -> Vec<u8> {
        let file = self.playing.as_ref().and_then(|playing| playing.on.file(playing.begun));
        file.map(|file| file.bytes()).unwrap_or_default()
    }

    /// Returns what the file of a match says of it: an object of JSON.
    ///
    /// # Errors
    /// When the bytes are no such file.
    pub fn match_of(bytes: &[u8]) -> Result<String, Error> {
        Ok(header(&read(bytes)?.header).to_string())
    }

    /// Begins to play the match of a file again, on the cartridge in the console or the built-in
    /// one.
    ///
    /// # Errors
    /// When the bytes are no such file, or its cartridge is not here.
    pub fn begin_verification(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let file = read(bytes)?;
        let built_in = Cartridge::from_bytes(BUILT_IN).ok();
        let (cartridge, image) = match built_in {
            Some(cartridge) if cartridge.crc32() == file.header.cartridge => (cartridge, BUILT_IN),
            _ => (self.emulator.power().0, &self.image[..]),
        };
        let profile = Profile::for_feature(image, Feature::Versus)?;
        let header = file.header.clone();
        self.verification =
            Some(PageVerification { on: Verification::begin(file, &cartridge, &profile)?, header });
        Ok(())
    }

    /// Plays ten seconds of both games again, and compares. Returns which share of the match is
    /// done, what the file says of it, and once all is done, that it is verified: an object of
    /// JSON.
    ///
    /// # Errors
    /// What differs.
    pub fn verify_on(&mut self) -> Result<String, Error> {
        let nothing = Error::Refused("no match is verified");
        let verification = self.verification.as_mut().ok_or(nothing)?;
        let stepped = verification.on.step(&|one, two| {
            one();
            two();
        });
        let (share, header) = (verification.on.share(), header(&verification.header));
        if !matches!(stepped, Ok(false)) {
            self.verification = None;
        }
        Ok(json!({ "share": share, "verified": stepped?, "match": header }).to_string())
    }

    /// Returns the sound of the last frame of the match.
    pub(super) fn match_sound(&self) -> Option<&[f32]> {
        let (duel, own) = self.playing.as_ref()?.on.game()?;
        Some(duel.sound(own))
    }

    /// Returns the console of this page's player.
    pub(super) fn match_console(&self) -> Option<&Console> {
        let (duel, own) = self.playing.as_ref()?.on.game()?;
        Some(duel.console(own))
    }

    /// Returns samples a second of the sound of what is shown.
    pub fn sound_rate(&self) -> u32 {
        self.playing.as_ref().map_or(self.sample_rate(), |playing| playing.rate)
    }

    /// Returns how the match stands, for the page.
    pub(crate) fn match_status(&self) -> Option<Value> {
        self.playing.as_ref().map(PageMatch::status)
    }
}

fn read(bytes: &[u8]) -> Result<MatchFile, MatchError> {
    if bytes.len() > LARGEST { Err(MatchError::Buttons) } else { MatchFile::read(bytes) }
}

impl PageMatch {
    /// Returns the picture of this page's player, and the other's.
    pub(super) fn pictures(&self) -> Option<[&Frame; 2]> {
        let (duel, own) = self.on.game()?;
        Some([duel.console(own).picture(), duel.console(1 - own).picture()])
    }

    fn connection(&mut self) -> Option<&mut Connection> {
        if self.role == Role::Watcher {
            return self.on.spectator().map(Spectator::connection);
        }
        self.on.way().map(|way| way.wire().connection())
    }

    fn turn(&mut self, held: Buttons, now: f64, date: f64) {
        self.ran = false;
        if self.over.is_some() {
            return;
        }
        let now = Duration::try_from_secs_f64(now / 1_000.0).unwrap_or_default();
        match self.on.turn(held, now) {
            Ok(turn) => {
                self.ran = turn.frame;
                if turn.begun {
                    self.begun = date as u64;
                }
                self.said.extend(turn.said);
                match turn.over {
                    None => {}
                    Some(Over::Done) => self.end("it has reached its last frame".into()),
                    Some(Over::Ended(reason)) => self.end(reason),
                }
            }
            Err(error) => self.end(error.to_string()),
        }
        if let Some(way) = self.on.way() {
            (self.entered, self.watchers) = (way.wire().has_entered(), way.wire().watchers());
        }
        let late = self.said.len().saturating_sub(SAID);
        self.said.drain(..late);
    }

    fn end(&mut self, reason: String) {
        self.on.leave();
        self.said.push(format!("the match is over: {reason}"));
        self.over = Some(reason);
    }

    /// What is waited for.
    fn waiting(&self) -> String {
        match self.role {
            _ if self.on.is_closed() => "the room is not open yet: is the host there?".into(),
            Role::Host(_) if !self.entered => "looking for the room's server".into(),
            Role::Host(code) => format!("waiting for the other player, who joins with the code {code}"),
            Role::Guest => "looking for the other player".into(),
            Role::Watcher => "waiting for the players".into(),
        }
    }

    fn status(&self) -> Value {
        let status = self.on.status();
        let text = match &self.over {
            Some(reason) => format!("the match is over: {reason}"),
            None if status.text.is_empty() => self.waiting(),
            None => status.text,
        };
        let (role, codes) = match self.role {
            Role::Host(code) => ("host", Some([code.to_string(), code.watch().to_string()])),
            Role::Guest => ("guest", None),
            Role::Watcher => ("watcher", None),
        };
        let certain = self.on.certain();
        let stage = certain.map(|game| match game.stage() {
            Stage::Ready(_) => "ready",
            Stage::Countdown(_) => "countdown",
            Stage::Playing => "playing",
            Stage::Over { .. } => "over",
        });
        let players = self.on.players();
        json!({
            "role": role,
            "own": self.on.own(),
            "text": text,
            "waiting": status.waiting,
            "entered": self.entered,
            "code": codes.as_ref().map(|codes| &codes[0]),
            "watch_code": codes.as_ref().map(|codes| &codes[1]),
            "watchers": self.watchers,
            "names": self.on.names(),
            "wins": players.as_ref().map(|players| players.wins),
            "best_of": players.and_then(|players| players.best_of),
            "kind": certain.map(|game| game.rules().kind.to_string()),
            "level": certain.map(|game| game.rules().level),
            "stage": stage,
            "standings": certain.map(|game| game.duel().standings().map(|standing| {
                json!({ "score": standing.score, "lines": standing.lines, "out": standing.is_out })
            })),
            "results": certain.map_or_else(Vec::new, |game| results(game.results())),
            "guessed": status.guessed,
            "rollbacks": status.rollbacks,
            "begun": self.begun,
            "over": self.over,
        })
    }
}

fn results(all: &[GameResult]) -> Vec<Value> {
    let one = |GameResult { winner, standings }: &GameResult| {
        json!({
            "winner": winner,
            "scores": standings.map(|standing| standing.score),
            "lines": standings.map(|standing| standing.lines),
        })
    };
    all.iter().map(one).collect()
}

/// What the file of a match says of it.
fn header(header: &MatchHeader) -> Value {
    let MatchHeader { cartridge, rules, names, own, begun, frames, hash, agreed, results: games } = header;
    json!({
        "cartridge": format!("{cartridge:08X}"),
        "kind": rules.kind.to_string(),
        "best_of": rules.best_of,
        "level": rules.level,
        "dealer": rules.dealer.to_string(),
        "seed": rules.seed,
        "names": names,
        "own": own,
        "begun": begun,
        "frames": frames,
        "hash": format!("{hash:016x}"),
        "agreed": agreed,
        "results": results(games),
    })
}
