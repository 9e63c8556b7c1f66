//! Nintendo's own: the picker of NES Tetris (`$9907`) and the time that passes between its picks.

use serde::{Deserialize, Serialize};
pub use tetris::picker::{Picker, SPAWN_ORIENTATIONS, biased_pick, demo_piece};
use tetris::{Piece, SplitMix64};

use crate::lfsr;
use crate::{Kind, Randomizer};

/// The article's table of the biased path: a row for each value of the three bits, a column for
/// each prior piece in the game's order.
pub fn bias_table() -> [[Piece; 7]; 8] {
    std::array::from_fn(|bits| {
        std::array::from_fn(|prior| biased_pick(bits as u8, SPAWN_ORIENTATIONS[prior]))
    })
}

/// How often each piece stands in [`bias_table`], of 56 cells, in the game's order.
pub fn bias_counts() -> [u32; 7] {
    let mut counts = [0; 7];
    for piece in bias_table().into_iter().flatten() {
        counts[usize::from(piece.number())] += 1;
    }
    counts
}

/// Probabilities as the article gives them, in the game's order: three picks of four uniform, one
/// of four by [`bias_counts`].
///
/// Exact, to a thousandth of a percentage point, where any register, prior piece and spawn count is
/// as likely as any other. Over a long game the prior pieces are not: the biased path feeds back
/// into them, and as its bits are two of the first roll's and one more, each spawn count has
/// favourites, which the next finds as prior pieces. [`Kind::chain`] has the values of a long game,
/// at most 0.14 percentage points away.
pub fn article_probabilities() -> [f64; 7] {
    bias_counts().map(|count| 0.75 / 7.0 + 0.25 * f64::from(count) / 56.0)
}

/// How much time passes before each pick.
///
/// The game takes its randomness from the player: the register steps in every frame, and nobody
/// places two pieces in the same time. Outside a game that time has to come from somewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tempo {
    /// Any number of frames of the register's cycle, one as likely as another, by a `SplitMix64`
    /// stream whose state this is. The upper half of an output is taken as a fraction of the cycle.
    Any(u64),
    /// The same, and the second roll of a pick comes from a moment that has nothing to do with the
    /// first's. No game is so, but the article assumes it.
    Independent(u64),
    /// Always as many. The deal then repeats itself, and is less even.
    Frames(u32),
}

/// Anywhere on the register's cycle, from wherever it was; a dead register stays dead.
#[inline]
fn anywhere(register: u16, state: &mut u64) -> u16 {
    let mut random = SplitMix64::new(*state);
    let place = random.below(lfsr::PERIOD);
    *state = random.state();
    if lfsr::is_dead(register) { 0 } else { lfsr::after_power_on(place.into()) }
}

/// NES Tetris: the game's picker, and a tempo at which it is asked.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Nes {
    /// What the game keeps.
    pub picker: Picker,
    /// Frames before each pick.
    pub tempo: Tempo,
}

impl Nes {
    /// A game begun so many frames after power-on, with spawn count 0, in any tempo.
    pub fn new(frames_since_power_on: u64) -> Self {
        let picker = Picker::new(lfsr::after_power_on(frames_since_power_on), 0);
        Self { picker, tempo: Tempo::Any(frames_since_power_on) }
    }

    /// A game that begins with this register and spawn count, in any tempo.
    ///
    /// The registers 0 and 1 are dead ([`lfsr::is_dead`]): the spawn count alone then picks.
    pub const fn from_state(lfsr: u16, spawn_count: u8) -> Self {
        Self {
            picker: Picker::new(lfsr, spawn_count),
            tempo: Tempo::Any(((spawn_count as u64) << 16) | lfsr as u64),
        }
    }

    /// The same game with a fixed number of frames before each pick.
    #[must_use]
    pub const fn every(self, frames: u32) -> Self {
        Self { tempo: Tempo::Frames(frames), ..self }
    }

    /// The same game with independent rolls, where its tempo is any.
    #[must_use]
    pub const fn independent(self) -> Self {
        match self.tempo {
            Tempo::Any(state) => Self { tempo: Tempo::Independent(state), ..self },
            Tempo::Independent(_) | Tempo::Frames(_) => self,
        }
    }
}

impl Randomizer for Nes {
    #[inline]
    fn deal(&mut self) -> Piece {
        match &mut self.tempo {
            Tempo::Frames(frames) => self.picker.wait(*frames),
            Tempo::Any(state) => self.picker.lfsr = anywhere(self.picker.lfsr, state),
            Tempo::Independent(state) => {
                self.picker.lfsr = anywhere(self.picker.lfsr, state);
                let second = anywhere(self.picker.lfsr, state);
                return self.picker.pick_of((self.picker.lfsr >> 8) as u8, (second >> 8) as u8).0;
            }
        }
        self.picker.pick()
    }

    fn kind(&self) -> Kind {
        Kind::Nes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_biased_path_is_the_articles_table() {
        let rows = ["2013404", "3124515", "4235626", "5346030", "6450141", "0561252", "1602363", "2013404"];
        for (row, wanted) in bias_table().iter().zip(rows) {
            let numbers: String = row.iter().map(|piece| piece.number().to_string()).collect();
            assert_eq!(numbers, wanted);
        }
        assert_eq!(bias_counts(), [9, 8, 8, 8, 9, 7, 7]);
    }

    #[test]
    fn the_articles_probabilities_are_33_32_and_31_of_224() {
        let of_224 = article_probabilities().map(|probability| probability * 224.0);
        for (value, wanted) in of_224.into_iter().zip([33.0, 32.0, 32.0, 32.0, 33.0, 31.0, 31.0]) {
            assert!((value - wanted).abs() < 1e-9, "{value} is not {wanted}");
        }
    }

    #[test]
    fn all_rolls_after_all_prior_pieces_are_the_articles_probabilities() {
        let mut counts = [0; 7];
        for prior in &SPAWN_ORIENTATIONS[..7] {
            for rolls in 0..64 {
                let mut picker = Picker { lfsr: 0, spawn_count: 5, spawn_orientation: *prior };
                counts[picker.pick_of(rolls & 7, rolls >> 3).0 as usize] += 1;
            }
        }
        assert_eq!(counts, [66, 64, 64, 64, 66, 62, 62]);
    }

    #[test]
    fn no_t_follows_a_t_and_no_j_a_j_while_the_spawn_count_is_0_to_3_of_8() {
        for prior in [Piece::T, Piece::J] {
            let repeats = |spawn_count: u8| {
                let pick = |steps| {
                    let lfsr = lfsr::after_power_on(steps);
                    let spawn_orientation = SPAWN_ORIENTATIONS[prior as usize];
                    Picker { lfsr, spawn_count: spawn_count.wrapping_sub(1), spawn_orientation }.pick()
                };
                (0..u64::from(lfsr::PERIOD)).any(|steps| pick(steps) == prior)
            };
            assert_eq!([0, 1, 2, 3, 4, 5, 6].map(repeats), [false, false, false, false, true, true, true]);
        }
    }

    #[test]
    fn a_dead_register_picks_by_the_spawn_count_alone() {
        let dealt: String = Nes::from_state(0, 0xFF).take(9).map(Piece::letter).collect();
        // Index 7 takes the biased path with bits 0 after the I: 18 modulo 7.
        assert_eq!(dealt, "TJZOSLIST");
    }
}
