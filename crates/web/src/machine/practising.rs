//! Practice modes, pieces taken back, and the computer at the pad.

use autopilot::{Autopilot, Hands, Nets, Settings};
use nes::{Buttons, Console};
use practice::{Luck, Position};
use tetris::{Feature, Profile};
use value::Taps;

use super::Machine;
use crate::Error;
use crate::game::Game;
use crate::rival::Rival;

/// Frames within which the first piece of a game comes in.
const MOST_TO_SPAWN: u32 = 1_000;

impl Machine {
    /// Begins a practice game: through the menus, to its first piece, and into a position if there
    /// is one. The texts are those of `maxout practice`: a mode as `seed=101010`, options as
    /// `level=18 goofy`, pieces as `--randomizer tgm3 --seed 7` or letters, a position as reports
    /// print it. Empty ones are the usual. Another `chance` is another game, unless the mode or the
    /// options choose it.
    ///
    /// # Errors
    /// What is wrong with a text, or why the cartridge cannot carry it; the game goes on then.
    pub fn practise(
        &mut self,
        mode: &str,
        options: &str,
        pieces: &str,
        position: &str,
        chance: u32,
    ) -> Result<(), Error> {
        let profile = Profile::for_feature(&self.image, Feature::Practice)?;
        let position: Option<Position> =
            if position.trim().is_empty() { None } else { Some(position.trim().parse()?) };
        let mut session = Game::session(&profile, mode, options, pieces.trim())?;
        let mut console = Console::new(self.cartridge.clone(), self.config);
        console.set_video(false);
        console.set_sound(false);
        let fresh = session.clone();
        let held = practice::begin(&mut console, &mut session, chance.into())?;
        let pieces = (!pieces.trim().is_empty()).then(|| pieces.trim());
        let mut game = Game::new(fresh, false, self.cartridge.crc32(), pieces);
        for &buttons in &held {
            game.note(buttons);
        }
        game.session = session;
        for _ in 0..MOST_TO_SPAWN {
            if Position::of(&game.session).is_some() {
                break;
            }
            game.frame(&mut console, [Buttons::empty(); 2]);
        }
        if let Some(position) = &position {
            game.enter(&mut console, position)?;
        } else {
            if game.log.pieces.is_empty() {
                game.log.begin(console.frame_number(), &game.session);
            }
            game.history.begin(&console, &game.session);
            game.history.mark();
        }
        console.set_video(true);
        console.set_sound(true);
        console.clear_samples();
        (self.console, self.game) = (console, Some(game));
        (self.movie, self.viewer) = (None, None);
        self.rewind.clear();
        self.show_next([Buttons::empty(); 2]);
        Ok(())
    }

    /// Takes the last piece back, with the game's luck as it was or drawn anew from `seed`.
    ///
    /// # Errors
    /// When there is nothing to take back, or the options forbid it.
    pub fn undo(&mut self, seed: Option<u64>) -> Result<(), Error> {
        self.travel(|game, console| game.undo(console, seed.map_or(Luck::Same, Luck::New)))
    }

    /// Marks the position in which the piece in play came in. Returns how many are marked.
    ///
    /// # Errors
    /// When no piece is in play.
    pub fn mark(&mut self) -> Result<usize, Error> {
        let number = self.game.as_mut().and_then(|game| game.history.mark());
        number.map(|number| number + 1).ok_or(Error::Refused("no piece is in play: begin a game first"))
    }

    /// Goes to the position that was marked last.
    ///
    /// # Errors
    /// When none is, or the options forbid it.
    pub fn retry(&mut self, seed: Option<u64>) -> Result<(), Error> {
        self.travel(|game, console| game.retry(console, seed.map_or(Luck::Same, Luck::New)))
    }

    fn travel(
        &mut self,
        work: impl FnOnce(&mut Game, &mut Console) -> Result<(), Error>,
    ) -> Result<(), Error> {
        if self.viewer.is_some() {
            return Err(Error::Refused("a game is looked at: close it first"));
        }
        if self.rival.is_some() {
            return Err(Error::Refused("against the computer nothing is taken back"));
        }
        let game = self.game.as_mut().ok_or(Error::Refused("this cartridge is not known as Tetris"))?;
        work(game, &mut self.console)?;
        self.rewind.back_to(self.console.frame_number());
        self.show_next([Buttons::empty(); 2]);
        Ok(())
    }

    /// Lets the computer hold the first pad, tapping so many times a second (10, 12, 15, 20, 24 or
    /// 30), or no longer, with 0.
    ///
    /// # Errors
    /// When the cartridge is not known, or nobody taps so.
    pub fn set_computer(&mut self, hertz: u8) -> Result<(), Error> {
        if hertz == 0 {
            self.computer = None;
            return Ok(());
        }
        tappable(hertz)?;
        let profile = Profile::for_feature(&self.image, Feature::Computer)?;
        let level = self.game.as_ref().map_or(0, |game| game.session.options().level);
        let settings = Settings { level: level.min(19), ..Settings::default() };
        let hands = Hands { hertz, reaction: 0, ..Hands::default() };
        self.computer = Some(Autopilot::with_hands(profile, settings, hands, &Nets::default()));
        Ok(())
    }

    /// Does the computer hold the first pad?
    pub fn has_computer(&self) -> bool {
        self.computer.is_some()
    }

    /// Has the computer begin a game of its own, tapping so many times a second, whenever the
    /// player begins one; rows go from each to the other. No longer, with 0.
    ///
    /// # Errors
    /// When the cartridge is not known, or nobody taps so.
    pub fn set_versus(&mut self, hertz: u8) -> Result<(), Error> {
        if hertz == 0 {
            self.rival = None;
            return Ok(());
        }
        tappable(hertz)?;
        let profile = Profile::for_feature(&self.image, Feature::Versus)?;
        self.rival = Some(Rival::new(profile, self.cartridge.clone(), hertz));
        Ok(())
    }
}

/// Refuses taps a second that the player for points does not know.
fn tappable(hertz: u8) -> Result<(), Error> {
    if Taps::HERTZ.contains(&hertz) {
        Ok(())
    } else {
        Err(Error::Refused("taps a second: expected 10, 12, 15, 20, 24 or 30"))
    }
}
