//! Seeds by number: different numbers are different games.

use std::collections::HashMap;

use randomizers::{Kind, Randomizer};

/// Games of each kind that are compared. Of the TGM kinds two numbers in many thousands deal the
/// same game, if the first piece of one is refused and its generator then stands where the other's
/// began.
const GAMES: u64 = 1_000;
/// Pieces of each.
const PIECES: usize = 100;

#[test]
fn no_two_of_a_thousand_numbers_deal_the_same_game() {
    for kind in Kind::ALL {
        let mut games = HashMap::new();
        for number in 0..GAMES {
            let mut dealer = kind.seeded(number);
            let pieces: Vec<_> = (0..PIECES).map(|_| dealer.deal()).collect();
            if let Some(same) = games.insert(pieces, number) {
                panic!("{kind}: numbers {same} and {number} deal the same game");
            }
        }
    }
}

#[test]
fn ten_thousand_numbers_of_same_piece_sets_are_as_many_games() {
    let mut games = HashMap::new();
    for number in 0..10_000 {
        let mut dealer = Kind::Sps.seeded(number);
        let pieces: Vec<_> = (0..PIECES).map(|_| dealer.deal()).collect();
        assert_eq!(games.insert(pieces, number), None, "{number}");
    }
    assert_eq!(Kind::Sps.seeded(4_194_176), Kind::Sps.seeded(0));
}
