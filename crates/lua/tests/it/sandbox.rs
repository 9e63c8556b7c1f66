//! What a script cannot do: reach anything else, use up the machine, or run for ever.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::rig::{Rig, message, printed};
use nes_lua::{FrameScript, Limits, Script, ScriptError};
use tetris::SplitMix64;

fn limited(source: &str) -> Rig {
    let limits = Limits { instructions: 100_000, memory: 16 << 20 };
    Rig::with(Script::load_with(source.as_bytes(), "test.lua", limits, Arc::default()).unwrap())
}

#[test]
fn nothing_but_the_interface_is_in_reach() {
    let names = "debug module loadfile load newproxy jit ffi";
    let script = format!(
        "for name in ('{names}'):gmatch('%a+') do print(_G[name]) end print(string.dump, coroutine.create ~= nil)"
    );
    let mut lines = printed(&script);
    assert_eq!(lines.pop().as_deref(), Some("nil true"));
    assert!(lines.iter().all(|line| line == "nil") && lines.len() == 7, "{lines:?}");
}

#[test]
fn what_is_not_offered_says_so() {
    for (source, sentence) in [
        ("os.execute('ls')", "test.lua:1: os.execute: scripts have no clock and start no programs"),
        ("local now = os.time()", "test.lua:1: os.time: scripts have no clock"),
        ("io.popen('ls')", "test.lua:1: io.popen: scripts have no files but those beside them"),
        ("io.output = 1", "test.lua:1: io.output: scripts have no files"),
        ("require('io').tmpfile('x')", "test.lua:1: io.tmpfile: scripts have no files"),
        ("emu.addEventCallback(print, 1)", "test.lua:1: emu.addEventCallback: this is a script for Mesen"),
        (
            "local value = emu.read(0, emu.memType.nesDebug)",
            "test.lua:1: emu.read: this is a script for Mesen",
        ),
        (
            "local socket = require('socket')",
            "test.lua:1: require 'socket': a library outside Lua; scripts have no network",
        ),
    ] {
        assert!(message(source).starts_with(sentence), "{source}: {}", message(source));
    }
}

#[test]
fn os_exit_ends_a_script_with_a_status() {
    for (source, status) in [
        ("emu.registerexit(function() os.exit(1) end) os.exit(3)", 3),
        ("os.exit()", 0),
        ("os.exit(false)", 1),
        ("pcall(os.exit, 9)", 9),
    ] {
        let mut rig = Rig::new(&format!("emu.frameadvance() {source}"));
        rig.frames(2);
        assert!(rig.script.is_done());
        rig.script.finish(&mut rig.console).unwrap();
        assert_eq!(rig.script.exit_status(), Some(status), "{source}");
    }
}

#[test]
fn compiled_code_is_refused_and_source_is_not() {
    let script = r#"
        print(loadstring("return 1 + 1")())
        print(loadstring("\27Lua"))
        print(select(2, loadstring("return +", "chunk")))
    "#;
    let lines = printed(script);
    assert_eq!(lines[0], "2");
    assert!(lines[1].starts_with("nil "), "{lines:?}");
    assert!(lines[2].contains("unexpected symbol"), "{lines:?}");
    assert!(matches!(Script::load(b"\x1bLuaQ", "x.lua"), Err(ScriptError::Syntax(_))));
}

#[test]
fn a_syntax_error_names_the_file_and_the_line() {
    let error = Script::load(b"\n\nlocal = 1", "folder/game.lua").err().unwrap();
    assert_eq!(error.to_string(), "folder/game.lua:3: '<name>' expected near '='");
}

#[test]
fn an_error_names_the_line_that_made_it_and_who_called() {
    let source =
        "local function inner()\n  local t = nil\n  return t.x\nend\nfunction outer() inner() end\nouter()";
    let error = Rig::new(source).error(1);
    let ScriptError::Runtime { message, traceback } = error else { panic!("{error}") };
    assert_eq!(message, "test.lua:3: attempt to index local 't' (a nil value)");
    assert!(traceback.contains("test.lua:5:"), "{traceback}");
    assert_eq!(crate::rig::message("\nerror('so')"), "test.lua:2: so");
    assert!(crate::rig::message("error({})").starts_with("test.lua:1: table: "));
}

