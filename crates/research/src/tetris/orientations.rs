//! `maxout tetris orientations`: the table of the pieces as the cartridge has it, as pictures.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use serde::Serialize;
use tetris::{Feature, Orientation, Piece, hooks};

use super::colours;
use super::sheet::Sheet;
use cli::error::Error;
use cli::game::{Choice, Known};
use cli::output;

/// Show the twenty orientations of the pieces, the hidden one included, in the cartridge's own
/// tiles.
///
/// Shapes and tiles are read from the cartridge's table, so a patched cartridge shows its own
/// pieces.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  maxout tetris orientations --out pieces.png              five a row, in the colours of level 0
  maxout tetris orientations --out pieces.png --level 146
  maxout tetris orientations --json")]
pub(crate) struct Arguments {
    #[command(flatten)]
    cartridge: Choice,
    /// Draw them.
    #[arg(long, value_name = "OUT.png")]
    out: Option<PathBuf>,
    /// The level whose colours they have.
    #[arg(long, value_name = "0..255", default_value_t = 0)]
    level: u8,
    /// Print JSON instead of text.
    #[arg(long)]
    json: bool,
}

/// An orientation as the cartridge has it.
#[derive(Serialize)]
struct Entry {
    id: u8,
    /// Its letter; `None` for the hidden one.
    piece: Option<char>,
    /// Does the piece appear this way?
    spawn: bool,
    cells: [Cell; 4],
    /// What B makes of it.
    counterclockwise: u8,
    /// What A makes of it.
    clockwise: u8,
}

/// A cell, by row and column from the pivot.
#[derive(Clone, Copy, Serialize)]
struct Cell {
    row: i8,
    column: i8,
    tile: u8,
}

/// Bytes of an orientation in the cartridge's table.
const BYTES: u16 = 12;
const ENTRIES_A_ROW: u32 = 5;
/// Pixels from one orientation to the next.
const PITCH: (u32, u32) = (48, 56);
/// The pixel of the pivot.
const PIVOT: (i32, i32) = (20, 28);

fn table(game: &Known) -> Vec<Entry> {
    let read = |hook, at: u16| game.cartridge.read(game.profile.address(hook).wrapping_add(at), 0);
    Orientation::all()
        .map(|orientation| {
            let id = orientation.id();
            let cell = |number: u16| {
                let byte = |at| read(hooks::ORIENTATIONS, u16::from(id) * BYTES + 3 * number + at);
                Cell { row: byte(0) as i8, tile: byte(1), column: byte(2) as i8 }
            };
            let turned = |way| match orientation.piece() {
                Some(_) => read(hooks::ROTATIONS, 2 * u16::from(id) + way),
                None => id,
            };
            Entry {
                id,
                piece: orientation.piece().map(Piece::letter),
                spawn: orientation.piece().is_some_and(|piece| Orientation::spawn(piece) == orientation),
                cells: [0, 1, 2, 3].map(cell),
                counterclockwise: turned(0),
                clockwise: turned(1),
            }
        })
        .collect()
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, Error> {
    let game = arguments.cartridge.known(Feature::Orientations)?;
    if let Some(path) = &arguments.out {
        sheet(&game, arguments.level).write(path)?;
    }
    let entries = table(&game);
    output::print(&entries, arguments.json, |out| text(out, &entries))?;
    Ok(ExitCode::SUCCESS)
}

/// Each orientation in the colours of a level, with its number above it.
pub(crate) fn sheet(game: &Known, level: u8) -> Sheet {
    let entries = table(game);
    let rows = (entries.len() as u32).div_ceil(ENTRIES_A_ROW);
    let mut sheet = Sheet::new(game, PITCH.0 * ENTRIES_A_ROW, PITCH.1 * rows);
    let (_, colours) = colours::of_level(game, level);
    for (place, entry) in (0..).zip(entries) {
        let (left, top) = (place % ENTRIES_A_ROW * PITCH.0, place / ENTRIES_A_ROW * PITCH.1);
        sheet.digits((left + 2, top + 2), &format!("{:02X}", entry.id));
        for Cell { row, column, tile } in entry.cells {
            let x = left.checked_add_signed(PIVOT.0 + 8 * i32::from(column));
            let y = top.checked_add_signed(PIVOT.1 + 8 * i32::from(row));
            if let (Some(x), Some(y)) = (x, y) {
                sheet.tile((x, y), tile, colours);
            }
        }
    }
    sheet
}

fn text(out: &mut dyn Write, entries: &[Entry]) -> std::io::Result<()> {
    writeln!(out, "id  piece   B   A  tile  cells by row, column")?;
    for Entry { id, piece, spawn, cells, counterclockwise, clockwise } in entries {
        let (letter, spawn) = (piece.unwrap_or('-'), if *spawn { '*' } else { ' ' });
        write!(
            out,
            "{id:02X}  {letter}{spawn}     {counterclockwise:02X}  {clockwise:02X}    {:02X}",
            cells[0].tile
        )?;
        for Cell { row, column, .. } in cells {
            write!(out, "  {row:>2},{column:>2}")?;
        }
        writeln!(out)?;
    }
    writeln!(out, "* as it appears")
}
