//! What the interface asks of the machine's thread.

use std::net::SocketAddr;
use std::path::PathBuf;

use nes::Palette;
use nes::apu::Channel;
use practice::Mode;
use serde::{Deserialize, Serialize};

use crate::config::settings::{
    InputSettings, RecordingSettings, RewindSettings, SoundSettings, StreamSettings, TetrisSettings,
    TimeSettings,
};
use crate::debugger::panels::PanelState;

/// Save slots, numbered from 0.
pub(crate) const SLOTS: usize = 10;

/// The number behind the last slot: what was played when the window was closed last.
pub(crate) const LAST_SESSION: usize = SLOTS;

/// What the interface asks of the machine's thread. Every command is carried out between two
/// frames, in order. One that fails is answered by a message in the status, and changes nothing.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Command {
    /// Stops after the frame that runs.
    Pause,
    /// Goes on.
    Resume,
    /// Runs one frame, and pauses.
    FrameAdvance,
    /// Percent of the console's speed, 10–200, pitch kept. What lies outside is brought inside.
    Speed(u16),
    /// As fast as the computer can while `true`.
    FastForward(bool),
    /// Backwards, at the console's speed, while `true`.
    Rewind(bool),
    /// Goes back to two seconds before the crash in which the game is, and pauses.
    BeforeCrash,
    /// Saves the state into the slot, 0–9.
    SaveSlot(usize),
    /// Goes back to the state in the slot, 0–9.
    LoadSlot(usize),
    /// Reads a cartridge image and puts it in. The old game goes on if it cannot.
    OpenRom(PathBuf),
    /// Puts in a cartridge image that is no file: its title, empty for the program's name alone,
    /// and its bytes.
    Insert(String, Vec<u8>),
    /// Brings in a battery save of another program or of another build, and switches the console
    /// off and on.
    BringBattery(PathBuf),
    /// The reset button.
    Reset,
    /// The power, off and on.
    PowerCycle,
    /// Begins a recording; one of each [`Recording`] at a time.
    Record(Recording, PathBuf),
    /// Ends that recording; its file appears under its name when it is whole.
    StopRecording(Recording),
    /// Plays a movie from power-on. Afterwards the player goes on.
    PlayMovie(PathBuf),
    /// Ends the playing of a movie; the player goes on from here.
    StopMovie,
    /// Ends the playing of a movie and goes on recording it from here into this file.
    ContinueMovie(PathBuf),
    /// 0–100.
    SetVolume(u8),
    /// Sound off and on.
    Mute(bool),
    /// One channel off and on.
    MuteChannel(Channel, bool),
    /// Frames to run ahead, 0–2.
    RunAhead(u8),
    /// Milliseconds from the console to the sound device, 10–100.
    Latency(u16),
    /// All of the keyboards' and pads' settings.
    Input(Box<InputSettings>),
    /// All of time's settings.
    Time(TimeSettings),
    /// All of sound's settings.
    Sound(SoundSettings),
    /// All of the rewind's settings.
    RewindLimits(RewindSettings),
    /// All of the recordings' settings.
    Recordings(RecordingSettings),
    /// The colours of thumbnails and of recordings begun from now on.
    Palette(Box<Palette>),
    /// Writes a movie of everything since power-on into this file; the game goes on.
    SaveMovie(PathBuf),
    /// All of the settings of Nintendo Tetris.
    Tetris(TetrisSettings),
    /// A match over the network.
    Network(NetworkCommand),
    /// The stream for broadcasts.
    Stream(StreamCommand),
    /// All of the settings of streams.
    Streaming(StreamSettings),
    /// Power off and on, and through the menus to a new game as it is set.
    NewGame,
    /// Begins a game against the computer, or ends versus mode.
    Versus(bool),
    /// Lets the computer hold the first pad, by buttons alone, or gives it back.
    LetComputerPlay(bool),
    /// Practice modes and kept games.
    Practice(PracticeCommand),
    /// A script that runs with the game.
    Script(ScriptCommand),
    /// The debugger.
    Debug(DebugCommand),
    /// Ends the machine's thread; recordings are finished first.
    Quit,
}

