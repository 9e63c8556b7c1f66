use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use emulator::Attached;
use nes::fm2::Movie;
use nes::{Buttons, Cartridge, Config, Console};

use super::*;
use crate::messages::command::Recording;
use crate::messages::handle::Shared;
use crate::video::presented_frame::PresentedFrame;
use crate::{Command, Options};

/// The built-in cartridge, which looks at the pads in every frame.
const IMAGE: &[u8] = include_bytes!("../../../../../../roms/maxout.nes");

/// A game with a script beside it.
struct Game {
    machine: Machine<fn(Notice)>,
    shared: Arc<Shared>,
    folder: tempfile::TempDir,
}

impl Game {
    /// With the script `source` in a file `test.lua`, which runs.
    fn new(source: &str) -> Self {
        Self::with(source, |_| {})
    }

    fn with(source: &str, change: impl FnOnce(&mut Options)) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut options = Options::new("game", IMAGE.to_vec());
        options.folders.scripts = Some(folder.path().join("scripts"));
        options.prints = false;
        change(&mut options);
        let shared = Arc::new(Shared::new());
        let cartridge = Cartridge::from_bytes(&options.image).unwrap();
        let machine = Machine::new(cartridge, &options, Arc::clone(&shared), (|_| {}) as fn(Notice));
        let mut game = Self { machine, shared, folder };
        game.write(source);
        game.command(ScriptCommand::Run(game.path()));
        game
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("test.lua")
    }

    fn write(&self, source: &str) {
        fs::write(self.path(), source).unwrap();
    }

    fn command(&mut self, command: ScriptCommand) {
        self.machine.command(Command::Script(command));
    }

    fn frames(&mut self, count: u32) -> &mut Self {
        (0..count).for_each(|_| self.machine.frame());
        self
    }

    /// Returns the last line of that kind, or nothing.
    fn said(&self, kind: MessageKind) -> String {
        let messages = self.shared.status().messages.clone();
        messages.iter().rfind(|message| message.kind == kind).map_or(String::new(), |line| line.text.clone())
    }

    fn script_says(&self) -> String {
        self.said(MessageKind::Script)
    }

    fn run_state(&self) -> RunState {
        self.machine.run_state()
    }

    fn presented(&self) -> PresentedFrame {
        let mut presented = PresentedFrame::default();
        assert!(self.shared.pictures.take(&mut presented), "a new picture");
        presented
    }
}

#[test]
fn a_script_of_the_window_finds_the_files_beside_it_and_the_name_of_the_cartridge() {
    let mut game = Game::new("");
    fs::write(game.folder.path().join("words.lua"), "return { greeting = 'hello ' }").unwrap();
    game.write("print(require('words').greeting .. rom.getfilename())");
    game.command(ScriptCommand::Run(game.path()));
    game.frames(2);
    assert_eq!(game.script_says(), "hello game");
}

#[test]
fn the_hud_of_the_documents_is_on_the_picture_and_the_game_goes_on_as_without_it() {
    let mut game = Game::new(include_str!("../../../../../../docs/scripts/hud.lua"));
    let mut plain = Game::new("");
    assert!(game.frames(1500).presented().overlay.is_some(), "{}", game.said(MessageKind::Error));
    assert!(plain.frames(1500).presented().overlay.is_none());
    assert_eq!(game.machine.engine.state_hash(), plain.machine.engine.state_hash());
}

#[test]
fn a_script_sees_the_players_buttons_and_its_own_are_the_games_and_the_movies() {
    let source = "
        while true do
            if joypad.get(1).A then joypad.set(1, {A = false, start = emu.framecount() % 40 < 2}) end
            emu.frameadvance()
        end";
    let mut game = Game::new(source);
    let movie = game.folder.path().join("a.fm2");
    game.machine.command(Command::Record(Recording::Movie, movie.clone()));
    game.shared.input.hold(0, Buttons::A | Buttons::DOWN);
    game.frames(200);
    assert_eq!(game.machine.engine.buttons()[0], Buttons::DOWN);
    let there = game.machine.engine.state_hash();
    game.machine.command(Command::StopRecording(Recording::Movie));

    let movie = Movie::parse(&fs::read(movie).unwrap()).unwrap();
    let mut console = Console::new(Cartridge::from_bytes(IMAGE).unwrap(), Config::default());
    for frame in &movie.frames {
        let _ = console.run_frame(&mut frame.pads.clone(), &mut ());
    }
    assert_eq!((movie.frames.len(), console.state_hash()), (200, there));
    assert!(movie.frames.iter().any(|frame| frame.pads[0].contains(Buttons::START)));
}

