//! How messages go to the other player.

use std::time::Duration;

use netplay::{NoEntry, Path, Publication, RoomWire, UdpWire, Wire};

/// A connection to the other player.
pub(super) enum Way {
    /// To an address.
    Udp(UdpWire),
    /// By way of a room.
    Room(Box<RoomWire>),
}

impl Way {
    /// Returns why a room does not let this player in, if that is the end of it.
    pub(super) fn refused(&self) -> Option<NoEntry> {
        match self {
            Self::Udp(_) => None,
            // The host may come later.
            Self::Room(wire) => wire.refused().filter(|why| *why != NoEntry::Closed),
        }
    }

    /// Returns whether the host has not opened the room yet.
    pub(super) fn is_closed(&self) -> bool {
        matches!(self, Self::Room(wire) if wire.refused() == Some(NoEntry::Closed))
    }

    /// Hands what is certain to those who watch, where the match is in a room.
    pub(super) fn publish(&mut self, publication: &Publication) {
        match self {
            Self::Udp(_) => {}
            Self::Room(wire) => wire.publish(publication),
        }
    }

    /// Returns where the other player is, for the end of a sentence.
    pub(super) fn words(&self) -> String {
        match self {
            Self::Udp(wire) => wire.other().map_or_else(String::new, |other| format!(", at {other}")),
            Self::Room(wire) => match wire.path() {
                Path::None => String::new(),
                Path::Direct(address) => format!(", directly at {address}"),
                Path::Relay => ", through the room".to_owned(),
            },
        }
    }
}

impl Wire for Way {
    fn send(&mut self, bytes: &[u8]) {
        match self {
            Self::Udp(wire) => wire.send(bytes),
            Self::Room(wire) => wire.send(bytes),
        }
    }

    fn receive(&mut self) -> Option<Vec<u8>> {
        match self {
            Self::Udp(wire) => wire.receive(),
            Self::Room(wire) => wire.receive(),
        }
    }

    fn settle(&mut self) {
        match self {
            Self::Udp(wire) => wire.settle(),
            Self::Room(wire) => wire.settle(),
        }
    }

    fn pass(&mut self, now: Duration) {
        match self {
            Self::Udp(wire) => wire.pass(now),
            Self::Room(wire) => wire.pass(now),
        }
    }
}
