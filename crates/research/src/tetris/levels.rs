//! `maxout tetris levels`: what a level is shown as, and after how many lines it comes.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use plotters::style::text_anchor::HPos;
use serde::Serialize;
use tetris::{Feature, hooks};

use super::sheet::Sheet;
use cli::drawing::{self, Drawn};
use cli::error::Error;
use cli::game::{Choice, Known};
use cli::output;

/// Show how each of the 256 levels is displayed, and at how many lines it is reached from each
/// start level.
///
/// Two tiles a level are listed for 30 levels; from level 30 on they are read from the tables that
/// follow. The lines are compared with the level as if their decimal digits were hexadecimal, with
/// a signed byte: hence the late first level from start level 10 on, the level that lasts for
/// hundreds of lines, and level 0 after 255.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  maxout tetris levels --out levels.png
  maxout tetris levels --json                   with every level of every start level")]
pub(crate) struct Arguments {
    #[command(flatten)]
    cartridge: Choice,
    /// Draw them in the cartridge's own tiles.
    #[arg(long, value_name = "OUT.png")]
    out: Option<PathBuf>,
    /// Print JSON instead of text.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Levels {
    /// By level: two hexadecimal digits, which are the numbers of the tiles.
    shown: Vec<String>,
    starts: Vec<Beginning>,
}

/// A game that begins at a level and goes on to level 0 after 255.
#[derive(Serialize)]
struct Beginning {
    start: u8,
    /// Lines at the first new level.
    first: u16,
    longest: Stay,
    /// Lines at which level 0 comes after 255.
    rebirth: u16,
    levels: Vec<Stay>,
}

/// A level, and the lines from which and up to which it lasts.
#[derive(Clone, Copy, Serialize)]
struct Stay {
    level: u8,
    from: u16,
    to: u16,
}

/// Start levels that the menu offers.
const STARTS: u8 = 20;
const LEVELS_A_ROW: u32 = 16;
/// Pixels from one level to the next.
const PITCH: (u32, u32) = (36, 24);
/// Pixels from one start level to the next.
const LINE: u32 = 10;
/// Pixels of a line of labels.
const TITLE: u32 = 14;
/// Pixels of the picture for each of a tile.
const ZOOM: u32 = 2;
/// The colours of a level as it is shown.
const SHOWN: [u8; 4] = [0x0F, 0x27, 0x27, 0x27];

impl Beginning {
    fn at(start: u8) -> Self {
        let (mut level, mut from, mut levels) = (start, 0, Vec::new());
        // A level comes at a multiple of ten lines. 256 of them are the least that can pass to
        // level 0.
        let mut lines = 0;
        while levels.is_empty() || level != 0 {
            lines += 10;
            if comes(level, lines) {
                levels.push(Stay { level, from, to: lines });
                (level, from) = (level.wrapping_add(1), lines);
            }
        }
        let first = levels[0].to;
        let longest = levels.iter().copied().max_by_key(|stay| stay.to - stay.from).unwrap_or(levels[0]);
        Self { start, first, longest, rebirth: lines, levels }
    }
}

/// Does a new level come after `level` at `lines`, a multiple of ten?
fn comes(level: u8, lines: u16) -> bool {
    // Hundreds are counted in binary, the rest in BCD; the game takes the middle byte of both.
    let tens = (((lines / 100) << 4) | (lines / 10 % 10)) as u8;
    level.wrapping_sub(tens) & 0x80 != 0
}

