//! Tiny NROM cartridges, hand-assembled in the test that runs them.

use nes::{Break, BusEvent, Buttons, Cartridge, Config, Console, Cpu, Mainboard, Observer};
use nes_testing::Image;
use std::ops::ControlFlow;

/// Where a program starts; the reset vector points here.
pub(crate) const START: u16 = 0x8000;
/// Where the NMI vector points.
pub(crate) const NMI: u16 = 0x9000;
/// Where the IRQ vector points.
pub(crate) const IRQ: u16 = 0xA000;

/// An iNES image of NROM-256 with `code` at $8000, both handlers an RTI, samples of $55 from $C000
/// on, and CHR-ROM.
pub(crate) fn image(code: &[u8]) -> Vec<u8> {
    Image::nrom(code).put(0x4000, &[0x55; 0x3FFA]).chr_of(0x0F).bytes()
}

/// A console with that program in it.
pub(crate) fn console_with(code: &[u8], config: Config) -> Console {
    Console::new(Cartridge::from_bytes(&image(code)).expect("a valid image"), config)
}

/// A console with that program in it, powered on in the default way.
pub(crate) fn console(code: &[u8]) -> Console {
    console_with(code, Config::default())
}

/// Runs `count` instructions with no button held.
pub(crate) fn run(console: &mut Console, count: usize) {
    for _ in 0..count {
        assert!(console.step(&mut [Buttons::empty(); 2], &mut ()).is_continue());
    }
}

/// Runs one instruction and returns its bus cycles.
pub(crate) fn trace(console: &mut Console) -> Vec<BusEvent> {
    let mut cycles = Recorder::default();
    assert!(console.step(&mut [Buttons::empty(); 2], &mut cycles).is_continue());
    cycles.0
}

/// Writes down every bus cycle.
#[derive(Default)]
pub(crate) struct Recorder(pub(crate) Vec<BusEvent>);

impl Observer for Recorder {
    fn bus(&mut self, event: BusEvent) {
        self.0.push(event);
    }
}

/// Stops the run before the instruction at this address.
pub(crate) struct StopAt(pub(crate) u16);

impl Observer for StopAt {
    fn step(&mut self, cpu: &Cpu, _: &Mainboard) -> ControlFlow<Break> {
        if cpu.pc == self.0 { ControlFlow::Break(Break) } else { ControlFlow::Continue(()) }
    }
}

/// How many of these cycles a DMA took.
pub(crate) fn dma_cycles(cycles: &[BusEvent]) -> usize {
    cycles.iter().filter(|cycle| cycle.access.is_dma()).count()
}
