//! Games as data: what serde cannot know by itself.

use serde::Deserialize;
use serde::de::{Deserializer, Error, Unexpected};

use super::Game;
use crate::Rom;

/// Bytes of a player's block.
const BLOCK: u8 = 32;

/// The ROM of a game that was loaded and has not been told another.
pub(super) const fn maxout<'rom>() -> &'rom Rom {
    &Rom::MAXOUT
}

impl Game<'_> {
    /// Returns the game on another ROM: the ROM is not part of what is saved.
    pub const fn with_rom(self, rom: &Rom) -> Game<'_> {
        Game { rom, ..self }
    }
}

/// A number of bytes that are left of a player's block.
pub(super) fn of_block<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u8, D::Error> {
    let left = u8::deserialize(deserializer)?;
    if left <= BLOCK {
        return Ok(left);
    }
    Err(Error::invalid_value(Unexpected::Unsigned(left.into()), &"at most 32 bytes of the block"))
}

/// The cells of the field: serde knows arrays of up to 32 elements.
pub(super) mod field {
    use serde::de::{Deserializer, Error};
    use serde::{Deserialize, Serialize, Serializer};

    const CELLS: usize = 256;

    pub(in super::super) fn serialize<S: Serializer>(
        cells: &[u8; CELLS],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        cells.as_slice().serialize(serializer)
    }

    pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<[u8; CELLS], D::Error> {
        let cells = Vec::deserialize(deserializer)?;
        let found = cells.len();
        cells.try_into().map_err(|_| Error::invalid_length(found, &"256 cells"))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::{SplitMix64, buttons};

    fn loaded(value: Value) -> Option<Game<'static>> {
        serde_json::from_value(value).ok()
    }

    /// A game of random buttons, with what it is after each of so many frames.
    fn random(frames: usize, mut each: impl FnMut(usize, &Game<'static>)) {
        let mut game = Game::power_on(&Rom::MAXOUT);
        let mut chance = SplitMix64::new(3);
        let mut held = 0;
        for frame in 0..frames {
            if frame < 600 {
                held = if frame % 6 == 0 { buttons::START } else { 0 };
            } else if chance.one_in(5) {
                held = chance.next_u64() as u8 & !buttons::SELECT;
            }
            game.step(held);
            each(frame, &game);
        }
    }

    #[test]
    fn a_saved_game_is_the_same_game_in_every_frame() {
        random(6_000, |frame, game| {
            if frame % 37 == 0 {
                let saved = serde_json::to_value(game).unwrap();
                assert_eq!(loaded(saved), Some(*game), "frame {frame}");
            }
        });
        let game = Game::power_on(&Rom::MAXOUT_PAL);
        let saved = serde_json::to_value(game).unwrap();
        assert_eq!(loaded(saved).map(|loaded| loaded.with_rom(&Rom::MAXOUT_PAL)), Some(game));
    }

    #[test]
    fn no_damage_to_a_saved_game_is_more_than_an_error_or_another_game() {
        let mut games = Vec::new();
        random(1_500, |frame, game| {
            if frame % 300 == 299 {
                games.push(serde_json::to_value(game).unwrap());
            }
        });
        let mut chance = SplitMix64::new(1);
        let mut taken = 0;
        for _ in 0..400 {
            let mut value = games[chance.below(games.len() as u32) as usize].clone();
            let Value::Object(fields) = &mut value else { unreachable!("a game is an object") };
            for number in fields.values_mut().filter(|value| value.is_number()) {
                if chance.one_in(6) {
                    *number = (chance.next_u64() as u8).into();
                }
            }
            if let Some(mut game) = loaded(value) {
                taken += 1;
                (0..120).for_each(|_| game.step(chance.next_u64() as u8));
            }
        }
        assert!(taken > 200, "{taken}");
        assert_eq!(loaded(Value::from(vec![1, 2])), None);
        let late =
            |left: u8| serde_json::from_value::<super::super::late::Stage>(serde_json::json!({"Copy": left}));
        assert!(late(32).is_ok() && late(33).is_err());
    }
}
