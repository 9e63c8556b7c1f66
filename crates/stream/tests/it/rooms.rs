//! Two players who meet in a room, on loopback.

use std::net::UdpSocket;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use netplay::{
    Advance, Code, Guest, Message, NoEntry, Path, Relay, RelayLimits, RollbackSession, RoomOptions, RoomWire,
    Rules, UdpWire, Wire,
};

use crate::rig::{Sum, until};

/// A room's server in a thread.
struct Served {
    address: String,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Served {
    fn start(token: Option<&'static str>) -> Self {
        let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
        socket.set_read_timeout(Some(Duration::from_millis(20))).unwrap();
        let (address, stop) = (socket.local_addr().unwrap().to_string(), Arc::new(AtomicBool::new(false)));
        let stopped = Arc::clone(&stop);
        let thread = thread::spawn(move || {
            let mut relay = Relay::new(RelayLimits::default(), token);
            let (begun, mut bytes) = (Instant::now(), [0; 1_024]);
            while !stopped.load(Ordering::Relaxed) {
                let Ok((length, from)) = socket.recv_from(&mut bytes) else { continue };
                relay.take(from, &bytes[..length], begun.elapsed(), &mut |to, bytes| {
                    let _ = socket.send_to(bytes, to);
                });
            }
        });
        Self { address, stop, thread: Some(thread) }
    }

    fn enter(&self, code: u64, client: u64, is_host: bool, hidden: bool) -> RoomWire {
        let options =
            RoomOptions { server: self.address.clone(), code: Code::new(code), client, token: None, hidden };
        RoomWire::enter(&options, is_host).unwrap()
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap();
        }
    }
}

const RULES: Rules = Rules {
    cartridge: 1,
    level: 0,
    dealer: 0,
    seed: 0,
    number: 77,
    kind: (0, 0),
    best_of: 1,
    name: netplay::Name::EMPTY,
};

/// Two players meet by a code and play for so many frames. Returns how their messages went at the
/// end.
fn meet(served: &Served, code: u64, hidden: bool) -> [Path; 2] {
    let mut wires = [served.enter(code, 1, true, hidden), served.enter(code, 2, false, hidden)];
    let mut host = RollbackSession::new(Sum(5), 1, 0, 2).inviting(RULES);
    let (begun, mut guest, mut found) = (Instant::now(), Guest::new(1, 3), None);
    until("an invitation", || {
        let now = begun.elapsed();
        host.turn(0, now, &mut wires[0]);
        found = guest.turn(now, &mut wires[1]).unwrap();
        thread::sleep(Duration::from_millis(1));
        found.is_some()
    });
    assert_eq!(found, Some(RULES));
    let name = netplay::Name::new("Ben");
    let mut second = RollbackSession::new(Sum(5), 1, 1, 2).numbered(77).named(name, RULES.name);
    until("three hundred certain frames", || {
        let now = begun.elapsed();
        let ends = [host.turn(1, now, &mut wires[0]), second.turn(2, now, &mut wires[1])];
        assert!(ends.iter().all(|end| !matches!(end, Advance::Over(_))), "{ends:?}");
        thread::sleep(Duration::from_millis(2));
        host.certain().1 > 300 && second.certain().1 > 300
    });
    assert!(host.agreed() > 200 && second.agreed() > 200);
    assert_eq!(host.other_name(), name);
    wires.each_ref().map(RoomWire::path)
}

#[test]
fn two_players_meet_by_a_code_and_speak_directly() {
    let served = Served::start(None);
    let paths = meet(&served, 1, false);
    assert!(paths.iter().all(|path| matches!(path, Path::Direct(_))), "{paths:?}");
}

#[test]
fn who_hides_the_address_plays_through_the_relay() {
    let served = Served::start(None);
    assert_eq!(meet(&served, 2, true), [Path::Relay; 2]);
}

