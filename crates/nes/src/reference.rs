//! The console by its definition: what every shortcut of [`Console`] is measured by.

use core::ops::ControlFlow;

use nes_controller::Buttons;
use nes_cpu::{Bus, Lines};
use nes_ppu::{Fetch, VideoBus};

use crate::mainboard::KeptOpcode;
use crate::pads::AnyPads;
use crate::video::BoardBus;
use crate::wires::selects_registers;
use crate::{Access, Attachment, Break, BusEvent, Cartridge, Config, Console, FetchEvent, Mainboard, Pads};

/// A console that takes no shortcut: before each cycle of the bus every chip has run up to the
/// present, the PPU dot by dot, the APU cycle by cycle, and each address is decoded anew.
///
/// It does what [`Console`] does, an order of magnitude slower, and shares none of its scheduling:
/// neither events, nor spans, nor its way through DMA. Both must see the same bus, cycle for cycle,
/// and be equal after each frame, picture and samples included. Only within an access to one of
/// the PPU's registers the chip runs on by itself, for fewer dots than any span has.
///
/// ```
/// use nes::{Buttons, Cartridge, Config, Console, Reference};
///
/// let mut image = b"NES\x1A\x02\x01\0\0\0\0\0\0\0\0\0\0".to_vec();
/// image.resize(16 + 0x8000 + 0x2000, 0xEA);
/// let cartridge = Cartridge::from_bytes(&image)?;
/// let mut fast = Console::new(cartridge.clone(), Config::default());
/// let mut slow = Reference::new(cartridge, Config::default());
/// let mut pads = [Buttons::empty(); 2];
/// let _ = fast.run_frame(&mut pads, &mut ());
/// let _ = slow.run_frame(&mut pads, &mut ());
/// assert_eq!(&fast, slow.console());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Reference(Console);

impl Reference {
    /// Inserts `cartridge`, powers on and runs the reset sequence.
    pub fn new(cartridge: Cartridge, config: Config) -> Self {
        let mut reference = Self(Console::unreset(cartridge, config));
        reference.run_reset_sequence();
        reference
    }

    /// The reset button, as [`Console::reset`].
    pub fn reset(&mut self) {
        settle(&mut self.0.board, &mut ());
        self.0.board.reset();
        self.run_reset_sequence();
    }

    fn run_reset_sequence(&mut self) {
        let Console { cpu, board } = &mut self.0;
        cpu.reset(&mut Lockstep { board, pads: &mut [Buttons::empty(); 2], attachment: &mut () });
    }

    /// Runs one instruction, as [`Console::step`].
    ///
    /// # Errors
    /// Not an error: a break, if the attachment asked for it before the instruction.
    pub fn step<P: Pads, A: Attachment>(&mut self, pads: &mut P, attachment: &mut A) -> ControlFlow<Break> {
        step(&mut self.0, &mut AnyPads(pads), attachment)
    }

    /// Runs to the end of the instruction in which the next vertical blank begins, as
    /// [`Console::run_frame`].
    ///
    /// # Errors
    /// Not an error: a break, if the attachment asked for it. The next run goes on from there.
    pub fn run_frame<P: Pads, A: Attachment>(
        &mut self,
        pads: &mut P,
        attachment: &mut A,
    ) -> ControlFlow<Break> {
        run_frame(&mut self.0, &mut AnyPads(pads), attachment)
    }

    /// The console as it stands between two instructions, to be compared or cloned.
    pub fn console(&self) -> &Console {
        &self.0
    }

    /// Forgets the samples made so far.
    pub fn clear_samples(&mut self) {
        self.0.clear_samples();
    }
}

/// [`Console::step`] for an attachment that wants to see the PPU's fetches.
#[inline(never)]
pub(crate) fn step_of<P: Pads, A: Attachment>(
    console: &mut Console,
    pads: &mut P,
    attachment: &mut A,
) -> ControlFlow<Break> {
    take_over(&mut console.board);
    let flow = step(console, pads, attachment);
    console.board.schedule();
    flow
}

/// [`Console::run_frame`] for an attachment that wants to see the PPU's fetches.
#[inline(never)]
pub(crate) fn run_frame_of<P: Pads, A: Attachment>(
    console: &mut Console,
    pads: &mut P,
    attachment: &mut A,
) -> ControlFlow<Break> {
    take_over(&mut console.board);
    let flow = run_frame(console, pads, attachment);
    console.board.schedule();
    flow
}

/// What the PPU still owes is done at once, but for the dots of the last cycle: this run's first
/// cycle begins with them, as a run by the definition ends without them.
fn take_over(board: &mut Mainboard) {
    let Mainboard { region, cycle, ppu, cartridge, ciram, frame, .. } = board;
    let tick = region.tick(cycle.saturating_sub(1));
    let bus = &mut BoardBus::new(cartridge, ciram, *region, ppu);
    ppu.run_by_dots(tick, bus, frame);
}

/// Before an instruction. Whoever may act there finds a board that knows its next event.
fn ask<A: Attachment>(console: &mut Console, attachment: &mut A) -> ControlFlow<Break> {
    if A::ACTS {
        console.board.schedule();
    }
    attachment.step(console)
}

