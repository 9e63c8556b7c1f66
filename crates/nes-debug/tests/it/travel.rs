//! Stepping, forwards and back, on the built-in cartridge.

use nes::{Buttons, Cartridge, Config, Console};
use nes_debug::view;
use nes_debug::{
    Breakpoint, Debugger, Expression, Goal, MilestoneKind, Register, Space, Stop, Timeline, Trigger, Unit,
};
use nes_testing::MAXOUT as IMAGE;
use tetris::Profile;

fn debugger() -> Debugger {
    debugger_of(IMAGE)
}

fn debugger_of(image: &[u8]) -> Debugger {
    let cartridge = Cartridge::from_bytes(image).unwrap();
    Debugger::new(cartridge, Config::default(), Profile::of_image(image))
}

fn run(debugger: &mut Debugger, goal: &Goal) -> Stop {
    debugger.run(goal, 10_000, &mut || true)
}

/// In a game, by pressing Start now and then.
fn in_a_game() -> Debugger {
    in_a_game_of(IMAGE)
}

fn in_a_game_of(image: &[u8]) -> Debugger {
    let mut debugger = debugger_of(image);
    let mut pads = [Buttons::empty(); 2];
    for _ in 0..40 {
        pads[0] ^= Buttons::START;
        debugger.hold(pads);
        run(&mut debugger, &Goal::Frames(10));
        let in_play = Expression::parse("in_play && mode == 4", &debugger.names()).unwrap();
        if in_play.holds(&debugger.scene()) {
            debugger.hold([Buttons::empty(); 2]);
            return debugger;
        }
    }
    panic!("no game began");
}

#[test]
fn an_attached_console_is_the_very_console_that_runs_alone() {
    let mut debugger = debugger();
    let mut alone = Console::new(Cartridge::from_bytes(IMAGE).unwrap(), Config::default());
    for _ in 0..600 {
        let _ = alone.run_frame(&mut [Buttons::empty(); 2], &mut ());
    }
    run(&mut debugger, &Goal::Frames(600));
    assert!(*debugger.console() == alone);
    assert!(*debugger.console().picture() == *alone.picture());
}

type Forwards = fn(u64) -> Goal;

#[test]
fn a_way_back_and_forth_ends_where_it_began() {
    let mut debugger = in_a_game();
    run(&mut debugger, &Goal::Frames(100));
    // Fifty lines and more behind the OAM DMA, one instruction that is longer than a line.
    run(&mut debugger, &Goal::Instructions(4_000));
    let here = debugger.console().clone();
    let units: [(Unit, Forwards); 4] = [
        (Unit::Instruction, Goal::Instructions),
        (Unit::Line, Goal::Lines),
        (Unit::Frame, Goal::Frames),
        (Unit::Nmi, Goal::Nmi),
    ];
    for (unit, forwards) in units {
        for count in [1_u64, 2, 3, 50] {
            let mut other = debugger.clone();
            assert_eq!(other.back(&unit, count), Stop::Done, "{unit:?}");
            let there = other.console().clone();
            let (before, now) = (there.cycle(), here.cycle());
            assert!(before < now, "{unit:?} {count}");
            run(&mut other, &forwards(count));
            let later = other.console().cycle();
            match unit {
                Unit::Instruction => assert!(*other.console() == here, "{count}"),
                // Here is not where a line, a frame or a handler begins.
                _ => assert!(later > now, "{unit:?} {count}"),
            }
            assert_eq!(other.back(&unit, count), Stop::Done, "{unit:?} {count}");
            assert!(*other.console() == there, "{unit:?} {count}");
        }
    }
}

#[test]
fn every_instruction_of_three_frames_is_gone_back_over_one_by_one() {
    let mut debugger = in_a_game();
    run(&mut debugger, &Goal::Frames(31));
    let mut cycles = vec![debugger.console().cycle()];
    for _ in 0..3000 {
        run(&mut debugger, &Goal::Instructions(1));
        cycles.push(debugger.console().cycle());
    }
    for &cycle in cycles.iter().rev().skip(1).step_by(97) {
        debugger.travel(cycle);
        assert_eq!(debugger.console().cycle(), cycle);
    }
    debugger.travel(cycles[3000]);
    for &cycle in cycles.iter().rev().skip(1).take(40) {
        assert_eq!(debugger.back(&Unit::Instruction, 1), Stop::Done);
        assert_eq!(debugger.console().cycle(), cycle);
    }
}

