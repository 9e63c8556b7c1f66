//! Where the picture, the rails and the bars are in a window of any size.
//!
//! The picture comes first: it has the largest whole multiple that leaves room for rails of a
//! readable width. Type then grows as far as rails and bars still fit. A larger window never has a
//! smaller picture.

use crate::video::viewport::{Framing, Viewport};

/// The least width of two rails, of one, and the most of any, in points.
const TWO: f64 = 200.0;
const ONE: f64 = 240.0;
const MOST: f64 = 420.0;

/// Heights of the bar above the picture, of the bar below it, and the least of a strip, in points.
const TOP: f64 = 40.0;
const FOOT: f64 = 36.0;
const STRIP: f64 = 150.0;

/// A window smaller than this, in points, has the picture alone.
pub(crate) const LEAST: (f64, f64) = (760.0, 600.0);

/// The window that type is as large as usual in, in points.
const USUAL: (f64, f64) = (1280.0, 800.0);

/// From this multiple on there is room kept for the bars, in points.
const LARGE: u32 = 7;
const BARS: f64 = 80.0;

/// The input of a layout.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wanted {
    /// The window, in pixels.
    pub(crate) window: (u32, u32),
    /// Pixels of a point on this desktop.
    pub(crate) desktop: f64,
    pub(crate) framing: Framing,
    /// Pictures side by side, 1 or 2.
    pub(crate) pictures: u32,
    /// Whether the rail at the left or the strip, and the rail at the right, are wanted.
    pub(crate) rails: [bool; 2],
}

/// Where everything is, in pixels of the window; none for what has no room.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Layout {
    /// Window pixels to a scanline; 0 where no whole multiple fits.
    pub(crate) scale: u32,
    /// Pixels of a point.
    pub(crate) zoom: f64,
    /// What the picture, or both, may fill.
    pub(crate) stage: Viewport,
    pub(crate) left: Option<Viewport>,
    pub(crate) right: Option<Viewport>,
    /// Below the picture, beside one rail.
    pub(crate) strip: Option<Viewport>,
    pub(crate) top: Option<Viewport>,
    pub(crate) foot: Option<Viewport>,
}

impl Layout {
    /// Returns the layout for what is wanted.
    pub(crate) fn of(wanted: &Wanted) -> Self {
        let Wanted { window: (width, height), desktop, framing, pictures, rails } = *wanted;
        let (width, height) = (width.max(1), height.max(1));
        let desktop = desktop.max(0.1);
        let alone = || Self {
            scale: framing.scale(width / pictures, height).unwrap_or(0),
            zoom: desktop,
            stage: Viewport::whole(width, height),
            left: None,
            right: None,
            strip: None,
            top: None,
            foot: None,
        };
        let (wide, high) = (f64::from(width), f64::from(height));
        if wide < LEAST.0 * desktop || high < LEAST.1 * desktop || rails == [false; 2] {
            return alone();
        }
        let share = (wide / USUAL.0).min(high / USUAL.1);
        let Some((scale, two)) = largest(wanted, desktop) else { return alone() };
        let (one_width, picture_height) = framing.size(scale);
        let picture_width = one_width * pictures;
        let beside =
            if two { (wide - f64::from(picture_width)) / 2.0 } else { wide - f64::from(picture_width) };
        let below = high - f64::from(picture_height);
        let need = if two { TWO } else { ONE };
        let has_bar = below >= TOP * desktop;
        let fits = |zoom: f64| {
            zoom <= desktop.max(share) && beside >= need * zoom && (below >= TOP * zoom || !has_bar)
        };
        let zoom = (4..=32)
            .map(|quarters| f64::from(quarters) / 4.0)
            .filter(|&zoom| zoom >= desktop && fits(zoom))
            .fold(desktop, f64::max);
        place(wanted, scale, two, zoom)
    }
}

