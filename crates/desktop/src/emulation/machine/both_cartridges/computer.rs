//! How the computer plays in the window, alone and as an opponent.

use std::sync::Arc;

use autopilot::{CANDIDATES, Thought, Unit};
use tetris::View;

use super::{BUILT_IN, OTHER, Rig, SLOW};
use crate::Command;
use crate::config::settings::{ComputerStyle, TetrisSettings};

impl Rig {
    /// Runs until the computer, alone (0) or as the opponent (1), thinks of a piece.
    fn thought(&mut self, picture: usize) -> Arc<Thought> {
        for _ in 0..600 {
            self.wait(1);
            self.machine.update_status();
            if let Some(thought) = &self.shared.status().thoughts[picture] {
                return Arc::clone(thought);
            }
        }
        panic!("no thought in 600 frames: {:?}", self.shared.status().messages)
    }
}

#[test]
fn the_computer_plays_in_the_style_that_is_set() {
    for image in [BUILT_IN, SLOW] {
        let mut rig = Rig::new(image);
        rig.press_c();
        let survival = TetrisSettings { computer: ComputerStyle::Survival, ..Default::default() };
        rig.machine.command(Command::Tetris(survival));
        assert!(rig.plays());
        rig.machine.command(Command::NewGame);
        rig.wait(600);
        assert!(rig.pieces().iter().sum::<u32>() > 3, "{:?}", rig.pieces());
    }
}

#[test]
fn the_computer_plays_for_points_with_the_taps_and_the_reaction_that_are_set() {
    for image in [BUILT_IN, SLOW] {
        for start_level in [0, 18] {
            let mut rig = Rig::new(image);
            let points =
                TetrisSettings { computer: ComputerStyle::Points, start_level, ..Default::default() };
            rig.machine.command(Command::Tetris(points));
            rig.press_c();
            rig.machine.command(Command::NewGame);
            let mut pieces = 0;
            for _ in 0..30 {
                rig.wait(400);
                pieces = rig.pieces().iter().sum::<u32>();
                if pieces >= 50 {
                    break;
                }
            }
            assert!(pieces >= 50, "level {start_level}: {pieces} pieces");
            // A player who waits for four lines at once has cleared few, but it is never high.
            let lines = View::new(rig.machine.engine.console().ram()).lines();
            let rows = (4 * pieces).saturating_sub(10 * lines) / 10;
            assert!(rows <= 13, "level {start_level}: {lines} lines of {pieces} pieces");
        }
    }
}

#[test]
fn by_the_built_in_nets_the_computer_thinks_in_points_alone_and_as_an_opponent() {
    let points = TetrisSettings {
        computer: ComputerStyle::Points,
        thoughts: true,
        start_level: 18,
        ..Default::default()
    };
    for image in [BUILT_IN, SLOW] {
        let mut rig = Rig::new(image);
        rig.machine.command(Command::Tetris(points.clone()));
        rig.press_c();
        rig.machine.command(Command::NewGame);
        let thought = rig.thought(0);
        let outlook = thought.outlook.expect("expected points");
        assert_eq!((thought.unit, thought.candidates.len()), (Unit::Points, CANDIDATES));
        assert!(outlook.points > 1_000_000.0 && outlook.odds.is_some(), "{outlook:?}");

        rig.machine.command(Command::Versus(true));
        // The player's game is at level 18, and so is the computer's.
        let thought = rig.thought(1);
        assert_eq!(thought.unit, Unit::Points);
        let mut slow = points.clone();
        slow.computer_taps = 10;
        // It is another opponent from the next game on.
        rig.machine.command(Command::Tetris(slow));
        rig.machine.command(Command::NewGame);
        assert_eq!(rig.thought(1).unit, Unit::Points, "slow hands have nets of their own");
    }
}

#[test]
fn a_game_is_on_from_its_first_piece_but_not_while_the_computer_plays_it() {
    let in_game = |rig: &mut Rig| {
        rig.machine.update_status();
        rig.shared.status().in_game
    };
    for image in [BUILT_IN, SLOW] {
        let mut rig = Rig::new(image);
        rig.wait(120);
        assert!(!in_game(&mut rig), "the title");
        rig.machine.command(Command::NewGame);
        rig.wait(60);
        assert!(in_game(&mut rig));
        rig.machine.command(Command::LetComputerPlay(true));
        assert!(!in_game(&mut rig), "the computer's");
        rig.machine.command(Command::LetComputerPlay(false));
        assert!(in_game(&mut rig));
        rig.machine.command(Command::PowerCycle);
        rig.wait(60);
        assert!(!in_game(&mut rig), "the title again");
    }
    let mut rig = Rig::new(OTHER);
    rig.wait(60);
    assert!(!in_game(&mut rig));
    rig.wait(1800);
    assert!(in_game(&mut rig), "an unknown cartridge says nothing of its games");
}
