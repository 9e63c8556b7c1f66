//! The deals of the second implementation, `tests/randomizers/deal.py`, which works from the
//! documents alone.

use randomizers::{Dealer, FirstPiece, GameOver, Kind, Sega, Tetrio};
use tetris::Piece;

/// A golden file: its name, which is a kind and what is done to it, and its lines of seed and
/// pieces.
type Golden = (&'static str, &'static str);

macro_rules! golden {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../../../../tests/randomizers/golden/", $name, ".txt")))),*]
    };
}

const GOLDEN: &[Golden] = golden![
    "nes",
    "nes.independent",
    "nes.frames-1",
    "nes.frames-37",
    "sega",
    "sega.start",
    "sega.monkey",
    "tetrio-7bag",
    "tetrio-7bag.skip",
    "tetrio-7bag.back",
    "tetrio-14bag",
    "tetrio-14bag.skip",
    "tetrio-14bag.back",
    "tetrio-classic",
    "tetrio-classic.skip",
    "tetrio-pairs",
    "tetrio-pairs.skip",
    "tetrio-pairs.back",
    "tetrio-mayhem",
    "tetrio-mayhem.skip",
    "tgm1",
    "tgm2",
    "tgm3",
    "tgm-ace",
    "uniform",
    "sps",
];

fn dealer(name: &str, seed: &str) -> Dealer {
    let (kind, variant) = name.split_once('.').unwrap_or((name, ""));
    let kind: Kind = kind.parse().unwrap();
    match (kind.dealer(seed).unwrap(), variant) {
        (dealer, "") => dealer,
        (Dealer::Nes(nes), "independent") => Dealer::Nes(nes.independent()),
        (Dealer::Nes(nes), frames) => {
            Dealer::Nes(nes.every(frames.strip_prefix("frames-").unwrap().parse().unwrap()))
        }
        (Dealer::Sega(sega), "start") => Dealer::Sega(sega.next_game(GameOver::Skipped)),
        (Dealer::Sega(sega), "monkey") => Dealer::Sega(sega.next_game(GameOver::Monkey)),
        (Dealer::Tetrio(tetrio), "skip") => Dealer::Tetrio(tetrio.beginning(FirstPiece::Skip)),
        (Dealer::Tetrio(tetrio), "back") => Dealer::Tetrio(tetrio.beginning(FirstPiece::ToBack)),
        (_, variant) => panic!("no variant {variant}"),
    }
}

#[test]
fn every_kind_deals_what_the_second_implementation_deals() {
    for kind in Kind::ALL {
        assert!(GOLDEN.iter().any(|&(name, _)| name == kind.name()), "{kind} has no golden file");
    }
    for &(name, text) in GOLDEN {
        assert_eq!(text.lines().count(), 10, "{name}");
        for line in text.lines() {
            let (seed, wanted) = line.split_once(' ').unwrap();
            assert_eq!(wanted.len(), 1000, "{name} {seed}");
            let dealt: String = dealer(name, seed).take(1000).map(Piece::letter).collect();
            assert_eq!(dealt, wanted, "{name} {seed}");
        }
    }
}

/// Worked out by hand from the published C.
#[test]
fn the_default_seed_of_sega_begins_as_worked_out_by_hand() {
    // 0x2A6D365A * 41 is 0xCB7DB46A modulo 2^32; 0xB46A + 0xCB7D is 0x17FE7, its low six bits 39,
    // and 39 % 7 is 4: T.
    assert_eq!(0x2A6D_365A_u32.wrapping_mul(41), 0xCB7D_B46A);
    assert_eq!(Sega::new(0).next(), Some(Piece::T));
    assert_eq!(Sega::new(Sega::DEFAULT_SEED).next(), Some(Piece::T));
}

#[test]
fn the_default_sequence_of_sega_and_what_it_leaves_are_those_of_the_published_c() {
    let game = Sega::new(0);
    let dealt: String = game.clone().take(40).map(Piece::letter).collect();
    assert_eq!(dealt, "TITIIJILSJOZZJLSJISLZZZJIJJJOLZJSILTLJOI");
    assert_eq!(game.next_seed(GameOver::Skipped), 0x2880_F2DA);
    assert_eq!(game.next_seed(GameOver::Monkey), 0x6190_E4EA);
}

#[test]
#[ignore = "needs python3: cargo test -p randomizers --test it golden:: -- --ignored"]
fn the_golden_files_are_what_the_second_implementation_writes() {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/randomizers/deal.py");
    let status = std::process::Command::new("python3").args([script, "--check"]).status().unwrap();
    assert!(status.success());
}

#[test]
fn no_game_that_forbids_it_begins_with_an_overhang() {
    for seed in 0..20_000_u64 {
        for kind in Kind::ALL {
            let first = match kind.seeded(seed * 7919) {
                dealer @ (Dealer::Tgm(_) | Dealer::Tgm3(_) | Dealer::TgmAce(_)) => vec![dealer],
                Dealer::Tetrio(tetrio) => {
                    vec![
                        Dealer::Tetrio(tetrio.clone().beginning(FirstPiece::Skip)),
                        Dealer::Tetrio(back(tetrio)),
                    ]
                }
                _ => vec![],
            };
            for mut dealer in first {
                let piece = dealer.next().unwrap();
                assert!(!matches!(piece, Piece::S | Piece::Z | Piece::O), "{kind} {seed}: {piece}");
            }
        }
    }
}

/// Where the whole first queue overhangs, which two of `pairs` can, it has no other piece to begin
/// with.
fn back(tetrio: Tetrio) -> Tetrio {
    let moved = tetrio.clone().beginning(FirstPiece::ToBack);
    let overhangs = |piece| matches!(piece, Piece::S | Piece::Z | Piece::O);
    if moved.clone().take(6).all(overhangs) { tetrio.beginning(FirstPiece::Skip) } else { moved }
}
