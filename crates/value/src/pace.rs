//! How fast pieces fall, and when they will fall faster, as the player for points knows it: a game
//! from level 18.

use tetris::rules::lines_to_level;

use crate::format::{Speed, level as level_from_18};

/// Levels with a drop speed of their own.
pub const LEVELS: u8 = 30;
/// The level to which the fastest speed of a cartridge is played.
const LAST_LEVEL: u8 = 39;
/// Stands for the lines of a game beyond that level, which no net knows: 30 lines before the end of
/// the speed, for ever.
const NO_END: u32 = 300;

/// Speed of a piece, and how far the next speed is, in the terms of a game from level 18.
///
/// ```
/// use tetris::rules::frames_per_row;
/// use value::{Pace, Speed};
///
/// // A game from level 0 reaches level 19 at 190 lines, one from level 18 at 130.
/// let pace = Pace::of(12, 125, frames_per_row);
/// assert_eq!((pace.speed, pace.lines, pace.is_level), (Speed::L18, 65, false));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    /// Frames for a row.
    pub frames_per_row: u8,
    /// The same as a speed of formats; slower ones count as that of level 18.
    pub speed: Speed,
    /// Lines with which a game from level 18 is as far from the next speed.
    pub lines: u32,
    /// Whether such a game has this level at those lines, so that its points are the same.
    pub is_level: bool,
}

impl Pace {
    /// Returns the pace at a level and a number of lines. `frames` returns the frames that a row
    /// takes at a level.
    pub fn of(level: u8, lines: u32, frames: impl Fn(u8) -> u8) -> Self {
        let frames_per_row = frames(level);
        let speed = speed(frames_per_row);
        let faster = (level..LEVELS).find(|&level| self::speed(frames(level)) != speed);
        let (first, end) = (speed.first_line(), speed.end(Speed::LINES[3]));
        let lines = match faster {
            None if level >= LAST_LEVEL => NO_END,
            faster => {
                let to_go = lines_to_level(faster.unwrap_or(LAST_LEVEL), level, lines);
                end.saturating_sub(to_go).clamp(first, end - 1)
            }
        };
        Self { frames_per_row, speed, lines, is_level: level_from_18(lines) == u32::from(level) }
    }
}

fn speed(frames_per_row: u8) -> Speed {
    match frames_per_row {
        3.. => Speed::L18,
        2 => Speed::L19,
        _ => Speed::L29,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Frames for a row of the NTSC game.
    fn ntsc(level: u8) -> u8 {
        match level {
            0 => 48,
            1..=18 => 3,
            19..=28 => 2,
            _ => 1,
        }
    }

    #[test]
    fn a_game_from_level_18_has_its_own_lines() {
        let mut level = 18;
        for lines in 0..330 {
            if lines >= 130 {
                level = lines / 10 + 6;
            }
            let pace = Pace::of(level as u8, lines, ntsc);
            assert_eq!((pace.lines, pace.is_level), (lines, true), "{lines} lines");
        }
        let after = Pace::of(39, 330, ntsc);
        assert_eq!((after.speed, after.lines, after.is_level), (Speed::L29, NO_END, false));
    }

    #[test]
    fn other_games_are_as_far_from_the_next_speed_as_they_are() {
        for (level, lines, expected, is_level) in [
            // From level 0 it is level 19 at 190 lines.
            (0, 0, Speed::LINES[0], false),
            (12, 125, 65, false),
            (18, 189, 129, true),
            // From level 15, level 16 comes at 100 lines and level 19 at 130.
            (15, 99, 99, false),
            (16, 104, 104, false),
            // From level 19 it is level 20 at 140 and level 29 at 230.
            (19, 0, 130, true),
            (19, 139, 139, true),
            (20, 140, 140, true),
            // From level 29 it is level 30 at 240 and level 39 at 330.
            (29, 0, 230, true),
            (30, 245, 245, true),
        ] {
            let pace = Pace::of(level, lines, ntsc);
            assert_eq!((pace.lines, pace.is_level), (expected, is_level), "level {level}, {lines} lines");
        }
        // A cartridge whose pieces fall a row a frame from level 19 on.
        let pal = |level: u8| {
            if level < 16 {
                3
            } else if level < 19 {
                2
            } else {
                1
            }
        };
        assert_eq!(Pace::of(18, 125, pal).speed, Speed::L19);
        assert_eq!(Pace::of(18, 125, pal).lines, 225);
        assert_eq!(Pace::of(19, 130, pal).lines, 230);
        assert!(!Pace::of(19, 130, pal).is_level);
    }
}