/// Returns the largest whole multiple at which rails fit beside the picture, and whether two do.
///
/// Rails are to be readable: in a wide window their least width grows with it, in a high one that
/// of the bars. Both grow more slowly than the window, so that the picture never shrinks.
fn largest(wanted: &Wanted, desktop: f64) -> Option<(u32, bool)> {
    const READABLE: f64 = 0.7;
    let Wanted { window: (width, height), framing, pictures, rails, .. } = *wanted;
    let wide = desktop.max(READABLE * f64::from(width) / USUAL.0);
    let high = desktop.max(READABLE * f64::from(height) / USUAL.1);
    let most = framing.scale(width / pictures, height)?;
    (1..=most).rev().find_map(|scale| {
        let (one_width, picture_height) = framing.size(scale);
        let free = f64::from(width) - f64::from(one_width * pictures);
        let two = pictures == 1 && rails == [true; 2] && free / 2.0 >= TWO * wide;
        let has_bars = scale < LARGE || f64::from(height - picture_height) >= BARS * high;
        ((two || free >= ONE * wide) && has_bars).then_some((scale, two))
    })
}

/// Returns the layout for a picture of that multiple with one rail or two.
fn place(wanted: &Wanted, scale: u32, two: bool, zoom: f64) -> Layout {
    let Wanted { window: (width, height), framing, pictures, rails, .. } = *wanted;
    let (one_width, picture_height) = framing.size(scale);
    let picture_width = one_width * pictures;
    let pixels = |points: f64| (points * zoom).round() as u32;
    let below = height - picture_height;
    let top = if below >= pixels(TOP) { pixels(TOP) } else { 0 };
    let foot = if below >= pixels(TOP) + pixels(FOOT) { pixels(FOOT) } else { 0 };
    let free = width - picture_width;
    let rail = (if two { free / 2 } else { free }).min(pixels(MOST));
    let middle = height - top - foot;
    let room = |x: u32, wide: u32| Viewport { x, y: top, width: wide.max(1), height: middle.max(1) };
    let (left, right, stage) = if two {
        let stage = room(rail, width - 2 * rail);
        (Some(room(0, rail)), Some(room(width - rail, rail)), stage)
    } else if rails[1] {
        (None, Some(room(width - rail, rail)), room(0, width - rail))
    } else {
        (Some(room(0, rail)), None, room(rail, width - rail))
    };
    let spare = middle - picture_height;
    let has_strip = !two && rails == [true; 2] && spare >= pixels(STRIP);
    let strip = has_strip.then(|| Viewport { y: top + picture_height, height: spare, ..stage });
    let stage = if has_strip { Viewport { height: picture_height, ..stage } } else { stage };
    let bar = |y: u32, high: u32| (high > 0).then_some(Viewport { x: 0, y, width, height: high });
    Layout { scale, zoom, stage, left, right, strip, top: bar(0, top), foot: bar(height - foot, foot) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::video::viewport::{Aspect, Scaling};

    fn wanted(window: (u32, u32), pictures: u32) -> Wanted {
        Wanted { window, desktop: 1.0, framing: Framing::default(), pictures, rails: [true; 2] }
    }

    /// Returns the multiple, the width of a rail and the height of the strip in points.
    fn seen(window: (u32, u32), pictures: u32) -> (u32, u32, Option<u32>) {
        let layout = Layout::of(&wanted(window, pictures));
        let points = |pixels: u32| (f64::from(pixels) / layout.zoom).round() as u32;
        let rail = layout.right.map_or(0, |rail| points(rail.width));
        let strip = layout.strip.map(|strip| points(strip.height));
        (layout.scale, rail, strip)
    }

    #[test]
    fn windows_of_usual_sizes_are_laid_out_as_designed() {
        for (window, one, two) in [
            ((768, 720), (2, 256, Some(164)), (1, 256, Some(404))),
            ((1280, 720), (3, 256, None), (2, 256, Some(164))),
            ((1280, 800), (3, 256, None), (2, 256, Some(244))),
            ((1366, 768), (3, 299, None), (2, 342, Some(212))),
            ((1920, 1080), (4, 358, None), (3, 307, Some(212))),
            ((3840, 2160), (8, 358, None), (6, 307, Some(212))),
        ] {
            assert_eq!((seen(window, 1), seen(window, 2)), (one, two), "{window:?}");
        }
        let quarters = |window| (4.0 * Layout::of(&wanted(window, 1)).zoom) as u32;
        assert_eq!([(1280, 800), (1920, 1080), (3840, 2160)].map(quarters), [4, 5, 10]);
        let bars = |window| {
            let layout = Layout::of(&wanted(window, 1));
            (layout.top.is_some(), layout.foot.is_some())
        };
        assert_eq!(
            [(1280, 720), (1280, 800), (1366, 768)].map(bars),
            [(false, false), (true, true), (true, false)]
        );
    }

    #[test]
    fn hidden_rails_leave_the_picture_as_large_as_the_window_allows() {
        let layout = |rails| Layout::of(&Wanted { rails, ..wanted((1280, 800), 1) });
        let none = layout([false; 2]);
        assert_eq!((none.stage, none.scale), (Viewport::whole(1280, 800), 3));
        let right = layout([false, true]);
        assert!(right.left.is_none() && right.strip.is_none() && right.right.is_some());
        let left = layout([true, false]);
        assert!(left.left.is_some() && left.strip.is_none() && left.right.is_none());
        assert_eq!(
            Layout::of(&wanted((700, 590), 1)).stage,
            Viewport::whole(700, 590),
            "too small for rails"
        );
    }

    fn parts(layout: &Layout) -> Vec<Viewport> {
        [layout.left, layout.right, layout.strip, layout.top, layout.foot].into_iter().flatten().collect()
    }

    proptest! {
        #[test]
        fn a_larger_window_never_has_a_smaller_picture(
            width in 760_u32..7680, height in 600_u32..4320, more in (0_u32..400, 0_u32..400),
            desktop in 1.0_f64..3.0, pictures in 1_u32..=2, television: bool,
        ) {
            let aspect = if television { Aspect::Television } else { Aspect::Square };
            let framing = Framing { aspect, scaling: Scaling::Whole, ..Framing::default() };
            let wanted = |window| Wanted { window, desktop, framing, pictures, rails: [true; 2] };
            let small = Layout::of(&wanted((width, height)));
            let large = Layout::of(&wanted((width + more.0, height + more.1)));
            // Rails that come with the window's growth take what they need from a picture without
            // any.
            if small.right.is_some() {
                prop_assert!(large.scale >= small.scale, "{small:?} {large:?}");
            }
            for layout in [small, large] {
                let (picture_width, picture_height) = framing.size(layout.scale);
                if !parts(&layout).is_empty() {
                    prop_assert!(picture_width * pictures <= layout.stage.width);
                    prop_assert!(picture_height <= layout.stage.height);
                }
            }
        }

        #[test]
        fn nothing_lies_over_the_picture(
            width in 1_u32..7680, height in 1_u32..4320, desktop in 1.0_f64..3.0, pictures in 1_u32..=2,
            rails: [bool; 2],
        ) {
            let layout = Layout::of(&Wanted {
                window: (width, height), desktop, framing: Framing::default(), pictures, rails,
            });
            let mut all = parts(&layout);
            all.push(layout.stage);
            for (at, one) in all.iter().enumerate() {
                prop_assert!(one.x + one.width <= width && one.y + one.height <= height, "{one:?}");
                for other in &all[..at] {
                    let apart = one.x + one.width <= other.x
                        || other.x + other.width <= one.x
                        || one.y + one.height <= other.y
                        || other.y + other.height <= one.y;
                    prop_assert!(apart, "{one:?} meets {other:?}");
                }
            }
        }
    }
}
