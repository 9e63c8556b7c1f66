use emulator::RewindLimits;
use nes::apu::Channel;

use super::source::{SourcePlace, SourceView};
use super::*;
use crate::Pieces;

/// The built-in cartridge and its labels.
const IMAGE: &[u8] = include_bytes!("../../../../roms/maxout.nes");
const LABELS: &str = include_str!("../../../../roms/maxout.lbl");

fn config() -> Config {
    Config { sample_rate: Some(crate::SAMPLE_RATE), ..Config::default() }
}

fn console(frames: u32) -> Console {
    let mut console = Console::new(Cartridge::from_bytes(IMAGE).unwrap(), config());
    for _ in 0..frames {
        let _ = console.run_frame(&mut [Buttons::empty(); 2], &mut ());
    }
    console.clear_samples();
    console
}

/// An engine with the debugger attached.
struct Rig {
    engine: Emulator,
    session: DebugSession,
}

impl Rig {
    /// Attached after so many frames.
    fn new(frames: u32) -> Self {
        let mut rig = Self::with(|_| {});
        rig.session.detach(&rig.engine);
        for _ in 0..frames {
            rig.engine.frame(&mut [Buttons::empty(); 2], Attached::default());
        }
        rig.session.attach(&mut rig.engine);
        rig
    }

    /// Attached from the beginning.
    fn with(change: impl FnOnce(&mut Emulator)) -> Self {
        let mut rig = Self::of(IMAGE, Some(LABELS));
        change(&mut rig.engine);
        rig.session.attach(&mut rig.engine);
        rig
    }

    /// On a cartridge with its labels, not attached yet.
    fn of(image: &[u8], labels: Option<&str>) -> Self {
        let cartridge = Cartridge::from_bytes(image).unwrap();
        let engine = Emulator::new(cartridge, config(), RewindLimits::default());
        let profile = Profile::of_image(image);
        let session = DebugSession::new(image, profile, labels, config(), Palette::ntsc()).unwrap();
        Self { engine, session }
    }

    /// Runs a frame, or what is left of one. Returns whether it was not stopped.
    fn frame(&mut self, mut held: [Buttons; 2]) -> bool {
        let attached = Attached { script: None, debugger: Some(self.session.debugger()) };
        let FrameOutcome { stop, .. } = self.engine.frame(&mut held, attached);
        self.session.ran(&mut self.engine, stop.as_ref());
        stop.is_none()
    }

    fn command(&mut self, line: &str) -> CommandOutcome {
        let mut frames = EngineFrames {
            engine: &mut self.engine,
            script: None,
            pads: Held::default,
            goes_on: &|| true,
            drawn: None,
            movie_ended: false,
        };
        self.session.command(line, &mut frames)
    }

    /// Carries out a line, which works.
    fn tell(&mut self, line: &str) -> CommandOutcome {
        let outcome = self.command(line);
        let (source, text) = self.session.log.back().unwrap();
        assert!(*source != LogSource::Error && !outcome.quits, "{line}: {text}");
        outcome
    }

    fn snapshot(&mut self) -> DebugSnapshot {
        self.session.snapshot(&mut self.engine)
    }

    fn said(&mut self) -> String {
        self.snapshot().log.iter().map(|(_, line)| line.as_str()).collect::<Vec<_>>().join("\n")
    }

    fn is_armed(&self) -> bool {
        self.session.is_armed(self.engine.state())
    }
}

fn all_panels() -> PanelState {
    PanelState { panels: Panel::ALL.to_vec(), ..PanelState::default() }
}

#[test]
fn frames_under_the_debugger_are_the_consoles_own_and_sound_like_them() {
    let (mut alone, mut rig) = (console(100), Rig::new(100));
    let mut loudest = 0.0_f32;
    for frame in 0..400_u32 {
        let held = [if frame % 20 == 0 { Buttons::START } else { Buttons::DOWN }, Buttons::empty()];
        alone.clear_samples();
        let _ = alone.run_frame(&mut held.clone(), &mut ());
        assert!(rig.frame(held));
        assert_eq!(alone.samples(), rig.engine.sound(), "frame {frame}");
        loudest = alone.samples().iter().fold(loudest, |loudest, sample| loudest.max(sample.abs()));
    }
    assert!(*rig.engine.state() == alone);
    assert!(loudest > 0.02, "nothing is heard");
}

