//! What the compared runs have been through: a proof is worth as much as the states that it
//! reached.

use nes::{Access, Break, BusEvent, Cpu, Mainboard, Observer, cpu};
use serde::Serialize;
use std::ops::{AddAssign, ControlFlow};

macro_rules! coverage {
    ($($(#[doc = $doc:literal])* $name:ident,)*) => {
        /// How often each interesting thing happened.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
        pub struct Coverage {
            $($(#[doc = $doc])* pub $name: u64,)*
        }

        impl AddAssign for Coverage {
            fn add_assign(&mut self, other: Self) {
                $(self.$name += other.$name;)*
            }
        }

        impl Coverage {
            /// Each with its name.
            pub fn all(&self) -> impl Iterator<Item = (&'static str, u64)> {
                [$((stringify!($name), self.$name)),*].into_iter()
            }
        }
    };
}

coverage! {
    /// NMI vectors fetched.
    nmi,
    /// IRQ or BRK vectors fetched.
    irq,
    /// Instructions before which the board asks for an interrupt.
    board_irq,
    /// Bytes that OAM DMA has put.
    oam_dma_bytes,
    /// Other cycles of DMA: reads, halts.
    dma_reads,
    /// Reads of `$2002` that saw a sprite zero hit.
    sprite_zero_seen,
    /// Reads of `$2002` that saw the overflow flag.
    overflow_seen,
    /// Reads of `$2002` that saw vblank.
    vblank_seen,
    /// Reads of `$2002` in the picture.
    status_in_picture,
    /// Writes to `$2000` while the picture is drawn with rendering on.
    control_in_picture,
    /// Writes to `$2001` on the picture's lines.
    mask_in_picture,
    /// Of them such that set greyscale or emphasis.
    colour_in_picture,
    /// Writes to `$2005` while rendering.
    scroll_in_picture,
    /// Writes to `$2006` while rendering.
    address_in_picture,
    /// Reads of `$2007` while rendering.
    data_read_in_picture,
    /// Writes to `$2007` while rendering.
    data_written_in_picture,
    /// Accesses to `$2003` and `$2004` while rendering, the CPU's own.
    oam_in_picture,
    /// Writes to the cartridge's registers while rendering.
    bank_in_picture,
    /// Instructions run while sprites of 8 × 16 are being drawn.
    tall_sprites,
    /// Accesses to `$4000`–`$4015` and `$4017`.
    sound,
    /// Reads of the pads.
    pads,
}

/// Counts, from what the bus shows. The line is that of the last instruction's beginning.
#[derive(Clone, Debug, Default)]
pub(crate) struct Counter {
    pub(crate) coverage: Coverage,
    control: u8,
    mask: u8,
    in_picture: bool,
}

impl Observer for Counter {
    fn step(&mut self, _: &Cpu, board: &Mainboard) -> ControlFlow<Break> {
        self.coverage.board_irq += u64::from(board.cartridge().irq_at(board.cycle()));
        self.in_picture = board.ppu().scanline() < 240;
        self.coverage.tall_sprites += u64::from(self.rendering() && self.control & 0x20 != 0);
        ControlFlow::Continue(())
    }

    fn bus(&mut self, event: BusEvent) {
        if event.access.is_dma() {
            self.coverage.oam_dma_bytes += u64::from(event.write);
            self.coverage.dma_reads += u64::from(!event.write);
        } else if event.address >= 0x2000 {
            self.access(event);
        }
    }
}

impl Counter {
    fn rendering(&self) -> bool {
        self.in_picture && self.mask & 0x18 != 0
    }

    fn access(&mut self, BusEvent { address, value, write, access, .. }: BusEvent) {
        let rendering = u64::from(self.rendering());
        let in_picture = u64::from(self.in_picture);
        let bit = |bit: u8| u64::from(value & bit != 0);
        let coverage = &mut self.coverage;
        let register = if address < 0x4000 { address & 0x2007 } else { address };
        match (register, write) {
            (0x2000, true) => {
                coverage.control_in_picture += rendering;
                self.control = value;
            }
            (0x2001, true) => {
                coverage.mask_in_picture += in_picture;
                coverage.colour_in_picture += in_picture & u64::from(value & 0xE1 != 0);
                self.mask = value;
            }
            (0x2002, false) => {
                coverage.vblank_seen += bit(0x80);
                coverage.sprite_zero_seen += bit(0x40);
                coverage.overflow_seen += bit(0x20);
                coverage.status_in_picture += in_picture;
            }
            (0x2003, true) | (0x2004, _) => coverage.oam_in_picture += rendering,
            (0x2005, true) => coverage.scroll_in_picture += rendering,
            (0x2006, true) => coverage.address_in_picture += rendering,
            (0x2007, true) => coverage.data_written_in_picture += rendering,
            (0x2007, false) => coverage.data_read_in_picture += rendering,
            (0x4016, _) | (0x4017, false) => coverage.pads += 1,
            (0x4000..=0x4015 | 0x4017, _) => coverage.sound += 1,
            (0xFFFA, false) if access == Access::Cpu(cpu::Access::Vector) => coverage.nmi += 1,
            (0xFFFE, false) if access == Access::Cpu(cpu::Access::Vector) => coverage.irq += 1,
            (0x8000.., true) => coverage.bank_in_picture += rendering,
            _ => {}
        }
    }
}
