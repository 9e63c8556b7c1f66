//! The terms of the published figures: ends made by hand to the point, and whole games by seed.

use std::sync::Arc;

use tetris::{Orientation, Piece, Placement, Playfield};
use value::{
    Child, Decider, EL_TETRIS, Evaluator, Format, History, Linear, Mind, Net, NetMind, Nets, Player,
    PointsGame, Start, Worth, breadths_by_speed, deal, play, points, report_seeds,
};

/// Likes to clear, and otherwise nothing.
struct Clearing;

impl Evaluator for Clearing {
    fn begin(&mut self, _: &Playfield, _: u32) {}

    fn rate(&mut self, child: &Child) -> Worth {
        [child.cleared as f32; 8]
    }
}

/// A board of so many rows from the bottom, full but for the sixth column, in which an I stands.
fn well(rows: u32) -> Playfield {
    let mut board = Playfield::EMPTY;
    for (x, column) in board.columns.iter_mut().enumerate() {
        if x != 5 {
            *column = ((1 << rows) - 1) << (20 - rows);
        }
    }
    board
}

/// Plays an I, then squares, on such a board.
fn after(rows: u32, lines: u32, squares: usize) -> PointsGame {
    after_in(&Format::HEADLINE, rows, lines, squares)
}

fn after_in(format: &Format, rows: u32, lines: u32, squares: usize) -> PointsGame {
    let start = Start { board: well(rows), lines, ..Start::default() };
    let pieces = std::iter::once(Piece::I).chain(std::iter::repeat_n(Piece::O, squares + 1));
    play(&mut Decider::new(format), &mut Clearing, &start, 9, pieces)
}

#[test]
fn a_clear_that_crosses_a_level_has_the_points_of_the_level_after_it() {
    // 129 + 4: a tetris at level 19, all of it in the points at 130.
    let game = after(4, 129, 2);
    assert_eq!((game.score, game.lines, game.seed), (1_200 * 20, 133, 9));
    assert_eq!(game.at, [24_000; 3]);
    assert_eq!((game.lines_at, game.tetris_lines_at), ([4, 0, 0, 0], [4, 0, 0, 0]));
    // 329 + 1: a single at level 39.
    let game = after(1, 329, 2);
    assert_eq!((game.score, game.lines, game.at), (40 * 40, 330, [0, 0, 1_600]));
    assert_eq!((game.lines_at, game.tetris_lines_at), ([0, 0, 1, 0], [0; 4]));
    // 429 + 4: the last clear counts whole, at level 49, and nothing is placed after it.
    let game = after(4, 429, 2);
    assert_eq!((game.score, game.lines, game.pieces), (1_200 * 50, 433, 1));
    assert_eq!((game.at, game.lines_at, game.tetris_lines_at), ([0; 3], [0, 0, 0, 4], [0, 0, 0, 4]));
}

#[test]
fn a_game_ends_with_the_lock_that_brings_its_last_line() {
    for (format, last) in [("bt-30hz-18f", 430), ("bt-30hz-18f-cartridge", 330)] {
        let format: Format = format.parse().unwrap();
        for (rows, lines, pieces) in [(1, last - 1, 1), (4, last - 4, 1), (4, last - 5, 4), (1, last - 2, 4)]
        {
            let game = after_in(&format, rows, lines, 3);
            assert_eq!((game.pieces, game.lines), (pieces, lines + rows), "{format}: {lines} + {rows}");
        }
    }
    // At its end nothing begins.
    assert_eq!(after(4, 430, 2), PointsGame { seed: 9, lines: 430, ..PointsGame::default() });
}

#[test]
fn tetrises_alone_are_tetris_lines_and_points_stop_at_their_line() {
    for (rows, each) in [(1, 40), (2, 100), (3, 300), (4, 1_200)] {
        for (slot, lines) in [0, 130, 230, 330].into_iter().enumerate() {
            let game = after(rows, lines, 1);
            let level = if lines == 0 { 18 } else { lines / 10 + 6 };
            assert_eq!(game.score, each * (level + 1), "{rows} rows at {lines} lines");
            let (mut all, mut by_tetrises) = ([0; 4], [0; 4]);
            all[slot] = rows;
            by_tetrises[slot] = if rows == 4 { 4 } else { 0 };
            assert_eq!((game.lines_at, game.tetris_lines_at), (all, by_tetrises));
            // Points after a line are not points at that line.
            let at = [130, 230, 330].map(|limit| if lines < limit { game.score } else { 0 });
            assert_eq!((game.at, game.pieces), (at, 2), "{lines}");
        }
    }
    // Two clears: the one that reaches 130 counts at 130, the one after it does not.
    let board = well(8);
    let start = Start { board, lines: 128, ..Start::default() };
    let pieces = [Piece::I, Piece::I, Piece::O];
    let game = play(&mut Decider::new(&Format::HEADLINE), &mut Clearing, &start, 9, pieces.into_iter());
    assert_eq!((game.lines, game.score), (136, 2 * 1_200 * 20));
    assert_eq!((game.at, game.lines_at), ([24_000, 48_000, 48_000], [4, 4, 0, 0]));
}

