//! A game of any kind of file: kept, a movie, a recording of NestrisChamps, one line a placement.

use std::fmt::Write as _;
use std::path::Path;

use nes::fm2::Movie;
use nes::{Config, Console};
use notation::ngf::{Found, Gap, Recording, find};
use notation::{Turn, lines};
use practice::{Log, Mode, Options, Session, Standing, Statistics};

use crate::error::{Error, wrong};
use crate::image_file;
use crate::interrupt::Interrupt;
use crate::practice::kept;
use crate::session::{config_of, read_movie};
use crate::tetris::game::Known;

/// What a file says of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Kept,
    Movie,
    Recording,
    Lines,
}

impl Kind {
    /// The kind of a file, by its ending.
    pub(crate) fn of(path: &Path) -> Option<Self> {
        let name = path.file_name()?.to_str()?.to_ascii_lowercase();
        let ending = name.strip_suffix(".gz").unwrap_or(&name).rsplit_once('.')?.1;
        match ending {
            practice::EXTENSION => Some(Self::Kept),
            "fm2" => Some(Self::Movie),
            notation::ngf::EXTENSION => Some(Self::Recording),
            "csv" | "jsonl" => Some(Self::Lines),
            _ => None,
        }
    }

    /// Endings, for messages.
    pub(crate) const ENDINGS: &str = ".mxgame, .fm2, .ngf, .ngf.gz, .csv or .jsonl";
}

/// A game, as far as its file tells.
pub(crate) struct Written {
    pub(crate) kind: Kind,
    /// What it is, in a few words.
    pub(crate) title: String,
    /// Its figures, a line each.
    pub(crate) summary: String,
    pub(crate) log: Log,
    pub(crate) turns: Vec<Turn>,
    /// Who played it, and from where, as far as that is known.
    pub(crate) standing: Standing,
    /// Parts in which nothing could be read.
    pub(crate) gaps: Vec<Gap>,
    /// The game as it was kept.
    pub(crate) kept: Option<kept::Played>,
}

impl Written {
    /// Returns whether buttons are known, and with them taps, charge and finesse.
    pub(crate) fn has_buttons(&self) -> bool {
        matches!(self.kind, Kind::Kept | Kind::Movie)
    }
}

/// Reads a game of any kind. What could not be read of it is told on standard error.
pub(crate) fn read(path: &Path, cartridges: &[Known], interrupt: &Interrupt) -> Result<Written, Error> {
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
        Some(Kind::Recording) => recording(path),
        Some(Kind::Lines) => {
            let turns = lines::read(&image_file::read(path)?).map_err(wrong(path))?;
            let last =
                turns.last().map_or((0, 0, None), |turn| (turn.level, turn.lines + turn.cleared, turn.score));
            let log = Log::of_turns(&turns, last);
            Ok(of_log(Kind::Lines, path, log, turns))
        }
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

/// The longest game of a recording.
fn recording(path: &Path) -> Result<Written, Error> {
    let recording = Recording::read(&image_file::read(path)?).map_err(wrong(path))?;
    if let Some(damage) = recording.damage() {
        tty::tell!("warning: {}: {damage}", path.display());
    }
    let mut games = find(&recording);
    games.sort_by_key(|game| std::cmp::Reverse(game.turns.len()));
    if games.len() > 1 {
        tty::tell!("warning: {}: {} games: the longest is read", path.display(), games.len());
    }
    let Some(game) = games.into_iter().next().filter(|game| !game.turns.is_empty()) else {
        return Err(wrong(path)("expected frames of a game, found none in which a piece locks"));
    };
    let Found { turns, gaps, frames, unread, pieces, last } = game;
    let log = Log::of_turns(&turns, last);
    let found = turns.len();
    let mut written = of_log(Kind::Recording, path, log, turns);
    let summary = &mut written.summary;
    let counted = pieces.map_or_else(String::new, |pieces| format!(" of {pieces} that the game counted"));
    let _ = writeln!(
        summary,
        "read       {found} placements{counted}; {unread} of {frames} frames could not be read"
    );
    for Gap { frame, ms: [from, to], pieces } in &gaps {
        let missed = pieces.map_or_else(|| "an unknown number of".to_owned(), |pieces| pieces.to_string());
        let _ = writeln!(
            summary,
            "missing    {missed} pieces from frame {frame} on, {:.1} to {:.1} s",
            f64::from(*from) / 1_000.0,
            f64::from(*to) / 1_000.0
        );
    }
    written.gaps = gaps;
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
