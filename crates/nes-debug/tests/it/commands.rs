//! The command language, on the built-in cartridge and files in memory.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io;

use nes::fm2::Movie;
use nes::{Cartridge, Config};
use nes_debug::command::{COMMANDS, CommandError, CommandSession, FileError, Files, Reply};
use nes_debug::view::Picture;
use nes_debug::{Debugger, Genie};
use nes_testing::{Image, MAXOUT as IMAGE};
use proptest::prelude::*;
use tetris::Profile;

const NEXT_PIECE: &str = include_str!("../../../../docs/debugger/next_piece.script");
const KILL_SCREEN: &str = include_str!("../../../../docs/debugger/kill_screen.script");

#[derive(Default)]
struct Map {
    files: BTreeMap<String, Vec<u8>>,
    pictures: BTreeMap<String, Picture>,
}

impl Files for Map {
    fn read(&mut self, name: &str) -> Result<Vec<u8>, FileError> {
        self.files.get(name).cloned().ok_or_else(|| FileError(format!("{name}: no such file")))
    }

    fn write(
        &mut self,
        name: &str,
        fill: &mut dyn FnMut(&mut dyn io::Write) -> io::Result<()>,
    ) -> Result<(), FileError> {
        let mut bytes = Vec::new();
        fill(&mut bytes).map_err(|error| FileError(error.to_string()))?;
        self.files.insert(name.to_owned(), bytes);
        Ok(())
    }

    fn picture(&mut self, name: &str, picture: &Picture) -> Result<(), FileError> {
        self.pictures.insert(name.to_owned(), picture.clone());
        Ok(())
    }
}

struct Rig {
    session: CommandSession,
    map: Map,
}

impl Rig {
    fn new() -> Self {
        let cartridge = Cartridge::from_bytes(IMAGE).unwrap();
        let debugger = Debugger::new(cartridge, Config::default(), Profile::of_image(IMAGE));
        Self { session: CommandSession::new(debugger, IMAGE.to_vec()), map: Map::default() }
    }

    fn try_line(&mut self, line: &str) -> Result<Reply, CommandError> {
        self.session.execute(line, &mut self.map, &mut || true)
    }

    fn line(&mut self, line: &str) -> String {
        let reply = self.try_line(line).unwrap_or_else(|error| panic!("{line}: {error}"));
        assert!(!reply.failed, "{line}: {}", reply.text);
        reply.text
    }

    fn script(&mut self, text: &str) -> String {
        text.lines().map(|line| self.line(line) + "\n").collect()
    }

    fn error(&mut self, line: &str) -> String {
        match self.try_line(line) {
            Err(error) => error.to_string(),
            Ok(reply) => panic!("{line}: {reply:?}"),
        }
    }
}

#[test]
fn a_session_changes_the_next_piece_of_a_game() {
    let mut rig = Rig::new();
    let said = rig.script(NEXT_PIECE);
    assert!(said.contains("breakpoint 1 (execute $99A2)"), "{said}");
    assert!(said.contains("level 1") && said.contains("DAS ["), "{said}");
    assert_eq!(rig.map.pictures["next_piece.png"].width, 256);
    assert_eq!(rig.map.pictures["events.png"].width, 682);
    assert!(rig.map.pictures["lock.png"] != rig.map.pictures["next_piece.png"]);
}

#[test]
fn a_session_shows_how_far_the_kill_screen_is() {
    let mut rig = Rig::new();
    let said = rig.script(KILL_SCREEN);
    assert!(said.contains(" rows at level 18, ") && said.contains(" cycles a level: late "), "{said}");
}

