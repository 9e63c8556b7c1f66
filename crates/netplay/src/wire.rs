//! What carries messages.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, ToSocketAddrs, UdpSocket};
use std::time::Duration;

use super::Message;
use super::code::{Code, TAG};

/// Carries messages between two sides. Any may be lost, doubled or late; none makes anybody wait.
pub trait Wire {
    /// Sends a message, if that can be done at once.
    fn send(&mut self, bytes: &[u8]);
    /// The next message that has come.
    fn receive(&mut self) -> Option<Vec<u8>>;
    /// The match has begun: nobody else is listened to.
    fn settle(&mut self) {}
    /// Time goes by: `now` is the time since any moment that stays the same. It is called before
    /// messages are taken.
    fn pass(&mut self, _now: Duration) {}
}

/// Bytes of a message, at most.
const LONGEST: usize = 512;

/// Addresses of the other side that are tried.
const ADDRESSES: usize = 8;

/// A direct connection by UDP.
#[derive(Debug)]
pub struct UdpWire {
    /// One for each kind of address.
    sockets: Vec<UdpSocket>,
    /// Whom it speaks to, each by a socket. More than one only until one of them has answered.
    others: Vec<(usize, SocketAddr)>,
    /// Whether nobody else is listened to.
    settled: bool,
    is_host: bool,
    /// What authenticates messages, if anything does.
    code: Option<Code>,
}

fn bind(address: SocketAddr) -> io::Result<UdpSocket> {
    let socket = UdpSocket::bind(address)?;
    socket.set_nonblocking(true)?;
    Ok(socket)
}

/// Any address of this computer, of the same kind as `other`.
pub(crate) fn any_like(other: SocketAddr) -> SocketAddr {
    if other.is_ipv4() { (Ipv4Addr::UNSPECIFIED, 0).into() } else { (Ipv6Addr::UNSPECIFIED, 0).into() }
}

/// Returns the address by which others in this computer's network reach it, if it has one. Nothing
/// is sent for it.
pub fn local_address() -> Option<IpAddr> {
    // An address for documentation (RFC 5737), to which the system has a way if it has any.
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
    socket.connect((Ipv4Addr::new(192, 0, 2, 1), 9)).ok()?;
    let address = socket.local_addr().ok()?.ip();
    (!address.is_unspecified() && !address.is_loopback()).then_some(address)
}

impl UdpWire {
    /// Waits at `own` for whoever comes; at all addresses of this computer, of both kinds, if `own`
    /// is 0.0.0.0. Until the match begins it answers the last who said something.
    ///
    /// # Errors
    /// What the system answers.
    pub fn host(own: impl ToSocketAddrs) -> io::Result<Self> {
        let own = own.to_socket_addrs()?.next().ok_or(io::ErrorKind::AddrNotAvailable)?;
        let mut sockets = vec![bind(own)?];
        if own.ip() == IpAddr::V4(Ipv4Addr::UNSPECIFIED) {
            let port = sockets[0].local_addr()?.port();
            // Where the first serves both kinds, or there is no IPv6, it stays with that.
            sockets.extend(bind((Ipv6Addr::UNSPECIFIED, port).into()));
        }
        Ok(Self { sockets, others: Vec::new(), settled: false, is_host: true, code: None })
    }

    /// Goes to the side that waits at `other`. Of several addresses of a name all are tried until
    /// one has answered.
    ///
    /// # Errors
    /// What the system answers.
    pub fn join(other: impl ToSocketAddrs) -> io::Result<Self> {
        let mut this =
            Self { sockets: Vec::new(), others: Vec::new(), settled: true, is_host: false, code: None };
        let mut last = io::Error::from(io::ErrorKind::AddrNotAvailable);
        for address in other.to_socket_addrs()?.take(ADDRESSES) {
            let same =
                |socket: &UdpSocket| socket.local_addr().is_ok_and(|own| own.is_ipv4() == address.is_ipv4());
            let known = this.sockets.iter().position(same);
            let found = known.map_or_else(
                || {
                    bind(any_like(address)).map(|socket| {
                        this.sockets.push(socket);
                        this.sockets.len() - 1
                    })
                },
                Ok,
            );
            match found {
                Ok(socket) => this.others.push((socket, address)),
                Err(error) => last = error,
            }
        }
        if this.others.is_empty() { Err(last) } else { Ok(this) }
    }

