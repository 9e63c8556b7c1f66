//! The console on its thread: frames when they are due, and everything that belongs to the
//! cartridge that is played.

pub(crate) mod battery;
pub(crate) mod coach;
pub(crate) mod latency;
pub(crate) mod machine;
pub(crate) mod movie;
pub(crate) mod network;
pub(crate) mod pacing;
pub(crate) mod puzzle_search;
pub(crate) mod running;
pub(crate) mod script;
pub(crate) mod slots;
pub(crate) mod streaming;
pub(crate) mod timing;
pub(crate) mod vsync;