#[test]
fn a_range_of_memory_is_set_at_once_or_not_at_all() {
    let mut rig = Rig::new();
    assert_eq!(rig.line("set [0x300..0x30F] = 0x5A"), "cpu[$0300]-$030F: 16 bytes -> $5A");
    rig.line("expect [0x300] == 0x5A && [0x30F] == 0x5A && [0x310] != 0x5A");
    assert!(rig.error("set [0x7FF..0x2000] = 1").starts_with("cpu[$2000]: nothing can be written"));
    assert!(rig.error("set oam[0xFF..0x100] = 1").starts_with("oam[$0100]: nothing can be written"));
    assert!(rig.error("set [5..4] = 1").starts_with("cpu[$0005]-$0004: nothing can be written"));
    assert!(rig.error("set [5..levl] = 1").starts_with("column 9: levl: no register"));
    assert!(rig.error("set [-1] = 1").starts_with("column 6: expected an address"));
    assert!(rig.error("set prg[0..0xFFFFFFFF] = 1").contains("nothing can be written there"));
}

#[test]
fn what_only_the_condition_of_a_breakpoint_knows_is_no_address_and_no_value_elsewhere() {
    let mut rig = Rig::new();
    for line in [
        "break execute ADDRESS",
        "break read address..$07FF",
        "break write $0300+value",
        "goto address",
        "memory address",
        "set [is_write] = 1",
        "set x = value",
        "freeze $0044 = value",
    ] {
        let error = rig.error(line);
        assert!(error.contains("has a value only in the condition of a breakpoint"), "{line}: {error}");
    }
    rig.line("break write $0300 if value == 3 && address == $0300");
}

#[test]
fn every_command_has_an_example_that_is_one_and_stands_in_the_document() {
    let document = include_str!("../../../../docs/debugger.md");
    let mut rig = Rig::new();
    for command in COMMANDS {
        let help = rig.line(&format!("help {}", command.name));
        assert!(help.starts_with(command.name) && !command.examples.is_empty(), "{help}");
        for example in command.examples.lines() {
            let first = example.split(' ').next().unwrap_or_default();
            assert!(first == command.name || command.aliases.contains(&first), "{example}");
        }
        assert!(
            document.contains(&format!("| `{}`", command.name)),
            "docs/debugger.md lacks {}",
            command.name
        );
    }
}

/// What stands in examples that need a file.
const NEED_FILES: [&str; 3] = ["symbols load", "main.c", "over source"];

#[test]
fn examples_that_need_no_file_can_be_carried_out() {
    let mut rig = Rig::new();
    rig.line("run 700");
    for command in COMMANDS {
        if matches!(
            command.name,
            "step"
                | "back"
                | "until"
                | "goto"
                | "quit"
                | "expect"
                | "run"
                | "movie"
                | "load"
                | "trace"
                | "source"
                | "locals"
        ) {
            continue; // these run far, or read a file, or need the sources
        }
        for example in
            command.examples.lines().filter(|line| !NEED_FILES.iter().any(|file| line.contains(file)))
        {
            if matches!(command.name, "delete" | "enable" | "disable" | "unwatch") {
                let added = rig.line(if command.name == "unwatch" { "watch 1" } else { "break lock" });
                let number = added.split_whitespace().next().unwrap_or_default().to_owned();
                rig.line(&example.replace('1', &number));
                continue;
            }
            rig.try_line(example).unwrap_or_else(|error| panic!("{example}: {error}"));
        }
    }
    assert!(rig.map.pictures.len() >= 3 && rig.map.files.contains_key("hack.bps"));
}

#[test]
fn a_range_is_written_as_the_list_prints_it_or_with_dots() {
    let mut rig = Rig::new();
    let listed = rig.line("break write $0400-$04C7 if value > 3");
    assert!(listed.contains("write $0400-$04C7 if value > 3"), "{listed}");
    for range in ["$0400..$04C7", "0x400-0x4C7", "$0400 - $04C7", "1024 .. 1223", "playfield-playfield+199"] {
        assert_eq!(rig.line(&format!("break write {range} if value > 3"))[3..], listed[3..], "{range}");
    }
    // A hyphen that leads to an address is a minus.
    assert!(rig.line("break playfield-4").contains("execute $03FC"));
    assert!(rig.line("break $10-$4").contains("execute $000C"));
    assert!(rig.error("break $70 - $60").starts_with("column 7: expected the lower address first"));
    assert_eq!(
        rig.error("break $0400-levl"),
        "column 13: levl: no register, quantity or symbol of this name; level is one"
    );
    assert_eq!(rig.line("set [$300-$30F] = 1"), rig.line("set [$300..$30F] = 1"));
}

