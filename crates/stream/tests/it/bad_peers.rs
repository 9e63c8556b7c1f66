//! Readers who do not behave: whatever they send, the game goes on and memory stays small.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use stream::server::{CONNECTIONS, Options, Server};
use stream::{Broadcast, QUEUE};
use tetris::SplitMix64;
use tungstenite::Message;

use crate::rig::{Game, IMAGES, hub, line, request, socket, until, value};

const HANDSHAKE: &str = "Upgrade: websocket\nConnection: Upgrade\nSec-WebSocket-Version: 13\n\
                         Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\n\n";

/// A WebSocket by hand, after the head of the server's answer.
fn raw(server: &Server) -> TcpStream {
    let address = server.address();
    let mut tcp = request(address, &format!("GET /ws HTTP/1.1\nHost: {address}\n{HANDSHAKE}"));
    let (mut head, mut byte) = (Vec::new(), [0]);
    while !head.ends_with(b"\r\n\r\n") {
        tcp.read_exact(&mut byte).unwrap();
        head.push(byte[0]);
    }
    assert!(head.starts_with(b"HTTP/1.1 101"), "{}", String::from_utf8_lossy(&head));
    tcp
}

/// Does the server close it? What it sends before does not matter.
fn is_closed(tcp: &mut TcpStream) -> bool {
    let mut part = [0; 4_096];
    loop {
        match tcp.read(&mut part) {
            Ok(0) => return true,
            Ok(_) => {}
            Err(error) => return error.kind() != std::io::ErrorKind::WouldBlock,
        }
    }
}

#[test]
fn random_bytes_close_their_own_connection_and_no_other() {
    let server = Server::start(hub(1), Options::default()).unwrap();
    let mut good = socket(server.address(), "/ws");
    assert_eq!(line(&mut good)["event"], "hello");
    let mut random = SplitMix64::new(17);
    for round in 0..60 {
        let mut tcp =
            if round % 2 == 0 { raw(&server) } else { TcpStream::connect(server.address()).unwrap() };
        tcp.set_read_timeout(Some(Duration::from_millis(100))).unwrap();
        let bytes: Vec<u8> = (0..random.next_u64() % 20_000).map(|_| random.next_u64() as u8).collect();
        let _ = tcp.write_all(&bytes);
    }
    good.send(Message::text("still there?")).unwrap();
    assert_eq!(line(&mut good)["event"], "error");
    until("the bad ones are gone", || server.connections() == 1);
}

#[test]
fn a_giant_frame_is_refused_before_it_is_kept() {
    let server = Server::start(hub(1), Options::default()).unwrap();
    // A masked text frame that claims eight exabytes, and one of a megabyte.
    for claim in [(1_u64 << 62).to_be_bytes(), (1_u64 << 20).to_be_bytes()] {
        let mut tcp = raw(&server);
        tcp.write_all(&[&[0x81, 0xFF][..], &claim, &[0; 4]].concat()).unwrap();
        assert!(is_closed(&mut tcp));
    }
    // A message in pieces without an end.
    let mut tcp = raw(&server);
    let piece = [&[0x01, 0xFE, 2, 0][..], &[0; 4 + 512]].concat();
    let more = [&[0x00, 0xFE, 2, 0][..], &[0; 4 + 512]].concat();
    let _ = tcp.write_all(&[piece, more.clone(), more].concat());
    assert!(is_closed(&mut tcp));
    // Not masked, against RFC 6455; an opcode that there is not.
    for frame in [&b"\x81\x02hi"[..], &[0x83, 0x80, 0, 0, 0, 0]] {
        let mut tcp = raw(&server);
        tcp.write_all(frame).unwrap();
        assert!(is_closed(&mut tcp));
    }
    until("all are gone", || server.connections() == 0);
}

#[test]
fn half_a_request_is_closed_after_seconds_and_wrong_versions_at_once() {
    let server = Server::start(hub(1), Options::default()).unwrap();
    let address = server.address();
    let begun = Instant::now();
    let mut half: Vec<_> =
        ["", "GET", "GET /ws HTTP/1.1\nHost: x\n"].iter().map(|head| request(address, head)).collect();
    let old = HANDSHAKE.replace("13", "8");
    let mut tcp = request(address, &format!("GET /ws HTTP/1.1\nHost: {address}\n{old}"));
    let mut text = String::new();
    tcp.read_to_string(&mut text).unwrap();
    assert!(text.starts_with("HTTP/1.1 426") && text.contains("version 13"), "{text}");
    assert!(begun.elapsed() < Duration::from_secs(3));
    for tcp in &mut half {
        assert!(is_closed(tcp));
    }
    assert!(begun.elapsed() > Duration::from_secs(4), "{:?}", begun.elapsed());
}

#[test]
fn a_thousand_connections_and_dead_readers_hold_up_nobody() {
    let hub = hub(1);
    let server = Server::start(hub.clone(), Options::default()).unwrap();
    let address = server.address();
    let mut good = socket(address, "/ws?states=1");
    let last = Arc::new(AtomicU64::new(0));
    let seen = Arc::clone(&last);
    let reader = thread::spawn(move || {
        while let Ok(message) = good.read() {
            if let Message::Text(text) = message {
                seen.fetch_max(value(&text)["frame"].as_u64().unwrap_or(0), Ordering::Relaxed);
            }
        }
    });
    // Readers who ask for everything and read nothing.
    let dead: Vec<_> = (0..20).map(|_| socket(address, "/ws?states=1")).collect();
    until("all read", || hub.readers() == 21);
    let mut broadcast = Broadcast::new(hub.clone());
    let mut game = Game::new(IMAGES[0], 1, 18);
    let mut longest = Duration::ZERO;
    for _ in 0..5 {
        // Two hundred at a time: a process may have a thousand files, and other tests have theirs.
        let crowd: Vec<_> = (0..200).map(|_| TcpStream::connect(address)).collect();
        until("as many as are let in", || server.connections() >= CONNECTIONS - 1);
        assert!(server.connections() <= CONNECTIONS);
        for _ in 0..600 {
            let snapshot = game.frame();
            let begun = Instant::now();
            broadcast.frame(&snapshot);
            longest = longest.max(begun.elapsed());
        }
        drop(crowd);
    }
    // A shared machine may keep the thread from its processor for a while; a wait for a peer would
    // be seconds.
    assert!(longest < Duration::from_secs(1), "{longest:?}");
    assert!(hub.waiting() <= 21 * QUEUE);
    until("the good reader has the game", || last.load(Ordering::Relaxed) > 2_900);
    drop(dead);
    until("only the good one is left", || server.connections() == 1 && hub.readers() == 1);
    drop(server);
    reader.join().unwrap();
}
