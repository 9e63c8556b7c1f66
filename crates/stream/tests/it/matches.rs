//! A match of two over a bad network.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use nes::{Buttons, Console};
use netplay::{Advance, End, Game, Guest, Message, Name, RollbackSession, Rules, Terms, UdpWire, Wire};
use stream::Source;
use tetris::{SplitMix64, View};

use crate::rig::{self, IMAGES, Sum};

/// A console for each player, on the same seed.
#[derive(Clone)]
struct Duo([Console; 2]);

impl Game for Duo {
    fn frame(&mut self, buttons: [u8; 2]) {
        for (console, buttons) in self.0.iter_mut().zip(buttons) {
            let mut pads = [Buttons::from_bits_retain(buttons), Buttons::empty()];
            let _ = console.run_frame(&mut pads, &mut ());
        }
    }

    fn hash(&self) -> u64 {
        SplitMix64::mix(self.0[0].state_hash()) ^ self.0[1].state_hash()
    }
}

/// Messages on their way: when they arrive, to whom.
#[derive(Default)]
struct Network {
    now: Duration,
    under_way: Vec<(Duration, usize, Vec<u8>)>,
    random: Option<SplitMix64>,
    delay: Duration,
    jitter: u32,
    loss: u32,
    /// Nothing goes through.
    cut: bool,
}

impl Network {
    fn new(seed: u64, delay: u64, jitter: u32, loss: u32) -> Rc<RefCell<Self>> {
        let random = Some(SplitMix64::new(seed));
        Rc::new(RefCell::new(Self {
            random,
            delay: Duration::from_millis(delay),
            jitter,
            loss,
            ..Self::default()
        }))
    }
}

/// A side's end of it.
struct Port(Rc<RefCell<Network>>, usize);

impl Wire for Port {
    fn send(&mut self, bytes: &[u8]) {
        let network = &mut *self.0.borrow_mut();
        let random = network.random.as_mut().unwrap();
        // Once in fifty comes twice.
        let copies = 1 + u32::from(random.one_in(50));
        for _ in 0..copies {
            if network.cut || random.below(100) < network.loss {
                continue;
            }
            let late = Duration::from_millis(random.below(network.jitter + 1).into());
            network.under_way.push((network.now + network.delay + late, 1 - self.1, bytes.to_vec()));
        }
    }

    fn receive(&mut self) -> Option<Vec<u8>> {
        let network = &mut *self.0.borrow_mut();
        let (now, own) = (network.now, self.1);
        let due = network.under_way.iter().enumerate().filter(|(_, (at, to, _))| *at <= now && *to == own);
        let (index, _) = due.min_by_key(|(_, (at, ..))| *at)?;
        Some(network.under_way.remove(index).2)
    }
}

/// The same, but one side's takes a wrong turn.
#[derive(Clone)]
struct Slips(u64, u64);

impl Game for Slips {
    fn frame(&mut self, [one, two]: [u8; 2]) {
        self.1 += 1;
        self.0 = SplitMix64::mix(self.0 ^ u64::from(one) << 8 ^ u64::from(two));
        if self.1 == 75 {
            self.0 ^= 1;
        }
    }

    fn hash(&self) -> u64 {
        self.0
    }
}

const FRAME: Duration = Duration::from_micros(16_639);

/// Plays turns of both sides; each presses what `press` says of its side. What counted goes into
/// `pressed`. Out: how the last turn went for each.
fn play<G: Game>(
    sides: &mut [RollbackSession<G>; 2],
    network: &Rc<RefCell<Network>>,
    pressed: &mut [Vec<u8>; 2],
    turns: usize,
    mut press: impl FnMut(usize) -> u8,
) -> [Advance; 2] {
    let mut last = [Advance::Waiting, Advance::Waiting];
    for _ in 0..turns {
        network.borrow_mut().now += FRAME;
        let now = network.borrow().now;
        for (own, side) in sides.iter_mut().enumerate() {
            let buttons = press(own);
            last[own] = side.turn(buttons, now, &mut Port(Rc::clone(network), own));
            if last[own] == Advance::Frame {
                pressed[own].push(buttons);
            }
        }
    }
    last
}

