//! The article's guard against the kill screen.

use core::ops::ControlFlow;

use nes::{Break, Console, Cpu, Mainboard, Observer, Pads};
use tetris::{Profile, hooks, ram};

/// Turns of the loop at level 29, the highest that the game's makers expected.
const MOST: u8 = 30;

/// Keeps the game from counting points for longer than a frame lasts.
///
/// The points of a clear are added level + 1 times over. From level 155 on that can take so long that the interrupt
/// comes in the middle of the frame and the game crashes. The guard looks at the top of that loop and leaves it 30 turns,
/// as the article's script does. Points beyond level 29 are then those of level 29.
#[derive(Clone, Debug)]
pub struct Guard {
    hook: u16,
    turns: u16,
}

impl Guard {
    /// The guard of a cartridge that `profile` is of.
    pub fn new(profile: &Profile) -> Self {
        Self { hook: profile.address(hooks::POINTS), turns: profile.place_address(ram::TEMPORARIES) }
    }

    /// [`Console::run_frame`], guarded. It costs next to nothing.
    pub fn run_frame<P: Pads>(&self, console: &mut Console, pads: &mut P) {
        let mut watch = Watch { guard: self };
        while console.run_frame(pads, &mut watch).is_break() {
            console.ram_mut()[usize::from(self.turns)] = MOST;
        }
    }
}

struct Watch<'a> {
    guard: &'a Guard,
}

impl Observer for Watch<'_> {
    const WATCHES: bool = false;
    const SELECTS: bool = true;

    #[inline(always)]
    fn selects_step(&self, pc: u16) -> bool {
        pc == self.guard.hook
    }

    #[inline]
    fn step(&mut self, cpu: &Cpu, board: &Mainboard) -> ControlFlow<Break> {
        // 0 stands for 256 turns.
        let turns = board.ram()[usize::from(self.guard.turns)];
        let long = cpu.pc == self.guard.hook && turns.wrapping_sub(1) >= MOST;
        if long { ControlFlow::Break(Break) } else { ControlFlow::Continue(()) }
    }
}
