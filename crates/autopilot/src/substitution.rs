//! Another sequence of pieces in place of the game's choice.

use core::ops::ControlFlow;

use nes::{Break, BusEvent, Console, Cpu, Mainboard, Observer, Pads};
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
///
/// It is a value like the console, and a clone deals the same pieces. A console that was loaded or exchanged between
/// two frames is to be [met](Self::meet).
#[derive(Clone)]
pub struct Substitution {
    profile: Profile,
    watch: Watch,
    dealt: Vec<Piece>,
    rest: Box<dyn Sequence>,
}

/// Pieces that can be dealt again from any place.
trait Sequence: Iterator<Item = Piece> + Send {
    fn boxed(&self) -> Box<dyn Sequence>;
}

impl<T: Iterator<Item = Piece> + Clone + Send + 'static> Sequence for T {
    fn boxed(&self) -> Box<dyn Sequence> {
        Box::new(self.clone())
    }
}

impl Clone for Box<dyn Sequence> {
    fn clone(&self) -> Self {
        (**self).boxed()
    }
}

impl Substitution {
    /// Deals `pieces` to the games of a cartridge that `profile` is of.
    pub fn new(profile: Profile, pieces: impl Iterator<Item = Piece> + Clone + Send + 'static) -> Self {
        let watch = Watch { hook: profile.address(hooks::NEW_PIECE), passed: None };
        Self { profile, watch, dealt: Vec::new(), rest: Box::new(pieces) }
    }

    /// Goes on with a console that it has not run so far: after a loaded state, say. Where its last frame ended right
    /// at the hook, the piece is exchanged all the same.
    pub fn meet(&mut self, console: &Console) {
        let behind = self.watch.is_behind(console.cpu.pc);
        self.watch.passed = behind.then_some(console.cpu.sp);
    }

    /// [`Console::run_frame`], with the pieces of this sequence.
    pub fn run_frame<P: Pads>(&mut self, console: &mut Console, pads: &mut P) {
        self.run_frame_observed(console, pads, &mut ());
    }

    /// The same with someone who watches, but never breaks; asked twice before the instruction behind the hook.
    pub fn run_frame_observed<P: Pads, O: Observer>(
        &mut self,
        console: &mut Console,
        pads: &mut P,
        observer: &mut O,
    ) {
        while console.run_frame(pads, &mut Beside { watch: &mut self.watch, observer }).is_break() {
            if let Some(orientation) = self.answer(console) {
                console.cpu.a = orientation;
            }
        }
    }

    /// For whoever runs the console: comes before each instruction, and says whether [`Self::answer`] is wanted now.
    pub fn is_due(&mut self, cpu: &Cpu) -> bool {
        self.watch.passes(cpu)
    }

    /// What register A is to hold when it [is due](Self::is_due); `None` for the game's own choice.
    pub fn answer(&mut self, console: &Console) -> Option<u8> {
        let counts = View::new(&self.profile.as_mapped(console.ram())).piece_counts();
        let piece = self.piece(counts.iter().sum::<u32>() as usize)?;
        Some(Orientation::spawn(piece).id())
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
#[derive(Clone)]
struct Watch {
    hook: u16,
    /// The stack pointer at the hook, if that was the last instruction.
    passed: Option<u8>,
}

impl Watch {
    /// Whether `pc` is where the instruction at the hook may lead.
    fn is_behind(&self, pc: u16) -> bool {
        (1..=LONGEST).contains(&pc.wrapping_sub(self.hook))
    }

    /// Whether the instruction at the hook has just been executed.
    #[inline]
    fn passes(&mut self, cpu: &Cpu) -> bool {
        if self.passed.is_none() && cpu.pc != self.hook {
            return false;
        }
        if self.passed.take() == Some(cpu.sp) && self.is_behind(cpu.pc) {
            return true;
        }
        self.passed = (cpu.pc == self.hook).then_some(cpu.sp);
        false
    }
}

impl Observer for Watch {
    #[inline]
    fn step(&mut self, cpu: &Cpu, _: &Mainboard) -> ControlFlow<Break> {
        if self.passes(cpu) { ControlFlow::Break(Break) } else { ControlFlow::Continue(()) }
    }
}

/// The watch and someone else.
struct Beside<'a, O> {
    watch: &'a mut Watch,
    observer: &'a mut O,
}

impl<O: Observer> Observer for Beside<'_, O> {
    #[inline]
    fn step(&mut self, cpu: &Cpu, board: &Mainboard) -> ControlFlow<Break> {
        let _ = self.observer.step(cpu, board);
        self.watch.step(cpu, board)
    }

    #[inline]
    fn bus(&mut self, event: BusEvent) {
        self.observer.bus(event);
    }
}

#[cfg(test)]
mod tests {
    use nes::{Buttons, Cartridge, Config};

    use super::*;

    /// The built-in cartridge.
    const IMAGE: &[u8] = include_bytes!("../../../roms/maxout.nes");

    #[test]
    fn a_console_met_right_behind_the_hook_gets_its_piece_and_a_clone_deals_it_too() {
        let profile = Profile::of_image(IMAGE).expect("it is known");
        let hook = profile.address(hooks::NEW_PIECE);
        let mut console = Console::new(Cartridge::from_bytes(IMAGE).expect("a cartridge"), Config::default());
        // Into a game by Start, and on with Down until the game itself has chosen the third piece.
        let mut pads = [Buttons::empty(); 2];
        let counted = |console: &Console| -> u32 {
            View::new(&profile.as_mapped(console.ram())).piece_counts().iter().sum()
        };
        while console.cpu.pc != hook || counted(&console) < 2 {
            let start = counted(&console) == 0 && console.frame_number() % 60 < 3;
            pads[0] = if start { Buttons::START } else { Buttons::DOWN };
            assert!(console.frame_number() < 3000, "a game begins");
            let _ = console.step(&mut pads, &mut ());
        }
        let _ = console.step(&mut pads, &mut ());
        let chosen = console.cpu.a;
        let other = [Piece::I, Piece::O].into_iter().find(|&piece| Orientation::spawn(piece).id() != chosen);
        let other = other.expect("one of two");
        let mut pieces = Substitution::new(profile.clone(), std::iter::repeat(other));
        let mut stranger = pieces.clone();
        pieces.meet(&console);
        let mut clone = pieces.clone();
        let next = |pieces: &mut Substitution| {
            let mut console = console.clone();
            pieces.run_frame(&mut console, &mut pads.clone());
            View::new(&profile.as_mapped(console.ram())).next()
        };
        assert_eq!([next(&mut pieces), next(&mut clone)], [Some(other); 2]);
        assert_ne!(next(&mut stranger), Some(other), "who has not met it lets the game choose");
    }
}
