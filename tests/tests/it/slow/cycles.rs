//! The frame that scores a lock takes as many cycles as the US cartridge's.

use core::ops::ControlFlow;

use nes::{Break, Buttons, Console, Cpu, Mainboard, Observer};
use tetris::kill_screen::{Lock, Timing};
use tetris::{SplitMix64, hooks};

use super::profile;
use super::scene::Scene;

/// Cycles that the table counts before the handler's first instruction.
const LEAD: u64 = 13;
/// Cycles of the instruction that starts the sprites' DMA, which waits for one more in every second
/// frame.
const DMA: u64 = 516;

/// Notes when the jumps through tables begin, without what differs from frame to frame.
#[derive(Default)]
struct Clock {
    dispatch: u16,
    nmi: Option<u64>,
    last: Option<(u64, u16)>,
    /// Cycles that the idle loop took after the interrupt, and the DMA beyond its usual.
    idle: u64,
    jumps: Vec<u64>,
    /// The next interrupt has come.
    over: bool,
}

impl Observer for Clock {
    fn step(&mut self, cpu: &Cpu, board: &Mainboard) -> ControlFlow<Break> {
        let cycle = board.cycle();
        if let (Some((began, pc)), Some(nmi)) = (self.last, self.nmi)
            && began >= nmi
        {
            let took = cycle - began;
            if (hooks::IDLE.address..hooks::IDLE.address + 4).contains(&pc) {
                self.idle += took;
            } else if took > DMA {
                self.idle += took - DMA;
            }
        }
        self.last = Some((cycle, cpu.pc));
        if cpu.pc == hooks::NMI.address {
            self.over |= self.nmi.is_some();
            self.nmi = self.nmi.or(Some(cycle));
        }
        if let (Some(nmi), false) = (self.nmi, self.over)
            && cpu.pc == self.dispatch
        {
            self.jumps.push(cycle - nmi - self.idle);
        }
        ControlFlow::Continue(())
    }
}

/// When the last eight jumps of the frame begin.
fn jumps(console: &mut Console, buttons: Buttons) -> [u64; 8] {
    let mut clock = Clock { dispatch: profile().address(hooks::DISPATCH), ..Clock::default() };
    let _ = console.run_frame(&mut [buttons, Buttons::empty()], &mut clock);
    let last = clock.jumps.last_chunk().expect("a frame of play has more than eight");
    last.map(|cycles| cycles + LEAD)
}

fn check(scene: &Scene) -> Lock {
    let mut console = scene.set();
    let (buttons, lock) = scene.lead(&mut console);
    let expected = u64::from(Timing::US.cycles(&lock));
    let found = jumps(&mut console, buttons);
    // Of the B-type's lines the table has but a range.
    let most = u64::from(Timing::US.range(&lock));
    let more = found[0].wrapping_sub(expected).min(most);
    assert!(lock.a_type == (most == 0) || lock.rows == 0, "{lock:?}");
    for (found, jump) in found.into_iter().zip(Timing::US.jumps) {
        assert_eq!(found, expected + more + u64::from(jump), "expected by the table, of {scene:?}: {lock:?}");
    }
    lock
}

#[test]
fn each_figure_of_the_published_table_is_that_of_the_slow_build() {
    let plain = Scene {
        rows: 0,
        bottom: 19,
        level: 29,
        b_type: false,
        lines: [0x15, 4],
        score: [0x99; 3],
        soft_rows: 0,
        danger: None,
        fast_music: false,
        next_hidden: true,
        select: false,
        next: 2,
        count: 0,
        wait: 0,
    };
    for rows in 0..=4 {
        let plain = Scene { rows, ..plain.clone() };
        let mut changed = vec![plain.clone(); 18];
        changed[0].level = 30;
        changed[1].bottom = 10;
        changed[2].next_hidden = false;
        changed[3].danger = Some(0);
        changed[4].danger = Some(8);
        (changed[5].danger, changed[5].fast_music) = (Some(3), true);
        changed[6].fast_music = true;
        changed[7].select = true;
        changed[8].lines = [0x19, 4];
        changed[9].lines = [0x99, 4];
        (changed[10].level, changed[10].lines) = (28, [0x99, 2]);
        changed[11].soft_rows = 8;
        changed[12].soft_rows = 7;
        changed[13].count = 0x09;
        changed[14].score = [0x45, 0x67, 0x89];
        (changed[15].b_type, changed[15].lines) = (true, [0x19, 0]);
        (changed[16].b_type, changed[16].lines) = (true, [0x21, 0]);
        for scene in &changed {
            check(scene);
        }
    }
    // The frame counter decides whether the flash of four lines is heard.
    let heard =
        (0..16).filter(|&wait| check(&Scene { rows: 4, wait, ..plain.clone() }).frame_counter & 7 == 0);
    assert!((1..16).contains(&heard.count()));
}

#[test]
fn three_hundred_locks_by_chance_take_the_cycles_of_the_table() {
    let mut random = SplitMix64::new(1);
    for number in 0..300_u32 {
        check(&Scene::chance(&mut random, (number % 5) as u8, 0, 130));
    }
}
