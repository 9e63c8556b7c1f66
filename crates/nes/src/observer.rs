//! Observers: what a debugger, a tracer or a test sees of a run.

use core::ops::ControlFlow;

use nes_cpu::Cpu;
use nes_ppu::Purpose;

use crate::Mainboard;

/// Who drives the address bus in a cycle, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Access {
    /// The CPU, for this reason.
    Cpu(nes_cpu::Access),
    /// The CPU, halted by a DMA: it repeats its read until it is let go.
    Halted,
    /// An OAM DMA: it reads its page and writes `$2004`.
    OamDma,
    /// The DMC's DMA: it reads a byte of the sample.
    DmcDma,
}

impl Access {
    /// A cycle that a DMA takes from the CPU.
    pub fn is_dma(self) -> bool {
        !matches!(self, Self::Cpu(_))
    }
}

/// One cycle of the bus.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BusEvent {
    /// Number of the CPU cycle, counted from power-on.
    pub cycle: u64,
    /// The address on the board's bus.
    pub address: u16,
    /// What was read or written.
    pub value: u8,
    /// Was it a write?
    pub write: bool,
    /// Who asked, and why.
    pub access: Access,
}

/// A byte that the PPU has fetched, to draw the picture or for the CPU. Its palette is inside the
/// chip and is not fetched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FetchEvent {
    /// Number of the CPU cycle in which it came in, counted from power-on.
    pub cycle: u64,
    /// The PPU's address, 0–$3FFF.
    pub address: u16,
    /// What was fetched.
    pub value: u8,
    /// What for.
    pub purpose: Purpose,
    /// The PPU's line, 0–261.
    pub line: u16,
    /// The dot of the line.
    pub dot: u16,
}

/// The observer wants the run to stop before the next instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Break;

/// Watches a run. It is a type parameter of the run, so that `()` costs nothing, and it cannot
/// change the machine: an observed run leaves the very console that an unobserved one does.
/// Whatever may change it is an [`Attachment`](crate::Attachment), which every observer is as well.
pub trait Observer {
    /// Whether there is anyone to watch. A run that nobody watches may take shortcuts: what happens
    /// in it is the same, but neither [`Observer::step`] nor [`Observer::bus`] is always called.
    const WATCHES: bool = true;

    /// Whether an observer that does not watch everything says beforehand what it wants to see. All
    /// else may take the shortcuts, so that a hook costs next to nothing where it does not apply.
    const SELECTS: bool = false;

    /// Whether the PPU's fetches are wanted. Such a run goes by the definition, cycle by cycle and
    /// dot by dot ([`Reference`](crate::Reference)): it leaves the same console, an order of
    /// magnitude later. Nobody else pays.
    const FETCHES: bool = false;

    /// See [`Attachment::COMPILED`](crate::Attachment::COMPILED): for observers that run along with
    /// every frame of a game. Most belong to a tool.
    const COMPILED: bool = false;

    /// Must [`Observer::step`] be called before the next instruction, wherever that is? Asked only
    /// if [`Observer::SELECTS`], at the beginning of a run and whenever the observer has seen
    /// something.
    #[inline(always)]
    fn due(&self) -> bool {
        false
    }

    /// Must [`Observer::step`] be called before an instruction at `pc`, and [`Observer::bus`] for
    /// its own bytes? Asked only if [`Observer::SELECTS`], and before each instruction: what is
    /// looked up here is looked up often.
    #[inline(always)]
    fn selects_step(&self, pc: u16) -> bool {
        let _ = pc;
        false
    }

    /// Must [`Observer::bus`] be called when the CPU reads or writes `address`? Asked only if
    /// [`Observer::SELECTS`], and neither for the bytes of an instruction, nor for accesses whose
    /// value nobody uses, nor for a DMA.
    #[inline(always)]
    fn selects_bus(&self, address: u16, write: bool) -> bool {
        let _ = (address, write);
        false
    }

    /// Before each instruction. A break stops the run here; the next run would ask again.
    ///
    /// The chips catch up with the CPU only when someone could notice: what `board` shows of them
    /// may lag behind [`Mainboard::cycle`] (see [`Mainboard::caught_up`]); with
    /// [`Observer::FETCHES`] by one cycle.
    #[inline(always)]
    fn step(&mut self, cpu: &Cpu, board: &Mainboard) -> ControlFlow<Break> {
        let _ = (cpu, board);
        ControlFlow::Continue(())
    }

    /// After each cycle of the bus.
    #[inline(always)]
    fn bus(&mut self, event: BusEvent) {
        let _ = event;
    }

    /// After each fetch of the PPU, if [`Observer::FETCHES`]; before the [`Observer::bus`] of the
    /// same cycle only where the CPU reads or writes the PPU's registers in it.
    #[inline(always)]
    fn fetch(&mut self, event: FetchEvent) {
        let _ = event;
    }
}

impl Observer for () {
    const WATCHES: bool = false;
    const COMPILED: bool = !cfg!(debug_assertions);
}
