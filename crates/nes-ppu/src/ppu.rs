//! The chip's state and its time: two steps a dot, 341 dots a line, 262 lines a frame.

use crate::background::Background;
use crate::corruption::Corruption;
use crate::data_port::DataPort;
use crate::evaluation::Oam;
use crate::nmi::NmiLine;
use crate::open_bus::IoLatch;
use crate::registers::{Control, Mask};
use crate::scroll::VramAddr;
use crate::sprites::SpriteUnits;
use crate::{Frame, VideoBus};

/// Ticks in a dot.
pub(crate) const DOT: u64 = 4;
/// Dots in a line.
pub(crate) const DOTS: u16 = 341;
/// Lines in a frame.
const LINES: u16 = 262;
/// The line after the last of the picture.
pub(crate) const POST_RENDER: u16 = 240;
/// The line in which vblank begins.
pub(crate) const VBLANK: u16 = 241;
/// The line before the first of the picture, which fetches for it.
pub(crate) const PRE_RENDER: u16 = 261;

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

/// Register writes on their way to where they act, in dots still to go (0: none).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Late {
    pub(crate) scroll_delay: u8,
    pub(crate) scroll: u8,
    pub(crate) v_delay: u8,
    pub(crate) v_before: VramAddr,
    pub(crate) mask: Mask,
    pub(crate) pipeline_delay: u8,
    pub(crate) colour_delay: u8,
    pub(crate) corruption_delay: u8,
    pub(crate) cuts_rendering: bool,
}

impl Late {
    #[inline]
    pub(crate) fn any(&self) -> bool {
        (self.scroll_delay | self.v_delay | self.pipeline_delay | self.colour_delay | self.corruption_delay)
            != 0
    }
}

