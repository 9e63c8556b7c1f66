use std::cell::RefCell;
use std::path::Path;

use nes::{Buttons, Cartridge};

use super::*;
use crate::debugger::{Panel, PanelState};
use crate::messages::command::Recording;
use crate::messages::handle::Shared;
use crate::{Command, Options};

/// The built-in cartridge.
const IMAGE: &[u8] = include_bytes!("../../../../../../roms/maxout.nes");

/// A machine without a window, and what it told.
struct Rig<'a, F> {
    machine: Machine<F>,
    told: &'a RefCell<Vec<Notice>>,
}

fn rig<'a>(
    told: &'a RefCell<Vec<Notice>>,
    change: &dyn Fn(&mut Options),
) -> Rig<'a, impl Fn(Notice) + use<'a>> {
    let mut options = Options::new("game", IMAGE.to_vec());
    change(&mut options);
    let cartridge = Cartridge::from_bytes(&options.image).unwrap();
    let tell = |notice| told.borrow_mut().push(notice);
    Rig { machine: Machine::new(cartridge, &options, Arc::new(Shared::new()), tell), told }
}

impl<F: Fn(Notice)> Rig<'_, F> {
    fn order(&mut self, order: DebugCommand) {
        self.machine.command(Command::Debug(order));
    }

    fn say(&mut self, line: &str) {
        self.order(DebugCommand::Execute(line.into()));
    }

    /// Records a movie and the sound.
    fn record(&mut self, path: &Path) {
        self.machine.command(Command::Record(Recording::Movie, path.with_extension("fm2")));
        self.machine.command(Command::Record(Recording::Wave, path.with_extension("wav")));
    }

    /// So many frames, with Start pressed now and then.
    fn frames(&mut self, count: u64) {
        for _ in 0..count {
            let frame = self.frame_number();
            let held = if frame.is_multiple_of(20) { Buttons::START } else { Buttons::DOWN };
            self.machine.shared.input.hold(0, held);
            self.machine.frame();
        }
    }

    fn frame_number(&self) -> u64 {
        match self.machine.debugger.as_ref().filter(|session| session.has_console()) {
            Some(session) => session.console().frame_number(),
            None => self.machine.engine.frame_number(),
        }
    }

    fn is_open(&self) -> bool {
        self.machine.shared.status().debugger.is_some()
    }

    fn final_messages(&self) -> String {
        self.machine.shared.status().messages.back().map_or_else(String::new, |last| last.text.clone())
    }
}

#[test]
fn breakpoints_stay_when_the_panels_are_closed_and_a_hit_opens_them_again() {
    let told = RefCell::default();
    let mut rig = rig(&told, &|_| {});
    rig.frames(10);
    rig.order(DebugCommand::Open);
    assert!(rig.is_open() && rig.machine.run_state() == RunState::Paused);
    rig.say("break nmi after 5");
    assert_eq!(rig.machine.run_state(), RunState::Paused);
    rig.order(DebugCommand::Close);
    assert!(!rig.is_open() && rig.machine.is_under_debugger());
    assert_eq!(rig.machine.run_state(), RunState::Running, "it goes on as before");
    rig.frames(4);
    assert!(!rig.is_open());
    rig.told.borrow_mut().clear();
    rig.frames(2);
    assert!(rig.is_open() && rig.machine.run_state() == RunState::Paused, "{}", rig.frame_number());
    assert!(rig.told.borrow().contains(&Notice::Status), "the interface is not told");
    rig.say("delete all");
    rig.order(DebugCommand::Close);
    assert!(!rig.machine.is_under_debugger(), "nothing is in force any more");
    rig.order(DebugCommand::Open);
    rig.say("break nmi");
    rig.say("run");
    assert_eq!(rig.machine.run_state(), RunState::Running);
    rig.order(DebugCommand::Stop);
    assert_eq!(rig.machine.run_state(), RunState::Paused);
}

