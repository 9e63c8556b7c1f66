//! Keys and gamepads, and which buttons they hold.

pub(crate) mod actions;
pub(crate) mod bindings;
pub(crate) mod gamepad;
pub(crate) mod held;
pub(crate) mod host_input;
pub(crate) mod player;
