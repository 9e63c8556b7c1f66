//! `savestate` and `movie`.

use crate::rig::{Rig, message, printed};
use nes::Buttons;
use nes::fm2::{Commands, FrameInput, Movie};
use nes_lua::FrameScript;

#[test]
fn a_state_brings_back_ram_registers_and_the_frame() {
    let script = r"
        for i = 1, 30 do emu.frameadvance() end
        local state = savestate.create()
        memory.writebyte(0x7F0, 1)
        savestate.save(state)
        memory.writebyte(0x7F0, 2)
        for i = 1, 5 do emu.frameadvance() end
        savestate.load(state)
        print(emu.framecount(), memory.readbyte(0x7F0))
        emu.frameadvance()
        print(emu.framecount())
        savestate.load(state)
        print(emu.framecount())
    ";
    assert_eq!(printed(script), ["30 1", "31", "30"]);
}

#[test]
fn slots_are_shared_by_all_objects_of_a_number_in_both_numberings_and_by_names() {
    let script = r#"
        emu.frameadvance()
        savestate.save(savestate.object(3))
        savestate.save(savestate.create("here"))
        emu.frameadvance()
        savestate.load(savestate.create(4))
        print(emu.framecount())
        emu.frameadvance()
        savestate.load(savestate.object("here"))
        print(emu.framecount())
        savestate.save(savestate.object(10))
        emu.frameadvance()
        savestate.load(savestate.create(1))
        print(emu.framecount())
    "#;
    assert_eq!(printed(script), ["1", "1", "1"]);
    assert_eq!(message("savestate.create(11)"), "test.lua:1: expected a slot of 1 to 10 or a name, found 11");
    assert_eq!(message("savestate.load(savestate.object(2))"), "test.lua:1: nothing was saved in this state");
    assert_eq!(
        message("savestate.save(5)"),
        "test.lua:1: bad argument #1: expected a state of savestate.create, found number"
    );
}

#[test]
fn a_state_that_is_to_persist_becomes_a_file_and_is_found_by_the_next_script() {
    let mut rig = Rig::new(
        "emu.frameadvance() local s = savestate.object(7) savestate.save(s) savestate.persist(s) savestate.persist(savestate.create())",
    );
    rig.frames(2);
    assert_eq!(std::fs::read(rig.files.path().join("slot-7.state")).unwrap().get(..4), Some(&b"MXST"[..]));
    let mut next = Rig::new(
        "for i = 1, 4 do emu.frameadvance() end savestate.load(savestate.create(8)) print(emu.framecount())",
    );
    next.script.set_folder(nes_lua::Folder::new(rig.files.path()));
    assert_eq!(next.frames(5).lines(), ["1"]);
}

#[test]
fn a_state_loaded_in_the_middle_of_a_frame_is_where_the_run_goes_on() {
    // Each time the NMI counts to 40, back to 20: the counter never gets beyond.
    let script = r"
        local state
        memory.registerwrite(0xB1, function(_, _, value)
            if value == 20 and not state then state = savestate.create() savestate.save(state) end
            if value == 40 then savestate.load(state) end
            assert(value <= 40)
        end)
        for i = 1, 200 do emu.frameadvance() end
        assert(state)
        print(emu.framecount() < 100)
        emu.exit()
    ";
    assert_eq!(printed(script), ["true"]);
}

fn movie(frames: usize) -> Movie {
    let pads =
        |frame: usize| [if frame.is_multiple_of(3) { Buttons::A } else { Buttons::UP }, Buttons::empty()];
    let frames = (0..frames).map(|frame| FrameInput { pads: pads(frame), ..FrameInput::default() });
    Movie { frames: frames.collect(), rerecord_count: 7, ..Movie::default() }
}