    /// The same, and it listens to those alone who know the code.
    #[must_use]
    pub fn coded(mut self, code: Option<Code>) -> Self {
        self.code = code;
        self
    }

    /// The message in a datagram, if the code says that it is the other side's.
    fn unsealed<'a>(&self, bytes: &'a [u8]) -> Option<&'a [u8]> {
        let Some(code) = self.code else { return Some(bytes) };
        let (message, tag) = bytes.split_at_checked(bytes.len().checked_sub(TAG)?)?;
        code.knows(u8::from(self.is_host), message, tag).then_some(message)
    }

    /// What a stranger is told, in no more bytes than the question had.
    fn answer(&self, bytes: &[u8]) -> Option<Message> {
        if !self.is_host {
            return None;
        }
        let known = self.unsealed(bytes);
        // A stranger's question has a tag of another code, or none.
        let cut = bytes.len().checked_sub(TAG).and_then(|at| bytes.get(..at)).unwrap_or_default();
        match (Message::read(known.unwrap_or(bytes)), Message::read(cut)) {
            (Ok(Message::Knock(number)), _) if known.is_some() => Some(Message::Busy(number)),
            (Ok(Message::Knock(number)), _) | (_, Ok(Message::Knock(number))) => {
                Some(Message::Locked(number))
            }
            _ => None,
        }
    }

    /// Whom it speaks to.
    pub fn other(&self) -> Option<SocketAddr> {
        self.others.first().map(|(_, address)| *address)
    }

    /// Where it is.
    ///
    /// # Errors
    /// What the system answers.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.sockets[0].local_addr()
    }

    /// The next message of a socket.
    fn receive_of(&mut self, number: usize) -> Option<Vec<u8>> {
        let mut bytes = [0; LONGEST];
        // Others who send here are passed over, a few of them at once.
        for _ in 0..32 {
            let socket = &self.sockets[number];
            let (length, from) = match socket.recv_from(&mut bytes) {
                Ok(received) => received,
                // A port that nobody listens on is said as an error of this socket; the next
                // message may be there.
                Err(error) if error.kind() == io::ErrorKind::ConnectionReset => continue,
                Err(_) => return None,
            };
            let bytes = &bytes[..length];
            let message = self.unsealed(bytes);
            if message.is_some() && (!self.settled || self.others.contains(&(number, from))) {
                self.others = vec![(number, from)];
                return message.map(<[u8]>::to_vec);
            }
            // A host that knows another code cannot say so by this one; the guest knows by its
            // number that it was asked.
            let is_refusal = matches!(Message::read(bytes), Ok(Message::Locked(_) | Message::Busy(_)));
            if !self.is_host && is_refusal && self.others.contains(&(number, from)) {
                return Some(bytes.to_vec());
            }
            // Who comes too late, or has no code, is told.
            if let Some(answer) = self.answer(bytes) {
                let _ = self.sockets[number].send_to(&answer.bytes(), from);
            }
        }
        None
    }
}

impl Wire for UdpWire {
    fn send(&mut self, bytes: &[u8]) {
        let sealed = self.code.map(|code| [bytes, &code.tag(u8::from(!self.is_host), bytes)].concat());
        for (socket, other) in &self.others {
            // What does not go through is lost, as anything may be.
            let _ = self.sockets[*socket].send_to(sealed.as_deref().unwrap_or(bytes), other);
        }
    }

    fn receive(&mut self) -> Option<Vec<u8>> {
        (0..self.sockets.len()).find_map(|number| self.receive_of(number))
    }

    fn settle(&mut self) {
        self.settled = true;
    }
}
