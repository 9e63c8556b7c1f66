//! Breakpoints on what the PPU fetches, and exact lines and dots, on the built-in cartridge.

use nes::ppu::Purpose;
use nes::{Cartridge, Config};
use nes_debug::view::Cover;
use nes_debug::{Breakpoint, Debugger, Expression, Goal, Space, Stop, Trigger, Unit};
use nes_testing::{Image, MAXOUT as IMAGE};
use tetris::Profile;

const LINE: i64 = 341;
const FRAME: i64 = 262 * LINE;

/// At the title.
fn at_the_title() -> Debugger {
    let cartridge = Cartridge::from_bytes(IMAGE).unwrap();
    let mut debugger = Debugger::new(cartridge, Config::default(), Profile::of_image(IMAGE));
    let title = Expression::parse("mode == 1", &debugger.names()).unwrap();
    run(&mut debugger, &Goal::Until(title));
    run(&mut debugger, &Goal::Frames(30));
    debugger
}

fn run(debugger: &mut Debugger, goal: &Goal) -> Stop {
    debugger.run(goal, 600, &mut || true)
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
        .find(|&(at, &tile)| {
            at % 32 > 4
                && tiles.iter().rposition(|&other| other == tile)
                    == tiles.iter().position(|&other| other == tile)
        })
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

#[test]
fn the_code_data_log_has_the_pattern_bytes_that_were_drawn_and_no_others() {
    let mut debugger = at_the_title();
    // What came before the title is forgotten, so that one picture is all that was drawn.
    let state = debugger.console().save();
    debugger.load(&state).unwrap();
    let chr = |debugger: &Debugger| {
        let prg = debugger.console().board.cartridge().prg_rom().len();
        let bytes = Cover::of(debugger).bytes();
        bytes[prg..].iter().map(|flags| flags & 1 != 0).collect::<Vec<bool>>()
    };
    run(&mut debugger, &Goal::Frames(40));
    let drawn = chr(&debugger);
    let chips = debugger.console().board.caught_up();
    let (control, _) = chips.ppu().control_and_mask();
    let table = if control.contains(nes::ppu::Control::BACKGROUND_TABLE) { 0x1000 } else { 0 };
    // Where in CHR-ROM: the game's board shows 4 KiB at once in each table.
    let table = chips.cartridge().chr_banks()[table >> 10] as usize;
    let mut shown = vec![false; drawn.len()];
    for &tile in &debugger.console().ciram()[..960] {
        shown[table + 16 * usize::from(tile)..][..16].fill(true);
    }
    // The first tile of the nametable on the right comes in at the end of each line.
    let background = table..table + 0x1000;
    let missing: Vec<usize> = background.clone().filter(|&at| shown[at] && !drawn[at]).collect();
    assert!(missing.is_empty(), "shown and not drawn: {missing:?}");
    let surplus = background.filter(|&at| drawn[at] && !shown[at]).count();
    assert!(surplus <= 2 * 16, "{surplus} bytes drawn and not shown");
    // A tile that is there for two frames.
    let unused = (0..256).find(|tile| !drawn[table + 16 * tile]).expect("the title shows not every tile");
    let before = debugger.poke(Space::Ppu, 0x2000 + 100, unused as u8).unwrap();
    run(&mut debugger, &Goal::Frames(2));
    debugger.poke(Space::Ppu, 0x2000 + 100, before).unwrap();
    run(&mut debugger, &Goal::Frames(20));
    let later = chr(&debugger);
    let new: Vec<usize> = (0..later.len()).filter(|&at| later[at] && !drawn[at]).collect();
    assert_eq!(new, (table + 16 * unused..table + 16 * unused + 16).collect::<Vec<_>>());
}

/// NROM that waits for vblank twice, writes three bytes one after the other at $2100, reads three
/// back, and plays a sample for ever.
fn unrolled() -> Debugger {
    let mut code = Vec::new();
    for _ in 0..2 {
        code.extend([0x2C, 0x02, 0x20, 0x10, 0xFB]); // BIT $2002; BPL
    }
    for value in [0x21, 0x00] {
        code.extend([0xA9, value, 0x8D, 0x06, 0x20]); // LDA #; STA $2006
    }
    for value in [0x11, 0x22, 0x33] {
        code.extend([0xA9, value, 0x8D, 0x07, 0x20]); // LDA #; STA $2007
    }
    code.extend([0x8D, 0x07, 0x20, 0x8D, 0x07, 0x20]); // STA $2007, twice
    for value in [0x21, 0x00] {
        code.extend([0xA9, value, 0x8D, 0x06, 0x20]);
    }
    code.extend([0xAD, 0x07, 0x20].repeat(3)); // LDA $2007, three times
    for (register, value) in [(0x10, 0x4F), (0x12, 0), (0x13, 1), (0x15, 0x10)] {
        code.extend([0xA9, value, 0x8D, register, 0x40]);
    }
    let here = 0x8000 + code.len() as u16;
    code.push(0x4C);
    code.extend(here.to_le_bytes()); // JMP to itself
    let cartridge = Image::nrom(&code).chr_of(0x55).cartridge();
    Debugger::new(cartridge, Config::default(), None)
}

#[test]
fn accesses_one_after_the_other_through_the_data_port_have_their_own_addresses() {
    let mut debugger = unrolled();
    let at = Trigger::Video { at: 0x2100..=0x21FF, reads: true, writes: true };
    let condition = Some(Expression::parse("fetch == 0", &debugger.names()).unwrap());
    debugger.breakpoints.add(Breakpoint { condition, ..Breakpoint::new(at) });
    let mut seen = Vec::new();
    while let Stop::Breakpoint { access: Some(access), .. } = debugger.run(&Goal::Free, 10, &mut || true) {
        seen.push((access.address, access.write.then_some(access.value)));
    }
    let writes =
        [0x11, 0x22, 0x33, 0x33, 0x33].into_iter().zip(0x2100..).map(|(value, at)| (at, Some(value)));
    let reads = (0x2100..0x2103).map(|at| (at, None));
    assert_eq!(seen, writes.chain(reads).collect::<Vec<_>>());
}

#[test]
fn a_breakpoint_on_one_kind_of_dma_lets_the_other_pass() {
    let mut game = at_the_title();
    game.breakpoints.add(Breakpoint::new(Trigger::Dma { oam: false, dmc: true }));
    assert_eq!(game.run(&Goal::Free, 20, &mut || true), Stop::Limit, "the game plays no samples");
    game.breakpoints.add(Breakpoint::new(Trigger::Dma { oam: true, dmc: false }));
    assert!(matches!(run(&mut game, &Goal::Free), Stop::Breakpoint { number: 2, .. }));
    let mut sample = unrolled();
    sample.breakpoints.add(Breakpoint::new(Trigger::Dma { oam: true, dmc: false }));
    assert_eq!(sample.run(&Goal::Free, 20, &mut || true), Stop::Limit);
    sample.breakpoints.add(Breakpoint::new(Trigger::Dma { oam: false, dmc: true }));
    assert!(matches!(run(&mut sample, &Goal::Free), Stop::Breakpoint { number: 2, .. }));
}