#[test]
fn a_movie_plays_in_place_of_the_player_and_says_where_it_is() {
    let script = r#"
        print(movie.active(), movie.mode(), movie.ispoweron())
        print(movie.play("game.fm2", true))
        print(movie.active(), movie.mode(), movie.playing(), movie.recording(), movie.length(), movie.rerecordcount())
        print(movie.name(), movie.getname(), movie.filename(), movie.getfilename(), movie.readonly(), emu.getreadonly())
        print(movie.ispoweron(), movie.isfromsavestate())
        for i = 1, 80 do
            emu.frameadvance()
            if i > 60 then assert(memory.readbyte(0xF7) == ((i - 1) % 3 == 0 and 0x80 or 0x08), i) end
        end
        print(movie.mode())
        emu.setreadonly(false) assert(not movie.readonly() and not emu.readonly()) movie.setreadonly(true) assert(emu.readonly())
        movie.setreadonly(false) movie.replay()
        print(movie.framecount(), movie.mode(), movie.getreadonly())
        emu.frameadvance() emu.frameadvance()
        movie.playbeginning()
        print(emu.framecount())
        movie.stop()
        print(movie.active(), movie.mode())
        movie.load("game.fm2") movie.close()
        movie.playback("game.fm2")
        print(movie.readonly(), pcall(movie.length))
        movie.close()
        movie.length()
    "#;
    let mut rig = Rig::new(script);
    std::fs::write(rig.files.path().join("game.fm2"), movie(80).to_string()).unwrap();
    assert_eq!(rig.error(100).to_string(), "test.lua:24: no movie is loaded");
    assert_eq!(
        rig.lines(),
        [
            "false nil false",
            "true",
            "true playback true false 80 7",
            "game.fm2 game.fm2 game.fm2 game.fm2 true true",
            "true false",
            "finished",
            "0 playback true",
            "0",
            "false nil",
            "false true 80",
        ]
    );
}

#[test]
fn a_recording_holds_what_the_game_got_and_plays_back_the_same() {
    let script = r#"
        movie.record("out.fm2", 0, "somebody")
        movie.rerecordcounting(true)
        print(movie.mode(), movie.recording(), emu.framecount())
        local state = savestate.create()
        for i = 1, 90 do
            if i == 40 then savestate.save(state) end
            joypad.set(1, {start = i % 20 == 0, down = i > 50})
            emu.frameadvance()
        end
        local ram = memory.readbyterange(0, 0x100)
        savestate.load(state)
        for i = 40, 90 do
            joypad.set(1, {start = i % 20 == 0, down = i > 50})
            emu.frameadvance()
        end
        assert(ram == memory.readbyterange(0, 0x100))
        movie.rerecordcounting(false)
        savestate.load(savestate.create("out")) 
    "#;
    let source = script.replace("savestate.load(savestate.create(\"out\")) ", "movie.save(\"second.fm2\") movie.stop() movie.play(\"out.fm2\")\n\
        for i = 1, 90 do emu.frameadvance() end assert(ram == memory.readbyterange(0, 0x100)) print(movie.length(), movie.rerecordcount())");
    let mut rig = Rig::new(&source);
    for _ in 0..400 {
        if rig.script.is_done() {
            break;
        }
        rig.frame().unwrap();
    }
    assert_eq!(rig.lines(), ["record true 0", "90 1"]);
    let text = std::fs::read(rig.files.path().join("out.fm2")).unwrap();
    let recorded = Movie::parse(&text).unwrap();
    assert_eq!(recorded.comments, ["author somebody"]);
    assert_eq!(recorded.frame(19).pads[0], Buttons::START);
    assert_eq!(recorded.frame(88).pads[0], Buttons::DOWN);
}

