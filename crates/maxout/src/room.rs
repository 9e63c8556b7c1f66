//! `maxout room`: where two players meet who cannot reach each other.

mod web;

use std::io::{ErrorKind, Write, stdout};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket};
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use netplay::{ROOM_PORT, Relay, RelayLimits, connection_of_address};

use cli::error::Error;
use cli::interrupt::Interrupt;
use web::{Post, Web};

/// Serve rooms in which players meet by a code.
///
/// Two players who give this server's address and the same code (`maxout netplay`) find each other
/// here. They connect directly if their routers allow it, and through this server otherwise. The
/// server knows neither codes nor games, relays only what players of a room send each other, and
/// limits rooms, messages, bytes and time.
#[derive(clap::Args)]
#[command(after_help = "\
By default it listens on 127.0.0.1, for a try. Others reach it at an address of this computer, as 0.0.0.0, with its port (UDP) open.

Examples:
  maxout room --listen 0.0.0.0 --token a-token-of-some-letters
  maxout room --web-port 5053 --origin https://example.org      pages connect, too
  maxout netplay host --room example.org --room-token a-token-of-some-letters
  maxout netplay join bado-kimu-tapi-zolu --room example.org")]
pub(crate) struct Arguments {
    /// Listen on this address.
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    listen: IpAddr,
    /// Port (UDP); 0 picks a free one.
    #[arg(long, value_name = "PORT", default_value_t = ROOM_PORT)]
    port: u16,
    /// Token needed to open a room, at least 16 letters. Guests need only the code.
    /// `MAXOUT_ROOM_TOKEN` sets it, too, and is hidden from `ps`.
    #[arg(long, value_name = "TOKEN")]
    token: Option<String>,
    /// Rooms at a time.
    #[arg(long, value_name = "1..10000", default_value_t = 100, value_parser = clap::value_parser!(u16).range(1..=10_000))]
    rooms: u16,
    /// Let pages connect by WebSocket at this port (TCP), as <ws://127.0.0.1:5053/room>; 0 picks a
    /// free one.
    #[arg(long, value_name = "PORT")]
    web_port: Option<u16>,
    /// Listen for pages on this address. Pages served by HTTPS need a server with a certificate in
    /// front.
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST), requires = "web_port")]
    web_listen: IpAddr,
    /// Let pages of this origin connect, such as <https://example.org>.
    #[arg(long, value_name = "ORIGIN", requires = "web_port")]
    origin: Vec<String>,
}

/// Letters of a token, at least.
const SHORTEST_TOKEN: usize = 16;
/// Between two looks at Ctrl-C.
const REST: Duration = Duration::from_millis(200);
/// Bytes of a datagram, at most.
const LONGEST: usize = 1_024;

/// Why there is no server.
#[derive(Debug, thiserror::Error)]
enum RoomError {
    #[error("the token has {0} letters, expected at least {SHORTEST_TOKEN}")]
    Token(usize),
    #[error("{0}: cannot be listened on: {1}; is the port taken?")]
    Listen(SocketAddr, std::io::Error),
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, Error> {
    let token = arguments.token.clone().or_else(|| std::env::var("MAXOUT_ROOM_TOKEN").ok());
    let token = token.filter(|token| !token.is_empty());
    let failed = |error: RoomError| Error::Command(error.into());
    if let Some(length) =
        token.as_ref().map(|token| token.chars().count()).filter(|length| *length < SHORTEST_TOKEN)
    {
        return Err(failed(RoomError::Token(length)));
    }
    let address = SocketAddr::new(arguments.listen, arguments.port);
    let listen = |error| failed(RoomError::Listen(address, error));
    let socket = UdpSocket::bind(address).map_err(listen)?;
    socket.set_read_timeout(Some(REST)).map_err(listen)?;
    let web = arguments.web_port.map(|port| {
        let address = SocketAddr::new(arguments.web_listen, port);
        Web::listen(address, arguments.origin.clone())
            .map_err(|error| failed(RoomError::Listen(address, error)))
    });
    let web = web.transpose()?;
    let interrupt = Interrupt::listen();
    let pages =
        web.as_ref().map_or_else(String::new, |web| format!("pages at ws://{}/room\n", web.address()));
    let text = format!("rooms at {}\n{pages}", socket.local_addr().map_err(listen)?);
    let mut out = stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(Error::Output)?;
    let limits = RelayLimits { rooms: arguments.rooms.into(), ..RelayLimits::default() };
    let (relay, post) = (Mutex::new(Relay::new(limits, token.as_deref())), Post::new(socket));
    let begun = Instant::now();
    thread::scope(|scope| {
        if let Some(web) = web {
            let (relay, post, interrupt) = (&relay, &post, &interrupt);
            scope.spawn(move || web.run(relay, post, begun, &|| interrupt.asked()));
        }
        let mut bytes = [0; LONGEST];
        while !interrupt.asked() {
            match post.udp.recv_from(&mut bytes) {
                // These addresses stand for connections: no datagram comes from one.
                Ok((_, from)) if connection_of_address(from).is_some() => {}
                Ok((length, from)) => {
                    let mut relay = relay.lock().unwrap_or_else(PoisonError::into_inner);
                    relay
                        .take(from, &bytes[..length], begun.elapsed(), &mut |to, bytes| post.send(to, bytes));
                }
                Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {}
                // A player who is gone, or a signal.
                Err(_) => thread::yield_now(),
            }
        }
    });
    Ok(ExitCode::from(130))
}
