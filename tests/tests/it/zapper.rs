//! The public ROMs for a light gun, which sound where it sees light or its trigger is pulled.

use maxout_tests::public_rom;
use nes::{Aim, Cartridge, Config, Console, Devices, Extra, Held};

/// Within the white square that the ROMs draw, and beside it.
const WITHIN: (u8, u8) = (128, 120);
const BESIDE: (u8, u8) = (10, 20);

/// The console after 100 frames, and the loudest sample of their second half. The trigger is pulled
/// for ten frames of every twenty if `pulls`.
fn played(rom: &str, (x, y): (u8, u8), pulls: bool) -> (Console, f32) {
    let cartridge = Cartridge::from_bytes(&public_rom(rom)).unwrap_or_else(|error| panic!("{rom}: {error}"));
    let config = Config { devices: Devices::Zapper, sample_rate: Some(48_000), ..Config::default() };
    let mut console = Console::new(cartridge, config);
    for frame in 0..100 {
        if frame == 50 {
            console.clear_samples();
        }
        let aim = Aim { x, y, trigger: pulls && frame / 10 % 2 == 1 };
        let mut held = Held { extra: Extra::Zapper(aim), ..Held::default() };
        assert!(console.run_frame(&mut held, &mut ()).is_continue());
    }
    let loudest = console.samples().iter().fold(0.0_f32, |loudest, sample| loudest.max(sample.abs()));
    (console, loudest)
}

#[test]
fn a_light_gun_sees_the_square_and_nothing_beside_it() {
    for rom in ["input/zapper_light.nes", "input/zapper_flip.nes"] {
        let [within, beside] = [WITHIN, BESIDE].map(|aim| played(rom, aim, false).1);
        assert!(within > 0.01 && beside == 0.0, "{rom}: {within} within, {beside} beside");
    }
}

#[test]
fn a_trigger_is_seen_wherever_the_gun_points() {
    for aim in [WITHIN, BESIDE] {
        let [pulled, left] = [true, false].map(|pulls| played("input/zapper_trigger.nes", aim, pulls).1);
        assert!(pulled > 0.01 && left == 0.0, "{pulled} pulled, {left} left alone");
    }
}

/// A digit for each frame: 1 while it is pulled.
#[test]
fn the_trigger_is_written_on_the_screen() {
    let [pulled, left] = [true, false].map(|pulls| played("input/zapper_stream.nes", BESIDE, pulls).0);
    assert!(pulled.picture().pixels() != left.picture().pixels());
}
