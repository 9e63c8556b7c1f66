//! Where the picture lies in the window.

use crate::{PICTURE_HEIGHT, PICTURE_WIDTH};

/// The shape of a pixel on the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Aspect {
    /// A pixel is as wide as it is high: every pixel the same size, the picture narrower than on a television.
    #[default]
    Square,
    /// A pixel is 8:7 of its height wide, as an NTSC television shows it (NESdev: Overscan, pixel aspect ratio).
    Television,
}

impl Aspect {
    /// Width of a pixel over its height.
    pub fn ratio(self) -> f64 {
        match self {
            Aspect::Square => 1.0,
            Aspect::Television => 8.0 / 7.0,
        }
    }

    /// The other one.
    #[must_use]
    pub fn toggled(self) -> Self {
        match self {
            Aspect::Square => Aspect::Television,
            Aspect::Television => Aspect::Square,
        }
    }

    /// Size of the whole picture, in window pixels, at `scale` window pixels to a scanline.
    pub fn size(self, scale: u32) -> (u32, u32) {
        let width = f64::from(PICTURE_WIDTH * scale) * self.ratio();
        (width.round() as u32, PICTURE_HEIGHT * scale)
    }
}

/// A rectangle inside the window, in its pixels, from the top left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Viewport {
    /// Left edge.
    pub x: u32,
    /// Top edge.
    pub y: u32,
    /// Width, at least 1.
    pub width: u32,
    /// Height, at least 1.
    pub height: u32,
}

impl Viewport {
    /// The largest place in the middle of a window of `width` by `height` pixels at which every scanline is a
    /// whole number of window pixels high; in a window too small for that, the largest that keeps the shape.
    pub fn fit(width: u32, height: u32, aspect: Aspect) -> Self {
        let (width, height) = (width.max(1), height.max(1));
        let scale = (1..=height / PICTURE_HEIGHT).rev().find(|&scale| aspect.size(scale).0 <= width);
        let (inner_width, inner_height) = match scale {
            Some(scale) => aspect.size(scale),
            None => shrunk(width, height, aspect),
        };
        Self {
            x: (width - inner_width) / 2,
            y: (height - inner_height) / 2,
            width: inner_width,
            height: inner_height,
        }
    }
}

fn shrunk(width: u32, height: u32, aspect: Aspect) -> (u32, u32) {
    let (full_width, full_height) = (f64::from(PICTURE_WIDTH) * aspect.ratio(), f64::from(PICTURE_HEIGHT));
    let scale = (f64::from(width) / full_width).min(f64::from(height) / full_height);
    let side = |full: f64, limit: u32| ((full * scale).round() as u32).clamp(1, limit);
    (side(full_width, width), side(full_height, height))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_of_whole_multiples_is_filled() {
        assert_eq!(Viewport::fit(768, 720, Aspect::Square), Viewport { x: 0, y: 0, width: 768, height: 720 });
    }

    #[test]
    fn between_multiples_the_picture_keeps_whole_pixels_and_gets_borders() {
        assert_eq!(
            Viewport::fit(1000, 600, Aspect::Square),
            Viewport { x: 244, y: 60, width: 512, height: 480 }
        );
    }

    #[test]
    fn television_pixels_are_wider_and_scanlines_stay_whole() {
        assert_eq!(Aspect::Television.size(3), (878, 720));
        assert_eq!(
            Viewport::fit(1920, 1080, Aspect::Television),
            Viewport { x: 375, y: 60, width: 1170, height: 960 }
        );
    }

    #[test]
    fn a_narrow_window_limits_the_scale() {
        assert_eq!(Viewport::fit(300, 2000, Aspect::Square).width, 256);
        // 293 window pixels are what a television picture needs at scale 1.
        assert_eq!(Viewport::fit(293, 2000, Aspect::Television).height, 240);
    }

    #[test]
    fn a_window_smaller_than_the_picture_shows_all_of_it() {
        assert_eq!(
            Viewport::fit(128, 200, Aspect::Square),
            Viewport { x: 0, y: 40, width: 128, height: 120 }
        );
    }

    #[test]
    fn it_lies_inside_any_window() {
        for aspect in [Aspect::Square, Aspect::Television] {
            for width in (0..2000).step_by(7) {
                for height in (0..1500).step_by(11) {
                    let inner = Viewport::fit(width, height, aspect);
                    assert!(inner.width >= 1 && inner.height >= 1);
                    assert!(inner.x + inner.width <= width.max(1), "{width} x {height}: {inner:?}");
                    assert!(inner.y + inner.height <= height.max(1), "{width} x {height}: {inner:?}");
                }
            }
        }
    }
}
