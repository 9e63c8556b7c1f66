//! Practice modes, pieces taken back, and the computer at the pad.

use autopilot::ComputerHands;
use emulator::{Attached, Computer, Practice, Versus};
use nes::{Buttons, Console};
use practice::{Luck, Position, UndoError};
use tetris::{Feature, Profile};
use value::Taps;

use super::Machine;
use crate::Error;
use crate::game::{self, Game};

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
        let profile = Profile::for_feature(&self.image, Feature::Practice).map_err(refused)?;
        let position: Option<Position> =
            if position.trim().is_empty() { None } else { Some(position.trim().parse()?) };
        let pieces = pieces.trim();
        let session = game::session(&profile, mode, options, pieces)?;
        let way_in = practice::way_in(&session, chance.into());
        self.power();
        let practice = Practice::new(session);
        let pieces = (!pieces.is_empty()).then_some(pieces);
        self.game = Some(Game::new(&practice, self.cartridge().crc32(), pieces));
        self.games += 1;
        self.emulator.set_practice(Some(practice));
        if !self.emulator.begin_game(way_in, &profile) {
            self.watch_game();
            return Err(Error::Refused(
                "no game could be started through this cartridge's menus; it is at its title now",
            ));
        }
        for _ in 0..MOST_TO_SPAWN {
            if self.emulator.watched().and_then(|practice| Position::of(practice.session())).is_some() {
                break;
            }
            self.emulator.frame(&mut [Buttons::empty(); 2], Attached::default());
        }
        if let Some(position) = &position {
            self.emulator.enter(position)?;
        } else if let Some(practice) = self.emulator.watched_mut() {
            practice.mark();
        }
        self.emulator.rewind().clear();
        self.follow_game();
        self.emulator.look_here();
        Ok(())
    }

    /// Returns the seed of a day, counted from 1 January 1970, UTC, as the window has it.
    pub fn daily_seed(day: u32) -> String {
        format!("{:06X}", practice::seed_of_day(day).value())
    }

    /// Takes the last piece back, with the game's luck as it was or drawn anew from `seed`.
    ///
    /// # Errors
    /// When there is nothing to take back, or the options forbid it.
    pub fn undo(&mut self, seed: Option<u64>) -> Result<(), Error> {
        self.travel(seed, Practice::undo)
    }

    /// Marks the position in which the piece in play came in. Returns how many are marked.
    ///
    /// # Errors
    /// When no piece is in play.
    pub fn mark(&mut self) -> Result<usize, Error> {
        let marked = self.emulator.watched_mut().and_then(Practice::mark);
        let is_playing = self.emulator.watched().is_some_and(|practice| practice.session().is_playing());
        marked.ok_or(Error::Refused(if is_playing {
            "the current piece came in before the state was loaded: mark the next one"
        } else {
            "there is no piece to mark yet: start a game first"
        }))
    }

    /// Goes to the position that was marked last.
    ///
    /// # Errors
    /// When none is, or the options forbid it.
    pub fn retry(&mut self, seed: Option<u64>) -> Result<(), Error> {
        if self.emulator.watched().is_some_and(|practice| practice.marks().is_empty()) {
            return Err(Error::Refused("no position is marked: mark one first"));
        }
        self.travel(seed, Practice::retry).map(drop)
    }

    fn travel<T>(
        &mut self,
        seed: Option<u64>,
        go: impl FnOnce(&mut Practice, &mut Console, Luck) -> Result<T, UndoError>,
    ) -> Result<T, Error> {
        if self.viewer.is_some() {
            return Err(Error::Refused("a kept game is open: close it first"));
        }
        if self.versus.is_some() {
            return Err(Error::Refused("pieces cannot be taken back in versus mode"));
        }
        if self.emulator.watched().is_none() {
            return Err(Error::Refused("this cartridge is not recognised as Tetris"));
        }
        Ok(self.emulator.revisit(seed.map_or(Luck::Same, Luck::New), go)?)
    }

    /// Lets the computer hold the first pad, tapping so many times a second (10, 12, 15, 20, 24 or
    /// 30), or no longer, with 0.
    ///
    /// # Errors
    /// When the cartridge is not known, or nobody taps so.
    pub fn set_computer(&mut self, hertz: u8) -> Result<(), Error> {
        if hertz == 0 {
            self.emulator.set_computer(None);
            return Ok(());
        }
        tappable(hertz)?;
        let profile = Profile::for_feature(&self.image, Feature::Computer).map_err(refused)?;
        let level = self.emulator.watched().map_or(0, |practice| practice.session().options().level);
        self.emulator.set_computer(Some(computer(hertz).player(profile, self.desk.nets(), level, 0)));
        Ok(())
    }

    /// Does the computer hold the first pad?
    pub fn has_computer(&self) -> bool {
        self.emulator.has_computer()
    }

    /// Has the computer begin a game of its own, tapping so many times a second, whenever the
    /// player begins one; rows go from each to the other. No longer, with 0.
    ///
    /// # Errors
    /// When the cartridge is not known, or nobody taps so.
    pub fn set_versus(&mut self, hertz: u8) -> Result<(), Error> {
        if hertz == 0 {
            self.versus = None;
            return Ok(());
        }
        tappable(hertz)?;
        let profile = Profile::for_feature(&self.image, Feature::Versus).map_err(refused)?;
        let (cartridge, _) = self.emulator.power();
        self.versus = Some(Versus::new(profile, cartridge, computer(hertz), self.desk.nets().clone()));
        Ok(())
    }
}

/// Says in words for a browser why a cartridge cannot carry something.
pub(super) fn refused(_: tetris::Unsupported) -> Error {
    Error::Refused(
        "this cartridge is not recognised as Tetris, so practice, the computer and reviews do not work with it; they do with the built-in game and with the releases of Tetris",
    )
}

/// The computer that taps so many times a second.
fn computer(hertz: u8) -> Computer {
    Computer::Points(ComputerHands { hertz, reaction: 0, ..ComputerHands::default() })
}

/// Refuses taps a second that the player for points does not know.
fn tappable(hertz: u8) -> Result<(), Error> {
    if Taps::HERTZ.contains(&hertz) {
        Ok(())
    } else {
        Err(Error::Refused("taps a second: expected 10, 12, 15, 20, 24 or 30"))
    }
}
