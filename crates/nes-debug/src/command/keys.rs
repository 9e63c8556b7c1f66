//! The function keys that stand for commands, the same in a terminal and in a window.

/// A function key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key {
    /// F5 is 5.
    pub number: u8,
    /// With Shift or without.
    pub shift: bool,
    /// What it does, in a line.
    pub about: &'static str,
    /// The command that it stands for.
    pub command: &'static str,
}

const fn key(number: u8, shift: bool, about: &'static str, command: &'static str) -> Key {
    Key { number, shift, about, command }
}

/// All of them.
pub const KEYS: &[Key] = &[
    key(5, false, "run until a breakpoint stops it; any key stops it", "run"),
    key(5, true, "ten frames back", "back 10 frames"),
    key(6, false, "a frame", "step frame"),
    key(6, true, "a frame back, to where the last one ended", "back frame"),
    key(7, false, "to the next spawn", "step spawn"),
    key(7, true, "to the last spawn", "back spawn"),
    key(8, false, "to the next lock", "step lock"),
    key(8, true, "to the last lock", "back lock"),
    key(9, false, "a line of the PPU", "step line"),
    key(9, true, "a line back", "back line"),
    key(10, false, "over the subroutine", "over"),
    key(10, true, "back over the subroutine", "back over"),
    key(11, false, "an instruction", "step"),
    key(11, true, "an instruction back", "back"),
    key(12, false, "out of the subroutine", "out"),
    key(12, true, "back to where it was called", "back out"),
];

/// The command that a function key stands for.
pub fn of_key(number: u8, shift: bool) -> Option<&'static str> {
    KEYS.iter().find(|key| (key.number, key.shift) == (number, shift)).map(|key| key.command)
}
