use winit::keyboard::KeyCode;

use super::*;

#[test]
fn a_position_stands_still_until_the_first_press_of_a_key_or_a_button() {
    let begin = || {
        let mut room = Room::new();
        let position = Some(crate::ui::editor::Editor::default().text());
        let (mode, options) = (practice::Kind::Tetris.usual(), practice::Options::default());
        let command = PracticeCommand::Begin { mode, options, position };
        room.state.perform(MenuAction::Send(Command::Practice(command)));
        room.state.sync();
        assert_eq!(room.sent().last(), Some(&Command::Pause));
        room
    };
    let mut room = begin();
    room.press(KeyCode::KeyM, Some(Shortcut::Mute));
    assert!(room.state.is_stopped(), "no key of the game");
    room.press(KeyCode::ArrowLeft, None);
    assert!(!room.state.is_stopped() && room.sent().contains(&Command::Resume));
    let mut room = begin();
    let mut hold = |buttons: nes::Buttons| {
        *room.shared.pads() =
            vec![PadStatus { name: "pad".into(), player: Some(0), held: vec![], buttons, stick: [0.0; 2] }];
        room.state.update_status();
        room.state.poll_pads();
        room.state.is_stopped()
    };
    assert!(hold(nes::Buttons::empty()));
    assert!(!hold(nes::Buttons::A));
}
