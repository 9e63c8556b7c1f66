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

fn bench(frames: u32) -> Bench {
    let mut bench =
        Bench::new(IMAGE, Profile::of_image(IMAGE), Some(LABELS), config(), Palette::ntsc()).unwrap();
    let console = console(frames);
    bench.borrow(&console.save(), console.picture(), None, None).unwrap();
    bench
}

fn all_panels() -> Gaze {
    Gaze { panels: Panel::ALL.map(|(panel, _)| panel).to_vec(), ..Gaze::default() }
}

/// From the lowest sample to the highest.
fn swing(samples: &[f32]) -> f32 {
    let least = samples.iter().copied().fold(f32::MAX, f32::min);
    let most = samples.iter().copied().fold(f32::MIN, f32::max);
    (most - least).max(0.0)
}

fn frame(bench: &mut Bench) -> bool {
    bench.frame(&[], || [Buttons::empty(); 2])
}

fn said(bench: &mut Bench) -> String {
    bench.papers().talk.iter().map(|(_, line)| line.as_str()).collect::<Vec<_>>().join("\n")
}

fn tell(bench: &mut Bench, line: &str) {
    assert!(bench.command(line, &mut |_| true), "{line} was not to quit");
    let (voice, text) = bench.talk.back().unwrap();
    assert!(*voice != Voice::Error, "{line}: {text}");
}

#[test]
fn frames_under_the_debugger_are_the_consoles_own_and_sound_like_them() {
    let (mut alone, mut bench) = (console(100), bench(100));
    let mut loudest = 0.0_f32;
    for frame in 0..400_u32 {
        let held = [if frame % 20 == 0 { Buttons::START } else { Buttons::DOWN }, Buttons::empty()];
        alone.clear_samples();
        let _ = alone.run_frame(&mut held.clone(), &mut ());
        assert!(bench.frame(&[], || held));
        let (own, ours) = (alone.samples(), bench.sound());
        assert!(own.len().abs_diff(ours.len()) <= 1, "frame {frame}: {} and {}", own.len(), ours.len());
        if frame > 60 {
            let far = (swing(own) - swing(ours)).abs();
            assert!(far < 0.02 + 0.1 * swing(own), "frame {frame}: {} and {}", swing(own), swing(ours));
            loudest = loudest.max(swing(ours));
        }
    }
    assert!(bench.console().save() == alone.save());
    assert!(loudest > 0.02, "nothing is heard");
}

