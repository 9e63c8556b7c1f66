//! The chip's state and its time: two steps a dot, 341 dots a line, 262 lines a frame (PAL: 312).

use alloc::boxed::Box;

use nes_clock::Region;

use crate::background::Background;
use crate::corruption::Corruption;
use crate::data_port::DataPort;
use crate::delayed::DelayedWrites;
use crate::dot::{DOTS, VBLANK};
use crate::nmi::NmiLine;
use crate::oam::Oam;
use crate::open_bus::IoLatch;
use crate::registers::{Control, Mask};
use crate::scroll::VramAddr;
use crate::sprites::SpriteUnits;
use crate::warm_up::Ignored;
use crate::{Frame, IgnoredWrites, VideoBus};

/// Ticks in a dot.
pub(crate) const DOT: u64 = 4;
/// The chip's pins towards its video memory: the low eight address lines double as data lines, so
/// a latch outside the chip holds the low half of an address while data passes (NESdev: PPU
/// pinout).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct VideoPins {
    /// The address lines, 14 bits; after a fetch the low eight are its data.
    pub(crate) address: u16,
    /// The low address byte in the octal latch.
    pub(crate) latch: u8,
    /// The latch is transparent.
    pub(crate) latching: bool,
    /// A read is going on.
    pub(crate) reading: bool,
}

/// What some chips do and others do not, or each in its own way: all off by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Quirks {
    /// Rows of OAM that are not refreshed for 26 lines are lost.
    pub oam_decay: bool,
    /// Rendering that is cut, or `v` that leaves the palette, within a line changes entries of the
    /// palette.
    pub palette_corruption: bool,
    /// The reset button does not reach it: a Famicom's or an NES-101's. The NES-001 resets it
    /// together with the CPU.
    pub no_reset: bool,
    /// It wakes up as from a reset: `$2000`, `$2001`, `$2005` and `$2006` take no writes until the
    /// first vertical blank has ended. A console does that which was off for less than 20 seconds
    /// (NESdev: PPU power up state).
    pub strict_start: bool,
}

/// The 2C02, or the 2C07 of PAL: picture processing unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ppu {
    pub(crate) region: Region,
    /// See [`Quirks::no_reset`].
    pub(crate) no_reset: bool,
    /// The line before the first of the picture, which fetches for it: the frame's last.
    pub(crate) pre_render: u16,
    pub(crate) phase: u8,
    /// Tick of the next step.
    pub(crate) next: u64,
    /// The next step is the second half of the present dot.
    pub(crate) half: bool,
    pub(crate) scanline: u16,
    pub(crate) dot: u16,
    pub(crate) odd_frame: bool,
    /// Dot 0 of line 0 was left out and its effects linger for a dot.
    pub(crate) skipped: bool,
    pub(crate) frames: u64,
    /// $2000, $2001, $2005 and $2006 do not listen yet after a reset.
    pub(crate) warming_up: bool,
    pub(crate) ignored: Ignored,

    pub(crate) control: Control,
    pub(crate) mask: Mask,
    /// The rendering flag as fetches and sprite evaluation see it, a dot late.
    pub(crate) fetching: bool,
    pub(crate) delayed: DelayedWrites,
    pub(crate) v: VramAddr,
    pub(crate) t: VramAddr,
    /// `v` was loaded from `t` in the last dot.
    pub(crate) v_loaded: bool,
    pub(crate) fine_x: u8,
    /// The write toggle `w` of $2005 and $2006.
    pub(crate) second_write: bool,
    pub(crate) io: IoLatch,

    pub(crate) vblank: bool,
    /// $2002 was read: the vblank flag falls with the next dot.
    pub(crate) status_read: bool,
    pub(crate) overflow: bool,
    pub(crate) overflow_seen: bool,
    /// Sprite zero hits on their way to the flag, one stage a dot from bit 0 to bit 1.
    pub(crate) hit_pipe: u8,
    pub(crate) hit: bool,
    pub(crate) hit_seen: bool,
    /// The frame has not had its sprite zero hit yet.
    pub(crate) hit_possible: bool,
    pub(crate) nmi: NmiLine,

    pub(crate) video: VideoPins,
    pub(crate) port: DataPort,
    pub(crate) background: Background,
    pub(crate) sprites: SpriteUnits,
    pub(crate) oam: Oam,
    pub(crate) corruption: Corruption,
    pub(crate) palette: [u8; 32],
    /// Palette values of the last four dots, newest first: a pixel leaves the chip three dots
    /// after its colour was looked up.
    pub(crate) colours: [u8; 4],
}

