//! Other pieces than the game's, as a text.

use autopilot::Substitution;
use randomizers::Kind;
use tetris::{Piece, Profile};

/// Why a text names no pieces.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("pieces: expected `--randomizer NAME --seed SEED` or letters of TJZOSLI, found `{found}`")]
pub struct SequenceError {
    /// The beginning of what was found.
    found: String,
}

/// What deals the pieces that `text` names: the options of a randomizer, as
/// `--randomizer tgm3 --seed 7`, or letters.
///
/// # Errors
/// When it names none.
pub fn sequence(text: &str, profile: Profile) -> Result<Substitution, SequenceError> {
    let wrong = || SequenceError { found: text.chars().take(60).collect() };
    let mut words = text.split_whitespace();
    if words.next() != Some("--randomizer") {
        let pieces: Option<Vec<Piece>> =
            text.chars().filter(|letter| !letter.is_whitespace()).map(Piece::from_letter).collect();
        let pieces = pieces.filter(|pieces| !pieces.is_empty()).ok_or_else(wrong)?;
        return Ok(Substitution::new(profile, pieces.into_iter()));
    }
    let kind: Kind = words.next().and_then(|name| name.parse().ok()).ok_or_else(wrong)?;
    let seed = match (words.next(), words.next(), words.next()) {
        (None, ..) => kind.first_seed(),
        (Some("--seed"), Some(seed), None) => seed,
        _ => return Err(wrong()),
    };
    let dealer = kind.dealer(seed).map_err(|_| wrong())?;
    Ok(Substitution::new(profile, dealer))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn randomizers_and_letters_are_pieces_and_nothing_else_is() {
        let profile = || Profile::of_image(include_bytes!("../../../roms/maxout.nes")).unwrap();
        for text in ["--randomizer tgm3 --seed 7", "--randomizer nes", "TJ ZOSLI"] {
            assert!(sequence(text, profile()).is_ok(), "{text}");
        }
        for text in [
            "",
            "X",
            "--randomizer",
            "--randomizer dice",
            "--randomizer tgm3 --seed",
            "--randomizer tgm3 --seed x",
        ] {
            let error = sequence(text, profile()).err().unwrap();
            assert!(error.to_string().contains("letters of TJZOSLI"), "{text}");
        }
    }
}
