//! Where a piece may go.

use crate::{Orientation, Placement, Playfield, View, WIDTH};

/// The placement straight down that leaves the fewest holes, low and flat; `None` if the piece fits
/// nowhere.
pub(super) fn best(view: View) -> Option<Placement> {
    let piece = view.orientation()?.piece()?;
    let playfield = Playfield::from_rows(&view.rows());
    Orientation::of(piece)
        .flat_map(|orientation| (0..WIDTH as u8).map(move |x| Placement { orientation, x, y: 0 }))
        .filter(|&placement| playfield.fits(placement))
        .min_by_key(|&placement| cost(playfield, placement))
}

/// Of the playfield after a fall, complete rows taken out: holes weigh most, then height, then
/// steps between neighbours.
fn cost(mut playfield: Playfield, placement: Placement) -> i32 {
    playfield.lock(playfield.fall(placement));
    let heights = playfield.heights().map(|height| height as i32);
    let steps: i32 = heights.windows(2).map(|pair| (pair[0] - pair[1]).abs()).sum();
    let height: i32 = heights.iter().map(|height| height * height).sum();
    playfield.holes() as i32 * 60 + height + steps * 4
}
