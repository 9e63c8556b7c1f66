//! What the machine's thread tells the interface.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use autopilot::Thought;
pub(crate) use emulator::{MatchStatus, NetworkStatus, VersusStatus};
use nes::{Buttons, Region};
use nes_debug::Crash;
use practice::{Charge, Item, Mode, Position, Stack, Statistics, Taps, Trainer};
use puzzle::Puzzle;
use review::{Hands, Reviewed};
use stream::Secret;
use tetris::Piece;

use crate::debugger::snapshot::DebugSnapshot;
use crate::input::bindings::PadInput;
use crate::messages::command::{Recording, SLOTS};

/// Messages that are kept for an interface that looks late.
const MESSAGES: usize = 32;

/// What the machine's thread calls out to the interface, which may be asleep.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Notice {
    /// There is a new picture.
    Picture,
    /// The [`Status`] changed other than by a frame: a message, a slot, a pause.
    Status,
    /// The machine's thread has ended.
    Stopped,
}

/// What the machine's thread is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RunState {
    /// Frame after frame.
    #[default]
    Running,
    /// Nothing until a command.
    Paused,
    /// As fast as it can.
    FastForward,
    /// Backwards.
    Rewinding,
}

/// How things stand; a copy of what was so after the last frame or command.
#[derive(Debug, Clone, Default)]
pub struct Status {
    /// What the title calls the game; empty for the built-in cartridge.
    pub title: String,
    /// What the machine is doing.
    pub run_state: RunState,
    /// Frames a second, measured over the last two seconds; 0 until then and after a pause.
    pub fps: f64,
    /// Frames since power-on, as the console counts them.
    pub frame: u64,
    /// Which console it is.
    pub region: Region,
    /// Percent of the console's speed.
    pub speed: u16,
    /// Frames run ahead.
    pub run_ahead: u8,
    /// The sound device; `None` while none plays.
    pub sound: Option<SoundStatus>,
    /// What is in the slots of this cartridge.
    pub slots: [Option<Slot>; SLOTS],
    /// What was played when this cartridge's last session ended, until it is resumed.
    pub last_session: Option<Slot>,
    /// How far back a rewind goes.
    pub rewind: Duration,
    /// Bytes that the rewind takes.
    pub rewind_bytes: usize,
    /// How it stands against the computer; `None` while the player plays alone.
    pub versus: Option<VersusStatus>,
    /// Who plays whom, and how many games each has won; `None` while the player plays alone.
    pub players: Option<MatchStatus>,
    /// The practice game; `None` outside of practice.
    pub practice: Option<PracticeStatus>,
    /// The game that is on, or was, in practice or not; `None` where no cartridge is known.
    pub game: Option<Arc<GameStatus>>,
    /// Whether there is a game that the coach could review.
    pub can_review: bool,
    /// The position in which the piece in play came in.
    pub position: Option<Position>,
    /// Whether a game is on that the player would lose by beginning another.
    pub in_game: bool,
    /// The review that was asked for last, with what it has found so far.
    pub review: Option<Arc<ReviewStatus>>,
    /// The search for puzzles that was asked for last.
    pub puzzle_search: Option<Arc<PuzzleSearchStatus>>,
    /// A movie being recorded or played.
    pub movie: Option<MovieStatus>,
    /// Frames since power-on that can be saved as a movie; 0 where no movie leads to the game.
    pub movie_frames: u64,
    /// The other recordings under way.
    pub recordings: Vec<RecordingStatus>,
    /// What the game saw on both ports in the last frame.
    pub buttons: [Buttons; 2],
    /// The pads plugged in, those with a seat first.
    pub pads: Vec<PadStatus>,
    /// Whether the computer holds the first pad.
    pub computer: bool,
    /// What the computer thinks of its piece in play, at the first pad and as the opponent; `None`
    /// where it is not wanted, or has no thoughts.
    pub thoughts: [Option<Arc<Thought>>; 2],
    /// The script that was run last; `None` before the first.
    pub script: Option<ScriptStatus>,
    /// The crash in which the game is; `None` while it is well, and of a game that is not known.
    pub crash: Option<CrashStatus>,
    /// How a match over the network stands; `None` while there is none.
    pub network: Option<NetworkStatus>,
    /// How the stream stands.
    pub stream: StreamStatus,
    /// What the debugger's panels show; `None` while they are closed.
    pub debugger: Option<Arc<DebugSnapshot>>,
    /// Commands carried out so far: what they did is in this status.
    pub(crate) commands_done: u64,
    /// The newest last.
    pub messages: VecDeque<Message>,
}

