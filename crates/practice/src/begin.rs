//! From power-on to a game.

use autopilot::{Autopilot, Settings};
use nes::{Buttons, Console};
use tetris::events::GameType;

use crate::session::LAST_LEVEL;
use crate::{Kind, Session};

/// Frames within which a game begins, beside those that are waited.
const MOST: u64 = 10_000;
/// The highest height that the menus lead to.
const LAST_HEIGHT: u32 = 5;

/// No game began.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no game began in {0} frames: is it a whole image of the cartridge that its profile is of?")]
pub struct NoGame(u64);

/// Moments of the level menu among which a game is drawn, in frames. The random number register
/// runs on meanwhile, so another moment is another game.
const MOMENTS: u64 = 1_024;

/// Returns the frames to wait in the level menu: those of the options, else drawn by `chance`. A
/// game of the mode *Seed* does not wait, because its seed alone decides it.
fn wait(session: &Session, chance: u64) -> u32 {
    match session.options().wait {
        0 if session.mode().kind() == Kind::Seed => 0,
        0 => (chance % MOMENTS) as u32,
        chosen => chosen,
    }
}

/// Returns a player who goes through the menus to a game of the session. Another `chance` is
/// another game, unless the options or the mode choose it; the same is the same.
pub fn way_in(session: &Session, chance: u64) -> Autopilot {
    let (options, mode) = (session.options(), session.mode());
    let b_type = mode.is_b_type();
    let settings = Settings {
        game_type: if b_type { GameType::B } else { GameType::A },
        level: if options.level > LAST_LEVEL { 0 } else { options.level },
        height: if b_type { mode.value().min(LAST_HEIGHT) as u8 } else { 0 },
        wait: wait(session, chance),
        ..Settings::default()
    };
    Autopilot::new(session.profile().clone(), settings)
}

/// Brings a console, just powered on or anywhere outside of a game, to the first frame of a game of
/// the session: through the screens and menus by buttons, as a player goes. Returns the buttons,
/// frame by frame. Another `chance` is another game, as for [`way_in`].
///
/// # Errors
/// When no game begins.
pub fn begin(console: &mut Console, session: &mut Session, chance: u64) -> Result<Vec<Buttons>, NoGame> {
    let mut player = way_in(session, chance);
    let most = MOST + u64::from(wait(session, chance));
    let mut held = Vec::new();
    session.resync(console);
    while !session.is_playing() {
        if held.len() as u64 >= most {
            return Err(NoGame(most));
        }
        let buttons = player.action(console).buttons;
        session.frame(console, buttons);
        held.push(buttons);
    }
    Ok(held)
}
