//! Whether the game is to stand still, and what the machine has to be told for it.

use crate::messages::command::Command;
use crate::messages::status::{RunState, Status};

/// The player's pause, the script's, the debugger's, and the one that an open menu makes.
#[derive(Debug, Default)]
pub(super) struct Pause {
    /// The player has paused the game, by key or in the debugger; or the script has.
    by_player: bool,
    /// The script had paused the game when the status was last read.
    by_script: bool,
    /// What the machine was told last.
    is_on: bool,
    /// What `by_player` was before the debugger opened.
    before_debugger: bool,
    /// The debugger was open in the last status that was up to date.
    debugger_was_open: bool,
}

impl Pause {
    /// Returns whether the game stands still as far as the machine was told.
    pub(super) fn is_on(&self) -> bool {
        self.is_on
    }

    /// The player pauses the game, or lets it go on.
    pub(super) fn toggle(&mut self) {
        self.by_player ^= true;
    }

    /// The machine was told to do something that ends in a pause.
    pub(super) fn set_on(&mut self) {
        (self.by_player, self.is_on) = (true, true);
    }

    /// The machine was told to open the debugger, which stops the game.
    pub(super) fn debugger_opens(&mut self) {
        self.before_debugger = self.by_player;
        self.set_on();
    }

    /// The machine was told to close the debugger, after which the game is as it was before.
    pub(super) fn debugger_closes(&mut self) {
        (self.by_player, self.is_on) = (self.before_debugger, self.before_debugger);
    }

    /// Follows what the machine does by itself: breakpoints and scripts stop the game or let it go
    /// on. A `status` that is not current, because a command sent is not carried out yet, may show
    /// the debugger closed already and the game not yet running: nothing is learned from it.
    pub(super) fn follow(&mut self, status: &Status, is_current: bool, menu_is_open: bool) {
        if is_current && !menu_is_open {
            let is_open = status.debugger.is_some();
            if is_open || self.debugger_was_open {
                self.by_player = status.run_state == RunState::Paused;
                self.is_on = self.by_player;
            }
            self.debugger_was_open = is_open;
        }
        let by_script = status.script.as_ref().is_some_and(|script| script.paused);
        if by_script != self.by_script {
            self.by_script = by_script;
            self.by_player = by_script;
        }
    }

    /// Returns the command that the machine needs: after a change, and where it `runs` though it
    /// was told to stop.
    pub(super) fn command(&mut self, menu_is_open: bool, runs: bool) -> Option<Command> {
        let wanted = self.by_player || menu_is_open;
        let changes = std::mem::replace(&mut self.is_on, wanted) != wanted;
        let command = if wanted { Command::Pause } else { Command::Resume };
        (changes || wanted && runs).then_some(command)
    }
}
