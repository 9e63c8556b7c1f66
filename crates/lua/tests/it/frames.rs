//! `emu`, `joypad` and `input`: frames, power, buttons, and functions that are called at certain
//! times.

use crate::rig::{Rig, message, printed};
use nes::{Aim, Buttons, Devices, Extra, Held};
use nes_lua::{FrameScript, Input, Output, Speed};

#[test]
fn a_script_waits_for_frames_and_counts_them() {
    let script = r"
        print(emu.framecount(), FCEU.framecount(), emu.emulating())
        emu.frameadvance()
        print(emu.framecount())
        for i = 1, 9 do FCEU.frameadvance() end
        print(emu.framecount(), movie.framecount())
    ";
    assert_eq!(printed(script), ["0 0 true", "1", "10 10"]);
}

#[test]
fn frames_can_be_waited_for_in_any_function_of_the_script() {
    let script = r"
        local function wait(count) for i = 1, count do emu.frameadvance() end end
        wait(3)
        print(emu.framecount())
    ";
    assert_eq!(printed(script), ["3"]);
    assert_eq!(
        message("emu.registerbefore(function()\n emu.frameadvance()\nend)"),
        "test.lua:2: emu.frameadvance: a function that the emulator calls cannot wait for a frame"
    );
}

#[test]
fn functions_are_called_before_and_after_each_frame_and_the_old_one_is_given_back() {
    let script = r#"
        local order = {}
        local function before() order[#order + 1] = "before " .. emu.framecount() end
        print(emu.registerbefore(before), emu.registerafter(function() order[#order + 1] = "after " .. emu.framecount() end))
        gui.register(function() order[#order + 1] = "gui" end)
        emu.frameadvance()
        emu.frameadvance()
        print(table.concat(order, ", "))
        print(emu.registerbefore(nil) == before, emu.registerbefore(nil))
        emu.registerafter(nil)
        gui.register(nil)
    "#;
    assert_eq!(printed(script), ["nil nil", "before 0, after 1, gui, before 1, after 2, gui", "true nil"]);
}

#[test]
fn a_script_that_returned_goes_on_as_long_as_a_function_of_it_is_registered() {
    let mut rig = Rig::new(
        "emu.registerafter(function() if emu.framecount() == 3 then emu.registerafter(nil) end end)",
    );
    assert!(!rig.frames(2).script.is_done());
    assert!(rig.frames(1).script.is_done());
    let mut hooked = Rig::new("memory.registerexec(0, function() end)");
    assert!(!hooked.frames(1).script.is_done());
    assert!(Rig::new("").frames(1).script.is_done());
}

#[test]
fn the_function_for_the_end_is_called_once_however_the_script_ends() {
    for source in ["", "emu.exit()", "error('no')", "for i = 1, 9 do emu.frameadvance() end"] {
        let mut rig =
            Rig::new(&format!("emu.registerexit(function() print('bye', emu.framecount()) end) {source}"));
        let result = rig.frame();
        assert_eq!(result.is_err(), source.starts_with("error"), "{source}");
        assert!(rig.lines().is_empty());
        rig.script.finish(&mut rig.console).unwrap();
        rig.script.finish(&mut rig.console).unwrap();
        assert_eq!(rig.lines().len(), 1, "{source}");
    }
}

#[test]
fn exit_ends_the_script_with_its_status_and_leaves_the_frame_alone() {
    let mut rig = Rig::new("emu.frameadvance() emu.exit(3)");
    rig.frames(2);
    assert!(rig.script.is_done());
    assert_eq!(rig.script.exit_status(), Some(3));
    assert_eq!(rig.console.frame_number(), 1);
}

#[test]
fn power_clears_the_ram_and_reset_keeps_it() {
    let script = r"
        for i = 1, 20 do emu.frameadvance() end
        memory.writebyte(0x7F0, 0x5A)
        emu.softreset()
        print(memory.readbyte(0x7F0), emu.framecount() >= 20)
        emu.poweron()
        print(memory.readbyte(0x7F0), emu.framecount())
    ";
    assert_eq!(printed(script), ["90 true", "0 0"]);
}

#[test]
fn a_pause_stops_frames_until_the_player_or_a_drawing_function_ends_it() {
    let mut rig = Rig::new("emu.pause() print(emu.paused()) emu.frameadvance() print('on') emu.unpause()");
    rig.frames(5);
    assert!(rig.script.paused());
    assert_eq!(rig.console.frame_number(), 1);
    assert_eq!(rig.lines(), ["true"]);
    rig.script.set_paused(false);
    rig.frames(1);
    assert_eq!(rig.lines(), ["on"]);
    let mut drawing = Rig::new("gui.register(function() emu.unpause() end) emu.pause()");
    drawing.frames(4);
    assert_eq!(drawing.console.frame_number(), 4);
}

#[test]
fn speed_and_messages_are_for_the_front_end() {
    let script = r"
        emu.message('hello')
        emu.speedmode('turbo') emu.frameadvance()
        emu.speedmode('maximum') emu.frameadvance()
        emu.speedmode('nothrottle') emu.frameadvance()
        emu.speedmode('normal') emu.frameadvance()
        emu.speedmode('warp')
    ";
    let mut rig = Rig::new(script);
    for speed in [Speed::Turbo, Speed::Maximum, Speed::Turbo, Speed::Normal] {
        assert_eq!(rig.frames(1).script.speed(), speed);
    }
    assert_eq!(rig.script.take_output(), [Output::Message("hello".into())]);
    assert_eq!(
        rig.error(1).to_string(),
        "test.lua:7: expected normal, nothrottle, turbo or maximum, found \"warp\""
    );
}

#[test]
fn a_frame_in_which_the_game_does_not_look_at_the_pads_is_a_lag_frame() {
    // The cartridge does not poll while it starts, and does in every vblank afterwards.
    let script = r"
        emu.frameadvance()
        print(emu.lagcount(), emu.lagged())
        for i = 1, 60 do emu.frameadvance() end
        local lag = emu.lagcount()
        for i = 1, 60 do emu.frameadvance() end
        print(emu.lagcount() - lag, emu.lagged())
        emu.setlagflag(true)
        print(emu.lagged())
    ";
    assert_eq!(printed(script), ["1 true", "0 false", "true"]);
}

#[test]
fn print_shows_every_value_and_what_is_in_a_table() {
    let script = r#"
        print("a", 1, nil, true, 1.5)
        print({1, 2, {3, x = "y"}}, {})
        emu.print("text")
        print()
    "#;
    assert_eq!(printed(script), ["a 1 nil true 1.5", "{1, 2, {3, x=y}} {}", "text", ""]);
}

/// What the game holds on its first pad after a frame, for what the player holds and what the
/// script sets.
fn held(player: Buttons, set: &str) -> Buttons {
    let mut rig = Rig::new(&format!("while true do joypad.set(1, {set}) emu.frameadvance() end"));
    rig.pads[0] = player;
    rig.frames(60);
    Buttons::from_bits_retain(rig.console.ram()[0xF7])
}

#[test]
fn nil_leaves_a_button_to_the_player_false_forces_it_off_and_a_string_inverts_it() {
    let player = Buttons::A | Buttons::LEFT;
    assert_eq!(held(player, "{}"), player);
    assert_eq!(held(player, "{A = nil, down = true}"), player | Buttons::DOWN);
    assert_eq!(held(player, "{A = false, B = true, left = false}"), Buttons::B);
    assert_eq!(held(player, "{A = 'invert', B = 'invert'}"), Buttons::B | Buttons::LEFT);
    assert_eq!(
        held(player, "{select = true, start = true, up = true}"),
        player | Buttons::SELECT | Buttons::START | Buttons::UP
    );
    assert_eq!(held(player, "{right = true, left = false}"), Buttons::A | Buttons::RIGHT);
}

#[test]
fn what_is_set_holds_for_one_frame_and_write_is_the_same_as_set() {
    let mut rig =
        Rig::new("for i = 1, 60 do emu.frameadvance() end joypad.write(1, {B = true}) emu.frameadvance()");
    rig.frames(61);
    assert_eq!(rig.console.ram()[0xF7], Buttons::B.bits());
    rig.frames(1);
    assert_eq!(rig.console.ram()[0xF7], 0);
}

#[test]
fn the_buttons_of_this_frame_can_be_changed_before_it_is_emulated() {
    let script = r"
        emu.registerbefore(function()
            local pad = joypad.get(1)
            joypad.set(1, {right = pad.left, left = false})
        end)
    ";
    let mut rig = Rig::new(script);
    rig.frames(60);
    rig.pads[0] = Buttons::LEFT;
    rig.frames(1);
    assert_eq!(rig.console.ram()[0xF7], Buttons::RIGHT.bits());
}

#[test]
fn the_players_buttons_are_read_all_or_only_those_that_are_down_or_up() {
    let script = r#"
        local function names(pad)
            local list = {}
            for name, down in pairs(pad) do list[#list + 1] = name .. "=" .. tostring(down) end
            table.sort(list)
            return table.concat(list, " ")
        end
        joypad.set(1, {start = true})
        assert(names(joypad.readimmediate(1)) == names(joypad.getimmediate(1))) print(names(joypad.get(1)) == names(joypad.read(1)), names(joypad.getimmediate(1)))
        print(names(joypad.getdown(1)), "|", names(joypad.getup(2)), "|", names(joypad.getdown(2)))
        print(names(joypad.readdown(3)) == "", names(joypad.readup(1)))
        joypad.get(5)
    "#;
    let mut rig = Rig::new(script);
    rig.pads[0] = Buttons::A | Buttons::DOWN;
    assert_eq!(rig.error(1).to_string(), "test.lua:12: expected a pad of 1 to 4, found 5");
    let all = "A=false B=false down=false left=false right=false select=false start=false up=false";
    assert_eq!(
        rig.lines(),
        [
            format!("true {}", all.replace("A=false", "A=true").replace("down=false", "down=true")),
            format!("A=true down=true | {all} | "),
            "true B=false left=false right=false select=false start=false up=false".to_owned(),
        ]
    );
}

#[test]
fn keys_and_pointer_are_what_the_front_end_says() {
    let mut rig = Rig::new(
        "local i = input.get() print(i.xmouse, i.ymouse, i.A, i.leftclick, i.B) print(input.read().A)",
    );
    rig.script.set_input(Input { pointer: (12, 34), held: vec!["A".into(), "leftclick".into()] });
    assert_eq!(rig.frames(1).lines(), ["12 34 true true nil", "true"]);
}

#[test]
fn a_light_gun_that_is_plugged_in_is_read_in_place_of_the_pointer() {
    let mut rig =
        Rig::new("while true do local z = zapper.read() print(z.x, z.y, z.fire) emu.frameadvance() end");
    rig.script.set_input(Input { pointer: (12, 200), held: vec!["leftclick".into()] });
    rig.console.plug(Devices::Zapper);
    rig.frames(1);
    rig.extra = Extra::Zapper(Aim { x: 70, y: 80, trigger: true });
    rig.frames(1);
    rig.extra = Extra::Pads([Buttons::A; 2]);
    rig.frames(1);
    rig.console.plug(Devices::Pads);
    rig.frames(1);
    assert_eq!(rig.lines(), ["0 255 0", "70 80 1", "0 255 0", "12 200 1"]);
}

#[test]
fn a_third_pad_and_a_fourth_are_read_and_set_where_they_are_plugged_in() {
    let script = "joypad.set(3, {start = true}) joypad.set(4, {B = false}) emu.frameadvance() \
                  while true do print(joypad.getdown(3), joypad.getdown(4)) emu.frameadvance() end";
    let mut rig = Rig::new(script);
    rig.console.plug(Devices::FourScore);
    rig.extra = Extra::Pads([Buttons::A, Buttons::B | Buttons::UP]);
    // What the game gets is what the pads shift out behind the first eight bits.
    let held = Held { pads: rig.pads, extra: rig.extra };
    let given = rig.script.begin_frame(&mut rig.console, held).unwrap().unwrap();
    assert_eq!(given.extra, Extra::Pads([Buttons::A | Buttons::START, Buttons::UP]));
    rig.script.end_frame(&mut rig.console, true).unwrap();
    rig.frames(1);
    rig.console.plug(Devices::Pads);
    rig.frames(1);
    assert_eq!(rig.lines(), ["{A=true} {B=true, up=true}", "{} {}"].map(String::from));
}

#[test]
fn a_movie_of_a_script_has_the_devices_that_it_was_recorded_with() {
    let script = "movie.record('gun.fm2') for _ = 1, 3 do emu.frameadvance() end movie.stop() \
                  movie.play('gun.fm2') while true do local z = zapper.read() print(z.x, z.y, z.fire) \
                  emu.frameadvance() end";
    let mut rig = Rig::plugged(Devices::Zapper, script);
    rig.extra = Extra::Zapper(Aim { x: 9, y: 8, trigger: true });
    rig.frames(3);
    rig.extra = Extra::None;
    rig.frames(3);
    assert_eq!(rig.console.devices(), Devices::Zapper);
    assert_eq!(rig.lines().last().map(String::as_str), Some("9 8 1"), "it plays what was recorded");
}

#[test]
fn a_light_gun_is_where_the_pointer_is() {
    let mut rig =
        Rig::new("while true do local z = zapper.read() print(z.x, z.y, z.fire) emu.frameadvance() end");
    rig.frames(1);
    rig.script.set_input(Input { pointer: (12, 200), held: vec!["leftclick".into()] });
    rig.frames(1);
    assert_eq!(rig.lines(), ["0 0 0", "12 200 1"]);
}
