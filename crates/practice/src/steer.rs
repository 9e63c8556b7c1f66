//! A piece steered by presses at given frames, on the rules of the game: for what could have been,
//! many times over.

use nes::Region;
use tetris::{Piece, Placement, Playfield};

/// A press: a shift to a side, or a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Press {
    /// Left.
    Left,
    /// Right.
    Right,
    /// A.
    Clockwise,
    /// B.
    Counterclockwise,
}

/// Frames that the slowest piece takes to the floor: presses after them come too late.
const MOST: u16 = 48 * 21;

/// Where a piece locks that falls a row every `frames_per_row` frames and gets these presses, each
/// in the frame counted from its spawn; the first frame in play is 1. Presses of one frame count in
/// the game's order, shift before turn. `None` if it has no room.
pub fn steer(
    board: &Playfield,
    piece: Piece,
    frames_per_row: u8,
    presses: &[(u16, Press)],
) -> Option<Placement> {
    let mut place = Placement::spawn(piece);
    if !board.fits(place) {
        return None;
    }
    let falls_by = |frame: u16| frame / u16::from(frames_per_row.max(1));
    let mut last = 0;
    loop {
        // Between two presses the piece only falls.
        let next = presses.iter().map(|&(frame, _)| frame).filter(|&frame| frame > last).min();
        let Some(frame) = next.filter(|&frame| frame <= MOST) else { break };
        for _ in falls_by(last)..falls_by(frame - 1) {
            if !board.fits(place.below()) {
                return Some(place);
            }
            place = place.below();
        }
        let now = || presses.iter().filter(|&&(when, _)| when == frame).map(|&(_, press)| press);
        for press in now() {
            let x = match press {
                Press::Left => place.x.wrapping_sub(1),
                Press::Right => place.x + 1,
                _ => continue,
            };
            let shifted = Placement { x, ..place };
            if x < 10 && board.fits(shifted) {
                place = shifted;
            }
        }
        for press in now() {
            let orientation = match press {
                Press::Clockwise => place.orientation.clockwise(),
                Press::Counterclockwise => place.orientation.counterclockwise(),
                _ => continue,
            };
            let turned = Placement { orientation, ..place };
            if board.fits(turned) {
                place = turned;
            }
        }
        if falls_by(frame) > falls_by(frame - 1) {
            if !board.fits(place.below()) {
                return Some(place);
            }
            place = place.below();
        }
        last = frame;
    }
    while board.fits(place.below()) {
        place = place.below();
    }
    Some(place)
}

/// How somebody taps: so many a second from so many frames after the spawn on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TapHands {
    /// Taps a second.
    pub hertz: f64,
    /// Frames from the spawn to the first tap.
    pub reaction: u16,
}

impl TapHands {
    /// Frame of tap `number`, counted from 0, on a console of this region.
    pub fn frame(&self, number: usize, region: Region) -> u16 {
        let second = f64::from(frames_a_second(region));
        let frames = (number as f64 * second / self.hertz.clamp(1.0, second)).ceil();
        1 + self.reaction + frames.min(2_000.0) as u16
    }
}

/// Frames a second of a region as players count them.
pub(crate) const fn frames_a_second(region: Region) -> u32 {
    match region {
        Region::Ntsc => 60,
        Region::Pal => 50,
    }
}

/// A place, and the taps that lead to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reached {
    /// Where it locks.
    pub place: Placement,
    /// Shifts to the right, or to the left if negative.
    pub shifts: i8,
    /// Turns by A, or by B if negative.
    pub turns: i8,
}

/// Every place that taps lead to on a console of this region: turns and shifts from the same frame
/// on, one of each a tap, and then it falls.
pub fn places(
    board: &Playfield,
    piece: Piece,
    frames_per_row: u8,
    hands: TapHands,
    region: Region,
) -> Vec<Reached> {
    let mut found: Vec<Reached> = Vec::new();
    let mut presses = Vec::new();
    for turns in turns_of(piece) {
        for shifts in -5..=5_i8 {
            presses.clear();
            let side = if shifts < 0 { Press::Left } else { Press::Right };
            let turn = if *turns < 0 { Press::Counterclockwise } else { Press::Clockwise };
            presses
                .extend((0..shifts.unsigned_abs().into()).map(|number| (hands.frame(number, region), side)));
            presses
                .extend((0..turns.unsigned_abs().into()).map(|number| (hands.frame(number, region), turn)));
            let Some(place) = steer(board, piece, frames_per_row, &presses) else { continue };
            if !found.iter().any(|known| known.place == place) {
                found.push(Reached { place, shifts, turns: *turns });
            }
        }
    }
    found
}

