//! The console: power, reset, and time in instructions and frames.

use core::fmt;
use core::ops::ControlFlow;

use nes_apu::ChannelLevels;
use nes_cartridge::{Cartridge, Mmc3Revision};
use nes_clock::Region;
use nes_controller::{Buttons, Devices};
use nes_cpu::{Cpu, Unstable};
use nes_ppu::{Frame, Quirks};

use crate::attachment::{Erased, ErasedAttachment, ErasedSelection};
use crate::fast;
use crate::mainboard::KeptOpcode;
use crate::pads::AnyPads;
use crate::reference;
use crate::wires::Wires;
use crate::{Attachment, Break, Mainboard, Pads, RamFill};

/// What differs from one console, and from one power-on, to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// How the dividers of CPU and PPU happen to fall: 0–3, in master clock ticks.
    pub phase: u8,
    /// 0–3: bit 0 is the get/put parity of the first cycle, bit 1 the DMC timer's.
    pub apu_alignment: u8,
    /// What RAM and nametable memory hold at power-on.
    pub ram_fill: RamFill,
    /// Samples a second, or none: then no sound is made.
    pub sample_rate: Option<u32>,
    /// How loud each channel is. See [`Console::set_channel_levels`].
    pub channel_levels: ChannelLevels,
    /// Is the picture drawn? See [`Console::set_video`].
    pub video: bool,
    /// The constants of the CPU's unstable opcodes.
    pub unstable: Unstable,
    /// Which console it is; by default the cartridge's.
    pub region: Option<Region>,
    /// The revision of an MMC3, in the place of the header's.
    pub mmc3: Option<Mmc3Revision>,
    /// What some PPUs do, and others not.
    pub quirks: Quirks,
    /// What is plugged into the ports.
    pub devices: Devices,
}

impl Default for Config {
    /// Phase, alignment and memory 0, a picture, no sound, two standard pads.
    fn default() -> Self {
        Self {
            phase: 0,
            apu_alignment: 0,
            ram_fill: RamFill::default(),
            sample_rate: None,
            channel_levels: ChannelLevels::default(),
            video: true,
            unstable: Unstable::default(),
            region: None,
            mmc3: None,
            quirks: Quirks::default(),
            devices: Devices::default(),
        }
    }
}

/// An NES with a cartridge in it, powered on, between two instructions.
///
/// It is a value: a clone has the same future. Two consoles are equal if they have the same
/// future, which leaves picture and sound out.
#[derive(Clone)]
pub struct Console {
    /// The CPU's registers.
    pub cpu: Cpu,
    /// Everything else.
    pub board: Mainboard,
}

impl Console {
    /// Inserts `cartridge`, powers on and runs the reset sequence.
    pub fn new(cartridge: Cartridge, config: Config) -> Self {
        let mut console = Self::unreset(cartridge, config);
        console.run_reset_sequence();
        console
    }

    /// Powered on, the reset sequence still to come.
    pub(crate) fn unreset(cartridge: Cartridge, config: Config) -> Self {
        Self { board: Mainboard::new(cartridge, &config), cpu: Cpu::new(config.unstable) }
    }

    /// The reset button, pressed for a moment: memory stays, and so does the vblank flag.
    pub fn reset(&mut self) {
        self.board.reset();
        self.run_reset_sequence();
    }

    /// The reset button as players and movies press it between two frames: a moment before the
    /// vertical blank in which the last frame ended. Its flag was clear then, and its interrupt not
    /// asked for.
    ///
    /// [`Console::run_frame`] ends with the instruction in which that vertical blank begins, so it
    /// is taken back. FCEUX presses the button where line 240 begins, where its flag is clear by
    /// the same rule: movies stay in step.
    pub fn reset_between_frames(&mut self) {
        self.board.withdraw_vblank();
        self.reset();
    }

    fn run_reset_sequence(&mut self) {
        let Self { cpu, board } = self;
        let pads = &mut AnyPads(&mut [Buttons::empty(); 2]);
        cpu.reset(&mut Wires { board, pads, attachment: &mut () });
    }

    /// Runs one instruction or one interrupt sequence (one cycle of a jammed CPU), DMA included.
    ///
    /// # Errors
    /// Not an error: a break, if the attachment asked for it before the instruction.
    #[inline]
    pub fn step<P: Pads, A: Attachment>(&mut self, pads: &mut P, attachment: &mut A) -> ControlFlow<Break> {
        if A::WATCHES {
            return self.step_watched(&mut AnyPads(pads), attachment, A::FETCHES);
        }
        if sees_nothing::<A>() {
            self.step_unobserved(&mut AnyPads(pads));
            return ControlFlow::Continue(());
        }
        if A::COMPILED {
            attachment.step(self)?;
            self.instruction(&mut AnyPads(pads), attachment);
            ControlFlow::Continue(())
        } else {
            self.step_selecting(&mut AnyPads(pads), attachment)
        }
    }

