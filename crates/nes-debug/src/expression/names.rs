//! What a name in an expression stands for.

use tetris::Piece;

use super::ExpressionError;
use super::quantity::Quantity;
use crate::Symbols;
use crate::source::{Stored, Variables};

/// Where names are looked up: variables of the function first, quantities of the machine and the
/// game, then symbols, which stand for their address, and variables of the program.
#[derive(Clone, Copy, Debug)]
pub struct Names<'a> {
    /// Labels of the program.
    pub symbols: &'a Symbols,
    /// Is the cartridge one whose RAM is known as the game's?
    pub game: bool,
    /// Variables of the function of C that is looked at: they come before everything else.
    pub locals: Option<&'a Variables>,
    /// Variables of C of the whole program: they come last.
    pub globals: Option<&'a Variables>,
}

impl<'a> Names<'a> {
    /// Names of a program without sources.
    pub fn new(symbols: &'a Symbols, game: bool) -> Self {
        Self { symbols, game, locals: None, globals: None }
    }
}

pub(super) enum Name {
    Value(i64),
    Quantity(Quantity),
    Variable(Stored),
}

impl Names<'_> {
    pub(super) fn find(&self, name: &str, symbol: bool) -> Option<Name> {
        let address = || self.symbols.address(name).map(|address| Name::Value(i64::from(address)));
        if symbol {
            return address();
        }
        let variable = |variables: Option<&Variables>| variables?.get(name).copied().map(Name::Variable);
        if let Some(local) = variable(self.locals) {
            return Some(local);
        }
        if let Some(quantity) = Quantity::from_name(name)
            && (self.game || !quantity.is_of_game())
        {
            return Some(Name::Quantity(quantity));
        }
        if self.game
            && let Some(piece) = letter(name).and_then(Piece::from_letter)
        {
            return Some(Name::Value(i64::from(piece.number())));
        }
        address().or_else(|| variable(self.globals))
    }

    /// That nothing has this name, and which might have been meant.
    pub(crate) fn unknown(&self, name: &str, column: usize) -> ExpressionError {
        let name = name.to_owned();
        let of_game = Quantity::from_name(&name).is_some_and(Quantity::is_of_game)
            || letter(&name).and_then(Piece::from_letter).is_some();
        if of_game && !self.game {
            return ExpressionError::NoGame { column, name };
        }
        let nearest = self.symbols.nearest(&name).or_else(|| Quantity::nearest(&name).map(str::to_owned));
        ExpressionError::Name { column, name, nearest }
    }
}

/// Only upper case: `s` may be a symbol, `S` is the piece.
fn letter(name: &str) -> Option<char> {
    let mut letters = name.chars();
    let first = letters.next().filter(char::is_ascii_uppercase)?;
    letters.next().is_none().then_some(first)
}
