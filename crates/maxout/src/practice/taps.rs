//! Taps that placements need, and those that were made.

use std::fmt::Write as _;
use std::path::PathBuf;

use nes::Region;
use practice::{Needed, TapRow, TapTable, needed_table, pace_of};
use serde::Serialize;

use super::kept;
use super::page::Page;
use super::report::sorted;
use cli::error::Error;
use cli::interrupt::Interrupt;
use cli::machine::Television;
use cli::output;
use cli::written::Kind;

/// Print the tapping speed needed to bring an upright I into a well, by level, stack height and
/// column. For kept games, also print the speed used and needed, by level and column.
///
/// Rotation and shifts start in the same frame, one tap each, evenly spaced. A placement needs the
/// slowest such taps that bring the piece there from the frame of its first tap; tucks, spins and
/// placements of fewer than two taps are ignored. Games are files or folders; any other file is a
/// ROM that they were played on, in addition to the built-in cartridge.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  maxout practice taps
  maxout practice taps --level 19 --level 29 --reaction 4
  maxout practice taps --region pal --level 18
  maxout practice taps games tetris.nes --json")]
pub(super) struct Arguments {
    /// Games, folders of games, and ROMs.
    #[arg(value_name = "GAME|FOLDER|ROM")]
    files: Vec<PathBuf>,
    /// Memory map of a cartridge that is not recognised (docs/profiles.md).
    #[arg(long, value_name = "FILE.toml")]
    profile: Option<PathBuf>,
    /// A level of the table. Can be repeated [default: 18, 19 and 29].
    #[arg(long = "level", value_name = "N")]
    levels: Vec<u8>,
    /// Frames from a spawn to your first tap, for the table.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u16).range(0..=60))]
    reaction: u16,
    /// Region whose cartridges and console the table is of [default: the first ROM's, or NTSC].
    #[arg(long)]
    region: Option<Television>,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// Levels of the table, if none is asked for.
const LEVELS: [u8; 3] = [18, 19, 29];

#[derive(Serialize)]
struct Listed {
    #[serde(skip)]
    region: Region,
    pal: bool,
    reaction: u16,
    needed: Vec<OfLevel>,
    games: usize,
    /// Games of the computer, from positions or with a given score.
    not_counted: usize,
    made: Vec<TapLine>,
    left_out: Vec<String>,
}

#[derive(Serialize)]
struct OfLevel {
    level: u8,
    rows: Vec<Vec<Cell>>,
}

#[derive(Serialize)]
struct Cell {
    #[serde(flatten)]
    needed: Needed,
    hertz: Option<f64>,
}

/// Taps needed and made, as they are printed.
#[derive(Clone, Debug, Serialize)]
pub(super) struct TapLine {
    level: u8,
    column: u8,
    placements: u32,
    needed: f64,
    needed_most: f64,
    made: f64,
    made_least: f64,
}

impl From<&TapRow> for TapLine {
    fn from(row: &TapRow) -> Self {
        Self {
            level: row.level,
            column: row.column,
            placements: row.placements,
            needed: row.needed(),
            needed_most: row.needed_most(),
            made: row.made(),
            made_least: row.made_least(),
        }
    }
}

impl TapLine {
    pub(super) fn of(table: &TapTable) -> Vec<Self> {
        table.rows().iter().map(Self::from).collect()
    }

