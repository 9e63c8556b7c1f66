//! The nets of the repository.

use std::sync::Arc;

use tetris::Piece;
use value::{
    Board, CAUTION, Format, Linear, Mind, Net, Nets, Player, Report, Speed, Start, deal, fnv, tuning_seeds,
};

/// Their files, their speeds and their hashes, as `docs/player.md` has them.
const FILES: [(&[u8], Speed, u64); 4] = [
    (include_bytes!("../../nets/l18.net"), Speed::L18, 0x3267_4216_912F_CB59),
    (include_bytes!("../../nets/l19.net"), Speed::L19, 0xF61F_FA56_CA69_3787),
    (include_bytes!("../../nets/l29.net"), Speed::L29, 0xC513_B94E_5607_3852),
    (include_bytes!("../../nets/l39.net"), Speed::L39, 0x7E38_7213_21A3_4679),
];

fn nets() -> Nets {
    let mut nets = Nets::default();
    for (bytes, speed, hash) in FILES {
        let (net, provenance) = Net::from_bytes(bytes).unwrap();
        assert_eq!((provenance.speed, provenance.format), (speed, Format::HEADLINE));
        assert_eq!(fnv(bytes), hash, "level {speed:?}");
        nets[speed as usize] = Some(Arc::new(net));
    }
    nets
}

#[test]
fn nets_make_more_of_levels_29_and_39_than_weights() {
    let format = Format::HEADLINE;
    let linear = Linear::built_in(&format);
    let mean = |mind: Mind| {
        let mut player = Player::new(&format, mind);
        let start = Start { lines: 230, ..Start::default() };
        let games: Vec<_> =
            tuning_seeds(40).into_iter().map(|seed| player.play(&start, seed, deal(seed))).collect();
        Report::of(&games).score.mean
    };
    let by_weights = mean(Mind::Linear(linear.clone()));
    let by_nets = mean(Mind::Nets {
        nets: nets(),
        linear,
        breadths: Vec::new(),
        narrow: 0,
        guided: 5,
        caution: CAUTION,
    });
    assert!(by_nets > 2.5 * by_weights, "{by_nets} by nets, {by_weights} by weights");
}

#[test]
fn nets_make_more_of_level_18_than_weights_where_both_look_a_piece_ahead() {
    let format = Format::HEADLINE;
    let linear = Linear::built_in(&format);
    let tetrises = |mind: Mind| {
        let mut player = Player::new(&format, mind);
        let mut tetrises = 0;
        for seed in tuning_seeds(8) {
            let pieces: Vec<Piece> = deal(seed).take(160).collect();
            let (mut board, mut lines) = (Board::EMPTY, 0);
            for pair in pieces.windows(2) {
                let choice = player.decide(&board, lines, pair[0]).unwrap();
                let child = player.decider().children()[choice.targets[pair[1] as usize]];
                tetrises += u32::from(child.cleared == 4);
                (board, lines) = (child.board, child.lines);
            }
        }
        tetrises
    };
    let by_weights = tetrises(Mind::Ahead(linear.clone(), vec![3]));
    let by_nets = tetrises(Mind::Nets {
        nets: nets(),
        linear,
        breadths: vec![3],
        narrow: 0,
        guided: 0,
        caution: CAUTION,
    });
    assert!(by_nets > by_weights, "{by_nets} tetrises by nets, {by_weights} by weights");
}