fn step<P: Pads, A: Attachment>(
    console: &mut Console,
    pads: &mut P,
    attachment: &mut A,
) -> ControlFlow<Break> {
    ask(console, attachment)?;
    let Console { cpu, board } = console;
    cpu.step(&mut Lockstep { board, pads, attachment });
    ControlFlow::Continue(())
}

fn run_frame<P: Pads, A: Attachment>(
    console: &mut Console,
    pads: &mut P,
    attachment: &mut A,
) -> ControlFlow<Break> {
    let mut frame = console.frame_number();
    while console.frame_number() == frame {
        let cycle = console.cycle();
        ask(console, attachment)?;
        if A::ACTS && console.cycle() != cycle {
            frame = console.frame_number();
        }
        let Console { cpu, board } = console;
        cpu.step(&mut Lockstep { board, pads, attachment });
    }
    settle(&mut console.board, attachment);
    console.board.end_frame();
    ControlFlow::Continue(())
}

/// Every chip runs up to the present by its definition.
fn settle<A: Attachment>(board: &mut Mainboard, attachment: &mut A) {
    let Mainboard { region, cycle, ppu, apu, expansion, cartridge, ciram, frame, synth, .. } = board;
    let mut bus = BoardBus::new(cartridge, ciram, *region, ppu);
    if A::FETCHES {
        // The last cycle's dots are all that is missing.
        let bus = &mut WatchedBus { bus, attachment, cycle: cycle.saturating_sub(1) };
        ppu.run_by_dots(region.tick(*cycle), bus, frame);
    } else {
        ppu.run_by_dots(region.tick(*cycle), &mut bus, frame);
    }
    cartridge.advance(*cycle);
    match synth {
        Some(synth) => apu.run_by_cycles(*cycle, synth),
        None => apu.run_by_cycles(*cycle, &mut ()),
    }
    if let Some(chip) = expansion {
        match synth {
            Some(synth) => chip.run_by_cycles(*cycle, synth),
            None => chip.run_by_cycles(*cycle, &mut ()),
        }
    }
    if cartridge.watches_a12() {
        cartridge.set_a12(ppu.address_bus() & 0x1000 != 0);
    }
}

/// A read of one of the PPU's registers.
fn read_ppu<A: Attachment>(board: &mut Mainboard, attachment: &mut A, address: u16) -> u8 {
    if !A::FETCHES {
        return board.read_ppu(address);
    }
    let Mainboard { region, cycle, ppu, cartridge, ciram, frame, .. } = board;
    let bus = BoardBus::new(cartridge, ciram, *region, ppu);
    let bus = &mut WatchedBus { bus, attachment, cycle: *cycle };
    ppu.read(address & 7, region.tick(*cycle), bus, frame)
}

/// A write of one.
fn write_ppu<A: Attachment>(board: &mut Mainboard, attachment: &mut A, address: u16, value: u8) {
    if !A::FETCHES {
        return board.write_ppu(address, value);
    }
    let Mainboard { region, cycle, data_bus, ppu, cartridge, ciram, frame, .. } = board;
    let bus = BoardBus::new(cartridge, ciram, *region, ppu);
    let bus = &mut WatchedBus { bus, attachment, cycle: *cycle };
    ppu.write(address & 7, value, *data_bus, region.tick(*cycle), bus, frame);
    cartridge.snoop(address & 7, value);
}

/// The PPU's bus, with an attachment at it.
struct WatchedBus<'a, A> {
    bus: BoardBus<'a>,
    attachment: &'a mut A,
    cycle: u64,
}

impl<A: Attachment> VideoBus for WatchedBus<'_, A> {
    const WATCHES_A12: bool = true;

    #[inline]
    fn a12(&mut self, high: bool, tick: u64) {
        self.bus.a12(high, tick);
    }

    #[inline]
    fn read(&mut self, address: u16) -> u8 {
        self.bus.read(address)
    }

    #[inline]
    fn fetch(&mut self, fetch: Fetch) -> u8 {
        let Fetch { address, purpose, line, dot } = fetch;
        let value = self.bus.fetch(fetch);
        self.attachment.fetch(FetchEvent { cycle: self.cycle, address, value, purpose, line, dot });
        value
    }

    #[inline]
    fn write(&mut self, address: u16, value: u8) {
        self.bus.write(address, value);
    }
}

/// The board as the CPU of a [`Reference`] sees it.
struct Lockstep<'a, P, A> {
    board: &'a mut Mainboard,
    pads: &'a mut P,
    attachment: &'a mut A,
}

