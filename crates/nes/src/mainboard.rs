//! The mainboard: the chips, the memories, the data bus, and the clock that they share.

mod cartridge_sound;
mod state;

use alloc::boxed::Box;

use nes_apu::{Apu, ChannelLevels, Expansion, SoundChip, Synth};
use nes_cartridge::{BoardSound, Cartridge, Video};
use nes_clock::Region;
use nes_controller::{Devices, Ports};
use nes_cpu::Lines;
use nes_ppu::{Frame, Ppu};

use self::cartridge_sound::chip_of;

use crate::video::{BoardBus, Ciram, CountingBus, PictureBus};
use crate::{Config, IgnoredWrites, Pads};

/// Everything but the CPU. Time is the number of the CPU cycle that comes next.
///
/// PPU and APU catch up with it when someone could notice: at an access to one of their registers,
/// at a bank switch, at an event of their own, at the end of a frame.
#[derive(Clone, Debug)]
pub struct Mainboard {
    pub(crate) region: Region,
    pub(crate) cycle: u64,
    /// First cycle before which a chip has to catch up: it may raise an interrupt, ask for a DMA,
    /// or end the frame. 0 while a DMA waits, or the cartridge watches A12. Derived from the chips
    /// by [`Mainboard::schedule`].
    pub(crate) next_event: u64,
    /// The same of the PPU alone. An event of the APU leaves it where it is: a line of the picture
    /// that is run in one go costs less than its parts.
    pub(crate) ppu_event: u64,
    /// The console's data bus: holds its last value where nobody answers (NESdev: Open bus
    /// behavior).
    pub(crate) data_bus: u8,
    /// Cycle and value of the last read of $4015: it is on the 2A03's internal data bus, which
    /// differs from the outer one only until the next access.
    status_cycle: u64,
    status_value: u8,
    /// Page of an OAM DMA that waits for the CPU's next read.
    pub(crate) oam_page: Option<u8>,
    /// An OAM DMA is under way (never so between two instructions).
    pub(crate) oam_dma: bool,
    /// Cycle of the read that ended the last DMA.
    pub(crate) released: u64,
    /// The opcode of this cycle, and where it was read, if not where the CPU is: only between an
    /// attachment's change and the instruction behind it.
    pub(crate) kept_opcode: Option<(u64, KeptOpcode)>,
    pub(crate) ram: [u8; 0x800],
    pub(crate) ciram: Ciram,
    pub(crate) cartridge: Cartridge,
    pub(crate) ppu: Ppu,
    pub(crate) apu: Apu,
    /// The sound chip in the cartridge, which lags like the others.
    pub(crate) expansion: Option<Box<Expansion>>,
    pub(crate) ports: Ports,
    pub(crate) frame: Frame,
    pub(crate) synth: Option<Synth>,
    /// The same while nobody listens.
    resting_synth: Option<Synth>,
}

/// An opcode that has been read already.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KeptOpcode {
    pub(crate) address: u16,
    pub(crate) value: u8,
}

impl Mainboard {
    pub(crate) fn new(mut cartridge: Cartridge, config: &Config) -> Self {
        if let Some(revision) = config.mmc3 {
            cartridge.set_mmc3_revision(revision);
        }
        let region = config.region.unwrap_or(cartridge.info().region);
        let expansion = cartridge.sound().map(|chip| Box::new(Expansion::new(chip_of(chip))));
        let mut board = Self {
            region,
            cycle: 0,
            next_event: 0,
            ppu_event: 0,
            data_bus: 0,
            status_cycle: u64::MAX,
            status_value: 0,
            oam_page: None,
            oam_dma: false,
            released: u64::MAX,
            kept_opcode: None,
            ram: config.ram_fill.ram(),
            ciram: [config.ram_fill.ciram(); 0x1000],
            cartridge,
            ppu: Ppu::new(config.phase),
            apu: Apu::new(config.apu_alignment),
            expansion,
            ports: Ports::default(),
            frame: Frame::default(),
            synth: config.sample_rate.map(Synth::new),
            resting_synth: None,
        };
        board.ppu.set_region(region);
        board.ppu.set_quirks(config.quirks);
        board.apu.set_region(region);
        if let Some(synth) = &mut board.synth {
            synth.set_region(region);
            synth.begin(board.apu.outputs());
        }
        board.plug(config.devices);
        board.set_video(config.video);
        board.set_channel_levels(config.channel_levels);
        board.schedule();
        board
    }

