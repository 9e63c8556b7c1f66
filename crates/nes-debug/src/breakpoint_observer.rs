//! The observer of a run that breakpoints or steps are to stop.

use core::ops::ControlFlow;

use nes::cpu::{self, disassemble};
use nes::ppu::Purpose;
use nes::{Access, Break, BusEvent, Cpu, FetchEvent, Mainboard, Observer};
use tetris::Profile;

use crate::access::Accessed;
use crate::beam::{Beam, LINE};
use crate::breakpoint::{Breakpoints, Trigger};
use crate::expression::Scene;
use crate::log::Log;
use crate::source::SourceLine;
use crate::{Expression, Sources, Stop, Symbols, Way};

/// Cycles from the beginning of an instruction with an absolute address to its access, without
/// another index.
const TO_ACCESS: u64 = 3;

/// What a run stops at within a frame.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Target {
    #[default]
    Never,
    Instructions(u64),
    /// At or after a cycle.
    Cycle(u64),
    Lines(u64),
    Beam(u64),
    /// After a return that leaves the stack pointer above this.
    Return(u8),
    /// At this address with the stack pointer at least here.
    Over {
        pc: u16,
        sp: u8,
    },
    Address(u16),
    /// Interrupts with this vector.
    Interrupt {
        vector: u16,
        left: u64,
    },
    Until(Expression),
    /// Another line of the source than this.
    Source {
        way: Way,
        from: Option<SourceLine>,
        sp: u8,
        /// The stack pointer in the handler of an interrupt that came on the way.
        interrupted: Option<u8>,
    },
}

impl Target {
    /// Does every instruction have to be looked at?
    pub(crate) fn watches(&self) -> bool {
        !matches!(self, Self::Never | Self::Address(_))
    }
}

/// What has to be remembered from one instruction to the next, and from frame to frame.
#[derive(Clone, Debug, Default)]
pub(crate) struct ObserverState {
    /// The first instruction has been looked at: a run goes on from where a breakpoint stopped it.
    begun: bool,
    /// Accesses of the instruction under way that a breakpoint waits for.
    seen: Vec<Accessed>,
    /// The same of the PPU's memory: through `$2007`, and by the PPU itself.
    seen_video: Vec<Accessed>,
    /// `v` before an instruction that may touch `$2007`.
    vram: u16,
    beam: Beam,
    /// The dot at the last instruction.
    dot: Option<u64>,
    /// The vector that the last instruction, or what came in its place, has taken.
    vector: Option<u16>,
    oam_dma: bool,
    dmc_dma: bool,
    /// The last instruction was RTS or RTI.
    returns: bool,
}

impl ObserverState {
    /// That of a run that is under way: the first instruction counts, too.
    pub(crate) fn begun() -> Self {
        Self { begun: true, ..Self::default() }
    }
}

/// Watches one frame. With `ALL` it sees every instruction and every cycle of the bus, without only
/// what a breakpoint on an address waits for. With `FETCHES` it also sees what the PPU fetches, dot
/// by dot.
pub(crate) struct BreakpointObserver<'a, const ALL: bool, const FETCHES: bool> {
    pub(crate) state: &'a mut ObserverState,
    pub(crate) breakpoints: &'a mut Breakpoints,
    pub(crate) target: &'a mut Target,
    pub(crate) profile: Option<&'a Profile>,
    pub(crate) symbols: &'a Symbols,
    pub(crate) sources: &'a Sources,
    pub(crate) log: &'a mut Log,
    pub(crate) stop: Option<Stop>,
}

