//! A session, played.

use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use autopilot::{Autopilot, Settings};
use nes::{Buttons, Config, Console, Palette};
use practice::{Header, Kind, Log, Mode, Options, Outcome, Position, Recorder, Session};
use tetris::ram::play_state;
use tetris::{Feature, View};

use super::{Arguments, press, refused};
use crate::chance;
use cli::error::{Error, writing};
use cli::interrupt::Interrupt;
use cli::outcomes::Outcomes;
use cli::session::{config_of, read_movie};
use cli::{output, screenshot};

/// Frames of a game without a limit: about five minutes.
const USUAL_FRAMES: u64 = 20_000;
/// Frames between two looks at Ctrl-C.
const PORTION: u64 = 256;

/// A file that a game goes into while it is played.
struct Keeper {
    recorder: Recorder,
    file: File,
    path: PathBuf,
    /// Frames in which the computer played.
    by_computer: u64,
}

pub(super) fn run(arguments: &Arguments) -> Result<(), Error> {
    let mode: Mode = arguments.mode.as_deref().unwrap_or_default().parse().map_err(refused)?;
    let mut options = Options::default();
    arguments.options.iter().try_for_each(|text| options.set(text)).map_err(refused)?;
    let presses = arguments.press.as_deref().map(press::frames).transpose().map_err(refused)?;
    let position: Option<Position> =
        arguments.position.as_deref().map(str::parse).transpose().map_err(refused)?;
    let known = arguments.cartridge.known(Feature::Practice)?;
    let movie = arguments.input.as_deref().map(|path| read_movie(path, &known.cartridge)).transpose()?;
    let mut session = Session::new(known.profile.clone(), mode, options).map_err(refused)?;
    let config = Config { video: arguments.screenshot.is_some(), ..config_of(movie.as_ref()) };
    let mut console = Console::new(known.cartridge.clone(), config);
    let header = Header {
        mode,
        options,
        cartridge: known.profile.name.clone(),
        crc32: known.cartridge.crc32(),
        begun: SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs()),
        pieces: None,
        score: None,
    };
    let mut keeper = arguments.keep.as_deref().map(|folder| Keeper::new(folder, &header)).transpose()?;
    let mut log = Log::default();
    let scripted = presses.as_ref().map(|_| 0);
    let seed = arguments.seed.or(scripted).unwrap_or_else(chance::seed);
    if movie.is_none() {
        let begun = begin(&mut console, &mut session, seed, &mut log)?;
        if let Some(keeper) = &mut keeper {
            begun.into_iter().try_for_each(|buttons| keeper.push(buttons))?;
        }
        if let Some(position) = &position {
            session.enter(&mut console, position).map_err(refused)?;
            log = Log::default();
            log.begin(console.frame_number(), &session);
            if let Some(keeper) = &mut keeper {
                keeper.enter(position)?;
            }
        }
    }
    let first = console.frame_number();
    let mut player = Autopilot::new(known.profile.clone(), Settings::default());
    let interrupt = Interrupt::listen();
    let limits = Limits::of(arguments, movie.as_ref().map(|movie| movie.frames.len() as u64), first);
    while !limits.reached(&console, &session, &log) {
        if console.frame_number().is_multiple_of(PORTION) {
            interrupt.check()?;
        }
        let number = console.frame_number();
        let buttons = match (&movie, &presses) {
            (Some(movie), _) => movie.frame(number).pads[0],
            (None, Some(presses)) => {
                presses.get((number - first) as usize).copied().unwrap_or(Buttons::empty())
            }
            (None, None) => {
                if let Some(keeper) = &mut keeper {
                    keeper.computer_plays()?;
                }
                player.action(&console).buttons
            }
        };
        let records = session.frame(&mut console, buttons);
        log.observe(console.frame_number(), &session, &records);
        if let Some(keeper) = &mut keeper {
            keeper.push(buttons)?;
        }
        tty::panics::where_asked();
        if arguments.progress.is_some_and(|every| console.frame_number().is_multiple_of(every)) {
            tty::tell!("frame {}", console.frame_number());
        }
    }
    let mut outcomes = Outcomes::of(&console, &session, &log);
    outcomes.seed = movie.is_none().then_some(seed);
    if let Some(keeper) = keeper {
        outcomes.kept = Some(keeper.end(&console, &session, &log)?);
    }
    if let Some(path) = &arguments.screenshot {
        picture(path, &console, &session)?;
    }
    output::print(&outcomes, arguments.json, |out| out.write_all(outcomes.text().as_bytes()))
}