    /// The reset line of PPU and APU; memory and cartridge do not have one.
    pub(crate) fn reset(&mut self) {
        self.catch_up();
        self.ppu.reset();
        self.apu.reset();
        self.oam_page = None;
        self.schedule();
    }

    /// Takes back the vertical blank that has just begun.
    pub(crate) fn withdraw_vblank(&mut self) {
        self.catch_up();
        self.ppu.withdraw_vblank();
    }

    /// Which console it is.
    pub fn region(&self) -> Region {
        self.region
    }

    /// Number of the CPU cycle that comes next, counted from power-on.
    pub fn cycle(&self) -> u64 {
        self.cycle
    }

    /// The PPU, as far as it has been run.
    pub fn ppu(&self) -> &Ppu {
        &self.ppu
    }

    /// The APU, as far as it has been run.
    pub fn apu(&self) -> &Apu {
        &self.apu
    }

    /// The cartridge.
    pub fn cartridge(&self) -> &Cartridge {
        &self.cartridge
    }

    /// The 2 KiB of work RAM at $0000.
    pub fn ram(&self) -> &[u8; 0x800] {
        &self.ram
    }

    /// Nametable memory: 2 KiB, or 4 KiB with a four-screen cartridge.
    pub fn ciram(&self) -> &[u8] {
        &self.ciram[..self.cartridge.ciram_len().min(0x1000)]
    }

    /// The last whole picture at the end of a frame; between, the lines drawn so far are newer.
    pub fn picture(&self) -> &Frame {
        &self.frame
    }

    /// The writes that the PPU ignored since power-on or the last reset, because it was warming up.
    pub fn ignored_writes(&self) -> Option<IgnoredWrites> {
        let nes_ppu::IgnoredWrites { register, value, tick, count } = self.ppu.ignored_writes()?;
        Some(IgnoredWrites { register: 0x2000 | register, value, cycle: self.region.cycle(tick), count })
    }

    /// See [`Console::samples`](crate::Console::samples).
    pub(crate) fn samples(&self) -> &[f32] {
        self.synth.as_ref().map_or(&[], Synth::samples)
    }

    pub(crate) fn clear_samples(&mut self) {
        if let Some(synth) = &mut self.synth {
            synth.clear();
        }
    }

    /// See [`Console::set_sound`](crate::Console::set_sound).
    pub(crate) fn set_sound(&mut self, heard: bool) {
        self.catch_up();
        if !heard {
            self.resting_synth = self.synth.take().or(self.resting_synth.take());
        } else if let Some(mut synth) = self.resting_synth.take() {
            synth.jump(self.cycle);
            self.synth = Some(synth);
        }
    }

    /// See [`Console::set_channel_levels`](crate::Console::set_channel_levels).
    /// Plugs other devices into the ports. A Zapper sees the picture, which is then always drawn.
    pub(crate) fn plug(&mut self, devices: Devices) {
        self.ports.plug(devices);
        self.set_video(self.frame.enabled());
    }

    /// What is plugged into the ports.
    pub fn devices(&self) -> Devices {
        self.ports.devices()
    }

    pub(crate) fn set_video(&mut self, drawn: bool) {
        self.frame.enable(drawn || self.devices() == Devices::Zapper);
    }

    pub(crate) fn set_channel_levels(&mut self, levels: ChannelLevels) {
        for synth in [&mut self.synth, &mut self.resting_synth].into_iter().flatten() {
            synth.set_channel_levels(levels);
        }
    }

    /// This very board with every chip run up to [`Mainboard::cycle`]. Nothing else about it, and
    /// nothing in its future, is different.
    #[must_use]
    pub fn caught_up(&self) -> Self {
        let mut board = self.clone();
        board.synth = None;
        board.catch_up();
        board
    }

    /// The PPU as it will be when `cycle` begins, if nobody touches it before: not earlier than it
    /// has been run to.
    pub fn ppu_at(&self, cycle: u64) -> Ppu {
        let mut board = self.clone();
        board.synth = None;
        board.cycle = cycle;
        board.run_ppu();
        board.ppu
    }

