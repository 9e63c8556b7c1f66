use std::net::UdpSocket;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use netplay::{Relay, RelayLimits};

use super::super::both_cartridges::{BUILT_IN, OTHER, Rig, SLOW};
use crate::Command;
use crate::messages::command::NetworkCommand;
use crate::options::{NetworkOptions, NetworkRole};

/// A host that waits at a free port of this machine, and its address.
fn host(image: &[u8], change: impl FnOnce(&mut NetworkOptions)) -> (Rig, String) {
    let address = "127.0.0.1:0".parse().unwrap();
    let mut options = NetworkOptions::new(NetworkRole::Host { address, code: None });
    (options.level, options.computer) = (9, true);
    change(&mut options);
    let rig = Rig::with(image, |all| {
        all.network = Some(options);
        (all.stream.serve, all.stream.port) = (true, Some(0));
    });
    let address = rig.machine.opponent.network().expect("it waits").address().expect("an address");
    (rig, address.to_string())
}

fn join(rig: &mut Rig, address: &str) {
    rig.machine.command(Command::Network(NetworkCommand::Join(address.into())));
}

/// Turns of both until `done` says so.
fn play(one: &mut Rig, other: &mut Rig, mut done: impl FnMut(&Rig, &Rig) -> bool) {
    for _ in 0..40_000 {
        one.machine.frame();
        other.machine.frame();
        if done(one, other) {
            return;
        }
        std::thread::sleep(Duration::from_micros(100));
    }
    panic!("not in 40,000 turns: {:?}, {:?}", one.shared.status().network, other.shared.status().network);
}

fn said(rig: &Rig, text: &str) -> bool {
    rig.shared.status().messages.iter().any(|message| message.text.contains(text))
}

fn ended(rig: &Rig) -> bool {
    rig.machine.opponent.network().is_none()
}

#[test]
fn a_match_of_two_windows_stays_the_same_game_on_both_cartridges() {
    for image in [BUILT_IN, SLOW] {
        let (mut host, address) = host(image, |options| options.frames = Some(600));
        assert!(said(&host, "waiting for the other player at port"));
        let mut guest = Rig::new(image);
        let mut options = NetworkOptions::new(NetworkRole::Join(address));
        (options.computer, options.frames) = (true, Some(600));
        guest.machine.begin_match(options).unwrap();
        play(&mut host, &mut guest, |host, guest| ended(host) && ended(guest));
        let hash = |rig: &Rig| {
            let status = rig.shared.status();
            let line = status.messages.iter().find(|message| message.text.contains("certain frame 600"));
            line.map(|line| line.text.clone()).expect("it says what it came to")
        };
        assert_eq!(hash(&host), hash(&guest));
        assert!(!hash(&host).ends_with("0000000000000000"));
        assert!(said(&host, "the other player is there") && said(&guest, "the other player is there"));
    }
}

#[test]
fn nothing_is_taken_back_in_a_match_and_leaving_it_is_said_on_the_other_side() {
    let (mut host, address) = host(BUILT_IN, |_| {});
    let mut guest = Rig::new(BUILT_IN);
    guest.wait(30);
    join(&mut guest, &address);
    let playing = |rig: &Rig| rig.shared.status().network.as_ref().is_some_and(|network| !network.waiting);
    play(&mut host, &mut guest, |host, guest| playing(host) && playing(guest));
    assert!(guest.shared.status().versus.is_some(), "both pictures are shown");
    assert_eq!(host.machine.streaming.status().players.len(), 2, "both are streamed");
    for command in [Command::Rewind(true), Command::LoadSlot(0), Command::NewGame, Command::FrameAdvance] {
        guest.machine.command(command);
        assert!(guest.final_messages().contains("not available"), "{}", guest.final_messages());
    }
    guest.machine.command(Command::Pause);
    assert_eq!(guest.machine.run_state(), crate::RunState::Running, "the other player plays on");
    guest.machine.command(Command::Network(NetworkCommand::Leave));
    assert!(ended(&guest) && said(&guest, "you have left the match"));
    assert_eq!(guest.machine.engine.frame_number(), 30, "the console is as it was");
    play(&mut host, &mut guest, |host, _| ended(host));
    assert!(said(&host, "the other player has left"));
    host.wait(3);
    assert_eq!(host.shared.status().versus, None);
}

#[test]
fn another_cartridge_is_named_and_one_that_is_not_known_is_refused() {
    let (mut host, address) = host(BUILT_IN, |_| {});
    let mut guest = Rig::new(SLOW);
    join(&mut guest, &address);
    play(&mut host, &mut guest, |_, guest| ended(guest));
    assert!(said(&guest, "the host has another cartridge"));
    assert!(!ended(&host), "it waits for the next");
    let mut guest = Rig::new(BUILT_IN);
    join(&mut guest, &address);
    let begun = |rig: &Rig| rig.machine.opponent.network().is_some_and(|network| network.game().is_some());
    play(&mut host, &mut guest, |host, guest| begun(host) && begun(guest));
    let mut other = Rig::new(OTHER);
    join(&mut other, &address);
    assert!(ended(&other) && said(&other, "a match over the network"), "{}", other.final_messages());
}

