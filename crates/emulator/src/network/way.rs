//! How messages go to the other player.

use std::time::Duration;

use netplay::{Datagrams, NoEntry, Path, Publication, RoomWire, Wire};

/// A connection to the other player, and what is said of it.
pub trait MatchWay: Wire {
    /// Returns why a room does not let this player in, if that is the end of it.
    fn refused(&self) -> Option<NoEntry> {
        None
    }

    /// Returns whether the host has not opened the room yet.
    fn is_closed(&self) -> bool {
        false
    }

    /// Returns, once, whether messages go another way than they did.
    fn has_changed(&mut self) -> bool {
        false
    }

    /// Hands what is certain to those who watch, where the match is in a room.
    fn publish(&mut self, _publication: &Publication) {}

    /// Returns where the other player is, for the end of a sentence.
    fn words(&self) -> String;
}

/// A connection by way of a room.
#[derive(Debug)]
pub struct RoomWay<D> {
    wire: RoomWire<D>,
    /// How messages went when it was last asked.
    known: Path,
}

impl<D: Datagrams> RoomWay<D> {
    /// The other player is reached by this.
    pub fn new(wire: RoomWire<D>) -> Self {
        Self { wire, known: Path::None }
    }

    /// Returns what carries the messages.
    pub fn wire(&mut self) -> &mut RoomWire<D> {
        &mut self.wire
    }
}

impl<D: Datagrams> MatchWay for RoomWay<D> {
    fn refused(&self) -> Option<NoEntry> {
        // The host may come later.
        self.wire.refused().filter(|why| *why != NoEntry::Closed)
    }

    fn is_closed(&self) -> bool {
        self.wire.refused() == Some(NoEntry::Closed)
    }

    fn has_changed(&mut self) -> bool {
        let path = self.wire.path();
        path != Path::None && std::mem::replace(&mut self.known, path) != path
    }

    fn publish(&mut self, publication: &Publication) {
        self.wire.publish(publication);
    }

    fn words(&self) -> String {
        match self.wire.path() {
            Path::None => String::new(),
            Path::Direct(address) => format!(", directly at {address}"),
            Path::Relay => ", through the room".to_owned(),
        }
    }
}

impl<D: Datagrams> Wire for RoomWay<D> {
    fn send(&mut self, bytes: &[u8]) {
        self.wire.send(bytes);
    }

    fn receive(&mut self) -> Option<Vec<u8>> {
        self.wire.receive()
    }

    fn settle(&mut self) {
        self.wire.settle();
    }

    fn pass(&mut self, now: Duration) {
        self.wire.pass(now);
    }
}
