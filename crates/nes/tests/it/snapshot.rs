//! The laws of a snapshot.

use crate::program::{Recorder, StopAt};
use nes::{Buttons, Cartridge, Config, Console, Observer, StateError};
use std::ops::ControlFlow;

/// A program that keeps everything busy: NMI, picture, pulse, DMC, OAM DMA, pads.
fn busy() -> Vec<u8> {
    vec![
        0xA9, 0x4F, 0x8D, 0x10, 0x40, // LDA #$4F; STA $4010
        0xA9, 0xFF, 0x8D, 0x13, 0x40, // LDA #$FF; STA $4013
        0xA9, 0x1F, 0x8D, 0x15, 0x40, // LDA #$1F; STA $4015
        0xA9, 0xBF, 0x8D, 0x00, 0x40, // LDA #$BF; STA $4000
        0x8D, 0x02, 0x40, 0xA9, 0x01, 0x8D, 0x03, 0x40, // STA $4002; LDA #$01; STA $4003
        0xE6, 0x10, // loop: INC $10
        0xA9, 0x1E, 0x8D, 0x01, 0x20, // LDA #$1E; STA $2001
        0xA9, 0x80, 0x8D, 0x00, 0x20, // LDA #$80; STA $2000
        0xA5, 0x10, 0x8D, 0x05, 0x20, 0x8D, 0x05, 0x20, // LDA $10; STA $2005; STA $2005
        0x8D, 0x16, 0x40, 0x4D, 0x16, 0x40, // STA $4016; EOR $4016
        0xA6, 0x10, 0x95, 0x20, // LDX $10; STA $20,X
        0xAD, 0x02, 0x20, 0xAD, 0x15, 0x40, // LDA $2002; LDA $4015
        0xA9, 0x02, 0x8D, 0x14, 0x40, // LDA #2; STA $4014
        0x4C, 0x1C, 0x80, // JMP loop
    ]
}

const PADS: [Buttons; 2] = [Buttons::A.union(Buttons::LEFT), Buttons::START];

fn run_frames(console: &mut Console, count: usize) {
    for _ in 0..count {
        assert!(console.run_frame(&mut PADS.clone(), &mut ()).is_continue());
    }
}

fn run_steps(console: &mut Console, count: usize) {
    for _ in 0..count {
        assert!(console.step(&mut PADS.clone(), &mut ()).is_continue());
    }
}

fn busy_console() -> Console {
    let mut console = crate::program::console(&busy());
    run_frames(&mut console, 3);
    run_steps(&mut console, 1234);
    console
}

#[test]
fn a_loaded_state_saves_to_the_same_bytes() {
    for phase in 0..4 {
        let config = Config { phase, ram_fill: 0xFF.into(), ..Config::default() };
        let mut original = crate::program::console_with(&busy(), config);
        for extra in 0..40 {
            run_steps(&mut original, 97 + extra);
            let bytes = original.save();
            let mut other = crate::program::console(&busy());
            assert_eq!(other.load(&bytes), Ok(()));
            assert_eq!(other.save(), bytes);
            assert!(other == original);
            assert_eq!(other.state_hash(), original.state_hash());
        }
    }
}

#[test]
fn a_loaded_state_goes_on_like_the_original() {
    let mut original = busy_console();
    let mut other = crate::program::console(&busy());
    other.load(&original.save()).unwrap();
    for _ in 0..3 {
        run_steps(&mut original, 1001);
        run_steps(&mut other, 1001);
        assert!(original == other);
        run_frames(&mut original, 2);
        run_frames(&mut other, 2);
        assert!(original == other);
        assert_eq!(original.picture().pixels()[..], other.picture().pixels()[..]);
    }
}

#[test]
fn a_clone_goes_on_like_the_original_and_leaves_it_alone() {
    let mut original = busy_console();
    let before = original.save();
    let mut clone = original.clone();
    run_frames(&mut clone, 5);
    assert_eq!(original.save(), before);
    assert!(original != clone);
    run_frames(&mut original, 5);
    assert!(original == clone);
}

#[test]
fn steps_and_frames_lead_to_the_same_machine() {
    let mut frames = busy_console();
    let mut steps = frames.clone();
    run_frames(&mut frames, 2);
    let end = frames.cycle();
    while steps.cycle() < end {
        run_steps(&mut steps, 1);
        let _ = (steps.peek(0x2002), steps.peek(0x4015), steps.peek(0x4016));
    }
    assert!(frames == steps);
    assert_eq!(frames.state_hash(), steps.state_hash());
}

#[test]
fn a_state_cut_anywhere_is_refused() {
    let mut console = busy_console();
    let bytes = console.save();
    let before = console.clone();
    for end in 0..bytes.len() {
        let error = console.load(&bytes[..end]).unwrap_err();
        let expected = match end {
            0..4 => matches!(error, StateError::BadMagic { .. }),
            4..14 => matches!(error, StateError::Truncated { .. }),
            _ => matches!(error, StateError::Damaged { .. }),
        };
        assert!(expected, "{end}: {error}");
    }
    assert!(console == before);
}

#[test]
fn a_flipped_byte_is_refused() {
    let mut console = busy_console();
    let bytes = console.save();
    let before = console.clone();
    for at in 0..bytes.len() {
        let mut flipped = bytes.clone();
        flipped[at] ^= 0x10;
        let error = console.load(&flipped).unwrap_err();
        let expected = match at {
            0..4 => matches!(error, StateError::BadMagic { .. }),
            4 => matches!(error, StateError::WrongVersion { expected: 1, .. }),
            // Bit 12 of the version says that the reset button does not reach the PPU.
            5 => matches!(error, StateError::WrongQuirks { .. }),
            6..10 => matches!(error, StateError::WrongCartridge { .. }),
            _ => matches!(error, StateError::Damaged { .. }),
        };
        assert!(expected, "{at}: {error}");
    }
    assert!(console == before);
}

