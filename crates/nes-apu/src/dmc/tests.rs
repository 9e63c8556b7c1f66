//! The channel on a bench that serves its DMA as a CPU would that never writes.

use super::*;

/// A channel whose DMA takes four cycles from the request on, driven as a CPU that never writes.
struct Bench {
    dmc: Dmc,
    cycle: u64,
    /// Cycles that the CPU has been held.
    held: u64,
    fetches: Vec<u64>,
}

impl Bench {
    /// Cycle 0 is a put cycle.
    fn new(timer: u16) -> Self {
        Self { dmc: Dmc::new(timer), cycle: 0, held: 0, fetches: Vec::new() }
    }

    fn run(&mut self, cycles: u64) {
        for _ in 0..cycles {
            let put = self.cycle.is_multiple_of(2);
            self.dmc.tick(put);
            self.cycle += 1;
        }
    }

    /// As [`Bench::run`], with every wanted DMA served by the first get cycle two cycles later.
    fn serve(&mut self, cycles: u64, value: u8) {
        for _ in 0..cycles {
            self.held = if self.dmc.wants_dma() { self.held + 1 } else { 0 };
            if self.held > 2 && self.cycle % 2 == 1 {
                self.dmc.fetched(value);
                self.fetches.push(self.cycle);
                self.held = 0;
            }
            self.run(1);
        }
    }
}

#[test]
fn a_load_dma_is_wanted_three_or_four_cycles_after_the_write() {
    for (write, wanted) in [(100, 103), (101, 105)] {
        let mut bench = Bench::new(1022);
        bench.run(write);
        bench.dmc.enable(true, write.is_multiple_of(2));
        bench.run(wanted - 1 - write);
        assert!(!bench.dmc.wants_dma());
        bench.run(1);
        assert!(bench.dmc.wants_dma());
    }
}

#[test]
fn a_reload_dma_is_wanted_when_the_output_unit_empties_the_buffer() {
    let mut bench = Bench::new(1022);
    bench.dmc.write(3, 1);
    bench.dmc.enable(true, true);
    bench.serve(1022 + 7 * 428, 0x55);
    assert_eq!(bench.fetches.len(), 1);
    bench.serve(20, 0x55);
    assert_eq!(bench.fetches.len(), 2);
}

#[test]
fn a_sample_without_loop_ends_in_an_irq_with_its_last_fetch() {
    let mut bench = Bench::new(1022);
    bench.dmc.write(0, 0x8F);
    bench.dmc.write(3, 1);
    bench.dmc.enable(true, true);
    for _ in 0..1022 + 54 * 8 * 15 {
        assert!(!bench.dmc.irq() && bench.dmc.is_playing());
        bench.serve(1, 0);
    }
    bench.serve(54 * 8, 0);
    assert_eq!(bench.fetches.len(), 17);
    assert!(bench.dmc.irq() && !bench.dmc.is_playing());
    bench.dmc.enable(false, true);
    assert!(!bench.dmc.irq());
}

#[test]
fn a_looping_sample_begins_again_and_never_raises_an_irq() {
    let mut bench = Bench::new(1022);
    bench.dmc.write(0, 0xCF);
    bench.dmc.write(2, 0xFF);
    bench.dmc.enable(true, true);
    bench.serve(20_000, 0);
    assert!(bench.fetches.len() > 10 && !bench.dmc.irq() && bench.dmc.is_playing());
    assert_eq!(bench.dmc.address(), 0xFFC0);
}

#[test]
fn the_address_wraps_to_8000() {
    let mut dmc = Dmc::new(1022);
    dmc.write(2, 0xFF);
    dmc.write(3, 0xFF);
    dmc.enable(true, true);
    for _ in 0..64 {
        dmc.fetched(0);
    }
    assert_eq!(dmc.address(), 0x8000);
}

#[test]
fn the_output_moves_by_two_and_stops_at_its_ends() {
    for (start, byte, end) in [(64, 0xFF, 80), (126, 0xFF, 126), (1, 0x00, 1), (64, 0x0F, 64)] {
        let mut bench = Bench::new(1022);
        bench.dmc.write(0, 0x0F);
        bench.dmc.write(1, start);
        bench.dmc.enable(true, true);
        bench.serve(1022 + 54 * 32, byte);
        assert_eq!(bench.dmc.output(), end);
    }
}

#[test]
fn switching_off_in_time_withdraws_a_request_underway() {
    let mut bench = Bench::new(1022);
    bench.dmc.write(0, 0x0F);
    bench.dmc.write(3, 1);
    bench.dmc.enable(true, true);
    bench.serve(1022 + 54 * 7, 0);
    // The request comes with the get cycle that ended just now.
    assert!(bench.dmc.request);
    assert_eq!(bench.cycle % 2, 0);
    bench.run(1);
    bench.dmc.enable(false, false);
    bench.run(3);
    assert!(bench.dmc.wants_dma());
    bench.run(1);
    assert!(!bench.dmc.wants_dma() && !bench.dmc.request);
}

#[test]
fn switching_off_in_the_cycle_of_the_request_is_too_late_for_it() {
    let mut bench = Bench::new(1022);
    bench.dmc.write(0, 0x0F);
    bench.dmc.write(3, 1);
    bench.dmc.enable(true, true);
    bench.serve(1022 + 54 * 7, 0);
    bench.dmc.enable(false, true);
    bench.run(4);
    assert!(bench.dmc.wants_dma());
}

#[test]
fn a_one_byte_sample_started_just_before_the_buffer_empties_asks_twice() {
    let mut bench = Bench::new(1022);
    // Bit boundaries lie 428 apart; the eighth empties the buffer.
    let emptied = 1022 + 7 * 428;
    bench.run(emptied - 8);
    assert_eq!(bench.dmc.timer, 8);
    bench.dmc.enable(true, true);
    bench.serve(7, 0);
    assert_eq!((bench.fetches.len(), bench.dmc.is_playing()), (1, false));
    bench.run(1);
    assert!(bench.dmc.wants_dma());
    bench.run(1);
    assert!(!bench.dmc.request);
    // A new sample finds the buffer empty and asks for its first byte as any other.
    bench.dmc.enable(true, bench.cycle.is_multiple_of(2));
    bench.serve(8, 0);
    assert_eq!(bench.fetches.len(), 2);
}

#[test]
fn an_idle_stretch_moves_only_the_timer() {
    let mut bench = Bench::new(1020);
    bench.dmc.write(0, 0x04);
    for _ in 0..20_000 {
        let put = bench.cycle.is_multiple_of(2);
        let mut skipped = bench.dmc.clone();
        bench.run(1);
        if bench.cycle == 9000 {
            bench.dmc.enable(true, bench.cycle.is_multiple_of(2));
        } else if skipped.idle_cycles(put) > 0 {
            skipped.skip(u64::from(!put));
            assert_eq!(skipped, bench.dmc);
        }
    }
}
