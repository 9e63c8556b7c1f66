//! What the player has set for streams.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// Streams for broadcasts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct StreamSettings {
    /// Whether the server runs from the start.
    pub serve: bool,
    /// The server's port; 0 finds one that is free.
    pub port: u16,
    /// What the players are called, the first one first.
    pub names: Vec<String>,
    /// The file with secrets, rooms and rules; empty for `stream.toml` beside the settings.
    pub connections: PathBuf,
}

/// The port, so that the address in OBS stays the same.
const PORT: u16 = 5050;

impl Default for StreamSettings {
    fn default() -> Self {
        Self { serve: false, port: PORT, names: vec![], connections: PathBuf::new() }
    }
}

/// The lowest port that a menu offers; those below are the system's.
const LOWEST: i64 = 1024;
const PORTS: i64 = 65_536 - LOWEST;

/// Returns the places that a menu has for ports: any that is free, and then all of them.
pub(crate) const PORT_PLACES: i64 = PORTS;

/// Returns the port at a place: 0 for any that is free, then the usual one and those after it.
pub(crate) fn port_at(place: i64) -> u16 {
    match place {
        ..=0 => 0,
        place => (LOWEST + (i64::from(PORT) - LOWEST + place - 1).rem_euclid(PORTS)) as u16,
    }
}

/// Returns the place of a port.
pub(crate) fn place_of(port: u16) -> i64 {
    match port {
        0 => 0,
        port => (i64::from(port) - i64::from(PORT)).rem_euclid(PORTS) + 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_port_has_a_place_and_the_usual_one_comes_after_any() {
        assert_eq!((port_at(0), port_at(1), port_at(2)), (0, PORT, PORT + 1));
        assert!((0..=PORT_PLACES).all(|place| place_of(port_at(place)) == place));
        assert_eq!(port_at(PORT_PLACES), PORT - 1);
    }
}
