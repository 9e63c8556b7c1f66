//! From characters to tokens.

use super::ExpressionError;

/// A token and the column of its first character, from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) column: usize,
    pub(super) kind: Kind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Number(i64),
    /// A name; after `@` always a symbol.
    Name {
        name: String,
        symbol: bool,
    },
    /// An operator or a bracket.
    Sign(&'static str),
}

/// Longest first, so that `<<` is not two `<`.
const SIGNS: [&str; 28] = [
    "&&", "||", "==", "!=", "<=", ">=", "<<", ">>", "<", ">", "+", "-", "*", "/", "%", "&", "|", "^", "~",
    "!", "(", ")", "[", "]", "{", "}", "#", ":",
];

pub(super) fn tokens(text: &str) -> Result<Vec<Token>, ExpressionError> {
    let characters: Vec<char> = text.chars().collect();
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(&character) = characters.get(at) {
        let column = at + 1;
        if character.is_whitespace() {
            at += 1;
            continue;
        }
        let rest = &characters[at..];
        let starts = |sign: &str| sign.chars().zip(rest).filter(|(a, b)| a == *b).count() == sign.len();
        let (kind, length) = if let Some(number) = number(rest, column)? {
            number
        } else if character == '@' || is_letter(character) {
            let symbol = character == '@';
            let name: String = rest[usize::from(symbol)..]
                .iter()
                .take_while(|&&letter| is_letter(letter) || letter.is_ascii_digit())
                .collect();
            if name.is_empty() {
                return Err(ExpressionError::Expected {
                    column: column + 1,
                    expected: "a symbol's name after @",
                });
            }
            let length = name.chars().count() + usize::from(symbol);
            (Kind::Name { name, symbol }, length)
        } else if let Some(sign) = SIGNS.iter().find(|sign| starts(sign)) {
            (Kind::Sign(sign), sign.len())
        } else {
            return Err(ExpressionError::Character { column, found: character });
        };
        tokens.push(Token { column, kind });
        at += length;
    }
    Ok(tokens)
}

/// Letters of names; dots are those of `flag.c`, and of labels inside a scope.
fn is_letter(character: char) -> bool {
    character.is_alphabetic() || matches!(character, '_' | '.')
}

/// A number at the beginning of `rest`, and its length: `48`, `0x30`, `$30`, `0b110000`, `%110000`
/// before a digit.
fn number(rest: &[char], column: usize) -> Result<Option<(Kind, usize)>, ExpressionError> {
    let binary = |digit: Option<&char>| matches!(digit, Some('0' | '1'));
    let (prefix, radix) = match rest {
        ['0', 'x' | 'X', ..] => (2, 16),
        ['0', 'b' | 'B', ..] => (2, 2),
        ['$', ..] => (1, 16),
        ['%', ..] if binary(rest.get(1)) && binary(rest.get(2)) => (1, 2),
        [digit, ..] if digit.is_ascii_digit() => (0, 10),
        _ => return Ok(None),
    };
    let digits: String = rest[prefix..].iter().take_while(|digit| digit.is_ascii_alphanumeric()).collect();
    let value = u32::from_str_radix(&digits, radix).map_err(|_| ExpressionError::Number {
        column,
        found: rest[..prefix].iter().collect::<String>() + &digits,
    })?;
    Ok(Some((Kind::Number(i64::from(value)), prefix + digits.len())))
}
