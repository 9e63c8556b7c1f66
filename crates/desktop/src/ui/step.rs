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
    /// To the first row, and to the last.
    First,
    Last,
    /// A page of rows up or down.
    PageUp,
    PageDown,
    /// To the section before, and to the one after.
    SectionBefore,
    SectionAfter,
    /// Draws a seed.
    Draw,
    /// Types into the line, on the keyboard on the screen.
    Type,
}