/// The 2C02: picture processing unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ppu {
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
    /// $2000, $2001, $2005 and $2006 do not listen yet after power-on.
    pub(crate) warming_up: bool,

    pub(crate) control: Control,
    pub(crate) mask: Mask,
    /// The rendering flag as fetches and sprite evaluation see it, a dot late.
    pub(crate) fetching: bool,
    pub(crate) late: Late,
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
    /// 57,165, and the registers listen after 29,658, as measured (NESdev: PPU power up state).
    pub const RESET_DOT: u16 = 8;

    /// A PPU at power-on, at [`Self::RESET_DOT`] of line 0 at tick 0. `phase` (0–3) is how many ticks before a
    /// CPU cycle begins its last dot did: a dot begins at each tick congruent to `-phase` modulo 4.
    pub fn new(phase: u8) -> Self {
        let phase = phase & 3;
        Self {
            phase,
            next: (DOT - u64::from(phase)) % DOT,
            half: false,
            scanline: 0,
            dot: Self::RESET_DOT,
            odd_frame: true,
            skipped: false,
            frames: 0,
            warming_up: true,
            control: Control::empty(),
            mask: Mask::empty(),
            fetching: false,
            late: Late::default(),
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

    /// The reset line, at the moment that the chip has been run to: it clears the registers and
    /// returns to the start of line 0 (NESdev: PPU power up state). `v` and OAM stay.
    pub fn reset(&mut self) {
        self.control = Control::empty();
        self.mask = Mask::empty();
        self.late = Late::default();
        self.t = VramAddr::default();
        self.fine_x = 0;
        self.second_write = false;
        self.port.buffer = 0;
        self.odd_frame = false;
        self.scanline = 0;
        self.dot = Self::RESET_DOT;
        self.warming_up = true;
        self.update_nmi(self.next);
    }

    /// Runs every step before `tick`, drawing into `frame`. Stretches of dots in which nothing can
    /// be noticed are done at once.
    #[inline]
    pub fn run_until<B: VideoBus>(&mut self, tick: u64, bus: &mut B, frame: &mut Frame) {
        while self.next < tick {
            // A dot's second step comes two ticks after its first.
            let dots = (tick - self.next + 1) / DOT;
            if self.run_span(dots, bus, frame) == 0 {
                self.step(bus, frame);
            }
        }
    }

    /// As [`Ppu::run_until`], but dot by dot: the description that the other is measured by.
    pub fn run_by_dots<B: VideoBus>(&mut self, tick: u64, bus: &mut B, frame: &mut Frame) {
        while self.next < tick {
            self.step(bus, frame);
        }
    }

    /// One half of a dot.
    fn step<B: VideoBus>(&mut self, bus: &mut B, frame: &mut Frame) {
        if self.half {
            self.end_dot(bus);
        } else {
            self.begin_dot(bus, frame);
        }
        self.half = !self.half;
        self.next += DOT / 2;
    }

    /// The first half of a dot: the dot counter moves, registers take over what was written to
    /// them, addresses go out and fetches come in, and a pixel's colour is chosen.
    fn begin_dot<B: VideoBus>(&mut self, bus: &mut B, frame: &mut Frame) {
        self.take_scroll_write();
        self.move_scroll();
        self.count_dot();
        self.overflow_seen = self.overflow;
        // On one phase the flag comes a dot later to sprite evaluation.
        if self.phase != 1 {
            self.fetching = self.mask.rendering();
        }
        self.begin_port();
        self.oam.latch = self.oam.buffer;
        self.take_v_write();
        let rendering_line = self.on_rendering_line();
        if rendering_line {
            self.evaluate_sprites(bus);
        }
        if self.phase == 1 {
            self.fetching = self.mask.rendering();
        }
        if !self.mask.rendering() {
            self.video.address = self.v.bits() & 0x3FFF;
        }
        self.take_mask_write();
        self.colours.copy_within(0..3, 1);
        // The pattern address of the 241st line goes out before the chip goes idle.
        if rendering_line || (self.scanline == POST_RENDER && self.dot == 0) {
            if self.fetching {
                self.fetch_background(bus);
            }
            if (1..=256).contains(&self.dot) {
                if self.scanline < POST_RENDER {
                    self.choose_colour();
                }
                let (moving, skipped) = (self.mask.rendering(), self.skipped);
                self.sprites.count(moving, skipped);
            }
            self.emit_pixel(frame);
        }
        self.finish_port(bus);
    }

    /// The second half of a dot: shifters move, fetched bytes arrive in their latches.
    fn end_dot<B: VideoBus>(&mut self, bus: &mut B) {
        if self.mask.rendering() && self.on_rendering_line() && matches!(self.dot, 1..=257 | 321..=336) {
            self.background.shift();
        }
        self.commit_fetch();
        if self.fetching || self.mask.rendering() {
            self.oam.buffer = self.oam.incoming;
        }
        self.hit_seen = self.hit;
        self.hit |= self.hit_pipe & 2 != 0;
        self.hit_pipe = (self.hit_pipe << 1) & 2;
        self.end_port(bus);
    }

    /// The counters move to the next dot; what hangs on them alone happens.
    #[inline]
    fn count_dot(&mut self) {
        self.dot += 1;
        if self.dot == DOTS {
            self.dot = 0;
            self.scanline = if self.scanline + 1 == LINES { 0 } else { self.scanline + 1 };
        }
        match (self.scanline, self.dot) {
            (VBLANK, 1) => {
                self.vblank = true;
                self.frames += 1;
                self.update_nmi(self.next);
            }
            (260, 340) => self.odd_frame = !self.odd_frame,
            (PRE_RENDER, 1) => {
                self.vblank = false;
                self.hit = false;
                self.hit_seen = false;
                self.hit_possible = true;
                self.overflow = false;
                self.warming_up = false;
                self.update_nmi(self.next);
            }
            // Every other frame is a dot shorter while rendering (NESdev: PPU frame timing). The
            // flag is the one that fetches see, a dot late (ppu_vbl_nmi/10-even_odd_timing).
            (0, 0) if self.odd_frame && self.fetching => {
                self.dot = 1;
                self.skipped = true;
            }
            (0, 2) => self.skipped = false,
            _ => {}
        }
        if self.status_read {
            self.status_read = false;
            self.vblank = false;
            self.update_nmi(self.next);
        }
    }

    /// The scroll position moves at the end of the picture's part of a line (NESdev: PPU
    /// scrolling).
    #[inline]
    fn move_scroll(&mut self) {
        if !self.mask.rendering() || !self.on_rendering_line() {
            return;
        }
        match self.dot {
            256 => self.increment_y(),
            257 => self.v.copy_x(self.t),
            280..=304 if self.scanline == PRE_RENDER => self.v.copy_y(self.t),
            _ => {}
        }
    }

    /// `v` goes a line down, unless it was loaded in the very last dot.
    pub(crate) fn increment_y(&mut self) {
        if self.v_loaded {
            // Both drive the register at once (AccuracyCoin: t register quirks); that the bits
            // AND is what has been seen, *unverified* beyond that.
            self.v = VramAddr(self.late.v_before.bits() & self.t.bits());
        } else {
            self.v.increment_y();
        }
    }

    /// A `$2005` write arrives.
    #[inline]
    fn take_scroll_write(&mut self) {
        if self.late.scroll_delay == 0 {
            return;
        }
        self.late.scroll_delay -= 1;
        if self.late.scroll_delay == 0 {
            let value = self.late.scroll;
            if self.second_write {
                self.t.set_y(value);
            } else {
                self.fine_x = value & 7;
                self.t.set_coarse_x(value);
            }
            self.second_write = !self.second_write;
        }
    }

    /// The second `$2006` write reaches `v`.
    #[inline]
    fn take_v_write(&mut self) {
        self.v_loaded = false;
        if self.late.v_delay == 0 {
            return;
        }
        self.late.v_delay -= 1;
        if self.late.v_delay == 0 {
            self.v_loaded = true;
            self.v = self.t;
            self.video.address = self.v.bits() & 0x3FFF;
        }
    }

    /// A `$2001` write reaches the pipelines, the OAM and the colours, each at its own time.
    #[inline]
    fn take_mask_write(&mut self) {
        if self.late.pipeline_delay | self.late.colour_delay | self.late.corruption_delay == 0 {
            return;
        }
        let arrives = |delay: &mut u8| {
            let last = *delay == 1;
            *delay = delay.saturating_sub(1);
            last
        };
        let mask = self.late.mask;
        if arrives(&mut self.late.pipeline_delay) {
            self.mask.take(!Mask::COLOUR, mask);
        }
        if arrives(&mut self.late.corruption_delay) && self.late.cuts_rendering && self.on_rendering_line() {
            self.corruption.rendering_was_cut();
        }
        if arrives(&mut self.late.colour_delay) {
            self.mask.take(Mask::COLOUR, mask);
        }
    }

    /// Is this a line in which the PPU fetches: one of the picture, or the one before it?
    #[inline]
    pub(crate) fn on_rendering_line(&self) -> bool {
        self.scanline < POST_RENDER || self.scanline == PRE_RENDER
    }

    /// Is the video bus the CPU's: rendering off, or outside the lines where it happens?
    #[inline]
    pub(crate) fn blanking(&self) -> bool {
        !self.mask.rendering() || !self.on_rendering_line()
    }

    /// Follows the vblank flag and its enable with the NMI line, in a step at `tick`.
    #[inline]
    pub(crate) fn update_nmi(&mut self, tick: u64) {
        let level = self.vblank && self.control.contains(Control::NMI);
        self.nmi.set(level, tick);
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
        if let Some(sample) = self.nmi.unconfirmed(self.next) {
            return sample;
        }
        let here = u64::from(self.scanline) * u64::from(DOTS) + u64::from(self.dot);
        let event = u64::from(VBLANK) * u64::from(DOTS) + 1;
        let dots =
            if here < event { event - here } else { u64::from(LINES) * u64::from(DOTS) - here + event - 1 };
        // The step that counts to the next dot is the next one, or the one after a second half.
        self.next + u64::from(self.half) * (DOT / 2) + (dots - 1) * DOT
    }

    /// Frames finished since power-on: it grows when vblank begins (line 241, dot 1).
    pub fn frame_number(&self) -> u64 {
        self.frames
    }

    /// The present line: 0–239 picture, 240 idle, 241–260 vblank, 261 pre-render.
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

    /// The scroll registers `v` and `t`, fine X and the write toggle.
    pub fn scroll(&self) -> (VramAddr, VramAddr, u8, bool) {
        (self.v, self.t, self.fine_x, self.second_write)
    }
}
