//! What a player may press and know, and when the game ends: the terms that two results have to
//! share.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use tetris::scoring;

/// How fast a piece falls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Speed {
    /// Three frames a row: level 18.
    L18,
    /// Two frames a row: levels 19 to 28.
    L19,
    /// A row a frame: level 29 and up.
    L29,
    /// Two rows a frame: level 39 and up where the format has it so.
    L39,
}

impl Speed {
    /// All of them, the slowest first.
    pub const ALL: [Self; 4] = [Self::L18, Self::L19, Self::L29, Self::L39];

    /// Lines at which each begins, by number.
    pub const LINES: [u32; 4] = [0, 130, 230, 330];

    /// The speed of a game from level 18 with so many lines, level 39 at double speed.
    #[inline]
    pub const fn of_lines(lines: u32) -> Self {
        match lines {
            0..130 => Self::L18,
            130..230 => Self::L19,
            230..330 => Self::L29,
            _ => Self::L39,
        }
    }

    /// Returns the speed that begins with a level: 18, 19, 29 or 39.
    pub fn of_first_level(number: u32) -> Option<Self> {
        Self::ALL.into_iter().find(|speed| level(speed.first_line()) == number)
    }

    /// Lines at which it begins.
    pub const fn first_line(self) -> u32 {
        Self::LINES[self as usize]
    }

    /// Lines at which it ends, in a game of so many.
    pub const fn end(self, last: u32) -> u32 {
        let end = match self {
            Self::L39 => last,
            _ => Self::LINES[self as usize + 1],
        };
        if end < last { end } else { last }
    }

    /// The speed with so many lines, and the lines to its end, in a game of `last`.
    #[inline]
    pub const fn with_lines_to_go(lines: u32, last: u32) -> (Self, u32) {
        let speed = Self::of_lines(lines);
        (speed, speed.end(last).saturating_sub(lines))
    }

    /// Row in which a piece is shifted and turned in a frame, counted from its first, where nothing
    /// stops it.
    #[inline]
    pub const fn row(self, frame: u32) -> u32 {
        match self {
            Self::L18 => frame / 3,
            Self::L19 => frame / 2,
            Self::L29 => frame,
            Self::L39 => 2 * frame,
        }
    }

    /// Rows that a piece falls when it falls.
    pub const fn rows_at_once(self) -> u32 {
        match self {
            Self::L39 => 2,
            _ => 1,
        }
    }
}

/// The level of a game from level 18 after so many lines.
#[inline]
pub const fn level(lines: u32) -> u32 {
    if lines < 130 { 18 } else { lines / 10 + 6 }
}

/// Points of a lock that cleared so many rows, with the lines after it.
#[inline]
pub const fn points(cleared: u32, lines_after: u32) -> u32 {
    scoring::points(cleared, level(lines_after))
}

/// Frames of the taps of a phase, from its first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Taps {
    /// So many a second, one of [`Self::HERTZ`], at even distances rounded up to frames.
    Hertz(u8),
    /// Four fast ones and a pause, again and again: frames 0, 2, 4, 6, 18, 20, 22, 24, 36, 38.
    Slow5,
    /// In these frames, in their order.
    Frames([u8; TAPS]),
}

/// Taps that a phase may have.
pub const TAPS: usize = 10;

/// A frame in which every piece has locked, at any speed.
pub(crate) const LAST_FRAME: u32 = 63;

impl Taps {
    /// Taps a second that formats have.
    pub const HERTZ: [u8; 6] = [10, 12, 15, 20, 24, 30];

    /// The greatest of [`Self::HERTZ`] that is not above `hertz`, or the least of them.
    pub fn at_most(hertz: u8) -> Self {
        Self::Hertz(Self::HERTZ.into_iter().rfind(|&other| other <= hertz).unwrap_or(Self::HERTZ[0]))
    }

    /// The taps of a person's hands: the fastest of [`Self::HERTZ`] that is not above `hertz`.
    /// Slower hands tap at even distances, rounded up to frames.
    pub fn of_hands(hertz: f64) -> Self {
        if let Some(known) = Self::HERTZ.into_iter().rfind(|&known| f64::from(known) <= hertz) {
            return Self::Hertz(known);
        }
        let last = f64::from(LAST_FRAME);
        let frame = |number: usize| (60.0 * number as f64 / hertz.max(1.0)).ceil().min(last) as u8;
        Self::Frames(std::array::from_fn(frame))
    }

