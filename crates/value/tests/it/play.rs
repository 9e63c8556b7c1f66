//! Decisions by the terms of a format, games, trainings.

use std::collections::BTreeSet;

use tetris::{Piece, Playfield};
use value::{
    Actor, Ahead, Assignment, Child, Conditions, Decider, EL_TETRIS, Experience, Format, Guided, Judge,
    Learner, Linear, NOT_LOOKED_AT, Net, NetAhead, NetJudge, NetMind, Nets, ODDS, Outputs, Plan, Played,
    PlayedError, Reviewer, Speed, Start, Task, WeightsFile, Worth, deal, features, play, points,
    report_seeds,
};

/// Ratings that follow from the board alone, as uneven as can be, and different for each next
/// piece.
struct Uneven;

impl Judge for Uneven {
    fn begin(&mut self, _: &Playfield, _: u32) {}

    fn rate(&mut self, child: &Child) -> Worth {
        let mut word = child.board.columns.iter().fold(0x9E37_79B9_7F4A_7C15u64, |hash, &column| {
            (hash ^ u64::from(column)).wrapping_mul(0xBF58_476D_1CE4_E5B9).rotate_left(29)
        });
        std::array::from_fn(|_| {
            word = word.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (word >> 40) as f32
        })
    }
}

#[test]
fn a_decision_is_the_greatest_mean_over_places_at_once_and_premoves() {
    for name in ["bt-30hz-18f", "bt-30hz-0f", "bt-30hz-61f", "bt-12hz-18f"] {
        let mut decider = Decider::new(&name.parse().unwrap());
        let mut board = Playfield::EMPTY;
        let pieces = deal(0x0012_3456).take(60);
        let (mut premoves, mut decisions) = (0, 0);
        for piece in pieces {
            let Some(choice) = decider.decide(&mut Uneven, &board, 0, piece) else { break };
            let odds = ODDS[piece as usize].map(|odd| f32::from(odd) / 64.0);
            let worth: Vec<Worth> = decider.children().iter().map(|child| Uneven.rate(child)).collect();
            let targets = decider.reach().targets();
            let at_once = (0..targets.len())
                .filter(|&number| targets[number].at_once)
                .map(|number| (0..7).map(|next| odds[next] * worth[number][next]).sum::<f32>());
            let later = (0..decider.reach().premoves().len()).map(|premove| {
                (0..7)
                    .map(|next| {
                        let reached =
                            (0..targets.len()).filter(|&number| targets[number].premoves >> premove & 1 == 1);
                        odds[next] * reached.map(|number| worth[number][next]).fold(0.0, f32::max)
                    })
                    .sum::<f32>()
            });
            let greatest = at_once.chain(later).fold(0.0, f32::max);
            assert!((greatest / choice.value - 1.0).abs() < 1e-5, "{name}");
            premoves += usize::from(choice.premove.is_some());
            decisions += 1;
            board = decider.children()[choice.targets[0]].board;
        }
        assert!(decisions > 5, "{name}");
        assert_eq!(premoves > 0, name != "bt-30hz-61f", "{name}");
    }
}

/// Every measure but the fit has its weight; boards are rated alike for each next piece.
fn next_blind() -> Linear {
    let mut weights = WeightsFile::built_in().weights;
    for weights in &mut weights {
        weights[21] = 0.0;
    }
    Linear::by_speed(&Format::HEADLINE, weights)
}