    /// What the CPU would read at `address`, without moving the machine.
    pub fn peek(&self, address: u16) -> u8 {
        match address {
            0x0000..=0x1FFF => self.ram[usize::from(address & 0x7FF)],
            0x2000..=0x3FFF => self.caught_up().ppu.peek(address & 7),
            0x4015 => self.caught_up().apu.peek_status() | self.internal_bus() & 0x20,
            0x4016 | 0x4017 => self.ports.peek(usize::from(address & 1), self.cycle) | self.data_bus & 0xE0,
            0x4000..=0x401F => self.data_bus,
            0x4020..=0xFFFF => {
                let sound = self.peek_sound(address);
                sound.unwrap_or_else(|| self.cartridge.read(address, self.data_bus))
            }
        }
    }

    /// The data bus inside the 2A03: it carries what a read of $4015 found, which never gets out
    /// (NESdev: Open bus behavior).
    #[inline]
    pub(crate) fn internal_bus(&self) -> u8 {
        if self.status_cycle.wrapping_add(1) == self.cycle { self.status_value } else { self.data_bus }
    }

    /// The lines as sampled in the cycle before the most recent access.
    #[inline]
    pub(crate) fn lines(&self) -> Lines {
        self.lines_at(self.cycle)
    }

    /// What [`Mainboard::lines`] will be before `cycle`, if no chip runs until then.
    #[inline]
    pub(crate) fn lines_at(&self, cycle: u64) -> Lines {
        // The most recent access was cycle - 1. NMI is sampled in the first half of a cycle, IRQ in
        // its second half, after the APU's cycle; either is found by a poll one cycle later.
        let sampled = cycle.wrapping_sub(2);
        let mut lines = Lines::empty();
        lines.set(Lines::NMI, self.ppu.nmi_edge().is_some_and(|edge| edge <= sampled));
        lines.set(Lines::IRQ, self.apu.irq_at(sampled) || self.cartridge.irq_at(sampled));
        lines
    }

    /// Whether [`Mainboard::lines`] can be anything but empty before a chip runs again.
    pub(crate) fn line_asserted(&self) -> bool {
        // Either chip changes its IRQ line once at most, so that it is high between only if it is
        // so at an end.
        self.ppu.nmi_edge().is_some()
            || self.apu.irq_at(self.cycle.wrapping_sub(2))
            || self.apu.irq_at(u64::MAX)
            || self.cartridge.irq_at(self.cycle.wrapping_sub(2))
            || self.cartridge.irq_at(u64::MAX)
    }

    /// Runs every chip up to the present and looks up when the next one has to.
    pub(crate) fn catch_up(&mut self) {
        self.run_ppu();
        self.run_apu();
        self.run_expansion();
        self.watch_a12();
        self.schedule();
    }

    /// Runs the chips whose event is due before the present access.
    pub(crate) fn catch_up_due(&mut self) {
        if self.cycle >= self.ppu_event {
            self.catch_up();
        } else {
            self.run_apu();
            self.schedule();
        }
    }

    #[inline]
    pub(crate) fn run_ppu(&mut self) {
        if self.cartridge.is_watched() {
            return self.run_watched_ppu();
        }
        let Self { region, cycle, ppu, cartridge, ciram, frame, .. } = self;
        ppu.run_until(region.tick(*cycle), &mut PictureBus { cartridge, ciram }, frame);
    }

    #[cold]
    #[inline(never)]
    fn run_watched_ppu(&mut self) {
        let Self { region, cycle, ppu, cartridge, ciram, frame, .. } = self;
        let now = region.tick(*cycle);
        match cartridge.video() {
            Video::Plain => ppu.run_until(now, &mut PictureBus { cartridge, ciram }, frame),
            Video::CountsA12 => {
                ppu.run_until(now, &mut CountingBus(PictureBus { cartridge, ciram }, *region), frame);
            }
            Video::OwnBus => {
                let bus = &mut BoardBus::new(cartridge, ciram, *region, ppu);
                ppu.run_by_dots(now, bus, frame);
                cartridge.advance(*cycle);
            }
        }
    }

