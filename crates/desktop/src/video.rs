//! The picture, from the console's framebuffer to the pixels of a window.

pub(crate) mod blit;
pub(crate) mod composite;
pub(crate) mod filter;
pub(crate) mod presented_frame;
pub(crate) mod render_settings;
pub(crate) mod surface;
pub(crate) mod viewport;