#[test]
fn a_muted_channel_is_not_heard_under_the_debugger_either() {
    let mut rig = Rig::with(|engine| engine.mute(&Channel::ALL));
    for frame in 0..300 {
        let held = [if frame % 20 == 0 { Buttons::START } else { Buttons::empty() }, Buttons::empty()];
        assert!(rig.frame(held));
        // The console wakes up with all channels on, each to its first change; the click is over in
        // some milliseconds.
        assert!(frame < 30 || rig.engine.sound().iter().all(|&sample| sample == 0.0), "frame {frame}");
    }
}

#[test]
fn other_pieces_come_under_the_debugger_too_by_frames_and_by_steps() {
    use autopilot::Substitution;
    use tetris::{Piece, View};
    let profile = Profile::of_image(IMAGE).unwrap();
    let pieces = || Substitution::new(profile.clone(), core::iter::repeat(Piece::I));
    let (mut console, mut dealt) = (console(0), pieces());
    let mut rig = Rig::with(|engine| engine.set_pieces(Some(Pieces::new(pieces(), "I"))));
    for frame in 0..1200_u32 {
        let playing = View::new(&profile.as_mapped(console.ram())).in_game();
        let start = if frame % 20 == 0 { Buttons::START } else { Buttons::empty() };
        // Held on from one piece to the next, down does nothing.
        let down = if frame % 32 < 24 { Buttons::DOWN } else { Buttons::empty() };
        let held = [if playing { down } else { start }, Buttons::empty()];
        let _ = console.run_frame(&mut held.clone(), &mut dealt);
        assert!(rig.frame(held));
    }
    assert!(*rig.engine.state() == console);
    let counts = |rig: &Rig| View::new(&profile.as_mapped(rig.engine.state().ram())).piece_counts();
    let before = counts(&rig);
    assert!(before[6] >= 3 && before[..6].iter().all(|&count| count == 0), "{before:?}");
    rig.tell("back 100 frames");
    rig.tell("break lock log");
    rig.tell("hold down");
    rig.tell("step 1200 frames");
    let after = counts(&rig);
    assert!(after[6] > before[6] && after[..6].iter().all(|&count| count == 0), "{after:?}");
    assert_eq!(rig.engine.movie.frame(), rig.engine.frame_number());
}

#[test]
fn a_breakpoint_stops_a_frame_and_says_so_and_what_was_remembered_is_there_when_it_is_attached_again() {
    let mut rig = Rig::new(10);
    let none = [Buttons::empty(); 2];
    rig.tell("break nmi");
    assert!(rig.is_armed());
    assert!(!rig.frame(none));
    assert!(rig.said().contains("breakpoint 1"), "{}", rig.said());
    assert_eq!((rig.engine.frame_number(), rig.engine.movie.frame()), (10, 10), "the frame is not over");
    rig.tell("disable 1");
    assert!(!rig.is_armed());
    assert!((0..3).all(|_| rig.frame(none)));
    assert!(*rig.engine.state() == console(13));
    rig.session.detach(&rig.engine);
    rig.session.attach(&mut rig.engine);
    rig.session.set_panel_state(all_panels());
    let snapshot = rig.snapshot();
    assert_eq!(snapshot.breakpoints.len(), 2, "that on a crash and the other: {snapshot:?}");
    rig.tell("back 2 frames");
    assert_eq!(
        (rig.engine.frame_number(), rig.engine.movie.frame()),
        (11, 11),
        "what was remembered is lost"
    );
    assert!(rig.command("quit").quits);
}

#[test]
fn a_frame_that_was_stopped_goes_on_without_the_debugger_and_is_the_same() {
    let mut rig = Rig::new(10);
    rig.tell("break line 100");
    assert!(!rig.frame([Buttons::A; 2]));
    rig.session.detach(&rig.engine);
    // The buttons are those with which it began.
    rig.engine.frame(&mut [Buttons::B; 2], Attached::default());
    let mut alone = console(10);
    let _ = alone.run_frame(&mut [Buttons::A; 2], &mut ());
    assert!(*rig.engine.state() == alone);
    assert_eq!(rig.engine.movie.log()[10].pads, [Buttons::A; 2]);
    assert_eq!(rig.engine.rewind().len(), 11);
}

