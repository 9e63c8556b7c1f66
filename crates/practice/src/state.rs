//! What a session remembers: plain data, saved and rewound with the console.

use nes_state::{Fields, State, StateError};
use tetris::SplitMix64;

/// How a game ended, or that it has not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum Outcome {
    /// It goes on, or none has begun.
    #[default]
    Playing,
    /// A piece had no room.
    ToppedOut,
    /// What the mode asks for is done.
    Goal,
    /// A piece locked above the line.
    AboveLine,
    /// The line cap.
    Halted,
    /// It would have crashed.
    Crashed,
}

impl Outcome {
    const ALL: [Self; 6] =
        [Self::Playing, Self::ToppedOut, Self::Goal, Self::AboveLine, Self::Halted, Self::Crashed];
}

/// A burst of taps to one side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Burst {
    /// Taps so far.
    pub(crate) taps: u8,
    /// -1 left, 1 right, as a byte.
    pub(crate) side: u8,
    /// Frames since the first tap, and since the last.
    pub(crate) since_first: u16,
    pub(crate) since_last: u8,
    /// The tap that is held is withheld.
    pub(crate) withheld: bool,
}

/// All of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Memory {
    /// Is a game on, set up for the mode?
    pub(crate) playing: bool,
    pub(crate) outcome: Outcome,
    /// The score without a limit.
    pub(crate) score: u32,
    /// The level that the game is at, whatever its byte holds for the moment.
    pub(crate) level: u8,
    pub(crate) start_level: u8,
    /// A piece has locked, and what comes up or is put back is still to come.
    pub(crate) due: bool,
    /// Turns of the loop of points that are to be, plus one; 0 leaves them alone.
    pub(crate) turns: u16,
    /// The level's byte was made higher or lower for this lock.
    pub(crate) level_bent: bool,
    /// The first cells of the rows that are kept from clearing; 0 is none.
    pub(crate) masked: [u8; 20],
    /// Counter of the auto shift and frames since the last fall, where they are not the game's.
    pub(crate) charge: u8,
    pub(crate) shifting: bool,
    pub(crate) fall: u8,
    pub(crate) falls: bool,
    /// Column of the well, and of the one after it.
    pub(crate) well: u8,
    pub(crate) next_well: u8,
    /// What the piece in play is to reach: pivot and orientation, `$FF` for none.
    pub(crate) target: [u8; 3],
    pub(crate) hits: u32,
    pub(crate) misses: u32,
    pub(crate) was_hit: bool,
    /// Pieces until the next garbage.
    pub(crate) garbage_delay: u8,
    /// Frames that the next piece waits.
    pub(crate) delay: u8,
    /// Rows of the floor.
    pub(crate) floor: u8,
    pub(crate) capped: bool,
    /// The last choice of the picker, as it came to be.
    pub(crate) last_pick: u8,
    pub(crate) chance: u64,
    /// A tetris is kept from flashing.
    pub(crate) unflashed: bool,
    pub(crate) burst: Burst,
    /// Buttons that the player held in the last frame.
    pub(crate) held: u8,
    /// A crash was kept from happening: the frame, 0 for never.
    pub(crate) crash_frame: u64,
}

impl Memory {
    /// A number below `limit`, which is not 0.
    pub(crate) fn below(&mut self, limit: u32) -> u32 {
        let mut random = SplitMix64::new(self.chance);
        let number = random.below(limit);
        self.chance = random.state();
        number
    }
}

impl State for Memory {
    fn walk<F: Fields>(&mut self, fields: &mut F) -> Result<(), StateError> {
        let Self {
            playing,
            outcome,
            score,
            level,
            start_level,
            due,
            turns,
            level_bent,
            masked,
            charge,
            shifting,
            fall,
            falls,
            well,
            next_well,
            target,
            hits,
            misses,
            was_hit,
            garbage_delay,
            delay,
            floor,
            capped,
            last_pick,
            chance,
            unflashed,
            burst,
            held,
            crash_frame,
        } = self;
        fields.bool(playing)?;
        let mut ended = *outcome as u8;
        fields.u8(&mut ended)?;
        let found = Outcome::ALL.get(usize::from(ended));
        fields.check("outcome", ended.into(), found.is_some())?;
        *outcome = found.copied().unwrap_or_default();
        fields.u32(score)?;
        fields.u8(level)?;
        fields.u8(start_level)?;
        fields.bool(due)?;
        fields.u16(turns)?;
        fields.bool(level_bent)?;
        fields.bytes(masked)?;
        fields.u8(charge)?;
        fields.bool(shifting)?;
        fields.u8(fall)?;
        fields.bool(falls)?;
        fields.u8(well)?;
        fields.check("well", (*well).into(), *well < 10)?;
        fields.u8(next_well)?;
        fields.check("next_well", (*next_well).into(), *next_well < 10)?;
        fields.bytes(target)?;
        fields.u32(hits)?;
        fields.u32(misses)?;
        fields.bool(was_hit)?;
        fields.u8(garbage_delay)?;
        fields.u8(delay)?;
        fields.u8(floor)?;
        fields.check("floor", (*floor).into(), *floor <= 20)?;
        fields.bool(capped)?;
        fields.u8(last_pick)?;
        fields.u64(chance)?;
        fields.bool(unflashed)?;
        let Burst { taps, side, since_first, since_last, withheld } = burst;
        fields.u8(taps)?;
        fields.u8(side)?;
        fields.u16(since_first)?;
        fields.u8(since_last)?;
        fields.bool(withheld)?;
        fields.u8(held)?;
        fields.u64(crash_frame)
    }
}
