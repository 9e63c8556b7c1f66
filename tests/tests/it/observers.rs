//! Whoever watches a run leaves no trace in it.

use std::ops::ControlFlow;

use maxout_tests::public_rom;
use nes::{Break, BusEvent, Buttons, Cartridge, Config, Console, Cpu, Mainboard, Observer};

fn console(rom: &str) -> Console {
    let cartridge = Cartridge::from_bytes(&public_rom(rom)).unwrap_or_else(|error| panic!("{rom}: {error}"));
    Console::new(cartridge, Config { sample_rate: Some(48_000), ..Config::default() })
}

const PADS: [Buttons; 2] = [Buttons::START, Buttons::empty()];

/// Counts, and looks at everything that can be looked at.
#[derive(Default)]
struct Nosy {
    steps: u64,
    cycles: u64,
    next_cycle: Option<u64>,
    dma: u64,
    nosed: u64,
}

impl Observer for Nosy {
    fn step(&mut self, cpu: &Cpu, board: &Mainboard) -> ControlFlow<Break> {
        self.steps += 1;
        // A look at everything at each step would take minutes.
        if self.steps.is_multiple_of(509) {
            let address = (self.steps.wrapping_mul(0x9E37) & 0xFFFF) as u16;
            self.nosed += u64::from(board.peek(address)) + u64::from(board.peek(cpu.pc));
            self.nosed +=
                (0x2000..0x2008).chain(0x4015..0x4018).map(|r| u64::from(board.peek(r))).sum::<u64>();
            self.nosed += u64::from(board.caught_up().ppu().dot());
        }
        ControlFlow::Continue(())
    }

    fn bus(&mut self, event: BusEvent) {
        if let Some(next) = self.next_cycle {
            assert_eq!(event.cycle, next, "every cycle of the bus is told once, in order");
        }
        self.next_cycle = Some(event.cycle + 1);
        self.cycles += 1;
        self.dma += u64::from(event.access.is_dma());
    }
}

#[test]
fn an_observed_run_leaves_the_very_console_that_an_unobserved_one_does() {
    for rom in
        ["spritecans.nes", "cpu/sprdma_and_dmc_dma.nes", "ppu/read_buffer.nes", "apu/dmc_dma_4016_read.nes"]
    {
        let (mut watched, mut alone) = (console(rom), console(rom));
        let mut nosy = (Nosy::default(), Nosy::default());
        let begin = watched.cycle();
        for _ in 0..30 {
            let _ = watched.run_frame(&mut PADS.clone(), &mut (&mut nosy.0, &mut nosy.1));
            let _ = alone.run_frame(&mut PADS.clone(), &mut ());
        }
        assert!(watched == alone, "{rom}");
        assert_eq!(watched.save(), alone.save(), "{rom}");
        assert!(watched.picture().pixels() == alone.picture().pixels(), "{rom}: picture");
        assert_eq!(watched.samples(), alone.samples(), "{rom}: sound");
        assert_eq!(nosy.0.cycles, watched.cycle() - begin, "{rom}: cycles");
        assert_eq!(nosy.0.steps, nosy.1.steps, "{rom}: both of a pair see every step");
        assert_eq!(nosy.0.nosed, nosy.1.nosed, "{rom}: looking twice finds the same");
    }
}

/// Breaks before every n-th instruction.
struct Impatient(u64);

impl Observer for Impatient {
    fn step(&mut self, _: &Cpu, _: &Mainboard) -> ControlFlow<Break> {
        self.0 += 1;
        if self.0.is_multiple_of(101) { ControlFlow::Break(Break) } else { ControlFlow::Continue(()) }
    }
}

#[test]
fn a_run_broken_off_and_taken_up_again_ends_where_one_stretch_does() {
    let (mut broken, mut whole) = (console("spritecans.nes"), console("spritecans.nes"));
    let mut impatient = Impatient(0);
    let mut breaks = 0;
    for _ in 0..20 {
        while broken.run_frame(&mut PADS.clone(), &mut impatient).is_break() {
            breaks += 1;
        }
        let _ = whole.run_frame(&mut PADS.clone(), &mut ());
    }
    assert!(breaks > 100);
    assert!(broken == whole);
    assert_eq!(broken.save(), whole.save());
    assert!(broken.picture().pixels() == whole.picture().pixels());
}

#[test]
fn two_consoles_side_by_side_do_not_know_of_each_other() {
    let (mut one, mut two) = (console("spritecans.nes"), console("cpu/instr_misc.nes"));
    for _ in 0..20 {
        let _ = one.run_frame(&mut PADS.clone(), &mut ());
        let _ = two.run_frame(&mut PADS.clone(), &mut ());
    }
    let mut alone = console("spritecans.nes");
    for _ in 0..20 {
        let _ = alone.run_frame(&mut PADS.clone(), &mut ());
    }
    assert!(one == alone);
}
