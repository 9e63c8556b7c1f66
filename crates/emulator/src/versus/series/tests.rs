use autopilot::{Autopilot, Settings};

use super::*;

const START: u8 = 16;

pub(in super::super) const IMAGES: [&[u8]; 2] =
    [include_bytes!("../../../../../roms/maxout.nes"), include_bytes!("../../../../../roms/maxout-slow.nes")];

pub(in super::super) fn played(image: &[u8], own: usize, kind: MatchKind, best_of: u8) -> Match {
    let cartridge = Cartridge::from_bytes(image).unwrap();
    let profile = Profile::of_image(image).unwrap();
    let rules = MatchRules { kind, best_of, level: 18, dealer: Kind::Nes, seed: 7 };
    Match::begin(&cartridge, &profile, rules, own, Some(48_000)).expect("a game begins")
}

fn standing(is_out: bool, score: u32, lines: u32) -> Standing {
    Standing { is_out, score, lines }
}

#[test]
fn each_kind_decides_a_game_as_its_rule_says() {
    use Decision::{Draw, Won};
    use MatchKind::{ChaseDown, Garbage, LastAlive, Lines, Score};
    let [on, out] = [false, true];
    for (kind, one, two, expected) in [
        (Garbage, standing(on, 0, 0), standing(on, 9, 9), None),
        (Garbage, standing(out, 9, 9), standing(on, 0, 0), Some(Won(1))),
        (LastAlive, standing(on, 0, 0), standing(out, 9, 9), Some(Won(0))),
        (LastAlive, standing(out, 3, 0), standing(out, 2, 9), Some(Won(0))),
        (LastAlive, standing(out, 3, 0), standing(out, 3, 9), Some(Draw)),
        (Score, standing(out, 3, 0), standing(on, 9, 9), None),
        (Score, standing(out, 3, 0), standing(out, 9, 9), Some(Won(1))),
        (ChaseDown, standing(out, 30, 0), standing(on, 30, 9), None),
        (ChaseDown, standing(out, 30, 0), standing(on, 31, 9), Some(Won(1))),
        (ChaseDown, standing(on, 31, 0), standing(out, 30, 9), Some(Won(0))),
        (ChaseDown, standing(out, 30, 0), standing(out, 29, 9), Some(Won(0))),
        (Lines(40), standing(on, 0, 40), standing(on, 9, 39), Some(Won(0))),
        (Lines(40), standing(on, 9, 39), standing(out, 9, 39), Some(Won(0))),
        (Lines(40), standing(on, 1, 41), standing(on, 2, 40), Some(Won(1))),
        (Lines(40), standing(on, 1, 39), standing(on, 2, 39), None),
    ] {
        assert_eq!(kind.decide([one, two]), expected, "{kind}: {one:?} {two:?}");
    }
}

#[test]
fn kinds_are_read_as_they_are_written() {
    for kind in [MatchKind::Garbage, MatchKind::Score, MatchKind::LastAlive, MatchKind::ChaseDown] {
        assert_eq!(kind.to_string().parse(), Ok(kind));
    }
    assert_eq!("lines".parse(), Ok(MatchKind::Lines(40)));
    assert_eq!("lines=100".parse(), Ok(MatchKind::Lines(100)));
    assert_eq!(MatchKind::Lines(100).to_string(), "lines=100");
    for text in ["", "line", "lines=0", "lines=1000", "score=5", "lines="] {
        assert!(text.parse::<MatchKind>().is_err(), "{text}");
    }
    assert_eq!(MatchKind::of_number(4, 0), None);
    assert_eq!(MatchKind::of_number(5, 1), None);
}

#[test]
fn both_are_ready_and_both_games_begin_in_the_same_frame() {
    for image in IMAGES {
        let mut game = played(image, 0, MatchKind::Score, 1);
        let frames = |game: &Match| [0, 1].map(|player| game.duel().console(player).frame_number());
        let begun = frames(&game);
        // One alone begins nothing, however long the button is held.
        (0..100).for_each(|_| game.frame([START, 0]));
        assert_eq!((game.stage(), frames(&game)), (Stage::Ready([true, false]), begun));
        game.frame([0, START]);
        assert_eq!(game.stage(), Stage::Countdown(COUNTDOWN));
        (0..COUNTDOWN).for_each(|_| game.frame([0, 0]));
        assert_eq!((game.stage(), frames(&game)), (Stage::Playing, begun));
        game.frame([0, 0]);
        assert_eq!(frames(&game), begun.map(|frame| frame + 1));
    }
}

