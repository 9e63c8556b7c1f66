//! The chips against their definition, and what is documented of their sound.

use proptest::prelude::*;

use super::*;
use crate::mixer::pulse_level;

/// Keeps all levels that differ from those before.
#[derive(Default, PartialEq, Debug)]
struct Recorder(Vec<(u64, i32)>);

impl Sink for Recorder {
    fn outputs(&mut self, _: u64, _: [u8; 5]) {}

    fn expansion(&mut self, cycle: u64, level: i32) {
        if self.0.last().map_or(0, |last| last.1) != level {
            self.0.push((cycle, level));
        }
    }
}

/// A chip that hears what a program does, and how it is run.
struct Bench<S> {
    chip: Expansion,
    sink: S,
    run: fn(&mut Expansion, u64, &mut S),
}

impl<S: Sink + Default> Bench<S> {
    fn new(chip: SoundChip, run: fn(&mut Expansion, u64, &mut S)) -> Self {
        Self { chip: Expansion::new(chip), sink: S::default(), run }
    }

    fn play(mut self, writes: &[(u64, u16, u8)]) -> Self {
        for &(wait, address, value) in writes {
            let cycle = self.chip.cycle + wait;
            (self.run)(&mut self.chip, cycle, &mut self.sink);
            self.chip.write(address, value, &mut self.sink);
        }
        let cycle = self.chip.cycle + 40_000;
        (self.run)(&mut self.chip, cycle, &mut self.sink);
        self
    }
}

/// Cycle by cycle, by the public method.
fn step_by_step<S: Sink>(chip: &mut Expansion, cycle: u64, sink: &mut S) {
    while chip.cycle < cycle {
        chip.run_until(chip.cycle + 1, sink);
    }
}

fn writes(registers: impl Strategy<Value = (u16, u8)>) -> impl Strategy<Value = Vec<(u64, u16, u8)>> {
    let wait = prop_oneof![4 => 0..12_u64, 2 => 1..700_u64, 1 => 1..40_000_u64];
    let write = (wait, registers).prop_map(|(wait, (address, value))| (wait, address, value));
    proptest::collection::vec(write, 1..50)
}

fn mmc5_registers() -> impl Strategy<Value = (u16, u8)> {
    let address = prop_oneof![6 => 0x5000..0x5008_u16, 1 => Just(0x5011), 2 => Just(0x5015)];
    (address, any::<u8>())
}

/// Mostly registers that exist, with short periods and loud volumes among them.
fn sunsoft_registers() -> impl Strategy<Value = (u16, u8)> {
    let value = prop_oneof![any::<u8>(), 0..32_u8];
    prop_oneof![
        (Just(0xC000), 0..16_u8),
        (Just(0xE000), value.clone()),
        (Just(0xC000), any::<u8>()),
        (0x8000..=0xFFFF_u16, value),
    ]
}

fn are_one(chip: SoundChip, writes: &[(u64, u16, u8)]) {
    let by_cycles = Bench::<Recorder>::new(chip, Expansion::run_by_cycles).play(writes);
    let at_once = Bench::<Recorder>::new(chip, Expansion::run_until).play(writes);
    let step_by_step = Bench::<Recorder>::new(chip, step_by_step).play(writes);
    let unheard = Bench::<()>::new(chip, Expansion::run_until).play(writes);
    assert_eq!(at_once.sink, by_cycles.sink);
    assert_eq!(step_by_step.sink, by_cycles.sink);
    for chip in [&at_once.chip, &step_by_step.chip, &unheard.chip] {
        assert_eq!(chip, &by_cycles.chip);
    }
    let mut saved = by_cycles.chip.clone();
    let bytes = nes_state::Writer::save(&mut saved);
    let mut loaded = Expansion::new(chip);
    nes_state::Reader::load(&bytes, &mut loaded).expect("a state");
    assert_eq!(loaded, by_cycles.chip);
}

proptest! {
    #[test]
    fn an_mmc5_that_is_run_at_once_is_the_one_that_is_run_cycle_by_cycle(writes in writes(mmc5_registers())) {
        are_one(SoundChip::Mmc5, &writes);
    }

    #[test]
    fn a_5b_that_is_run_at_once_is_the_one_that_is_run_cycle_by_cycle(writes in writes(sunsoft_registers())) {
        are_one(SoundChip::Sunsoft5B, &writes);
    }
}

