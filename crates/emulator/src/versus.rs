//! A match of two: two consoles, and rows that go from each to the other.
//!
//! The rules are `practice::Side`'s. Nothing in a cartridge is changed for them but the playfield
//! in RAM, which a movie cannot express.

mod best_of;
mod duel;
mod match_file;
mod series;
#[cfg(test)]
mod tests;
mod verification;

use std::fmt;
use std::sync::Arc;

use autopilot::{NetSource, Thought, for_duels};
use nes::{Buttons, Cartridge, Config, Console, Frame, Region};
use practice::{Happened, Side};
use tetris::{Profile, View};

use crate::{Attached, Computer, Emulator, LastFrames, Pieces};

pub use best_of::BestOf;
pub use duel::{Both, Duel, DuelRules, Standing};
pub use match_file::{MatchError, MatchFile, MatchHeader, MatchRecorder};
pub use series::{GameResult, Match, MatchKind, MatchRules, Stage, UnknownMatchKind};
pub use verification::Verification;

/// Frames in which other moments of the level menu give other pieces.
const MOMENTS: u64 = 240;

/// Sends the rows of a frame to the other side, and lets those come up that are due.
fn exchange(profile: &Profile, happened: [Happened; 2], sides: [&mut Side; 2], consoles: [&mut Console; 2]) {
    let [one, two] = sides;
    send(happened[0].sent, one, two);
    send(happened[1].sent, two, one);
    for (side, console) in [one, two].into_iter().zip(consoles) {
        side.rise(console, profile);
    }
}

fn send(rows: usize, from: &mut Side, to: &mut Side) {
    if to.playing {
        to.pending += rows;
        from.sent += rows as u32;
    }
}

/// How a game against the computer has ended, for the player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum VersusOutcome {
    /// It is still played, or none was begun.
    #[default]
    Open,
    /// The computer has topped out.
    Won,
    /// The player has topped out.
    Lost,
    /// The player has left it.
    Left,
}

impl VersusOutcome {
    /// Returns the word for it in kept games.
    pub fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Won => "won",
            Self::Lost => "lost",
            Self::Left => "left",
        }
    }
}

/// How a match stands; the player's number first in each pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct VersusStatus {
    /// Lines that each has cleared.
    pub lines: [u32; 2],
    /// Rows that each has sent to the other.
    pub sent: [u32; 2],
    /// Points of each.
    pub scores: [u32; 2],
}

/// What happens in a game against the computer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum VersusEvent {
    /// A game of the player's begins, and the computer's with it, at this level.
    Begun(u8),
    /// The player's game is over: the player's lines, the computer's, and how the match of both
    /// stands.
    Lost([u32; 2], BestOf),
    /// The computer's game is over.
    Won([u32; 2], BestOf),
    /// The computer found no way into a game.
    NoGame,
}

impl fmt::Display for VersusEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Begun(level) => write!(f, "the computer plays against you, starting at level {level}"),
            Self::Lost([own, other], _) => {
                write!(f, "the computer wins: its {other} lines against your {own}")
            }
            Self::Won([own, other], _) => {
                write!(f, "you win: your {own} lines against the computer's {other}")
            }
            Self::NoGame => f.write_str("the computer cannot start a game on this cartridge"),
        }?;
        match self {
            Self::Lost(_, best_of) | Self::Won(_, best_of) if best_of.games() > 1 => {
                write!(f, ". {}", best_of.standing(0, "the computer"))
            }
            _ => Ok(()),
        }
    }
}

/// The computer on a console of its own, against the player of an [`Emulator`]. It begins a game
/// when the player does.
#[derive(Clone)]
pub struct Versus {
    profile: Profile,
    cartridge: Cartridge,
    computer: Computer,
    nets: NetSource,
    /// The computer's pieces, unless the game deals its own.
    pieces: Option<Pieces>,
    opponent: Option<Opponent>,
    player: Side,
    /// What the computer's screen shows.
    picture: Frame,
    /// The player's points.
    score: u32,
    /// Games that the player and the computer have won, since the two began to play.
    wins: [u32; 2],
    /// How the match of both stands.
    best_of: BestOf,
    /// How the last game ended.
    ended: Option<(VersusOutcome, VersusStatus)>,
    /// Whether the computer has begun a game since the last look, and the end of its way there.
    begun: bool,
    way_in: LastFrames,
}

