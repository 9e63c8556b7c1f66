//! Stretches of instructions that no chip can disturb: how an unobserved run gets on fast.

use nes_cpu::{Access, Bus, Cpu, Lines, Status};

use crate::fast::idle::IdleLoop;
use crate::fast::jam;
use crate::fast::page_loop::{self, PageLoop};
use crate::wires::Wires;
use crate::{Attachment, Mainboard, Pads};

/// Cycles of the longest instruction, which is an unofficial one like SLO ($12),Y.
const LONGEST: u64 = 8;

/// Where in a bank an instruction can begin here, at most: the last bytes have no neighbours.
const LAST_OF_BANK: usize = 0x2000 - 4;

/// 8 KiB of PRG-ROM, as one slot of $8000-$FFFF shows them.
pub(super) type Bank<'a> = &'a [u8; 0x2000];

/// The four slots of $8000-$FFFF, looked up for the present banks of `board`.
pub(super) fn banks<'a>(board: &Mainboard, prg_rom: &'a [u8]) -> Option<[Bank<'a>; 4]> {
    let [a, b, c, d] =
        board.cartridge.prg_banks().map(|offset| prg_rom.get(offset as usize..)?.first_chunk::<0x2000>());
    Some([a?, b?, c?, d?])
}

/// A line is asserted, or was so recently that a poll could still see it.
const ASSERTED: u8 = 1;
/// The present instruction has touched more than RAM and PRG-ROM, or the CPU has jammed.
const BEYOND: u8 = 2;

/// What a stretch looks up in memory, so that the host's registers are left to what changes with
/// every instruction.
struct Setting<'a, P, A> {
    board: &'a mut Mainboard,
    pads: &'a mut P,
    attachment: &'a mut A,
    banks: [Bank<'a>; 4],
    /// The bank that instructions come from, and the address of its first byte.
    window: Bank<'a>,
    base: u16,
    /// The first cycle in which an instruction must not begin here.
    limit: u64,
    /// Why there is more to do after an instruction than to go on to the next: [`ASSERTED`],
    /// [`BEYOND`].
    attention: u8,
}

impl<'a, P: Pads, A: Attachment> Setting<'a, P, A> {
    /// After an instruction that may have switched banks or moved chips, or that the attachment has
    /// seen.
    #[inline(never)]
    fn look_up(&mut self, prg_rom: &'a [u8]) {
        self.limit = if A::SELECTS && self.attachment.due() { 0 } else { limit(self.board) };
        self.attention = attention(self.board);
        if let Some(banks) = banks(self.board, prg_rom) {
            self.banks = banks;
            self.enter(self.base);
        } else {
            // The board has shown something else than PRG-ROM: the stretch ends.
            self.limit = 0;
        }
    }

    /// Moves the window to `pc`.
    #[inline(never)]
    fn enter(&mut self, pc: u16) {
        self.window = self.banks[usize::from(pc >> 13 & 3)];
        self.base = pc & 0xE000;
    }
}

