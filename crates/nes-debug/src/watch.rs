//! Watched expressions: values that are looked at again at each stop.

use std::fmt;

use crate::{Debugger, Expression};

/// How a value is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Notation {
    /// Decimal, and hexadecimal where that is another text: `16 ($10)`.
    #[default]
    Both,
    /// `16`
    Decimal,
    /// `$10`
    Hexadecimal,
    /// `%00010000`, by whole bytes.
    Binary,
}

impl Notation {
    /// The one of that name: `decimal`, `hex` or `binary`.
    pub fn from_name(name: &str) -> Option<Self> {
        Some(match name {
            "decimal" | "dec" => Self::Decimal,
            "hex" | "hexadecimal" => Self::Hexadecimal,
            "binary" | "bin" => Self::Binary,
            _ => return None,
        })
    }

    /// A value in this notation.
    ///
    /// ```
    /// use nes_debug::Notation;
    /// assert_eq!(Notation::Both.text(16), "16 ($10)");
    /// assert_eq!(Notation::Hexadecimal.text(-1), "-$01");
    /// assert_eq!(Notation::Binary.text(0x105), "%0000000100000101");
    /// ```
    pub fn text(self, value: i64) -> String {
        let sign = if value < 0 { "-" } else { "" };
        let size = value.unsigned_abs();
        let bytes = (64 - size.leading_zeros() as usize).div_ceil(8).max(1);
        match self {
            Self::Both if value < 10 => value.to_string(),
            Self::Both => format!("{value} (${size:0width$X})", width = 2 * bytes),
            Self::Decimal => value.to_string(),
            Self::Hexadecimal => format!("{sign}${size:0width$X}", width = 2 * bytes),
            Self::Binary => format!("{sign}%{size:0width$b}", width = 8 * bytes),
        }
    }
}

#[derive(Clone, Debug)]
struct Watch {
    number: u32,
    expression: Expression,
    notation: Notation,
    before: Option<i64>,
}

/// The watched expressions, in the order of their numbers.
#[derive(Clone, Debug, Default)]
pub struct Watches {
    list: Vec<Watch>,
    /// The highest number there was.
    last: u32,
}

impl Watches {
    /// Adds an expression and gives its number, from 1.
    pub fn add(&mut self, expression: Expression, notation: Notation) -> u32 {
        self.last += 1;
        self.list.push(Watch { number: self.last, expression, notation, before: None });
        self.last
    }

    /// Takes one away, and says whether it was there.
    pub fn remove(&mut self, number: u32) -> bool {
        let count = self.list.len();
        self.list.retain(|watch| watch.number != number);
        self.list.len() < count
    }

    /// Takes all away.
    pub fn clear(&mut self) {
        self.list.clear();
    }

    /// Is none watched?
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
}

/// A watched expression and its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Watched {
    /// By which it is named.
    pub number: u32,
    /// The expression as it was written.
    pub text: String,
    /// Its value now.
    pub value: i64,
    /// Its value where the machine stood before it last moved, if it was watched then.
    pub before: Option<i64>,
    /// How it is to be written.
    pub notation: Notation,
}

impl Watched {
    /// Is it another value than where the machine stood before?
    pub fn has_changed(&self) -> bool {
        self.before.is_some_and(|before| before != self.value)
    }
}

/// `1  level = 18 ($12), was 17 ($11)`
impl fmt::Display for Watched {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { number, text, value, before, notation } = self;
        write!(f, "{number}  {text} = {}", notation.text(*value))?;
        match before {
            Some(before) if before != value => write!(f, ", was {}", notation.text(*before)),
            _ => Ok(()),
        }
    }
}

impl Debugger {
    /// The watched expressions with their values, in the order of their numbers.
    pub fn watched(&self) -> Vec<Watched> {
        let scene = self.scene();
        let watched =
            self.watches.list.iter().map(|Watch { number, expression, notation, before }| Watched {
                number: *number,
                text: expression.text().to_owned(),
                value: expression.value(&scene),
                before: *before,
                notation: *notation,
            });
        watched.collect()
    }

    /// The machine is about to move: watched values are to be compared with those of this moment.
    pub(crate) fn note_watched(&mut self) {
        let values: Vec<i64> = self.watched().iter().map(|watched| watched.value).collect();
        for (watch, value) in self.watches.list.iter_mut().zip(values) {
            watch.before = Some(value);
        }
    }
}