#[test]
fn an_error_is_said_with_its_line_and_the_game_goes_on_without_the_script() {
    let mut game = Game::new("emu.frameadvance()\nemu.frameadvance()\nerror('no more')");
    game.frames(5);
    assert_eq!(game.said(MessageKind::Error), "test.lua:3: no more");
    assert_eq!(game.machine.engine.frame_number(), 5, "every frame was run to its end");
    let status = game.machine.script.status().unwrap();
    assert!(!status.running && status.path == game.path());
    game.write("x = = 1");
    game.command(ScriptCommand::Reload);
    assert!(game.said(MessageKind::Error).starts_with("test.lua:1: "), "{}", game.said(MessageKind::Error));
}

#[test]
fn an_error_in_the_middle_of_a_frame_does_not_cut_the_game_short() {
    let hook = "memory.registerwrite(0x4014, function() if emu.framecount() > 20 then error('now') end end)
        while true do emu.frameadvance() end";
    let (mut game, mut plain) = (Game::new(hook), Game::new(""));
    game.frames(60);
    plain.frames(60);
    assert!(game.said(MessageKind::Error).contains("now"));
    assert_eq!(game.machine.engine.state_hash(), plain.machine.engine.state_hash());
}

#[test]
fn an_endless_loop_is_stopped_with_its_line() {
    let mut game = Game::new("emu.frameadvance()\nwhile true do\nend");
    game.frames(4);
    let said = game.said(MessageKind::Error);
    assert!(said.starts_with("test.lua:2: ") || said.starts_with("test.lua:3: "), "{said}");
    assert!(said.contains("endless"), "{said}");
    assert_eq!(game.machine.engine.frame_number(), 4);
}

#[test]
fn a_script_runs_once_a_frame_whatever_is_run_ahead() {
    let source = "local n = 0
        while true do n = n + 1 emu.message(n .. ' ' .. emu.framecount()) emu.frameadvance() end";
    let mut game = Game::with(source, |options| options.settings.time.run_ahead = 2);
    game.frames(50);
    assert_eq!(game.script_says(), "50 49");
    let (mut next, shown) = (game.machine.engine.clone(), game.machine.engine.picture().clone());
    next.set_ahead(0);
    (0..2).for_each(|_| drop(next.frame(&mut [Buttons::empty(); 2], Attached::default())));
    assert!(next.picture() == &shown, "the picture is two frames ahead");
}

#[test]
fn a_script_goes_on_where_a_rewind_ends() {
    let mut game = Game::new(
        "while true do emu.message(tostring(emu.framecount())) gui.pixel(1, 1) emu.frameadvance() end",
    );
    game.frames(100);
    assert!(game.presented().overlay.is_some());
    game.machine.command(Command::Rewind(true));
    game.frames(60);
    assert_eq!(game.script_says(), "99", "it does not run backwards");
    assert!(game.presented().overlay.is_none(), "nor is what it drew on the pictures of before");
    game.machine.command(Command::Rewind(false));
    game.frames(1);
    assert_eq!(game.script_says(), "40");
}

#[test]
fn a_script_can_pause_the_game_and_let_it_go_on_and_so_can_the_player() {
    let source = "
        local shown = 0
        gui.register(function() shown = shown + 1 if shown == 30 then emu.unpause() end end)
        for i = 1, 10 do emu.frameadvance() end
        emu.pause()
        while true do emu.frameadvance() end";
    let mut game = Game::new(source);
    game.frames(11);
    assert_eq!((game.run_state(), game.machine.script.status().unwrap().paused), (RunState::Paused, true));
    game.machine.command(Command::FrameAdvance);
    assert_eq!((game.run_state(), game.machine.engine.frame_number()), (RunState::Paused, 12));
    assert!(game.machine.script.status().unwrap().paused);
    (0..20).for_each(|_| game.machine.draw_script());
    assert_eq!((game.run_state(), game.machine.engine.frame_number()), (RunState::Running, 12));

    let mut game = Game::new("emu.pause() while true do emu.frameadvance() end");
    game.frames(1);
    game.machine.command(Command::Resume);
    game.frames(3);
    assert_eq!((game.run_state(), game.machine.script.status().unwrap().paused), (RunState::Running, false));
}

