//! What points of a speed, and of those after it, count for in decisions and in a net's outputs.

use crate::format::Speed;

/// Points that an output of 1 stands for, at a speed with so many lines to its end: somewhat more
/// than any player has been seen to make of them, and of what counts of what comes after.
#[inline]
pub fn scale(speed: Speed, lines_to_go: u32) -> f32 {
    let (each, after) = match speed {
        Speed::L39 => (8_500.0, 80_000.0),
        Speed::L29 => (9_000.0, 700_000.0),
        Speed::L19 => (7_500.0, 365_000.0),
        Speed::L18 => (6_500.0, 153_000.0),
    };
    each * lines_to_go as f32 + after
}

/// How much of the points after a speed counts while it is played: all of them at levels 29 and 39.
///
/// At the two slow speeds a million points come later, a tetris is 24,000, and hardly a game ends:
/// what is unsure about the million would hide what the tetris is worth. So a tenth or a quarter of
/// the million counts.
pub(crate) const fn share_of_later(speed: Speed) -> f32 {
    match speed {
        Speed::L18 => 0.1,
        Speed::L19 => 0.25,
        Speed::L29 | Speed::L39 => 1.0,
    }
}

/// The caution with which the nets of the repository play best ([`crate::NetJudge::with_caution`]).
/// They were trained with 0.5.
pub const CAUTION: f32 = 0.3;

/// Mean points of a game after a speed, rounded: those that the reports of `docs/points.md` came to
/// when the nets were trained.
pub(crate) const fn worth_of_later(speed: Speed) -> f32 {
    match speed {
        Speed::L18 => 1_850_000.0,
        Speed::L19 => 1_250_000.0,
        Speed::L29 => 520_000.0,
        Speed::L39 => 0.0,
    }
}

/// How much of what is worth something at one speed counts in a decision at another.
pub(crate) fn counted(deciding: Speed, speed: Speed) -> f32 {
    if deciding == speed { 1.0 } else { share_of_later(deciding) }
}
