//! The scripts of docs/scripts, on the built-in cartridge and on one that is known by its hash
//! alone.

use crate::rig::{IMAGE, Rig, SLOW};
use ai::{Evaluator, Filter, Searcher};
use nes::Buttons;
use nes_lua::{Script, Speed};
use tetris::{Piece, Playfield, View};

const HUD: &str = include_str!("../../../../docs/scripts/hud.lua");
const PIECES: &str = include_str!("../../../../docs/scripts/pieces.lua");
const SKIP_LEGAL: &str = include_str!("../../../../docs/scripts/skip_legal.lua");
const AI: &str = include_str!("../../../../docs/scripts/ai.lua");
const TAKEOVER: &str = include_str!("../../../../docs/scripts/takeover.lua");

/// A script beside each of the two cartridges.
fn rigs(source: &str) -> [Rig; 2] {
    [IMAGE, SLOW].map(|image| Rig::on(image, Script::load(source.as_bytes(), "test.lua").unwrap()))
}

/// Presses Start until a game is on.
fn start(rig: &mut Rig) {
    for count in 0..2_000 {
        let view = View::new(rig.console.ram());
        if view.in_game() && view.in_play() {
            return;
        }
        rig.pads[0] = if count % 20 == 0 { Buttons::START } else { Buttons::empty() };
        rig.frames(1);
    }
    panic!("no game after 2,000 frames");
}

#[test]
fn the_display_shows_piece_counter_and_register_as_the_ram_has_them_and_disturbs_nothing() {
    for (mut rig, mut plain) in rigs(HUD).into_iter().zip(rigs("")) {
        start(&mut rig);
        start(&mut plain);
        for frame in 0..40 {
            for rig in [&mut rig, &mut plain] {
                rig.pads[0] = if frame > 20 { Buttons::LEFT } else { Buttons::empty() };
                rig.frames(1);
            }
        }
        assert!(rig.console == plain.console);
        let view = View::new(rig.console.ram());
        let ram = rig.console.ram();
        let [piece, next] = [view.piece(), view.next()].map(|piece| piece.map_or('-', Piece::letter));
        assert!(ram[0x66] > 2 && piece != '-');
        let text = format!(
            "{piece} NEXT {next}  DAS {:2}  LFSR {:02X}{:02X}  PICK {:3}",
            ram[0x66], ram[0x17], ram[0x18], ram[0x1A]
        );
        let mut expected = Rig::new(&format!("gui.text(4, 10, '{text}', 'white', '#000000C0')"));
        expected.frames(1);
        let top = |rig: &Rig| rig.overlay.pixels()[..19 * 256].to_vec();
        assert!(top(&rig) == top(&expected), "{text}");
        // The bar: a pixel inside it for the first step, none for the last.
        let pixel = |x: usize, y: usize| rig.overlay.pixels()[y * 256 + x];
        assert_ne!(pixel(6, 22), pixel(50, 22));
    }
}

#[test]
fn the_pieces_of_the_script_come_in_their_order() {
    for mut rig in rigs(&format!("PIECES = 'IIOTJLZS'\n{PIECES}")) {
        start(&mut rig);
        let letter = |piece: Option<Piece>| piece.map_or('-', Piece::letter);
        let view = View::new(rig.console.ram());
        let mut seen: String = [letter(view.piece()), letter(view.next())].into_iter().collect();
        let mut counted: u32 = view.piece_counts().iter().sum();
        for time in 0..6_000 {
            rig.console.ram_mut()[0x400..0x500].fill(0xEF);
            rig.pads[0] = if time % 24 == 0 { Buttons::empty() } else { Buttons::DOWN };
            rig.frames(1);
            let view = View::new(rig.console.ram());
            if counted != view.piece_counts().iter().sum::<u32>() {
                counted = view.piece_counts().iter().sum();
                seen.push(letter(view.next()));
            }
            if seen.len() == 20 {
                break;
            }
        }
        assert_eq!(seen, "IIOTJLZSIIOTJLZSIIOT");
    }
}