#[test]
fn edits_are_part_of_the_past_and_another_way_forgets_them() {
    let mut debugger = in_a_game();
    run(&mut debugger, &Goal::Frames(40));
    run(&mut debugger, &Goal::Instructions(10));
    debugger.poke(Space::Cpu, 0x00BF, 0x12);
    debugger.set(Register::X, 0x5A);
    run(&mut debugger, &Goal::Frames(3));
    let later = debugger.console().clone();
    assert_eq!(debugger.back(&Unit::Frame, 2), Stop::Done);
    run(&mut debugger, &Goal::Frames(2));
    assert!(*debugger.console() == later);
    assert_eq!(debugger.back(&Unit::Frame, 10), Stop::Done);
    run(&mut debugger, &Goal::Frames(10));
    assert!(*debugger.console() != later, "without the edits it is another game");
}

#[test]
fn a_minute_is_remembered_and_no_more() {
    let mut debugger = debugger();
    run(&mut debugger, &Goal::Frames(5000));
    assert!((5000 - 3666..=5000 - 3606).contains(&debugger.oldest_frame()), "{}", debugger.oldest_frame());
    assert!(debugger.travel_to_frame(5000 - 3606));
    assert_eq!(debugger.console().frame_number(), 5000 - 3606);
    let mut alone = Console::new(Cartridge::from_bytes(IMAGE).unwrap(), Config::default());
    for _ in 0..5000 - 3606 {
        let _ = alone.run_frame(&mut [Buttons::empty(); 2], &mut ());
    }
    assert!(*debugger.console() == alone);
    assert!(!debugger.travel_to_frame(100));
    assert_eq!(debugger.back(&Unit::Frame, 100_000), Stop::Oldest);
}

#[test]
fn over_and_out_skip_what_a_subroutine_does() {
    let mut debugger = debugger();
    let jsr = Expression::parse("opcode == 0x20 && frame > 20", &debugger.names()).unwrap();
    run(&mut debugger, &Goal::Until(jsr));
    let (pc, sp) = (debugger.console().cpu.pc, debugger.console().cpu.sp);
    let mut inside = debugger.clone();
    assert_eq!(run(&mut debugger, &Goal::Over), Stop::Done);
    assert_eq!((debugger.console().cpu.pc, debugger.console().cpu.sp), (pc.wrapping_add(3), sp));
    run(&mut inside, &Goal::Instructions(1));
    assert_eq!(inside.console().cpu.sp, sp.wrapping_sub(2));
    assert_eq!(run(&mut inside, &Goal::Out), Stop::Done);
    assert!(inside.console() == debugger.console());
    assert_eq!(inside.back(&Unit::Over, 1), Stop::Done);
    assert_eq!(inside.console().cpu.pc, pc);
}

#[test]
fn spawns_and_locks_are_stopped_at_and_gone_back_to() {
    let mut debugger = in_a_game();
    debugger.hold([Buttons::DOWN, Buttons::empty()]);
    let mut frames = Vec::new();
    for _ in 0..3 {
        let Stop::Event { number: None, record } = run(&mut debugger, &Goal::Event("lock".into(), 1)) else {
            panic!("no piece locked");
        };
        assert_eq!(record.frame, debugger.console().frame_number());
        frames.push(record.frame);
    }
    assert_eq!(debugger.back(&Unit::Event("lock".into()), 2), Stop::Done);
    assert_eq!(debugger.console().frame_number(), frames[0]);
    run(&mut debugger, &Goal::Event("lock".into(), 2));
    assert_eq!(debugger.console().frame_number(), frames[2]);
}

#[test]
fn breakpoints_on_memory_stop_behind_the_access_and_see_it() {
    let mut debugger = in_a_game();
    let condition = Expression::parse("is_write && value == 0 && a == value", &debugger.names()).unwrap();
    let at = Trigger::Memory { at: 0x65..=0x65, reads: false, writes: true };
    debugger.breakpoints.add(Breakpoint { condition: Some(condition), ..Breakpoint::new(at) });
    let Stop::Breakpoint { number: 1, access: Some(access) } = run(&mut debugger, &Goal::Free) else {
        panic!("not stopped");
    };
    assert_eq!((access.address, access.value, access.write), (0x65, 0, true));
    assert!(debugger.console().cycle() - access.cycle <= 2);
    assert_eq!(debugger.breakpoints.list()[0].hits, 1);
}