#[test]
fn a_place_without_a_premove_can_be_decided_at_the_spawn() {
    for name in ["bt-30hz-18f", "bt-15hz-18f", "bt-30hz-0f"] {
        let format: Format = name.parse().unwrap();
        let (mut decider, mut linear) = (Decider::new(&format), Linear::built_in(&format));
        let (mut board, mut premoves) = (Playfield::EMPTY, 0);
        for pair in deal(0x0012_3456).take(80).collect::<Vec<_>>().windows(2) {
            let Some(choice) = decider.decide(&mut linear, &board, 0, pair[0]) else { break };
            let targets = decider.reach().targets();
            for target in choice.targets {
                match choice.premove {
                    Some(premove) => assert!(targets[target].premoves >> premove & 1 == 1, "{name}"),
                    None => assert!(targets[target].at_once && target == choice.targets[0], "{name}"),
                }
            }
            premoves += usize::from(choice.premove.is_some());
            board = decider.children()[choice.targets[pair[1] as usize]].board;
        }
        assert!(premoves > 0, "{name}");
    }
}

#[test]
fn a_history_is_the_game_in_the_columns_of_betatetris() {
    let format = Format::HEADLINE;
    let mut player = Player::new(&format, Linear::built_in(&format).into());
    let (seed, mut history) = (report_seeds(1)[0], History::default());
    let game = player.play_watched(&Start::default(), seed, deal(seed), &mut |placed| history.add(placed));
    let line = history.line(&game);
    let columns: Vec<&str> = line.split(',').collect();
    let [at_130, at_230, at_330] = game.at;
    let numbers = [seed, at_130, at_230, at_330, game.score, game.lines].map(|number| number.to_string());
    assert_eq!(columns[..6], numbers.each_ref().map(|number| &**number));
    let (placements, choices) = (columns[6].as_bytes(), columns[7].as_bytes());
    assert_eq!((placements.len(), choices.len()), (4 * game.pieces as usize, 3 * game.pieces as usize));
    // Played again by the text alone, it comes to the same lines and points.
    let (mut board, mut lines, mut score, mut premoves) = (Playfield::EMPTY, 0, 0, 0);
    let mut pieces = deal(seed);
    let mut piece = pieces.next().unwrap();
    for (placement, choice) in placements.chunks(4).zip(choices.chunks(3)) {
        let digits: Vec<u32> = placement.iter().map(|&byte| char::from(byte).to_digit(20).unwrap()).collect();
        let turned = |turns: u32| (0..turns).fold(Orientation::spawn(piece), |one, _| one.clockwise());
        let place = Placement { orientation: turned(digits[0]), y: digits[1] as u8, x: digits[2] as u8 };
        assert!(place.cells().iter().all(|&(x, y)| (0..10).contains(&x) && (0..20).contains(&y)));
        let cells = board.cells();
        let cleared = board.lock(place);
        assert_eq!(board.cells() + 10 * cleared, cells + 4, "cells overlap");
        assert_eq!(cleared, digits[3]);
        lines += cleared;
        score += points(cleared, lines);
        piece = pieces.next().unwrap();
        assert_eq!(char::from(choice[2]), piece.letter());
        premoves += usize::from(choice[0] != b'-');
    }
    assert_eq!((lines, score), (game.lines, game.score));
    assert!(premoves > 0 && premoves < game.pieces as usize);
}

/// The nets of the repository.
fn nets() -> Nets {
    [
        &include_bytes!("../../nets/l18.net")[..],
        include_bytes!("../../nets/l19.net"),
        include_bytes!("../../nets/l29.net"),
        include_bytes!("../../nets/l39.net"),
    ]
    .map(|bytes| Some(Arc::new(Net::from_bytes(bytes).unwrap().0)))
}

/// A game that was played before: its format, the number of its seed in the report, its first line,
/// and its figures.
type Pinned = (&'static str, usize, u32, Figures);
/// Score, lines, pieces; points at 130, 230, 330; lines by speed; those by tetrises.
type Figures = ([u32; 3], [u32; 3], [u32; 4], [u32; 4]);

fn check(pinned: &[Pinned], mind: impl Fn(&Format) -> Mind) {
    for &(name, number, lines, figures) in pinned {
        let format: Format = name.parse().unwrap();
        let seed = report_seeds(number + 1)[number];
        let start = Start { lines, ..Start::default() };
        let game = Player::new(&format, mind(&format)).play(&start, seed, deal(seed));
        let PointsGame { score, lines, pieces, at, lines_at, tetris_lines_at, .. } = game;
        assert_eq!(([score, lines, pieces], at, lines_at, tetris_lines_at), figures, "{name}, seed {seed}");
        assert_eq!(game.seed, seed);
    }
}

#[test]
fn games_of_every_kind_of_taps_and_reaction_are_as_ever() {
    check(&GAMES_BY_WEIGHTS, |format| Linear::built_in(format).into());
    check(&GAMES_OF_EL_TETRIS, |_| Linear::new(EL_TETRIS).into());
    check(&GAMES_TWO_DEEP, |format| Mind::weights(Linear::built_in(format), vec![2]));
}

#[test]
fn games_of_the_nets_are_those_that_the_published_figures_are_of() {
    let by_nets = |breadths: &'static [usize], narrow| {
        move |format: &Format| {
            let mind = NetMind::new(nets(), Linear::built_in(format));
            NetMind { breadths: breadths_by_speed(breadths, None), narrow, ..mind }.into()
        }
    };
    check(&GAMES_BY_NETS, by_nets(&[], 0));
    check(&GAMES_BY_NETS_TWO_DEEP, by_nets(&[3], 0));
    check(&GAMES_BY_NETS_THREE_DEEP, by_nets(&[6, 2], 2));
}

