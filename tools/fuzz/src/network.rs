//! A match over the network: messages of another side and of a room, changed, doubled and left out.

use std::collections::VecDeque;
use std::time::Duration;

use netplay::{
    Advance, Code, Connection, Game, Message, Name, Part, Publication, Relay, RelayLimits, RollbackSession,
    RoomOptions, RoomWire, Rules, Spectator, WatchOptions, Wire, address_of_connection,
};

use crate::bytes::mutate;
use crate::choices::Choices;
use crate::reached::reached;

/// Frames of a match.
const FRAMES: u32 = 60;

/// A game whose state is a hash of everything that was held.
#[derive(Clone)]
struct Sum(u64);

impl Game for Sum {
    fn frame(&mut self, [one, other]: [u8; 2]) {
        let held = u64::from(one) << 8 | u64::from(other);
        self.0 = (self.0 ^ held).wrapping_mul(0x0100_0000_01B3).rotate_left(7);
    }

    fn hash(&self) -> u64 {
        self.0
    }
}

/// One side's end: what comes, and what was sent.
#[derive(Default)]
struct End {
    inbox: VecDeque<Vec<u8>>,
    outbox: Vec<Vec<u8>>,
}

impl Wire for End {
    fn send(&mut self, bytes: &[u8]) {
        self.outbox.push(bytes.to_vec());
    }

    fn receive(&mut self) -> Option<Vec<u8>> {
        self.inbox.pop_front()
    }
}

/// Two sides whose messages are changed on the way. A message that is understood is written as it
/// was read, and neither side ever runs further ahead than it may.
pub(crate) fn case(random: &mut Choices) {
    let mut sides = [0, 1].map(|own| RollbackSession::new(Sum(1), 7, own, u64::from(random.below(4))));
    let mut ends = [End::default(), End::default()];
    let rate = 2 + random.below(20);
    for frame in 0..FRAMES {
        for own in [0, 1] {
            let now = Duration::from_millis(u64::from(frame) * 17);
            let pressed = random.next_u64() as u8 & 0x83;
            let _: Advance = sides[own].turn(pressed, now, &mut ends[own]);
            let tally = sides[own].tally();
            assert!(tally.guessed <= 64, "{} frames are guessed", tally.guessed);
            for mut bytes in std::mem::take(&mut ends[own].outbox) {
                let times = match random.below(rate) {
                    0 => {
                        mutate(&mut bytes, random);
                        1
                    }
                    1 => random.below(3),
                    _ => 1,
                };
                if let Some(message) = reached(Message::read(&bytes)) {
                    assert_eq!(Message::read(&message.bytes()), Ok(message));
                }
                (0..times).for_each(|_| ends[1 - own].inbox.push_back(bytes.clone()));
            }
        }
    }
}

/// Turns of a room.
const TURNS: u64 = 200;

/// A letter that a side has sent, or one that was made of it.
fn letters(bytes: Vec<u8>, rate: u32, random: &mut Choices) -> Vec<Vec<u8>> {
    match random.below(rate) {
        0 => {
            let mut changed = bytes.clone();
            mutate(&mut changed, random);
            // The right one may come as well, before or after.
            match random.below(3) {
                0 => vec![changed],
                1 => vec![changed, bytes],
                _ => vec![bytes, changed],
            }
        }
        1 => vec![bytes; random.below(3) as usize],
        _ => vec![bytes],
    }
}

/// A room with a host, a guest and one who watches, whose letters are changed on the way. What the
/// guest and the watcher are told is what the host has said: the code authenticates it.
pub(crate) fn room(random: &mut Choices) {
    let code = Code::new(random.next_u64());
    let options = |client| RoomOptions { server: String::new(), code, client, token: None, hidden: true };
    let [mut host, mut guest] =
        [true, false].map(|is_host| RoomWire::connected(&options(u64::from(is_host)), is_host));
    let watch = WatchOptions { server: String::new(), code: code.watch(), client: 2 };
    let mut watcher = Spectator::connected(&watch);
    let mut relay = Relay::new(RelayLimits { rooms: 4, watchers: 3 }, None);
    let mut publication = Publication::new(Rules::default());
    let rate = 3 + random.below(20);
    let mut said = Vec::new();
    let mut next = 0_u64;
    for turn in 0..TURNS {
        let now = Duration::from_millis(turn * 60);
        publication.push([turn as u8, 0], Name::EMPTY, || turn);
        for wire in [&mut host, &mut guest] {
            wire.pass(now);
        }
        host.publish(&publication);
        let message = turn.to_le_bytes();
        host.send(&message);
        said.push(message.to_vec());
        watcher.turn(now);
        let connections = [host.connection(), guest.connection(), watcher.connection()];
        let mut going = Vec::new();
        for (number, connection) in (1..).zip(connections) {
            while let Some(bytes) = connection.take_message() {
                going.extend(letters(bytes, rate, random).into_iter().map(|bytes| (number, bytes)));
            }
        }
        let mut coming: Vec<(usize, Vec<u8>)> = Vec::new();
        for (number, bytes) in going {
            let from = address_of_connection(number);
            relay.take(from, &bytes, now, &mut |to, bytes| {
                let to = (1..4).find(|number| address_of_connection(*number) == to);
                coming.extend(to.map(|to| (to as usize - 1, bytes.to_vec())));
            });
        }
        assert!(relay.count()[0] <= 4, "{:?}", relay.count());
        for (to, bytes) in coming {
            for bytes in letters(bytes, rate, random) {
                let connection: &mut Connection =
                    [host.connection(), guest.connection(), watcher.connection()][to];
                connection.take(&bytes);
            }
        }
        while let Some(message) = guest.receive() {
            assert!(said.contains(&message), "{message:?} was never said");
        }
        while host.receive().is_some() {}
        while let Some(part) = watcher.take() {
            match part {
                Part::Rules(_) => assert_eq!(next, 0),
                Part::Frames { held, hash, .. } => {
                    let of_part = (next - 1) * 30;
                    let expected: Vec<_> = (of_part..of_part + 30).map(|turn| [turn as u8, 0]).collect();
                    assert_eq!((held, hash), (expected, of_part + 29), "part {next}");
                }
            }
            next += 1;
        }
    }
    let _ = reached(if next > 1 { Ok(()) } else { Err("nothing was watched".to_owned()) });
}
