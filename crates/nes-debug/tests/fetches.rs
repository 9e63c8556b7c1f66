//! Breakpoints on what the PPU fetches, and exact lines and dots, on the built-in cartridge.

use nes::ppu::Purpose;
use nes::{Cartridge, Config};
use nes_debug::{Breakpoint, Debugger, Expression, Goal, Space, Stop, Trigger, Unit};
use tetris::Profile;

const IMAGE: &[u8] = include_bytes!("../../../roms/maxout.nes");
const LINE: i64 = 341;
const FRAME: i64 = 262 * LINE;

/// At the title.
fn at_the_title() -> Debugger {
    let cartridge = Cartridge::from_bytes(IMAGE).unwrap();
    let mut debugger = Debugger::new(cartridge, Config::default(), Profile::of_image(IMAGE, "", ""));
    let title = Expression::parse("mode == 1", &debugger.names()).unwrap();
    run(&mut debugger, &Goal::Until(title));
    run(&mut debugger, &Goal::Frames(30));
    debugger
}

fn run(debugger: &mut Debugger, goal: &Goal) -> Stop {
    debugger.run(goal, 600, &mut |_| true)
}

fn break_on_reads(debugger: &mut Debugger, first: u16, last: u16, condition: &str) {
    let condition = Some(Expression::parse(condition, &debugger.names()).unwrap());
    let at = Trigger::Video { at: first..=last, reads: true, writes: false };
    debugger.breakpoints.add(Breakpoint { condition, ..Breakpoint::new(at) });
}

/// Where the beam is, in dots of the frame.
fn beam(debugger: &Debugger) -> i64 {
    let chips = debugger.console().board.caught_up();
    i64::from(chips.ppu().scanline()) * LINE + i64::from(chips.ppu().dot())
}

#[test]
fn a_breakpoint_on_a_tiles_pattern_stops_on_the_line_where_it_is_drawn() {
    let mut debugger = at_the_title();
    // A tile that the first nametable shows, and its row there.
    let tiles = debugger.console().ciram()[..960].to_vec();
    let (at, &tile) = tiles
        .iter()
        .enumerate()
        .skip(6 * 32)
        .find(|&(at, &tile)| at % 32 > 4 && tiles.iter().filter(|&&other| other == tile).count() == 1)
        .expect("the title has a tile that it shows once");
    let (control, _) = debugger.console().board.caught_up().ppu().control_and_mask();
    let table = u16::from(control.contains(nes::ppu::Control::BACKGROUND_TABLE)) << 12;
    let pattern = table | u16::from(tile) << 4;
    break_on_reads(&mut debugger, pattern, pattern + 15, "fetch == 3 && (address & 8) == 0");
    for row in 0..8 {
        let Stop::Breakpoint { access: Some(access), .. } = run(&mut debugger, &Goal::Free) else {
            panic!("row {row} was not drawn");
        };
        let fetched = access.fetched.expect("the PPU has fetched it");
        let line = (at / 32 * 8 + row) as u16;
        assert_eq!((fetched.purpose, fetched.line), (Purpose::Background, line));
        // Two tiles are fetched in the line before; then eight dots for each.
        assert_eq!(usize::from(fetched.dot), (at % 32 - 2) * 8 + 6);
        assert_eq!(access.address, pattern + row as u16);
        let chr = Space::Ppu.bytes(debugger.console())[usize::from(access.address)];
        assert_eq!(access.value, chr);
        let fetch = i64::from(fetched.line) * LINE + i64::from(fetched.dot);
        let late = beam(&debugger) - fetch;
        assert!((0..=42).contains(&late), "row {row}: {late} dots late");
    }
}

#[test]
fn nametables_and_sprites_are_seen_and_conditions_know_line_and_dot() {
    let mut debugger = at_the_title();
    break_on_reads(&mut debugger, 0x2000, 0x2FFF, "fetch == 1 && scanline == 100 && dot == 2");
    for _ in 0..2 {
        let Stop::Breakpoint { access: Some(access), .. } = run(&mut debugger, &Goal::Free) else {
            panic!("line 100 has a tile");
        };
        assert_eq!(access.address, 0x2000 + 100 / 8 * 32 + 2);
        assert_eq!(access.fetched.map(|fetched| (fetched.line, fetched.dot)), Some((100, 2)));
    }
    debugger.breakpoints.clear();
    break_on_reads(&mut debugger, 0x2000, 0x2FFF, "fetch == 2 && scanline == 100 && dot == 4");
    let Stop::Breakpoint { access: Some(access), .. } = run(&mut debugger, &Goal::Free) else {
        panic!("line 100 has attributes");
    };
    assert_eq!(access.address, 0x23C0 + 100 / 32 * 8);
    debugger.breakpoints.clear();
    break_on_reads(&mut debugger, 0x0000, 0x1FFF, "fetch >= 4");
    let Stop::Breakpoint { access: Some(access), .. } = run(&mut debugger, &Goal::Free) else {
        panic!("units without a sprite fetch, too");
    };
    assert!((257..=320).contains(&access.fetched.unwrap().dot));
}

#[test]
fn a_run_with_such_a_breakpoint_is_the_same_run() {
    let (mut plain, mut watched) = (at_the_title(), at_the_title());
    break_on_reads(&mut watched, 0x0000, 0x1FFF, "fetch == 3 && (address & 0x7F) == 0x23");
    run(&mut plain, &Goal::Frames(20));
    let frame = plain.console().frame_number();
    let mut stops = 0;
    while watched.console().frame_number() < frame {
        match run(&mut watched, &Goal::Frames(1)) {
            Stop::Done => {}
            _ => stops += 1,
        }
    }
    assert!(stops > 100, "{stops} stops");
    while watched.is_within_frame() {
        watched.breakpoints.clear();
        run(&mut watched, &Goal::Frames(1));
        run(&mut plain, &Goal::Frames(1));
    }
    assert!(plain.console() == watched.console());
    assert_eq!(watched.back(&Unit::Frame, 3), Stop::Done);
    assert_eq!(plain.back(&Unit::Frame, 3), Stop::Done);
    assert!(plain.console() == watched.console(), "the past is the same, too");
}

#[test]
fn a_breakpoint_on_a_dot_stops_at_the_first_instruction_from_there() {
    let mut debugger = at_the_title();
    for (line, dot) in [(0, 0), (0, 1), (37, 5), (100, 200), (239, 340), (241, 1), (261, 339), (261, 340)] {
        debugger.breakpoints.clear();
        debugger.breakpoints.add(Breakpoint::new(Trigger::Beam { line, dot }));
        for _ in 0..5 {
            assert!(matches!(run(&mut debugger, &Goal::Free), Stop::Breakpoint { .. }), "{line} {dot}");
            let at = i64::from(line) * LINE + i64::from(dot);
            let behind = (beam(&debugger) - at).rem_euclid(FRAME);
            let mut before = debugger.clone();
            assert_eq!(before.back(&Unit::Instruction, 1), Stop::Done);
            let ahead = (at - beam(&before)).rem_euclid(FRAME);
            // An instruction takes seven cycles at most; a DMA comes in vblank.
            assert!(behind <= 24, "line {line} dot {dot}: {behind} dots behind it");
            assert!(
                ahead > 0 && ahead + behind <= 24,
                "line {line} dot {dot}: the one before was {ahead} ahead"
            );
        }
    }
}
