//! The player for points, by buttons alone: the taps and the reaction of a format.

use ai::{Placement, Step};
use nes::Buttons;
use tetris::{View, ram};
use value::{Board, Falling, Format, Mind, Place, Player, Speed, way_to, way_to_premove};

use crate::gamepad_driver::Pressed;
use crate::{menu, perception};

/// Presses what was decided, and looks every frame whether the piece is where it should be.
#[derive(Clone, Debug)]
pub(crate) struct PointsDriver {
    format: Format,
    player: Player,
    way: Vec<Step>,
    /// Steps pressed.
    pressed: usize,
    /// Where the piece is to lock, once that is decided.
    target: Option<Place>,
    /// A premove under way: the piece at its end, and where it goes from there by the next piece.
    later: Option<(Falling, [Place; 7])>,
    /// The piece in play was not decided in the frame in which it appeared: the first of a game, which hangs at first, or one
    /// that somebody else has moved.
    begins_late: bool,
    /// No way leads to its place: it falls.
    falls: bool,
    /// Pieces that were found elsewhere than expected, or locked elsewhere, or to whose place no way led.
    pub(crate) mispredictions: u64,
}

impl PointsDriver {
    pub(crate) fn new(format: Format, mind: Mind) -> Self {
        Self {
            format,
            player: Player::new(&format, mind),
            way: Vec::new(),
            pressed: 0,
            target: None,
            later: None,
            begins_late: false,
            falls: false,
            mispredictions: 0,
        }
    }

    /// No piece is in the air: the last has locked where it was to, or it counts.
    pub(crate) fn land(&mut self, view: View) {
        if self.is_under_way() && perception::place(view) != self.target.and_then(placement) {
            self.mispredictions += 1;
        }
        self.forget();
    }

    pub(crate) fn forget(&mut self) {
        self.way.clear();
        self.pressed = 0;
        self.target = None;
        self.later = None;
        self.falls = false;
    }

    fn is_under_way(&self) -> bool {
        self.target.is_some() || self.later.is_some()
    }

    /// The buttons for a frame of a piece in play.
    pub(crate) fn drive(&mut self, view: View, frames_per_row: u8) -> Pressed {
        if let Some(buttons) = menu::before_the_first_fall(view) {
            return Pressed { buttons, decided: false };
        }
        let expected = self.pressed.checked_sub(1).and_then(|last| self.way.get(last)).map(|step| step.place);
        let lost = self.is_under_way() && expected.is_some() && expected != perception::place(view);
        if lost || self.is_under_way() && self.later.is_none() && self.pressed >= self.way.len() {
            self.mispredictions += 1;
            self.forget();
        }
        let decided = !self.is_under_way() && !self.falls;
        if decided {
            self.decide(view, frames_per_row);
        }
        if self.pressed >= self.way.len()
            && let Some((falling, places)) = self.later.take()
            && let Some(next) = view.next()
        {
            // Now, and not before, the next piece is looked at.
            self.go(&falling, places[next as usize]);
        }
        let step = self.way.get(self.pressed);
        self.pressed += 1;
        let buttons = step.map_or(Buttons::empty(), |step| Buttons::from_bits_retain(step.buttons));
        Pressed { buttons, decided }
    }

    fn decide(&mut self, view: View, frames_per_row: u8) {
        let (Some(place), Some(orientation)) = (perception::place(view), view.orientation()) else { return };
        let Some(piece) = orientation.piece() else { return };
        let speed = match frames_per_row {
            3.. => Speed::L18,
            2 => Speed::L19,
            _ => Speed::L29,
        };
        let board = Board::from_rows(&view.rows());
        let timer = u32::from(view.byte(ram::FALL_TIMER));
        let start = Falling::at(&board, orientation, (place.x.into(), place.y.into()), speed, timer);
        let Some(falling) = start else { return };
        self.begins_late = falling != Falling::new(&board, piece, speed, 0).unwrap_or(falling);
        let Some(choice) = self.player.decide(&board, view.lines(), piece) else { return };
        let decider = self.player.decider();
        let place = |number: usize| decider.children()[number].place;
        let places = choice.targets.map(place);
        match choice.premove {
            Some(number) => {
                let premove = decider.reach().premoves()[number];
                match way_to_premove(&falling, &self.format, premove) {
                    Some((held, later)) => {
                        self.steps(&falling, &held);
                        self.later = Some((later, places));
                    }
                    None => self.let_fall(),
                }
            }
            None => self.go(&falling, places[0]),
        }
    }

    fn let_fall(&mut self) {
        self.mispredictions += u64::from(!self.begins_late);
        self.falls = true;
    }

    /// Sends the piece to its place.
    fn go(&mut self, falling: &Falling, place: Place) {
        self.forget();
        if let Some(held) = way_to(falling, &self.format, place) {
            self.steps(falling, &held);
            self.target = Some(place);
        } else {
            self.let_fall();
        }
    }

    fn steps(&mut self, falling: &Falling, held: &[u8]) {
        let mut now = *falling;
        self.way.clear();
        self.pressed = 0;
        for &buttons in held {
            now.step(buttons);
            let (orientation, x, y) = now.pose();
            let Ok(place) = Placement::try_from([x as u8, y as u8, orientation.id()]) else { return };
            self.way.push(Step { buttons, place });
        }
    }
}

fn placement(place: Place) -> Option<Placement> {
    Placement::try_from([place.x, place.y, place.orientation.id()]).ok()
}