impl Status {
    /// Adds a message, and forgets the oldest of too many.
    pub fn say(&mut self, kind: MessageKind, text: impl Into<String>) {
        let number = self.messages.back().map_or(1, |last| last.number + 1);
        // A script may say something in every frame.
        if kind == MessageKind::Script {
            self.messages.retain(|message| message.kind != kind);
        }
        self.messages.push_back(Message { number, kind, text: text.into() });
        if self.messages.len() > MESSAGES {
            self.messages.pop_front();
        }
    }
}

/// How the stream stands.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StreamStatus {
    /// The address of the overlays, without the token; `None` while nothing is served.
    pub address: Option<String>,
    /// The same with the token, to be copied and not to be shown.
    pub whole_address: Option<Secret>,
    /// How many read.
    pub readers: usize,
    /// Connections to NestrisChamps; none while it is off.
    pub nestrischamps: Vec<LinkStatus>,
    /// The connection to OBS; `None` while it is off.
    pub obs: Option<LinkStatus>,
    /// Frames that were left out, because the stream's thread was behind.
    pub lost: u64,
    /// The cartridge of each player; none where it is not a known one.
    pub players: Vec<String>,
}

/// How a connection to somebody else's server stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LinkStatus {
    /// It is being made.
    Connecting,
    /// It stands.
    Connected,
    /// It was lost or could not be made, for this reason, and is tried again.
    Lost(String),
    /// It is not tried again, for this reason.
    Ended(String),
}

/// A practice game.
#[derive(Debug, Clone, PartialEq)]
pub struct PracticeStatus {
    /// Its mode.
    pub mode: Mode,
    /// What goes along with it.
    pub options: practice::Options,
    /// What the mode has shown over the picture.
    pub items: Vec<Item>,
    /// Figures of the game up to the last lock.
    pub figures: Arc<Statistics>,
    /// The level, as it counts.
    pub level: u8,
    /// Rows from the floor to the highest block.
    pub height: u32,
    /// The counter of the auto shift, 0 to 16.
    pub das: u8,
    /// What happened to that counter last while the piece was in play, and what it was then.
    pub charge: Option<(u8, Charge)>,
    /// The last burst of taps.
    pub taps: Option<Taps>,
    /// Positions that are marked.
    pub marks: usize,
    /// How often the last of them was tried, the first time included.
    pub tries: u32,
    /// Frames played and all frames of the kept game that plays.
    pub replay: Option<(u64, u64)>,
}

/// Spawns whose counter of the auto shift is kept.
pub(crate) const SPAWNS: usize = 18;

/// A game as its log has it.
#[derive(Debug, Clone, PartialEq)]
pub struct GameStatus {
    /// Figures up to the last lock.
    pub figures: Arc<Statistics>,
    /// What the player's hands do, up to the last lock.
    pub trainer: Arc<Trainer>,
    /// The level at which it began, and the one that it is at.
    pub start_level: u8,
    /// See `start_level`.
    pub level: u8,
    /// Lines that were cleared.
    pub lines: u32,
    /// Points, without the limit of the cartridge's display.
    pub score: u32,
    /// The piece in play, and the one after it.
    pub pieces: [Piece; 2],
    /// The score less the one that is needed, after each piece; empty where no pace is asked for.
    pub pace: Vec<i32>,
    /// The stack before the piece in play.
    pub stack: Stack,
    /// How likely each piece comes after the next one, in the order T J Z O S L I, and how likely
    /// an I is among five; `None` where the pieces are dealt by another randomizer.
    pub odds: Option<([f64; 7], f64)>,
    /// The counter of the auto shift, 0 to 16.
    pub das: u8,
    /// What it was at the last spawns, the latest last, at most [`SPAWNS`].
    pub das_at_spawns: Vec<u8>,
    /// What happened to it last while the piece was in play, and what it was then.
    pub charge: Option<(u8, Charge)>,
    /// The last burst of taps, and the taps a second that its placement needed, where it is known.
    pub taps: Option<(Taps, Option<f64>)>,
}

