//! Where the picture lies in the window, and which part of it is shown.

use nes::Region;
use serde::{Deserialize, Serialize};

use crate::{PICTURE_HEIGHT, PICTURE_WIDTH};

/// The shape of a pixel on the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Aspect {
    /// A pixel is as wide as it is high: every pixel the same size, the picture narrower than on a
    /// television.
    #[default]
    Square,
    /// A pixel is 8:7 of its height wide, as an NTSC television shows it, or 18:13, as a PAL
    /// television does (NESdev: Overscan, pixel aspect ratio).
    Television,
}

impl Aspect {
    /// Width of a pixel over its height, on a console of this region.
    pub fn ratio(self, region: Region) -> f64 {
        match (self, region) {
            (Aspect::Square, _) => 1.0,
            (Aspect::Television, Region::Ntsc) => 8.0 / 7.0,
            (Aspect::Television, Region::Pal) => 18.0 / 13.0,
        }
    }

    /// Size of the whole picture of NTSC, in window pixels, at `scale` window pixels to a scanline.
    pub fn size(self, scale: u32) -> (u32, u32) {
        Framing { aspect: self, ..Framing::default() }.size(scale)
    }
}

/// How the picture grows with the window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scaling {
    /// Every scanline is a whole number of window pixels high; what is left over stays black.
    #[default]
    Whole,
    /// As large as the window allows.
    Fit,
}

/// Framebuffer cut off at each side of the picture, as a television's frame hides them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Crop {
    /// Framebuffer on the left, at most [`Crop::MOST`].
    pub left: u8,
    /// Framebuffer on the right, at most [`Crop::MOST`].
    pub right: u8,
    /// Scanlines at the top, at most [`Crop::MOST`].
    pub top: u8,
    /// Scanlines at the bottom, at most [`Crop::MOST`].
    pub bottom: u8,
}

impl Crop {
    /// The most that may be cut off at one side. More counts as this much.
    pub const MOST: u8 = 64;

    /// Width and height of what is left, in dots.
    pub fn size(self) -> (u32, u32) {
        let [left, right, top, bottom] = self.sides();
        (PICTURE_WIDTH - left - right, PICTURE_HEIGHT - top - bottom)
    }

    /// Left and top edge, width and height of what is left, as fractions of the picture.
    pub fn part(self) -> [f32; 4] {
        let [left, _, top, _] = self.sides();
        let (width, height) = self.size();
        let (full_width, full_height) = (PICTURE_WIDTH as f32, PICTURE_HEIGHT as f32);
        [
            left as f32 / full_width,
            top as f32 / full_height,
            width as f32 / full_width,
            height as f32 / full_height,
        ]
    }

    fn sides(self) -> [u32; 4] {
        [self.left, self.right, self.top, self.bottom].map(|side| u32::from(side.min(Self::MOST)))
    }
}

/// Everything that decides about the picture's place in a window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Framing {
    /// Shape of a pixel.
    pub aspect: Aspect,
    /// The console's region, which says how wide a television's pixels are.
    pub region: Region,
    /// How the picture grows with the window.
    pub scaling: Scaling,
    /// What is cut off.
    pub crop: Crop,
}

impl Framing {
    /// Size of what is shown, in window pixels, at `scale` window pixels to a scanline.
    pub fn size(self, scale: u32) -> (u32, u32) {
        let (width, height) = self.crop.size();
        let width = f64::from(width * scale) * self.aspect.ratio(self.region);
        (width.round() as u32, height * scale)
    }

    /// Returns the largest whole number of window pixels to a scanline at which a window of `width`
    /// by `height` pixels holds the picture, or none if it is too small.
    pub fn scale(self, width: u32, height: u32) -> Option<u32> {
        (1..=height / self.crop.size().1).rev().find(|&scale| self.size(scale).0 <= width)
    }

    /// Returns the dot of the picture that is shown at `(x, y)` of a window of that size, or as far
    /// beyond it as that is.
    pub fn dot(self, (x, y): (f64, f64), (width, height): (u32, u32)) -> (i32, i32) {
        let place = self.viewport(width, height);
        let (columns, lines) = self.crop.size();
        let along = |at: f64, start: u32, length: u32, dots: u32, cut: u32| {
            let dot = (at - f64::from(start)) * f64::from(dots) / f64::from(length.max(1));
            (dot.floor() + f64::from(cut)) as i32
        };
        let [left, _, top, _] = self.crop.sides();
        (along(x, place.x, place.width, columns, left), along(y, place.y, place.height, lines, top))
    }

    /// Returns the picture's place in the middle of a window of `width` by `height` pixels. A
    /// window too small for one pixel to a scanline gets the largest picture that keeps the shape,
    /// whatever the scaling.
    pub fn viewport(self, width: u32, height: u32) -> Viewport {
        let (width, height) = (width.max(1), height.max(1));
        let scale = match self.scaling {
            Scaling::Whole => self.scale(width, height),
            Scaling::Fit => None,
        };
        let (inner_width, inner_height) = match scale {
            Some(scale) => self.size(scale),
            None => self.stretched(width, height),
        };
        Viewport {
            x: (width - inner_width) / 2,
            y: (height - inner_height) / 2,
            width: inner_width,
            height: inner_height,
        }
    }

