//! What carries messages.

use std::io;
use std::net::{SocketAddr, ToSocketAddrs, UdpSocket};

use super::Message;

/// Carries messages between two sides. Any may be lost, doubled or late; none makes anybody wait.
pub trait Wire {
    /// Sends a message, if that can be done at once.
    fn send(&mut self, bytes: &[u8]);
    /// The next message that has come.
    fn receive(&mut self) -> Option<Vec<u8>>;
    /// The match has begun: nobody else is listened to.
    fn settle(&mut self) {}
}

/// Bytes of a message, at most.
const LONGEST: usize = 512;

/// A direct connection by UDP.
#[derive(Debug)]
pub struct UdpWire {
    socket: UdpSocket,
    other: Option<SocketAddr>,
    /// Whether nobody else is listened to.
    settled: bool,
    is_host: bool,
}

impl UdpWire {
    /// Waits at `own` for whoever comes. Until the match begins it answers the last who said
    /// something.
    ///
    /// # Errors
    /// What the system answers.
    pub fn host(own: impl ToSocketAddrs) -> io::Result<Self> {
        let socket = UdpSocket::bind(own)?;
        socket.set_nonblocking(true)?;
        Ok(Self { socket, other: None, settled: false, is_host: true })
    }

    /// Goes to the side that waits at `other`.
    ///
    /// # Errors
    /// What the system answers.
    pub fn join(other: impl ToSocketAddrs) -> io::Result<Self> {
        let other = other.to_socket_addrs()?.next().ok_or(io::ErrorKind::AddrNotAvailable)?;
        let any = if other.is_ipv4() { "0.0.0.0:0" } else { "[::]:0" };
        let socket = UdpSocket::bind(any)?;
        socket.set_nonblocking(true)?;
        Ok(Self { socket, other: Some(other), settled: true, is_host: false })
    }

    /// Whom it speaks to.
    pub fn other(&self) -> Option<SocketAddr> {
        self.other
    }

    /// Where it is.
    ///
    /// # Errors
    /// What the system answers.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.socket.local_addr()
    }
}

impl Wire for UdpWire {
    fn send(&mut self, bytes: &[u8]) {
        if let Some(other) = self.other {
            // What does not go through is lost, as anything may be.
            let _ = self.socket.send_to(bytes, other);
        }
    }

    fn receive(&mut self) -> Option<Vec<u8>> {
        let mut bytes = [0; LONGEST];
        // Others who send here are passed over, a few of them at once.
        for _ in 0..32 {
            let (length, from) = match self.socket.recv_from(&mut bytes) {
                Ok(received) => received,
                // A port that nobody listens on is said as an error of this socket; the next
                // message may be there.
                Err(error) if error.kind() == io::ErrorKind::ConnectionReset => continue,
                Err(_) => return None,
            };
            if !self.settled {
                self.other = Some(from);
            }
            if self.other == Some(from) {
                return Some(bytes[..length].to_vec());
            }
            // Who comes too late is told, in a message that is as long as the question.
            if self.is_host
                && let Ok(Message::Knock(number)) = Message::read(&bytes[..length])
            {
                let _ = self.socket.send_to(&Message::Busy(number).bytes(), from);
            }
        }
        None
    }

    fn settle(&mut self) {
        self.settled = true;
    }
}
