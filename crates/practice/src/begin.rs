//! From power-on to a game.

use autopilot::{Autopilot, Settings};
use nes::{Buttons, Console};
use tetris::events::GameType;

use crate::Session;
use crate::session::LAST_LEVEL;

/// Frames within which a game begins, beside those that are waited.
const MOST: u64 = 10_000;
/// The highest height that the menus lead to.
const LAST_HEIGHT: u32 = 5;

/// No game began.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no game began in {0} frames: is it a whole image of the cartridge that its profile is of?")]
pub struct NoGame(u64);

/// A player who goes through the menus to a game of the session.
pub fn way_in(session: &Session) -> Autopilot {
    let (options, mode) = (session.options(), session.mode());
    let b_type = mode.is_b_type();
    let settings = Settings {
        game_type: if b_type { GameType::B } else { GameType::A },
        level: if options.level > LAST_LEVEL { 0 } else { options.level },
        height: if b_type { mode.value().min(LAST_HEIGHT) as u8 } else { 0 },
        wait: options.wait,
        ..Settings::default()
    };
    Autopilot::new(session.profile().clone(), settings)
}

/// Brings a console, just powered on or anywhere outside of a game, to the first frame of a game of
/// the session: through the screens and menus by buttons, as a player goes. Out: the buttons, frame
/// by frame.
///
/// # Errors
/// When no game begins.
pub fn begin(console: &mut Console, session: &mut Session) -> Result<Vec<Buttons>, NoGame> {
    let mut player = way_in(session);
    let most = MOST + u64::from(session.options().wait);
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
