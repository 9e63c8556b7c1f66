//! What one call could do to the program before Lua looks at its meter again: each way that is
//! known, and that it ends.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use nes_lua::{FrameScript, Limits, Script, ScriptError};

use crate::rig::{Rig, message, printed};

/// A script with a tenth of a second of work, and 64 MiB.
fn bounded(source: &str) -> Rig {
    let limits = Limits { instructions: 20_000_000, memory: 64 << 20 };
    Rig::with(Script::load_with(source.as_bytes(), "test.lua", limits, Arc::default()).unwrap())
}

#[test]
fn a_pattern_that_is_deep_is_an_error_and_no_overflow() {
    // A thread of the size that the window's has.
    let deep = || {
        for call in ["find(s, p)", "match(s, p)", "gsub(s, p, '')", "gmatch(s, p)()"] {
            let source = format!("local s, p = ('a'):rep(300000), ('a?'):rep(300000) string.{call}");
            let error = bounded(&source).error(1).to_string();
            assert_eq!(error, "test.lua:1: pattern too complex", "{call}");
        }
    };
    thread::Builder::new().stack_size(2 << 20).spawn(deep).unwrap().join().unwrap();
    assert_eq!(
        printed("print(pcall(string.find, ('a'):rep(300), ('a?'):rep(300)))"),
        ["false pattern too complex"]
    );
}

/// Each of these would keep C busy for minutes to years.
#[test]
fn work_in_one_call_counts_like_instructions() {
    for source in [
        "string.find(('a'):rep(30000), ('.-'):rep(30) .. 'b')",
        "string.match(('a'):rep(30000), ('.*'):rep(30) .. 'b')",
        "string.gsub(('a'):rep(30000), ('.-'):rep(30) .. 'b', 'c')",
        "for _ in string.gmatch(('a'):rep(30000), ('.-'):rep(30) .. 'b') do end",
        "string.find(('('):rep(1000000), '%b()')",
        "string.find(('a'):rep(1000000), ('[' .. ('b'):rep(1000) .. ']*'):rep(3) .. 'c')",
        "table.insert({}, -2^31, 1)",
        "xpcall(function() while true do end end, function() while true do end end)",
        "local t = {} for i = 1, 1e6 do t[i] = i end while true do table.remove(t, 1) t[#t + 1] = 1 end",
        "while true do collectgarbage() end",
        "collectgarbage('setpause', 0) collectgarbage('setstepmul', 1e9) local t = {} for i = 1, 1e5 do t[i] = {} end while true do t[1] = {} end",
        "local s = ('a'):rep(2^22) while true do s:upper() end",
        "local s = ('a'):rep(2^22) while true do local r = ('%s%s'):format(s, s) end",
        "local s = ('a'):rep(2^22) while true do local r = table.concat{s, s, s} end",
        "local s = ('0'):rep(2^22) while true do tonumber(s) end",
        "local s = ('a'):rep(2^20) while true do loadstring(s) end",
        "local s = ('a'):rep(2^22) while true do s:find(('b'):rep(1000), 1, true) end",
        "while true do memory.registerwrite(0, 65536, print) end",
        "while true do rom.readbyterange(0, 2^20) end",
        "while true do gui.savescreenshotas('a.png') end",
        "while true do savestate.save(savestate.create(1)) end",
        "local t = {} for i = 1, 5000 do t[i] = i % 7 end while true do pcall(table.sort, t, rawequal) end",
        "local t = {} for i = 1, 2e5 do t[i] = i end while true do table.foreachi(t, rawequal) table.foreach(t, rawequal) end",
    ] {
        let error = bounded(source).error(1);
        assert!(matches!(error, ScriptError::Endless { .. }), "{source}: {error}");
    }
}

