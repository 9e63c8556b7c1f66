//! The loader, the boards and hostile images. One binary, because each costs its build.

mod boards;
mod hostile;
mod image;
mod loader;
mod mmc1;