    /// The cells of a table; columns count from 1 there, as everywhere that people read them.
    fn cells(&self) -> Vec<String> {
        let hertz = [self.needed, self.needed_most, self.made, self.made_least];
        let counts = [u32::from(self.level), u32::from(self.column) + 1, self.placements];
        counts
            .map(|count| count.to_string())
            .into_iter()
            .chain(hertz.map(|hertz| format!("{hertz:.1}")))
            .collect()
    }
}

const HEAD: [&str; 7] =
    ["level", "column", "placements", "needed, Hz", "most needed", "made, Hz", "fewest made"];

pub(super) fn run(arguments: &Arguments) -> Result<(), Error> {
    let Arguments { files, profile, levels, reaction, region, json } = arguments;
    let levels = if levels.is_empty() { LEVELS.as_slice() } else { levels };
    let (mut table, mut left_out, mut not_counted) = (TapTable::default(), vec![], 0);
    let (games, cartridges) = match &files[..] {
        [] => (vec![], vec![]),
        files => sorted("taps", files, profile.as_deref(), &[Kind::Kept])
            .map(|(games, cartridges, _)| (games, cartridges))?,
    };
    let given = cartridges.first().map_or(Region::Ntsc, |known| known.cartridge.info().region);
    let region = region.map_or(given, Into::into);
    let interrupt = Interrupt::listen();
    for path in &games {
        interrupt.check()?;
        match kept::taps(path, &cartridges, &interrupt) {
            Ok(Some(taps)) => table.add(&taps),
            Ok(None) => not_counted += 1,
            Err(Error::Interrupted) => return Err(Error::Interrupted),
            Err(error) => left_out.push(error.to_string()),
        }
    }
    for reason in &left_out {
        tty::tell!("warning: left out: {reason}");
    }
    let of_level = |&level: &u8| {
        let rows = needed_table(region, level, *reaction).into_iter().map(|row| {
            let hertz = |needed: &Needed| needed.tenths.map(|tenths| f64::from(tenths) / 10.0);
            row.into_iter().map(|needed| Cell { hertz: hertz(&needed), needed }).collect()
        });
        OfLevel { level, rows: rows.collect() }
    };
    let listed = Listed {
        region,
        pal: region == Region::Pal,
        reaction: *reaction,
        needed: levels.iter().map(of_level).collect(),
        games: games.len() - left_out.len() - not_counted,
        not_counted,
        made: TapLine::of(&table),
        left_out,
    };
    output::print(&listed, *json, |out| out.write_all(listed.text().as_bytes()))
}

impl Listed {
    fn text(&self) -> String {
        let mut text = String::new();
        for OfLevel { level, rows } in &self.needed {
            let _ = writeln!(
                text,
                "{}\nrows   column\n    {}",
                title(self.region, *level, self.reaction),
                columns()
            );
            for row in rows.iter().rev() {
                let _ = write!(text, "{:>4}", row[0].needed.height);
                let cells: Vec<String> = row.iter().map(|cell| format!("{:>6}", cell.needed)).collect();
                let _ = writeln!(text, "{}", cells.concat());
            }
            text.push('\n');
        }
        if self.games > 0 || !self.left_out.is_empty() {
            let _ = writeln!(text, "taps a second in {} games, by level and leftmost column", self.games);
            let _ = writeln!(text, "{}", HEAD.map(|name| format!("{name:>12}")).concat());
            for made in &self.made {
                let cells: Vec<String> = made.cells().iter().map(|cell| format!("{cell:>12}")).collect();
                let _ = writeln!(text, "{}", cells.concat());
            }
        }
        text
    }
}

fn columns() -> String {
    let columns: Vec<String> = (1..=10).map(|column| format!("{column:>6}")).collect();
    columns.concat()
}

fn title(region: Region, level: u8, reaction: u16) -> String {
    let pal = if region == Region::Pal { " on PAL" } else { "" };
    format!(
        "level {level}{pal} ({} frames a row), first tap {reaction} frames after the spawn: taps a second that an I needs upright into a well",
        pace_of(region).frames_per_row(level)
    )
}

/// Levels of a table whose pieces fall at different speeds; the usual ones of an empty table.
fn levels_of(table: &TapTable, region: Region) -> Vec<u8> {
    let mut levels: Vec<u8> = table.rows().iter().map(|row| row.level).collect();
    levels.dedup_by_key(|level| pace_of(region).frames_per_row(*level));
    if levels.is_empty() { LEVELS.to_vec() } else { levels }
}

/// What was needed beside what was made, and what an I needs at the same levels.
pub(super) fn show(page: &mut Page, table: &TapTable, region: Region, reaction: u16) {
    page.line("<h2>Taps a second, needed and made</h2>");
    if table.rows().is_empty() {
        page.line("<p>no placement took two taps</p>");
    } else {
        page.table(&HEAD, table.rows().iter().map(|row| TapLine::from(row).cells()));
    }
    for level in levels_of(table, region) {
        page.line(format_args!("<h3>{}</h3>", title(region, level, reaction)));
        let head: Vec<String> = std::iter::once("rows".to_owned())
            .chain((1..=10).map(|column| format!("column {column}")))
            .collect();
        let head: Vec<&str> = head.iter().map(String::as_str).collect();
        let rows = needed_table(region, level, reaction).into_iter().rev().map(|row| {
            let height = row[0].height.to_string();
            std::iter::once(height).chain(row.iter().map(ToString::to_string)).collect()
        });
        page.table(&head, rows);
    }
}
