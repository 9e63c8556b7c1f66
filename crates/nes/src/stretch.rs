//! Stretches of instructions that no chip can disturb: how an unobserved run gets on fast.

use nes_cpu::{Access, Bus, Cpu, Lines};

use crate::idle::IdleLoop;
use crate::wires::Wires;
use crate::{Mainboard, Observer, Pads};

/// Cycles of the longest instruction, which is an unofficial one like SLO ($12),Y.
const LONGEST: u64 = 8;

/// 8 KiB of PRG-ROM, as one slot of $8000-$FFFF shows them.
type Bank<'a> = &'a [u8; 0x2000];

/// The four slots of $8000-$FFFF, looked up for the present banks of `board`.
fn banks<'a>(board: &Mainboard, prg_rom: &'a [u8]) -> Option<[Bank<'a>; 4]> {
    let [a, b, c, d] =
        board.cartridge.prg_banks().map(|offset| prg_rom.get(offset as usize..)?.first_chunk::<0x2000>());
    Some([a?, b?, c?, d?])
}

#[inline(never)]
fn look_up<'a>(found: &mut [Bank<'a>; 4], board: &Mainboard, prg_rom: &'a [u8]) {
    if let Some(banks) = banks(board, prg_rom) {
        *found = banks;
    }
}

/// The board as the CPU sees it while no event is near. Time and data bus are kept here, and RAM
/// and PRG-ROM are read without asking whether something is due; whatever else the CPU touches goes
/// through [`Wires`], and so does the rest of an instruction that did.
pub(crate) struct Stretch<'a, P, O> {
    board: &'a mut Mainboard,
    pads: &'a mut P,
    observer: &'a mut O,
    banks: &'a mut [Bank<'a>; 4],
    cycle: u64,
    data_bus: u8,
    /// Where the present instruction begins, and the four bytes there, low one first.
    start: u16,
    code: u32,
    /// A line is asserted, or was so recently that a poll could still see it.
    asserted: bool,
    /// The present instruction has touched more than RAM and PRG-ROM.
    beyond: bool,
    /// Something may be different from what it was when this was last cleared, other than the
    /// CPU's registers, the data bus and the time.
    changed: bool,
}

/// Runs whole instructions as long as they lie in PRG-ROM and end before the next event, and loops
/// without effect up to it. It ends early with an interrupt to be taken, or with a frame.
///
/// `prg_rom` is the cartridge's. Gives whether the machine moved at all.
#[inline(never)]
pub(crate) fn run<P: Pads, O: Observer>(
    cpu: &mut Cpu,
    board: &mut Mainboard,
    pads: &mut P,
    observer: &mut O,
    prg_rom: &[u8],
) -> bool {
    if cpu.pc < 0x8000 || board.cycle + LONGEST > board.next_event {
        return false;
    }
    let Some(mut banks) = banks(board, prg_rom) else { return false };
    let (begin, frame) = (board.cycle, board.ppu.frame_number());
    let mut stretch = Stretch {
        cycle: board.cycle,
        data_bus: board.data_bus,
        start: 0,
        code: 0,
        asserted: board.line_asserted(),
        beyond: false,
        changed: true,
        board,
        pads,
        observer,
        banks: &mut banks,
    };
    // A copy that nobody else has a pointer to can live in registers.
    let mut registers = cpu.clone();
    let mut idle = IdleLoop::new(&registers);
    while !(registers.jammed | registers.interrupt_pending()) && stretch.fetch(registers.pc) {
        registers.instruction(&mut stretch);
        if stretch.beyond {
            stretch.settle(prg_rom);
            if stretch.board.ppu.frame_number() != frame {
                break;
            }
        } else if registers.pc <= stretch.start {
            stretch.repeat(&registers, &mut idle);
        }
    }
    stretch.flush();
    *cpu = registers;
    stretch.board.cycle != begin
}

impl<'a, P: Pads, O: Observer> Stretch<'a, P, O> {
    /// Looks at the instruction at `pc`, if it can be run here.
    #[inline(always)]
    fn fetch(&mut self, pc: u16) -> bool {
        if pc < 0x8000 || self.cycle + LONGEST > self.board.next_event {
            return false;
        }
        if O::SELECTS && self.observer.selects_step(pc) {
            return false;
        }
        let (bank, offset) = self.place(pc);
        // The last bytes of a bank have no neighbours here.
        let Some(code) = bank[offset..].first_chunk() else { return false };
        self.start = pc;
        self.code = u32::from_le_bytes(*code);
        self.beyond = false;
        true
    }

    /// The bank of `address`, in $8000-$FFFF, and where in it that lies.
    #[inline(always)]
    fn place(&self, address: u16) -> (Bank<'a>, usize) {
        (self.banks[usize::from(address >> 13 & 3)], usize::from(address & 0x1FFF))
    }

