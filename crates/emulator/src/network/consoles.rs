//! Both consoles of a match, as the session of a match over the network runs them.

use std::ops::Deref;

use nes::Cartridge;
use netplay::{Game, Rules};
use randomizers::Kind;
use tetris::Profile;

use crate::{Match, MatchKind, MatchRules};

/// A match of two whose frames can be run anew.
#[derive(Clone)]
pub struct Consoles(Match);

/// Why a match does not begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoMatch {
    /// The cartridge leads to no game.
    #[error("this cartridge's menus did not lead to a game")]
    Menus,
    /// The host is newer.
    #[error("the host plays a kind of match that this version does not know: update Maxout")]
    Kind,
}

impl Consoles {
    /// Returns both consoles at the beginning of a match by `rules`, for the player `own`, 0 or 1.
    /// Sound has `sample_rate` samples a second.
    ///
    /// # Errors
    /// [`NoMatch`] where it does not begin.
    pub fn begin(
        cartridge: &Cartridge,
        profile: &Profile,
        rules: Rules,
        own: usize,
        sample_rate: u32,
    ) -> Result<Self, NoMatch> {
        let (kind, lines) = rules.kind;
        let rules = MatchRules {
            kind: MatchKind::of_number(kind, lines).ok_or(NoMatch::Kind)?,
            best_of: rules.best_of,
            level: rules.level,
            dealer: Kind::ALL.get(usize::from(rules.dealer)).copied().unwrap_or(Kind::Nes),
            seed: rules.seed,
        };
        Match::begin(cartridge, profile, rules, own, Some(sample_rate)).map(Self).ok_or(NoMatch::Menus)
    }
}

impl Deref for Consoles {
    type Target = Match;

    fn deref(&self) -> &Match {
        &self.0
    }
}

impl Game for Consoles {
    fn frame(&mut self, buttons: [u8; 2]) {
        self.0.frame(buttons);
    }

    fn hash(&self) -> u64 {
        self.0.hash()
    }

    fn set_seen(&mut self, seen: bool) {
        self.0.set_seen(seen);
    }

    fn replace(&mut self, before: &Self) {
        self.0.replace(before);
    }
}
