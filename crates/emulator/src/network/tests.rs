//! The computer in a match, by frames alone.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

use netplay::{Advance, Name, RollbackSession, Rules, Wire};
use tetris::View;

use super::*;

const IMAGES: [&[u8]; 2] =
    [include_bytes!("../../../../roms/maxout.nes"), include_bytes!("../../../../roms/maxout-slow.nes")];

const GARBAGE: Rules = Rules {
    cartridge: 0,
    level: 0,
    dealer: 0,
    seed: 0,
    number: 0,
    kind: (0, 0),
    best_of: 1,
    name: Name::EMPTY,
};

/// The messages of one side, to be taken by the other in its next turn.
type Inbox = Rc<RefCell<VecDeque<Vec<u8>>>>;

/// A side's end of a network that loses nothing.
struct Port {
    own: Inbox,
    other: Inbox,
}

impl Wire for Port {
    fn send(&mut self, bytes: &[u8]) {
        self.other.borrow_mut().push_back(bytes.to_vec());
    }

    fn receive(&mut self) -> Option<Vec<u8>> {
        self.own.borrow_mut().pop_front()
    }
}

/// Lines of the computer, and how often it topped out, in a match of so many frames in which the
/// other side presses nothing.
fn computers_lines(image: &[u8], delay: u64, frames: u64) -> (u32, u32) {
    let cartridge = Cartridge::from_bytes(image).unwrap();
    let profile = Profile::of_image(image).unwrap();
    let rules = Rules { cartridge: cartridge.crc32(), level: 9, seed: 7, number: 5, ..GARBAGE };
    let mut sides = [0, 1].map(|own| {
        let duel = Consoles::begin(&cartridge, &profile, rules, own, 48_000).expect("a game begins");
        RollbackSession::new(duel, rules.cartridge, own, delay)
    });
    let inboxes = [Inbox::default(), Inbox::default()];
    let mut ports =
        [0, 1].map(|own| Port { own: Rc::clone(&inboxes[own]), other: Rc::clone(&inboxes[1 - own]) });
    let mut computer = StandIn::new(profile.clone(), rules.level);
    let (mut best, mut outs) = (0, 0);
    for turn in 0..2 * frames {
        let now = Duration::from_millis(17 * turn);
        let pressed = if sides[0].has_begun() { computer.press(&sides[0], 0) } else { Buttons::empty() };
        let _: Advance = sides[0].turn(pressed.bits(), now, &mut ports[0]);
        // The other side is ready, and then does nothing.
        let other = if sides[1].game().stage() == Stage::Playing { 0 } else { 16 * (turn / 20 % 2) as u8 };
        let _: Advance = sides[1].turn(other, now, &mut ports[1]);
        let (certain, frame) = sides[0].certain();
        let memory = profile.as_mapped(certain.duel().console(0).ram());
        let view = View::new(&memory);
        best = best.max(view.lines());
        outs = certain.results().iter().filter(|result| result.standings[0].is_out).count() as u32;
        if frame >= frames {
            break;
        }
    }
    (best, outs)
}

#[test]
fn the_computer_plays_as_well_with_buttons_that_count_later() {
    let frames = 1_200;
    for (number, image) in (1..).zip(IMAGES) {
        let by_delay = [0, 2, 4].map(|delay| computers_lines(image, delay, frames));
        println!("cartridge {number}, {frames} frames: lines and losses by delay 0, 2, 4: {by_delay:?}");
        let (at_once, _) = by_delay[0];
        for (lines, outs) in by_delay {
            assert_eq!(outs, 0, "{by_delay:?}");
            assert!(lines >= 3 && 10 * lines >= 7 * at_once, "{by_delay:?}");
        }
    }
}

#[test]
fn a_turn_without_a_frame_asks_for_the_same_buttons_again() {
    let cartridge = Cartridge::from_bytes(IMAGES[0]).unwrap();
    let profile = Profile::of_image(IMAGES[0]).unwrap();
    let rules = Rules { cartridge: cartridge.crc32(), level: 9, ..GARBAGE };
    let duel = Consoles::begin(&cartridge, &profile, rules, 0, 48_000).expect("a game begins");
    let session = RollbackSession::new(duel, rules.cartridge, 0, 2);
    assert_eq!(session.pending().count(), 2);
    let mut computer = StandIn::new(profile, rules.level);
    let first = computer.press(&session, 0);
    assert!((0..20).all(|_| computer.press(&session, 0) == first));
}
