//! A hundred who watch a match in a room, on loopback.

use std::net::{SocketAddr, UdpSocket};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use netplay::{
    Advance, Code, Game as _, Guest, Name, NoEntry, Part, Playback, Publication, Relay, RelayLimits,
    RollbackSession, RoomOptions, RoomWire, Rules, Spectator, WatchOptions,
};
use tetris::SplitMix64;

use crate::rig::{Sum, until};

const RULES: Rules = Rules {
    cartridge: 1,
    level: 18,
    dealer: 0,
    seed: 7,
    number: 77,
    kind: (0, 0),
    best_of: 1,
    name: Name::EMPTY,
};

/// Who watches.
const WATCHERS: usize = 100;
/// Frames of the match: ten seconds.
const FRAMES: u64 = 600;

/// One who watches, and what was shown.
struct Watching {
    spectator: Spectator,
    playback: Playback<Sum>,
    guest: Name,
}

impl Watching {
    fn enter(server: &str, code: Code, client: u64) -> Self {
        let options = WatchOptions { server: server.to_owned(), code: code.watch(), client };
        let spectator = Spectator::enter(&options).unwrap();
        Self { spectator, playback: Playback::new(Sum(5)), guest: Name::EMPTY }
    }

    fn turn(&mut self, now: Duration) {
        self.spectator.turn(now);
        while let Some(part) = self.spectator.take() {
            match part {
                Part::Rules(rules) => assert_eq!(rules, RULES),
                Part::Frames { held, hash, guest, is_last } => {
                    if guest != Name::EMPTY {
                        self.guest = guest;
                    }
                    self.playback.push(&held, hash, is_last);
                }
            }
        }
        self.playback.turn(&mut |_, _| {}).unwrap();
    }
}

/// A room's server which loses one datagram in so many, and counts what goes to those who watch.
struct Server<'a> {
    socket: &'a UdpSocket,
    stop: &'a AtomicBool,
    players: [AtomicU64; 2],
    /// Datagrams and bytes.
    sent: [AtomicU64; 2],
    loss: u32,
}

impl Server<'_> {
    fn run(&self) {
        let mut relay = Relay::new(RelayLimits::default(), None);
        let (begun, mut bytes, mut random) = (Instant::now(), [0; 1_024], SplitMix64::new(3));
        self.socket.set_read_timeout(Some(Duration::from_millis(20))).unwrap();
        while !self.stop.load(Ordering::Relaxed) {
            let Ok((length, from)) = self.socket.recv_from(&mut bytes) else { continue };
            relay.take(from, &bytes[..length], begun.elapsed(), &mut |to: SocketAddr, bytes| {
                let port = u64::from(to.port());
                if self.players.iter().all(|player| player.load(Ordering::Relaxed) != port) {
                    self.sent[0].fetch_add(1, Ordering::Relaxed);
                    self.sent[1].fetch_add(bytes.len() as u64, Ordering::Relaxed);
                }
                if !random.one_in(self.loss) {
                    let _ = self.socket.send_to(bytes, to);
                }
            });
        }
    }
}

/// The match, and those who watch it: half from the beginning on, half when it is half over. Of
/// `loss` datagrams of the server one is lost. Returns the datagrams and bytes to those who watch.
fn watched(loss: u32) -> [u64; 2] {
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    let (address, stop) = (socket.local_addr().unwrap().to_string(), AtomicBool::new(false));
    let server =
        Server { socket: &socket, stop: &stop, players: Default::default(), sent: Default::default(), loss };
    let code = Code::new(9);
    thread::scope(|scope| {
        scope.spawn(|| server.run());
        let enter = |client, is_host| {
            let server = address.clone();
            RoomWire::enter(&RoomOptions { server, code, client, token: None, hidden: true }, is_host)
                .unwrap()
        };
        let mut wires = [enter(1, true), enter(2, false)];
        for (player, wire) in server.players.iter().zip(&wires) {
            player.store(wire.port().into(), Ordering::Relaxed);
        }
        let begun = Instant::now();
        let mut watching: Vec<Watching> =
            (0..WATCHERS as u64 / 2).map(|client| Watching::enter(&address, code, 10 + client)).collect();
        let mut publication = Publication::new(RULES);
        let mut host = RollbackSession::new(Sum(5), 1, 0, 2).inviting(RULES);
        let mut guest = Guest::new(1, 3);
        let mut second = None;
        let mut over = false;
        until("the end of the match for all", || {
            let now = begun.elapsed();
            let name = host.other_name();
            let certain = |game: &Sum, held: [u8; 2]| publication.push(held, name, || game.hash());
            let held = (now.as_millis() / 90 % 4) as u8;
            let turn = host.turn_witnessed(held, now, &mut wires[0], &mut { certain });
            assert!(!matches!(turn, Advance::Over(_)), "{turn:?}");
            match &mut second {
                None => {
                    let rules = guest.turn(now, &mut wires[1]).unwrap();
                    second = rules.map(|rules| {
                        let name = Name::new("Ben");
                        RollbackSession::new(Sum(5), 1, 1, 2).numbered(rules.number).named(name, rules.name)
                    });
                }
                Some(second) => {
                    let turn = second.turn(held ^ 3, now, &mut wires[1]);
                    assert!(!matches!(turn, Advance::Over(_)), "{turn:?}");
                }
            }
            let (game, frame) = host.certain();
            if frame >= FRAMES / 2 && watching.len() < WATCHERS {
                let late = WATCHERS as u64 / 2..WATCHERS as u64;
                watching.extend(late.map(|client| Watching::enter(&address, code, 10 + client)));
            }
            if frame >= FRAMES && !over {
                over = true;
                publication.end(host.other_name(), game.hash());
            }
            wires[0].publish(&publication);
            for one in &mut watching {
                one.turn(now);
                assert_eq!(one.spectator.refused().filter(|why| *why != NoEntry::Closed), None);
            }
            thread::sleep(Duration::from_millis(1));
            over && watching.iter().all(|one| one.playback.is_over())
        });
        stop.store(true, Ordering::Relaxed);
        // The state at the end is the players': its hash was compared, and the frames are theirs.
        let ends: Vec<(u64, u64)> = watching
            .iter()
            .map(|one| {
                let (game, frame) = one.playback.game();
                (frame, game.hash())
            })
            .collect();
        assert_eq!(ends.len(), WATCHERS);
        assert!(ends.iter().all(|end| *end == ends[0]) && ends[0].0 >= FRAMES, "{:?}", ends[0]);
        assert!(watching.iter().all(|one| one.guest == Name::new("Ben")));
    });
    server.sent.each_ref().map(|count| count.load(Ordering::Relaxed))
}

#[test]
fn a_hundred_watch_a_match_and_come_to_the_players_state() {
    let [datagrams, bytes] = watched(u32::MAX);
    println!("{datagrams} datagrams and {bytes} bytes to {WATCHERS} for {FRAMES} frames");
    // For each: twenty parts of the match and its end, what is played, and a few words of the room.
    let parts = (FRAMES / 30 + 4) * WATCHERS as u64;
    assert!((parts..2 * parts).contains(&datagrams), "{datagrams} datagrams");
    assert!(bytes < 100 * datagrams, "{bytes} bytes");
}

#[test]
fn what_is_lost_on_the_way_to_those_who_watch_is_sent_again() {
    watched(20);
}