#[test]
fn the_engine_goes_back_with_the_debugger_and_on_from_there() {
    let mut rig = Rig::new(10);
    let held = |frame: u64| [Buttons::from_bits_retain((frame * 37) as u8 & 0xCF), Buttons::empty()];
    let mut states = vec![];
    for frame in 10..60 {
        states.push(rig.engine.save());
        assert!(rig.frame(held(frame)));
    }
    let there = rig.engine.save();
    let log = rig.engine.movie.log().to_vec();
    for line in ["back 20 frames", "back 1000", "back 2 lines", "back until frame == 30", "back 3 nmi"] {
        let outcome = rig.tell(line);
        assert!(outcome.moved && outcome.edited.is_none(), "{line}");
        let frame = rig.engine.frame_number();
        assert_eq!(rig.engine.movie.log(), &log[..frame as usize], "{line}");
        assert_eq!(rig.engine.rewind().len() as u64, frame, "{line}");
        assert!(
            rig.engine.save() == states[frame as usize - 10],
            "{line}: the state of the frame's beginning"
        );
        let mut other = rig.engine.clone();
        for frame in frame..60 {
            other.frame(&mut held(frame), Attached::default());
        }
        assert!(other.save() == there && other.movie.log() == log, "{line}");
    }
    let frame = rig.engine.frame_number();
    assert!(rig.engine.step_back());
    assert!(rig.engine.save() == states[frame as usize - 10], "to the beginning of the frame under way");
}

#[test]
fn what_is_frozen_or_changed_in_the_program_keeps_the_debugger_attached() {
    let mut rig = Rig::new(100);
    let none = [Buttons::empty(); 2];
    assert!(!rig.is_armed());
    rig.tell("freeze das = 16");
    assert!(rig.is_armed() && rig.frame(none) && rig.frame(none));
    assert!(rig.engine.follow(rig.session.debugger(), 102).is_some(), "no movie can say that");
    rig.tell("thaw");
    assert!(!rig.is_armed());
    assert!(rig.tell("set prg[0] = prg[0] ^ 0xFF").edited.is_some(), "nor that");
    assert!(rig.is_armed());
    rig.session.set_panel_state(all_panels());
    let (count, edits) = rig.snapshot().edits;
    assert_eq!((count, edits.len(), edits[0].0), (1, 1, 0));
}

#[test]
fn a_look_alone_leaves_the_console_where_it_is() {
    let mut rig = Rig::new(100);
    let before = rig.engine.state().save();
    rig.session.set_panel_state(all_panels());
    rig.tell("break write das");
    rig.tell("step 3");
    rig.tell("back 3");
    let _ = rig.snapshot();
    assert!(rig.engine.state().save() == before);
    assert_eq!(rig.engine.rewind().len(), 100);
}

#[test]
fn a_movie_goes_on_under_the_debugger() {
    use nes::fm2::{FrameInput, Movie};
    let held = |frame: u32| [if frame % 20 < 10 { Buttons::START } else { Buttons::DOWN }, Buttons::empty()];
    let frames: Vec<_> =
        (0..500).map(|frame| FrameInput { pads: held(frame), ..FrameInput::default() }).collect();
    let movie = Movie { frames: frames.clone(), ..Movie::default() };
    let (mut alone, mut rig) = (console(0), Rig::with(|engine| engine.movie.play(movie)));
    for frame in 0..300 {
        let _ = alone.run_frame(&mut held(frame), &mut ());
        assert!(rig.frame([Buttons::all(); 2]));
    }
    rig.tell("back 70 frames");
    rig.tell("step 70 frames");
    assert!(*rig.engine.state() == alone);
    assert_eq!(rig.engine.movie.log(), &frames[..300]);
    assert!(rig.engine.movie.progress().is_some_and(|movie| movie.length == Some(500)), "it plays no longer");
}