#[test]
fn the_keys_of_frames_go_as_far_back_as_on() {
    use nes_debug::command::of_key;
    let mut rig = Rig::new();
    rig.line("frame 100");
    for (number, shift, frame) in
        [(6, false, 101), (6, false, 102), (6, true, 101), (6, true, 100), (5, true, 90)]
    {
        rig.line(of_key(number, shift).unwrap());
        rig.line(&format!("expect frame == {frame}"));
    }
}

#[test]
fn errors_name_the_column_and_what_was_expected() {
    let mut rig = Rig::new();
    assert_eq!(rig.error("brake 5"), "brake: no such command; break is one: `help` lists them");
    assert_eq!(
        rig.error("print 1 + $"),
        "column 11: $: expected a number of at most 32 bits, as 48, 0x30, $30 or %110000"
    );
    assert_eq!(
        rig.error("until levl >= 1"),
        "column 7: levl: no register, quantity or symbol of this name; level is one"
    );
    assert_eq!(rig.error("break write 0x60 if (value"), "column 27: expected `)`");
    assert!(rig.error("break 0x70..0x60").starts_with("column 7: expected the lower address first"));
    assert!(rig.error("step sideways").starts_with("column 6: expected a number, a unit"));
    assert!(rig.error("set [0x4000] = 1").contains("nothing can be written there"));
    assert!(rig.error("delete 7").starts_with("breakpoint 7: there is none"));
    assert!(rig.error("frame x").starts_with("column 7: expected the number of a frame"));
    assert!(rig.error("load nowhere").starts_with("nowhere: no such file"));
    assert_eq!(rig.error("search list"), "no search is under way: begin with `search new`");
    assert!(
        rig.error("label lok").starts_with("column 7: lok: no register, quantity or symbol of this name")
    );
    assert!(rig.error("cheat SXIBPO").starts_with("SXIBPO: letter 4"));
    let depth = format!("print {}1", "(".repeat(5000));
    assert!(rig.error(&depth).contains("brackets or signs within each other"));
}

#[test]
fn where_an_address_is_wanted_a_name_is_a_place_and_not_what_the_game_has_there() {
    let mut rig = Rig::new();
    rig.line("set [0x66] = 12");
    rig.line("freeze das = 16");
    assert_eq!(rig.session.debugger.frozen().iter().collect::<Vec<_>>(), [(&0x66, &16)]);
    assert!(rig.line("break write das log").contains("write $0066 log"));
}

#[test]
fn an_expectation_that_fails_says_what_was_there() {
    let mut rig = Rig::new();
    let reply = rig.try_line("expect frame == 7").unwrap();
    assert_eq!((reply.failed, reply.text.as_str()), (true, "expected frame == 7: frame is 0, 7 is 7"));
    rig.line("frame 7");
    rig.line("expect frame == 7");
    rig.line("limit 10");
    assert!(rig.try_line("until 0").unwrap().failed, "it was not reached");
}

