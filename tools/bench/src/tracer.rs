//! An observer that looks at everything and keeps next to nothing.

use nes::{Break, BusEvent, Cpu, Mainboard, Observer};
use std::ops::ControlFlow;

/// Folds the registers before each instruction, and each cycle of the bus, into a number, so that
/// nothing of the watching can be left out.
#[derive(Default)]
pub(crate) struct Tracer(u64);

impl Tracer {
    fn fold(&mut self, value: u64) {
        self.0 = self.0.rotate_left(5) ^ value;
    }
}

impl Observer for Tracer {
    fn step(&mut self, cpu: &Cpu, board: &Mainboard) -> ControlFlow<Break> {
        let registers = [cpu.a, cpu.x, cpu.y, cpu.sp, cpu.p.bits(), 0, 0, 0];
        self.fold(u64::from_le_bytes(registers) ^ u64::from(cpu.pc) << 48);
        self.fold(board.cycle());
        ControlFlow::Continue(())
    }

    fn bus(&mut self, event: BusEvent) {
        let what = u64::from(event.address) << 9 | u64::from(event.value) << 1 | u64::from(event.write);
        self.fold(event.cycle << 25 ^ what);
    }
}
