//! The batched path of the PPU equals its description by dots, state for state.

use nes_clock::Region;
use nes_ppu::{Frame, Ppu, Quirks, VideoBus};
use proptest::prelude::*;

/// Pattern tables and nametables of plain memory, how often the patterns were written, and address
/// line A12.
#[derive(Clone, PartialEq)]
struct Memory(Vec<u8>, u32, A12);

/// A12, when it last fell, and when it rose after it had been low for more than four dots.
#[derive(Clone, Debug, Default, PartialEq)]
struct A12 {
    high: bool,
    fell: u64,
    rises: Vec<u64>,
}

/// Rises whose earliest moment is asked for.
const RISES: [u32; 9] = [1, 2, 3, 4, 7, 12, 13, 30, 250];

impl VideoBus for Memory {
    const WATCHES_A12: bool = true;

    fn a12(&mut self, high: bool, tick: u64) {
        let a12 = &mut self.2;
        if std::mem::replace(&mut a12.high, high) != high {
            if !high {
                a12.fell = tick;
            } else if tick > a12.fell + 16 {
                a12.rises.push(tick);
            }
        }
    }

    fn read(&mut self, address: u16) -> u8 {
        self.0[usize::from(address & 0x3FFF)]
    }

    fn pattern_generation(&self) -> Option<u32> {
        Some(self.1)
    }

    fn write(&mut self, address: u16, value: u8) {
        self.1 += u32::from(address < 0x2000);
        self.0[usize::from(address & 0x3FFF)] = value;
    }
}

/// The same without an observer of A12.
struct Quiet(Memory);

impl VideoBus for Quiet {
    fn read(&mut self, address: u16) -> u8 {
        self.0.read(address)
    }

    fn pattern_generation(&self) -> Option<u32> {
        self.0.pattern_generation()
    }

    fn write(&mut self, address: u16, value: u8) {
        self.0.write(address, value);
    }
}

/// What a program does to the PPU: an access, some CPU cycles after the last.
#[derive(Clone, Copy, Debug)]
struct Access {
    cycles: u16,
    register: u16,
    write: Option<u8>,
    bus: u8,
}

fn access() -> impl Strategy<Value = Access> {
    let cycles = prop_oneof![4 => 1..40_u16, 4 => 40..400_u16, 1 => 400..12_000_u16];
    let write = prop_oneof![
        3 => (Just(1), prop_oneof![Just(0x1E), Just(0x18), Just(0x00), any::<u8>()]),
        2 => (Just(0), any::<u8>()),
        6 => (3..8_u16, any::<u8>()),
    ];
    let access = prop_oneof![
        3 => write.prop_map(|(register, value)| (register, Some(value))),
        1 => prop_oneof![4 => Just(2_u16), 1 => Just(4), 1 => Just(7)].prop_map(|register| (register, None)),
    ];
    (cycles, access, any::<u8>()).prop_map(|(cycles, (register, write), bus)| Access {
        cycles,
        register,
        write,
        bus,
    })
}

/// What a program does to the picture in vblank: mostly addresses and bytes, close upon each other.
fn vblank_access() -> impl Strategy<Value = Access> {
    let cycles = prop_oneof![8 => 1..12_u16, 4 => 12..40_u16, 1 => 40..400_u16];
    let access = prop_oneof![
        6 => any::<u8>().prop_map(|value| (7, Some(value))),
        4 => prop_oneof![Just(0x3F_u8), any::<u8>()].prop_map(|value| (6, Some(value))),
        1 => (prop::sample::select(vec![0, 1, 5]), any::<u8>()).prop_map(|(register, value)| (register, Some(value))),
        1 => prop::sample::select(vec![2_u16, 7]).prop_map(|register| (register, None)),
    ];
    (cycles, access, any::<u8>()).prop_map(|(cycles, (register, write), bus)| Access {
        cycles,
        register,
        write,
        bus,
    })
}

/// One console's worth: the chip, its memory, its picture.
struct Side<M> {
    ppu: Ppu,
    memory: M,
    frame: Frame,
}

