//! Searches of one to three pieces.

use tetris::{Piece, Playfield};
use value::{
    Candidates, Child, Conditions, Decider, Evaluator, Format, NOT_LOOKED_AT, NetEvaluator, ODDS, Search,
    WeightSearch, deal, features, points,
};

use crate::play::{next_blind, some_nets};

#[test]
fn two_pieces_ahead_is_the_greatest_sum_over_the_places_of_the_second() {
    let mut linear = next_blind();
    let mut ahead = WeightSearch::new(&Format::HEADLINE, linear.clone(), &[400]);
    let (mut decider, mut second) = (Decider::new(&Format::HEADLINE), Decider::new(&Format::HEADLINE));
    let mut board = Playfield::EMPTY;
    // Of what the first lock is worth itself nothing else is known than that it is added:
    // differences within a board tell.
    for piece in deal(0x0012_3456).take(12) {
        let choice = decider.decide(&mut ahead, &board, 0, piece).unwrap();
        for (child, worth) in decider.children().iter().zip(decider.worths()) {
            let greatest = Piece::ALL.map(|next| {
                second.decide(&mut linear, &child.board, child.lines, next).unwrap();
                let places = second.reach().targets().iter().zip(second.worths());
                places
                    .filter(|(target, _)| target.at_once)
                    .map(|(_, worth)| worth[0])
                    .fold(f32::MIN, f32::max)
            });
            for next in 1..7 {
                let (found, expected) = (worth[next] - worth[0], greatest[next] - greatest[0]);
                assert!((found - expected).abs() < 0.02, "{found} {expected}");
            }
        }
        board = decider.children()[choice.targets[0]].board;
    }
}

#[test]
fn a_search_that_looks_at_few_boards_takes_one_of_those_that_looked_best() {
    let linear = next_blind();
    let mut one = WeightSearch::new(&Format::HEADLINE, linear.clone(), &[1]);
    let (mut decider, mut plain) = (Decider::new(&Format::HEADLINE), Decider::new(&Format::HEADLINE));
    let mut board = Playfield::EMPTY;
    for piece in deal(0x0012_3456).take(60) {
        let choice = decider.decide(&mut one, &board, 0, piece).unwrap();
        let expected = plain.decide(&mut linear.clone(), &board, 0, piece).unwrap();
        let (taken, best) = (&decider.children()[choice.targets[0]], &plain.children()[expected.targets[0]]);
        assert_eq!(taken.board, best.board);
        board = taken.board;
    }
}

#[test]
fn nets_two_pieces_ahead_say_of_each_next_piece_what_its_own_decision_is_worth() {
    let plain = NetEvaluator::new(&Format::HEADLINE, some_nets());
    let mut ahead = Search::new(&Format::HEADLINE, plain.clone(), Candidates::All, &[[400; 4]], 0);
    let (mut decider, mut second) = (Decider::new(&Format::HEADLINE), Decider::new(&Format::HEADLINE));
    let mut of_second = plain;
    let mut board = Playfield::EMPTY;
    for (lines, piece) in [(0, Piece::T), (128, Piece::I), (228, Piece::L), (330, Piece::S), (426, Piece::J)]
    {
        let choice = decider.decide(&mut ahead, &board, lines, piece).unwrap();
        for (child, worth) in decider.children().iter().zip(decider.worths()) {
            for next in Piece::ALL {
                let decided = second.decide(&mut of_second, &child.board, child.lines, next);
                let of_lock = if child.cleared > 0 { points(child.cleared, child.lines) } else { 0 };
                let expected = of_lock as f32 + decided.map_or(0.0, |choice| choice.value);
                assert!((worth[next as usize] - expected).abs() < 1.0, "{} {expected}", worth[next as usize]);
            }
        }
        board = decider.children()[choice.targets[0]].board;
    }
}