/// Is what each side is certain of the game that these buttons make, without any network?
fn assert_true<G: Game>(sides: &[RollbackSession<G>; 2], game: &G, pressed: &[Vec<u8>; 2]) {
    for side in sides {
        let (certain, frames) = side.certain();
        let mut game = game.clone();
        for frame in 0..frames {
            let at = |own: usize| {
                let delay = sides[own].delay();
                frame.checked_sub(delay).map_or(0, |frame| pressed[own][frame as usize])
            };
            game.frame([at(0), at(1)]);
        }
        assert_eq!(game.hash(), certain.hash(), "after {frames} frames");
    }
}

#[test]
fn two_consoles_stay_the_same_at_200_ms_and_5_percent_lost() {
    for (image, level) in IMAGES.into_iter().zip([18, 9]) {
        let mut begin = rig::Game::new(image, 1, level);
        while !View::new(begin.console.ram()).in_play() {
            begin.frame();
        }
        let game = Duo([begin.console.clone(), begin.console.clone()]);
        let mut sides = [0, 1].map(|own| RollbackSession::new(game.clone(), 7, own, 4));
        let (network, mut pressed) = (Network::new(9, 200, 40, 5), [Vec::new(), Vec::new()]);
        let mut random = SplitMix64::new(4);
        let mut held = [(0, 0_u32); 2];
        // Hands that press and hold: left, right, down, turns.
        play(&mut sides, &network, &mut pressed, 1_500, |own| {
            let (buttons, frames) = &mut held[own];
            if *frames == 0 {
                *buttons = random.pick(&[0, 0, 1, 2, 4, 0x80, 0x40, 0x81]);
                *frames = 3 + random.below(16);
            }
            *frames -= 1;
            *buttons
        });
        for tally in sides.each_ref().map(RollbackSession::tally) {
            assert!(tally.frames > 1_450, "of 1,500 turns: {tally:?}");
            assert!(tally.rollbacks > 50 && tally.longest <= 40, "{tally:?}");
        }
        assert_true(&sides, &game, &pressed);
        assert!(sides.iter().all(|side| side.certain().1 > 1_400));
        let counts = sides[0].game().0.each_ref().map(|console| View::new(console.ram()).piece_counts());
        assert!(counts.iter().all(|counts| counts.iter().sum::<u32>() > 5), "{counts:?}");
    }
}

#[test]
fn any_delay_loss_and_order_lead_to_the_same_game() {
    for seed in 0..60 {
        let mut random = SplitMix64::new(seed);
        let (delay, jitter, loss) = (random.below(250).into(), random.below(200), random.below(30));
        let (network, mut pressed) = (Network::new(seed, delay, jitter, loss), [Vec::new(), Vec::new()]);
        let own_delay = u64::from(random.below(8));
        let mut sides = [0, 1].map(|own| RollbackSession::new(Sum(seed), 1, own, own_delay));
        play(&mut sides, &network, &mut pressed, 900, |_| {
            if random.one_in(4) { random.next_u64() as u8 } else { 0 }
        });
        assert_true(&sides, &Sum(seed), &pressed);
        for side in &sides {
            assert!(side.certain().1 > 200, "seed {seed}: {:?}", side.tally());
        }
    }
}