impl<M: VideoBus> Side<M> {
    fn new(region: Region, quirks: Quirks, phase: u8, memory: M, oam: &[u8]) -> Self {
        let mut side = Self { ppu: Ppu::new(phase), memory, frame: Frame::default() };
        side.ppu.set_region(region);
        side.ppu.set_quirks(quirks);
        for &byte in oam {
            side.ppu.write(4, byte, 0, 0, &mut side.memory, &mut side.frame);
        }
        side
    }

    fn apply(&mut self, access: Access, tick: u64) -> u8 {
        let Self { ppu, memory, frame } = self;
        match access.write {
            Some(value) => {
                ppu.write(access.register, value, access.bus, tick, memory, frame);
                0
            }
            None => ppu.read(access.register, tick, memory, frame),
        }
    }
}

/// Runs `accesses` on both paths and compares everything at each of them, and every whole picture
/// if the fast one is drawn.
fn compare(
    region: Region,
    phase: u8,
    seed: u64,
    sprites: &[u8],
    accesses: &[Access],
    drawn: bool,
) -> Result<(), TestCaseError> {
    let mut random = seed | 1;
    let memory = Memory(
        (0..0x4000)
            .map(|_| {
                random ^= random << 13;
                random ^= random >> 7;
                random ^= random << 17;
                (random >> 24) as u8
            })
            .collect(),
        0,
        A12::default(),
    );
    let quirks = Quirks { oam_decay: seed & 1 != 0, palette_corruption: seed & 2 != 0, ..Quirks::default() };
    let side = || Side::new(region, quirks, phase, memory.clone(), sprites);
    let (mut fast, mut slow) = (side(), side());
    let mut unseen = Side::new(region, quirks, phase, Quiet(memory.clone()), sprites);
    fast.frame.enable(drawn);
    unseen.frame.enable(false);
    // Past the warm-up, into the first line of the picture.
    let mut cycle = if region == Region::Pal { 33_300_u64 } else { 29_800 };
    let mut announced = Vec::new();
    for &access in accesses {
        let tick = region.tick(cycle);
        fast.ppu.run_until(tick, &mut fast.memory, &mut fast.frame);
        slow.ppu.run_by_dots(tick, &mut slow.memory, &mut slow.frame);
        unseen.ppu.run_until(tick, &mut unseen.memory, &mut unseen.frame);
        prop_assert_eq!(&fast.ppu, &slow.ppu, "before {:?} in cycle {}", access, cycle);
        prop_assert_eq!(&unseen.ppu, &slow.ppu, "unseen, before {:?} in cycle {}", access, cycle);
        prop_assert_eq!(&fast.memory.2, &slow.memory.2, "A12 before {:?} in cycle {}", access, cycle);
        keeps_to(&announced, &slow.memory.2)?;
        prop_assert_eq!(
            fast.apply(access, tick),
            slow.apply(access, tick),
            "{:?} in cycle {}",
            access,
            cycle
        );
        unseen.apply(access, tick);
        announced = announce(&mut slow);
        fast.memory.2.rises.clear();
        cycle += u64::from(access.cycles);
    }
    for _ in 0..2 {
        let tick = fast.ppu.next_event() + 8;
        fast.ppu.run_until(tick, &mut fast.memory, &mut fast.frame);
        slow.ppu.run_by_dots(tick, &mut slow.memory, &mut slow.frame);
        unseen.ppu.run_until(tick, &mut unseen.memory, &mut unseen.frame);
        prop_assert_eq!(&fast.ppu, &slow.ppu, "at the end of a frame");
        prop_assert_eq!(&unseen.ppu, &slow.ppu, "unseen, at the end of a frame");
        keeps_to(&announced, &slow.memory.2)?;
        announced = announce(&mut slow);
        fast.memory.2.rises.clear();
        prop_assert_eq!(&fast.memory.2, &slow.memory.2, "A12 at the end of a frame");
        prop_assert_eq!(fast.memory.1, slow.memory.1, "writes into patterns");
        let differs = fast.memory.0.iter().zip(&slow.memory.0).position(|(a, b)| a != b);
        prop_assert_eq!(differs, None, "video memory differs");
        prop_assert!(unseen.memory.0.0 == slow.memory.0, "video memory differs, unseen");
        let differs = fast.frame.pixels().iter().zip(slow.frame.pixels()).position(|(a, b)| drawn && a != b);
        prop_assert_eq!(differs.map(|at| (at % 256, at / 256)), None, "pixel differs");
    }
    Ok(())
}

