//! The loader, the boards and hostile images. One binary, because each costs its build.

mod banks;
mod boards;
mod hostile;
mod loader;
mod memory;
mod mmc1;
mod mmc3;
mod mmc5;
mod others;
