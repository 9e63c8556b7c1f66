//! How messages go to the other player.

use std::time::Duration;

use netplay::{NoEntry, Path, Publication, RoomWire, UdpWire, Wire};

/// A connection to the other player.
pub(super) enum Way {
    /// To an address.
    Udp(UdpWire),
    /// By way of a room, and how messages went when it was last asked.
    Room(Box<RoomWire>, Path),
}

impl Way {
    /// Returns why a room does not let this player in, if that is the end of it.
    pub(super) fn refused(&self) -> Option<NoEntry> {
        match self {
            Self::Udp(_) => None,
            // The host may come later.
            Self::Room(wire, _) => wire.refused().filter(|why| *why != NoEntry::Closed),
        }
    }

    /// Returns whether the host has not opened the room yet.
    pub(super) fn is_closed(&self) -> bool {
        matches!(self, Self::Room(wire, _) if wire.refused() == Some(NoEntry::Closed))
    }

    /// Returns, once, whether messages go another way than they did.
    pub(super) fn has_changed(&mut self) -> bool {
        match self {
            Self::Udp(_) => false,
            Self::Room(wire, known) => {
                let path = wire.path();
                path != Path::None && std::mem::replace(known, path) != path
            }
        }
    }

    /// Hands what is certain to those who watch, where the match is in a room.
    pub(super) fn publish(&mut self, publication: &Publication) {
        match self {
            Self::Udp(_) => {}
            Self::Room(wire, _) => wire.publish(publication),
        }
    }

    /// Returns where the other player is, for the end of a sentence.
    pub(super) fn words(&self) -> String {
        match self {
            Self::Udp(wire) => wire.other().map_or_else(String::new, |other| format!(", at {other}")),
            Self::Room(wire, _) => match wire.path() {
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
            Self::Room(wire, _) => wire.send(bytes),
        }
    }

    fn receive(&mut self) -> Option<Vec<u8>> {
        match self {
            Self::Udp(wire) => wire.receive(),
            Self::Room(wire, _) => wire.receive(),
        }
    }

    fn settle(&mut self) {
        match self {
            Self::Udp(wire) => wire.settle(),
            Self::Room(wire, _) => wire.settle(),
        }
    }

    fn pass(&mut self, now: Duration) {
        match self {
            Self::Udp(wire) => wire.pass(now),
            Self::Room(wire, _) => wire.pass(now),
        }
    }
}
