//! A line of a command, taken apart.

use super::CommandError;
use crate::expression::{Expression, Names, Scene};

/// What is left of a line, and where in it that begins.
#[derive(Clone, Copy, Debug)]
pub(super) struct Words<'a> {
    line: &'a str,
    /// In bytes.
    at: usize,
}

impl<'a> Words<'a> {
    pub(super) fn new(line: &'a str) -> Self {
        let mut words = Self { line, at: 0 };
        words.skip_spaces();
        words
    }

    fn skip_spaces(&mut self) {
        let rest = &self.line[self.at..];
        self.at += rest.len() - rest.trim_start().len();
    }

    /// All that is left, without spaces around it.
    pub(super) fn rest(&self) -> &'a str {
        self.line[self.at..].trim_end()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.rest().is_empty()
    }

    /// The column of what comes next, in characters from 1.
    pub(super) fn column(&self) -> usize {
        self.line[..self.at].chars().count() + 1
    }

    /// The next word.
    pub(super) fn word(&mut self) -> Option<&'a str> {
        let rest = &self.line[self.at..];
        let length = rest.find(char::is_whitespace).unwrap_or(rest.len());
        let word = &rest[..length];
        self.at += length;
        self.skip_spaces();
        (!word.is_empty()).then_some(word)
    }

    /// The next word, if it is this one.
    pub(super) fn take(&mut self, word: &str) -> bool {
        let mut ahead = *self;
        let found = ahead.word().is_some_and(|found| found.eq_ignore_ascii_case(word));
        if found {
            *self = ahead;
        }
        found
    }

    /// The next word as a plain number, if it is one.
    pub(super) fn number(&mut self) -> Option<u64> {
        let mut ahead = *self;
        let number = ahead.word()?.parse().ok()?;
        *self = ahead;
        Some(number)
    }

    /// What stands before the word ` delimiter `, or everything.
    pub(super) fn before(&mut self, delimiters: &[&str]) -> Self {
        let mut ahead = *self;
        let begin = self.at;
        let mut end = self.line.len();
        while !ahead.is_empty() {
            let here = ahead.at;
            if ahead.word().is_some_and(|word| delimiters.contains(&word)) {
                end = here;
                break;
            }
        }
        self.at = end;
        Self { line: &self.line[..end], at: begin }
    }

    /// All that is left as an expression; columns of its errors are those of the line.
    pub(super) fn expression(&mut self, names: &Names) -> Result<Expression, CommandError> {
        let shift = self.column() - 1;
        let text = self.rest();
        self.at = self.line.len();
        Expression::parse(text, names).map_err(|error| CommandError::Expression(error.shifted(shift)))
    }

    /// The next word as an expression, and its value now.
    pub(super) fn value(&mut self, names: &Names, scene: &Scene) -> Result<i64, CommandError> {
        let shift = self.column() - 1;
        let word = self.word().unwrap_or_default();
        let expression =
            Expression::parse(word, names).map_err(|error| CommandError::Expression(error.shifted(shift)))?;
        value_now(&expression, shift + 1, scene)
    }

    /// The next word as an address, or as a range `first-last` or `first..last`, with or without
    /// spaces around the sign; a symbol's name is its address.
    pub(super) fn range(&mut self, names: &Names, scene: &Scene) -> Result<(u16, u16), CommandError> {
        let column = self.column();
        let word = self.word().unwrap_or_default();
        let address = |text: &str, column: usize| {
            // A name here is a place, also where a quantity of the game has it.
            if let Some(address) = names.symbols.address(text) {
                return Ok(address);
            }
            let expression = Expression::parse(text, names)
                .map_err(|error| CommandError::Expression(error.shifted(column - 1)))?;
            let value = value_now(&expression, column, scene)?;
            u16::try_from(value).map_err(|_| CommandError::Address { column, found: value })
        };
        let (first, last) = if self.take("-") || self.take("..") {
            let behind = self.column();
            (address(word, column)?, address(self.word().unwrap_or_default(), behind)?)
        } else {
            ends(word, column, address)?
        };
        if first <= last { Ok((first, last)) } else { Err(CommandError::Range { column, first, last }) }
    }
}

/// Returns the value of an expression that a command needs at once. Where no access is under way,
/// what only an access has would be 0: a valid address, but not the one that was meant.
pub(super) fn value_now(expression: &Expression, column: usize, scene: &Scene) -> Result<i64, CommandError> {
    match expression.quantity_of_access() {
        Some(quantity) => Err(CommandError::OfAccess { column, name: quantity.name() }),
        None => Ok(expression.value(scene)),
    }
}

/// The ends of `first..last` or `first-last`, or one place twice, by what `place` makes of a text
/// and its column. A hyphen is a minus, `playfield-4`, unless that led below 0.
pub(super) fn ends<T: Copy + PartialOrd>(
    text: &str,
    column: usize,
    place: impl Fn(&str, usize) -> Result<T, CommandError>,
) -> Result<(T, T), CommandError> {
    let behind = |first: &str, sign: &str| column + first.chars().count() + sign.len();
    if let Some((first, last)) = text.split_once("..") {
        return Ok((place(first, column)?, place(last, behind(first, ".."))?));
    }
    if let Some((first, last)) = text.split_once('-')
        && let (Ok(from), Ok(to)) = (place(first, column), place(last, behind(first, "-")))
        && from < to
    {
        return Ok((from, to));
    }
    let only = place(text, column)?;
    Ok((only, only))
}
