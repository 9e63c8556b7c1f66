use nes::{Cartridge, Config};
use practice::{Log, Statistics};
use tetris::Profile;

use super::super::super::both_cartridges::{BUILT_IN, Rig, SLOW};
use super::super::tests::{games, hash, kept, read, replayed};
use crate::messages::command::PracticeCommand;
use crate::{Command, RunState};

/// What is known of the pieces.
fn pieces(log: &Log) -> Vec<(u32, [u16; 20], Option<[u8; 3]>)> {
    log.pieces.iter().map(|played| (played.number, played.rows, played.place)).collect()
}

/// Asks for a frame and waits until the game is there.
fn seek(rig: &mut Rig, command: PracticeCommand) {
    rig.ask(command);
    for _ in 0..20_000 {
        if !rig.machine.is_seeking() {
            return;
        }
        rig.machine.frame();
    }
    panic!("it never came there: {}", rig.final_messages());
}

#[test]
fn a_kept_game_goes_to_any_frame_and_is_as_if_it_had_played_up_to_there() {
    for image in [BUILT_IN, SLOW] {
        let place = tempfile::tempdir().unwrap();
        let mut rig = kept(image, &place);
        rig.practise("garbage=3", "");
        rig.pieces_in(5);
        rig.ask(PracticeCommand::Undo { other_luck: true });
        rig.pieces_in(7);
        rig.wait(200);
        rig.machine.end_game_file();
        let path = games(&place)[0].clone();
        let game = read(&path);
        let total = game.frames.len() as u64;
        let half = total / 2;
        assert!(total > 600 && game.chances.len() == 1, "{total}");
        let (cartridge, profile) = (Cartridge::from_bytes(image).unwrap(), Profile::of_image(image).unwrap());
        let config = Config { video: false, ..Config::default() };
        let at = |frame: u64| {
            let mut replay =
                practice::Replay::new(&game, cartridge.clone(), profile.clone(), config).unwrap();
            (0..frame).for_each(|_| drop(replay.step().unwrap()));
            (replay.console().state_hash(), pieces(replay.log()), Statistics::of(replay.log()))
        };
        let end = hash(&rig);
        rig.ask(PracticeCommand::Replay(path.clone()));
        for target in [total - 100, 10, half, half - 1, total - 1, 0, half + 90, total + 500] {
            seek(&mut rig, PracticeCommand::Seek(target));
            let target = target.min(total - 1);
            assert_eq!(rig.status().unwrap().replay, Some((target, total)));
            let log = pieces(rig.machine.engine.practice().unwrap().log());
            let figures = (*rig.status().unwrap().figures).clone();
            assert_eq!((hash(&rig), log, figures), at(target), "{target} of {total}");
        }
        // Backwards while it stands still, which it goes on doing.
        rig.machine.command(Command::Pause);
        seek(&mut rig, PracticeCommand::SeekBy(-i32::try_from(half).unwrap()));
        assert_eq!((rig.machine.run_state(), hash(&rig)), (RunState::Paused, at(total - 1 - half).0));
        rig.machine.command(Command::Resume);
        (0..=half).for_each(|_| rig.machine.frame());
        assert_eq!((hash(&rig), rig.status().unwrap().replay), (end, Some((total, total))));
    }
}

#[test]
fn whoever_takes_over_at_a_moment_that_was_gone_to_plays_on_from_there_in_a_file_of_its_own() {
    for image in [BUILT_IN, SLOW] {
        let place = tempfile::tempdir().unwrap();
        let mut rig = kept(image, &place);
        rig.practise("tetris", "level=5");
        rig.pieces_in(6);
        rig.machine.end_game_file();
        let path = games(&place)[0].clone();
        rig.ask(PracticeCommand::Replay(path));
        let total = rig.status().unwrap().replay.unwrap().1;
        seek(&mut rig, PracticeCommand::Seek(total - 30));
        seek(&mut rig, PracticeCommand::SeekBy(-120));
        let from = hash(&rig);
        rig.ask(PracticeCommand::TakeOver);
        assert_eq!((hash(&rig), rig.status().unwrap().replay), (from, None));
        rig.pieces_in(8);
        rig.machine.end_game_file();
        let games = games(&place);
        assert_eq!(games.len(), 2);
        assert_eq!(replayed(image, &read(&games[1])), hash(&rig));
        rig.ask(PracticeCommand::Seek(7));
        assert!(rig.final_messages().contains("no kept game"), "{}", rig.final_messages());
        // Taking pieces back goes on from here, not into what was only looked at.
        rig.pieces_in(10);
        let count = rig.count();
        rig.ask(PracticeCommand::Undo { other_luck: false });
        assert_eq!(rig.count(), count - 1);
    }
}
