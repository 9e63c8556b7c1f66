//! How many frames pass from a key to a changed picture.

use emulator::{Attached, Emulator, MOST_AHEAD, RewindLimits};
use nes::{Buttons, Cartridge, Config};

use crate::{DesktopError, FRAME_RATE, Options};

/// Frames in which Start is pressed now and then, to get into the game.
const WARM_UP: u64 = 900;

/// Moments in the game at which keys are pressed, and frames between them. Some fall while nothing
/// can be moved.
const MOMENTS: usize = 40;
const APART: u64 = 11;

/// A press that shows nothing for so many frames shows nothing.
const PATIENCE: u64 = 12;

/// What a game does with a press.
#[derive(Debug, Clone, PartialEq)]
pub struct Latency {
    /// Frames run ahead.
    pub run_ahead: u8,
    /// Frames from the press to the first picture that it changes, that picture included; the
    /// median of all presses that changed one.
    pub frames: u64,
    /// The same of the fastest and of the slowest press.
    pub range: (u64, u64),
    /// Presses that changed a picture.
    pub presses: usize,
}

impl Latency {
    /// Milliseconds from a press at any moment of a frame until the picture is handed to the
    /// display, on average.
    pub fn milliseconds(&self) -> f64 {
        // A press waits half a frame for the next, whose picture is there at once; each further one
        // takes a frame.
        (self.frames as f64 - 0.5) * 1000.0 / FRAME_RATE
    }
}

/// Presses keys in the game of `options` and looks for the first picture that each changes, for
/// every number of frames that can be run ahead. `None` where no press ever changed a picture. The
/// game is played in as many frames as that takes, without a window and as fast as it goes.
///
/// # Errors
/// [`DesktopError::Rom`] when the image is no cartridge.
pub fn latency_test(options: &Options) -> Result<Vec<Option<Latency>>, DesktopError> {
    let cartridge = Cartridge::from_bytes(&options.image)
        .map_err(|source| DesktopError::Rom { title: options.title.clone(), source })?;
    let config = Config { sample_rate: None, ..options.config };
    Ok((0..=MOST_AHEAD).map(|ahead| measure(&cartridge, config, ahead)).collect())
}

fn measure(cartridge: &Cartridge, config: Config, run_ahead: u8) -> Option<Latency> {
    let no_way_back = RewindLimits { seconds: 0, ..RewindLimits::default() };
    let mut engine = Emulator::new(cartridge.clone(), config, no_way_back);
    for frame in 0..WARM_UP {
        let start = if frame % 60 < 3 { Buttons::START } else { Buttons::empty() };
        engine.frame(&mut [start, Buttons::empty()], Attached::default());
    }
    engine.set_ahead(run_ahead);
    let mut found = Vec::new();
    for _ in 0..MOMENTS {
        (0..APART).for_each(|_| hold(&mut engine, Buttons::empty()));
        for button in [Buttons::LEFT, Buttons::RIGHT, Buttons::A, Buttons::B] {
            found.extend(first_change(&engine, button));
        }
    }
    found.sort_unstable();
    let (&fastest, &slowest) = (found.first()?, found.last()?);
    let frames = found[found.len() / 2];
    Some(Latency { run_ahead, frames, range: (fastest, slowest), presses: found.len() })
}

/// Frames until holding `button` from now on makes a difference that is seen.
fn first_change(engine: &Emulator, button: Buttons) -> Option<u64> {
    let (mut pressed, mut idle) = (engine.clone(), engine.clone());
    (1..=PATIENCE).find(|_| {
        hold(&mut pressed, button);
        hold(&mut idle, Buttons::empty());
        pressed.picture() != idle.picture()
    })
}

fn hold(engine: &mut Emulator, button: Buttons) {
    engine.frame(&mut [button, Buttons::empty()], Attached::default());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_run_ahead_shows_a_press_a_frame_sooner() {
        let image = include_bytes!("../../../../roms/maxout.nes").to_vec();
        let found = latency_test(&Options::new("", image)).unwrap();
        let [Some(none), Some(one), Some(two)] = &found[..] else {
            panic!("no press was ever seen: {found:?}")
        };
        assert!(none.presses > 40, "{none:?}");
        assert_eq!((none.frames, one.frames), (2, 1), "{found:?}");
        assert_eq!((two.run_ahead, two.frames), (2, 1), "no picture is there before the press");
        assert!((none.milliseconds() - one.milliseconds() - 16.639).abs() < 0.001);
    }
}
