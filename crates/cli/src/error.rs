//! What can go wrong between the user and the machine, in one line each.

use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use draft::DraftError;
use nes::RomError;

/// Exit status of a command whose game has crashed.
pub const CRASHED: u8 = 3;

/// Why a command could not be carried out.
#[allow(missing_docs, reason = "each says what it means in its message")]
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("{}: no such file: check the path", .0.display())]
    NoFile(PathBuf),
    #[error("{}: expected a file, found a folder: name a file in it", .0.display())]
    Folder(PathBuf),
    #[error("{}: {size} bytes, expected at most {limit}: this is no file of this kind", .path.display())]
    TooLarge { path: PathBuf, size: u64, limit: u64 },
    #[error("{}: cannot be read: {source}", .path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("{}: cannot be written: {source}", .path.display())]
    Write { path: PathBuf, source: io::Error },
    /// A file that is not what it should be, in the words of whoever reads that kind.
    #[error("{}: {source}", .path.display())]
    File { path: PathBuf, source: Box<dyn std::error::Error + Send + Sync> },
    #[error("the built-in cartridge: {0}")]
    BuiltIn(RomError),
    #[error("{}: recorded with {wanted}, which is neither beside it nor among the ROMs played: maxout play ROM --movie {}", .path.display(), .path.display())]
    WantedRom { path: PathBuf, wanted: String },
    #[error(
        "{}: saved on a cartridge with CRC32 {crc32:08x}, which is neither beside it nor among the ROMs played: maxout play \
         ROM --state {}", .path.display(), .path.display()
    )]
    WantedRomOfState { path: PathBuf, crc32: u32 },
    #[error(
        "{}: a battery save whose ROM, of the same name, is neither beside it nor among the ROMs played: maxout play ROM \
         --battery {}", .path.display(), .path.display()
    )]
    WantedRomOfBattery { path: PathBuf },
    #[error("--quit-at-end: expected a movie to end with: name one")]
    NoMovie,
    #[error("{}: {source} (its SHA-1 is {sha1})", .path.display())]
    Unsupported { path: PathBuf, source: tetris::Unsupported, sha1: String },
    #[error(
        "{}: nobody has measured how long this cartridge takes for its screens (its SHA-1 is {sha1}): parity knows the built-in cartridge, its slow build and Tetris (US)", .path.display()
    )]
    Unmeasured { path: PathBuf, sha1: String },
    #[error("{}: expected the cartridge of the profile {profile:?}, found SHA-1 {sha1}: add it to the profile", .path.display())]
    OtherGame { path: PathBuf, sha1: String, profile: String },
    #[error(
        "{}: expected letters of TJZOSLI, or events of a game as `maxout tetris watch --json` prints them", .path.display()
    )]
    Pieces { path: PathBuf },
    #[error(
        "frame {frame}: expected a game being played (game mode 4), found game mode {mode} without one: forecast at a movie's frame or a saved state in a game"
    )]
    NoGame { frame: u64, mode: u8 },
    #[error("{}: expected a manifest {{\"roms\": [{{\"path\": …}}]}}: {source}", .path.display())]
    Manifest { path: PathBuf, source: serde_json::Error },
    #[error("{}: no .nes file in it: name a folder that holds some", .0.display())]
    NoRoms(PathBuf),
    /// What a family of commands refuses, by an error of its own that this file does not know.
    #[error("{0}")]
    Command(Box<dyn std::error::Error + Send + Sync>),
    #[error(transparent)]
    Training(#[from] training::TrainingError),
    #[error(transparent)]
    Lua(#[from] nes_lua::ScriptError),
    #[error(transparent)]
    Seed(#[from] randomizers::SeedError),
    #[error("{option} belongs to {owner}, found {kind}: leave it out")]
    NotItsOption { option: &'static str, owner: &'static str, kind: randomizers::Kind },
    #[error("{pieces} pieces, expected at least {fewest} to count: ask for more with -n")]
    TooFewPieces { pieces: u64, fewest: u64 },
    #[error("{}: expected a state as `maxout randomizer deal --json` prints: {source}", .path.display())]
    DealState { path: PathBuf, source: serde_json::Error },
    #[error("{}: expected a name that ends in .png or .svg", .0.display())]
    PictureName(PathBuf),
    #[error("{}: cannot be drawn: {reason}", .path.display())]
    Drawing { path: PathBuf, reason: String },
    #[error("{}: expected a name that ends in .bps, .ips, .ups or .nes", .0.display())]
    PatchName(PathBuf),
    #[error("{}: expected a name that ends in .fm2 or .bk2", .0.display())]
    MovieName(PathBuf),
    #[error("{}: this is the cartridge itself, which is left alone: name another file", .0.display())]
    InPlace(PathBuf),
    #[error("{}: named as {first} and as {second}: name another file", .path.display())]
    NamedTwice { path: PathBuf, first: String, second: String },
    #[error("{}: this is the movie itself, which is left alone: name another file", .0.display())]
    MovieInPlace(PathBuf),
    #[error("{frames} frames: expected the first menu (game mode 2), found game mode {mode}")]
    NoMenu { frames: u64, mode: u8 },
    #[error("{}: expected a second player where $BE is 2, found none: this cartridge does not have the mode", .path.display())]
    OnePlayer { path: PathBuf },
    #[cfg(feature = "window")]
    #[error(transparent)]
    Window(#[from] desktop::DesktopError),
    #[error(
        "this program was built without a window: build it with `--features window`, or use `maxout run`"
    )]
    NoWindow,
    #[error("cannot write to standard output: {0}")]
    Output(io::Error),
    #[error("stopped by Ctrl-C: no file was written")]
    Interrupted,
    #[error("stopped by Ctrl-C: {finished} of {games} games were finished")]
    InterruptedGames { finished: u32, games: u32 },
    #[error("{0}")]
    Crashed(String),
}

impl Error {
    /// The line to print; `None` where there is nobody left to read it.
    pub fn message(&self) -> Option<String> {
        match self {
            // `maxout trace … | head` is a normal use.
            Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => None,
            _ => Some(self.to_string()),
        }
    }

    /// 3 where the game crashed, else 2, or what the shell expects of a program that was stopped.
    pub fn exit_code(&self) -> ExitCode {
        match self {
            Self::Crashed(_) => ExitCode::from(CRASHED),
            Self::Interrupted
            | Self::InterruptedGames { .. }
            | Self::Lua(nes_lua::ScriptError::Interrupted { .. }) => ExitCode::from(130),
            Self::Lua(error) if !matches!(error, nes_lua::ScriptError::Syntax(_)) => ExitCode::FAILURE,
            Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
            _ => ExitCode::from(2),
        }
    }
}

impl From<DraftError> for Error {
    fn from(DraftError { path, source }: DraftError) -> Self {
        Self::Write { path, source }
    }
}

/// A file that cannot be opened, in words.
pub fn reading(path: impl Into<PathBuf>, source: io::Error) -> Error {
    let path = path.into();
    match source.kind() {
        io::ErrorKind::NotFound => Error::NoFile(path),
        io::ErrorKind::IsADirectory => Error::Folder(path),
        _ => Error::Read { path, source },
    }
}

/// A file that cannot be written, in words.
pub fn writing(path: impl Into<PathBuf>, source: io::Error) -> Error {
    Error::Write { path: path.into(), source }
}

/// Returns what makes an error of a file out of what is wrong with it: a text, or another error.
pub fn wrong<E: Into<Box<dyn std::error::Error + Send + Sync>>>(path: &Path) -> impl Fn(E) -> Error + Copy {
    move |source| Error::File { path: path.into(), source: source.into() }
}