/// The names of the functions in a traceback are looked for in all tables: thousands of
/// instructions a line.
#[test]
fn an_error_that_is_caught_counts_for_its_traceback() {
    let caught = |source: &str| {
        let mut rig = bounded(source);
        let error = rig.error(1);
        assert!(matches!(error, ScriptError::Endless { .. }), "{source}: {error}");
        rig.lines().len()
    };
    let flat = caught("while true do pcall(bit.band, {}) print('') end");
    assert!((200..5_000).contains(&flat), "{flat} errors");
    let deep = "local function f(n) if n > 0 then f(n - 1) else bit.band({}) end return n end";
    let deep = caught(&format!("{deep} while true do pcall(f, 30) print('') end"));
    assert!((50..flat / 2).contains(&deep), "{deep} errors, {flat} without calls above them");
}

#[test]
fn nothing_repeated_two_milliards_of_times_is_nothing_at_once() {
    assert_eq!(
        printed(
            "for i = 1, 1000 do (''):rep(2^31 - 1) end print(('ab'):rep(3), ('a'):rep(-1), ('a'):rep(0/0))"
        ),
        ["ababab  "]
    );
}

#[test]
fn what_would_not_fit_is_refused_before_it_is_made() {
    for source in [
        "('x'):rep(1e9)",
        "local s = ('x'):rep(2^22) local t = {} for i = 1, 100 do t[i] = s end table.concat(t)",
        "local s = ('x'):rep(2^22) table.concat({1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, s)",
        "local s = ('x'):rep(2^22) string.gsub(('a'):rep(1000), 'a', s)",
        "local s = ('x'):rep(2^22) string.gsub(s, '.', '%0%0%0%0%0%0%0%0%0%0%0%0%0%0%0%0')",
        "local s = ('x'):rep(2^22) local f = ('%s'):rep(20) string.format(f, s, s, s, s, s, s, s, s, s, s, s, s, s, s, s, s, s, s, s, s)",
        "local s = ('x'):rep(2^25) s:upper()",
    ] {
        let limits = Limits { memory: 64 << 20, ..Limits::default() };
        let script = Script::load_with(source.as_bytes(), "test.lua", limits, Arc::default()).unwrap();
        let error = Rig::with(script).error(1);
        assert!(matches!(error, ScriptError::Memory { .. }), "{source}: {error}");
        // Caught, it is an error like any other, and the next call fails as fast.
        let caught = format!("for i = 1, 200 do pcall(function() {source} end) end print('on')");
        let _ = bounded(&caught).frame();
    }
}

#[test]
fn names_and_slots_of_states_are_bounded() {
    let source = "for i = 1, 60 do savestate.save(savestate.create(('x'):rep(6e6) .. i)) end";
    assert_eq!(
        message(source),
        "test.lua:1: expected a name of at most 128 bytes for a state, found 6000001"
    );
    let source = "for i = 1, 300 do savestate.save(savestate.create('x' .. i)) end";
    assert!(message(source).contains("more than 256 states with names"));
}

#[test]
fn a_file_that_is_no_state_is_not_kept_and_links_are_not_followed() {
    let mut rig = Rig::new(
        "print(pcall(savestate.load, savestate.create('big'))) print(pcall(savestate.load, savestate.create('link')))",
    );
    let folder = rig.files.path().to_owned();
    let mut big = b"MXST".to_vec();
    big.resize(2 << 20, 0);
    std::fs::write(folder.join("big.state"), big).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink("/etc/passwd", folder.join("link.state")).unwrap();
    rig.frames(1);
    for line in rig.lines() {
        assert!(line.contains("nothing was saved in this state"), "{line}");
    }
    #[cfg(unix)]
    {
        assert!(
            std::process::Command::new("mkfifo").arg(folder.join("pipe.fm2")).status().unwrap().success()
        );
        rig.script = Script::load(b"print(pcall(movie.play, 'pipe.fm2'))", "test.lua").unwrap();
        rig.script.set_folder(nes_lua::Folder::new(folder));
        rig.frames(1);
        assert!(rig.lines().concat().contains("expected a file, found a link or something else"));
    }
}

#[test]
fn files_have_a_budget_and_movies_short_authors() {
    let long = message("movie.record('f.fm2', 0, ('A'):rep(50e6))");
    assert!(long.contains("expected an author of one line of at most 256 bytes"), "{long}");
    // A file costs a million instructions: that is the first bound on their number.
    let error = bounded("for i = 1, 1e4 do gui.savescreenshotas(i .. '.png') end").error(1);
    assert!(matches!(error, ScriptError::Endless { .. }), "{error}");
}

