use super::*;

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

fn session(frames: u32) -> DebugSession {
    let mut session = DebugSession::new(IMAGE, Some(LABELS), config(), Palette::ntsc()).unwrap();
    let console = console(frames);
    session.borrow(&console.save(), console.picture(), None, None).unwrap();
    session
}

fn all_panels() -> PanelState {
    PanelState { panels: Panel::ALL.map(|(panel, _)| panel).to_vec(), ..PanelState::default() }
}

/// From the lowest sample to the highest.
fn swing(samples: &[f32]) -> f32 {
    let least = samples.iter().copied().fold(f32::MAX, f32::min);
    let most = samples.iter().copied().fold(f32::MIN, f32::max);
    (most - least).max(0.0)
}

fn frame(session: &mut DebugSession) -> bool {
    session.frame(&[], || [Buttons::empty(); 2])
}

fn said(session: &mut DebugSession) -> String {
    session.snapshot().log.iter().map(|(_, line)| line.as_str()).collect::<Vec<_>>().join("\n")
}

fn tell(session: &mut DebugSession, line: &str) {
    assert!(session.command(line, &mut |_| true), "{line} was not to quit");
    let (source, text) = session.log.back().unwrap();
    assert!(*source != LogSource::Error, "{line}: {text}");
}

#[test]
fn frames_under_the_debugger_are_the_consoles_own_and_sound_like_them() {
    let (mut alone, mut session) = (console(100), session(100));
    let mut loudest = 0.0_f32;
    for frame in 0..400_u32 {
        let held = [if frame % 20 == 0 { Buttons::START } else { Buttons::DOWN }, Buttons::empty()];
        alone.clear_samples();
        let _ = alone.run_frame(&mut held.clone(), &mut ());
        assert!(session.frame(&[], || held));
        let (own, ours) = (alone.samples(), session.sound());
        assert!(own.len().abs_diff(ours.len()) <= 1, "frame {frame}: {} and {}", own.len(), ours.len());
        if frame > 60 {
            let far = (swing(own) - swing(ours)).abs();
            assert!(far < 0.02 + 0.1 * swing(own), "frame {frame}: {} and {}", swing(own), swing(ours));
            loudest = loudest.max(swing(ours));
        }
    }
    assert!(session.console().save() == alone.save());
    assert!(loudest > 0.02, "nothing is heard");
}

#[test]
fn a_muted_channel_is_not_heard_under_the_debugger_either() {
    let mut session = session(100);
    let mut loudest = |muted: &[Channel], frames: u32| {
        let mut loudest = 0.0_f32;
        for frame in 0..frames {
            let held = [if frame % 20 == 0 { Buttons::START } else { Buttons::empty() }, Buttons::empty()];
            assert!(session.frame(muted, || held));
            if frame > 120 {
                loudest = loudest.max(swing(session.sound()));
            }
        }
        loudest
    };
    let all = loudest(&[], 300);
    let none = loudest(&Channel::ALL, 300);
    assert!(all > 0.02 && none < all / 4.0, "{all} with all channels, {none} with none");
}

#[test]
fn other_pieces_come_under_the_debugger_too_by_frames_and_by_steps() {
    use tetris::{Piece, View};
    let profile = Profile::of_image(IMAGE, "", "").unwrap();
    let pieces = || Substitution::new(profile.clone(), core::iter::repeat(Piece::I));
    let mut console = console(0);
    let mut dealt = pieces();
    dealt.meet(&console);
    let mut session = DebugSession::new(IMAGE, Some(LABELS), config(), Palette::ntsc()).unwrap();
    session.borrow(&console.save(), console.picture(), Some(pieces()), None).unwrap();
    for frame in 0..1200_u32 {
        let playing = View::new(&profile.as_mapped(console.ram())).in_game();
        let start = if frame % 20 == 0 { Buttons::START } else { Buttons::empty() };
        // Held on from one piece to the next, down does nothing.
        let down = if frame % 32 < 24 { Buttons::DOWN } else { Buttons::empty() };
        let mut held = [if playing { down } else { start }, Buttons::empty()];
        dealt.run_frame(&mut console, &mut held);
        assert!(session.frame(&[], || held));
    }
    assert!(session.console().save() == console.save());
    let counts =
        |session: &DebugSession| View::new(&profile.as_mapped(session.console().ram())).piece_counts();
    let before = counts(&session);
    assert!(before[6] >= 3 && before[..6].iter().all(|&count| count == 0), "{before:?}");
    tell(&mut session, "back 100 frames");
    tell(&mut session, "break lock log");
    tell(&mut session, "hold down");
    tell(&mut session, "step 1200 frames");
    let after = counts(&session);
    assert!(after[6] > before[6] && after[..6].iter().all(|&count| count == 0), "{after:?}");
}