/// The board as the CPU sees it while no event is near. Time and data bus are kept here, and RAM
/// and PRG-ROM are read without asking whether something is due; whatever else the CPU touches goes
/// through [`Wires`], and so does the rest of an instruction that did.
struct Stretch<'a, 'b, P, A> {
    setting: &'b mut Setting<'a, P, A>,
    cycle: u64,
    data_bus: u8,
    /// Where the present instruction begins, and the four bytes there, low one first.
    start: u16,
    code: u32,
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
pub(crate) fn run<P: Pads, A: Attachment>(
    cpu: &mut Cpu,
    board: &mut Mainboard,
    pads: &mut P,
    attachment: &mut A,
    prg_rom: &[u8],
) -> bool {
    let begin = board.cycle;
    let elsewhere = cpu.pc < 0x8000 || cpu.jammed || cpu.interrupt_pending();
    if elsewhere || begin >= limit(board) || A::SELECTS && attachment.due() {
        return cpu.jammed && jam::run(cpu, board, attachment, prg_rom);
    }
    let Some(banks) = banks(board, prg_rom) else { return false };
    let (frame, data_bus) = (board.ppu.frame_number(), board.data_bus);
    let mut setting = Setting {
        limit: limit(board),
        attention: attention(board),
        window: banks[0],
        base: 0x8000,
        banks,
        board,
        pads,
        attachment,
    };
    let mut stretch = Stretch {
        cycle: begin,
        data_bus,
        start: 0,
        code: 0,
        beyond: false,
        changed: true,
        setting: &mut setting,
    };
    // A copy that nobody else has a pointer to can live in registers.
    let mut registers = cpu.clone();
    let mut idle = IdleLoop::new(&registers);
    while stretch.fetch(registers.pc) {
        registers.instruction(&mut stretch);
        if stretch.setting.attention != 0 {
            if stretch.setting.attention & BEYOND != 0 {
                stretch.settle(prg_rom);
            }
            let ends = registers.jammed || registers.interrupt_pending();
            if ends || stretch.setting.board.ppu.frame_number() != frame {
                break;
            }
        }
        if registers.pc <= stretch.start {
            stretch.repeat_page_loop(&mut registers);
            stretch.repeat(&registers, &mut idle);
        }
    }
    stretch.flush();
    *cpu = registers;
    stretch.setting.board.cycle != begin
}

/// See [`Setting::limit`].
#[inline(always)]
fn limit(board: &Mainboard) -> u64 {
    board.next_event.saturating_sub(LONGEST - 1)
}

/// See [`Setting::attention`].
#[inline(always)]
fn attention(board: &Mainboard) -> u8 {
    if board.line_asserted() { ASSERTED } else { 0 }
}

impl<'a, P: Pads, A: Attachment> Stretch<'a, '_, P, A> {
    /// Looks at the instruction at `pc`, if it can be run here.
    #[inline(always)]
    fn fetch(&mut self, pc: u16) -> bool {
        if self.cycle >= self.setting.limit || A::SELECTS && self.setting.attachment.selects_step(pc) {
            return false;
        }
        if usize::from(pc.wrapping_sub(self.setting.base)) > LAST_OF_BANK {
            if pc < 0x8000 || usize::from(pc & 0x1FFF) > LAST_OF_BANK {
                return false;
            }
            self.setting.enter(pc);
        }
        let offset = usize::from(pc.wrapping_sub(self.setting.base));
        let Some(code) = self.setting.window[offset..].first_chunk() else { return false };
        self.start = pc;
        self.code = u32::from_le_bytes(*code);
        self.beyond = false;
        true
    }

    /// The bank of `address`, in $8000-$FFFF, and where in it that lies.
    #[inline(always)]
    fn place(&self, address: u16) -> (Bank<'a>, usize) {
        (self.setting.banks[usize::from(address >> 13 & 3)], usize::from(address & 0x1FFF))
    }

    /// The board is told what was kept from it.
    #[inline(always)]
    fn flush(&mut self) {
        self.setting.board.cycle = self.cycle;
        self.setting.board.data_bus = self.data_bus;
    }

    /// See [`Setting::look_up`].
    #[inline(always)]
    fn settle(&mut self, prg_rom: &'a [u8]) {
        self.setting.look_up(prg_rom);
        self.changed = true;
    }

    /// After a jump backwards. If a lap of a loop has led to exactly the state that the lap before
    /// it did, every lap up to the next event will: they are run by moving the time.
    #[inline(always)]
    fn repeat(&mut self, cpu: &Cpu, idle: &mut IdleLoop) {
        let changed = core::mem::take(&mut self.changed);
        if let Some(lap) = idle.arrive(cpu, self.data_bus, self.cycle, changed) {
            let end = self.cycle + self.setting.board.next_event.saturating_sub(self.cycle) / lap * lap;
            // Lines that are the same at both ends are the same all the way: without a chip that
            // runs, NMI can only begin, and IRQ change once.
            if self.setting.board.lines_at(self.cycle - lap) == self.setting.board.lines_at(end) {
                self.cycle = end;
            }
        }
    }

    /// After a jump backwards. If it closed a loop that fills or copies memory, its further laps
    /// are run.
    #[inline(always)]
    fn repeat_page_loop(&mut self, cpu: &mut Cpu) {
        let branch = self.start.wrapping_sub(cpu.pc);
        if page_loop::BRANCHES.contains(&branch) {
            // Copies, so that the registers need not lie in memory.
            let registers = page_loop::Registers { a: cpu.a, x: cpu.x, y: cpu.y, counted: 0, carry: None };
            if let Some(after) = self.run_page_loop(cpu.pc, branch, registers) {
                (cpu.a, cpu.x, cpu.y) = (after.a, after.x, after.y);
                cpu.p.set(Status::N, after.counted >= 0x80);
                cpu.p.set(Status::Z, after.counted == 0);
                if let Some(carry) = after.carry {
                    cpu.p.set(Status::C, carry);
                }
            }
        }
    }

