//! A game of any kind of file: kept, a movie, a recording of NestrisChamps, one line a placement.

use std::fmt::Write as _;
use std::path::Path;

use draft::Draft;
use nes::fm2::Movie;
use nes::{Config, Console};
use notation::ngf::{Gap, Recording};
use notation::{Turn, game};
use practice::{Log, Mode, Options, Session, Standing, Statistics};

use crate::error::{Error, wrong};
use crate::game::Known;
use crate::image_file;
use crate::interrupt::Interrupt;
use crate::kept;
use crate::session::{config_of, read_movie};

/// What a file says of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Maxout's own: buttons, and what decided the game.
    Kept,
    /// Buttons from power-on.
    Movie,
    /// Frames of NestrisChamps.
    Recording,
    /// A placement a line.
    Lines,
}

impl Kind {
    /// The kind of a file, by its ending.
    pub fn of(path: &Path) -> Option<Self> {
        let name = path.file_name()?.to_str()?.to_ascii_lowercase();
        if let Some(kind) = game::Kind::of(&name) {
            return Some(match kind {
                game::Kind::Recording => Self::Recording,
                game::Kind::Lines => Self::Lines,
            });
        }
        let ending = name.strip_suffix(".gz").unwrap_or(&name).rsplit_once('.')?.1;
        match ending {
            practice::EXTENSION => Some(Self::Kept),
            _ if movies::ENDINGS.contains(&ending) => Some(Self::Movie),
            _ => None,
        }
    }

    /// Endings, for messages.
    pub const ENDINGS: &str = ".mxgame, .fm2, .bk2, .mmo, .ngf, .ngf.gz, .csv or .jsonl";
}

/// Writes a recording of `NestrisChamps`, packed if the name ends in `.gz`.
///
/// # Errors
/// When it cannot be packed or written.
pub fn write_recording(path: &Path, recording: &Recording) -> Result<(), Error> {
    let is_packed = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("gz"));
    if is_packed {
        let bytes = recording.packed().map_err(|source| crate::error::writing(path, source))?;
        return Ok(Draft::write_file(path, &bytes)?);
    }
    Ok(Draft::write_file(path, recording.plain())?)
}

/// A game, as far as its file tells.
pub struct Written {
    /// The kind of its file.
    pub kind: Kind,
    /// What it is, in a few words.
    pub title: String,
    /// Its figures, a line each.
    pub summary: String,
    /// Its pieces and how they were placed.
    pub log: Log,
    /// Its placements.
    pub turns: Vec<Turn>,
    /// Who played it, and from where, as far as that is known.
    pub standing: Standing,
    /// Parts in which nothing could be read.
    pub gaps: Vec<Gap>,
    /// The game as it was kept.
    pub kept: Option<kept::Played>,
}

impl Written {
    /// Returns whether buttons are known, and with them taps, charge and finesse.
    pub fn has_buttons(&self) -> bool {
        matches!(self.kind, Kind::Kept | Kind::Movie)
    }
}

/// Reads a game of any kind. What could not be read of it is told on standard error.
///
/// # Errors
/// When it cannot be read, or is none of these kinds.
pub fn read(path: &Path, cartridges: &[Known], interrupt: &Interrupt) -> Result<Written, Error> {
    match Kind::of(path) {
        Some(Kind::Kept) => {
            let played = kept::play(path, cartridges, interrupt)?;
            let header = &played.game.header;
            Ok(Written {
                kind: Kind::Kept,
                title: format!("{} on {}", header.mode, header.cartridge),
                summary: played.summary(),
                turns: played.log.turns(),
                log: played.log.clone(),
                standing: played.game.standing(),
                gaps: Vec::new(),
                kept: Some(played),
            })
        }
        Some(Kind::Movie) => {
            let log = of_movie(path, cartridges, interrupt)?;
            let turns = log.turns();
            Ok(of_log(Kind::Movie, path, log, turns))
        }
        Some(kind @ Kind::Recording) => of_placements(path, kind, game::Kind::Recording),
        Some(kind @ Kind::Lines) => of_placements(path, kind, game::Kind::Lines),
        None => {
            let text = format!("expected a game that ends in {}", Kind::ENDINGS);
            Err(wrong(path)(text))
        }
    }
}

fn of_log(kind: Kind, path: &Path, log: Log, turns: Vec<Turn>) -> Written {
    let title = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let summary = summary(&log);
    Written { kind, title, summary, log, turns, standing: Standing::default(), gaps: Vec::new(), kept: None }
}

fn summary(log: &Log) -> String {
    let statistics = Statistics::of(log);
    let percent = |rate: Option<f64>| rate.map_or_else(|| "-".to_owned(), |rate| format!("{rate:.1}"));
    let (level, lines, score) = log.last;
    format!(
        "level      {level}\nlines      {lines}\nscore      {score}\npieces     {}\ntetrises   {} % of the lines\nEFF        {}\ndroughts   {} (longest {})\n",
        statistics.pieces,
        percent(statistics.tetris_rate),
        percent(statistics.efficiency),
        statistics.droughts,
        statistics.longest_drought
    )
}

/// A game of which placements are known, and no buttons.
fn of_placements(path: &Path, kind: Kind, of: game::Kind) -> Result<Written, Error> {
    let game = game::Game::read(of, &image_file::read(path)?).map_err(wrong(path))?;
    for warning in game.warnings() {
        tty::tell!("warning: {}: {warning}", path.display());
    }
    let log = Log::of_turns(&game.turns, game.last);
    let notes = game.notes();
    let mut written = of_log(kind, path, log, game.turns);
    for (word, text) in notes {
        let _ = writeln!(written.summary, "{word:<10} {text}");
    }
    written.gaps = game.reading.map_or_else(Vec::new, |reading| reading.gaps);
    Ok(written)
}

/// The pieces of a movie, played from power-on.
fn of_movie(path: &Path, cartridges: &[Known], interrupt: &Interrupt) -> Result<Log, Error> {
    let known = cartridges.first().ok_or_else(|| wrong(path)("expected a cartridge to play it on"))?;
    let movie: Movie = read_movie(path, &known.cartridge)?;
    let mode: Mode = "tetris".parse().map_err(wrong(path))?;
    let mut session = Session::new(known.profile.clone(), mode, Options::default()).map_err(wrong(path))?;
    let config = Config { video: false, ..config_of(Some(&movie)) };
    let mut console = Console::new(known.cartridge.clone(), config);
    let mut log = Log::default();
    for frame in 0..movie.frames.len() as u64 {
        if frame.is_multiple_of(256) {
            interrupt.check()?;
        }
        let input = movie.frame(frame);
        console.carry_out(input.commands, &known.cartridge, config);
        let records = session.frame(&mut console, input.pads[0]);
        log.observe(console.frame_number(), &session, &records);
    }
    Ok(log)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_what_its_ending_says() {
        for (name, kind) in [
            ("a.mxgame", Some(Kind::Kept)),
            ("a.FM2", Some(Kind::Movie)),
            ("a.bk2", Some(Kind::Movie)),
            ("a.b.ngf", Some(Kind::Recording)),
            ("games/a.ngf.gz", Some(Kind::Recording)),
            ("a.csv", Some(Kind::Lines)),
            ("a.jsonl", Some(Kind::Lines)),
            ("a.nes", None),
            ("ngf", None),
            ("a.gz", None),
        ] {
            assert_eq!(Kind::of(Path::new(name)), kind, "{name}");
        }
    }
}