#[test]
fn a_breakpoint_stops_a_frame_and_says_so_and_is_there_when_the_console_comes_back() {
    let mut session = session(10);
    tell(&mut session, "break nmi");
    assert!(session.is_armed());
    assert!(!frame(&mut session));
    assert!(said(&mut session).contains("breakpoint 1"), "{}", said(&mut session));
    tell(&mut session, "disable 1");
    assert!(!session.is_armed());
    assert!((0..3).all(|_| frame(&mut session)));
    let (state, way) = session.give_back().unwrap();
    assert!(!session.has_console() && way.faithful && way.held.len() == 3, "{way:?}");
    let mut console = console(0);
    console.load(&state).unwrap();
    session.borrow(&state, console.picture(), None, None).unwrap();
    session.set_panel_state(all_panels());
    let snapshot = session.snapshot();
    assert_eq!(snapshot.breakpoints.len(), 1, "{snapshot:?}");
    tell(&mut session, "back 2 frames");
    assert!(session.console().frame_number() == 11, "what was remembered is lost");
    assert!(!session.command("quit", &mut |_| true), "it was to quit");
}

#[test]
fn what_is_frozen_or_changed_in_the_program_keeps_the_console_under_the_debugger() {
    let mut session = session(100);
    assert!(!session.is_armed());
    tell(&mut session, "freeze das = 16");
    assert!(session.is_armed() && frame(&mut session) && frame(&mut session));
    tell(&mut session, "thaw");
    assert!(!session.is_armed());
    tell(&mut session, "set prg[0] = prg[0] ^ 0xFF");
    assert!(session.is_armed());
    session.set_panel_state(all_panels());
    let (count, edits) = session.snapshot().edits;
    assert_eq!((count, edits.len(), edits[0].0), (1, 1, 0));
    assert!(session.give_back().is_some_and(|(_, way)| !way.faithful), "no movie can say that");
}

#[test]
fn a_look_alone_leaves_the_console_where_it_is() {
    let mut session = session(100);
    session.set_panel_state(all_panels());
    tell(&mut session, "break write das");
    tell(&mut session, "step 3");
    tell(&mut session, "back 3");
    let _ = session.snapshot();
    assert!(session.give_back().is_none());
}

#[test]
fn a_movie_goes_on_under_the_debugger() {
    use nes::controller::fm2::FrameInput;
    let held = |frame: u32| [if frame % 20 < 10 { Buttons::START } else { Buttons::DOWN }, Buttons::empty()];
    let frames = (0..500).map(|frame| FrameInput { pads: held(frame), ..FrameInput::default() }).collect();
    let movie = Movie { frames, ..Movie::default() };
    let (mut alone, mut session) =
        (console(0), DebugSession::new(IMAGE, None, config(), Palette::ntsc()).unwrap());
    session.borrow(&alone.save(), alone.picture(), None, Some(movie.clone())).unwrap();
    for frame in 0..300 {
        let _ = alone.run_frame(&mut held(frame), &mut ());
        assert!(session.frame(&[], || [Buttons::all(); 2]));
    }
    tell(&mut session, "back 70 frames");
    tell(&mut session, "step 70 frames");
    assert!(session.console().save() == alone.save());
    let (_, way) = session.give_back().unwrap();
    assert!(way.faithful && way.held == movie.frames[..300], "{way:?}");
}

