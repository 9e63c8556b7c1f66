//! What a script makes of the player's buttons.

use nes::{Buttons, Extra, Held, Pads};

/// The buttons by the names that scripts use, in the order of FCEUX.
pub(crate) const NAMES: [(&str, Buttons); 8] = [
    ("A", Buttons::A),
    ("B", Buttons::B),
    ("select", Buttons::SELECT),
    ("start", Buttons::START),
    ("up", Buttons::UP),
    ("down", Buttons::DOWN),
    ("left", Buttons::LEFT),
    ("right", Buttons::RIGHT),
];

/// What `joypad.set` says of one button.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Will {
    /// `nil`: as the player has it.
    Player,
    /// `true`: held.
    On,
    /// `false`: up.
    Off,
    /// Any string: the opposite of what the player has.
    Invert,
}

/// What a script wants of one pad in the next frame: a button is held if the player's is in `pass`,
/// or is not and the button is in `flip`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wish {
    pass: Buttons,
    flip: Buttons,
}

impl Default for Wish {
    fn default() -> Self {
        Self { pass: Buttons::all(), flip: Buttons::empty() }
    }
}

impl Wish {
    pub(crate) fn set(&mut self, button: Buttons, will: Will) {
        self.pass.set(button, matches!(will, Will::Player | Will::On));
        self.flip.set(button, matches!(will, Will::On | Will::Invert));
    }

    /// The buttons that the game gets for those of the player.
    pub(crate) fn apply(self, player: Buttons) -> Buttons {
        player & self.pass | !player & self.flip
    }
}

/// The pads of a frame, which know whether the game has looked at them.
pub(crate) struct Polled {
    held: Held,
    pub(crate) polled: bool,
}

impl Polled {
    pub(crate) fn new(held: Held) -> Self {
        Self { held, polled: false }
    }
}

impl Pads for Polled {
    fn sample(&mut self) -> [Buttons; 2] {
        self.polled = true;
        self.held.pads
    }

    fn extra(&mut self) -> Extra {
        self.held.extra
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_will_does_what_fceux_documents() {
        let held = |will, player| {
            let mut wish = Wish::default();
            wish.set(Buttons::A, will);
            wish.apply(player).contains(Buttons::A)
        };
        let cases = [
            (Will::Player, [false, true]),
            (Will::On, [true, true]),
            (Will::Off, [false, false]),
            (Will::Invert, [true, false]),
        ];
        for (will, [up, down]) in cases {
            assert_eq!(held(will, Buttons::empty()), up, "{will:?}");
            assert_eq!(held(will, Buttons::A), down, "{will:?}");
        }
    }
}
