//! The computer in the player's place.

use autopilot::{Autopilot, Settings};
use nes::Buttons;
use netplay::RollbackSession;
use tetris::Profile;

use super::consoles::Consoles;
use crate::Stage;

/// Plays on the console as it will be when what is pressed now counts: with the delay of a match,
/// that is some frames after the one that is shown.
#[derive(Debug)]
pub(super) struct StandIn {
    profile: Profile,
    settings: Settings,
    /// The player of a game, and the game's number.
    player: (u32, Autopilot),
    /// What is pressed after this frame. A turn that runs no frame asks for it again.
    planned: Option<(u64, Buttons)>,
}

impl StandIn {
    /// A player that begins at `level`.
    pub(super) fn new(profile: Profile, level: u8) -> Self {
        let settings = Settings { level, ..Settings::default() };
        let player = (0, Autopilot::new(profile.clone(), settings.clone()));
        Self { profile, settings, player, planned: None }
    }

    /// Returns what to press for the player `own` in the next frame that is run.
    pub(super) fn press(&mut self, session: &RollbackSession<Consoles>, own: usize) -> Buttons {
        let frame = session.frame();
        if let Some((planned, buttons)) = self.planned
            && planned == frame
        {
            return buttons;
        }
        let game = session.game();
        let buttons = match game.stage() {
            Stage::Playing => self.play(session, own),
            // Pressed anew every half a second, because it counts when it goes down.
            Stage::Ready(_) | Stage::Over { .. } if frame % 30 < 15 => Buttons::START,
            Stage::Countdown(_) | Stage::Ready(_) | Stage::Over { .. } => Buttons::empty(),
        };
        self.planned = Some((frame, buttons));
        buttons
    }

    fn play(&mut self, session: &RollbackSession<Consoles>, own: usize) -> Buttons {
        let game = session.game();
        if self.player.0 != game.game() {
            self.player = (game.game(), Autopilot::new(self.profile.clone(), self.settings.clone()));
        }
        let player = &mut self.player.1;
        let mut pending = session.pending().peekable();
        let action = if pending.peek().is_none() {
            player.action(game.duel().console(own))
        } else {
            player.action(&game.duel().console_after(own, pending))
        };
        action.buttons
    }
}