/// A review of a game, as far as it has come.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ReviewStatus {
    /// The name of the file that the game is from; empty for the game that is on.
    pub file: String,
    /// For which hands it is.
    pub hands: Hands,
    /// Placements that were reviewed, in their order.
    pub reviews: Vec<Reviewed>,
    /// Each piece's number and its spawn as a position, to try it again.
    pub positions: Vec<(u32, String)>,
    /// Placements of the game.
    pub total: usize,
    /// Whether all were reviewed.
    pub is_done: bool,
    /// For which hands they were, and what else there is to say, a line each.
    pub notes: Vec<String>,
}

/// A search for puzzles in the player's own games, as far as it has come.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PuzzleSearchStatus {
    /// What was found, the latest game first.
    pub puzzles: Vec<Puzzle>,
    /// Games that were looked through.
    pub games: usize,
    /// Games that there are.
    pub total: usize,
    /// Games of another cartridge, or damaged ones.
    pub left_out: usize,
    /// Whether all were looked through.
    pub is_done: bool,
}

/// A game that has crashed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CrashStatus {
    /// Where and how it was noticed.
    pub crash: Crash,
    /// Whether the rewind reaches back to before it.
    pub way_back: bool,
}

/// How the sound device does.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct SoundStatus {
    /// Its samples a second.
    pub rate: u32,
    /// Samples that it has taken since it was opened, and those that it has played since: its
    /// clock.
    pub taken: u64,
    /// How often it ran dry while the game ran.
    pub gaps: u64,
    /// Mean time from the console to the device, in milliseconds; what the device itself adds is
    /// not in it.
    pub latency: f64,
    /// What `latency` is to be, in milliseconds; it grows after gaps.
    pub target: f64,
}

/// A saved state.
#[derive(Debug, Clone)]
pub struct Slot {
    /// When it was saved.
    pub saved: SystemTime,
    /// Frames since power-on at which it was.
    pub frame: u64,
    /// Red, green and blue of each dot, 256 x 240, row by row.
    pub thumbnail: Arc<[u8]>,
}

/// A movie being recorded or played.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MovieStatus {
    /// Its file.
    pub path: PathBuf,
    /// Frames done.
    pub frame: u64,
    /// All frames of a movie that is played; `None` while it is recorded.
    pub length: Option<u64>,
}

/// How the script does that was run last.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScriptStatus {
    /// Its file.
    pub path: PathBuf,
    /// Whether it still runs.
    pub running: bool,
    /// Whether it has paused the game.
    pub paused: bool,
}

/// A recording of sound or picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordingStatus {
    /// What is recorded.
    pub recording: Recording,
    /// The file that it will be.
    pub path: PathBuf,
    /// Frames so far.
    pub frames: u64,
}

/// A pad that is plugged in.
#[derive(Debug, Clone, PartialEq)]
pub struct PadStatus {
    /// What it calls itself.
    pub name: String,
    /// The player whose it is, 0 or 1; `None` while it waits for a free port.
    pub player: Option<usize>,
    /// Everything that is pressed or pushed beyond the dead zone, mapped or not: what a remapping
    /// screen listens to.
    pub held: Vec<PadInput>,
    /// What that makes of the console's buttons.
    pub buttons: Buttons,
    /// The left stick, -1 to 1, right and up positive, before any dead zone.
    pub stick: [f32; 2],
}

/// How a message is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MessageKind {
    /// Done as asked.
    Note,
    /// What a script says; the newest takes the place of the one before.
    Script,
    /// Something is not as it should be.
    Warning,
    /// Something asked for was not done.
    Error,
}

impl MessageKind {
    /// Returns whether something is wrong.
    pub fn is_trouble(self) -> bool {
        matches!(self, Self::Warning | Self::Error)
    }

    /// Returns whether something could not be done.
    pub fn is_error(self) -> bool {
        self == Self::Error
    }
}

/// One line for the player.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// Counts up by one: an interface shows those above the last that it has shown.
    pub number: u64,
    /// How it is meant.
    pub kind: MessageKind,
    /// One line, without a final stop.
    pub text: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_many_messages_the_newest_are_kept_and_their_numbers_go_on() {
        let mut status = Status::default();
        for n in 0..100 {
            status.say(MessageKind::Note, n.to_string());
        }
        assert_eq!(status.messages.len(), MESSAGES);
        let last = status.messages.back().unwrap();
        assert_eq!((last.number, last.text.as_str()), (100, "99"));
    }
}
