//! The event viewer: which register was accessed where on the picture.

use core::ops::ControlFlow;

use nes::ppu::Ppu;
use nes::{Access, Break, BusEvent, Cpu, Mainboard, Observer, Palette, Region};

use super::Picture;
use crate::Debugger;
use crate::beam::{Beam, LINE};
use crate::history::Replay;

/// An access of a register in a frame, and where the beam was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RegisterAccess {
    /// Number of the CPU cycle.
    pub cycle: u64,
    /// Line of the PPU, 0-261.
    pub line: u16,
    /// Dot of the line, 0-340.
    pub dot: u16,
    /// The address; `$2000`-`$2007` for their mirrors too.
    pub address: u16,
    /// What was read or written.
    pub value: u8,
    /// Was it a write?
    pub write: bool,
    /// Address of the instruction.
    pub pc: u16,
}

/// What happens in a frame besides accesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Happening {
    /// The CPU takes an NMI.
    Nmi,
    /// The CPU takes an IRQ, or a BRK.
    Irq,
    /// Sprite 0 has met the background.
    SpriteZeroHit,
    /// The DMC fetches a byte of its sample.
    DmcDma,
}

impl Happening {
    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Self::Nmi => "NMI",
            Self::Irq => "IRQ",
            Self::SpriteZeroHit => "sprite 0 hit",
            Self::DmcDma => "DMC fetch",
        }
    }
}

/// Something that happened in a frame, and where the beam was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Happened {
    /// Number of the CPU cycle.
    pub cycle: u64,
    /// Line of the PPU, 0-261; on PAL 0-311.
    pub line: u16,
    /// Dot of the line, 0-340; of a sprite 0 hit the first at the beginning of a cycle that could
    /// see it.
    pub dot: u16,
    /// What.
    pub what: Happening,
}

/// The accesses of the CPU to registers of PPU, APU, pads and cartridge, from the end of the last
/// whole frame but one to the end of the last one: from vblank to vblank.
pub fn accesses(debugger: &Debugger) -> Vec<RegisterAccess> {
    watch(debugger).found
}

/// Interrupts, sprite 0 hits and fetches of the DMC in the frame of [`accesses`], in the order of
/// time.
pub fn happenings(debugger: &Debugger) -> Vec<Happened> {
    let mut happened = watch(debugger).happened;
    happened.extend(sprite_zero_hit(debugger));
    happened.sort_by_key(|happened| happened.cycle);
    happened
}

/// The last whole frame.
fn wanted(debugger: &Debugger) -> u64 {
    debugger.console().frame_number().saturating_sub(1)
}

/// A run through the past that stands before the last whole frame.
fn before(debugger: &Debugger) -> Option<Replay<'_>> {
    /// By how much a frame can be longer than another: its last instruction may be held by an OAM
    /// DMA.
    const SLACK: u64 = 1_000;
    let mut replay = debugger.replay_frame(wanted(debugger))?;
    let console = debugger.console();
    let begin = console.cycle().saturating_sub(2 * (console.region().frame_cycles() + SLACK));
    replay.run_to(begin, &mut (), |_, _| {});
    Some(replay)
}

fn watch(debugger: &Debugger) -> Watch {
    let mut watch = Watch {
        beam: Beam::default(),
        region: debugger.console().region(),
        start: 0,
        dot: 0,
        pc: 0,
        frame: wanted(debugger),
        now: u64::MAX,
        found: Vec::new(),
        happened: Vec::new(),
    };
    if let Some(mut replay) = before(debugger) {
        replay.run_to(debugger.console().cycle(), &mut watch, |_, _| {});
    }
    watch
}

/// Where sprite 0 met the background. It has no trace on the bus: the frame is run dot by dot, and
/// what lies between the two instructions of which only the second could see it is run once more.
fn sprite_zero_hit(debugger: &Debugger) -> Option<Happened> {
    let mut hit = Hit { frame: wanted(debugger), before: None, between: None };
    before(debugger)?.run_to(debugger.console().cycle(), &mut hit, |_, _| {});
    let (first, last) = hit.between?;
    let mut replay = debugger.replay(first)?;
    replay.run_to(first, &mut (), |_, _| {});
    let board = &replay.moment.console.board;
    let seen = (first..=last).map(|cycle| (cycle, board.ppu_at(cycle)));
    let (cycle, ppu) = seen.into_iter().find(|(_, ppu)| is_hit(ppu))?;
    Some(Happened { cycle, line: ppu.scanline(), dot: ppu.dot(), what: Happening::SpriteZeroHit })
}

fn is_hit(ppu: &Ppu) -> bool {
    ppu.peek(2) & 0x40 != 0
}

/// Looks for the instructions between which the flag of sprite 0 rises.
struct Hit {
    frame: u64,
    /// Cycle of the last instruction, and whether the flag was up.
    before: Option<(u64, bool)>,
    between: Option<(u64, u64)>,
}

impl Observer for Hit {
    const FETCHES: bool = true;

