//! A race: a kept game plays beside the player's own, from the first piece on and with the same
//! pieces.

use std::sync::Arc;

use nes::{Config, Frame};
use practice::{Kept, Replay};
use tetris::{Feature, Profile};

use super::Machine;
use crate::Error;

/// The game that is raced.
pub(crate) struct Race {
    replay: Replay<Arc<Kept>>,
    is_over: bool,
}

impl Race {
    /// The picture of the game that is raced.
    pub(crate) fn picture(&self) -> &Frame {
        self.replay.console().picture()
    }

    /// Lines and score of the raced game, and whether it has ended.
    pub(crate) fn standing(&self) -> (u32, u32, bool) {
        let (_, lines, score) = self.replay.log().last;
        (lines, score, self.is_over)
    }
}

impl Machine {
    /// Begins a game with the pieces and the start level of a kept game, which plays beside it.
    ///
    /// # Errors
    /// When the bytes are no kept game of this cartridge, or no piece is in it.
    pub fn begin_race(&mut self, name: &str, bytes: &[u8]) -> Result<(), Error> {
        let profile = Profile::for_feature(&self.image, Feature::Practice)?;
        let game = Arc::new(self.kept_game(name, bytes)?);
        let (cartridge, mut config) = self.emulator.power();
        (config.ram_fill, config.region) = (Config::default().ram_fill, None);
        let mut replay = Replay::new(Arc::clone(&game), cartridge, profile, config)?;
        replay.console_mut().set_sound(false);
        let mut scout = replay.clone();
        scout.console_mut().set_video(false);
        while scout.step()?.is_some() {}
        let first =
            scout.log().pieces.first().ok_or(Error::Refused("the game has no piece to race against"))?;
        let (level, spawned) = (first.level, first.frames[0]);
        let letters: String = scout.log().pieces.iter().map(|played| played.piece.letter()).collect();
        while replay.console().frame_number() < spawned && replay.step()?.is_some() {}
        self.practise("tetris", &format!("level={level}"), &letters, "", 0)?;
        self.versus = None;
        self.race = Some(Race { replay, is_over: false });
        Ok(())
    }

    /// Runs a frame of the raced game while the player's own is on.
    pub(super) fn race_frame(&mut self) {
        let is_playing = self.emulator.watched().is_some_and(|practice| practice.session().is_playing());
        let Some(race) = self.race.as_mut().filter(|race| is_playing && !race.is_over) else { return };
        race.replay.console_mut().clear_samples();
        race.is_over = !matches!(race.replay.step(), Ok(Some(_)));
    }
}