#[test]
fn watched_values_are_shown_with_what_they_were_before_the_machine_moved() {
    let mut rig = Rig::new();
    assert_eq!(rig.line("watches"), "nothing is watched");
    assert_eq!(rig.line("watch frame"), "1  frame = 0");
    assert_eq!(rig.line("w [0xFFFC] as hex"), format!("2  [0xFFFC] = ${:02X}", IMAGE[16 + 0x7FFC]));
    rig.line("watch frame & 3 as binary");
    rig.line("run 30");
    rig.line("run 1");
    let reset = format!("2  [0xFFFC] = ${:02X}", IMAGE[16 + 0x7FFC]);
    let shown =
        format!("1  frame = 31 ($1F), was 30 ($1E)\n{reset}\n3  frame & 3 = %00000011, was %00000010");
    assert_eq!(rig.line("watches"), shown);
    rig.line("back frame");
    assert!(rig.line("watches").starts_with("1  frame = 30 ($1E), was 31 ($1F)\n"), "back is a move too");
    rig.line("unwatch 1");
    assert_eq!(rig.session.debugger.watched().len(), 2);
    rig.line("unwatch all");
    assert_eq!(rig.line("watches"), "nothing is watched");
    assert_eq!(rig.line("watch 1"), "4  1 = 1", "a number is not given twice");
    assert_eq!(rig.line("print -300 as hex"), "-300 = -$012C");
    assert_eq!(
        rig.error("watch level as octal"),
        "column 16: expected decimal, hex or binary: `help watch` says more"
    );
    assert_eq!(
        rig.error("watch levl as hex"),
        "column 7: levl: no register, quantity or symbol of this name; level is one"
    );
    assert!(rig.error("watch").starts_with("column 6: expected a value"));
    assert!(rig.error("unwatch 1").starts_with("watched expression 1: there is none"));
    assert!(rig.error("unwatch x").starts_with("column 9: expected the number of a watched expression"));
}

#[test]
fn a_search_compares_with_the_last_look_or_with_a_snapshot() {
    let mut rig = Rig::new();
    rig.line("run 100");
    assert_eq!(rig.line("search new"), "2048 bytes are possible");
    rig.line("search snapshot begin");
    for frames in [3, 5, 7] {
        rig.line(&format!("run {frames}"));
        rig.line(&format!("search by {frames}"));
    }
    let found = rig.line("search by 15 since begin");
    assert!(found.contains("frame_counter"), "{found}");
    rig.line("run 1");
    rig.line("search snapshot later");
    assert_eq!(rig.line("search snapshots"), "begin\nlater");
    assert!(rig.line("search changed since begin").contains("frame_counter"));
    assert_eq!(rig.line("search changed since later"), "0 bytes are possible");
    assert_eq!(
        rig.error("search less since never"),
        "column 19: never: no snapshot of this name; there are begin, later"
    );
    assert!(rig.error("search less since").starts_with("column 18: expected the name of a snapshot"));
    assert!(rig.error("search less then").starts_with("column 13: expected `since`"));
    assert!(rig.error("search bigger").starts_with("column 8: expected new, list"));
    rig.line("search new");
    assert!(rig.line("search list").ends_with("… and 1792 more"));
}

/// A `UxROM` of eight banks: the last calls `$8000` of banks 0, 1 and 2 in turn, where RTS stands
/// behind as many NOPs.
fn banked() -> Rig {
    let mut image = Image::ines(2, 8, 0);
    image.prg.fill(0xEA);
    for bank in 0..3 {
        image.prg[bank * 0x4000 + bank] = 0x60;
    }
    // LDX #0; TXA; STA $8000; JSR $8000; INX; CPX #3; BNE TXA; JMP $C000
    let program = b"\xA2\x00\x8A\x8D\x00\x80\x20\x00\x80\xE8\xE0\x03\xD0\xF4\x4C\x00\xC0";
    let image = image.put(0x1C000, program).vectors(0xC000, 0xC000, 0xC000).bytes();
    let debugger = Debugger::new(Cartridge::from_bytes(&image).unwrap(), Config::default(), None);
    Rig { session: CommandSession::new(debugger, image), map: Map::default() }
}

