//! The review of the game that is on or of the last one, from anywhere, at its costliest piece.

use super::UiState;
use crate::messages::command::{Command, PracticeCommand};
use crate::ui::page::{Page, Zone};

impl UiState {
    /// Reviews the game that is on, or the last one that was kept. The cursor goes along with the
    /// costliest piece that was found.
    pub(super) fn review_worst(&mut self) {
        let (hertz, reaction) = (self.settings.practice.hertz, self.settings.practice.reaction);
        self.menu.list_games();
        let last = self.menu.games.iter().find(|game| !game.is_match).map(|game| game.path.clone());
        let command = if self.status.can_review {
            Some(PracticeCommand::Review { hertz, reaction })
        } else {
            last.map(|path| PracticeCommand::ReviewKept { path, hertz, reaction })
        };
        self.menu.open_section(Page::Games);
        self.menu.open_over(Page::Coach);
        if let Some(command) = command {
            self.handle.send(Command::Practice(command));
            self.menu.seeks_worst = true;
        }
    }

    /// Puts the cursor on the costliest piece of the review, as long as the player has not moved
    /// it.
    pub(super) fn follow_worst(&mut self) {
        if !self.menu.seeks_worst || self.menu.page() != Some(Page::Coach) || !self.is_current() {
            return;
        }
        let Some(review) = &self.status.review else { return };
        let losses = review.reviews.iter().map(|reviewed| reviewed.loss);
        let worst =
            losses.enumerate().max_by(|one, other| one.1.total_cmp(&other.1).then(other.0.cmp(&one.0)));
        let first = self.rows().iter().position(|row| row.zone == Zone::Main);
        if let (Some((worst, _)), Some(first)) = (worst, first) {
            self.menu.point(first + worst);
            self.menu.seeks_worst = true;
        }
    }
}
