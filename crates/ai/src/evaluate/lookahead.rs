//! What pieces beyond the known ones would make of a board: dear, because they are placed.

use tetris::{Piece, Playfield};

use super::{Factors, Tally, Weights};
use crate::{Filter, locks};

/// The evaluation of a board on which a piece has no room to spawn: more than that of any other.
pub(super) const NO_ROOM: f64 = 20_000.0;
/// Games of a simulated play, and pieces of each.
const GAMES: u64 = 4;
const PIECES: u32 = 8;

/// Reachable where one of the seven pieces locks without a new hole.
pub(super) fn accommodations(board: &Playfield) -> u32 {
    let holes = Factors::of(board).holes;
    let fits = |piece| {
        locks(board, piece, &Filter::None)
            .into_iter()
            .filter(|&place| {
                let mut locked = *board;
                locked.lock_in_window(place);
                Factors::of(&locked).holes <= holes
            })
            .count() as u32
    };
    Piece::ALL.into_iter().map(fits).sum()
}

/// The least evaluation that one more piece reaches, as a mean of the seven.
pub(super) fn next_evaluation(board: &Playfield, weights: &Weights) -> f64 {
    let next = |piece| best(board, piece, weights).map_or(NO_ROOM, |(fitness, _)| fitness);
    Piece::ALL.into_iter().map(next).sum::<f64>() / Piece::ALL.len() as f64
}

/// The evaluation after a few more pieces, as a mean of games that are the same for every board.
pub(super) fn simulated_play(board: &Playfield, weights: &Weights) -> f64 {
    (1..=GAMES).map(|game| simulated(*board, game, weights)).sum::<f64>() / GAMES as f64
}

fn simulated(mut board: Playfield, game: u64, weights: &Weights) -> f64 {
    let mut state = game;
    for _ in 0..PIECES {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let piece = Piece::ALL[(state >> 33) as usize % Piece::ALL.len()];
        match best(&board, piece, weights) {
            Some((_, after)) => board = after,
            None => return NO_ROOM,
        }
    }
    weights.fitness(&Tally::default(), &Factors::of(&board))
}

/// The best of a piece's boards, and its fitness.
fn best(board: &Playfield, piece: Piece, weights: &Weights) -> Option<(f64, Playfield)> {
    let mut best: Option<(f64, Playfield)> = None;
    for place in locks(board, piece, &Filter::None) {
        let mut locked = *board;
        let cleared = locked.lock_in_window(place);
        let fitness = weights.fitness(&Tally::default().with(place, cleared), &Factors::of(&locked));
        if best.is_none_or(|(least, _)| fitness < least) {
            best = Some((fitness, locked));
        }
    }
    best
}