impl Ppu {
    /// The dot of line 0 at which the CPU's reset sequence finds the PPU. Seven cycles later its
    /// program begins at dot 29: so the first vblank is set 27,384 CPU cycles into it, the second
    /// 57,165, and after a reset the registers listen after 29,658, as measured (NESdev: PPU power
    /// up state; on PAL after 33,132).
    pub const RESET_DOT: u16 = 8;

    /// A PPU at power-on, at [`Self::RESET_DOT`] of line 0 at tick 0. `phase` (0–3) is how many
    /// ticks before a CPU cycle begins its last dot did: a dot begins at each tick congruent to
    /// `-phase` modulo 4.
    pub fn new(phase: u8) -> Self {
        let phase = phase & 3;
        Self {
            region: Region::Ntsc,
            no_reset: false,
            pre_render: Region::Ntsc.lines() - 1,
            phase,
            next: (DOT - u64::from(phase)) % DOT,
            half: false,
            scanline: 0,
            dot: Self::RESET_DOT,
            odd_frame: true,
            skipped: false,
            frames: 0,
            warming_up: false,
            ignored: Ignored::default(),
            control: Control::empty(),
            mask: Mask::empty(),
            fetching: false,
            delayed: DelayedWrites::default(),
            v: VramAddr::default(),
            t: VramAddr::default(),
            v_loaded: false,
            fine_x: 0,
            second_write: false,
            io: IoLatch::default(),
            vblank: false,
            status_read: false,
            overflow: false,
            overflow_seen: false,
            hit_pipe: 0,
            hit: false,
            hit_seen: false,
            hit_possible: false,
            nmi: NmiLine::new(),
            video: VideoPins::default(),
            port: DataPort::default(),
            background: Background::default(),
            sprites: SpriteUnits::default(),
            oam: Oam::default(),
            corruption: Corruption::default(),
            palette: [0; 32],
            colours: [0; 4],
        }
    }

    /// Makes it the chip of another region, before it has been run.
    pub fn set_region(&mut self, region: Region) {
        self.region = region;
        self.pre_render = region.lines() - 1;
        self.odd_frame &= region == Region::Ntsc;
    }

    /// Makes it a chip that has these quirks, before it has been run.
    pub fn set_quirks(&mut self, quirks: Quirks) {
        self.oam.decay = quirks.oam_decay.then(Box::default);
        self.corruption.reaches_palette = quirks.palette_corruption;
        self.no_reset = quirks.no_reset;
        self.warming_up = quirks.strict_start;
    }

    /// The quirks that it has from here on. How it woke up is none of them.
    pub fn lasting_quirks(&self) -> Quirks {
        Quirks {
            oam_decay: self.oam.decay.is_some(),
            palette_corruption: self.corruption.reaches_palette,
            no_reset: self.no_reset,
            strict_start: false,
        }
    }

    /// The writes that it ignored since power-on or the last reset, because it was warming up.
    pub fn ignored_writes(&self) -> Option<IgnoredWrites> {
        self.ignored.0.as_deref().copied()
    }

    /// The reset line, at the moment that the chip has been run to: it clears the registers and
    /// returns to the start of line 0. `v`, OAM and the flags of the status register stay, that of
    /// the vertical blank included (NESdev: PPU power up state). The reset sequence of the CPU
    /// takes the place of an interrupt that is still to come.
    pub fn reset(&mut self) {
        if self.no_reset {
            self.nmi.acknowledge();
            return;
        }
        self.control = Control::empty();
        self.mask = Mask::empty();
        self.delayed = DelayedWrites::default();
        self.t = VramAddr::default();
        self.fine_x = 0;
        self.second_write = false;
        self.port.buffer = 0;
        // The next frame is an even one, as at power-on: none of it is left out at its end.
        self.odd_frame = self.region == Region::Ntsc;
        self.scanline = 0;
        self.dot = Self::RESET_DOT;
        self.warming_up = true;
        self.ignored = Ignored::default();
        self.update_nmi(self.next);
        self.nmi.acknowledge();
    }

    /// Takes back the vertical blank that has just begun, as far as it can be noticed: its flag and
    /// its interrupt. The chip is then as if it had not been run into it.
    pub fn withdraw_vblank(&mut self) {
        self.vblank = false;
        self.update_nmi(self.next);
        self.nmi.acknowledge();
    }