#[test]
fn three_pieces_ahead_are_two_pieces_ahead_of_each_next_piece() {
    let format = &Format::HEADLINE;
    let plain = NetEvaluator::new(format, some_nets());
    let mut three = Search::new(format, plain.clone(), Candidates::All, &[[3; 4], [2; 4]], 0);
    let mut two = Search::new(format, plain.clone(), Candidates::All, &[[2; 4]], 0);
    let mut linear_three = WeightSearch::new(format, next_blind(), &[3, 2]);
    let (mut decider, mut second) = (Decider::new(format), Decider::new(format));
    for (lines, piece) in [(330, Piece::T), (228, Piece::S), (426, Piece::L)] {
        let board = Playfield { columns: [0b11 << 18; 10].map(|rows| rows & !(1 << 19)) };
        decider.decide(&mut three, &board, lines, piece).unwrap();
        let mut looked_at = 0;
        for (child, worth) in decider.children().iter().zip(decider.worths()) {
            for next in Piece::ALL.into_iter().filter(|&next| worth[next as usize] > 0.0) {
                let decided = second.decide(&mut two, &child.board, child.lines, next).unwrap();
                let of_lock = if child.cleared > 0 { points(child.cleared, child.lines) } else { 0 };
                let expected = of_lock as f32 + decided.value;
                assert!((worth[next as usize] - expected).abs() < 1.0, "{} {expected}", worth[next as usize]);
                looked_at += 1;
            }
        }
        // Level 39 has no premoves.
        assert!(if lines < 330 { looked_at > 21 } else { looked_at == 21 }, "{looked_at}");
        // Weights: the boards that a two-piece player would take of a next piece's.
        let choice = decider.decide(&mut linear_three, &board, lines, piece).unwrap();
        let value = decider.worths()[choice.targets[0]];
        let child = decider.children()[choice.targets[0]];
        let blind = Format { delay: 61, ..Format::HEADLINE };
        let mut of_second = WeightSearch::new(&blind, next_blind(), &[2]);
        let mut second = Decider::new(&blind);
        let [first, other] = [Piece::O, Piece::I]
            .map(|next| second.decide(&mut of_second, &child.board, child.lines, next).unwrap().value);
        let found = value[Piece::O as usize] - value[Piece::I as usize];
        assert!((found - (first - other)).abs() < 0.05, "{found} {}", first - other);
    }
}

#[test]
fn a_narrow_search_looks_at_the_third_piece_for_what_is_best_by_two() {
    let format = &Format::HEADLINE;
    let plain = NetEvaluator::new(format, some_nets());
    let (mut narrow, mut all) = (
        Search::new(format, plain.clone(), Candidates::All, &[[6; 4], [2; 4]], 2),
        Search::new(format, plain.clone(), Candidates::All, &[[6; 4], [2; 4]], 0),
    );
    let mut two = Search::new(format, plain, Candidates::All, &[[6; 4]], 0).remembering();
    let mut decider = Decider::new(format);
    let board = Playfield { columns: [0b11 << 18; 10].map(|rows| rows & !(1 << 19)) };
    // Level 39 has no premoves: a board is looked at for every next piece.
    let mut worths = |evaluator: &mut Search| {
        decider.decide(evaluator, &board, 330, Piece::T).unwrap();
        decider.worths().to_vec()
    };
    let (narrow, all, by_two) = (worths(&mut narrow), worths(&mut all), worths(&mut two));
    let mean =
        |worth: &[f32; 8]| (0..7).map(|next| worth[next] * ODDS[Piece::T as usize][next] as f32).sum::<f32>();
    let mut order: Vec<usize> = (0..by_two.len()).collect();
    order.sort_by(|&one, &other| mean(&by_two[other]).total_cmp(&mean(&by_two[one])));
    for (rank, &number) in order.iter().enumerate() {
        if rank < 2 {
            assert_eq!(narrow[number].map(f32::to_bits), all[number].map(f32::to_bits));
            assert!(mean(&narrow[number]) > 0.0);
        } else {
            assert!(narrow[number][..7].iter().all(|&worth| worth <= NOT_LOOKED_AT), "{rank}");
        }
    }
    // What was looked at is what the ratings were made of.
    assert_eq!(two.seen().len(), 6 * 7);
    for seen in two.seen() {
        let number = decider.children().iter().position(|child| child.board == seen.board).unwrap();
        let child = decider.children()[number];
        let of_lock = if child.cleared > 0 { points(child.cleared, child.lines) as f32 } else { 0.0 };
        assert!((by_two[number][seen.piece as usize] - of_lock - seen.value).abs() < 1.0);
    }
}

#[test]
fn a_guided_net_decides_among_the_boards_that_the_weights_like_best() {
    let linear = next_blind();
    let mut guided = Search::new(
        &Format::HEADLINE,
        NetEvaluator::new(&Format::HEADLINE, some_nets()),
        Candidates::best(linear.clone(), 3),
        &[],
        0,
    );
    let mut alone = NetEvaluator::new(&Format::HEADLINE, some_nets());
    let (mut decider, mut plain) = (Decider::new(&Format::HEADLINE), Decider::new(&Format::HEADLINE));
    let (mut board, mut others) = (Playfield::EMPTY, 0);
    for piece in deal(0x0012_3456).take(60) {
        let choice = decider.decide(&mut guided, &board, 330, piece).unwrap();
        let asked = decider.worths().iter().filter(|worth| worth[0] > 0.0).count();
        assert!((3..=9).contains(&asked), "{asked}");
        let best = plain.decide(&mut linear.clone(), &board, 330, piece).unwrap();
        let value = |number: usize| plain.worths()[number][0];
        let taken = choice.targets[0];
        let better = (0..plain.worths().len()).filter(|&other| value(other) > value(taken)).count();
        assert!(better < 9 && decider.worths()[best.targets[0]][0] > 0.0);
        let expected = plain.decide(&mut alone, &board, 330, piece).unwrap();
        others += usize::from(expected.targets[0] != taken);
        board = decider.children()[taken].board;
        if board.cells() > 100 {
            board = Playfield::EMPTY;
        }
    }
    assert!(others > 5, "a net that is random agrees with the weights");
}

