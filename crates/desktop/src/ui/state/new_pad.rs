//! A pad that is plugged in for the first time: Home asks which of its buttons are A and B. Each
//! answer can be given by that pad alone.

use std::time::Duration;

use super::UiState;
use crate::input::bindings::{Bindings, Control, PadInput};
use crate::messages::status::MessageKind;
use crate::ui::page::{ASKED, Device, PadAnswer, Page};
use crate::ui::remap::{Change, Listening, Target};

/// How long a button is waited for.
const PATIENCE: Duration = Duration::from_secs(10);

/// The most names of pads that are kept.
const MOST_KNOWN: usize = 64;

/// What the player was asked about, and the buttons that are asked for.
#[derive(Debug, Default)]
pub(super) struct NewPads {
    /// Pads that were asked about since the start.
    asked: Vec<String>,
    turn: Option<Turn>,
}

/// Buttons that are asked for one after the other.
#[derive(Debug)]
struct Turn {
    player: usize,
    /// The number of the control.
    at: usize,
    /// When it was asked for, since the start.
    since: Duration,
    /// Whether any button was pressed.
    has_answer: bool,
    /// What the buttons were.
    before: Bindings<PadInput>,
}

fn listening(player: usize, control: Control) -> Listening {
    Listening::new(Device::Pad, Target::Button(player, control), Change::Replace)
}

impl UiState {
    /// Asks about a pad that is not known yet, where nothing else is going on: on Home. Returns
    /// whether it does.
    pub(super) fn ask_about_pad(&mut self) -> bool {
        if self.menu.page() != Some(Page::Home) || self.menu.keyboard.is_some() {
            return false;
        }
        let (known, asked) = (&self.settings.input.known_pads, &self.new_pads.asked);
        let new = self.status.pads.iter().filter_map(|pad| Some((&pad.name, pad.player?)));
        // Players 3 and 4 have the usual buttons.
        let new = new.filter(|(_, player)| *player < self.settings.input.players.len());
        let new = new.into_iter().find(|(name, _)| !known.contains(name) && !asked.contains(name));
        let Some((name, player)) = new.map(|(name, player)| (name.clone(), player)) else { return false };
        self.new_pads.asked.push(name);
        self.menu.open_over(Page::NewPad(player));
        true
    }

    /// Does what the player answered about the pad of a player.
    pub(super) fn answer_about_pad(&mut self, player: usize, answer: PadAnswer) {
        match answer {
            PadAnswer::Ask => {
                self.new_pads.turn = Some(Turn {
                    player,
                    at: 0,
                    since: self.start.elapsed(),
                    has_answer: false,
                    before: self.settings.input.players[player].pad.clone(),
                });
                self.menu.listening = Some(listening(player, ASKED[0]));
                return;
            }
            PadAnswer::Lower => {
                let lower = Bindings::lower_pad();
                let pad = &mut self.settings.input.players[player].pad;
                (pad.a, pad.b) = (lower.a, lower.b);
                self.know_pad(player);
            }
            PadAnswer::Keep => self.know_pad(player),
            PadAnswer::Later => {}
        }
        self.menu.leave(Page::NewPad(player));
    }

    /// Goes on to the next button once one is pressed, or after a while. The buttons are what they
    /// were where the player has gone elsewhere. Returns whether buttons are asked for.
    pub(super) fn ask_on(&mut self, is_answered: bool) -> bool {
        let now = self.start.elapsed();
        let is_open = self.menu.listening.is_some();
        let Some(turn) = &mut self.new_pads.turn else { return false };
        let player = turn.player;
        if !is_open || self.menu.page() != Some(Page::NewPad(player)) {
            self.settings.input.players[player].pad = turn.before.clone();
            (self.new_pads.turn, self.menu.listening) = (None, None);
            return true;
        }
        if !is_answered && now.saturating_sub(turn.since) < PATIENCE {
            return true;
        }
        turn.has_answer |= is_answered;
        (turn.at, turn.since) = (turn.at + 1, now);
        self.menu.listening = ASKED.get(turn.at).map(|&control| listening(player, control));
        if self.menu.listening.is_none() {
            let has_answer = turn.has_answer;
            self.new_pads.turn = None;
            if has_answer {
                self.settings.input.players[player].pad.keep_stick();
                self.know_pad(player);
                let text = "The gamepad's buttons are set; Settings, Controls changes them";
                self.say(MessageKind::Note, text);
            }
            self.menu.leave(Page::NewPad(player));
        }
        true
    }

    /// Asks no more about the pad of a player.
    fn know_pad(&mut self, player: usize) {
        let Some(pad) = self.status.pads.iter().find(|pad| pad.player == Some(player)) else { return };
        let known = &mut self.settings.input.known_pads;
        if !known.contains(&pad.name) {
            known.push(pad.name.clone());
            let more = known.len().saturating_sub(MOST_KNOWN);
            known.drain(..more);
        }
    }
}
