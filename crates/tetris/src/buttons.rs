//! Buttons as the game keeps them: the pad's own order of bits.

/// A, bit 7.
pub const A: u8 = 0x80;
/// B.
pub const B: u8 = 0x40;
/// Select.
pub const SELECT: u8 = 0x20;
/// Start.
pub const START: u8 = 0x10;
/// Up.
pub const UP: u8 = 0x08;
/// Down.
pub const DOWN: u8 = 0x04;
/// Left.
pub const LEFT: u8 = 0x02;
/// Right, bit 0.
pub const RIGHT: u8 = 0x01;
/// The four directions.
pub const DIRECTIONS: u8 = 0x0F;
/// A, B, Select and Start: held alone in a game they lead back to the first screen.
pub const RESET: u8 = 0xF0;