    /// Frame of the tap of this number; the last of them is only where a tuck may begin.
    pub const fn frame(self, number: usize) -> u32 {
        let number = number as u32;
        match self {
            // 2.5 frames apart: 0, 3, 5, 8, 10.
            Self::Hertz(hertz) => (number * 60).div_ceil(hertz as u32),
            Self::Slow5 => 18 * (number / 4) + 2 * (number % 4),
            Self::Frames(frames) => {
                frames[if number < TAPS as u32 { number as usize } else { TAPS - 1 }] as u32
            }
        }
    }

    /// The taps of a timeline, `X` for a frame with one and `.` for a frame without, which begins
    /// again at its end. None without an `X`, with another letter, or where it is longer than 60
    /// frames.
    pub fn of_timeline(timeline: &str) -> Option<Self> {
        let frames = timeline.as_bytes();
        if frames.len() > 60 || frames.iter().any(|frame| !b"X.".contains(frame)) || !frames.contains(&b'X') {
            return None;
        }
        let last = LAST_FRAME as u8;
        let taps = (0..last).filter(|&frame| frames[usize::from(frame) % frames.len()] == b'X');
        // A piece has locked by then at any speed.
        let mut taps = taps.chain(std::iter::repeat(last));
        Some(Self::Frames(std::array::from_fn(|_| taps.next().unwrap_or(last))))
    }
}

/// The terms of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Format {
    /// The taps.
    pub taps: Taps,
    /// Frame from which the next piece is known and the piece may be tapped anew. 61 is never.
    pub delay: u32,
    /// The game ends with the lock that brings so many lines.
    pub lines: u32,
    /// From level 39 on pieces fall two rows a frame.
    pub double_at_39: bool,
}

impl Format {
    /// `bt-30hz-18f`: 30 taps a second, a reaction of 18 frames, level 39 at double speed, 430
    /// lines.
    pub const HEADLINE: Self = Self { taps: Taps::Hertz(30), delay: 18, lines: 430, double_at_39: true };

    /// The same to nets. An end with level 39 is none to them: the net of level 29 takes what comes
    /// after it for worth half a million, and a player to whom the end is worth nothing would
    /// rather die than reach it.
    pub(crate) const fn to_nets(self) -> Self {
        let is_cartridge = self.lines == Speed::LINES[3];
        Self { lines: if is_cartridge { Self::HEADLINE.lines } else { self.lines }, ..self }
    }

    /// How fast a piece falls that appears with so many lines.
    #[inline]
    pub const fn speed(&self, lines: u32) -> Speed {
        match level(lines) {
            18 => Speed::L18,
            19..29 => Speed::L19,
            39.. if self.double_at_39 => Speed::L39,
            _ => Speed::L29,
        }
    }
}

/// Formats as their names, in files.
pub(crate) mod names {
    use serde::{Deserialize, Deserializer, Serializer, de};

    use super::Format;

    pub(crate) fn serialize<S: Serializer>(formats: &[Format], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(formats.iter().map(ToString::to_string))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Format>, D::Error> {
        let names = Vec::<String>::deserialize(deserializer)?;
        names.iter().map(|name| name.parse().map_err(de::Error::custom)).collect()
    }
}

/// A text that is no format.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "format `{0}`: expected bt-TAPS-DELAYf, with taps 10hz, 12hz, 15hz, 20hz, 24hz, 30hz, slow5 or a timeline as X..X. and a delay of 0 to 61 \
     frames, and -cartridge after it for a game to 330 lines on an unmodified cartridge; for example bt-30hz-18f"
)]
pub struct UnknownFormat(String);

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.taps {
            Taps::Hertz(hertz) => write!(f, "bt-{hertz}hz")?,
            Taps::Slow5 => f.write_str("bt-slow5")?,
            Taps::Frames(frames) => {
                f.write_str("bt-")?;
                for frame in
                    0..=*frames.iter().filter(|&&frame| u32::from(frame) < LAST_FRAME).max().unwrap_or(&0)
                {
                    f.write_str(if frames.contains(&frame) { "X" } else { "." })?;
                }
            }
        }
        write!(f, "-{}f", self.delay)?;
        if !self.double_at_39 {
            f.write_str("-cartridge")?;
        }
        Ok(())
    }
}

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(text: &str) -> Result<Self, UnknownFormat> {
        parse(text).ok_or_else(|| UnknownFormat(text.to_owned()))
    }
}

