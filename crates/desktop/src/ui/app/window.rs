//! Making windows, and what winit calls keys.

use std::sync::Arc;

use winit::dpi::{PhysicalPosition, PhysicalSize};
use winit::event_loop::ActiveEventLoop;
use winit::keyboard::NamedKey;
use winit::window::Window;

use crate::DesktopError;
use crate::error::reason;
use crate::ui::layout::LEAST;
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
    wanted: (u8, u32),
    rails: u32,
) -> (u32, u32) {
    let screen = event_loop.primary_monitor().or_else(|| event_loop.available_monitors().next());
    let room = screen.map_or((u32::MAX, u32::MAX), |screen| {
        let size = screen.size().to_logical::<f64>(screen.scale_factor());
        ((size.width * 0.9) as u32, (size.height * 0.9) as u32)
    });
    size_within(room, framing, wanted, rails)
}

/// Returns the same for what is free of the screen. One rail is given up for a larger picture, but
/// no window that wants rails is too small for them, if the screen is not.
pub(crate) fn size_within(
    room: (u32, u32),
    framing: Framing,
    (scale, pictures): (u8, u32),
    rails: u32,
) -> (u32, u32) {
    let above = if rails > 0 { BARS } else { 0 };
    let fit = |rails: u32| {
        let free = (room.0.saturating_sub(rails * RAIL), room.1.saturating_sub(above));
        let largest = framing.scale(free.0 / pictures, free.1).unwrap_or(1);
        (u32::from(scale).clamp(1, 16).min(largest), rails)
    };
    let (scale, rails) = (rails.min(1)..=rails).map(fit).max().unwrap_or((1, 0));
    let (width, height) = framing.size(scale);
    let size = (width * pictures + rails * RAIL, height + above);
    if rails == 0 {
        return size;
    }
    let least = |wanted: u32, least: f64, room: u32| wanted.max((least as u32).min(room));
    (least(size.0, LEAST.0, room.0), least(size.1, LEAST.1, room.1))
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
    use crate::ui::layout::{Layout, Wanted};

    #[test]
    fn the_window_begins_with_rails_on_every_usual_screen() {
        for (screen, size, scale) in [
            ((1280, 800), (1024, 600), 2),
            ((1366, 768), (1024, 600), 2),
            ((1280, 1024), (1024, 800), 3),
            ((1440, 900), (1280, 800), 3),
            ((1920, 1080), (1280, 800), 3),
            ((3840, 2160), (1280, 800), 3),
        ] {
            let room = (screen.0 * 9 / 10, screen.1 * 9 / 10);
            let window = size_within(room, Framing::default(), (3, 1), 2);
            assert_eq!(window, size, "{screen:?}");
            let layout = Layout::of(&Wanted {
                window,
                desktop: 1.0,
                framing: Framing::default(),
                pictures: 1,
                rails: [true; 2],
            });
            assert!(layout.right.is_some() && layout.foot.is_some(), "{screen:?}: {layout:?}");
            assert_eq!(layout.scale, scale, "{screen:?}");
        }
        assert_eq!(size_within((1152, 921), Framing::default(), (3, 1), 0), (768, 720), "without rails");
    }

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
