//! Making windows, and what winit calls keys.

use std::sync::Arc;

use winit::event_loop::ActiveEventLoop;
use winit::keyboard::NamedKey;
use winit::window::Window;

use crate::DesktopError;
use crate::error::reason;
use crate::video::viewport::Framing;

pub(super) fn window(
    event_loop: &ActiveEventLoop,
    attributes: winit::window::WindowAttributes,
) -> Result<Arc<Window>, DesktopError> {
    let window = event_loop.create_window(attributes);
    window.map(Arc::new).map_err(|error| DesktopError::Window(reason(&error)))
}

/// 5 is F5.
pub(super) fn function_key(key: NamedKey) -> Option<u8> {
    const KEYS: [NamedKey; 12] = [
        NamedKey::F1,
        NamedKey::F2,
        NamedKey::F3,
        NamedKey::F4,
        NamedKey::F5,
        NamedKey::F6,
        NamedKey::F7,
        NamedKey::F8,
        NamedKey::F9,
        NamedKey::F10,
        NamedKey::F11,
        NamedKey::F12,
    ];
    KEYS.iter().position(|known| *known == key).map(|at| at as u8 + 1)
}

/// Returns the window's size at the start, for so many pictures side by side: `scale`, or the
/// largest smaller one that leaves a tenth of the screen free.
pub(super) fn start_size(
    event_loop: &ActiveEventLoop,
    framing: Framing,
    scale: u8,
    pictures: u32,
) -> (u32, u32) {
    let screen = event_loop.primary_monitor().or_else(|| event_loop.available_monitors().next());
    let room = screen.map_or((u32::MAX, u32::MAX), |screen| {
        let size = screen.size().to_logical::<f64>(screen.scale_factor());
        ((size.width * 0.9) as u32, (size.height * 0.9) as u32)
    });
    let largest = framing.scale(room.0 / pictures, room.1).unwrap_or(1);
    let (width, height) = framing.size(u32::from(scale).clamp(1, 16).min(largest));
    (width * pictures, height)
}
