//! What the computer thought of its last piece.

use std::sync::Arc;

use autopilot::Thought;

use super::UiState;

impl UiState {
    /// Keeps what the computer thought until it thinks of its next piece. The opponent's is the one
    /// to watch.
    pub(super) fn keep_thought(&mut self) {
        let [own, opponent] = &self.status.thoughts;
        if let Some(thought) = opponent {
            self.thought = Some((Arc::clone(thought), true));
        } else if let Some(thought) = own {
            self.thought = Some((Arc::clone(thought), false));
        }
        let plays = self.status.computer || self.status.versus.is_some();
        if !plays || !self.settings.tetris.thoughts {
            self.thought = None;
        }
    }

    /// Returns what the computer thought of its last piece, and whether it is the opponent.
    pub(crate) fn thought(&self) -> Option<(&Thought, bool)> {
        self.thought.as_ref().map(|(thought, opponent)| (&**thought, *opponent))
    }
}
