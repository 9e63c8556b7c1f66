//! Ports and movies. One binary, because each costs its build.

mod fm2;
mod ports;
