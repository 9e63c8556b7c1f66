//! The pads as the game sees them, in the console's own pixels: for front ends and recordings that
//! have no interface beside the picture.

use nes::{Buttons, Frame};

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

/// Returns what to fill for one pad for each of `ports`, at the right edge of the picture, the last
/// at the bottom: left, top, width and height in pixels, and red, green, blue and opacity.
pub fn input_display(ports: &[Buttons]) -> Vec<([usize; 4], [u8; 4])> {
    let [width, height] = SIZE;
    let left = Frame::WIDTH - GAP - width;
    let pads = ports.iter().rev().enumerate();
    pads.flat_map(|(above, buttons)| {
        let top = Frame::HEIGHT - (GAP + height) * (above + 1);
        let places = PLACES.iter().map(move |(button, [x, y, width, height])| {
            let colour = if buttons.contains(*button) { DOWN } else { UP };
            ([left + x, top + y, *width, *height], colour)
        });
        [([left, top, width, height], PANEL)].into_iter().chain(places)
    })
    .collect()
}

/// Draws the same over a picture of 256 x 240 pixels of red, green, blue and opacity.
pub fn draw_input(ports: &[Buttons], rgba: &mut [u8]) {
    for ([left, top, width, height], colour) in input_display(ports) {
        let opacity = u32::from(colour[3]);
        for line in rgba.chunks_exact_mut(4 * Frame::WIDTH).skip(top).take(height) {
            for dot in line.chunks_exact_mut(4).skip(left).take(width) {
                for (old, new) in dot.iter_mut().zip(&colour[..3]) {
                    *old = ((u32::from(*new) * opacity + u32::from(*old) * (0xFF - opacity)) / 0xFF) as u8;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(ports: &[Buttons]) -> Vec<u8> {
        let mut rgba = vec![0; 4 * Frame::WIDTH * Frame::HEIGHT];
        draw_input(ports, &mut rgba);
        rgba
    }

    #[test]
    fn each_button_lights_its_own_place_and_nothing_else_changes() {
        let none = drawn(&[Buttons::empty()]);
        for (button, [.., width, height]) in PLACES {
            let pressed = drawn(&[button]);
            let pairs = none.chunks_exact(4).zip(pressed.chunks_exact(4));
            assert_eq!(pairs.filter(|(before, after)| before != after).count(), width * height, "{button:?}");
        }
        let both = drawn(&[Buttons::A, Buttons::empty()]);
        let count = |wanted: &dyn Fn(&[u8]) -> bool| both.chunks_exact(4).filter(|dot| wanted(dot)).count();
        assert_eq!(count(&|dot| dot[..3] == DOWN[..3]), 36);
        assert_eq!(count(&|dot| dot[..3] == [0; 3]), 256 * 240 - 2 * 48 * 18);
    }
}