impl<const ALL: bool, const FETCHES: bool> BreakpointObserver<'_, ALL, FETCHES> {
    /// A breakpoint's turn: counts it, and logs or stops.
    fn hit(&mut self, index: usize, cpu: &Cpu, board: &Mainboard, access: Option<Accessed>) {
        let scene = Scene { cpu, board, profile: self.profile, access };
        let Some(breakpoint) = self.breakpoints.list_mut().get_mut(index) else { return };
        if breakpoint.condition.as_ref().is_some_and(|condition| !condition.holds(&scene)) {
            return;
        }
        breakpoint.hits += 1;
        if breakpoint.log_only {
            self.log.hit(breakpoint, &scene, self.symbols);
        } else if breakpoint.hits > breakpoint.pass && matches!(self.stop, None | Some(Stop::Done)) {
            self.stop = Some(Stop::Breakpoint { number: breakpoint.number, access });
        }
    }

    fn each(
        &mut self,
        cpu: &Cpu,
        board: &Mainboard,
        access: Option<Accessed>,
        meant: impl Fn(&Trigger) -> bool,
    ) {
        for index in 0..self.breakpoints.list().len() {
            let breakpoint = &self.breakpoints.list()[index];
            if breakpoint.enabled && meant(&breakpoint.trigger) {
                self.hit(index, cpu, board, access);
            }
        }
    }

    /// What the instruction that is over has touched.
    pub(crate) fn accesses(&mut self, cpu: &Cpu, board: &Mainboard) {
        for access in core::mem::take(&mut self.state.seen) {
            self.each(cpu, board, Some(access), |trigger| match trigger {
                Trigger::Memory { at, reads, writes } => {
                    at.contains(&access.address) && if access.write { *writes } else { *reads }
                }
                _ => false,
            });
        }
        for access in core::mem::take(&mut self.state.seen_video) {
            self.each(cpu, board, Some(access), |trigger| match trigger {
                Trigger::Video { at, reads, writes } => {
                    at.contains(&access.address) && if access.write { *writes } else { *reads }
                }
                _ => false,
            });
        }
    }

    /// Interrupts, DMA and the PPU's position.
    fn chips(&mut self, cpu: &Cpu, board: &Mainboard) {
        let vector = self.state.vector.take();
        let oam_dma = core::mem::take(&mut self.state.oam_dma);
        let dmc_dma = core::mem::take(&mut self.state.dmc_dma);
        if vector.is_some() || oam_dma || dmc_dma {
            self.each(cpu, board, None, |trigger| match trigger {
                Trigger::Nmi => vector == Some(0xFFFA),
                Trigger::Irq => vector == Some(0xFFFE),
                Trigger::Dma { oam, dmc } => *oam && oam_dma || *dmc && dmc_dma,
                _ => false,
            });
        }
        let now = self.state.beam.dot(board);
        let before = self.state.dot.replace(now);
        let passed =
            |at: u64| before.is_some_and(|before| passes(before, now, at, board.region().frame_dots()));
        if self.breakpoints.watches() {
            self.each(cpu, board, None, |trigger| match trigger {
                Trigger::Beam { line, dot } => passed(u64::from(*line) * LINE + u64::from(*dot)),
                _ => false,
            });
        }
        let returns = core::mem::take(&mut self.state.returns);
        let arrived = match &mut *self.target {
            Target::Instructions(left) => self.state.begun && count(left),
            Target::Cycle(cycle) => board.cycle() >= *cycle,
            Target::Lines(left) => before.is_some_and(|before| before / LINE != now / LINE) && count(left),
            Target::Beam(at) => passed(*at),
            Target::Return(sp) => returns && cpu.sp > *sp,
            Target::Over { pc, sp } => self.state.begun && cpu.pc == *pc && cpu.sp >= *sp,
            // An address is looked at where breakpoints are.
            Target::Never | Target::Address(_) => false,
            Target::Interrupt { vector: wanted, left } => vector == Some(*wanted) && count(left),
            Target::Until(condition) => {
                let scene = Scene { cpu, board, profile: self.profile, access: None };
                self.state.begun && condition.holds(&scene)
            }
            Target::Source { way, from, sp, interrupted } => {
                if vector.is_some() && interrupted.is_none() {
                    *interrupted = Some(cpu.sp);
                }
                *interrupted = interrupted.filter(|handler| cpu.sp <= *handler);
                let returned = returns && cpu.sp > *sp;
                let here = At { cpu, board, sources: self.sources };
                self.state.begun && interrupted.is_none() && here.ends(*way, *from, *sp, returned)
            }
        };
        if arrived && self.stop.is_none() {
            self.stop = Some(Stop::Done);
        }
    }

    /// What the coming instruction will tell nobody afterwards.
    pub(crate) fn look_ahead(&mut self, cpu: &Cpu, board: &Mainboard) {
        let peek = |address| if matches!(address, 0x2000..=0x401F) { 0 } else { board.peek(address) };
        self.state.returns = !cpu.interrupt_pending() && matches!(peek(cpu.pc), 0x40 | 0x60);
        if self.breakpoints.watches_video() {
            let effective = disassemble(cpu.pc, peek).effective(cpu.x, cpu.y, peek);
            if effective.is_some_and(|effective| effective.address & 0xE007 == 0x2007) {
                // An access before this one moves v a cycle or two behind itself.
                let access = board.cycle() + TO_ACCESS;
                self.state.vram = board.ppu_at(access).scroll().0.bits() & 0x3FFF;
            }
        }
    }
}

