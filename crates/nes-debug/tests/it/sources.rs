//! A program in C, line by line: breakpoints, steps both ways, variables.

use std::io;

use nes::{Cartridge, Config};
use nes_debug::command::{CommandSession, FileError, Files};
use nes_debug::view;
use nes_debug::{Debugger, Sources};

const IMAGE: &[u8] = include_bytes!("../../../../roms/homebrew.nes");
const DEBUG: &str = include_str!("../../../../roms/homebrew.dbg");

/// The sources, as a folder has them; nothing else.
struct Folder;

impl Files for Folder {
    fn read(&mut self, name: &str) -> Result<Vec<u8>, FileError> {
        let text = match name {
            "main.c" => include_str!("../../../../roms/homebrew/main.c"),
            "ball.c" => include_str!("../../../../roms/homebrew/ball.c"),
            "score.c" => include_str!("../../../../roms/homebrew/score.c"),
            "start.s" => include_str!("../../../../roms/homebrew/start.s"),
            "homebrew.dbg" => DEBUG,
            _ => return Err(FileError(format!("{name}: no such file"))),
        };
        Ok(text.as_bytes().to_vec())
    }

    fn write(
        &mut self,
        name: &str,
        _: &mut dyn FnMut(&mut dyn io::Write) -> io::Result<()>,
    ) -> Result<(), FileError> {
        Err(FileError(format!("{name}: nothing is written here")))
    }
}

fn session() -> CommandSession {
    let cartridge = Cartridge::from_bytes(IMAGE).expect("a cartridge");
    let mut session = CommandSession::new(Debugger::new(cartridge, Config::default(), None), IMAGE.to_vec());
    say(&mut session, "symbols load homebrew.dbg");
    session
}

fn say(session: &mut CommandSession, line: &str) -> String {
    match session.execute(line, &mut Folder, &mut || true) {
        Ok(reply) => {
            assert!(!reply.failed, "{line}: {}", reply.text);
            reply.text
        }
        Err(error) => panic!("{line}: {error}"),
    }
}

fn refused(session: &mut CommandSession, line: &str) -> String {
    session.execute(line, &mut Folder, &mut || true).expect_err(line).to_string()
}

fn line(session: &CommandSession) -> String {
    let line = session.debugger.source_line();
    line.map_or_else(|| "none".to_owned(), |line| session.debugger.sources.text(line))
}

fn locals(session: &CommandSession) -> Vec<(String, String)> {
    let frames = view::stack_frames(&session.debugger);
    let locals = frames[0].locals(&session.debugger).into_iter();
    locals.map(|local| (local.name.clone(), local.text(session.debugger.console()))).collect()
}

#[test]
fn a_line_stops_a_run_in_its_bank_and_steps_go_line_by_line_both_ways() {
    let mut session = session();
    let said = say(&mut session, "break score.c:18");
    assert!(said.contains("score.c:18 ($80"), "{said}");
    let said = say(&mut session, "run");
    assert!(said.contains("score.c:18  breakpoint 1"), "{said}");
    let first = session.debugger.console().cycle();
    // Into the function that the line calls, not into what cc65 calls for itself, and back out.
    for (command, next) in [
        ("step source", "score.c:10"),
        ("step source", "score.c:11"),
        ("step source", "score.c:18"),
        ("over source", "score.c:17"),
        ("over source", "score.c:18"),
        ("over source", "score.c:17"),
        ("back source", "score.c:18"),
        ("back source", "score.c:17"),
        ("back source", "score.c:18"),
    ] {
        say(&mut session, command);
        assert_eq!(line(&session), next, "{command}");
    }
    assert_eq!(session.debugger.console().cycle(), first, "each step back is one forth");
    say(&mut session, "over source");
    say(&mut session, "step source");
    assert_eq!(line(&session), "score.c:18");
    say(&mut session, "step source");
    say(&mut session, "out");
    assert_eq!(line(&session), "score.c:18", "in its middle");
    say(&mut session, "back source");
    say(&mut session, "back source");
    assert_eq!(line(&session), "score.c:17");
    say(&mut session, "delete 1");
    say(&mut session, "out");
    assert_eq!(line(&session), "main.c:11", "nothing of the call's line is left");
    say(&mut session, "step source");
    assert_eq!(line(&session), "main.c:12");
    say(&mut session, "over source");
    assert_eq!(line(&session), "main.c:13", "the interrupt on the way is none of the lines");
    say(&mut session, "back source");
    assert_eq!(line(&session), "main.c:12");
    say(&mut session, "step source");
    assert!(line(&session).starts_with("start.s:"), "what C knows by name is entered");
}

#[test]
fn a_function_and_a_condition_on_variables_stop_a_run() {
    let mut session = session();
    let said = say(&mut session, "break doubled");
    assert!(said.starts_with("  1  doubled ($"), "{said}");
    say(&mut session, "run");
    assert_eq!(line(&session), "score.c:10", "behind the head");
    say(&mut session, "delete all");
    say(&mut session, "break main.c:17 if score >= 6 && @_ball_x > 0");
    say(&mut session, "run");
    assert_eq!(
        (line(&session).as_str(), say(&mut session, "print score")),
        ("main.c:17", "score = 6".into())
    );
    say(&mut session, "expect bounces == 2 && speed == 1");
    let reply = session.execute("back breakpoint", &mut Folder, &mut || true).expect("a command");
    assert!(reply.failed, "the condition held never before: {}", reply.text);
}

