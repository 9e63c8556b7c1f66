//! `maxout tetris forecast`: the piece that the game will pick, by the frame in which it picks.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use randomizers::Picker;
use serde::Serialize;
use tetris::{Piece, View, ram};

use super::game::{Known, known};
use crate::error::Error;
use crate::machine::PowerOn;
use crate::session::{Session, run_frame};

/// Print which piece the game picks in each of the coming frames, if it picks in that frame.
///
/// A piece is picked when the one in play gives way to the next: the pick is the piece after the next. Until then the
/// random number register takes one step a frame whatever the player does, so the player chooses the piece by
/// choosing the frame. Computed from RAM alone, at the end of a movie, of a saved state or of so many frames.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  maxout tetris forecast --movie game.fm2 --frames 3000
  maxout tetris forecast game.nes --load-state game.state -n 60 --json")]
pub(crate) struct Arguments {
    /// Cartridge image; without one, the built-in cartridge.
    rom: Option<PathBuf>,
    /// Frames to run before the forecast [default: the movie's length, or 0].
    #[arg(long, value_name = "N")]
    frames: Option<u64>,
    /// Movie in FCEUX's text format to play.
    #[arg(long, value_name = "FILE.fm2")]
    movie: Option<PathBuf>,
    /// Begin from a saved state instead of power-on.
    #[arg(long, value_name = "FILE")]
    load_state: Option<PathBuf>,
    /// Where this cartridge keeps things, if it is not a known one.
    #[arg(long, value_name = "FILE.toml")]
    profile: Option<PathBuf>,
    /// Coming frames to look at.
    #[arg(short = 'n', long = "coming", value_name = "N", default_value_t = 32,
          value_parser = clap::value_parser!(u32).range(1..=65_536))]
    coming: u32,
    #[command(flatten)]
    power_on: PowerOn,
    /// Print one JSON object instead of text.
    #[arg(long)]
    json: bool,
}

/// What the game shows, and what it would pick.
#[derive(Serialize)]
struct Forecast {
    /// Frames since power-on.
    frame: u64,
    lfsr: u16,
    spawn_count: u8,
    /// Orientation that the last pick chose; 0 before the first of a game.
    last_piece: u8,
    /// In play.
    piece: Option<char>,
    next: Option<char>,
    picks: Vec<Pick>,
}

/// A pick in one of the coming frames.
#[derive(Serialize)]
struct Pick {
    frame: u64,
    /// The register at the pick.
    lfsr: u16,
    piece: char,
    /// Does the game roll again, by the biased path?
    rolls_again: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, Error> {
    let Known { cartridge, profile, .. } = known(arguments.rom.as_deref(), arguments.profile.as_deref())?;
    let config = nes::Config { video: false, ..arguments.power_on.config(None) };
    let (movie, state) = (arguments.movie.as_deref(), arguments.load_state.as_deref());
    let mut session = Session::begin(cartridge, config, movie, state)?;
    let frames = arguments.frames.or(session.length()).unwrap_or(0);
    session.play(frames, |console, _, pads| {
        run_frame(console, pads);
        Ok(())
    })?;
    let console = session.console;
    let mapped = profile.as_mapped(console.ram());
    let view = View::new(&mapped);
    if !(view.in_game() && view.in_play()) {
        return Err(Error::NoGame { frame: console.frame_number(), mode: view.game_mode() });
    }
    let forecast = Forecast::new(view, console.frame_number(), arguments.coming);
    forecast.print(arguments.json).map_err(Error::Output)?;
    Ok(ExitCode::SUCCESS)
}

impl Forecast {
    fn new(view: View, frame: u64, coming: u32) -> Self {
        let now = Picker {
            lfsr: view.lfsr(),
            spawn_count: view.byte(ram::SPAWN_COUNT),
            spawn_orientation: view.byte(ram::LAST_PIECE),
        };
        let picks = (1..=coming)
            .map(|frames| {
                let mut picker = now;
                picker.wait(frames);
                let lfsr = picker.lfsr;
                let piece = picker.pick().letter();
                Pick { frame: frame + u64::from(frames), lfsr, piece, rolls_again: picker.lfsr != lfsr }
            })
            .collect();
        Self {
            frame,
            lfsr: now.lfsr,
            spawn_count: now.spawn_count,
            last_piece: now.spawn_orientation,
            piece: view.piece().map(Piece::letter),
            next: view.next().map(Piece::letter),
            picks,
        }
    }

    fn print(&self, json: bool) -> std::io::Result<()> {
        let mut out = std::io::BufWriter::new(std::io::stdout().lock());
        if json {
            serde_json::to_writer(&mut out, self)?;
            writeln!(out)?;
            return out.flush();
        }
        let letter = |piece: Option<char>| piece.unwrap_or('-');
        writeln!(out, "frame {}, in play {}, next {}", self.frame, letter(self.piece), letter(self.next))?;
        writeln!(out, "  frame    in   LFSR  pick")?;
        for pick in &self.picks {
            let again = if pick.rolls_again { "  second roll" } else { "" };
            let ahead = pick.frame - self.frame;
            writeln!(out, "{:>7}  {ahead:>4}  ${:04X}  {}{again}", pick.frame, pick.lfsr, pick.piece)?;
        }
        out.flush()
    }
}
