//! The player for points, by buttons alone: the taps and the reaction of a format.
//!
//! Ways are planned at the speed of level 18 or above. A piece that falls slower takes the same
//! way by its rows: each press waits for the row in which it was planned, and for its distance in
//! frames from the press before, so that every step meets the same cells. Between them Down
//! hurries the piece.

use std::sync::Arc;

use ai::Step;
use nes::Buttons;
use tetris::{Placement, Playfield, SplitMix64, View, buttons, ram};
use value::{Choice, Falling, Format, Mind, Pace, Player, Target, way_to, way_to_premove};

use crate::gamepad_driver::Pressed;
use crate::thought::Thought;
use crate::{menu, perception};

/// Column of the pivot in which pieces appear.
const SPAWN_COLUMN: u8 = 5;
/// Frames in which a piece falls a row while Down is held.
const FRAMES_OF_SOFT_DROP: usize = 2;

/// Presses what was decided, and looks every frame whether the piece is where it should be.
#[derive(Clone, Debug)]
pub(crate) struct PointsDriver {
    format: Format,
    player: Player,
    way: Vec<Step>,
    /// Steps pressed.
    pressed: usize,
    /// The piece falls slower than at level 18.
    by_rows: bool,
    /// Frames since the last press of a way that goes by rows, or since its beginning.
    waited: usize,
    /// Where the piece is to lock, once that is decided.
    target: Option<Placement>,
    /// A premove under way: the piece at its end, and where it goes from there by the next piece.
    later: Option<(Falling, [Placement; 7])>,
    /// The piece in play was not decided in the frame in which it appeared: the first of a game,
    /// which hangs at first, or one that somebody else has moved.
    begins_late: bool,
    /// No way leads to its place: it falls.
    falls: bool,
    /// Percent of the pieces that end a column short, by the columns that they have to go.
    misdrops: [u8; 6],
    dice: SplitMix64,
    /// What was thought of the piece in play.
    pub(crate) thought: Option<Arc<Thought>>,
    /// Pieces that were found elsewhere than expected, or locked elsewhere, or to whose place no
    /// way led.
    pub(crate) mispredictions: u64,
}

impl PointsDriver {
    pub(crate) fn new(format: Format, mind: Mind) -> Self {
        Self {
            format,
            player: Player::new(&format, mind),
            way: Vec::new(),
            pressed: 0,
            by_rows: false,
            waited: 0,
            target: None,
            later: None,
            begins_late: false,
            falls: false,
            misdrops: [0; 6],
            dice: SplitMix64::new(0),
            thought: None,
            mispredictions: 0,
        }
    }

    pub(crate) fn set_misdrops(&mut self, misdrops: [u8; 6], seed: u64) {
        (self.misdrops, self.dice) = (misdrops, SplitMix64::new(seed));
    }

    /// No piece is in the air: the last has locked where it was to, or it counts.
    pub(crate) fn land(&mut self, view: View) {
        if self.is_under_way() && perception::place(view) != self.target {
            self.mispredictions += 1;
        }
        self.forget();
    }

    pub(crate) fn forget(&mut self) {
        self.thought = None;
        self.clear_way();
    }

    fn clear_way(&mut self) {
        self.way.clear();
        self.pressed = 0;
        self.waited = 0;
        self.target = None;
        self.later = None;
        self.falls = false;
    }

    fn is_under_way(&self) -> bool {
        self.target.is_some() || self.later.is_some()
    }

    /// The buttons for a frame of a piece in play.
    pub(crate) fn drive(&mut self, view: View, frames: impl Fn(u8) -> u8) -> Pressed {
        if let Some(buttons) = menu::before_the_first_fall(view) {
            return Pressed { buttons, decided: false };
        }
        let place = perception::place(view);
        if self.is_under_way() && self.is_lost(place) {
            self.mispredictions += 1;
            self.forget();
        }
        let decided = !self.is_under_way() && !self.falls;
        if decided {
            self.decide(view, Pace::of(view.level(), view.lines(), frames));
        }
        if self.by_rows {
            return Pressed { buttons: self.press_by_rows(view, place), decided };
        }
        if self.pressed >= self.way.len() {
            self.go_on(view);
        }
        let step = self.way.get(self.pressed);
        self.pressed += 1;
        let buttons = step.map_or(Buttons::empty(), |step| Buttons::from_bits_retain(step.buttons));
        Pressed { buttons, decided }
    }

    /// A premove has ended. Now, and not before, the next piece is looked at.
    fn go_on(&mut self, view: View) {
        if let Some((falling, places)) = self.later.take()
            && let Some(next) = view.next()
        {
            self.go(&falling, places[next as usize]);
        }
    }

    /// Is the piece elsewhere than the way has brought it?
    fn is_lost(&self, place: Option<Placement>) -> bool {
        let before = self.pressed.checked_sub(1).and_then(|last| self.way.get(last)).map(|step| step.place);
        if !self.by_rows {
            let ended = self.later.is_none() && self.pressed >= self.way.len();
            return ended || before.is_some() && before != place;
        }
        let Some((before, place)) = before.zip(place) else { return false };
        let at = |place: Placement| (place.x, place.orientation);
        // A row too low for the next press, or for what follows the premove.
        let last = self.way.last().map_or(before.y, |step| step.place.y);
        let row = match self.next_press() {
            Some(next) => self.row_of(next).unwrap_or(place.y),
            None if self.later.is_some() => last,
            None => place.y,
        };
        at(before) != at(place) || place.y > row
    }