#[test]
fn labels_of_banks_are_those_of_the_bank_that_is_shown() {
    let mut rig = banked();
    let lists = [
        ("g.nes.ram.nl", "$0010#counter#\n"),
        ("g.nes.0.nl", "$8000#zero#\n"),
        ("g.nes.1.nl", "$8000#one#\n"),
        ("g.nes.2.nl", "$8000#two#the third\n"),
        ("g.nes.7.nl", "$C000#main#\n$C002#again#\n"),
    ];
    for (name, text) in lists {
        rig.map.files.insert(name.to_owned(), text.as_bytes().to_vec());
    }
    assert_eq!(rig.line("symbols load g.nes.*.nl"), "6 symbols");
    assert_eq!(rig.line("break two"), "  1  execute $8000 if place == 32768  hits 0");
    let stop = rig.line("run");
    assert!(stop.starts_with("$8000 two "), "{stop}");
    rig.line("expect pc == @two && place == 0x8000 && x == 2");
    assert!(rig.line("disassemble two 1").starts_with("two:\n"), "of the bank that is shown");
    assert!(rig.line("stack").contains("JSR  two from again+4"));
    rig.line("delete all");
    rig.line("break one if x < 2 log");
    rig.line("label here pc what lies here now");
    rig.line("run 8");
    let log = rig.try_line("run 1").unwrap().text;
    assert!(log.lines().next().is_some_and(|line| line.contains("pc one ")), "{log}");
    let profile = rig.line("profile 3");
    for name in ["zero", "one", "two", "again"] {
        assert!(profile.contains(&format!("  {name}")), "{name} in {profile}");
    }
    assert!(rig.line("symbols list two").ends_with("prg[$08000] the third"));
    rig.line("symbols save other.nes.*.nl");
    for (name, text) in lists {
        let saved = &rig.map.files[&name.replace("g.nes", "other.nes")];
        let text =
            if name == "g.nes.2.nl" { "$8000#two#the third\n$8000#here#what lies here now\n" } else { text };
        assert_eq!(String::from_utf8_lossy(saved), text, "{name}");
    }
    rig.line("symbols save all.mlb");
    assert!(String::from_utf8_lossy(&rig.map.files["all.mlb"]).contains("NesPrgRom:8000:two:the third\n"));
    assert!(rig.error("symbols load none.*.nl").starts_with("none.ram.nl: no such file"));
}

#[test]
fn expressions_have_the_precedences_of_c() {
    let mut rig = Rig::new();
    for (text, value) in [
        ("1 + 2 * 3", 7),
        ("(1 + 2) * 3", 9),
        ("1 << 4 | 1", 17),
        ("5 & 3 == 3", 1),
        ("!0 && 2 > 1", 1),
        ("-1 < 0", 1),
        ("~0 & 0xFF", 255),
        ("%101 + 0b11", 8),
        ("7 % 4", 3),
        ("7 %4", 3),
        ("1 / 0", 0),
        ("T J", 0),
        ("I", 6),
        ("@lock - @spawn", 0x99A2 - 0x98BA),
    ] {
        if text == "T J" {
            assert!(rig.error("print T J").starts_with("column 9: expected an operator"));
            continue;
        }
        let said = rig.line(&format!("print {text}"));
        let found = said.rsplit(" = ").next().and_then(|number| number.split(' ').next()?.parse().ok());
        assert_eq!(found, Some(value), "{said}");
    }
    rig.line("run 30");
    rig.line("expect [0xFFFC] == [@reset] || {0xFFFC} == @reset");
    rig.line("expect prg[0] == [0x8000] && ppu[0x3F00] == palette[0] && chr[0] >= 0 && oam[0] <= 255");
    rig.line("expect A >= 0 && pc >= 0x8000 && flag.i <= 1 && scanline < 262 && dot < 341");
}

#[test]
fn a_trace_is_the_same_twice_and_a_filter_leaves_lines_out() {
    let mut rig = Rig::new();
    rig.line("run 50");
    rig.line("save begin");
    rig.line("trace first 20000 mesen");
    rig.line("load begin");
    rig.line("trace second 20000 mesen");
    assert_eq!(String::from_utf8_lossy(&rig.map.files["first"]).lines().count(), 20_000);
    assert_eq!(rig.map.files["first"], rig.map.files["second"]);
    rig.line("load begin");
    rig.line("trace third 20000 fceux if opcode == 0x20");
    let third = String::from_utf8(rig.map.files["third"].clone()).unwrap();
    assert!(third.lines().count() > 10 && third.lines().all(|line| line.contains("JSR $")), "{third}");
}