#[test]
fn fast_and_watched_runs_hit_the_same_breakpoints() {
    let mut counts = Vec::new();
    for watched in [false, true] {
        let mut debugger = debugger();
        let routines: Vec<_> =
            debugger.symbols.labels().map(|label| label.address).filter(|&at| at >= 0x8000).collect();
        for at in routines {
            debugger
                .breakpoints
                .add(Breakpoint { log_only: true, ..Breakpoint::new(Trigger::Execute(at..=at)) });
        }
        for (reads, writes) in [(true, false), (false, true)] {
            let trigger = Trigger::Memory { at: 0x40..=0x70, reads, writes };
            debugger.breakpoints.add(Breakpoint { log_only: true, ..Breakpoint::new(trigger) });
        }
        if watched {
            debugger
                .breakpoints
                .add(Breakpoint { pass: u64::MAX, ..Breakpoint::new(Trigger::Dma { oam: true, dmc: true }) });
        }
        run(&mut debugger, &Goal::Frames(300));
        counts.push(
            debugger.breakpoints.list().iter().take(30).map(|breakpoint| breakpoint.hits).collect::<Vec<_>>(),
        );
    }
    assert!(counts[0].iter().sum::<u64>() > 1000, "{counts:?}");
    assert_eq!(counts[0], counts[1]);
}

#[test]
fn interrupts_dma_and_the_beam_stop_a_run() {
    let mut debugger = in_a_game();
    let handler = debugger.symbols.address("nmi").unwrap();
    let nmi = debugger.breakpoints.add(Breakpoint::new(Trigger::Nmi));
    assert!(matches!(run(&mut debugger, &Goal::Free), Stop::Breakpoint { .. }));
    assert_eq!(debugger.console().cpu.pc, handler);
    debugger.breakpoints.remove(nmi);
    let dma = debugger.breakpoints.add(Breakpoint::new(Trigger::Dma { oam: true, dmc: true }));
    assert!(matches!(run(&mut debugger, &Goal::Free), Stop::Breakpoint { number, .. } if number == dma));
    debugger.breakpoints.clear();
    for (line, dot) in [(0, 0), (100, 200), (239, 340), (261, 1)] {
        debugger.breakpoints.clear();
        debugger.breakpoints.add(Breakpoint::new(Trigger::Beam { line, dot }));
        for _ in 0..3 {
            assert!(matches!(run(&mut debugger, &Goal::Free), Stop::Breakpoint { .. }), "{line} {dot}");
            let chips = debugger.console().board.caught_up();
            let late = (i64::from(chips.ppu().scanline()) * 341 + i64::from(chips.ppu().dot()))
                - (i64::from(line) * 341 + i64::from(dot));
            assert!((0..=24).contains(&late), "line {line} dot {dot}: {late} dots late");
        }
    }
}

#[test]
fn on_pal_the_beam_the_lines_and_the_event_picture_go_to_line_311() {
    const PAL: &[u8] = include_bytes!("../../../../roms/maxout-pal.nes");
    let cartridge = Cartridge::from_bytes(PAL).unwrap();
    let mut debugger = Debugger::new(cartridge, Config::default(), Profile::of_image(PAL));
    run(&mut debugger, &Goal::Frames(100));
    for (line, dot) in [(0, 0), (100, 200), (261, 1), (311, 300)] {
        debugger.breakpoints.clear();
        debugger.breakpoints.add(Breakpoint::new(Trigger::Beam { line, dot }));
        let mut before = 0;
        for turn in 0..3 {
            assert!(matches!(run(&mut debugger, &Goal::Free), Stop::Breakpoint { .. }), "{line} {dot}");
            let chips = debugger.console().board.caught_up();
            let late = (i64::from(chips.ppu().scanline()) * 341 + i64::from(chips.ppu().dot()))
                - (i64::from(line) * 341 + i64::from(dot));
            // From the end of the frame it may have gone to the next.
            assert!(
                (0..=26).contains(&late.rem_euclid(312 * 341)),
                "line {line} dot {dot}: {late} dots late"
            );
            let cycle = debugger.console().cycle();
            assert!(turn == 0 || (33_239..33_257).contains(&(cycle - before)), "{} cycles", cycle - before);
            before = cycle;
        }
    }
    let picture = view::event_picture(&debugger, &nes::Palette::ntsc());
    assert_eq!((picture.width, picture.height), (2 * 341, 2 * 312));
    let lines: Vec<u16> = view::accesses(&debugger).iter().map(|access| access.line).collect();
    assert!(lines.iter().all(|line| *line < 312) && lines.iter().any(|line| *line > 240), "{lines:?}");
}