#[test]
fn variables_are_found_on_the_stack_of_c_in_every_function() {
    let mut session = session();
    say(&mut session, "break score.c:10");
    say(&mut session, "run");
    assert_eq!(locals(&session), [("points".to_owned(), "1".to_owned())]);
    let frames = view::stack_frames(&session.debugger);
    let names: Vec<String> = frames.iter().map(|frame| frame.text(&session.debugger)).collect();
    assert_eq!(names[..3], ["doubled  score.c:10", "add_points  score.c:18", "main  main.c:17"]);
    let of = |frame: usize| -> Vec<String> {
        let locals = frames[frame].locals(&session.debugger).into_iter();
        locals.map(|local| format!("{} {}", local.name, local.text(session.debugger.console()))).collect()
    };
    assert_eq!(of(1), ["points 1, or 257 ($0101) of two bytes", "times 3", "i 0", "sum 0"]);
    assert_eq!(of(2), ["speed 1", "bounces 1"], "it began at power-on, dozens of frames ago");
    say(&mut session, "run");
    say(&mut session, "back source");
    assert_eq!(line(&session), "score.c:18");
    assert_eq!(
        locals(&session).iter().skip(1).map(|(_, value)| value.as_str()).collect::<Vec<_>>(),
        ["3", "1", "2"]
    );
    say(&mut session, "expect sum == 2 && i == 1");
    let said = say(&mut session, "locals");
    assert!(said.contains("add_points  score.c:18\n") && said.contains("sum = 2\n"), "{said}");
    let stored = view::stack_frames(&session.debugger)[0].variables(&session.debugger)["sum"];
    assert!(session.debugger.set_variable(stored, 0x1234));
    say(&mut session, "expect sum == 0x1234");
}

#[test]
fn back_breakpoint_leads_through_the_stops_of_before_and_then_to_the_oldest() {
    let mut session = session();
    say(&mut session, "break score.c:10");
    let mut cycles = Vec::new();
    for _ in 0..4 {
        say(&mut session, "run");
        cycles.push(session.debugger.console().cycle());
    }
    for cycle in cycles.iter().rev().skip(1) {
        assert!(say(&mut session, "back breakpoint").contains("breakpoint 1 (score.c:10"));
        assert_eq!(session.debugger.console().cycle(), *cycle);
    }
    let reply = session.execute("back breakpoint", &mut Folder, &mut || true).expect("a command");
    assert!(reply.failed && reply.text.ends_with("nothing older is remembered"), "{}", reply.text);
    say(&mut session, "delete all");
    say(&mut session, "run 200");
    say(&mut session, "break write _score");
    assert!(say(&mut session, "back breakpoint").contains("wrote $"));
    say(&mut session, "delete all");
    say(&mut session, "break main.c:13 log");
    let reply = session.execute("back breakpoint", &mut Folder, &mut || true).expect("a command");
    assert!(reply.failed, "what only leaves a line does not stop: {}", reply.text);
}

#[test]
fn the_source_stands_beside_the_code() {
    let mut session = session();
    say(&mut session, "break move_ball");
    say(&mut session, "run");
    let said = say(&mut session, "source 5");
    assert!(said.contains(">   16 ·     unsigned char old = ball_x;"), "{said}");
    let code = say(&mut session, "disassemble");
    assert!(code.contains("; ball.c:17  unsigned char met = 0;\n"), "{code}");
    assert!(say(&mut session, "source score.c:9 3").contains("    9 · static unsigned char doubled"));
    let asm = say(&mut session, "disassemble reset 4");
    assert!(asm.contains("; start.s:") && asm.contains("txs"), "{asm}");
}

#[test]
fn what_is_not_there_is_told() {
    let mut session = session();
    let message = refused(&mut session, "break nowhere.c:3");
    assert!(message.contains("nowhere.c: expected a source file") && message.contains("main.c"), "{message}");
    assert!(refused(&mut session, "break main.c:900").contains("main.c:900: no code"));
    assert!(refused(&mut session, "break main.c:x").starts_with("column 14: expected a line"));
    let cartridge = Cartridge::from_bytes(IMAGE).expect("a cartridge");
    let mut bare = CommandSession::new(Debugger::new(cartridge, Config::default(), None), IMAGE.to_vec());
    for command in ["source", "locals", "step source", "over source", "back source"] {
        assert!(refused(&mut bare, command).contains("no source files are known"), "{command}");
    }
    assert!(bare.debugger.load_symbols("x.dbg", "version\tmajor=2\nline\tid=0,file=x\n").is_err());
}

#[test]
fn lines_and_places_are_each_others() {
    let sources = Sources::parse(DEBUG, 0x10000).expect("a debug file");
    let (file, other) = (sources.file("/games/mine/main.c").expect("a file"), sources.file("MAIN.C"));
    assert_eq!(Some(file), other);
    assert!(sources.is_c(file) && !sources.is_c(sources.file("start.s").expect("a file")));
    let mut count = 0;
    for file in 0..sources.files().len() {
        for line in sources.lines_with_code(file, 0, u32::MAX).collect::<Vec<_>>() {
            let line = nes_debug::source::SourceLine { file, line };
            for spot in sources.spots(line) {
                // The bank is shown where the code was linked for.
                let bank = spot.place.map_or(0, |place| place - (u32::from(spot.address) & 0x3FFF));
                let banks = [bank, bank + 0x2000, bank, bank + 0x2000];
                let found = sources.line_at(spot.address, banks).expect("a line");
                // Lines of the assembler that C became are those of C.
                let became_c = sources.is_c(found.file) && !sources.is_c(file);
                // `.repeat` covers the lines that it repeats.
                let is_within = found.file == file && !sources.is_c(file);
                assert!(found == line || became_c || is_within, "{line:?}");
                count += 1;
            }
        }
    }
    assert!(count > 200, "{count} places");
}
