//! The figures of the game that is on, counted again only when the game has gone on.

use std::sync::Arc;

use practice::{Log, Statistics, Trainer};

/// What the figures depend on: pieces, frame of the last spawn, whether it has locked, whether its
/// charge was lost.
type Key = (usize, u64, bool, bool);

/// The figures that were counted last.
#[derive(Default)]
pub(super) struct Figures {
    counted: Option<(Key, Arc<Statistics>)>,
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

    /// Returns the figures of a game.
    pub(super) fn of(&mut self, log: &Log) -> Arc<Statistics> {
        let last = log.pieces.last();
        let key = last.map_or((0, 0, false, false), |played| {
            (log.pieces.len(), played.frames[0], played.place.is_some(), played.das_lost)
        });
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
