//! Pads: who sits where, and what is held on them. They come and go while the game runs.

mod quirks;
mod system;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use gilrs::{Axis, Button};
use nes::Buttons;

use crate::input::bindings::{PadInput, Side};
use crate::input::held::PLAYERS;
use crate::messages::handle::Shared;
use crate::messages::status::{MessageKind, PadStatus};
use system::SystemPads;

/// A stick lets go at this part of the dead zone, so that a trembling hand does not press twice.
const RELEASE: f32 = 0.7;

/// How long the pads' thread sleeps at most: it notices the end of the game this late.
const EVENT_TIMEOUT: Duration = Duration::from_millis(100);

/// Names one pad for as long as it is plugged in.
type PadId = usize;

/// What a pad reports.
#[derive(Debug, Clone, PartialEq)]
enum PadEvent {
    Connected {
        pad: PadId,
        name: String,
        /// Whether the player has just plugged it in.
        is_new: bool,
    },
    Disconnected(PadId),
    Moved(PadId, Motion),
}

/// A part of a pad moves.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Motion {
    /// A button goes down or up.
    Button(PadInput, bool),
    /// An axis moves to a value from -1 to 1; up and right are positive.
    Axis(Axis, f32),
    /// An axis that acts as a button is pushed this far from its rest, up to 1.
    Level(PadInput, f32),
}

/// Where events of pads come from.
trait PadSource {
    /// Returns the next event, waited for no longer than `timeout`.
    fn next(&mut self, timeout: Duration) -> Option<PadEvent>;
}

pub(crate) use quirks::hostile as mapping;

