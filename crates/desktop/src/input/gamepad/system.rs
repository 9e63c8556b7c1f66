//! The pads of this computer, by way of gilrs.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use gilrs::{Button, EventType, Gamepad, Gilrs, GilrsBuilder, MappingSource};

use super::quirks::{Quirks, Report};
use super::{PadEvent, PadId, PadSource};

/// Events of the time between two games that are passed over.
const MOST_STALE: usize = 100_000;

/// The system's pads between two games in one process. The library's thread that waits for pads to
/// be plugged in never ends and keeps its files open, so that there is to be one.
static RESTING: Mutex<Option<Gilrs>> = Mutex::new(None);

/// The system's pads.
pub(super) struct SystemPads {
    gilrs: Gilrs,
    /// Events that are still to be told.
    queue: VecDeque<PadEvent>,
    /// What the library leaves out of each pad's mapping.
    quirks: Vec<(PadId, Quirks)>,
}

impl SystemPads {
    /// Those of the game before in this process, or new ones.
    pub(super) fn take() -> Result<Self, Box<gilrs::Error>> {
        let resting = RESTING.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(mut gilrs) = resting else {
            // The library's own dead zones would hide what the player's setting is to decide.
            let built = GilrsBuilder::new().with_default_filters(false).build();
            return built.map(Self::new).map_err(Box::new);
        };
        // Events from the time in which no window read them are dropped.
        for _ in 0..MOST_STALE {
            if gilrs.next_event().is_none() {
                break;
            }
        }
        Ok(Self::new(gilrs))
    }

    /// Leaves them to the next game in this process.
    pub(super) fn rest(self) {
        *RESTING.lock().unwrap_or_else(PoisonError::into_inner) = Some(self.gilrs);
    }

    fn new(gilrs: Gilrs) -> Self {
        let mut pads = Self { gilrs, queue: VecDeque::new(), quirks: vec![] };
        // No event tells of those that were plugged in at the start.
        let present: Vec<_> = pads.gilrs.gamepads().map(|(id, _)| id).collect();
        for id in present {
            pads.connect(id, false);
        }
        pads
    }

    fn connect(&mut self, id: gilrs::GamepadId, is_new: bool) {
        let gamepad = self.gilrs.gamepad(id);
        let (pad, name) = (id.into(), gamepad.name().to_owned());
        let quirks = match gamepad.mapping_source() {
            MappingSource::SdlMappings => Quirks::of_pad(gamepad.uuid()),
            MappingSource::Driver | MappingSource::None => Quirks::default(),
        };
        self.quirks.retain(|(other, _)| *other != pad);
        self.quirks.push((pad, quirks));
        self.queue.push_back(PadEvent::Connected { pad, name, is_new });
    }

    fn take_event(&mut self, event: &gilrs::Event) {
        let pad = event.id.into();
        let gamepad = self.gilrs.gamepad(event.id);
        let report = match event.event {
            EventType::Connected => return self.connect(event.id, true),
            EventType::Disconnected => return self.queue.push_back(PadEvent::Disconnected(pad)),
            EventType::ButtonPressed(name, code) => Report::Button {
                name,
                code: code.into_u32(),
                pressed: true,
                pair: half_of_cross(gamepad, name, code),
            },
            EventType::ButtonReleased(name, code) => Report::Button {
                name,
                code: code.into_u32(),
                pressed: false,
                pair: half_of_cross(gamepad, name, code),
            },
            EventType::ButtonChanged(name, value, code) if is_axis(gamepad, code) => {
                Report::Level { name, value, pair: half_of_cross(gamepad, name, code) }
            }
            EventType::AxisChanged(name, value, code) => {
                Report::Axis { name, code: code.into_u32(), value, is_button: !is_axis(gamepad, code) }
            }
            _ => return,
        };
        let Some((_, quirks)) = self.quirks.iter().find(|(other, _)| *other == pad) else { return };
        self.queue.extend(quirks.motions(report).into_iter().map(|motion| PadEvent::Moved(pad, motion)));
    }
}

impl PadSource for SystemPads {
    fn next(&mut self, timeout: Duration) -> Option<PadEvent> {
        if self.queue.is_empty()
            && let Some(event) = self.gilrs.next_event_blocking(Some(timeout))
        {
            self.take_event(&event);
        }
        self.queue.pop_front()
    }
}

/// Returns whether `code` is an axis of the pad: only axes have a dead zone.
fn is_axis(pad: Gamepad<'_>, code: gilrs::ev::Code) -> bool {
    pad.deadzone(code).is_some()
}

/// Returns whether `name` is half of an axis of the cross: the library forgets that the other half
/// has another name.
fn half_of_cross(pad: Gamepad<'_>, name: Button, code: gilrs::ev::Code) -> bool {
    let opposite = match name {
        Button::DPadLeft => Button::DPadRight,
        Button::DPadRight => Button::DPadLeft,
        Button::DPadUp => Button::DPadDown,
        Button::DPadDown => Button::DPadUp,
        _ => return false,
    };
    is_axis(pad, code) && pad.button_code(opposite).is_none()
}
