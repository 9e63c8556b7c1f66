//! A run whose observer sees the PPU's fetches leaves the very console that a run without leaves,
//! sees the same bus, and sees each fetch once, wherever it is stopped.

use std::ops::ControlFlow;

use nes::ppu::Purpose;
use nes::{Break, BusEvent, Buttons, Config, Cpu, FetchEvent, Mainboard, Observer};
use nes_testing::Image;
use tetris::SplitMix64;

use super::console;

/// Keeps what it sees; stops after so many instructions.
#[derive(Default)]
struct Watch<const FETCHES: bool> {
    bus: Vec<BusEvent>,
    fetches: Vec<FetchEvent>,
    left: u64,
}

impl<const FETCHES: bool> Observer for Watch<FETCHES> {
    const FETCHES: bool = FETCHES;

    fn step(&mut self, _: &Cpu, _: &Mainboard) -> ControlFlow<Break> {
        if self.left == 0 {
            return ControlFlow::Break(Break);
        }
        self.left -= 1;
        ControlFlow::Continue(())
    }

    fn bus(&mut self, event: BusEvent) {
        self.bus.push(event);
    }

    fn fetch(&mut self, event: FetchEvent) {
        self.fetches.push(event);
    }
}

#[test]
fn a_run_that_sees_fetches_is_the_same_run() {
    let mut fetched = 0;
    for seed in 1..=12 {
        let (mut plain, _) = console(seed);
        let mut watched = plain.clone();
        let mut random = SplitMix64::new(seed);
        let (mut pads, mut n) = ([Buttons::A, Buttons::B], 0);
        while plain.frame_number() < 4 {
            n += 1;
            let left = random.below(3000).into();
            let (mut bare, mut all) = (Watch::<false>::default(), Watch::<true>::default());
            (bare.left, all.left) = (left, left);
            if n % 3 == 0 {
                // A part of the way nobody watches: what the PPU still owes then is not of the
                // watched run.
                assert_eq!(plain.step(&mut pads, &mut ()), watched.step(&mut pads, &mut ()));
            }
            let ends = plain.run_frame(&mut pads, &mut bare);
            assert_eq!(watched.run_frame(&mut pads, &mut all), ends, "seed {seed}");
            assert_eq!(all.bus, bare.bus, "seed {seed}");
            assert!(plain == watched, "seed {seed}, cycle {}", plain.cycle());
            assert_eq!(plain.samples(), watched.samples(), "seed {seed}, cycle {}", plain.cycle());
            assert_eq!(bare.fetches, [], "seed {seed}");
            fetched += all.fetches.len();
        }
        let picture = plain.board.caught_up().picture().pixels().to_vec();
        assert_eq!(picture[..], watched.board.caught_up().picture().pixels()[..], "seed {seed}");
    }
    assert!(fetched > 100_000, "{fetched}");
}

#[test]
fn a_run_in_parts_sees_the_fetches_of_a_run_at_once() {
    for seed in 1..=4 {
        let mut pads = [Buttons::empty(); 2];
        let (mut whole, _) = console(seed);
        let mut parts = whole.clone();
        let mut steps = whole.clone();
        let mut at_once = Watch::<true> { left: u64::MAX, ..Watch::default() };
        let mut in_parts = Watch::<true>::default();
        for _ in 0..3 {
            assert!(whole.run_frame(&mut pads, &mut at_once).is_continue());
        }
        while parts.frame_number() < 3 {
            in_parts.left = 1;
            let _ = parts.run_frame(&mut pads, &mut in_parts);
        }
        assert_eq!(in_parts.bus, at_once.bus, "seed {seed}");
        assert!(in_parts.fetches == at_once.fetches, "seed {seed}");
        let mut stepped = Watch::<true>::default();
        while steps.frame_number() < 3 {
            stepped.left = 1;
            assert!(steps.step(&mut pads, &mut stepped).is_continue());
        }
        assert!(stepped.fetches == at_once.fetches, "seed {seed}");
    }
}

#[test]
fn a_fetch_is_told_with_its_byte_and_its_place() {
    // LDA #$1E, STA $2001, JMP to itself; tiles of number 0, whose rows are all $5A and $C3.
    let mut image = Image::nrom(&[0x2C, 0x02, 0x20, 0x10, 0xFB, 0xA9, 0x1E, 0x8D, 0x01, 0x20, 0xD0, 0xF4]);
    image.chr = [[0x5A; 8], [0xC3; 8]].concat().repeat(0x200);
    let mut console = image.console(Config::default());
    let mut pads = [Buttons::empty(); 2];
    for _ in 0..3 {
        let _ = console.run_frame(&mut pads, &mut ());
    }
    let mut watch = Watch::<true> { left: u64::MAX, ..Watch::default() };
    let _ = console.run_frame(&mut pads, &mut watch);
    let of_line = |line: u16| watch.fetches.iter().filter(move |fetch| fetch.line == line);
    for line in (0..240).chain([261]) {
        assert_eq!(of_line(line).count(), 170, "line {line}");
    }
    for fetch in &watch.fetches {
        let value = match fetch.purpose {
            Purpose::Background if fetch.address & 8 == 0 => 0x5A,
            Purpose::Background => 0xC3,
            Purpose::Tile | Purpose::Attribute => 0,
            Purpose::Sprite | Purpose::Unused | Purpose::Data => continue,
        };
        assert_eq!(fetch.value, value, "{fetch:?}");
        let dots = u64::from(fetch.line % 261) * 341 + u64::from(fetch.dot);
        let start = of_line(0).map(|first| first.cycle).min().unwrap_or(0);
        if fetch.line < 240 {
            assert!((fetch.cycle - start).abs_diff(dots / 3) <= 1, "{fetch:?} {start}");
        }
    }
}