/// The rises so far are forgotten; how many others are to come before which tick.
fn announce(side: &mut Side<Memory>) -> Vec<(u32, u64)> {
    side.memory.2.rises.clear();
    RISES.map(|rises| (rises, side.ppu.next_a12_rise(rises))).to_vec()
}

/// No rise has come before it was announced.
fn keeps_to(announced: &[(u32, u64)], a12: &A12) -> Result<(), TestCaseError> {
    for &(number, earliest) in announced {
        if let Some(&rise) = a12.rises.get(number as usize - 1) {
            prop_assert!(rise >= earliest, "rise {} comes at {}, announced for {}", number, rise, earliest);
        }
    }
    Ok(())
}

/// Sprites that share few lines and columns, so that they meet often.
fn sprites() -> impl Strategy<Value = Vec<u8>> {
    let coordinate = || prop_oneof![2 => any::<u8>(), 1 => 0..40_u8, 1 => 100..110_u8];
    prop::collection::vec((coordinate(), any::<u8>(), any::<u8>(), coordinate()), 64).prop_map(|sprites| {
        sprites.into_iter().flat_map(|(y, tile, attributes, x)| [y, tile, attributes, x]).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn random_programs_see_the_same_ppu_on_both_paths(
        region in prop::sample::select(vec![Region::Ntsc, Region::Pal]),
        phase in 0..4_u8,
        seed in any::<u64>(),
        sprites in sprites(),
        drawn in any::<bool>(),
        accesses in prop::collection::vec(access(), 1..60),
    ) {
        compare(region, phase, seed, &sprites, &accesses, drawn)?;
    }

    #[test]
    fn whole_frames_are_the_same_on_both_paths(
        region in prop::sample::select(vec![Region::Ntsc, Region::Pal]),
        phase in 0..4_u8,
        seed in any::<u64>(),
        sprites in sprites(),
        drawn in any::<bool>(),
        control in any::<u8>(),
        mask in any::<u8>(),
        scroll in any::<(u8, u8)>(),
    ) {
        let write = |register, value| Access { cycles: 20, register, write: Some(value), bus: value };
        let program = [write(0, control), write(5, scroll.0), write(5, scroll.1), write(1, mask | 8)];
        compare(region, phase, seed, &sprites, &program, drawn)?;
    }

    #[test]
    fn what_changes_between_two_frames_shows_and_the_rest_stays(
        region in prop::sample::select(vec![Region::Ntsc, Region::Pal]),
        phase in 0..4_u8,
        seed in any::<u64>(),
        sprites in sprites(),
        drawn in any::<bool>(),
        control in any::<u8>(),
        mask in any::<u8>(),
        changes in prop::collection::vec((0..0x4000_u16, any::<u8>(), 0..6_u8), 1..6),
    ) {
        let write = |register, value| Access { cycles: 20, register, write: Some(value), bus: value };
        let mut program = vec![write(0, control), write(1, mask | 8)];
        for (address, value, kind) in changes {
            let [high, low] = address.to_be_bytes();
            // Into the next vblank, and there a byte of video memory, of the palette, of OAM; or
            // nothing.
            program.push(Access { cycles: 20_000, register: 2, write: None, bus: 0 });
            match kind {
                0..3 => program.extend([write(6, high), write(6, low), write(7, value), write(6, 0), write(6, 0)]),
                3 => program.extend([write(6, 0x3F), write(6, low & 0x1F), write(7, value), write(6, 0), write(6, 0)]),
                4 => program.extend([write(3, low), write(4, value)]),
                _ => {}
            }
            program.push(Access { cycles: 9_600, register: 2, write: None, bus: 0 });
        }
        compare(region, phase, seed, &sprites, &program, drawn)?;
    }

    #[test]
    fn writes_in_vblank_leave_what_their_dots_do(
        region in prop::sample::select(vec![Region::Ntsc, Region::Pal]),
        phase in 0..4_u8,
        seed in any::<u64>(),
        control in any::<u8>(),
        mask in any::<u8>(),
        frames in prop::collection::vec((0..300_u16, prop::collection::vec(vblank_access(), 1..80)), 1..4),
    ) {
        let write = |register, value| Access { cycles: 20, register, write: Some(value), bus: value };
        let mut program = vec![write(0, control), write(1, mask)];
        let (frame, vblank) = if region == Region::Pal { (33_248, 25_683) } else { (29_781, 27_395) };
        for (wait, accesses) in frames {
            let now = program.iter().map(|access| u32::from(access.cycles)).sum::<u32>() % frame;
            let cycles = ((vblank + frame - now) % frame) as u16 + wait;
            program.push(Access { cycles, register: 2, write: None, bus: 0 });
            program.extend(accesses);
        }
        compare(region, phase, seed, &[], &program, true)?;
    }

    #[test]
    fn writes_while_rendering_is_off_leave_what_their_dots_do(
        region in prop::sample::select(vec![Region::Ntsc, Region::Pal]),
        phase in 0..4_u8,
        seed in any::<u64>(),
        sprites in sprites(),
        drawn in any::<bool>(),
        control in any::<u8>(),
        mask in any::<u8>(),
        parts in prop::collection::vec(
            (0..12_000_u16, any::<u8>(), prop::collection::vec(vblank_access(), 1..80)), 1..4,
        ),
    ) {
        let write = |register, value, cycles| Access { cycles, register, write: Some(value), bus: value };
        let mut program = vec![write(0, control, 20)];
        for (shown, colour, accesses) in parts {
            program.extend([write(1, mask, 1 + shown), write(1, colour & !0x18, 8)]);
            program.extend(accesses);
        }
        compare(region, phase, seed, &sprites, &program, drawn)?;
    }
}

/// Found by `writes_while_rendering_is_off_leave_what_their_dots_do`: `v` was loaded in the dot
/// after the picture's last pattern address, and A12 fell in between.
#[test]
fn a_write_of_v_across_the_end_of_the_picture_moves_a12_as_its_dots_do() {
    for shift in (0..400).step_by(2) {
        write_v_late(shift, (shift / 2 % 4) as u8);
    }
}

#[test]
#[ignore = "a minute: cargo test --release -p nes-ppu --test it -- --ignored in_every_phase"]
fn a_write_of_v_across_the_end_of_the_picture_does_so_in_every_phase() {
    for shift in 0..400 {
        for phase in 0..4 {
            write_v_late(shift, phase);
        }
    }
}

/// Compares the paths where `v` is written some cycles later, in both regions.
fn write_v_late(shift: u16, phase: u8) {
    let write = |cycles, register, value| Access { cycles, register, write: Some(value), bus: value };
    for (region, wait) in [(Region::Pal, 25_300), (Region::Ntsc, 26_950)] {
        let program = [
            write(wait + shift, 0, 0x10),
            write(8, 1, 8),
            write(8, 6, 0x3F),
            write(8, 6, 0x3F),
            write(1, 0, 0x10),
        ];
        let compared = compare(region, phase, 0, &[], &program, false);
        assert!(compared.is_ok(), "{region:?}, phase {phase}, shift {shift}: {compared:?}");
    }
}

/// Found by `cargo xtask prove --kind programs --seed 20261307`: a write after the last dot of line
/// 264 had begun went into OAM, because the chip had not been run to it yet.
#[test]
fn pals_oam_refuses_a_late_write_whether_the_chip_was_run_up_to_it_or_not() {
    let mut memory = Memory(vec![0; 0x4000], 0, A12::default());
    let mut frame = Frame::default();
    for phase in 0..4 {
        let mut ppu = Ppu::new(phase);
        ppu.set_region(Region::Pal);
        let mut begin = 0;
        while ppu.scanline() != 263 {
            begin += 1000;
            ppu.run_until(begin, &mut memory, &mut frame);
        }
        for tick in begin..begin + 3 * 341 * 4 {
            let (mut late, mut run) = (ppu.clone(), ppu.clone());
            run.run_until(tick, &mut memory, &mut frame);
            for ppu in [&mut late, &mut run] {
                ppu.write(4, 0x55, 0, tick, &mut memory, &mut frame);
                ppu.run_until(tick + 40, &mut memory, &mut frame);
            }
            assert!(late == run, "phase {phase}, line {}, dot {}", run.scanline(), run.dot());
        }
    }
}
