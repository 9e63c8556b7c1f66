//! What a match is called and how it stands, as its host sets it: names, games won, scene.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::broadcast::PLAYERS;
use crate::line::json;
use crate::plain::plain;

/// Letters of a name, at most.
const LONGEST_NAME: usize = 40;
/// Games of a match, at most.
const MOST_GAMES: u32 = 99;
/// Overlays that a scene may be.
pub const LAYOUTS: [&str; 4] = ["one", "two", "stats", "commentator"];

/// A match, as its host sets it while it goes on. Overlays show it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(tag = "event", rename = "match", default, deny_unknown_fields)]
pub struct Board {
    /// Names that go before those of `hello`, the first player's first; empty where that holds.
    pub names: Vec<String>,
    /// Games that each player has won.
    pub wins: Vec<u32>,
    /// The match is the best of so many games; `null` if it is not known.
    pub best_of: Option<u32>,
    /// The number of the player who has won the match, from 1; `null` while it is open.
    pub winner: Option<u8>,
    /// The layout that pages with `layout=scene` show: `one`, `two`, `stats` or `commentator`;
    /// `null` for their usual one.
    pub scene: Option<String>,
}

/// Why a change is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BoardError {
    /// It is no object of JSON, or has a field that is not known or of another type.
    #[error("expected an object with names, wins, best_of, winner or scene: {0}")]
    Form(String),
    /// A number or name is out of bounds.
    #[error("{0}")]
    Bounds(&'static str),
}

impl Board {
    /// The board after a change, an object of JSON: fields that it has not stay as they are, and
    /// `null` is the field's first value again.
    ///
    /// # Errors
    /// When the change is not understood, or leads beyond what can be shown.
    pub fn changed(&self, change: &str) -> Result<Self, BoardError> {
        let form = |error: serde_json::Error| BoardError::Form(plain(&error.to_string()));
        let change: Map<String, Value> = serde_json::from_str(change).map_err(form)?;
        let Ok(Value::Object(mut fields)) = serde_json::to_value(self) else {
            return Ok(self.clone());
        };
        for (name, value) in change {
            if value.is_null() {
                fields.remove(&name);
            } else {
                fields.insert(name, value);
            }
        }
        fields.remove("event");
        let mut board: Self = serde_json::from_value(Value::Object(fields)).map_err(form)?;
        board.names = board.names.iter().map(|name| plain(name).trim().to_owned()).collect();
        board.check()?;
        Ok(board)
    }

    fn check(&self) -> Result<(), BoardError> {
        let fits = [
            (self.names.len() <= PLAYERS && self.wins.len() <= PLAYERS, "expected 8 players at most"),
            (
                self.names.iter().all(|name| name.chars().count() <= LONGEST_NAME),
                "names: expected 40 letters at most",
            ),
            (self.wins.iter().all(|wins| *wins <= MOST_GAMES), "wins: expected 0 to 99"),
            (self.best_of.is_none_or(|games| (1..=MOST_GAMES).contains(&games)), "best_of: expected 1 to 99"),
            (
                self.winner.is_none_or(|player| (1..=PLAYERS).contains(&player.into())),
                "winner: expected 1 to 8, or null",
            ),
            (
                self.scene.as_deref().is_none_or(|scene| LAYOUTS.contains(&scene)),
                "scene: expected one, two, stats or commentator, or null",
            ),
        ];
        fits.into_iter()
            .find(|(fits, _)| !fits)
            .map_or(Ok(()), |(_, expected)| Err(BoardError::Bounds(expected)))
    }

    /// The line of it.
    pub(crate) fn line(&self) -> Arc<str> {
        json(self).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_leaves_what_it_does_not_name_and_null_takes_back() {
        let one = Board::default()
            .changed(r#"{"names":["Ada","Ben\u001b[31m"],"wins":[1,0],"best_of":5}"#)
            .unwrap();
        assert_eq!(
            &*one.line(),
            r#"{"event":"match","names":["Ada","Ben [31m"],"wins":[1,0],"best_of":5,"winner":null,"scene":null}"#
        );
        let two = one.changed(r#"{"wins":[1,1],"scene":"two"}"#).unwrap();
        assert_eq!((&two.names, &two.wins, two.scene.as_deref()), (&one.names, &vec![1, 1], Some("two")));
        let three = two.changed(r#"{"best_of":null,"scene":null,"winner":2}"#).unwrap();
        assert_eq!((three.best_of, three.scene, three.winner), (None, None, Some(2)));
    }

    #[test]
    fn what_cannot_be_shown_is_refused() {
        for (change, message) in [
            ("[]", "expected an object"),
            ("{", "expected an object"),
            (r#"{"name":"Ada"}"#, "unknown field `name`"),
            (r#"{"wins":[-1]}"#, "expected an object"),
            (r#"{"wins":[100]}"#, "0 to 99"),
            (r#"{"best_of":0}"#, "1 to 99"),
            (r#"{"winner":9}"#, "1 to 8"),
            (r#"{"scene":"three"}"#, "expected one, two, stats or commentator"),
            (r#"{"names":["a","a","a","a","a","a","a","a","a"]}"#, "8 players"),
        ] {
            let error = Board::default().changed(change).unwrap_err().to_string();
            assert!(error.contains(message), "{change}: {error}");
        }
        let long = format!(r#"{{"names":["{}"]}}"#, "a".repeat(41));
        assert!(Board::default().changed(&long).unwrap_err().to_string().contains("40 letters"));
    }
}
