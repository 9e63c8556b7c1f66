use super::*;

/// The built-in cartridge and its labels.
const IMAGE: &[u8] = include_bytes!("../../../roms/maxout.nes");
const LABELS: &str = include_str!("../../../roms/maxout.lbl");

fn bench(frames: u32) -> Bench {
    let mut console = Console::new(Cartridge::from_bytes(IMAGE).unwrap(), Config::default());
    for _ in 0..frames {
        let _ = console.run_frame(&mut [Buttons::empty(); 2], &mut ());
    }
    Bench::open(IMAGE, Some(LABELS), Config::default(), &console.save(), Palette::ntsc()).unwrap()
}

fn said(bench: &Bench) -> String {
    bench.papers().talk.iter().map(|(_, line)| line.as_str()).collect::<Vec<_>>().join("\n")
}

#[test]
fn frames_under_the_debugger_are_the_consoles_own() {
    let mut alone = Console::new(Cartridge::from_bytes(IMAGE).unwrap(), Config::default());
    let mut bench = bench(100);
    for frame in 0..400_u32 {
        let held = [if frame % 20 == 0 { Buttons::START } else { Buttons::DOWN }, Buttons::empty()];
        if frame < 100 {
            let _ = alone.run_frame(&mut [Buttons::empty(); 2], &mut ());
        } else {
            let _ = alone.run_frame(&mut held.clone(), &mut ());
            assert!(bench.frame(held));
        }
    }
    assert!(bench.state() == alone.save());
}

#[test]
fn a_breakpoint_stops_a_frame_and_says_so() {
    let mut bench = bench(10);
    assert!(bench.command("break nmi", &mut |_| true));
    assert!(!bench.frame([Buttons::empty(); 2]));
    assert!(said(&bench).contains("breakpoint 1"), "{}", said(&bench));
    assert!(bench.command("delete all", &mut |_| true));
    let before = bench.state();
    assert!((0..3).all(|_| bench.frame([Buttons::empty(); 2])));
    assert!((0..2).all(|_| bench.step_back()), "{}", said(&bench));
    assert!(bench.state() != before);
    assert!(!bench.command("quit", &mut |_| true), "it was to quit");
}

#[test]
fn what_cannot_be_done_is_said_as_an_error() {
    let mut bench = bench(1);
    assert!(bench.command("brake nmi", &mut |_| true));
    let (voice, text) = bench.papers().talk.last().cloned().unwrap();
    assert!(voice == Voice::Error && text.contains("break"), "{text}");
    let wrong = Bench::open(IMAGE, None, Config::default(), b"no state", Palette::ntsc());
    assert!(wrong.is_err_and(|error| !error.is_empty()));
}

#[test]
fn the_papers_have_what_the_terminal_shows() {
    let mut bench = bench(700);
    assert!(bench.command("step", &mut |_| true));
    bench.turn_memory();
    bench.scroll(100_000);
    let papers = bench.papers();
    assert!(papers.registers.contains("PC") || papers.registers.contains("pc"), "{}", papers.registers);
    assert_eq!(papers.code.iter().filter(|(next, _)| *next).count(), 1);
    assert_eq!(papers.memory_title, "ppu $3F00");
    assert_eq!(papers.memory.lines().count(), BYTES / 16);
    assert!(papers.game.is_some_and(|game| game.contains("DAS")));
    for (drawing, _) in Drawing::ALL {
        bench.draw(drawing);
        let (of, picture) = bench.papers().drawing;
        assert_eq!((of, picture.is_some()), (drawing, drawing != Drawing::None));
    }
}
