//! Where the piece in play may be put, and how it gets there.

use ai::{Evaluator, Filter, Start, TimedSearcher};
use tetris::ram::play_state;
use tetris::{HEIGHT, Orientation, Piece, Placement, Playfield, View, WIDTH, ram};
use value::Speed;

use crate::field::Field;
use crate::frames::Frames;
use crate::settings::Reach;

/// Frames within which a piece has locked and the next one is in play: 20 rows at 48 frames, entry
/// delay and clear.
const MOST: u32 = 1_200;

/// A placement, and the number of the action that names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Action {
    /// Its number.
    pub number: u16,
    /// Where the piece goes.
    pub placement: Placement,
}

impl Action {
    /// Returns the action of `reach="free"` for a placement, one of 800.
    pub fn of(placement: Placement) -> Self {
        let Placement { orientation, x, y } = placement;
        let first = orientation.piece().map_or(orientation, Orientation::first);
        let turn = u16::from(orientation.id() - first.id());
        let number = turn * (HEIGHT * WIDTH) as u16 + u16::from(y) * WIDTH as u16 + u16::from(x);
        Self { number, placement }
    }
}

/// The places of a piece.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Legal {
    /// Straight down on a board, by bits of their actions: where each ends is computed when it is
    /// needed.
    Drops(u64),
    /// Any, in the order of their actions.
    List(Vec<Action>),
}

impl Legal {
    /// Are there none?
    pub fn is_empty(&self) -> bool {
        match self {
            Self::Drops(drops) => *drops == 0,
            Self::List(places) => places.is_empty(),
        }
    }

    /// Returns the empty list, to be filled.
    pub(crate) fn list(&mut self) -> &mut Vec<Action> {
        if let Self::Drops(_) = self {
            *self = Self::List(Vec::new());
        }
        match self {
            Self::List(places) => {
                places.clear();
                places
            }
            Self::Drops(_) => unreachable!("it was made a list"),
        }
    }

    /// None.
    pub fn clear(&mut self) {
        match self {
            Self::Drops(drops) => *drops = 0,
            Self::List(places) => places.clear(),
        }
    }

    /// Writes 1 for each action that is legal and 0 for the others.
    #[inline]
    pub fn write_mask(&self, mask: &mut [i8]) {
        match self {
            Self::Drops(drops) => {
                for (action, legal) in mask.iter_mut().enumerate() {
                    *legal = (drops >> action & 1) as i8;
                }
            }
            Self::List(places) => {
                mask.fill(0);
                for place in places {
                    mask[usize::from(place.number)] = 1;
                }
            }
        }
    }

    /// The place of an action of a piece, or of the next action that is legal, counted up and
    /// round; and whether it is the action's own.
    #[inline]
    pub fn choose(&self, action: u16, field: &Field, piece: Piece) -> Option<(Action, bool)> {
        match self {
            Self::Drops(0) => None,
            Self::Drops(drops) => {
                let after = drops >> action << action;
                let found = if after == 0 { *drops } else { after }.trailing_zeros() as u16;
                Some((drop_of(found, field, piece), found == action))
            }
            Self::List(places) => {
                let at = places.partition_point(|place| place.number < action);
                let place = places.get(at).or(places.first())?;
                Some((*place, place.number == action))
            }
        }
    }

    /// Does something with each of them.
    pub fn each(&self, field: &Field, piece: Piece, mut work: impl FnMut(Action)) {
        match self {
            Self::Drops(drops) => {
                let mut left = *drops;
                while left != 0 {
                    work(drop_of(left.trailing_zeros() as u16, field, piece));
                    left &= left - 1;
                }
            }
            Self::List(places) => places.iter().copied().for_each(work),
        }
    }
}

/// Where a piece ends that falls straight down.
#[inline]
fn drop_of(number: u16, field: &Field, piece: Piece) -> Action {
    let orientation = Orientation::nth(piece, usize::from(number / 10));
    Action { number, placement: field.fall(orientation, (number % 10) as u8) }
}

