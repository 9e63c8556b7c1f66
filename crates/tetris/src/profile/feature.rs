//! What can be done with the game beyond running it, and what each takes.

use crate::hooks::{self, Hook};
use crate::ram::{self, Variable};

/// Something that works on a cartridge only if it is known where the game keeps what it takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Feature {
    /// The computer plays.
    Computer,
    /// A game against the computer.
    Versus,
    /// Another sequence of pieces.
    Pieces,
    /// A game as a stream of events.
    Events,
    /// The pieces that will come.
    Forecast,
    /// The guard against the kill screen.
    Guard,
    /// The debugger's game panel, names of places and events.
    Debugger,
    /// The debugger's steps to a spawn or a lock, and its cycles of a lock.
    Steps,
    /// The demo's recording, taken from a movie or replaced.
    Demo,
    /// Tiles and shapes of one's own.
    Tiles,
    /// The colours of every level.
    Colours,
    /// What stands in the place of the level's number.
    Levels,
    /// The table of orientations.
    Orientations,
    /// The songs.
    Music,
    /// The endings.
    Endings,
    /// The first screen.
    Legal,
    /// The mode for two.
    TwoPlayers,
    /// The model beside the cartridge.
    Parity,
    /// The practice modes.
    Practice,
    /// Games kept, played again and reviewed.
    Games,
}

/// What a feature is called, where it is found, and what it takes.
struct Fact {
    feature: Feature,
    id: &'static str,
    /// The subject of a sentence.
    subject: &'static str,
    /// The commands and keys that lead to it.
    at: &'static str,
    places: &'static [&'static [Variable]],
    hooks: &'static [Hook],
}

/// What a look at a game takes, whatever its type: the screens, the piece in play, the counters and
/// the playfield.
const PLAY: &[Variable] = &[
    ram::LFSR,
    ram::PIECE_X,
    ram::PIECE_Y,
    ram::ORIENTATION,
    ram::LEVEL,
    ram::FALL_TIMER,
    ram::DAS,
    ram::PLAY_STATE,
    ram::VRAM_ROW,
    ram::DOWN_REPEAT,
    ram::LINES,
    ram::SCORE,
    ram::MODE_STATE,
    ram::FRAME_COUNTER,
    ram::RENDER_MODE,
    ram::NEXT_PIECE,
    ram::GAME_MODE,
    ram::PAD_HELD,
    ram::PIECE_COUNTS,
    ram::PLAYFIELD,
];

/// What tells the type of the game.
const TYPE: &[Variable] = &[ram::GAME_TYPE];