fn parse(text: &str) -> Option<Format> {
    let rest = text.strip_prefix("bt-")?;
    let (rest, cartridge) = match rest.strip_suffix("-cartridge") {
        Some(rest) => (rest, true),
        None => (rest, false),
    };
    let (taps, delay) = rest.split_once('-')?;
    let taps = match taps {
        "slow5" => Taps::Slow5,
        timeline if timeline.contains('X') => Taps::of_timeline(timeline)?,
        _ => Taps::Hertz(taps.strip_suffix("hz")?.parse().ok().filter(|hertz| Taps::HERTZ.contains(hertz))?),
    };
    let delay = delay.strip_suffix('f')?.parse().ok().filter(|&delay| delay <= 61)?;
    let (lines, double_at_39) = if cartridge { (330, false) } else { (430, true) };
    Some(Format { taps, delay, lines, double_at_39 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_back_to_their_format() {
        for name in [
            "bt-30hz-18f",
            "bt-30hz-0f",
            "bt-30hz-61f",
            "bt-24hz-18f",
            "bt-slow5-18f",
            "bt-30hz-18f-cartridge",
        ] {
            assert_eq!(name.parse::<Format>().unwrap().to_string(), name);
        }
        assert_eq!("bt-30hz-18f".parse(), Ok(Format::HEADLINE));
        for name in ["", "bt", "bt-31hz-18f", "bt-30hz-62f", "bt-30hz-18", "bt-30hz--1f"] {
            assert!(name.parse::<Format>().is_err(), "{name}");
        }
    }

    #[test]
    fn taps_fall_on_the_frames_of_the_formats() {
        let frames = |taps: Taps| std::array::from_fn(|number| taps.frame(number));
        assert_eq!(frames(Taps::Hertz(30)), [0, 2, 4, 6, 8, 10]);
        assert_eq!(frames(Taps::Hertz(24)), [0, 3, 5, 8, 10, 13]);
        assert_eq!(frames(Taps::Hertz(20)), [0, 3, 6, 9, 12, 15]);
        assert_eq!(frames(Taps::Hertz(15)), [0, 4, 8, 12, 16, 20]);
        assert_eq!(frames(Taps::Hertz(12)), [0, 5, 10, 15, 20, 25]);
        assert_eq!(frames(Taps::Hertz(10)), [0, 6, 12, 18, 24, 30]);
        let all = |taps: Taps| std::array::from_fn(|number| taps.frame(number));
        assert_eq!(all(Taps::Hertz(30)), [0, 2, 4, 6, 8, 10, 12, 14, 16, 18]);
        assert_eq!(all(Taps::Hertz(24)), [0, 3, 5, 8, 10, 13, 15, 18, 20, 23]);
        assert_eq!(all(Taps::Hertz(10)), [0, 6, 12, 18, 24, 30, 36, 42, 48, 54]);
        assert_eq!(all(Taps::Slow5), [0, 2, 4, 6, 18, 20, 22, 24, 36, 38]);
        assert_eq!(frames(Taps::of_timeline("X..X.").unwrap()), [0, 3, 5, 8, 10, 13]);
        assert_eq!(frames(Taps::of_timeline("X.").unwrap()), frames(Taps::Hertz(30)));
        assert_eq!(
            frames(Taps::of_timeline("X.............................").unwrap()),
            [0, 30, 60, 63, 63, 63]
        );
        for none in ["", "..", "X,", &"X".repeat(61)] {
            assert_eq!(Taps::of_timeline(none), None, "{none}");
        }
        let format: Format = "bt-X....X...X...-18f".parse().unwrap();
        assert_eq!(format.to_string().parse(), Ok(format));
    }

    #[test]
    fn hands_have_the_taps_of_a_format_or_slower_ones_of_their_own() {
        for (hertz, format) in [(10.0, 10), (13.9, 12), (29.0, 24), (60.0, 30)] {
            assert_eq!(Taps::of_hands(hertz), Taps::Hertz(format), "{hertz} Hz");
        }
        let frames = |hertz| std::array::from_fn(|number| Taps::of_hands(hertz).frame(number));
        assert_eq!(frames(9.9), [0, 7, 13, 19, 25, 31]);
        assert_eq!(frames(5.0), [0, 12, 24, 36, 48, 60]);
        assert_eq!([frames(1.0), frames(0.0), frames(f64::NAN)], [[0, 60, 63, 63, 63, 63]; 3]);
    }

    #[test]
    fn levels_and_points_are_the_games() {
        assert_eq!(
            [0, 129, 130, 139, 140, 229, 230, 330, 429].map(level),
            [18, 18, 19, 19, 20, 28, 29, 39, 48]
        );
        assert_eq!([338, 339, 340, 429, 430, 433].map(level), [39, 39, 40, 48, 49, 49]);
        // A tetris that crosses 130 is counted at level 19.
        assert_eq!(points(4, 131), 1200 * 20);
        assert_eq!(
            [0, 1, 2, 3, 4].map(|cleared| points(cleared, 100)),
            [0, 40 * 19, 100 * 19, 300 * 19, 1200 * 19]
        );
    }

    #[test]
    fn pieces_fall_faster_at_130_230_and_330_lines_and_not_between() {
        let cartridge: Format = "bt-30hz-18f-cartridge".parse().unwrap();
        for (first, last, speed, on_cartridge) in [
            (0, 129, Speed::L18, Speed::L18),
            (130, 229, Speed::L19, Speed::L19),
            (230, 329, Speed::L29, Speed::L29),
            (330, 429, Speed::L39, Speed::L29),
        ] {
            for lines in first..=last {
                assert_eq!(Format::HEADLINE.speed(lines), speed, "{lines} lines");
                assert_eq!(Speed::of_lines(lines), speed, "{lines} lines");
                let to_go = last + 1 - lines;
                assert_eq!(Speed::with_lines_to_go(lines, 430), (speed, to_go), "{lines} lines");
                // A game that ends before the speed does.
                assert_eq!(Speed::with_lines_to_go(lines, lines + 1), (speed, 1), "{lines} lines");
                assert_eq!(cartridge.speed(lines), on_cartridge, "{lines} lines on a cartridge");
            }
        }
        assert_eq!(Speed::ALL.map(Speed::first_line), Speed::LINES);
        assert_eq!([18, 19, 29, 39].map(Speed::of_first_level), Speed::ALL.map(Some));
        assert_eq!([17, 20, 30, 40].map(Speed::of_first_level), [None; 4]);
        assert_eq!(Speed::with_lines_to_go(433, 430), (Speed::L39, 0));
        let rows = |speed: Speed| [1, 2, 3, 6].map(|frame| speed.row(frame));
        assert_eq!(
            Speed::ALL.map(rows),
            [[0, 0, 1, 2], [0, 1, 1, 3], [1, 2, 3, 6], [2, 4, 6, 12]],
            "rows after 1, 2, 3 and 6 frames"
        );
        assert_eq!(Speed::ALL.map(Speed::rows_at_once), [1, 1, 1, 2]);
    }

    #[test]
    fn a_format_says_its_end_and_its_double_speed() {
        for (name, delay, lines, double) in [
            ("bt-30hz-18f", 18, 430, true),
            ("bt-10hz-0f", 0, 430, true),
            ("bt-slow5-61f", 61, 430, true),
            ("bt-15hz-21f-cartridge", 21, 330, false),
        ] {
            let format: Format = name.parse().unwrap();
            assert_eq!((format.delay, format.lines, format.double_at_39), (delay, lines, double), "{name}");
        }
        assert_eq!([9, 10, 11, 29, 30, 255].map(Taps::at_most), [10, 10, 10, 24, 30, 30].map(Taps::Hertz));
        // To nets a cartridge goes on to level 39, and every other end is its own.
        let to_nets = |lines| Format { lines, ..Format::HEADLINE }.to_nets().lines;
        assert_eq!([330, 430, 230].map(to_nets), [430, 430, 230]);
    }
}
