//! The scripts of docs/scripts, on the built-in cartridge.

use crate::harness::Harness;
use ai::{Board, Evaluator, Filter, Searcher};
use nes::Buttons;
use nes_lua::Speed;
use tetris::{Piece, View};

const HUD: &str = include_str!("../../../../docs/scripts/hud.lua");
const PIECES: &str = include_str!("../../../../docs/scripts/pieces.lua");
const SKIP_LEGAL: &str = include_str!("../../../../docs/scripts/skip_legal.lua");
const AI: &str = include_str!("../../../../docs/scripts/ai.lua");
const TAKEOVER: &str = include_str!("../../../../docs/scripts/takeover.lua");

/// Presses Start until a game is on.
fn start(harness: &mut Harness) {
    for count in 0..2_000 {
        let view = View::new(harness.console.ram());
        if view.in_game() && view.in_play() {
            return;
        }
        harness.pads[0] = if count % 20 == 0 { Buttons::START } else { Buttons::empty() };
        harness.frames(1);
    }
    panic!("no game after 2,000 frames");
}

#[test]
fn the_display_shows_piece_counter_and_register_as_the_ram_has_them_and_disturbs_nothing() {
    let (mut harness, mut plain) = (Harness::new(HUD), Harness::new(""));
    start(&mut harness);
    start(&mut plain);
    for frame in 0..40 {
        for harness in [&mut harness, &mut plain] {
            harness.pads[0] = if frame > 20 { Buttons::LEFT } else { Buttons::empty() };
            harness.frames(1);
        }
    }
    assert!(harness.console == plain.console);
    let view = View::new(harness.console.ram());
    let ram = harness.console.ram();
    let [piece, next] = [view.piece(), view.next()].map(|piece| piece.map_or('-', Piece::letter));
    assert!(ram[0x66] > 2 && piece != '-');
    let text = format!(
        "{piece} NEXT {next}  DAS {:2}  LFSR {:02X}{:02X}  PICK {:3}",
        ram[0x66], ram[0x17], ram[0x18], ram[0x1A]
    );
    let mut expected = Harness::new(&format!("gui.text(4, 10, '{text}', 'white', '#000000C0')"));
    expected.frames(1);
    let top = |harness: &Harness| harness.overlay.pixels()[..19 * 256].to_vec();
    assert!(top(&harness) == top(&expected), "{text}");
    // The bar: a pixel inside it for the first step, none for the last.
    let pixel = |x: usize, y: usize| harness.overlay.pixels()[y * 256 + x];
    assert_ne!(pixel(6, 22), pixel(50, 22));
}

#[test]
fn the_pieces_of_the_script_come_in_their_order() {
    let mut harness = Harness::new(&format!("PIECES = 'IIOTJLZS'\n{PIECES}"));
    start(&mut harness);
    let letter = |piece: Option<Piece>| piece.map_or('-', Piece::letter);
    let view = View::new(harness.console.ram());
    let mut seen: String = [letter(view.piece()), letter(view.next())].into_iter().collect();
    let mut counted: u32 = view.piece_counts().iter().sum();
    for time in 0..6_000 {
        harness.console.ram_mut()[0x400..0x500].fill(0xEF);
        harness.pads[0] = if time % 24 == 0 { Buttons::empty() } else { Buttons::DOWN };
        harness.frames(1);
        let view = View::new(harness.console.ram());
        if counted != view.piece_counts().iter().sum() {
            counted = view.piece_counts().iter().sum();
            seen.push(letter(view.next()));
        }
        if seen.len() == 20 {
            break;
        }
    }
    assert_eq!(seen, "IIOTJLZSIIOTJLZSIIOT");
}

#[test]
fn the_title_comes_at_once_without_the_legal_screen() {
    let frames = |source: &str| {
        let mut harness = Harness::new(source);
        (0..1_000).find(|_| {
            harness.frames(1);
            harness.console.ram()[0xC0] == 1
        })
    };
    let (skipped, waited) = (frames(SKIP_LEGAL).unwrap(), frames("").unwrap());
    assert!(skipped < 60 && waited > 500, "{skipped} and {waited} frames");
}