#[test]
fn games_that_differ_are_found_and_the_frame_is_named() {
    let network = Network::new(1, 30, 0, 0);
    let mut one = RollbackSession::new(Slips(5, 0), 1, 0, 0);
    let mut other = RollbackSession::new(Sum(5), 1, 1, 0);
    let mut ends = Vec::new();
    for _ in 0..300 {
        network.borrow_mut().now += FRAME;
        let now = network.borrow().now;
        ends.push(one.turn(1, now, &mut Port(Rc::clone(&network), 0)));
        ends.push(other.turn(9, now, &mut Port(Rc::clone(&network), 1)));
    }
    let desync = ends.iter().find_map(|advance| match advance {
        Advance::Over(end @ End::Desync { frame, .. }) => Some((*frame, end.to_string())),
        _ => None,
    });
    let (frame, text) = desync.expect("it was found");
    assert_eq!(frame, 90, "the first frame that is compared after the slip");
    assert!(text.contains("differ after frame 90"), "{text}");
    assert!(ends[ends.len() - 2..].iter().all(|advance| matches!(advance, Advance::Over(_))));
}

#[test]
fn who_vanishes_or_leaves_ends_the_match_and_who_plays_something_else_does_not_begin_it() {
    let network = Network::new(2, 50, 0, 0);
    let patience = Duration::from_secs(8);
    let mut sides = [0, 1].map(|own| RollbackSession::new(Sum(5), 1, own, 2).patient(patience));
    assert_eq!(
        play(&mut sides, &network, &mut Default::default(), 100, |_| 1),
        [Advance::Frame, Advance::Frame]
    );
    network.borrow_mut().cut = true;
    assert_eq!(
        play(&mut sides, &network, &mut Default::default(), 120, |_| 1),
        [Advance::Stalled, Advance::Stalled]
    );
    let gone = play(&mut sides, &network, &mut Default::default(), 600, |_| 1);
    assert_eq!(gone, [Advance::Over(End::Gone(patience)), Advance::Over(End::Gone(patience))]);

    let network = Network::new(2, 50, 0, 0);
    let mut sides = [0, 1].map(|own| RollbackSession::new(Sum(5), 1, own, 2));
    play(&mut sides, &network, &mut Default::default(), 100, |_| 1);
    sides[0].leave(&mut Port(Rc::clone(&network), 0));
    assert_eq!(play(&mut sides, &network, &mut Default::default(), 20, |_| 1)[1], Advance::Over(End::Left));

    let network = Network::new(2, 50, 0, 0);
    let mut sides = [RollbackSession::new(Sum(5), 1, 0, 2), RollbackSession::new(Sum(6), 1, 1, 2)];
    let ends = play(&mut sides, &network, &mut Default::default(), 100, |_| 1);
    assert!(ends.iter().all(|end| matches!(end, Advance::Over(End::Terms { .. } | End::Left))), "{ends:?}");
}

