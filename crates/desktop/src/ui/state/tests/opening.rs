use std::path::PathBuf;

use super::*;

#[test]
fn a_game_of_placements_opens_its_review_and_no_game_is_lost() {
    let mut room = Room::new();
    room.state.status.in_game = true;
    for name in ["game.ngf.gz", "game.NGF", "game.csv"] {
        let path = PathBuf::from(name);
        room.state.open_if_wanted(path.clone());
        assert_eq!(room.state.menu.page(), Some(Page::Coach), "{name}");
        let practice = &room.state.settings.practice;
        let (hertz, reaction) = (practice.hertz, practice.reaction);
        let review = PracticeCommand::ReviewFile { path, hertz, reaction };
        assert!(room.sent().contains(&Command::Practice(review)), "{name}");
    }
}