#[test]
fn a_recording_has_the_reset_and_the_power_that_the_script_switches() {
    let script = r#"
        movie.record("out.fm2")
        local function play(record)
            for i = 1, 120 do
                if record then
                    joypad.set(1, {start = i % 20 == 0})
                    if i == 40 then emu.softreset() end
                    if i == 80 then emu.poweron() end
                end
                emu.frameadvance()
            end
            return memory.readbyterange(0, 0x100)
        end
        local ram = play(true)
        print(movie.length(), movie.framecount(), emu.framecount())
        print(pcall(savestate.load, savestate.create()))
        movie.stop()
        movie.play("out.fm2", true)
        assert(play(false) == ram)
        print(movie.length(), movie.framecount(), movie.mode())
    "#;
    let mut rig = Rig::new(script);
    for _ in 0..400 {
        if rig.script.is_done() {
            break;
        }
        rig.frame().unwrap();
    }
    let lines = rig.lines();
    assert_eq!((lines[0].as_str(), lines[2].as_str()), ("120 120 41", "120 120 finished"), "{lines:?}");
    let movie = Movie::parse(&std::fs::read(rig.files.path().join("out.fm2")).unwrap()).unwrap();
    let commands: Vec<_> = movie.frames.iter().map(|frame| frame.commands).enumerate().collect();
    let commands: Vec<_> = commands.into_iter().filter(|(_, commands)| !commands.is_empty()).collect();
    assert_eq!(commands, [(39, Commands::RESET), (79, Commands::POWER)]);
}

#[test]
fn a_movie_of_fceuxs_begins_with_its_ram_and_one_of_another_cartridge_is_told() {
    let script = r#"
        movie.play("fceux.fm2", true)
        print(memory.readbyte(0x03), memory.readbyte(0x04), movie.length())
    "#;
    let mut rig = Rig::new(script);
    let text = "version 3\nromFilename other\nromChecksum base64:AAAAAAAAAAAAAAAAAAAAAA==\nRAMInitOption 0\n|0||||\n|0||||\n";
    std::fs::write(rig.files.path().join("fceux.fm2"), text).unwrap();
    rig.frame().unwrap();
    let [warning, line] = &rig.lines()[..] else { panic!("a warning and a line") };
    assert!(warning.contains("fceux.fm2 was recorded with another cartridge"), "{warning}");
    assert!(warning.matches("base64:").count() == 2, "{warning}");
    assert_eq!(line, "0 255 1");
}

#[test]
fn a_recording_under_way_is_a_file_once_the_script_is_over() {
    let mut rig = Rig::new("movie.record('last.fm2') while true do emu.frameadvance() end");
    rig.frames(5);
    assert!(!rig.files.path().join("last.fm2").exists());
    rig.script.finish(&mut rig.console).unwrap();
    let text = std::fs::read(rig.files.path().join("last.fm2")).unwrap();
    assert_eq!(Movie::parse(&text).unwrap().frames.len(), 5);
}

#[test]
fn movies_that_cannot_be_had_are_errors_with_a_reason() {
    assert!(message("movie.play('none.fm2')").starts_with("test.lua:1: none.fm2: "));
    assert!(message("movie.play('../x.fm2')").contains("expected a plain file name"));
    assert_eq!(message("movie.stop()"), "test.lua:1: no movie is loaded");
    assert_eq!(
        message("movie.record('x.fm2', 1)"),
        "test.lua:1: a movie is recorded from power-on only: leave the second argument out"
    );
}

#[test]
fn states_of_the_player_are_told_to_the_script_with_what_it_kept() {
    let mut rig = Rig::new(
        r#"
        local count = 0
        savestate.registersave(function(slot) count = count + 1 return count, "of " .. slot end)
        savestate.registerload(function(slot, ...) print(slot, ...) end)
        "#,
    );
    rig.frames(1);
    assert!(!rig.script.is_done(), "it waits for states");
    for slot in [3, 4] {
        rig.script.state_saved(&mut rig.console, slot).unwrap();
    }
    for slot in [4, 3, 9] {
        rig.script.state_loaded(&mut rig.console, slot).unwrap();
    }
    assert_eq!(rig.lines(), ["4 2 of 4", "3 1 of 3", "9"]);
}