    #[inline]
    pub(crate) fn run_apu(&mut self) {
        match &mut self.synth {
            Some(synth) => self.apu.run_until(self.cycle, synth),
            None => self.apu.run_until(self.cycle, &mut ()),
        }
    }

    /// Looks up the next event: the CPU has to wait for a chip from the cycle after that in which
    /// the chip acts.
    #[inline]
    pub(crate) fn schedule(&mut self) {
        let now = self.oam_page.is_some() || self.apu.dmc_wants_dma() || self.cartridge.watches_a12();
        (self.ppu_event, self.next_event) = if now {
            (0, 0)
        } else {
            let ppu = self.ppu.next_event();
            let ppu = if self.cartridge.is_watched() {
                self.next_event_of_board(ppu)
            } else {
                self.region.cycle(ppu).saturating_add(1)
            };
            (ppu, ppu.min(self.apu.next_event().saturating_add(1)))
        };
    }

    /// The first cycle before which a board that is watched wants the PPU to have caught up. That
    /// itself has an event at tick `ppu`.
    #[inline(never)]
    fn next_event_of_board(&self, ppu: u64) -> u64 {
        if self.cartridge.watches_reads() {
            return 0;
        }
        let ppu = match self.cartridge.clocks_to_irq() {
            Some(clocks) => ppu.min(self.ppu.next_a12_rise(clocks)),
            None => ppu,
        };
        self.region.cycle(ppu).min(self.cartridge.next_irq(self.cycle)).saturating_add(1)
    }

    /// The opcode that is taken for the one that the CPU fetches now, if there is one.
    pub(crate) fn take_opcode(&mut self) -> Option<KeptOpcode> {
        self.kept_opcode.take().filter(|(cycle, _)| *cycle == self.cycle).map(|(_, kept)| kept)
    }

    /// Whether a DMA holds a read of the CPU's, if one is asked for; `opcode` says whether it is
    /// the fetch of one. The 2A07 holds that and nothing else, so that no other read is repeated.
    #[inline]
    pub(crate) fn lets_dma_hold(&self, opcode: bool) -> bool {
        self.region == Region::Ntsc || opcode
    }

    /// The end of a frame: the sound up to here becomes samples.
    pub(crate) fn end_frame(&mut self) {
        self.catch_up();
        if let Some(synth) = &mut self.synth {
            synth.end_frame(self.cycle);
        }
    }

    pub(crate) fn read_ppu(&mut self, address: u16) -> u8 {
        if self.cartridge.is_watched() {
            return self.read_watched_ppu(address);
        }
        let Self { region, cycle, ppu, cartridge, ciram, frame, .. } = self;
        let value = ppu.read(address & 7, region.tick(*cycle), &mut PictureBus { cartridge, ciram }, frame);
        self.schedule();
        value
    }

    #[inline(never)]
    fn read_watched_ppu(&mut self, address: u16) -> u8 {
        self.run_ppu();
        let Self { region, cycle, ppu, cartridge, ciram, frame, .. } = self;
        let (register, tick) = (address & 7, region.tick(*cycle));
        let value = match cartridge.video() {
            Video::Plain => ppu.read(register, tick, &mut PictureBus { cartridge, ciram }, frame),
            Video::CountsA12 => {
                let bus = PictureBus { cartridge, ciram };
                ppu.read(register, tick, &mut CountingBus(bus, *region), frame)
            }
            Video::OwnBus => {
                let bus = &mut BoardBus::new(cartridge, ciram, *region, ppu);
                ppu.read(register, tick, bus, frame)
            }
        };
        self.schedule();
        value
    }

    pub(crate) fn write_ppu(&mut self, address: u16, value: u8) {
        if self.cartridge.is_watched() {
            self.write_watched_ppu(address & 7, value);
        } else {
            let Self { region, cycle, data_bus, ppu, cartridge, ciram, frame, .. } = self;
            let bus = &mut PictureBus { cartridge, ciram };
            ppu.write(address & 7, value, *data_bus, region.tick(*cycle), bus, frame);
        }
        self.schedule();
        if address & 7 == 0 {
            // An NMI edge that this write raised may be gone before its sample.
            self.ppu_event = self.ppu_event.min(self.cycle + 1);
            self.next_event = self.next_event.min(self.ppu_event);
        }
    }