#[derive(Clone)]
struct Opponent {
    emulator: Emulator,
    side: Side,
}

impl Versus {
    /// Returns a match against the computer on `cartridge`, which `profile` is of. For points the
    /// computer evaluates by those of `nets` that are for duels, or by all where none is.
    pub fn new(profile: Profile, cartridge: Cartridge, computer: Computer, nets: NetSource) -> Self {
        Self {
            profile,
            cartridge,
            computer,
            nets,
            pieces: None,
            opponent: None,
            player: Side::default(),
            picture: Frame::default(),
            score: 0,
            wins: [0; 2],
            best_of: BestOf::default(),
            ended: None,
            begun: false,
            way_in: LastFrames::default(),
        }
    }

    /// Has the computer play in this way from its next game on.
    pub fn set_computer(&mut self, computer: Computer) {
        self.computer = computer;
    }

    /// Plays matches of so many games. Another number than before begins a match.
    pub fn set_best_of(&mut self, games: u8) {
        let best_of = BestOf::new(games);
        if best_of.games() != self.best_of.games() {
            self.best_of = best_of;
        }
    }

    /// Gives the computer these pieces from its next game on; none for the game's own.
    pub fn deal(&mut self, pieces: Option<Pieces>) {
        self.pieces = pieces;
    }

    /// The player's console was exchanged: a game that begins is another.
    pub fn begin_anew(&mut self) {
        self.opponent = None;
        self.player = Side::default();
    }

    /// Returns whether a game is on.
    pub fn is_on(&self) -> bool {
        self.opponent.is_some()
    }

    /// Returns the computer's console, while a game is on.
    pub fn opponent_console(&self) -> Option<&Console> {
        self.opponent.as_ref().map(|opponent| opponent.emulator.state())
    }

    /// Returns the computer's evaluation of its current piece.
    pub fn thought(&self) -> Option<Arc<Thought>> {
        self.opponent.as_ref()?.emulator.thought()
    }

    /// Returns, name by name, how the game stands or has ended, for the file of the game; none
    /// before the first.
    pub fn result(&self) -> Option<Vec<(&'static str, String)>> {
        let (outcome, VersusStatus { lines, sent, scores: [_, score] }) = self.standing()?;
        Some(vec![
            ("versus", outcome.name().to_owned()),
            ("opponent-lines", lines[1].to_string()),
            ("opponent-score", score.to_string()),
            ("rows-sent", sent[0].to_string()),
            ("rows-received", sent[1].to_string()),
        ])
    }

    fn standing(&self) -> Option<(VersusOutcome, VersusStatus)> {
        let Some(other) = &self.opponent else { return self.ended };
        let score = View::new(&self.profile.as_mapped(other.emulator.state().ram())).score();
        Some((VersusOutcome::Open, status([&self.player, &other.side], [self.score, score])))
    }

    /// Returns how the game stands, or the last one ended.
    pub fn status(&self) -> VersusStatus {
        let of_player = || VersusStatus {
            lines: [self.player.lines, 0],
            sent: [self.player.sent, 0],
            scores: [self.score, 0],
        };
        self.standing().map_or_else(of_player, |(_, status)| status)
    }

    /// Returns how many games the player and the computer have won: of the match, or since the two
    /// began to play where a match is one game.
    pub fn wins(&self) -> [u32; 2] {
        if self.best_of.games() > 1 { self.best_of.wins().map(u32::from) } else { self.wins }
    }

    /// Returns how the match of both stands.
    pub fn best_of(&self) -> BestOf {
        self.best_of
    }

    /// Returns how the last game ended; open while one is on.
    pub fn outcome(&self) -> VersusOutcome {
        self.standing().map_or(VersusOutcome::Open, |(outcome, ..)| outcome)
    }

