//! `$2007`: a read or write of video memory takes a few dots, through a chain of latches.
//!
//! The CPU only sets a request when its access ends. The chain then works two steps a dot: the
//! address goes out, then the data pass, then `v` moves. Nothing stops it from meeting the fetches
//! of rendering, and what comes of that is what real programs see (AccuracyCoin: $2007 stress,
//! address latch and read).

use nes_state::{Fields, State, StateError};

use crate::ppu::Ppu;
use crate::registers::{Control, palette_index};
use crate::{Purpose, VideoBus};

/// A request on its way through four latches, two clocked by each half of a dot.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Chain {
    request: bool,
    stages: [bool; 4],
    /// Output of the last stage.
    tail: bool,
}

impl Chain {
    /// Where the chain comes to rest.
    const IDLE: Self = Self { request: false, stages: [false, true, false, true], tail: false };

    /// First half of a dot.
    #[inline]
    fn begin(&mut self) {
        self.stages[0] = self.request;
        self.stages[2] = !self.stages[1];
        self.tail = !self.stages[3];
    }

    /// Second half: the request falls once it is through.
    #[inline]
    fn end(&mut self) {
        self.stages[1] = !self.stages[0];
        self.stages[3] = !self.stages[2];
        self.request &= self.stages[3];
    }

    /// The address goes out.
    #[inline]
    fn addressing(&self) -> bool {
        !self.tail && self.stages[2]
    }
}

impl State for Chain {
    fn walk<F: Fields>(&mut self, fields: &mut F) -> Result<(), StateError> {
        let Self { request, stages, tail } = self;
        fields.bool(request)?;
        stages.iter_mut().try_for_each(|stage| fields.bool(stage))?;
        fields.bool(tail)
    }
}

/// The data port: both chains, the read buffer and the byte to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DataPort {
    /// What the next read of `$2007` outside the palette returns.
    pub(crate) buffer: u8,
    /// The byte that `$2007` was last written with.
    pub(crate) data: u8,
    /// A chain is working, or its last effects linger.
    busy: bool,
    read: Chain,
    write: Chain,
    /// Data come in, through this dot.
    reading: bool,
    /// Data went out in the last second half.
    written: bool,
    /// `v` moves in the next second half because data went out.
    step: bool,
    /// The dot began in blanking.
    blank: bool,
}

impl Default for DataPort {
    fn default() -> Self {
        Self {
            buffer: 0,
            data: 0,
            busy: false,
            read: Chain::IDLE,
            write: Chain::IDLE,
            reading: false,
            written: false,
            step: false,
            blank: true,
        }
    }
}

impl DataPort {
    /// A CPU read of `$2007` has ended.
    pub(crate) fn request_read(&mut self) {
        self.read.request = true;
        self.busy = true;
    }

    /// A CPU write of `$2007` has ended.
    pub(crate) fn request_write(&mut self) {
        self.write.request = true;
        self.busy = true;
    }

    /// Nothing is on its way.
    #[inline]
    pub(crate) fn at_rest(&self) -> bool {
        !self.busy
    }

    /// A byte that has just been written is all that is on its way, before its first whole dot.
    pub(crate) fn has_only_a_write(&self) -> bool {
        let Self { buffer: _, data: _, busy: _, read, write, reading, written, step, blank: _ } = self;
        let fresh = Chain { request: true, ..Chain::IDLE };
        *write == fresh && *read == Chain::IDLE && !(*reading || *written || *step)
    }

    /// That byte is through, and the port at rest.
    pub(crate) fn finish_write(&mut self) {
        self.write = Chain::IDLE;
        self.blank = true;
        self.busy = false;
    }
}

impl Ppu {
    /// The port's first step in a dot, `blank` if no rendering fetches in it: it decides what the
    /// video bus is used for.
    #[inline]
    pub(crate) fn begin_port(&mut self, blank: bool) {
        // Rendering sends an address on odd dots and reads on even ones.
        let data_dot = self.dot & 1 == 0;
        self.video.reading = !blank && data_dot;
        self.video.latching = !blank && !data_dot;
        if self.port.busy {
            self.begin_port_access(blank);
        }
    }

    #[cold]
    fn begin_port_access(&mut self, blank: bool) {
        let port = &mut self.port;
        port.blank = blank;
        port.read.begin();
        port.write.begin();
        port.reading = port.read.tail && !port.read.stages[2];
        port.step = port.written;
        let addressing = port.read.addressing() || port.write.addressing();
        self.video.reading |= port.reading;
        self.video.latching |= addressing;
        if addressing && !self.video.reading {
            self.video.address = self.v.bits() & 0x3FFF;
            self.video.latch = self.video.address as u8;
        }
    }

    /// The port's part at the end of a dot's first half: data come in.
    #[inline]
    pub(crate) fn finish_port<B: VideoBus>(&mut self, bus: &mut B) {
        if self.port.busy && self.port.reading {
            self.port.buffer = self.fetch_video(Purpose::Data, bus);
            if self.video.latching {
                self.video.latch = self.video.address as u8;
            }
        }
    }

    /// The port's step in a dot's second half: `v` moves, data go out.
    #[inline]
    pub(crate) fn end_port<B: VideoBus>(&mut self, bus: &mut B) {
        if self.port.busy {
            self.end_port_access(bus);
        }
    }

    #[cold]
    fn end_port_access<B: VideoBus>(&mut self, bus: &mut B) {
        if self.port.step || self.port.reading {
            if self.port.blank {
                let down = self.control.contains(Control::DOWN);
                self.v.advance(if down { 32 } else { 1 });
            } else {
                // Both counters of the scroll position move (NESdev: PPU scrolling).
                self.v.increment_x();
                self.increment_y();
            }
        }
        self.video.latching = self.port.read.addressing() || self.port.write.addressing();
        if self.port.reading {
            self.port.buffer = self.fetch_video(Purpose::Data, bus);
            if self.video.latching {
                self.video.latch = self.video.address as u8;
            }
        }
        let port = &mut self.port;
        port.read.end();
        port.write.end();
        port.written = port.write.stages[1] && !port.write.stages[3];
        if port.written {
            self.write_video(bus);
        }
        let port = &mut self.port;
        port.busy = port.read != Chain::IDLE
            || port.write != Chain::IDLE
            || port.reading
            || port.written
            || port.step;
    }

    /// The byte goes to what the address lines name: the palette inside the chip, or the bus.
    pub(crate) fn write_video<B: VideoBus>(&mut self, bus: &mut B) {
        if self.video.address & 0x3F00 == 0x3F00 {
            self.palette[palette_index(self.video.address)] = self.port.data & 0x3F;
        } else {
            let address = (self.video.address & 0x3F00) | u16::from(self.video.latch);
            bus.write(address, self.port.data);
        }
    }
}

impl State for DataPort {
    fn walk<F: Fields>(&mut self, fields: &mut F) -> Result<(), StateError> {
        let Self { buffer, data, busy, read, write, reading, written, step, blank } = self;
        fields.u8(buffer)?;
        fields.u8(data)?;
        read.walk(fields)?;
        write.walk(fields)?;
        for flag in [busy, reading, written, step, blank] {
            fields.bool(flag)?;
        }
        Ok(())
    }
}