    /// The board is told what was kept from it.
    #[inline(always)]
    fn flush(&mut self) {
        self.board.cycle = self.cycle;
        self.board.data_bus = self.data_bus;
    }

    /// After an instruction that may have switched banks or moved chips.
    #[inline(always)]
    fn settle(&mut self, prg_rom: &'a [u8]) {
        look_up(self.banks, self.board, prg_rom);
        self.asserted = self.board.line_asserted();
        self.changed = true;
    }

    /// After a jump backwards. If a lap of a loop has led to exactly the state that the lap before
    /// it did, every lap up to the next event will: they are run by moving the time.
    #[inline(always)]
    fn repeat(&mut self, cpu: &Cpu, idle: &mut IdleLoop) {
        let changed = core::mem::take(&mut self.changed);
        if let Some(lap) = idle.arrive(cpu, self.data_bus, self.cycle, changed) {
            let end = self.cycle + self.board.next_event.saturating_sub(self.cycle) / lap * lap;
            // Lines that are the same at both ends are the same all the way: without a chip that
            // runs, NMI can only begin, and IRQ change once.
            if self.board.lines_at(self.cycle - lap) == self.board.lines_at(end) {
                self.cycle = end;
            }
        }
    }

    /// A value was read from memory on the spot.
    #[inline(always)]
    fn take(&mut self, value: u8) -> u8 {
        self.cycle += 1;
        self.data_bus = value;
        value
    }

    #[inline(always)]
    fn read_beyond(&mut self, address: u16, access: Access) -> u8 {
        self.flush();
        let value = read_beyond(self.board, self.pads, self.observer, address, access);
        self.beyond = true;
        self.cycle = self.board.cycle;
        self.data_bus = self.board.data_bus;
        value
    }

    #[inline(always)]
    fn write_beyond(&mut self, address: u16, value: u8, access: Access) {
        self.flush();
        write_beyond(self.board, self.pads, self.observer, address, value, access);
        self.beyond = true;
        self.cycle = self.board.cycle;
        self.data_bus = self.board.data_bus;
    }
}

#[inline(never)]
fn read_beyond<P: Pads, O: Observer>(
    board: &mut Mainboard,
    pads: &mut P,
    observer: &mut O,
    address: u16,
    access: Access,
) -> u8 {
    Wires { board, pads, observer }.read(address, access)
}

#[inline(never)]
fn write_beyond<P: Pads, O: Observer>(
    board: &mut Mainboard,
    pads: &mut P,
    observer: &mut O,
    address: u16,
    value: u8,
    access: Access,
) {
    Wires { board, pads, observer }.write(address, value, access);
}

impl<P: Pads, O: Observer> Bus for Stretch<'_, P, O> {
    #[inline(always)]
    fn read(&mut self, address: u16, access: Access) -> u8 {
        if self.beyond {
            return self.read_beyond(address, access);
        }
        // Only these can lie there, and only for them the compiler knows the place in advance.
        if matches!(access, Access::Opcode | Access::Operand | Access::Dummy) {
            let place = address.wrapping_sub(self.start);
            if place < 4 {
                return self.take((self.code >> (8 * place)) as u8);
            }
        }
        if O::SELECTS && self.observer.selects_bus(address, false) {
            self.read_beyond(address, access)
        } else if address < 0x2000 {
            self.take(self.board.ram[usize::from(address & 0x7FF)])
        } else if address >= 0x8000 {
            let (bank, offset) = self.place(address);
            self.take(bank[offset])
        } else {
            self.read_beyond(address, access)
        }
    }

    #[inline(always)]
    fn write(&mut self, address: u16, value: u8, access: Access) {
        if self.beyond || address >= 0x2000 || O::SELECTS && self.observer.selects_bus(address, true) {
            return self.write_beyond(address, value, access);
        }
        let byte = &mut self.board.ram[usize::from(address & 0x7FF)];
        self.changed |= *byte != value;
        *byte = value;
        self.cycle += 1;
        self.data_bus = value;
    }

    #[inline(always)]
    fn lines(&mut self) -> Lines {
        if self.asserted | self.beyond { self.board.lines_at(self.cycle) } else { Lines::empty() }
    }

    #[inline(always)]
    fn acknowledge_nmi(&mut self) {
        self.board.ppu.acknowledge_nmi();
        self.flush();
        self.board.schedule();
        self.beyond = true;
    }

    /// A DMA goes through [`Wires`].
    #[inline(always)]
    fn held(&self) -> bool {
        self.beyond && self.board.released.wrapping_add(1) == self.cycle
    }
}
