//! Other pieces than the game's own.

use autopilot::Substitution;

/// A sequence of pieces for the games of the cartridge that a session begins with. It goes along
/// with the console through rewinds, states and frames run ahead, and is of no use to another
/// cartridge.
#[derive(Clone)]
#[non_exhaustive]
pub struct Pieces {
    /// What deals them.
    pub substitution: Substitution,
    /// The options that ask for them, which a movie names: without the same pieces it plays another
    /// game.
    pub name: String,
}

impl Pieces {
    /// Returns those of `substitution`, which `name` asks for: `--randomizer tgm3 --seed 7`, say.
    pub fn new(substitution: Substitution, name: impl Into<String>) -> Self {
        Self { substitution, name: name.into() }
    }
}