#[test]
fn strange_messages_change_nothing_and_another_version_is_named() {
    let terms = Terms { cartridge: 1, beginning: 2 };
    let buttons =
        Message::Buttons { number: 2, received: 3, first: 4, buttons: vec![1; 128], certain: (30, 5) };
    let rules = Rules {
        cartridge: 1,
        level: 18,
        dealer: 2,
        seed: 3,
        number: 4,
        kind: (4, 300),
        best_of: 5,
        name: Name::new("Ben\u{1b}[31m ß and more letters than fit"),
    };
    assert_eq!(rules.name.text(), "Ben[31m ß and more lett");
    let others = [Message::Knock(9), Message::Busy(9), Message::Bye(9), Message::Invite(rules)];
    for message in [Message::Hello(7, terms, Name::new("Ada")), buttons].into_iter().chain(others) {
        let bytes = message.bytes();
        assert!(bytes.len() <= 200);
        assert_eq!(Message::read(&bytes), Ok(message));
        for length in 0..bytes.len().min(40) {
            assert!(Message::read(&bytes[..length]).is_err());
        }
    }
    let network = Network::new(3, 20, 0, 0);
    let mut sides = [0, 1].map(|own| RollbackSession::new(Sum(5), 1, own, 2));
    let mut random = SplitMix64::new(8);
    for _ in 0..400 {
        let length = random.below(300) as usize;
        let mut bytes: Vec<u8> = (0..length).map(|_| random.next_u64() as u8).collect();
        if random.one_in(2) {
            bytes.splice(0..0, *b"MXNP\x03\x01");
        }
        network.borrow_mut().under_way.push((Duration::ZERO, random.below(2) as usize, bytes));
        assert!(
            play(&mut sides, &network, &mut Default::default(), 1, |_| 3)
                .iter()
                .all(|end| !matches!(end, Advance::Over(_)))
        );
    }
    assert!(sides.iter().all(|side| side.tally().strange > 50 && side.certain().1 > 300));
    // Frames at the end of all numbers: the other side of this match could claim them.
    let mut side = RollbackSession::new(Sum(5), 1, 0, 2);
    let claimed = Message::Buttons {
        number: 0,
        received: 0,
        first: u64::MAX - 1,
        buttons: vec![1; 9],
        certain: (0, 5),
    };
    network.borrow_mut().under_way.push((Duration::ZERO, 0, claimed.bytes()));
    let end = side.turn(0, Duration::from_secs(100), &mut Port(Rc::clone(&network), 0));
    assert!(!matches!(end, Advance::Over(_)) && side.tally().strange == 0, "{end:?}");
    let mut side = RollbackSession::new(Sum(5), 1, 0, 2);
    network.borrow_mut().under_way.push((Duration::ZERO, 0, b"MXNP\x07\x00".to_vec()));
    let Advance::Over(end) = side.turn(0, Duration::from_secs(100), &mut Port(Rc::clone(&network), 0)) else {
        panic!("it goes on")
    };
    assert!(end.to_string().contains("found 7"), "{end}");
}

#[test]
fn a_match_goes_over_udp() {
    let mut host = UdpWire::host("127.0.0.1:0").unwrap();
    let mut guest = UdpWire::join(host.address().unwrap()).unwrap();
    let mut sides = [0, 1].map(|own| RollbackSession::new(Sum(5), 1, own, 2));
    let begun = std::time::Instant::now();
    rig::until("three hundred certain frames", || {
        let now = begun.elapsed();
        let ends = [sides[0].turn(1, now, &mut host), sides[1].turn(2, now, &mut guest)];
        assert!(ends.iter().all(|end| !matches!(end, Advance::Over(_))), "{ends:?}");
        std::thread::sleep(Duration::from_micros(200));
        sides.iter().all(|side| side.certain().1 > 300)
    });
}

/// What a stream makes of both consoles.
struct Watched {
    sources: [Source; 2],
    profile: tetris::Profile,
    lines: [Vec<String>; 2],
}

impl Watched {
    fn new(profile: &tetris::Profile) -> Self {
        Self {
            sources: [Source::default(), Source::default()],
            profile: profile.clone(),
            lines: [Vec::new(), Vec::new()],
        }
    }

    fn look(&mut self, Duo(consoles): &Duo) {
        for (number, console) in (1..).zip(consoles) {
            let snapshot = stream::Snapshot::of(number, console.frame_number(), &self.profile, console.ram());
            let at = usize::from(number) - 1;
            let update = self.sources[at].observe(&snapshot);
            self.lines[at].extend(update.lines.iter().map(stream::Line::json));
        }
    }
}