    /// Runs every step before `tick`, drawing into `frame`. Stretches of dots in which nothing can
    /// be noticed are done at once.
    #[inline]
    pub fn run_until<B: VideoBus>(&mut self, tick: u64, bus: &mut B, frame: &mut Frame) {
        if self.next >= tick {
            return;
        }
        let canvas = &mut frame.canvas();
        while self.next < tick {
            // A dot's second step comes two ticks after its first.
            let dots = (tick - self.next + 1) / DOT;
            if !self.run_span(dots, bus, canvas) {
                self.step(bus, canvas);
            }
        }
    }

    /// As [`Ppu::run_until`], but dot by dot: the description that the other is measured by.
    pub fn run_by_dots<B: VideoBus>(&mut self, tick: u64, bus: &mut B, frame: &mut Frame) {
        let canvas = &mut frame.canvas();
        while self.next < tick {
            self.step(bus, canvas);
        }
    }

    /// The tick of the step that comes next.
    pub fn tick(&self) -> u64 {
        self.next
    }

    /// Follows the vblank flag and its enable with the NMI line, in a step at `tick`.
    #[inline]
    pub(crate) fn update_nmi(&mut self, tick: u64) {
        let level = self.vblank && self.control.contains(Control::NMI);
        self.nmi.set(level, tick, self.region);
    }

    /// The CPU cycle in which a rising edge of the NMI line was sampled, until acknowledged.
    pub fn nmi_edge(&self) -> Option<u64> {
        self.nmi.edge()
    }

    /// The CPU has taken the NMI: clears the edge.
    pub fn acknowledge_nmi(&mut self) {
        self.nmi.acknowledge();
    }

    /// The earliest tick at which something could change for the CPU, as long as nobody touches the
    /// PPU: vblank begins, which ends the frame and may raise NMI (a dot that may be skipped is
    /// taken as skipped), or an NMI edge is confirmed or taken back.
    pub fn next_event(&self) -> u64 {
        if let Some(sample) = self.nmi.unconfirmed(self.next, self.region) {
            return sample;
        }
        let here = u64::from(self.scanline) * u64::from(DOTS) + u64::from(self.dot);
        let event = u64::from(VBLANK) * u64::from(DOTS) + 1;
        let dots = if here < event {
            event - here
        } else {
            u64::from(self.pre_render + 1) * u64::from(DOTS) - here + event - 1
        };
        // The step that counts to the next dot is the next one, or the one after a second half.
        self.next + u64::from(self.half) * (DOT / 2) + (dots - 1) * DOT
    }

    /// Frames finished since power-on: it grows when vblank begins (line 241, dot 1).
    pub fn frame_number(&self) -> u64 {
        self.frames
    }

    /// The present line: 0–239 picture, 240 idle, 241–260 vblank, 261 pre-render; on PAL 241–310
    /// and 311.
    pub fn scanline(&self) -> u16 {
        self.scanline
    }

    /// The present dot of the line, 0–340.
    pub fn dot(&self) -> u16 {
        self.dot
    }

    /// What the address lines carry, 14 bits.
    pub fn address_bus(&self) -> u16 {
        (self.video.address & 0x3F00) | u16::from(self.video.latch)
    }

    /// The 32 bytes of palette RAM, six bits each.
    pub fn palette_ram(&self) -> &[u8; 32] {
        &self.palette
    }

    /// The 256 bytes of object attribute memory.
    pub fn oam(&self) -> &[u8; 256] {
        &self.oam.primary
    }

    /// `PPUCTRL` and `PPUMASK` as last written.
    pub fn control_and_mask(&self) -> (Control, Mask) {
        (self.control, self.delayed.mask)
    }

    /// Writes an entry of palette RAM from outside the machine; gives what was there. `None` from
    /// 32 up.
    pub fn poke_palette(&mut self, entry: usize, value: u8) -> Option<u8> {
        self.palette.get_mut(entry).map(|byte| core::mem::replace(byte, value & 0x3F))
    }

    /// Writes a byte of OAM from outside the machine; gives what was there. `None` from 256 up.
    pub fn poke_oam(&mut self, at: usize, value: u8) -> Option<u8> {
        self.oam.primary.get_mut(at).map(|byte| core::mem::replace(byte, value))
    }

    /// The scroll registers `v` and `t`, fine X and the write toggle.
    pub fn scroll(&self) -> (VramAddr, VramAddr, u8, bool) {
        (self.v, self.t, self.fine_x, self.second_write)
    }
}
