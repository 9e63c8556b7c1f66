//! From tokens to a tree, by the precedences of C.

use super::names::{Name, Names};
use super::token::{Kind, Token, tokens};
use super::{Binary, ExpressionError, Node, Space, Unary};
use crate::source::Stored;

/// Brackets within brackets: a text of a thousand of them is an error, not a stack without end.
const DEPTH: usize = 48;

/// Operators by precedence, the weakest first.
const LEVELS: [&[(&str, Binary)]; 10] = [
    &[("||", Binary::Or)],
    &[("&&", Binary::And)],
    &[("|", Binary::BitOr)],
    &[("^", Binary::BitXor)],
    &[("&", Binary::BitAnd)],
    &[("==", Binary::Equal), ("!=", Binary::Unequal)],
    &[
        ("<", Binary::Less),
        ("<=", Binary::LessOrEqual),
        (">", Binary::Greater),
        (">=", Binary::GreaterOrEqual),
    ],
    &[("<<", Binary::Left), (">>", Binary::Right)],
    &[("+", Binary::Plus), ("-", Binary::Minus)],
    &[("*", Binary::Times), ("/", Binary::Over), ("%", Binary::Modulo)],
];

pub(super) fn parse(text: &str, names: &Names) -> Result<Node, ExpressionError> {
    let tokens = tokens(text)?;
    let end = text.chars().count() + 1;
    let mut parser = Parser { tokens: &tokens, at: 0, end, names, depth: 0 };
    let node = parser.level(0)?;
    match parser.tokens.get(parser.at) {
        None => Ok(node),
        Some(token) => {
            Err(ExpressionError::Expected { column: token.column, expected: "an operator or the end" })
        }
    }
}

struct Parser<'a> {
    tokens: &'a [Token],
    at: usize,
    /// Column behind the last character.
    end: usize,
    names: &'a Names<'a>,
    depth: usize,
}

impl Parser<'_> {
    fn column(&self) -> usize {
        self.tokens.get(self.at).map_or(self.end, |token| token.column)
    }

    fn take(&mut self, sign: &str) -> bool {
        let taken =
            matches!(self.tokens.get(self.at), Some(Token { kind: Kind::Sign(found), .. }) if *found == sign);
        self.at += usize::from(taken);
        taken
    }

    fn expect(&mut self, sign: &str, expected: &'static str) -> Result<(), ExpressionError> {
        if self.take(sign) {
            Ok(())
        } else {
            Err(ExpressionError::Expected { column: self.column(), expected })
        }
    }

    fn level(&mut self, level: usize) -> Result<Node, ExpressionError> {
        let Some(operators) = LEVELS.get(level) else { return self.unary() };
        let mut left = self.level(level + 1)?;
        while let Some((_, operator)) = operators.iter().find(|(sign, _)| self.take(sign)) {
            let right = self.level(level + 1)?;
            left = Node::Binary(*operator, Box::new(left), Box::new(right));
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<Node, ExpressionError> {
        self.depth += 1;
        if self.depth > DEPTH {
            return Err(ExpressionError::Depth { column: self.column(), limit: DEPTH });
        }
        let operators = [("!", Unary::Not), ("-", Unary::Negative), ("~", Unary::Complement)];
        let node = match operators.iter().find(|(sign, _)| self.take(sign)) {
            Some((_, operator)) => Node::Unary(*operator, Box::new(self.unary()?)),
            None => self.primary()?,
        };
        self.depth -= 1;
        Ok(node)
    }

    fn primary(&mut self) -> Result<Node, ExpressionError> {
        let column = self.column();
        if self.take("(") {
            let node = self.level(0)?;
            self.expect(")", "`)`")?;
            return Ok(node);
        }
        if self.take("[") {
            return self.byte(Space::Cpu);
        }
        if self.take("{") {
            let node = self.level(0)?;
            self.expect("}", "`}` of a word in memory")?;
            return Ok(Node::Word(Box::new(node)));
        }
        let Some(Token { kind, .. }) = self.tokens.get(self.at) else {
            return Err(ExpressionError::Expected { column, expected: "a value" });
        };
        self.at += 1;
        match kind {
            Kind::Number(value) => Ok(Node::Number(*value)),
            Kind::Name { name, symbol } => {
                if !symbol
                    && let Some(space) = Space::from_name(name)
                    && self.take("[")
                {
                    return self.byte(space);
                }
                match self.names.find(name, *symbol) {
                    Some(Name::Value(value)) => Ok(Node::Number(value)),
                    Some(Name::Quantity(quantity)) => Ok(Node::Quantity(quantity)),
                    Some(Name::Variable(Stored { address, bytes })) => {
                        let address = Node::Number(i64::from(address));
                        Ok(match bytes {
                            0 | 1 => Node::Byte(Space::Cpu, Box::new(address)),
                            2 => Node::Word(Box::new(address)),
                            // As in C, the name of something longer is where it lies.
                            _ => address,
                        })
                    }
                    None => Err(self.names.unknown(name, column)),
                }
            }
            Kind::Sign(_) => Err(ExpressionError::Expected { column, expected: "a value" }),
        }
    }

    fn byte(&mut self, space: Space) -> Result<Node, ExpressionError> {
        let node = self.level(0)?;
        self.expect("]", "`]` of a byte in memory")?;
        Ok(Node::Byte(space, Box::new(node)))
    }
}