    #[inline(never)]
    fn run_page_loop(
        &mut self,
        pc: u16,
        branch: u16,
        mut registers: page_loop::Registers,
    ) -> Option<page_loop::Registers> {
        let code =
            self.setting.window.get(usize::from(pc.wrapping_sub(self.setting.base))..)?.first_chunk()?;
        let found = PageLoop::read(code, branch)?;
        let crosses = (self.start + 2) >> 8 != pc >> 8;
        let Setting { board, attachment, limit, attention, .. } = &mut *self.setting;
        let seen = A::SELECTS && found.instructions().any(|at| attachment.selects_step(pc + at));
        if crosses || seen || *attention != 0 {
            return None;
        }
        let cycles = limit.saturating_sub(self.cycle);
        let selected = |address, write| A::SELECTS && attachment.selects_bus(address, write);
        let run = found.run(&mut registers, &mut board.ram, cycles, selected);
        self.cycle += run;
        self.changed = true;
        (run > 0).then_some(registers)
    }

    /// Must the attachment see this cycle?
    #[inline(always)]
    fn selected(&self, address: u16, write: bool, access: Access) -> bool {
        A::SELECTS && access != Access::Dummy && self.setting.attachment.selects_bus(address, write)
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
        let value =
            read_beyond(self.setting.board, self.setting.pads, self.setting.attachment, address, access);
        self.beyond = true;
        self.setting.attention |= BEYOND;
        self.cycle = self.setting.board.cycle;
        self.data_bus = self.setting.board.data_bus;
        value
    }

    #[inline(always)]
    fn write_beyond(&mut self, address: u16, value: u8, access: Access) {
        self.flush();
        write_beyond(self.setting.board, self.setting.pads, self.setting.attachment, address, value, access);
        self.beyond = true;
        self.setting.attention |= BEYOND;
        self.cycle = self.setting.board.cycle;
        self.data_bus = self.setting.board.data_bus;
    }
}

#[inline(never)]
fn read_beyond<P: Pads, A: Attachment>(
    board: &mut Mainboard,
    pads: &mut P,
    attachment: &mut A,
    address: u16,
    access: Access,
) -> u8 {
    // An opcode comes from the four bytes, so that a DMA on PAL holds none of these reads: why they
    // are made matters to nobody but an attachment.
    debug_assert!(access != Access::Opcode);
    let access = if A::SELECTS { access } else { Access::Data };
    Wires { board, pads, attachment }.read(address, access)
}

#[inline(never)]
fn write_beyond<P: Pads, A: Attachment>(
    board: &mut Mainboard,
    pads: &mut P,
    attachment: &mut A,
    address: u16,
    value: u8,
    access: Access,
) {
    Wires { board, pads, attachment }.write(address, value, access);
}

impl<P: Pads, A: Attachment> Bus for Stretch<'_, '_, P, A> {
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
        if self.selected(address, false, access) {
            self.read_beyond(address, access)
        } else if address < 0x2000 {
            self.take(self.setting.board.ram[usize::from(address & 0x7FF)])
        } else if address >= 0x8000 {
            let (bank, offset) = self.place(address);
            self.take(bank[offset])
        } else {
            self.read_beyond(address, access)
        }
    }

    #[inline(always)]
    fn write(&mut self, address: u16, value: u8, access: Access) {
        if self.beyond || address >= 0x2000 || self.selected(address, true, access) {
            return self.write_beyond(address, value, access);
        }
        let byte = &mut self.setting.board.ram[usize::from(address & 0x7FF)];
        self.changed |= *byte != value;
        *byte = value;
        self.cycle += 1;
        self.data_bus = value;
    }

    #[inline(always)]
    fn jam(&mut self) {
        self.setting.attention |= BEYOND;
    }

    #[inline(always)]
    fn lines(&mut self) -> Lines {
        if self.setting.attention != 0 { self.setting.board.lines_at(self.cycle) } else { Lines::empty() }
    }

    #[inline(always)]
    fn acknowledge_nmi(&mut self) {
        self.setting.board.ppu.acknowledge_nmi();
        self.flush();
        self.setting.board.schedule();
        self.setting.attention |= BEYOND;
        self.beyond = true;
    }

    /// A DMA goes through [`Wires`].
    #[inline(always)]
    fn held(&self) -> bool {
        self.beyond && self.setting.board.released.wrapping_add(1) == self.cycle
    }
}
