//! The controller ports against what is measured on consoles. Odd cycles are put cycles here.

use nes_controller::{Buttons, Devices, Extra, Held, Ports};
use nes_state::{Reader, StateError, Writer};
use proptest::prelude::*;

const A_ONLY: [Buttons; 2] = [Buttons::A, Buttons::empty()];

fn put(cycle: u64) -> bool {
    cycle % 2 == 1
}

fn write(ports: &mut Ports, value: u8, cycle: u64, pads: [Buttons; 2]) {
    ports.write(value, cycle, put(cycle), || pads.into());
}

/// Ports strobed with `pads` long before cycle 100.
fn strobed(pads: [Buttons; 2]) -> Ports {
    let mut ports = Ports::new();
    write(&mut ports, 1, 80, pads);
    write(&mut ports, 0, 86, pads);
    ports
}

/// Reads `port` at `cycle`, at a time when nobody needs to be asked for buttons.
fn read(ports: &mut Ports, port: usize, cycle: u64) -> u8 {
    ports.read(port, cycle, || panic!("buttons asked for while OUT0 is low"))
}

/// `count` reads of `port`, four cycles apart.
fn bits(ports: &mut Ports, port: usize, cycle: u64, count: u64) -> Vec<u8> {
    (0..count).map(|i| read(ports, port, cycle + 4 * i)).collect()
}

#[test]
fn buttons_come_out_in_order_and_then_ones() {
    for bit in 0..8 {
        let button = Buttons::from_bits_retain(0x80 >> bit);
        let mut ports = strobed([button, Buttons::all()]);
        let mut expected = vec![0; 8];
        expected[bit] = 1;
        expected.extend([1, 1, 1]);
        assert_eq!(bits(&mut ports, 0, 100, 11), expected);
    }
}

#[test]
fn each_port_is_clocked_by_itself() {
    let mut ports = strobed([Buttons::A, Buttons::B]);
    assert_eq!(bits(&mut ports, 0, 100, 3), [1, 0, 0]);
    assert_eq!(bits(&mut ports, 1, 120, 3), [0, 1, 0]);
}

#[test]
fn contiguous_reads_are_one_clock() {
    let mut ports = strobed(A_ONLY);
    assert_eq!((100..104).map(|cycle| read(&mut ports, 0, cycle)).collect::<Vec<_>>(), [1; 4]);
    assert_eq!(read(&mut ports, 0, 105), 0);
}

#[test]
fn a_cycle_between_reads_makes_two_clocks() {
    let mut ports = strobed([Buttons::A | Buttons::SELECT, Buttons::empty()]);
    let cycles = [100, 102, 104, 106];
    assert_eq!(cycles.map(|cycle| read(&mut ports, 0, cycle)), [1, 0, 1, 0]);
}

#[test]
fn reads_of_the_other_port_do_not_join_reads() {
    let mut ports = strobed([Buttons::A; 2]);
    assert_eq!(read(&mut ports, 0, 100), 1);
    assert_eq!(read(&mut ports, 1, 101), 1);
    assert_eq!(read(&mut ports, 0, 102), 0);
}

#[test]
fn a_strobe_of_one_cycle_counts_if_a_put_cycle_begins_within_it() {
    let mut ports = Ports::new();
    write(&mut ports, 1, 100, A_ONLY); // get: OUT0 rises as cycle 101 begins
    write(&mut ports, 0, 101, A_ONLY);
    assert_eq!(bits(&mut ports, 0, 110, 2), [1, 0]);
}

#[test]
fn a_strobe_of_one_cycle_is_lost_if_no_put_cycle_begins_within_it() {
    let mut ports = strobed(A_ONLY);
    assert_eq!(bits(&mut ports, 0, 100, 9), [1, 0, 0, 0, 0, 0, 0, 0, 1]);
    ports.write(1, 201, true, || panic!("not a strobe"));
    ports.write(0, 202, false, || panic!("not a strobe"));
    assert_eq!(bits(&mut ports, 0, 210, 8), [1; 8]);
}

#[test]
fn only_bit_0_strobes() {
    let mut ports = strobed(A_ONLY);
    assert_eq!(bits(&mut ports, 0, 100, 9)[8], 1);
    write(&mut ports, 2, 200, A_ONLY);
    write(&mut ports, 0, 210, A_ONLY);
    assert_eq!(bits(&mut ports, 0, 220, 8), [1; 8]);
    write(&mut ports, 3, 300, A_ONLY);
    write(&mut ports, 0, 310, A_ONLY);
    assert_eq!(bits(&mut ports, 0, 320, 2), [1, 0]);
}