/// To the first frame of a game, whose first piece goes into the log.
fn begin(
    console: &mut Console,
    session: &mut Session,
    seed: u32,
    log: &mut Log,
) -> Result<Vec<Buttons>, Error> {
    let begun = practice::begin(console, session, seed.into()).map_err(refused)?;
    log.begin(console.frame_number(), session);
    Ok(begun)
}

/// Where a game is left.
struct Limits {
    frames: u64,
    pieces: u32,
    lines: u32,
}

impl Limits {
    fn of(arguments: &Arguments, movie: Option<u64>, first: u64) -> Self {
        let none = arguments.pieces.is_none() && arguments.lines.is_none();
        let usual = if none { movie.unwrap_or(first + USUAL_FRAMES) } else { u64::MAX };
        Self {
            frames: arguments.frames.unwrap_or(usual).min(movie.unwrap_or(u64::MAX)),
            pieces: arguments.pieces.unwrap_or(u32::MAX),
            lines: arguments.lines.unwrap_or(u32::MAX),
        }
    }

    fn reached(&self, console: &Console, session: &Session, log: &Log) -> bool {
        let mapped = session.profile().as_mapped(console.ram());
        let view = View::new(&mapped);
        let pieces: u32 = view.piece_counts().iter().sum();
        // A goal of the B-type is shown before the ending; a game that is over has its curtain.
        let over = session.outcome() != Outcome::Playing && view.play_state() == play_state::CURTAIN
            || session.outcome() == Outcome::Goal;
        let counts_down = session.mode().kind() == Kind::BType;
        console.frame_number() >= self.frames
            || !log.pieces.is_empty() && pieces > self.pieces
            || session.is_playing() && !counts_down && view.lines() >= self.lines
            || over
    }
}

impl Keeper {
    fn new(folder: &Path, header: &Header) -> Result<Self, Error> {
        let (recorder, bytes) = Recorder::new(header);
        let created = draft::create_new(folder, &header.file_stem(), practice::EXTENSION);
        let (mut file, path) = created.map_err(|error| writing(folder, error))?;
        file.write_all(&bytes).map_err(|error| writing(&path, error))?;
        Ok(Self { recorder, file, path, by_computer: 0 })
    }

    fn push(&mut self, buttons: Buttons) -> Result<(), Error> {
        let Some(bytes) = self.recorder.push([buttons, Buttons::empty()]) else { return Ok(()) };
        self.file.write_all(&bytes).map_err(|error| writing(&self.path, error))
    }

    /// The computer plays the frame that comes. The file says so at once, because the program may
    /// be killed.
    fn computer_plays(&mut self) -> Result<(), Error> {
        self.by_computer += 1;
        if self.by_computer > 1 {
            return Ok(());
        }
        let bytes = self.recorder.end(&[(practice::COMPUTER, self.by_computer.to_string())]);
        self.file.write_all(&bytes).map_err(|error| writing(&self.path, error))
    }

    fn enter(&mut self, position: &Position) -> Result<(), Error> {
        let bytes = self.recorder.position(position);
        self.file.write_all(&bytes).map_err(|error| writing(&self.path, error))
    }

    fn end(mut self, console: &Console, session: &Session, log: &Log) -> Result<PathBuf, Error> {
        let mut result = practice::result(session, log, console.state_hash()).to_vec();
        if self.by_computer > 0 {
            result.push((practice::COMPUTER, self.by_computer.to_string()));
        }
        let bytes = self.recorder.end(&result);
        self.file.write_all(&bytes).map_err(|error| writing(&self.path, error))?;
        self.file.sync_all().map_err(|error| writing(&self.path, error))?;
        Ok(self.path)
    }
}

/// The last picture, and what belongs over it.
fn picture(path: &Path, console: &Console, session: &Session) -> Result<(), Error> {
    let frame = console.picture();
    let mut rgba = vec![0; 4 * frame.pixels().len()];
    Palette::ntsc().paint(frame.pixels(), &mut rgba);
    practice::draw(&session.overlay(), &mut rgba);
    screenshot::write_rgba(path, &rgba)
}
