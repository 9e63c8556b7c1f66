//! What one player holds down, from whatever device.

use nes::Buttons;
use winit::keyboard::KeyCode;

use crate::config::settings::{InputSettings, Opposites};
use crate::input::bindings::{Bindings, Control, PadInput};

/// What one player holds.
#[derive(Debug, Default)]
pub(crate) struct PlayerInput {
    /// Oldest first.
    presses: Vec<Press>,
    /// Pressed since the console last took them: a tap shorter than a frame is seen all the same.
    taps: Buttons,
    /// What the pad holds.
    pad: Vec<PadInput>,
    /// Of that, what was meant for the menu: nothing to the game until it is let go.
    consumed: Vec<PadInput>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Press {
    source: Source,
    control: Control,
}

/// What holds a control down.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Source {
    Key(KeyCode),
    Pad(PadInput),
    /// A front end without keys that are let go, or a test.
    Remote,
}

impl PlayerInput {
    /// The key `code`, which means these `controls`, goes down or up.
    pub(crate) fn key(&mut self, code: KeyCode, controls: impl Iterator<Item = Control>, pressed: bool) {
        if pressed {
            controls.for_each(|control| self.press(Source::Key(code), control));
        } else {
            self.presses.retain(|press| press.source != Source::Key(code));
        }
    }

    /// No key is held any more.
    pub(crate) fn release_keys(&mut self) {
        self.presses.retain(|press| !matches!(press.source, Source::Key(_)));
    }

    /// Nothing is held any more as far as the game goes; the pad is as it is.
    pub(crate) fn release_all(&mut self) {
        self.presses.clear();
        self.taps = Buttons::empty();
    }

    /// The pad now holds exactly `inputs`. Returns the buttons that this makes.
    pub(crate) fn set_pad(&mut self, inputs: &[PadInput], bindings: &Bindings<PadInput>) -> Buttons {
        inputs.clone_into(&mut self.pad);
        self.consumed.retain(|input| inputs.contains(input));
        self.presses.retain(|press| match press.source {
            Source::Pad(input) => inputs.contains(&input),
            _ => true,
        });
        let mut buttons = Buttons::empty();
        for &input in inputs {
            for control in bindings.controls(&input) {
                if !self.consumed.contains(&input) {
                    self.press(Source::Pad(input), control);
                }
                buttons |= control.button();
            }
        }
        buttons
    }

    /// What the pad holds now was meant for the menu.
    pub(crate) fn consume_pad(&mut self) {
        self.consumed.clone_from(&self.pad);
        self.presses.retain(|press| !matches!(press.source, Source::Pad(_)));
        self.taps = Buttons::empty();
    }

    /// Whoever has no keys to press holds exactly `buttons`.
    pub(crate) fn hold(&mut self, buttons: Buttons) {
        self.presses
            .retain(|press| press.source != Source::Remote || buttons.contains(press.control.button()));
        for &control in Control::ALL {
            if !control.is_turbo() && buttons.contains(control.button()) {
                self.press(Source::Remote, control);
            }
        }
    }

    /// Returns what the port holds in frame `frame`, taps that no game has seen yet included.
    pub(crate) fn sample(&mut self, frame: u64, settings: &InputSettings) -> Buttons {
        let held = self.buttons(frame, settings);
        let taps = std::mem::take(&mut self.taps);
        let buttons = match settings.opposites {
            Opposites::Raw => held | taps,
            Opposites::Neutral | Opposites::LastWins => possible(held | (taps - opposite(held))),
        };
        if settings.goofy_foot { goofy(buttons) } else { buttons }
    }

    fn press(&mut self, source: Source, control: Control) {
        let press = Press { source, control };
        if !self.presses.contains(&press) {
            self.presses.push(press);
            self.taps |= control.button();
        }
    }

    fn buttons(&self, frame: u64, settings: &InputSettings) -> Buttons {
        let turbo = (frame / u64::from(settings.turbo_frames.max(1))).is_multiple_of(2);
        self.presses
            .iter()
            .filter(|press| turbo || !press.control.is_turbo())
            .map(|press| press.control.button())
            .fold(Buttons::empty(), |held, pressed| match settings.opposites {
                Opposites::LastWins => (held - opposite(pressed)) | pressed,
                Opposites::Raw | Opposites::Neutral => held | pressed,
            })
    }
}

/// Returns the directions that the cross of a real pad cannot be pressed to together with
/// `buttons`.
fn opposite(buttons: Buttons) -> Buttons {
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

/// Without pairs of opposite directions.
fn possible(buttons: Buttons) -> Buttons {
    let opposites = opposite(buttons) & buttons;
    buttons - opposites
}

/// Each button's neighbour in the order in which they are shifted out.
fn goofy(buttons: Buttons) -> Buttons {
    let bits = buttons.bits();
    Buttons::from_bits_retain((bits & 0xAA) >> 1 | (bits & 0x55) << 1)
}
