//! The pads as the game sees them, as an overlay for the clean feed, which has no interface over
//! it.

use emulator::input_display;
use nes::Buttons;
use nes_lua::Overlay;

/// Returns one pad for each of `ports`, at the right edge of the picture, the last at the bottom.
pub(crate) fn overlay(ports: &[Buttons]) -> Overlay {
    let mut overlay = Overlay::default();
    for (place, colour) in input_display(ports) {
        overlay.fill(place, colour);
    }
    overlay
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pad_covers_its_place_and_nothing_else() {
        let drawn = |ports: &[Buttons]| {
            let overlay = overlay(ports);
            overlay.pixels().iter().filter(|pixel| **pixel != [0; 4]).count()
        };
        assert_eq!((drawn(&[]), drawn(&[Buttons::A]), drawn(&[Buttons::A; 2])), (0, 48 * 18, 2 * 48 * 18));
    }
}