#[test]
fn while_out0_is_high_a_shows_and_nothing_shifts() {
    let mut ports = Ports::new();
    write(&mut ports, 1, 100, A_ONLY);
    for cycle in [104, 108, 112] {
        assert_eq!(ports.read(0, cycle, || A_ONLY.into()), 1);
        assert_eq!(ports.read(0, cycle + 2, || [Buttons::B; 2].into()), 0);
    }
    write(&mut ports, 0, 120, A_ONLY);
    assert_eq!(bits(&mut ports, 0, 124, 2), [1, 0]);
}

#[test]
fn buttons_are_taken_as_late_as_the_strobe_ends() {
    let mut ports = Ports::new();
    ports.write(1, 100, false, || panic!("the strobe begins here"));
    ports.write(0, 104, false, || [Buttons::B, Buttons::empty()].into());
    assert_eq!(bits(&mut ports, 0, 110, 2), [0, 1]);
}

#[test]
fn a_peek_answers_what_a_read_would() {
    let mut ports = strobed(A_ONLY);
    for cycle in 100..130 {
        let peeked = ports.peek(0, cycle);
        let before = ports.clone();
        let same = ports.peek(0, cycle);
        assert_eq!(before, ports);
        assert_eq!(peeked, same);
        if cycle % 3 != 0 {
            assert_eq!(peeked, read(&mut ports, 0, cycle), "{cycle}");
        }
    }
}

#[test]
fn a_port_that_does_not_exist_reads_0() {
    let mut ports = strobed([Buttons::all(); 2]);
    assert_eq!(read(&mut ports, 2, 100), 0);
    assert_eq!(ports.peek(2, 100), 0);
}

/// What four pads hold, each something else.
const FOUR: Held = Held {
    pads: [Buttons::A.union(Buttons::RIGHT), Buttons::B],
    extra: Extra::Pads([Buttons::START, Buttons::LEFT.union(Buttons::SELECT)]),
};

/// Ports with `devices`, strobed with [`FOUR`] long before cycle 100.
fn four(devices: Devices) -> Ports {
    let mut ports = Ports::new();
    ports.plug(devices);
    ports.write(1, 80, false, || FOUR);
    ports.write(0, 86, false, || FOUR);
    ports
}

/// Returns the bits of `word`, first of all the uppermost of its `count`.
fn of_word(word: u32, count: u32) -> Vec<u8> {
    (0..count).rev().map(|bit| (word >> bit & 1) as u8).collect()
}

#[test]
fn a_four_score_shifts_out_two_pads_a_signature_and_then_ones() {
    let mut ports = four(Devices::FourScore);
    // A, Right; Start; the signature. B; Select, Left; the signature.
    assert_eq!(bits(&mut ports, 0, 100, 28), of_word(0x811_010F, 28));
    assert_eq!(bits(&mut ports, 1, 300, 28), of_word(0x402_220F, 28));
}

#[test]
fn a_famicoms_adapter_has_its_pads_on_d1_and_the_second_pad_no_start() {
    let mut ports = four(Devices::FamicomFour);
    let first = bits(&mut ports, 0, 100, 10);
    assert_eq!(first, [1, 0, 0, 2, 0, 0, 0, 1, 3, 3]);
    let second = bits(&mut ports, 1, 200, 10);
    assert_eq!(second, [0, 1, 2, 0, 0, 0, 2, 0, 3, 3]);
    let mut famicom = Ports::new();
    famicom.plug(Devices::Famicom);
    famicom.write(1, 80, false, || [Buttons::all(); 2].into());
    famicom.write(0, 86, false, || [Buttons::all(); 2].into());
    assert_eq!(bits(&mut famicom, 0, 100, 9), [1; 9]);
    assert_eq!(bits(&mut famicom, 1, 200, 9), [1, 1, 0, 0, 1, 1, 1, 1, 1]);
}

#[test]
fn a_zapper_is_no_shift_register_and_pads_1_is_one() {
    let mut ports = four(Devices::Zapper);
    assert_eq!(bits(&mut ports, 0, 100, 9), [1, 0, 0, 0, 0, 0, 0, 1, 1]);
    assert_eq!(bits(&mut ports, 1, 200, 9), [0; 9]);
}