/// An instruction that comes next.
struct At<'a> {
    cpu: &'a Cpu,
    board: &'a Mainboard,
    sources: &'a Sources,
}

impl At<'_> {
    /// Whether a step from the line `from`, where the stack pointer was `sp`, ends here.
    fn ends(&self, way: Way, from: Option<SourceLine>, sp: u8, returned: bool) -> bool {
        let (pc, banks) = (self.cpu.pc, self.board.cartridge().prg_banks());
        let Some(line) = self.sources.line_at(pc, banks) else { return false };
        if self.sources.is_head(pc, banks) {
            return false;
        }
        if returned {
            return true;
        }
        let is_in_c = from.is_some_and(|from| self.sources.is_c(from.file));
        match way {
            _ if Some(line) == from => false,
            Way::Over => self.cpu.sp >= sp,
            Way::Into if is_in_c && self.cpu.sp < sp => self.sources.enters(pc, banks),
            Way::Into => true,
        }
    }
}

/// Counts down, and says whether that was the last.
fn count(left: &mut u64) -> bool {
    *left = left.saturating_sub(1);
    *left == 0
}

/// Does a beam that goes from one dot to another in frames of so many come to `at`, or past it?
fn passes(before: u64, now: u64, at: u64, frame: u64) -> bool {
    let way = (now + frame - before) % frame;
    let distance = (at + frame - before) % frame;
    (1..=way).contains(&distance)
}

impl<const ALL: bool, const FETCHES: bool> Observer for BreakpointObserver<'_, ALL, FETCHES> {
    const WATCHES: bool = ALL;
    const SELECTS: bool = !ALL;
    const FETCHES: bool = FETCHES;

    #[inline(always)]
    fn due(&self) -> bool {
        !self.state.begun || !self.state.seen.is_empty()
    }

    #[inline(always)]
    fn selects_step(&self, pc: u16) -> bool {
        self.breakpoints.executes(pc) || *self.target == Target::Address(pc)
    }

    #[inline(always)]
    fn selects_bus(&self, address: u16, write: bool) -> bool {
        self.breakpoints.accesses(address, write)
    }

    fn step(&mut self, cpu: &Cpu, board: &Mainboard) -> ControlFlow<Break> {
        if !self.state.seen.is_empty() || !self.state.seen_video.is_empty() {
            self.accesses(cpu, board);
        }
        if ALL {
            self.chips(cpu, board);
        }
        let begun = core::mem::replace(&mut self.state.begun, true);
        if begun && !cpu.interrupt_pending() {
            if *self.target == Target::Address(cpu.pc) {
                self.stop.get_or_insert(Stop::Done);
            }
            if self.breakpoints.executes(cpu.pc) {
                let meant = |trigger: &Trigger| match trigger {
                    Trigger::Execute(at) => at.contains(&cpu.pc),
                    Trigger::Source { spots, .. } => {
                        let banks = board.cartridge().prg_banks();
                        spots.iter().any(|spot| spot.is_at(cpu.pc, banks))
                    }
                    _ => false,
                };
                self.each(cpu, board, None, meant);
            }
        }
        if self.stop.is_some() {
            return ControlFlow::Break(Break);
        }
        if ALL {
            self.look_ahead(cpu, board);
        }
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn bus(&mut self, event: BusEvent) {
        let BusEvent { cycle, address, value, write, access } = event;
        let Access::Cpu(reason) = access else {
            self.state.oam_dma |= access == Access::OamDma;
            self.state.dmc_dma |= access == Access::DmcDma;
            return;
        };
        if reason == cpu::Access::Vector {
            self.state.vector = Some(address & 0xFFFE);
        }
        let meant = matches!(reason, cpu::Access::Data | cpu::Access::Stack | cpu::Access::Vector);
        if meant && self.breakpoints.accesses(address, write) {
            self.state.seen.push(Accessed { cycle, address, value, write, fetched: None });
        }
        if ALL && self.breakpoints.watches_video() && meant && address & 0xE007 == 0x2007 {
            let address = self.state.vram;
            self.state.seen_video.push(Accessed { cycle, address, value, write, fetched: None });
        }
    }

    #[inline]
    fn fetch(&mut self, event: FetchEvent) {
        // What is read through $2007 counts as the CPU's.
        if event.purpose != Purpose::Data && self.breakpoints.fetches(event.address) {
            self.state.seen_video.push(Accessed::of_fetch(event));
        }
    }
}
