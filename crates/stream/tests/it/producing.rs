//! The connection to NestrisChamps: a server of our own that reads frames by the site's table.

use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use stream::nestris::{Champs, Frame, Site};
use stream::{Broadcast, Follower, Retry, Secret, Source, Status};
use tungstenite::handshake::server::{ErrorResponse, Request, Response};
use tungstenite::protocol::{CloseFrame, frame::coding::CloseCode};
use tungstenite::{Message, WebSocket};

use crate::champs::parse;
use crate::rig::{Game, IMAGES, hub, until};

const SECRET: &str = "0123456789ab-SECRET-0123456789abcdef";
const QUICK: Retry = Retry { first: Duration::from_millis(30), longest: Duration::from_millis(60) };

/// What our server does with a connection.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Manner {
    Read,
    Kick,
    HangUp,
}

/// A server of our own, and what it has received.
struct Server {
    address: SocketAddr,
    paths: Arc<Mutex<Vec<String>>>,
    frames: Arc<Mutex<Vec<Frame>>>,
    manner: Arc<Mutex<Manner>>,
}

impl Server {
    fn start(manner: Manner) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let server = Self {
            address,
            paths: Arc::default(),
            frames: Arc::default(),
            manner: Arc::new(Mutex::new(manner)),
        };
        let (paths, frames, manner) =
            (Arc::clone(&server.paths), Arc::clone(&server.frames), Arc::clone(&server.manner));
        thread::spawn(move || {
            for tcp in listener.incoming().flatten() {
                let (paths, frames, manner) =
                    (Arc::clone(&paths), Arc::clone(&frames), *manner.lock().unwrap());
                thread::spawn(move || serve(tcp, &paths, &frames, manner));
            }
        });
        server
    }

    fn url(&self) -> String {
        format!("ws://{}", self.address)
    }
}

#[allow(clippy::result_large_err, reason = "the library's own type")]
fn serve(tcp: TcpStream, paths: &Mutex<Vec<String>>, frames: &Mutex<Vec<Frame>>, manner: Manner) {
    let check = |request: &Request, response: Response| {
        let path = request.uri().path().to_owned();
        let known = path.ends_with(SECRET);
        paths.lock().unwrap().push(path);
        if known {
            return Ok(response);
        }
        let mut refusal = ErrorResponse::new(Some("Connecting User Not Found".into()));
        *refusal.status_mut() = tungstenite::http::StatusCode::NOT_FOUND;
        Err(refusal)
    };
    let Ok(mut socket) = tungstenite::accept_hdr(tcp, check) else { return };
    let _ = socket.send(Message::text(r#"["_init",{"server_ts":1,"id":"NTC1"}]"#));
    talk(&mut socket, frames, manner);
}

fn talk<S: std::io::Read + std::io::Write>(
    socket: &mut WebSocket<S>,
    frames: &Mutex<Vec<Frame>>,
    manner: Manner,
) {
    let mut count = 0;
    while let Ok(message) = socket.read() {
        let Message::Binary(bytes) = message else { continue };
        frames.lock().unwrap().push(parse(&bytes).1);
        count += 1;
        if count == 3 && manner == Manner::HangUp {
            return;
        }
        if count == 3 && manner == Manner::Kick {
            let _ = socket.send(Message::text(r#"["_kick","concurrency_limit"]"#));
            let close = CloseFrame { code: CloseCode::from(4_000), reason: "concurrency_limit".into() };
            let _ = socket.close(Some(close));
        }
    }
}

fn connect(server: &Server, player: u8, secret: &str) -> Champs {
    let site = Site {
        server: server.url(),
        secret: Secret::new(secret.to_owned()),
        room: (player == 2).then(|| "host".to_owned()),
        player,
    };
    Champs::connect(&site, 40, QUICK, None).unwrap()
}

#[test]
fn two_consoles_are_two_players_of_the_site() {
    let server = Server::start(Manner::Read);
    let champs = [1, 2].map(|player| connect(&server, player, SECRET));
    let links = champs.each_ref().map(Champs::link);
    until("both are connected", || links.iter().all(|link| link.status() == Status::Connected));
    let mut broadcast = Broadcast::new(hub(2));
    for champs in champs {
        broadcast = broadcast.with(Box::new(champs));
    }
    let mut games = vec![Game::new(IMAGES[0], 1, 18), Game::new(IMAGES[1], 2, 9)];
    for number in 0..1_500 {
        for game in &mut games {
            broadcast.frame(&game.frame());
        }
        if number % 50 == 0 {
            thread::sleep(Duration::from_millis(10));
        }
    }
    let level = |level| server.frames.lock().unwrap().iter().any(|frame| frame.level == Some(level));
    until("games of both", || level(18) && level(9));
    let mut paths = server.paths.lock().unwrap().clone();
    paths.sort();
    assert_eq!(paths, [format!("/ws/room/producer/{SECRET}"), format!("/ws/room/u/host/producer/{SECRET}")]);
}

#[test]
fn a_lost_connection_is_made_again_and_a_kick_is_final() {
    let server = Server::start(Manner::HangUp);
    let mut champs = connect(&server, 1, SECRET);
    let link = champs.link();
    let mut game = Game::new(IMAGES[0], 1, 18);
    let mut source = Source::default();
    let mut step = || {
        for _ in 0..10 {
            champs.update(&source.observe(&game.frame()));
        }
    };
    until("three connections", || {
        step();
        server.paths.lock().unwrap().len() >= 3
    });
    *server.manner.lock().unwrap() = Manner::Kick;
    until("the kick", || {
        step();
        matches!(link.status(), Status::Ended(_))
    });
    let Status::Ended(reason) = link.status() else { unreachable!("seen above") };
    assert!(reason.contains("concurrency_limit"), "{reason}");
    let count = server.paths.lock().unwrap().len();
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_millis(200) {
        step();
        thread::sleep(Duration::from_millis(5));
    }
    assert_eq!(server.paths.lock().unwrap().len(), count, "nobody comes back after a kick");
}

#[test]
fn a_secret_is_in_no_message() {
    let server = Server::start(Manner::Read);
    let wrong = "wrong-but-secret";
    let champs = connect(&server, 1, wrong);
    let link = champs.link();
    until("the refusal", || matches!(link.status(), Status::Ended(_)));
    let Status::Ended(reason) = link.status() else { return };
    assert!(reason.contains("check the secret and the room") && !reason.contains(wrong), "{reason}");
    assert!(!format!("{champs:?} {link:?}").contains(wrong));
    for (secret, address) in
        [("", "ws://x"), ("a/b", "ws://x"), (&"a".repeat(37), "ws://x"), ("abc", "http://x")]
    {
        let site = Site { server: address.into(), ..Site::of_secret(Secret::new(secret.to_owned())) };
        let error = Champs::connect(&site, 0, QUICK, None).map(|_| ()).unwrap_err().to_string();
        assert!(
            error.contains("expected") && (secret.is_empty() || !error.contains(&format!("{secret:?}"))),
            "{error}"
        );
    }
    // Nobody is there.
    let site = Site { server: "ws://127.0.0.1:1".into(), ..Site::of_secret(Secret::new(wrong.to_owned())) };
    let champs = Champs::connect(&site, 0, QUICK, None).unwrap();
    until("a reason", || matches!(champs.link().status(), Status::Lost(reason) if !reason.contains(wrong)));
}
