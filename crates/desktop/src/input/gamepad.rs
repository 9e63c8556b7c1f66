//! Pads: who sits where, and what is held on them. They come and go while the game runs.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use gilrs::{Axis, Button, EventType, Gilrs, GilrsBuilder};
use nes::Buttons;

use crate::input::bindings::{PadInput, Side};
use crate::messages::handle::Shared;
use crate::messages::status::{MessageKind, PadStatus};

/// A stick lets go at this part of the dead zone, so that a trembling hand does not press twice.
const RELEASE: f32 = 0.7;

/// How long the pads' thread sleeps at most: it notices the end of the game this late.
const EVENT_TIMEOUT: Duration = Duration::from_millis(100);

/// Events of the time between two games that are passed over.
const MOST_STALE: usize = 100_000;

/// The system's pads between two games in one process. The library's thread that waits for pads to
/// be plugged in never ends and keeps its files open, so that there is to be one.
static RESTING: Mutex<Option<Gilrs>> = Mutex::new(None);

/// Names one pad for as long as it is plugged in.
type PadId = usize;

/// What a pad reports.
#[derive(Debug, Clone, PartialEq)]
enum PadEvent {
    Connected(PadId, String),
    Disconnected(PadId),
    Button(PadId, Button, bool),
    /// Axis and value from -1 to 1; up and right are positive.
    Axis(PadId, Axis, f32),
}

/// Where events of pads come from.
trait PadSource {
    /// Returns the next event, waited for no longer than `timeout`.
    fn next(&mut self, timeout: Duration) -> Option<PadEvent>;
}

/// The system's pads.
struct SystemPads {
    gilrs: Gilrs,
    /// Those that were plugged in at the start: no event tells of them.
    present: Vec<(PadId, String)>,
}

impl SystemPads {
    /// Those of the game before in this process, or new ones.
    fn take() -> Result<Self, Box<gilrs::Error>> {
        let resting = RESTING.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(mut gilrs) = resting else {
            // The library's own dead zones would hide what the player's setting is to decide.
            let built = GilrsBuilder::new().with_default_filters(false).build();
            return built.map(Self::new).map_err(Box::new);
        };
        // What was pressed meanwhile was pressed for nobody.
        for _ in 0..MOST_STALE {
            if gilrs.next_event().is_none() {
                break;
            }
        }
        Ok(Self::new(gilrs))
    }

    /// Leaves them to the next game in this process.
    fn rest(self) {
        *RESTING.lock().unwrap_or_else(PoisonError::into_inner) = Some(self.gilrs);
    }

    fn new(gilrs: Gilrs) -> Self {
        let present = gilrs.gamepads().map(|(id, pad)| (id.into(), pad.name().to_owned())).collect();
        Self { gilrs, present }
    }
}

impl PadSource for SystemPads {
    fn next(&mut self, timeout: Duration) -> Option<PadEvent> {
        if let Some((pad, name)) = self.present.pop() {
            return Some(PadEvent::Connected(pad, name));
        }
        let event = self.gilrs.next_event_blocking(Some(timeout))?;
        let pad = event.id.into();
        match event.event {
            EventType::Connected => {
                Some(PadEvent::Connected(pad, self.gilrs.gamepad(event.id).name().to_owned()))
            }
            EventType::Disconnected => Some(PadEvent::Disconnected(pad)),
            EventType::ButtonPressed(button, _) => Some(PadEvent::Button(pad, button, true)),
            EventType::ButtonReleased(button, _) => Some(PadEvent::Button(pad, button, false)),
            EventType::AxisChanged(axis, value, _) => Some(PadEvent::Axis(pad, axis, value)),
            _ => None,
        }
    }
}

/// Follows the system's pads until `stop`, on a thread of its own: a press is there for the very
/// next strobe.
pub(crate) fn follow(shared: Arc<Shared>, stop: Arc<AtomicBool>) -> Option<JoinHandle<()>> {
    let body = move || match SystemPads::take() {
        Ok(mut source) => {
            let mut seats = Seats::default();
            while !stop.load(Ordering::Relaxed) {
                step(&mut source, &mut seats, &shared);
            }
            source.rest();
        }
        Err(error) => {
            shared.status().say(
                MessageKind::Warning,
                format!("gamepads are not available ({error}); the keyboard still works"),
            );
        }
    };
    thread::Builder::new().name("pads".into()).spawn(body).ok()
}

fn step(source: &mut impl PadSource, seats: &mut Seats, shared: &Shared) {
    let Some(event) = source.next(EVENT_TIMEOUT) else { return };
    let dead_zone = shared.input.dead_zone();
    let unplugged = match &event {
        PadEvent::Disconnected(id) => seats.pads.iter().find(|pad| pad.id == *id).map(|pad| pad.name.clone()),
        _ => None,
    };
    seats.apply(event, dead_zone);
    let buttons = [0, 1].map(|player| {
        let held = seats.seated(player).map_or(&[][..], |pad| &pad.held);
        shared.input.set_pad(player, held)
    });
    *shared.pads() = seats.status(buttons);
    if let Some(name) = unplugged {
        shared.status().say(
            MessageKind::Warning,
            format!("{name} was unplugged; its buttons are released, and the game goes on"),
        );
    }
}

