//! Games that have crashed, each in another way.

use nes::{Buttons, Cartridge, Config, Console};
use nes_debug::{Crash, CrashCause, CrashWatch};
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
