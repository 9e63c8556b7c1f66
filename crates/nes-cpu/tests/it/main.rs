//! The CPU on a bus of its own: every operation, cycle for cycle. One binary, because each costs
//! its build.

mod bus;
mod bus_traces;
mod cycles;
mod disassembly;
mod interrupts;
mod operations;
mod reset_and_jam;
