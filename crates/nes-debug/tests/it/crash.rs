//! Games that have crashed, each in another way.

use nes::{Buttons, Cartridge, Config, Console};
use nes_debug::command::{CommandSession, NoFiles};
use nes_debug::{Crash, CrashCause, CrashWatch, Debugger};
use tetris::{Profile, View, ram};

const IMAGE: &[u8] = include_bytes!("../../../../roms/maxout.nes");

fn profile() -> Profile {
    Profile::of_image(IMAGE).unwrap()
}

/// In a game, its first piece in play.
fn in_play() -> Console {
    let config = Config { video: false, ..Config::default() };
    let mut console = Console::new(Cartridge::from_bytes(IMAGE).unwrap(), config);
    for number in 0..3_000 {
        let buttons = if number % 6 == 0 { Buttons::START } else { Buttons::empty() };
        let _ = console.run_frame(&mut [buttons, Buttons::empty()], &mut ());
        let view = View::new(console.ram());
        if view.in_game() && view.in_play() && view.play_state() == ram::play_state::ACTIVE {
            return console;
        }
    }
    panic!("no game began");
}

/// The crash within so many frames, `before` each of which may do something.
fn crash(console: &mut Console, frames: u32, before: impl Fn(&mut Console)) -> Option<Crash> {
    let mut watch = CrashWatch::new(&profile(), console);
    (0..frames).find_map(|_| {
        let _ = console.run_frame(&mut [Buttons::empty(); 2], &mut watch);
        before(console);
        watch.end_frame(console)
    })
}

#[test]
fn a_jammed_cpu_is_a_crash_at_once() {
    let mut console = in_play();
    console.ram_mut()[0x7F0] = 0x02;
    console.cpu.pc = 0x7F0;
    let frame = console.frame_number() + 1;
    let crash = crash(&mut console, 10, |_| ()).unwrap();
    assert_eq!((crash.cause, crash.frame, crash.jump), (CrashCause::Jammed, frame, None));
    assert!(crash.to_string().contains("the CPU is jammed"), "{crash}");
}

#[test]
fn a_game_that_does_not_come_back_to_its_wait_has_crashed() {
    let mut console = in_play();
    console.ram_mut()[0x7F0..0x7F3].copy_from_slice(&[0x4C, 0xF0, 0x07]); // JMP to itself; NMIs go on
    console.cpu.pc = 0x7F0;
    let crash = crash(&mut console, 1_000, |_| ()).unwrap();
    assert!(matches!(crash.cause, CrashCause::NoReturn { frames: 300..=400 }), "{crash}");
    assert_eq!(crash.pc & 0xFFF0, 0x07F0);
}

#[test]
fn a_wait_in_a_state_that_never_waits_is_a_crash() {
    let mut console = in_play();
    let player_2 = |console: &mut Console| console.ram_mut()[ram::MODE_STATE.at()] = 5;
    let crash = crash(&mut console, 20, player_2).unwrap();
    assert_eq!(crash.cause, CrashCause::Impossible { place: "mode_state", value: 5 });
}

#[test]
fn two_minutes_of_screens_menus_demo_and_pauses_are_no_crash() {
    let mut console =
        Console::new(Cartridge::from_bytes(IMAGE).unwrap(), Config { video: false, ..Config::default() });
    assert_eq!(crash(&mut console, 7_200, |_| ()), None);
    let mut watch = CrashWatch::new(&profile(), &console);
    for number in 0..7_200_u32 {
        // Now and then Start or a reset by buttons, and whatever else comes.
        let held = match number % 400 {
            0..2 => Buttons::START,
            390..392 => Buttons::A | Buttons::B | Buttons::SELECT | Buttons::START,
            rest => Buttons::from_bits_retain((rest.wrapping_mul(2_654_435_761) >> 13) as u8),
        };
        let _ = console.run_frame(&mut [held, Buttons::empty()], &mut watch);
        assert_eq!(watch.end_frame(&console), None);
    }
}

/// Says a line in a session. Returns its answer, or why it was refused.
fn say(session: &mut CommandSession, line: &str) -> String {
    match session.execute(line, &mut NoFiles, &mut || true) {
        Ok(reply) => reply.text,
        Err(error) => error.to_string(),
    }
}

/// Jams the CPU, and runs on.
fn jam(session: &mut CommandSession) -> String {
    say(session, "set [0x7F0] = 0x02");
    say(session, "set pc = 0x7F0");
    say(session, "run 10")
}

#[test]
fn a_session_with_a_known_game_stops_at_its_crash_until_it_is_told_not_to() {
    let cartridge = Cartridge::from_bytes(IMAGE).unwrap();
    let mut debugger = Debugger::new(cartridge, Config::default(), Some(profile()));
    debugger.load(&in_play().save()).unwrap();
    let session = &mut CommandSession::new(debugger, IMAGE.to_vec());
    assert!(say(session, "breaks").starts_with("  0  event crash"), "{}", say(session, "breaks"));
    say(session, "step 30 frames");
    let frame = session.debugger.console().frame_number();
    let said = jam(session);
    assert_eq!(session.debugger.console().frame_number(), frame + 1);
    assert!(said.contains(&format!("the game has crashed in frame {}", frame + 1)), "{said}");
    assert!(said.contains("the CPU is jammed"), "{said}");
    // It is told once; the game is well again where it is gone back to.
    assert!(say(session, "run 10").contains("only a reset helps"));
    assert_eq!(session.debugger.breakpoints.list()[0].hits, 1);
    say(session, "back 20 frames");
    assert_eq!(session.debugger.crash(), None);
    let said = say(session, "run 10");
    assert!(
        !said.contains("crash") && !said.contains("jammed") && session.debugger.crash().is_none(),
        "{said}"
    );
    assert!(jam(session).contains("the game has crashed"));
    for off in ["disable 0", "delete 0"] {
        say(session, "back 20 frames");
        assert_eq!(say(session, off), "", "{off}");
        assert!(jam(session).contains("only a reset helps"), "{off}");
    }
    say(session, "back 20 frames");
    assert!(say(session, "break crash").contains("event crash"));
    assert!(jam(session).contains("the game has crashed"));
    assert!(say(session, "back crash").contains("forward"));
}