/// Follows the system's pads until `stop`, on a thread of its own: a press is there for the very
/// next strobe.
pub(crate) fn follow(shared: Arc<Shared>, stop: Arc<AtomicBool>) -> Option<JoinHandle<()>> {
    let body = move || match SystemPads::take() {
        Ok(mut source) => {
            let mut seats = Seats::default();
            while !stop.load(Ordering::Relaxed) {
                tty::panics::where_asked();
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
    let plugged_in = match &event {
        PadEvent::Connected { pad, is_new: true, .. } => Some(*pad),
        _ => None,
    };
    let count = shared.input.seats();
    seats.apply(event, dead_zone, count);
    let buttons = std::array::from_fn(|player| {
        let held = seats.seated(player).map_or(&[][..], |pad| &pad.held);
        shared.input.set_pad(player, held)
    });
    *shared.pads() = seats.status(buttons);
    if let Some(name) = unplugged {
        shared.status().say(
            MessageKind::Warning,
            format!("{name} was unplugged; its buttons are released, and the game continues"),
        );
    }
    if let Some(pad) = plugged_in.and_then(|id| seats.pad(id)) {
        let whose = match pad.player {
            Some(player) => format!("it plays for player {}", player + 1),
            None if count > 2 => "all players have a gamepad already".into(),
            None => "both players have a gamepad already".into(),
        };
        let text = format!("{} was plugged in; {whose}", pad.name);
        shared.status().say(MessageKind::Note, text);
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
                PadEvent::Connected { pad: number, name: format!("pad {number}"), is_new: true }
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
        let button = PadInput::Press(BUTTONS[button % BUTTONS.len()]);
        self.tell(shared, PadEvent::Moved(number, Motion::Button(button, held)));
        let stick = Motion::Axis(Axis::LeftStickX, if held { -1.0 } else { 0.0 });
        self.tell(shared, PadEvent::Moved(number, stick));
    }

    fn tell(&mut self, shared: &Shared, event: PadEvent) {
        step(&mut OneEvent(Some(event)), &mut self.0, shared);
    }
}

/// The pads in the order in which they came, and the ports, of which there are two or four: the
/// first to come have one, and others when one becomes free.
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
            self.lean(input, push, dead_zone);
        }
    }

    /// What acts as `input` is pushed this far from its rest.
    fn lean(&mut self, input: PadInput, push: f32, dead_zone: f32) {
        let limit = if self.held.contains(&input) { dead_zone * RELEASE } else { dead_zone };
        if (push > limit) != self.held.contains(&input) {
            self.set(input, push > limit);
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
    fn apply(&mut self, event: PadEvent, dead_zone: f32, count: usize) {
        match event {
            PadEvent::Connected { pad: id, name, .. } => {
                if self.pad(id).is_none() {
                    self.pads.push(Pad { id, name, player: None, held: vec![], stick: [0.0; 2] });
                }
            }
            PadEvent::Disconnected(id) => self.pads.retain(|pad| pad.id != id),
            PadEvent::Moved(id, motion) => {
                let Some(pad) = self.pad(id) else { return };
                match motion {
                    Motion::Button(input, pressed) => pad.set(input, pressed),
                    Motion::Axis(axis, value) => pad.push(axis, value, dead_zone),
                    Motion::Level(input, push) => pad.lean(input, push, dead_zone),
                }
            }
        }
        for pad in self.pads.iter_mut().filter(|pad| pad.player >= Some(count)) {
            pad.player = None;
        }
        for player in 0..count {
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

    fn status(&self, buttons: [Buttons; PLAYERS]) -> Vec<PadStatus> {
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
        PadEvent::Connected { pad: id, name: format!("pad {id}"), is_new: true }
    }

    fn press(id: PadId, button: Button) -> PadEvent {
        PadEvent::Moved(id, Motion::Button(PadInput::Press(button), true))
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
        let said: Vec<_> = shared.status().messages.iter().map(|message| message.text.clone()).collect();
        assert_eq!(
            said,
            [
                "pad 1 was plugged in; it plays for player 1",
                "pad 2 was plugged in; it plays for player 2",
                "pad 3 was plugged in; both players have a gamepad already",
                "pad 1 was unplugged; its buttons are released, and the game continues",
            ]
        );
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
            events.extend(
                values.iter().map(|&value| PadEvent::Moved(0, Motion::Axis(Axis::LeftStickX, value))),
            );
            after(events)[0]
        };
        assert_eq!(at(&[0.45]), Buttons::empty());
        assert_eq!(at(&[0.6, 0.45]), Buttons::RIGHT);
        assert_eq!(at(&[0.6, 0.3]), Buttons::empty());
        assert_eq!(at(&[0.6, -0.6]), Buttons::LEFT);
        assert_eq!(
            after(vec![come(0), PadEvent::Moved(0, Motion::Axis(Axis::LeftStickY, 1.0))])[0],
            Buttons::UP
        );
    }

    #[test]
    fn a_cross_of_buttons_a_hat_and_a_cross_of_axes_are_the_same() {
        assert_eq!(after(vec![come(0), press(0, Button::DPadLeft)])[0], Buttons::LEFT);
        assert_eq!(
            after(vec![come(0), PadEvent::Moved(0, Motion::Axis(Axis::DPadX, -1.0))])[0],
            Buttons::LEFT
        );
        assert_eq!(
            after(vec![come(0), PadEvent::Moved(0, Motion::Axis(Axis::DPadY, -1.0))])[0],
            Buttons::DOWN
        );
    }

    #[test]
    fn a_remapping_screen_sees_what_is_held_though_it_means_nothing() {
        let mut seats = Seats::default();
        seats.apply(come(0), DEAD_ZONE, 2);
        seats.apply(press(0, Button::LeftTrigger), DEAD_ZONE, 2);
        seats.apply(PadEvent::Moved(0, Motion::Axis(Axis::RightStickX, 0.9)), DEAD_ZONE, 2);
        let raw = PadInput::RawButton(0x0001_02C0);
        seats.apply(PadEvent::Moved(0, Motion::Button(raw, true)), DEAD_ZONE, 2);
        let [pad] = &seats.status([Buttons::empty(); PLAYERS])[..] else { panic!("one pad") };
        assert_eq!(
            pad.held,
            [PadInput::Press(Button::LeftTrigger), PadInput::Push(Axis::RightStickX, Side::Plus), raw]
        );
    }
}
