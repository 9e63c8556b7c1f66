//! Which kept games count in figures over several games.

use serde::{Deserialize, Serialize};

use crate::{Kept, Kind, Mode};

/// What the result of a kept game calls the number of frames in which the computer played.
pub const COMPUTER: &str = "computer";

/// Who played a kept game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PlayedBy {
    /// The player alone.
    #[default]
    Player,
    /// The computer, for some frames or all.
    Computer,
}

/// From where a kept game was begun.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BegunFrom {
    /// An empty score.
    #[default]
    Start,
    /// A position, at the beginning or later.
    Position,
    /// A score that the mode gives.
    Score,
    /// The middle of a game, in which the file begins.
    Middle,
}

/// Who played a kept game, and from where.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Standing {
    /// Who played it.
    pub by: PlayedBy,
    /// From where.
    pub from: BegunFrom,
}

impl Standing {
    /// Returns whether a game counts in bests, means and sums over several games: it is the
    /// player's own, from its start.
    pub fn counts(self) -> bool {
        self == Self::default()
    }

    /// All that [`Standing::note`] says.
    pub const NOTES: [&'static str; 4] =
        ["by the computer", "from a position", "begun with a score", "recorded from the middle"];

    /// Says why a game does not count.
    pub const fn note(self) -> Option<&'static str> {
        match (self.by, self.from) {
            (PlayedBy::Computer, _) => Some(Self::NOTES[0]),
            (PlayedBy::Player, BegunFrom::Position) => Some(Self::NOTES[1]),
            (PlayedBy::Player, BegunFrom::Score) => Some(Self::NOTES[2]),
            (PlayedBy::Player, BegunFrom::Middle) => Some(Self::NOTES[3]),
            (PlayedBy::Player, BegunFrom::Start) => None,
        }
    }
}

impl Kept {
    /// Returns who played the game, and from where.
    pub fn standing(&self) -> Standing {
        let frames = self.result_of(COMPUTER).and_then(|frames| frames.parse::<u64>().ok());
        let by = if frames.is_some_and(|frames| frames > 0) { PlayedBy::Computer } else { PlayedBy::Player };
        let from = if !self.positions.is_empty() {
            BegunFrom::Position
        } else if begins_with_a_score(self.header.mode) {
            BegunFrom::Score
        } else if self.header.score.is_some_and(|score| score > 0) {
            BegunFrom::Middle
        } else {
            BegunFrom::Start
        };
        Standing { by, from }
    }
}

/// Modes that begin with points, or lines, that nobody made.
fn begins_with_a_score(mode: Mode) -> bool {
    match mode.kind() {
        Kind::Transition => mode.value() < 16,
        Kind::Checkerboard => mode.value() > 0,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Header, Options, Recorder};

    fn standing(mode: &str, score: Option<u32>, position: bool, computer: Option<&str>) -> Standing {
        let header = Header {
            mode: mode.parse().unwrap(),
            options: Options::default(),
            cartridge: "Maxout".to_owned(),
            crc32: 1,
            begun: 2,
            pieces: None,
            score,
        };
        let (mut recorder, mut bytes) = Recorder::new(&header);
        if position {
            let position = "1 0 T I 18 120 500000 16 8988 7 513 56BBA458".parse().unwrap();
            bytes.extend(recorder.position(&position));
        }
        let result: Vec<_> = computer.map(|frames| ("computer", frames.to_owned())).into_iter().collect();
        bytes.extend(recorder.end(&result));
        Kept::read(&bytes).unwrap().standing()
    }

    #[test]
    fn games_of_the_computer_from_positions_with_a_score_and_from_the_middle_do_not_count() {
        for score in [None, Some(0)] {
            assert!(standing("tetris", score, false, None).counts());
            assert!(standing("tetris", score, false, Some("0")).counts());
        }
        for (game, note) in [
            (standing("tetris", None, false, Some("400")), "by the computer"),
            (standing("tetris", None, true, None), "from a position"),
            (standing("transition=5", None, false, None), "begun with a score"),
            (standing("checkerboard=3", None, false, None), "begun with a score"),
            (standing("tetris", Some(40), false, None), "recorded from the middle"),
        ] {
            assert_eq!((game.counts(), game.note()), (false, Some(note)));
        }
    }
}