const GAMES_BY_WEIGHTS: [Pinned; 9] = [
    ("bt-30hz-18f", 4, 0, ([924520, 339, 876], [357240, 740660, 904520], [130, 100, 101, 8], [48, 40, 0, 0])),
    (
        "bt-30hz-0f",
        4,
        0,
        ([1097180, 430, 1077], [357240, 740660, 904520], [130, 100, 101, 99], [48, 40, 0, 0]),
    ),
    (
        "bt-24hz-18f",
        5,
        0,
        ([1032600, 338, 870], [458960, 859860, 1021400], [130, 100, 101, 7], [68, 40, 0, 0]),
    ),
    ("bt-20hz-21f", 6, 0, ([459600, 180, 482], [291000, 459600, 459600], [130, 50, 0, 0], [32, 20, 0, 0])),
    ("bt-15hz-24f", 7, 0, ([323760, 108, 303], [323760, 323760, 323760], [108, 0, 0, 0], [44, 0, 0, 0])),
    ("bt-12hz-30f", 8, 0, ([338520, 153, 417], [289980, 338520, 338520], [130, 23, 0, 0], [32, 4, 0, 0])),
    ("bt-slow5-18f", 4, 0, ([906140, 251, 661], [487220, 877900, 906140], [130, 100, 21, 0], [76, 40, 0, 0])),
    (
        "bt-30hz-61f",
        10,
        0,
        ([1131400, 408, 1049], [396060, 837520, 988560], [130, 101, 100, 77], [56, 48, 0, 0]),
    ),
    (
        "bt-30hz-18f-cartridge",
        11,
        0,
        ([896180, 329, 854], [456820, 745920, 896180], [130, 100, 99, 0], [68, 24, 0, 0]),
    ),
];

const GAMES_OF_EL_TETRIS: [Pinned; 2] = [
    ("bt-30hz-18f", 0, 0, ([479960, 387, 996], [107200, 218620, 369540], [130, 100, 100, 57], [0, 0, 0, 0])),
    ("bt-10hz-18f", 1, 0, ([222580, 233, 607], [109920, 218980, 222580], [130, 100, 3, 0], [0, 0, 0, 0])),
];

const GAMES_TWO_DEEP: [Pinned; 2] = [
    ("bt-30hz-18f", 2, 320, ([27620, 337, 72], [0, 0, 16420], [0, 0, 10, 7], [0, 0, 0, 0])),
    ("bt-12hz-18f", 3, 220, ([55060, 240, 81], [0, 43020, 55060], [0, 10, 10, 0], [0, 4, 0, 0])),
];

const GAMES_BY_NETS: [Pinned; 5] = [
    (
        "bt-30hz-18f",
        0,
        0,
        ([1885720, 333, 858], [654420, 1305160, 1880920], [131, 100, 99, 3], [112, 84, 48, 0]),
    ),
    (
        "bt-30hz-0f",
        0,
        0,
        ([2477780, 408, 1043], [696980, 1346320, 2048320], [131, 102, 100, 75], [120, 84, 60, 24]),
    ),
    (
        "bt-15hz-18f",
        1,
        0,
        ([1240280, 230, 602], [640740, 1240280, 1240280], [133, 97, 0, 0], [108, 76, 0, 0]),
    ),
    ("bt-slow5-18f", 2, 0, ([716040, 164, 450], [597800, 716040, 716040], [132, 32, 0, 0], [100, 16, 0, 0])),
    (
        "bt-20hz-18f-cartridge",
        3,
        0,
        ([540140, 133, 368], [537740, 540140, 540140], [130, 3, 0, 0], [88, 0, 0, 0]),
    ),
];

const GAMES_BY_NETS_TWO_DEEP: [Pinned; 2] = [
    (
        "bt-30hz-18f",
        0,
        0,
        ([2241280, 395, 1015], [701540, 1326380, 1878880], [132, 99, 101, 63], [120, 80, 40, 20]),
    ),
    ("bt-24hz-30f", 1, 320, ([117060, 341, 78], [0, 0, 103380], [0, 0, 13, 8], [0, 0, 8, 0])),
];

const GAMES_BY_NETS_THREE_DEEP: [Pinned; 1] =
    [("bt-30hz-18f", 1, 330, ([565840, 429, 279], [0, 0, 0], [0, 0, 0, 99], [0, 0, 0, 32]))];
