//! `maxout ai run`: the player on a running cartridge.

mod game;
mod report;

use std::path::PathBuf;
use std::time::Instant;

use ::value::Format;
use autopilot::{Mode, Settings};
use cli::unexpected::Unexpected;
use draft::Draft;
use nes::fm2::Movie;
use nes::{Palette, Region};
use randomizers::Kind;
use rayon::prelude::*;
use tetris::Feature;
use tetris::events::GameType;

use super::AiError;
use super::choices::PlayerChoice;
use super::value::MindOptions;
use cli::error::Error;
use cli::game::Choice;
use cli::interrupt::Interrupt;
use cli::progress::Progress;
use cli::screenshot;

/// Play on a running cartridge: from power-on through the menus, then piece after piece.
///
/// In gamepad mode it only presses buttons and reads RAM: two pieces are searched against gravity,
/// with taps every second frame and no auto shift. The other modes write the piece's position to
/// RAM, at once or a step a frame, as the script of "Applying AI to Nintendo Tetris" did.
#[derive(clap::Args)]
#[command(after_help = "\
Without a limit an A-type game is played for 230 lines; it ends earlier at the top. A seed is the number of frames that the
player waits in the level menu before Start, which decides the pieces. Levels 0 to 19 are
chosen in the menu (from 10 on with A and Start); a level above is written to RAM before the game begins. In gamepad mode
pieces may visit the places of a filter, but do not lock there if they can go elsewhere. A screenshot of a game that
earned an ending shows it.

A game that crashes (from level 155 on the original does, without --guard) ends there: the frame, the level and the jump that
went wild are said, and the exit status is 3. Ctrl-C prints the games that are finished, with exit status 130.

Decisions are timed in milliseconds of the processor. A movie of the buttons replays to the same state:
  maxout ai run --level 18 --lines 30 --movie-out game.fm2 --json
  maxout run --input game.fm2 --json

Examples:
  maxout ai run --level 18 --games 10
  maxout ai run --level 29 --lines 50 --games 10 --json
  maxout ai run --mode teleport --guard --level 29 --lines 3000
  maxout ai run --player value --level 18 --games 10
  maxout ai run --mode path --type b --level 9 --height 5 --screenshot ending.png
  maxout ai run tetris.nes --level 19 --screenshot end.png")]
pub(crate) struct Arguments {
    #[command(flatten)]
    cartridge: Choice,
    /// How pieces get to their placement: teleport, path, gamepad.
    #[arg(long, value_name = "MODE", default_value_t)]
    mode: Mode,
    /// The game's first level.
    #[arg(long, value_name = "0..255", default_value_t = 0)]
    level: u8,
    /// A-type or B-type.
    #[arg(long = "type", value_name = "a|b", default_value = "a", value_parser = game_type)]
    game_type: GameType,
    /// Height of the B-type's garbage.
    #[arg(long, value_name = "0..5", default_value_t = 0, value_parser = clap::value_parser!(u8).range(0..6))]
    height: u8,
    /// Stop at N lines.
    #[arg(long, value_name = "N")]
    lines: Option<u32>,
    /// Stop N frames after power-on.
    #[arg(long, value_name = "N")]
    frames: Option<u64>,
    /// Stop after N pieces.
    #[arg(long, value_name = "N")]
    pieces: Option<u32>,
    /// Games to play, on all processors.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    games: u32,
    /// Seed of the first game; game n, counted from 0, has the seed plus n.
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u32,
    /// Keep the points of a clear at those of level 29, so that the game does not crash from level
    /// 155 on.
    #[arg(long)]
    guard: bool,
    /// Deal the pieces of game n from this randomizer, its game number S + n;
    /// `maxout randomizer list` shows all.
    #[arg(long, value_name = "KIND")]
    randomizer: Option<Kind>,
    #[command(flatten)]
    player: PlayerChoice,
    /// The player: article, with --evaluator and --filter; or value, the player for points of
    /// `maxout ai value`, from level 18 to 330 lines.
    #[arg(long = "player", value_name = "PLAYER", default_value = "article")]
    who: Who,
    /// Taps and reaction of the player for points, as `maxout ai value play` has them.
    #[arg(long, value_name = "FORMAT", default_value = "bt-30hz-18f-cartridge")]
    format: Format,
    #[command(flatten)]
    mind: MindOptions,
    /// Write the buttons of the game, frame by frame from power-on, in FCEUX's text format.
    #[arg(long, value_name = "OUT.fm2")]
    movie_out: Option<PathBuf>,
    /// Write the last picture.
    #[arg(long, value_name = "OUT.png")]
    screenshot: Option<PathBuf>,
    /// Print one JSON object instead of a table.
    #[arg(long)]
    json: bool,
}

/// Who plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Who {
    Article,
    Value,
}

/// Lines of a game of the player for points without a limit: what an unmodified cartridge can be
/// played for.
const POINTS_LINES: u32 = 330;
/// Lines of an A-type game without a limit: from level 18 they lead to level 29.
const DEFAULT_LINES: u32 = 230;

/// Where a game stops before its own end.
#[derive(Clone, Copy)]
struct Limits {
    lines: u32,
    frames: u64,
    pieces: u32,
}

/// What progress is counted in.
#[derive(Clone, Copy)]
enum Unit {
    Frames,
    Pieces,
    Lines,
}