#[test]
fn other_pads_do_not_reach_a_console_without_them() {
    let mut ports = four(Devices::Pads);
    assert_eq!(bits(&mut ports, 0, 100, 20), [&[1, 0, 0, 0, 0, 0, 0, 1][..], &[1; 12]].concat());
    let mut alone = strobed(FOUR.pads);
    bits(&mut alone, 0, 100, 20);
    assert_eq!(ports, alone);
}

#[test]
fn the_state_of_any_devices_comes_back_and_that_of_two_pads_is_as_long_as_ever() {
    for devices in Devices::ALL {
        let mut ports = four(devices);
        for reads in 0..26 {
            let bytes = Writer::save(&mut ports);
            let more = match devices {
                Devices::FourScore => 8,
                Devices::FamicomFour => 2,
                _ => 0,
            };
            assert_eq!(bytes.len(), 30 + more, "{devices}");
            let mut loaded = Ports::new();
            loaded.plug(devices);
            assert_eq!(Reader::load(&bytes, &mut loaded), Ok(()));
            assert_eq!(loaded, ports, "{devices} after {reads} reads");
            bits(&mut ports, reads % 2, 100 + 8 * reads as u64, 1);
        }
    }
}

#[test]
fn a_state_cut_anywhere_is_an_error() {
    let bytes = Writer::save(&mut strobed(A_ONLY));
    for end in 0..bytes.len() {
        let error = Reader::load(&bytes[..end], &mut Ports::new()).unwrap_err();
        assert!(matches!(error, StateError::Truncated { .. }), "{end}: {error}");
    }
}

/// Ports that tick: every cycle has its turn. The description that the time stamps must equal.
#[derive(Default)]
struct Ticking {
    written: bool,
    out0: bool,
    clock_low: bool,
    shift: u8,
}

impl Ticking {
    /// A cycle with at most one access: a read (answered), or a write of OUT0.
    fn cycle(&mut self, cycle: u64, access: Option<Access>, pads: [Buttons; 2]) -> Option<u8> {
        if put(cycle) {
            self.out0 = self.written;
        }
        let reads = access == Some(Access::Read);
        if self.clock_low && !reads {
            self.clock_low = false;
            if !self.out0 {
                self.shift = self.shift << 1 | 1;
            }
        }
        if self.out0 {
            self.shift = pads[0].bits();
        }
        if let Some(Access::Write(level)) = access {
            self.written = level;
        }
        self.clock_low = reads;
        reads.then_some(self.shift >> 7)
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Access {
    Read,
    Write(bool),
}

proptest! {
    #[test]
    fn time_stamps_equal_ticks(
        accesses in prop::collection::vec(
            prop::option::of(prop_oneof![Just(Access::Read), any::<bool>().prop_map(Access::Write)]),
            0..200,
        ),
        buttons: u8,
    ) {
        let pads = [Buttons::from_bits_retain(buttons), Buttons::empty()];
        let mut ticking = Ticking::default();
        let mut ports = Ports::new();
        for (cycle, access) in (0..).zip(accesses) {
            let expected = ticking.cycle(cycle, access, pads);
            match access {
                Some(Access::Read) => {
                    let read = ports.read(0, cycle, || pads.into());
                    prop_assert_eq!(Some(read), expected, "cycle {}", cycle);
                }
                Some(Access::Write(level)) => write(&mut ports, u8::from(level), cycle, pads),
                None => {}
            }
            let mut loaded = Ports::new();
            prop_assert_eq!(Reader::load(&Writer::save(&mut ports), &mut loaded), Ok(()));
            prop_assert_eq!(&loaded, &ports);
        }
    }

    #[test]
    fn any_state_is_refused_or_runs(mut bytes in prop::collection::vec(any::<u8>(), 30), cycle: u64, flags: u8) {
        for (index, byte) in [0, 1, 11, 21].into_iter().enumerate() {
            bytes[byte] = flags >> index & 1;
        }
        let mut ports = Ports::new();
        if Reader::load(&bytes, &mut ports).is_ok() {
            let _ = ports.peek(1, cycle);
            let _ = ports.read(0, cycle, || A_ONLY.into());
            ports.write(1, cycle, false, || A_ONLY.into());
        }
    }
}
