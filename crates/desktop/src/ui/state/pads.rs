//! What keys and pads ask for beside the game: actions that are bound to them, steps in the menu,
//! and the answer to what a key or a button is to be.

use winit::keyboard::KeyCode;

use super::{AppRequest, UiState};
use crate::messages::status::MessageKind;
use crate::ui::page::Page;
use crate::ui::remap::Bound;
use crate::ui::shortcut::Shortcut;

impl UiState {
    /// Returns the shortcut that a player has bound to a key.
    pub(super) fn bound_shortcut(&self, code: Option<KeyCode>) -> Option<Shortcut> {
        let action = self.settings.input.actions.keys.action(&code?)?;
        Some(action.shortcut())
    }

    /// A key or a button was bound: tells the player what it meant before.
    pub(super) fn after_binding(&mut self, bound: Option<Bound>) {
        let Some(Bound { conflict }) = bound else { return };
        self.menu.listening = None;
        if !conflict.is_empty() {
            self.say(MessageKind::Warning, conflict);
        }
    }

    /// Does what a shortcut's key asks while the menu is open.
    pub(super) fn menu_shortcut(&mut self, shortcut: Shortcut) -> Option<AppRequest> {
        match shortcut {
            // What would go on behind the menu, or is held.
            Shortcut::Menu
            | Shortcut::Pause
            | Shortcut::FrameAdvance
            | Shortcut::FastForward
            | Shortcut::Rewind
            | Shortcut::Seek(_) => None,
            Shortcut::Help if self.menu.page() == Some(Page::Help) => {
                self.menu.close();
                None
            }
            Shortcut::Quit
            | Shortcut::Help
            | Shortcut::Open
            | Shortcut::Mute
            | Shortcut::InputDisplay
            | Shortcut::CleanFeed
            | Shortcut::Filter
            | Shortcut::Scaling
            | Shortcut::Aspect
            | Shortcut::Fullscreen
            | Shortcut::Screenshot
            | Shortcut::LeftRail
            | Shortcut::RightRail
            | Shortcut::Find
            | Shortcut::Slower
            | Shortcut::Faster
            | Shortcut::Slot(_) => self.handle_shortcut(shortcut, true),
            Shortcut::Debugger
            | Shortcut::Computer
            | Shortcut::NewGame
            | Shortcut::UndoPiece
            | Shortcut::OtherPieces
            | Shortcut::MarkPosition
            | Shortcut::RetryPosition
            | Shortcut::RetryOther
            | Shortcut::Review
            | Shortcut::EndPractice
            | Shortcut::TakeOver
            | Shortcut::BeforeCrash
            | Shortcut::Reset
            | Shortcut::Save
            | Shortcut::Load => {
                self.menu.close();
                self.handle_shortcut(shortcut, true)
            }
        }
    }

    /// Looks at the pads: they open the menu, step in it, and answer what a button is to be.
    /// Returns whether anything came of it.
    pub(crate) fn poll_pads(&mut self) -> (bool, Option<AppRequest>) {
        let pads = std::mem::take(&mut self.status.pads);
        let asked = self.pads.menu(&pads, self.start.elapsed());
        let step = self.pads.step(&pads, self.start.elapsed());
        let pressed = self.pads.pressed(&pads);
        let listening = self.menu.listening.is_some();
        let bound =
            self.menu.listening.as_mut().and_then(|listening| listening.pads(&pads, &mut self.settings));
        self.status.pads = pads;
        if !self.ask_on(bound.is_some()) {
            self.after_binding(bound);
        }
        let pads = &self.status.pads;
        let is_pressed = pads.iter().any(|pad| !pad.buttons.is_empty());
        let was_pressed = std::mem::replace(&mut self.pad_was_pressed, is_pressed);
        if self.menu.page().is_none() {
            self.go_on_after_press(is_pressed && !was_pressed);
        }
        let (mut request, mut acted) = (None, false);
        if asked {
            match self.menu.page() {
                Some(_) => self.menu.close(),
                None => self.menu.open(Page::Pause),
            }
        } else if let Some(step) = step
            && self.menu.page().is_some()
            && !listening
        {
            let before = self.menu.page();
            request = self.step(step);
            // Nothing but letters leads on from there.
            if self.menu.page() == Some(Page::Find) && before != Some(Page::Find) {
                let rows = self.rows();
                self.menu.open_keyboard(&rows, &self.settings);
            }
        } else if self.menu.page().is_none() {
            let actions = &self.settings.input.actions.pad;
            let action = pressed.iter().find_map(|input| actions.action(input));
            request = action.and_then(|action| self.handle_shortcut(action.shortcut(), true));
            acted = action.is_some();
        }
        acted |= self.ask_about_pad();
        self.sync();
        (asked || step.is_some() || listening || acted, request)
    }
}
