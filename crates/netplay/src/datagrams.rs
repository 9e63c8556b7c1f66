//! What carries the letters of rooms.

use std::collections::VecDeque;
use std::io;
use std::net::{SocketAddr, UdpSocket};

use super::relay::{LONGEST_LETTER, address_of_connection};

/// Letters that may wait in a connection, each way. What comes beyond is lost, as anything may be.
const WAITING: usize = 256;

/// Carries datagrams. Any may be lost, doubled or late; none makes anybody wait.
pub trait Datagrams {
    /// Sends one, if that can be done at once.
    fn send(&mut self, bytes: &[u8], to: SocketAddr);
    /// Returns the next one that has come, and where it is from.
    fn receive(&mut self) -> Option<(Vec<u8>, SocketAddr)>;
}

impl Datagrams for UdpSocket {
    fn send(&mut self, bytes: &[u8], to: SocketAddr) {
        // What does not go through is lost.
        let _ = self.send_to(bytes, to);
    }

    fn receive(&mut self) -> Option<(Vec<u8>, SocketAddr)> {
        let mut bytes = [0; 2 * LONGEST_LETTER];
        // A port that nobody listens on is said as an error of this socket; the next datagram may
        // be there.
        for _ in 0..32 {
            match self.recv_from(&mut bytes) {
                Ok((length, from)) => return Some((bytes[..length].to_vec(), from)),
                Err(error) if error.kind() == io::ErrorKind::ConnectionReset => {}
                Err(_) => return None,
            }
        }
        None
    }
}

/// A connection to a room's server by messages instead of datagrams, a `WebSocket`. Its caller
/// carries the messages: the page for browsers, whose sockets are the browser's.
#[derive(Clone, Debug, Default)]
pub struct Connection {
    come: VecDeque<Vec<u8>>,
    going: VecDeque<Vec<u8>>,
}

impl Connection {
    /// Where the server is for this side: it has no address of datagrams.
    pub fn server() -> SocketAddr {
        address_of_connection(0)
    }

    /// A message has come. One that is too long is none of a room.
    pub fn take(&mut self, message: &[u8]) {
        if message.len() <= LONGEST_LETTER && self.come.len() < WAITING {
            self.come.push_back(message.to_vec());
        }
    }

    /// Returns the next message to send.
    pub fn take_message(&mut self) -> Option<Vec<u8>> {
        self.going.pop_front()
    }

    /// The connection was cut: what waits in it is lost.
    pub fn clear(&mut self) {
        self.come.clear();
        self.going.clear();
    }
}

impl Datagrams for Connection {
    fn send(&mut self, bytes: &[u8], to: SocketAddr) {
        if to == Self::server() && self.going.len() < WAITING {
            self.going.push_back(bytes.to_vec());
        }
    }

    fn receive(&mut self) -> Option<(Vec<u8>, SocketAddr)> {
        self.come.pop_front().map(|message| (message, Self::server()))
    }
}
