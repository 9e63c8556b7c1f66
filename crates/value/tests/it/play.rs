//! Decisions by the terms of a format, games, trainings.

use std::collections::BTreeSet;

use tetris::{Piece, Playfield};
use value::{
    Actor, Assignment, Child, Conditions, Decider, EL_TETRIS, Evaluator, Experience, Format, Learner, Linear,
    Net, NetEvaluator, NetMind, Nets, ODDS, Outputs, Plan, Played, PlayedError, Reviewer, Speed, Start, Task,
    WeightsFile, Worth, deal, features, play, points, report_seeds,
};

/// Ratings that follow from the board alone, as uneven as can be, and different for each next
/// piece.
struct Uneven;

impl Evaluator for Uneven {
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
pub(crate) fn next_blind() -> Linear {
    let mut weights = WeightsFile::built_in().weights;
    for weights in &mut weights {
        weights[21] = 0.0;
    }
    Linear::by_speed(&Format::HEADLINE, weights)
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
    for (average, siblings) in [(1.0, 0.0), (3.0, 0.0), (3.0, 5.0)] {
        let (ahead, looked_at) = if siblings > 0.0 { (3, 2) } else { (0, 0) };
        let plan = Plan { games: 6, taught: 2, average, ..Plan::new(Format::HEADLINE, Speed::L39, 5) };
        let plan = Plan { siblings, ahead, looked_at, ..plan };
        let unbroken = trained(Learner::new(plan.clone()), 4).to_bytes();
        let mut broken = Learner::new(plan);
        for _ in 0..4 {
            broken = trained(Learner::from_bytes(&broken.to_bytes()).unwrap(), 1);
        }
        assert!(broken.to_bytes() == unbroken, "{average}, {siblings}");
    }
}

#[test]
fn siblings_are_learned_from_in_fours_of_one_piece() {
    let plan = Plan {
        games: 3,
        taught: 0,
        ahead: 4,
        looked_at: 1,
        siblings: 5.0,
        ..Plan::new(Format::HEADLINE, Speed::L39, 3)
    };
    let learner = Learner::from_net(plan, Net::random(Outputs::usual(Speed::L39), 1));
    let mut actor = Actor::new(&learner.assignment(), &Nets::default());
    for task in learner.tasks() {
        let samples = actor.play(&task).unwrap().samples;
        let (fours, rest) = samples.as_chunks::<4>();
        assert!(rest.is_empty());
        let siblings: Vec<_> = fours.iter().filter(|four| four[0].is_sibling).collect();
        assert!(siblings.len() >= 7 && siblings.len() < fours.len(), "{} of {}", siblings.len(), fours.len());
        for four in siblings {
            assert!(four.iter().all(|sample| sample.is_sibling && sample.lane == four[0].lane));
            assert!(four.iter().any(|sample| sample.columns != four[0].columns));
        }
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

pub(crate) fn some_nets() -> value::Nets {
    Speed::ALL.map(|speed| Some(Net::random(Outputs::usual(speed), speed as u64 + 1).into()))
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
        let mut evaluator = NetEvaluator::new(&Format::HEADLINE, some_nets()).with_well(well);
        let mut decider = Decider::new(&Format::HEADLINE);
        decider.decide(&mut evaluator, &Playfield::EMPTY, 10, Piece::O).unwrap();
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
fn the_best_placement_loses_nothing_and_every_other_something() {
    let format = Format::HEADLINE;
    let nets = some_nets();
    let mind = NetMind { caution: 0.0, ..NetMind::new(nets.clone(), next_blind()) };
    let mut reviewer = Reviewer::new(&format, mind.into());
    let mut decider = Decider::new(&format);
    let mut evaluator = NetEvaluator::new(&format, nets);
    let board = Playfield { columns: [0b11 << 18; 10].map(|rows| rows & !(1 << 19)) };
    for (piece, next) in [(Piece::T, Piece::I), (Piece::Z, Piece::O)] {
        decider.decide(&mut evaluator, &board, 230, piece).unwrap();
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
