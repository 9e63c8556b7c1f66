//! What else can be plugged in, as a program reads it.

use nes::{Aim, Buttons, Config, Console, Devices, Extra, Held, Reference, StateError};
use nes_testing::Image;

/// Strobes, and reads each port 28 times into $0200 and $0300.
const READS: [u8; 32] = [
    0xA9, 0x01, 0x8D, 0x16, 0x40, 0xA9, 0x00, 0x8D, 0x16, 0x40, // $4016 = 1, $4016 = 0
    0xA2, 0x00, 0xAD, 0x16, 0x40, 0x9D, 0x00, 0x02, 0xAD, 0x17, 0x40, 0x9D, 0x00, 0x03, // both ports
    0xE8, 0xE0, 0x1C, 0xD0, 0xEF, 0x4C, 0x1D, 0x80, // 28 times, and stay
];

/// Makes the picture the colour `$0000` is set to, and reads $4017 into $01 again and again; counts
/// in $00 how often light was there.
fn watching(colour: u8) -> [u8; 37] {
    [
        0xA9, 0x3F, 0x8D, 0x06, 0x20, 0xA9, 0x00, 0x8D, 0x06, 0x20, 0xA9, colour, 0x8D, 0x07, 0x20, 0xA9,
        0x00, 0x8D, 0x06, 0x20, 0x8D, 0x06, 0x20, // $3F00 = colour; v = $0000
        0xAD, 0x17, 0x40, 0x85, 0x01, 0x29, 0x08, 0xD0, 0x02, 0xE6, 0x00, 0x4C, 0x17, 0x80,
    ]
}

/// Counts in $00 how often D2 of $4016 was 1, and in $01 how often it was 0.
const LISTENING: [u8; 16] =
    [0xAD, 0x16, 0x40, 0x29, 0x04, 0xF0, 0x05, 0xE6, 0x00, 0x4C, 0x00, 0x80, 0xE6, 0x01, 0x90, 0xF0];

fn with(devices: Devices) -> Config {
    Config { devices, ..Config::default() }
}

fn console(program: &[u8], devices: Devices) -> Console {
    Image::nrom(program).console(with(devices))
}

fn frame(console: &mut Console, extra: Extra) {
    let _ = console.run_frame(&mut Held { extra, ..Held::default() }, &mut ());
}

/// The bits `line` of 28 reads of a port, the first uppermost.
fn word(console: &Console, port: usize, line: u8) -> u32 {
    let reads = &console.ram()[0x200 + 0x100 * port..][..28];
    reads.iter().fold(0, |word, read| word << 1 | u32::from(read >> line & 1))
}

#[test]
fn a_program_reads_four_pads_of_a_four_score_and_of_a_famicom() {
    let pads = [Buttons::A, Buttons::START | Buttons::B];
    let mut held = Held { pads, extra: Extra::Pads([Buttons::LEFT, Buttons::UP]) };
    let mut words = |devices| {
        let mut console = console(&READS, devices);
        let mut slow = Reference::new(Image::nrom(&READS).cartridge(), with(devices));
        let _ = console.run_frame(&mut held, &mut ());
        let _ = slow.run_frame(&mut held, &mut ());
        assert!(*slow.console() == console, "{devices}");
        [0, 1].map(|port| [0, 1].map(|line| word(&console, port, line)))
    };
    // Pad 1, pad 3, signature, ones; pad 2, pad 4, signature, ones.
    assert_eq!(words(Devices::FourScore), [[0x800_210F, 0], [0x500_820F, 0]]);
    // Pads 3 and 4 are on D1, and the second pad has no Start.
    assert_eq!(words(Devices::FamicomFour), [[0x80F_FFFF, 0x02F_FFFF], [0x40F_FFFF, 0x08F_FFFF]]);
    assert_eq!(words(Devices::Famicom), [[0x80F_FFFF, 0], [0x40F_FFFF, 0]]);
    assert_eq!(words(Devices::Pads), [[0x80F_FFFF, 0], [0x50F_FFFF, 0]]);
}

#[test]
fn a_zapper_sees_white_for_some_lines_below_the_beam_and_its_trigger_is_bit_4() {
    let seen = |colour, aim| {
        let mut console = console(&watching(colour), Devices::Zapper);
        frame(&mut console, Extra::Zapper(aim));
        let before = console.ram()[0];
        frame(&mut console, Extra::Zapper(aim));
        (console.ram()[0].wrapping_sub(before), console.ram()[1] & 0x10)
    };
    let at = |y| Aim { x: 100, y, trigger: false };
    // 9 lines of the lens and 20 of afterglow; a turn is 19 cycles, a line 113.7.
    let (light, trigger) = seen(0x20, at(100));
    assert!((160..=180).contains(&light), "{light}");
    assert_eq!(trigger, 0);
    // It ends where vertical blank begins.
    let (light, _) = seen(0x20, at(235));
    assert!((45..=60).contains(&light), "{light}");
    assert_eq!(seen(0x20, Aim { trigger: true, ..at(240) }), (0, 0x10));
    for light in [0x20, 0x30, 0x10, 0x3D, 0x2A, 0x31, 0x38] {
        assert_ne!(seen(light, at(100)).0, 0, "{light:02X}");
    }
    for dark in [0x0F, 0x1D, 0x0D, 0x2E, 0x00, 0x2D, 0x01, 0x16] {
        assert_eq!(seen(dark, at(100)), (0, 0), "{dark:02X}");
    }
    assert_eq!(seen(0x20, Aim::default()), (0, 0));
}

#[test]
fn what_a_zapper_sees_is_the_same_without_a_picture_from_a_state_and_by_the_definition() {
    let extra = Extra::Zapper(Aim { x: 30, y: 200, trigger: true });
    let mut seen = console(&watching(0x30), Devices::Zapper);
    let mut unseen = seen.clone();
    unseen.set_video(false);
    let mut slow = Reference::new(Image::nrom(&watching(0x30)).cartridge(), with(Devices::Zapper));
    for _ in 0..4 {
        let mut loaded = console(&watching(0x30), Devices::Zapper);
        loaded.load(&seen.save()).unwrap();
        for console in [&mut seen, &mut unseen, &mut loaded] {
            frame(console, extra);
        }
        let _ = slow.run_frame(&mut Held { extra, ..Held::default() }, &mut ());
        assert!(seen == unseen && seen == loaded && *slow.console() == seen);
    }
    assert_ne!(seen.ram()[0], 0);
}

#[test]
fn a_microphone_is_heard_on_bit_2_as_a_changing_bit() {
    let heard = |devices, extra| {
        let mut console = console(&LISTENING, devices);
        frame(&mut console, extra);
        [console.ram()[0], console.ram()[1]]
    };
    assert_eq!(heard(Devices::Famicom, Extra::None)[0], 0);
    assert_eq!(heard(Devices::Pads, Extra::Microphone)[0], 0);
    assert!(heard(Devices::Famicom, Extra::Microphone).iter().all(|count| *count > 0));
}

#[test]
fn a_state_names_its_devices_and_is_refused_by_a_console_with_others() {
    let state = console(&READS, Devices::FourScore).save();
    let error = console(&READS, Devices::Pads).load(&state).unwrap_err();
    assert_eq!(error, StateError::WrongDevices { expected: "pads", found: "four-score" });
    assert!(error.to_string().ends_with("choose --ports four-score"));
    assert!(console(&READS, Devices::FourScore).load(&state).is_ok());
    // Two pads are what states have always had.
    let pads = console(&READS, Devices::Pads).save();
    assert_eq!(pads[4..6], [1, 0]);
    assert_eq!(state.len(), pads.len() + 8);
}