#[test]
fn accesses_through_the_ppu_are_seen_with_its_address() {
    let mut debugger = debugger();
    debugger.breakpoints.add(Breakpoint::new(Trigger::Video {
        at: 0x3F00..=0x3F0F,
        reads: false,
        writes: true,
    }));
    let Stop::Breakpoint { access: Some(access), .. } = run(&mut debugger, &Goal::Free) else {
        panic!("no palette was written");
    };
    assert!((0x3F00..=0x3F0F).contains(&access.address) && access.write);
    run(&mut debugger, &Goal::Instructions(3));
    assert_eq!(
        debugger.console().board.caught_up().ppu().palette_ram()[usize::from(access.address & 0xF)],
        access.value
    );
}

/// A game whose pieces lock one upon the other at a level; with `full` they complete the two lowest
/// rows.
fn locks(level: u8, count: u64, full: bool) -> Debugger {
    let mut debugger = in_a_game();
    debugger.hold([Buttons::DOWN, Buttons::empty()]);
    for _ in 0..count {
        for place in [0x44, 0x64] {
            debugger.poke(Space::Cpu, place, level);
        }
        run(&mut debugger, &Goal::Event("lock".into(), 1));
        for cell in 180..if full { 200 } else { 180 } {
            debugger.poke(Space::Cpu, 0x400 + cell, 0x7B);
        }
        run(&mut debugger, &Goal::Frames(60));
    }
    debugger
}

#[test]
fn a_clear_is_found_with_what_its_frame_had_left_and_the_level_that_would_be_late() {
    let debugger = locks(18, 3, true);
    let scored_locks = view::scored_locks(&debugger, u64::MAX, 100, true);
    let last = scored_locks.last().expect("rows were cleared");
    assert!((1..=4).contains(&last.rows), "{last:?}");
    assert_eq!(last.level, 18);
    // NESdev: a frame has 29,781 cycles; a turn of the built-in cartridge's loop takes 59 and some
    // more.
    assert!(last.turn.is_some_and(|turn| (50..200).contains(&turn)), "{last:?}");
    assert!((1_000..29_000).contains(&last.left), "{last:?}");
    assert!(last.frame.since_jump.is_some_and(|since| since >= last.left), "{last:?}");
    let interrupted = debugger.symbols.text(last.frame.interrupted.expect("an NMI ends it"));
    assert!(last.frame.landing.is_none() && interrupted.starts_with("idle"), "{last:?}");
    assert!(last.late_from() <= last.astray_from() || last.astray_from().is_none(), "{last:?}");
    let text = last.text(&debugger);
    assert!(text.contains("at level 18") && text.contains("cycles a level: late"), "{text}");
    assert!(view::game(&debugger).is_some_and(|game| game.contains("cycles a level")), "in the game's panel");
}

#[test]
fn a_lock_without_rows_is_scored_too() {
    let debugger = locks(5, 2, false);
    assert_eq!(view::scored_locks(&debugger, u64::MAX, 100, true), []);
    let all = view::scored_locks(&debugger, u64::MAX, 100, false);
    assert_eq!(all.iter().map(|it| (it.rows, it.level)).collect::<Vec<_>>(), [(0, 5), (0, 5)]);
    assert_eq!(view::scored_locks(&debugger, 1, 100, false), [], "none in the last frame");
}

#[test]
fn a_level_takes_as_many_cycles_as_the_forecast_says() {
    let left = |level| {
        let debugger = locks(level, 1, false);
        let last = view::scored_locks(&debugger, u64::MAX, 1, false).pop().expect("a lock");
        (last.left, last.turn.expect("several turns"))
    };
    let ((low, turn), (high, _)) = (left(10), left(110));
    // What else the frames do differs by some hundred cycles.
    assert!((low - high).abs_diff(100 * turn) < 1_500, "{low} {high} {turn}");
}

