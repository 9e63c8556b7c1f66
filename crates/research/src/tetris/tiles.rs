//! `maxout tetris tiles`: pieces of other shapes and looks, as a patch.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use cli::unexpected::Unexpected;
use draft::Draft;
use nes::Cartridge;
use nes::cartridge::patch::ips;
use serde::Deserialize;
use tetris::{Feature, Orientation, hooks};
use thiserror::Error;

use super::orientations;
use cli::error::{Error, wrong};
use cli::game::{Choice, Known};
use cli::image_file;
use cli::machine::hex_byte;

/// Write a patch that gives pieces other cells and tiles another look.
///
/// The cartridge's file is left alone: the patch is IPS, for any program that applies such.
/// Orientations have the numbers that `maxout tetris orientations` shows.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  maxout tetris tiles disjoint.toml --out disjoint.ips --picture pieces.png

The file names orientations and tiles in hexadecimal; what it leaves out stays:
  [orientations]
  0A = { cells = [[0, -2], [0, 1], [1, -2], [1, 1]] }   row, column, -4 to 4
  12 = { tile = 0x7C }
  [tiles]
  7B = [\"........\", \".11.11..\", \"1111111.\", \"1111111.\",
        \".11111..\", \"..111...\", \"...1....\", \"........\"]")]
pub(crate) struct Arguments {
    /// Shapes and looks.
    skin: PathBuf,
    #[command(flatten)]
    cartridge: Choice,
    /// Where to write the patch.
    #[arg(long, value_name = "OUT.ips")]
    out: PathBuf,
    /// Draw the patched cartridge's orientations.
    #[arg(long, value_name = "OUT.png")]
    picture: Option<PathBuf>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Skin {
    #[serde(default)]
    orientations: BTreeMap<String, Shape>,
    #[serde(default)]
    tiles: BTreeMap<String, [String; 8]>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Shape {
    tile: Option<u8>,
    cells: Option<[[i8; 2]; 4]>,
}

/// Bytes of an orientation in the cartridge's table.
const SHAPE: usize = 12;
/// What a file without sense is answered.
const EXPECTED: &str =
    "expected tables [orientations] and [tiles], as `maxout tetris tiles --help` shows them";
/// How far from the pivot a cell may be.
const REACH: std::ops::RangeInclusive<i8> = -4..=4;

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, Error> {
    let outputs = [("--out", Some(arguments.out.as_path())), ("--picture", arguments.picture.as_deref())];
    let inputs = [("the skin", Some(arguments.skin.as_path()))];
    let game = arguments.cartridge.known_beside(Feature::Tiles, &inputs, &outputs)?;
    let text = String::from_utf8_lossy(&image_file::read(&arguments.skin)?).into_owned();
    let image = patched(&game, &text).map_err(wrong(&arguments.skin))?;
    if let Some(path) = &arguments.picture {
        draw(&game, &image, path)?;
    }
    let patch = ips::write(&game.image, &image).map_err(wrong(&arguments.out))?;
    Draft::write_file(&arguments.out, &patch)?;
    Ok(ExitCode::SUCCESS)
}

fn draw(game: &Known, image: &[u8], path: &Path) -> Result<(), Error> {
    let cartridge = Cartridge::from_bytes(image).map_err(wrong(path))?;
    let profile = game.profile.clone();
    orientations::sheet(&Known { image: image.to_vec(), cartridge, profile }, 0).write(path)
}

/// Why a skin cannot be put on.
#[derive(Debug, Error)]
enum SkinError {
    #[error("line {line}: {message}; {EXPECTED}")]
    Text { line: usize, message: String },
    #[error("nothing to change; {EXPECTED}")]
    Nothing,
    #[error("{name}: {source}")]
    Number { name: String, source: Unexpected },
    #[error("orientation {0}: expected 00 to 13")]
    Orientation(String),
    #[error("orientation {0}: the cartridge ends before it")]
    NoOrientation(String),
    #[error("orientation {name}: found cell {row}, {column}: expected -4 to 4")]
    Cell { name: String, row: i8, column: i8 },
    #[error("tile {0}: the cartridge has none in ROM")]
    NoTile(String),
    #[error("tile {name}: found {row:?}: expected 8 of . 1 2 3")]
    Row { name: String, row: String },
}

/// Returns the image with the skin's shapes and looks.
fn patched(game: &Known, text: &str) -> Result<Vec<u8>, SkinError> {
    let skin: Skin = toml::from_str(text).map_err(|error| {
        let before = text.as_bytes().iter().take(error.span().map_or(0, |span| span.start));
        let line = before.filter(|&&byte| byte == b'\n').count() + 1;
        SkinError::Text { line, message: error.message().to_owned() }
    })?;
    if skin.orientations.is_empty() && skin.tiles.is_empty() {
        return Err(SkinError::Nothing);
    }
    let number = |name: &String| {
        let number = hex_byte(name).map(usize::from);
        number.map_err(|source| SkinError::Number { name: name.clone(), source })
    };
    let mut image = game.image.clone();
    let shapes = game.offset(hooks::ORIENTATIONS);
    for (name, Shape { tile, cells }) in &skin.orientations {
        let id = number(name)?;
        if id >= Orientation::COUNT {
            return Err(SkinError::Orientation(name.clone()));
        }
        let entry = image
            .get_mut(shapes + id * SHAPE..shapes + (id + 1) * SHAPE)
            .ok_or_else(|| SkinError::NoOrientation(name.clone()))?;
        for (number, bytes) in entry.chunks_exact_mut(3).enumerate() {
            if let Some([row, column]) = cells.map(|cells| cells[number]) {
                if !REACH.contains(&row) || !REACH.contains(&column) {
                    return Err(SkinError::Cell { name: name.clone(), row, column });
                }
                (bytes[0], bytes[2]) = (row as u8, column as u8);
            }
            bytes[1] = tile.unwrap_or(bytes[1]);
        }
    }
    let tiles = game.game_tiles();
    for (name, rows) in &skin.tiles {
        let tile = number(name)?;
        let planes = image
            .get_mut(tiles + 16 * tile..tiles + 16 * (tile + 1))
            .ok_or_else(|| SkinError::NoTile(name.clone()))?;
        for (y, row) in rows.iter().enumerate() {
            let [low, high] =
                planes_of(row).ok_or_else(|| SkinError::Row { name: name.clone(), row: row.clone() })?;
            (planes[y], planes[y + 8]) = (low, high);
        }
    }
    Ok(image)
}

/// The two planes of a row of a tile.
fn planes_of(row: &str) -> Option<[u8; 2]> {
    if row.len() != 8 {
        return None;
    }
    row.bytes().try_fold([0, 0], |[low, high]: [u8; 2], dot| {
        let colour = b".123".iter().position(|&known| known == dot)? as u8;
        Some([low << 1 | colour & 1, high << 1 | colour >> 1])
    })
}
