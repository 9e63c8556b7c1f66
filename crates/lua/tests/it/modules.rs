//! Files beside a script: `require` and `dofile`.

use std::fs;

use nes_lua::ScriptError;

use crate::rig::Rig;

/// A script with these files beside it.
fn with(files: &[(&str, &str)], source: &str) -> Rig {
    let mut rig = Rig::new(source);
    for (name, text) in files {
        let path = rig.files.path().join(name);
        fs::create_dir_all(path.parent().expect("it is in the folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    }
    rig.script.set_surroundings(Some(rig.files.path()), "game");
    rig
}

fn error(files: &[(&str, &str)], source: &str) -> String {
    with(files, source).error(1).to_string()
}

#[test]
fn a_module_is_run_once_and_gives_what_it_returns() {
    let files = [
        ("a.lua", "print('a', ...) return { number = 7 }"),
        ("lib/b.lua", "\u{FEFF}value = require('a').number"),
    ];
    let source = "require 'lib.b' print(require('a').number, value, require 'lib.b', package.loaded.a.number) \
                  print(require('bit') == bit)";
    assert_eq!(with(&files, source).frames(1).lines(), ["a a", "7 7 true 7", "true"]);
}

#[test]
fn a_file_is_run_each_time_and_its_top_level_can_wait_for_a_frame() {
    let files = [("lib/f.lua", "count = (count or 0) + 1 emu.frameadvance() return count")];
    let source = r"print(dofile('lib/f.lua'), dofile('./lib/f.lua'), dofile('lib\\f.lua'), emu.framecount())";
    assert_eq!(with(&files, source).frames(4).lines(), ["1 2 3 3"]);
}

#[test]
fn files_beside_the_script_are_read() {
    let files = [("data/list.txt", "one\n2 3.5\n\nlast"), ("empty", "")];
    let source = r#"
        for line in io.lines("data/list.txt") do print("[" .. line .. "]") end
        local f = io.open("data/list.txt", "rb")
        print(f:read(), f:read("*n", "*n"), f:read(1) == "\n", f:read("*l"), f:read("*a"), f:read("*a"), f:read())
        print(f:seek("set", 4), f:read("*n"), f:seek("end"), f:read("*l"), io.type(f))
        f:close()
        print(io.type(f), io.type(7), pcall(f.read, f))
        print(io.open("empty"):read("*l"), io.open("empty"):read("*a") == "")
    "#;
    let expected = [
        "[one]",
        "[2 3.5]",
        "[]",
        "[last]",
        "one 2 true  last  nil",
        "4 2 15 nil file",
        "closed file nil false attempt to use a closed file",
        "nil true",
    ];
    assert_eq!(with(&files, source).frames(1).lines(), expected);
}

#[test]
fn a_file_that_cannot_be_opened_is_nil_and_a_message() {
    let source = r##"
        local f, reason = io.open("nosuch/device", "wb")
        print(f, reason)
        print(io.open("gone.txt"))
        print(io.open("../up.txt"))
        print(select("#", io.open("list.txt", "a")))
        print(pcall(io.lines, "gone.txt"))
    "##;
    let lines = with(&[("list.txt", "x")], source).frames(1).lines();
    assert_eq!(lines[0], "nil nosuch/device: scripts read files and do not write them (docs/lua.md)");
    assert!(lines[1].starts_with("nil gone.txt: cannot be read from the script's folder"), "{lines:?}");
    assert!(lines[2].starts_with("nil ../up.txt: expected a file beside the script"), "{lines:?}");
    assert_eq!(lines[3], "3");
    assert!(lines[4].starts_with("false gone.txt: cannot be read"), "{lines:?}");
}

#[test]
fn no_name_leads_out_of_the_folder() {
    for name in ["../a", "/a", "a/../../b", "c:a", ".hidden", "", "a//b", "a\0b"] {
        let message = error(&[], &format!("dofile({name:?})"));
        assert!(message.contains("expected a file beside the script"), "{name}: {message}");
    }
    assert!(error(&[("d/x", "")], "dofile('d')").contains("expected a file, found something else"));
    assert!(Rig::new("dofile('a.lua')").error(1).to_string().contains("no folder with other files"));
    let missing = error(&[], "\nrequire 'gone'");
    assert!(
        missing.starts_with("test.lua:2: gone.lua: cannot be read from the script's folder"),
        "{missing}"
    );
}

#[test]
#[cfg(unix)]
fn a_link_out_of_the_folder_is_not_followed() {
    use std::os::unix::fs::symlink;
    let outer = tempfile::tempdir().expect("a folder");
    fs::write(outer.path().join("secret.lua"), "return 'secret'").expect("a file");
    let source = "print(dofile('inner.lua')) print(pcall(dofile, 'file.lua')) print(pcall(dofile, 'folder/secret.lua')) \
                  print(pcall(require, 'folder.secret'))";
    let mut rig = with(&[("plain.lua", "return 'plain'")], source);
    let inner = rig.files.path();
    symlink(outer.path().join("secret.lua"), inner.join("file.lua")).expect("a link");
    symlink(outer.path(), inner.join("folder")).expect("a link");
    symlink("plain.lua", inner.join("inner.lua")).expect("a link");
    let lines = rig.frames(1).lines();
    assert_eq!(lines[0], "plain");
    for line in &lines[1..] {
        assert!(line.starts_with("false ") && line.contains("a link that leads out of it"), "{line}");
    }
}

#[test]
fn an_empty_folder_is_the_current_one() {
    let mut rig = Rig::new("print(pcall(dofile, 'Cargo.toml'))");
    rig.script.set_surroundings(Some("".as_ref()), "game");
    // Cargo runs the tests in the folder of the crate: the file is found there, and is no Lua.
    let line = rig.frames(1).lines().concat();
    assert!(line.contains("Cargo.toml:1:"), "{line}");
}

#[test]
fn an_error_in_a_module_names_its_line_and_who_required_it() {
    let files = [("a.lua", "\nlocal t = nil\nreturn t.x"), ("b.lua", "x ="), ("loop.lua", "require 'loop'")];
    let ScriptError::Runtime { message, traceback } = with(&files, "\nrequire 'a'").error(1) else {
        panic!("it runs");
    };
    assert!(message.contains("a.lua:3: attempt to index local 't'"), "{message}");
    assert!(traceback.contains("test.lua:2:"), "{traceback}");
    assert!(error(&files, "require 'b'").contains("b.lua:1:"), "{}", error(&files, "require 'b'"));
    assert!(error(&files, "require 'loop'").contains("it failed before, or requires itself"));
}

#[test]
fn files_are_read_up_to_a_bound_and_run_under_the_same_limits() {
    let files =
        [("big.lua", "--".to_owned() + &"x".repeat(1 << 20)), ("self.lua", "dofile('self.lua')".to_owned())];
    let files = files.each_ref().map(|(name, text)| (*name, text.as_str()));
    let message = error(&files, "for i = 1, 100 do dofile('big.lua') end");
    assert!(message.contains("64 MiB of other files, no more"), "{message}");
    assert!(error(&files, "dofile('self.lua')").contains("overflow"));
    let compiled = error(&[("c.lua", "\u{1b}Lua")], "dofile('c.lua')");
    assert!(compiled.contains("binary chunk"), "{compiled}");
}
