//! Where the pieces of games come from, as arguments.

use randomizers::{Dealer, Kind};

/// A randomizer and its first seed.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(super) struct Deal {
    /// Who deals the pieces; `maxout randomizer list` shows all.
    #[arg(long, value_name = "KIND", default_value = "uniform")]
    pub(super) randomizer: Kind,
    /// Seed of the first game's pieces; game n, counted from 0, has the seed plus n.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(super) seed: u64,
}

impl Deal {
    /// The seed of a game, by its number from 0.
    pub(super) fn seed_of(self, game: u64) -> u64 {
        self.seed.wrapping_add(game)
    }

    /// Who deals a game.
    pub(super) fn dealer(self, game: u64) -> Dealer {
        self.randomizer.seeded(self.seed_of(game))
    }
}
