//! A moment before the slow build crashes, for the tests of what comes then.

use std::sync::OnceLock;

use autopilot::{Autopilot, Mode, Settings};
use emulator::{Attached, Emulator};
use nes::{Buttons, Cartridge, Config};
use tetris::Profile;

use super::SLOW;

/// A state of the slow build about ten seconds before it crashes by itself, and the player of that
/// game, which is played once for all tests.
pub(super) fn before_the_crash() -> (&'static [u8], Autopilot) {
    static MOMENT: OnceLock<(Vec<u8>, Autopilot)> = OnceLock::new();
    let (state, player) = MOMENT.get_or_init(|| {
        // From level 155 on the interrupt comes into the work for the points.
        let settings = Settings { mode: Mode::Teleport, level: 155, ..Settings::default() };
        let mut player = Autopilot::new(Profile::of_image(SLOW).unwrap(), settings);
        // Without a window, a picture and a rewind, which cost ten times as much.
        let config = Config { video: false, sample_rate: Some(crate::SAMPLE_RATE), ..Config::default() };
        let mut game = Emulator::bare(Cartridge::from_bytes(SLOW).unwrap(), config);
        game.watch_crashes(Profile::of_image(SLOW).as_ref());
        let mut moments = Vec::new();
        while game.crash().is_none() {
            assert!(game.frame_number() < 100_000, "it has not crashed");
            if game.frame_number().is_multiple_of(600) {
                moments.push((game.save(), player.clone()));
            }
            let buttons = player.prepare(game.console());
            game.frame(&mut [buttons, Buttons::empty()], Attached::default());
        }
        // The last one may be too near for the way back.
        moments.pop();
        moments.pop().expect("a game of twenty seconds")
    });
    (state, player.clone())
}
