//! Another sequence of pieces in place of the game's choice.

use core::ops::ControlFlow;

use nes::{Break, Console, Cpu, Mainboard, Observer, Pads};
use tetris::{Orientation, Piece, Profile, View, hooks};

/// Deals the pieces of every game from one sequence, in place of the cartridge's picker.
///
/// The picker does all that it always does: it counts the pick, rolls, steps the random number register where it
/// rolls again, and remembers the piece that *it* chose. Only then register A, in which the caller receives the
/// piece, gets another. So the picker's own memory (`lfsr`, `spawn_count`, `last_piece`) goes through the very
/// values that the same picks at the same frames give without a substitution; a game plays on from there as its
/// player and its pieces have it, and picks at other frames. The demo's pieces are recorded and come by another way:
/// they stay.
///
/// Which piece of the sequence it is follows from the statistics in RAM alone: as many as this game has counted. A
/// new game begins the sequence anew, and after a loaded state, a rewind or a reset the piece is the right one.
/// Where a sequence ends, the game's choice stands again.
pub struct Substitution {
    profile: Profile,
    watch: Watch,
    dealt: Vec<Piece>,
    rest: Box<dyn Iterator<Item = Piece> + Send>,
}

impl Substitution {
    /// Deals `pieces` to the games of a cartridge that `profile` is of.
    pub fn new(profile: Profile, pieces: impl Iterator<Item = Piece> + Send + 'static) -> Self {
        let watch = Watch { hook: profile.address(hooks::NEW_PIECE), passed: None };
        Self { profile, watch, dealt: Vec::new(), rest: Box::new(pieces) }
    }

    /// [`Console::run_frame`], with the pieces of this sequence.
    pub fn run_frame<P: Pads>(&mut self, console: &mut Console, pads: &mut P) {
        while console.run_frame(pads, &mut self.watch).is_break() {
            let counts = View::new(&self.profile.as_mapped(console.ram())).piece_counts();
            if let Some(piece) = self.piece(counts.iter().sum::<u32>() as usize) {
                console.cpu.a = Orientation::spawn(piece).id();
            }
        }
    }

    /// The piece of a place in the sequence, from 0.
    fn piece(&mut self, place: usize) -> Option<Piece> {
        while self.dealt.len() <= place {
            self.dealt.push(self.rest.next()?);
        }
        Some(self.dealt[place])
    }
}

/// The longest instruction, in bytes.
const LONGEST: u16 = 3;

/// Stops once the instruction at the hook has been executed, which stores A as the picker's memory.
///
/// An interrupt may come before that instruction, or after it: then the hook, or the place behind it, is passed once
/// more when the interrupt returns. A stack pointer as it was at the hook tells the first from the real thing, and
/// forgetting the hook at the stop the second.
struct Watch {
    hook: u16,
    /// The stack pointer at the hook, if that was the last instruction.
    passed: Option<u8>,
}

impl Observer for Watch {
    #[inline]
    fn step(&mut self, cpu: &Cpu, _: &Mainboard) -> ControlFlow<Break> {
        if self.passed.is_none() && cpu.pc != self.hook {
            return ControlFlow::Continue(());
        }
        let behind = (1..=LONGEST).contains(&cpu.pc.wrapping_sub(self.hook));
        if self.passed.take() == Some(cpu.sp) && behind {
            return ControlFlow::Break(Break);
        }
        self.passed = (cpu.pc == self.hook).then_some(cpu.sp);
        ControlFlow::Continue(())
    }
}