#[test]
fn an_nmi_that_comes_into_a_jump_table_is_named_and_where_it_led() {
    let mut debugger = in_a_game();
    let [low, high] = debugger.profile().expect("the game").address(tetris::hooks::DISPATCH).to_le_bytes();
    // LDA #0, JSR dispatch, .addr $0307; $0307: JMP $0300
    let program = [0xA9, 0x00, 0x20, low, high, 0x07, 0x03, 0x4C, 0x00, 0x03];
    for (at, byte) in (0x300..).zip(program) {
        debugger.poke(Space::Cpu, at, byte);
    }
    run(&mut debugger, &Goal::Beam { line: 230, dot: 0 });
    let (mut astray, mut harmless) = (0, 0);
    for delay in 0..60 {
        let mut debugger = debugger.clone();
        run(&mut debugger, &Goal::Instructions(1 + delay));
        debugger.set(Register::Pc, 0x300);
        run(&mut debugger, &Goal::Nmi(1));
        // Long enough for the handler to come back and the jump to be taken.
        run(&mut debugger, &Goal::Lines(40));
        let frames = view::profile(&debugger, 1);
        let Some(landing) = frames.last().and_then(|frame| frame.landing) else { continue };
        assert_eq!(landing.meant, 0x307);
        assert!(landing.at > u16::from_le_bytes([low, high]), "{landing:?}");
        match landing.went {
            Some(0x307) => harmless += 1,
            Some(_) => astray += 1,
            None => panic!("it has gone on: {landing:?}"),
        }
        assert_eq!(landing.is_astray(), landing.went != Some(0x307));
    }
    assert!(astray > 0 && harmless > 0, "{astray} astray, {harmless} harmless");
}

#[test]
fn the_code_around_the_next_instruction_fills_the_rows_and_has_it_in_them() {
    let mut debugger = in_a_game();
    for step in 0..40_u64 {
        run(&mut debugger, &Goal::Instructions(1 + step * 7));
        for rows in [1, 2, 5, 16, 40] {
            let code = view::code(&debugger, rows);
            assert_eq!(code.iter().filter(|line| line.is_next).count(), 1, "{rows} rows: {code:?}");
            let height: usize = code.iter().map(view::Line::rows).sum();
            assert!(height <= rows.max(2) && height + 1 >= rows, "{height} of {rows}: {code:?}");
        }
    }
    let lines = view::call_lines(&debugger);
    assert_eq!(lines[0], debugger.symbols.text(debugger.console().cpu.pc));
    assert!(lines.iter().skip(1).all(|line| line.contains(" < ")) && lines.len() > 1, "{lines:?}");
}

#[test]
fn the_timeline_has_locks_clears_and_stops_as_far_back_as_the_past_reaches() {
    for image in [IMAGE, include_bytes!("../../../../roms/maxout-slow.nes")] {
        timeline_of(in_a_game_of(image));
    }
}

fn timeline_of(mut debugger: Debugger) {
    let begun = debugger.console().frame_number();
    for _ in 0..3 {
        assert!(matches!(run(&mut debugger, &Goal::Event("lock".into(), 1)), Stop::Event { .. }));
    }
    let lock = Trigger::Event("lock".into());
    let number = debugger.breakpoints.add(Breakpoint::new(lock));
    assert!(
        matches!(run(&mut debugger, &Goal::Free), Stop::Event { number: Some(hit), .. } if hit == number)
    );
    let timeline = debugger.timeline();
    let frames = |timeline: &Timeline, kind| timeline.frames(kind).collect::<Vec<_>>();
    let locks = frames(&timeline, MilestoneKind::Lock);
    assert_eq!(locks.len(), 4, "{timeline:?}");
    assert!(locks.is_sorted() && locks[0] > begun && timeline.oldest <= begun);
    assert_eq!(frames(&timeline, MilestoneKind::Stop), locks[3..]);
    assert_eq!((timeline.now, timeline.newest), (locks[3], locks[3]));
    // Going back leaves what comes after, until the machine goes another way.
    assert!(debugger.travel_to_frame(locks[1]));
    let back = debugger.timeline();
    assert_eq!((back.now, back.newest, back.milestones.len()), (locks[1], locks[3], 5));
    run(&mut debugger, &Goal::Frames(1));
    assert_eq!(frames(&debugger.timeline(), MilestoneKind::Lock), locks[..2]);
    // What is not remembered any more has no place on it.
    debugger.breakpoints.remove(number);
    run(&mut debugger, &Goal::Frames(8_000));
    let later = debugger.timeline();
    assert!(later.oldest > locks[1] && later.milestones.iter().all(|mark| mark.frame >= later.oldest));
}
