//! The computer in the player's place.

use autopilot::{Autopilot, Settings};
use nes::Buttons;
use netplay::Session;
use tetris::Profile;

use super::consoles::Consoles;

/// Plays on the console as it will be when what is pressed now counts: with the delay of a match,
/// that is some frames after the one that is shown.
#[derive(Debug)]
pub(super) struct StandIn {
    player: Autopilot,
    /// What is pressed after this frame. A turn that runs no frame asks for it again.
    planned: Option<(u64, Buttons)>,
}

impl StandIn {
    /// A player that begins at `level`.
    pub(super) fn new(profile: Profile, level: u8) -> Self {
        let settings = Settings { level, ..Settings::default() };
        Self { player: Autopilot::new(profile, settings), planned: None }
    }

    /// Returns what to press for the player `own` in the next frame that is run.
    pub(super) fn press(&mut self, session: &Session<Consoles>, own: usize) -> Buttons {
        let frame = session.frame();
        if let Some((planned, buttons)) = self.planned
            && planned == frame
        {
            return buttons;
        }
        let mut pending = session.pending().peekable();
        let action = if pending.peek().is_none() {
            self.player.action(session.game().console(own))
        } else {
            self.player.action(&session.game().console_after(own, pending))
        };
        self.planned = Some((frame, action.buttons));
        action.buttons
    }
}
