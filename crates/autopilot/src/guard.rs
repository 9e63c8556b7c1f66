//! The article's guard against the kill screen.

use core::ops::ControlFlow;

use nes::{Attachment, Break, Console};
use tetris::{Profile, hooks, ram};

/// Turns of the loop at level 29, the highest that the game's makers expected.
const MOST: u8 = 30;

/// Keeps the game from counting points for longer than a frame lasts.
///
/// The points of a clear are added level + 1 times over. From level 155 on that can take so long
/// that the interrupt comes in the middle of the frame and the game crashes. The guard looks at the
/// top of that loop and leaves it 30 turns, as the article's script does. Points beyond level 29
/// are then those of level 29. Attached, it costs next to nothing.
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
}

impl Attachment for Guard {
    const WATCHES: bool = false;
    const SELECTS: bool = true;

    #[inline(always)]
    fn selects_step(&self, pc: u16) -> bool {
        pc == self.hook
    }

    #[inline]
    fn step(&mut self, console: &mut Console) -> ControlFlow<Break> {
        let at_hook = console.cpu.pc == self.hook;
        let turns = &mut console.ram_mut()[usize::from(self.turns)];
        // 0 stands for 256 turns.
        if at_hook && turns.wrapping_sub(1) >= MOST {
            *turns = MOST;
        }
        ControlFlow::Continue(())
    }
}