#[test]
fn an_endless_loop_is_stopped_with_its_line() {
    let cases = [
        "\nwhile true do end",
        "\nwhile true do pcall(function() while true do end end) end",
        "\ncoroutine.wrap(function() while true do end end)()",
        "\nwhile true do coroutine.resume(coroutine.create(function() while true do end end)) end",
        "\nlocal function f() return f() end f()",
        "emu.registerafter(function()\nwhile true do end end)",
        "memory.registerwrite(0xB1, function()\nrepeat until false end) while true do emu.frameadvance() end",
        "gui.register(function()\nfor i = 1, math.huge do pcall(error) end end)",
    ];
    for source in cases {
        let error = limited(source).error(60);
        let ScriptError::Endless { place, instructions } = &error else { panic!("{source}: {error}") };
        assert_eq!((place.as_str(), *instructions), ("test.lua:2", 100_000), "{source}");
        assert!(error.to_string().starts_with("test.lua:2: 100000 instructions in one frame"));
    }
}

#[test]
fn the_count_begins_anew_with_each_frame() {
    let mut rig = limited("while true do for i = 1, 20000 do end emu.frameadvance() end");
    rig.frames(30);
}

#[test]
fn a_script_that_was_stopped_is_over() {
    let mut rig = limited("while true do pcall(function() while true do end end) end");
    assert!(rig.frame().is_err());
    assert!(rig.script.is_done());
    rig.frame().unwrap();
    rig.script.finish(&mut rig.console).unwrap();
}

#[test]
fn the_flag_stops_a_script_wherever_it_is() {
    let flag = Arc::new(AtomicBool::new(false));
    let script = Script::load_with(
        b"emu.frameadvance()\nwhile true do end",
        "test.lua",
        Limits::default(),
        Arc::clone(&flag),
    );
    let mut rig = Rig::with(script.unwrap());
    rig.frames(1);
    flag.store(true, Ordering::Relaxed);
    assert_eq!(rig.error(1), ScriptError::Interrupted { place: "test.lua:2".into() });
}

#[test]
fn memory_is_bounded_however_it_is_asked_for() {
    let cases = [
        "local s = 'x' while true do s = s .. s end",
        "local t = {} for i = 1, 1e7 do t[i] = {} end",
        "local s = ('x'):rep(1e9)",
        // Equal states are one string: each of these is another.
        "local t = {} for i = 1, 1e5 do memory.writebyte(i % 256, i / 256) \
         t[i] = savestate.create() savestate.save(t[i]) end",
    ];
    for source in cases {
        let limits = Limits { memory: 16 << 20, ..Limits::default() };
        let script = Script::load_with(source.as_bytes(), "test.lua", limits, Arc::default()).unwrap();
        let error = Rig::with(script).error(1);
        assert!(matches!(error, ScriptError::Memory { .. }), "{source}: {error}");
        assert_eq!(error.to_string(), "test.lua: out of memory: a script may have 16 MiB");
    }
    assert!(
        message("while true do print(('x'):rep(1e6)) end").contains("more than 4 MiB of output in one frame")
    );
}

#[test]
fn deep_recursion_is_an_error_of_the_script() {
    assert!(message("local function f() return 1 + f() end f()").contains("stack overflow"));
    assert!(message("local t = setmetatable({}, {}) getmetatable(t).__index = function(t, k) return t[k] end print(t.x)").contains("overflow"));
}

#[test]
fn files_need_a_folder() {
    let mut script = Rig::new("").script;
    let mut rig = Rig::new("gui.savescreenshot()");
    std::mem::swap(&mut rig.script, &mut script);
    let mut bare = Script::load(b"gui.savescreenshot()", "test.lua").unwrap();
    let error = bare.frame(&mut rig.console, rig.pads).unwrap_err();
    assert!(error.to_string().contains("scripts reach no files here"), "{error}");
}

#[test]
fn a_script_can_move_to_another_thread() {
    let mut rig = Rig::new("print(emu.framecount())");
    let lines = std::thread::spawn(move || {
        rig.frames(1);
        rig.lines()
    });
    assert_eq!(lines.join().unwrap(), ["0"]);
}

