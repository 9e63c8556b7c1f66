//! A game of a real player, and games of ours.

use std::sync::Arc;

use notation::Turn;
use notation::ngf::{Recording, find};
use review::{Class, Hands, Reviewed, Reviewer, Summary, page, scores};
use tetris::{Piece, Playfield};
use value::{Format, Linear, Net, NetMind, Nets, Player, deal, level, points, tuning_seeds};

const REAL: &[u8] = include_bytes!("../../../notation/tests/it/ngf/level18-230lines.ngf.gz");

fn nets() -> Nets {
    let files: [&[u8]; 4] = [
        include_bytes!("../../../value/nets/l18.net"),
        include_bytes!("../../../value/nets/l19.net"),
        include_bytes!("../../../value/nets/l29.net"),
        include_bytes!("../../../value/nets/l39.net"),
    ];
    files.map(|bytes| Some(Arc::new(Net::from_bytes(bytes).unwrap().0)))
}

/// A game of our player at level 18, by nets or by weights, with 30 taps a second.
fn ours(mind: &value::Mind, seed: u32, pieces: usize) -> Vec<Turn> {
    let format = Format { double_at_39: false, ..Format::HEADLINE };
    let mut player = Player::new(&format, mind.clone());
    let dealt: Vec<Piece> = deal(seed).take(pieces + 1).collect();
    let (mut board, mut lines, mut score) = (Playfield::EMPTY, 0, 0);
    let mut turns = Vec::new();
    for (number, pair) in dealt.windows(2).enumerate() {
        let Some(choice) = player.decide(&board, lines, pair[0]) else { break };
        let child = player.decider().children()[choice.targets[pair[1] as usize]];
        turns.push(Turn {
            number: number as u32 + 1,
            board,
            piece: pair[0],
            next: Some(pair[1]),
            level: level(lines) as u8,
            lines,
            score: Some(score),
            place: child.place,
            cleared: child.cleared,
            ms: [0; 2],
            shifts: Vec::new(),
        });
        score += points(child.cleared, child.lines);
        (board, lines) = (child.board, child.lines);
    }
    turns
}

fn reviewed(hands: Hands, turns: &[Turn]) -> Vec<Reviewed> {
    Reviewer::new(hands, nets()).unwrap().reviews(turns).collect()
}

/// A game of the article's player, with the same pieces.
fn article(seed: u32, pieces: usize) -> Vec<Turn> {
    let searcher = ai::Searcher::new(ai::Evaluator::Article, ai::Filter::None);
    let dealt: Vec<Piece> = deal(seed).take(pieces + 1).collect();
    let mut game = ai::Game::new(tetris::Playfield::EMPTY, dealt.clone().into_iter(), 2, searcher);
    let (mut lines, mut turns) = (0, Vec::new());
    for (number, pair) in dealt.windows(2).enumerate() {
        let board = Playfield::from_rows(&game.board().rows());
        let Some(decision) = game.step() else { break };
        let place = decision.place;
        let place = tetris::Placement { orientation: place.orientation, x: place.x, y: place.y };
        let turn = Turn {
            number: number as u32 + 1,
            board,
            piece: pair[0],
            next: Some(pair[1]),
            level: level(lines) as u8,
            lines,
            score: None,
            place,
            cleared: { board }.lock(place),
            ms: [0; 2],
            shifts: Vec::new(),
        };
        lines += turn.cleared;
        turns.push(turn);
    }
    turns
}

#[test]
fn a_review_needs_nets() {
    assert!(Reviewer::new(Hands::default(), Nets::default()).is_err());
}

