//! The lines of the question about a pad that is plugged in for the first time.

use super::controls::{holds, names};
use super::{Item, Row, Scene};
use crate::input::bindings::{Bindings, Control, PadInput};
use crate::ui::names::control_name;
use crate::ui::remap::Target;

/// The controls that are asked for one after the other.
pub(crate) const ASKED: [Control; 8] = [
    Control::A,
    Control::B,
    Control::Select,
    Control::Start,
    Control::Up,
    Control::Down,
    Control::Left,
    Control::Right,
];

/// What the player answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PadAnswer {
    /// The buttons stay what they are.
    Keep,
    /// A is the lower button, and B the one at its left.
    Lower,
    /// Each button is asked for.
    Ask,
    /// The question comes again at the next start.
    Later,
}

/// Returns A and B of a pad as a line says them.
fn turns(pad: &Bindings<PadInput>) -> String {
    let of = |control| names(pad, control).join(" or ").replace(" button or ", " or ");
    format!("A: {} · B: {}", of(Control::A), of(Control::B))
}

pub(super) fn rows(player: usize, scene: &Scene<'_>) -> Vec<Row> {
    let pad = scene.status.pads.iter().find(|pad| pad.player == Some(player));
    let own = &scene.settings.input.players[player].pad;
    let answer = |answer, label: &str| Row::new(Item::Pad(player, answer), label);
    let mut rows = vec![
        Row::heading(pad.map_or("No gamepad is connected for this player", |pad| &pad.name))
            .saying(format!("player {} · which buttons are A and B?", player + 1)),
        answer(PadAnswer::Keep, "Keep the buttons as they are").with(turns(own)),
        answer(PadAnswer::Lower, "A at the bottom, B to its left").with(turns(&Bindings::lower_pad())),
        answer(PadAnswer::Ask, "Press each button in turn…")
            .saying("ten seconds for each; a button that you skip stays as it is"),
        answer(PadAnswer::Later, "Not now").saying("asked again at the next start; B does the same"),
        Row::heading("Buttons").saying("as they are now"),
    ];
    rows.extend(ASKED.map(|control| {
        let is_asked = scene.listening == Some(Target::Button(player, control));
        let value = if is_asked { "press it now".into() } else { names(own, control).join(", ") };
        let lit = is_asked || pad.is_some_and(|pad| holds(own, control, &pad.held));
        Row { lit, ..Row::new(Item::Text, control_name(control)).with(value) }
    }));
    rows
}
