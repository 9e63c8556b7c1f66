//! A kept game, played again.

use nes::{Buttons, Cartridge, Config, Console};
use tetris::events::Record;
use tetris::{Profile, Unsupported};

use crate::{Kept, Session};

/// Plays a kept game frame by frame, from power-on.
pub struct Replay<'a> {
    game: &'a Kept,
    console: Console,
    session: Session,
    frame: usize,
}

impl<'a> Replay<'a> {
    /// At power-on.
    ///
    /// # Errors
    /// Why the cartridge cannot carry its mode.
    pub fn new(
        game: &'a Kept,
        cartridge: Cartridge,
        profile: Profile,
        config: Config,
    ) -> Result<Self, Unsupported> {
        let session = Session::new(profile, game.header.mode, game.header.options)?;
        Ok(Self { game, console: Console::new(cartridge, config), session, frame: 0 })
    }

    /// The next frame: what happened, and the buttons that the console got. `None` at the end.
    pub fn step(&mut self) -> Option<(Vec<Record>, Buttons)> {
        let &buttons = self.game.frames.get(self.frame)?;
        for &(_, lfsr) in self.game.chances.iter().filter(|&&(frame, _)| frame == self.frame as u64) {
            self.session.draw_luck(&mut self.console, lfsr);
        }
        self.frame += 1;
        let delivered = self.session.prepare(&mut self.console, buttons);
        self.session.run(&mut self.console, delivered);
        Some((self.session.finish(&mut self.console), delivered))
    }

    /// The console: a clone of it can be taken over.
    pub fn console(&self) -> &Console {
        &self.console
    }

    /// The session.
    pub fn session(&self) -> &Session {
        &self.session
    }
}
