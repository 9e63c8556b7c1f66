//! Expressions over registers, memory, symbols and the game: the conditions of breakpoints.
//!
//! Numbers are `48`, `0x30`, `$30`, `0b110000` or `%110000`; operators and their order are C's; a
//! comparison is 0 or 1. `[address]` is a byte as the CPU would read it, `{address}` a word,
//! `ppu[…]`, `oam[…]`, `palette[…]`, `prg[…]`, `chr[…]` bytes of other memories. A name is a
//! [`Quantity`], a piece's letter, or a symbol, which stands for its address; `@name` is always the
//! symbol. A division by zero is 0.

mod names;
mod parse;
mod quantity;
mod token;

use nes::{Cpu, Mainboard};
use tetris::Profile;
use thiserror::Error;

pub use names::Names;
pub use quantity::{Group, Quantity};

use crate::access::Accessed;
use crate::space;
pub use crate::space::Space;

/// An expression and the text that it was read from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expression {
    text: String,
    root: Node,
}

/// Why a text is no expression. Columns are counted in characters from 1.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ExpressionError {
    /// A character that begins nothing.
    #[error("column {column}: {found:?} has no meaning here")]
    Character {
        /// Where.
        column: usize,
        /// What.
        found: char,
    },
    /// Digits that make no number of at most 32 bits.
    #[error("column {column}: {found}: expected a number of at most 32 bits, as 48, 0x30, $30 or %110000")]
    Number {
        /// Where.
        column: usize,
        /// What.
        found: String,
    },
    /// Something else should stand here.
    #[error("column {column}: expected {expected}")]
    Expected {
        /// Where.
        column: usize,
        /// What should.
        expected: &'static str,
    },
    /// A name that nothing has.
    #[error("column {column}: {name}: no register, quantity or symbol of this name{}", suggestion(.nearest.as_deref()))]
    Name {
        /// Where.
        column: usize,
        /// What.
        name: String,
        /// One that looks like it.
        nearest: Option<String>,
    },
    /// A quantity of the game, where the game is not known.
    #[error(
        "column {column}: {name} belongs to the game, and this ROM isn't recognised as Tetris: see `maxout inspect`, or give a --profile"
    )]
    NoGame {
        /// Where.
        column: usize,
        /// What.
        name: String,
    },
    /// Brackets within brackets within brackets.
    #[error("column {column}: more than {limit} brackets or signs within each other")]
    Depth {
        /// Where.
        column: usize,
        /// As many are taken.
        limit: usize,
    },
}

impl ExpressionError {
    /// The same in a line in which the expression begins so many characters further on.
    #[must_use]
    pub fn shifted(mut self, by: usize) -> Self {
        match &mut self {
            Self::Character { column, .. }
            | Self::Number { column, .. }
            | Self::Expected { column, .. }
            | Self::Name { column, .. }
            | Self::NoGame { column, .. }
            | Self::Depth { column, .. } => *column += by,
        }
        self
    }

    /// Where it is, in characters from 1.
    pub fn column(&self) -> usize {
        match self {
            Self::Character { column, .. }
            | Self::Number { column, .. }
            | Self::Expected { column, .. }
            | Self::Name { column, .. }
            | Self::NoGame { column, .. }
            | Self::Depth { column, .. } => *column,
        }
    }
}

fn suggestion(nearest: Option<&str>) -> String {
    nearest.map_or_else(String::new, |nearest| format!("; {nearest} is one"))
}