/// Pads that are none, for a test of hours.
#[derive(Debug, Default)]
pub(crate) struct SimulatedPads(Seats);

/// The one event that a simulated pad has to report.
struct OneEvent(Option<PadEvent>);

impl PadSource for OneEvent {
    fn next(&mut self, _: Duration) -> Option<PadEvent> {
        self.0.take()
    }
}

impl SimulatedPads {
    /// The pad `number` is plugged in or pulled out.
    pub(crate) fn plug(&mut self, shared: &Shared, number: PadId, is_in: bool) {
        self.tell(
            shared,
            if is_in {
                PadEvent::Connected(number, format!("pad {number}"))
            } else {
                PadEvent::Disconnected(number)
            },
        );
    }

    /// One of its buttons goes down or up, and its stick to a side or back.
    pub(crate) fn press(&mut self, shared: &Shared, number: PadId, button: usize, held: bool) {
        const BUTTONS: [Button; 6] = [
            Button::South,
            Button::East,
            Button::DPadLeft,
            Button::DPadRight,
            Button::DPadDown,
            Button::West,
        ];
        self.tell(shared, PadEvent::Button(number, BUTTONS[button % BUTTONS.len()], held));
        self.tell(shared, PadEvent::Axis(number, Axis::LeftStickX, if held { -1.0 } else { 0.0 }));
    }

    fn tell(&mut self, shared: &Shared, event: PadEvent) {
        step(&mut OneEvent(Some(event)), &mut self.0, shared);
    }
}

/// The pads in the order in which they came, and the two ports: the first two to come have one, and
/// others when one becomes free.
#[derive(Debug, Default)]
struct Seats {
    pads: Vec<Pad>,
}

#[derive(Debug)]
struct Pad {
    id: PadId,
    name: String,
    player: Option<usize>,
    held: Vec<PadInput>,
    stick: [f32; 2],
}

impl Pad {
    fn set(&mut self, input: PadInput, held: bool) {
        self.held.retain(|&other| other != input);
        if held {
            self.held.push(input);
        }
    }

    fn push(&mut self, axis: Axis, value: f32, dead_zone: f32) {
        match axis {
            Axis::LeftStickX => self.stick[0] = value,
            Axis::LeftStickY => self.stick[1] = value,
            _ => {}
        }
        for (side, push) in [(Side::Minus, -value), (Side::Plus, value)] {
            let Some(input) = pushed(axis, side) else { return };
            let limit = if self.held.contains(&input) { dead_zone * RELEASE } else { dead_zone };
            if (push > limit) != self.held.contains(&input) {
                self.set(input, push > limit);
            }
        }
    }
}

/// Returns what a pushed axis is. A cross that reports axes is a cross all the same.
fn pushed(axis: Axis, side: Side) -> Option<PadInput> {
    Some(match (axis, side) {
        (Axis::DPadX, Side::Minus) => PadInput::Press(Button::DPadLeft),
        (Axis::DPadX, Side::Plus) => PadInput::Press(Button::DPadRight),
        (Axis::DPadY, Side::Minus) => PadInput::Press(Button::DPadDown),
        (Axis::DPadY, Side::Plus) => PadInput::Press(Button::DPadUp),
        (Axis::Unknown, _) => return None,
        _ => PadInput::Push(axis, side),
    })
}

impl Seats {
    fn apply(&mut self, event: PadEvent, dead_zone: f32) {
        match event {
            PadEvent::Connected(id, name) => {
                if self.pad(id).is_none() {
                    self.pads.push(Pad { id, name, player: None, held: vec![], stick: [0.0; 2] });
                }
            }
            PadEvent::Disconnected(id) => self.pads.retain(|pad| pad.id != id),
            PadEvent::Button(id, button, pressed) => {
                if let (Some(pad), Some(input)) = (self.pad(id), PadInput::press(button)) {
                    pad.set(input, pressed);
                }
            }
            PadEvent::Axis(id, axis, value) => {
                if let Some(pad) = self.pad(id) {
                    pad.push(axis, value, dead_zone);
                }
            }
        }
        for player in [0, 1] {
            if self.seated(player).is_none()
                && let Some(pad) = self.pads.iter_mut().find(|pad| pad.player.is_none())
            {
                pad.player = Some(player);
            }
        }
    }

    fn pad(&mut self, id: PadId) -> Option<&mut Pad> {
        self.pads.iter_mut().find(|pad| pad.id == id)
    }

    fn seated(&self, player: usize) -> Option<&Pad> {
        self.pads.iter().find(|pad| pad.player == Some(player))
    }