#[test]
fn a_muted_channel_is_not_heard_under_the_debugger_either() {
    let mut bench = bench(100);
    let mut loudest = |muted: &[Channel], frames: u32| {
        let mut loudest = 0.0_f32;
        for frame in 0..frames {
            let held = [if frame % 20 == 0 { Buttons::START } else { Buttons::empty() }, Buttons::empty()];
            assert!(bench.frame(muted, || held));
            if frame > 120 {
                loudest = loudest.max(swing(bench.sound()));
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
    let profile = Profile::of_image(IMAGE).unwrap();
    let pieces = || Substitution::new(profile.clone(), core::iter::repeat(Piece::I));
    let mut console = console(0);
    let mut dealt = pieces();
    dealt.meet(&console);
    let mut bench =
        Bench::new(IMAGE, Profile::of_image(IMAGE), Some(LABELS), config(), Palette::ntsc()).unwrap();
    bench.borrow(&console.save(), console.picture(), Some(pieces()), None).unwrap();
    for frame in 0..1200_u32 {
        let playing = View::new(&profile.as_mapped(console.ram())).in_game();
        let start = if frame % 20 == 0 { Buttons::START } else { Buttons::empty() };
        // Held on from one piece to the next, down does nothing.
        let down = if frame % 32 < 24 { Buttons::DOWN } else { Buttons::empty() };
        let mut held = [if playing { down } else { start }, Buttons::empty()];
        dealt.run_frame(&mut console, &mut held);
        assert!(bench.frame(&[], || held));
    }
    assert!(bench.console().save() == console.save());
    let counts = |bench: &Bench| View::new(&profile.as_mapped(bench.console().ram())).piece_counts();
    let before = counts(&bench);
    assert!(before[6] >= 3 && before[..6].iter().all(|&count| count == 0), "{before:?}");
    tell(&mut bench, "back 100 frames");
    tell(&mut bench, "break lock log");
    tell(&mut bench, "hold down");
    tell(&mut bench, "step 1200 frames");
    let after = counts(&bench);
    assert!(after[6] > before[6] && after[..6].iter().all(|&count| count == 0), "{after:?}");
}

#[test]
fn a_breakpoint_stops_a_frame_and_says_so_and_is_there_when_the_console_comes_back() {
    let mut bench = bench(10);
    tell(&mut bench, "break nmi");
    assert!(bench.is_armed());
    assert!(!frame(&mut bench));
    assert!(said(&mut bench).contains("breakpoint 1"), "{}", said(&mut bench));
    tell(&mut bench, "disable 1");
    assert!(!bench.is_armed());
    assert!((0..3).all(|_| frame(&mut bench)));
    let (state, way) = bench.give_back().unwrap();
    assert!(!bench.has_console() && way.faithful && way.held.len() == 3, "{way:?}");
    let mut console = console(0);
    console.load(&state).unwrap();
    bench.borrow(&state, console.picture(), None, None).unwrap();
    bench.look(all_panels());
    let papers = bench.papers();
    assert_eq!(papers.breakpoints.len(), 1, "{papers:?}");
    tell(&mut bench, "back 2 frames");
    assert!(bench.console().frame_number() == 11, "what was remembered is lost");
    assert!(!bench.command("quit", &mut |_| true), "it was to quit");
}

#[test]
fn what_is_frozen_or_changed_in_the_program_keeps_the_console_under_the_debugger() {
    let mut bench = bench(100);
    assert!(!bench.is_armed());
    tell(&mut bench, "freeze das = 16");
    assert!(bench.is_armed() && frame(&mut bench) && frame(&mut bench));
    tell(&mut bench, "thaw");
    assert!(!bench.is_armed());
    tell(&mut bench, "set prg[0] = prg[0] ^ 0xFF");
    assert!(bench.is_armed());
    bench.look(all_panels());
    let (count, edits) = bench.papers().edits;
    assert_eq!((count, edits.len(), edits[0].0), (1, 1, 0));
    assert!(bench.give_back().is_some_and(|(_, way)| !way.faithful), "no movie can say that");
}

#[test]
fn a_look_alone_leaves_the_console_where_it_is() {
    let mut bench = bench(100);
    bench.look(all_panels());
    tell(&mut bench, "break write das");
    tell(&mut bench, "step 3");
    tell(&mut bench, "back 3");
    let _ = bench.papers();
    assert!(bench.give_back().is_none());
}

#[test]
fn a_movie_goes_on_under_the_debugger() {
    use nes::controller::fm2::FrameInput;
    let held = |frame: u32| [if frame % 20 < 10 { Buttons::START } else { Buttons::DOWN }, Buttons::empty()];
    let frames = (0..500).map(|frame| FrameInput { pads: held(frame), ..FrameInput::default() }).collect();
    let movie = Movie { frames, ..Movie::default() };
    let (mut alone, mut bench) =
        (console(0), Bench::new(IMAGE, None, None, config(), Palette::ntsc()).unwrap());
    bench.borrow(&alone.save(), alone.picture(), None, Some(movie.clone())).unwrap();
    for frame in 0..300 {
        let _ = alone.run_frame(&mut held(frame), &mut ());
        assert!(bench.frame(&[], || [Buttons::all(); 2]));
    }
    tell(&mut bench, "back 70 frames");
    tell(&mut bench, "step 70 frames");
    assert!(bench.console().save() == alone.save());
    let (_, way) = bench.give_back().unwrap();
    assert!(way.faithful && way.held == movie.frames[..300], "{way:?}");
}

#[test]
fn what_cannot_be_done_is_said_as_an_error() {
    let mut bench = bench(1);
    assert!(bench.command("brake nmi", &mut |_| true));
    let (voice, text) = bench.papers().talk.last().cloned().unwrap();
    assert!(voice == Voice::Error && text.contains("break"), "{text}");
    let picture = console(0).picture().clone();
    let wrong = bench.borrow(b"no state", &picture, None, None);
    assert!(wrong.is_err_and(|error| !error.is_empty()));
    assert!(Bench::new(b"no image", None, None, config(), Palette::ntsc()).is_err());
    bench.look(Gaze { ask: Some("levl".into()), ..Gaze::default() });
    let papers = bench.papers();
    assert!(papers.answer.is_some_and(|(asked, answer)| asked == "levl" && answer.is_err()));
    assert!(said(&mut bench).contains("level is one"), "{}", said(&mut bench));
}

#[test]
fn the_papers_have_what_every_open_panel_shows_and_nothing_of_the_others() {
    let mut bench = bench(700);
    tell(&mut bench, "step 5 frames");
    for line in ["search new", "watch frame", "freeze das = 3", "break reset", "step 3"] {
        tell(&mut bench, line);
    }
    let papers = bench.papers();
    assert!(papers.registers.contains("PC") && !papers.registers.contains('\n'), "{}", papers.registers);
    assert!(papers.code.is_empty() && papers.pictures.is_empty() && papers.texts.is_empty());
    bench.look(Gaze { memory: Space::Ppu, byte: 0x3F00, ask: Some("@das".into()), ..all_panels() });
    let papers = bench.papers();
    assert_eq!(papers.code.iter().filter(|line| line.is_next).count(), 1);
    assert!(!papers.calls.is_empty());
    let memory = papers.memory.unwrap();
    assert_eq!((memory.space, memory.bytes.len(), memory.name.as_str()), (Space::Ppu, 0x4000, "ppu[$3F00]"));
    assert_eq!(papers.watches.len(), 1);
    assert_eq!(papers.search.map(|(count, found)| (count, found.len())), Some((0x800, 256)));
    assert_eq!(papers.frozen.len(), 1);
    assert!(papers.accesses.len() > 10);
    assert_eq!(papers.answer, Some(("@das".into(), Ok(0x66))));
    for panel in
        [Panel::Events, Panel::Patterns, Panel::Nametables, Panel::Sprites, Panel::Palettes, Panel::Sound]
    {
        assert!(papers.pictures.contains_key(&panel), "{panel:?}");
    }
    for panel in [Panel::Game, Panel::Profile, Panel::Sound, Panel::Sprites, Panel::Palettes] {
        assert!(papers.texts.get(&panel).is_some_and(|text| text.len() > 20), "{panel:?}");
    }
    let reset = bench.console().peek(0xFFFC);
    bench
        .look(Gaze { code: Some(u16::from_le_bytes([reset, bench.console().peek(0xFFFD)])), ..all_panels() });
    let papers = bench.papers();
    assert_eq!(papers.code[0].breakpoint, Some((1, true)), "{:?}", papers.code[0]);
}

#[test]
fn bytes_that_changed_since_the_machine_last_moved_can_be_told() {
    let mut bench = bench(300);
    bench.look(all_panels());
    let _ = bench.papers();
    tell(&mut bench, "step frame");
    let memory = bench.papers().memory.unwrap();
    let changed = |memory: &MemoryPaper| {
        memory.bytes.iter().zip(memory.before.iter()).filter(|(now, then)| now != then).count()
    };
    assert!(changed(&memory) > 0 && memory.bytes.len() == memory.before.len());
    // Another look at the same moment compares with the same moment before.
    assert_eq!(changed(&bench.papers().memory.unwrap()), changed(&memory));
    bench.look(Gaze { memory: Space::Oam, ..all_panels() });
    assert!(bench.papers().memory.unwrap().before.is_empty(), "another memory has no before");
}
