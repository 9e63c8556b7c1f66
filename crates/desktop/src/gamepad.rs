//! Pads: who sits where, and what their buttons mean. They come and go while the game runs.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use gilrs::{Axis, Button, EventType, Gilrs};
use nes::Buttons;

use crate::input::Input;

/// How far a stick must be pushed for a direction …
const PRESSED: f32 = 0.5;

/// … and how far it must come back to let go of it, so that a trembling hand does not press twice.
const RELEASED: f32 = 0.35;

/// How long the pads' thread sleeps at most: it notices the end of the game this late.
const PATIENCE: Duration = Duration::from_millis(100);

/// Names one pad for as long as it is plugged in.
type PadId = usize;

/// What a pad reports.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum PadEvent {
    Connected(PadId),
    Disconnected(PadId),
    Button(PadId, Button, bool),
    /// Axis and value from -1 to 1; up and right are positive.
    Stick(PadId, Axis, f32),
}

/// Where events of pads come from.
pub(crate) trait PadSource {
    /// The next event, waited for no longer than `timeout`.
    fn next(&mut self, timeout: Duration) -> Option<PadEvent>;
}

/// The system's pads.
struct SystemPads {
    gilrs: Gilrs,
    /// Those that were plugged in at the start: no event tells of them.
    present: Vec<PadId>,
}

impl SystemPads {
    fn new(gilrs: Gilrs) -> Self {
        let present = gilrs.gamepads().map(|(id, _)| id.into()).collect();
        Self { gilrs, present }
    }
}

impl PadSource for SystemPads {
    fn next(&mut self, timeout: Duration) -> Option<PadEvent> {
        if let Some(pad) = self.present.pop() {
            return Some(PadEvent::Connected(pad));
        }
        let event = self.gilrs.next_event_blocking(Some(timeout))?;
        let pad = event.id.into();
        match event.event {
            EventType::Connected => Some(PadEvent::Connected(pad)),
            EventType::Disconnected => Some(PadEvent::Disconnected(pad)),
            EventType::ButtonPressed(button, _) => Some(PadEvent::Button(pad, button, true)),
            EventType::ButtonReleased(button, _) => Some(PadEvent::Button(pad, button, false)),
            EventType::AxisChanged(axis, value, _) => Some(PadEvent::Stick(pad, axis, value)),
            _ => None,
        }
    }
}

/// Follows the system's pads until `stop`, on a thread of its own: a press is there for the very next strobe.
pub(crate) fn follow(input: Arc<Input>, stop: Arc<AtomicBool>) -> Option<JoinHandle<()>> {
    let body = move || match Gilrs::new() {
        Ok(gilrs) => {
            let mut source = SystemPads::new(gilrs);
            let mut seats = Seats::default();
            while !stop.load(Ordering::Relaxed) {
                step(&mut source, &mut seats, &input);
            }
        }
        Err(error) => eprintln!("maxout: no pads: {error}; the keyboard plays"),
    };
    thread::Builder::new().name("pads".into()).spawn(body).ok()
}

fn step(source: &mut impl PadSource, seats: &mut Seats, input: &Input) {
    if let Some(event) = source.next(PATIENCE) {
        seats.apply(event);
        for (port, buttons) in seats.buttons().into_iter().enumerate() {
            input.set_pad(port, buttons);
        }
    }
}

/// The two ports and the pads that sit there: the first two to come, and others when a seat is left.
#[derive(Debug, Default)]
struct Seats {
    seated: [Option<Pad>; 2],
    waiting: Vec<PadId>,
}

#[derive(Debug, Clone, Copy)]
struct Pad {
    id: PadId,
    buttons: Buttons,
    stick: Buttons,
}

impl Pad {
    fn new(id: PadId) -> Self {
        Self { id, buttons: Buttons::empty(), stick: Buttons::empty() }
    }

    fn push_stick(&mut self, axis: Axis, value: f32) {
        let (negative, positive) = match axis {
            Axis::LeftStickX => (Buttons::LEFT, Buttons::RIGHT),
            Axis::LeftStickY => (Buttons::DOWN, Buttons::UP),
            _ => return,
        };
        for (direction, push) in [(negative, -value), (positive, value)] {
            let limit = if self.stick.contains(direction) { RELEASED } else { PRESSED };
            self.stick.set(direction, push > limit);
        }
    }
}

impl Seats {
    fn apply(&mut self, event: PadEvent) {
        match event {
            PadEvent::Connected(id) => {
                if self.pad(id).is_none() && !self.waiting.contains(&id) {
                    self.waiting.push(id);
                }
            }
            PadEvent::Disconnected(id) => {
                self.waiting.retain(|&waiting| waiting != id);
                for seat in &mut self.seated {
                    *seat = seat.take().filter(|pad| pad.id != id);
                }
            }
            PadEvent::Button(id, button, pressed) => {
                if let (Some(pad), Some(button)) = (self.pad(id), nes_button(button)) {
                    pad.buttons.set(button, pressed);
                }
            }
            PadEvent::Stick(id, axis, value) => {
                if let Some(pad) = self.pad(id) {
                    pad.push_stick(axis, value);
                }
            }
        }
        for seat in self.seated.iter_mut().filter(|seat| seat.is_none()) {
            if !self.waiting.is_empty() {
                *seat = Some(Pad::new(self.waiting.remove(0)));
            }
        }
    }

