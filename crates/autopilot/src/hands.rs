//! What the hands of the player for points do, and what they do wrong.

use value::{Format, Linear, Mind, NetMind, Nets, Taps, WeightsFile};

use crate::CANDIDATES;

/// The longest reaction of a player for points: it never taps anew for the next piece.
const MOST_REACTION: u8 = 61;
/// Boards of a decision by weights for which every next piece is tried.
const BREADTH: usize = 12;
/// The same of a decision by nets, for the next piece and the one after it, and boards for which
/// that one is tried at all: as many as are shown.
const NET_BREADTHS: [[usize; 4]; 2] = [[6; 4], [1; 4]];
const NARROW: usize = CANDIDATES;
/// What a cleared row is worth to a player without any aggression, in the weights' unit: more than
/// it hopes for from a tetris.
const CLEARING: f32 = 40.0;
/// The same in points.
const CLEARING_POINTS: f32 = 15_000.0;

/// The hands of a player for points: how fast, how sure, and for what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ComputerHands {
    /// Taps a second: one of [`Taps::HERTZ`]; between two of them, the slower.
    pub hertz: u8,
    /// Frames until it knows the next piece, 0 to 61.
    pub reaction: u8,
    /// Percent of the pieces that end a column short of their place, by the columns that they have
    /// to go, 0 to 5.
    pub misdrops: [u8; 6],
    /// How much it waits for tetrises, in percent: at 100 as much as makes most points, at 0 it
    /// clears whatever it can.
    pub aggression: u8,
    /// Which pieces it misdrops.
    pub seed: u64,
}

impl Default for ComputerHands {
    /// 15 taps a second and a reaction of 18 frames, without misdrops.
    fn default() -> Self {
        Self { hertz: 15, reaction: 18, misdrops: [0; 6], aggression: 100, seed: 0 }
    }
}

impl ComputerHands {
    /// The format that these hands play in.
    pub fn format(&self) -> Format {
        Format {
            taps: Taps::at_most(self.hertz),
            delay: u32::from(self.reaction.min(MOST_REACTION)),
            // It plays on at level 39 and above as long as it can.
            lines: Format::HEADLINE.lines,
            double_at_39: false,
        }
    }

    /// Networks, or the built-in weights if there are none; both look ahead on the best boards.
    pub(crate) fn mind(&self, nets: &Nets) -> Mind {
        let impatience = 1.0 - f32::from(self.aggression.min(100)) / 100.0;
        let linear = Linear::by_speed(&self.format(), WeightsFile::built_in().weights);
        let linear = linear.clearing(CLEARING * impatience);
        if nets.iter().all(Option::is_none) {
            return Mind::weights(linear, vec![BREADTH]);
        }
        let (breadths, clearing) = (NET_BREADTHS.to_vec(), CLEARING_POINTS * impatience);
        NetMind { breadths, narrow: NARROW, clearing, ..NetMind::new(nets.clone(), linear) }.into()
    }
}
