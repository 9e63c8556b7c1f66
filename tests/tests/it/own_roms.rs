//! The test cartridges of this project, and the proof that each of their checks can fail.
//!
//! An image holds the expectations of its checks in a table at `$FE00`, their number at `$FDFF`
//! (`roms/tests/serom.cfg`); a wrong expectation must fail as that very check.

use nes::{Buttons, Cartridge, Config, Console, Pads};
use nes_conformance::{Method, Options, Report, Verdict, run};

const HEADER: usize = 16;
const CHECKS: usize = HEADER + 0x7DFF;
const EXPECTED: usize = HEADER + 0x7E00;
/// Where the pads' cartridge leaves what it has read.
const NOTES: u16 = 0xF4;

macro_rules! rom {
    ($name:ident) => {
        include_bytes!(concat!("../../../roms/tests/", stringify!($name), ".nes"))
    };
}

macro_rules! own_roms {
    ($($name:ident: $checks:literal)*) => {$(
        mod $name {
            use super::*;

            const IMAGE: &[u8] = rom!($name);

            #[test]
            fn passes_at_every_alignment_of_cpu_ppu_and_apu() {
                assert_eq!(IMAGE[CHECKS], $checks, "checks in the image");
                for phase in 0..4 {
                    for apu_alignment in 0..4 {
                        let options = Options { phase, apu_alignment, ..Options::default() };
                        let report = run(IMAGE, &options);
                        assert_eq!(report.verdict, Verdict::Pass, "{options:?}: {}", report.text);
                        assert_eq!(report.method, Some(Method::ResultByte));
                        assert!(report.text.ends_with("PASSED"), "the screen: {}", report.text);
                    }
                }
            }

            #[test]
            fn each_check_can_fail() {
                for check in 1..=IMAGE[CHECKS] {
                    let mut image = IMAGE.to_vec();
                    image[EXPECTED + usize::from(check) - 1] ^= 0x80;
                    fails(&run(&image, &Options::default()), check);
                }
            }
        }
    )*};
}

own_roms! {
    serom_prg_fixed: 5
    mmc1_rmw_reset: 8
    single_screen: 8
    chr_banks: 11
    oam_dma_no_dmc: 5
    pads_read_twice: 7
    nmi_in_wait_loop: 6
    typical_frames: 8
}

fn fails(report: &Report, check: u8) {
    assert_eq!(report.verdict, Verdict::Fail, "check {check}: {}", report.text);
    assert_eq!(report.failures[0].code, check.to_string(), "{}", report.text);
    assert!(report.text.contains(&format!("FAILED #{check}\n")), "the screen: {}", report.text);
}

/// `image` as a cartridge of another board, which the header alone says.
fn on_board(image: &[u8], mapper: u8, submapper: u8) -> Vec<u8> {
    let mut image = image.to_vec();
    image[6] = mapper << 4;
    image[8] = submapper << 4;
    image
}

#[test]
fn a_board_that_banks_its_prg_fails_as_serom() {
    // Of 32 KiB there is only one bank in the modes of 32 KiB; mode 2 is the first to move a half.
    fails(&run(&on_board(rom!(serom_prg_fixed), 1, 0), &Options::default()), 3);
}

#[test]
fn a_board_with_soldered_mirroring_fails_single_screen() {
    fails(&run(&on_board(rom!(single_screen), 3, 0), &Options::default()), 1);
}

#[test]
fn a_board_with_8_kib_banks_fails_the_banks_of_4_kib() {
    fails(&run(&on_board(rom!(chr_banks), 3, 0), &Options::default()), 1);
}

/// Buttons that bounce: each latch finds another of two states, in turn.
struct Bouncing {
    states: [[Buttons; 2]; 2],
    latches: usize,
}

impl Pads for Bouncing {
    fn sample(&mut self) -> [Buttons; 2] {
        self.latches += 1;
        self.states[(self.latches - 1) % 2]
    }
}

#[test]
fn two_readings_and_what_they_have_in_common() {
    let first = [Buttons::A | Buttons::LEFT, Buttons::START];
    let second = [Buttons::A | Buttons::UP, Buttons::START | Buttons::SELECT];
    let cartridge = Cartridge::from_bytes(rom!(pads_read_twice)).expect("a cartridge");
    let mut console = Console::new(cartridge, Config::default());
    let mut pads = Bouncing { states: [first, second], latches: 0 };
    for _ in 0..5 {
        assert!(console.run_frame(&mut pads, &mut ()).is_continue());
    }
    let notes: Vec<_> =
        (NOTES..NOTES + 6).map(|address| Buttons::from_bits_retain(console.peek(address))).collect();
    assert_eq!(notes, [first[0], first[1], second[0], second[1], Buttons::A, Buttons::START]);
}

#[test]
fn all_are_taken_as_serom_without_ram() {
    for image in [rom!(serom_prg_fixed), rom!(pads_read_twice)] {
        let cartridge = Cartridge::from_bytes(image).expect("a cartridge");
        let info = cartridge.info();
        assert_eq!((info.mapper, info.submapper, info.board), (1, 5, "SEROM/SHROM/SH1ROM"));
        assert_eq!((info.prg_rom, info.chr_rom, info.prg_ram, info.chr_ram), (0x8000, 0x4000, 0, 0));
        assert_eq!(info.warnings, []);
    }
}
