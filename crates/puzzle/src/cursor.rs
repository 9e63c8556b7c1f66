//! A piece that is placed by keys, over legal places only.

use tetris::{Orientation, Placement, Playfield};

/// Chooses one of the places that a piece can be brought to. The ghost is the chosen place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cursor {
    places: Vec<Placement>,
    at: usize,
}

impl Cursor {
    /// A cursor over these places, in the middle of the field; `None` if there is none. On columns
    /// with several, the highest comes first: where the piece falls straight down.
    pub fn new(mut places: Vec<Placement>, board: &Playfield) -> Option<Self> {
        places
            .sort_by_key(|place| (place.orientation.id(), place.x, review::is_tuck(board, *place), place.y));
        let spawned = places.first()?.orientation.piece().map(Orientation::spawn);
        let far = |place: &Placement| (Some(place.orientation) != spawned, place.x.abs_diff(5));
        let at = (0..places.len()).min_by_key(|&at| (far(&places[at]), at))?;
        Some(Self { places, at })
    }

    /// The chosen place.
    pub fn place(&self) -> Placement {
        self.places[self.at]
    }

    /// To the next column that has a place: -1 left, 1 right.
    pub fn shift(&mut self, side: i8) {
        let Placement { orientation, x, .. } = self.place();
        let beyond = |place: &Placement| {
            let distance = (i16::from(place.x) - i16::from(x)) * i16::from(side.signum());
            (place.orientation == orientation && distance > 0).then_some(distance)
        };
        self.go(|place| beyond(place));
    }

    /// To the next orientation that has a place, near the same column.
    pub fn turn(&mut self, clockwise: bool) {
        let Placement { orientation, x, .. } = self.place();
        let mut turned = orientation;
        for _ in 0..3 {
            turned = if clockwise { turned.clockwise() } else { turned.counterclockwise() };
            let near =
                |place: &Placement| (place.orientation == turned).then(|| i16::from(place.x.abs_diff(x)));
            if turned == orientation || self.go(near) {
                return;
            }
        }
    }

    /// To another place in the same column, as a tuck has it.
    pub fn other(&mut self) {
        let own = self.place();
        let is_same = |place: &Placement| place.orientation == own.orientation && place.x == own.x;
        let after = (self.at + 1..self.places.len()).chain(0..self.at);
        self.at = after.into_iter().find(|&at| is_same(&self.places[at])).unwrap_or(self.at);
    }

    /// Chooses a place by pointing: the one that covers a cell, nearest to the chosen orientation.
    pub fn point(&mut self, column: i32, row: i32) -> bool {
        let Placement { orientation, .. } = self.place();
        self.go(|place| {
            let covers = place.cells().contains(&(column, row));
            covers.then(|| i16::from(place.orientation != orientation))
        })
    }

    /// To the place whose distance is the least, of equals the first; `false` if none has one.
    fn go(&mut self, distance: impl Fn(&Placement) -> Option<i16>) -> bool {
        let found =
            self.places.iter().enumerate().filter_map(|(at, place)| Some((distance(place)?, at))).min();
        self.at = found.map_or(self.at, |(_, at)| at);
        found.is_some()
    }
}