    /// The game against the computer is over; one that was left is counted for neither. Returns the
    /// lines of both and how the match stands.
    fn end(&mut self, outcome: VersusOutcome) -> Option<([u32; 2], BestOf)> {
        let (_, status) = self.standing().filter(|_| self.opponent.is_some())?;
        self.opponent = None;
        self.ended = Some((outcome, status));
        let winner = match outcome {
            VersusOutcome::Won => Some(0),
            VersusOutcome::Lost => Some(1),
            VersusOutcome::Open | VersusOutcome::Left => None,
        };
        if let Some(winner) = winner {
            self.wins[winner] += 1;
            self.best_of.count(winner);
        }
        Some((status.lines, self.best_of))
    }

    /// Has this many rows come up for the player.
    #[doc(hidden)]
    pub fn owe(&mut self, rows: usize) {
        self.player.pending += rows;
    }

    /// Returns, once, whether the computer has begun a game.
    pub fn take_begun(&mut self) -> bool {
        std::mem::take(&mut self.begun)
    }

    /// Takes the end of the computer's way into its game, which was run without picture.
    pub fn take_way_in(&mut self) -> impl Iterator<Item = (u64, [u8; 0x800])> + use<> {
        self.way_in.take()
    }

    /// Returns the computer's screen.
    pub fn picture(&self) -> &Frame {
        &self.picture
    }

    /// The `player` has run a frame: the computer does too, and what each has sent reaches the
    /// other.
    pub fn frame(&mut self, player: &mut Emulator) -> Option<VersusEvent> {
        let console = player.console();
        let happened = self.player.look(console, &self.profile);
        if self.player.playing || happened.over {
            self.score = View::new(&self.profile.as_mapped(console.ram())).score();
        }
        if happened.begun {
            let level = View::new(&self.profile.as_mapped(console.ram())).level();
            self.opponent = self.begin(level, console.frame_number(), console.region());
            self.begun = self.opponent.is_some();
            self.best_of.go_on();
            return Some(if self.begun { VersusEvent::Begun(level) } else { VersusEvent::NoGame });
        }
        if happened.over {
            let (lines, best_of) = self.end(VersusOutcome::Lost)?;
            return Some(VersusEvent::Lost(lines, best_of));
        }
        if !self.player.playing {
            self.end(VersusOutcome::Left);
        }
        let opponent = self.opponent.as_mut()?;
        if View::new(&self.profile.as_mapped(console.ram())).is_paused() {
            return None; // the computer waits
        }
        opponent.emulator.frame(&mut [Buttons::empty(); 2], Attached::default());
        self.picture.clone_from(opponent.emulator.picture());
        let theirs = opponent.side.look(opponent.emulator.state(), &self.profile);
        let sides = [&mut self.player, &mut opponent.side];
        exchange(&self.profile, [happened, theirs], sides, [console, opponent.emulator.console()]);
        if let Some(rise) = self.player.risen.take() {
            player.rose(rise);
        }
        if !theirs.over {
            return None;
        }
        let (lines, best_of) = self.end(VersusOutcome::Won)?;
        Some(VersusEvent::Won(lines, best_of))
    }

    /// Returns the computer at the start of a game at `level`, on a console of the player's region;
    /// other `moment`s give it other pieces.
    fn begin(&mut self, level: u8, moment: u64, region: Region) -> Option<Opponent> {
        let config = Config { region: Some(region), ..Config::default() };
        let mut emulator = Emulator::bare(self.cartridge.clone(), config);
        emulator.set_pieces(self.pieces.clone());
        let wait = (moment % MOMENTS) as u32;
        let nets = for_duels(self.nets.get()).into();
        emulator.set_computer(Some(self.computer.player(self.profile.clone(), &nets, level, wait)));
        let mut side = Side::default();
        let begun = emulator.run_to_game(&self.profile) && side.look(emulator.state(), &self.profile).begun;
        self.way_in = emulator.last_frames();
        begun.then_some(Opponent { emulator, side })
    }
}

/// Returns how a match stands between these two.
fn status(sides: [&Side; 2], scores: [u32; 2]) -> VersusStatus {
    VersusStatus { lines: sides.map(|side| side.lines), sent: sides.map(|side| side.sent), scores }
}
