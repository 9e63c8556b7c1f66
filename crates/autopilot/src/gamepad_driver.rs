//! The gamepad input driver: pieces are steered by buttons alone.

use ai::{Evaluator, Filter, Step, TimedSearcher};
use nes::Buttons;
use tetris::{Placement, View};

use crate::{menu, perception};

/// Presses what the timed search found, and looks every frame whether the piece is where it should
/// be.
#[derive(Clone, Debug)]
pub(crate) struct GamepadDriver {
    searcher: TimedSearcher,
    way: Vec<Step>,
    /// Steps pressed.
    pressed: usize,
    /// Pieces that were found elsewhere than expected.
    pub(crate) mispredictions: u64,
}

/// What came of a frame.
pub(crate) struct Pressed {
    pub(crate) buttons: Buttons,
    pub(crate) decided: bool,
}

impl GamepadDriver {
    pub(crate) fn new(evaluator: Evaluator, filter: Filter) -> Self {
        Self {
            searcher: TimedSearcher::new(evaluator, filter),
            way: Vec::new(),
            pressed: 0,
            mispredictions: 0,
        }
    }

    pub(crate) fn forget(&mut self) {
        self.way.clear();
        self.pressed = 0;
    }

    /// The buttons for a frame of a piece in play.
    pub(crate) fn drive(&mut self, view: View, frames_per_row: u8) -> Pressed {
        if let Some(buttons) = menu::before_the_first_fall(view) {
            return Pressed { buttons, decided: false };
        }
        let decided = !self.is_on_its_way(perception::place(view));
        if decided {
            self.mispredictions += u64::from(!self.way.is_empty());
            self.forget();
            if let (Some(start), Some(next)) = (perception::start(view, frames_per_row), view.next())
                && self.searcher.decide(&start, next).is_some()
            {
                self.way.extend_from_slice(self.searcher.way());
            }
        }
        let step = self.way.get(self.pressed);
        self.pressed += 1;
        Pressed {
            buttons: step.map_or(Buttons::empty(), |step| Buttons::from_bits_retain(step.buttons)),
            decided,
        }
    }

    /// Is the piece where the last step was to bring it, and is there one more?
    fn is_on_its_way(&self, found: Option<Placement>) -> bool {
        let last = self.pressed.checked_sub(1).and_then(|last| self.way.get(last));
        self.pressed < self.way.len() && last.is_some_and(|step| Some(step.place) == found)
    }
}
