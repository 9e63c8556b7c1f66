//! The modes as a player looks for them: in groups by what they train, each with a name and a line
//! of a few words.

use crate::Kind;

/// Modes that train the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Group {
    /// Its name.
    pub name: &'static str,
    /// What it is for; empty where the name says it.
    pub about: &'static str,
    /// Its modes, each with its name and its purpose in 36 letters at most.
    pub modes: &'static [(Kind, &'static str, &'static str)],
}

/// All groups.
pub const GROUPS: [Group; 5] = [
    Group {
        name: "Score",
        about: "whole games, for points",
        modes: &[
            (Kind::Tetris, "Tetris", "Whole games from any level"),
            (Kind::Pace, "Pace", "Keep up with a target score"),
            (Kind::Seed, "Seed", "The same pieces for everyone"),
            (Kind::Transition, "Transition", "The ten lines before level 19"),
            (Kind::BType, "B-type", "25 lines over garbage"),
            (Kind::Marathon, "Marathon", "One speed for ever"),
        ],
    },
    Group {
        name: "Stack",
        about: "build cleanly",
        modes: &[
            (Kind::Stacking, "Stacking", "Marks holes, gaps, a lost left wall"),
            (Kind::Setups, "Setups", "Spins and tucks, one a piece"),
            (Kind::TSpins, "T-spins", "A slot for a T, again and again"),
            (Kind::LowStack, "Low stack", "Stay under the line"),
            (Kind::Drought, "Drought", "Survive without I pieces"),
        ],
    },
    Group {
        name: "Dig",
        about: "get down to the floor",
        modes: &[
            (Kind::Garbage, "Garbage", "Rows come up from below"),
            (Kind::Checkerboard, "Checkerboard", "Dig to the last row"),
            (Kind::Floor, "Floor", "Rows that never clear"),
            (Kind::Crunch, "Crunch", "A field that is too narrow"),
        ],
    },
    Group {
        name: "Hands",
        about: "speed and control",
        modes: &[
            (Kind::Tap, "Tap", "An I over a tower: how fast?"),
            (Kind::TapQuantity, "Tap quantity", "Hit the well, it moves"),
            (Kind::DasDelay, "DAS delay", "Another auto shift"),
        ],
    },
    Group {
        name: "Other rules",
        about: "",
        modes: &[
            (Kind::Killscreen, "Kill screen", "Two rows a frame"),
            (Kind::Invisible, "Invisible", "Locked blocks vanish"),
            (Kind::HardDrop, "Hard drop", "Up drops the piece"),
        ],
    },
];

impl Kind {
    fn words(self) -> (&'static str, &'static str) {
        let all = GROUPS.iter().flat_map(|group| group.modes);
        // The test below has one for each.
        all.copied().find(|(kind, ..)| *kind == self).map_or(("", ""), |(_, title, purpose)| (title, purpose))
    }

    /// Returns its name as menus write it.
    pub fn title(self) -> &'static str {
        self.words().0
    }

    /// Returns what it trains, in 36 letters at most.
    pub fn purpose(self) -> &'static str {
        self.words().1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mode_is_in_one_group_with_a_name_and_a_short_purpose() {
        for &kind in Kind::ALL {
            let found = GROUPS.iter().flat_map(|group| group.modes).filter(|(other, ..)| *other == kind);
            assert_eq!(found.count(), 1, "{kind:?}");
            assert!(
                !kind.title().is_empty() && (8..=36).contains(&kind.purpose().chars().count()),
                "{kind:?}"
            );
        }
    }
}
