//! Another sequence of pieces in place of the game's choice.

use core::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};

use nes::{Attachment, Break, Console};
use tetris::{Orientation, Piece, Profile, View, hooks};

use crate::Passage;

/// Chooses pieces in place of a cartridge's picker.
pub trait Picker {
    /// Returns the piece that comes next, or `None` to let the game's own choice stand. It is
    /// called once a piece.
    fn pick(&mut self, console: &Console) -> Option<Piece>;
}

/// Gives a game the pieces of a [`Picker`] in place of those that its own picker chose.
///
/// The cartridge's picker does all that it always does: it counts the pick, rolls, steps the random
/// number register where it rolls again, and remembers the piece that *it* chose. Only then
/// register A, in which the caller receives the piece, gets another. So the picker's own memory
/// (`lfsr`, `spawn_count`, `last_piece`) goes through the very values that the same picks at the
/// same frames give without a substitution; a game plays on from there as its player and its pieces
/// have it, and picks at other frames. The demo's pieces are recorded and come by another way: they
/// stay.
///
/// It is an [`Attachment`] that looks at one address, and a value like the console. After the
/// console was loaded or exchanged between two frames, call [`Replacement::resync`].
#[derive(Clone)]
pub struct Replacement<P> {
    passage: Passage,
    /// Who chooses.
    pub picker: P,
}

impl<P> Replacement<P> {
    /// Lets `picker` choose the pieces of the games of a cartridge that `profile` is of.
    pub fn by(profile: &Profile, picker: P) -> Self {
        Self { passage: Passage::new(profile.address(hooks::NEW_PIECE)), picker }
    }

    /// Goes on with a console that it has not run so far: after a loaded state, say. Where its last
    /// frame ended right at the hook, the piece is exchanged all the same.
    pub fn resync(&mut self, console: &Console) {
        self.passage.resync(console);
    }
}

impl<P: Picker> Attachment for Replacement<P> {
    const WATCHES: bool = false;
    const SELECTS: bool = true;

    #[inline(always)]
    fn due(&self) -> bool {
        self.passage.is_due()
    }

    #[inline(always)]
    fn selects_step(&self, pc: u16) -> bool {
        self.passage.is_at(pc)
    }

    #[inline]
    fn step(&mut self, console: &mut Console) -> ControlFlow<Break> {
        if self.passage.passes(&console.cpu)
            && let Some(piece) = self.picker.pick(console)
        {
            console.cpu.a = Orientation::spawn(piece).id();
        }
        ControlFlow::Continue(())
    }
}

/// Deals the pieces of every game from one sequence, in place of the cartridge's picker.
///
/// A clone deals the same pieces: clones share the sequence, which is dealt as far as one of them
/// asks.
pub type Substitution = Replacement<Counted>;

/// A sequence that begins with each game.
///
/// Which piece of it comes next follows from the statistics in RAM alone: as many as this game has
/// counted. A new game begins the sequence anew, and after a loaded state, a rewind or a reset the
/// piece is the right one. Where a sequence ends, the game's choice stands again.
#[derive(Clone)]
pub struct Counted {
    profile: Profile,
    sequence: Arc<Mutex<Sequence>>,
}

/// Pieces that a game can count: seven statistics, each a byte of hundreds and two decimal digits.
const MOST: usize = 7 * 25_599 + 1;

/// A sequence that is dealt as it is needed.
struct Sequence {
    dealt: Vec<Piece>,
    dealer: Box<dyn Iterator<Item = Piece> + Send>,
}

impl Sequence {
    /// The first `count` pieces, or fewer where the sequence ends.
    fn first(&mut self, count: usize) -> &[Piece] {
        let count = count.min(MOST);
        while self.dealt.len() < count {
            let Some(piece) = self.dealer.next() else { break };
            self.dealt.push(piece);
        }
        &self.dealt[..self.dealt.len().min(count)]
    }
}

impl Substitution {
    /// Deals `pieces` to the games of a cartridge that `profile` is of; as many of them as a game
    /// can count.
    pub fn new(profile: Profile, pieces: impl Iterator<Item = Piece> + Send + 'static) -> Self {
        let sequence = Sequence { dealt: Vec::new(), dealer: Box::new(pieces.fuse()) };
        Self::by(&profile.clone(), Counted { profile, sequence: Arc::new(Mutex::new(sequence)) })
    }

    /// Returns the first `count` pieces of the sequence: fewer where it ends before, or where a
    /// game cannot count as many.
    pub fn pieces(&self, count: usize) -> Vec<Piece> {
        self.picker.sequence.lock().unwrap_or_else(PoisonError::into_inner).first(count).to_vec()
    }
}

impl Picker for Counted {
    fn pick(&mut self, console: &Console) -> Option<Piece> {
        let counts = View::new(&self.profile.as_mapped(console.ram())).piece_counts();
        let number = counts.iter().sum::<u32>() as usize;
        let mut sequence = self.sequence.lock().unwrap_or_else(PoisonError::into_inner);
        sequence.first(number + 1).get(number).copied()
    }
}