/// What the interface asks of practice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PracticeCommand {
    /// Power off and on, and through the menus to a game of this mode.
    Begin {
        /// The mode.
        mode: Mode,
        /// What goes along with it.
        options: practice::Options,
        /// A position to begin from, as a text.
        position: Option<String>,
    },
    /// The game goes on by the cartridge's rules.
    End,
    /// Takes the last piece back; again, and it is the one before.
    Undo {
        /// Whether other pieces come from there.
        other_luck: bool,
    },
    /// Marks the position in which the piece in play came in.
    Mark,
    /// Goes to the position that was marked last.
    Retry {
        /// Whether other pieces come from there.
        other_luck: bool,
    },
    /// Reviews the game so far.
    Review {
        /// Taps a second that the player's hands make.
        hertz: u8,
        /// Frames from a spawn to the first tap.
        reaction: u16,
    },
    /// Reviews the game in this file, of which placements are known: frames of NestrisChamps, or
    /// one line a placement.
    ReviewFile {
        /// The file.
        path: PathBuf,
        /// Taps a second, where the game does not tell.
        hertz: u8,
        /// Frames from a spawn to the first tap.
        reaction: u16,
    },
    /// Reviews the kept game in this file, which was played on the present cartridge.
    ReviewKept {
        /// The file.
        path: PathBuf,
        /// Taps a second, where the game does not tell.
        hertz: u8,
        /// Frames from a spawn to the first tap.
        reaction: u16,
    },
    /// Looks for puzzles in the games that were kept.
    FindPuzzles,
    /// Plays the kept game in this file.
    Replay(PathBuf),
    /// Goes to this frame of the kept game that plays, counted from its first.
    Seek(u64),
    /// Goes so many frames on, or back.
    SeekBy(i32),
    /// The player goes on where the kept game is.
    TakeOver,
}

/// What the interface asks about matches over the network.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NetworkCommand {
    /// Waits for another player at this address of this computer.
    Host(SocketAddr),
    /// Plays with whoever waits at this address, a name or number with a port.
    Join(String),
    /// Waits for another player in a room of this server.
    HostInRoom(String),
    /// Plays with the host of a room, `CODE@SERVER`.
    JoinInRoom(String),
    /// Watches the match in a room, by the code of those who watch: `CODE@SERVER`.
    Watch(String),
    /// Leaves the match.
    Leave,
}

/// What the interface asks of the stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StreamCommand {
    /// Serves it on this machine, or no longer.
    Serve(bool),
    /// Opens the page of the overlays in the player's browser.
    Open,
    /// Sends the game to NestrisChamps, or no longer.
    NestrisChamps(bool),
    /// Lets OBS do what the rules say, or no longer.
    Obs(bool),
}

/// What the interface asks of scripts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ScriptCommand {
    /// Runs the script in this file, in place of any other.
    Run(PathBuf),
    /// Reads the last file again and runs it from its beginning.
    Reload,
    /// Ends the script.
    Stop,
}

/// What the interface asks of the debugger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DebugCommand {
    /// Takes the console over, which then stands still, and shows the panels.
    Open,
    /// Shuts the panels; breakpoints and what is frozen stay in force.
    Close,
    /// A line of its language; `help` lists the commands.
    Execute(String),
    /// Stands still.
    Stop,
    /// Other panels are open, or something else in them is looked at.
    Show(Box<PanelState>),
}

/// What can be recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Recording {
    /// Buttons, frame by frame, from power-on: FM2. Turns the power off and on.
    Movie,
    /// Sound: WAV, 16 bits, mono, 48 kHz.
    Wave,
    /// Picture and sound: MP4, by ffmpeg.
    Video,
    /// Picture: GIF, every other frame.
    Gif,
}

impl Recording {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Movie, Self::Wave, Self::Video, Self::Gif];

    /// Returns the ending of its files, without the dot.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Movie => "fm2",
            Self::Wave => "wav",
            Self::Video => "mp4",
            Self::Gif => "gif",
        }
    }
}