#[test]
fn a_third_player_a_wrong_code_and_a_missing_token_are_told() {
    let served = Served::start(None);
    let (mut host, mut guest) = (served.enter(3, 1, true, false), served.enter(3, 2, false, false));
    let begun = Instant::now();
    until("both are in", || {
        for wire in [&mut host, &mut guest] {
            wire.pass(begun.elapsed());
            while wire.receive().is_some() {}
        }
        host.has_entered() && guest.has_entered()
    });
    let refused = |mut wire: RoomWire, why: NoEntry| {
        until("a refusal", || {
            wire.pass(begun.elapsed());
            while wire.receive().is_some() {}
            wire.refused() == Some(why)
        });
    };
    refused(served.enter(3, 3, false, false), NoEntry::Full);
    refused(served.enter(4, 3, false, false), NoEntry::Closed);
    let owned = Served::start(Some("a token of the owner"));
    refused(owned.enter(3, 1, true, false), NoEntry::Token);
}

/// A direct connection with a code: who forges the other player's address and knows the number of
/// the match says nothing, nor does a message sent back.
#[test]
fn a_forged_goodbye_is_nothing_and_a_stranger_is_told() {
    let code = Some(Code::new(11));
    let mut host = UdpWire::host("127.0.0.1:0").unwrap().coded(code);
    let address = host.address().unwrap();
    let stranger = UdpSocket::bind("127.0.0.1:0").unwrap();
    stranger.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    let knock = Message::Knock(5).bytes();
    let bye = Message::Bye(77).bytes();
    let mut guest = UdpWire::join(address).unwrap().coded(code);
    guest.send(&knock);
    until("the guest's knock", || host.receive() == Some(knock.clone()));
    host.settle();
    // A stranger asks, with no code and with another one.
    for asked in [knock.clone(), [&knock[..], &[0; 8]].concat()] {
        stranger.send_to(&asked, address).unwrap();
        let mut bytes = [0; 64];
        until("an answer", || {
            assert_eq!(host.receive(), None);
            stranger.set_nonblocking(true).unwrap();
            stranger.recv_from(&mut bytes).is_ok()
        });
        let answer = Message::Locked(5).bytes();
        assert_eq!(&bytes[..answer.len()], &answer[..]);
        assert!(answer.len() <= asked.len(), "no more than was sent");
    }
    // From the guest's own address, which others can forge: a goodbye as it is, and one with a tag
    // of another code.
    for other in [None, Some(Code::new(12))] {
        guest = guest.coded(other);
        guest.send(&bye);
    }
    guest = guest.coded(code);
    host.send(&bye);
    until("the goodbye of the host", || guest.receive() == Some(bye.clone()));
    thread::sleep(Duration::from_millis(20));
    assert_eq!(host.receive(), None);
    guest.send(&bye);
    until("the guest's", || host.receive() == Some(bye.clone()));
}

/// Whoever knows where a player is, and not the code, is not heard.
#[test]
fn messages_without_the_code_are_nothing() {
    let served = Served::start(None);
    let (mut host, mut stranger) = (served.enter(5, 1, true, false), served.enter(5, 2, false, false));
    let begun = Instant::now();
    until("a direct way", || {
        for wire in [&mut host, &mut stranger] {
            wire.pass(begun.elapsed());
            while wire.receive().is_some() {}
        }
        matches!(stranger.path(), Path::Direct(_))
    });
    let Path::Direct(address) = stranger.path() else { panic!("{:?}", stranger.path()) };
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    let bye = netplay::Message::Bye(77).bytes();
    for bytes in [&bye[..], &[&bye[..], &[0; 8]].concat(), b"MXRM\x01\x04bye", b"MXPR", b""] {
        socket.send_to(bytes, address).unwrap();
    }
    thread::sleep(Duration::from_millis(50));
    host.pass(begun.elapsed());
    assert_eq!(host.receive(), None);
    stranger.send(&bye);
    until("a message of the code", || host.receive() == Some(bye.clone()));
}
