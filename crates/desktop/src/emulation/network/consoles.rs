//! Both consoles of a match, as the session of a match over the network runs them.

use std::ops::Deref;

use autopilot::Substitution;
use emulator::{Duel, DuelRules, LastFrames, Pieces};
use nes::Cartridge;
use netplay::{Game, Rules};
use randomizers::Kind;
use tetris::Profile;

/// A match of two whose frames can be run anew.
#[derive(Clone)]
pub(crate) struct Consoles(Duel);

impl Consoles {
    /// Returns both consoles at the beginning of a game by `rules`, for the player `own`, 0 or 1,
    /// and the end of the way there; none where the cartridge's menus do not lead to a game.
    pub(crate) fn begin(
        cartridge: &Cartridge,
        profile: &Profile,
        rules: Rules,
        own: usize,
    ) -> Option<(Self, LastFrames)> {
        let kind = Kind::ALL.get(usize::from(rules.dealer)).copied().unwrap_or(Kind::Nes);
        let dealt = Substitution::new(profile.clone(), kind.seeded(rules.seed.into()));
        let rules = DuelRules {
            level: rules.level,
            wait: rules.seed,
            pieces: Pieces::new(dealt, kind.to_string()),
            sample_rate: Some(crate::SAMPLE_RATE),
        };
        let (duel, way_in) = Duel::begin(cartridge, profile, rules, own)?;
        Some((Self(duel), way_in))
    }
}

impl Deref for Consoles {
    type Target = Duel;

    fn deref(&self) -> &Duel {
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
