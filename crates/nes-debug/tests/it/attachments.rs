//! What is attached to a debugged console acts on every way forward, and is not needed on the way
//! back.

use std::ops::ControlFlow;

use nes::{Attachment, Break, Buttons, Cartridge, Config, Console};
use nes_debug::{Breakpoint, Debugger, Goal, Runner, Stop, Trigger, Unit};

const IMAGE: &[u8] = include_bytes!("../../../../roms/maxout.nes");

/// Sets A to what the console's cycle says, before every instruction at an address.
#[derive(Clone)]
struct Guest {
    address: u16,
    asked: u64,
}

impl Attachment for Guest {
    const WATCHES: bool = false;
    const SELECTS: bool = true;

    fn selects_step(&self, pc: u16) -> bool {
        pc == self.address
    }

    fn step(&mut self, console: &mut Console) -> ControlFlow<Break> {
        if console.cpu.pc == self.address {
            console.cpu.a = (console.cycle() >> 3) as u8;
            self.asked += 1;
        }
        ControlFlow::Continue(())
    }
}

/// A front end that has the guest attached and holds Start.
impl Runner for Guest {
    fn frame(&mut self, debugger: &mut Debugger) -> Option<Stop> {
        if !debugger.is_within_frame() {
            debugger.begin_frame([Buttons::START, Buttons::empty()]);
        }
        debugger.run_frame(&mut debugger.pads(), self).or_else(|| debugger.end_frame(None))
    }

    fn goes_on(&mut self) -> bool {
        true
    }
}

fn debugger() -> Debugger {
    let profile = tetris::Profile::of_image(IMAGE);
    Debugger::new(Cartridge::from_bytes(IMAGE).unwrap(), Config::default(), profile)
}

#[test]
fn what_an_attachment_sets_is_there_whichever_way_the_run_is_watched_and_again_on_the_way_back() {
    let mut alone = debugger();
    assert_eq!(alone.run(&Goal::Frames(100), 600, &mut || true), Stop::Done);
    let nmi = alone.symbols.address("nmi").unwrap();
    let handler = nes_debug::view::disassembly(&alone, nmi, 200);
    let store = handler.iter().find(|line| line.text.contains("STA")).unwrap().address;
    // Nothing but the attachment on a console of its own.
    let mut bare = Console::new(alone.inserted().clone(), Config::default());
    let mut guest = Guest { address: store, asked: 0 };
    for _ in 0..100 {
        let _ = bare.run_frame(&mut [Buttons::START, Buttons::empty()], &mut guest);
    }
    assert!(
        guest.asked > 50 && bare.save() != alone.console().save(),
        "the attachment sets nothing that matters"
    );
    // Without a breakpoint; with one that never stops; with one on the PPU's fetches; by
    // instructions.
    for way in 0..4 {
        let mut debugger = debugger();
        let mut guest = Guest { address: store, asked: 0 };
        let trigger = match way {
            1 => Some(Trigger::Execute(store..=store)),
            2 => Some(Trigger::Video { at: 0..=0x3FFF, reads: true, writes: true }),
            _ => None,
        };
        if let Some(trigger) = trigger {
            debugger.breakpoints.add(Breakpoint { pass: u64::MAX, ..Breakpoint::new(trigger) });
        }
        while way == 3 && debugger.console().frame_number() < 60 {
            assert_eq!(debugger.run(&Goal::Instructions(5_000), 600, &mut guest), Stop::Done);
        }
        let mut run_to_100 = |debugger: &mut Debugger| {
            let left = 100 - debugger.console().frame_number();
            assert_eq!(debugger.run(&Goal::Frames(left), 600, &mut guest), Stop::Done);
            assert!(*debugger.console() == bare, "way {way}");
        };
        run_to_100(&mut debugger);
        for (unit, count) in [(Unit::Frame, 17), (Unit::Instruction, 1_234), (Unit::Nmi, 3)] {
            assert_eq!(debugger.back(&unit, count), Stop::Done);
            run_to_100(&mut debugger);
        }
        // The past needs no attachment: it is run again without.
        let then = debugger.console().cycle();
        assert_eq!(debugger.back(&Unit::Frame, 90), Stop::Done);
        debugger.travel(then);
        assert!(*debugger.console() == bare, "way {way}, run again");
    }
}

#[test]
fn a_stop_asks_an_attachment_once_and_before_the_instruction_is_run() {
    let mut debugger = debugger();
    let nmi = debugger.symbols.address("nmi").unwrap();
    debugger.breakpoints.add(Breakpoint::new(Trigger::Execute(nmi..=nmi)));
    let mut guest = Guest { address: nmi, asked: 0 };
    for stop in 0..5 {
        assert!(matches!(debugger.run(&Goal::Free, 60, &mut guest), Stop::Breakpoint { number: 1, .. }));
        assert_eq!((debugger.console().cpu.pc, guest.asked), (nmi, stop));
    }
}

#[test]
fn a_console_that_a_host_takes_back_is_the_one_it_gave_and_what_it_changes_can_be_gone_back_over() {
    let mut console = Console::new(Cartridge::from_bytes(IMAGE).unwrap(), Config::default());
    let mut debugger = debugger();
    let mut guest = Guest { address: 0xFFFF, asked: 0 };
    let mut states = vec![];
    for frame in 0..60_u8 {
        let before = nes_debug::Mark::new(&console);
        console.ram_mut()[0x700] = frame;
        debugger.note_change(&before, &console);
        debugger.exchange(&mut console);
        assert_eq!(guest.frame(&mut debugger), None);
        debugger.exchange(&mut console);
        states.push(console.save());
    }
    debugger.exchange(&mut console);
    for frame in [50, 40, 20] {
        assert!(debugger.travel_to_frame(frame));
        console.load(&states[frame as usize - 1]).unwrap();
        // The change before the next frame is made again where that frame begins.
        console.ram_mut()[0x700] = frame as u8;
        assert!(*debugger.console() == console, "frame {frame}");
    }
}
