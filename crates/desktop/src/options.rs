//! What a session is started with.

use std::net::{IpAddr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use autopilot::NetSource;
use draft::ReadError;
use emulator::MatchKind;
use nes::Config;
use netplay::{Code, RoomOptions, WatchOptions};
use randomizers::Kind;
use stream::Secret;
use tetris::Profile;

use crate::config::ConfigFile;
use crate::config::settings::Settings;
use crate::{DesktopError, Folders, Pieces, Versus};

/// No ROM, movie or palette is larger.
const FILE_MOST: u64 = 64 << 20;

/// Returns what is in the file `path`, which a player has named: no device that would never end.
pub(crate) fn read_file(path: &Path) -> Result<Vec<u8>, DesktopError> {
    let failed = |source: ReadError| DesktopError::Read { path: path.into(), source: source.into() };
    draft::read_file(path, FILE_MOST).map_err(failed)
}

/// Returns the ROM in the file `path`, which may be a ZIP archive.
pub(crate) fn read_rom(path: &Path) -> Result<Vec<u8>, DesktopError> {
    let failed = |source: ReadError| DesktopError::Read { path: path.into(), source: source.into() };
    draft::unpack_rom(read_file(path)?, FILE_MOST).map_err(failed)
}

/// A cartridge image and how to play it.
#[derive(Clone)]
#[non_exhaustive]
pub struct Options {
    /// The cartridge image, iNES or NES 2.0.
    pub image: Vec<u8>,
    /// What the window's title calls it; empty for the program's name alone.
    pub title: String,
    /// What differs from one console to the next. The sample rate is the window's own business.
    pub config: Config,
    /// What the player has set.
    pub settings: Settings,
    /// Where saved states are kept, in a folder for each cartridge; `None` for nowhere.
    pub states: Option<PathBuf>,
    /// Where files of the player's are; `states` above goes before the one in here.
    pub folders: Folders,
    /// The file that the image is from.
    pub path: Option<PathBuf>,
    /// Title and image of the cartridge that needs no file.
    pub built_in: Option<(String, Vec<u8>)>,
    /// The built-in cartridge's labels, as ld65 wrote them, for the debugger.
    pub labels: Option<String>,
    /// Once `true`, everything ends as if the player had quit.
    pub stop: Arc<AtomicBool>,
    /// Close the window after so many frames.
    pub exit_after_frames: Option<u64>,
    /// A saved state to go on from: a save slot's file, or one of `maxout run --save-state`.
    pub state: Option<PathBuf>,
    /// A kept practice game that plays from the start.
    pub game: Option<PathBuf>,
    /// A game of which placements are known, in a file, whose review is opened at the start.
    pub review: Option<PathBuf>,
    /// A battery save to bring in at the start.
    pub battery: Option<PathBuf>,
    /// A movie that plays from the start.
    pub movie: Option<PathBuf>,
    /// Close the window when a movie is over, the console as the movie's last frame leaves it.
    pub quit_at_end: bool,
    /// A script that runs beside the game from the start.
    pub script: Option<PathBuf>,
    /// Whether what scripts print goes to standard output, and not over the picture.
    pub prints: bool,
    /// Where the image keeps things, if that is not known by its hash.
    pub profile: Option<Profile>,
    /// Other pieces for the games of this cartridge.
    pub pieces: Option<Pieces>,
    /// The computer, to play against.
    pub versus: Option<Versus>,
    /// Nets that the computer for points and the coach judge by: the built-in ones unless others
    /// are given.
    pub nets: NetSource,
    /// What the player is to be warned of at the start.
    pub warnings: Vec<String>,
    /// What is streamed from the start.
    pub stream: StreamOptions,
    /// A match over the network, from the start.
    pub network: Option<NetworkOptions>,
}

/// Whose side of a match this is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NetworkRole {
    /// It waits for the other player.
    Host {
        /// At this address.
        address: SocketAddr,
        /// It listens to those alone who know this, if anything.
        code: Option<Code>,
    },
    /// It goes to the other player, who waits at this address; `CODE@ADDRESS` if the host has a
    /// code.
    Join(String),
    /// Both meet in a room, by a code.
    Room {
        /// Where, and by which.
        options: RoomOptions,
        /// Whether level, pieces and kind are this side's.
        is_host: bool,
    },
    /// It watches a match of others in a room.
    Watch(WatchOptions),
}

