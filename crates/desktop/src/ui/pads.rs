//! The pads as the game sees them, in the console's own pixels: for the clean feed, which has no
//! interface over it.

use nes::Buttons;
use nes_lua::Overlay;

/// Pixels of a pad, and between two of them and to the edges of the picture.
const SIZE: [usize; 2] = [48, 18];
const GAP: usize = 8;

const PANEL: [u8; 4] = [8, 10, 18, 224];
const UP: [u8; 4] = [0x48, 0x48, 0x48, 0xFF];
const DOWN: [u8; 4] = [0xFF, 0xC8, 0x57, 0xFF];

/// Where each button is on the pad: left, top, width, height.
const PLACES: [(Buttons, [usize; 4]); 8] = [
    (Buttons::UP, [7, 2, 4, 4]),
    (Buttons::DOWN, [7, 12, 4, 4]),
    (Buttons::LEFT, [2, 7, 4, 4]),
    (Buttons::RIGHT, [12, 7, 4, 4]),
    (Buttons::SELECT, [19, 11, 4, 2]),
    (Buttons::START, [25, 11, 4, 2]),
    (Buttons::B, [32, 7, 6, 6]),
    (Buttons::A, [40, 7, 6, 6]),
];

/// Returns one pad for each of `ports`, at the right edge of the picture, the last at the bottom.
pub(crate) fn overlay(ports: &[Buttons]) -> Overlay {
    let mut overlay = Overlay::default();
    let [width, height] = SIZE;
    let left = crate::PICTURE_WIDTH as usize - GAP - width;
    for (above, buttons) in ports.iter().rev().enumerate() {
        let top = crate::PICTURE_HEIGHT as usize - (GAP + height) * (above + 1);
        overlay.fill([left, top, width, height], PANEL);
        for (button, [x, y, width, height]) in PLACES {
            let colour = if buttons.contains(button) { DOWN } else { UP };
            overlay.fill([left + x, top + y, width, height], colour);
        }
    }
    overlay
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_button_lights_its_own_place_and_nothing_else_changes() {
        let none = overlay(&[Buttons::empty()]);
        for (button, [.., width, height]) in PLACES {
            let pressed = overlay(&[button]);
            let changed =
                none.pixels().iter().zip(pressed.pixels()).filter(|(before, after)| before != after);
            assert_eq!(changed.count(), width * height, "{button:?}");
        }
        let both = overlay(&[Buttons::A, Buttons::empty()]);
        let count =
            |overlay: &Overlay, colour| overlay.pixels().iter().filter(|pixel| **pixel == colour).count();
        assert_eq!(count(&both, DOWN), 36);
        assert_eq!(count(&both, [0; 4]), 256 * 240 - 2 * 48 * 18);
    }
}