/// The bytes with their checksum made right again.
fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    let end = bytes.len() - 4;
    let checksum = crc32fast::hash(&bytes[..end]);
    bytes[end..].copy_from_slice(&checksum.to_le_bytes());
    bytes
}

#[test]
fn a_forged_state_with_a_right_checksum_runs_or_is_refused_but_never_panics() {
    let original = busy_console();
    let bytes = original.save();
    let mut loaded = 0;
    for at in 10..bytes.len() - 4 {
        for value in [0x00, 0x7F, 0xFF] {
            let mut forged = bytes.clone();
            forged[at] = value;
            let mut console = original.clone();
            if console.load(&sealed(forged)).is_ok() {
                run_steps(&mut console, 3);
                loaded += 1;
            }
        }
    }
    assert!(loaded > 0);
}

#[test]
fn a_state_of_too_many_or_too_few_bytes_is_refused_even_with_a_right_checksum() {
    let mut console = busy_console();
    let bytes = console.save();
    let mut long = bytes.clone();
    long.push(0);
    assert!(matches!(console.load(&sealed(long)), Err(StateError::TrailingBytes { extra: 1, .. })));
    let short = bytes[..bytes.len() - 1].to_vec();
    assert!(matches!(console.load(&sealed(short)), Err(StateError::Truncated { .. })));
}

#[test]
fn a_state_of_another_cartridge_is_refused() {
    let bytes = busy_console().save();
    let mut other = crate::program::console(&[0xEA]);
    assert!(matches!(other.load(&bytes), Err(StateError::WrongCartridge { .. })));
}

#[test]
fn a_state_is_small() {
    assert!(busy_console().save().len() < 32 * 1024);
}

/// Breaks every so often.
struct Nervous(u32);

impl Observer for Nervous {
    fn step(&mut self, _: &nes::Cpu, board: &nes::Mainboard) -> ControlFlow<nes::Break> {
        self.0 += 1;
        let _ = board.peek(0x2007);
        if self.0.is_multiple_of(1000) { ControlFlow::Break(nes::Break) } else { ControlFlow::Continue(()) }
    }
}

#[test]
fn observers_leave_the_console_equal() {
    let mut plain = busy_console();
    let mut watched = plain.clone();
    run_frames(&mut plain, 3);
    let end = plain.frame_number();
    let (mut recorder, mut nervous) = (Recorder::default(), Nervous(0));
    let mut breaks = 0;
    while watched.frame_number() < end {
        breaks +=
            u32::from(watched.run_frame(&mut PADS.clone(), &mut (&mut nervous, &mut recorder)).is_break());
    }
    assert!(breaks > 0);
    assert!(watched == plain);
    let cycles: Vec<_> = recorder.0.iter().map(|event| event.cycle).collect();
    assert!(cycles.windows(2).all(|pair| pair[1] == pair[0] + 1), "every cycle is seen once");
}

#[test]
fn a_break_stops_before_the_instruction() {
    let mut console = crate::program::console(&[0xEA, 0xEA, 0xA9, 0x01]);
    assert!(console.run_frame(&mut PADS.clone(), &mut StopAt(0x8002)).is_break());
    assert_eq!((console.cpu.pc, console.cpu.a), (0x8002, 0));
}

#[test]
fn sound_is_output_and_does_not_change_the_machine() {
    let mut silent = crate::program::console(&busy());
    let config = Config { sample_rate: Some(48_000), ..Config::default() };
    let mut loud = Console::new(Cartridge::from_bytes(&crate::program::image(&busy())).unwrap(), config);
    run_frames(&mut silent, 10);
    run_frames(&mut loud, 10);
    assert!(silent == loud);
    assert!(silent.samples().is_empty());
    // 10 frames at 60.0988 Hz, but for what the synthesis still holds back.
    assert!(loud.samples().len().abs_diff(7987) < 200, "{}", loud.samples().len());
    loud.clear_samples();
    assert!(loud.samples().is_empty());
}

#[test]
fn frames_that_nobody_hears_or_sees_are_the_same_frames() {
    let config = Config { sample_rate: Some(48_000), ..Config::default() };
    let mut console = crate::program::console_with(&busy(), config);
    let mut attended = console.clone();
    console.set_video(false);
    console.set_sound(false);
    let before = console.picture().clone();
    run_frames(&mut console, 10);
    run_frames(&mut attended, 10);
    assert!(console == attended);
    assert!(console.samples().is_empty());
    assert!(*console.picture() == before && *attended.picture() != before);
    console.set_video(true);
    console.set_sound(true);
    attended.clear_samples();
    run_frames(&mut console, 10);
    run_frames(&mut attended, 10);
    assert!(console == attended);
    assert!(console.picture() == attended.picture());
    assert!(console.samples().len().abs_diff(attended.samples().len()) < 30);
}

#[test]
fn a_load_leaves_no_gap_in_the_sound() {
    let config = Config { sample_rate: Some(48_000), ..Config::default() };
    let mut console = crate::program::console_with(&busy(), config);
    run_frames(&mut console, 60);
    let late = console.save();
    let mut console = crate::program::console_with(&busy(), config);
    run_frames(&mut console, 2);
    let early = console.save();
    for state in [&late, &early, &late] {
        console.clear_samples();
        console.load(state).unwrap();
        run_frames(&mut console, 1);
        assert!(console.samples().len().abs_diff(799) < 30, "{}", console.samples().len());
    }
}