/// Texts that are nearly scripts: whatever comes of them, nothing panics.
#[test]
fn any_bytes_are_a_script_or_an_error() {
    let pieces: &[&[u8]] = &[
        b"memory.readbyte(",
        b"0x10",
        b")",
        b" gui.text(1,2,",
        b"'a'",
        b"nil",
        b"{}",
        b"function() ",
        b" end ",
        b",",
        b"-1",
        b"memory.registerwrite(",
        b"savestate.load(",
        b"savestate.create(",
        b"joypad.set(1,",
        b"emu.frameadvance()",
        b"1e300",
        b"0/0",
        b"\xFF",
        b"gui.image(",
        b"rom.readbyterange(",
        b"for i=1,3 do ",
        b"movie.play(",
        b"bit.lshift(",
        b"[[",
        b"]]",
    ];
    let mut random = SplitMix64::new(1);
    let mut roll = |sides: usize| random.below(sides as u32) as usize;
    let mut ran = 0;
    let mut console = Rig::new("").console;
    for _ in 0..1500 {
        let source: Vec<u8> = (0..=roll(5)).flat_map(|_| pieces[roll(pieces.len())]).copied().collect();
        let limits = Limits { instructions: 10_000, memory: 16 << 20 };
        let Ok(mut script) = Script::load_with(&source, "fuzz.lua", limits, Arc::default()) else { continue };
        ran += 1;
        let _ = script.frame(&mut console, [nes::Buttons::empty(); 2]);
    }
    assert!(ran > 10, "{ran} of 1,500 texts were scripts");
}

/// Calls every function of every table with values that nobody would think of.
const CALLS: &str = r"
    local nasty = {nil, false, true, 0, 1, 2, -1, 5, 0xFF, 0x100, 0xFFFF, 0x10000, 2^31, 2^53, -2^53, 1e300, -1e300, 0/0, 1/0,
        0.5, '', 'a', 'red', 'slot', 'x.png', '12', string.rep('A', 300), '\255\254\0\9\0\9\1\0\0\0\0', {}, {r = 1},
        {A = true, start = 'x'}, print, function() end, coroutine.create(print), savestate.create(), savestate.object(1)}
    local skipped = {frameadvance = true, exit = true, print = true, message = true}
    local functions = {}
    for _, name in ipairs{'memory', 'joypad', 'emu', 'savestate', 'movie', 'gui', 'rom', 'bit', 'input'} do
        for key, f in pairs(_G[name]) do
            if not skipped[key] then functions[#functions + 1] = f end
        end
    end
    local state = SEED
    local function roll(sides) state = (state * 16807) % 2147483647 return state % sides + 1 end
    while true do
        for i = 1, CALLS do
            local a, b, c, d, e, f = nasty[roll(36)], nasty[roll(36)], nasty[roll(36)], nasty[roll(36)], nasty[roll(36)], nasty[roll(36)]
            local count = roll(7) - 1
            pcall(functions[roll(#functions)], unpack({a, b, c, d, e, f}, 1, count))
        end
        emu.unpause()
        emu.registerbefore(nil) emu.registerafter(nil) emu.registerexit(nil) gui.register(nil)
        for _, register in ipairs{'registerread', 'registerwrite', 'registerexec'} do memory[register](0, 0x10000, nil) end
        emu.frameadvance()
    end
";

fn call_everything(frames: usize, seed: u32, calls: u32) {
    let source = CALLS.replace("SEED", &seed.to_string()).replace("CALLS", &calls.to_string());
    let mut rig = Rig::new(&source);
    for _ in 0..frames {
        // A program that was sent astray may jam; the script goes on.
        rig.frame().unwrap();
        rig.script.set_paused(false);
        let _ = rig.lines();
    }
}

#[test]
fn no_arguments_make_a_function_of_the_interface_panic() {
    // Some fill tables with all of the memory: 2,000 calls take 5 seconds of a build with checks.
    call_everything(2, 1, 1_000);
}

#[test]
#[ignore = "a million calls, two minutes: cargo test -p nes-lua --test it sandbox:: -- --ignored"]
fn no_arguments_of_a_million_calls_make_a_function_of_the_interface_panic() {
    (0..20).for_each(|seed| call_everything(10, seed + 7, 5_000));
}