    /// Runs to the end of the instruction in which the next vertical blank begins. Then every chip
    /// has caught up, the picture is whole, and the frame's samples are ready. An attachment that
    /// goes to another moment has the frame end that begins there.
    ///
    /// # Errors
    /// Not an error: a break, if the attachment asked for it. The next run goes on from there.
    pub fn run_frame<P: Pads, A: Attachment>(
        &mut self,
        pads: &mut P,
        attachment: &mut A,
    ) -> ControlFlow<Break> {
        if A::WATCHES {
            return self.run_frame_watched(&mut AnyPads(pads), attachment, A::FETCHES);
        }
        if sees_nothing::<A>() {
            self.run_frame_unobserved(&mut AnyPads(pads));
            return ControlFlow::Continue(());
        }
        if A::COMPILED {
            self.frame(&mut AnyPads(pads), attachment)
        } else {
            self.run_frame_selecting(&mut AnyPads(pads), attachment)
        }
    }

    /// Runs a stretch of instructions on the fast path, or one where it does not serve, and no more
    /// than `early` cycles: as if an event were announced there. It leaves what single steps leave,
    /// wherever a stretch ends; tests see to it by this.
    #[doc(hidden)]
    pub fn run_stretch(&mut self, held: [Buttons; 2], early: u64) {
        let (mut held, prg_rom) = (held, self.board.cartridge.prg_rom_shared());
        let mut pads = AnyPads(&mut held);
        let Self { cpu, board } = self;
        board.next_event = board.next_event.min(board.cycle.saturating_add(early));
        if !fast::run(cpu, board, &mut pads, &mut (), &prg_rom) {
            self.step_unobserved(&mut pads);
        }
    }

    /// As [`Console::step`] without an attachment. Not generic, so that the machine is compiled
    /// here and not once more in each crate that runs it.
    #[inline(never)]
    fn step_unobserved(&mut self, pads: &mut AnyPads<'_>) {
        self.instruction(pads, &mut ());
    }

    /// As [`Console::run_frame`] without an attachment.
    #[inline(never)]
    fn run_frame_unobserved(&mut self, pads: &mut AnyPads<'_>) {
        let _ = self.frame(pads, &mut ());
    }

    /// As [`Console::step`] with an attachment that sees everything. A call through a pointer costs
    /// little beside that, and the machine is compiled here and not once more for each such
    /// attachment.
    #[inline(never)]
    fn step_watched(
        &mut self,
        pads: &mut AnyPads<'_>,
        attachment: &mut dyn ErasedAttachment,
        fetches: bool,
    ) -> ControlFlow<Break> {
        if fetches {
            return reference::step_of(self, pads, &mut Erased::<true>(attachment));
        }
        attachment.step(self)?;
        self.instruction(pads, &mut Erased::<false>(attachment));
        ControlFlow::Continue(())
    }

    /// As [`Console::run_frame`] with an attachment that sees everything.
    #[inline(never)]
    fn run_frame_watched(
        &mut self,
        pads: &mut AnyPads<'_>,
        attachment: &mut dyn ErasedAttachment,
        fetches: bool,
    ) -> ControlFlow<Break> {
        if fetches {
            reference::run_frame_of(self, pads, &mut Erased::<true>(attachment))
        } else {
            self.frame(pads, &mut Erased::<false>(attachment))
        }
    }

    /// As [`Console::step`] with an attachment that selects what it sees, called through a
    /// pointer: see [`Attachment::COMPILED`].
    #[inline(never)]
    fn step_selecting(
        &mut self,
        pads: &mut AnyPads<'_>,
        attachment: &mut dyn ErasedAttachment,
    ) -> ControlFlow<Break> {
        attachment.step(self)?;
        self.instruction(pads, &mut ErasedSelection(attachment));
        ControlFlow::Continue(())
    }

    /// As [`Console::run_frame`] with an attachment that selects what it sees; see
    /// [`Console::step_selecting`].
    #[inline(never)]
    fn run_frame_selecting(
        &mut self,
        pads: &mut AnyPads<'_>,
        attachment: &mut dyn ErasedAttachment,
    ) -> ControlFlow<Break> {
        self.frame(pads, &mut ErasedSelection(attachment))
    }

    #[inline(always)]
    fn instruction<A: Attachment>(&mut self, pads: &mut AnyPads<'_>, attachment: &mut A) {
        let Self { cpu, board } = self;
        cpu.step(&mut Wires { board, pads, attachment });
    }

