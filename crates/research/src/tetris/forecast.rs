//! `maxout tetris forecast`: the piece that the game will pick, by the frame in which it picks.

use std::io::Write;
use std::process::ExitCode;

use randomizers::Picker;
use serde::Serialize;
use tetris::{Feature, Piece, View, ram};

use super::replay::Replay;
use cli::error::Error;
use cli::output;

/// Print which piece the game picks in each of the coming frames, if it picks in that frame.
///
/// A piece is picked when the one in play gives way to the next: the pick is the piece after the
/// next. Until then the random number register takes one step a frame whatever the player does, so
/// the player chooses the piece by choosing the frame. Computed from RAM alone, at the end of a
/// movie, of a saved state or of so many frames.
#[derive(clap::Args)]
#[command(mut_arg("frames", |frames| frames.help("Frames to run before the forecast [default: the movie's length, or 0]")))]
#[command(after_help = "\
Examples:
  maxout tetris forecast --movie game.fm2 --frames 3000
  maxout tetris forecast game.nes --load-state game.state -n 60 --json")]
pub(crate) struct Arguments {
    #[command(flatten)]
    replay: Replay,
    /// Coming frames to look at.
    #[arg(short = 'n', long = "coming", value_name = "N", default_value_t = 32,
          value_parser = clap::value_parser!(u32).range(1..=65_536))]
    coming: u32,
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
    let mut game = arguments.replay.begin(Feature::Forecast)?;
    game.play(0, |_, _, _| Ok(()))?;
    let (memory, frame) = (game.memory(), game.frame());
    let view = View::new(&memory);
    if !(view.in_game() && view.in_play()) {
        return Err(Error::NoGame { frame, mode: view.game_mode() });
    }
    let forecast = Forecast::new(view, frame, arguments.coming);
    output::print(&forecast, arguments.json, |out| forecast.text(out))?;
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

    fn text(&self, out: &mut dyn Write) -> std::io::Result<()> {
        let letter = |piece: Option<char>| piece.unwrap_or('-');
        writeln!(out, "frame {}, in play {}, next {}", self.frame, letter(self.piece), letter(self.next))?;
        writeln!(out, "  frame    in   LFSR  pick")?;
        for pick in &self.picks {
            let again = if pick.rolls_again { "  second roll" } else { "" };
            let ahead = pick.frame - self.frame;
            writeln!(out, "{:>7}  {ahead:>4}  ${:04X}  {}{again}", pick.frame, pick.lfsr, pick.piece)?;
        }
        Ok(())
    }
}
