//! What the player holds down, from whatever device, as the console will see it.

use std::sync::atomic::{AtomicU8, Ordering};

use nes::Buttons;

/// Buttons held now, written by the window's and the pads' threads and read by the console's.
#[derive(Debug, Default)]
pub(crate) struct Input {
    keyboard: AtomicU8,
    pads: [AtomicU8; 2],
    /// Pressed since the console last took them: a tap shorter than a frame is seen all the same.
    taps: [AtomicU8; 2],
}

impl Input {
    /// The keyboard, which plays on the first port, now holds `buttons`.
    pub(crate) fn set_keyboard(&self, buttons: Buttons) {
        let before = self.keyboard.swap(buttons.bits(), Ordering::Relaxed);
        self.taps[0].fetch_or(buttons.bits() & !before, Ordering::Relaxed);
    }

    /// The pad on `port` (0 or 1) now holds `buttons`.
    pub(crate) fn set_pad(&self, port: usize, buttons: Buttons) {
        let before = self.pads[port].swap(buttons.bits(), Ordering::Relaxed);
        self.taps[port].fetch_or(buttons.bits() & !before, Ordering::Relaxed);
    }

    fn held(&self) -> [Buttons; 2] {
        let [first, second] = [0, 1].map(|port| self.pads[port].load(Ordering::Relaxed));
        [first | self.keyboard.load(Ordering::Relaxed), second].map(Buttons::from_bits_truncate)
    }

    fn take_taps(&self) -> [Buttons; 2] {
        [0, 1].map(|port| Buttons::from_bits_truncate(self.taps[port].swap(0, Ordering::Relaxed)))
    }
}

/// The console's view of an [`Input`] during one frame: sampled when the game raises the strobe, as late as can be.
#[derive(Debug)]
pub(crate) struct Strobe<'a> {
    input: &'a Input,
    taps: &'a mut [Buttons; 2],
    asked: bool,
}

impl<'a> Strobe<'a> {
    /// A frame begins. `taps` are those that no game has asked for yet; they wait for the next strobe.
    pub(crate) fn new(input: &'a Input, taps: &'a mut [Buttons; 2]) -> Self {
        for (waiting, new) in taps.iter_mut().zip(input.take_taps()) {
            *waiting |= new;
        }
        Self { input, taps, asked: false }
    }

    /// What both ports hold now.
    pub(crate) fn sample(&mut self) -> [Buttons; 2] {
        self.asked = true;
        let held = self.input.held();
        [0, 1].map(|port| possible(held[port] | (self.taps[port] - opposite(held[port]))))
    }
}

impl Drop for Strobe<'_> {
    fn drop(&mut self) {
        if self.asked {
            *self.taps = [Buttons::empty(); 2];
        }
    }
}

/// The directions that the cross of a real pad cannot be pressed to together with `buttons`.
pub(crate) fn opposite(buttons: Buttons) -> Buttons {
    const PAIRS: [(Buttons, Buttons); 4] = [
        (Buttons::LEFT, Buttons::RIGHT),
        (Buttons::RIGHT, Buttons::LEFT),
        (Buttons::UP, Buttons::DOWN),
        (Buttons::DOWN, Buttons::UP),
    ];
    PAIRS
        .into_iter()
        .filter(|&(one, _)| buttons.contains(one))
        .fold(Buttons::empty(), |all, (_, other)| all | other)
}

/// Without pairs of opposite directions: the cross of a real pad cannot send them, and games misbehave on them.
fn possible(buttons: Buttons) -> Buttons {
    let opposites = opposite(buttons) & buttons;
    buttons - opposites
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(input: &Input, taps: &mut [Buttons; 2]) -> [Buttons; 2] {
        Strobe::new(input, taps).sample()
    }

    #[test]
    fn keyboard_and_first_pad_share_the_first_port() {
        let (input, mut taps) = (Input::default(), [Buttons::empty(); 2]);
        input.set_keyboard(Buttons::A);
        input.set_pad(0, Buttons::LEFT);
        input.set_pad(1, Buttons::START);
        assert_eq!(frame(&input, &mut taps), [Buttons::A | Buttons::LEFT, Buttons::START]);
        assert_eq!(frame(&input, &mut taps), [Buttons::A | Buttons::LEFT, Buttons::START]);
    }

    #[test]
    fn a_tap_between_two_frames_is_seen_once() {
        let (input, mut taps) = (Input::default(), [Buttons::empty(); 2]);
        input.set_keyboard(Buttons::A);
        input.set_keyboard(Buttons::empty());
        assert_eq!(frame(&input, &mut taps)[0], Buttons::A);
        assert_eq!(frame(&input, &mut taps)[0], Buttons::empty());
    }

    #[test]
    fn a_tap_waits_for_a_frame_that_asks() {
        let (input, mut taps) = (Input::default(), [Buttons::empty(); 2]);
        input.set_pad(1, Buttons::B);
        input.set_pad(1, Buttons::empty());
        drop(Strobe::new(&input, &mut taps)); // a frame of lag
        assert_eq!(frame(&input, &mut taps)[1], Buttons::B);
    }

    #[test]
    fn what_is_pressed_during_a_frame_is_seen_by_the_strobe() {
        let (input, mut taps) = (Input::default(), [Buttons::empty(); 2]);
        let mut strobe = Strobe::new(&input, &mut taps);
        input.set_keyboard(Buttons::START);
        assert_eq!(strobe.sample()[0], Buttons::START);
    }

    #[test]
    fn opposite_directions_never_reach_the_game() {
        let (input, mut taps) = (Input::default(), [Buttons::empty(); 2]);
        input.set_keyboard(Buttons::LEFT | Buttons::UP);
        input.set_pad(0, Buttons::RIGHT);
        assert_eq!(frame(&input, &mut taps)[0], Buttons::UP);
        // A tap loses against what is held.
        input.set_pad(0, Buttons::empty());
        input.set_keyboard(Buttons::RIGHT);
        assert_eq!(frame(&input, &mut taps)[0], Buttons::RIGHT);
    }
}