#[test]
fn what_cannot_be_done_is_said_as_an_error() {
    let mut rig = Rig::new(1);
    assert!(!rig.command("brake nmi").quits);
    let (source, text) = rig.snapshot().log.last().cloned().unwrap();
    assert!(source == LogSource::Error && text.contains("break"), "{text}");
    assert!(DebugSession::new(b"no image", None, None, config(), Palette::ntsc()).is_err());
    rig.session.set_panel_state(PanelState { ask: Some("levl".into()), ..PanelState::default() });
    let snapshot = rig.snapshot();
    assert!(snapshot.answer.is_some_and(|(asked, answer)| asked == "levl" && answer.is_none()));
    assert!(rig.said().contains("level is one"), "{}", rig.said());
}

#[test]
fn the_papers_have_what_every_open_panel_shows_and_nothing_of_the_others() {
    let mut rig = Rig::new(700);
    rig.tell("step 5 frames");
    for line in ["search new", "watch frame", "freeze das = 3", "break reset", "step 3"] {
        rig.tell(line);
    }
    let snapshot = rig.snapshot();
    assert!(
        snapshot.registers.contains("PC") && !snapshot.registers.contains('\n'),
        "{}",
        snapshot.registers
    );
    assert!(snapshot.code.is_empty() && snapshot.pictures.is_empty() && snapshot.texts.is_empty());
    rig.session.set_panel_state(PanelState {
        memory: Space::Ppu,
        byte: 0x3F00,
        ask: Some("@das".into()),
        ..all_panels()
    });
    let snapshot = rig.snapshot();
    assert_eq!(snapshot.code.iter().filter(|line| line.is_next).count(), 1);
    assert!(!snapshot.calls.is_empty());
    let memory = snapshot.memory.unwrap();
    assert_eq!((memory.space, memory.bytes.len(), memory.name.as_str()), (Space::Ppu, 0x4000, "ppu[$3F00]"));
    assert_eq!(snapshot.watches.len(), 1);
    assert_eq!(snapshot.search.map(|(count, found)| (count, found.len())), Some((0x800, 256)));
    assert_eq!(snapshot.frozen.len(), 1);
    assert!(snapshot.accesses.len() > 10);
    assert_eq!(snapshot.answer, Some(("@das".into(), Some(0x66))));
    for panel in
        [Panel::Events, Panel::Patterns, Panel::Nametables, Panel::Sprites, Panel::Palettes, Panel::Sound]
    {
        assert!(snapshot.pictures.contains_key(&panel), "{panel:?}");
    }
    for panel in [Panel::Game, Panel::Profile, Panel::Sound, Panel::Sprites, Panel::Palettes] {
        assert!(snapshot.texts.get(&panel).is_some_and(|text| text.len() > 20), "{panel:?}");
    }
    let reset = rig.engine.state().peek(0xFFFC);
    rig.session.set_panel_state(PanelState {
        code: Some(u16::from_le_bytes([reset, rig.engine.state().peek(0xFFFD)])),
        ..all_panels()
    });
    let snapshot = rig.snapshot();
    assert_eq!(snapshot.code[0].breakpoint, Some((1, true)), "{:?}", snapshot.code[0]);
}

#[test]
fn bytes_that_changed_since_the_machine_last_moved_can_be_told() {
    let mut rig = Rig::new(300);
    rig.session.set_panel_state(all_panels());
    let _ = rig.snapshot();
    rig.tell("step frame");
    let memory = rig.snapshot().memory.unwrap();
    let changed = |memory: &MemoryView| {
        memory.bytes.iter().zip(memory.before.iter()).filter(|(now, then)| now != then).count()
    };
    assert!(changed(&memory) > 0 && memory.bytes.len() == memory.before.len());
    // Another look at the same moment compares with the same moment before.
    assert_eq!(changed(&rig.snapshot().memory.unwrap()), changed(&memory));
    rig.session.set_panel_state(PanelState { memory: Space::Oam, ..all_panels() });
    assert!(rig.snapshot().memory.unwrap().before.is_empty(), "another memory has no before");
}

const SOURCES: [(&str, &str); 4] = [
    ("main.c", include_str!("../../../../roms/homebrew/main.c")),
    ("ball.c", include_str!("../../../../roms/homebrew/ball.c")),
    ("score.c", include_str!("../../../../roms/homebrew/score.c")),
    ("start.s", include_str!("../../../../roms/homebrew/start.s")),
];