#[test]
fn the_odds_of_a_decision_are_the_mean_of_the_boards_that_it_leads_to() {
    let format = &Format::HEADLINE;
    let nets = some_nets();
    let plain = |caution| NetEvaluator::new(format, nets.clone()).with_caution(caution);
    let mut decider = Decider::new(format);
    let board = Playfield { columns: [0b11 << 18; 10].map(|rows| rows & !(1 << 19)) };
    for (lines, piece) in [(40, Piece::T), (200, Piece::S), (300, Piece::L)] {
        let mut evaluator = plain(0.5);
        let choice = decider.decide(&mut evaluator, &board, lines, piece).unwrap();
        let slot = usize::from(lines > 129) + usize::from(lines > 229);
        let net = nets[slot].as_ref().unwrap();
        let odds = |child: &Child| {
            net.shares(Conditions::of(format), &features(&child.board, [130, 230, 330][slot] - child.lines))
                [7]
        };
        let expected: f32 = (0..7)
            .map(|next| {
                f32::from(ODDS[piece as usize][next]) / 64.0 * odds(&decider.children()[choice.targets[next]])
            })
            .sum();
        assert!((choice.odds - expected).abs() < 1e-4, "{} {expected}", choice.odds);
        // What the odds count is in the value, and not in the points.
        let stake = evaluator.stake();
        assert!((choice.value - choice.points - stake * choice.odds).abs() < 2.0);
        assert_eq!(stake > 0.0, slot < 2, "{lines}");
        let bold = decider.decide(&mut plain(0.0), &board, lines, piece).unwrap();
        assert_eq!(bold.value.to_bits(), bold.points.to_bits());
        // A cautious player gives points away for odds, or decides alike.
        assert!(choice.points <= bold.points + 2.0 && choice.odds >= bold.odds - 1e-5, "{lines}");

        // Two pieces deep they are those of the next piece's own decision.
        let mut two = Search::new(format, plain(0.5), Candidates::All, &[[400; 4]], 0).remembering();
        decider.decide(&mut two, &board, lines, piece).unwrap();
        let (children, odds) = (decider.children().to_vec(), two.odds().to_vec());
        assert_eq!(two.seen().len(), 7 * children.len());
        let mut second = Decider::new(format);
        for (child, odds) in children.iter().zip(&odds).step_by(9) {
            let next = second.decide(&mut plain(0.5), &child.board, child.lines, Piece::Z).unwrap();
            assert!((odds[Piece::Z as usize] - next.odds).abs() < 1e-4);
            let seen = two.seen().iter().find(|seen| seen.board == child.board && seen.piece == Piece::Z);
            let seen = seen.unwrap();
            assert!((seen.value - next.points).abs() < 2.0 && (seen.odds - next.odds).abs() < 1e-4);
        }
    }
}

#[test]
fn a_lock_that_ends_a_speed_has_come_to_its_end() {
    let format = &Format::HEADLINE;
    let plain = NetEvaluator::new(format, some_nets()).with_caution(1.0);
    // A row but for its last two columns, and level 18 a line before its end.
    let mut board = Playfield::EMPTY;
    board.columns[..8].fill(1 << 19);
    for breadth in [0, 400] {
        let mut evaluator = Search::new(format, plain.clone(), Candidates::All, &[[breadth; 4]], 0);
        let mut decider = Decider::new(format);
        decider.decide(&mut evaluator, &board, 129, Piece::O).unwrap();
        let find = |cleared| decider.children().iter().position(|child| child.cleared == cleared).unwrap();
        let (through, beside) = (find(1), find(0));
        assert_eq!((decider.children()[through].lines, decider.children()[beside].lines), (130, 129));
        assert!(evaluator.odds()[through][..7].iter().all(|odds| odds.to_bits() == 1.0f32.to_bits()));
        // A piece that follows may fill the row.
        let least = evaluator.odds()[beside][..7].iter().copied().fold(1.0, f32::min);
        assert!(least > 0.0 && (breadth > 0 || least < 1.0), "{least}");
        // So it has where nothing is known of the next speed.
        let mut nets = some_nets();
        nets[1] = None;
        let alone = NetEvaluator::new(format, nets).with_caution(1.0);
        let mut alone = Search::new(format, alone, Candidates::All, &[[breadth; 4]], 0);
        let mut other = Decider::new(format);
        other.decide(&mut alone, &board, 129, Piece::O).unwrap();
        assert!(other.worths()[through][..7].iter().all(|&worth| worth > 1e6));
        // The stake is whole after it.
        assert!(evaluator.stake() > 1e6 && decider.worths()[through][..7].iter().all(|&worth| worth > 1e6));
    }
}
