//! The pieces as the searches use them: orientations in the order of A, and the odds of the next
//! piece.

use tetris::picker::{SPAWN_ORIENTATIONS, biased_pick};
use tetris::{Cell, Orientation, Piece, SplitMix64};

/// Most orientations of a piece.
pub(crate) const TURNS: usize = 4;

/// A piece with its orientations from the one in which it appears, each a press of A further.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shapes {
    pub(crate) turns: usize,
    pub(crate) orientations: [Orientation; TURNS],
    pub(crate) cells: [[Cell; 4]; TURNS],
    /// By orientation, the first row of the pivot in which no cell sticks out above row 0.
    pub(crate) first_row: [u32; TURNS],
}

/// By the game's number of the piece.
pub(crate) static SHAPES: [Shapes; 7] = {
    let mut all = [shapes(Piece::T); 7];
    let mut number = 0;
    while number < 7 {
        all[number] = shapes(Piece::ALL[number]);
        number += 1;
    }
    all
};

const fn shapes(piece: Piece) -> Shapes {
    let mut orientation = Orientation::spawn(piece);
    let spawned = orientation.id();
    let mut shapes = Shapes {
        turns: 0,
        orientations: [orientation; TURNS],
        cells: [orientation.cells(); TURNS],
        first_row: [0; TURNS],
    };
    while shapes.turns == 0 || orientation.id() != spawned {
        let cells = orientation.cells();
        let (mut highest, mut k) = (0, 0);
        while k < 4 {
            if cells[k].row < highest {
                highest = cells[k].row;
            }
            k += 1;
        }
        shapes.orientations[shapes.turns] = orientation;
        shapes.cells[shapes.turns] = cells;
        shapes.first_row[shapes.turns] = -highest as u32;
        shapes.turns += 1;
        orientation = orientation.clockwise();
    }
    shapes
}

/// The odds that a piece is followed by another, in 64ths, by the game's numbers:
/// `ODDS[piece][next]`. Of a register nobody knows, both rolls of the picker are even and
/// independent.
pub const ODDS: [[u8; 7]; 7] = {
    let mut odds = [[0; 7]; 7];
    let mut piece = 0;
    while piece < 7 {
        let mut first = 0;
        while first < 8 {
            if first == 7 || first == piece {
                let mut bits = 0;
                while bits < 8 {
                    odds[piece][biased_pick(bits, SPAWN_ORIENTATIONS[piece]) as usize] += 1;
                    bits += 1;
                }
            } else {
                odds[piece][first] += 8;
            }
            first += 1;
        }
        piece += 1;
    }
    odds
};

/// The piece after another, drawn by the odds.
pub(crate) fn draw_after(chance: &mut SplitMix64, piece: Piece) -> Piece {
    let mut rest = chance.below(64) as u8;
    let odds = ODDS[piece as usize];
    let next = odds.iter().position(|&odd| {
        let found = rest < odd;
        rest = rest.wrapping_sub(odd);
        found
    });
    Piece::ALL[next.unwrap_or(0)]
}

/// Pieces by the odds, without end: of no seed of the game.
pub fn deal_by_odds(seed: u64) -> impl Iterator<Item = Piece> + Clone {
    let mut chance = SplitMix64::new(seed);
    let first = chance.pick(&Piece::ALL);
    std::iter::successors(Some((first, chance)), |(piece, chance)| {
        let mut chance = chance.clone();
        let next = draw_after(&mut chance, *piece);
        Some((next, chance))
    })
    .map(|(piece, _)| piece)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_have_one_two_or_four_orientations() {
        let turns: Vec<usize> = Piece::ALL.iter().map(|&piece| SHAPES[piece as usize].turns).collect();
        assert_eq!(turns, [4, 4, 2, 1, 2, 4, 2]);
    }

    #[test]
    fn the_odds_are_those_of_the_format_in_32nds() {
        for (piece, odds) in ODDS.iter().enumerate() {
            assert_eq!(odds.iter().sum::<u8>(), 64);
            // A repeat has 1 or 2 of 32, what is doubled 6, the rest 5.
            for (next, &odd) in odds.iter().enumerate() {
                assert!(if next == piece { [2, 4].contains(&odd) } else { [10, 12].contains(&odd) });
            }
        }
        for (piece, next) in [
            (Piece::T, Piece::Z),
            (Piece::J, Piece::T),
            (Piece::Z, Piece::J),
            (Piece::L, Piece::T),
            (Piece::I, Piece::S),
        ] {
            assert_eq!(ODDS[piece as usize][next as usize], 12, "{piece} to {next}");
        }
    }
}