#[test]
fn a_trace_of_the_past_is_the_end_of_the_trace_that_led_there() {
    let mut rig = Rig::new();
    rig.line("run 70");
    rig.line("trace whole 60000 nestest");
    let whole = String::from_utf8(rig.map.files["whole"].clone()).unwrap();
    let whole: Vec<&str> = whole.lines().collect();
    assert_eq!(rig.line("trace last 3 nestest"), whole[whole.len() - 3..].join("\n"));
    let cycle = rig.session.debugger.console().cycle();
    rig.line("trace past last 59000 nestest");
    let past = String::from_utf8(rig.map.files["past"].clone()).unwrap();
    assert!(past.lines().eq(whole[1000..].iter().copied()), "over several keyframes");
    assert_eq!(rig.session.debugger.console().cycle(), cycle, "the machine stays where it is");

    rig.line("trace nmis last 40 nestest in nmi");
    let nmis = String::from_utf8(rig.map.files["nmis"].clone()).unwrap();
    let inside = rig.session.debugger.symbols.extent(0x8005);
    let address = |line: &str| u16::from_str_radix(&line[..4], 16).unwrap();
    let meant: Vec<&str> = whole.iter().copied().filter(|line| inside.contains(&address(line))).collect();
    assert!(nmis.lines().eq(meant[meant.len() - 40..].iter().copied()), "{nmis}");
    assert_eq!(rig.line("trace last 40 in 0x8005..0x8005 if a == 256"), "");
    assert_eq!(rig.line("trace all last 100000000 in 0xFF00"), "all: 1 lines", "there was one reset");
    assert!(rig.error("trace last 3 mesn").starts_with("column 14: expected nestest, mesen or fceux"));
    assert!(rig.error("trace file last").starts_with("column 16: expected a number of instructions"));
    assert!(rig.error("trace last in nowhere").starts_with("column 15: nowhere: no register"));
}

#[test]
fn an_interrupt_is_no_instruction_of_a_trace() {
    let mut rig = Rig::new();
    rig.line("run 70");
    rig.line("step nmi");
    rig.line("back 20");
    rig.line("trace before 100 nestest");
    let text = String::from_utf8(rig.map.files["before"].clone()).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 100);
    let handler = lines.iter().position(|line| line.starts_with("8005")).expect("the handler is in it");
    let cycle = |line: &str| line.rsplit("CYC:").next().unwrap().parse::<u64>().unwrap();
    let length = cycle(lines[handler]) - cycle(lines[handler - 1]);
    assert!((9..=14).contains(&length), "seven cycles more than the instruction: {text}");
}

#[test]
fn a_jammed_cpu_ends_a_trace() {
    let mut rig = Rig::new();
    rig.line("run 20");
    rig.line("set [0x300] = 0x02");
    rig.line("set pc = 0x300");
    rig.line("trace jam 1000");
    let text = String::from_utf8(rig.map.files["jam"].clone()).unwrap();
    assert!(text.lines().last().unwrap().starts_with("0300  "), "{text}");
    assert!(rig.line("run 1").contains("the game has crashed"), "it is told once");
    assert!(rig.try_line("run 1").unwrap().failed);
}

#[test]
fn a_patch_is_made_of_what_was_set_in_rom_and_the_image_stays() {
    let mut rig = Rig::new();
    rig.line("set prg[0x18BA] = 0x60");
    rig.line("set chr[5] = 0xAA");
    assert!(rig.line("patch hack.bps").ends_with("2 bytes of the image differ"));
    rig.line("patch hack.ips");
    assert_eq!(rig.session.image, IMAGE);
    let apply = |name: &str| nes::cartridge::patch::apply(&rig.map.files[name], IMAGE).unwrap();
    let patched = apply("hack.bps");
    assert_eq!((patched[16 + 0x18BA], patched[16 + 0x8000 + 5]), (0x60, 0xAA));
    assert_eq!(apply("hack.ips"), patched);
}

