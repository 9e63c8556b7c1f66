//! A match over the network: messages of another side, changed, doubled and left out.

use std::collections::VecDeque;
use std::time::Duration;

use netplay::{Advance, Game, Message, Session, Wire};
use tetris::SplitMix64;

use crate::bytes::mutate;
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
pub(crate) fn case(random: &mut SplitMix64) {
    let mut sides = [0, 1].map(|own| Session::new(Sum(1), 7, own, u64::from(random.below(4))));
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
