//! The console: DMA, interrupts, open bus, snapshots. One binary, because each costs its build.

mod cartridge_sound;
mod devices;
mod dma;
mod interrupts;
mod open_bus;
mod poke;
mod power;
mod program;
mod snapshot;
mod stretches;
