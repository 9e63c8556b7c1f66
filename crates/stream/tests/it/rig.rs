//! A game on a console, and browsers of few words.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use autopilot::{Autopilot, Settings};
use nes::{Buttons, Cartridge, Config, Console};
use serde_json::Value;
use stream::{Hub, Snapshot, StreamPlayer};
use tetris::Profile;
use tungstenite::stream::MaybeTlsStream;
use tungstenite::{Message, WebSocket};

/// Both cartridges: the built-in one, and the one that is known by its hash alone.
pub(crate) const IMAGES: [&[u8]; 2] =
    [include_bytes!("../../../../roms/maxout.nes"), include_bytes!("../../../../roms/maxout-slow.nes")];

/// How long a test waits for anything.
pub(crate) const PATIENCE: Duration = Duration::from_secs(20);

/// The computer plays on a cartridge.
#[derive(Clone)]
pub(crate) struct Game {
    pub(crate) console: Console,
    pub(crate) profile: Profile,
    player: Autopilot,
    pub(crate) number: u8,
}

impl Game {
    pub(crate) fn new(image: &[u8], number: u8, level: u8) -> Self {
        let profile = Profile::of_image(image).expect("the cartridge is known");
        let config = Config { video: false, ..Config::default() };
        let console = Console::new(Cartridge::from_bytes(image).expect("a cartridge"), config);
        let player = Autopilot::new(profile.clone(), Settings { level, ..Settings::default() });
        Self { console, profile, player, number }
    }

    pub(crate) fn frame(&mut self) -> Snapshot {
        let buttons = self.buttons();
        self.hold(buttons)
    }

    /// What the computer presses next. It writes nothing.
    pub(crate) fn buttons(&mut self) -> Buttons {
        self.player.action(&self.console).buttons
    }

    pub(crate) fn hold(&mut self, buttons: Buttons) -> Snapshot {
        let _ = self.console.run_frame(&mut [buttons, Buttons::empty()], &mut ());
        self.snapshot()
    }

    pub(crate) fn snapshot(&self) -> Snapshot {
        Snapshot::of(self.number, self.console.frame_number(), &self.profile, self.console.ram())
    }
}

/// A game of a match in which every button counts.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Sum(pub(crate) u64);

impl netplay::Game for Sum {
    fn frame(&mut self, [one, two]: [u8; 2]) {
        self.0 = tetris::SplitMix64::mix(self.0 ^ u64::from(one) << 8 ^ u64::from(two));
    }

    fn hash(&self) -> u64 {
        self.0
    }
}

/// A hub of so many players.
pub(crate) fn hub(players: u8) -> Hub {
    let player = |number| StreamPlayer {
        player: number,
        name: format!("P{number}"),
        cartridge: "Maxout".into(),
        rate: stream::RATE,
    };
    Hub::new((1..=players).map(player).collect())
}

/// A line as a value.
pub(crate) fn value(line: &str) -> Value {
    serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}"))
}

/// Waits until something is so.
pub(crate) fn until(what: &str, mut is: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is() {
        assert!(begun.elapsed() < PATIENCE, "not in {PATIENCE:?}: {what}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

pub(crate) type Socket = WebSocket<MaybeTlsStream<TcpStream>>;

/// A WebSocket to a server on loopback.
pub(crate) fn socket(address: SocketAddr, target: &str) -> Socket {
    let (socket, _) = tungstenite::connect(format!("ws://{address}{target}")).expect("a handshake");
    if let MaybeTlsStream::Plain(tcp) = socket.get_ref() {
        tcp.set_read_timeout(Some(PATIENCE)).expect("a limit");
    }
    socket
}

/// The next line of a socket.
pub(crate) fn line(socket: &mut Socket) -> Value {
    loop {
        match socket.read().expect("a message") {
            Message::Text(text) => return value(&text),
            Message::Ping(_) | Message::Pong(_) => {}
            other => panic!("{other:?}"),
        }
    }
}

/// A request by hand; out: the connection after it.
pub(crate) fn request(address: SocketAddr, head: &str) -> TcpStream {
    let mut tcp = TcpStream::connect(address).expect("a connection");
    tcp.set_read_timeout(Some(PATIENCE)).expect("a limit");
    tcp.write_all(head.replace('\n', "\r\n").as_bytes()).expect("the request is taken");
    tcp
}

/// The answer to a request, until the server closes.
pub(crate) fn answer(address: SocketAddr, head: &str) -> String {
    let mut text = Vec::new();
    request(address, head).read_to_end(&mut text).expect("an answer that ends");
    String::from_utf8_lossy(&text).into_owned()
}
