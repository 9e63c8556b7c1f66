//! Games that were kept: their results, the folder they are in, and the table of them.

mod index;
mod shelf;

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use practice::{Kept, Standing, TapTable};
use serde::{Deserialize, Serialize};

pub(crate) use index::list;
pub(crate) use shelf::{Act, Part, Shelf};

/// No game is larger.
const MOST_BYTES: u64 = 16 << 20;

/// A game that was kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct KeptGame {
    #[serde(skip)]
    pub(crate) path: PathBuf,
    pub(crate) begun: SystemTime,
    pub(crate) mode: String,
    pub(crate) score: Option<u32>,
    pub(crate) level: Option<String>,
    pub(crate) lines: Option<String>,
    /// Lines by tetrises, in percent.
    pub(crate) tetris_rate: Option<String>,
    /// How it ended against the computer, and the computer's lines and score.
    pub(crate) versus: Option<[String; 3]>,
    /// Taps that its placements needed and got.
    #[serde(with = "as_text")]
    pub(crate) taps: TapTable,
    /// Who played it, and from where.
    pub(crate) standing: Standing,
}

/// Writes the table of taps as the kept game has it.
mod as_text {
    use practice::TapTable;
    use serde::de::{Deserialize, Deserializer, Error};
    use serde::ser::Serializer;

    pub(super) fn serialize<S: Serializer>(taps: &TapTable, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(taps)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<TapTable, D::Error> {
        let text = String::deserialize(deserializer)?;
        if text.is_empty() {
            return Ok(TapTable::default());
        }
        text.parse().map_err(D::Error::custom)
    }
}

/// Reads a kept game. None if it is none.
fn read(path: &Path) -> Option<KeptGame> {
    let bytes = draft::read_file(path, MOST_BYTES).ok()?;
    let game = Kept::read(&bytes).ok()?;
    let result = |name| game.result_of(name).map(str::to_owned);
    Some(KeptGame {
        begun: UNIX_EPOCH.checked_add(Duration::from_secs(game.header.begun))?,
        mode: game.header.mode.to_string(),
        score: game.result_of("score").and_then(|score| score.parse().ok()),
        level: result("level"),
        lines: result("lines"),
        tetris_rate: result("trt"),
        versus: versus(&game),
        taps: game.result_of("taps").and_then(|taps| taps.parse().ok()).unwrap_or_default(),
        standing: game.standing(),
        path: path.to_owned(),
    })
}

fn versus(game: &Kept) -> Option<[String; 3]> {
    let [how, lines, score] =
        ["versus", "opponent-lines", "opponent-score"].map(|name| game.result_of(name).map(str::to_owned));
    Some([how?, lines?, score?])
}

/// Returns the best score of the games that count.
pub(crate) fn best(games: &[KeptGame]) -> Option<u32> {
    counted(games).filter_map(|game| game.score).filter(|&score| score > 0).max()
}

/// Returns the games that count in figures over several games.
pub(crate) fn counted(games: &[KeptGame]) -> impl DoubleEndedIterator<Item = &KeptGame> {
    games.iter().filter(|game| game.standing.counts())
}

/// Returns the taps that the placements of the games that count needed and got.
pub(crate) fn taps(games: &[KeptGame]) -> TapTable {
    let mut taps = TapTable::default();
    for game in counted(games) {
        taps.add(&game.taps);
    }
    taps
}

#[cfg(test)]
pub(crate) mod tests {
    use practice::{Header, Options, Recorder};

    use super::*;

    /// Writes a kept game with these results.
    pub(crate) fn write_game(path: &Path, begun: u64, result: &[(&str, &str)]) {
        let header = Header {
            mode: "floor=3".parse().unwrap(),
            options: Options::default(),
            cartridge: "Maxout".into(),
            crc32: 1,
            begun,
            pieces: None,
            score: None,
        };
        let (mut recorder, mut bytes) = Recorder::new(&header);
        if !result.is_empty() {
            let result: Vec<_> = result.iter().map(|&(name, value)| (name, value.to_owned())).collect();
            bytes.extend(recorder.end(&result));
        }
        std::fs::write(path, bytes).unwrap();
    }

    #[test]
    fn games_are_listed_the_latest_first_and_nothing_else_is() {
        let place = tempfile::tempdir().unwrap();
        for begun in [5, 70, 6] {
            let result: &[_] = match begun {
                6 => &[
                    ("versus", "won"),
                    ("opponent-lines", "34"),
                    ("opponent-score", "4100"),
                    ("taps", "18:0:2:200:120:280:130"),
                    ("score", "1200"),
                ],
                _ => &[],
            };
            write_game(&place.path().join(format!("{begun}.mxgame")), begun, result);
        }
        std::fs::write(place.path().join("9.mxgame"), "no game").unwrap();
        std::fs::write(place.path().join("9.txt"), "").unwrap();
        let games = list(place.path());
        let seconds = |game: &KeptGame| game.begun.duration_since(UNIX_EPOCH).unwrap().as_secs();
        assert_eq!(games.iter().map(seconds).collect::<Vec<_>>(), [70, 6, 5]);
        assert_eq!((games[0].score, games[1].score, games[1].mode.as_str()), (None, Some(1200), "floor=3"));
        assert_eq!(
            games[1].versus.as_ref().map(|[how, lines, _]| (how.as_str(), lines.as_str())),
            Some(("won", "34"))
        );
        assert_eq!((taps(&games).rows().len(), taps(&games).rows()[0].placements), (1, 2));
        assert_eq!(list(place.path()), games, "the index says the same");
        assert_eq!(list(&place.path().join("gone")), []);
    }
}