/// A program in C, with its debug file in a folder of the project's.
fn homebrew() -> Rig {
    let folder = tempfile::tempdir().unwrap();
    let debug_file = folder.path().join("build/game.dbg");
    std::fs::create_dir(folder.path().join("build")).unwrap();
    std::fs::write(&debug_file, include_str!("../../../../roms/homebrew.dbg")).unwrap();
    for (name, text) in SOURCES.iter().filter(|(name, _)| *name != "ball.c") {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    let mut rig = Rig::of(include_bytes!("../../../../roms/homebrew.nes"), None);
    rig.session.load_debug_file(&debug_file);
    rig.session.attach(&mut rig.engine);
    rig.session.set_panel_state(all_panels());
    rig
}

#[test]
fn the_source_is_shown_beside_the_code_with_what_comes_next_and_breakpoints_of_lines() {
    let mut rig = homebrew();
    assert!(rig.said().contains("game.dbg: 3 of "), "{}", rig.said());
    rig.tell("break score.c:18");
    rig.tell("run 600");
    let snapshot = rig.snapshot();
    let view = &snapshot.source;
    let line = view.name(view.line);
    assert_eq!((line.as_deref(), view.next), (Some("score.c:18"), Some(18)));
    assert_eq!(view.text.as_ref().map(|text| text.len()), Some(SOURCES[2].1.lines().count()));
    assert_eq!(view.breakpoints.get(&18), Some(&(1, true)));
    assert!(view.code.contains_key(&17) && !view.code.contains_key(&1), "{:?}", view.code);
    // The code has the lines between its instructions, and the panel of variables the function's.
    let marked: Vec<_> = snapshot.code.iter().filter_map(|line| line.source.as_deref()).collect();
    assert!(marked.iter().any(|line| line.starts_with("score.c:18  ")), "{marked:?}");
    assert!(snapshot.texts[&Panel::Locals].contains("add_points  score.c:18"), "{:?}", snapshot.texts);
    // Lines forth and back, and into the function that the line calls.
    for (command, line) in
        [("step source", "score.c:10"), ("out", "score.c:18"), ("back source", "score.c:18")]
    {
        rig.tell(command);
        let view = rig.snapshot().source;
        assert_eq!(view.name(view.next.unwrap_or(0)).as_deref(), Some(line), "{command}");
    }
    rig.tell("disable 1");
    assert_eq!(rig.snapshot().source.breakpoints.get(&18), Some(&(1, false)));
}

#[test]
fn the_source_panel_goes_to_lines_and_to_code_and_says_what_is_missing() {
    let mut rig = homebrew();
    let files = rig.snapshot().source.files;
    let file = |name: &str| files.iter().position(|file| file == name).unwrap();
    let show = |rig: &mut Rig, source: SourcePlace| {
        rig.session.set_panel_state(PanelState { source, ..all_panels() });
        rig.snapshot().source
    };
    let main = show(&mut rig, SourcePlace::Line(file("main.c"), 5));
    assert_eq!((main.file, main.line), (Some(file("main.c")), 5));
    let address = main.code[&11];
    let back = show(&mut rig, SourcePlace::Code(address));
    assert_eq!((back.file, back.line), (Some(file("main.c")), 11));
    let missing = show(&mut rig, SourcePlace::Line(file("ball.c"), 3));
    assert!(missing.text.is_none() && missing.file.is_some(), "its file is not there");
    assert_eq!(show(&mut rig, SourcePlace::Line(99, 3)).file, None);
    assert_eq!(show(&mut rig, SourcePlace::Code(0x0200)).file, None);
    // Without a debug file there is nothing, and one that is none is said.
    let mut rig = Rig::new(1);
    rig.session.set_panel_state(all_panels());
    assert_eq!(rig.snapshot().source, SourceView::default());
    let folder = tempfile::tempdir().unwrap();
    rig.session.load_debug_file(&folder.path().join("none.dbg"));
    std::fs::write(folder.path().join("bad.dbg"), "no debug file").unwrap();
    rig.session.load_debug_file(&folder.path().join("bad.dbg"));
    let snapshot = rig.snapshot();
    let errors = snapshot.log.iter().filter(|(source, _)| *source == LogSource::Error);
    assert_eq!(errors.count(), 2, "{:?}", snapshot.log);
}