fn heard(chip: SoundChip, writes: &[(u16, u8)], cycles: u64) -> Vec<(u64, i32)> {
    let mut bench = Bench::<Recorder>::new(chip, Expansion::run_until);
    // Between two clocks of the 5B.
    bench.chip.run_until(1, &mut bench.sink);
    for &(address, value) in writes {
        bench.chip.write(address, value, &mut bench.sink);
    }
    bench.chip.run_until(cycles, &mut bench.sink);
    bench.sink.0
}

/// Registers of the 5B by their numbers.
fn sunsoft(registers: &[(u8, u8)], cycles: u64) -> Vec<(u64, i32)> {
    let writes: Vec<_> =
        registers.iter().flat_map(|&(register, value)| [(0xC000, register), (0xE000, value)]).collect();
    heard(SoundChip::Sunsoft5B, &writes, cycles)
}

/// Cycles from each change to the next.
fn gaps(heard: &[(u64, i32)]) -> Vec<u64> {
    heard.windows(2).map(|pair| pair[1].0 - pair[0].0).collect()
}

#[test]
fn a_pulse_of_the_mmc5_is_one_of_the_consoles_upside_down() {
    let loud = heard(SoundChip::Mmc5, &[(0x5015, 1), (0x5000, 0xBF), (0x5002, 0xFD), (0x5003, 0)], 60_000);
    assert!(loud.iter().all(|(_, level)| [0, -pulse_level([15, 0])].contains(level)), "{loud:?}");
    // Half of 16 times 254 cycles: 440 Hz.
    assert!(gaps(&loud).iter().all(|&gap| gap == 4 * 2 * 254), "{:?}", gaps(&loud));
    // A period that silences a pulse of the console does not silence this one.
    let high = heard(SoundChip::Mmc5, &[(0x5015, 1), (0x5000, 0xBF), (0x5002, 1), (0x5003, 0)], 100);
    assert_eq!(gaps(&high)[..3], [16, 16, 16]);
    // A sweep that would silence it is none.
    let swept = [(0x5015, 1), (0x5000, 0xBF), (0x5001, 0xFF), (0x5002, 0xFD), (0x5003, 0)];
    assert_eq!(heard(SoundChip::Mmc5, &swept, 60_000), loud);
}

#[test]
fn lengths_and_envelopes_of_the_mmc5_are_clocked_240_times_a_second() {
    // The length 10 of the table, and a decay of 15 steps of one clock.
    let mut chip = Expansion::new(SoundChip::Mmc5);
    for (address, value) in [(0x5015, 3), (0x5000, 0x10), (0x5003, 0), (0x5004, 0), (0x5007, 0x08)] {
        chip.write(address, value, &mut ());
    }
    let ends = |chip: &mut Expansion, bit: u8| {
        (0..1_000_000).find(|_| {
            chip.run_until(chip.cycle() + 1, &mut ());
            chip.peek(0x5015).is_some_and(|status| status & bit == 0)
        })
    };
    let mut first = chip.clone();
    assert_eq!(ends(&mut first, 1), Some(10 * 7457 - 1));
    assert_eq!(chip.peek(0x5015), Some(3));
    chip.write(0x5015, 1, &mut ());
    assert_eq!((chip.peek(0x5015), chip.peek(0x5010)), (Some(1), None));
}

#[test]
fn the_pcm_channel_of_the_mmc5_has_eight_bits_and_leaves_zeros_out() {
    let said = heard(SoundChip::Mmc5, &[(0x5011, 0xFF), (0x5011, 0), (0x5011, 0x80)], 10);
    let levels: Vec<i32> = said.iter().map(|(_, level)| *level).collect();
    assert_eq!(levels, [-crate::mixer::dmc_level(127), -crate::mixer::dmc_level(64)]);
}

#[test]
fn a_tone_of_the_5b_turns_over_every_sixteen_cycles_times_its_period() {
    for (period, turn) in [(1_u16, 16), (0, 16), (254, 16 * 254), (0xFFF, 16 * 0xFFF)] {
        let [low, high] = period.to_le_bytes();
        let registers = [(7, 0b11_1110), (8, 15), (0, low), (1, high)];
        let said = sunsoft(&registers, 200_000);
        assert!(
            said.len() > 2 && gaps(&said)[1..].iter().all(|&gap| gap == turn),
            "{period}: {:?}",
            gaps(&said)
        );
    }
}

