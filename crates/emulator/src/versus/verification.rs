//! A match that is played again from its file.

use std::borrow::Borrow;

use nes::Cartridge;
use tetris::Profile;

use super::duel::Both;
use super::match_file::{MARKED, MatchError, MatchFile, written};
use super::series::{GameResult, Match};

/// A match that is played again from its file, ten seconds at a time, so that nobody waits for all
/// of it.
pub struct Verification<F> {
    file: F,
    copy: Match,
    /// Stretches that were compared.
    done: usize,
}

impl<F: Borrow<MatchFile>> Verification<F> {
    /// Begins with the match of a file on `cartridge`, of `profile`.
    ///
    /// # Errors
    /// When the match was played on another cartridge, or the cartridge leads to no game.
    pub fn begin(file: F, cartridge: &Cartridge, profile: &Profile) -> Result<Self, MatchError> {
        let header = &file.borrow().header;
        let (expected, found) = (header.cartridge, cartridge.crc32());
        if expected != found {
            return Err(MatchError::Cartridge { expected, found });
        }
        let begun = Match::begin(cartridge, profile, header.rules, 0, None);
        let mut copy = begun.ok_or(MatchError::NoGame)?;
        copy.set_seen(false);
        Ok(Self { file, copy, done: 0 })
    }

    /// Returns which share of the match was played again, 0 to 1.
    pub fn share(&self) -> f64 {
        let all = self.file.borrow().buttons.len().div_ceil(MARKED as usize).max(1);
        self.done as f64 / all as f64
    }

    /// Plays the next ten seconds again and compares their hash; at the end the last hash and all
    /// results. Returns whether that was all.
    ///
    /// # Errors
    /// What differs.
    pub fn step(&mut self, both: Both<'_>) -> Result<bool, MatchError> {
        let file = self.file.borrow();
        let MatchFile { header, buttons, marks } = file;
        if let Some(frames) = buttons.chunks(MARKED as usize).nth(self.done) {
            self.copy.run(frames, both);
            let mark = marks.get(self.done).copied();
            self.done += 1;
            let found = self.copy.hash();
            return match mark {
                Some(expected) if expected != found => {
                    Err(MatchError::Differs { frame: self.done as u64 * MARKED, expected, found })
                }
                _ => Ok(false),
            };
        }
        let (expected, found) = (header.hash, self.copy.hash());
        if expected != found {
            return Err(MatchError::Differs { frame: buttons.len() as u64, expected, found });
        }
        if header.results != self.copy.results() {
            let text = |results: &[GameResult]| results.iter().map(written).collect::<Vec<_>>().join("; ");
            let (expected, found) = (text(&header.results), text(self.copy.results()));
            return Err(MatchError::Results { expected, found });
        }
        Ok(true)
    }
}