#[test]
fn two_pieces_ahead_is_the_greatest_sum_over_the_places_of_the_second() {
    let mut linear = next_blind();
    let mut ahead = Ahead::new(&Format::HEADLINE, linear.clone(), &[400]);
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
fn a_judge_that_looks_at_few_boards_takes_one_of_those_that_looked_best() {
    let linear = next_blind();
    let mut one = Ahead::new(&Format::HEADLINE, linear.clone(), &[1]);
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
fn el_tetris_plays_the_first_game_of_the_report_as_ever() {
    let mut decider = Decider::new(&Format::HEADLINE);
    let seed = report_seeds(1)[0];
    let game = play(&mut decider, &mut Linear::new(EL_TETRIS), &Start::default(), seed, deal(seed));
    assert_eq!(game.seed, 14_167_559);
    // Four cells a piece, ten a line.
    assert!(4 * game.pieces >= 10 * game.lines);
    assert_eq!(game.lines, game.lines_at.iter().sum::<u32>());
    assert!(
        game.lines > 330 && game.at[0] < game.at[1] && game.at[1] < game.at[2] && game.at[2] < game.score
    );
}

#[test]
fn a_game_on_the_cartridge_ends_at_330_lines_and_one_at_double_speed_at_430() {
    for (name, last) in [("bt-30hz-18f-cartridge", 330), ("bt-30hz-18f", 430)] {
        let format: Format = name.parse().unwrap();
        let mut decider = Decider::new(&format);
        let start = Start { lines: last - 3, ..Start::default() };
        let game = play(&mut decider, &mut Linear::new(EL_TETRIS), &start, 7, deal(0x00AB_CDEF));
        assert!((last..last + 4).contains(&game.lines), "{name}");
        assert!(game.score >= points(1, last), "{name}");
    }
}

/// Rounds of a training as a program would go through them.
fn trained(mut learner: Learner, rounds: usize) -> Learner {
    for _ in 0..rounds {
        let mut actor = Actor::new(&learner.assignment(), &Nets::default());
        let games: Vec<_> = learner.tasks().iter().map(|task| actor.play(task).unwrap()).collect();
        learner.learn(&games);
    }
    learner
}

/// A round whose games go to and fro as bytes, and are played out of their order by two actors, one
/// game by both.
fn trained_elsewhere(learner: &mut Learner) {
    let assignment = Assignment::from_bytes(&learner.assignment().to_bytes()).unwrap();
    let mut actors = [(); 2].map(|()| Actor::new(&assignment, &Nets::default()));
    let tasks = learner.tasks();
    actors[1].play(&tasks[0]).unwrap();
    let mut games: Vec<Vec<u8>> = vec![Vec::new(); tasks.len()];
    for (number, task) in tasks.iter().enumerate().rev() {
        let experience = actors[number % 2].play(task).unwrap();
        games[number] = Played { assignment: assignment.hash(), seed: task.seed, experience }.to_bytes();
    }
    let games = games.iter().map(|bytes| Played::from_bytes(bytes).unwrap());
    learner.learn_played(games.collect()).unwrap();
}

#[test]
fn games_played_elsewhere_and_in_another_order_teach_the_same_bytes() {
    let plan = Plan { games: 6, taught: 1, ..Plan::new(Format::HEADLINE, Speed::L39, 5) };
    let here = trained(Learner::new(plan.clone()), 3);
    let mut elsewhere = Learner::new(plan);
    (0..3).for_each(|_| trained_elsewhere(&mut elsewhere));
    assert!(here.to_bytes() == elsewhere.to_bytes());
}

#[test]
fn games_of_another_round_are_not_learned_from() {
    let plan = Plan { games: 2, taught: 4, ..Plan::new(Format::HEADLINE, Speed::L39, 5) };
    let mut learner = Learner::new(plan);
    let assignment = learner.assignment();
    let mut actor = Actor::new(&assignment, &Nets::default());
    let hash = assignment.hash();
    let played =
        |(task, experience): (&Task, Experience)| Played { assignment: hash, seed: task.seed, experience };
    let tasks = learner.tasks();
    let games: Vec<Played> = tasks.iter().map(|task| (task, actor.play(task).unwrap())).map(played).collect();
    let before = learner.to_bytes();
    let refused = |learner: &mut Learner, games: Vec<Played>| learner.learn_played(games).unwrap_err();
    assert_eq!(refused(&mut learner, games[..1].to_vec()), PlayedError::Count { expected: 2, found: 1 });
    let turned = vec![games[1].clone(), games[0].clone()];
    assert!(matches!(refused(&mut learner, turned), PlayedError::Seed { number: 0, .. }));
    let mut wrong = games.clone();
    wrong[1].experience.samples[0].columns[3] = 1 << 20;
    assert_eq!(refused(&mut learner, wrong), PlayedError::Sample { number: 1 });
    let mut wrong = games.clone();
    wrong[0].experience.samples[0].share = f32::NAN;
    assert_eq!(refused(&mut learner, wrong), PlayedError::Sample { number: 0 });
    let mut wrong = games.clone();
    wrong[0].experience.samples[0].odds = 1.5;
    assert_eq!(refused(&mut learner, wrong), PlayedError::Sample { number: 0 });
    assert!(learner.to_bytes() == before);
    learner.learn_played(games.clone()).unwrap();
    assert!(matches!(refused(&mut learner, games), PlayedError::Assignment { number: 0, .. }));
    assert!(actor.play(&Task { columns: [1 << 20; 10], lines: 330, seed: 1 }).is_err());
    assert!(actor.play(&Task { columns: [0; 10], lines: 5_000, seed: 1 }).is_err());
}

#[test]
fn a_training_that_was_saved_and_loaded_goes_on_to_the_same_bytes() {
    for average in [1.0, 3.0] {
        let plan = Plan { games: 6, taught: 2, average, ..Plan::new(Format::HEADLINE, Speed::L39, 5) };
        let unbroken = trained(Learner::new(plan.clone()), 4).to_bytes();
        let mut broken = Learner::new(plan);
        for _ in 0..4 {
            broken = trained(Learner::from_bytes(&broken.to_bytes()).unwrap(), 1);
        }
        assert!(broken.to_bytes() == unbroken, "{average}");
    }
}

#[test]
fn a_net_that_is_an_average_differs_from_the_one_that_learns() {
    let plan = |average| Plan { games: 6, taught: 2, average, ..Plan::new(Format::HEADLINE, Speed::L39, 5) };
    let alone = |rounds| trained(Learner::new(plan(1.0)), rounds).net().clone();
    let averaged = |rounds| trained(Learner::new(plan(2.0)), rounds).net().clone();
    // The first round is all that there is to average, and the weights play the games of the second
    // for either. After it the average lies half way from the first net to the second.
    assert!(averaged(1) == alone(1));
    let difference = |one: &Net, other: &Net| {
        let board = Playfield { columns: [0b111 << 17; 10] };
        let conditions = Conditions::of(&Format::HEADLINE);
        let [one, other] = [one, other].map(|net| net.shares(conditions, &features(&board, 60)));
        one.iter().zip(&other).map(|(one, other)| (one - other).abs()).sum::<f32>()
    };
    let whole = difference(&alone(1), &alone(2));
    let half = difference(&alone(1), &averaged(2));
    assert!(whole > 0.0 && (0.3..0.7).contains(&(half / whole)), "{half} of {whole}");
}

#[test]
fn damaged_files_are_refused_and_say_why() {
    let learner = Learner::new(Plan::new(Format::HEADLINE, Speed::L29, 1));
    let provenance = learner.provenance("a test");
    let bytes = learner.net().to_bytes(&provenance);
    assert_eq!(Net::from_bytes(&bytes).unwrap(), (learner.net().clone(), provenance));
    for (damage, expected) in
        [(0, "begins with MAXOUTVN"), (9, "header"), (40, "damaged"), (bytes.len() - 1, "damaged")]
    {
        let mut bytes = bytes.clone();
        bytes[damage] ^= 0x40;
        let message = Net::from_bytes(&bytes).unwrap_err().to_string();
        assert!(
            message.contains(expected) || message.contains("whole") || message.contains("damaged"),
            "{damage}: {message}"
        );
    }
    let game = Played { assignment: 1, seed: 2, experience: Experience::default() };
    let (assignment, game) = (learner.assignment().to_bytes(), game.to_bytes());
    for length in [0, 4, 8, 11, 12, 30, bytes.len() - 1] {
        assert!(Net::from_bytes(&bytes[..length]).is_err(), "{length}");
        assert!(Assignment::from_bytes(&assignment[..length]).is_err(), "{length}");
        assert!(Played::from_bytes(&game[..length.min(game.len() - 1)]).is_err(), "{length}");
    }
    assert!(Learner::from_bytes(&bytes).is_err());
}

fn some_nets() -> value::Nets {
    Speed::ALL.map(|speed| Some(Net::random(Outputs::usual(speed), speed as u64 + 1).into()))
}

#[test]
fn nets_two_pieces_ahead_say_of_each_next_piece_what_its_own_decision_is_worth() {
    let plain = Guided::new(&Format::HEADLINE, some_nets(), next_blind(), 0);
    let mut ahead = NetAhead::new(&Format::HEADLINE, plain.clone(), &[400], 0);
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
    let plain = Guided::new(format, some_nets(), next_blind(), 0);
    let mut three = NetAhead::new(format, plain.clone(), &[3, 2], 0);
    let mut two = NetAhead::new(format, plain.clone(), &[2], 0);
    let mut linear_three = Ahead::new(format, next_blind(), &[3, 2]);
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
        let mut of_second = Ahead::new(&blind, next_blind(), &[2]);
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
    let plain = Guided::new(format, some_nets(), next_blind(), 0);
    let (mut narrow, mut all) =
        (NetAhead::new(format, plain.clone(), &[6, 2], 2), NetAhead::new(format, plain.clone(), &[6, 2], 0));
    let mut two = NetAhead::new(format, plain, &[6], 0).remembering();
    let mut decider = Decider::new(format);
    let board = Playfield { columns: [0b11 << 18; 10].map(|rows| rows & !(1 << 19)) };
    // Level 39 has no premoves: a board is looked at for every next piece.
    let mut worths = |judge: &mut NetAhead| {
        decider.decide(judge, &board, 330, Piece::T).unwrap();
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
fn boards_that_a_search_looked_at_are_learned_from_too() {
    let plan = |ahead, looked_at| Plan {
        games: 4,
        taught: 1,
        from_net: true,
        ahead,
        looked_at,
        // A game then has odds of 0 or 1, a board that was looked at others.
        lambda: 1.0,
        exploration: 0.0,
        ..Plan::new(Format::HEADLINE, Speed::L39, 3)
    };
    let samples = |plan: Plan| {
        let mut learner = Learner::from_net(plan, Net::random(Outputs::usual(Speed::L39), 1));
        let mut counts = Vec::new();
        for _ in 0..2 {
            let actor = Actor::new(&learner.assignment(), &Nets::default());
            let games: Vec<Experience> =
                learner.tasks().iter().map(|task| actor.clone().play(task).unwrap()).collect();
            let of = |known: bool| {
                let samples = games.iter().flat_map(|game| &game.samples);
                samples
                    .filter(|sample| {
                        [0.0f32, 1.0].map(f32::to_bits).contains(&sample.odds.to_bits()) == known
                    })
                    .count()
            };
            counts.push((of(true), of(false)));
            learner.learn(&games);
            assert_eq!(Learner::from_bytes(&learner.to_bytes()).unwrap(), learner);
        }
        counts
    };
    let plain = samples(plan(2, 0));
    assert!(plain.iter().all(|&(_, looked_at)| looked_at == 0), "{plain:?}");
    // The first round learns from what it came to alone. Later every third of the fourteen of a
    // decision.
    let both = samples(plan(2, 3));
    assert_eq!(both[0].1, 0);
    let share = both[1].1 as f64 / both[1].0 as f64;
    assert!((3.0..6.5).contains(&share), "{both:?}");
}

#[test]
fn rows_come_up_with_a_hole_in_one_column_of_each_game_and_none_where_the_plan_has_none() {
    // Row 19, which nothing clears while it has a hole that no piece reaches.
    const FLOOR: u32 = 1 << 19;
    let games = |garbage: f32| -> Vec<Experience> {
        let plan = Plan { games: 24, garbage, ..Plan::new(Format::HEADLINE, Speed::L18, 3) };
        let learner = Learner::new(plan);
        let mut actor = Actor::new(&learner.assignment(), &Nets::default());
        let games: Vec<Experience> = learner.tasks().iter().map(|task| actor.play(task).unwrap()).collect();
        let again: Vec<Experience> = learner.tasks().iter().map(|task| actor.play(task).unwrap()).collect();
        assert_eq!(games, again);
        assert_eq!(Learner::from_bytes(&learner.to_bytes()).unwrap(), learner);
        games
    };
    let holes = |game: &Experience| -> BTreeSet<usize> {
        let of = |columns: &[u32; 10]| -> Option<usize> {
            let mut open = (0..10).filter(|&x| columns[x] & FLOOR == 0);
            open.next().filter(|_| open.next().is_none())
        };
        game.samples.iter().filter_map(|sample| of(&sample.columns)).collect()
    };
    let (none, some) = (games(0.0), games(1.5));
    let pieces = |games: &[Experience]| games.iter().map(|game| game.samples.len()).sum::<usize>();
    assert!(pieces(&some) < pieces(&none), "who is pushed up lasts less long");
    let columns: BTreeSet<usize> = some.iter().flat_map(holes).collect();
    assert!(columns.len() > 6, "{columns:?}");
    // Cells of a game without such rows are those of its pieces, and of the rows that are gone.
    let odd = |games: &[Experience]| {
        let samples = games.iter().flat_map(|game| &game.samples);
        samples.filter(|sample| Playfield { columns: sample.columns }.cells() % 2 == 1).count()
    };
    assert_eq!(odd(&none), 0);
    assert!(odd(&some) > 0);
}

#[test]
fn cells_of_the_rightmost_column_cost_what_the_plan_says() {
    let worths = |well: f32| {
        let mut judge = NetJudge::new(&Format::HEADLINE, some_nets()).with_well(well);
        let mut decider = Decider::new(&Format::HEADLINE);
        decider.decide(&mut judge, &Playfield::EMPTY, 10, Piece::O).unwrap();
        let worths = decider.worths().to_vec();
        (decider.children().to_vec(), worths)
    };
    let ((children, free), (_, costly)) = (worths(0.0), worths(1_000.0));
    let mut there = 0;
    for ((child, free), costly) in children.iter().zip(free).zip(costly) {
        let cells = child.board.columns[9].count_ones();
        there += cells;
        assert!((free[0] - costly[0] - 1_000.0 * cells as f32).abs() < 1.0, "{cells}");
    }
    assert_eq!(there, 2);
}

#[test]
fn a_guided_net_decides_among_the_boards_that_the_weights_like_best() {
    let linear = next_blind();
    let mut guided = Guided::new(&Format::HEADLINE, some_nets(), linear.clone(), 3);
    let mut alone = Guided::new(&Format::HEADLINE, some_nets(), linear.clone(), 0);
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
fn the_best_placement_loses_nothing_and_every_other_something() {
    let format = Format::HEADLINE;
    let nets = some_nets();
    let mind = NetMind { caution: 0.0, ..NetMind::new(nets.clone(), next_blind()) };
    let mut reviewer = Reviewer::new(&format, mind.into());
    let mut decider = Decider::new(&format);
    let mut judge = NetJudge::new(&format, nets);
    let board = Playfield { columns: [0b11 << 18; 10].map(|rows| rows & !(1 << 19)) };
    for (piece, next) in [(Piece::T, Piece::I), (Piece::Z, Piece::O)] {
        decider.decide(&mut judge, &board, 230, piece).unwrap();
        let best =
            decider.worths().iter().map(|worth| worth[next as usize]).fold(f32::NEG_INFINITY, f32::max);
        for (child, worth) in decider.children().iter().zip(decider.worths()) {
            let review = reviewer.review(&board, 230, piece, next, child.place);
            assert!(review.reachable);
            assert!(
                (review.value - worth[next as usize]).abs() < 1.0 && (review.best_value - best).abs() < 1.0
            );
            assert!(review.loss() >= 0.0 && (review.loss() == 0.0) == (review.best == child.place));
            let odds = review.odds.unwrap();
            // Level 29 has come; what is beyond it has odds.
            assert!(odds[..2] == [1.0, 1.0] && odds[2] > 0.0 && odds[2] < 1.0, "{odds:?}");
        }
    }
}

#[test]
fn the_odds_of_a_decision_are_the_mean_of_the_boards_that_it_leads_to() {
    let format = &Format::HEADLINE;
    let nets = some_nets();
    let plain = |caution| Guided::new(format, nets.clone(), next_blind(), 0).with_caution(caution);
    let mut decider = Decider::new(format);
    let board = Playfield { columns: [0b11 << 18; 10].map(|rows| rows & !(1 << 19)) };
    for (lines, piece) in [(40, Piece::T), (200, Piece::S), (300, Piece::L)] {
        let mut judge = plain(0.5);
        let choice = decider.decide(&mut judge, &board, lines, piece).unwrap();
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
        let stake = judge.stake();
        assert!((choice.value - choice.points - stake * choice.odds).abs() < 2.0);
        assert_eq!(stake > 0.0, slot < 2, "{lines}");
        let bold = decider.decide(&mut plain(0.0), &board, lines, piece).unwrap();
        assert_eq!(bold.value.to_bits(), bold.points.to_bits());
        // Whoever is cautious gives points away for odds, or decides alike.
        assert!(choice.points <= bold.points + 2.0 && choice.odds >= bold.odds - 1e-5, "{lines}");

        // Two pieces deep they are those of the next piece's own decision.
        let mut two = NetAhead::new(format, plain(0.5), &[400], 0).remembering();
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
    let plain = Guided::new(format, some_nets(), next_blind(), 0).with_caution(1.0);
    // A row but for its last two columns, and level 18 a line before its end.
    let mut board = Playfield::EMPTY;
    board.columns[..8].fill(1 << 19);
    for breadth in [0, 400] {
        let mut judge = NetAhead::new(format, plain.clone(), &[breadth], 0);
        let mut decider = Decider::new(format);
        decider.decide(&mut judge, &board, 129, Piece::O).unwrap();
        let find = |cleared| decider.children().iter().position(|child| child.cleared == cleared).unwrap();
        let (through, beside) = (find(1), find(0));
        assert_eq!((decider.children()[through].lines, decider.children()[beside].lines), (130, 129));
        assert!(judge.odds()[through][..7].iter().all(|odds| odds.to_bits() == 1.0f32.to_bits()));
        // A piece that follows may fill the row.
        let least = judge.odds()[beside][..7].iter().copied().fold(1.0, f32::min);
        assert!(least > 0.0 && (breadth > 0 || least < 1.0), "{least}");
        // So it has where nothing is known of the next speed.
        let mut nets = some_nets();
        nets[1] = None;
        let alone = Guided::new(format, nets, next_blind(), 0).with_caution(1.0);
        let mut alone = NetAhead::new(format, alone, &[breadth], 0);
        let mut other = Decider::new(format);
        other.decide(&mut alone, &board, 129, Piece::O).unwrap();
        assert!(other.worths()[through][..7].iter().all(|&worth| worth > 1e6));
        // The stake is whole after it.
        assert!(judge.stake() > 1e6 && decider.worths()[through][..7].iter().all(|&worth| worth > 1e6));
    }
}