#[test]
fn a_game_that_went_through_the_debugger_is_the_one_that_did_not_movie_and_sound_included() {
    let folder = tempfile::tempdir().unwrap();
    let [there, here] = ["there", "here"].map(|name| folder.path().join(name));
    let (told, other) = (RefCell::default(), RefCell::default());
    let mut plain = rig(&told, &|_| {});
    let mut debugged = rig(&other, &|_| {});
    plain.record(&there);
    debugged.record(&here);
    plain.frames(600);
    debugged.frames(200);
    debugged.order(DebugCommand::Open);
    debugged.say("break write 0xFFFF");
    debugged.frames(150);
    debugged.order(DebugCommand::Close);
    debugged.frames(150);
    debugged.order(DebugCommand::Open);
    debugged.say("back 40 frames");
    debugged.frames(40);
    debugged.say("delete all");
    debugged.order(DebugCommand::Close);
    debugged.frames(100);
    assert!(debugged.machine.engine.save() == plain.machine.engine.save());
    assert!(debugged.machine.engine.movie.is_recording());
    plain.machine.finish_recordings();
    debugged.machine.finish_recordings();
    let movies = [&there, &here]
        .map(|path| crate::emulation::movie::read(&path.with_extension("fm2")).unwrap().frames);
    let others: Vec<_> = (0..600).filter(|&frame| movies[0].get(frame) != movies[1].get(frame)).collect();
    for path in [&there, &here] {
        let told = RefCell::default();
        let mut replay = rig(&told, &|_| {});
        replay.machine.command(Command::PlayMovie(path.with_extension("fm2")));
        (0..600).for_each(|_| replay.machine.frame());
        let same = replay.machine.engine.save() == plain.machine.engine.save();
        assert!(same, "{} goes another way; frames {others:?} differ", path.display());
    }
    let length = |path: &Path| std::fs::metadata(path.with_extension("wav")).unwrap().len();
    // Forty frames are heard twice.
    let (there, here) = (length(&there) / 600, length(&here) / 640);
    assert!(there.abs_diff(here) <= 4, "{there} bytes a frame, and {here}");
}

#[test]
fn what_no_buttons_do_ends_the_recording_of_a_movie() {
    let folder = tempfile::tempdir().unwrap();
    let told = RefCell::default();
    let mut rig = rig(&told, &|_| {});
    rig.machine.command(Command::Record(Recording::Movie, folder.path().join("a.fm2")));
    rig.frames(100);
    rig.order(DebugCommand::Open);
    rig.say("set [0x44] = 9");
    rig.order(DebugCommand::Close);
    assert!(!rig.machine.engine.movie.is_recording() && rig.machine.engine.movie.has_diverged());
    assert!(rig.final_messages().contains("a.fm2"), "{}", rig.final_messages());
    assert_eq!(rig.machine.engine.console().peek(0x44), 9);
}

#[test]
fn a_look_takes_nothing_from_the_way_back() {
    let told = RefCell::default();
    let mut rig = rig(&told, &|_| {});
    rig.frames(100);
    rig.order(DebugCommand::Open);
    let panels = Panel::ALL.map(|(panel, _)| panel).to_vec();
    rig.order(DebugCommand::Show(Box::new(PanelState { panels, ..PanelState::default() })));
    assert!(rig.machine.shared.status().debugger.as_ref().is_some_and(|snapshot| snapshot.memory.is_some()));
    rig.order(DebugCommand::Close);
    assert_eq!(rig.machine.engine.rewind().len(), 100);
}

#[test]
fn slots_and_cartridges_are_changed_under_the_debugger() {
    let folder = tempfile::tempdir().unwrap();
    let told = RefCell::default();
    let mut rig = rig(&told, &|options| options.states = Some(folder.path().to_owned()));
    rig.frames(50);
    rig.order(DebugCommand::Open);
    rig.say("break write 0xFFFF");
    rig.frames(10);
    rig.machine.command(Command::SaveSlot(1));
    assert!(rig.machine.is_under_debugger() && rig.is_open());
    rig.frames(10);
    rig.say("back 15 frames");
    assert_eq!(rig.frame_number(), 55, "saving has forgotten the past");
    rig.machine.command(Command::LoadSlot(1));
    assert_eq!(rig.frame_number(), 60);
    assert!(rig.is_open() && rig.machine.debugger.as_ref().is_some_and(|session| session.is_armed()));
    rig.machine.command(Command::Reset);
    rig.machine.command(Command::Insert("other".into(), IMAGE.to_vec()));
    assert!(rig.machine.is_under_debugger() && rig.frame_number() == 0, "the same cartridge, switched on");
    let mut other = IMAGE.to_vec();
    other[0x20] ^= 0xFF;
    rig.machine.command(Command::Insert("other".into(), other));
    assert!(!rig.is_open() && rig.machine.debugger.is_none(), "those were the other program's breakpoints");
    assert_eq!(rig.machine.run_state(), RunState::Running);
}

#[test]
fn the_computer_plays_on_under_the_debugger() {
    let (told, other) = (RefCell::default(), RefCell::default());
    let (mut plain, mut debugged) = (rig(&told, &|_| {}), rig(&other, &|_| {}));
    for _ in 0..2 {
        plain.machine.command(Command::LetComputerPlay(true));
        debugged.machine.command(Command::LetComputerPlay(true));
        plain.frames(300);
        debugged.order(DebugCommand::Open);
        debugged.say("break write 0xFFFF");
        debugged.frames(150);
        debugged.order(DebugCommand::Close);
        debugged.frames(150);
        debugged.machine.detach_debugger();
    }
    assert!(debugged.machine.engine.save() == plain.machine.engine.save());
}