impl<P: Pads, A: Attachment> Bus for Lockstep<'_, P, A> {
    fn read(&mut self, address: u16, access: nes_cpu::Access) -> u8 {
        let is_opcode = access == nes_cpu::Access::Opcode;
        let kept = if is_opcode { self.board.take_opcode() } else { None };
        settle(self.board, self.attachment);
        if self.board.lets_dma_hold(is_opcode) {
            self.hold(kept.map_or(address, |kept| kept.address));
        }
        if let Some(KeptOpcode { address, value }) = kept {
            settle(self.board, self.attachment);
            self.board.data_bus = value;
            self.end_cycle(address, value, false, Access::Cpu(access));
            return value;
        }
        self.read_cycle(address, address, Access::Cpu(access))
    }

    fn write(&mut self, address: u16, value: u8, access: nes_cpu::Access) {
        self.write_cycle(address, value, Access::Cpu(access));
    }

    fn lines(&mut self) -> Lines {
        self.board.lines()
    }

    fn acknowledge_nmi(&mut self) {
        self.board.ppu.acknowledge_nmi();
    }

    fn held(&self) -> bool {
        self.board.released.wrapping_add(1) == self.board.cycle
    }
}

impl<P: Pads, A: Attachment> Lockstep<'_, P, A> {
    /// One read cycle. `address` is on the outer bus, `cpu_address` on the 6502's: they differ only
    /// while a DMA transfers.
    fn read_cycle(&mut self, address: u16, cpu_address: u16, access: Access) -> u8 {
        settle(self.board, self.attachment);
        let board = &mut *self.board;
        let internal_bus = board.internal_bus();
        let outer = match address {
            0x0000..=0x1FFF => board.ram[usize::from(address & 0x7FF)],
            0x2000..=0x3FFF => read_ppu(board, self.attachment, address),
            0x4000..=0x401F => board.data_bus,
            0x4020..=0xFFFF => {
                board.cartridge.before_read(board.cycle);
                let value = board.read_sound(address);
                let value = value.unwrap_or_else(|| board.cartridge.read(address, board.data_bus));
                board.was_read(address, value);
                value
            }
        };
        board.data_bus = outer;
        let value = match (selects_registers(cpu_address), address & 0x1F) {
            (true, 0x15) => board.read_apu_status(internal_bus),
            (true, 0x16) => board.read_pad(0, address, self.pads),
            (true, 0x17) => board.read_pad(1, address, self.pads),
            _ => outer,
        };
        self.end_cycle(address, value, false, access);
        value
    }

    /// One write cycle.
    fn write_cycle(&mut self, address: u16, value: u8, access: Access) {
        settle(self.board, self.attachment);
        let board = &mut *self.board;
        match address {
            0x0000..=0x1FFF => board.ram[usize::from(address & 0x7FF)] = value,
            0x2000..=0x3FFF => write_ppu(board, self.attachment, address, value),
            0x4014 => board.oam_page = Some(value),
            0x4016 => {
                let put = board.apu.is_put(board.cycle);
                let pads = &mut *self.pads;
                board.ports.write(value, board.cycle, put, || pads.held());
            }
            0x4000..=0x4017 => board.write_apu(address, value),
            0x4018..=0x401F => {}
            0x4020..=0xFFFF => {
                board.write_sound(address, value);
                board.cartridge.write(address, value, board.cycle);
            }
        }
        board.data_bus = value;
        self.end_cycle(address, value, true, access);
    }

    fn end_cycle(&mut self, address: u16, value: u8, write: bool, access: Access) {
        let cycle = self.board.cycle;
        self.board.cycle = cycle + 1;
        self.attachment.bus(BusEvent { cycle, address, value, write, access });
    }

    /// The cycles for which DMA holds a read of `held`, if it does (NESdev: DMA).
    fn hold(&mut self, held: u16) {
        /// An OAM DMA: its next byte, and the byte that is to be put.
        #[derive(Clone, Copy)]
        struct Transfer {
            page: u8,
            index: u8,
            byte: Option<u8>,
        }
        let transfer = |page| Transfer { page, index: 0, byte: None };
        let mut oam = self.board.oam_page.take().map(transfer);
        let (mut first, mut dmc_halts, mut any) = (true, true, false);
        while oam.is_some() || self.board.apu.dmc_wants_dma() {
            any = true;
            let dmc = self.board.apu.dmc_wants_dma();
            self.board.oam_dma = oam.is_some();
            dmc_halts |= !dmc;
            let get = !self.board.apu.is_put(self.board.cycle);
            match oam {
                // The DMC's get cycle comes before the other's.
                _ if get && dmc && !dmc_halts => {
                    let address = self.board.apu.dmc_address();
                    let byte = self.read_cycle(address, held, Access::DmcDma);
                    self.board.apu.dmc_fetched(byte);
                }
                Some(Transfer { page, index, byte: None }) if get && !first => {
                    let byte = self.read_cycle(u16::from_be_bytes([page, index]), held, Access::OamDma);
                    oam = Some(Transfer { page, index, byte: Some(byte) });
                }
                Some(Transfer { page, index, byte: Some(byte) }) if !get => {
                    self.write_cycle(0x2004, byte, Access::OamDma);
                    oam = index.checked_add(1).map(|index| Transfer { page, index, byte: None });
                }
                // Halt, dummy and alignment cycles repeat the CPU's read.
                _ => drop(self.read_cycle(held, held, Access::Halted)),
            }
            if get {
                dmc_halts = !dmc;
            }
            first = false;
            settle(self.board, self.attachment);
        }
        self.board.oam_dma = false;
        if any {
            self.board.released = self.board.cycle;
        }
    }
}
