//! Actions of practice that are bound to keys and to buttons of a pad.

use super::*;
use crate::input::actions::Action;
use crate::ui::page::Device;
use crate::ui::remap::Target;

impl Room {
    /// A pad holds these buttons at the next look at it.
    pub(crate) fn hold(&mut self, held: &[gilrs::Button]) -> Option<AppRequest> {
        let held: Vec<PadInput> = held.iter().copied().map(PadInput::Press).collect();
        let buttons = self.shared.input.set_pad(0, &held);
        *self.shared.pads() =
            vec![PadStatus { name: "pad".into(), player: Some(0), held, buttons, stick: [0.0; 2] }];
        self.state.update_status();
        self.state.poll_pads().1
    }

    /// A button of a pad is pressed and released.
    pub(crate) fn tap(&mut self, button: gilrs::Button) -> Option<AppRequest> {
        let request = self.hold(&[button]);
        request.or(self.hold(&[]))
    }
}

/// What each action asks of practice; `None` for what is no command of practice.
fn asked(action: Action) -> Option<PracticeCommand> {
    Some(match action {
        Action::TakeBack => PracticeCommand::Undo { other_luck: false },
        Action::TakeBackOther => PracticeCommand::Undo { other_luck: true },
        Action::Mark => PracticeCommand::Mark,
        Action::Retry => PracticeCommand::Retry { other_luck: false },
        Action::RetryOther => PracticeCommand::Retry { other_luck: true },
        Action::SeekBack => PracticeCommand::SeekBy(-300),
        Action::SeekOn => PracticeCommand::SeekBy(300),
        Action::TakeOver => PracticeCommand::TakeOver,
        Action::EndPractice => PracticeCommand::End,
        Action::Again | Action::Review | Action::Save | Action::Load => return None,
    })
}

/// Returns the action that does what a command of practice asks; `None` for those that need a
/// choice on a page.
fn action_of(command: &PracticeCommand) -> Option<Action> {
    match command {
        PracticeCommand::Begin { .. } => Some(Action::Again),
        PracticeCommand::Review { .. } => Some(Action::Review),
        // A mode, a file or a moment has to be chosen.
        PracticeCommand::ReviewFile { .. }
        | PracticeCommand::ReviewKept { .. }
        | PracticeCommand::FindPuzzles
        | PracticeCommand::Replay(_)
        | PracticeCommand::Seek(_) => None,
        other => Action::ALL.iter().copied().find(|&action| asked(action).as_ref() == Some(other)),
    }
}

#[test]
fn every_action_of_practice_is_done_by_the_key_and_by_the_button_that_it_is_bound_to() {
    for &action in Action::ALL {
        let mut room = Room::new();
        room.state.settings.input.actions.keys.of_mut(action).push(KeyCode::KeyW);
        room.state.settings.input.actions.pad.of_mut(action).push(PadInput::Press(gilrs::Button::C));
        room.state.sync();
        room.sent();
        // The key is printed with something else.
        room.press(KeyCode::KeyW, Some(Shortcut::Mute));
        let by_key = (room.sent(), room.state.menu.page());
        assert!(!by_key.0.is_empty() || by_key.1.is_some(), "{action:?} does something");
        room.state.menu.close();
        room.done(|_| {});
        room.sent();
        room.tap(gilrs::Button::C);
        let by_pad = (room.sent(), room.state.menu.page());
        assert_eq!(by_key, by_pad, "{action:?}");
        let wanted = asked(action).map(Command::Practice);
        assert!(wanted.is_none() || by_pad.0.first() == wanted.as_ref(), "{action:?}: {by_pad:?}");
        if let Some(command) = asked(action) {
            assert_eq!(action_of(&command), Some(action));
        }
    }
}

#[test]
fn a_button_of_the_game_is_bound_to_an_action_and_its_conflict_is_told() {
    let mut room = Room::new();
    room.state.menu.open(Page::Actions(Device::Pad));
    let rows = room.state.rows();
    let row = rows.iter().position(|row| row.label == "Take the piece back").unwrap();
    room.state.menu.point(row);
    room.state.step(Step::Enter);
    room.hold(&[]);
    room.tap(gilrs::Button::West);
    assert_eq!(
        room.notes(),
        ["Left button: Take the piece back now, no longer B of player 1 or B of player 2"]
    );
    let target = Target::Action(Action::TakeBack);
    assert_eq!(target.pad(&room.state.settings.input), [PadInput::Press(gilrs::Button::West)]);
    assert_eq!(room.state.rows()[row].value, "left button");
    room.state.menu.close();
    room.state.sync();
    room.sent();
    room.tap(gilrs::Button::West);
    let undo = Command::Practice(PracticeCommand::Undo { other_luck: false });
    assert!(room.sent().contains(&undo));
}

#[test]
fn the_usual_key_of_an_action_is_shown_until_it_means_something_else() {
    let mut room = Room::new();
    room.state.menu.open(Page::Actions(Device::Keys));
    let value = |room: &Room| {
        let rows = room.state.rows();
        rows.iter().find(|row| row.label == "Take the piece back").unwrap().value.clone()
    };
    assert_eq!(value(&room), "U");
    room.state.settings.input.actions.keys.mark.push(KeyCode::KeyU);
    assert_eq!(value(&room), "–");
    room.state.settings.input.actions.keys.take_back.push(KeyCode::KeyW);
    assert_eq!(value(&room), "W");
}
