//! The modes on two cartridges: the built-in one, and a second build of it that is known by its
//! hash alone. One binary, because each costs its build.

mod back;
mod begins;
mod coach;
mod digs;
mod drops;
mod games;
mod levels;
mod options;
mod pal;
mod rig;
mod spins;