    /// The step in which something is pressed next.
    fn next_press(&self) -> Option<usize> {
        (self.pressed..self.way.len()).find(|&step| self.way[step].buttons != 0)
    }

    /// The row in which a piece is before a step; `None` for the first, which is pressed at once.
    fn row_of(&self, step: usize) -> Option<u8> {
        step.checked_sub(1).map(|before| self.way[before].place.y)
    }

    /// The buttons of a piece that takes its way by rows.
    fn press_by_rows(&mut self, view: View, place: Option<Placement>) -> Buttons {
        let Some(place) = place else { return Buttons::empty() };
        if self.next_press().is_none()
            && self.later.is_some()
            && self.way.last().is_none_or(|last| place.y >= last.place.y)
            && self.pressed + self.waited >= self.way.len()
        {
            self.go_on(view);
        }
        let Some(next) = self.next_press() else {
            let row = self.later.as_ref().and_then(|_| self.way.last()).map(|step| step.place.y);
            let too_soon = self.way.len().saturating_sub(self.pressed + self.waited);
            self.waited += 1;
            return hurry(view, place.y, row, too_soon);
        };
        let row = self.row_of(next);
        if row.is_none_or(|row| place.y >= row) && self.pressed + self.waited >= next {
            self.pressed = next + 1;
            self.waited = 0;
            return Buttons::from_bits_retain(self.way[next].buttons);
        }
        let too_soon = next.saturating_sub(self.pressed + self.waited);
        self.waited += 1;
        hurry(view, place.y, row, too_soon)
    }

    fn decide(&mut self, view: View, pace: Pace) {
        let (Some(place), Some(orientation)) = (perception::place(view), view.orientation()) else { return };
        let Some(piece) = orientation.piece() else { return };
        let Pace { frames_per_row, speed, lines, .. } = pace;
        self.by_rows = frames_per_row > 3;
        let board = Playfield::from_rows(&view.rows());
        let timer = if self.by_rows { 0 } else { u32::from(view.byte(ram::FALL_TIMER)) };
        let start = Falling::at(&board, orientation, (place.x.into(), place.y.into()), speed, timer);
        let Some(falling) = start else { return };
        self.begins_late = falling != Falling::new(&board, piece, speed, 0).unwrap_or(falling);
        let Some(choice) = self.player.decide(&board, lines, piece) else { return };
        let mut thought = Thought::of(&self.player, piece, pace, &choice);
        let decider = self.player.decider();
        let place = |number: usize| decider.children()[number].place;
        let mut places = choice.targets.map(place);
        if let Some(missed) = self.misdrop(&choice, places) {
            places = missed;
            thought.misdrop = true;
        }
        let decider = self.player.decider();
        self.thought = Some(Arc::new(thought));
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

    /// The places that a piece ends in where the hands miss; none where they do not. A tap that
    /// misses leaves it a column short.
    fn misdrop(&mut self, choice: &Choice, places: [Placement; 7]) -> Option<[Placement; 7]> {
        if self.misdrops == [0; 6] {
            return None;
        }
        // One throw a piece, so that it comes to the same whatever comes next.
        let thrown = (self.dice.next_u64() % 100) as u8;
        let (targets, spawn) = (self.player.decider().reach().targets(), SPAWN_COLUMN);
        let mut missed = false;
        let places = places.map(|place| {
            let taps = usize::from(place.x.abs_diff(spawn)).min(self.misdrops.len() - 1);
            if thrown >= self.misdrops[taps] || place.x == spawn {
                return place;
            }
            let x = if place.x > spawn { place.x - 1 } else { place.x + 1 };
            let is_beside = |other: &Placement| other.x == x && other.orientation == place.orientation;
            let is_reached = |target: &&Target| match choice.premove {
                Some(premove) => target.premoves >> premove & 1 == 1,
                None => target.at_once,
            };
            let beside = targets.iter().filter(is_reached).map(|target| target.place).find(is_beside);
            missed |= beside.is_some();
            beside.unwrap_or(place)
        });
        missed.then_some(places)
    }

    fn let_fall(&mut self) {
        self.mispredictions += u64::from(!self.begins_late);
        self.falls = true;
    }

    /// Sends the piece to its place.
    fn go(&mut self, falling: &Falling, place: Placement) {
        self.clear_way();
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

/// Down, where the piece has to go down, and does not come there before so many frames are over: it
/// would fall on.
fn hurry(view: View, y: u8, row: Option<u8>, too_soon: usize) -> Buttons {
    let far = row.is_none_or(|row| y + 1 < row && too_soon <= FRAMES_OF_SOFT_DROP * usize::from(row - y - 1));
    // Down counts only if it is pressed anew, and alone.
    let counts = view.byte(ram::DOWN_REPEAT) > 0 || view.held() & buttons::DOWN == 0;
    if far && counts { Buttons::DOWN } else { Buttons::empty() }
}