#[test]
fn what_cannot_be_done_is_said_as_an_error() {
    let mut session = session(1);
    assert!(session.command("brake nmi", &mut |_| true));
    let (source, text) = session.snapshot().log.last().cloned().unwrap();
    assert!(source == LogSource::Error && text.contains("break"), "{text}");
    let picture = console(0).picture().clone();
    let wrong = session.borrow(b"no state", &picture, None, None);
    assert!(wrong.is_err_and(|error| !error.is_empty()));
    assert!(DebugSession::new(b"no image", None, config(), Palette::ntsc()).is_err());
    session.set_panel_state(PanelState { ask: Some("levl".into()), ..PanelState::default() });
    let snapshot = session.snapshot();
    assert!(snapshot.answer.is_some_and(|(asked, answer)| asked == "levl" && answer.is_err()));
    assert!(said(&mut session).contains("level is one"), "{}", said(&mut session));
}

#[test]
fn the_papers_have_what_every_open_panel_shows_and_nothing_of_the_others() {
    let mut session = session(700);
    tell(&mut session, "step 5 frames");
    for line in ["search new", "watch frame", "freeze das = 3", "break reset", "step 3"] {
        tell(&mut session, line);
    }
    let snapshot = session.snapshot();
    assert!(
        snapshot.registers.contains("PC") && !snapshot.registers.contains('\n'),
        "{}",
        snapshot.registers
    );
    assert!(snapshot.code.is_empty() && snapshot.pictures.is_empty() && snapshot.texts.is_empty());
    session.set_panel_state(PanelState {
        memory: Space::Ppu,
        byte: 0x3F00,
        ask: Some("@das".into()),
        ..all_panels()
    });
    let snapshot = session.snapshot();
    assert_eq!(snapshot.code.iter().filter(|line| line.is_next).count(), 1);
    assert!(!snapshot.calls.is_empty());
    let memory = snapshot.memory.unwrap();
    assert_eq!((memory.space, memory.bytes.len(), memory.name.as_str()), (Space::Ppu, 0x4000, "ppu[$3F00]"));
    assert_eq!(snapshot.watches.len(), 1);
    assert_eq!(snapshot.search.map(|(count, found)| (count, found.len())), Some((0x800, 256)));
    assert_eq!(snapshot.frozen.len(), 1);
    assert!(snapshot.accesses.len() > 10);
    assert_eq!(snapshot.answer, Some(("@das".into(), Ok(0x66))));
    for panel in
        [Panel::Events, Panel::Patterns, Panel::Nametables, Panel::Sprites, Panel::Palettes, Panel::Sound]
    {
        assert!(snapshot.pictures.contains_key(&panel), "{panel:?}");
    }
    for panel in [Panel::Game, Panel::Profile, Panel::Sound, Panel::Sprites, Panel::Palettes] {
        assert!(snapshot.texts.get(&panel).is_some_and(|text| text.len() > 20), "{panel:?}");
    }
    let reset = session.console().peek(0xFFFC);
    session.set_panel_state(PanelState {
        code: Some(u16::from_le_bytes([reset, session.console().peek(0xFFFD)])),
        ..all_panels()
    });
    let snapshot = session.snapshot();
    assert_eq!(snapshot.code[0].breakpoint, Some((1, true)), "{:?}", snapshot.code[0]);
}

#[test]
fn bytes_that_changed_since_the_machine_last_moved_can_be_told() {
    let mut session = session(300);
    session.set_panel_state(all_panels());
    let _ = session.snapshot();
    tell(&mut session, "step frame");
    let memory = session.snapshot().memory.unwrap();
    let changed = |memory: &MemoryView| {
        memory.bytes.iter().zip(memory.before.iter()).filter(|(now, then)| now != then).count()
    };
    assert!(changed(&memory) > 0 && memory.bytes.len() == memory.before.len());
    // Another look at the same moment compares with the same moment before.
    assert_eq!(changed(&session.snapshot().memory.unwrap()), changed(&memory));
    session.set_panel_state(PanelState { memory: Space::Oam, ..all_panels() });
    assert!(session.snapshot().memory.unwrap().before.is_empty(), "another memory has no before");
}