#[test]
fn a_script_sets_the_pace_until_it_ends() {
    let source = "emu.speedmode('turbo') for i = 1, 5 do emu.frameadvance() end
        emu.speedmode('normal') for i = 1, 5 do emu.frameadvance() end emu.speedmode('maximum') emu.frameadvance()";
    let mut game = Game::new(source);
    game.frames(1);
    assert_eq!(game.run_state(), RunState::FastForward);
    game.machine.command(Command::Pause);
    game.machine.command(Command::Resume);
    assert_eq!(game.run_state(), RunState::FastForward, "a pause does not end it");
    game.frames(5);
    assert_eq!(game.run_state(), RunState::Running);
    game.frames(5);
    assert_eq!(game.run_state(), RunState::FastForward);
    game.frames(1);
    assert_eq!(
        (game.run_state(), game.said(MessageKind::Note).as_str()),
        (RunState::Running, "test.lua has ended")
    );
}

#[test]
fn states_of_a_script_bring_the_game_back_and_end_a_movie_that_is_recorded() {
    let source = "
        local state = savestate.create()
        for i = 1, 20 do emu.frameadvance() end
        savestate.save(state)
        for i = 1, 20 do emu.frameadvance() end
        savestate.load(state)
        while true do emu.frameadvance() end";
    let mut game = Game::new(source);
    let movie = game.folder.path().join("a.fm2");
    game.machine.command(Command::Record(Recording::Movie, movie.clone()));
    game.frames(41);
    assert_eq!(game.machine.engine.frame_number(), 21);
    assert!(game.said(MessageKind::Warning).contains("the movie ends here"));
    assert_eq!(Movie::parse(&fs::read(movie).unwrap()).unwrap().frames.len(), 41);
    let another = game.folder.path().join("b.fm2");
    game.machine.command(Command::ContinueMovie(another));
    assert!(game.said(MessageKind::Error).contains("record one from power-on"));
    assert!(game.machine.engine.movie.log().is_empty(), "buttons alone do not lead here");
}

#[test]
fn what_a_script_has_for_its_end_is_called_when_it_is_stopped_and_when_the_cartridge_goes() {
    let source = "emu.registerexit(function() print('good bye') end) while true do emu.frameadvance() end";
    let mut game = Game::new(source);
    game.frames(3).command(ScriptCommand::Stop);
    assert_eq!((game.script_says().as_str(), game.machine.script.live.is_none()), ("good bye", true));
    game.command(ScriptCommand::Reload);
    game.frames(3);
    assert_eq!(game.said(MessageKind::Note), "running test.lua");
    game.machine.command(Command::Insert("other".into(), IMAGE.to_vec()));
    assert!(game.machine.script.live.is_none());
    assert!(game.said(MessageKind::Note).contains("was stopped because the cartridge changed"));
    game.frames(3);
    assert_eq!(game.machine.engine.frame_number(), 3);
}

#[test]
fn a_script_keeps_files_in_a_folder_of_its_own_and_sees_keys_and_pointer() {
    let source = "
        gui.savescreenshotas('shot.png')
        emu.frameadvance()
        local input = input.get()
        print(input.xmouse, input.ymouse, input.leftclick, input.X, input.space)";
    let mut game = Game::new(source);
    game.shared.host_input().pointer = (12, 34);
    game.shared.host_input().click(winit::event::MouseButton::Left, true);
    game.shared.host_input().key(winit::keyboard::KeyCode::KeyX, true);
    game.frames(2);
    assert_eq!(game.script_says(), "12 34 true true nil");
    assert!(game.folder.path().join("scripts/shot.png").exists(), "{}", game.said(MessageKind::Error));
}

#[test]
fn without_a_file_there_is_nothing_to_run() {
    let mut game = Game::new("");
    game.machine.script.path = None;
    game.command(ScriptCommand::Reload);
    assert!(game.said(MessageKind::Error).contains("no script has been run yet"));
    game.command(ScriptCommand::Run("no/such/file.lua".into()));
    assert!(game.said(MessageKind::Error).contains("no/such/file.lua"));
}
