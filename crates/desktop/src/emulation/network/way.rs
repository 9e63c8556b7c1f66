//! How messages go to the other player.

use std::net::UdpSocket;
use std::time::Duration;

use emulator::{MatchWay, RoomWay};
use netplay::{NoEntry, Publication, UdpWire, Wire};

/// A connection to the other player.
pub(crate) enum Way {
    /// To an address.
    Udp(UdpWire),
    /// By way of a room.
    Room(Box<RoomWay<UdpSocket>>),
}

impl MatchWay for Way {
    fn refused(&self) -> Option<NoEntry> {
        match self {
            Self::Udp(_) => None,
            Self::Room(way) => way.refused(),
        }
    }

    fn is_closed(&self) -> bool {
        matches!(self, Self::Room(way) if way.is_closed())
    }

    fn has_changed(&mut self) -> bool {
        match self {
            Self::Udp(_) => false,
            Self::Room(way) => way.has_changed(),
        }
    }

    fn publish(&mut self, publication: &Publication) {
        match self {
            Self::Udp(_) => {}
            Self::Room(way) => way.publish(publication),
        }
    }

    fn words(&self) -> String {
        match self {
            Self::Udp(wire) => wire.other().map_or_else(String::new, |other| format!(", at {other}")),
            Self::Room(way) => way.words(),
        }
    }
}

impl Wire for Way {
    fn send(&mut self, bytes: &[u8]) {
        match self {
            Self::Udp(wire) => wire.send(bytes),
            Self::Room(way) => way.send(bytes),
        }
    }

    fn receive(&mut self) -> Option<Vec<u8>> {
        match self {
            Self::Udp(wire) => wire.receive(),
            Self::Room(way) => way.receive(),
        }
    }

    fn settle(&mut self) {
        match self {
            Self::Udp(wire) => wire.settle(),
            Self::Room(way) => way.settle(),
        }
    }

    fn pass(&mut self, now: Duration) {
        match self {
            Self::Udp(wire) => wire.pass(now),
            Self::Room(way) => way.pass(now),
        }
    }
}