/// Every feature, in the order in which they are listed.
const FACTS: &[Fact] = &[
    Fact {
        feature: Feature::Computer,
        id: "computer",
        subject: "the computer player",
        at: "C in the window, `maxout ai run`",
        places: &[PLAY, TYPE],
        hooks: &[hooks::DROP_SPEEDS],
    },
    Fact {
        feature: Feature::Versus,
        id: "versus",
        subject: "playing against the computer",
        at: "`maxout play --versus`",
        places: &[PLAY, TYPE, &[ram::GARBAGE_HOLE, ram::AUDIO_PAUSE]],
        hooks: &[hooks::DROP_SPEEDS],
    },
    Fact {
        feature: Feature::Pieces,
        id: "pieces",
        subject: "another sequence of pieces",
        at: "`--randomizer`, `--pieces`",
        places: &[&[ram::PIECE_COUNTS]],
        hooks: &[hooks::NEW_PIECE],
    },
    Fact {
        feature: Feature::Events,
        id: "events",
        subject: "the stream of events",
        at: "`maxout tetris watch`",
        places: &[PLAY, TYPE],
        hooks: &[],
    },
    Fact {
        feature: Feature::Forecast,
        id: "forecast",
        subject: "the forecast of pieces",
        at: "`maxout tetris forecast`",
        places: &[&[ram::LFSR, ram::LAST_PIECE, ram::SPAWN_COUNT, ram::GAME_MODE]],
        hooks: &[],
    },
    Fact {
        feature: Feature::Guard,
        id: "guard",
        subject: "the guard against the kill screen",
        at: "`maxout ai run --guard`",
        places: &[&[ram::TEMPORARIES]],
        hooks: &[hooks::POINTS],
    },
    Fact {
        feature: Feature::Debugger,
        id: "debugger",
        subject: "the debugger's knowledge of the game",
        at: "game panel, labels",
        places: &[PLAY],
        hooks: &[],
    },
    Fact {
        feature: Feature::Steps,
        id: "steps",
        subject: "stepping to a spawn or a lock",
        at: "F7 and F8 in the debugger, `clears`",
        places: &[],
        hooks: &[hooks::SPAWN, hooks::LOCK, hooks::POINTS, hooks::DISPATCH],
    },
    Fact {
        feature: Feature::Demo,
        id: "demo",
        subject: "the demo's recording",
        at: "`maxout tetris demo`, `maxout ai perpetual-demo`",
        places: &[PLAY, TYPE],
        hooks: &[hooks::NMI_RETURN, hooks::DEMO_BUTTONS, hooks::DEMO_PIECES],
    },
    Fact {
        feature: Feature::Tiles,
        id: "tiles",
        subject: "a skin of tiles",
        at: "`maxout tetris tiles`",
        places: &[],
        hooks: &[hooks::ORIENTATIONS],
    },
    Fact {
        feature: Feature::Colours,
        id: "colours",
        subject: "the table of colours",
        at: "`maxout tetris colours`",
        places: &[PLAY, TYPE],
        hooks: &[hooks::LEVEL_COLOURS],
    },
    Fact {
        feature: Feature::Levels,
        id: "levels",
        subject: "the table of level numbers",
        at: "`maxout tetris levels`",
        places: &[PLAY, TYPE],
        hooks: &[hooks::LEVEL_GLYPHS],
    },
    Fact {
        feature: Feature::Orientations,
        id: "orientations",
        subject: "the table of orientations",
        at: "`maxout tetris orientations`",
        places: &[PLAY, TYPE],
        hooks: &[hooks::ORIENTATIONS, hooks::ROTATIONS, hooks::PIECE_TYPES],
    },
    Fact {
        feature: Feature::Music,
        id: "music",
        subject: "the list of songs",
        at: "`maxout tetris music`",
        places: &[&[ram::MUSIC_REQUEST, ram::FRAME_COUNTER, ram::GAME_MODE]],
        hooks: &[],
    },
    Fact {
        feature: Feature::Endings,
        id: "endings",
        subject: "the list of endings",
        at: "`maxout tetris endings`",
        places: &[PLAY, TYPE, &[ram::CURTAIN_ROW, ram::START_HEIGHT]],
        hooks: &[],
    },
    Fact {
        feature: Feature::Legal,
        id: "legal",
        subject: "skipping the first screen",
        at: "`maxout tetris legal`",
        places: &[&[ram::GAME_MODE, ram::SLEEP_COUNTER, ram::TEMPORARIES]],
        hooks: &[],
    },
    Fact {
        feature: Feature::TwoPlayers,
        id: "two-players",
        subject: "the mode for two players",
        at: "`maxout tetris two-player`",
        places: &[&[ram::PLAYER_COUNT, ram::PLAYER_1, ram::PLAYER_2, ram::PLAYFIELD, ram::SECOND_PLAYFIELD]],
        hooks: &[],
    },
    Fact {
        feature: Feature::Parity,
        id: "parity",
        subject: "the model of the rules",
        at: "`maxout tetris parity`",
        places: &[ram::MAP],
        hooks: &[hooks::DEMO_BUTTONS, hooks::DEMO_PIECES, hooks::DEFAULT_HIGH_SCORES],
    },
    Fact {
        feature: Feature::Practice,
        id: "practice",
        subject: "the practice suite",
        at: "`maxout practice`",
        places: &[
            PLAY,
            TYPE,
            &[
                ram::LAST_PIECE,
                ram::SPAWN_COUNT,
                ram::WORKING_COPY,
                ram::START_LEVEL,
                ram::SOFT_DROP_ROWS,
                ram::CLEAR_STEP,
                ram::LINES_COMPLETED,
                ram::CURTAIN_ROW,
                ram::START_HEIGHT,
                ram::DIRTY,
                ram::TEMPORARIES,
                ram::OAM_STAGING,
                ram::EFFECT_REQUESTS,
            ],
        ],
        hooks: &[hooks::DROP_SPEEDS, hooks::NEW_PIECE, hooks::ROW_CHECK, hooks::LINES, hooks::POINTS],
    },
    Fact {
        feature: Feature::Games,
        id: "games",
        subject: "keeping and reviewing games",
        at: "kept games in the window, `maxout review`",
        places: &[
            PLAY,
            TYPE,
            &[
                ram::SPAWN_COUNT,
                ram::START_LEVEL,
                ram::SOFT_DROP_ROWS,
                ram::CLEARED_ROWS,
                ram::LINES_COMPLETED,
                ram::START_HEIGHT,
                ram::CURTAIN_ROW,
            ],
        ],
        hooks: &[],
    },
];

impl Feature {
    /// Every one, in the order in which they are listed.
    pub fn all() -> impl Iterator<Item = Self> {
        FACTS.iter().map(|fact| fact.feature)
    }

    fn fact(self) -> &'static Fact {
        // The test below has one for each.
        &FACTS[self as usize]
    }

    /// Its name in JSON.
    pub fn id(self) -> &'static str {
        self.fact().id
    }

    /// What it is, as the subject of a sentence.
    pub fn subject(self) -> &'static str {
        self.fact().subject
    }

    /// The commands and keys that lead to it.
    pub fn at(self) -> &'static str {
        self.fact().at
    }

    /// The places of RAM that it reads or writes.
    pub fn places(self) -> impl Iterator<Item = Variable> {
        self.fact().places.iter().copied().flatten().copied()
    }

    /// The addresses of the program that it stops at or reads.
    pub fn hooks(self) -> &'static [Hook] {
        self.fact().hooks
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_feature_has_its_fact_and_a_name_of_its_own() {
        for feature in Feature::all() {
            assert_eq!(feature.fact().feature, feature);
        }
        assert_eq!(Feature::all().last().map(|feature| feature as usize + 1), Some(FACTS.len()));
        let ids: std::collections::HashSet<_> = Feature::all().map(Feature::id).collect();
        assert_eq!(ids.len(), FACTS.len());
    }
}
