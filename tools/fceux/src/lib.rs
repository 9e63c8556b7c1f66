//! RAM after each frame of a movie, as FCEUX and the console have it, and as 16 bits of it are
//! committed.
//!
//! The program beside this library runs FCEUX: `cargo xtask accuracy --fceux`. The library is what
//! the tests need of it where FCEUX is not.

use std::ops::Range;

use nes::fm2::{FrameInput, Movie};
use nes::{Cartridge, Config, Console};

/// RAM of 2 KiB.
pub type Ram = [u8; 0x800];

/// The stack: what lies above its pointer is what happened to be pushed last, and interrupts push
/// where they come.
const STACK: Range<usize> = 0x100..0x200;

/// FCEUX's frame ends where line 240 begins, the console's a line later, with the vertical blank. A
/// program that is at work just then is cut at another instruction, up to so many CPU cycles before
/// the console's end of the frame.
const EARLIER: u64 = 400;

/// How FCEUX's RAM after a frame compares with the console's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is the same.
    Equal,
    /// It is what the console has a few instructions before the frame ends.
    Cut,
    /// It is something else.
    Different,
}

/// A frame of a movie that has been played on the console.
pub struct Played {
    /// The line of the file that it is in, counted from 0.
    pub line: usize,
    /// RAM after it.
    pub ram: Ram,
    before: Console,
    input: FrameInput,
}

/// Sixteen bits of the CRC-32 of RAM without the stack.
pub fn digest(ram: &Ram) -> u16 {
    let mut hash = crc32fast::Hasher::new();
    hash.update(&ram[..STACK.start]);
    hash.update(&ram[STACK.end..]);
    hash.finalize() as u16
}

/// The addresses at which the two differ, the stack left out.
pub fn differences(a: &Ram, b: &Ram) -> Vec<u16> {
    (0..a.len()).filter(|at| !STACK.contains(at) && a[*at] != b[*at]).map(|at| at as u16).collect()
}

/// Plays `movie` on the cartridge of `image`, from power-on with what the movie says of RAM.
///
/// # Panics
/// When `image` is no cartridge.
pub fn play<'a>(image: &[u8], movie: &'a Movie) -> impl Iterator<Item = Played> + use<'a> {
    let cartridge = Cartridge::from_bytes(image).expect("a cartridge");
    let config = Config { ram_fill: movie.ram.into(), video: false, ..Config::default() };
    let mut console = Console::new(cartridge.clone(), config);
    movie.lines().zip(&movie.frames).map(move |(line, &input)| {
        console.carry_out(input.commands, &cartridge, config);
        let before = console.clone();
        let _ = console.run_frame(&mut input.pads.clone(), &mut ());
        Played { line, ram: *console.ram(), before, input }
    })
}

impl Played {
    /// Whether this is the frame after which FCEUX has RAM that `is` says it has.
    pub fn compare(&self, is: impl Fn(&Ram) -> bool) -> Verdict {
        if is(&self.ram) {
            return Verdict::Equal;
        }
        let frame = self.before.frame_number();
        let end = {
            let mut console = self.before.clone();
            let _ = console.run_frame(&mut self.input.pads.clone(), &mut ());
            console.cycle()
        };
        let mut console = self.before.clone();
        while console.frame_number() == frame {
            let _ = console.step(&mut self.input.pads.clone(), &mut ());
            if console.cycle() + EARLIER >= end && is(console.ram()) {
                return Verdict::Cut;
            }
        }
        Verdict::Different
    }
}

/// The digests of a file, of each line the one of the old PPU and the one of the new:
/// little-endian, two bytes each.
pub fn digests_from_bytes(bytes: &[u8]) -> Vec<[u16; 2]> {
    let pairs = bytes.chunks_exact(4);
    pairs
        .map(|line| [u16::from_le_bytes([line[0], line[1]]), u16::from_le_bytes([line[2], line[3]])])
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A cartridge that counts at `$10`, a turn in 8 cycles, and does nothing else.
    fn counting() -> Vec<u8> {
        let mut image = vec![0; 16 + 0x4000];
        image[..8].copy_from_slice(b"NES\x1A\x01\0\0\0");
        image[16..21].copy_from_slice(&[0xE6, 0x10, 0x4C, 0x00, 0x80]); // INC $10; JMP $8000
        image[16 + 0x3FFC..][..2].copy_from_slice(&[0x00, 0x80]);
        image
    }

    #[test]
    fn ram_of_a_few_instructions_earlier_is_a_cut_and_any_other_is_different() {
        let movie = Movie { frames: vec![FrameInput::default(); 6], ..Movie::default() };
        let mut frames = 0;
        for frame in play(&counting(), &movie) {
            let turns_away = |turns: i32| {
                let wanted = frame.ram[0x10].wrapping_sub(turns as u8);
                frame.compare(|ram| ram[0x10] == wanted)
            };
            assert_eq!(turns_away(0), Verdict::Equal);
            for turns in [1, 10, 49] {
                assert_eq!(turns_away(turns), Verdict::Cut, "{turns} turns earlier");
            }
            for turns in [-1, -40, 51, 100] {
                assert_eq!(turns_away(turns), Verdict::Different, "{turns} turns earlier");
            }
            frames += 1;
        }
        assert_eq!(frames, 6);
    }

    #[test]
    fn the_stack_is_not_compared() {
        let (a, mut b) = ([0; 0x800], [0; 0x800]);
        (b[0x100], b[0x1FF]) = (1, 1);
        assert_eq!((digest(&a), differences(&a, &b)), (digest(&b), vec![]));
        (b[0xFF], b[0x200]) = (1, 1);
        assert_ne!(digest(&a), digest(&b));
        assert_eq!(differences(&a, &b), [0xFF, 0x200]);
    }
}