#[test]
fn frozen_bytes_stay_and_cheats_change_the_program() {
    let mut rig = Rig::new();
    rig.line("run 100");
    rig.line("freeze 0x300 = 0x5A");
    rig.line("set [0x300] = 1");
    rig.line("run 2");
    rig.line("expect [0x300] == 0x5A");
    rig.line("thaw all");
    let code = Genie { address: 0x98BA, value: 0x60, compare: None }.text();
    rig.line(&format!("cheat {code}"));
    rig.line("expect [0x98BA] == 0x60");
    assert!(rig.line(&format!("cheat off {code}")).ends_with("as it was: 1 byte of PRG-ROM"));
    rig.line(&format!("expect [0x98BA] == {}", IMAGE[16 + 0x18BA]));
    let other = Genie { address: 0x98BA, value: 0x60, compare: Some(0x61) }.text();
    assert!(rig.try_line(&format!("cheat {other}")).unwrap().failed, "$61 does not stand there");
}

#[test]
fn the_profiler_counts_every_cycle_and_knows_the_wait_for_the_interrupt() {
    let mut rig = Rig::new();
    rig.line("run 700");
    for frame in nes_debug::view::profile(&rig.session.debugger, 20) {
        let counted: u64 = frame.by_label(&rig.session.debugger).iter().map(|(_, cycles)| cycles).sum();
        assert_eq!(counted, frame.cycles);
        assert!((29_700..=29_860).contains(&frame.cycles), "{frame:?}");
        assert!(frame.slack > 10_000, "{frame:?}");
    }
    let accesses = nes_debug::view::accesses(&rig.session.debugger);
    assert!(accesses.iter().any(|access| access.address == 0x4014 && access.write && access.line >= 241));
    assert!(rig.line("apu").contains("pulse 1"));
    assert!(rig.line("cdl").contains("bytes of code"));
    assert!(rig.line("stack").starts_with("JSR") || rig.line("stack").starts_with("at"));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]
    #[test]
    fn no_line_makes_it_panic(head in prop::sample::select(COMMANDS.iter().map(|command| command.name).collect::<Vec<_>>()), rest in "[ -~é]{0,30}") {
        let mut rig = Rig::new();
        rig.session.execute("limit 1", &mut rig.map, &mut || true).unwrap();
        if head != "limit" && !rest.chars().any(|letter| letter.is_ascii_digit()) {
            let _ = rig.try_line(&format!("{head} {rest}"));
        }
        let _ = rig.try_line(&format!("print {rest}"));
        let _ = rig.try_line(&format!("break {rest}"));
    }
}

#[test]
fn a_movie_of_fceuxs_begins_with_its_ram_goes_on_behind_the_power_switch_and_says_what_is_odd() {
    let mut text =
        "version 3\nromFilename other\nromChecksum base64:AAAAAAAAAAAAAAAAAAAAAA==\nRAMInitOption 0\n"
            .to_owned();
    for line in 0..200 {
        let command = match line {
            60 => 1,
            120 => 2,
            _ => 0,
        };
        let start = if line % 7 < 2 { 'T' } else { '.' };
        writeln!(text, "|{command}|....{start}...|........||").unwrap();
    }
    let movie = Movie::parse(text.as_bytes()).unwrap();
    let mut rig = Rig::new();
    rig.map.files.insert("a.fm2".to_owned(), text.into_bytes());
    let said = rig.line("movie a.fm2");
    assert!(
        said.starts_with("197 frames, from power-on\nwarning: a.fm2 was recorded with another"),
        "{said}"
    );
    assert!(said.matches("base64:").count() == 2, "{said}");
    assert_eq!(rig.session.debugger.console().ram()[..8], [0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF]);
    rig.line("frame 197");

    let cartridge = Cartridge::from_bytes(IMAGE).unwrap();
    let config = Config { ram_fill: movie.ram.into(), ..Config::default() };
    let mut console = nes::Console::new(cartridge.clone(), config);
    for input in &movie.frames {
        console.carry_out(input.commands, &cartridge, config);
        let _ = console.run_frame(&mut input.pads.clone(), &mut ());
    }
    assert_eq!(rig.session.debugger.console().state_hash(), console.state_hash());
}
