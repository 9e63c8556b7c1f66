//! The audio unit as a whole.

use nes_state::{Fields, State, StateError};

/// Who hears the mixed DAC level; `()` drops it.
pub trait Sink {
    /// Whether levels are wanted at all: without, they are not computed.
    const LISTENS: bool = true;
    /// After the APU's cycle `cycle` the level is `level`, 65,536 being full scale. It may repeat.
    fn level(&mut self, cycle: u64, level: i32);
}

impl Sink for () {
    const LISTENS: bool = false;
    fn level(&mut self, _cycle: u64, _level: i32) {}
}

/// The 2A03's audio unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Apu {
    cycle: u64,
    parity: u8,
}

impl Apu {
    /// At power-on. `alignment` 0–3: bit 0 get/put parity, bit 1 the DMC timer's.
    pub fn new(alignment: u8) -> Self {
        Self { cycle: 0, parity: alignment & 1 }
    }
    /// The reset line, at the cycle it has been run to.
    pub fn reset(&mut self) {}
    /// Whether that CPU cycle is a put cycle.
    pub fn is_put(&self, cycle: u64) -> bool {
        (cycle as u8 ^ self.parity) & 1 == 0
    }
    /// Executes the APU's cycles before `cycle`.
    pub fn run_until<S: Sink>(&mut self, cycle: u64, _sink: &mut S) {
        self.cycle = self.cycle.max(cycle);
    }
    /// A CPU write to $4000–$4013, $4015, $4017; the caller has run the APU to the access's cycle.
    pub fn write(&mut self, _address: u16, _value: u8) {}
    /// A CPU read of $4015; bit 5 is clear.
    pub fn read_status(&mut self) -> u8 {
        self.peek_status()
    }
    /// What a read of $4015 would answer.
    pub fn peek_status(&self) -> u8 {
        0
    }
    /// Was the IRQ line asserted when sampled in `cycle`? Good for the latest two cycles run and
    /// for any later one before [`Apu::next_event`].
    pub fn irq_at(&self, _cycle: u64) -> bool {
        false
    }
    /// The earliest APU cycle whose execution could change the IRQ line or make a DMC DMA wanted;
    /// visible once `run_until(that + 1)` has run. `u64::MAX` if nothing can happen.
    pub fn next_event(&self) -> u64 {
        u64::MAX
    }
    /// A DMC DMA is to hold (or keep holding) the CPU in the cycle that comes next; ask in each.
    pub fn dmc_wants_dma(&self) -> bool {
        false
    }
    /// A DMC DMA has been requested and not served, even if the channel's switch holds it back.
    pub fn dmc_requests_dma(&self) -> bool {
        false
    }
    /// Where the DMC's next byte comes from.
    pub fn dmc_address(&self) -> u16 {
        0xC000
    }
    /// The DMA's get cycle has read `value`; the APU has run to that cycle.
    pub fn dmc_fetched(&mut self, _value: u8) {}
}

impl State for Apu {
    fn walk<F: Fields>(&mut self, fields: &mut F) -> Result<(), StateError> {
        let Self { cycle, parity } = self;
        fields.u64(cycle)?;
        fields.u8(parity)
    }
}
