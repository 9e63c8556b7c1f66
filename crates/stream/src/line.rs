//! The lines of a stream: those of `tetris::events`, and what a stream adds.

use serde::Serialize;
use strum::VariantNames;
use tetris::events::{Event, Record};

use crate::plain::plain;
use crate::{Figures, State};

/// Number of the schema: it changes when a field changes its meaning, not when one is added.
pub const SCHEMA: u32 = 1;

/// Frames a second of an NTSC console, as they are told.
pub const RATE: f64 = 60.0988;
/// The same of a PAL console.
pub const PAL_RATE: f64 = 50.0070;

/// A line of a player's game.
#[derive(Clone, Debug, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Line {
    /// Which player, from 1.
    pub player: u8,
    /// Frames since power-on, as the console counts them.
    pub frame: u64,
    /// The same in milliseconds.
    pub ms: u64,
    /// What the line says.
    #[serde(flatten)]
    pub body: Body,
}

/// What a line says.
#[derive(Clone, Debug, PartialEq, Serialize, schemars::JsonSchema)]
#[serde(untagged)]
pub enum Body {
    /// An event of the game (docs/events.md).
    Game(Event),
    /// What the stream adds.
    Stream(Added),
}

/// What a stream adds to the events of a game.
#[derive(Clone, Debug, PartialEq, Serialize, strum::VariantNames, schemars::JsonSchema)]
#[serde(tag = "event", rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Added {
    /// The whole game as it is.
    State(Box<State>),
    /// The figures of the game, after each lock.
    Statistics(Box<Figures>),
    /// The game is elsewhere: it was rewound, a state was loaded, or frames were left out. What a
    /// reader has concluded from the lines before does not hold; a `state` follows.
    Seek {
        /// The frame that was shown before.
        from: u64,
    },
}

impl Line {
    /// A line of `player` in `frame`, of an NTSC console.
    pub fn new(player: u8, frame: u64, body: Body) -> Self {
        Self { player, frame, ms: milliseconds(frame, RATE), body }
    }

    /// The same of a console that has so many frames a second.
    #[must_use]
    pub fn at(mut self, rate: f64) -> Self {
        self.ms = milliseconds(self.frame, rate);
        self
    }

    /// A line of what the stream adds.
    pub(crate) fn added(player: u8, frame: u64, added: Added) -> Self {
        Self::new(player, frame, Body::Stream(added))
    }

    /// The line of an event of the game.
    pub fn of_record(player: u8, record: Record) -> Self {
        Self::new(player, record.frame, Body::Game(record.event))
    }

    /// The event of the game, if it is one.
    pub fn event(&self) -> Option<&Event> {
        match &self.body {
            Body::Game(event) => Some(event),
            Body::Stream(_) => None,
        }
    }

    /// The line as JSON, without an end of line.
    pub fn json(&self) -> String {
        json(self)
    }
}

/// Milliseconds that so many frames take at so many a second, rounded.
pub fn milliseconds(frames: u64, rate: f64) -> u64 {
    (frames as f64 * 1_000.0 / rate).round() as u64
}

/// `value` as JSON.
pub(crate) fn json(value: &impl Serialize) -> String {
    // Only maps with keys that are no strings fail, and there are none.
    serde_json::to_string(value).unwrap_or_default()
}

/// The name of a line's `event`, which is what readers choose by.
pub(crate) fn event_name(line: &str) -> &str {
    let at = line.find("\"event\":\"").map(|at| at + "\"event\":\"".len());
    at.and_then(|at| line[at..].split('"').next()).unwrap_or_default()
}

/// A name that no event has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no event is called {name:?}: expected {}", names().collect::<Vec<_>>().join(", "))]
pub struct UnknownEvent {
    /// The name.
    pub name: String,
}

/// The names by which readers choose.
fn names() -> impl Iterator<Item = &'static str> {
    Event::VARIANTS.iter().chain(Added::VARIANTS).chain(Notice::VARIANTS).chain(&["hello", "match"]).copied()
}

/// The name of an event, as readers choose by it.
///
/// # Errors
/// When no event has it.
pub fn known_event(name: &str) -> Result<String, UnknownEvent> {
    let name = plain(name);
    if names().any(|known| known == name) { Ok(name) } else { Err(UnknownEvent { name }) }
}

/// A player, as the first line says.
#[derive(Clone, Debug, PartialEq, Serialize, schemars::JsonSchema)]
#[schemars(rename = "Player")]
pub struct StreamPlayer {
    /// From 1.
    pub player: u8,
    /// What to call them; empty if they have no name.
    pub name: String,
    /// The cartridge's name, as its profile has it.
    pub cartridge: String,
    /// Frames a second of the console: [`RATE`] or [`PAL_RATE`].
    pub rate: f64,
}

/// The first line.
#[derive(Clone, Debug, PartialEq, Serialize, schemars::JsonSchema)]
#[serde(tag = "event", rename = "hello")]
pub struct Hello {
    /// [`SCHEMA`].
    pub schema: u32,
    /// `maxout`.
    pub program: &'static str,
    /// Its version.
    pub version: &'static str,
    /// Frames a second of the first player's console.
    pub rate: f64,
    /// Who plays.
    pub players: Vec<StreamPlayer>,
}

impl Hello {
    /// The first line of a stream of these players.
    pub fn of(players: Vec<StreamPlayer>) -> Self {
        let rate = players.first().map_or(RATE, |player| player.rate);
        Self { schema: SCHEMA, program: "maxout", version: env!("CARGO_PKG_VERSION"), rate, players }
    }

    /// The line as JSON.
    pub fn json(&self) -> String {
        json(self)
    }
}

/// A line about the stream itself.
#[derive(Serialize, strum::VariantNames, schemars::JsonSchema)]
#[serde(tag = "event", rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub(crate) enum Notice<'a> {
    /// This reader was too slow for so many lines; a `state` follows.
    Dropped { lines: u64 },
    /// What the reader sent was not understood.
    Error { message: &'a str },
    /// Nothing more comes.
    End {},
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_player_frame_and_milliseconds_beside_its_event() {
        let line = Line::of_record(2, Record { frame: 60, event: Event::Lines { lines: 4 } });
        assert_eq!(line.json(), r#"{"player":2,"frame":60,"ms":998,"event":"lines","lines":4}"#);
        assert_eq!(event_name(&line.json()), "lines");
        let seek = Line::added(1, 0, Added::Seek { from: 9 });
        assert_eq!(seek.json(), r#"{"player":1,"frame":0,"ms":0,"event":"seek","from":9}"#);
    }

    #[test]
    fn readers_choose_by_names_that_events_have() {
        for name in ["spawn", "game_start", "state", "statistics", "seek", "dropped", "end", "hello"] {
            assert_eq!(known_event(name).as_deref(), Ok(name));
        }
        let error = known_event("spwan").unwrap_err().to_string();
        assert!(error.contains("\"spwan\"") && error.contains("expected mode, game_start"), "{error}");
        assert!(known_event("").is_err());
    }

    #[test]
    fn an_hour_is_an_hour() {
        assert_eq!(milliseconds(216_356, RATE), 3_600_005);
        assert_eq!(Line::added(1, 50_007, Added::Seek { from: 9 }).at(50.007).ms, 1_000_000);
    }
}
