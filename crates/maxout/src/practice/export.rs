//! A game as another kind of file.

use std::path::{Path, PathBuf};

use draft::Draft;
use nes::fm2::{FrameInput, Movie};
use nes::{Config, Console, Region};
use notation::lines;
use notation::ngf::Recording;
use stream::nestris::Recorder;
use stream::{PAL_RATE, RATE, Snapshot};
use tetris::Feature;

use super::refused;
use cli::error::{Error, wrong};
use cli::game::{Choice, Known};
use cli::interrupt::Interrupt;
use cli::session::{HeadlessRun, config_of, read_movie};
use cli::written::{self, Kind};
use cli::{image_file, kept, output};

/// Export a game as an FCEUX movie, a NestrisChamps recording, one line per placement, a GIF or a
/// video.
///
/// A movie (.fm2) holds only games that buttons alone reproduce from power-on: the mode and the
/// options must not write to the console, and the game must not start from a position or a saved
/// state. A recording (.ngf, or .ngf.gz as NestrisChamps keeps it) shows any kept game or movie,
/// frame by frame. Lines (.csv, .jsonl) say board, piece, next piece and place of each placement
/// (docs/review-and-puzzles.md), of any kind of game. A GIF (.gif) and a video (.mp4, made by
/// ffmpeg) show a kept game, from its first piece on.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  maxout practice export games/GAME.mxgame --out game.fm2
  maxout practice export games/GAME.mxgame --out game.gif
  maxout practice export games/GAME.mxgame --out game.ngf.gz")]
pub(super) struct Export {
    /// The game's file: .mxgame, .fm2, .ngf, .ngf.gz, .csv or .jsonl.
    game: PathBuf,
    #[command(flatten)]
    cartridge: Choice,
    /// Output file; its ending sets the format: fm2, ngf, ngf.gz, csv, jsonl, gif or mp4.
    #[arg(long, value_name = "OUT")]
    out: PathBuf,
}

pub(super) fn export(arguments: &Export) -> Result<(), Error> {
    let Export { game, cartridge, out } = arguments;
    let inputs = [("the game", Some(game.as_path())), ("the cartridge", cartridge.rom.as_deref())];
    image_file::check_outputs(&inputs, &[("--out", Some(out.as_path()))])?;
    let known = [cartridge.known(Feature::Games)?];
    let ending = out.extension().and_then(|ending| ending.to_str());
    match (Kind::of(out), ending) {
        (Some(Kind::Movie), _) => movie(game, &known, out),
        (Some(Kind::Recording), _) => {
            let recording = recording(game, &known)?;
            written::write_recording(out, &recording)?;
            output::text(&format!("{} frames\n", recording.len()))
        }
        (Some(Kind::Lines), ending) => {
            let turns = written::read(game, &known, &Interrupt::listen())?.turns;
            let text = if ending == Some("csv") { lines::csv(&turns) } else { lines::json(&turns) };
            Draft::write_file(out, text.as_bytes())?;
            output::text(&format!("{} placements\n", turns.len()))
        }
        (_, Some("gif" | "mp4")) => pictures(game, &known, out),
        _ => Err(refused(format!(
            "--out: expected a name that ends in .fm2, .ngf, .ngf.gz, .csv, .jsonl, .gif or .mp4, found {}",
            out.display()
        ))),
    }
}

fn movie(game: &Path, known: &[Known], out: &Path) -> Result<(), Error> {
    let played = kept::play(game, known, &Interrupt::listen())?;
    if !played.is_a_movie {
        let mode = played.game.header.mode;
        let text = format!(
            "{mode} writes into the console, or the game begins from a position or a saved state, so that buttons alone cannot repeat it; a GIF, a video or a recording (.ngf.gz) can show it"
        );
        return Err(wrong(game)(text));
    }
    let frame = |pads| FrameInput { pads, ..FrameInput::default() };
    let movie = Movie {
        rom_filename: played.name,
        rom_checksum: Movie::checksum_of(played.md5),
        pal: played.region == Region::Pal,
        comments: vec![format!("author maxout practice {}", played.game.header.mode)],
        frames: played.delivered.into_iter().map(frame).collect(),
        ..Movie::default()
    };
    Draft::write_file(out, movie.to_string().as_bytes())?;
    output::text(&format!("{} frames\n", movie.frames.len()))
}

/// Returns a recorder of the cartridge's games.
fn recorder(known: &Known) -> Recorder {
    Recorder::new(if known.cartridge.info().region == Region::Pal { PAL_RATE } else { RATE })
}

fn snapshot(console: &Console, known: &Known) -> Snapshot {
    Snapshot::of(1, console.frame_number(), &known.profile, console.ram())
}

fn recording(path: &Path, cartridges: &[Known]) -> Result<Recording, Error> {
    let interrupt = Interrupt::listen();
    let config = Config { video: false, ..Config::default() };
    let recorder = match Kind::of(path) {
        Some(Kind::Kept) => {
            let (game, known) = kept::read(path, cartridges)?;
            let replay = practice::Replay::new(&game, known.cartridge.clone(), known.profile.clone(), config);
            let mut replay = replay.map_err(wrong(path))?;
            let mut recorder = recorder(known);
            while replay.step().map_err(wrong(path))?.is_some() {
                recorder.frame(&snapshot(replay.console(), known));
                if replay.frame().is_multiple_of(256) {
                    interrupt.check()?;
                }
            }
            recorder
        }
        Some(Kind::Movie) => {
            let known = &cartridges[0];
            let movie = read_movie(path, &known.cartridge)?;
            let config = Config { video: false, ..config_of(Some(&movie)) };
            let mut session = HeadlessRun::begin(known.cartridge.clone(), config, Some(movie), None)?;
            let frames = session.length().unwrap_or(0);
            let mut recorder = recorder(known);
            session.play(frames, |emulator, _, _| {
                recorder.frame(&snapshot(emulator.state(), known));
                Ok(())
            })?;
            recorder
        }
        _ => return Err(wrong(path)("expected a kept game (.mxgame) or a movie (.fm2) to record")),
    };
    if recorder.recording().is_empty() {
        return Err(wrong(path)("expected a game to record, found none in it"));
    }
    Ok(recorder.recording().clone())
}

#[cfg(feature = "window")]
fn pictures(path: &Path, known: &[Known], out: &Path) -> Result<(), Error> {
    let (game, known) = kept::read(path, known)?;
    let interrupt = Interrupt::listen();
    let (cartridge, profile) = (known.cartridge.clone(), known.profile.clone());
    let exported = desktop::export_game(&game, cartridge, profile, out, &interrupt.flag());
    interrupt.check()?;
    let frames = exported.map_err(wrong(path))?;
    output::text(&format!("{frames} frames\n"))
}

#[cfg(not(feature = "window"))]
fn pictures(_path: &Path, _known: &[Known], out: &Path) -> Result<(), Error> {
    Err(refused(format!("{}: this build has no window, and with it no GIF and no video", out.display())))
}
