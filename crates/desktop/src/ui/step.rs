//! A step in a menu, from whatever device.

/// What keys, pads and mouse can do in a menu.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    Up,
    Down,
    Left,
    Right,
    Enter,
    Back,
}
