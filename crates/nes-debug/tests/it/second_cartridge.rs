//! What the debugger knows of the game, on a cartridge that is known by its hash alone as on the
//! built-in one.

use std::io;

use nes::{Cartridge, Config};
use nes_debug::command::{CommandSession, FileError, Files};
use nes_debug::view;
use nes_debug::{Debugger, Symbols};
use tetris::{Profile, hooks, ram};

const BUILT_IN: &[u8] = include_bytes!("../../../../roms/maxout.nes");
const SLOW: &[u8] = include_bytes!("../../../../roms/maxout-slow.nes");
const UNKNOWN: &[u8] = include_bytes!("../../../../roms/tests/single_screen.nes");
const NEXT_PIECE: &str = include_str!("../../../../docs/debugger/next_piece.script");
const KILL_SCREEN: &str = include_str!("../../../../docs/debugger/kill_screen.script");

/// Nothing to read, and what is written is counted.
#[derive(Default)]
struct Written(usize);

impl Files for Written {
    fn read(&mut self, name: &str) -> Result<Vec<u8>, FileError> {
        Err(FileError(format!("{name}: no such file")))
    }

    fn write(
        &mut self,
        name: &str,
        fill: &mut dyn FnMut(&mut dyn io::Write) -> io::Result<()>,
    ) -> Result<(), FileError> {
        self.0 += 1;
        fill(&mut io::sink()).map_err(|error| FileError(format!("{name}: {error}")))
    }
}

fn session(image: &[u8]) -> CommandSession {
    let cartridge = Cartridge::from_bytes(image).unwrap();
    CommandSession::new(Debugger::new(cartridge, Config::default(), Profile::of_image(image)), image.to_vec())
}

/// What a session says to these lines.
fn said(session: &mut CommandSession, lines: &str) -> String {
    let mut said = String::new();
    for line in lines.lines() {
        let reply = session.execute(line, &mut Written::default(), &mut || true);
        let reply = reply.unwrap_or_else(|error| panic!("{line}: {error}"));
        assert!(!reply.failed, "{line}: {}", reply.text);
        said += &(reply.text + "\n");
    }
    said
}

#[test]
fn the_game_has_its_labels_on_both() {
    for image in [BUILT_IN, SLOW] {
        let symbols = Symbols::of_game(&Profile::of_image(image).unwrap());
        for place in ram::MAP {
            assert!(symbols.address(place.name).is_some(), "{}", place.name);
        }
        assert_eq!(symbols.address("lock"), Some(hooks::LOCK.address));
        assert_eq!(symbols.text(hooks::SPAWN.address), "spawn");
    }
}

#[test]
fn steps_to_a_lock_and_a_spawn_and_the_game_panel_work_on_both() {
    for image in [BUILT_IN, SLOW] {
        let said = said(&mut session(image), NEXT_PIECE);
        assert!(said.contains("breakpoint 1 (execute $99A2)"), "{said}");
        assert!(said.contains("level 1") && said.contains("DAS ["), "{said}");
    }
}

#[test]
fn how_far_the_kill_screen_is_is_told_on_both_and_the_slow_one_is_nearer() {
    let scored = [BUILT_IN, SLOW].map(|image| {
        let said = said(&mut session(image), KILL_SCREEN);
        let line = said.lines().find(|line| line.contains(" rows at level 18, ")).unwrap().to_owned();
        assert!(said.contains(" cycles a level: late "), "{said}");
        line
    });
    assert_ne!(scored[0], scored[1]);
}

#[test]
fn a_cartridge_that_is_not_recognised_has_none_of_it_and_says_so() {
    let mut session = session(UNKNOWN);
    assert_eq!(view::game(&session.debugger), None);
    let refused = session.execute("game", &mut Written::default(), &mut || true).unwrap_err().to_string();
    assert!(refused.contains("only works with Tetris; this ROM isn't recognised"), "{refused}");
}

#[test]
fn of_a_profile_that_knows_too_little_only_the_names_are_left() {
    let text = "name = \"x\"\nsha1 = []\npartial = [\"ram\", \"hooks\"]\n[ram]\nscore = 0x000C\n";
    let cartridge = Cartridge::from_bytes(BUILT_IN).unwrap();
    let debugger = Debugger::new(cartridge, Config::default(), Some(Profile::parse(text).unwrap()));
    assert_eq!(debugger.symbols.address("score"), Some(0x000C));
    assert_eq!((debugger.symbols.len(), debugger.profile(), view::game(&debugger)), (1, None, None));
}
