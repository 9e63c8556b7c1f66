//! What goes between the console's thread and the interface: commands in, status and pictures out.

pub(crate) mod command;
pub(crate) mod handle;
pub(crate) mod latest_frame;
pub(crate) mod machine_message;
pub(crate) mod status;
