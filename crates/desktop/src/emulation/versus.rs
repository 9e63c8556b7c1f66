//! A player against the computer: a second console beside the first, and rows that go from each to
//! the other.
//!
//! The rules are `practice::Side`'s. Nothing in a cartridge is changed for them but the playfield
//! in RAM, which a movie cannot express.

mod duel;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use autopilot::{Autopilot, NetSource, Substitution, Thought};
use emulator::LastFrames;
use nes::{Buttons, Cartridge, Config, Console, Frame, Region};
use practice::{Happened, Rise, Side};
use tetris::{Profile, View};

use crate::config::settings::TetrisSettings;
use crate::messages::status::VersusStatus;

pub(crate) use duel::Duel;

/// A cell of the rows that come up.
#[cfg(test)]
const BLOCK: u8 = 0x7C;

/// Frames in which the computer gets into its game: the first screen alone takes ten seconds.
const WAY_IN: u32 = 5000;

/// How it stands between the two, for the lines of the player.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum VersusEvent {
    /// A game of the player's begins, and the computer's with it, at this level.
    Begun(u8),
    /// The player's game is over: so many rows, and the computer's.
    Lost([u32; 2]),
    /// The computer's is.
    Won([u32; 2]),
    /// The computer does not find into a game.
    NoGame,
}

impl VersusEvent {
    /// One line for the player.
    pub(crate) fn text(&self) -> String {
        match self {
            Self::Begun(level) => format!("the computer plays against you, starting at level {level}"),
            Self::Lost([own, other]) => format!("the computer wins: its {other} lines against your {own}"),
            Self::Won([own, other]) => format!("you win: your {own} lines against the computer's {other}"),
            Self::NoGame => "the computer cannot start a game on this cartridge".into(),
        }
    }
}

/// The computer on its own console, and what is on the way between the two. It begins a game when
/// the player does.
#[derive(Clone)]
pub struct Versus {
    profile: Profile,
    cartridge: Cartridge,
    /// How the computer plays, and nets that it may judge by.
    computer: TetrisSettings,
    nets: NetSource,
    /// Deals the computer's pieces, if not the game itself.
    pieces: Option<Substitution>,
    opponent: Option<Opponent>,
    player: Side,
    /// What the computer's screen shows.
    picture: Frame,
    /// How the last game ended.
    ended: Option<Vec<(&'static str, String)>>,
    /// Whether the computer has begun a game since the last look, and the end of its way there.
    begun: bool,
    way_in: LastFrames,
}

#[derive(Clone)]
struct Opponent {
    console: Console,
    autopilot: Autopilot,
    pieces: Option<Substitution>,
    side: Side,
}

impl Versus {
    /// Against the computer on `cartridge`, which `profile` is of.
    pub fn new(profile: Profile, cartridge: Cartridge) -> Self {
        Self {
            profile,
            cartridge,
            computer: TetrisSettings::default(),
            nets: NetSource::default(),
            pieces: None,
            opponent: None,
            player: Side::default(),
            picture: Frame::default(),
            ended: None,
            begun: false,
            way_in: LastFrames::default(),
        }
    }

    /// With a computer that plays as these settings say, for points by `nets`.
    #[must_use]
    pub fn with_computer(self, computer: TetrisSettings, nets: NetSource) -> Self {
        Self { computer, nets, ..self }
    }

    /// Has the computer play as these settings say, from its next game on.
    pub(crate) fn set_computer(&mut self, computer: TetrisSettings) {
        self.computer = computer;
    }

    /// Gives the computer these pieces from its next game on; none for the game's own.
    pub fn deal(&mut self, pieces: Option<Substitution>) {
        self.pieces = pieces;
    }

    /// The player's console was exchanged: a game that begins is another.
    pub(crate) fn begin_anew(&mut self) {
        self.opponent = None;
        self.player = Side::default();
    }

    /// Returns the computer's console, while a game is on.
    pub(crate) fn opponent_console(&self) -> Option<&Console> {
        self.opponent.as_ref().map(|opponent| &opponent.console)
    }

    /// Returns what the computer thinks of its piece in play.
    pub(crate) fn thought(&self) -> Option<Arc<Thought>> {
        self.opponent.as_ref()?.autopilot.thought().cloned()
    }

    /// Takes the rows that have come up for the player since the last look.
    pub(crate) fn take_risen(&mut self) -> Option<Rise> {
        self.player.risen.take()
    }