/// 200 ms there and back, up to 40 more on the way, so that messages overtake each other, and one
/// in twenty lost.
#[test]
fn what_is_certain_makes_the_lines_of_a_replay_on_both_sides() {
    for (image, level) in IMAGES.into_iter().zip([18, 9]) {
        let mut begin = rig::Game::new(image, 1, level);
        while !View::new(begin.console.ram()).in_play() {
            begin.frame();
        }
        let game = Duo([begin.console.clone(), begin.console.clone()]);
        let mut sides = [0, 1].map(|own| RollbackSession::new(game.clone(), 7, own, 2));
        let (network, mut random) = (Network::new(21, 100, 40, 5), SplitMix64::new(6));
        let (mut pressed, mut held) = ([Vec::new(), Vec::new()], [(0, 0_u32); 2]);
        let mut watched = [(); 2].map(|()| Watched::new(&begin.profile));
        for _ in 0..1_200 {
            network.borrow_mut().now += FRAME;
            let now = network.borrow().now;
            for own in [0, 1] {
                let (buttons, frames) = &mut held[own];
                if *frames == 0 {
                    *buttons = random.pick(&[0, 0, 1, 2, 4, 4, 0x80, 0x40, 0x81]);
                    *frames = 3 + random.below(16);
                }
                *frames -= 1;
                let mut port = Port(Rc::clone(&network), own);
                let mut witness = |game: &Duo, _: [u8; 2]| watched[own].look(game);
                if sides[own].turn_witnessed(*buttons, now, &mut port, &mut witness) == Advance::Frame {
                    pressed[own].push(*buttons);
                }
            }
        }
        assert!(sides.iter().all(|side| side.tally().rollbacks > 50), "guesses were wrong");
        for (side, watched) in sides.iter().zip(&watched) {
            let mut expected = Watched::new(&begin.profile);
            let mut game = game.clone();
            let frames = side.certain().1 as usize;
            assert!(frames > 1_100);
            for frame in 0..frames {
                let at = |own: usize| frame.checked_sub(2).map_or(0, |frame| pressed[own][frame]);
                game.frame([at(0), at(1)]);
                expected.look(&game);
            }
            assert_eq!(watched.lines, expected.lines, "what was streamed, and what was played");
            let lines = watched.lines.concat();
            assert!(lines.iter().filter(|line| line.contains("\"event\":\"lock\"")).count() > 10);
            assert!(!lines.iter().any(|line| line.contains("\"points\":-")), "points are taken back");
        }
    }
}

/// A cut of 70 seconds: a router that begins anew takes about a minute.
#[test]
fn a_match_goes_on_after_a_cut_of_more_than_a_minute() {
    let network = Network::new(5, 40, 10, 2);
    let mut sides = [0, 1].map(|own| RollbackSession::new(Sum(5), 1, own, 2));
    let mut pressed = <[Vec<u8>; 2]>::default();
    play(&mut sides, &network, &mut pressed, 100, |own| own as u8 + 1);
    let now = || network.borrow().now;
    assert!(sides.iter().all(|side| side.interrupted(now()).is_none()));
    network.borrow_mut().cut = true;
    let last = play(&mut sides, &network, &mut pressed, 70 * 60, |own| own as u8 + 3);
    assert_eq!(last, [Advance::Stalled, Advance::Stalled]);
    assert!(sides.iter().all(|side| side.interrupted(now()).is_some_and(|cut| cut.as_secs() > 65)));
    network.borrow_mut().cut = false;
    play(&mut sides, &network, &mut pressed, 200, |own| own as u8 + 5);
    assert!(sides.iter().all(|side| side.interrupted(now()).is_none() && side.certain().1 > 250));
    assert!(sides.iter().all(|side| side.agreed() > 200));
    assert_true(&sides, &Sum(5), &pressed);
}