#[test]
fn our_own_player_loses_less_than_a_tenth_of_what_the_articles_loses_at_level_18() {
    let format = Format { double_at_39: false, ..Format::HEADLINE };
    let linear = Linear::built_in(&format);
    let hands = Hands { hertz: 30.0, reaction: 18 };
    let mind = NetMind { breadths: vec![[6; 4], [2; 4]], narrow: 2, ..NetMind::new(nets(), linear) };
    let (mut own, mut other) = (0.0, 0.0);
    for seed in tuning_seeds(2) {
        let games = [ours(&mind.clone().into(), seed, 120), article(seed, 120)];
        let [ours, articles] = games.map(|turns| {
            assert_eq!(turns.len(), 120);
            let reviews = reviewed(hands, &turns);
            assert!(reviews.iter().all(|review| review.loss >= 0.0));
            Summary::of(&reviews)
        });
        println!(
            "ours {:.0} points a placement, {:.1} %; the article's {:.0}, {:.1} %",
            ours.mean_loss, ours.accuracy, articles.mean_loss, articles.accuracy
        );
        assert!(ours.accuracy > articles.accuracy && ours.unreachable == 0);
        (own, other) = (own + ours.loss, other + articles.loss);
    }
    assert!(own * 10.0 < other, "{own} of {other}");
}

#[test]
fn a_game_of_a_real_console_is_reviewed_from_its_first_piece_to_its_last() {
    let game = find(&Recording::read(REAL).unwrap()).remove(0);
    let hands = Hands::measured(&game.turns).expect("shifts enough");
    println!("{hands:?}");
    assert!((8.0..25.0).contains(&hands.hertz), "{hands:?}");
    let turns = &game.turns[..200];
    let reviews = reviewed(hands, turns);
    assert_eq!(reviews.len(), turns.len());
    for (review, turn) in reviews.iter().zip(turns) {
        assert_eq!(review.chosen.place, turn.place);
        assert_eq!(notation::link::Link::parse(&review.link), Ok(turn.link(hands.hertz.round() as u8)));
        assert!(review.loss >= 0.0 && review.best.value >= review.chosen.value);
        assert_eq!(review.class.is_worth_a_look(), review.kind.is_some());
        assert!(review.chosen.odds.iter().chain(&review.best.odds).all(|odds| (0.0..=1.0).contains(odds)));
    }
    // The clears make the score that the console showed but for soft drops, and go on where it
    // stops.
    let by_clears = scores(&reviews);
    for (review, score) in reviews.iter().zip(&by_clears) {
        let shown = f64::from(review.score.expect("a score"));
        assert!((0.0..5_000.0).contains(&(shown - score)), "piece {}: {shown}, {score}", review.number);
    }
    let stopped: Vec<Reviewed> = reviews
        .iter()
        .map(|review| Reviewed { score: review.score.map(|score| score.min(1_000)), ..review.clone() })
        .collect();
    assert!(by_clears[199] > 100_000.0 && scores(&stopped) == by_clears);
    let summary = Summary::of(&reviews);
    assert!((20.0..100.0).contains(&summary.accuracy));
    for groups in [&summary.classes, &summary.levels, &summary.pieces] {
        assert_eq!(groups.iter().map(|group| group.placements).sum::<u32>(), summary.placements);
        assert!((groups.iter().map(|group| group.loss).sum::<f64>() - summary.loss).abs() < 1.0);
    }
    assert!(reviews.iter().any(|review| review.class >= Class::Mistake));
    let html = page("a < b", &["one".to_owned()], &reviews);
    assert!(
        html.contains("a &lt; b") && html.contains("prefers-color-scheme:dark") && !html.contains("http")
    );
    let shown = reviews.iter().filter(|review| review.class.is_worth_a_look()).count().min(60);
    assert_eq!(html.matches("class=\"turn\"").count(), shown);
    // Both boards of each, with the signs of the window: the placement that was made, and the best.
    for (sign, name) in [("×", "played"), ("1", "better")] {
        assert_eq!(html.matches(&format!("class=\"{name}\">{sign} {name}</b><br>column")).count(), shown);
        let marks = html.matches(&format!("fill=\"var(--ground)\">{sign}</text>")).count();
        assert!(marks <= shown && marks + 3 >= shown, "a few lie above the field: {marks} of {shown}");
    }
}

#[test]
fn a_review_is_read_again_as_it_was_written() {
    let game = find(&Recording::read(REAL).unwrap()).remove(0);
    let reviews = reviewed(Hands::default(), &game.turns[..5]);
    let text = serde_json::to_string(&reviews).unwrap();
    assert_eq!(serde_json::from_str::<Vec<Reviewed>>(&text).unwrap(), reviews);
}