    /// Returns, name by name, how it stands or has ended, for the file of the game; none before the
    /// first.
    pub(crate) fn result(&self) -> Option<Vec<(&'static str, String)>> {
        let on = self.opponent.as_ref().map(|other| self.standing("open", other));
        on.or_else(|| self.ended.clone())
    }

    fn standing(&self, how: &str, other: &Opponent) -> Vec<(&'static str, String)> {
        let score = View::new(&self.profile.as_mapped(other.console.ram())).score();
        vec![
            ("versus", how.to_owned()),
            ("opponent-lines", other.side.lines.to_string()),
            ("opponent-score", score.to_string()),
            ("rows-sent", self.player.sent.to_string()),
            ("rows-received", other.side.sent.to_string()),
        ]
    }

    /// The game against the computer is over. Returns the lines of both.
    fn end(&mut self, how: &str) -> Option<[u32; 2]> {
        let other = self.opponent.take()?;
        self.ended = Some(self.standing(how, &other));
        Some([self.player.lines, other.side.lines])
    }

    /// Has so many rows come up for the player.
    #[cfg(test)]
    pub(crate) fn owe(&mut self, rows: usize) {
        self.player.pending += rows;
    }

    /// Returns, once, whether the computer has begun a game.
    pub(crate) fn take_begun(&mut self) -> bool {
        std::mem::take(&mut self.begun)
    }

    /// Takes the end of the computer's way into its game, which nobody saw.
    pub(crate) fn take_way_in(&mut self) -> impl Iterator<Item = (u64, [u8; 0x800])> + use<> {
        self.way_in.take()
    }

    /// Returns how it stands.
    pub(crate) fn status(&self) -> VersusStatus {
        let other = self.opponent.as_ref().map(|opponent| &opponent.side);
        let of = |get: fn(&Side) -> u32| [get(&self.player), other.map_or(0, get)];
        VersusStatus { lines: of(|side| side.lines), sent: of(|side| side.sent) }
    }

    /// Returns the computer's screen.
    pub(crate) fn picture(&self) -> &Frame {
        &self.picture
    }

    /// The player's `console` has run a frame: the computer's does too, and what each has sent
    /// reaches the other.
    pub(crate) fn frame(&mut self, console: &mut Console) -> Option<VersusEvent> {
        let Happened { begun, over, sent } = self.player.look(console, &self.profile);
        if begun {
            let level = View::new(&self.profile.as_mapped(console.ram())).level();
            self.opponent = self.opponent(level, console.frame_number(), console.region());
            self.begun = self.opponent.is_some();
            return Some(if self.opponent.is_some() {
                VersusEvent::Begun(level)
            } else {
                VersusEvent::NoGame
            });
        }
        if over {
            return self.end("lost").map(VersusEvent::Lost);
        }
        if !self.player.playing {
            self.end("left");
        }
        let opponent = self.opponent.as_mut()?;
        if View::new(&self.profile.as_mapped(console.ram())).is_paused() {
            return None; // the computer waits
        }
        opponent.side.pending += sent;
        self.player.sent += sent as u32;
        let theirs = opponent.frame(&self.profile);
        self.picture.clone_from(opponent.console.picture());
        self.player.pending += theirs.sent;
        opponent.side.sent += theirs.sent as u32;
        if theirs.over {
            return self.end("won").map(VersusEvent::Won);
        }
        self.player.rise(console, &self.profile);
        None
    }

    /// Returns the computer at the start of a game at `level`, on a console of the player's region;
    /// other `moment`s give it other pieces.
    fn opponent(&mut self, level: u8, moment: u64, region: Region) -> Option<Opponent> {
        let config = Config { video: false, region: Some(region), ..Config::default() };
        let console = Console::new(self.cartridge.clone(), config);
        let wait = (moment % 240) as u32;
        let autopilot = self.computer.computer(self.profile.clone(), &self.nets, level, wait);
        let pieces = self.pieces.clone();
        let mut opponent = Opponent { console, autopilot, pieces, side: Side::default() };
        self.way_in.clear();
        let begun = (0..WAY_IN).any(|_| {
            let happened = opponent.frame(&self.profile);
            self.way_in.keep(&opponent.console);
            happened.begun
        });
        opponent.console.set_video(true);
        begun.then_some(opponent)
    }
}

impl Opponent {
    fn frame(&mut self, profile: &Profile) -> Happened {
        let buttons = self.autopilot.prepare(&mut self.console);
        // Pieces do not break.
        let _ = self.console.run_frame(&mut [buttons, Buttons::empty()], &mut self.pieces.as_mut());
        let happened = self.side.look(&self.console, profile);
        self.side.rise(&mut self.console, profile);
        happened
    }
}
