//! Someone who goes along: heard and answered to on every way forward, and not needed on the way back.

use nes::{BusEvent, Buttons, Cartridge, Config, Console, Cpu};
use nes_debug::{Breakpoint, Companion, Debugger, Goal, Stop, Trigger, Unit};
use nes_testing::MAXOUT as IMAGE;

/// Sets A to what the console's cycle says, before every instruction at an address; counts the bus's cycles.
#[derive(Clone)]
struct Guest {
    address: u16,
    answered: bool,
    heard: std::sync::Arc<std::sync::atomic::AtomicU64>,
}

impl Companion for Guest {
    fn step(&mut self, cpu: &Cpu) -> bool {
        let due = cpu.pc == self.address && !self.answered;
        self.answered = due;
        due
    }

    fn value(&mut self, console: &Console) -> Option<u8> {
        Some((console.cycle() >> 3) as u8)
    }

    fn bus(&mut self, _: BusEvent) {
        self.heard.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    }

    fn meet(&mut self, _: &Console) {
        self.answered = false;
    }

    fn boxed(&self) -> Box<dyn Companion> {
        Box::new(self.clone())
    }
}

fn debugger() -> Debugger {
    let profile = tetris::Profile::of_image(IMAGE, "", "");
    let config = Config { sample_rate: Some(48_000), ..Config::default() };
    Debugger::new(Cartridge::from_bytes(IMAGE).unwrap(), config, profile)
}

fn run(debugger: &mut Debugger, goal: &Goal) -> Stop {
    debugger.run(goal, 600, &mut |_| true)
}

#[test]
fn what_a_companion_sets_is_there_whichever_way_the_run_is_watched_and_again_on_the_way_back() {
    let mut alone = debugger();
    assert_eq!(run(&mut alone, &Goal::Frames(100)), Stop::Done);
    let nmi = alone.symbols.address("nmi").unwrap();
    let handler = nes_debug::view::disassembly(&alone, nmi, 200);
    let store = handler.iter().find(|line| line.text.contains("STA")).unwrap().address;
    let mut states = vec![];
    // Bare but for the companion; with a breakpoint that never stops; by instructions.
    for way in 0..3 {
        let mut debugger = debugger();
        let heard = std::sync::Arc::<std::sync::atomic::AtomicU64>::default();
        let guest = Guest { address: store, answered: false, heard: heard.clone() };
        debugger.accompany(Some(Box::new(guest)));
        if way == 1 {
            let never = Breakpoint { pass: u64::MAX, ..Breakpoint::new(Trigger::Execute(nmi..=nmi)) };
            debugger.breakpoints.add(never);
        }
        while way == 2 && debugger.console().frame_number() < 60 {
            assert_eq!(run(&mut debugger, &Goal::Instructions(5_000)), Stop::Done);
        }
        let left = 100 - debugger.console().frame_number();
        assert_eq!(run(&mut debugger, &Goal::Frames(left)), Stop::Done);
        let state = debugger.console().save();
        assert!(heard.load(std::sync::atomic::Ordering::Relaxed) > 1_000_000);
        for (unit, count) in [(Unit::Frame, 17), (Unit::Instruction, 1_234), (Unit::Nmi, 3)] {
            assert_eq!(debugger.back(&unit, count), Stop::Done);
            let left = 100 - debugger.console().frame_number();
            assert_eq!(run(&mut debugger, &Goal::Frames(left)), Stop::Done);
            assert!(debugger.console().save() == state, "way {way}, back by {count} of {unit:?}");
        }
        states.push(state);
    }
    assert!(states[0] == states[1] && states[0] == states[2]);
    assert!(states[0] != alone.console().save(), "the companion sets nothing that matters");
}

#[test]
fn the_sound_of_a_frame_is_there_once_and_after_a_step_back_as_well() {
    let mut debugger = debugger();
    debugger.hold([Buttons::START, Buttons::empty()]);
    let mut sound = vec![];
    for frame in 0..40 {
        if frame == 20 {
            assert_eq!(debugger.back(&Unit::Frame, 5), Stop::Done);
        }
        assert_eq!(run(&mut debugger, &Goal::Frames(1)), Stop::Done);
        sound.clear();
        debugger.take_sound(&mut sound);
        assert!((700..900).contains(&sound.len()), "{} samples in frame {frame}", sound.len());
        debugger.take_sound(&mut sound);
        assert!(sound.len() < 900);
    }
    assert_eq!(run(&mut debugger, &Goal::Frames(100)), Stop::Done);
    sound.clear();
    debugger.take_sound(&mut sound);
    assert!((700..900).contains(&sound.len()), "only the last frame's: {}", sound.len());
}