/// The playfield as the player's search sees it.
fn board(ram: &[u8; 0x800]) -> Board {
    let row = |y: usize| {
        let cells = (0..10).filter(|x| ram[0x400 + 10 * y + x] < 0xEF);
        cells.fold(0, |row, x| row | 1 << x)
    };
    Board::from_rows(&core::array::from_fn(row))
}

#[test]
fn the_twin_of_the_player_decides_as_the_player_does_and_its_pieces_lock_where_it_puts_them() {
    let mut harness = Harness::new(AI);
    let mut searcher = Searcher::new(Evaluator::Article, Filter::None);
    let (mut decisions, mut counted) = (0, 0);
    let mut expected: Option<Board> = None;
    for _ in 0..6_000 {
        harness.frames(1);
        let ram = harness.console.ram();
        let view = View::new(ram);
        let now = view.piece_counts().iter().sum::<u32>();
        let playing = view.in_game() && view.in_play() && ram[0x48] == 1;
        if !playing || now == counted || ram[0x65] < 0x60 {
            continue;
        }
        counted = now;
        let before = board(ram);
        if let Some(expected) = expected {
            assert!(before.rows() == expected.rows(), "piece {counted} was not where it should be");
        }
        let pieces = [view.piece().unwrap(), view.next().unwrap()];
        let decision = searcher.decide(&before, &pieces).unwrap();
        let found = [ram[0x60], ram[0x61], ram[0x62]];
        let place = decision.place;
        assert_eq!(found, <[u8; 3]>::from(place), "piece {counted}");
        let mut after = before;
        after.lock(place);
        expected = Some(after);
        decisions += 1;
        if decisions == 60 {
            break;
        }
    }
    assert_eq!(decisions, 60);
    assert!(View::new(harness.console.ram()).lines() > 5);
}

/// The colours of the blocks as a game at level 143 has them beside a script.
fn palette_at_level_143(source: &str) -> Vec<u8> {
    let mut harness = Harness::new(source);
    start(&mut harness);
    harness.console.ram_mut()[0x64] = 143;
    harness.console.ram_mut()[0xA3] |= 2; // the level is to be drawn
    harness.frames(3);
    harness.console.board.caught_up().ppu().palette_ram()[8..12].to_vec()
}

/// At level 138 and beyond the colours would be bytes that stand behind the table.
#[test]
fn the_twins_guard_gives_high_levels_the_colours_of_their_last_digit() {
    // The table at $984C: level 3 is the fourth of ten.
    assert_eq!(palette_at_level_143(AI), [0x0F, 0x30, 0x2A, 0x12]);
    assert_ne!(palette_at_level_143(""), [0x0F, 0x30, 0x2A, 0x12]);
}

/// Everything that it defines is global, and it waits for frames inside functions, as scripts for FCEUX do.
#[test]
fn a_script_in_the_style_of_fceux_plays_from_power_on_and_pieces_lie_where_it_puts_them() {
    let mut harness = Harness::new(TAKEOVER);
    harness.frames(1);
    assert_eq!((harness.script.speed(), harness.lines()), (Speed::Maximum, vec!["taking over".to_owned()]));
    let mut frames = 1;
    while View::new(harness.console.ram()).lines() < 3 {
        harness.frames(1);
        frames += 1;
        assert!(frames < 6_000, "three lines in {frames} frames");
    }
    let view = View::new(harness.console.ram());
    assert!(view.in_game());
    assert!(view.piece_counts().iter().sum::<u32>() >= 8);
}

#[test]
fn a_register_set_before_an_instruction_is_what_the_instruction_finds() {
    assert_eq!(palette_at_level_143(TAKEOVER), [0x0F, 0x30, 0x2A, 0x12]);
}
