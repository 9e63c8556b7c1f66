//! Making windows, and what winit calls keys.

use std::sync::Arc;

use winit::dpi::{PhysicalPosition, PhysicalSize};
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
/// largest smaller one that leaves a tenth of the screen free; with room for `rails` beside the
/// picture and for the bars.
pub(super) fn start_size(
    event_loop: &ActiveEventLoop,
    framing: Framing,
    (scale, pictures): (u8, u32),
    rails: u32,
) -> (u32, u32) {
    let screen = event_loop.primary_monitor().or_else(|| event_loop.available_monitors().next());
    let room = screen.map_or((u32::MAX, u32::MAX), |screen| {
        let size = screen.size().to_logical::<f64>(screen.scale_factor());
        ((size.width * 0.9) as u32, (size.height * 0.9) as u32)
    });
    let beside = rails * RAIL;
    let above = if rails > 0 { BARS } else { 0 };
    let free = (room.0.saturating_sub(beside), room.1.saturating_sub(above));
    let largest = framing.scale(free.0 / pictures, free.1).unwrap_or(1);
    let (width, height) = framing.size(u32::from(scale).clamp(1, 16).min(largest));
    (width * pictures + beside, height + above)
}

/// The width of a rail, and the height of both bars, in points.
const RAIL: u32 = 256;
const BARS: u32 = 80;

/// A window smaller than this is none that a player wants to have again.
pub(super) const LEAST_SIZE: u32 = 128;

/// Returns the size that the window had, no larger than the largest screen.
pub(super) fn remembered_size(event_loop: &ActiveEventLoop, size: &[u32]) -> Option<PhysicalSize<u32>> {
    let screens: Vec<PhysicalSize<u32>> =
        event_loop.available_monitors().map(|screen| screen.size()).collect();
    fitting_size(size, &screens)
}

fn fitting_size(size: &[u32], screens: &[PhysicalSize<u32>]) -> Option<PhysicalSize<u32>> {
    let &[width, height] = size else { return None };
    let largest = screens.iter().max_by_key(|screen| u64::from(screen.width) * u64::from(screen.height))?;
    let fits = |length: u32, most: u32| length.clamp(LEAST_SIZE, most.max(LEAST_SIZE));
    Some(PhysicalSize::new(fits(width, largest.width), fits(height, largest.height)))
}

/// Returns where the window was, if that is still on a screen.
pub(super) fn remembered_place(event_loop: &ActiveEventLoop, place: &[i32]) -> Option<PhysicalPosition<i32>> {
    let screens: Vec<_> =
        event_loop.available_monitors().map(|screen| (screen.position(), screen.size())).collect();
    place_on_screen(place, &screens)
}

fn place_on_screen(
    place: &[i32],
    screens: &[(PhysicalPosition<i32>, PhysicalSize<u32>)],
) -> Option<PhysicalPosition<i32>> {
    /// So much of it must be on the screen that it can be grasped.
    const GRIP: i64 = 64;
    let &[x, y] = place else { return None };
    let within = |at: i32, start: i32, length: u32| {
        (-GRIP..i64::from(length) - GRIP).contains(&(i64::from(at) - i64::from(start)))
    };
    let is_on = |(corner, size): &(PhysicalPosition<i32>, PhysicalSize<u32>)| {
        within(x, corner.x, size.width) && within(y, corner.y, size.height)
    };
    screens.iter().any(is_on).then(|| PhysicalPosition::new(x, y))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_comes_back_where_it_was_if_there_is_still_a_screen() {
        let screens = [
            (PhysicalPosition::new(0, 0), PhysicalSize::new(1920, 1080)),
            (PhysicalPosition::new(1920, 0), PhysicalSize::new(1280, 1024)),
        ];
        for place in [[100, 50], [2000, 10], [-20, 0]] {
            assert_eq!(place_on_screen(&place, &screens), Some(PhysicalPosition::from(place)));
        }
        for place in [[-4000, 0], [100, 1070], [3190, 0], [i32::MAX, i32::MIN]] {
            assert_eq!(place_on_screen(&place, &screens), None, "{place:?}");
        }
        assert_eq!(place_on_screen(&[], &screens), None);
        let sizes = screens.map(|(_, size)| size);
        assert_eq!(fitting_size(&[1000, 760], &sizes), Some(PhysicalSize::new(1000, 760)));
        assert_eq!(fitting_size(&[9000, 1], &sizes), Some(PhysicalSize::new(1920, LEAST_SIZE)));
        assert_eq!((fitting_size(&[1], &sizes), fitting_size(&[1000, 760], &[])), (None, None));
    }
}