#[test]
fn a_message_quotes_no_more_than_the_beginning_of_a_text() {
    for source in [
        "gui.pixel(1, 1, ('\\1'):rep(6e6))",
        "emu.speedmode(('x'):rep(6e6))",
        "movie.play(('x'):rep(6e6))",
        "dofile(('x'):rep(6e6))",
        "savestate.create(setmetatable({}, {__tostring = function() return ('x'):rep(6e6) end}))",
        "joypad.set(1, setmetatable({}, {__index = function() error(('x'):rep(6e6)) end}))",
        "print(select(2, loadstring(('x'):rep(6e6) .. ' y'))) error('so')",
        "gui.savescreenshotas(('x'):rep(6e6))",
    ] {
        let error = message(source);
        assert!(error.len() < 5000, "{source}: {} bytes", error.len());
        let mut rig = Rig::new(&format!(
            "local ok, reason = pcall(function() {source} end) print(type(reason), #reason < 5000)"
        ));
        assert_eq!(rig.frames(1).lines().pop().as_deref(), Some("string true"), "{source}");
    }
}

#[test]
fn every_function_can_be_hooked_with_one_of_its_own() {
    let source = "for i = 0, 20000 do memory.registerwrite(0x4100 + i, function() end) end print(1) \
                  local hits = 0 memory.registerwrite(0xB1, function() hits = hits + 1 end) \
                  for i = 1, 60 do emu.frameadvance() end print(hits > 0)";
    assert_eq!(Rig::new(source).frames(80).lines(), ["1", "true"]);
}

#[test]
fn recursion_of_any_kind_is_an_error() {
    let cases = [
        "local t = setmetatable({}, {}) getmetatable(t).__tostring = function() return tostring(t) end print(tostring(t))",
        "local t = setmetatable({}, {}) getmetatable(t).__index = function() joypad.set(1, t) end joypad.set(1, t)",
        "local function f() return (('a'):gsub('a', f)) end f()",
        "local function f() local r = coroutine.wrap(f)() return r end f()",
        "local function f() table.sort({1, 2, 3}, f) end f()",
        "local function f() local ok, e = pcall(f) error(e, 0) end f()",
        "local function f() xpcall(error, f) f() end f()",
        "local t = setmetatable({}, {}) getmetatable(t).__concat = function(a, b) return a .. b end local x = t .. t",
        "local t = setmetatable({}, {}) getmetatable(t).__lt = function(a, b) return a < b end local x = t < t",
        "local t = setmetatable({}, {}) getmetatable(t).__call = function(self) local r = self() return r end t()",
    ];
    let run = move || {
        for source in cases {
            // Some end as an overflow, some go on for ever below the bound: both are errors of the
            // script.
            let error = bounded(source).error(1);
            let known = matches!(
                error,
                ScriptError::Runtime { .. } | ScriptError::Endless { .. } | ScriptError::Memory { .. }
            );
            assert!(known, "{source}: {error}");
        }
        let nested = format!("return {}1{}", "(".repeat(100_000), ")".repeat(100_000));
        assert!(Script::load(nested.as_bytes(), "test.lua").is_err());
        let nested = format!("return {}{}", "{".repeat(100_000), "}".repeat(100_000));
        assert!(Script::load(nested.as_bytes(), "test.lua").is_err());
    };
    thread::Builder::new().stack_size(2 << 20).spawn(run).unwrap().join().unwrap();
}

