//! Games that were kept: their results, the folder they are in, and the table of them.

mod index;
mod shelf;

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use emulator::{GameResult, MatchFile, MatchHeader};
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
    /// The field before its last piece, as [`practice::board_text`] writes it.
    #[serde(default)]
    pub(crate) board: Option<String>,
    /// Whether it is a match over the network, which does not count among the games.
    #[serde(default)]
    pub(crate) is_match: bool,
}

impl KeptGame {
    /// Returns whether it counts in figures over several games.
    pub(crate) fn counts(&self) -> bool {
        !self.is_match && self.standing.counts()
    }
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
    if path.extension().is_some_and(|ending| ending == MatchFile::EXTENSION) {
        return of_match(path, &MatchFile::read(&bytes).ok()?.header);
    }
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
        board: result("board").filter(|text| practice::board_of(text).is_some()),
        is_match: false,
        path: path.to_owned(),
    })
}

/// Returns the last game of a match as its player saw it.
fn of_match(path: &Path, header: &MatchHeader) -> Option<KeptGame> {
    let (own, last) = (header.own, header.results.last());
    let wins = |player| header.results.iter().filter(|result| result.winner == Some(player)).count();
    let other = match &header.names[1 - own] {
        name if name.is_empty() => String::new(),
        name => format!(" against {name}"),
    };
    let outcome = |result: &GameResult| {
        let how = match result.winner {
            Some(winner) if winner == own => "won",
            Some(_) => "lost",
            None => "drawn",
        };
        let theirs = result.standings[1 - own];
        [how.to_owned(), theirs.lines.to_string(), theirs.score.to_string()]
    };
    Some(KeptGame {
        begun: UNIX_EPOCH.checked_add(Duration::from_secs(header.begun))?,
        mode: format!("match{other}, {}, {}:{}", header.rules.kind, wins(own), wins(1 - own)),
        score: last.map(|result| result.standings[own].score),
        level: Some(header.rules.level.to_string()),
        lines: last.map(|result| result.standings[own].lines.to_string()),
        tetris_rate: None,
        versus: last.map(outcome),
        taps: TapTable::default(),
        standing: Standing::default(),
        board: None,
        is_match: true,
        path: path.to_owned(),
    })
}

fn versus(game: &Kept) -> Option<[String; 3]> {
    let [how, lines, score] =
        ["versus", "opponent-lines", "opponent-score"].map(|name| game.result_of(name).map(str::to_owned));
    Some([how?, lines?, score?])
}

/// Returns the best score of the counted games.
pub(crate) fn best(games: &[KeptGame]) -> Option<u32> {
    counted(games).filter_map(|game| game.score).filter(|&score| score > 0).max()
}

/// Returns the counted games in figures over several games.
pub(crate) fn counted(games: &[KeptGame]) -> impl DoubleEndedIterator<Item = &KeptGame> {
    games.iter().filter(|game| game.counts())
}

/// Returns the taps that the placements of the counted games needed and got.
pub(crate) fn taps(games: &[KeptGame]) -> TapTable {
    let mut taps = TapTable::default();
    for game in counted(games) {
        taps.add(&game.taps);
    }
    taps
}

#[cfg(test)]
pub(crate) mod tests {
    use emulator::{MatchKind, MatchRules};
    use practice::{Header, Options, Recorder};
    use randomizers::Kind;

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
    fn the_board_of_a_game_is_kept_and_a_broken_one_is_none() {
        let place = tempfile::tempdir().unwrap();
        for (begun, board) in [(1, "3FE001"), (2, "no board"), (3, "")] {
            let path = place.path().join(format!("{begun}.mxgame"));
            write_game(&path, begun, &[("board", board), ("score", "5")]);
        }
        let boards = |games: &[KeptGame]| games.iter().map(|game| game.board.clone()).collect::<Vec<_>>();
        let games = list(place.path());
        assert_eq!(boards(&games)[1..], [None, Some("3FE001".into())]);
        assert_eq!(boards(&list(place.path())), boards(&games), "the index says the same");
    }

    #[test]
    fn a_match_is_listed_and_is_none_of_the_games_that_count() {
        let place = tempfile::tempdir().unwrap();
        let rules =
            MatchRules { kind: MatchKind::ChaseDown, best_of: 3, level: 18, dealer: Kind::Nes, seed: 1 };
        let standing = |score, lines| emulator::Standing { is_out: false, score, lines };
        let result = |winner| GameResult { winner, standings: [standing(100, 3), standing(200, 4)] };
        let header = MatchHeader {
            cartridge: 1,
            rules,
            names: ["Ada".into(), "Ben".into()],
            own: 1,
            begun: 50,
            frames: 0,
            hash: 0,
            agreed: 0,
            results: vec![result(Some(0)), result(Some(1)), result(Some(1))],
        };
        let bytes = MatchFile { header, buttons: vec![], marks: vec![] }.bytes();
        std::fs::write(place.path().join("50-1.mxmatch"), bytes).unwrap();
        std::fs::write(place.path().join("51-1.mxmatch"), "no match").unwrap();
        let games = list(place.path());
        assert_eq!(games.len(), 1);
        let kept = &games[0];
        assert_eq!((kept.mode.as_str(), kept.score), ("match against Ada, chase-down, 2:1", Some(200)));
        assert_eq!(kept.versus, Some(["won", "3", "100"].map(str::to_owned)));
        assert_eq!(best(&games), None);
        assert_eq!(list(place.path()), games, "the index says the same");
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
