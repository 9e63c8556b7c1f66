//! What comes next, as the game's own picker deals.

use std::sync::LazyLock;

use randomizers::Kind;
use tetris::Piece;

/// How likely each piece follows each, in the order T J Z O S L I.
static FOLLOWERS: LazyLock<[[f64; 7]; 7]> = LazyLock::new(|| Kind::independent_rolls().followers());

/// Returns how likely each piece follows `last`, in the order T J Z O S L I, in a game that deals
/// by itself, with independent rolls (docs/randomizers/nes.md has the real register's beside them).
pub fn odds_after(last: Piece) -> [f64; 7] {
    FOLLOWERS[last as usize]
}

/// Returns how likely an I is among the next `pieces` after `last`.
pub fn odds_of_an_i(last: Piece, pieces: u32) -> f64 {
    let mut without = [0.0; 7];
    without[last as usize] = 1.0;
    for _ in 0..pieces {
        let mut next = [0.0; 7];
        for (piece, share) in Piece::ALL.into_iter().zip(without) {
            for (other, odds) in next.iter_mut().zip(odds_after(piece)) {
                *other += share * odds;
            }
        }
        next[Piece::I as usize] = 0.0;
        without = next;
    }
    1.0 - without.iter().sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn after_a_t_a_z_is_likeliest_and_another_t_is_rare() {
        let odds = odds_after(Piece::T);
        assert!((odds[Piece::Z as usize] - 0.1875).abs() < 1e-9);
        assert!((odds[Piece::T as usize] - 0.03125).abs() < 1e-9);
        for piece in Piece::ALL {
            assert!((odds_after(piece).iter().sum::<f64>() - 1.0).abs() < 1e-9, "{piece:?}");
        }
        assert!((odds_of_an_i(Piece::T, 1) - odds[Piece::I as usize]).abs() < 1e-9);
        let five = odds_of_an_i(Piece::T, 5);
        assert!((0.5..0.6).contains(&five), "{five}");
        assert!(odds_of_an_i(Piece::L, 0).abs() < 1e-9);
    }
}