/// Turns to each orientation.
const fn turns_of(piece: Piece) -> &'static [i8] {
    match piece {
        Piece::O => &[0],
        Piece::Z | Piece::S | Piece::I => &[0, 1],
        Piece::T | Piece::J | Piece::L => &[0, 1, -1, 2],
    }
}

#[cfg(test)]
mod tests {
    use tetris::SplitMix64;

    use super::*;

    #[test]
    fn a_piece_that_nobody_steers_falls_where_it_is() {
        let place = steer(&Playfield::EMPTY, Piece::O, 1, &[]).unwrap();
        assert_eq!((place.x, place.y), (5, 18));
    }

    /// Frame by frame, as the game has it.
    fn by_frames(
        board: &Playfield,
        piece: Piece,
        frames_per_row: u8,
        presses: &[(u16, Press)],
    ) -> Option<Placement> {
        let mut place = Some(Placement::spawn(piece)).filter(|place| board.fits(*place))?;
        for frame in 1..=MOST {
            for turns in [false, true] {
                for &(_, press) in presses.iter().filter(|(when, _)| *when == frame) {
                    let wanted = match press {
                        Press::Left if !turns => Placement { x: place.x.wrapping_sub(1), ..place },
                        Press::Right if !turns => Placement { x: place.x + 1, ..place },
                        Press::Clockwise if turns => {
                            Placement { orientation: place.orientation.clockwise(), ..place }
                        }
                        Press::Counterclockwise if turns => {
                            Placement { orientation: place.orientation.counterclockwise(), ..place }
                        }
                        _ => continue,
                    };
                    if wanted.x < 10 && board.fits(wanted) {
                        place = wanted;
                    }
                }
            }
            if frame.is_multiple_of(frames_per_row.into()) {
                if !board.fits(place.below()) {
                    return Some(place);
                }
                place = place.below();
            }
        }
        unreachable!("it has reached the floor")
    }

    #[test]
    fn frames_without_a_press_are_left_out_and_nothing_changes() {
        let mut random = SplitMix64::new(1);
        let mut locked = 0;
        for _ in 0..4_000 {
            let mut rows = [0_u16; 20];
            let top = 1 + random.below(19) as usize;
            rows[top..].iter_mut().for_each(|row| *row = random.next_u64() as u16 & 0x3FF);
            let board = Playfield::from_rows(&rows);
            let piece = random.pick(&Piece::ALL);
            let frames_per_row = random.pick(&[1, 2, 3, 6, 8, 23, 48]);
            let within = random.pick(&[12, 60, 400, 1_100]);
            let presses: Vec<(u16, Press)> = (0..random.below(12))
                .map(|_| {
                    let press =
                        random.pick(&[Press::Left, Press::Right, Press::Clockwise, Press::Counterclockwise]);
                    (1 + random.below(within) as u16, press)
                })
                .collect();
            let place = steer(&board, piece, frames_per_row, &presses);
            assert_eq!(place, by_frames(&board, piece, frames_per_row, &presses), "{piece} {presses:?}");
            locked += u32::from(place.is_some());
        }
        assert!(locked > 1_000, "{locked}");
    }

    #[test]
    fn faster_hands_reach_no_less() {
        let mut rows = [0; 20];
        rows[12..].fill(0b10_0000_0010);
        let board = Playfield::from_rows(&rows);
        for piece in Piece::ALL {
            let count = |hertz| places(&board, piece, 1, TapHands { hertz, reaction: 0 }, Region::Ntsc).len();
            assert!(count(30.0) >= count(12.0) && count(12.0) > 5, "{piece}");
        }
    }

    #[test]
    fn taps_come_by_the_frames_of_the_region() {
        let hands = TapHands { hertz: 12.5, reaction: 3 };
        let frames = |region| [0, 1, 2, 3].map(|number| hands.frame(number, region));
        assert_eq!(frames(Region::Ntsc), [4, 9, 14, 19]);
        assert_eq!(frames(Region::Pal), [4, 8, 12, 16]);
    }
}