#[test]
fn a_protected_call_may_return_more_values_than_lua_asks_room_for() {
    // Found by the fuzzer: the target lua, seed 5142988.
    for count in [18, 19, 20, 21, 1_000] {
        let source = format!(
            "local function many() local t = {{}} for i = 1, {count} do t[i] = i end return unpack(t) end
             local nested = {{pcall(pcall, pcall, many)}}
             print(select('#', pcall(many)), select('#', xpcall(many, print)), #nested, nested[#nested])
             print(coroutine.wrap(function() return select('#', pcall(many)) end)())"
        );
        let (one, three) = (count + 1, count + 3);
        assert_eq!(printed(&source), [format!("{one} {one} {three} {count}"), one.to_string()]);
    }
}

/// The window's way out of a script: another thread sets the flag.
#[test]
fn the_flag_stops_a_script_within_a_bound_whatever_it_is_doing() {
    for source in [
        "string.find(('a'):rep(30000), ('.-'):rep(30) .. 'b')",
        "while true do pcall(string.gsub, ('a'):rep(30000), ('.*'):rep(30) .. 'b', 'c') end",
        "while true do table.insert({}, -2^31, 1) end",
        "local s = ('a'):rep(2^25) while true do local r = s .. 'x' end",
        "local t = {} for i = 1, 2^20 do t[i] = i end while true do collectgarbage() end",
        "local s = ('a'):rep(2^25) local u = ('a'):rep(2^25) .. 'b' local t = {} for i = 1, 1e5 do t[i] = i % 2 == 0 and s or u end table.sort(t)",
        "while true do coroutine.wrap(function() while true do end end)() end",
        "memory.registerwrite(0xB1, function() while true do pcall(error) end end) while true do emu.frameadvance() end",
    ] {
        let flag = Arc::new(AtomicBool::new(false));
        let limits = Limits { instructions: u64::MAX, ..Limits::default() };
        let script = Script::load_with(source.as_bytes(), "test.lua", limits, Arc::clone(&flag)).unwrap();
        let mut rig = Rig::with(script);
        let setter = thread::spawn(move || {
            thread::sleep(std::time::Duration::from_millis(300));
            flag.store(true, Ordering::Relaxed);
        });
        let error = rig.error(1_000_000);
        setter.join().unwrap();
        assert!(matches!(error, ScriptError::Interrupted { .. }), "{source}: {error}");
        rig.script.finish(&mut rig.console).unwrap();
    }
}

/// Of 24 MiB that the script may have more than half stay alive, and sixty million bytes of garbage
/// come and go beside them.
#[test]
fn garbage_is_collected_before_the_memory_is_full() {
    let source = "
        local alive = {}
        for i = 1, 150000 do alive[i] = {} end
        for i = 1, 1000000 do local gone = {} end
        print('done')
    ";
    let limits = Limits { memory: 24 << 20, ..Limits::default() };
    let script = Script::load_with(source.as_bytes(), "test.lua", limits, Arc::default()).unwrap();
    let mut rig = Rig::with(script);
    rig.frame().unwrap();
    assert_eq!(rig.lines(), ["done"]);
}

#[test]
fn an_error_of_a_function_of_luas_names_the_line_that_calls_it() {
    for (call, message) in [
        ("string.format('%d', nil)", "bad argument #2 to 'format' (number expected, got nil)"),
        ("string.format('%y', 1)", "invalid option '%y' to 'format'"),
        ("tonumber('1', 99)", "bad argument #2 to 'tonumber' (base out of range)"),
        ("collectgarbage('nonsense')", "bad argument #1 to 'collectgarbage' (invalid option 'nonsense')"),
        ("coroutine.resume(1)", "bad argument #1 to 'resume' (coroutine expected)"),
        ("string.rep()", "bad argument #1 to 'rep' (string expected, got no value)"),
        ("table.concat({{}})", "invalid value (table) at index 1 in table for 'concat'"),
        ("table.insert(1, 2)", "bad argument #1 to 'insert' (table expected, got number)"),
        ("require(nil)", "bad argument #1 to 'require' (string expected, got no value)"),
        ("dofile({})", "bad argument #1 to 'dofile' (string expected, got table)"),
    ] {
        let script = format!("\nlocal ok, why = pcall(function()\n  local _ = {call}\nend)\nprint(why)");
        let mut rig = Rig::new(&script);
        rig.frame().unwrap();
        assert_eq!(rig.lines(), [format!("test.lua:3: {message}")], "{call}");
    }
}
