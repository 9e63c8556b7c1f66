//! What an agent observes: a file for each observation.

pub(crate) mod afterstates;
pub(crate) mod features;
pub(crate) mod field;
mod gray;
mod measures;
mod picture;
mod ram;

use crate::environment::Buffers;
use crate::game::{Game, Shown};
use crate::picture::Colours;
use crate::places::Legal;
use crate::settings::Observation;

/// Returns whether an observation takes the picture of a frame.
pub(crate) const fn is_picture(observation: Observation) -> bool {
    matches!(observation, Observation::Picture | Observation::Gray(_))
}

/// Writes the observation of a game into the buffers: `first` in an episode, or after a step.
pub(crate) fn write(
    observation: Observation,
    game: &mut Game,
    shown: &Shown,
    places: &Legal,
    colours: &Colours,
    buffers: &mut Buffers<'_>,
    first: bool,
) {
    match observation {
        Observation::Field => field::write(shown, buffers.bytes),
        Observation::Features => {
            features::write(&shown.field, shown.level, [shown.piece, shown.next], buffers.floats);
        }
        Observation::Afterstates => afterstates::write(shown, places, buffers.floats),
        Observation::Ram => ram::write(game, buffers.bytes),
        Observation::Picture => picture::write(game, colours, buffers.bytes),
        Observation::Gray(_) => gray::write(game, colours, buffers.bytes, first),
    }
}
