//! `maxout tetris colours`: the colours of all 256 levels.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use serde::Serialize;
use tetris::{Feature, hooks};

use super::sheet::Sheet;
use cli::error::Error;
use cli::game::{Choice, Known};
use cli::output;

/// Show the colours of all 256 levels, those from 138 on included.
///
/// A level's colours follow from its last digit, which the game finds by taking away ten for as
/// long as the rest is positive as a signed byte. From level 138 on the first look ends that, and
/// the colours are whatever stands behind the table. They are read from the cartridge where it
/// would read them.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  maxout tetris colours --out colours.png       a number and four colours each, 16 levels a row
  maxout tetris colours --json")]
pub(crate) struct Arguments {
    #[command(flatten)]
    cartridge: Choice,
    /// Draw them.
    #[arg(long, value_name = "OUT.png")]
    out: Option<PathBuf>,
    /// Print JSON instead of text.
    #[arg(long)]
    json: bool,
}

/// What the game writes to the palettes of the playfield and of the pieces.
#[derive(Serialize)]
struct LevelColours {
    level: u8,
    /// From which CPU address on.
    address: u16,
    /// Of the PPU; the first is never seen.
    colours: [u8; 4],
    /// Do they lie in the table of ten?
    intended: bool,
}

/// Levels of which each has colours of its own in the table.
const LISTED: u16 = 10;
/// Pixels from one level to the next.
const PITCH: (u32, u32) = (36, 24);
const LEVELS_A_ROW: u32 = 16;

/// The offset into the table of colours.
fn offset(level: u8) -> u8 {
    let mut rest = level;
    loop {
        rest = rest.wrapping_sub(10);
        if rest & 0x80 != 0 {
            break rest.wrapping_add(10).wrapping_mul(4);
        }
    }
}

/// What the cartridge has for a level: four of the PPU's colours and where they stand.
pub(crate) fn of_level(game: &Known, level: u8) -> (u16, [u8; 4]) {
    let address = game.profile.address(hooks::LEVEL_COLOURS).wrapping_add(u16::from(offset(level)));
    let colours = [0, 1, 2, 3].map(|place| game.cartridge.read(address.wrapping_add(place), 0) & 0x3F);
    (address, colours)
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, Error> {
    let game =
        arguments.cartridge.known_beside(Feature::Colours, &[], &[("--out", arguments.out.as_deref())])?;
    let levels: Vec<LevelColours> = (0..=255)
        .map(|level| {
            let (address, colours) = of_level(&game, level);
            LevelColours { level, address, colours, intended: u16::from(offset(level)) < 4 * LISTED }
        })
        .collect();
    if let Some(path) = &arguments.out {
        draw(&game, &levels).write(path)?;
    }
    output::print(&levels, arguments.json, |out| text(out, &levels))?;
    Ok(ExitCode::SUCCESS)
}

fn draw(game: &Known, levels: &[LevelColours]) -> Sheet {
    let mut sheet = Sheet::new(game, PITCH.0 * LEVELS_A_ROW, PITCH.1 * 256 / LEVELS_A_ROW);
    for &LevelColours { level, colours, .. } in levels {
        let place = u32::from(level);
        let (left, top) = (place % LEVELS_A_ROW * PITCH.0, place / LEVELS_A_ROW * PITCH.1);
        sheet.digits((left + 4, top + 2), &format!("{level:>3}"));
        for (number, colour) in (0..).zip(colours) {
            sheet.fill((left + 2 + 8 * number, top + 12), (8, 10), colour);
        }
    }
    sheet
}

fn text(out: &mut dyn Write, levels: &[LevelColours]) -> std::io::Result<()> {
    writeln!(out, "level  address  colours")?;
    for LevelColours { level, address, colours: [a, b, c, d], intended } in levels {
        let note = if *intended { "" } else { "  behind the table" };
        writeln!(out, "{level:>5}  ${address:04X}    {a:02X} {b:02X} {c:02X} {d:02X}{note}")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use nes::{Buttons, Config};
    use tetris::ram;

    use super::super::stage::Stage;
    use super::*;
    use cli::game::known;

    #[test]
    fn the_cartridge_itself_shows_these_colours_at_every_level() {
        let game = known(None, None, Feature::Colours).unwrap();
        let mut stage = Stage::in_play(&game, Config::default()).expect("a game begins");
        for level in 0..=255 {
            stage.poke(ram::LEVEL, &[level]);
            stage.poke(ram::DIRTY, &[stage.byte(ram::DIRTY) | 2]);
            (0..2).for_each(|_| stage.frame(Buttons::empty()));
            let shown = stage.emulator.state().board.ppu().palette_ram();
            let (_, colours) = of_level(&game, level);
            assert_eq!(shown[9..12], colours[1..], "level {level}");
            assert_eq!(shown[0x19..0x1C], colours[1..], "level {level}");
        }
    }
}
