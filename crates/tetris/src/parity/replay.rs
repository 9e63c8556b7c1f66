//! The model beside a trace.

use super::judge::{Judge, Judged};
use super::trace::{Frame, Trace};
use crate::Rom;
use crate::picker::SPAWN_ORIENTATIONS;
use crate::ram::{self, game_mode};
use crate::rules::Game;

/// Where the demo's recording and its pieces begin.
const BUTTONS: u16 = crate::rom::DEMO_BUTTONS;
const PIECES: u16 = crate::rom::DEMO_PIECES;

/// The model beside a trace, frame by frame.
pub struct Replay<'a, 'rom> {
    frames: Box<dyn Iterator<Item = Frame<'a>> + 'a>,
    machine: [u8; 0x800],
    judge: Judge<'rom>,
}

impl<'a, 'rom> Replay<'a, 'rom> {
    pub(super) fn new(trace: &'a Trace) -> Self {
        Self { frames: Box::new(trace.frames()), machine: [0; 0x800], judge: Judge::default() }
    }

    /// The machine's RAM after the last frame.
    pub fn machine(&self) -> &[u8; 0x800] {
        &self.machine
    }

    /// A frame of both. `None` behind the last.
    pub fn step(&mut self, game: &mut Game<'rom>) -> Option<Judged> {
        let frame = self.frames.next()?;
        self.judge.poke(game, frame.pokes);
        for &(address, value) in frame.pokes {
            self.machine[usize::from(address)] = value;
        }
        for &(address, value) in frame.changes {
            self.machine[usize::from(address)] = value;
        }
        Some(self.judge.step(game, frame.buttons, &self.machine))
    }
}

impl Trace {
    /// `rom` with the demo as the trace shows it. The demo's recording is a cartridge's own, and a
    /// trace without its image has it only as the buttons that the demo held: input like the pad's.
    #[must_use]
    pub fn with_demo(&self, rom: &Rom) -> Rom {
        let mut rom = rom.clone();
        let mut before = [0u8; 0x800];
        for frame in self.frames() {
            let mut after = before;
            for &(address, value) in frame.pokes.iter().chain(frame.changes) {
                after[usize::from(address)] = value;
            }
            if before[ram::GAME_MODE.at()] == game_mode::DEMO || after[ram::GAME_MODE.at()] == game_mode::DEMO
            {
                learn_buttons(&mut rom, &before, &after);
                learn_pieces(&mut rom, &before, &after);
            }
            before = after;
        }
        rom
    }
}

/// A pair that was taken in this frame stands in RAM.
fn learn_buttons(rom: &mut Rom, before: &[u8; 0x800], after: &[u8; 0x800]) {
    let pointer = |ram: &[u8; 0x800]| {
        u16::from_le_bytes([ram[ram::DEMO_POINTER.at()], ram[ram::DEMO_POINTER.at() + 1]])
    };
    let (from, to) = (pointer(before), pointer(after));
    if to != from.wrapping_add(2) && (from, to) != (PIECES - 2, BUTTONS) {
        return;
    }
    let pair = [after[ram::DEMO_HELD.at()], after[ram::DEMO_REPEATS.at()]];
    let table: &mut [u8] = if from >= BUTTONS { &mut rom.demo_buttons } else { &mut rom.demo_unset };
    let place = usize::from(if from >= BUTTONS { from - BUTTONS } else { from });
    if let Some(place) = table.get_mut(place..).and_then(|rest| rest.first_chunk_mut()) {
        *place = pair;
    }
}

/// The next piece is the one just taken; a game begins with two.
fn learn_pieces(rom: &mut Rom, before: &[u8; 0x800], after: &[u8; 0x800]) {
    let taken = after[ram::DEMO_PIECE.at()];
    if taken == 0 || taken == before[ram::DEMO_PIECE.at()] {
        return;
    }
    let byte = |orientation: u8| {
        let number = SPAWN_ORIENTATIONS.iter().position(|&known| known == orientation).unwrap_or(0);
        (number as u8) << 4
    };
    rom.demo_pieces[usize::from(taken - 1)] = byte(after[ram::NEXT_PIECE.at()]);
    if taken == 2 && before[ram::DEMO_PIECE.at()] != 1 {
        rom.demo_pieces[0] = byte(after[ram::ORIENTATION.at()]);
    }
}
