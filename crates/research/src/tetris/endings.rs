//! `maxout tetris endings`: any ending of the game as a picture.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use nes::{Buttons, Config, Frame, Palette};
use tetris::Feature;
use tetris::ram::{self, play_state, render_mode};

use super::stage::{self, Stage};
use cli::error::Error;
use cli::game::{Choice, Known};
use cli::screenshot;

/// Show an ending of the game.
///
/// A game is begun, given its points or its goal by writing to RAM, and over. The A-type has
/// endings from 30,000, 50,000, 70,000, 100,000 and 120,000 points on; the B-type's follow from
/// level and height.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  maxout tetris endings --points 120000 --out rocket.png
  maxout tetris endings --points 120000 --frame 400 --out launch.png
  maxout tetris endings --level 9 --height 5 --out concert.png")]
pub(crate) struct Arguments {
    #[command(flatten)]
    cartridge: Choice,
    /// Points of an A-type game.
    #[arg(long, value_name = "N", required_unless_present = "level", value_parser = clap::value_parser!(u32).range(30_000..=999_999))]
    points: Option<u32>,
    /// Level of a B-type game.
    #[arg(long, value_name = "0..19", conflicts_with = "points", value_parser = clap::value_parser!(u8).range(0..20))]
    level: Option<u8>,
    /// Height of a B-type game.
    #[arg(long, value_name = "0..5", requires = "level", default_value_t = 0, value_parser = clap::value_parser!(u8).range(0..6))]
    height: u8,
    /// Which frame of the ending
    /// [default: of its first ten seconds, the one with the most sprites, where the rocket stands
    /// or flies and the dancers are on stage].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=36_000))]
    frame: Option<u32>,
    /// Where to draw it, 256 x 240.
    #[arg(long, value_name = "OUT.png")]
    out: PathBuf,
}

/// What earned the ending.
#[derive(Clone, Copy)]
enum Earned {
    Points(u32),
    Goal { level: u8, height: u8 },
}

/// Frames within which the ending begins.
const LONGEST_WAY: u32 = 1_000;
/// Frames of the ending that are looked at for the fullest.
const LOOKED_AT: u32 = 600;
/// The curtain's last row and one more.
const CURTAIN_DOWN: u8 = 20;

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, Error> {
    let &Arguments { points, level, height, frame, .. } = arguments;
    let game = arguments.cartridge.known_beside(
        Feature::Endings,
        &[],
        &[("--out", Some(arguments.out.as_path()))],
    )?;
    let earned = match (points, level) {
        (Some(points), _) => Earned::Points(points),
        (None, level) => Earned::Goal { level: level.unwrap_or_default(), height },
    };
    let mut stage = ending(&game, earned, &arguments.out)?;
    let picture = match frame {
        Some(frame) => {
            (0..frame).for_each(|_| stage.frame(Buttons::empty()));
            stage.emulator.state().picture().clone()
        }
        None => fullest(&mut stage),
    };
    screenshot::write(&arguments.out, &picture, &Palette::ntsc())?;
    Ok(ExitCode::SUCCESS)
}

/// The first picture with the most sprites on it.
fn fullest(stage: &mut Stage) -> Frame {
    let (mut most, mut fullest) = (0, stage.emulator.state().picture().clone());
    for _ in 0..LOOKED_AT {
        stage.frame(Buttons::empty());
        // A sprite's first byte is its line; from 239 on it is below the picture.
        let sprites =
            stage.emulator.state().board.ppu().oam().chunks(4).filter(|sprite| sprite[0] < 239).count();
        if sprites > most {
            (most, fullest) = (sprites, stage.emulator.state().picture().clone());
        }
    }
    fullest
}

/// The first frame of an ending, which is to be drawn as `out`.
fn ending(game: &Known, earned: Earned, out: &Path) -> Result<Stage, Error> {
    let missing = |reason: &str| Error::Drawing { path: out.into(), reason: reason.to_owned() };
    let mut stage = Stage::in_play(game, Config::default()).ok_or_else(|| missing("no game begins"))?;
    let mut poke = |place, bytes: &[u8]| stage.poke(place, bytes);
    match earned {
        Earned::Points(points) => {
            poke(ram::SCORE, &stage::points(points));
            poke(ram::CURTAIN_ROW, &[CURTAIN_DOWN]);
            poke(ram::PLAY_STATE, &[play_state::CURTAIN]);
        }
        Earned::Goal { level, height } => {
            poke(ram::GAME_TYPE, &[1]);
            poke(ram::LEVEL, &[level]);
            poke(ram::START_HEIGHT, &[height]);
            poke(ram::LINES, &[0, 0]);
            poke(ram::PLAY_STATE, &[play_state::B_GOAL]);
        }
    }
    for _ in 0..LONGEST_WAY {
        if stage.byte(ram::RENDER_MODE) == render_mode::ENDING {
            return Ok(stage);
        }
        stage.frame(Buttons::empty());
    }
    Err(missing("no ending begins"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use cli::game::known;

    #[test]
    fn points_decide_which_rocket_starts() {
        let game = known(None, None, Feature::Endings).unwrap();
        let ranks = [30_000, 49_999, 50_000, 70_000, 100_000, 120_000, 999_999].map(|points| {
            let mut stage = ending(&game, Earned::Points(points), Path::new("out.png")).unwrap();
            // The rocket is chosen while the screen is drawn in the dark.
            for _ in 0..20 {
                stage.frame(Buttons::empty());
            }
            stage.emulator.state().ram()[ram::ENDING.at()]
        });
        assert_eq!(ranks, [0, 0, 1, 2, 3, 4, 4]);
    }

    #[test]
    fn the_concert_adds_a_thousand_points_a_level_and_a_step_of_height() {
        let game = known(None, None, Feature::Endings).unwrap();
        for (level, height, thousands) in [(9, 5, 0x14), (0, 0, 0), (19, 2, 0x11)] {
            let mut stage = ending(&game, Earned::Goal { level, height }, Path::new("out.png")).unwrap();
            for _ in 0..600 {
                stage.frame(Buttons::empty());
            }
            let total = &stage.emulator.state().ram()[ram::B_TOTAL.range()];
            assert_eq!((total[1] >> 4) + (total[2] << 4), thousands, "level {level}, height {height}");
        }
    }
}