/// The byte whose halves are the tiles of a level.
fn glyphs(game: &Known, level: u8) -> u8 {
    game.cartridge.read(game.profile.address(hooks::LEVEL_GLYPHS).wrapping_add(u16::from(level)), 0)
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, Error> {
    let game = arguments.cartridge.known(Feature::Levels)?;
    let levels = Levels {
        shown: (0..=255).map(|level| format!("{:02X}", glyphs(&game, level))).collect(),
        starts: (0..STARTS).map(Beginning::at).collect(),
    };
    if let Some(path) = &arguments.out {
        draw(&game, &levels).map_err(|error| drawing::failure(path, &*error))?.write(path)?;
    }
    output::print(&levels, arguments.json, |out| text(out, &levels))?;
    Ok(ExitCode::SUCCESS)
}

/// Above, each level with what it is shown as under it; below, by start level: the lines of the
/// first new level, the longest level with its lines, those of level 0 after 255.
fn draw(game: &Known, levels: &Levels) -> Drawn<Sheet> {
    let table = TITLE + PITCH.1 * 256 / LEVELS_A_ROW + 2 * TITLE;
    let mut sheet = Sheet::new(game, PITCH.0 * LEVELS_A_ROW, table + LINE * u32::from(STARTS) + 4);
    for level in 0..=255_u8 {
        let place = u32::from(level);
        let (left, top) = (place % LEVELS_A_ROW * PITCH.0, TITLE + place / LEVELS_A_ROW * PITCH.1);
        sheet.digits((left + 4, top + 2), &format!("{level:>3}"));
        let tiles = glyphs(game, level);
        sheet.tile((left + 12, top + 12), tiles >> 4, SHOWN);
        sheet.tile((left + 20, top + 12), tiles & 0x0F, SHOWN);
    }
    for (row, Beginning { start, first, longest: Stay { level, from, to }, rebirth, .. }) in
        (0..).zip(&levels.starts)
    {
        let line = format!("{start:>11}{first:>11}{level:>11}{from:>11}{to:>11}{rebirth:>11}");
        sheet.digits((4, table + LINE * row), &line);
    }
    // Labels are placed on the enlarged picture; a column is eleven digits of eight pixels.
    let line = |from: u32| (ZOOM * (from + TITLE / 2)) as i32;
    let (title, heads) = (line(table - 2 * TITLE), line(table - TITLE));
    let mut labels = vec![
        ((8, line(0)), HPos::Left, "Levels 0 to 255, each above the digits that the cartridge shows for it"),
        ((8, title), HPos::Left, "Lines at which levels come, by start level"),
    ];
    let columns =
        ["start level", "first new level at", "longest level", "from lines", "to lines", "level 0 again at"];
    labels.extend(
        (1..)
            .zip(columns)
            .map(|(column, words)| ((ZOOM as i32 * (4 + 88 * column), heads), HPos::Right, words)),
    );
    sheet.labelled(ZOOM, &labels)
}

fn text(out: &mut dyn Write, levels: &Levels) -> std::io::Result<()> {
    writeln!(out, "level  shown as")?;
    for (level, shown) in levels.shown.iter().enumerate() {
        writeln!(out, "{level:>5}  {shown}")?;
    }
    writeln!(out, "\nstart  first new level  longest level        level 0 after 255")?;
    for Beginning { start, first, longest: Stay { level, from, to }, rebirth, .. } in &levels.starts {
        writeln!(out, "{start:>5}  {first:>9} lines  {level:>3}: {from:>4} to {to:>4}  {rebirth:>11} lines")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_comes_at_the_lines_of_the_published_tables() {
        let first: Vec<u16> = (0..STARTS).map(|start| Beginning::at(start).first).collect();
        assert_eq!(first[..10], [10, 20, 30, 40, 50, 60, 70, 80, 90, 100]);
        assert_eq!(first[10..], [100, 100, 100, 100, 100, 100, 110, 120, 130, 140]);
        for start in 15..20 {
            let Beginning { longest, rebirth, .. } = Beginning::at(start);
            assert_eq!((longest.level, longest.from, longest.to, rebirth), (235, 2290, 3100, 3300));
        }
        for (start, level, rebirth) in [(0, 219, 3360), (9, 219, 3360), (10, 220, 3350)] {
            let game = Beginning::at(start);
            assert_eq!((game.longest.level, game.rebirth), (level, rebirth), "start level {start}");
        }
    }
}