/// Plays until the game is over: player 0 drops its pieces, the other turns and drops them.
pub(in super::super) fn play_to_the_end(game: &mut Match, mut witness: impl FnMut([u8; 2], &Match)) {
    for frame in 0..20_000_u32 {
        let drop = if frame % 30 < 28 { 4 } else { 0 };
        let buttons = match game.stage() {
            Stage::Playing => [drop, if frame % 50 < 8 { 2 } else { 0 }],
            Stage::Over { .. } => break,
            _ if frame % 2 == 0 => [START; 2],
            _ => [0; 2],
        };
        game.frame(buttons);
        witness(buttons, game);
    }
    assert!(matches!(game.stage(), Stage::Over { .. }), "the game ends");
}

#[test]
fn games_follow_each_other_with_other_pieces_until_the_match_is_won_and_then_a_rematch() {
    let mut game = played(IMAGES[0], 0, MatchKind::LastAlive, 3);
    for wins in [1, 2] {
        let before = game.duel().hash();
        play_to_the_end(&mut game, |_, _| {});
        assert_eq!(game.wins(), [0, wins]);
        assert_ne!(game.duel().hash(), before);
        // Both ask for the next one, after a second.
        game.frame([0, 0]);
        game.frame([START; 2]);
        assert!(matches!(game.stage(), Stage::Over { ready: [false, false], .. }));
        (0..REST).for_each(|_| game.frame([0, 0]));
        assert_eq!(game.winner(), (wins == 2).then_some(1));
        game.frame([START; 2]);
        assert_eq!((game.stage(), game.game()), (Stage::Countdown(COUNTDOWN), u32::from(wins)));
    }
    assert_eq!((game.wins(), game.winner(), game.results().len()), ([0, 0], None, 2));
    let begins =
        [0, 1, 2].map(|game| played(IMAGES[0], 0, MatchKind::Score, 1).course.begin(game).unwrap().0.hash());
    assert!(begins[0] != begins[1] && begins[1] != begins[2], "other pieces each time");
}

/// Each player's game in one go, and both frame by frame.
#[test]
fn games_that_are_run_apart_are_the_same_rows_and_all() {
    let one_by_one: Both<'_> = &|one, two| {
        one();
        two();
    };
    for image in IMAGES {
        let mut game = played(image, 0, MatchKind::Garbage, 5);
        let profile = Profile::of_image(image).unwrap();
        let player = |level| Autopilot::new(profile.clone(), Settings { level, ..Settings::default() });
        let (mut players, mut held, mut ends) = ([player(18), player(18)], Vec::new(), Vec::new());
        for frame in 0..6_000_u32 {
            let buttons = match game.stage() {
                Stage::Playing => [0, 1].map(|at| players[at].action(game.duel().console(at)).buttons.bits()),
                _ => [START * (frame % 2) as u8; 2],
            };
            // One of them stops playing, so that games end, too.
            let buttons = if frame % 2_000 > 1_500 { [buttons[0], 4 * (frame % 2) as u8] } else { buttons };
            game.frame(buttons);
            held.push(buttons);
            if held.len().is_multiple_of(500) {
                ends.push((game.hash(), game.duel().status(), game.stage(), game.wins()));
            }
        }
        let sent = ends.iter().map(|(_, status, ..)| status.sent.iter().sum::<u32>()).max();
        assert!(sent > Some(2) && !game.results().is_empty(), "{sent:?} rows, {:?}", game.results());
        let mut copy = played(image, 0, MatchKind::Garbage, 5);
        for (held, end) in held.chunks(500).zip(ends) {
            copy.run(held, one_by_one);
            assert_eq!((copy.hash(), copy.duel().status(), copy.stage(), copy.wins()), end);
        }
        assert_eq!(copy.results(), game.results());
    }
}

#[test]
fn who_is_out_waits_and_rows_go_over_in_one_kind_alone() {
    let mut game = played(IMAGES[0], 1, MatchKind::Score, 1);
    let mut first = None;
    play_to_the_end(&mut game, |_, game| {
        let [one, two] = game.duel().standings();
        if one.is_out && !two.is_out && first.is_none() {
            first = Some(one.score);
        }
        // Start does not begin another game on a console that is out.
        assert!(first.is_none() || one.is_out);
    });
    assert!(first.is_some());
    assert!(game.duel().standings().iter().all(|standing| standing.is_out));
    assert_eq!(game.duel().status().sent, [0, 0]);
}
