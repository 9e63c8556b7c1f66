//! The lines of the pages for keys and gamepads.

use super::rows::setting_rows;
use super::{Device, Item, Page, Row, Scene};
use crate::config::table::Setting;
use crate::input::actions::Action;
use crate::input::bindings::{Bindings, Control, PadInput};
use crate::ui::names::Named;
use crate::ui::remap::Target;

pub(super) fn input(scene: &Scene<'_>) -> Vec<Row> {
    let mut rows = vec![];
    for player in 0..2 {
        for device in [Device::Keys, Device::Pad] {
            let page = Page::Remap(device, player);
            rows.push(Row::new(Item::Goto(page), page.title()));
        }
    }
    rows.extend([Device::Keys, Device::Pad].map(|device| {
        let page = Page::Actions(device);
        Row::new(Item::Goto(page), page.title()).saying("take back, mark, try again and more")
    }));
    rows.extend(setting_rows(
        &[Setting::DeadZone, Setting::Opposites, Setting::GoofyFoot, Setting::TurboFrames],
        scene,
    ));
    rows.extend(scene.status.pads.iter().map(|pad| {
        let seat =
            pad.player.map_or("waiting for a free port".into(), |player| format!("player {}", player + 1));
        Row::new(Item::Text, &pad.name).with(seat)
    }));
    if scene.status.pads.is_empty() {
        rows.push(Row::new(Item::Text, "No gamepad is connected"));
    }
    rows
}

pub(super) fn remap(device: Device, player: usize, scene: &Scene<'_>) -> Vec<Row> {
    let set = &scene.settings.input.players[player];
    let pad = scene.status.pads.iter().find(|pad| pad.player == Some(player));
    let mut rows: Vec<Row> = Control::ALL
        .iter()
        .map(|&control| {
            let (names, lit) = match device {
                Device::Keys => (names(&set.keys, control), holds(&set.keys, control, scene.keys)),
                Device::Pad => {
                    let held = pad.map_or(&[][..], |pad| &pad.held);
                    (names(&set.pad, control), holds(&set.pad, control, held))
                }
            };
            let value = if names.is_empty() { "–".into() } else { names.join(", ") };
            let target = Target::Button(player, control);
            Row { lit, ..bound_row(device, target, value, scene) }
        })
        .collect();
    rows.push(Row::new(Item::DefaultBindings(device, Some(player)), "Reset to defaults"));
    let held: Vec<String> = match device {
        Device::Keys => scene.keys.iter().map(Named::name).collect(),
        Device::Pad => pad.iter().flat_map(|pad| &pad.held).map(ToString::to_string).collect(),
    };
    rows.push(Row::new(Item::Text, "Held now").with(held.join(", ")));
    if device == Device::Pad {
        rows.push(match pad {
            Some(pad) => Row::new(Item::Text, &pad.name)
                .with(format!("stick {:+.2}, {:+.2}", pad.stick[0], pad.stick[1])),
            None => Row::new(Item::Text, "No gamepad is connected for this player"),
        });
    }
    rows
}

/// Returns a line for what a target is bound to; it says what else has the same key or button.
fn bound_row(device: Device, target: Target, value: String, scene: &Scene<'_>) -> Row {
    let conflicts = target.conflicts(device, &scene.settings.input);
    let row = Row::new(Item::Bind(device, target), target.name()).with(value);
    if conflicts.is_empty() { row } else { row.saying(conflicts.join("; ")) }
}

/// Returns a line for each action of practice, and what is held now.
pub(super) fn actions(device: Device, scene: &Scene<'_>) -> Vec<Row> {
    let input = &scene.settings.input;
    let held: Vec<PadInput> = scene.status.pads.iter().flat_map(|pad| &pad.held).copied().collect();
    let mut rows: Vec<Row> = Action::ALL
        .iter()
        .map(|&action| {
            let target = Target::Action(action);
            let (names, lit): (Vec<String>, bool) = match device {
                Device::Keys => {
                    let bound = target.keys(input);
                    let usual = usual_key(action, scene).map(str::to_owned);
                    let names = usual.into_iter().chain(bound.iter().map(Named::name)).collect();
                    (names, bound.iter().any(|key| scene.keys.contains(key)))
                }
                Device::Pad => {
                    let bound = target.pad(input);
                    (bound.iter().map(Named::name).collect(), bound.iter().any(|one| held.contains(one)))
                }
            };
            let value = if names.is_empty() { "–".into() } else { names.join(", ") };
            Row { lit, ..bound_row(device, target, value, scene) }
        })
        .collect();
    rows.push(Row::new(Item::DefaultBindings(device, None), "Reset to defaults"));
    let held: Vec<String> = match device {
        Device::Keys => scene.keys.iter().map(Named::name).collect(),
        Device::Pad => held.iter().map(ToString::to_string).collect(),
    };
    rows.push(Row::new(Item::Text, "Held now").with(held.join(", ")));
    rows
}

/// Returns the usual key of an action, unless that key is bound to something else.
fn usual_key(action: Action, scene: &Scene<'_>) -> Option<&'static str> {
    let place = action.usual_place()?;
    let input = &scene.settings.input;
    let is_bound = input.players.iter().any(|player| player.keys.controls(&place).next().is_some())
        || input.actions.keys.action(&place).is_some();
    (!is_bound).then(|| action.shortcut().key())
}

pub(super) fn names<T: PartialEq + Named>(bindings: &Bindings<T>, control: Control) -> Vec<String> {
    bindings.of(control).iter().map(Named::name).collect()
}

pub(super) fn holds<T: PartialEq>(bindings: &Bindings<T>, control: Control, held: &[T]) -> bool {
    bindings.of(control).iter().any(|bound| held.contains(bound))
}