impl Unit {
    fn name(self) -> &'static str {
        match self {
            Self::Frames => "frames",
            Self::Pieces => "pieces",
            Self::Lines => "lines",
        }
    }
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Error> {
    let settings = arguments.settings();
    arguments.check(&settings)?;
    let outputs =
        [("--movie-out", arguments.movie_out.as_deref()), ("--screenshot", arguments.screenshot.as_deref())];
    let mut cartridge = arguments.cartridge.known_beside(Feature::Computer, &[], &outputs)?;
    for (feature, wanted) in
        [(Feature::Guard, arguments.guard), (Feature::Pieces, arguments.randomizer.is_some())]
    {
        if wanted {
            cartridge = arguments.cartridge.known(feature)?;
        }
    }
    let limits = arguments.limits();
    let points = match arguments.who {
        Who::Article => None,
        Who::Value => Some((arguments.format, arguments.mind.mind(&arguments.format)?.0)),
    };
    let interrupt = Interrupt::listen();
    let (total, unit) = arguments.extent(&limits);
    let progress = Progress::new(total.saturating_mul(arguments.games.into()), unit.name());
    let begun = Instant::now();
    let played = (0..arguments.games)
        .into_par_iter()
        .map(|number| {
            let table = game::Table {
                known: &cartridge,
                settings: settings.clone(),
                points: points.clone(),
                limits,
                guard: arguments.guard,
                randomizer: arguments.randomizer,
                seed: arguments.seed.wrapping_add(number),
                video: arguments.screenshot.is_some(),
                keeps: arguments.games == 1,
                counts: unit,
            };
            table.play(&interrupt, &progress)
        })
        .collect::<Vec<_>>();
    let seconds = begun.elapsed().as_secs_f64();
    progress.finish();
    let mut played: Vec<_> = played.into_iter().flatten().collect();
    if played.is_empty() {
        return Err(Error::Interrupted);
    }
    if let Some((frames, console)) = played.iter_mut().find_map(|played| played.kept.take()) {
        if let Some(path) = &arguments.movie_out {
            let movie = Movie {
                rom_filename: cartridge.profile.name.clone(),
                rom_checksum: Movie::checksum_of(cartridge.cartridge.info().md5.0),
                pal: cartridge.cartridge.info().region == Region::Pal,
                comments: vec![format!("author maxout ai run --level {}", arguments.level)],
                frames,
                ..Movie::default()
            };
            Draft::write_file(path, movie.to_string().as_bytes())?;
        }
        if let Some(path) = &arguments.screenshot {
            screenshot::write(path, console.picture(), &Palette::ntsc())?;
        }
    }
    let games: Vec<_> = played.into_iter().map(|played| played.result).collect();
    let finished = games.len() as u32;
    let crashes: Vec<_> = games.iter().filter_map(|game| game.crash.clone()).collect();
    report::print(arguments, games, seconds)?;
    if finished < arguments.games {
        return Err(Error::InterruptedGames { finished, games: arguments.games });
    }
    match crashes.into_iter().next() {
        Some(first) if arguments.games == 1 => Err(Error::Crashed(first)),
        Some(first) => Err(Error::Crashed(format!("in one of {} games or more, {first}", arguments.games))),
        None => Ok(()),
    }
}

impl Arguments {
    fn settings(&self) -> Settings {
        Settings {
            mode: self.mode,
            game_type: self.game_type,
            level: self.level,
            height: self.height,
            wait: self.seed,
            evaluator: self.player.evaluator.clone(),
            filter: self.player.filter.clone(),
        }
    }

    /// Refuses what does not go together.
    fn check(&self, settings: &Settings) -> Result<(), Error> {
        if self.movie_out.is_some() && (settings.writes() || self.guard) {
            return Err(AiError::MovieOfWrites.into());
        }
        let option = if self.movie_out.is_some() { "--movie-out" } else { "--screenshot" };
        let plain = self.mode == Mode::Gamepad && self.game_type == GameType::A && self.level == 18;
        if self.who == Who::Value && !plain {
            return Err(AiError::PlayerForPoints.into());
        }
        if self.games > 1 && (self.movie_out.is_some() || self.screenshot.is_some()) {
            return Err(AiError::OneOfMany { option, games: self.games }.into());
        }
        Ok(())
    }

    fn limits(&self) -> Limits {
        let usual = if self.who == Who::Value { POINTS_LINES } else { DEFAULT_LINES };
        let unlimited = self.lines.is_none() && self.frames.is_none() && self.pieces.is_none();
        let lines = if unlimited && self.game_type == GameType::A { Some(usual) } else { self.lines };
        Limits {
            lines: lines.unwrap_or(u32::MAX),
            frames: self.frames.unwrap_or(u64::MAX),
            pieces: self.pieces.unwrap_or(u32::MAX),
        }
    }

    /// What a game's progress is counted in.
    fn extent(&self, limits: &Limits) -> (u64, Unit) {
        match (self.frames, self.pieces) {
            (Some(frames), _) => (frames, Unit::Frames),
            (_, Some(pieces)) => (pieces.into(), Unit::Pieces),
            _ if self.game_type == GameType::B => (25, Unit::Lines),
            _ => (limits.lines.into(), Unit::Lines),
        }
    }
}

fn game_type(text: &str) -> Result<GameType, Unexpected> {
    match text {
        "a" | "A" => Ok(GameType::A),
        "b" | "B" => Ok(GameType::B),
        _ => Err(Unexpected::new("a or b")),
    }
}