#[test]
fn volumes_of_the_5b_are_three_decibels_apart_and_twelve_is_as_loud_as_was_measured() {
    let level = |volume: u8| {
        let said = sunsoft(&[(7, 0b11_1111), (8, volume)], 20);
        said.last().map_or(0, |last| last.1)
    };
    assert_eq!(level(0), 0);
    let decibels = |one: i32, other: i32| 20.0 * (f64::from(one) / f64::from(other)).log10();
    for volume in 2..=15 {
        let step = decibels(level(volume), level(volume - 1));
        assert!((step - 3.0).abs() < 0.05, "{volume}: {step}");
    }
    let beside = decibels(level(12), pulse_level([15, 0]));
    assert!((beside + 1.3).abs() < 0.01, "{beside}");
    // A constant output of all three is their sum.
    let three = sunsoft(&[(7, 0b11_1111), (8, 9), (9, 9), (10, 9)], 20);
    assert_eq!(three.last().map(|last| last.1), Some(3 * level(9)));
}

#[test]
fn a_write_behind_a_selection_with_high_bits_is_ignored() {
    let writes = [(0xC000, 7), (0xE000, 0x3F), (0xC000, 0x18), (0xE000, 15)];
    assert_eq!(heard(SoundChip::Sunsoft5B, &writes, 20), []);
    let writes = [(0xC000, 7), (0xE000, 0x3F), (0xDFFF, 8), (0xFFFF, 15)];
    assert_eq!(heard(SoundChip::Sunsoft5B, &writes, 20).len(), 1);
}

#[test]
fn the_noise_of_the_5b_has_a_bit_every_thirty_two_cycles_and_repeats_after_all_others() {
    let said = sunsoft(&[(7, 0b11_0111), (8, 15), (6, 3)], 40_000);
    assert!(gaps(&said)[1..].iter().all(|gap| gap % (32 * 3) == 0) && said.len() > 100);
    let said = sunsoft(&[(7, 0b11_0111), (8, 15), (6, 1)], 2 * 32 * 0x1_FFFF);
    let high: Vec<u64> = said.iter().map(|(cycle, _)| cycle / 32).collect();
    let (first, second): (Vec<u64>, Vec<u64>) = high.iter().partition(|bit| **bit < 0x1_FFFF);
    assert!(first.len() > 60_000);
    let again: Vec<u64> = second.iter().map(|bit| bit - 0x1_FFFF).filter(|bit| *bit > 32).collect();
    let first: Vec<u64> = first.into_iter().filter(|bit| *bit > 32).collect();
    assert_eq!(first, again);
}

#[test]
fn the_sixteen_shapes_of_the_envelope_are_those_of_the_data_sheet() {
    let [up, down] = [|step: usize| step as u8, |step: usize| 31 - step as u8];
    let drawn: [[&dyn Fn(usize) -> u8; 3]; 16] = {
        let none: &dyn Fn(usize) -> u8 = &|_| 0;
        let full: &dyn Fn(usize) -> u8 = &|_| 31;
        let (up, down): (&dyn Fn(usize) -> u8, &dyn Fn(usize) -> u8) = (&up, &down);
        let (fall, rise) = ([down, none, none], [up, none, none]);
        [
            fall,
            fall,
            fall,
            fall,
            rise,
            rise,
            rise,
            rise,
            [down, down, down],
            fall,
            [down, up, down],
            [down, full, full],
            [up, up, up],
            [up, full, full],
            [up, down, up],
            rise,
        ]
    };
    let levels: Vec<i32> = (0..32)
        .map(|step| {
            let said = sunsoft(&[(7, 0b11_1111), (8, 0x10), (11, 1), (13, 0b1101)], 16 * step + 1);
            said.last().map_or(0, |last| last.1)
        })
        .collect();
    assert!(levels[2..].is_sorted_by(|one, other| one < other) && levels[..2] == [0, 0], "{levels:?}");
    for (shape, ramps) in (0..16).zip(drawn) {
        let said = sunsoft(&[(7, 0b11_1111), (8, 0x10), (11, 1), (13, shape)], 16 * 96);
        for step in 0..96 {
            let now = said.iter().rev().find(|(cycle, _)| *cycle <= 16 * step + 1).map_or(0, |said| said.1);
            let step = step as usize;
            let expected = levels[usize::from(ramps[step / 32](step % 32))];
            assert_eq!(now, expected, "shape {shape:04b}, step {step}");
        }
    }
}