/// What searches need to remember between two of them: one for each thread.
pub struct Searches {
    timed: TimedSearcher,
    taps: Option<value::Reach>,
}

impl Searches {
    /// For a reach.
    pub fn new(reach: Reach) -> Self {
        let taps = if let Reach::Taps(format) = reach { Some(value::Reach::new(&format)) } else { None };
        Self { timed: TimedSearcher::new(Evaluator::Article, Filter::None), taps }
    }

    /// Finds the places of a piece that has just appeared on a board, in the order of their
    /// actions.
    pub fn on_board(
        &mut self,
        reach: Reach,
        field: &Field,
        piece: Piece,
        level: u8,
        places: &mut Vec<Action>,
    ) {
        places.clear();
        match reach {
            // Those are told by bits: [`Legal::Drops`].
            Reach::Drop => {}
            Reach::Free => {
                let board = Playfield::from_rows(field.rows());
                let found = ai::locks(&board, piece, &Filter::None);
                places.extend(found.into_iter().map(Action::of));
            }
            Reach::Taps(format) => {
                let board = tetris::Playfield::from_rows(field.rows());
                let speed = match level {
                    0..19 => Speed::L18,
                    19..29 => Speed::L19,
                    39.. if format.double_at_39 => Speed::L39,
                    29.. => Speed::L29,
                };
                if let Some(taps) = &mut self.taps {
                    let found = taps.find(&board, piece, speed).iter().filter(|target| target.at_once);
                    places.extend(found.map(|target| Action::of(target.place)));
                }
            }
        }
        places.sort_unstable_by_key(|place| place.number);
    }

    /// Finds the places to which buttons bring the piece in play, in the order of their actions.
    pub fn in_frames(&mut self, reach: Reach, game: &mut Frames, places: &mut Vec<Action>) {
        places.clear();
        let Some(start) = start(game) else { return };
        let found = self.timed.find(&start);
        places.extend(found.iter().copied().map(Action::of));
        places.sort_unstable_by_key(|place| place.number);
        if reach == Reach::Drop {
            // The highest place of a column is that which a straight fall ends in.
            for place in &mut *places {
                place.number = 10 * (place.number / (HEIGHT * WIDTH) as u16) + u16::from(place.placement.x);
            }
            places.sort_by_key(|place| (place.number, place.placement.y));
            places.dedup_by_key(|place| place.number);
        }
    }

    /// Brings the piece in play to a place by buttons, and runs on until the next one is in play or
    /// the game is over. Out: frames run. The last of them is drawn if a picture is wanted.
    pub fn carry_out(&mut self, game: &mut Frames, place: Placement, drawn: bool) -> u32 {
        let mut frames = 0;
        if let Some(start) = start(game) {
            self.timed.find(&start);
            if self.timed.lead(place) {
                for step in self.timed.way() {
                    game.frame(step.buttons, drawn);
                    frames += 1;
                }
            }
        }
        // The piece locks in the frame that follows its last.
        let mut has_left = false;
        while frames < MOST {
            let state = View::new(game.ram()).play_state();
            if state == play_state::ACTIVE && has_left || game.is_over() {
                break;
            }
            has_left |= state != play_state::ACTIVE;
            game.frame(0, drawn);
            frames += 1;
        }
        frames
    }
}

/// The piece in the air as the search takes it.
fn start(game: &mut Frames) -> Option<Start> {
    let view = View::new(game.ram());
    if view.play_state() != play_state::ACTIVE {
        return None;
    }
    let place = Placement::try_from([view.column(), view.row(), view.orientation()?.id()]).ok()?;
    let start = Start {
        board: Playfield::from_rows(&view.rows()),
        above: view.rows_above(),
        place,
        fall_timer: view.byte(ram::FALL_TIMER),
        frames_per_row: 1,
        held: view.held(),
        soft_drop: view.byte(ram::DOWN_REPEAT),
    };
    let level = view.level();
    Some(Start { frames_per_row: game.frames_per_row(level), ..start })
}