    fn step(&mut self, _: &Cpu, board: &Mainboard) -> ControlFlow<Break> {
        let (cycle, up) = (board.cycle(), is_hit(board.ppu()));
        let last = self.before.replace((cycle, up));
        if up
            && board.ppu().frame_number() == self.frame
            && let Some((first, false)) = last
        {
            self.between = Some((first, cycle));
        }
        ControlFlow::Continue(())
    }
}

struct Watch {
    beam: Beam,
    region: Region,
    /// Cycle and dot at the beginning of the instruction.
    start: u64,
    dot: u64,
    pc: u16,
    /// The frame that is wanted, and the present one.
    frame: u64,
    now: u64,
    found: Vec<RegisterAccess>,
    happened: Vec<Happened>,
}

impl Watch {
    /// The beam in a cycle of the instruction under way: line and dot.
    fn place(&self, cycle: u64) -> (u16, u16) {
        // On PAL within a dot: the instruction may have begun between two.
        let dots = (self.region.tick(cycle) - self.region.tick(self.start)) / 4;
        let dot = (self.dot + dots) % self.region.frame_dots();
        ((dot / LINE) as u16, (dot % LINE) as u16)
    }
}

impl Observer for Watch {
    fn step(&mut self, cpu: &Cpu, board: &Mainboard) -> ControlFlow<Break> {
        self.now = board.ppu().frame_number();
        if self.now == self.frame {
            self.dot = self.beam.dot(board);
            self.start = board.cycle();
            self.pc = cpu.pc;
        }
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn bus(&mut self, event: BusEvent) {
        let BusEvent { cycle, address, value, write, access } = event;
        if self.now != self.frame {
            return;
        }
        let what = match (access, address) {
            (Access::Cpu(nes::cpu::Access::Vector), 0xFFFA) => Some(Happening::Nmi),
            (Access::Cpu(nes::cpu::Access::Vector), 0xFFFE) => Some(Happening::Irq),
            (Access::DmcDma, _) => Some(Happening::DmcDma),
            _ => None,
        };
        if let Some(what) = what {
            let (line, dot) = self.place(cycle);
            self.happened.push(Happened { cycle, line, dot, what });
        }
        let register = matches!(address, 0x2000..=0x401F) || (write && address >= 0x8000);
        if !register || access.is_dma() || access == Access::Cpu(nes::cpu::Access::Dummy) {
            return;
        }
        let (line, dot) = self.place(cycle);
        let address = if address < 0x4000 { address & 0x2007 } else { address };
        self.found.push(RegisterAccess { cycle, line, dot, address, value, write, pc: self.pc });
    }
}

/// A colour for each group of registers; reads are lighter.
fn colour(access: &RegisterAccess) -> [u8; 3] {
    let base = match access.address {
        0x2000 | 0x2001 => [255, 64, 64],
        0x2002 => [255, 160, 64],
        0x2003 | 0x2004 | 0x4014 => [255, 255, 64],
        0x2005 | 0x2006 => [64, 255, 64],
        0x2007 => [64, 255, 255],
        0x4016 | 0x4017 => [255, 64, 255],
        0x4000..=0x4015 => [64, 128, 255],
        _ => [255, 255, 255],
    };
    if access.write { base } else { base.map(|part| part / 2 + 127) }
}

/// The frame's 341 x 262 dots (on PAL 341 x 312), twice as large: the picture, dimmed, a square for
/// each access and a frame around what else happened. Blanking is dark.
pub fn event_picture(debugger: &Debugger, palette: &Palette) -> Picture {
    const SCALE: usize = 2;
    let mut dots = Picture::new(341, debugger.console().region().lines().into(), [24; 3]);
    let screen = super::screen(debugger, palette);
    for (index, pixel) in screen.pixels.iter().enumerate() {
        // Pixels leave the PPU from dot 1 on (NESdev: PPU rendering).
        dots.set(index % screen.width + 1, index / screen.width, pixel.map(|part| part / 2));
    }
    let mut picture = dots.enlarged(SCALE);
    for access in accesses(debugger) {
        let (x, y) = (usize::from(access.dot) * SCALE, usize::from(access.line) * SCALE);
        picture.fill(x.saturating_sub(2), y.saturating_sub(2), 6, 6, [0; 3]);
        picture.fill(x.saturating_sub(1), y.saturating_sub(1), 4, 4, colour(&access));
    }
    for happened in happenings(debugger) {
        let (x, y) = (usize::from(happened.dot) * SCALE, usize::from(happened.line) * SCALE);
        let colour = match happened.what {
            Happening::Nmi => [255; 3],
            Happening::Irq => [255, 64, 64],
            Happening::SpriteZeroHit => [64, 255, 64],
            Happening::DmcDma => [64, 128, 255],
        };
        let (left, top) = (x.saturating_sub(5), y.saturating_sub(5));
        for edge in [(left, top, 12, 2), (left, top + 10, 12, 2), (left, top, 2, 12), (left + 10, top, 2, 12)]
        {
            picture.fill(edge.0, edge.1, edge.2, edge.3, colour);
        }
    }
    picture
}
