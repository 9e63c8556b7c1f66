//! What of the mainboard is state: compared, saved and loaded.

use nes_state::{Fields, State, StateError};

use super::Mainboard;

/// Equal boards have the same future. Picture and sound are output: they do not count, and neither
/// does how far a chip lags behind.
impl PartialEq for Mainboard {
    fn eq(&self, other: &Self) -> bool {
        self.cycle == other.cycle
            && (self.same_state(other) || self.caught_up().same_state(&other.caught_up()))
    }
}

impl Mainboard {
    fn same_state(&self, other: &Self) -> bool {
        let Self {
            region,
            cycle,
            next_event: _,
            ppu_event: _,
            data_bus,
            status_cycle: _,
            status_value: _,
            oam_page,
            oam_dma: _,
            released: _,
            kept_opcode: _,
            ram,
            // As much of it as the cartridge lets the PPU see.
            ciram: _,
            cartridge,
            ppu,
            apu,
            expansion,
            ports,
            frame: _,
            synth: _,
            resting_synth: _,
        } = self;
        *region == other.region
            && *cycle == other.cycle
            && *data_bus == other.data_bus
            && self.internal_bus() == other.internal_bus()
            && *oam_page == other.oam_page
            && *ram == other.ram
            && self.ciram() == other.ciram()
            && *cartridge == other.cartridge
            && *ppu == other.ppu
            && *apu == other.apu
            && *expansion == other.expansion
            && *ports == other.ports
    }
}

/// Cycles that a state may have run: 2,500 years. It keeps the arithmetic on ticks from
/// overflowing.
const MAX_CYCLE: u64 = 1 << 57;

impl State for Mainboard {
    fn walk<F: Fields>(&mut self, fields: &mut F) -> Result<(), StateError> {
        let mut internal_bus = self.internal_bus();
        let Self {
            region,
            cycle,
            next_event: _,
            ppu_event: _,
            data_bus,
            status_cycle,
            status_value,
            oam_page,
            // Only within an instruction.
            oam_dma: _,
            released: _,
            kept_opcode: _,
            ram,
            ciram,
            cartridge,
            ppu,
            apu,
            expansion,
            ports,
            frame: _,
            synth: _,
            resting_synth: _,
        } = self;
        fields.u64(cycle)?;
        fields.check("cycle", *cycle, *cycle <= MAX_CYCLE)?;
        fields.u8(data_bus)?;
        fields.u8(&mut internal_bus)?;
        *status_cycle = cycle.wrapping_sub(1);
        *status_value = internal_bus;
        let mut oam_dma = oam_page.is_some();
        let mut page = oam_page.unwrap_or(0);
        fields.bool(&mut oam_dma)?;
        fields.u8(&mut page)?;
        *oam_page = oam_dma.then_some(page);
        fields.bytes(ram)?;
        fields.bytes(&mut ciram[..cartridge.ciram_len().min(0x1000)])?;
        cartridge.walk(fields)?;
        ppu.walk(fields)?;
        apu.walk(fields)?;
        ports.walk(fields)?;
        if let Some(chip) = expansion {
            chip.walk(fields)?;
            fields.check("cycle of the sound chip", chip.cycle(), chip.cycle() == *cycle)?;
        }
        // A state is saved with every chip caught up. One whose clocks are apart would make the
        // chips run for years to meet.
        fields.check("APU cycle", apu.cycle(), apu.cycle() == *cycle)?;
        let (now, vblank) = (region.tick(*cycle), ppu.next_event());
        // From one vblank to the next, at most.
        let frame = 4 * region.frame_dots() + 13;
        fields.check("tick of the next vblank", vblank, (now..=now + frame).contains(&vblank))
    }
}
