//! The figures of the game that is on, counted again only when the game has gone on.

use std::sync::Arc;

use practice::{Log, Statistics, Taps, Trainer};

/// What the figures depend on: pieces, frame of the last spawn, whether it has locked, whether its
/// charge was lost.
type Key = (usize, u64, bool, bool);

/// The last burst of taps, and the taps a second that its piece needed.
pub(super) type LastTaps = Option<(Taps, Option<f64>)>;

/// The figures that were counted last.
#[derive(Default)]
pub(super) struct Figures {
    counted: Option<(Key, Arc<Statistics>)>,
    /// With the shifts of the last piece: taps come while it falls.
    taps: Option<((Key, usize), LastTaps)>,
    trainer: Arc<Trainer>,
}

impl Figures {
    /// Returns what the player's hands do in a game.
    pub(super) fn trainer(&mut self, log: &Log) -> Arc<Trainer> {
        if self.trainer.is_behind(log) {
            Arc::make_mut(&mut self.trainer).follow(log);
        }
        Arc::clone(&self.trainer)
    }

    /// Returns the last burst of taps of a game.
    pub(super) fn taps(&mut self, log: &Log) -> LastTaps {
        let key = (key(log), log.pieces.last().map_or(0, |played| played.shifts.len()));
        match &self.taps {
            Some((of, taps)) if *of == key => taps.clone(),
            _ => {
                let taps = practice::last_taps(log).map(|taps| {
                    let played = log.pieces.iter().rfind(|played| played.number == taps.piece);
                    (taps, played.and_then(practice::needed_by))
                });
                self.taps.insert((key, taps)).1.clone()
            }
        }
    }

    /// Returns the figures of a game.
    pub(super) fn of(&mut self, log: &Log) -> Arc<Statistics> {
        let key = key(log);
        match &self.counted {
            Some((of, figures)) if *of == key => Arc::clone(figures),
            _ => {
                let figures = Arc::new(Statistics::of(log));
                self.counted = Some((key, Arc::clone(&figures)));
                figures
            }
        }
    }
}

/// Returns what the figures of a game depend on.
fn key(log: &Log) -> Key {
    log.pieces.last().map_or((0, 0, false, false), |played| {
        (log.pieces.len(), played.frames[0], played.place.is_some(), played.das_lost)
    })
}