/// What an expression is evaluated in.
#[derive(Clone, Copy, Debug)]
pub struct Scene<'a> {
    /// Registers.
    pub cpu: &'a Cpu,
    /// Everything else of the machine.
    pub board: &'a Mainboard,
    /// Where the game keeps things, if it is one.
    pub profile: Option<&'a Profile>,
    /// The access that a breakpoint is about.
    pub access: Option<Accessed>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unary {
    Not,
    Negative,
    Complement,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Binary {
    Or,
    And,
    BitOr,
    BitXor,
    BitAnd,
    Equal,
    Unequal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Left,
    Right,
    Plus,
    Minus,
    Times,
    Over,
    Modulo,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Node {
    Number(i64),
    Quantity(Quantity),
    Byte(Space, Box<Node>),
    Word(Box<Node>),
    Unary(Unary, Box<Node>),
    Binary(Binary, Box<Node>, Box<Node>),
}

impl Expression {
    /// Reads an expression.
    ///
    /// # Errors
    /// The first thing found wrong, with its column.
    pub fn parse(text: &str, names: &Names) -> Result<Self, ExpressionError> {
        let text = text.trim_end();
        Ok(Self { root: parse::parse(text, names)?, text: text.trim().to_owned() })
    }

    /// Its text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Its value.
    pub fn value(&self, scene: &Scene) -> i64 {
        self.root.value(scene)
    }

    /// Returns the first quantity in it that only the condition of a breakpoint on memory has:
    /// elsewhere its value is 0, which is no place.
    pub fn quantity_of_access(&self) -> Option<Quantity> {
        self.root.quantity_of_access()
    }

    /// Is its value anything but 0?
    pub fn holds(&self, scene: &Scene) -> bool {
        self.value(scene) != 0
    }
}

impl Node {
    fn quantity_of_access(&self) -> Option<Quantity> {
        match self {
            Self::Number(_) => None,
            Self::Quantity(quantity) => Some(*quantity).filter(|quantity| quantity.is_of_access()),
            Self::Byte(_, inner) | Self::Word(inner) | Self::Unary(_, inner) => inner.quantity_of_access(),
            Self::Binary(_, a, b) => a.quantity_of_access().or_else(|| b.quantity_of_access()),
        }
    }

    fn value(&self, scene: &Scene) -> i64 {
        match self {
            Self::Number(value) => *value,
            Self::Quantity(quantity) => quantity.value(scene),
            Self::Byte(space, address) => space::peek(scene.board, *space, address.value(scene)).into(),
            Self::Word(address) => {
                let address = address.value(scene);
                let byte = |address| i64::from(space::peek(scene.board, Space::Cpu, address));
                byte(address) | byte(address.wrapping_add(1)) << 8
            }
            Self::Unary(operator, operand) => {
                let value = operand.value(scene);
                match operator {
                    Unary::Not => i64::from(value == 0),
                    Unary::Negative => value.wrapping_neg(),
                    Unary::Complement => !value,
                }
            }
            Self::Binary(Binary::Or, a, b) => i64::from(a.value(scene) != 0 || b.value(scene) != 0),
            Self::Binary(Binary::And, a, b) => i64::from(a.value(scene) != 0 && b.value(scene) != 0),
            Self::Binary(operator, a, b) => operator.of(a.value(scene), b.value(scene)),
        }
    }
}

impl Binary {
    fn of(self, a: i64, b: i64) -> i64 {
        match self {
            Self::Or => i64::from(a != 0 || b != 0),
            Self::And => i64::from(a != 0 && b != 0),
            Self::BitOr => a | b,
            Self::BitXor => a ^ b,
            Self::BitAnd => a & b,
            Self::Equal => i64::from(a == b),
            Self::Unequal => i64::from(a != b),
            Self::Less => i64::from(a < b),
            Self::LessOrEqual => i64::from(a <= b),
            Self::Greater => i64::from(a > b),
            Self::GreaterOrEqual => i64::from(a >= b),
            Self::Left => a.wrapping_shl(b as u32),
            Self::Right => a.wrapping_shr(b as u32),
            Self::Plus => a.wrapping_add(b),
            Self::Minus => a.wrapping_sub(b),
            Self::Times => a.wrapping_mul(b),
            Self::Over => a.checked_div(b).unwrap_or(0),
            Self::Modulo => a.checked_rem(b).unwrap_or(0),
        }
    }
}