#[test]
fn a_host_with_a_code_plays_with_those_alone_who_know_it() {
    let code = netplay::Code::new(0x0123_4567_89AB);
    let (mut host, address) = host(BUILT_IN, |options| {
        options.role = NetworkRole::Host { address: "127.0.0.1:0".parse().unwrap(), code: Some(code) };
    });
    assert!(said(&host, &format!("the other player joins as {code}@")), "{}", host.final_messages());
    for wrong in [address.clone(), format!("{}@{address}", netplay::Code::new(1))] {
        let mut guest = Rig::new(BUILT_IN);
        join(&mut guest, &wrong);
        play(&mut host, &mut guest, |_, guest| ended(guest));
        assert!(said(&guest, "the host asks for its code"), "{}", guest.final_messages());
    }
    let mut guest = Rig::new(BUILT_IN);
    join(&mut guest, "no-code@127.0.0.1");
    play(&mut host, &mut guest, |_, guest| ended(guest));
    assert!(said(&guest, "expected four words"), "{}", guest.final_messages());
    // Another cartridge is named, and does not end the wait.
    let mut guest = Rig::new(SLOW);
    join(&mut guest, &format!("{code}@{address}"));
    play(&mut host, &mut guest, |_, guest| ended(guest));
    assert!(said(&guest, "the host has another cartridge"));
    let mut guest = Rig::new(BUILT_IN);
    join(&mut guest, &format!("{code}@{address}"));
    let begun = |rig: &Rig| rig.machine.opponent.network().is_some_and(|network| network.game().is_some());
    play(&mut host, &mut guest, |host, guest| begun(host) && begun(guest));
}

#[test]
fn a_host_that_cannot_be_found_is_said() {
    let mut guest = Rig::new(BUILT_IN);
    join(&mut guest, "this is no address");
    for _ in 0..40_000 {
        guest.machine.frame();
        if ended(&guest) {
            break;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    assert!(said(&guest, "the host cannot be found"), "{}", guest.final_messages());
}

/// A room's server on this machine, until it is dropped.
struct Server {
    address: String,
    ended: Arc<AtomicBool>,
}

impl Server {
    fn start() -> Self {
        let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
        socket.set_read_timeout(Some(Duration::from_millis(50))).unwrap();
        let ended = Arc::new(AtomicBool::new(false));
        let this = Self { address: socket.local_addr().unwrap().to_string(), ended: Arc::clone(&ended) };
        std::thread::spawn(move || {
            let (mut relay, begun) = (Relay::new(RelayLimits::default(), None), Instant::now());
            let mut bytes = [0; 1_024];
            while !ended.load(Ordering::Relaxed) {
                let Ok((length, from)) = socket.recv_from(&mut bytes) else { continue };
                relay.take(from, &bytes[..length], begun.elapsed(), &mut |to, bytes| {
                    let _ = socket.send_to(bytes, to);
                });
            }
        });
        this
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.ended.store(true, Ordering::Relaxed);
    }
}

#[test]
fn a_match_in_a_room_is_hosted_joined_and_watched_from_the_menu() {
    let server = Server::start();
    let command = |rig: &mut Rig, command| rig.machine.command(Command::Network(command));
    let (mut host, mut guest, mut watcher) = (Rig::new(BUILT_IN), Rig::new(BUILT_IN), Rig::new(BUILT_IN));
    command(&mut host, NetworkCommand::HostInRoom(server.address.clone()));
    let mut text = String::new();
    play(&mut host, &mut guest, |host, _| {
        text = host.shared.status().network.as_ref().map(|network| network.text.clone()).unwrap_or_default();
        text.contains("joins with the code ")
    });
    let after = |words: &str| {
        let (_, rest) = text.split_once(words).unwrap_or_else(|| panic!("{text}"));
        rest.split_whitespace().next().unwrap().trim_end_matches(';').to_owned()
    };
    let [code, watch] = ["joins with the code ", "spectators use "].map(after);
    let at = |code: &str| format!("{code}@{}", server.address);
    command(&mut guest, NetworkCommand::JoinInRoom(at(&code)));
    command(&mut watcher, NetworkCommand::Watch(at(&watch)));
    let begun = |rig: &Rig| rig.machine.opponent.network().is_some_and(|network| network.game().is_some());
    play(&mut host, &mut guest, |host, guest| begun(host) && begun(guest));
    for turn in 0..40_000 {
        for rig in [&mut host, &mut guest, &mut watcher] {
            rig.machine.frame();
        }
        if begun(&watcher) {
            break;
        }
        assert!(turn < 39_999, "nothing is watched: {}", watcher.final_messages());
        std::thread::sleep(Duration::from_micros(100));
    }
    assert!(said(&watcher, "watching the host against the guest"), "{}", watcher.final_messages());
    assert!(watcher.shared.status().versus.is_some(), "both pictures are shown");
    // Who watches does not hold the match up by leaving.
    command(&mut watcher, NetworkCommand::Leave);
    assert!(ended(&watcher) && !ended(&host) && !ended(&guest));
}

#[test]
fn a_room_without_a_code_or_a_server_is_refused_by_name() {
    let mut rig = Rig::new(BUILT_IN);
    for (command, words) in [
        (NetworkCommand::JoinInRoom("bado-kimu-tapi-zolu".into()), "expected the code and the room's server"),
        (NetworkCommand::Watch("example.org".into()), "expected the code and the room's server"),
        (NetworkCommand::Watch("no-code@127.0.0.1".into()), "expected four words"),
    ] {
        rig.machine.command(Command::Network(command));
        assert!(ended(&rig) && rig.final_messages().contains(words), "{}", rig.final_messages());
    }
}