    #[inline(never)]
    fn write_watched_ppu(&mut self, register: u16, value: u8) {
        let video = self.cartridge.video();
        if video == Video::OwnBus {
            self.run_ppu();
        }
        let Self { region, cycle, data_bus, ppu, cartridge, ciram, frame, .. } = self;
        let tick = region.tick(*cycle);
        match video {
            Video::Plain => {
                ppu.write(register, value, *data_bus, tick, &mut PictureBus { cartridge, ciram }, frame);
            }
            Video::CountsA12 => {
                let bus = PictureBus { cartridge, ciram };
                ppu.write(register, value, *data_bus, tick, &mut CountingBus(bus, *region), frame);
            }
            Video::OwnBus => {
                let bus = &mut BoardBus::new(cartridge, ciram, *region, ppu);
                ppu.write(register, value, *data_bus, tick, bus, frame);
                cartridge.snoop(register, value);
            }
        }
    }

    pub(crate) fn write_apu(&mut self, address: u16, value: u8) {
        self.run_apu();
        self.apu.write(address, value);
        self.schedule();
    }

    /// $4015, which the outer bus never sees: what was there stays. Bit 5 is not driven.
    pub(crate) fn read_apu_status(&mut self, internal_bus: u8) -> u8 {
        self.run_apu();
        let value = self.apu.read_status() & 0xDF | internal_bus & 0x20;
        self.status_cycle = self.cycle;
        self.status_value = value;
        self.schedule();
        value
    }

    /// $4016 or $4017: one bit of the pad, below three bits that the port does not drive.
    pub(crate) fn read_pad<P: Pads>(&mut self, port: usize, address: u16, pads: &mut P) -> u8 {
        let mut bits = self.ports.read(port, self.cycle, || pads.held());
        if self.ports.devices() != Devices::Pads {
            bits |= self.device_lines(port, pads.extra());
        }
        // Whoever else answers wins over the port during an OAM DMA; the pad is clocked all the
        // same (AccuracyCoin: APU Register Activation).
        let contested = self.oam_dma && !matches!(address, 0x4000..=0x5FFF);
        if !contested {
            self.data_bus = bits | self.data_bus & 0xE0;
        }
        self.data_bus
    }

    pub(crate) fn read_cartridge(&mut self, address: u16) -> u8 {
        self.watch_a12();
        if self.cartridge.is_watched() {
            return self.read_watched_cartridge(address);
        }
        self.cartridge.read(address, self.data_bus)
    }

    /// A board that answers fetches shows what it has seen of the picture.
    #[inline(never)]
    fn read_watched_cartridge(&mut self, address: u16) -> u8 {
        let own = self.cartridge.video() == Video::OwnBus && address < 0x6000;
        if own {
            self.run_ppu();
        }
        if !self.cartridge.reacts_to(address) {
            return self.cartridge.read(address, self.data_bus);
        }
        self.cartridge.before_read(self.cycle);
        let value = self.read_sound(address);
        let value = value.unwrap_or_else(|| self.cartridge.read(address, self.data_bus));
        self.was_read(address, value);
        self.schedule();
        value
    }

    /// A write to the cartridge. If banks or mirroring change, the PPU first draws what it saw.
    pub(crate) fn write_cartridge(&mut self, address: u16, value: u8) {
        // A register of the counter finds it as it is now.
        if self.cartridge.is_watched() || self.cartridge.write_moves_picture(address, value, self.cycle) {
            self.run_ppu();
        }
        self.watch_a12();
        if self.cartridge.is_watched() {
            self.write_sound(address, value);
        }
        self.cartridge.write(address, value, self.cycle);
        self.schedule();
    }

    /// After a load: everything that is derived from the state.
    pub(crate) fn resume(&mut self) {
        self.released = u64::MAX;
        if let Some(synth) = &mut self.synth {
            synth.jump(self.cycle);
        }
        self.schedule();
    }

    /// On some boards of MMC1 the PPU's A12 chooses banks of PRG and gates the RAM at $6000.
    fn watch_a12(&mut self) {
        if self.cartridge.watches_a12() {
            self.run_ppu();
            self.cartridge.set_a12(self.ppu.address_bus() & 0x1000 != 0);
        }
    }
}
