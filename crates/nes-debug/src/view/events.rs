//! The event viewer: which register was accessed where on the picture.

use core::ops::ControlFlow;

use nes::{Access, Break, BusEvent, Cpu, Mainboard, Observer, Palette};

use super::Picture;
use crate::Debugger;
use crate::beam::{Beam, LINE};

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

/// The accesses of the CPU to registers of PPU, APU, pads and cartridge, from the end of the last whole frame but one to
/// the end of the last one: from vblank to vblank.
pub fn accesses(debugger: &Debugger) -> Vec<RegisterAccess> {
    let frame = debugger.console().frame_number();
    let Some(mut replay) = debugger.replay_frame(frame.saturating_sub(1)) else { return Vec::new() };
    let mut watch = Watch {
        beam: Beam::default(),
        start: 0,
        dot: 0,
        pc: 0,
        frame: frame.saturating_sub(1),
        now: 0,
        found: Vec::new(),
    };
    replay.run_to(debugger.console().cycle(), &mut watch, |_, _| {});
    watch.found
}

struct Watch {
    beam: Beam,
    /// Cycle and dot at the beginning of the instruction.
    start: u64,
    dot: u64,
    pc: u16,
    /// The frame that is wanted, and the present one.
    frame: u64,
    now: u64,
    found: Vec<RegisterAccess>,
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
        let register = matches!(address, 0x2000..=0x401F) || (write && address >= 0x8000);
        if !register || self.now != self.frame {
            return;
        }
        if access.is_dma() || access == Access::Cpu(nes::cpu::Access::Dummy) {
            return;
        }
        let dot = (self.dot + 3 * (cycle - self.start)) % crate::beam::FRAME;
        let address = if address < 0x4000 { address & 0x2007 } else { address };
        let (line, dot) = ((dot / LINE) as u16, (dot % LINE) as u16);
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

/// The frame's 341 x 262 dots, twice as large: the picture, dimmed, and a square for each access. Blanking is dark.
pub fn event_picture(debugger: &Debugger, palette: &Palette) -> Picture {
    const SCALE: usize = 2;
    let mut dots = Picture::new(341, 262, [24; 3]);
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
    picture
}