/// A stranger cannot end a match that waits or is on, nor keep one that nobody plays: it does not
/// know the number, or sends no buttons.
#[test]
fn strangers_neither_end_a_match_nor_keep_it_alive() {
    let rules = Rules { cartridge: 1, number: 77, ..Rules::default() };
    let own = Terms { cartridge: 1, beginning: Sum(5).hash() };
    let other = Terms { cartridge: 2, beginning: 9 };
    let stray = || -> Vec<Vec<u8>> {
        let messages = [
            Message::Knock(3),
            Message::Hello(77, own, Name::default()),
            Message::Hello(77, other, Name::default()),
            Message::Hello(78, other, Name::default()),
            Message::Bye(0),
            Message::Bye(76),
            Message::Buttons { number: 76, received: 9, first: 0, buttons: vec![1; 9], certain: (0, 1) },
        ];
        let versions = [b"MXNP\x01\x00".to_vec(), b"MXNP\x09".to_vec(), b"MXNP\x01\x03".to_vec()];
        messages.iter().map(Message::bytes).chain(versions).collect()
    };
    let network = Network::new(4, 30, 0, 0);
    let inject = |to: usize| {
        let mut network = network.borrow_mut();
        let now = network.now;
        network.under_way.extend(stray().into_iter().map(|bytes| (now, to, bytes)));
    };
    let mut host = RollbackSession::new(Sum(5), 1, 0, 2).inviting(rules);
    for turn in 0..700 {
        network.borrow_mut().now += FRAME;
        let now = network.borrow().now;
        if turn % 7 == 0 {
            inject(0);
        }
        assert_eq!(host.turn(0, now, &mut Port(Rc::clone(&network), 0)), Advance::Waiting);
        // Nobody listens at the other end.
        network.borrow_mut().under_way.retain(|(_, to, _)| *to == 0);
    }
    assert!(!host.has_begun());
    let mut sides = [host, RollbackSession::new(Sum(5), 1, 1, 2).numbered(77)];
    let mut pressed = <[Vec<u8>; 2]>::default();
    for turn in 0..400 {
        if turn % 7 == 0 && sides.iter().all(RollbackSession::has_begun) {
            inject(0);
            inject(1);
        }
        let last = play(&mut sides, &network, &mut pressed, 1, |own| own as u8 + 1);
        assert!(!last.iter().any(|end| matches!(end, Advance::Over(_))), "turn {turn}: {last:?}");
    }
    assert!(sides.iter().all(|side| side.certain().1 > 350));
    assert_true(&sides, &Sum(5), &pressed);
    network.borrow_mut().cut = true;
    let ends = (0..8_000).find_map(|_| {
        inject(0);
        let last = play(&mut sides, &network, &mut pressed, 1, |_| 1);
        matches!(last[0], Advance::Over(_)).then_some(last[0].clone())
    });
    assert_eq!(ends, Some(Advance::Over(End::Gone(netplay::SILENCE))), "greetings are no player");
}

#[test]
fn a_third_player_is_told_that_the_host_plays_and_the_second_keeps_the_seat() {
    let rules = Rules { cartridge: 1, number: 77, ..Rules::default() };
    let mut host_wire = UdpWire::host("127.0.0.1:0").unwrap();
    let address = host_wire.address().unwrap();
    let mut host = RollbackSession::new(Sum(5), 1, 0, 2).inviting(rules);
    let mut wires = [(); 2].map(|()| UdpWire::join(address).unwrap());
    let begun = std::time::Instant::now();
    let mut guest = Guest::new(1, 3);
    let mut found = None;
    rig::until("an invitation", || {
        let now = begun.elapsed();
        host.turn(0, now, &mut host_wire);
        found = guest.turn(now, &mut wires[0]).unwrap();
        found.is_some()
    });
    assert_eq!(found, Some(rules));
    let mut second = RollbackSession::new(Sum(5), 1, 1, 2).numbered(77);
    let (mut third, mut told) = (Guest::new(1, 4), None);
    rig::until("a match, and an answer to the third", || {
        let now = begun.elapsed();
        // Junk of a third computer right behind what the second says.
        let ends = [host.turn(1, now, &mut host_wire), second.turn(2, now, &mut wires[0])];
        assert!(!ends.iter().any(|end| matches!(end, Advance::Over(_))), "{ends:?}");
        wires[1].send(b"junk");
        if host.has_begun() && told.is_none() {
            told = third.turn(now, &mut wires[1]).err();
        }
        std::thread::sleep(Duration::from_micros(200));
        told.is_some() && second.certain().1 > 100
    });
    assert_eq!(told, Some(End::Busy));
    assert_eq!(host_wire.other().map(|other| other.port() != address.port()), Some(true));
}
