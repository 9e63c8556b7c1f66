//! Puzzles of the player's own games: the search of the crate `puzzle`, a slice at a time.

use nes::Config;
use practice::{Kept, Replay};
use puzzle::{Bank, Search};
use serde_json::json;

use crate::{Error, Machine};

/// Frames of a game that are played again for each position that is considered.
const FRAMES: usize = 100;

/// A search that is under way, or has come to its end.
pub(crate) struct OwnSearch {
    search: Search,
    /// The game that is played again.
    replay: Option<Replay<Kept>>,
}

impl Machine {
    /// Begins to look for puzzles in games, which are handed over by [`Machine::search_game`]. What
    /// was found before is replaced by what is found.
    ///
    /// # Errors
    /// When nets are missing.
    pub fn begin_search(&mut self) -> Result<(), Error> {
        let search = Search::new(self.desk.nets().get())?;
        self.search = Some(OwnSearch { search, replay: None });
        Ok(())
    }

    /// Takes a kept game, which [`Machine::search_on`] looks through. One of another cartridge, or
    /// a damaged one, is left out and counted.
    ///
    /// # Errors
    /// When no search has begun.
    pub fn search_game(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let game = self.kept_game("the game", bytes).ok();
        let (cartridge, mut config) = self.emulator.power();
        (config.ram_fill, config.region, config.video) = (Config::default().ram_fill, None, false);
        let own = self.search.as_mut().ok_or(Error::Refused("no search has begun"))?;
        let replay = game.zip(self.profile.clone());
        own.replay = replay.and_then(|(game, profile)| Replay::new(game, cartridge, profile, config).ok());
        if own.replay.is_none() {
            own.search.leave_out();
        }
        Ok(())
    }

    /// Looks through so many positions more of the game. Returns an object of JSON: whether the
    /// game is `done`, whether that is `enough`, and how many `games` were looked through,
    /// `leftOut` and `found`.
    ///
    /// # Errors
    /// When no search has begun.
    pub fn search_on(&mut self, count: usize) -> Result<String, Error> {
        let OwnSearch { search, replay } =
            self.search.as_mut().ok_or(Error::Refused("no search has begun"))?;
        let done = match replay {
            None => !search.go_on(count),
            Some(playing) => {
                let is_on = (0..count * FRAMES).all(|_| matches!(playing.step(), Ok(Some(_))));
                if !is_on {
                    // A game that cannot be played to its end has the pieces before that.
                    search.take_game(&playing.log().turns());
                    *replay = None;
                }
                false
            }
        };
        if done && !search.found().is_empty() {
            self.desk.own.puzzles = search.found().to_vec();
        }
        let part = json!({
            "done": done,
            "enough": search.is_enough() || search.games() >= Search::MOST_GAMES,
            "games": search.games(),
            "leftOut": search.left_out(),
            "found": search.found().len(),
        });
        Ok(part.to_string())
    }

    /// Returns the puzzles of the player's own games as a file, to be kept.
    pub fn own_puzzles(&self) -> Vec<u8> {
        self.desk.own.bytes()
    }

    /// Takes puzzles that were kept; a damaged file has none, because they can be looked for again.
    pub fn set_own_puzzles(&mut self, bytes: &[u8]) {
        self.desk.own = Bank::read(bytes).unwrap_or_default();
    }
}