    fn status(&self, buttons: [Buttons; 2]) -> Vec<PadStatus> {
        let mut pads: Vec<&Pad> = self.pads.iter().collect();
        pads.sort_by_key(|pad| pad.player.unwrap_or(usize::MAX));
        pads.into_iter()
            .map(|pad| PadStatus {
                name: pad.name.clone(),
                player: pad.player,
                held: pad.held.clone(),
                buttons: pad.player.map_or(Buttons::empty(), |player| buttons[player]),
                stick: pad.stick,
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;

    use nes::Pads;

    use super::*;
    use crate::input::held::FramePads;

    const DEAD_ZONE: f32 = 0.5;

    struct Script(VecDeque<PadEvent>);

    impl PadSource for Script {
        fn next(&mut self, _timeout: Duration) -> Option<PadEvent> {
            self.0.pop_front()
        }
    }

    fn come(id: PadId) -> PadEvent {
        PadEvent::Connected(id, format!("pad {id}"))
    }

    fn press(id: PadId, button: Button) -> PadEvent {
        PadEvent::Button(id, button, true)
    }

    /// Returns what both players hold after `events`, one frame later.
    fn after(events: Vec<PadEvent>) -> [Buttons; 2] {
        let shared = Shared::new();
        play(&shared, &mut Seats::default(), events)
    }

    fn play(shared: &Shared, seats: &mut Seats, events: Vec<PadEvent>) -> [Buttons; 2] {
        shared.input.set(crate::config::settings::InputSettings::default());
        let count = events.len();
        let mut source = Script(events.into());
        (0..=count).for_each(|_| step(&mut source, seats, shared)); // once more than there is
        let _ = FramePads::new(&shared.input, 0).sample();
        FramePads::new(&shared.input, 1).sample()
    }

    #[test]
    fn pads_sit_in_the_order_in_which_they_come() {
        let [first, second] = after(vec![
            come(7),
            come(3),
            press(3, Button::East),
            press(7, Button::South),
            press(9, Button::Start),
        ]);
        assert_eq!((first, second), (Buttons::B, Buttons::A));
    }

    #[test]
    fn a_pad_pulled_out_lets_go_and_its_seat_goes_to_the_next() {
        let (shared, mut seats) = (Shared::new(), Seats::default());
        let buttons = play(
            &shared,
            &mut seats,
            vec![come(1), press(1, Button::Start), come(2), come(3), PadEvent::Disconnected(1)],
        );
        assert_eq!(buttons, [Buttons::empty(); 2]);
        let said = shared.status().messages.back().unwrap().text.clone();
        assert_eq!(said, "pad 1 was unplugged; its buttons are released, and the game goes on");
        let buttons = play(&shared, &mut seats, vec![press(3, Button::East)]);
        assert_eq!(buttons, [Buttons::A, Buttons::empty()]);
        let buttons = play(&shared, &mut seats, vec![come(1), press(1, Button::East)]);
        assert_eq!(buttons, [Buttons::A, Buttons::empty()], "the third to come waits");
        let players: Vec<_> = shared.pads().iter().map(|pad| (pad.name.clone(), pad.player)).collect();
        assert_eq!(players, [("pad 3".into(), Some(0)), ("pad 2".into(), Some(1)), ("pad 1".into(), None)]);
    }

    #[test]
    fn the_stick_is_a_cross_that_does_not_tremble() {
        let at = |values: &[f32]| {
            let mut events = vec![come(0)];
            events.extend(values.iter().map(|&value| PadEvent::Axis(0, Axis::LeftStickX, value)));
            after(events)[0]
        };
        assert_eq!(at(&[0.45]), Buttons::empty());
        assert_eq!(at(&[0.6, 0.45]), Buttons::RIGHT);
        assert_eq!(at(&[0.6, 0.3]), Buttons::empty());
        assert_eq!(at(&[0.6, -0.6]), Buttons::LEFT);
        assert_eq!(after(vec![come(0), PadEvent::Axis(0, Axis::LeftStickY, 1.0)])[0], Buttons::UP);
    }

    #[test]
    fn a_cross_of_buttons_a_hat_and_a_cross_of_axes_are_the_same() {
        assert_eq!(after(vec![come(0), press(0, Button::DPadLeft)])[0], Buttons::LEFT);
        assert_eq!(after(vec![come(0), PadEvent::Axis(0, Axis::DPadX, -1.0)])[0], Buttons::LEFT);
        assert_eq!(after(vec![come(0), PadEvent::Axis(0, Axis::DPadY, -1.0)])[0], Buttons::DOWN);
    }

    #[test]
    fn a_remapping_screen_sees_what_is_held_though_it_means_nothing() {
        let mut seats = Seats::default();
        seats.apply(come(0), DEAD_ZONE);
        seats.apply(press(0, Button::LeftTrigger), DEAD_ZONE);
        seats.apply(PadEvent::Axis(0, Axis::RightStickX, 0.9), DEAD_ZONE);
        seats.apply(press(0, Button::Unknown), DEAD_ZONE);
        let [pad] = &seats.status([Buttons::empty(); 2])[..] else { panic!("one pad") };
        assert_eq!(
            pad.held,
            [PadInput::Press(Button::LeftTrigger), PadInput::Push(Axis::RightStickX, Side::Plus)]
        );
    }
}