    fn frame<A: Attachment>(&mut self, pads: &mut AnyPads<'_>, attachment: &mut A) -> ControlFlow<Break> {
        let mut frame = self.frame_number();
        let mut prg_rom = self.board.cartridge.prg_rom_shared();
        while self.frame_number() == frame {
            let Self { cpu, board } = self;
            if !A::WATCHES && fast::run(cpu, board, pads, attachment, &prg_rom) {
                continue;
            }
            let cycle = self.cycle();
            attachment.step(self)?;
            if A::ACTS {
                // It may have changed the program, or gone to another moment.
                if !core::ptr::eq(self.board.cartridge.prg_rom(), &raw const *prg_rom) {
                    prg_rom = self.board.cartridge.prg_rom_shared();
                }
                if self.cycle() != cycle {
                    frame = self.frame_number();
                }
            }
            self.instruction(pads, attachment);
        }
        self.board.end_frame();
        ControlFlow::Continue(())
    }

    /// Has the next instruction be the one whose opcode `value` was read at `address`, with its
    /// operands behind the program counter: as where a program counter is changed between the two.
    /// Only an attachment that changes it right before an instruction ([`Attachment::step`]) has a
    /// use for it.
    pub fn keep_opcode(&mut self, address: u16, value: u8) {
        self.board.kept_opcode = Some((self.board.cycle, KeptOpcode { address, value }));
        // The opcode is looked for in the way of accesses before which something is due.
        (self.board.next_event, self.board.ppu_event) = (0, 0);
    }

    /// Which console it is.
    pub fn region(&self) -> Region {
        self.board.region()
    }

    /// Frames finished since power-on: grows when vertical blank begins.
    pub fn frame_number(&self) -> u64 {
        self.board.ppu().frame_number()
    }

    /// Number of the CPU cycle that comes next, counted from power-on.
    pub fn cycle(&self) -> u64 {
        self.board.cycle()
    }

    /// The last whole picture, after [`Console::run_frame`].
    pub fn picture(&self) -> &Frame {
        self.board.picture()
    }

    /// Whether the picture is drawn from here on. Without it the machine does everything that a
    /// program can notice, and [`Console::picture`] stays as it was: for frames that nobody looks
    /// at. A Zapper looks at all of them: with one plugged in, the picture is always drawn.
    pub fn set_video(&mut self, drawn: bool) {
        self.board.set_video(drawn);
    }

    /// Plugs other devices into the ports, as a player may while the console is on.
    pub fn plug(&mut self, devices: Devices) {
        self.board.plug(devices);
    }

    /// Returns what is plugged into the ports.
    pub fn devices(&self) -> Devices {
        self.board.devices()
    }

    /// Whether sound is made from here on, if [`Config::sample_rate`] is set at all. While it is
    /// not, [`Console::samples`] does not grow.
    pub fn set_sound(&mut self, heard: bool) {
        self.board.set_sound(heard);
    }

    /// How loud each channel is from here on: sound, not state, and so neither saved nor compared.
    pub fn set_channel_levels(&mut self, levels: ChannelLevels) {
        self.board.set_channel_levels(levels);
    }

    /// Mono samples in -1..1 since the last [`Console::clear_samples`], up to the end of the last
    /// whole frame; none without [`Config::sample_rate`].
    pub fn samples(&self) -> &[f32] {
        self.board.samples()
    }

    /// Forgets the samples made so far.
    pub fn clear_samples(&mut self) {
        self.board.clear_samples();
    }

    /// What the CPU would read at `address`, without moving the machine.
    pub fn peek(&self, address: u16) -> u8 {
        self.board.peek(address)
    }

    /// Writes `value` to `address` as the CPU would, between two instructions: registers and boards
    /// take notice, but no cycle of the bus passes. A strobe of the pads that it ends finds no
    /// button held.
    pub fn write(&mut self, address: u16, value: u8) {
        let Self { board, .. } = self;
        board.catch_up();
        if address < 0x2000 {
            board.ram[usize::from(address & 0x7FF)] = value;
        } else {
            let pads = &mut [Buttons::empty(); 2];
            Wires { board, pads, attachment: &mut () }.write_device(address, value);
        }
    }

    /// The 2 KiB of work RAM at $0000.
    pub fn ram(&self) -> &[u8; 0x800] {
        self.board.ram()
    }

    /// The same to write into: what debuggers, scripts and tests poke. No cycle of the bus passes.
    pub fn ram_mut(&mut self) -> &mut [u8; 0x800] {
        &mut self.board.ram
    }

    /// Nametable memory: 2 KiB, or 4 KiB with a four-screen cartridge.
    pub fn ciram(&self) -> &[u8] {
        self.board.ciram()
    }
}

/// Returns whether an attachment is one that no run has to tell anything.
const fn sees_nothing<A: Attachment>() -> bool {
    !A::WATCHES && !A::SELECTS
}

impl PartialEq for Console {
    fn eq(&self, other: &Self) -> bool {
        let Self { cpu, board } = self;
        *cpu == other.cpu && *board == other.board
    }
}

/// Where the console stands; its memories would fill pages.
impl fmt::Debug for Console {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Console")
            .field("cycle", &self.cycle())
            .field("frame", &self.frame_number())
            .field("cpu", &self.cpu)
            .finish_non_exhaustive()
    }
}
