//! Ports. One binary, because each costs its build.

mod ports;