    /// Returns the picture's place in the middle of a part of the window.
    pub fn viewport_within(self, room: Viewport) -> Viewport {
        let inner = self.viewport(room.width, room.height);
        Viewport { x: room.x + inner.x, y: room.y + inner.y, ..inner }
    }

    /// Returns how the picture lies in the room that panels leave: where whole multiples would use
    /// but a quarter of it, it fills it.
    pub fn docked(self, room: Viewport) -> Self {
        let scaling = match self.scale(room.width, room.height) {
            Some(scale) if scale > 1 => self.scaling,
            _ => Scaling::Fit,
        };
        Self { scaling, ..self }
    }

    fn stretched(self, width: u32, height: u32) -> (u32, u32) {
        let (dots, lines) = self.crop.size();
        let (full_width, full_height) = (f64::from(dots) * self.aspect.ratio(self.region), f64::from(lines));
        let scale = (f64::from(width) / full_width).min(f64::from(height) / full_height);
        let side = |full: f64, limit: u32| ((full * scale).round() as u32).clamp(1, limit);
        (side(full_width, width), side(full_height, height))
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
    /// Returns a window of that size.
    pub fn whole(width: u32, height: u32) -> Self {
        Self { x: 0, y: 0, width: width.max(1), height: height.max(1) }
    }

    /// Returns the parts of it that are above, below, left and right of `inner`, which lies inside
    /// of it, without empty ones.
    pub fn around(self, inner: Self) -> impl Iterator<Item = Self> {
        let (right, bottom) = (inner.x + inner.width, inner.y + inner.height);
        let above = Self { height: inner.y - self.y, ..self };
        let below = Self { y: bottom, height: self.y + self.height - bottom, ..self };
        let left = Self { x: self.x, width: inner.x - self.x, ..inner };
        let right = Self { x: right, width: self.x + self.width - right, ..inner };
        [above, below, left, right].into_iter().filter(|part| part.width > 0 && part.height > 0)
    }

    /// Returns the place of the second picture, `width` to the right of the first and within a
    /// surface of that size, which may be a single pixel wide.
    pub fn beside(self, width: u32, (surface_width, surface_height): (u32, u32)) -> Self {
        Self { x: self.x + width, ..self }.clipped(surface_width, surface_height)
    }

    /// Returns what of it is inside a window of that size, a pixel at least.
    pub fn clipped(self, width: u32, height: u32) -> Self {
        let side = |start: u32, length: u32, limit: u32| {
            let start = start.min(limit.saturating_sub(1));
            (start, length.min(limit.max(1) - start).max(1))
        };
        let ((x, width), (y, height)) = (side(self.x, self.width, width), side(self.y, self.height, height));
        Self { x, y, width, height }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SQUARE: Framing = Framing {
        aspect: Aspect::Square,
        region: Region::Ntsc,
        scaling: Scaling::Whole,
        crop: Crop { left: 0, right: 0, top: 0, bottom: 0 },
    };
    const TELEVISION: Framing = Framing { aspect: Aspect::Television, ..SQUARE };

    #[test]
    fn a_window_of_whole_multiples_is_filled() {
        for scaling in [Scaling::Whole, Scaling::Fit] {
            let framing = Framing { scaling, ..SQUARE };
            assert_eq!(framing.viewport(768, 720), Viewport { x: 0, y: 0, width: 768, height: 720 });
        }
    }

    #[test]
    fn between_multiples_the_picture_keeps_whole_pixels_and_gets_borders() {
        assert_eq!(SQUARE.viewport(1000, 600), Viewport { x: 244, y: 60, width: 512, height: 480 });
    }

    #[test]
    fn the_pointer_is_over_the_dot_that_is_drawn_there() {
        let size = (1000, 600);
        assert_eq!(SQUARE.dot((244.0, 60.0), size), (0, 0));
        assert_eq!(SQUARE.dot((244.0 + 511.9, 60.0 + 479.9), size), (255, 239));
        assert_eq!(SQUARE.dot((243.0, 541.0), size), (-1, 240));
        let framing = Framing { crop: Crop { left: 8, top: 16, ..Crop::default() }, ..SQUARE };
        let Viewport { x, y, .. } = framing.viewport(1000, 600);
        assert_eq!(framing.dot((f64::from(x), f64::from(y)), size), (8, 16));
    }

    #[test]
    fn a_picture_that_fits_touches_two_sides_of_the_window() {
        let framing = Framing { scaling: Scaling::Fit, ..SQUARE };
        assert_eq!(framing.viewport(1000, 600), Viewport { x: 180, y: 0, width: 640, height: 600 });
        assert_eq!(framing.viewport(300, 600), Viewport { x: 0, y: 159, width: 300, height: 281 });
    }

    #[test]
    fn television_pixels_are_wider_and_scanlines_stay_whole() {
        assert_eq!(Aspect::Television.size(3), (878, 720));
        assert_eq!(TELEVISION.viewport(1920, 1080), Viewport { x: 375, y: 60, width: 1170, height: 960 });
        // Those of PAL are wider still; square ones are square everywhere.
        let pal = Framing { region: Region::Pal, ..TELEVISION };
        assert_eq!((pal.size(3), pal.size(1)), ((1063, 720), (354, 240)));
        assert_eq!(pal.viewport(1920, 1080), Viewport { x: 251, y: 60, width: 1418, height: 960 });
        assert_eq!(Framing { region: Region::Pal, ..SQUARE }.size(2), (512, 480));
    }

    #[test]
    fn what_is_cut_off_leaves_room_for_a_larger_picture() {
        let crop = Crop { top: 8, bottom: 8, ..Crop::default() };
        let framing = Framing { crop, ..SQUARE };
        assert_eq!(crop.size(), (256, 224));
        assert_eq!(crop.part().map(|part| (240.0 * part) as u32), [0, 8, 240, 224]);
        assert_eq!(framing.scale(1280, 672), Some(3));
        assert_eq!(SQUARE.scale(1280, 672), Some(2));
        assert_eq!(framing.viewport(1280, 672), Viewport { x: 256, y: 0, width: 768, height: 672 });
    }

    #[test]
    fn no_crop_leaves_less_than_half_the_picture() {
        let crop = Crop { left: 255, right: 255, top: 255, bottom: 255 };
        assert_eq!(crop.size(), (128, 112));
    }

    #[test]
    fn in_a_part_of_the_window_the_picture_stays_inside_of_it() {
        let room = Viewport { x: 100, y: 50, width: 600, height: 500 };
        let place = SQUARE.docked(room).viewport_within(room);
        assert_eq!(place, Viewport { x: 144, y: 60, width: 512, height: 480 });
        let small = Viewport { width: 340, ..room };
        let place = SQUARE.docked(small).viewport_within(small);
        assert_eq!(place, Viewport { x: 100, y: 140, width: 340, height: 319 }, "not 256 x 240");
        for (width, height) in [(0, 0), (1, 1), (400, 100), (100, 400), (650, 520), (2000, 2000)] {
            let Viewport { x, y, width: wide, height: high } = room.clipped(width, height);
            assert!(wide >= 1 && x + wide <= width.max(1) && high >= 1 && y + high <= height.max(1));
        }
        assert_eq!(room.clipped(2000, 2000), room);
    }

    #[test]
    fn a_room_is_its_picture_and_what_is_around_it() {
        let room = Viewport { x: 100, y: 50, width: 600, height: 500 };
        for scaling in [Scaling::Whole, Scaling::Fit] {
            let picture = Framing { scaling, ..SQUARE }.viewport_within(room);
            let area = |part: Viewport| part.width * part.height;
            let around: u32 = room.around(picture).map(area).sum();
            assert_eq!(around + area(picture), area(room));
        }
        assert_eq!(room.around(room).count(), 0);
    }

    #[test]
    fn two_pictures_are_within_a_window_of_any_size() {
        for (width, height) in [(1, 40), (1, 1), (2, 40), (3, 240), (40, 1), (255, 7), (1024, 480)] {
            let first = Viewport { x: 0, y: 0, width: (width / 2).max(1), height };
            let second = SQUARE.viewport_within(first).beside(first.width, (width, height));
            assert!(second.x + second.width <= width && second.y + second.height <= height, "{second:?}");
            assert!(second.width >= 1 && second.height >= 1, "{width} x {height}");
        }
    }

    #[test]
    fn a_narrow_window_limits_the_scale() {
        assert_eq!(SQUARE.viewport(300, 2000).width, 256);
        // 293 window pixels are what a television picture needs at scale 1.
        assert_eq!(TELEVISION.viewport(293, 2000).height, 240);
    }

    #[test]
    fn a_window_smaller_than_the_picture_shows_all_of_it() {
        assert_eq!(SQUARE.viewport(128, 200), Viewport { x: 0, y: 40, width: 128, height: 120 });
        assert_eq!(SQUARE.scale(128, 200), None);
    }

    #[test]
    fn it_lies_inside_any_window() {
        let crop = Crop { left: 8, right: 3, top: 200, bottom: 1 };
        for framing in [SQUARE, TELEVISION, Framing { scaling: Scaling::Fit, crop, ..TELEVISION }] {
            for width in (0..2000).step_by(7) {
                for height in (0..1500).step_by(11) {
                    let inner = framing.viewport(width, height);
                    assert!(inner.width >= 1 && inner.height >= 1);
                    assert!(inner.x + inner.width <= width.max(1), "{width} x {height}: {inner:?}");
                    assert!(inner.y + inner.height <= height.max(1), "{width} x {height}: {inner:?}");
                }
            }
        }
    }
}