#[test]
fn the_title_comes_at_once_without_the_legal_screen() {
    let frames = |source: &str| {
        rigs(source).map(|mut rig| {
            let mut frames = (0..1_000).take_while(|_| {
                rig.frames(1);
                rig.console.ram()[0xC0] != 1
            });
            frames.by_ref().count()
        })
    };
    for (skipped, waited) in frames(SKIP_LEGAL).into_iter().zip(frames("")) {
        assert!(skipped < 60 && (500..1_000).contains(&waited), "{skipped} and {waited} frames");
    }
}

/// Decisions of the player's twin that are compared, on each cartridge.
const DECISIONS: u32 = 40;

/// The playfield as the player's search sees it.
fn board(ram: &[u8; 0x800]) -> Playfield {
    let row = |y: usize| {
        let cells = (0..10).filter(|x| ram[0x400 + 10 * y + x] < 0xEF);
        cells.fold(0, |row, x| row | 1 << x)
    };
    Playfield::from_rows(&core::array::from_fn(row))
}

#[test]
fn the_twin_of_the_player_decides_as_the_player_does_and_its_pieces_lock_where_it_puts_them() {
    for mut rig in rigs(AI) {
        let mut searcher = Searcher::new(Evaluator::Article, Filter::None);
        let (mut decisions, mut counted) = (0, 0);
        let mut expected: Option<Playfield> = None;
        for _ in 0..6_000 {
            rig.frames(1);
            let ram = rig.console.ram();
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
            after.lock_in_window(place);
            expected = Some(after);
            decisions += 1;
            if decisions == DECISIONS {
                break;
            }
        }
        assert_eq!(decisions, DECISIONS);
        assert!(View::new(rig.console.ram()).lines() > 3);
    }
}

/// The colours of the blocks as a game at level 143 has them beside a script, on each cartridge.
fn palettes_at_level_143(source: &str) -> [Vec<u8>; 2] {
    rigs(source).map(|mut rig| {
        start(&mut rig);
        rig.console.ram_mut()[0x64] = 143;
        rig.console.ram_mut()[0xA3] |= 2; // the level is to be drawn
        rig.frames(3);
        rig.console.board.caught_up().ppu().palette_ram()[8..12].to_vec()
    })
}

/// At level 138 and beyond the colours would be bytes that stand behind the table.
#[test]
fn the_twins_guard_gives_high_levels_the_colours_of_their_last_digit() {
    // The table at $984C: level 3 is the fourth of ten.
    assert_eq!(palettes_at_level_143(AI), [[0x0F, 0x30, 0x2A, 0x12]; 2]);
    assert!(palettes_at_level_143("").iter().all(|colours| *colours != [0x0F, 0x30, 0x2A, 0x12]));
}

/// Everything that it defines is global, and it waits for frames inside functions, as scripts for
/// FCEUX do.
#[test]
fn a_script_in_the_style_of_fceux_plays_from_power_on_and_pieces_lie_where_it_puts_them() {
    for mut rig in rigs(TAKEOVER) {
        rig.frames(1);
        assert_eq!((rig.script.speed(), rig.lines()), (Speed::Maximum, vec!["taking over".to_owned()]));
        let mut frames = 1;
        while View::new(rig.console.ram()).lines() < 3 {
            rig.frames(1);
            frames += 1;
            assert!(frames < 6_000, "three lines in {frames} frames");
        }
        let view = View::new(rig.console.ram());
        assert!(view.in_game());
        assert!(view.piece_counts().iter().sum::<u32>() >= 8);
    }
}

#[test]
fn a_register_set_before_an_instruction_is_what_the_instruction_finds() {
    assert_eq!(palettes_at_level_143(TAKEOVER), [[0x0F, 0x30, 0x2A, 0x12]; 2]);
}