    fn pad(&mut self, id: PadId) -> Option<&mut Pad> {
        self.seated.iter_mut().flatten().find(|pad| pad.id == id)
    }

    fn buttons(&self) -> [Buttons; 2] {
        self.seated.map(|seat| seat.map_or(Buttons::empty(), |pad| pad.buttons | pad.stick))
    }
}

/// The NES button on a pad's `button`, by place: B lies left of A and lower, as on the consoles that came after.
fn nes_button(button: Button) -> Option<Buttons> {
    Some(match button {
        Button::East | Button::North => Buttons::A,
        Button::South | Button::West => Buttons::B,
        Button::Select => Buttons::SELECT,
        Button::Start => Buttons::START,
        Button::DPadUp => Buttons::UP,
        Button::DPadDown => Buttons::DOWN,
        Button::DPadLeft => Buttons::LEFT,
        Button::DPadRight => Buttons::RIGHT,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;

    use super::*;
    use crate::input::Strobe;

    struct Script(VecDeque<PadEvent>);

    impl PadSource for Script {
        fn next(&mut self, _timeout: Duration) -> Option<PadEvent> {
            self.0.pop_front()
        }
    }

    fn after(events: &[PadEvent]) -> [Buttons; 2] {
        let mut seats = Seats::default();
        for &event in events {
            seats.apply(event);
        }
        seats.buttons()
    }

    #[test]
    fn every_button_is_on_the_pad() {
        let all = [
            Button::East,
            Button::South,
            Button::Select,
            Button::Start,
            Button::DPadUp,
            Button::DPadDown,
            Button::DPadLeft,
            Button::DPadRight,
        ];
        let reached =
            all.into_iter().filter_map(nes_button).fold(Buttons::empty(), |all, button| all | button);
        assert_eq!(reached, Buttons::all());
        assert_eq!(nes_button(Button::LeftTrigger), None);
    }

    #[test]
    fn pads_sit_in_the_order_in_which_they_come() {
        use PadEvent::{Button as Press, Connected};
        let [first, second] = after(&[
            Connected(7),
            Connected(3),
            Press(3, Button::East, true),
            Press(7, Button::South, true),
            Press(9, Button::Start, true),
        ]);
        assert_eq!((first, second), (Buttons::B, Buttons::A));
    }

    #[test]
    fn a_pad_pulled_out_lets_go_and_its_seat_goes_to_the_next() {
        use PadEvent::{Button as Press, Connected, Disconnected};
        let events = &[Connected(1), Press(1, Button::Start, true), Connected(2), Connected(3)];
        let mut seats = Seats::default();
        for &event in events {
            seats.apply(event);
        }
        seats.apply(Disconnected(1));
        assert_eq!(seats.buttons(), [Buttons::empty(); 2]);
        seats.apply(Press(3, Button::East, true));
        assert_eq!(seats.buttons(), [Buttons::A, Buttons::empty()]);
        seats.apply(Connected(1));
        seats.apply(Press(1, Button::East, true));
        assert_eq!(seats.buttons(), [Buttons::A, Buttons::empty()], "the third to come waits");
    }

    #[test]
    fn the_stick_is_a_cross_that_does_not_tremble() {
        use PadEvent::{Connected, Stick};
        let at = |values: &[f32]| {
            let mut events = vec![Connected(0)];
            events.extend(values.iter().map(|&value| Stick(0, Axis::LeftStickX, value)));
            after(&events)[0]
        };
        assert_eq!(at(&[0.45]), Buttons::empty());
        assert_eq!(at(&[0.6, 0.45]), Buttons::RIGHT);
        assert_eq!(at(&[0.6, 0.3]), Buttons::empty());
        assert_eq!(at(&[0.6, -0.6]), Buttons::LEFT);
        assert_eq!(after(&[Connected(0), Stick(0, Axis::LeftStickY, 1.0)])[0], Buttons::UP);
    }

    #[test]
    fn what_a_pad_reports_reaches_the_console() {
        let mut source = Script([PadEvent::Connected(0), PadEvent::Button(0, Button::Start, true)].into());
        let (mut seats, input) = (Seats::default(), Input::default());
        step(&mut source, &mut seats, &input);
        step(&mut source, &mut seats, &input);
        step(&mut source, &mut seats, &input); // nothing more to come
        let mut taps = [Buttons::empty(); 2];
        assert_eq!(Strobe::new(&input, &mut taps).sample(), [Buttons::START, Buttons::empty()]);
    }
}
