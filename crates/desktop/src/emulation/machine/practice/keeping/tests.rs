//! Games against the computer, by the computer and from the middle.

use nes::Buttons;
use practice::Rise;
use tetris::Profile;

use super::super::super::both_cartridges::{BUILT_IN, Rig, SLOW};
use super::super::tests::{games, hash, kept, kept_in, read, replayed};
use crate::Command;
use crate::messages::command::{DebugCommand, PracticeCommand};

#[test]
fn a_game_against_the_computer_is_kept_with_the_rows_from_below_and_both_results() {
    for image in [BUILT_IN, SLOW] {
        let place = tempfile::tempdir().unwrap();
        let mut rig = kept(image, &place);
        rig.machine.command(Command::Versus(true));
        rig.pieces_in(3);
        rig.machine.opponent.versus_mut().unwrap().owe(4);
        rig.pieces_in(6);
        let [path] = &games(&place)[..] else { panic!("one game: {:?}", games(&place)) };
        assert_eq!(read(path).rises.len(), 1, "they are in the file before its end");
        // Up to the top.
        for frame in 0..20_000 {
            rig.shared.input.hold(0, if frame % 60 > 1 { Buttons::DOWN } else { Buttons::empty() });
            rig.machine.frame();
            if rig.machine.practice.is_over {
                break;
            }
        }
        let end = hash(&rig);
        let game = read(path);
        // The computer may have sent some of its own.
        assert!(matches!(game.rises[..], [(_, Rise { rows: 4, .. }), ..]), "{:?}", game.rises);
        assert_eq!((game.result_of("versus"), game.result_of("outcome")), (Some("lost"), Some("topped-out")));
        for name in ["opponent-lines", "opponent-score", "rows-sent", "rows-received"] {
            assert!(game.result_of(name).is_some_and(|value| value.parse::<u32>().is_ok()), "{name}");
        }
        assert_eq!(replayed(image, &game), end);
        assert!(!game.is_a_movie(&game.session(Profile::of_image(image).unwrap()).unwrap()));
        // And in the window, alone.
        rig.machine.command(Command::Versus(false));
        rig.ask(PracticeCommand::Replay(path.clone()));
        (0..game.frames.len()).for_each(|_| rig.machine.frame());
        assert_eq!(hash(&rig), end);
    }
}

#[test]
fn a_game_that_goes_on_alone_says_how_it_stood_against_the_computer() {
    let place = tempfile::tempdir().unwrap();
    let mut rig = kept(BUILT_IN, &place);
    rig.machine.command(Command::Versus(true));
    rig.pieces_in(3);
    rig.machine.command(Command::Versus(false));
    rig.pieces_in(5);
    rig.machine.end_game_file();
    let game = read(&games(&place)[0]);
    assert_eq!((game.result_of("versus"), game.result_of("pieces")), (Some("open"), Some("4")));
    assert_eq!(replayed(BUILT_IN, &game), hash(&rig));
    // The next one is played alone from its beginning.
    rig.machine.command(Command::NewGame);
    rig.pieces_in(3);
    rig.machine.end_game_file();
    assert_eq!(read(&games(&place)[1]).result_of("versus"), None);
}

#[test]
fn a_game_says_at_once_that_the_computer_plays_and_one_joined_with_points_does_not_count() {
    for image in [BUILT_IN, SLOW] {
        let place = tempfile::tempdir().unwrap();
        let mut rig = kept(image, &place);
        rig.machine.command(Command::NewGame);
        rig.wait(90);
        // Nothing has ended the file, as if the program were killed.
        let standing = || read(games(&place).last().unwrap()).standing();
        assert!(standing().counts(), "only the menus were the computer's");
        rig.machine.command(Command::LetComputerPlay(true));
        rig.wait(2);
        assert_eq!(standing().note(), Some("by the computer"));
        rig.machine.command(Command::LetComputerPlay(false));
        rig.wait(60);
        assert_eq!(standing().note(), Some("by the computer"));

        let states = tempfile::tempdir().unwrap();
        let open = |games: &tempfile::TempDir| {
            Rig::with(image, |options| {
                options.states = Some(states.path().to_owned());
                options.folders.games = Some(games.path().join("games"));
            })
        };
        let place = tempfile::tempdir().unwrap();
        let mut rig = open(&place);
        rig.machine.command(Command::NewGame);
        rig.pieces_in(4);
        let score = rig.machine.engine.watched().unwrap().session().score();
        assert!(score > 0, "pieces were pushed down");
        rig.machine.command(Command::SaveSlot(2));
        let other = tempfile::tempdir().unwrap();
        let mut rig = open(&other);
        rig.machine.command(Command::LoadSlot(2));
        rig.wait(90);
        rig.machine.end_game_file();
        let game = read(games(&other).last().unwrap());
        assert_eq!(
            (game.header.score, game.standing().note()),
            (Some(score), Some("recorded from the middle"))
        );
    }
}

#[test]
fn what_the_computer_plays_says_so_and_what_the_debugger_changes_ends_the_file() {
    let place = tempfile::tempdir().unwrap();
    let mut rig = kept_in(&place);
    rig.machine.command(Command::NewGame);
    rig.machine.command(Command::LetComputerPlay(true));
    rig.wait(400);
    rig.machine.command(Command::Debug(DebugCommand::Open));
    rig.machine.command(Command::Debug(DebugCommand::Execute("set [$400] = 0x7B".into())));
    rig.machine.command(Command::Debug(DebugCommand::Close));
    rig.machine.command(Command::Resume);
    rig.wait(90);
    let [path] = &games(&place)[..] else { panic!("one game: {:?}", games(&place)) };
    let game = read(path);
    let said = rig.final_messages();
    assert!(game.result_of("cut").is_some_and(|cut| cut.contains("debugger")), "{said} {:?}", game.result);
    assert!(game.result_of("computer").is_some_and(|frames| frames.parse::<u32>().unwrap() >= 399));
    let frames = game.frames.len();
    rig.machine.command(Command::NewGame);
    rig.wait(60);
    assert_eq!((games(&place).len(), read(path).frames.len()), (2, frames));
}