/// A match over the network. Level and pieces are the host's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NetworkOptions {
    /// Whose side it is.
    pub role: NetworkRole,
    /// Start level of both, 0–19.
    pub level: u8,
    /// What deals the pieces, the same to both.
    pub randomizer: Kind,
    /// Its seed.
    pub seed: u32,
    /// What decides a game; the host says.
    pub kind: MatchKind,
    /// Games; more than half win the match; the host says.
    pub best_of: u8,
    /// What the player is called.
    pub name: String,
    /// How long a silence of the other side is waited out.
    pub patience: Duration,
    /// As a host without a room, ask the router to open the port.
    pub opens_port: bool,
    /// Frames before one's own buttons count, 0–20.
    pub delay: u64,
    /// The computer holds the pad.
    pub computer: bool,
    /// The number of certain frames after which everything ends; `None` for no limit.
    pub frames: Option<u64>,
}

impl NetworkOptions {
    /// This side of a match, with everything else as most players want it.
    pub fn new(role: NetworkRole) -> Self {
        Self {
            role,
            level: 0,
            randomizer: Kind::Nes,
            seed: 1,
            kind: MatchKind::default(),
            best_of: 1,
            name: String::new(),
            patience: netplay::SILENCE,
            opens_port: false,
            delay: 2,
            computer: false,
            frames: None,
        }
    }
}

/// A stream, as the command line asks for it; by default nothing is streamed.
#[derive(Clone, Debug, Default)]
pub struct StreamOptions {
    /// Serve it.
    pub serve: bool,
    /// Serve it, and open the page of the overlays in the browser.
    pub open: bool,
    /// The port, in place of the settings'; 0 finds one that is free.
    pub port: Option<u16>,
    /// The address, if not 127.0.0.1. One that others can reach takes a token.
    pub listen: Option<IpAddr>,
    /// What readers have to know.
    pub token: Option<Secret>,
    /// Origins of pages that may read.
    pub origins: Vec<String>,
    /// The players' names, in place of the settings'.
    pub names: Vec<String>,
    /// Send the game to NestrisChamps.
    pub nestrischamps: bool,
    /// Let OBS do what the rules say.
    pub obs: bool,
    /// The file with secrets, rooms and rules, in place of the settings'.
    pub settings: Option<PathBuf>,
    /// Where that file is looked for if nobody says: the folder of the settings.
    pub folder: Option<PathBuf>,
    /// Write the lines into this file or pipe; `-` is standard output.
    pub lines: Option<PathBuf>,
    /// With a `state` after each frame that changed it.
    pub states: bool,
    /// These events only.
    pub only: Vec<String>,
}

impl Options {
    /// `image` under the name `title`, with everything else as most players want it.
    pub fn new(title: impl Into<String>, image: Vec<u8>) -> Self {
        Self {
            image,
            title: title.into(),
            config: Config::default(),
            settings: Settings::default(),
            states: None,
            folders: Folders::default(),
            path: None,
            built_in: None,
            labels: None,
            stop: Arc::default(),
            exit_after_frames: None,
            state: None,
            game: None,
            review: None,
            battery: None,
            movie: None,
            quit_at_end: false,
            script: None,
            prints: true,
            profile: None,
            pieces: None,
            versus: None,
            nets: NetSource::default(),
            warnings: vec![],
            stream: StreamOptions::default(),
            network: None,
        }
    }

    /// Returns the image in the file `path`, under the file's name without its ending.
    ///
    /// # Errors
    /// [`DesktopError::Read`] if the file cannot be read.
    pub fn from_file(path: &Path) -> Result<Self, DesktopError> {
        let image = read_rom(path)?;
        let title = path.file_stem().unwrap_or(path.as_os_str());
        Ok(Self { path: Some(path.into()), ..Self::new(title.to_string_lossy(), image) })
    }

    /// With everything that the player has set and kept in `folders`.
    #[must_use]
    pub fn in_folders(mut self, folders: Folders) -> Self {
        if let Some(path) = folders.config.clone() {
            self.settings = ConfigFile::read(path).settings().clone();
        }
        self.states.clone_from(&folders.states);
        self.stream.folder = folders.config.as_ref().and_then(|file| Some(file.parent()?.to_owned()));
        self.folders = folders;
        self
    }
}
