//! The nets of the repository.

use std::sync::Arc;

use tetris::{Piece, Playfield};
use value::{
    Format, Linear, Mind, Net, NetMind, Nets, Outputs, Player, Report, Speed, Start, breadths_by_speed, deal,
    net_hash, tuning_seeds,
};

/// Their files, their speeds and their hashes, as `docs/points.md` has them.
const FILES: [(&[u8], Speed, u64); 4] = [
    (include_bytes!("../../nets/l18.net"), Speed::L18, 0x571B_4ACC_5C50_EB07),
    (include_bytes!("../../nets/l19.net"), Speed::L19, 0xEAFE_5576_313F_F422),
    (include_bytes!("../../nets/l29.net"), Speed::L29, 0x133C_9933_6AD2_17A0),
    (include_bytes!("../../nets/l39.net"), Speed::L39, 0x20FE_B722_60F4_D058),
];

fn nets() -> Nets {
    let mut nets = Nets::default();
    for (bytes, speed, hash) in FILES {
        let (net, provenance) = Net::from_bytes(bytes).unwrap();
        assert_eq!((provenance.speed, &provenance.formats[..]), (speed, &[Format::HEADLINE][..]));
        assert_eq!(provenance.outputs, Outputs::usual(speed));
        assert_eq!(net_hash(bytes), hash, "level {speed:?}");
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
    let by_weights = mean(linear.clone().into());
    let by_nets = mean(NetMind { guided: 5, ..NetMind::new(nets(), linear) }.into());
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
            let (mut board, mut lines) = (Playfield::EMPTY, 0);
            for pair in pieces.windows(2) {
                let choice = player.decide(&board, lines, pair[0]).unwrap();
                let child = player.decider().children()[choice.targets[pair[1] as usize]];
                tetrises += u32::from(child.cleared == 4);
                (board, lines) = (child.board, child.lines);
            }
        }
        tetrises
    };
    let by_weights = tetrises(Mind::weights(linear.clone(), vec![3]));
    let by_nets = tetrises(NetMind { breadths: vec![[3; 4]], ..NetMind::new(nets(), linear) }.into());
    assert!(by_nets > by_weights, "{by_nets} tetrises by nets, {by_weights} by weights");
}

#[test]
fn from_a_level_on_a_player_looks_deeper_if_it_is_to() {
    let format = Format::HEADLINE;
    let player = |breadths: &[usize], deeper: Option<(Speed, &[usize])>| {
        let mind = NetMind::new(nets(), Linear::built_in(&format));
        let breadths = breadths_by_speed(breadths, deeper);
        Player::new(&format, NetMind { breadths, narrow: 1, ..mind }.into())
    };
    let deeper: &[usize] = &[2, 1, 1];
    let kinds = [(&[2][..], None), (deeper, None), (&[2], Some((Speed::L39, deeper)))];
    let mut players = kinds.map(|(breadths, deeper)| player(breadths, deeper));
    let (mut choices, mut differ) = (0, 0);
    for (lines, seed) in [(300, 3), (340, 4)] {
        let mut board = Playfield::EMPTY;
        let pieces: Vec<Piece> = deal(seed).take(10).collect();
        for pair in pieces.windows(2) {
            let decided =
                players.each_mut().map(|player| player.decide(&board, lines, pair[0]).expect("a place"));
            let [shallow, deep, both] = decided.map(|choice| (choice.targets, choice.value.to_bits()));
            assert_eq!(both, if lines < 330 { shallow } else { deep }, "{lines} lines");
            (choices, differ) = (choices + 1, differ + u32::from(shallow.1 != deep.1));
            board = players[2].decider().children()[both.0[pair[1] as usize]].board;
        }
    }
    assert!(differ > choices / 2, "a fourth piece changes {differ} of {choices} values");
}

#[test]
fn a_ranking_by_nets_has_the_boards_alone_that_were_looked_at_for_every_next_piece() {
    let format = Format::HEADLINE;
    let linear = Linear::built_in(&format);
    let mind = NetMind { breadths: vec![[6; 4], [1; 4]], narrow: 3, ..NetMind::new(nets(), linear) };
    let mut player = Player::new(&format, mind.into());
    // At level 29 all that is to come is less than half a million.
    for (lines, seed) in [(0, 1), (150, 2), (300, 3)] {
        let mut board = Playfield::EMPTY;
        let pieces: Vec<Piece> = deal(seed).take(30).collect();
        for pair in pieces.windows(2) {
            let choice = player.decide(&board, lines, pair[0]).unwrap();
            let ranking = player.ranking(pair[0], 5);
            assert!(!ranking.is_empty() && ranking.is_sorted_by(|one, other| one.1 >= other.1));
            let [best, .., last] = [ranking[0].1, ranking[ranking.len() - 1].1];
            assert!(last > 0.5 * best, "{lines} lines: {last} beside {best}");
            assert!(choice.premove.is_some() || (ranking[0].1 - choice.value).abs() < 1.0);
            board = player.decider().children()[choice.targets[pair[1] as usize]].board;
        }
    }
}

#[test]
fn an_outlook_falls_with_the_lines_that_are_left_and_has_no_odds_of_what_is_reached() {
    let format = Format::HEADLINE;
    let mut player = Player::new(&format, NetMind::new(nets(), Linear::built_in(&format)).into());
    let mut outlook = |lines| {
        let choice = player.decide(&Playfield::EMPTY, lines, Piece::T).unwrap();
        player.outlook(lines, Piece::T, &choice).unwrap()
    };
    let outlooks = [0, 100, 150, 220, 240, 320, 340].map(&mut outlook);
    for pair in outlooks.windows(2) {
        assert!(pair[0].points > pair[1].points && pair[1].points > 10_000.0, "{pair:?}");
    }
    let odds = outlooks.map(|outlook| outlook.odds.unwrap());
    // How many of levels 19, 29 and 39 are reached.
    let reached = odds.map(|odds| odds.iter().filter(|odds| **odds >= 1.0).count());
    assert_eq!(reached, [0, 0, 1, 1, 2, 2, 3], "{odds:?}");
    // Weights know of no points.
    let mut player = Player::new(&format, Linear::built_in(&format).into());
    let choice = player.decide(&Playfield::EMPTY, 0, Piece::T).unwrap();
    assert_eq!(player.outlook(0, Piece::T, &choice), None);
}

#[test]
fn a_game_of_a_cartridge_comes_to_its_end_and_does_not_shun_it() {
    let format: Format = "bt-30hz-18f-cartridge".parse().unwrap();
    let mut player = Player::new(&format, NetMind::new(nets(), Linear::built_in(&format)).into());
    let start = Start { lines: 310, ..Start::default() };
    let games = tuning_seeds(60).into_iter().map(|seed| player.play(&start, seed, deal(seed)));
    let ended = games.filter(|game| game.lines >= 330).count();
    // While the end was worth nothing to nets, 27 came to it.
    assert!(ended >= 55, "{ended} of 60");
}
