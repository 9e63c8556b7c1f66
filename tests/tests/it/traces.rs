//! The model beside the US cartridge, which is not here: traces of what its RAM held after every
//! frame.
//!
//! `tests/us-traces/README.md` says what they are. `maxout tetris parity --trace` compares others.

use std::fs;
use std::io::Read;
use std::path::Path;

use flate2::read::GzDecoder;
use tetris::kill_screen::{SoundCycles, Timing};
use tetris::parity::{Away, Trace};
use tetris::ram::mode_state;
use tetris::rules::Game;
use tetris::{Rom, View, ram};

const TRACES: [u16; 12] = [1000, 1001, 1002, 1003, 1004, 1005, 1006, 1007, 1100, 1101, 1102, 1103];
const FRAMES: usize = 30_000;

/// What was not compared, or not left to the model alone.
#[derive(Debug, Default)]
struct Account {
    late: u32,
    told: u32,
    bytes_left_out: usize,
    crashed: u32,
    lost: u32,
}

fn trace(number: u16) -> Trace {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("us-traces/us-{number}.trace.gz"));
    let packed = fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut bytes = Vec::new();
    GzDecoder::new(&packed[..]).read_to_end(&mut bytes).expect("the trace is packed by gzip");
    Trace::parse(&bytes).expect("the trace is in order")
}

/// Plays a trace. The first difference fails.
fn play(number: u16, us: &Rom, account: &mut Account) {
    let trace = trace(number);
    assert_eq!(trace.len(), FRAMES, "trace {number}");
    let rom = trace.with_demo(us);
    let mut game = Game::power_on(&rom);
    let mut replay = trace.replay();
    for frame in 1..=FRAMES {
        let judged = replay.step(&mut game).expect("a trace has as many frames as it says");
        account.told += u32::from(judged.told);
        let memory = match judged.memory {
            Ok(memory) => memory,
            Err(Away::Crashed) => {
                account.crashed += 1;
                continue;
            }
            Err(Away::Late) => {
                account.lost += 1;
                continue;
            }
        };
        account.late += u32::from(game.is_late());
        account.bytes_left_out += memory.left_out();
        if memory.agrees(replay.machine()) {
            continue;
        }
        let differences = memory.differences(replay.machine()).map(|address| {
            let place = ram::place_of(address).map_or("?", |place| place.name);
            let (model, machine) =
                (memory.ram()[usize::from(address)], replay.machine()[usize::from(address)]);
            format!("${address:04X} {place}: expected ${model:02X} by the model, found ${machine:02X}")
        });
        let differences: Vec<_> = differences.collect();
        panic!("trace {number}, frame {frame}, {game:?}:\n{}", differences.join("\n"));
    }
    assert!(replay.step(&mut game).is_none());
}

#[test]
fn the_model_has_every_byte_of_360_000_frames_of_the_us_cartridge() {
    let mut account = Account::default();
    for number in TRACES {
        play(number, &Rom::US, &mut account);
    }
    // What the model does not decide or compare is counted, so that it cannot grow unseen.
    let Account { late, told, bytes_left_out, crashed, lost } = account;
    assert!(late >= 180, "{late} frames were late");
    assert!(told <= 57, "of {told} frames the trace had to say where they ended");
    assert!(bytes_left_out <= 119, "{bytes_left_out} bytes were left out");
    assert!(crashed <= 1_032, "{crashed} frames were left out after a crash");
    assert_eq!(lost, 0, "frames were left out after one that was late");
}

/// The cycles were fitted to these traces. With others than the fitted ones more frames are told by
/// the trace, and still none differs, nor is lost: so it is on a trace to which nothing was fitted.
#[test]
fn a_clock_that_is_wrong_by_forty_cycles_or_knows_no_music_finds_no_difference() {
    const US: Timing = Timing::US;
    let base = |base| Timing { base, ..US };
    let sound = |cycles| Timing { sound: SoundCycles { silent: [600; 2], music: [cycles; 2] }, ..US };
    let wrong = [base(US.base - 40), base(US.base - 15), base(US.base + 15), base(US.base + 40)];
    let wrong = wrong.into_iter().chain([sound(1_000), sound(1_250), sound(1_600)]);
    let wrong =
        wrong.chain([US.interrupt - 300, US.interrupt + 300].map(|interrupt| Timing { interrupt, ..US }));
    for timing in wrong {
        let timing: &'static Timing = Box::leak(Box::new(timing));
        let us = Rom { timing: Some(timing), ..Rom::US };
        let mut account = Account::default();
        for number in [1001, 1003, 1005, 1006] {
            play(number, &us, &mut account);
        }
        let Account { late, told, crashed, lost, .. } = account;
        assert!(late >= 180 && told <= 80, "{account:?} of {timing:?}");
        assert!(crashed <= 1_032 && lost == 0, "{account:?} of {timing:?}");
    }
}

#[test]
fn a_game_is_in_play_when_its_garbage_is_complete_and_not_before() {
    let mut heights = [0; 6];
    for number in [1100, 1101, 1102, 1103] {
        let trace = trace(number);
        let rom = trace.with_demo(&Rom::US);
        let (mut game, mut replay) = (Game::power_on(&rom), trace.replay());
        let mut before = *replay.machine();
        while replay.step(&mut game).is_some() {
            let (last, now) = (View::new(&before), View::new(replay.machine()));
            let begins = last.byte(ram::MODE_STATE) == mode_state::GAME && now.in_play();
            assert!(!(begins && last.in_play()), "trace {number}: in play while the game is set up");
            if begins && now.byte(ram::GAME_TYPE) == 1 {
                assert!(last.shows_play());
                let height = usize::from(now.byte(ram::START_HEIGHT));
                let rows = now.rows().iter().filter(|row| **row != 0).count();
                assert_eq!(rows, [0, 3, 5, 8, 10, 12][height], "trace {number}: height {height}");
                heights[height] += 1;
            }
            before = *replay.machine();
        }
    }
    assert!(heights.iter().sum::<u32>() >= 5, "{heights:?} games of B-type");
}

#[test]
fn a_byte_that_differs_is_named() {
    let trace = trace(1100);
    let rom = trace.with_demo(&Rom::US);
    let mut game = Game::power_on(&rom);
    let mut replay = trace.replay();
    for _ in 0..2_000 {
        let judged = replay.step(&mut game).expect("the trace is longer");
        let memory = judged.memory.expect("nothing has crashed");
        let mut machine = *replay.machine();
        assert!(memory.agrees(&machine));
        machine[ram::LEVEL.at()] ^= 1;
        assert_eq!(memory.differences(&machine).collect::<Vec<_>>(), [ram::LEVEL.address]);
    }
}
