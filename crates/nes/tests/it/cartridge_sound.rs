//! Sound chips in cartridges, heard through the console.

use nes::{Buttons, Cartridge, Config, Console, Reference};
use nes_testing::Image;

const RATE: u32 = 48_000;

/// A program at $E000, in the last bank of a board that has it there: stores, then a wait.
fn image(mapper: u8, stores: &[(u16, u8)], wait: &[u8]) -> Vec<u8> {
    let mut code = vec![0x78]; // SEI
    for &(address, value) in stores {
        let [low, high] = address.to_le_bytes();
        code.extend([0xA9, value, 0x8D, low, high]); // LDA #; STA
    }
    code.extend(wait);
    let image = Image::ines(mapper, 8, 1);
    let end = 8 * 0x4000;
    image.put(end - 0x2000, &code).put(end - 6, &[0x00, 0xE0, 0x00, 0xE0, 0x00, 0xE0]).bytes()
}

/// Returns a JMP to itself, as it stands after `stores` stores.
fn jump(stores: usize) -> Vec<u8> {
    let [low, high] = (0xE001 + 5 * stores as u16).to_le_bytes();
    vec![0x4C, low, high]
}

fn console(image: &[u8]) -> Console {
    let config = Config { sample_rate: Some(RATE), ..Config::default() };
    Console::new(Cartridge::from_bytes(image).expect("a cartridge"), config)
}

/// Samples of a second and a half, the first half of which is left out.
fn samples(image: &[u8]) -> Vec<f32> {
    let mut console = console(image);
    for frame in 0..90 {
        let _ = console.run_frame(&mut [Buttons::empty(); 2], &mut ());
        if frame == 30 {
            console.clear_samples();
        }
    }
    console.samples().to_vec()
}

/// The amplitude at `frequency` Hz, under a Hann window.
fn amplitude(samples: &[f32], frequency: f64) -> f64 {
    let length = samples.len() as f64;
    let (mut real, mut imaginary) = (0.0, 0.0);
    for (n, sample) in samples.iter().enumerate() {
        let turn = 2.0 * std::f64::consts::PI * n as f64;
        let window = 0.5 - 0.5 * (turn / length).cos();
        let angle = turn * frequency / f64::from(RATE);
        real += f64::from(*sample) * window * angle.cos();
        imaginary -= f64::from(*sample) * window * angle.sin();
    }
    4.0 * f64::hypot(real, imaginary) / length
}

/// 440 Hz at the loudest, by the console's first pulse.
const PULSE: [(u16, u8); 4] = [(0x4015, 1), (0x4000, 0xBF), (0x4002, 0xFD), (0x4003, 0)];
/// The same by the MMC5's.
const MMC5: [(u16, u8); 4] = [(0x5015, 1), (0x5000, 0xBF), (0x5002, 0xFD), (0x5003, 0)];

/// 440 Hz by the first channel of the 5B, at `volume`.
fn sunsoft(volume: u8) -> Vec<(u16, u8)> {
    let registers = [(7, 0b11_1110), (8, volume), (0, 127), (1, 0)];
    registers.into_iter().flat_map(|(register, value)| [(0xC000, register), (0xE000, value)]).collect()
}

#[test]
fn a_pulse_of_the_mmc5_is_as_loud_as_one_of_the_console_and_the_other_way_round() {
    let of = |stores: &[(u16, u8)]| samples(&image(5, stores, &jump(stores.len())));
    let (pulse, mmc5) = (of(&PULSE), of(&MMC5));
    let frequency = 1_789_773.0 / (16.0 * 254.0);
    let [one, other] = [&pulse, &mmc5].map(|samples| amplitude(samples, frequency));
    assert!(one > 0.05 && (20.0 * (other / one).log10()).abs() < 0.1, "{one} {other}");
    // Where both begin together they leave nothing over.
    let both: Vec<_> = PULSE[..3].iter().chain(&MMC5[..3]).chain(&[PULSE[3], MMC5[3]]).copied().collect();
    let both = amplitude(&of(&both), frequency);
    assert!(both < 0.05 * one, "{both}");
}

#[test]
fn volume_twelve_of_the_5b_is_a_little_below_a_pulse_of_the_console() {
    let of = |stores: &[(u16, u8)]| samples(&image(69, stores, &jump(stores.len())));
    let pulse = amplitude(&of(&PULSE), 1_789_773.0 / (16.0 * 254.0));
    for (volume, decibels) in [(12, -1.3), (9, -10.3), (15, 7.7)] {
        let tone = amplitude(&of(&sunsoft(volume)), 1_789_773.0 / (32.0 * 127.0));
        let found = 20.0 * (tone / pulse).log10();
        assert!((found - decibels).abs() < 0.1, "{volume}: {found}");
    }
}

/// A program of each board that keeps its sound chip busy, the fast console beside the slow one.
#[test]
fn a_console_with_a_sound_chip_is_the_one_by_definition_and_its_states_go_on() {
    // INC $00; LDA $00; STA to a register; back.
    let wait = |register: [u8; 2]| {
        vec![0xE6, 0x00, 0xA5, 0x00, 0x8D, register[0], register[1], 0xAD, 0x15, 0x50, 0x85, 0x01, 0x50, 0xF2]
    };
    let mut sunsoft = sunsoft(13);
    sunsoft.extend([(0xC000, 6), (0xE000, 3), (0xC000, 7), (0xE000, 0x36), (0xC000, 0)]);
    let mut reading = MMC5.to_vec();
    reading.push((0x5010, 1));
    let programs = [
        image(5, &MMC5, &wait([0x02, 0x50])),
        image(5, &MMC5, &wait([0x11, 0x50])),
        // LDX $00; LDA $8000,X; INC $00; back: each is a value of the PCM channel.
        image(5, &reading, &[0xA6, 0x00, 0xBD, 0x00, 0x80, 0xE6, 0x00, 0x50, 0xF7]),
        image(69, &sunsoft, &wait([0x00, 0xE0])),
    ];
    for image in &programs {
        let config = Config { sample_rate: Some(RATE), ..Config::default() };
        let mut fast = console(image);
        let mut slow = Reference::new(Cartridge::from_bytes(image).expect("a cartridge"), config);
        let mut pads = [Buttons::empty(); 2];
        for frame in 0..4 {
            let _ = fast.run_frame(&mut pads, &mut ());
            let _ = slow.run_frame(&mut pads, &mut ());
            assert!(fast == *slow.console(), "frame {frame}");
            assert_eq!(fast.samples(), slow.console().samples());
        }
        assert!(fast.samples().iter().any(|sample| sample.abs() > 0.01), "something is heard");
        let mut loaded = console(image);
        loaded.load(&fast.save()).expect("a state");
        assert!(loaded == fast);
        for console in [&mut loaded, &mut fast] {
            let _ = console.run_frame(&mut pads, &mut ());
        }
        assert!(loaded == fast);
    }
}
